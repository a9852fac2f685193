"""RAWVF: a replay as text, of which only the layout is read.

It has a header, ``Board:`` with rows of ``*`` and ``0``, and events.
"""

import re

from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import Line, check_size_at, errors_in_rows, lines_of, read_rows
from satsweep.layout import Layout
from satsweep.text import counted

_VERSION = re.compile(r"\s*RawVF_Version[ \t]*:", re.IGNORECASE)
_BOARD = re.compile(r"^Board:[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_KEY = re.compile(r"\s*([A-Za-z][\w \t]*):[ \t]*(.*)")
_SYMBOLS = {"*": "*", "0": "."}


def recognises(text: str) -> bool:
    """Return whether a text names its version, or has a header and ``Board:``."""
    return _VERSION.match(text) is not None or (_KEY.match(text) is not None and _BOARD.search(text) is not None)


def read_layout(text: str) -> Layout:
    """Read the layout.

    >>> read_layout("Width: 3\\nHeight: 2\\nMines: 1\\nBoard:\\n00*\\n000\\nEvents:\\n")
    Layout(('..*', '...'))
    """
    lines = lines_of(text)
    header: dict[str, tuple[Line, int, int]] = {}
    for index, line in enumerate(lines):
        found = _KEY.fullmatch(line.text)
        if found is None and line.text:
            raise line.error("expected a key, a colon and a value, or Board:")
        if found is None:
            continue
        key = found[1].rstrip().lower()
        if key == "board":
            return _layout(lines, index, header)
        if key in ("width", "height", "mines"):
            if key in header:
                raise line.error(f"expected {found[1].rstrip()} once, found it again", found.start(1) + 1)
            if not re.fullmatch(r"\d{1,9}", found[2], re.ASCII):
                raise line.error(f"expected a whole number, found {found[2][:20]!r}", found.start(2) + 1)
            header[key] = line, found.start(2) + 1, int(found[2])
    raise BoardError("expected a line Board: and the rows after it, found the end", line=len(lines), column=1)


def write(layout: Layout) -> str:
    """Write a replay without events.

    Raises BoardError for a start, or another grid than the square one.
    """
    check_holds(layout)
    head = ["RawVF_Version: Rev5", "Program: satsweep", f"Width: {layout.cols}", f"Height: {layout.rows}"]
    rows = (row.replace(".", "0") for row in layout.cells)
    return "\n".join((*head, f"Mines: {layout.mines}", "Board:", *rows, "Events:")) + "\n"


def _layout(lines: list[Line], at: int, header: dict[str, tuple[Line, int, int]]) -> Layout:
    """Layout of the rows after line ``at``.

    The header has for each key its line, its column and its number.
    """
    for key in ("width", "height"):
        if key not in header:
            raise lines[at].error(f"expected {key.capitalize()} before the board, found none")
    (line, column, cols), (_, _, rows) = header["width"], header["height"]
    check_size_at(cols, rows, line.number, column)
    body = lines[at + 1 : at + 1 + rows]
    end = next((line for line in body if _KEY.match(line.text)), None)
    if end is not None:
        body = body[: body.index(end)]
    with errors_in_rows(body, lines[at].number):
        layout = Layout(read_rows(body, rows, cols, _SYMBOLS, lines[at].number if end is None else end.number))
    if "mines" in header:
        line, column, mines = header["mines"]
        if mines != layout.mines:
            raise line.error(f"expected the {counted(layout.mines, 'mine')} of the board, found {mines}", column)
    return layout
