"""All numbers at once, as linear equations: Gaussian elimination (G.E.M.).

The advanced agent of Haridas and Nair, *Intro to AI: Project 2 - Minesweeper* (2021). The rule of one number at a time
comes first; only when it claims nothing is the matrix of all numbers brought to reduced row echelon form, and its rows
are matched with two patterns. Divided by the pivot, a row must hold only 0, 1 and -1. If the right side is the number
of its ones, these are mines and the cells of -1 are safe; if it holds no -1 and the right side is 0, its cells are
safe.

The mirror image of the first pattern, a right side of minus the number of -1, is not in their paper and not here; see
``gem-full``. The rows depend on the order of the columns, here row-major, so that a board and its mirror image may give
different claims. Where nothing follows, the cell to open is drawn uniformly.
"""

from __future__ import annotations

from satsweep.agents.knowledge import Knowledge
from satsweep.agents.matrix import Row, reduced_rows
from satsweep.agents.uniform import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction

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
