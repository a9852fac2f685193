"""Small boards whose best play is known exactly (``tests/data/optimal_small_boards.csv``)."""

import csv
from collections.abc import Iterator
from math import comb
from typing import NamedTuple

from satsweep.board import Cell
from tests import DATA


class Solved(NamedTuple):
    """Whole board of known best play; results by first cell, one of each symmetry class.

    These are the layouts won, of those in which the cell is a zero the ones won, and how many these are.
    """

    rows: int
    cols: int
    mines: int
    wins: int
    safe: int
    zero_best: str
    first: dict[Cell, tuple[int, int, int]]

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}/{self.mines}"

    @property
    def layouts(self) -> int:
        return comb(self.rows * self.cols, self.mines)


def _solved() -> Iterator[Solved]:
    with (DATA / "optimal_small_boards.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            first = {}
            for entry in row["per_first_cell"].split():
                place, _, results = entry.partition(":")
                wins, zero_wins, zeros = map(int, results.replace(";", "/").split("/"))
                first[Cell(*map(int, place.split(",")))] = wins, zero_wins, zeros
            rows, cols, mines, wins, safe = (
                int(row[name]) for name in ("rows", "cols", "mines", "wins", "boards_first_safe")
            )
            board = Solved(rows, cols, mines, wins, safe, row["zero_best"], first)
            assert board.layouts == int(row["boards"])
            yield board


SOLVED = [*_solved()]
