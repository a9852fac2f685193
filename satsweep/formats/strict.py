"""JSON read strictly: no key twice, no NaN, numbers as written, and the line and column of every value.

``parsed`` gives plain values; ``Node`` is a value that knows where it stands and says what it is expected to be, in
JSON or in another ``Notation``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from json.decoder import scanstring  # type: ignore[attr-defined]  # the stubs lack it
from typing import Any, NoReturn, TypeVar

from satsweep.board import Cell
from satsweep.errors import BoardError

_Choice = TypeVar("_Choice", bound=Enum)
_Read = TypeVar("_Read")
_NUMBER = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,2})?", re.ASCII | re.IGNORECASE)


def parsed(text: str) -> Any:
    """The value of a JSON text. Raises BoardError with line and column."""

    def no_constant(name: str) -> None:
        raise misplaced(text, text.find(name), f"expected a number, found {name}")

    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        for key in fields if len(fields) < len(pairs) else ():
            if sum(key == other for other, _ in pairs) > 1:
                twins = [found.start() for found in re.finditer(re.escape(json.dumps(key)) + r"\s*:", text)]
                again = twins[1] if len(twins) > 1 else 0
                raise misplaced(text, again, f"expected the key {key[:40]!r} once, found it again")
        return fields

    try:
        return json.loads(text, parse_float=Decimal, parse_constant=no_constant, object_pairs_hook=no_twins)
    except json.JSONDecodeError as error:
        raise misplaced(text, error.pos, f"expected JSON: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise misplaced(text, 0, "expected an object of board fields, found it nested too deeply") from None
    except ValueError:
        digits = re.search(r"\d{1000,}", text)
        raise misplaced(text, digits.start() if digits else 0, "expected a number of few digits") from None


def misplaced(text: str, offset: int, message: str) -> BoardError:
    """A complaint about the place that is so many characters into the text."""
    line, column = place(text, max(offset, 0))
    return BoardError(message, line=line, column=column)


class Decimal(str):
    """A number with a fraction or an exponent, kept as written: 0.1 means one tenth."""


def place(text: str, offset: int) -> tuple[int, int]:
    """The line and column, from 1, that are so many characters into the text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def find(text: str, path: Sequence[str | int]) -> int | None:
    """The offset of the value that keys and indices lead to, in a text that is valid JSON; None if none does."""
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
    """How a text is written: what an object is called, and the offset of the value that keys and indices lead to."""

    object: str
    find: Callable[[str, Sequence[str | int]], int | None]


JSON = Notation("a JSON object", find)


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a text, and the keys and indices that lead to it.

    >>> Node.of('{"turn": 3, "cell": [0, 1]}').fields(("turn", "cell"))["cell"].integers()
    [0, 1]
    """

    text: str
    value: Any
    path: tuple[str | int, ...] = ()
    notation: Notation = JSON

    @classmethod
    def of(cls, text: str) -> Node:
        """The whole of a JSON text."""
        return cls(text, parsed(text))

    def fail(self, message: str, *further: str | int) -> NoReturn:
        """Raise BoardError with the line and column of the value, or of one further in, as far as that exists."""
        path = (*self.path, *further)
        while (offset := self.notation.find(self.text, path)) is None:
            path = path[:-1]
        line, column = place(self.text, offset)
        raise BoardError(message, line=line, column=column) from None

    def fields(self, needed: Collection[str], allowed: Collection[str] = ()) -> dict[str, Node]:
        """The fields of an object that has all keys that it needs, and no others than are allowed besides."""
        if not isinstance(self.value, dict):
            self.fail(f"expected {self.notation.object} with {', '.join(needed)}")
        for key in self.value:
            if key not in needed and key not in allowed:
                self.fail(f"expected a key among {', '.join((*needed, *allowed))}, found {key[:40]!r}", key)
        for key in needed:
            if key not in self.value:
                self.fail(f"expected the key {key!r}")
        return {key: self._further(key, value) for key, value in self.value.items()}

    def items(self) -> list[Node]:
        """The items of a list."""
        if not isinstance(self.value, list):
            self.fail(f"expected {self._name} as a list")
        return [self._further(index, value) for index, value in enumerate(self.value)]

    def _further(self, step: str | int, value: Any) -> Node:
        return replace(self, value=value, path=(*self.path, step))

    def string(self) -> str:
        """A string."""
        if not isinstance(self.value, str) or isinstance(self.value, Decimal):
            self.fail(f"expected {self._name} as a string")
        return self.value

    def integer(self) -> int:
        """An integer from 0."""
        if type(self.value) is not int or self.value < 0:
            self.fail(f"expected {self._name} as an integer from 0")
        return self.value

    def integers(self) -> list[int]:
        """A list of integers from 0."""
        return [item.integer() for item in self.items()]

    def number(self) -> Fraction:
        """A number, exactly as written."""
        value = self.value
        if type(value) is int and abs(value) < 10**30:
            return Fraction(value)
        if isinstance(value, Decimal) and _NUMBER.fullmatch(written := value.replace("_", "")):
            return Fraction(written)
        self.fail(f"expected {self._name} as a number")

    def cell(self) -> Cell:
        """A cell, as a list of row and column."""
        parts = self.integers()
        if len(parts) != 2:
            self.fail("expected a cell as [row, col]")
        return Cell(*parts)

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(f"expected {self._name} to be true or false")
        return self.value

    def named(self, read: Callable[[str], _Read]) -> _Read:
        """A value that is written by its name, which raises BoardError for a name that it does not know."""
        try:
            return read(self.string())
        except BoardError as error:
            if error.line is not None:
                raise
            self.fail(error.message)

    def choice(self, kind: type[_Choice]) -> _Choice:
        """The member of an enum that has this value."""
        for choice in kind:
            if isinstance(self.value, str) and choice.value == self.value:
                return choice
        expected = ", ".join(str(choice.value) for choice in kind)
        self.fail(f"expected {self._name} among {expected}")

    @property
    def _name(self) -> str:
        key = next((step for step in reversed(self.path) if isinstance(step, str)), None)
        return "a value" if key is None else repr(key[:40]) if key == self.path[-1] else f"an item of {key[:40]!r}"
