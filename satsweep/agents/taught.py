"""Agents that are told each opened cell: the class of the course CS50 AI.

``MinesweeperAI(height, width)`` is told a cell and its number by ``add_knowledge(cell, count)``. Its sets ``safes`` and
``mines`` are its claims, ``make_safe_move()`` names the safe cell that it opens next, and ``make_random_move()`` the
cell that it opens if there is none. One object plays one game. Cells are opened one by one, in the agent's own order:
it is told of each before it is asked for the next.
"""

from random import Random
from typing import Any

from satsweep.agents.calls import answers_of, call_agent
from satsweep.board import MINE, Board, Cell
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction, Guess

METHODS = ("add_knowledge", "make_safe_move", "make_random_move")
SETS = ("safes", "mines")


def taught_agent(pupil: Any) -> Agent:
    """Return an agent that tells an object of such a class what it sees, for one game."""
    lessons = _Lessons(pupil)
    return Agent(lessons.deduce, lessons.guess)


class _Lessons:
    """An object, and the cells that it has been told in a game."""

    def __init__(self, pupil: Any) -> None:
        self.pupil = pupil
        self._told: set[Cell] = set()

    def deduce(self, board: Board) -> Deduction:
        self._tell(board)
        move = call_agent(self.pupil.make_safe_move)
        with answers_of(self.pupil.make_safe_move):
            opens = () if move is None else (_covered(move, board),)
        with answers_of(self.pupil.add_knowledge):
            found = Deduction.of(tuple(getattr(self.pupil, name, ()) for name in SETS))
            for claims in ((found.safe, ()), ((), found.mines)):
                Deduction.of(claims, board)
        return Deduction(tuple(dict.fromkeys((*found.safe, *opens))), found.mines, opens=opens)

    def guess(self, board: Board, rng: Random) -> Guess | None:
        move = call_agent(self.pupil.make_random_move)
        with answers_of(self.pupil.make_random_move):
            return Guess.of(move, board)

    def _tell(self, board: Board) -> None:
        for cell in board:
            if cell in self._told or board.is_covered(cell):
                continue
            self._told.add(cell)
            if (number := board.number(cell)) is not None:
                call_agent(self.pupil.add_knowledge, tuple(cell), number)
            elif board[cell] == MINE and hasattr(self.pupil, "mark_mine"):
                call_agent(self.pupil.mark_mine, tuple(cell))


def _covered(move: object, board: Board) -> Cell:
    try:
        cell = Cell.of(move)
    except TypeError as error:
        raise AgentError(str(error)) from None
    Deduction.of(((cell,), ()), board)
    if not board.is_covered(cell):
        raise AgentError(f"the agent opens {cell}, which is open already")
    return cell
