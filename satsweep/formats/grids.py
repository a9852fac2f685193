"""Grids in texts: rows of symbols with their places, rows of bits, and the numbers that belong to a layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import BoardError
from satsweep.layout import Layout
from satsweep.text import check_cells

NUMBERS = dict(zip("012345678", ".12345678", strict=True))
"""The digits that files show, and the symbols of a board for them."""


class Line(NamedTuple):
    """A line of a text: its number, from 1, and what it holds, without blanks at its end."""

    number: int
    text: str

    def fail(self, message: str, column: int = 1) -> BoardError:
        """A complaint about this line, to be raised."""
        return BoardError(message, line=self.number, column=column)


def lines_of(text: str) -> list[Line]:
    """The lines of a text."""
    return [Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]


@contextmanager
def standing(line: int, column: int = 1) -> Iterator[None]:
    """Give BoardErrors from within this place, unless they have one."""
    try:
        yield
    except BoardError as error:
        if error.line is None:
            error.line, error.column = line, column
        raise


@contextmanager
def in_rows(lines: Sequence[Line], line: int) -> Iterator[None]:
    """Give BoardErrors about a cell the place of the cell, and others the line that is named."""
    try:
        yield
    except BoardError as error:
        if error.line is None and isinstance(error.at, tuple):
            error.line, error.column = lines[error.at[0]].number, error.at[1] + 1
        elif error.line is None:
            error.line, error.column = line, 1
        raise


def rows_of(lines: Sequence[Line], rows: int, cols: int, symbols: Mapping[str, str], end: int) -> list[str]:
    """The first so many lines as rows of so many symbols, each translated. ``end`` is the line where rows may end."""
    found = []
    for line in lines[:rows]:
        for column, symbol in enumerate(line.text, 1):
            if column > cols:
                break
            if symbol not in symbols:
                raise line.fail(f"expected one of {' '.join(symbols)}, found {symbol!r}", column)
        if len(line.text) != cols:
            raise line.fail(f"expected a row of {cols}, found {len(line.text)}", min(cols, len(line.text)) + 1)
        found.append("".join(map(symbols.__getitem__, line.text)))
    if len(found) < rows:
        raise BoardError(f"expected {rows} rows, found {len(found)}", line=end, column=1)
    return found


def size_at(cols: int, rows: int, line: int, column: int = 1) -> None:
    """Raise BoardError with this place unless a board can have this size."""
    with standing(line, column):
        check_cells(rows, cols)


def written_rows(board: Board, symbols: Mapping[str, str]) -> list[str]:
    """The rows of a board in the symbols of a format. Raises BoardError for a symbol that it does not have."""
    table = {**{symbol: digit for digit, symbol in NUMBERS.items()}, **symbols}
    for row, line in enumerate(board.cells):
        for col, symbol in enumerate(line):
            if symbol not in table:
                message = f"expected no {_WORDS.get(symbol, symbol)}, found one at {row},{col}"
                raise BoardError(f"{message}: this format has no sign for it", at=(row, col))
    return ["".join(map(table.__getitem__, line)) for line in board.cells]


_WORDS = {COVERED: "covered cell", FLAG: "flag", MINE: "known mine"}


def layout_of(bits: str, rows: int, cols: int, start: tuple[int, int] | None = None) -> Layout:
    """A layout of row-major bits, 1 for a mine; more bits than cells are not looked at."""
    signs = bits[: rows * cols].translate({ord("0"): ".", ord("1"): MINE})
    return Layout((signs[first : first + cols] for first in range(0, rows * cols, cols)), start=start)


def bits_of(layout: Layout) -> str:
    """The row-major bits of a layout."""
    return layout.symbols.translate({ord("."): "0", ord(MINE): "1"})


def numbers_of(cells: Sequence[str]) -> list[str]:
    """For rows of ``*`` and other symbols on the square grid, each row as digits and ``*``."""
    blank = " " * len(cells[0])
    found = []
    for row, line in enumerate(cells):
        above, below = (cells[near] if 0 <= near < len(cells) else blank for near in (row - 1, row + 1))
        counts = [(above[col], line[col], below[col]).count(MINE) for col in range(len(line))]
        sums = [sum(counts[max(col - 1, 0) : col + 2]) for col in range(len(line))]
        found.append("".join(MINE if line[col] == MINE else str(sums[col]) for col in range(len(line))))
    return found
