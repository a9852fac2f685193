"""What the page asks: one JSON object a message, read strictly, refused with a reason.

``{"id": 7, "ask": "solve", ...}`` is answered by ``{"id": 7, "answer": {...}}`` or ``{"id": 7, "error": {"message":
...}}``, which may have ``line`` and ``column`` where a text was read. A game comes in pieces, ``{"id": 7, "part":
{...}}``, before its answer. ``{"id": 7, "cancel": true}`` says that nobody waits for an answer any more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from satsweep.errors import BoardError
from satsweep.formats.strict import Node

MOST_ID = 2**53
"""Identifiers are below: what a page counts to exactly."""

Values = Mapping[str, object]
"""An answer, or a piece of one."""

Said = Callable[[Values], None]
"""Takes a piece of an answer that comes in pieces. Raises Cancelled once nobody waits for more."""

_T = TypeVar("_T")


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True, slots=True)
class Question:
    """A message taken apart: whose answer it wants, what is asked (None to cancel), and what belongs to that."""

    id: int
    ask: str | None
    fields: Mapping[str, Node]

    @classmethod
    def of(cls, text: str) -> Question:
        """Read a message. Raises BoardError for what is none."""
        node = Node.of(text)
        if not isinstance(node.value, dict):
            node.fail("expected a JSON object with id and ask")
        fields = node.fields(("id",), tuple(node.value))
        id = fields.pop("id").integer()
        if id >= MOST_ID:
            node.fail(f"expected an id below {MOST_ID}", "id")
        if "cancel" in fields:
            node.fields(("id", "cancel"))
            if not fields.pop("cancel").truth():
                node.fail("expected cancel to be true", "cancel")
            return cls(id, None, fields)
        if "ask" not in fields:
            node.fail("expected the key 'ask'")
        return cls(id, fields.pop("ask").string(), fields)

    def check(self, needed: tuple[str, ...], allowed: tuple[str, ...] = ()) -> None:
        """Raise BoardError unless there is what belongs to the question, and nothing else."""
        for key in self.fields:
            if key not in (*needed, *allowed):
                self.fields[key].fail(f"expected no {key[:40]!r} with {self.ask!r}")
        for key in needed:
            if key not in self.fields:
                raise BoardError(f"expected {key!r} with {self.ask!r}")

    def get(self, key: str, read: Callable[[Node], _T], default: _T) -> _T:
        """A field, read, or what it is if nothing is said or null."""
        node = self.fields.get(key)
        return default if node is None or node.value is None else read(node)


def id_of(text: str) -> int | None:
    """The identifier of a message that is wrong otherwise, so that its sender learns what became of it."""
    try:
        id = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return id if type(id) is int and 0 <= id < MOST_ID else None


def answer(id: int, value: Values) -> str:
    """The message that answers a question."""
    return _message(id, "answer", value)


def part(id: int, value: Values) -> str:
    """The message with a piece of an answer."""
    return _message(id, "part", value)


def refusal(id: int | None, error: Exception | str) -> str:
    """The message that says why there is no answer."""
    value: dict[str, object] = {"message": str(error)}
    if isinstance(error, BoardError):
        value = {"message": error.message}
        value |= {key: place for key, place in (("line", error.line), ("column", error.column)) if place is not None}
    return _message(id, "error", value)


def _message(id: int | None, kind: str, value: Values) -> str:
    return json.dumps({"id": id, kind: value}, separators=(",", ":"))
