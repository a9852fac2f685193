"""Strict TOML: numbers as written, and the line and column of every value.

The standard library parses the text. A scan finds the place of each value; it may assume that the TOML is valid.
"""

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from satsweep.formats.strict import DecimalText, Node, Notation, error_at

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
_MOST_DOTS = 100
_DOTTED = re.compile(rf"(?:\.[ \t]*[\w\"'-][^.,\n]{{0,200}}){{{_MOST_DOTS}}}")
_COMPLAINT = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text, with fractions as ``DecimalText``. Raises BoardError.

    Keys of hundreds of parts are refused at once: the standard library takes quadratic time for them.
    """
    if found := _DOTTED.search(text):
        raise error_at(text, found.start(), f"expected keys of at most {_MOST_DOTS} parts, found a longer one")
    try:
        return tomllib.loads(text, parse_float=DecimalText)
    except tomllib.TOMLDecodeError as error:
        found = _COMPLAINT.fullmatch(str(error))
        problem = found[1] if found else str(error)
        complaint = error_at(text, len(text), f"expected TOML: {problem[:1].lower()}{problem[1:]}")
        if found and found[2]:
            complaint.line, complaint.column = int(found[2]), int(found[3])
        raise complaint from None
    except RecursionError:
        raise error_at(text, 0, "expected TOML, found it nested too deeply") from None
    except ValueError:
        digits = re.search(r"(?<![\d_])[\d_]{1000,}", text)
        raise error_at(text, digits.start() if digits else 0, "expected a number of few digits") from None


def find_toml(text: str, path: Sequence[str | int]) -> int | None:
    """Offset of the value at a path of keys and indices in valid TOML, or None.

    A table stands at its header, or else at the first of its keys.

    >>> find_toml("[[boards]]\\nsize = [9, 10]", ("boards", 0, "size", 1))
    22
    """
    return _offsets(text).get(tuple(path))


TOML = Notation("a table", find_toml)


def toml_node(text: str) -> Node:
    return Node(text, parse_toml(text), notation=TOML)


def _offsets(text: str) -> dict[_Path, int]:
    offsets: dict[_Path, int] = {(): 0}
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
                offsets.setdefault(table, header)
                if brackets == 2 and number == len(keys):
                    last[table] = last.get(table, -1) + 1
                if table in last:
                    table = (*table, last[table])
                    offsets.setdefault(table, header)
        else:
            at = _pair(text, at, table, offsets)
        at = _skip(text, at)
    return offsets


def _pair(text: str, at: int, table: _Path, offsets: dict[_Path, int]) -> int:
    """Add the offset of a key's value, and return the offset of its end."""
    start = at
    keys, at = _keys(text, at)
    for key in keys[:-1]:
        table = (*table, key)
        offsets.setdefault(table, start)
    return _value(text, _skip(text, at + 1), (*table, keys[-1]), offsets)


def _value(text: str, at: int, path: _Path, offsets: dict[_Path, int]) -> int:
    """Add the offsets of a value and of all values in it, and return its end."""
    offsets[path] = at
    opening = text[at]
    if opening not in "[{":
        found = _SCALAR.match(text, at)
        assert found is not None, "valid TOML"
        return found.end()
    at = _skip(text, at + 1)
    index = 0
    while text[at] not in "]}":
        end = _value(text, at, (*path, index), offsets) if opening == "[" else _pair(text, at, path, offsets)
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
        index += 1
    return at + 1


def _keys(text: str, at: int) -> tuple[list[str], int]:
    """Keys between dots, and the offset after the blanks that follow them."""
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
