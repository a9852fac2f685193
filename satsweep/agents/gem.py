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

``gem-select``, the bonus of the same paper, opens cells next to low numbers when it has to guess: until 5 % of all
mines are revealed the cell is drawn uniformly, afterwards from the neighbours of the lowest number that has covered
neighbours. Our readings: a mine is revealed when it is flagged or open; among equal numbers one is drawn; where the
mine total is not known the draw stays uniform. The threshold is a parameter, as in ``gem-select:20``: with 0 no draw is
uniform if there is a number to draw beside, with 100 all are, as those of ``gem``.
"""

from functools import partial
from math import gcd
from random import Random
from typing import NamedTuple

from satsweep.agents import random_agent
from satsweep.agents.knowledge import Knowledge
from satsweep.board import FLAG, MINE, NUMBER_OF, Board
from satsweep.games.agent import Agent, Deduction, Guess


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


THRESHOLD = "5"
"""The percentage of ``gem-select`` without a parameter: that of the document."""


def agent() -> Agent:
    return Agent(deduce, random_agent.guess)


def select_agent(threshold: str = THRESHOLD) -> Agent:
    """G.E.M. that opens cells next to low numbers when it has to guess."""
    if not (threshold.isascii() and threshold.isdigit() and len(threshold) <= 3 and int(threshold) <= 100):
        raise ValueError(f"expected a percentage from 0 to 100, as in gem-select:20, found {threshold!r}")
    return Agent(deduce, partial(guess_beside_low_numbers, int(threshold)))


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


def guess_beside_low_numbers(threshold: int, board: Board, rng: Random) -> Guess | None:
    knowledge = Knowledge(board)
    symbols = board.symbols
    revealed = symbols.count(FLAG) + symbols.count(MINE)
    if board.mines is None or 100 * revealed < threshold * board.mines or not knowledge.unknown:
        return random_agent.guess(board, rng)
    lowest = min(NUMBER_OF[symbols[clue]] for clue in knowledge.unknown)
    clues = [clue for clue in knowledge.unknown if NUMBER_OF[symbols[clue]] == lowest]
    clue = clues[rng.randrange(len(clues))]
    cells = knowledge.unknown[clue]
    cell = knowledge.cell(cells[rng.randrange(len(cells))])
    row, col = knowledge.cell(clue)
    return Guess(cell, f"next to the lowest number, {lowest} at {row},{col}")
