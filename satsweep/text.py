"""The text form shared by boards and layouts: header lines, then one line a row.

::

    // a comment
    mines 3
    ##1.
    ##21
    ####

A header line is a key, blanks, a value. Blank lines may stand around the rows, not between them. Values check
themselves when they are built and name the part that is wrong; ``TextForm.places`` turns that name into the
line and column of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from satsweep.errors import BoardError

MAX_CELLS = 1_000_000

_HEADER = re.compile(r"\s*([A-Za-z][\w-]*)\s+(\S.*?)\s*$")
_DIGITS = r"\d{1,1100}"  # as many as the smallest float needs
_DECIMAL = re.compile(
    rf"({_DIGITS}(\.({_DIGITS})?)?|\.{_DIGITS})(e-?\d{{1,3}})?|{_DIGITS}/{_DIGITS}", re.ASCII | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TextForm:
    """A text taken apart: rows and header values, each with its line and column."""

    rows: tuple[str, ...]
    row_places: tuple[tuple[int, int], ...]
    header: dict[str, str]
    header_places: dict[str, tuple[int, int]]

    @classmethod
    def parse(cls, text: str, keys: Sequence[str]) -> TextForm:
        """Take a text apart. Raises BoardError for the text of no board or layout."""
        rows: list[str] = []
        row_places: list[tuple[int, int]] = []
        header: dict[str, str] = {}
        header_places: dict[str, tuple[int, int]] = {}
        ended = False
        for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            row = content.strip()
            if row.startswith("//"):
                continue
            if not row:
                ended = bool(rows)
            elif found := _HEADER.match(content):
                problem = _header_problem(found[1], keys, header, bool(rows))
                if problem:
                    raise BoardError(problem, line=line, column=found.start(1) + 1)
                header[found[1]] = found[2]
                header_places[found[1]] = (line, found.start(2) + 1)
            elif ended:
                raise BoardError("expected rows without a blank line between them", line=line, column=1)
            else:
                rows.append(row)
                row_places.append((line, content.index(row) + 1))
        return cls(tuple(rows), tuple(row_places), header, header_places)

    @contextmanager
    def places(self) -> Iterator[None]:
        """Add line and column to BoardErrors raised within.

        The field ``at`` of the error names the part of the value that is wrong.
        """
        try:
            yield
        except BoardError as error:
            if isinstance(error.at, tuple):
                line, column = self.row_places[error.at[0]]
                error.line, error.column = line, column + error.at[1]
            else:
                error.line, error.column = self.header_places.get(error.at or "", (1, 1))
            raise


def _header_problem(key: str, keys: Sequence[str], header: dict[str, str], late: bool) -> str | None:
    if late:
        return "expected header lines before the first row"
    if key not in keys:
        return f"expected a key among {', '.join(keys)}, found {key[:40]!r}"
    return f"expected {key!r} once, found it again" if key in header else None


def check_grid(rows: Sequence[str], symbols: str, expected: str) -> None:
    """Raise BoardError unless the rows are a rectangle of known symbols.

    It must not be empty, nor larger than ``MAX_CELLS``.
    """
    if not rows or not rows[0]:
        raise BoardError(f"expected rows of {expected}, found none")
    cols = len(rows[0])
    check_cells(len(rows), cols)
    allowed = set(symbols)
    for row, line in enumerate(rows):
        if not allowed.issuperset(line):
            col = next(col for col, symbol in enumerate(line) if symbol not in allowed)
            raise BoardError(f"expected {expected}, found {line[col]!r}", at=(row, col))
        if len(line) != cols:
            message = f"expected {cols} cells as in the first row, found {len(line)}"
            raise BoardError(message, at=(row, min(cols, len(line))))


def counted(number: int, name: str, plural: str = "s") -> str:
    """A number of things, with the ending of the plural unless there is one.

    >>> counted(1, "guess", "es"), counted(2000, "cell")
    ('1 guess', '2,000 cells')
    """
    return f"{number:,} {name}{plural if number != 1 else ''}"


def check_cells(rows: int, cols: int) -> None:
    """Raise BoardError unless a board can have this size."""
    if rows < 1 or cols < 1:
        raise BoardError(f"expected at least one row and one column, found {rows}x{cols}")
    if rows * cols > MAX_CELLS:
        raise BoardError(f"expected at most {MAX_CELLS:,} cells, found {rows:,} rows of {cols:,}")


def check_total(mines: object, cells: int) -> None:
    """Raise BoardError unless this is a possible number of mines on ``cells`` cells."""
    if isinstance(mines, bool) or not isinstance(mines, int):
        raise BoardError(f"expected the mine total as an integer, found {mines!r}", at="mines")
    if not 0 <= mines <= cells:
        raise BoardError(f"expected a mine total between 0 and the {counted(cells, 'cell')}, found {mines}", at="mines")


def check_start(start: tuple[int, int], rows: int, cols: int) -> None:
    """Raise BoardError unless this is a cell of the grid, where play can start."""
    row, col = start
    if not (0 <= row < rows and 0 <= col < cols):
        raise BoardError(f"expected a start on the {rows}x{cols} grid, found {row},{col}", at="start")


def parse_total(text: str) -> int:
    """A mine total, read from its text."""
    if not re.fullmatch(r"\d{1,12}", text, re.ASCII):
        raise BoardError(f"expected the mine total as an integer, found {text[:40]!r}", at="mines")
    return int(text)


def to_density(density: Fraction | str | float) -> Fraction:
    """A density, exactly as written.

    The text 0.2 and the float 0.2 are both one fifth.
    """
    text = str(density)
    if _DECIMAL.fullmatch(text) and not re.search(r"/0+$", text):
        value = Fraction(text)
        if 0 < value < 1:
            return value
    raise BoardError(f"expected a density strictly between 0 and 1, found {text[:40]!r}", at="density")


def parse_cell(text: str) -> tuple[int, int]:
    """A cell, read from its text: row,col from 0."""
    found = re.fullmatch(r"(\d{1,6})\s*,\s*(\d{1,6})", text, re.ASCII)
    if not found:
        raise BoardError(f"expected a cell as row,col, found {text[:40]!r}", at="start")
    return int(found[1]), int(found[2])
