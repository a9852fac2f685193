"""Grids in texts: rows of symbols with their places, bits, numbers of a layout."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import BoardError
from satsweep.layout import Layout
from satsweep.text import check_cells

SYMBOL_OF_DIGIT = dict(zip("012345678", ".12345678", strict=True))
"""Symbol of a board for each digit of a file."""


class Line(NamedTuple):
    """A line of a text without blanks at its end, and its number, from 1."""

    number: int
    text: str

    def error(self, message: str, column: int = 1) -> BoardError:
        return BoardError(message, line=self.number, column=column)

    @property
    def signs(self) -> str:
        """Signs of a row of cells, which may have blanks between them."""
        return self.text.replace(" ", "").replace("\t", "")

    def column(self, cell: int) -> int:
        """Column of a cell of the row; of the end, if it has fewer."""
        columns = [column for column, sign in enumerate(self.text, 1) if sign not in " \t"]
        return columns[cell] if cell < len(columns) else len(self.text) + 1


def lines_of(text: str) -> list[Line]:
    return [Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]


@contextmanager
def errors_in_rows(lines: Sequence[Line], line: int) -> Iterator[None]:
    """Add to BoardErrors the place of their cell, or else the start of ``line``."""
    try:
        yield
    except BoardError as error:
        if error.line is None and isinstance(error.at, tuple):
            error.line, error.column = lines[error.at[0]].number, lines[error.at[0]].column(error.at[1])
        elif error.line is None:
            error.line, error.column = line, 1
        raise


def read_rows(lines: Sequence[Line], rows: int, cols: int, symbols: Mapping[str, str], end: int) -> list[str]:
    """Read ``rows`` lines of ``cols`` symbols each, and translate the symbols.

    There may be blanks between them.

    Raises BoardError with the place; ``end`` is the number of the line at which too few rows are reported.
    """
    found = []
    for line in lines[:rows]:
        signs = line.signs
        for cell, sign in enumerate(signs[:cols]):
            if sign not in symbols:
                raise line.error(f"expected one of {' '.join(symbols)}, found {sign!r}", line.column(cell))
        if len(signs) != cols:
            raise line.error(f"expected a row of {cols}, found {len(signs)}", line.column(cols))
        found.append("".join(map(symbols.__getitem__, signs)))
    if len(found) < rows:
        raise BoardError(f"expected {rows} rows, found {len(found)}", line=end, column=1)
    return found


def check_size_at(cols: int, rows: int, line: int, column: int = 1) -> None:
    """Raise BoardError with this place if no board can have this size."""
    try:
        check_cells(rows, cols)
    except BoardError as error:
        error.line, error.column = line, column
        raise


def write_rows(board: Board, symbols: Mapping[str, str]) -> list[str]:
    """Rows of a board in the symbols of a format. Raises BoardError if it lacks one."""
    table = {**{symbol: digit for digit, symbol in SYMBOL_OF_DIGIT.items()}, **symbols}
    for row, line in enumerate(board.cells):
        for col, symbol in enumerate(line):
            if symbol not in table:
                message = f"expected no {_WORDS.get(symbol, symbol)}, found one at {row},{col}"
                raise BoardError(f"{message}: this format has no sign for it", at=(row, col))
    return ["".join(map(table.__getitem__, line)) for line in board.cells]


_WORDS = {COVERED: "covered cell", FLAG: "flag", MINE: "known mine"}


def layout_from_bits(bits: str, rows: int, cols: int, start: tuple[int, int] | None = None) -> Layout:
    """Layout of row-major bits, 1 for a mine; bits after the last cell are ignored."""
    return Layout.from_mines(rows, cols, {index for index, bit in enumerate(bits) if bit == "1"}, start)


def bits_of_layout(layout: Layout) -> str:
    """Row-major bits of a layout, 1 for a mine."""
    return layout.symbols.translate({ord("."): "0", ord(MINE): "1"})


def number_rows(cells: Sequence[str]) -> list[str]:
    """Rows of digits and ``*``, for rows on the square grid in which ``*`` is a mine."""
    blank = " " * len(cells[0])
    found = []
    for row, line in enumerate(cells):
        above, below = (cells[near] if 0 <= near < len(cells) else blank for near in (row - 1, row + 1))
        counts = [(above[col], line[col], below[col]).count(MINE) for col in range(len(line))]
        sums = [sum(counts[max(col - 1, 0) : col + 2]) for col in range(len(line))]
        found.append("".join(MINE if line[col] == MINE else str(sums[col]) for col in range(len(line))))
    return found
