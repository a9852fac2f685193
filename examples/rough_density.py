"""Agent that is not told the mine total: sat, if a cell in five is a mine."""

from fractions import Fraction
from random import Random

from satsweep import Agent, Board, Deduction, Guess
from satsweep.agents.sat import SatPlayer

DENSITY = Fraction(1, 5)


def agent() -> Agent:
    """Make a fresh agent, for one game."""
    player = SatPlayer("auto")

    def deduce(board: Board) -> Deduction:
        return player.deduce(assumed(board))

    def guess(board: Board, rng: Random) -> Guess | None:
        return player.guess(assumed(board), rng)

    return Agent(deduce, guess)


def assumed(board: Board) -> Board:
    """Return a board on which each mine is independent of the others, if the total is hidden."""
    if board.mines is not None:
        return board
    return Board(board.cells, density=DENSITY, topology=board.topology, clues=board.clues)
