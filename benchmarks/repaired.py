"""How repaired boards differ from drawn ones, and the speed of repair beside ms_toollib.

    python benchmarks/repaired.py --json benchmarks/results/repaired.json

Boards of 16x30 that need no guess from a corner: by rejection, where that ends, and by repair, ours and ms_toollib's
(``laymine_solvable_adjust``). *Drawn* are all layouts with the same promise about the start, most of which need a
guess. The generators take turns; times are processor times, with all code loaded. The exact agent is asked whether a
board needs a guess, and the weaker ones whether they clear it. Some boards are cleared by the easiest technique at each
turn, and the cells that each technique settles are counted. Large boards come last, ours above 10,240 cells.
"""

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ms_toollib

from satsweep.agents import basic
from satsweep.board import Board, Cell
from satsweep.games.agent import Agent, Deduction
from satsweep.games.game import play
from satsweep.generator.no_guess import drawn, unsolved
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.generator.walkthrough import GIVEN_START_RULES, analyse_forced, board_numbers, no_guess
from satsweep.layout import Layout
from satsweep.solver.pipeline import ComponentCache
from satsweep.techniques import TECHNIQUES, Technique

START = Cell(0, 0)
MINES = (99, 130, 170, 200, 240, 300)
UNIFORM = 130
"""Most mines of boards that rejection makes."""
LARGE = ((110, 110, 2_178), (200, 200, 6_000))
WAYS = ("drawn", "rejection", "repair", "ms_toollib")
Made = Iterator[Layout]


def ours(spec: BoardSpec, seed: str, count: int) -> Made:
    return (made.layout for made in generate(spec, count, seed, traced=False))


def theirs(spec: BoardSpec, seed: str, count: int) -> Made:
    for _ in range(count):
        board, solvable = ms_toollib.laymine_solvable_adjust(spec.rows, spec.cols, spec.mines, *START)
        if solvable:
            yield Layout(["".join("*" if number == -1 else "." for number in row) for row in board], start=START)


def any_layout(spec: BoardSpec, seed: str, count: int) -> Made:
    return (drawn(spec, seed, number)[0] for number in range(count))


def ways(rows: int, cols: int, mines: int) -> dict[str, tuple[BoardSpec, Callable[[BoardSpec, str, int], Made]]]:
    spec = BoardSpec(rows, cols, mines, start=START, method=GenerationMethod.REPAIR)
    found: dict[str, tuple[BoardSpec, Callable[[BoardSpec, str, int], Made]]] = {
        "drawn": (spec, any_layout),
        "repair": (spec, ours),
        "ms_toollib": (spec, theirs),
    }
    if mines <= UNIFORM and rows * cols < 1_000:
        found["rejection"] = (BoardSpec(rows, cols, mines, start=START, method=GenerationMethod.REJECTION), ours)
    return found


def walled_in(layout: Layout) -> int:
    """The number of mines whose neighbours are mines all."""
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mined = [symbol == "*" for symbol in layout.symbols]
    return sum(mined[cell] and all(mined[other] for other in table[cell]) for cell in range(len(mined)))


def raced(rows: int, cols: int, mines: int, count: int) -> list[dict[str, Any]]:
    """Make boards in turns; the facts of each way about its boards."""
    made: dict[str, list[Layout]] = {}
    times: dict[str, list[float]] = {}
    for turn in range(-1, count):
        for way, (spec, make) in ways(rows, cols, mines).items():
            begun = time.process_time()
            boards = [*make(spec, f"repaired {turn}", 1)]
            spent = time.process_time() - begun
            if turn >= 0:
                made.setdefault(way, []).extend(boards)
                times.setdefault(way, []).append(1000 * spent)
    rows_of = []
    for way in WAYS:
        if boards := made.get(way, []):
            rows_of.append(facts(boards, way, times[way]))
            print(rows_of[-1], flush=True)
    return rows_of


def facts(boards: list[Layout], way: str, milliseconds: list[float]) -> dict[str, Any]:
    numbers = [board_numbers(board) for board in boards]
    large = boards[0].rows * boards[0].cols > 1_000
    clear = {} if large else {name: sum(unsolved(one, name) is None for one in boards) for name in AGENTS}
    return {
        "size": f"{boards[0].rows}x{boards[0].cols}",
        "mines": boards[0].mines,
        "way": way,
        "tried": len(milliseconds),
        "boards": len(boards),
        "milliseconds": round(statistics.median(milliseconds), 2),
        "slowest": round(max(milliseconds), 1),
        "3bv": round(statistics.mean(one.bv for one in numbers), 1),
        "openings": round(statistics.mean(one.openings for one in numbers), 1),
        "walled_in": round(statistics.mean(map(walled_in, boards)) / max(1, boards[0].mines), 4),
        "cleared_by": clear,
        "techniques": {} if large else techniques(boards[:TECHNIQUES_OF]),
    }


def techniques(boards: list[Layout]) -> dict[str, float]:
    """The share of the settled cells of some boards that each stage of an analysis settles, the easiest first.

    A board that needs a guess is played until then.
    """
    settled = Counter[str]()
    cache = ComponentCache()

    def deduce(board: Board) -> Deduction:
        found = basic.deduce(board)
        settled[SINGLE] += len(found.safe) + len(found.mines)
        if found:
            return found
        analysis = analyse_forced(board, cache)
        for stage, cells in analysis.stages.items():
            if cells:
                settled[stage] += len(cells)
                known = set(analysis.safe)
                safe = tuple(one for one in cells if one in known)
                return Deduction(safe, tuple(one for one in cells if one not in known))
        return Deduction()

    for board in boards:
        play(board, Agent(deduce, no_guess), GIVEN_START_RULES)
    whole = settled.total()
    return {words.stage: round(settled[words.stage] / whole, 4) for words in TECHNIQUES.values()}


SINGLE = TECHNIQUES[Technique.SINGLE].stage
TECHNIQUES_OF = 20
"""Boards of each way whose techniques are counted."""
AGENTS = ("basic", "subset", "sat")
"""Agents that are asked: single numbers, pairs of numbers, all that is forced."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=100, help="number of boards of each way and number of mines")
    parser.add_argument("--large", type=int, default=5, help="number of large boards")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = [row for mines in MINES for row in raced(16, 30, mines, arguments.boards)]
    found += [row for size in LARGE for row in raced(*size, arguments.large)]
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
