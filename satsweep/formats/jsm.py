"""Text of JSMinesweeper, ``.mine``: a position.

The first line is ``WIDTHxHEIGHTxMINES``, then comes one line a row.

``H`` is hidden, ``F`` and ``O`` are flags, ``?`` is a mine that blew up or is shown, ``I`` one that is known though it
is hidden; ``0`` to ``8`` are numbers. Lines after the rows do not matter.
"""

import re

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds, total_of
from satsweep.formats.grids import SYMBOL_OF_DIGIT, check_size_at, errors_in_rows, lines_of, read_rows, write_rows

_HEAD = re.compile(r"(\d{1,9})x(\d{1,9})x(\d{1,9})[ \t]*\r?(?:\n|\Z)", re.ASCII)
_SYMBOLS = {**SYMBOL_OF_DIGIT, "H": COVERED, "F": FLAG, "O": FLAG, "I": MINE, "?": MINE}
_WRITTEN = {COVERED: "H", FLAG: "F", MINE: "?"}


def recognises(text: str) -> bool:
    """Return whether a text begins with a line of three numbers with an x between."""
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
    check_size_at(cols, rows, 1)
    lines = lines_of(text)
    grid = read_rows(lines[1:], rows, cols, _SYMBOLS, len(lines))
    with errors_in_rows(lines[1:], 1):
        try:
            return Board(grid, mines=mines)
        except BoardError as error:
            if error.at == "mines":
                error.line, error.column = 1, found.start(3) + 1
            raise


def write(board: Board) -> str:
    """Write a position.

    Raises BoardError without a mine total, and for all else that this format cannot hold.
    """
    check_holds(board, "mines")
    rows = write_rows(board, _WRITTEN)
    return "\n".join((f"{board.cols}x{board.rows}x{total_of(board)}", *rows)) + "\n"
