"""The JSON form of boards and layouts: strict, and every complaint with its line and column.

``{"mines": 3, "board": ["##1.", "##21", "####"]}``, with optional ``density``, ``topology``, ``clues``, and
``rows`` and ``cols``, which are checked. Rows may also be lists of integers: -1 covered, 0 to 8, 9 a known mine. A
layout has ``layout`` (or ``board``) with rows of ``*`` and ``.``, and an optional ``start``.
``schemas/board.schema.json`` in this package says the same to other programs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar

from satsweep.board import Board
from satsweep.clues import EXACT
from satsweep.errors import BoardError
from satsweep.formats.strict import Decimal, find, parsed, place
from satsweep.layout import Layout
from satsweep.text import check_total
from satsweep.topology import SQUARE

_BOARD_KEYS = ("board", "mines", "density", "topology", "clues", "rows", "cols", "id", "comment")
_LAYOUT_KEYS = ("layout", "board", "mines", "start", "topology", "rows", "cols", "id", "comment")
_SYMBOL_OF_INTEGER = dict(zip(range(-1, 10), "#.12345678*", strict=True))
_T = TypeVar("_T")


def is_json(text: str) -> bool:
    """Whether a text can only be meant as JSON."""
    return text.lstrip()[:1] in ("{", "[", '"')


def board_from_json(text: str) -> Board:
    """Read the JSON form of a board."""

    def build(fields: dict[str, Any]) -> Board:
        density = fields.get("density")
        board = Board(
            _rows(fields, "board"),
            mines=fields.get("mines"),
            density=None if density is None else _number_text(density),
            topology=_name(fields, "topology", SQUARE.name),
            clues=_name(fields, "clues", str(EXACT)),
        )
        _check_size(fields, board.rows, board.cols)
        return board

    return _read(text, _BOARD_KEYS, build)


def layout_from_json(text: str) -> Layout:
    """Read the JSON form of a layout."""

    def build(fields: dict[str, Any]) -> Layout:
        key = "layout" if "layout" in fields else "board"
        start = fields.get("start")
        if start is not None and not _is_cell(start):
            raise BoardError("expected start as [row, col]", at="start")
        layout = Layout(_rows(fields, key), start=start, topology=_name(fields, "topology", SQUARE.name))
        _check_size(fields, layout.rows, layout.cols)
        if (mines := fields.get("mines")) is not None:
            check_total(mines, layout.rows * layout.cols)
            layout.check_mines(mines)
        return layout

    return _read(text, _LAYOUT_KEYS, build)


def to_json(value: Board | Layout) -> str:
    """The JSON form of a board or layout, one row a line."""
    fields: dict[str, Any] = {"mines": value.mines}
    if isinstance(value, Board) and value.density is not None:
        fields["density"] = str(value.density)
    if value.topology != SQUARE:
        fields["topology"] = value.topology.name
    if isinstance(value, Board) and value.clues != EXACT:
        fields["clues"] = str(value.clues)
    if isinstance(value, Layout) and value.start is not None:
        fields["start"] = list(value.start)
    head = "".join(f"  {json.dumps(key)}: {json.dumps(field)},\n" for key, field in fields.items())
    rows = ",\n".join(f"    {json.dumps(row)}" for row in value.cells)
    key = "board" if isinstance(value, Board) else "layout"
    return f'{{\n{head}  "{key}": [\n{rows}\n  ]\n}}\n'


def _read(text: str, keys: Sequence[str], build: Callable[[dict[str, Any]], _T]) -> _T:
    fields = parsed(text)
    with _places(text):
        if not isinstance(fields, dict):
            raise BoardError(f"expected a JSON object with {keys[0]!r}", at="")
        for key in fields:
            if key not in keys:
                raise BoardError(f"expected a key among {', '.join(keys)}, found {key[:40]!r}", at=key)
        return build(fields)


def _number_text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, Fraction)):
        raise BoardError("expected a density as a number", at="density")
    return str(value) if not isinstance(value, int) or abs(value) < 10**9 else "too large"


def _name(fields: dict[str, Any], key: str, default: str) -> str:
    name = fields.get(key)
    if name is None:
        return default
    if not isinstance(name, str) or isinstance(name, Decimal):
        raise BoardError(f"expected {'a ' * (key == 'topology')}{key} as a string", at=key)
    return name


def _rows(fields: dict[str, Any], key: str) -> list[str]:
    if key not in fields:
        raise BoardError(f"expected the key {key!r}", at="")
    rows = fields[key]
    if not isinstance(rows, list):
        raise BoardError(f"expected {key!r} as a list of rows", at=key)
    return [_row(row, number) for number, row in enumerate(rows)]


def _row(row: object, number: int) -> str:
    if isinstance(row, str) and not isinstance(row, Decimal):
        return row
    if not isinstance(row, list):
        raise BoardError("expected a row as a string or a list of integers", at=(number, 0))
    for col, value in enumerate(row):
        if isinstance(value, bool) or not isinstance(value, int) or value not in _SYMBOL_OF_INTEGER:
            raise BoardError("expected an integer from -1 (covered) to 9 (mine)", at=(number, col))
    return "".join(_SYMBOL_OF_INTEGER[value] for value in row)


def _check_size(fields: dict[str, Any], rows: int, cols: int) -> None:
    for key, actual in (("rows", rows), ("cols", cols)):
        given = fields.get(key)
        if given is not None and (isinstance(given, bool) or given != actual):
            raise BoardError(f"expected {key} to be the {actual} of the board", at=key)


def _is_cell(start: object) -> bool:
    return isinstance(start, list) and len(start) == 2 and all(type(part) is int for part in start)


@contextmanager
def _places(text: str) -> Iterator[None]:
    """Give BoardErrors from within the line and column of the JSON value that they are about."""
    try:
        yield
    except BoardError as error:
        path: tuple[str | int, ...] = ()
        if isinstance(error.at, tuple):
            key = "layout" if find(text, ("layout",)) is not None else "board"
            path = (key, *error.at)
        elif error.at:
            path = (error.at,)
        while (offset := find(text, path)) is None:
            path = path[:-1]
        if isinstance(error.at, tuple) and len(path) == 2 and text[offset] == '"':
            offset += 1 + error.at[1]
        error.line, error.column = place(text, offset)
        raise
