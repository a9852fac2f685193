"""Speed of the engine in JavaScript beside the native library: games and positions.

    python benchmarks/wasm.py --json benchmarks/results/wasm.json

Both play the same expert games and find the risks of the same positions, those of ``tests/data``, in turns. Figures are
units a second of processor time, medians of five turns. Native games and positions are those of one call from Python;
in Node (``wasm.mjs``) each has a call of the module, with its checks of boards.
"""

import argparse
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from satsweep import Board
from satsweep.kernels.api import neighbour_table, play_games, positions
from satsweep.solver.compiled import symbols_of, table_of
from satsweep.topology import SQUARE

HERE = Path(__file__).parent
DATA = HERE.parent / "tests" / "data"
GAMES = {"sat": 5_000, "deep:2": 2_000, "deep:5": 20}
"""Games of a turn, by player."""
TURNS, REPEATS = 5, 20
EXPERT = {"rows": 16, "cols": 30, "mines": 99}


def natively(work: Callable[[], None]) -> float:
    clock = time.process_time()
    work()
    return time.process_time() - clock


def in_node(asked: dict[str, Any]) -> float:
    command = ["node", str(HERE / "wasm.mjs")]
    return float(subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True).stdout)


def measured(name: str, count: int, native: Callable[[int], float], wasm: Callable[[int], float]) -> dict[str, object]:
    turns = [(count / native(turn), count / wasm(turn)) for turn in range(TURNS)]
    ratio = median(other / own for own, other in turns)
    return {"work": name, "native": median(own for own, _ in turns), "wasm": median(one for _, one in turns),
            "ratio": ratio, "turns": turns}  # fmt: skip


def games(player: str, count: int) -> dict[str, object]:
    near = neighbour_table(SQUARE.neighbours(16, 30))
    policy, level = player.partition(":")[0], int(player[5:] or 2)

    def native(turn: int) -> float:
        def work() -> None:
            play_games(near, 99, "benchmark", range(turn * count, (turn + 1) * count), policy=policy, level=level)

        play_games(near, 99, "benchmark", range(1), policy=policy, level=level)
        return natively(work)

    def wasm(turn: int) -> float:
        return in_node({"player": player, "size": EXPERT, "from": turn * count, "games": count})

    return measured(f"games of {player}", count, native, wasm)


def risks() -> dict[str, object]:
    lines = (DATA / "positions_expert.jsonl").read_text().splitlines()
    boards = [Board(tuple(one["board"]), mines=one["mines"]) for one in map(json.loads, lines)]
    symbols, near = np.array([symbols_of(board) for board in boards]), table_of(SQUARE, 16, 30)
    integers = [[9 if symbol == -2 else int(symbol) for symbol in own] for own in symbols]
    cells = [{"cells": own, "rows": 16, "cols": 30} for own in integers]

    def work() -> None:
        for _ in range(REPEATS):
            positions(symbols, near, [99] * len(boards))

    return measured(
        "risks of expert positions",
        len(boards) * REPEATS,
        lambda turn: natively(work),
        lambda turn: in_node({"boards": cells, "mines": 99, "repeats": REPEATS}),
    )


def results() -> Iterator[dict[str, object]]:
    yield from (games(player, count) for player, count in GAMES.items())
    yield risks()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="file for the results")
    asked = parser.parse_args()
    found = []
    for result in results():
        found.append(result)
        print(json.dumps(result), flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
