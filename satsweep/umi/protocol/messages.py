"""Messages of the protocol as values.

Requests come from the arena, replies from the engine; ``satsweep.umi.protocol.lines`` writes and reads both.
docs/umi.md describes each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from satsweep.board import Cell
from satsweep.errors import AgentError
from satsweep.text import MAX_CELLS, printable

VERSION = 1
"""Version of the protocol."""
ABILITIES = (
    "changes",
    "stop",
    "sound",
    "complete",
    "risks",
    "untold",
    "topologies",
    "clues",
    "rules",
    "redraw",
    "queries",
)
"""Words that an engine may declare."""
OPTION_TYPES = ("integer", "number", "text", "switch", "choice")
QUERIES = ("risks", "analysis", "explain")
MAX_QUOTED = 100
"""Most characters of a line that an error quotes."""

_CELL = re.compile(r"(\d{1,7}),(\d{1,7})", re.ASCII)
_PROBABILITY = re.compile(r"\d{1,400}/\d{1,400}|(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)


class ProtocolError(AgentError):
    """A line that the protocol does not have, or not there."""

    @classmethod
    def of(cls, expected: str, line: str) -> ProtocolError:
        return cls(f"expected {expected}, found the line {quoted(line)}")


class RefusedGame(ProtocolError):
    """A game that does not begin; the one before it is over all the same."""


def quoted(line: str) -> str:
    """A line in quotation marks, shortened and without control characters.

    >>> quoted("safe 1,2\\r")
    "'safe 1,2'"
    """
    line = line.rstrip("\r\n")
    short = line if len(line) <= MAX_QUOTED else f"{line[:MAX_QUOTED]}..."
    return f"'{printable(short)}'"


# --- requests


class Greeting(NamedTuple):
    """The first request: the version that the arena speaks."""

    version: int = VERSION


class SetOption(NamedTuple):
    """A value for an option that the engine has declared."""

    name: str
    value: str


class NewGame(NamedTuple):
    """A new game; ``rules`` are those that are not the usual ones, as text."""

    rows: int
    cols: int
    mines: int | None
    rules: Mapping[str, str] = {}
    seed: int = 0


class FullPosition(NamedTuple):
    """A position in full: a string of symbols for each row."""

    rows: tuple[str, ...]


class Changes(NamedTuple):
    """A position as changes to the last one: cells with their new symbols."""

    cells: tuple[tuple[Cell, str], ...]


class Go(NamedTuple):
    """A request for a move, with milliseconds for the move and for the whole game."""

    move: int | None = None
    game: int | None = None


class Query(NamedTuple):
    """A question about the last position: one of ``QUERIES``, ``explain`` with a cell."""

    kind: str
    cell: Cell | None = None


Signal = Literal["ping", "stop", "quit"]
"""A request without content."""
Request = Greeting | SetOption | NewGame | FullPosition | Changes | Go | Query | Signal


# --- replies


class Option(NamedTuple):
    """An option that an engine declares; values are text."""

    name: str
    type: str
    default: str = ""
    low: str | None = None
    high: str | None = None
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """The handshake of an engine: its name, version, options and abilities."""

    name: str = ""
    version: str = ""
    author: str = ""
    options: tuple[Option, ...] = ()
    can: frozenset[str] = frozenset()
    protocol: int = VERSION


class Why(NamedTuple):
    """The numbers and the rule that a claim follows from."""

    clues: tuple[Cell, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The answer to ``go`` or to a query.

    ``opens`` is None where the engine opens all safe cells. ``risk`` is that of the guess, ``wins`` the chance to win
    the game with it; ``risks`` has those of the query. ``lines`` are the lines as they came, which take no part in
    comparisons.
    """

    safe: tuple[Cell, ...] = ()
    mines: tuple[Cell, ...] = ()
    opens: tuple[Cell, ...] | None = None
    flags: tuple[Cell, ...] = ()
    guess: Cell | None = None
    risk: Fraction | None = None
    wins: Fraction | None = None
    why: Mapping[Cell, Why] = field(default_factory=dict)
    risks: Mapping[Cell, Fraction] = field(default_factory=dict)
    analysis: str | None = None
    because: tuple[str, ...] = ()
    lines: tuple[str, ...] = field(default=(), compare=False)

    def line_of(self, kind: str, cell: Cell) -> str:
        """The line that names a cell, in quotation marks."""
        for line in self.lines:
            words = line.split()
            if words[:1] == [kind] and any(word.partition("=")[0] == str(cell) for word in words[1:]):
                return quoted(line)
        return quoted(" ".join(self.lines))


class Info(NamedTuple):
    """A line for people."""

    text: str


class Trouble(NamedTuple):
    """A line in which an engine says that it cannot follow."""

    text: str


Reply = Identity | EngineAnswer | Info | Trouble | Literal["pong"]


def line_of_reply(reply: Reply) -> str:
    """Return the line that ends a reply, in backticks.

    >>> line_of_reply(EngineAnswer()), line_of_reply("pong")
    ('`done`', '`pong`')
    """
    match reply:
        case str():
            return f"`{reply}`"
        case EngineAnswer():
            return "`done`"
        case Identity():
            return f"`umi {reply.protocol}`"
        case Info(text) | Trouble(text):
            kind = "info" if isinstance(reply, Info) else "error"
            return f"`{kind} {printable(text[:MAX_QUOTED])}`"


# --- parts of lines


@lru_cache(8192)
def cell_of(word: str) -> Cell:
    """Return a cell from its text, row and column. Raises ProtocolError.

    >>> cell_of("2,1")
    Cell(row=2, col=1)
    """
    found = _CELL.fullmatch(word)
    if found is None:
        raise ProtocolError(f"expected a cell as ROW,COLUMN, found {word[:40]!a}")
    return Cell(int(found[1]), int(found[2]))


def probability_of(text: str) -> Fraction:
    """Return a probability from its text, exactly. Raises ProtocolError.

    >>> probability_of("0.25"), probability_of("1/3")
    (Fraction(1, 4), Fraction(1, 3))
    """
    if _PROBABILITY.fullmatch(text) and not re.search(r"/0+$", text):
        value = Fraction(text)
        if 0 <= value <= 1:
            return value
    raise ProtocolError(f"expected a probability from 0 to 1 as 0.25 or 1/4, found {text[:40]!a}")


def count_of(text: str, what: str, most: int = 10**12) -> int:
    if not (re.fullmatch(r"\d{1,13}", text, re.ASCII) and int(text) <= most):
        raise ProtocolError(f"expected {what} as a number from 0 to {most:,}, found {text[:40]!a}")
    return int(text)


def checked_game(game: NewGame) -> NewGame:
    """Return a game unchanged. Raises ProtocolError for a size that no board has."""
    if not 1 <= game.rows * game.cols <= MAX_CELLS:
        raise ProtocolError(f"expected 1 to {MAX_CELLS:,} cells, found {game.rows:,} rows of {game.cols:,}")
    if game.mines is not None and game.mines > game.rows * game.cols:
        raise ProtocolError(f"expected at most {game.rows * game.cols:,} mines, found {game.mines:,}")
    return game


def checked_identity(identity: Identity) -> Identity:
    """Return a handshake unchanged. Raises ProtocolError if it lacks name or version."""
    for what in ("name", "version"):
        if not getattr(identity, what):
            raise ProtocolError(f"expected a handshake with the engine's {what}, found none")
    for option in identity.options:
        if option.type not in OPTION_TYPES:
            raise ProtocolError(f"expected an option of a type among {', '.join(OPTION_TYPES)}, found {option.type!a}")
    return identity
