"""Any two numbers, one of which sees all unknown cells of the other: S.A.M.

The smart agent of document 003. A sentence per open number; the rule of one number at a time comes first, and only
when it claims nothing each sentence is held against every other, wherever they stand. Sentences that follow from two
others are not kept, so a chain of three is out of sight. Where nothing follows, the cell to open is drawn uniformly.
"""

from __future__ import annotations

from satsweep.agents.knowledge import Knowledge
from satsweep.agents.uniform import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction


def agent() -> Agent:
    """A fresh agent."""
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """What single numbers claim, or if they are silent, what pairs of numbers claim.

    >>> safe, mines = deduce(Board(("###", "12*")))
    >>> [tuple(cell) for cell in safe]
    [(0, 2)]
    """
    knowledge = Knowledge(board)
    if not knowledge.single_point():
        # A sentence that holds all cells of another holds its first, so no other pair can matter.
        knowledge.subset(lambda clue: knowledge.table[knowledge.unknown[clue][0]])
    return knowledge.deduction()
