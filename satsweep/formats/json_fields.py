"""JSON objects that hold a grid: their fields, rows and layouts.

Boards, records, certificates and traces have such objects. Their files have a field, a row or an item on each line, so
that a person can read them and a program can compare them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from textwrap import indent

from satsweep.errors import BoardError
from satsweep.formats.strict import Node
from satsweep.layout import Layout
from satsweep.topology import SQUARE


def field_lines(fields: Mapping[str, object], *, last: bool = False) -> str:
    """Fields of an object, a line each; with ``last`` no other fields follow.

    >>> field_lines({"mines": 3}), field_lines({"mines": 3}, last=True)
    ('  "mines": 3,\\n', '  "mines": 3\\n')
    """
    text = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items())
    return f"{text}{'' if last else ','}\n" if text else ""


def list_of_values(values: Iterable[object]) -> str:
    """A list as the value of a field, an item a line."""
    return list_of_texts(map(json.dumps, values))


def list_of_texts(items: Iterable[str]) -> str:
    """A list as the value of a field, from items that are JSON texts."""
    lines = ",\n".join(indent(item, "    ") for item in items)
    return f"[\n{lines}\n  ]" if lines else "[]"


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
