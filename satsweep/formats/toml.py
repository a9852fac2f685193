"""TOML read strictly: numbers as written, and the line and column of every value.

The standard library parses it; where each value stands is found by a scan of the text that need only be right for
valid TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from satsweep.formats.strict import Decimal, Node, Notation, misplaced

_Path = tuple[str | int, ...]
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r""" "(?:\\.|[^"\\])*" | '[^']*' | [\w-]+ """, re.VERBOSE)
_SCALAR = re.compile(
    r'''
    """(?:\\.|[^\\])*?"""(?:"{0,2}) | \'\'\'.*?\'\'\'(?:'{0,2}) | "(?:\\.|[^"\\])*" | '[^']*'
    | \d{4}-\d\d-\d\d[ ]\d\d:[^\s,\]}\#]* | [^\s,\]}\#]+
    ''',
    re.VERBOSE | re.DOTALL,
)
_COMPLAINT = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def parsed(text: str) -> dict[str, Any]:
    """The table of a TOML text, numbers with a fraction as ``Decimal``. Raises BoardError with line and column."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        found = _COMPLAINT.fullmatch(str(error))
        said = found[1] if found else str(error)
        complaint = misplaced(text, len(text), f"expected TOML: {said[:1].lower()}{said[1:]}")
        if found and found[2]:
            complaint.line, complaint.column = int(found[2]), int(found[3])
        raise complaint from None
    except RecursionError:
        raise misplaced(text, 0, "expected TOML, found it nested too deeply") from None
    except ValueError:
        digits = re.search(r"[\d_]{1000,}", text)
        raise misplaced(text, digits.start() if digits else 0, "expected a number of few digits") from None


def find(text: str, path: Sequence[str | int]) -> int | None:
    """The offset of the value that keys and indices lead to, in a text that is valid TOML; None if none does.

    A table stands where its header does, or the first of its keys.

    >>> find("[[boards]]\\nsize = [9, 10]", ("boards", 0, "size", 1))
    22
    """
    return _places(text).get(tuple(path))


TOML = Notation("a table", find)


def whole(text: str) -> Node:
    """The table of a TOML text as a value that knows where it stands."""
    return Node(text, parsed(text), notation=TOML)


def _places(text: str) -> dict[_Path, int]:
    """Where every value stands."""
    places: dict[_Path, int] = {(): 0}
    last: dict[_Path, int] = {}  # of every array of tables, the index of its last one
    table: _Path = ()
    at = _skip(text, 0)
    while at < len(text):
        if text[at] == "[":
            header, brackets = at, 2 if text.startswith("[[", at) else 1
            keys, at = _keys(text, at + brackets)
            at += brackets
            table = ()
            for number, key in enumerate(keys, 1):
                table = (*table, key)
                places.setdefault(table, header)
                if brackets == 2 and number == len(keys):
                    last[table] = last.get(table, -1) + 1
                if table in last:
                    table = (*table, last[table])
                    places.setdefault(table, header)
        else:
            at = _pair(text, at, table, places)
        at = _skip(text, at)
    return places


def _pair(text: str, at: int, table: _Path, places: dict[_Path, int]) -> int:
    """Note where the value of a key stands; return where it ends."""
    start = at
    keys, at = _keys(text, at)
    for key in keys[:-1]:
        table = (*table, key)
        places.setdefault(table, start)
    return _value(text, _skip(text, at + 1), (*table, keys[-1]), places)


def _value(text: str, at: int, path: _Path, places: dict[_Path, int]) -> int:
    places[path] = at
    opening = text[at]
    if opening not in "[{":
        found = _SCALAR.match(text, at)
        assert found is not None, "valid TOML"
        return found.end()
    at = _skip(text, at + 1)
    index = 0
    while text[at] not in "]}":
        end = _value(text, at, (*path, index), places) if opening == "[" else _pair(text, at, path, places)
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
        index += 1
    return at + 1


def _keys(text: str, at: int) -> tuple[list[str], int]:
    """The keys between dots, and where the blanks after them end."""
    keys = []
    while True:
        found = _KEY.match(text, _skip(text, at))
        assert found is not None, "valid TOML"
        key = found[0]
        keys.append(tomllib.loads(f"key = {key}")["key"] if key[0] in "\"'" else key)
        at = _skip(text, found.end())
        if text[at] != ".":
            return keys, at
        at += 1


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
