"""Any two numbers, one of which sees all unknown cells of the other: S.A.M.

The agent of the report *AI-Minesweeper* on the Smart Agent Method (author and year not named). It has a sentence per
open number; the rule of one number at a time comes first, and only when it claims nothing is each sentence compared
with every other one, wherever they are on the board. Sentences derived from two others are not kept, so the agent
misses conclusions from chains of three. Where nothing follows, the cell to open is drawn uniformly.
"""

from satsweep.agents.knowledge import Knowledge
from satsweep.agents.random_agent import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction


def agent() -> Agent:
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """Claim what single numbers imply, or else what pairs of numbers imply.

    >>> safe, mines = deduce(Board(("###", "12*")))
    >>> [tuple(cell) for cell in safe]
    [(0, 2)]
    """
    knowledge = Knowledge(board)
    if not knowledge.single_point():
        # A sentence that holds all cells of another holds its first, so no other pair can matter.
        knowledge.subset(lambda clue: knowledge.table[knowledge.unknown[clue][0]])
    return knowledge.deduction()
