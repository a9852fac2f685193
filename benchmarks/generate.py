"""Speed of making boards that need no guess, beside ms_toollib, and a check.

    python benchmarks/generate.py --json benchmarks/results/generate.json

The boards are expert boards and 16x30 with 130 mines, from a corner without mines around, made in one process with all
code loaded. The generators take turns, a share of their boards at a time. Times are processor times, which other
programs on the machine disturb less. ``sat`` plays the boards of which ms_toollib reports that they need no guess. Then
a thousand expert boards are made: ``sat`` plays each of them in Python, each is solved step by step, and its trace is
written, read again, and checked. The difficulty of some of them is measured.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ms_toollib
import numpy as np

from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.formats import certificates
from satsweep.games.game import play
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.generator.walkthrough import GIVEN_START_RULES, difficulty, walkthrough
from satsweep.kernels import api as kernels
from satsweep.layout import Layout
from satsweep.proofs.trace import Trace, check
from satsweep.solver.compiled import table_of
from satsweep.topology import SQUARE

ROWS, COLS, START = 16, 30, Cell(0, 0)
SHARES = 5
SETTINGS = ((99, 500), (130, 200))
"""Mines, and the number of boards that each generator makes."""
SLOW = 10
"""Number of boards of slow generators on the board with more mines."""


def ours(spec: BoardSpec, seed: str) -> Callable[[int], list[np.ndarray]]:
    """Return a function that makes a number of new boards of a specification."""

    def make(count: int) -> list[np.ndarray]:
        nonlocal seed
        seed += "+"
        return [mines_of(made.layout) for made in generate(spec, count, seed, traced=False)]

    return make


def theirs(function: str, mines: int) -> Callable[[int], list[np.ndarray]]:
    """Return the same of the peer; it keeps the boards that it reports as solvable."""
    lay = getattr(ms_toollib, function)

    def make(count: int) -> list[np.ndarray]:
        found = (lay(ROWS, COLS, mines, *START) for _ in range(count))
        return [np.array(board, np.int8).ravel() == -1 for board, solvable in found if solvable]

    return make


def mines_of(layout: Layout) -> np.ndarray:
    mines: np.ndarray = np.frombuffer("".join(layout.cells).encode("ascii"), np.uint8) == ord("*")
    return mines


def generators(mines: int, count: int) -> Iterator[tuple[str, Callable[[int], list[np.ndarray]], int]]:
    few = SLOW if mines > 120 else count
    for name, method, number in (
        ("rejection", GenerationMethod.REJECTION, few),
        ("repair", GenerationMethod.REPAIR, count),
    ):
        yield f"satsweep, {name}", ours(BoardSpec(ROWS, COLS, mines, start=START, method=method), name), number
    yield "ms_toollib, laymine_solvable", theirs("laymine_solvable", mines), few
    yield "ms_toollib, laymine_solvable_adjust", theirs("laymine_solvable_adjust", mines), count


def cleared_without_guess(found: list[np.ndarray], mines: int) -> int:
    """Number of boards that ``sat`` clears without a guess."""
    layouts = np.array(found, np.int8)
    games = kernels.play_games(
        table_of(SQUARE, ROWS, COLS), mines, "0", range(len(found)), first="any", start=0, layouts=layouts
    )
    return int(((games["won"] == 1) & (games["guesses"] == 0)).sum())


def race(mines: int, count: int) -> list[dict[str, Any]]:
    runs = list(generators(mines, count))
    for _, make, _ in runs:
        make(1)
    made: list[list[np.ndarray]] = [[] for _ in runs]
    rates: list[list[float]] = [[] for _ in runs]
    for _ in range(SHARES):
        for own, speeds, (_, make, number) in zip(made, rates, runs, strict=True):
            begun = time.process_time()
            found = make(-(-number // SHARES))
            speeds.append(len(found) / (time.process_time() - begun))
            own += found
    results: list[dict[str, Any]] = []
    for own, speeds, (name, _, _) in zip(made, rates, runs, strict=True):
        assert all(board.sum() == mines for board in own)
        results.append(
            {
                "mines": mines,
                "way": name,
                "boards": len(own),
                "a_second": round(statistics.median(speeds), 2),
                "slowest_share": round(min(speeds), 2),
                "fastest_share": round(max(speeds), 2),
                "no_guess": cleared_without_guess(own, mines),
            }
        )
        print(
            "{mines:>4} mines  {way:<36} {boards:>5} boards {a_second:>9,.1f} a second"
            "  ({slowest_share:,.1f} to {fastest_share:,.1f}), {no_guess} need no guess".format(**results[-1]),
            flush=True,
        )
    return results


def thousand(count: int, measured: int) -> dict[str, Any]:
    """Make, play, solve and check expert boards, and measure how hard some are."""
    spec = BoardSpec(ROWS, COLS, 99, start=START)
    made = list(generate(spec, count, "thousand", traced=False))
    won = guesses = accepted = positions = proofs = 0
    solving = checking = measuring = 0.0
    hard = []
    for number, one in enumerate(made):
        assert one.method.uniform
        played = play(one.layout, agent_named("sat"), GIVEN_START_RULES)
        won += played.won
        guesses += played.measures.guesses
        begun = time.process_time()
        solution = walkthrough(one.layout)
        solving += time.process_time() - begun
        trace = certificates.from_json(certificates.to_json(solution.trace))
        assert isinstance(trace, Trace)
        begun = time.process_time()
        found = check(trace)
        checking += time.process_time() - begun
        accepted += solution.record.won and trace == solution.trace and trace.layout == one.layout
        positions += found.positions
        proofs += found.proofs
        if number < measured:
            begun = time.process_time()
            hard.append(difficulty(one.layout, solution.record))
            measuring += time.process_time() - begun
    result = {
        "boards": len({one.layout for one in made}),
        "won_by_sat": won,
        "guesses": guesses,
        "traces_accepted": accepted,
        "positions_proved": positions,
        "cells_proved": proofs,
        "milliseconds_to_solve_step_by_step": round(1000 * solving / count, 2),
        "milliseconds_to_check_a_trace": round(1000 * checking / count, 2),
        "milliseconds_for_its_difficulty": round(1000 * measuring / measured, 2),
        "candidates": round(statistics.mean(one.candidates for one in made), 2),
        "measured": measured,
        "3bv": round(statistics.mean(one.bv for one in hard), 1),
        "openings": round(statistics.mean(one.openings for one in hard), 2),
        "longest_chain": round(statistics.mean(one.chain or 0 for one in hard), 1),
        "cleared_by": {name: sum(one.beyond[name] == 0 for one in hard) for name in hard[0].beyond},
    }
    print(json.dumps(result, indent=1), flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checked", type=int, default=1_000, help="number of boards to check from end to end")
    parser.add_argument("--measured", type=int, default=200, help="number of them whose difficulty is measured")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    checked = thousand(arguments.checked, min(arguments.checked, arguments.measured))
    raced = [result for mines, count in SETTINGS for result in race(mines, count)]
    if arguments.json:
        arguments.json.write_text(json.dumps({"ways": raced, "checked": checked}, indent=1) + "\n")


if __name__ == "__main__":
    main()
