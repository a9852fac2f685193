"""Isolation: a foreign agent, from outside this package, runs in its own process.

Such an agent may hang, exit, kill its process or fill the memory. It costs the game that it plays: its process is
ended, the game raises AgentError, and the next game gets a new process. The limit is one of wall time, since an agent
that sleeps or waits uses no processor; it bounds all calls of a game together, without the time of the game itself.

Both ends of the connection are here: ``_AgentProcess`` in the owner, ``_Host`` in the agent's process. The first
request is the agent's name. Each further one is a function's name and its arguments: ``fresh`` makes an agent for the
next game, the others are its own. An answer consists of plain values (numbers, strings, tuples, dictionaries): True,
the value and the processor time that the agent took, or False, an error line and whether no agent has that name.
"""

import faulthandler
import io
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from math import inf
from multiprocessing import connection
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import IO, Any

from satsweep.agents import AGENTS, installed_agents
from satsweep.agents.calls import is_not_theirs
from satsweep.agents.child_process import AgentDied, ChildProcess
from satsweep.agents.engine import EngineProcess, is_command
from satsweep.agents.load import LoadedAgent, is_builtin, load_agent
from satsweep.board import Board, Cell
from satsweep.errors import AgentError, AgentLate, UnknownForm
from satsweep.forks import after_fork
from satsweep.games.agent import Agent, Deduction, Guess, risks_of
from satsweep.games.rules import STANDARD_RULES, Rules
from satsweep.interpreter import PYTHON
from satsweep.text import error_line, printable

GAME_SECONDS = 60.0
"""Default time limit of an agent for all its calls in one game."""
LOAD_SECONDS = 60.0
"""Time limit for loading an agent, unless games have a longer one."""
_MAX_ANSWER = 1 << 26
"""Longest answer that is read, in bytes."""


@contextmanager
def isolated(
    name: str, seconds: float | None = GAME_SECONDS, *, move_seconds: float | None = None, keep: bool = False
) -> Iterator[LoadedAgent]:
    """Load an agent by its name; a foreign one runs in a process of its own.

    ``seconds`` is its time limit for each game, and for loading if that is longer than usual; None lifts both.
    ``move_seconds`` is one for each call of an agent in Python. With ``keep`` the process is left for the next caller
    who keeps it, too. Raises as ``load_agent`` does.
    """
    if not is_foreign(name):
        yield load_agent(name)
        return
    idle = _idle[name, seconds, move_seconds]
    if keep and idle:
        process = idle.pop()
    else:
        process = EngineProcess(name, seconds) if is_command(name) else _AgentProcess(name, seconds, move_seconds)
    try:
        yield LoadedAgent(name, process.fresh, process.rules, process.version)
    finally:
        if keep:
            idle.append(process)
        else:
            process.end()
            if process.version is not None:
                _versions[name] = process.version


_versions: dict[str, str] = {}
"""Versions of engines that were loaded for their rules, until a run takes them."""


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Return what engines call themselves, by their names; others have no version.

    An engine that cannot be started has none either. One that was loaded before is not started again for that.
    """
    found = {}
    for name in filter(is_command, names):
        with suppress(AgentError):
            if name not in _versions:
                rules_of(name)
            found[name] = _versions.pop(name)
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
    return ":" in name or name.endswith(".py") or base in installed_agents()


class _AgentProcess:
    """A process that hosts an agent; it is started again after it has ended.

    ``seconds`` is the processor time that the agent has taken in the current game.
    """

    version: str | None = None

    def __init__(self, name: str, limit: float | None, move_limit: float | None = None) -> None:
        self.name = name
        self.seconds = 0.0
        self._limit = inf if limit is None else limit
        self._move_limit = inf if move_limit is None else move_limit
        self._waited = 0.0
        self._start()

    def _start(self) -> None:
        ours, theirs = connection.Pipe()
        self._connection = ours
        self._stack = TemporaryFile()  # noqa: SIM115, it is closed with the process
        try:
            self._child = _started(theirs, self._stack.fileno())
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._waited = 0.0
        try:
            rules = self._ask(self.name, max(LOAD_SECONDS, self._limit))
        except BaseException:
            self.end()
            raise
        self.rules = STANDARD_RULES.from_values(rules)

    def fresh(self) -> Agent:
        if self._child.has_ended:
            self.end()
            self._start()
        self.seconds = self._waited = 0.0
        lie, rates = self._ask(("fresh",))
        lie, rates = self._lie if lie else None, self._rates if rates else None
        return Agent(self._deduce, self._guess, lambda: self.seconds, self._begin, lie, rates)

    def _begin(self, rules: Rules, rng: Random) -> None:
        if (state := self._ask(("begin", rules, rng.getstate()))) is not None:
            rng.setstate(state)

    def _deduce(self, board: Board) -> Deduction:
        return Deduction.of(Deduction(*self._ask(("deduce", board))))

    def _guess(self, board: Board, rng: Random) -> Guess | None:
        cell, why, *stated, drawn, state = self._ask(("guess", board, rng.getstate()))
        if state is not None:
            rng.setstate(state)
        risk, wins = (None if one is None else Fraction(*one) for one in stated)
        return None if cell is None else Guess(Cell(*cell), why, risk, wins, drawn)

    def _lie(self, cell: Cell, *, mine: bool) -> AgentError | None:
        text = self._ask(("lie", cell, mine))
        return None if text is None else AgentError(printable(text))

    def _rates(self, board: Board) -> dict[Cell, Fraction]:
        return {Cell(*cell): Fraction(*risk) for cell, risk in self._ask(("rates", board)).items()}

    def _ask(self, request: object, seconds: float | None = None) -> Any:
        """Without a limit in ``seconds`` it is that of a move, or the rest of the game's."""
        begun = time.monotonic()
        rest = self._limit - self._waited
        try:
            with self._child.due(min(rest, self._move_limit) if seconds is None else seconds):
                self._connection.send(request)
                done, value, more = _PlainValues(io.BytesIO(self._connection.recv_bytes(_MAX_ANSWER))).load()
        except Exception as error:
            raise self._end_of_process(error, seconds, rest) from None
        except BaseException:
            self.end()  # or its answer would be taken for that to the next request
            raise
        finally:
            self._waited += time.monotonic() - begun
        if done:
            self.seconds += more
            return value
        kind = next((kind for kind in _KINDS if kind.__name__ == more), AgentError)
        raise kind("\n".join(map(printable, value.split("\n"))))

    def _end_of_process(self, error: Exception, seconds: float | None, rest: float) -> AgentError:
        ending = self._child.ending(0 if isinstance(error, pickle.UnpicklingError) else 1)
        where = _where(self._stack) if self._child.is_late else ""
        self.end()
        place, limit = ("", self._limit) if seconds is None else (f"{self.name}: not loaded: ", seconds)
        if self._child.is_late:
            move = seconds is None and self._move_limit < rest
            long = f"{self._move_limit:g} s for a move" if move else f"{limit:g} s"
            return AgentLate(f"{place}the agent took more than {long}{where}")
        if ending is None:
            return AgentError(f"{place}the agent's process broke its connection")
        return AgentDied(f"{place}the agent's process {ending}")

    def end(self) -> None:
        if self._child.end():
            self._connection.close()
            self._stack.close()


class _PlainValues(pickle.Unpickler):
    """Reader of answers, which have plain values only, no objects of a class."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"expected plain values, found {module}.{name}")


def _where(stack: IO[bytes]) -> str:
    """The agent's own line that was running when its stack was written."""
    stack.seek(0)
    frames = _FRAME.findall(stack.read(_MAX_STACK).decode(errors="replace"))
    theirs = [frame for frame in frames if not is_not_theirs(frame[0])]
    return f", in {theirs[0][2]} at {Path(theirs[0][0]).name}:{theirs[0][1]}" if theirs else ""


_FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')
_MAX_STACK = 1 << 16


def _started(theirs: Any, stack: int) -> ChildProcess:
    number = theirs.fileno()
    code = f"import sys; sys.path = {sys.path!r}; from satsweep.agents.isolated import main; main({number}, {stack})"
    # The end of its standard input tells the process that its owner is gone.
    how: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    if sys.platform == "win32":
        os.set_handle_inheritable(number, True)
        how["close_fds"] = False
    else:
        how["pass_fds"] = (number, stack)
    child = ChildProcess(PYTHON[0], [*PYTHON, "-c", code], **how)
    child.traced = sys.platform != "win32"
    return child


def main(descriptor: int, stack: int) -> None:
    """Answer requests until the owner, the process that started this one, is gone."""
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR1, file=stack)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})  # the owner may block it
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
    after_fork(requests.close)


_KINDS: tuple[type[Exception], ...] = (ValueError, UnknownForm)
"""Errors while an agent is loaded that keep their kind."""


class _Host:
    """The agent of this process, and the one that plays the current game."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._playing: Agent | None = None

    def answer(self, function: str, *arguments: Any) -> tuple[object, ...]:
        """An error of any kind is an answer, too."""
        begun = time.process_time()
        try:
            value = getattr(self, function)(*arguments)
            return True, value, time.process_time() - begun
        except BaseException as error:
            known = function == "load" and type(error) in _KINDS
            return False, str(error) if known else error_line(error), type(error).__name__ if known else ""

    def load(self) -> dict[str, object]:
        """Load the agent; return the rules that it was made for."""
        self._agent = load_agent(self._name)
        return self._agent.rules.to_values()

    def fresh(self) -> tuple[bool, ...]:
        """Make an agent for a game; return whether it has ``lie`` and ``rates``."""
        self._playing = agent = self._agent.fresh()
        return agent.lie is not None, agent.rates is not None

    def begin(self, rules: Rules, state: tuple[Any, ...]) -> object:
        """Tell the rules; return the generator's state if changed.

        Agents that draw from the generators of a module, as most do, draw the same numbers in the same game.
        """
        rng = _rng_of(state)
        seed = zlib.crc32(repr(state).encode())
        random.seed(seed)
        if (numpy := sys.modules.get("numpy")) is not None:
            numpy.random.seed(seed)
        if self._playing is not None and self._playing.begin is not None:
            self._playing.begin(rules, rng)
        return _changed(rng, state)

    def deduce(self, board: Board) -> tuple[object, ...]:
        found = Deduction.of(self._function("deduce")(board))
        why = {tuple(cell): (rule, _pairs(clues)) for cell, (rule, clues) in found.why.items()}
        opens = None if found.opens is None else _pairs(found.opens)
        return _pairs(found.safe), _pairs(found.mines), why, opens, found.evaluations, _pairs(found.flags)

    def guess(self, board: Board, state: tuple[Any, ...]) -> tuple[object, ...]:
        """Return a guess in plain values, and the generator's state if changed."""
        rng = _rng_of(state)
        guess = Guess.of(self._function("guess")(board, rng), board)
        if guess is None:
            return None, "", None, None, False, _changed(rng, state)
        risk, wins = (None if one is None else one.as_integer_ratio() for one in (guess.risk, guess.wins))
        return tuple(guess.cell), guess.why, risk, wins, guess.drawn, _changed(rng, state)

    def lie(self, cell: Cell, mine: bool) -> str | None:
        error = self._function("lie")(cell, mine=mine)
        return None if error is None else error_line(error)

    def rates(self, board: Board) -> dict[tuple[int, ...], tuple[int, int]]:
        risks = risks_of(self._function("rates")(board), board)
        return {tuple(cell): risk.as_integer_ratio() for cell, risk in risks.items()}

    def _function(self, name: str) -> Callable[..., Any]:
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


_idle: defaultdict[tuple[str, float | None, float | None], list[_AgentProcess | EngineProcess]] = defaultdict(list)
"""Processes kept for the next caller."""
after_fork(_idle.clear)  # they belong to the parent
