"""Strict JSON: no key twice, no NaN, numbers as written, a place for every value.

``parse_json`` reads all JSON that comes from elsewhere, and gives plain values. A ``Node`` is a value with its place in
the text; its methods return the value as what it has to be, or raise an error with that place. A ``Notation`` lets it
read other texts than JSON.

``json_text`` writes objects with a field, a row or an item on each line, so that a person can read them and a program
can compare them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import islice
from json.decoder import scanstring  # type: ignore[attr-defined]  # the stubs lack it
from math import inf
from textwrap import indent
from typing import Any, NoReturn, TypeVar

from satsweep.board import Cell
from satsweep.errors import BoardError

_Choice = TypeVar("_Choice", bound=Enum)
_Read = TypeVar("_Read")
_NUMBER = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,2})?", re.ASCII | re.IGNORECASE)
MOST_LEVELS = 500
"""Most levels of lists and objects in each other.

They are half of those that Python can go through, so that a reader may be called from anywhere.
"""
MOST_QUOTED = 60
"""Most characters of a value in a message."""


def parse_json(text: str, *, floats: bool = False) -> Any:
    """Parse JSON of others. Raises BoardError with line and column.

    Numbers with a fraction or an exponent are ``DecimalText``, or floats where a program is to calculate with them.

    >>> parse_json('[1, 0.10]'), parse_json('[1, 0.10]', floats=True)
    ([1, '0.10'], [1, 0.1])
    """

    def number(written: str) -> DecimalText | float:
        value = float(written) if floats else DecimalText(written)
        if value == inf or value == -inf:
            raise error_at(text, text.find(written), f"expected a number below 1.8e308, found {written[:40]}")
        return value

    def no_constant(name: str) -> None:
        raise error_at(text, text.find(name), f"expected a number, found {name}")

    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            times = Counter(key for key, _ in pairs)
            key = next(key for key in fields if times[key] > 1)
            places = list(islice(_places_of_key(text, key), 2))
            again = places[1] if len(places) > 1 else 0
            raise error_at(text, again, f"expected the key {key[:40]!r} once, found it again")
        return fields

    try:
        found = json.loads(text, parse_float=number, parse_constant=no_constant, object_pairs_hook=no_twins)
    except json.JSONDecodeError as error:
        raise error_at(text, error.pos, f"expected JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise error_at(text, 0, _DEEP) from None
    except BoardError:
        raise
    except ValueError:
        digits = re.search(r"(?<!\d)\d{1000,}", text)
        raise error_at(text, digits.start() if digits else 0, "expected a number of few digits") from None
    if text.count("[") + text.count("{") > MOST_LEVELS and _is_deep(found):
        raise error_at(text, 0, _DEEP)
    return found


_DEEP = f"expected JSON of at most {MOST_LEVELS} levels, found it nested too deeply"


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_LEVELS):
        inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [value for values in inner for value in values if isinstance(value, dict | list)]
    return bool(level)


def quoted(value: object) -> str:
    """A value of others for a message: JSON on one line, cut, controls escaped.

    >>> quoted({"\\x1b[2J": [1, None]}), len(quoted("#" * 1000))
    ('{"\\\\u001b[2J": [1, null]}', 60)
    """
    if isinstance(value, str):
        value = type(value)(value[:MOST_QUOTED])
    try:
        written = str(value) if isinstance(value, DecimalText) else json.dumps(value)
    except (TypeError, ValueError, RecursionError):  # Parquet has more kinds of values than JSON
        written = ascii(value)
    return written if len(written) <= MOST_QUOTED else f"{written[: MOST_QUOTED - 3]}..."


def _places_of_key(text: str, key: str) -> Iterator[int]:
    """Offsets at which a key stands before a colon."""
    written = json.dumps(key)
    at = text.find(written)
    while at >= 0:
        end = at + len(written)
        if text.startswith(":", _skip(text, end)):
            yield at
        at = text.find(written, end)


def error_at(text: str, offset: int, message: str) -> BoardError:
    line, column = line_and_column(text, max(offset, 0))
    return BoardError(message, line=line, column=column)


class DecimalText(str):
    """A number with a fraction or an exponent, kept as written: 0.1 means one tenth."""


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset in a text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def find_json(text: str, path: Sequence[str | int]) -> int | None:
    """Offset of the value at a path of keys and indices in valid JSON, or None."""
    offset = _skip(text, 0)
    for step in path:
        opening = text[offset]
        if opening != ("{" if isinstance(step, str) else "["):
            return None
        offset = _skip(text, offset + 1)
        index = 0
        while text[offset] not in "]}":
            key: str | int = index
            if opening == "{":
                key, offset = scanstring(text, offset + 1)
                offset = _skip(text, _skip(text, offset) + 1)
            if key == step:
                break
            offset = _skip(text, json.JSONDecoder().raw_decode(text, offset)[1])
            offset = _skip(text, offset + 1) if text[offset] == "," else offset
            index += 1
        else:
            return None
    return offset


def _skip(text: str, offset: int) -> int:
    while offset < len(text) and text[offset] in " \t\r\n":
        offset += 1
    return offset


@dataclass(frozen=True, slots=True)
class Notation:
    """A syntax: its name for an object, and a function that finds the value at a path."""

    object: str
    find: Callable[[str, Sequence[str | int]], int | None]


JSON = Notation("a JSON object", find_json)


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a text, with the path of keys and indices that leads to it.

    >>> Node.of('{"turn": 3, "cell": [0, 1]}').fields(("turn", "cell"))["cell"].integers()
    [0, 1]
    """

    text: str
    value: Any
    path: tuple[str | int, ...] = ()
    notation: Notation = JSON

    @classmethod
    def of(cls, text: str) -> Node:
        return cls(text, parse_json(text))

    def offset(self, *steps: str | int) -> int:
        """Offset of the value, or of one further in, or of the last on the way to it."""
        path = (*self.path, *steps)
        while (offset := self.notation.find(self.text, path)) is None:
            path = path[:-1]
        return offset

    def fail(self, message: str, *steps: str | int) -> NoReturn:
        """Raise BoardError with the line and column of ``offset(*steps)``."""
        raise error_at(self.text, self.offset(*steps), message) from None

    def fields(self, needed: Collection[str], allowed: Collection[str] = ()) -> dict[str, Node]:
        """Fields of an object with all needed keys and only the allowed ones besides."""
        if not isinstance(self.value, dict):
            self.fail(f"expected {self.notation.object}{' with ' if needed else ''}{', '.join(needed)}")
        known = {*needed, *allowed}
        for key in self.value:
            if key not in known:
                self.fail(f"expected a key among {', '.join((*needed, *allowed))}, found {key[:40]!r}", key)
        for key in needed:
            if key not in self.value:
                self.fail(f"expected the key {key!r}")
        return {key: self._child(key, value) for key, value in self.value.items()}

    def items(self) -> list[Node]:
        if not isinstance(self.value, list):
            self.fail(f"expected {self._name} as a list")
        return [self._child(index, value) for index, value in enumerate(self.value)]

    def _child(self, step: str | int, value: Any) -> Node:
        return replace(self, value=value, path=(*self.path, step))

    def string(self) -> str:
        if not isinstance(self.value, str) or isinstance(self.value, DecimalText):
            self.fail(f"expected {self._name} as a string")
        return self.value

    def integer(self) -> int:
        """Return an integer from 0."""
        if type(self.value) is not int or self.value < 0:
            self.fail(f"expected {self._name} as an integer from 0")
        return self.value

    def integers(self) -> list[int]:
        return [item.integer() for item in self.items()]

    def number(self) -> Fraction:
        """Return a number, exactly as written."""
        value = self.value
        if type(value) is int and abs(value) < 10**30:
            return Fraction(value)
        if isinstance(value, DecimalText) and _NUMBER.fullmatch(written := value.replace("_", "")):
            return Fraction(written)
        self.fail(f"expected {self._name} as a number")

    def cell(self, *, off_grid: bool = False) -> Cell:
        """Return a cell, which is written as a list of row and column.

        Only one off the grid may be above it or to its left.
        """
        parts = [item.value for item in self.items()] if off_grid else self.integers()
        if len(parts) != 2 or any(type(part) is not int for part in parts):
            self.fail("expected a cell as [row, col]")
        return Cell(*parts)

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail(f"expected {self._name} to be true or false")
        return self.value

    def string_as(self, read: Callable[[str], _Read]) -> _Read:
        """Return what ``read`` makes of a string. Its BoardErrors get the place."""
        try:
            return read(self.string())
        except BoardError as error:
            if error.line is not None:
                raise
            self.fail(error.message)

    def choice(self, kind: type[_Choice]) -> _Choice:
        for choice in kind:
            if isinstance(self.value, str) and choice.value == self.value:
                return choice
        expected = ", ".join(str(choice.value) for choice in kind)
        self.fail(f"expected {self._name} among {expected}")

    @property
    def _name(self) -> str:
        """The value in words: its key, or an item of that key."""
        key = next((step for step in reversed(self.path) if isinstance(step, str)), None)
        return "a value" if key is None else repr(key[:40]) if key == self.path[-1] else f"an item of {key[:40]!r}"


class JsonText(str):
    """A value that is JSON text already."""

    __slots__ = ()


def json_text(fields: Mapping[str, object]) -> str:
    """An object as text, a field a line; lists made by ``lines`` have one an item.

    >>> json_text({"mines": 1, "board": lines(["##"])})
    '{\\n  "mines": 1,\\n  "board": [\\n    "##"\\n  ]\\n}\\n'
    """
    members = ",\n".join(f"  {json.dumps(key)}: {_value(value)}" for key, value in fields.items())
    return f"{{\n{members}\n}}\n"


def _value(value: object) -> str:
    return value if isinstance(value, JsonText) else json.dumps(value)


def lines(values: Iterable[object]) -> JsonText:
    """A list as the value of a field, an item a line."""
    text = ",\n".join(indent(_value(value), "    ") for value in values)
    return JsonText(f"[\n{text}\n  ]" if text else "[]")
