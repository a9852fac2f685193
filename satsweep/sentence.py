"""Sentences that remember which cells they name.

A sentence is a text: it prints, compares and is written as one. Beside that it has parts, words and names of cells, by
which the page counts cells as its user likes, and marks them: nothing searches a text for cells. Methods of ``str`` and
f-strings make text alone of a sentence, so longer ones are made of it by ``Sentence`` and ``joined``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class CellName(str):
    """Name of a cell, or of all cells in some ``rows`` and ``cols``.

    >>> CellName("rows 3 and 4, column 7", (3, 4), (7,)).cols
    (7,)
    """

    __slots__ = ("cols", "rows")
    rows: tuple[int, ...]
    cols: tuple[int, ...]

    def __new__(cls, text: str, rows: Sequence[int], cols: Sequence[int]) -> CellName:
        self = super().__new__(cls, text)
        self.rows, self.cols = tuple(rows), tuple(cols)
        return self

    def __getnewargs__(self) -> tuple[str, tuple[int, ...], tuple[int, ...]]:  # type: ignore[override]
        return str(self), self.rows, self.cols


class Sentence(str):
    """A text made of words, names of cells and other sentences.

    >>> said = Sentence("Open ", named((3, 7)), ".")
    >>> said, said.parts
    ('Open 3,7.', ('Open ', '3,7', '.'))
    """

    __slots__ = ("parts",)
    parts: tuple[str, ...]
    """Words and names of cells, none of them empty, and no words beside others."""

    def __new__(cls, *pieces: str) -> Sentence:
        parts = list[str]()
        for part in (part for piece in pieces for part in (piece.parts if isinstance(piece, Sentence) else (piece,))):
            if parts and not isinstance(part, CellName) and not isinstance(parts[-1], CellName):
                parts[-1] += part
            elif part:
                parts.append(part)
        self = super().__new__(cls, "".join(parts))
        self.parts = tuple(parts)
        return self

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.parts


def named(cell: tuple[int, int]) -> CellName:
    """Name of a cell as files count it: row,column."""
    row, col = cell
    return CellName(f"{row},{col}", (row,), (col,))


def joined(pieces: Iterable[str], between: str = " ") -> Sentence:
    """Some pieces with a text between them.

    >>> joined([named((0, 1)), named((0, 2))], " or ")
    '0,1 or 0,2'
    """
    return Sentence(*[part for piece in pieces for part in (between, piece)][1:])


def capitalised(words: str) -> Sentence:
    """A sentence that begins with a capital letter."""
    first, *rest = Sentence(words).parts or ("",)
    text = first[:1].upper() + first[1:]
    return Sentence(CellName(text, first.rows, first.cols) if isinstance(first, CellName) else text, *rest)
