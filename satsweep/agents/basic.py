"""One number at a time: all of its covered cells are mines, or all are safe.

The single point strategy, called AFN and AMN (all free and all marked neighbours) in Becerra (2015). It is the
baseline of Haridas and Nair, *Intro to AI: Project 2 - Minesweeper* (2021), of the report *AI-Minesweeper* on the Smart
Agent Method (S.A.M., author and year not named), and the *local search* of Xu, Zhang and Geng, *CS 520 - Assignment 2*
(2017).
"""

from satsweep.agents.knowledge import Knowledge
from satsweep.agents.random_agent import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction


def agent() -> Agent:
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """Claim what single numbers imply, to a fixed point.

    >>> safe, mines = deduce(Board(("#1.", "#11", "###"), mines=2))
    >>> [tuple(cell) for cell in mines]
    []
    """
    knowledge = Knowledge(board)
    knowledge.single_point()
    return knowledge.deduction()
