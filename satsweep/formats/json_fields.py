"""JSON objects that hold a grid: their fields, rows and layouts.

Boards, records, certificates and traces have such objects. Their files have a field, a row or an item on each line, so
that a person can read them and a program can compare them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from textwrap import indent

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats.strict import Node
from satsweep.layout import Layout
from satsweep.text import header_of
from satsweep.topology import SQUARE


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
