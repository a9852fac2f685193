"""Isolation: a foreign agent, from outside this package, runs in its own process.

Such an agent may hang, exit, kill its process or fill the memory. It costs the game that it plays: its process is
ended, the game raises AgentError, and the next game gets a new process. The limit is one of wall time, since an agent
that sleeps or waits uses no processor; it bounds all calls of a game together, without the time of the game itself.
"""

import io
import os
import pickle
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from math import inf
from multiprocessing.connection import Pipe
from random import Random
from typing import Any

from satsweep.agents import AGENTS, installed_agents
from satsweep.agents.child_process import AgentDied, ChildProcess
from satsweep.agents.command import is_command
from satsweep.agents.engine import EngineProcess
from satsweep.agents.load import LoadedAgent, is_builtin, load_agent
from satsweep.board import Board, Cell
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.rules import STANDARD_RULES, Rules
from satsweep.interpreter import PYTHON
from satsweep.text import printable

GAME_SECONDS = 60.0
"""Default time limit of an agent for all its calls in one game."""
LOAD_SECONDS = 60.0
"""Time limit for loading an agent, unless games have a longer one."""
_MAX_ANSWER = 1 << 26
"""Longest answer that is read, in bytes."""


@contextmanager
def isolated(name: str, seconds: float | None = GAME_SECONDS, *, keep: bool = False) -> Iterator[LoadedAgent]:
    """Load an agent by its name; a foreign one runs in a process of its own.

    ``seconds`` is its time limit for each game, and for loading if that is longer than usual; None lifts both. With
    ``keep`` the process is left for the next caller who keeps it, too. Raises as ``load_agent`` does.
    """
    if not is_foreign(name):
        yield load_agent(name)
        return
    idle = _idle[name, seconds]
    kind = EngineProcess if is_command(name) else _AgentProcess
    process = idle.pop() if keep and idle else kind(name, seconds)
    try:
        yield LoadedAgent(name, process.fresh, process.guesses, process.rules, process.version)
    finally:
        if keep:
            idle.append(process)
        else:
            process.end()


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Return what engines call themselves, by their names; others have no version.

    An engine that cannot be started has none either.
    """
    found = {}
    for name in filter(is_command, names):
        with suppress(AgentError), isolated(name) as agent:
            found[name] = agent.version or ""
    return found


def rules_of(name: str, seconds: float | None = GAME_SECONDS) -> Rules:
    """Return the rules that an agent was made for. Raises as ``load_agent`` does."""
    with isolated(name, seconds) as agent:
        return agent.rules


def is_foreign(name: str) -> bool:
    """Return whether a name is that of an agent from outside this package."""
    base = name.partition(":")[0]
    if base in AGENTS:
        return not is_builtin(AGENTS[base])
    return ":" in name or base in installed_agents()


class _AgentProcess:
    """A process that hosts an agent; it is started again after it has ended.

    ``seconds`` is the processor time that the agent has taken in the current game.
    """

    version: str | None = None

    def __init__(self, name: str, limit: float | None) -> None:
        self.name = name
        self.seconds = 0.0
        self._limit = inf if limit is None else limit
        self._waited = 0.0
        self._start()

    def _start(self) -> None:
        """Start the process and load the agent."""
        ours, theirs = Pipe()
        self._connection = ours
        try:
            self._child = _started(theirs)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._waited = 0.0
        try:
            self.guesses, rules = self._ask(self.name, max(LOAD_SECONDS, self._limit))
        except BaseException:
            self.end()
            raise
        self.rules = STANDARD_RULES.from_values(rules)

    def fresh(self) -> Agent:
        """Make an agent for the next game."""
        if self._child.has_ended:
            self.end()
            self._start()
        self.seconds = self._waited = 0.0
        begin, lie, rates = self._ask(("fresh",))
        return Agent(
            self._deduce,
            self._guess,
            lambda: self.seconds,
            self._begin if begin else None,
            self._lie if lie else None,
            self._rates if rates else None,
        )

    def _begin(self, rules: Rules, rng: Random) -> None:
        if (state := self._ask(("begin", rules, rng.getstate()))) is not None:
            rng.setstate(state)

    def _deduce(self, board: Board) -> Deduction:
        return Deduction.of(Deduction(*self._ask(("deduce", board))))

    def _guess(self, board: Board, rng: Random) -> Guess | None:
        cell, why, *stated, state = self._ask(("guess", board, rng.getstate()))
        if state is not None:
            rng.setstate(state)
        risk, wins = (None if one is None else Fraction(*one) for one in stated)
        return None if cell is None else Guess(Cell(*cell), why, risk, wins)

    def _lie(self, cell: Cell, *, mine: bool) -> AgentError | None:
        text = self._ask(("lie", cell, mine))
        return None if text is None else AgentError(printable(text))

    def _rates(self, board: Board) -> dict[Cell, Fraction]:
        return {Cell(*cell): Fraction(*risk) for cell, risk in self._ask(("rates", board)).items()}

    def _ask(self, request: object, seconds: float | None = None) -> Any:
        """Return the answer to a request; raise AgentError when there is none.

        Without a limit in ``seconds`` it is the rest of the game's.
        """
        begun = time.monotonic()
        try:
            with self._child.due(self._limit - self._waited if seconds is None else seconds):
                self._connection.send(request)
                done, value, more = _PlainValues(io.BytesIO(self._connection.recv_bytes(_MAX_ANSWER))).load()
        except Exception as error:
            raise self._end_of_process(error, seconds) from None
        except BaseException:
            self.end()  # or its answer would be taken for that to the next request
            raise
        finally:
            self._waited += time.monotonic() - begun
        if done:
            self.seconds += more
            return value
        raise (ValueError if more else AgentError)(printable(value))

    def _end_of_process(self, error: Exception, seconds: float | None) -> AgentError:
        """End the process; return an error that says what has become of it."""
        ending = self._child.ending(0 if isinstance(error, pickle.UnpicklingError) else 1)
        self.end()
        place, limit = ("", self._limit) if seconds is None else (f"{self.name}: not loaded: ", seconds)
        if self._child.is_late:
            return AgentError(f"{place}the agent took more than {limit:g} s")
        if ending is None:
            return AgentError(f"{place}the agent's process broke its connection")
        return AgentDied(f"{place}the agent's process {ending}")

    def end(self) -> None:
        """End the process; ``fresh`` starts another one."""
        if self._child.end():
            self._connection.close()


class _PlainValues(pickle.Unpickler):
    """Reader of answers, which have plain values only, no objects of a class."""

    def find_class(self, module: str, name: str) -> Any:
        """Refuse every class."""
        raise pickle.UnpicklingError(f"expected plain values, found {module}.{name}")


def _started(theirs: Any) -> ChildProcess:
    """Start a process with its end of a connection."""
    number = theirs.fileno()
    code = f"import sys; sys.path = {sys.path!r}; from satsweep.agents.host import main; main({number})"
    # The end of its standard input tells the process that its owner is gone.
    how: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    if sys.platform == "win32":
        os.set_handle_inheritable(number, True)
        how["close_fds"] = False
    else:
        how["pass_fds"] = (number,)
    return ChildProcess(PYTHON[0], [*PYTHON, "-c", code], **how)


_idle: defaultdict[tuple[str, float | None], list[_AgentProcess | EngineProcess]] = defaultdict(list)
"""Processes kept for the next caller."""
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_idle.clear)  # they belong to the parent
