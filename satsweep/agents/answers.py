"""Agents of functions and objects, whose answers become claims and guesses.

A function answers with claims, with one cell to open, or with both. Claims may be any iterables of (row, column); those
that the board shows to be true already are dropped.
"""

from collections.abc import Callable, Mapping
from operator import index
from random import Random
from typing import Any

from satsweep.agents import random_agent
from satsweep.agents.calls import answers_of, call_agent
from satsweep.agents.parameters import filled, takes, values
from satsweep.agents.views import BoardView, Viewer
from satsweep.board import Board
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction, Guess, risks_of
from satsweep.games.rules import Rules


def object_agent(own: Any, view: BoardView | None) -> Agent:
    """Return an agent of an object with ``deduce``.

    It may have ``guess``, ``begin``, ``lie`` and ``rates``, too, as an ``Agent`` has.
    """
    guess, begin, lie, rates = (getattr(own, name, None) for name in ("guess", "begin", "lie", "rates"))
    deduce = Viewer(own.deduce, view)

    def deduced(board: Board) -> Deduction:
        answer = deduce(board)
        with answers_of(own.deduce):
            return _claims(answer, board)

    return Agent(
        deduced,
        drawn if guess is None else _guess_of(guess, view),
        begin=begin and (lambda rules, rng: call_agent(begin, rules, rng)),
        lie=lie and (lambda cell, *, mine: call_agent(lie, cell, mine=mine)),
        rates=rates and (lambda board: risks_of(call_agent(rates, board), board)),
    )


def _guess_of(guess: Callable[..., Any], view: BoardView | None) -> Callable[[Board, Random], Guess | None]:
    show = Viewer(guess, view)
    takes_rng = takes(guess) > 1

    def guessed(board: Board, rng: Random) -> Guess | None:
        answer = show(board, *([rng] if takes_rng else []))
        with answers_of(guess):
            return Guess.of(answer, board)

    return guessed


def drawn(board: Board, rng: Random) -> Guess | None:
    """Return a cell drawn uniformly for an agent that names none itself."""
    guess = random_agent.guess(board, rng)
    return guess and guess._replace(drawn=True)


def function_agent(function: Callable[..., Any], view: BoardView | None) -> Agent:
    """Return an agent of a function of a board, for one game."""
    asked = _Asked(function, view)
    return Agent(asked.deduce, asked.guess, begin=asked.begin)


class _Asked:
    """A function of a board, with its last answer."""

    def __init__(self, function: Callable[..., Any], view: BoardView | None) -> None:
        self._function = function
        self._show = Viewer(function, view)
        self._filled = filled(function, but_first=True)
        self._rng = Random(0)
        self._cell: object = None
        """The cell that the last answer opens."""
        self._names_cells = False
        """True once it has answered with a cell alone: then None gives up."""

    def begin(self, rules: Rules, rng: Random) -> None:
        self._rng = rng

    def deduce(self, board: Board) -> Deduction:
        answer = self._show(board, **values(self._filled, board, self._rng))
        with answers_of(self._function):
            claims, self._cell = self._parts(answer)
            return _claims(claims, board)

    def guess(self, board: Board, rng: Random) -> Guess | None:
        """The cell of the answer about the same board; ``deduce`` is always called first."""
        if self._cell is None:
            return None if self._names_cells else drawn(board, rng)
        with answers_of(self._function):
            return Guess.of(self._cell, board)

    def _parts(self, answer: Any) -> tuple[object, object]:
        """The claims of an answer, and the cell to open."""
        if isinstance(answer, Mapping) and answer.keys() & {"safe", "mines"}:
            answer = answer.get("safe", ()), answer.get("mines", ()), answer.get("guess")
        if isinstance(answer, Guess) or _is_cell(answer) or answer is None and self._names_cells:
            self._names_cells = True
            return ((), ()), answer
        if isinstance(answer, tuple | list) and len(answer) == 3 and not _is_cell(answer[:2]):
            return tuple(answer[:2]), answer[2]
        if answer is None:
            raise AgentError("expected safe cells and mines, or one cell to open, found None: does it return anything?")
        return answer, None


def _is_cell(answer: Any) -> bool:
    if isinstance(answer, Deduction):
        return False
    try:
        row, col = answer
        index(row), index(col)
    except (TypeError, ValueError):
        return False
    return True


def _claims(answer: object, board: Board) -> Deduction:
    """Claims, all about cells of the board, in plain values."""
    found = Deduction.of(answer)
    Deduction.of((found.safe, ()), board)
    Deduction.of(((), found.mines), board)
    return found
