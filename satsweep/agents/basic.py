"""One number at a time: all of its covered cells are mines, or all are safe.

The baseline of Haridas and Nair (2021, document 000), of the S.A.M. report (document 003) and of the *local search*
of Xu, Zhang and Geng (2017, document 001); AFN and AMN, all free and all marked neighbours, in Becerra (2015).
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
    """What single numbers claim, to a fixed point.

    >>> safe, mines = deduce(Board(("#1.", "#11", "###"), mines=2))
    >>> [tuple(cell) for cell in mines]
    []
    """
    knowledge = Knowledge(board)
    knowledge.single_point()
    return knowledge.deduction()
