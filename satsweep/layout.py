"""The true layout of the mines, which only the game knows.

Nothing that reasons about boards may import this module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from satsweep.board import COVERED, MINE, MOST_SHOWN, NUMBER_OF, NUMBERS, Board, Cell, Grid
from satsweep.errors import BoardError
from satsweep.mixins import Rendered, Stored
from satsweep.text import TextForm, check_grid, check_start, counted, parse_cell, parse_total, symbol_rows, text_of
from satsweep.topology import SQUARE, Topology, topology_named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SYMBOLS = ".*"
EXPECTED_SYMBOL = "one of . *"
_DIGITS = frozenset("012345678")
_NUMBERS = frozenset(NUMBERS[1:] + "0")


@dataclass(frozen=True, slots=True, repr=False)
class Layout(Rendered, Stored, Grid):
    """The mines of a grid, and perhaps the cell where play starts.

    The rows have ``*`` for a mine and ``.`` for a safe cell. They may also be lists or arrays of 1 and 0, or text as
    ``from_text`` reads it.

    >>> layout = Layout(("*..", "..."), start=(1, 2))
    >>> layout.mines, layout.number(Cell(0, 1)), layout.number(Cell(0, 0))
    (1, 1, None)
    >>> print(layout.board([Cell(0, 1), Cell(1, 2)]))
    mines 1
    #1#
    ##.

    Raises BoardError when the rows are empty, ragged or hold another symbol, the start is off the grid, or a grid of
    this size cannot have the topology.
    """

    cells: tuple[str, ...]
    start: Cell | None = None
    topology: Topology = SQUARE

    def __init__(
        self,
        cells: LayoutLike,
        start: tuple[int, int] | None = None,
        topology: Topology | str = SQUARE,
    ) -> None:
        if isinstance(cells, Board):
            raise TypeError("expected a Layout, found a Board: a board does not show its mines")
        if isinstance(cells, str | Layout):
            read = cells if isinstance(cells, Layout) else Layout.from_text(cells)
            cells = read.cells
            start = read.start if start is None else start
            topology = read.topology if topology is SQUARE else topology
        rows = symbol_rows(cells, dict(enumerate(SYMBOLS)), "0 (safe) or 1 (a mine)", booleans=True)
        check_grid(rows, SYMBOLS, EXPECTED_SYMBOL)
        object.__setattr__(self, "cells", rows)
        object.__setattr__(self, "topology", topology_named(topology))
        self.topology.check(len(rows), len(rows[0]))
        object.__setattr__(self, "start", None if start is None else Cell.of(start))
        if start is not None:
            check_start(start, self.rows, self.cols)

    @classmethod
    def of(cls, layout: LayoutLike) -> Layout:
        """The layout itself, or one from text, from rows, or from an array."""
        return layout if isinstance(layout, Layout) else cls(layout)

    def to_array(self) -> NDArray[np.int8]:
        """The mines as an array of 1 and 0, of the rows and columns.

        >>> Layout(("*..", "...")).to_array().tolist()
        [[1, 0, 0], [0, 0, 0]]
        """
        import numpy as np

        return np.array([[symbol == MINE for symbol in row] for row in self.cells], dtype=np.int8)

    @property
    def mines(self) -> int:
        """Number of mines."""
        return sum(row.count(MINE) for row in self.cells)

    @classmethod
    def from_mines(
        cls,
        rows: int,
        cols: int,
        mines: Collection[int],
        start: tuple[int, int] | None = None,
        topology: Topology | str = SQUARE,
    ) -> Layout:
        """A layout from the row-major indices of its mines.

        >>> Layout.from_mines(2, 2, {1, 2})
        Layout(('.*', '*.'))
        """
        cells = ("".join(SYMBOLS[row * cols + col in mines] for col in range(cols)) for row in range(rows))
        return cls(cells, start=start, topology=topology)

    def with_mines(self, mines: Collection[int]) -> Layout:
        """The same grid and start with other mines, given as row-major indices.

        >>> Layout(("*.", "..")).with_mines({1, 2})
        Layout(('.*', '*.'))
        """
        return Layout.from_mines(self.rows, self.cols, mines, self.start, self.topology)

    def is_mine(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell holds a mine."""
        return self.cells[cell[0]][cell[1]] == MINE

    def number(self, cell: tuple[int, int]) -> int | None:
        """The number that a safe cell shows once it is open, or None for a mine."""
        if self.is_mine(cell):
            return None
        return sum(map(self.is_mine, map(self.cell, self.topology.neighbours(self.rows, self.cols)[self.index(cell)])))

    def board(self, opened: Iterable[tuple[int, int]], *, tells_total: bool = True) -> Board:
        """The board that a player sees once these cells are open.

        An opened mine shows as one.
        """
        rows = [[COVERED] * self.cols for _ in range(self.rows)]
        for row, col in opened:
            number = self.number((row, col))
            rows[row][col] = MINE if number is None else NUMBERS[number]
        mines = self.mines if tells_total else None
        return Board(("".join(row) for row in rows), mines=mines, topology=self.topology)

    @classmethod
    def from_text(cls, text: str) -> Layout:
        """Read the text form: header lines (mines, start, topology), then one line a row.

        A finished board is read, too: its safe cells show their numbers. Raises BoardError with line and column, also
        when the total is not the number of mines in the rows, or a number not that of the mines around.

        >>> Layout.from_text("1*1\\n111")
        Layout(('.*.', '...'))
        """
        form = TextForm.parse(text, ("mines", "start", "topology")).on_layout()
        shown = _NUMBERS if form.letters else _DIGITS
        finished = not shown.isdisjoint("".join(form.rows))
        safe = str.maketrans(dict.fromkeys(shown, "."))
        with form.places():
            start = form.header.get("start")
            layout = cls(
                (row.translate(safe) for row in form.rows),
                start=None if start is None else parse_cell(start),
                topology=form.header.get("topology", SQUARE),
            )
            if finished:
                layout._check_numbers(form.rows)
            if "mines" in form.header:
                layout.check_mines(parse_total(form.header["mines"]))
        return layout

    def _check_numbers(self, rows: Sequence[str]) -> None:
        """Raise BoardError unless these rows are the layout with all its numbers."""
        table, symbols = self.topology.neighbours(self.rows, self.cols), self.symbols
        for index, shown in enumerate("".join(rows)):
            around = [symbols[near] for near in table[index]].count(MINE) if shown != MINE else None
            if around is not None and NUMBER_OF["." if shown == "0" else shown] != around:
                message = f"expected {around}, as many mines as are around, found {shown}"
                raise BoardError(message, at=divmod(index, self.cols))

    def check_mines(self, mines: int) -> None:
        """Raise BoardError unless this is the number of mines."""
        if mines != self.mines:
            raise BoardError(
                f"expected the total to be the {counted(self.mines, 'mine')} shown, found {mines}", at="mines"
            )

    def __str__(self) -> str:
        """The text form, which ``from_text`` reads."""
        return text_of(self, self.cells)

    def __repr__(self) -> str:
        """The call that builds the layout; a short description of one with many cells."""
        if self.rows * self.cols > MOST_SHOWN:
            return f"<Layout {self.rows}x{self.cols}/{self.mines}>"
        parts = [repr(self.cells)]
        if self.start is not None:
            parts.append(f"start={tuple(self.start)}")
        if self.topology != SQUARE:
            parts.append(f"topology={self.topology.name!r}")
        return f"Layout({', '.join(parts)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print as ``repr`` does in Hypothesis and IPython, which spell out dataclasses."""
        printer.text(repr(self))


LayoutLike: TypeAlias = Layout | str | Iterable[str | Iterable[int | str]]
"""A layout, its text form, or its rows.

A row is a string, or symbols or 1 and 0 of a list or an array.
"""
