"""All numbers at once, and all that bounds can tell from each row of the matrix: what G.E.M. leaves on the table.

Ours, to measure how much the two patterns of ``gem`` miss (document 000). Each cell holds 0 or 1 mines, so a row of
the reduced form takes values between the sum of its negative and the sum of its positive entries. A cell whose entry
is larger than the gap between the right side and one of these ends must stand as that end has it. This contains both
patterns and the mirror image of the first. Single numbers and the matrix take turns until neither claims anything.
"""

from __future__ import annotations

from satsweep.agents.gem import claim_patterns
from satsweep.agents.knowledge import Knowledge
from satsweep.agents.matrix import Row, reduced_rows
from satsweep.agents.uniform import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction

INTERVAL = "interval"
"""The rule of bounds, where it claims what the two patterns do not."""


def agent() -> Agent:
    """A fresh agent."""
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """What single numbers claim, or if they are silent, what the matrix and they claim in turn.

    >>> safe, mines = deduce(Board(("###", "13*")))
    >>> [tuple(cell) for cell in mines]
    [(0, 2)]
    """
    knowledge = Knowledge(board)
    if not knowledge.single_point():
        while _claim_rows(knowledge):
            knowledge.single_point()
    return knowledge.deduction()


def _claim_rows(knowledge: Knowledge) -> bool:
    before = len(knowledge.safe) + len(knowledge.mines)
    for row in reduced_rows(knowledge):
        claim_patterns(knowledge, row)
        claim_interval(knowledge, row)
    return len(knowledge.safe) + len(knowledge.mines) > before


def claim_interval(knowledge: Knowledge, row: Row) -> None:
    """Claim what the bounds of a row leave no choice about."""
    above_least = row.right - sum(entry for entry in row.entries.values() if entry < 0)
    below_most = sum(entry for entry in row.entries.values() if entry > 0) - row.right
    for cell, entry in row.entries.items():
        if abs(entry) > above_least:
            knowledge.claim((cell,), mine=entry < 0, rule=INTERVAL, clues=row.clues)
        elif abs(entry) > below_most:
            knowledge.claim((cell,), mine=entry > 0, rule=INTERVAL, clues=row.clues)
