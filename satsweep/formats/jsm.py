"""JSMinesweeper's own text, ``.mine``: a position, its first line ``WIDTHxHEIGHTxMINES``, one line a row below.

``H`` is hidden, ``F`` and ``O`` are flags, ``?`` is a mine that blew up or is shown, ``I`` one that is known though it
is hidden; ``0`` to ``8`` are numbers. What follows the rows does not matter.
"""

from __future__ import annotations

import re

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds, total_of
from satsweep.formats.grids import NUMBERS, in_rows, lines_of, rows_of, size_at, written_rows

_HEAD = re.compile(r"(\d{1,9})x(\d{1,9})x(\d{1,9})[ \t]*\r?(?:\n|\Z)", re.ASCII)
_SYMBOLS = {**NUMBERS, "H": COVERED, "F": FLAG, "O": FLAG, "I": MINE, "?": MINE}
_WRITTEN = {COVERED: "H", FLAG: "F", MINE: "?"}


def recognises(text: str) -> bool:
    """Whether a text begins with a line of three numbers with an x between."""
    return _HEAD.match(text) is not None


def read_board(text: str) -> Board:
    """Read a position.

    >>> read_board("3x2x1\\nH1H\\n111\\n")
    Board(('#1#', '111'), mines=1)
    """
    found = _HEAD.match(text)
    if found is None:
        raise BoardError("expected a first line like 30x16x99: width, height and mines", line=1, column=1)
    cols, rows, mines = map(int, found.groups())
    size_at(cols, rows, 1)
    lines = lines_of(text)
    grid = rows_of(lines[1:], rows, cols, _SYMBOLS, len(lines))
    with in_rows(lines[1:], 1):
        try:
            return Board(grid, mines=mines)
        except BoardError as error:
            if error.at == "mines":
                error.line, error.column = 1, found.start(3) + 1
            raise


def write(board: Board) -> str:
    """Write a position. Raises BoardError without a mine total, and for what else this format cannot hold."""
    check_holds(board, "mines")
    rows = written_rows(board, _WRITTEN)
    return "\n".join((f"{board.cols}x{board.rows}x{total_of(board)}", *rows)) + "\n"
