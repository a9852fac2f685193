"""Pasted drawings of boards: symbols for their signs, and the place of each.

A row may have blanks between its cells, a box around them, and emoji, squares or keycaps in place of symbols. Where
columns and rows are numbered, as in what ``satsweep solve``, ``play`` and ``explain`` print, everything around the
drawing is passed over, labels of risks are covered cells, and of several boards the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from satsweep.errors import BoardError

_COVERED = "#⬜⬛◻◼◽◾▫▪□■▢▣🔲🔳🟥🟧🟨🟩🟦🟪🟫░▒▓█＃"
_SIGNS = {
    **dict.fromkeys(_COVERED, "#"),
    **dict.fromkeys("❓❔", "#"),
    **dict.fromkeys("🚩⚑⚐🏴❌", "F"),
    **dict.fromkeys("💣💥☠✹＊", "*"),
    **dict.fromkeys("·∙⋅‧", "."),
    **dict(zip("０１２３４５６７８", ".12345678", strict=True)),
    **dict(zip("⓪①②③④⑤⑥⑦⑧", ".12345678", strict=True)),
}
_SELECTORS = "\ufe0e\ufe0f\u20e3"  # they choose how the sign before them looks
_WALLS = "|│┃║╎╏┆┇┊┋"
_WALL = re.compile(f"[{_WALLS}]")
_MARKS = str.maketrans(dict.fromkeys(f"{_WALLS}[]()>", " "))
_RULE = re.compile(r"\+(?:[-=]+\+)+|\|(?:[-=:]{3,}\|)+|(?=.*[─━═┄┅┈┉╌╍])[\s\u2500-\u257f]+")
_WORD = re.compile(r"\S+")
_RISK = re.compile(r"\d[\d%]|ok|XX|<1|\?\?", re.ASCII)
_BARE = str.maketrans(dict.fromkeys(_SELECTORS))
_NO_WALLS = str.maketrans(dict.fromkeys(_WALLS, " "))
_LABEL = re.compile(r"0|[1-9]\d{0,6}|[A-Za-z]", re.ASCII)
_CELLS = frozenset(f"#.0123456789*F?xHM!~{_WALLS}").union(_SIGNS)
_STEP = 5
"""Numbers of columns that have no room for each are multiples of this."""


class DrawnRow(NamedTuple):
    """A row of symbols with its line, and the column of each symbol and of the end."""

    symbols: str
    line: int
    columns: Sequence[int]


class _Cell(NamedTuple):
    """A piece of a line that stands for a cell, and its column."""

    text: str
    column: int


class Pen:
    """Reader of the rows of one board, in which one sign means a covered cell."""

    def __init__(self) -> None:
        self.square: _Cell | None = None

    def row(self, content: str, line: int) -> DrawnRow:
        """Read a row.

        Raises BoardError for an empty cell of a box, or a second kind of square.
        """
        row = content.strip()
        first = len(content) - len(content.lstrip()) + 1
        if row.isascii() and " " not in row and "|" not in row and "\t" not in row:
            if "#" in row:
                self._check_square(_Cell("#", first + row.index("#")), line)
            return DrawnRow(row, line, range(first, first + len(row) + 1))
        _check_walls(content, line)
        cells = (_Cell(sign, at) for at, sign in enumerate(content.translate(_NO_WALLS), 1) if not sign.isspace())
        return self.row_of_cells([cell for cell in cells if cell.text not in _SELECTORS], line, first + len(row))

    def row_of_cells(self, cells: Sequence[_Cell], line: int, end: int) -> DrawnRow:
        """Read a row of which the cells are known."""
        symbols = []
        for cell in cells:
            symbols.append(_SIGNS.get(cell.text, cell.text) if len(cell.text) == 1 else "#")
            if cell.text in _COVERED:
                self._check_square(cell, line)
        return DrawnRow("".join(symbols), line, [*(cell.column for cell in cells), end])

    def _check_square(self, cell: _Cell, line: int) -> None:
        self.square = self.square or cell
        if cell.text != self.square.text:
            message = f"expected {self.square.text!r} for every covered cell, found {cell.text!r}"
            raise BoardError(message, line=line, column=cell.column)


def _check_walls(content: str, line: int) -> None:
    """Raise BoardError for a cell between two walls that has no sign."""
    walls = [found.start() for found in _WALL.finditer(content)]
    for left, right in pairwise(walls):
        if not content[left + 1 : right].strip():
            raise BoardError("expected a sign in every cell, found an empty one", line=line, column=left + 2)


def may_be_row(content: str) -> bool:
    """Return whether at least half of the signs in a line can stand for cells."""
    signs = "".join(content.split())
    return bool(signs) and 2 * sum(sign in _CELLS for sign in signs) >= len(signs)


def words_of(content: str) -> list[str]:
    """Pieces of a row between blanks and walls, a character a cell."""
    return content.translate(_NO_WALLS).translate(_BARE).split()


def is_rule(content: str) -> bool:
    """Return whether a line is a horizontal line of a box, without cells."""
    row = content.strip()
    return (row[:1] in "+|" or row[:1] >= "\u2500") and _RULE.fullmatch(row) is not None


def numbered_rows(lines: Sequence[str]) -> list[DrawnRow] | None:
    """Rows of the last board with numbered columns and rows; None without one.

    Raises BoardError for a board that is not whole.

    >>> [row.symbols for row in numbered_rows(["  0 1 2", "0 # 1 .", "1 1 1 ."])]
    ['#1.', '11.']
    """
    blocks: list[list[DrawnRow]] = []
    pen, width, at = Pen(), 0, 0
    while at < len(lines):
        at += 1
        heading = _Heading.of(lines[at - 1])
        found = [] if heading is None else list(_labelled_rows(lines, at, heading))
        if heading is None or not found:
            continue
        if heading.first in _ORIGINS:
            blocks, pen, width = [], Pen(), 0
        elif heading.first != str(width) or len(found) != len(blocks[0]):
            message = f"expected a whole board, found its columns from {heading.first} on"
            raise BoardError(message, line=at, column=1)
        if found[0].label not in (("0",) if heading.first == "0" else _ORIGINS):
            message = f"expected a whole board, found its rows from {found[0].label} on"
            raise BoardError(message, line=found[0].line, column=1)
        blocks.append([pen.row_of_cells(row.cells, row.line, len(lines[row.line - 1].rstrip()) + 1) for row in found])
        width += len(found[0].cells)
        at = found[-1].line
    return [_joined(parts) for parts in zip(*blocks, strict=True)] or None


_ORIGINS = ("0", "1", "A", "a")
"""First labels of rows and columns."""


def _joined(parts: Sequence[DrawnRow]) -> DrawnRow:
    """Row of a map that was too wide: its parts stand one below the other."""
    columns = [column for part in parts for column in part.columns[: len(part.symbols)]]
    return DrawnRow("".join(part.symbols for part in parts), parts[-1].line, [*columns, parts[-1].columns[-1]])


class _LabelledRow(NamedTuple):
    """A row of a numbered drawing: its line, its label, its cells."""

    line: int
    label: str
    cells: list[_Cell]


class _Heading(NamedTuple):
    """Labels of columns: the first, their number, their step, ends of the first two."""

    first: str
    labels: int
    step: int
    ends: tuple[int, ...]

    @classmethod
    def of(cls, content: str) -> _Heading | None:
        """Return the labels of a line; None if it has anything else."""
        row = content.lstrip()
        if not (row[:1].isalnum() or row[:1] in _WALLS):
            return None
        words = list(_WORD.finditer(content.translate(_NO_WALLS)))
        labels = [found[0] for found in words]
        if not labels or not all(map(_LABEL.fullmatch, labels)):
            return None
        step = 1
        if len(labels) > 1 and labels[0].isdigit() and labels[1].isdigit():
            step = int(labels[1]) - int(labels[0])
        if step not in (1, _STEP) or any(_after(one, step) != other for one, other in pairwise(labels)):
            return None
        return cls(labels[0], len(labels), step, tuple(found.end() for found in words[:2]))

    def cells(self, content: str) -> tuple[str, list[_Cell]] | None:
        """Label and cells of a row, perhaps without blanks between; None if it is none."""
        words = list(_WORD.finditer(content.translate(_MARKS)))
        if len(words) > 1:
            cells = [_Cell(found[0].translate(_BARE), found.start() + 1) for found in words[1:]]
            if self._fits(cells):
                return words[0][0], cells
        across = (self.ends[-1] - self.ends[0]) // self.step
        margin = self.ends[0] - across
        if across < 1 or margin < 1:
            return None
        places = range(margin, len(content.rstrip(" )]")), across)
        pieces = (content[place : place + across].translate(_MARKS).strip() for place in places)
        cells = [_Cell(piece.translate(_BARE), place + 1) for piece, place in zip(pieces, places, strict=True)]
        return (content[:margin].strip(), cells) if self._fits(cells) else None

    def _fits(self, cells: Sequence[_Cell]) -> bool:
        """Return whether a row under these labels can have these cells."""
        right = self.labels == -(-len(cells) // self.step)
        return right and all(len(cell.text) == 1 or _RISK.fullmatch(cell.text) for cell in cells)


def _labelled_rows(lines: Sequence[str], at: int, heading: _Heading) -> Iterator[_LabelledRow]:
    """Rows below a heading."""
    label = None
    for index in range(at, len(lines)):
        if not lines[index].strip() or is_rule(lines[index]):
            continue
        found = heading.cells(lines[index])
        if found is None or not _LABEL.fullmatch(found[0]) or (label is not None and found[0] != _after(label)):
            return
        label = found[0]
        yield _LabelledRow(index + 1, *found)


def _after(label: str, step: int = 1) -> str:
    """The label that follows another one."""
    return str(int(label) + step) if label.isdigit() else chr(ord(label) + step)
