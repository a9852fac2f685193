"""Best play on small boards: over all layouts, exactly the most possible are won.

The numbers are those of ``tests/data/optimal_small_boards.csv``: for every first cell (one of each symmetry class) the
layouts won under best play, and of those in which it is a zero the ones won and all. If the first cell is promised to
be safe, or a zero, the layouts in which it is are all there are, and the same of them are won.
"""

import csv
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from satsweep.kernels.api import play_games
from satsweep.kernels.lookahead.deep_player import ROOT
from satsweep.topology import SQUARE
from tests import DATA
from tests.kernels.boards import table

pytestmark = pytest.mark.extended

OPTIMAL = DATA / "optimal_small_boards.csv"
QUICK = 1_300
"""Most layouts of a board that is played in every run of the suite."""
Row = dict[str, str]


def layouts_of(row: Row) -> int:
    return comb(int(row["rows"]) * int(row["cols"]), int(row["mines"]))


def rows_of(low: int, high: int) -> list[Row]:
    with OPTIMAL.open(newline="") as file:
        return [row for row in csv.DictReader(file) if low < layouts_of(row) <= high]


def name(row: Row) -> str:
    return f"{row['rows']}x{row['cols']}/{row['mines']}"


@cache
def all_layouts(cells: int, mines: int) -> np.ndarray:
    found = np.zeros((comb(cells, mines), cells), np.int8)
    for layout, mined in zip(found, combinations(range(cells), mines), strict=True):
        layout[list(mined)] = 1
    return found


def won(row: Row, layouts: np.ndarray, first: str, start: int | None = None) -> tuple[int, int, float]:
    """Return the layouts won, the first cell opened, the first expected chance to win."""
    near = table(SQUARE, int(row["rows"]), int(row["cols"]))
    if start is not None:  # games that begin alike one after the other: that is quicker
        around = layouts[:, SQUARE.neighbours(int(row["rows"]), int(row["cols"]))[start]]
        layouts = layouts[np.lexsort((*around.T, around.sum(1), layouts[:, start]))]
    moves, estimates = np.zeros((1, 4), np.int32), np.full((len(layouts), 2), -1.0)
    played = play_games(
        near, int(row["mines"]), "all", range(len(layouts)), first=first, start=start, layouts=layouts, policy="deep",
        moves=moves, estimates=estimates,
    )  # fmt: skip
    return int(played["won"].sum()), int(moves[0, 2]), float(estimates[0, 0])


def is_optimal(row: Row) -> None:
    rows, cols, mines = int(row["rows"]), int(row["cols"]), int(row["mines"])
    everything = all_layouts(rows * cols, mines)
    neighbours = SQUARE.neighbours(rows, cols)
    best, best_zero = 0, Fraction(-1)
    for entry in row["per_first_cell"].split():
        place, _, results = entry.partition(":")
        r, c = map(int, place.split(","))
        cell = r * cols + c
        wins, zero_wins, zeros = map(int, results.replace(";", "/").split("/"))
        safe = everything[everything[:, cell] == 0]
        zero = safe[safe[:, neighbours[cell]].sum(1) == 0]
        assert (len(safe), len(zero)) == (int(row["boards_first_safe"]), zeros), place
        assert won(row, everything, "any", cell)[0] == wins, place
        assert won(row, safe, "safe", cell)[0] == wins, place
        best = max(best, wins)
        if zeros:
            assert won(row, zero, "zero", cell)[0] == zero_wins, place
            best_zero = max(best_zero, Fraction(zero_wins, zeros))
    assert best == int(row["wins"])
    if best_zero >= 0:
        assert best_zero == Fraction(row["zero_best"])

    # No start is given: the player begins with the best cell, and says what it expects unless nothing is left
    # to guess.
    games, _, told = won(row, everything, "any")
    assert games == best and told in (-1, best / len(everything))
    _, cell, told = won(row, everything[:1], "safe")
    safe = everything[everything[:, cell] == 0]
    assert won(row, safe, "safe")[:2] == (best, cell) and told in (-1, best / len(safe))


@pytest.mark.parametrize("row", rows_of(0, QUICK), ids=name)
def test_small_boards(row: Row) -> None:
    is_optimal(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", rows_of(QUICK, ROOT), ids=name)
def test_boards_with_more_layouts(row: Row) -> None:
    is_optimal(row)
