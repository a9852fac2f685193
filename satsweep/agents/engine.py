"""The arena's side of the protocol: an engine as an agent.

A process plays one game after another. Any fault costs the game that it plays: a timeout, a crash, a line that
the protocol does not have, a claim that turns out false. The error quotes the line, and the next game gets a new
process.

Lines are written and read through the pipes of the child process, within limits.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import inf
from random import Random
from typing import TypeVar

from satsweep.agents.child_process import AgentDied, ChildProcess
from satsweep.agents.command import Command, command_named
from satsweep.board import Board, Cell
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction, Guess, Inference, risks_of
from satsweep.games.rules import RULES, STANDARD_RULES, Rules
from satsweep.protocol import lines, messages
from satsweep.topology import SQUARE

_LOOK = 200
"""Milliseconds between two looks at the time, while a process writes nothing."""
_PIECE = 1 << 16
_CLOCK_OF_PROCESS = 2
"""Kind of the clock of another process on Linux: its processor time."""


class Flood(AgentError):
    """More output than an answer may have."""


class LineProcess:
    """A process that reads lines and writes lines."""

    def __init__(self, command: Command) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
        self.child = ChildProcess(command.program(), command.words, command.memory or 0, cwd=command.directory, **pipes)
        self._input, self._output = self.child.process.stdin, self.child.process.stdout
        assert self._input is not None and self._output is not None
        self._to, self._from = self._input.fileno(), self._output.fileno()
        self._buffer = b""
        self._lines: list[bytes] = []
        self._poll = None if sys.platform == "win32" else select.poll()
        if self._poll is not None:
            self._poll.register(self._from, select.POLLIN)

    def write(self, text: str) -> None:
        """Write lines. Raises OSError when the process no longer reads."""
        left = memoryview(text.encode())
        while left:
            left = left[os.write(self._to, left) :]

    def read(self, allowance: int) -> str:
        """Return the next line. Raises EOFError at the end, Flood past the allowance.

        The allowance is a number of bytes without the end of a line.
        """
        while not self._lines:
            if len(self._buffer) > allowance:
                raise Flood
            if self._poll is not None:
                while not self._poll.poll(_LOOK):
                    if self.child.is_late:
                        raise EOFError
            piece = os.read(self._from, _PIECE)
            if not piece:
                raise EOFError
            *whole, rest = piece.split(b"\n")
            if whole:
                whole[0] = self._buffer + whole[0]
                self._lines = whole[::-1]
                self._buffer = rest
            else:
                self._buffer += piece
        return self._lines.pop().decode(errors="backslashreplace")

    def close_input(self) -> None:
        """End the input of the process."""
        assert self._input is not None
        self._input.close()

    @property
    def has_more(self) -> bool:
        """True if something is there that was not read."""
        return bool(self._lines or self._buffer or (self._poll is not None and self._poll.poll(0)))

    def seconds(self) -> float:
        """Processor time of the process so far; wall time where it is not known."""
        if sys.platform == "linux":
            try:
                return time.clock_gettime((~self.child.pid) << 3 | _CLOCK_OF_PROCESS)
            except OSError:
                return 0.0
        return time.perf_counter()

    def allow(self, seconds: float | None) -> None:
        """Bound the processor time from now on, in whole seconds; None for no bound."""
        if sys.platform != "linux":
            return
        import resource

        limit = resource.RLIM_INFINITY if seconds is None else int(self.seconds() + seconds) + 1
        try:
            resource.prlimit(self.child.pid, resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        except (OSError, ValueError):
            return  # it has just ended, or the limit of this process is lower


_R = TypeVar("_R", messages.Identity, messages.EngineAnswer, str)
HANDSHAKE_SECONDS = 60.0
"""Time limit for the handshake, unless games have a longer one."""
ALLOWANCE, ALLOWANCE_OF_CELL = 1 << 20, 64
"""Most bytes of an answer, and those more for each cell."""
_MOST_CHANGES = 64
"""Most changes that are sent as such; more are sent as a full board."""


class EngineProcess:
    """An engine in a process; it is started again after it has ended.

    ``seconds`` is the processor time that it has taken in the current game.
    """

    guesses = True
    rules = STANDARD_RULES

    def __init__(self, name: str, limit: float | None = None) -> None:
        self.name = name
        self.seconds = 0.0
        self._command = command_named(name)
        self._limit = inf if limit is None else limit
        self._start()

    @property
    def version(self) -> str:
        """Name and version from the handshake."""
        return f"{self.identity.name} {self.identity.version}"

    def _start(self) -> None:
        self._asked: messages.Request = messages.Greeting(messages.VERSION)
        self._waited = 0.0
        self._game: messages.NewGame | None = None
        self._shown: Board | None = None
        self._allowance = ALLOWANCE
        try:
            self._process = LineProcess(self._command)
        except OSError as error:
            raise AgentError(f"{self.name}: not loaded: {error.strerror}") from None
        try:
            self.identity = self._handshake(max(HANDSHAKE_SECONDS, self._limit))
        except AgentError as error:
            self.end()
            raise AgentError(f"{self.name}: not loaded: {error}") from None
        except BaseException:
            self.end()
            raise

    def _handshake(self, seconds: float) -> messages.Identity:
        self._reader = lines.ReplyReader()
        found = self._ask(messages.Greeting(messages.VERSION), messages.Identity, seconds)
        declared = {option.name for option in found.options}
        for name, value in self._command.options.items():
            if name not in declared:
                listed = ", ".join(sorted(declared)) or "none"
                raise messages.ProtocolError(f"expected an option that the engine declares ({listed}), found {name!a}")
            self._send(messages.SetOption(name, value))
        self._ask("ping", str, seconds)
        return found

    def fresh(self) -> Agent:
        """Make an agent for the next game."""
        if self._process.child.has_ended or self._process.has_more:
            self.end()
            self._start()
        self._waited, self._game, self._shown = 0.0, None, None
        self._answer: tuple[Board, messages.EngineAnswer] | None = None
        self._setup = STANDARD_RULES, 0
        self._begun = self._process.seconds()
        self.seconds = 0.0
        allowed = self._command.processor_seconds
        self._process.allow(allowed if allowed is not None else None if self._limit == inf else self._limit)
        rates = self._rates if "risks" in self.identity.can else None
        return Agent(self._deduce, self._guess, lambda: self.seconds, self._begin, self._lie, rates)

    def _begin(self, rules: Rules, rng: Random) -> None:
        """Keep the rules of the game, and draw its seed without a change to ``rng``."""
        copy = Random()
        copy.setstate(rng.getstate())
        self._setup = rules, copy.getrandbits(32)

    _setup: tuple[Rules, int] = (STANDARD_RULES, 0)

    def _deduce(self, board: Board) -> Deduction:
        return self._move(board)[0]

    def _guess(self, board: Board, rng: Random) -> Guess | None:
        return self._move(board)[1]

    def _rates(self, board: Board) -> Mapping[Cell, Fraction]:
        """The engine's risks of covered cells."""
        self._show(board)
        answer = self._ask(messages.Query("risks"), messages.EngineAnswer)
        with self._ending_at_errors():
            return risks_of(answer.risks, board, answer.line_of)

    def _lie(self, cell: Cell, *, mine: bool) -> AgentError | None:
        """The error for a claim that has turned out false; None if it was not made."""
        if self._answer is None:
            return None
        _, answer = self._answer
        if cell not in (answer.mines if mine else answer.safe):
            return None
        line = answer.line_of("mine" if mine else "safe", cell)
        return AgentError(
            f"the engine claims in the line {line} what is false: {cell} is {'safe' if mine else 'a mine'}"
        )

    def _move(self, board: Board) -> tuple[Deduction, Guess | None]:
        """The claims and the guess on a board; those on the last board are kept."""
        if self._answer is None or self._answer[0] != board:
            self._show(board)
            left = None if self._limit == inf else max(0, int(1000 * (self._limit - self._waited)))
            answer = self._ask(messages.Go(game=left), messages.EngineAnswer)
            why = {cell: Inference(one.rule, one.clues) for cell, one in answer.why.items()}
            claims = Deduction(answer.safe, answer.mines, why, answer.opens, flags=answer.flags)
            guess = None if answer.guess is None else Guess(answer.guess, "", answer.risk, answer.wins)
            with self._ending_at_errors():
                move = Deduction.of(claims, board, answer.line_of), Guess.of(guess, board, answer.line_of)
            self._answer, self._moved = (board, answer), move
        return self._moved

    @contextmanager
    def _ending_at_errors(self) -> Iterator[None]:
        """End the process, whose state is not known, at an error in its answer."""
        try:
            yield
        except AgentError as error:
            self.end()
            raise messages.ProtocolError(str(error)) from None

    def _show(self, board: Board) -> None:
        """Send what the engine does not know: the game, the board, or its changes."""
        if self._shown is board:
            return
        game = self._game_of(board)
        shown, self._shown = self._shown, board
        if game != self._game:
            self._check_abilities(game, board)
            self._game, shown = game, None
            self._send(game)
        if shown is not None and "changes" in self.identity.can:
            cells = _changes(shown, board)
            if len(cells) <= _MOST_CHANGES:
                self._send(messages.Changes(cells))
                return
        self._send(messages.FullPosition(board.cells))

    def _game_of(self, board: Board) -> messages.NewGame:
        rules, seed = self._setup
        given = {} if board.topology == SQUARE else {"topology": board.topology.name}
        for name, rule in RULES.items():
            value = board.clues if name == "clues" else getattr(rules, name)
            if rule.ability is not None and value != getattr(STANDARD_RULES, name):
                given[name] = rule.word(value)
        return messages.NewGame(board.rows, board.cols, board.mines, given, seed)

    def _check_abilities(self, game: messages.NewGame, board: Board) -> None:
        words = {"topology": "topologies", **{name: rule.ability for name, rule in RULES.items() if rule.ability}}
        needed = {words[key]: f"rule {key} {value}" for key, value in game.rules.items() if key in words}
        if game.mines is None:
            needed["untold"] = "a mine total that is not told"
        self._allowance = ALLOWANCE + ALLOWANCE_OF_CELL * board.rows * board.cols
        for word, what in needed.items():
            if word not in self.identity.can:
                raise AgentError(f"the engine does not declare {word!r}, so it cannot play with {what}"[:300])

    def _send(self, request: messages.Request) -> None:
        self._asked = request
        try:
            with self._process.child.due(self._limit - self._waited):
                self._process.write(lines.write_request(request))
        except OSError:
            raise self._end_of_process() from None

    def _ask(self, request: messages.Request, kind: type[_R], seconds: float | None = None) -> _R:
        """Return the reply to a request; raise AgentError when there is none."""
        process, self._asked = self._process, request
        begun = time.monotonic()
        try:
            with process.child.due(self._limit - self._waited if seconds is None else seconds):
                process.write(lines.write_request(request))
                reply = self._next()
        except (EOFError, OSError):
            raise self._end_of_process(seconds) from None
        except Flood:
            most = f"{self._allowance:,} bytes"
            self.end()
            raise messages.ProtocolError(f"expected at most {most} in an answer, found more {self._after()}") from None
        except BaseException:
            self.end()  # or its answer would be taken for that to the next request
            raise
        finally:
            self._waited += time.monotonic() - begun
        self.seconds = process.seconds() - self._begun
        if isinstance(reply, messages.Trouble):
            self.end()
            raise AgentError(f"the engine answers {messages.quoted('error ' + reply.text)} {self._after()}")
        if not isinstance(reply, kind):
            self.end()
            raise messages.ProtocolError(
                f"expected {_EXPECTED[kind]}, found {messages.line_of_reply(reply)} {self._after()}"
            )
        return reply

    _begun = 0.0

    def _next(self) -> messages.Reply:
        left = self._allowance
        while True:
            line = self._process.read(left)
            left -= len(line)
            if left < 0:
                raise Flood
            reply = self._reader.read(line)
            if reply is not None and not isinstance(reply, messages.Info):
                return reply

    def _after(self) -> str:
        """Words that name the last line that was sent."""
        return f"after {messages.quoted(lines.write_request(self._asked).partition(chr(10))[0])}"

    def _end_of_process(self, seconds: float | None = None) -> AgentError:
        """End the process; return an error that says what has become of it."""
        child = self._process.child
        ending = child.ending(1)
        self.end()
        if child.is_late:
            return AgentError(
                f"the agent took more than {self._limit if seconds is None else seconds:g} s {self._after()}"
            )
        if ending is None:
            return AgentError(f"the engine closed its output {self._after()}")
        if "SIGXCPU" in ending:
            return AgentError(f"the engine used more processor time than it may {self._after()}")
        return AgentDied(f"the engine's process {ending} {self._after()}")

    def end(self) -> None:
        """End the process; ``fresh`` starts another one."""
        self._process.child.end()


_EXPECTED: Mapping[object, str] = {
    messages.Identity: "a handshake",
    messages.EngineAnswer: "an answer to the request",
    str: "`pong`",
}


def _changes(before: Board, after: Board) -> tuple[tuple[Cell, str], ...]:
    """Cells that differ between two boards, with their new symbols."""
    return tuple(
        (Cell(row, col), new)
        for row, (old_row, new_row) in enumerate(zip(before.cells, after.cells, strict=True))
        if old_row != new_row
        for col, (old, new) in enumerate(zip(old_row, new_row, strict=True))
        if old != new
    )
