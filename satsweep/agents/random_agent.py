"""No deduction: a uniformly random covered cell. The floor."""

from random import Random

from satsweep.board import COVERED, Board
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.text import counted


def agent() -> Agent:
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    return Deduction(evaluations=0)


def guess(board: Board, rng: Random) -> Guess | None:
    """Return a uniformly random covered cell without a flag; None if there is none.

    Most of the published agents guess like this.
    """
    unmarked = [index for index, symbol in enumerate(board.symbols) if symbol == COVERED]
    if not unmarked:
        return None
    index = unmarked[rng.randrange(len(unmarked))]
    return Guess(board.cell(index), f"uniform among {counted(len(unmarked), 'cell')}")
