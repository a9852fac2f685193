"""WebSocket protocol of the page, and the limits on what clients send.

There is one JSON object per message, parsed strictly. The server answers ``{"id": 7, "ask": "solve", ...}`` by
``{"id": 7, "answer": {...}}`` or ``{"id": 7, "error": {"message": ...}}``. An error in a text has its ``line`` and
``column``, too. A game comes in parts, ``{"id": 7, "part": {...}}``, before its answer. ``{"id": 7, "cancel": true}``
cancels a question. In a message of more than 4,096 characters ``id`` and ``ask`` come first, in this order: the event
loop reads no further, and a worker parses the rest.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from satsweep.errors import BoardError
from satsweep.formats.strict import Node

MOST_ID = 2**53
"""Upper bound of ids: JavaScript represents integers below it exactly."""

SHORT = 4096
"""Most characters of a message that the event loop parses."""
_HEAD = re.compile(r'\s*\{\s*"id"\s*:\s*(0|[1-9][0-9]{0,15})\s*,\s*"ask"\s*:\s*"(\w*)"', re.ASCII)

PICTURE = "picture"
"""The question whose message may be larger than all others."""

Values = Mapping[str, object]
"""An answer, or a part of one."""

SendPart = Callable[[Values], None]
"""Sends a part of an answer. Raises Cancelled if the question has been cancelled."""

_T = TypeVar("_T")

MEBI = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes, rates, and times in seconds.

    After ``solving`` counting stops by itself, and the answer says which risks are not known. After ``answering``
    (a question) or ``playing`` (a game) the worker is killed.

    An *address* is an IPv4 address or an IPv6 network of 64 bits. ``burst`` and ``rate`` are those of a token bucket
    for its messages, control frames and requests; after ``patience`` refused messages in a row the connection is
    closed.
    """

    cells: int = 10_000
    """Cells of a board."""
    message: int = MEBI
    """Characters of a message."""
    picture: int = 12 * MEBI
    """Characters of a message with a picture; 0 if none can be read."""
    pixels: int = 4_000_000
    """Pixels of a picture."""
    connections: int = 2_048
    """Connections in all, or as many as there are descriptors for."""
    per_address: int = 64
    """WebSockets of one address; it may have twice as many connections."""
    opened: float = 20.0
    """Connections that one address may open per second; ``2 * per_address`` at once."""
    waiting: int = 16
    """Open questions of one connection."""
    waiting_per_address: int = 64
    """Open questions of one address."""
    waiting_in_all: int = 2_048
    """Open questions above which an address has one at a time."""
    held: int = 16 * MEBI
    """Bytes of one address: messages that wait, and answers that are not read."""
    held_in_all: int = 256 * MEBI
    """Bytes of all addresses above which those that hold the most are refused."""
    rate: float = 100.0
    burst: int = 200
    patience: int = 200
    volume: float = 1.0 * MEBI
    """Bytes per second that are read from one address; ``held`` at once."""
    requesting: float = 10.0
    """Time for a request, and for the client to read the response."""
    receiving: float = 30.0
    """Time for a message."""
    reading: float = 10.0
    """Time for a client to read what is sent, once 64 KiB wait."""
    starting: float = 5.0
    """Time without a worker after which questions are refused."""
    solving: float = 5.0
    answering: float = 20.0
    playing: float = 120.0
    memory: int = 4096 * MEBI
    """Address space of a worker, in bytes."""
    memory_kept: int = 1024 * MEBI
    """A worker that has used more memory (bytes) is replaced after its answer."""
    engines: Mapping[str, str] = field(default_factory=dict)
    """Engines that the server was started with: commands by the names for clients."""

    def check(self, rows: int, cols: int) -> None:
        if rows < 1 or cols < 1 or rows * cols > self.cells:
            raise BoardError(f"expected 1 to {self.cells:,} cells, found {rows:,} rows of {cols:,}")


LIMITS = Limits()


class Way(NamedTuple):
    """A way to ask a question: the fields that it needs, and those that it may have."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


class Cancelled(Exception):
    """The client has cancelled the question."""


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed message: its id, the name of the question (None to cancel), its fields."""

    id: int
    ask: str | None
    fields: Mapping[str, Node]

    @classmethod
    def of(cls, text: str) -> Question:
        node = Node.of(text)
        if not isinstance(node.value, dict):
            node.fail("expected a JSON object with id and ask")
        fields = node.fields(("id",), node.value)
        id = fields.pop("id").integer()
        if id >= MOST_ID:
            node.fail(f"expected an id below {MOST_ID}", "id")
        if "cancel" in fields:
            node.fields(("id", "cancel"))
            if not fields.pop("cancel").boolean():
                node.fail("expected cancel to be true", "cancel")
            return cls(id, None, fields)
        if "ask" not in fields:
            node.fail("expected the key 'ask'")
        return cls(id, fields.pop("ask").string(), fields)

    @classmethod
    def head(cls, text: str) -> Question:
        """Parse a short message, or the id and name at the start of a long one.

        Takes bounded time. Raises BoardError if the message is malformed, as far as it has been parsed.
        """
        if len(text) <= SHORT:
            return cls.of(text)
        found = _HEAD.match(text, 0, SHORT)
        if found is None or int(found[1]) >= MOST_ID:
            raise BoardError(f"expected id and ask first in a message of more than {SHORT:,} characters")
        return cls(int(found[1]), found[2], {})

    def checked(self, ways: Sequence[Way], kinds: Mapping[str, Callable[[Node], object]]) -> Question:
        """The question without fields that are null, which count as absent.

        Raises BoardError, which names the field, unless it is asked in one of the ways, and ``kinds`` can read every
        field.
        """
        given = {key: node for key, node in self.fields.items() if node.value is not None}

        def missing(way: Way) -> list[str]:
            return [key for key in way.needed if key not in given]

        def likeness(way: Way) -> tuple[int, int]:
            return len(way.needed) - len(missing(way)), -len(missing(way))

        closest = max(map(likeness, ways))
        likely = [way for way in ways if likeness(way) == closest]
        if missing(likely[0]):
            wanted = dict.fromkeys(repr(missing(way)[0]) for way in likely)
            raise BoardError(f"expected {' or '.join(wanted)} with {self.ask!r}")
        known = {key for way in ways for key in (*way.needed, *way.optional)}
        for key, node in self.fields.items():
            if key not in known:
                node.fail(f"expected no {key[:40]!r} with {self.ask!r}")
            if key in given and key not in (*likely[0].needed, *likely[0].optional):
                node.fail(f"expected no {key!r} beside {' and '.join(map(repr, likely[0].needed))}")
        for key, node in given.items():
            kinds[key](node)
        return replace(self, fields=given)

    def get(self, key: str, read: Callable[[Node], _T], default: _T) -> _T:
        """A field as ``read`` converts it; the default if it is absent."""
        return read(self.fields[key]) if key in self.fields else default


def most_characters(text: str, limits: Limits) -> int:
    """The most characters that a message may have, by the name of its question."""
    found = _HEAD.match(text, 0, SHORT)
    return limits.picture if found is not None and found[2] == PICTURE else limits.message


def content_of(question: Question) -> bytes:
    """The bytes of the text or file that a question brings (``text`` or ``base64``)."""
    text = question.get("text", Node.string, "")
    if text:
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(question.get("base64", Node.string, ""), validate=True)
    except (binascii.Error, ValueError):
        raise BoardError("expected base64") from None


def id_of(text: str) -> int | None:
    """Return the id of a short malformed message so that the error can name it."""
    if len(text) > SHORT:
        return None
    try:
        id = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return id if type(id) is int and 0 <= id < MOST_ID else None


def answer(id: int, value: Values) -> str:
    return _message(id, "answer", value)


def part(id: int, value: Values) -> str:
    return _message(id, "part", value)


def refusal(id: int | None, error: Exception | str) -> str:
    value: dict[str, object] = {"message": str(error)}
    if isinstance(error, BoardError):
        value = {"message": error.message}
        value |= {key: place for key, place in (("line", error.line), ("column", error.column)) if place is not None}
    return _message(id, "error", value)


def _message(id: int | None, kind: str, value: Values) -> str:
    return json.dumps({"id": id, kind: value}, separators=(",", ":"))
