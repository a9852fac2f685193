"""A board in a game, as rows of styled text: what a player sees, with the cells that have just been opened marked.

Every second row of hexagons is shifted by half a cell, and an empty line is between planes.
The colours of the numbers are those of Okabe and Ito (2008), which most people can tell apart; the digits say the
same without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from satsweep.board import COVERED, FLAG, HIDDEN, MINE, Board
from satsweep.topology import Topology

Line = list[tuple[str, str]]
"""Pieces of text, each with a rich style."""

JUST_OPENED = "bold #ffffff on #0072b2"
_STYLES = {
    ".": "dim",
    COVERED: "#000000 on #b8b8b8",
    FLAG: "bold #000000 on #e69f00",
    MINE: "bold #ffffff on #a0300a",
    HIDDEN: "italic #000000 on #e8e8e8",
    "1": "#56b4e9",
    "2": "#009e73",
    "3": "#d55e00",
    "4": "#cc79a7",
    "5": "#e69f00",
    "6": "bold #56b4e9",
    "7": "bold #cc79a7",
    "8": "bold #d55e00",
}
_GREATER = "bold #009e73"


def drawn(
    board: Board,
    *,
    rows: range | None = None,
    columns: range | None = None,
    across: int = 2,
    opened: Collection[tuple[int, int]] = (),
) -> Iterator[Line]:
    """The board, or some rows and columns of it, under a line that numbers the columns.

    >>> for line in drawn(Board(("1#", "##"))):
    ...     print("".join(piece for piece, _ in line))
      0 1
    0 1 #
    1 # #
    """
    rows, columns = rows or range(board.rows), columns or range(board.cols)
    margin = len(str(board.rows - 1))
    yield [(ruler(columns, margin, across), "dim")]
    for row in rows:
        if row > rows[0] and begins_plane(board.topology, board.rows, row):
            yield []
        pieces = [(f"{row:>{margin}}" + " " * shift(board.topology, board.rows, row, across), "dim")]
        for col in columns:
            symbol = board.cells[row][col]
            style = JUST_OPENED if (row, col) in opened else _STYLES.get(symbol, _GREATER)
            pieces += [(" " * (across - 1), ""), (symbol, style)] if across > 1 else [(symbol, style)]
        yield pieces


def shift(topology: Topology, rows: int, row: int, across: int) -> int:
    """By how many columns of text a row is shifted, where cells are so many wide."""
    return across // 2 * (topology.is_hexagonal and row % (rows // topology.planes) % 2)


def begins_plane(topology: Topology, rows: int, row: int) -> bool:
    """Whether a row is the first of a plane that is not the first."""
    return row > 0 and row % (rows // topology.planes) == 0


def ruler(columns: range, margin: int, across: int) -> str:
    """The numbers of the columns, or of every fifth where they would run together."""
    step = 1 if len(str(columns[-1])) < across else 5
    line = " " * margin
    for place, col in enumerate(columns, 1):
        if col % step == 0:
            line = line.ljust(margin + place * across - len(str(col))) + str(col)
    return line
