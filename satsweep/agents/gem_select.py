"""G.E.M. that opens cells next to low numbers when it has to guess.

The bonus of Haridas and Nair, *Intro to AI: Project 2 - Minesweeper* (2021): until 5 % of all mines are revealed the
cell is drawn uniformly, afterwards from the neighbours of the lowest number that has covered neighbours. Our readings:
a mine is revealed when it is flagged or open; among equal numbers one is drawn; where the mine total is not known the
draw stays uniform.

The threshold is a parameter, as in ``gem-select:20``: with 0 no draw is uniform if there is a number to draw beside,
with 100 all are, as those of ``gem``.
"""

from functools import partial
from random import Random

from satsweep.agents import random_agent
from satsweep.agents.gem import deduce
from satsweep.agents.knowledge import Knowledge
from satsweep.board import FLAG, MINE, NUMBER_OF, Board
from satsweep.games.agent import Agent, Guess

THRESHOLD = "5"
"""The percentage of an agent that names none: that of the document."""


def agent(threshold: str = THRESHOLD) -> Agent:
    """Make a fresh agent with a threshold in percent.

    Raises ValueError unless it is a whole number from 0 to 100.
    """
    if not (threshold.isascii() and threshold.isdigit() and len(threshold) <= 3 and int(threshold) <= 100):
        raise ValueError(f"expected a percentage from 0 to 100, as in gem-select:20, found {threshold!r}")
    return Agent(deduce, partial(guess, int(threshold)))


def guess(threshold: int, board: Board, rng: Random) -> Guess | None:
    """Return a neighbour of the lowest number, or any cell while few mines are known.

    None if no cell is left.
    """
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
