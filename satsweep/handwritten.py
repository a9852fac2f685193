"""Boards by hand: signs of several meanings, numbers on the first line.

The board decides what such a sign means. A square (``#``) is always a covered cell. In a text without any, ``?``, ``x``
or ``H`` is, whichever it has. Beside squares ``?`` is an open cell that shows nothing; ``~`` is one in every text.

A first line of one to three numbers that cannot be a row is the mine total, or the numbers of rows and columns, perhaps
with the total.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from satsweep.errors import BoardError
from satsweep.pasted import DrawnRow, words_of

_NUMBER = re.compile(r"0|[1-9]\d{0,11}", re.ASCII)


def covered_sign(rows: Sequence[DrawnRow], *, letters: bool) -> str | None:
    """Sign of covered cells in a text without squares; None if it has none.

    ``letters`` tells that lower-case letters are numbers. Raises BoardError for a second such sign.
    """
    if any("#" in row.symbols for row in rows):
        return None
    found = None
    signs = {"?", "H"} if letters else {"?", "x", "H"}
    for row in rows:
        for sign in sorted(signs.intersection(row.symbols), key=row.symbols.index):
            found = found or sign
            if sign != found:
                column = row.columns[row.symbols.index(sign)]
                message = f"expected {found!r} for every covered cell, found {sign!r}"
                raise BoardError(message, line=row.line, column=column)
    return found


def on_board(rows: Iterable[DrawnRow], covered: str | None) -> tuple[DrawnRow, ...]:
    """Rows with the symbols of boards, where this sign is that of covered cells."""
    signs = "!M~" if covered is None else f"!M~{covered}"
    table = str.maketrans(signs, "F*?#"[: len(signs)])
    return tuple(row._replace(symbols=row.symbols.translate(table)) for row in rows)


def on_layout(rows: Iterable[DrawnRow], *, letters: bool) -> tuple[DrawnRow, ...]:
    """Rows with the symbols of layouts; ``letters`` as above."""
    table = str.maketrans("M" if letters else "Mx", "*" if letters else "**")
    return tuple(row._replace(symbols=row.symbols.translate(table)) for row in rows)


def unambiguous(rows: Sequence[str]) -> tuple[str, ...]:
    """Rows as texts have them: ``~`` in place of ``?`` where no cell is ``#``.

    >>> unambiguous(("?1",)), unambiguous(("?#",))
    (('~1',), ('?#',))
    """
    return tuple(rows) if any("#" in row for row in rows) else tuple(row.replace("?", "~") for row in rows)


class FirstLine(NamedTuple):
    """Numbers on the first line, with their columns.

    They are the mine total, or the size, perhaps with the total.
    """

    line: int
    numbers: tuple[int, ...]
    columns: tuple[int, ...]
    problem: str = ""

    @classmethod
    def of(cls, contents: Sequence[tuple[int, str]]) -> FirstLine | None:
        """Numbers on the first of some numbered lines; None if it is a row, or may be one.

        A size that is not that of the rows below is told as ``problem``.
        """
        if len(contents) < 2:
            return None
        line, content = contents[0]
        words = list(re.finditer(r"\S+", content))
        if len(words) > 3 or not all(_NUMBER.fullmatch(word[0]) for word in words):
            return None
        first = cls(line, tuple(int(word[0]) for word in words), tuple(word.start() + 1 for word in words))
        cells = sum(len(word[0]) for word in words)
        below = words_of(contents[1][1])
        width = sum(map(len, below))
        if cells != width and len(words) == 1:
            return first
        if len(words) == 1 or any(sum(map(len, words_of(row))) != width for _, row in contents[1:]):
            return None
        height, numbers = len(contents) - 1, first.numbers
        if cells == width:
            fits = numbers[:2] == (height, width) and (len(numbers) == 2 or numbers[2] <= height * width)
            return first if fits and len(words) != len(below) else None
        if numbers[:2] == (height, width):
            return first
        message = f"expected {width} cells as in the next row, or {height} {width} for its rows and columns"
        return first._replace(problem=f"{message}, found {content.strip()[:40]!r}")

    @property
    def mines(self) -> tuple[str, int] | None:
        """The mine total as text, and its column; None without one."""
        return None if len(self.numbers) == 2 else (str(self.numbers[-1]), self.columns[-1])

    @property
    def remark(self) -> str:
        """How the line was read."""
        meaning = ("the mine total", "rows and columns", "rows, columns and the mine total")[len(self.numbers) - 1]
        return f"read the first line as {meaning}"
