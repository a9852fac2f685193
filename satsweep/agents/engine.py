"""Engines in any language as agents: the arena's side of the protocol.

An engine is named ``cmd:./engine --flag`` or ``cmd:engine.toml``. The command is split as a shell would split it; no
shell runs it. docs/umi.md lists the keys of the file.

A process plays one game after another. Any fault costs the game that it plays: a timeout, a crash, a line that
the protocol does not have, a claim that turns out false. The error quotes the line, and the next game gets a new
process.
"""

import shlex
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random
from typing import TypeVar

from satsweep.agents.child_process import AgentDied, Flood, LineProcess
from satsweep.board import Board, Cell
from satsweep.errors import AgentError, BoardError
from satsweep.games.agent import Agent, Deduction, Guess, Inference, risks_of
from satsweep.games.rules import RULES, STANDARD_RULES, Rules
from satsweep.text import printable
from satsweep.topology import SQUARE
from satsweep.umi.protocol import lines, messages

PREFIX = "cmd:"
_KEYS = ("command",)
_OPTIONAL_KEYS = ("memory", "processor-seconds", "files", "options")


@dataclass(frozen=True, slots=True)
class Command:
    """A command that starts an engine, and its limits.

    ``directory`` is the one that it starts in, None for the current one. ``memory`` is in MiB, ``processor_seconds``
    are those of a game; None stands for the usual limits.
    """

    words: tuple[str, ...]
    directory: Path | None = None
    memory: int | None = None
    processor_seconds: float | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    more_files: tuple[Path, ...] = ()
    source: Path | None = None

    def _program(self) -> str:
        first = self.words[0]
        if "/" in first and self.directory is not None:
            first = str(self.directory / first)
        found = shutil.which(first)
        if found is None:
            raise AgentError(f"expected a program that can be run, found {printable(self.words[0])!r}")
        return str(Path(found).absolute())

    def process(self) -> LineProcess:
        """Start it. Raises AgentError if there is no such program."""
        return LineProcess(self._program(), self.words, self.memory or 0, self.directory)

    def files(self) -> list[Path]:
        """The files that make the engine's version, as far as they exist.

        These are the program, unless it is found on the path, and arguments that name files.
        """
        named = [word for number, word in enumerate(self.words) if number or "/" in word]
        found = [(self.directory or Path()) / word for word in named]
        found += self.more_files
        return [*([] if self.source is None else [self.source]), *(file for file in found if file.is_file())]


def is_command(name: str) -> bool:
    return name.startswith(PREFIX)


def command_named(name: str) -> Command:
    """Return the command of a name. Raises AgentError for text that is none.

    >>> command_named("cmd:./engine --flag 'a b'").words
    ('./engine', '--flag', 'a b')
    """
    try:
        words = tuple(shlex.split(name.removeprefix(PREFIX)))
    except ValueError as error:
        raise AgentError(f"{name}: expected a command, found {str(error).lower()}") from None
    if not words:
        raise AgentError(f"expected a command after {PREFIX}, found none")
    if len(words) == 1 and words[0].endswith(".toml"):
        return _read(Path(words[0]))
    return Command(words)


def _read(path: Path) -> Command:
    from satsweep.formats import errors_in_file, read_text
    from satsweep.formats.toml import toml_node

    place = path.absolute().parent
    try:
        with errors_in_file(path):
            fields = toml_node(read_text(path, "an engine")).fields(_KEYS, _OPTIONAL_KEYS)
            words = tuple(word.string() for word in fields["command"].items())
            if not words or not words[0]:
                fields["command"].fail("expected the program and its arguments")
            memory = fields["memory"].integer() if "memory" in fields else None
            seconds = float(fields["processor-seconds"].number()) if "processor-seconds" in fields else None
            for key, limit in (("memory", memory), ("processor-seconds", seconds)):
                if limit is not None and limit <= 0:
                    fields[key].fail("expected a number above 0")
            options = fields["options"].fields((), fields["options"].value) if "options" in fields else {}
            more = [place / one.string() for one in fields["files"].items()] if "files" in fields else []
            values = {key: _option_text(node.value) for key, node in options.items()}
    except BoardError as error:
        raise AgentError(str(error)) from None
    return Command(words, place, memory, seconds, values, tuple(more), path)


def _option_text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


_R = TypeVar("_R", messages.Identity, messages.EngineAnswer, str)
HANDSHAKE_SECONDS = 60.0
"""Time limit for the handshake, unless games have a longer one."""
ALLOWANCE, ALLOWANCE_OF_CELL = 1 << 20, 64
"""Most bytes of an answer, and those more for each cell."""
_MOST_CHANGES = 64
"""Most changes that are sent as such; more are sent as a full board."""


@dataclass
class PlayedGame:
    """The game that an engine plays: what it was told, and what it has answered.

    ``begun`` is the processor time of the process before the game, ``waited`` the time that the arena has waited in it.
    """

    begun: float = 0.0
    waited: float = 0.0
    rules: Rules = STANDARD_RULES
    seed: int = 0
    told: messages.NewGame | None = None
    shown: Board | None = None
    answered: tuple[Board, messages.EngineAnswer, tuple[Deduction, Guess | None]] | None = None
    allowance: int = ALLOWANCE


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
        self._game = PlayedGame()
        self._asked: messages.Request = messages.Greeting(messages.VERSION)
        self._reader = lines.ReplyReader()
        self._process: LineProcess
        self.identity: messages.Identity
        self._start()

    @property
    def version(self) -> str:
        return f"{self.identity.name} {self.identity.version}"

    def _start(self) -> None:
        """Start the process, in which nothing is left of an earlier one."""
        self._game, self._reader = PlayedGame(), lines.ReplyReader()
        self._asked = messages.Greeting(messages.VERSION)
        try:
            self._process = self._command.process()
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
        if self._process.has_ended or self._process.has_more:
            self.end()
            self._start()
        self._game, self.seconds = PlayedGame(self._process.seconds()), 0.0
        allowed = self._command.processor_seconds
        self._process.allow(allowed if allowed is not None else None if self._limit == inf else self._limit)
        rates = self._rates if "risks" in self.identity.can else None
        return Agent(self._deduce, self._guess, lambda: self.seconds, self._begin, self._lie, rates)

    def _begin(self, rules: Rules, rng: Random) -> None:
        """Keep the rules of the game, and draw its seed without a change to ``rng``."""
        copy = Random()
        copy.setstate(rng.getstate())
        self._game.rules, self._game.seed = rules, copy.getrandbits(32)

    def _deduce(self, board: Board) -> Deduction:
        return self._move(board)[0]

    def _guess(self, board: Board, rng: Random) -> Guess | None:
        return self._move(board)[1]

    def _rates(self, board: Board) -> Mapping[Cell, Fraction]:
        self._show(board)
        answer = self._ask(messages.Query("risks"), messages.EngineAnswer)
        with self._ending_at_errors():
            return risks_of(answer.risks, board, answer.line_of)

    def _lie(self, cell: Cell, *, mine: bool) -> AgentError | None:
        if self._game.answered is None:
            return None
        _, answer, _ = self._game.answered
        if cell not in (answer.mines if mine else answer.safe):
            return None
        line = answer.line_of("mine" if mine else "safe", cell)
        return AgentError(
            f"the engine claims in the line {line} what is false: {cell} is {'safe' if mine else 'a mine'}"
        )

    def _move(self, board: Board) -> tuple[Deduction, Guess | None]:
        """Answers on the last board are kept: claims and guess come from one answer."""
        played = self._game
        if played.answered is None or played.answered[0] != board:
            self._show(board)
            left = None if self._limit == inf else max(0, int(1000 * (self._limit - played.waited)))
            answer = self._ask(messages.Go(game=left), messages.EngineAnswer)
            why = {cell: Inference(one.rule, one.clues) for cell, one in answer.why.items()}
            claims = Deduction(answer.safe, answer.mines, why, answer.opens, flags=answer.flags)
            guess = None if answer.guess is None else Guess(answer.guess, "", answer.risk, answer.wins)
            with self._ending_at_errors():
                move = Deduction.of(claims, board, answer.line_of), Guess.of(guess, board, answer.line_of)
            played.answered = board, answer, move
        return played.answered[2]

    @contextmanager
    def _ending_at_errors(self) -> Iterator[None]:
        """End the process, whose state is not known, at an error in its answer."""
        try:
            yield
        except AgentError as error:
            self.end()
            raise messages.ProtocolError(str(error)) from None

    def _show(self, board: Board) -> None:
        played = self._game
        if played.shown is board:
            return
        game = self._game_of(board)
        shown, played.shown = played.shown, board
        if game != played.told:
            self._check_abilities(game, board)
            played.told, shown = game, None
            self._send(game)
        if shown is not None and "changes" in self.identity.can:
            cells = _changes(shown, board)
            if len(cells) <= _MOST_CHANGES:
                self._send(messages.Changes(cells))
                return
        self._send(messages.FullPosition(board.cells))

    def _game_of(self, board: Board) -> messages.NewGame:
        rules = self._game.rules
        given = {} if board.topology == SQUARE else {"topology": board.topology.name}
        for name, rule in RULES.items():
            value = board.clues if name == "clues" else getattr(rules, name)
            if rule.ability is not None and value != getattr(STANDARD_RULES, name):
                given[name] = rule.word(value)
        return messages.NewGame(board.rows, board.cols, board.mines, given, self._game.seed)

    def _check_abilities(self, game: messages.NewGame, board: Board) -> None:
        words = {"topology": "topologies", **{name: rule.ability for name, rule in RULES.items() if rule.ability}}
        needed = {words[key]: f"rule {key} {value}" for key, value in game.rules.items() if key in words}
        if game.mines is None:
            needed["untold"] = "a mine total that is not told"
        self._game.allowance = ALLOWANCE + ALLOWANCE_OF_CELL * board.rows * board.cols
        for word, what in needed.items():
            if word not in self.identity.can:
                raise AgentError(f"the engine does not declare {word!r}, so it cannot play with {what}"[:300])

    def _send(self, request: messages.Request) -> None:
        self._asked = request
        try:
            with self._process.due(self._limit - self._game.waited):
                self._process.write(lines.write_request(request))
        except OSError:
            raise self._end_of_process() from None

    def _ask(self, request: messages.Request, kind: type[_R], seconds: float | None = None) -> _R:
        process, self._asked = self._process, request
        begun = time.monotonic()
        try:
            with process.due(self._limit - self._game.waited if seconds is None else seconds):
                process.write(lines.write_request(request))
                reply = self._next()
        except (EOFError, OSError):
            raise self._end_of_process(seconds) from None
        except Flood:
            most = f"{self._game.allowance:,} bytes"
            self.end()
            raise messages.ProtocolError(f"expected at most {most} in an answer, found more {self._after()}") from None
        except BaseException:
            self.end()  # or its answer would be taken for that to the next request
            raise
        finally:
            self._game.waited += time.monotonic() - begun
        self.seconds = process.seconds() - self._game.begun
        if isinstance(reply, messages.Trouble):
            self.end()
            raise AgentError(f"the engine answers {messages.quoted('error ' + reply.text)} {self._after()}")
        if not isinstance(reply, kind):
            self.end()
            raise messages.ProtocolError(
                f"expected {_EXPECTED[kind]}, found {messages.line_of_reply(reply)} {self._after()}"
            )
        return reply

    def _next(self) -> messages.Reply:
        left = self._game.allowance
        while True:
            line = self._process.read(left)
            left -= len(line)
            if left < 0:
                raise Flood
            reply = self._reader.read(line)
            if reply is not None and not isinstance(reply, messages.Info):
                return reply

    def _after(self) -> str:
        return f"after {messages.quoted(lines.write_request(self._asked).partition(chr(10))[0])}"

    def _end_of_process(self, seconds: float | None = None) -> AgentError:
        child = self._process
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
        self._process.end()


_EXPECTED: Mapping[object, str] = {
    messages.Identity: "a handshake",
    messages.EngineAnswer: "an answer to the request",
    str: "`pong`",
}


def _changes(before: Board, after: Board) -> tuple[tuple[Cell, str], ...]:
    return tuple(
        (Cell(row, col), new)
        for row, (old_row, new_row) in enumerate(zip(before.cells, after.cells, strict=True))
        if old_row != new_row
        for col, (old, new) in enumerate(zip(old_row, new_row, strict=True))
        if old != new
    )
