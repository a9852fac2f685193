"""Process that hosts one foreign agent, and answers requests about boards.

The first request is the agent's name. Each further one is a function's name and its arguments: ``fresh`` makes an agent
for the next game, the others are its own. An answer consists of plain values (numbers, strings, tuples, dictionaries):
True, the value and the processor time that the agent took, or False, an error line and whether no agent has that name.
``satsweep.agents.isolated`` starts the process and ends it.
"""

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import connection
from random import Random
from typing import Any

from satsweep.agents.load import load_agent
from satsweep.board import Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess, risks_of
from satsweep.games.rules import Rules
from satsweep.text import error_line


def main(descriptor: int) -> None:
    """Answer requests until the owner, the process that started this one, is gone."""
    kind = getattr(connection, "PipeConnection" if sys.platform == "win32" else "Connection")
    requests = kind(descriptor)
    _end_with_owner()
    _keep_apart(requests)
    process = os.getpid()
    host = _Host(requests.recv())
    answer: Any = host.answer("load")
    while True:
        # A copy of this process that the agent has forked must not answer, too.
        if os.getpid() != process:
            os._exit(0)
        try:
            requests.send_bytes(pickle.dumps(answer))
            function, *arguments = requests.recv()
        except (EOFError, OSError):
            os._exit(1)
        answer = host.answer(function, *arguments)


def _end_with_owner() -> None:
    """End this process with its owner, even while the agent runs.

    The thread needs the interpreter, which C code may hold; the supervisor of ``launch`` does not.
    """
    lifeline = os.dup(0)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)

    def watch() -> None:
        os.read(lifeline, 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _keep_apart(requests: Any) -> None:
    """Keep what the agent does to its process away from everything else.

    Output goes to standard error. Forked copies lose the connection.
    """
    with suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    if sys.platform != "win32":
        os.register_at_fork(after_in_child=requests.close)


class _Host:
    """The agent of this process, and the one that plays the current game."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._playing: Agent | None = None

    def answer(self, function: str, *arguments: Any) -> tuple[object, ...]:
        """Return the answer to a request; an error of any kind is one, too."""
        begun = time.process_time()
        try:
            value = getattr(self, function)(*arguments)
            return True, value, time.process_time() - begun
        except BaseException as error:
            is_unknown = function == "load" and type(error) is ValueError
            return False, str(error) if is_unknown else error_line(error), is_unknown

    def load(self) -> tuple[bool, dict[str, object]]:
        """Load the agent; return whether it guesses, and the rules that it was made for."""
        self._agent = load_agent(self._name)
        return self._agent.guesses, self._agent.rules.to_values()

    def fresh(self) -> tuple[bool, ...]:
        """Make an agent for a game; return whether it has ``begin``, ``lie``, ``rates``."""
        self._playing = agent = self._agent.fresh()
        return agent.begin is not None, agent.lie is not None, agent.rates is not None

    def begin(self, rules: Rules, state: tuple[Any, ...]) -> object:
        """Tell the rules; return the generator's state if changed."""
        rng = _rng_of(state)
        self._function("begin")(rules, rng)
        return _changed(rng, state)

    def deduce(self, board: Board) -> tuple[object, ...]:
        """Return the fields of a deduction."""
        found = Deduction.of(self._function("deduce")(board))
        why = {tuple(cell): (rule, _pairs(clues)) for cell, (rule, clues) in found.why.items()}
        opens = None if found.opens is None else _pairs(found.opens)
        return _pairs(found.safe), _pairs(found.mines), why, opens, found.evaluations, _pairs(found.flags)

    def guess(self, board: Board, state: tuple[Any, ...]) -> tuple[object, ...]:
        """Return cell, reason, risk, win chance, and the generator's state if changed."""
        rng = _rng_of(state)
        guess = Guess.of(self._function("guess")(board, rng), board)
        if guess is None:
            return None, "", None, None, _changed(rng, state)
        risk, wins = (None if one is None else one.as_integer_ratio() for one in (guess.risk, guess.wins))
        return tuple(guess.cell), guess.why, risk, wins, _changed(rng, state)

    def lie(self, cell: Cell, mine: bool) -> str | None:
        """Return the text of the error for a false claim."""
        error = self._function("lie")(cell, mine=mine)
        return None if error is None else error_line(error)

    def rates(self, board: Board) -> dict[tuple[int, ...], tuple[int, int]]:
        """Return risks by cells."""
        risks = risks_of(self._function("rates")(board), board)
        return {tuple(cell): risk.as_integer_ratio() for cell, risk in risks.items()}

    def _function(self, name: str) -> Callable[..., Any]:
        """Return a function of the agent that plays."""
        function: Callable[..., Any] = getattr(self._playing, name)
        return function


def _rng_of(state: tuple[Any, ...]) -> Random:
    rng = Random()
    rng.setstate(state)
    return rng


def _changed(rng: Random, state: tuple[Any, ...]) -> tuple[Any, ...] | None:
    return None if rng.getstate() == state else rng.getstate()


def _pairs(cells: Iterable[Cell]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, cells))
