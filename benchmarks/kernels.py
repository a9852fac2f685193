"""How fast the kernels are: games a second on one core, microseconds a position, and what compiling and loading takes.

    python benchmarks/kernels.py --games 20000
    python benchmarks/kernels.py --compile

Times are those of the processor, so that they mean something on a machine that is shared; compiling and loading are
timed in processes of their own. Positions are those of ``tests/data``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from satsweep import Board
from satsweep.generate import LEVELS
from satsweep.kernels import FINE, neighbour_table, play_games, position
from satsweep.topology import SQUARE

DATA = Path(__file__).parent.parent / "tests" / "data"
FIRST = """
import time
from satsweep import kernels
kernels.prepare()
first = time.process_time()
kernels.prepare(deep=True)
print(first, time.process_time() - first)
"""


def games(level: str, first: str, start: tuple[int, int], count: int, policy: str = "sat") -> dict[str, object]:
    rows, cols, mines = LEVELS[level]
    table = neighbour_table(SQUARE.neighbours(rows, cols))
    place = start[0] * cols + start[1]
    play_games(table, mines, "benchmark", range(2), first=first, start=place, policy=policy)
    clock = time.process_time()
    results = play_games(table, mines, "benchmark", range(count), first=first, start=place, policy=policy)
    seconds = time.process_time() - clock
    won = float(results["won"].mean())
    error = (won * (1 - won) / count) ** 0.5
    return {"policy": policy, "level": level, "first": first, "games": count, "won": won, "error": error,
            "per_second": count / seconds}  # fmt: skip


def positions(name: str, repeats: int = 20) -> dict[str, object]:
    times, handed_over = [], 0
    for line in (DATA / f"{name}.jsonl").read_text().splitlines():
        fields = json.loads(line)
        board = Board(fields["board"], mines=fields["mines"])
        table = neighbour_table(SQUARE.neighbours(board.rows, board.cols))
        text = "".join(board.cells).replace(".", "0")
        symbols = np.array([-1 if symbol == "#" else int(symbol) for symbol in text], np.int8)
        handed_over += position(symbols, table, fields["mines"]).status != FINE
        clock = time.process_time()
        for _ in range(repeats):
            position(symbols, table, fields["mines"])
        times.append((time.process_time() - clock) / repeats * 1e6)
    return {"positions": name, "median": median(times), "most": max(times), "handed_over": handed_over}


def compiling() -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "NUMBA_CACHE_DIR": place}
        said = [subprocess.check_output([sys.executable, "-c", FIRST], env=environment).split() for _ in range(2)]
    (compiled, deep), (loaded, also) = ([float(seconds) for seconds in line] for line in said)
    return {"compile": compiled, "compile_deep": deep, "load": loaded, "load_deep": also}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--compile", action="store_true", help="time compiling and loading, too")
    asked = parser.parse_args()
    for policy in ("sat", "deep"):
        for level in LEVELS:
            print(json.dumps(games(level, "safe", (0, 0), asked.games, policy)))
            print(json.dumps(games(level, "zero", (3, 3), asked.games, policy)))
    for name in ("positions_expert", "positions_hard"):
        print(json.dumps(positions(name)))
    if asked.compile:
        print(json.dumps(compiling()))


if __name__ == "__main__":
    main()
