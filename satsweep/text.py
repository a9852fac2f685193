"""The text form shared by boards and layouts: header lines, then one line a row.

::

    // a comment
    mines 3
    ##1.
    ##21
    ####

A header line is a key, blanks, a value. Blank lines may stand around the rows, not between them. Rows may be drawn in
other signs, too (``satsweep.pasted``), and some of these mean one thing or another, as the board decides
(``satsweep.handwritten``). Values check themselves when they are built and name the part that is wrong;
``TextForm.places`` turns that name into the line and column of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from io import StringIO
from operator import index
from typing import NamedTuple

from satsweep.arguments import integer, short_repr
from satsweep.errors import BoardError, SatsweepError
from satsweep.handwritten import FirstLine, covered_sign, on_board, on_layout, unambiguous
from satsweep.pasted import DrawnRow, Pen, is_rule, may_be_row, numbered_rows

MAX_CELLS = 1_000_000
MAX_LINE = 500
"""Most characters of an error's line that are kept."""

_KEYS = ("mines", "density", "start", "topology", "clues", "part")
_USUAL = ("None", "square", "exact", "none")
_KEY = re.compile(r"[A-Za-z][A-Za-z_-]+")
_ROW_LETTERS = frozenset("FHMx")
_TOTAL = re.compile(r"\d{1,12}", re.ASCII)
_DIGITS = r"\d{1,1100}"  # as many as the smallest float needs
_DECIMAL = re.compile(
    rf"({_DIGITS}(\.({_DIGITS})?)?|\.{_DIGITS})(e-?\d{{1,3}})?|{_DIGITS}/{_DIGITS}", re.ASCII | re.IGNORECASE
)


def header_of(grid: object) -> dict[str, object]:
    """Values of a board or layout beside its rows that are not as usual, by key."""
    found = {key: getattr(grid, key, None) for key in _KEYS}
    return {key: value for key, value in found.items() if str(value) not in _USUAL}


def text_of(grid: object, rows: Sequence[str]) -> str:
    """The text form of a board or layout with these rows."""
    return "\n".join((*(f"{key} {value}" for key, value in header_of(grid).items()), *unambiguous(rows)))


@dataclass(frozen=True, slots=True)
class TextForm:
    """A text taken apart: rows and header values, each with its place."""

    drawn: tuple[DrawnRow, ...]
    header: dict[str, str]
    header_places: dict[str, tuple[int, int]]
    remarks: tuple[str, ...] = ()
    """How it was read, a sentence each, where it has several meanings."""

    @property
    def rows(self) -> tuple[str, ...]:
        """Symbols of each row."""
        return tuple(row.symbols for row in self.drawn)

    @property
    def letters(self) -> bool:
        """True if lower-case letters may be numbers above 9.

        The usual topology and clues have none.
        """
        return not self.header.keys().isdisjoint(("topology", "clues"))

    @classmethod
    def parse(cls, text: str, keys: Sequence[str]) -> TextForm:
        """Take a text apart. Raises BoardError for the text of no board or layout."""
        lines = text.removeprefix("\ufeff").splitlines()
        said = [line for line in lines if line.strip() and not line.lstrip().startswith("//")]
        if said and not any(_Header.is_known(line) or may_be_row(line) for line in said):
            message = "expected a board: rows of # for covered cells, . and digits for open ones"
            raise BoardError(message, line=1, column=1)
        first = FirstLine.of(list(_rows_among(lines)))
        try:
            if numbered := numbered_rows(lines):
                return cls(tuple(numbered), {}, {})._with_headers_among(lines, keys)
        except BoardError:
            if first is None or first.problem:
                raise
        return cls._strictly(lines, keys, first)

    def on_board(self) -> TextForm:
        """The form with the symbols of a board.

        Raises BoardError for two signs that would both be covered cells.
        """
        covered = covered_sign(self.drawn, letters=self.letters)
        remarks = self.remarks if covered is None else (f"read {covered} as covered cells", *self.remarks)
        return replace(self, drawn=on_board(self.drawn, covered), remarks=remarks)

    def on_layout(self) -> TextForm:
        """The form with the symbols of a layout."""
        return replace(self, drawn=on_layout(self.drawn, letters=self.letters))

    @classmethod
    def remarks_on(cls, text: str) -> tuple[str, ...]:
        """How a text is read as a board, where it has several meanings."""
        try:
            return cls.parse(text, _KEYS).on_board().remarks
        except BoardError:
            return ()

    @classmethod
    def _strictly(cls, lines: Sequence[str], keys: Sequence[str], first: FirstLine | None) -> TextForm:
        """Take lines apart that have headers and rows and nothing else."""
        pen, rows, ended = Pen(), list[DrawnRow](), False
        header: dict[str, str] = {}
        form = cls((), header, {}, () if first is None else (first.remark,))
        for line, content in enumerate(lines, 1):
            row = content.strip()
            if first is not None and line == first.line:
                if first.problem:
                    raise BoardError(first.problem, line=line, column=first.columns[0])
                if first.mines is not None:
                    total, column = first.mines
                    form._add(_Header("mines", total, column, column), line, keys)
                continue
            if not row:
                ended = bool(rows)
            elif row.startswith("//") or is_rule(row):
                continue
            elif found := _Header.of(content):
                form._add(found, line, keys, late=bool(rows))
            elif ended:
                raise BoardError("expected rows without a blank line between them", line=line, column=1)
            else:
                rows.append(pen.row(content, line))
        return replace(form, drawn=tuple(rows))

    def _with_headers_among(self, lines: Sequence[str], keys: Sequence[str]) -> TextForm:
        """Add the header lines among others; ``solve`` wraps long values below themselves."""
        for line, content in enumerate(lines, 1):
            found = _Header.of(content) if content.strip() else None
            if found is not None and found.key in keys and (found.key != "mines" or _TOTAL.fullmatch(found.value)):
                parts, place = [found.value], found.value_column - 1
                while place > found.column + len(found.key) and line < len(lines) and _indent(lines[line]) == place:
                    parts.append(lines[line].strip())
                    line += 1
                self._add(found._replace(value=" ".join(parts)), line - len(parts) + 1, keys)
        return self

    def _add(self, found: _Header, line: int, keys: Sequence[str], late: bool = False) -> None:
        """Add a header line. Raises BoardError for one that should not be there."""
        problem = None
        if late:
            problem = "expected header lines before the first row"
        elif found.key not in keys:
            problem = f"expected a key among {', '.join(keys)}, found {found.key[:40]!r}"
        elif found.key in self.header:
            problem = f"expected {found.key!r} once, found it again"
        if problem:
            raise BoardError(problem, line=line, column=found.column)
        self.header[found.key] = found.value
        self.header_places[found.key] = (line, found.value_column)

    @classmethod
    def shows_all_mines(cls, text: str) -> bool:
        """Return whether a text is likelier meant as a layout than as a board."""
        try:
            rows = cls.parse(text, _KEYS).rows
        except BoardError:
            return False
        symbols = set().union(*rows)
        return not symbols.isdisjoint(".*M") and symbols.isdisjoint("#0123456789F?xH!~")

    @contextmanager
    def places(self) -> Iterator[None]:
        """Add line and column to BoardErrors raised within.

        The field ``at`` of the error names the part of the value that is wrong.
        """
        try:
            yield
        except BoardError as error:
            if isinstance(error.at, tuple):
                row = self.drawn[error.at[0]]
                error.line, error.column = row.line, row.columns[error.at[1]]
            else:
                error.line, error.column = self.header_places.get(error.at or "", (1, 1))
            raise


class _Header(NamedTuple):
    """A header line: key and value, with their columns."""

    key: str
    value: str
    column: int
    value_column: int

    @classmethod
    def of(cls, content: str) -> _Header | None:
        """Return the header in a line; None for a row, which may begin with letters."""
        key, *rest = content.split(None, 1)
        if not rest or not _KEY.fullmatch(key) or _ROW_LETTERS.issuperset(key):
            return None
        value = rest[0].rstrip()
        return cls(key, value, content.index(key) + 1, len(content.rstrip()) - len(value) + 1)

    @classmethod
    def is_known(cls, content: str) -> bool:
        """Return whether a line is a header with a key of boards or layouts."""
        found = cls.of(content) if content.strip() else None
        return found is not None and found.key in _KEYS


def _rows_among(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Lines that are no headers, comments or rules of a box, with their numbers."""
    for line, content in enumerate(lines, 1):
        row = content.strip()
        if row and not row.startswith("//") and not is_rule(row) and _Header.of(content) is None:
            yield line, content


def _indent(content: str) -> int:
    """Number of blanks at the start of a line."""
    return len(content) - len(content.lstrip())


def symbol_rows(
    cells: object, symbols: Mapping[int | None, str], expected: str, *, booleans: bool = False
) -> tuple[str, ...]:
    """Return rows of symbols; lists, arrays and data frames are read cell by cell.

    A cell is its symbol or an integer of the table, which has None for cells without a value, if they may be.
    ``booleans`` may stand for 0 and 1. Raises BoardError at an integer that the table does not have and at a boolean
    that stands for none, TypeError for anything else.
    """
    if hasattr(cells, "to_numpy"):
        cells = cells.to_numpy()
    cells = cells.tolist() if hasattr(cells, "tolist") else cells
    if not isinstance(cells, Iterable):
        raise TypeError(f"expected rows of symbols or of integers, or text, found {short_repr(cells)}")
    return tuple(
        row if isinstance(row, str) else _symbols_of(number, row, symbols, expected, booleans)
        for number, row in enumerate(cells)
    )


def _symbols_of(number: int, row: object, symbols: Mapping[int | None, str], expected: str, booleans: bool) -> str:
    if not isinstance(row, Iterable):
        raise TypeError(f"expected rows of symbols or of integers, found {short_repr(row)} as row {number}")
    found = []
    for col, value in enumerate(row):
        try:
            if isinstance(value, bool) and not booleans:
                raise KeyError
            found.append(_symbol_of(value, symbols))
        except KeyError:
            raise BoardError(f"expected {expected}, found {value}", at=(number, col)) from None
        except TypeError:
            raise TypeError(
                f"expected symbols or integers, found {short_repr(value)} at row {number}, column {col}"
            ) from None
    return "".join(found)


def _symbol_of(value: object, symbols: Mapping[int | None, str]) -> str:
    """The symbol of one cell. Raises KeyError or TypeError if it has none."""
    if isinstance(value, str | bytes) and len(value) == 1:
        return value if isinstance(value, str) else value.decode("latin-1")
    if None in symbols and str(value) in ("None", "nan", "<NA>"):
        return symbols[None]
    if isinstance(value, float) and value.is_integer():  # a column that also has NaN is one of floats
        return symbols[int(value)]
    return symbols[index(value)]  # type: ignore[arg-type]


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


def csv_text(*lines: Iterable[object]) -> str:
    """Lines of CSV; None is empty."""
    import csv

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def check_cells(rows: int, cols: int) -> None:
    """Raise BoardError unless a board can have this size."""
    if rows < 1 or cols < 1:
        raise BoardError(f"expected at least one row and one column, found {rows}x{cols}")
    if rows * cols > MAX_CELLS:
        raise BoardError(f"expected at most {MAX_CELLS:,} cells, found {rows:,} rows of {cols:,}")


def check_total(mines: object, cells: int, asked: str = "") -> int:
    """The integer that a mine total is.

    Raises BoardError unless ``cells`` cells have room for it; of too great a total the question ``asked`` is asked.
    """
    total = integer(mines)
    if total is None:
        raise BoardError(f"expected the mine total as an integer, found {mines!r}", at="mines")
    if not 0 <= total <= cells:
        more = f"; {asked}" if asked and total > cells else ""
        expected = f"expected a mine total between 0 and the {counted(cells, 'cell')}"
        raise BoardError(f"{expected}, found {total}{more}", at="mines")
    return total


def check_start(start: tuple[int, int], rows: int, cols: int) -> None:
    """Raise BoardError unless this is a cell of the grid, where play can start."""
    row, col = start
    if not (0 <= row < rows and 0 <= col < cols):
        raise BoardError(f"expected a start on the {rows}x{cols} grid, found {row},{col}", at="start")


def parse_total(text: str) -> int:
    """A mine total, read from its text."""
    if not _TOTAL.fullmatch(text):
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


def printable(text: str) -> str:
    """Text in one line, with control characters and lone surrogates escaped.

    >>> printable("a\\nb"), printable("\\ud800")
    ('a\\\\nb', '\\\\ud800')
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


_COLOUR = r"\x1b(?!\[[0-9;]*m)"
_HARMFUL = r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]|\r(?!\n)"
_WITH_COLOURS, _WITHOUT = re.compile(f"{_HARMFUL}|{_COLOUR}"), re.compile(f"{_HARMFUL}|\x1b")


def harmless(text: str, *, colours: bool = False) -> str:
    """Text of others, with what steers a terminal or breaks XML escaped.

    Line ends and tabs stay. Escaped are control characters, lone surrogates, and what turns the direction of text.
    With ``colours`` codes of colours stay.

    >>> harmless("a\\x1b[2Jb\\n"), harmless("\\x1b[1ma", colours=True) == "\\x1b[1ma"
    ('a\\\\x1b[2Jb\\n', True)
    """
    return (_WITH_COLOURS if colours else _WITHOUT).sub(lambda found: ascii(found[0])[1:-1], text)


def error_text(error: BaseException) -> str:
    """Text of an error; its class may be anyone's, and may fail to give one."""
    try:
        return str(error)
    except Exception:
        return "(an error without a text)"


def error_line(error: BaseException) -> str:
    """First line of an error's text, fit for files; with its kind unless it is ours.

    >>> error_line(BoardError("no rows")), error_line(ValueError("a\\ud800\\nb")), error_line(SystemExit())
    ('no rows', 'ValueError: a\\\\ud800', 'SystemExit')
    """
    first, _, _ = error_text(error)[: 4 * MAX_LINE].partition("\n")
    kind = "" if isinstance(error, SatsweepError) else f"{type(error).__name__}{first and ': '}"
    return printable(f"{kind}{first}"[:MAX_LINE])
