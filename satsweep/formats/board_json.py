"""Boards and layouts as JSON, read strictly: every error has its line and column.

``{"mines": 3, "board": ["##1.", "##21", "####"]}``, with optional ``density``, ``topology``, ``clues``, and
``rows`` and ``cols``, which are checked. Rows may also be lists of integers: -1 covered, 0 to 8, 9 a known mine. A
layout has ``layout`` (or ``board``) with rows of ``*`` and ``.``, and an optional ``start``.
``schemas/board.schema.json`` in this package says the same to other programs.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from satsweep.board import SYMBOL_OF_INTEGER, Board
from satsweep.clues import EXACT
from satsweep.errors import BoardError
from satsweep.formats.strict import DecimalText, Node, error_at, json_text, lines, parse_json
from satsweep.layout import Layout
from satsweep.text import check_total, header_of
from satsweep.topology import SQUARE

_BOARD_KEYS = ("board", "mines", "density", "topology", "clues", "part", "rows", "cols", "id", "comment")
_LAYOUT_KEYS = ("layout", "board", "mines", "start", "topology", "rows", "cols", "id", "comment")
_INTEGERS = range(-1, 10)
_BOARD_ONLY = {*"#012345678F?", *range(-1, 9)} - {0}


def is_json(text: str) -> bool:
    """Return whether a text can only be meant as JSON."""
    return text.lstrip()[:1] in ("{", "[", '"')


def parts(text: str) -> tuple[str, ...]:
    """Names of the parts of an object that is more than one board or layout."""
    value = parse_json(text)
    keys = set(value) if isinstance(value, dict) else set()
    both = ("board", "layout") if {"board", "layout"} <= keys else ()
    return *both, *(key for key in ("moves", "id", "comment") if key in keys)


def shows_all_mines(text: str) -> bool:
    """Return whether JSON is likelier meant as a layout than as a board."""
    try:
        value = parse_json(text)
    except BoardError:
        return False
    if not isinstance(value, dict) or "layout" in value or "start" in value:
        return isinstance(value, dict)
    rows = value.get("board")
    symbols = (
        (symbol for row in rows if isinstance(row, (str, list)) for symbol in row) if isinstance(rows, list) else ()
    )
    return not any(symbol in _BOARD_ONLY for symbol in symbols if isinstance(symbol, (str, int)))


def board_from_json(text: str) -> Board:
    root = Node.of(text)
    fields = _fields(root, _BOARD_KEYS)
    with _errors_in_grid(root, fields, "board"):
        board = Board(
            _rows(root, fields, "board"),
            mines=_value(fields, "mines"),
            density=_density(fields),
            topology=_name(fields, "topology", SQUARE.name),
            clues=_name(fields, "clues", str(EXACT)),
            part=_value(fields, "part") and _name(fields, "part", ""),
        )
    _check_size(fields, board)
    return board


def layout_from_json(text: str) -> Layout:
    root = Node.of(text)
    fields = _fields(root, _LAYOUT_KEYS)
    key = "layout" if "layout" in fields else "board"
    start = _start(fields)
    mines = _value(fields, "mines")
    with _errors_in_grid(root, fields, key):
        layout = Layout(_rows(root, fields, key), start=start, topology=_name(fields, "topology", SQUARE.name))
        _check_size(fields, layout)
        if mines is not None:
            check_total(mines, layout.rows * layout.cols)
            layout.check_mines(mines)
    return layout


def to_json(value: Board | Layout) -> str:
    key = "board" if isinstance(value, Board) else "layout"
    return json_text({"mines": value.mines, **grid_fields(value), key: lines(value.cells)})


def _fields(root: Node, keys: Sequence[str]) -> dict[str, Node]:
    """Fields of the object; a missing key is reported where it is read."""
    if not isinstance(root.value, dict):
        root.fail(f"expected a JSON object with {keys[0]!r}")
    return root.fields((), keys)


def _value(fields: Mapping[str, Node], key: str) -> Any:
    return fields[key].value if key in fields else None


def _density(fields: Mapping[str, Node]) -> str | None:
    """Density as text, exactly as written; None if there is none."""
    value = _value(fields, "density")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        fields["density"].fail("expected a density as a number")
    return str(value) if not isinstance(value, int) or abs(value) < 10**9 else "too large"


def _name(fields: Mapping[str, Node], key: str, default: str) -> str:
    value = _value(fields, key)
    if value is None:
        return default
    if not isinstance(value, str) or isinstance(value, DecimalText):
        fields[key].fail(f"expected {'a ' * (key != 'clues')}{key} as a string")
    return value


def _start(fields: Mapping[str, Node]) -> tuple[int, int] | None:
    """Start of a layout, not yet checked against the grid."""
    value = _value(fields, "start")
    if value is None:
        return None
    if not (isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)):
        fields["start"].fail("expected start as [row, col]")
    row, col = value
    return row, col


def _rows(root: Node, fields: Mapping[str, Node], key: str) -> list[str]:
    if key not in fields:
        root.fail(f"expected the key {key!r}")
    rows = fields[key]
    if not isinstance(rows.value, list):
        rows.fail(f"expected {key!r} as a list of rows")
    return [_row(rows, number, row) for number, row in enumerate(rows.value)]


def _row(rows: Node, number: int, row: object) -> str:
    if isinstance(row, str) and not isinstance(row, DecimalText):
        return row
    if not isinstance(row, list):
        rows.fail("expected a row as a string or a list of integers", number)
    for col, value in enumerate(row):
        if isinstance(value, bool) or not isinstance(value, int) or value not in _INTEGERS:
            rows.fail("expected an integer from -1 (covered) to 9 (mine)", number, col)
    return "".join(SYMBOL_OF_INTEGER[value] for value in row)


def _check_size(fields: Mapping[str, Node], value: Board | Layout) -> None:
    for key, actual in (("rows", value.rows), ("cols", value.cols)):
        given = _value(fields, key)
        if given is not None and (isinstance(given, bool) or given != actual):
            fields[key].fail(f"expected {key} to be the {actual} of the board")


@contextmanager
def _errors_in_grid(root: Node, fields: Mapping[str, Node], key: str) -> Iterator[None]:
    """Add to BoardErrors the place of the field or of the cell that they are about."""
    try:
        yield
    except BoardError as error:
        if error.line is not None:
            raise
        if not isinstance(error.at, tuple):
            root.fail(error.message, *([error.at] if error.at else ()))
        rows, (row, col) = fields[key], error.at
        if isinstance(rows.value[row], str):
            raise error_at(rows.text, rows.offset(row) + 1 + col, error.message) from None
        rows.fail(error.message, row, col)


def grid_fields(grid: Board | Layout) -> dict[str, object]:
    """Unusual fields of a board or layout beside its rows, the start last."""
    header = sorted(header_of(grid).items(), key=lambda field: field[0] == "start")
    return {key: value if isinstance(value, int | tuple) else str(value) for key, value in header}


def read_layout(fields: Mapping[str, Node]) -> Layout:
    """Read a layout from the fields ``layout``, ``mines``, ``start`` and ``topology``.

    The last two may be missing.
    """
    rows = [row.string() for row in fields["layout"].items()]
    start = fields["start"].cell() if "start" in fields else None
    topology = fields["topology"].string() if "topology" in fields else SQUARE
    mines = fields["mines"].integer()
    with errors_in_fields(fields, "layout"):
        layout = Layout(rows, start=start, topology=topology)
        layout.check_mines(mines)
    return layout


@contextmanager
def errors_in_fields(fields: Mapping[str, Node], rows: str) -> Iterator[None]:
    """Add to BoardErrors the place of their field, or of their row in field ``rows``."""
    try:
        yield
    except BoardError as error:
        if isinstance(error.at, str):
            fields[error.at].fail(error.message)
        fields[rows].fail(error.message, *(error.at or ())[:1])
