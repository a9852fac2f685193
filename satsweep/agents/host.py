"""Process that hosts one foreign agent, and answers requests about boards.

The first request is the agent's name. Each further one is a function's name and its arguments: ``fresh`` makes an agent
for the next game, ``deduce`` and ``guess`` ask it. An answer consists of plain values (numbers, strings and tuples):
True, the value and the processor time that the agent took, or False, an error line and whether no agent has that name.
``satsweep.agents.isolated`` starts the process and ends it.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from multiprocessing import connection
from operator import index
from random import Random
from typing import Any

from satsweep.agents.load import load_agent
from satsweep.board import Board
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction
from satsweep.games.game import as_deduction, as_guess, evaluations_of
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
            return False, error_line(error), function == "load" and type(error) is ValueError

    def load(self) -> tuple[bool, dict[str, object]]:
        """Load the agent; return whether it guesses, and the rules that it was made for."""
        self._agent = load_agent(self._name)
        return self._agent.guesses, self._agent.rules.to_values()

    def fresh(self) -> None:
        """Make an agent for the next game."""
        self._playing = self._agent.fresh()

    def deduce(self, board: Board) -> tuple[object, ...]:
        """Return safe cells, mines, reasons, the cells to open and evaluations."""
        assert self._playing is not None
        claims: object = self._playing.deduce(board)
        found = claims if isinstance(claims, Deduction) else as_deduction(claims, board)
        why = [(_pair(cell), str(one.rule), _pairs(one.clues)) for cell, one in found.why.items()]
        opens = None if found.opens is None else _pairs(found.opens)
        return _pairs(found.safe), _pairs(found.mines), why, opens, evaluations_of(found)

    def guess(self, board: Board, state: tuple[Any, ...]) -> tuple[object, ...]:
        """Return cell, reason, risk, win chance, and the generator's state if changed."""
        assert self._playing is not None
        rng = Random()
        rng.setstate(state)
        guess = as_guess(self._playing.guess(board, rng), board)
        left = None if rng.getstate() == state else rng.getstate()
        if guess is None:
            return None, "", None, None, left
        risk, wins = (None if one is None else Fraction(one).as_integer_ratio() for one in (guess.risk, guess.wins))
        return _pair(guess.cell), str(guess.why), risk, wins, left


def _pairs(cells: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(map(_pair, cells))


def _pair(cell: tuple[int, int]) -> tuple[int, int]:
    """Return a cell as plain integers; raise AgentError for anything else."""
    try:
        row, col = cell
        return int(index(row)), int(index(col))
    except (TypeError, ValueError):
        raise AgentError(f"expected a cell as (row, column), found {cell!r:.80}") from None
