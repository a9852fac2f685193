"""Worlds and all risks by satsweep beside one count of Ganak, a general model counter.

    python benchmarks/counters.py --json benchmarks/results/counters.json

Ganak counts the formulas of ``satsweep convert --to cnf``. Each answer has a process of its own, with a limit on its
processor time; ours is ``analyse(board)`` with its worlds and the risks of all cells, and for Ganak the formula is
ready. Libraries are loaded, and short answers are repeated. The two run in turns, and counts are compared with ``==``.
Ganak needs one more count for every risk. The mine total ties the whole board together, so both count large boards
without it. Dense checkerboards are made from seeds: half of 50x50 cells are mines, and of one colour of a checkerboard
all safe cells are open.
"""

import argparse
import json
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from satsweep import FORMATS, Board, Layout, analyse
from satsweep.solver import compiled

ROOT = Path(__file__).parents[1]
GROUPS = (
    ("expert", "tests/data/positions_expert.jsonl", "", 20, True),
    ("hard checkerboards", "tests/data/positions_hard.jsonl", "checker", 1, True),
    ("large checkerboards", "benchmarks/data/positions_extreme.jsonl", "checker", 1, False),
)
"""Name, file, beginning of the id, every how many positions, and whether the mine total counts."""
DENSE = "dense checkerboards"
SHORTEST = 0.05
"""Seconds for which an answer is repeated at least."""
SEEDS = range(1, 9)
"""Of dense checkerboards; ``checker-50x50-d0.5-0`` is a large one."""


def boards(groups: list[str]) -> Iterator[tuple[str, str, Board]]:
    """Group, name and position of each; its mine total is None where it does not count."""
    for group, file, prefix, every, total in GROUPS:
        if group in groups:
            positions = map(json.loads, (ROOT / file).read_text().splitlines())
            for position in [position for position in positions if position["id"].startswith(prefix)][::every]:
                yield group, position["id"], Board(position["board"], mines=position["mines"] if total else None)
    if DENSE in groups:
        for seed in SEEDS:
            yield DENSE, f"checker-50x50-d0.5-{seed}", replace(dense(seed), mines=None)


def dense(seed: int, side: int = 50) -> Board:
    mines = set(Random(f"checker-{side}x{side}-0.5-{seed}").sample(range(side * side), side * side // 2))
    rows = ("".join("*" if row * side + col in mines else "." for col in range(side)) for row in range(side))
    shown = (divmod(cell, side) for cell in range(side * side) if cell not in mines)
    return Layout(tuple(rows)).board([(row, col) for row, col in shown if (row + col) % 2 == 0])


def ours(board: Board) -> Callable[[], int]:
    assert analyse(Board(("1#",), mines=1)).risks  # all is loaded then, as Ganak is

    def answer() -> int:
        analysis = analyse(board)
        assert analysis.risks and analysis.worlds is not None
        return analysis.worlds

    return answer


def ganak(board: Board) -> Callable[[], int]:
    import pyganak

    lines = [line.split() for line in FORMATS["cnf"].write(board).splitlines()]
    top = next(int(line[2]) for line in lines if line[0] == "p")

    def answer() -> int:
        counter: Any = pyganak.Counter()
        counter.new_vars(top)
        counter.add_clauses([list(map(int, line[:-1])) for line in lines if line[0] not in "cp"])
        return int(counter.count())

    return answer


PROGRAMS = {"satsweep": ours, "ganak": ganak}


def measure(program: str, board: Board, limit: int, answer: Connection) -> None:
    task = PROGRAMS[program](board)
    resource.setrlimit(resource.RLIMIT_CPU, (limit + int(time.process_time()) + 1,) * 2)
    start, seconds, rounds = time.process_time(), 0.0, 0
    while seconds < SHORTEST:
        found = task()
        seconds, rounds = time.process_time() - start, rounds + 1
    answer.send((seconds / rounds, found))


def run(program: str, board: Board, limit: int) -> tuple[float, int] | None:
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(program, board, limit, send))
    process.start()
    send.close()
    try:
        found: tuple[float, int] = receive.recv()
        return found
    except EOFError:
        return None  # killed at the limit
    finally:
        process.join()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=int, default=60, help="limit of processor time for each answer")
    options.add_argument("--groups", nargs="+", default=[*(group for group, *_ in GROUPS), DENSE], help="which groups")
    options.add_argument("--json", type=Path, help="write the results")
    chosen = options.parse_args()
    compiled.load()
    results = []
    for group, name, board in boards(chosen.groups):
        line = {"group": group, "id": name, "covered": len(board.covered), "total": board.mines is not None}
        found = {program: run(program, board, chosen.seconds) for program in PROGRAMS}
        counts = {answer[1] for answer in found.values() if answer}
        assert len(counts) <= 1, f"{name}: two counts"
        line |= {program: answer[0] if answer else None for program, answer in found.items()}
        line["bits"] = max(counts, default=0).bit_length()
        results.append(line)
        print(json.dumps(line), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"limit": chosen.seconds, "positions": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
