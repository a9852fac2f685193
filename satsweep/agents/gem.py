"""All numbers at once, as linear equations: Gaussian elimination (G.E.M.).

The advanced agent of Haridas and Nair, *Intro to AI: Project 2 - Minesweeper* (2021). The rule of one number at a
time comes first; only when it claims nothing is the matrix of all numbers brought to reduced row echelon form, and
its rows are matched with two patterns. Divided by the pivot, a row must hold only 0, 1 and -1. If the right side is
the number of its ones, these are mines and the cells of -1 are safe; if it holds no -1 and the right side is 0, its
cells are safe.

The mirror image of the first pattern, a right side of minus the number of -1, is not in their paper and not here; see
``gem-full``. The rows depend on the order of the columns, here row-major, so that a board and its mirror image may
give different claims. Where nothing follows, the cell to open is drawn uniformly.

The elimination is that of Gauss and Jordan, exact. The matrix has a row for every open number with unknown cells, and
a column for every such cell in row-major order; the right side is the number of mines left. Rows are sparse and hold
integers: a row is multiplied before another one is subtracted, and divided by the common divisor of its entries, so
nothing is rounded. A row of the reduced row echelon form is a linear combination of sentences, and it keeps the
multiplier of each next to its entries: the sentences with a nonzero multiplier are the numbers that justify a claim,
and they give the right side.
"""

from math import gcd
from typing import NamedTuple

from satsweep.agents.knowledge import Knowledge
from satsweep.agents.random_agent import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction


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


GAUSSIAN_ELIMINATION = "gaussian elimination"


def agent() -> Agent:
    """Make a fresh agent."""
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """Claim what single numbers imply, or else what the two patterns imply.

    >>> safe, mines = deduce(Board(("###", "13*")))
    >>> [tuple(cell) for cell in mines]
    [(0, 2)]
    """
    knowledge = Knowledge(board)
    if not knowledge.single_point():
        for row in reduced_rows(knowledge):
            claim_patterns(knowledge, row)
    return knowledge.deduction()


def claim_patterns(knowledge: Knowledge, row: Row) -> None:
    """Claim what a row implies by one of the two patterns, if it matches one."""
    knowledge.evaluations += 1
    pivot = row.pivot
    if any(abs(entry) != pivot for entry in row.entries.values()):
        return
    ones = [cell for cell, entry in row.entries.items() if entry > 0]
    minus_ones = [cell for cell, entry in row.entries.items() if entry < 0]
    if row.right == pivot * len(ones):
        knowledge.claim(ones, mine=True, rule=GAUSSIAN_ELIMINATION, clues=row.clues)
        knowledge.claim(minus_ones, mine=False, rule=GAUSSIAN_ELIMINATION, clues=row.clues)
    elif row.right == 0 and not minus_ones:
        knowledge.claim(ones, mine=False, rule=GAUSSIAN_ELIMINATION, clues=row.clues)
