"""Exact Gauss-Jordan elimination on the sentences of a board.

The matrix has a row for every open number with unknown cells, and a column for every such cell in row-major order; the
right side is the number of mines left. Rows are sparse and hold integers: a row is multiplied before another one is
subtracted, and divided by the common divisor of its entries, so nothing is rounded. A row of the reduced row echelon
form is a linear combination of sentences, and it keeps the multiplier of each next to its entries: the sentences with a
nonzero multiplier are the numbers that justify a claim, and they give the right side.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from satsweep.agents.knowledge import Knowledge


class Row(NamedTuple):
    """A row of the reduced form, an equation for the mines in cells.

    The sum of ``entries[cell]`` over the cells with a mine is ``right``. The first entry, the pivot, is positive; in
    the textbook's form the row is divided by it. ``clues`` are the numbers that the row combines.
    """

    entries: dict[int, int]
    right: int
    clues: tuple[int, ...]

    @property
    def pivot(self) -> int:
        """The first entry."""
        return self.entries[min(self.entries)]


def reduced_rows(knowledge: Knowledge) -> list[Row]:
    """Return the reduced row echelon form of all sentences, without rows of zeros.

    >>> from satsweep.board import Board
    >>> for row in reduced_rows(Knowledge(Board(("###", "13*")))):
    ...     print(row)
    Row(entries={0: 1, 1: 1}, right=1, clues=(3,))
    Row(entries={2: 1}, right=1, clues=(3, 4))
    """
    # In a combination, the key of a cell is its index, and the key of a clue's multiplier is ~index, below zero.
    rows = [{~clue: 1, **dict.fromkeys(cells, 1)} for clue, cells in knowledge.unknown.items()]
    holders: dict[int, set[int]] = {}
    for number, row in enumerate(rows):
        for cell in row:
            if cell >= 0:
                holders.setdefault(cell, set()).add(number)
    pivots: dict[int, int] = {}
    for cell in sorted(holders):
        free = [number for number in holders[cell] if number not in pivots]
        if free:
            # The reduced form is the same whichever row is taken; the shortest makes the others grow least.
            chosen = min(free, key=lambda number: (len(rows[number]), number))
            pivots[chosen] = cell
            for number in holders[cell] - {chosen}:
                _eliminate(rows, number, chosen, cell, holders)
    return [_row(knowledge, rows[number], rows[number][cell]) for number, cell in pivots.items()]


def _eliminate(rows: list[dict[int, int]], number: int, chosen: int, cell: int, holders: dict[int, set[int]]) -> None:
    """Eliminate a cell from a row by means of the chosen row."""
    row, pivot_row = rows[number], rows[chosen]
    up, down = pivot_row[cell], row[cell]
    common = gcd(up, down)
    up, down = up // common, down // common
    if up != 1:
        for key in row:
            row[key] *= up
    for key, value in pivot_row.items():
        before = row.get(key, 0)
        after = before - down * value
        if after:
            row[key] = after
        else:
            del row[key]
        if key >= 0 and bool(before) != bool(after):
            (holders[key].add if after else holders[key].discard)(number)
    content = gcd(*row.values()) if abs(up) != 1 else 1
    if content > 1:
        for key in row:
            row[key] //= content


def _row(knowledge: Knowledge, combination: dict[int, int], pivot: int) -> Row:
    sign = 1 if pivot > 0 else -1
    return Row(
        {key: sign * combination[key] for key in sorted(combination) if key >= 0},
        sign * sum(value * knowledge.remaining[~key] for key, value in combination.items() if key < 0),
        tuple(sorted(~key for key in combination if key < 0)),
    )
