"""WebSocket protocol of the page: one JSON object per message, parsed strictly.

The server answers ``{"id": 7, "ask": "solve", ...}`` by ``{"id": 7, "answer": {...}}`` or ``{"id": 7, "error":
{"message": ...}}``. An error in a text has its ``line`` and ``column``, too. A game comes in parts, ``{"id": 7,
"part": {...}}``, before its answer. ``{"id": 7, "cancel": true}`` cancels a question. In a message of more than 4,096
characters ``id`` and ``ask`` come first, in this order: the event loop reads no further, and a worker parses the rest.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from satsweep.errors import BoardError
from satsweep.formats.strict import Node

MOST_ID = 2**53
"""Upper bound of ids: JavaScript represents integers below it exactly."""

SHORT = 4096
"""Most characters of a message that the event loop parses."""
_HEAD = re.compile(r'\s*\{\s*"id"\s*:\s*(0|[1-9][0-9]{0,15})\s*,\s*"ask"\s*:\s*"(\w*)"', re.ASCII)

Values = Mapping[str, object]
"""An answer, or a part of one."""

SendPart = Callable[[Values], None]
"""Sends a part of an answer. Raises Cancelled if the question has been cancelled."""

_T = TypeVar("_T")


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
        """Parse a message. Raises BoardError if it is malformed."""
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
    """Encode the answer to a question."""
    return _message(id, "answer", value)


def part(id: int, value: Values) -> str:
    """Encode a part of an answer."""
    return _message(id, "part", value)


def refusal(id: int | None, error: Exception | str) -> str:
    """Encode the error of a question that has no answer."""
    value: dict[str, object] = {"message": str(error)}
    if isinstance(error, BoardError):
        value = {"message": error.message}
        value |= {key: place for key, place in (("line", error.line), ("column", error.column)) if place is not None}
    return _message(id, "error", value)


def _message(id: int | None, kind: str, value: Values) -> str:
    """Encode a message as JSON."""
    return json.dumps({"id": id, kind: value}, separators=(",", ":"))
