"""What is seen: a grid of cells, some open, and what is known about the mines.

A ``Board`` is a value. Its rows are strings of one symbol a cell, so a board prints as it looks, compares and
hashes as it prints, and ``repr`` gives the expression that builds it::

    #         covered
    . (or 0)  open, no mine around
    1 to 8    open, that many mines around
    *         a cell known to be a mine, opened or revealed: numbers and total count it
    F         a flag: somebody's opinion, read as covered (see ``Board.trusting_flags``)

What is known about the mines is one of three things: their total (``mines``), a probability with which each
covered cell is a mine independently of the others (``density``), or nothing, and then all worlds weigh the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from satsweep.errors import BoardError
from satsweep.text import TextForm, check_grid, check_total, parse_total, to_density

COVERED = "#"
FLAG = "F"
MINE = "*"
SYMBOLS = "#.12345678*F"
EXPECTED_SYMBOL = "one of # . 0-8 * F"
_NUMBER = re.compile("[1-8]")


class Cell(NamedTuple):
    """A square of the grid, counted from 0 at the top left.

    >>> cell = Cell(2, 1)
    >>> print(cell)
    2,1
    >>> cell
    Cell(row=2, col=1)
    """

    row: int
    col: int

    def __str__(self) -> str:
        """The cell as people write it."""
        return f"{self.row},{self.col}"


@dataclass(frozen=True, slots=True)
class Topology:
    """Which cells touch: offsets from a cell, and whether rows and columns wrap around."""

    name: str
    offsets: tuple[tuple[int, int], ...]
    wraps_rows: bool = False
    wraps_cols: bool = False

    def neighbours(self, rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
        """For every cell, in row-major order, the row-major indices of the cells it touches, ascending.

        >>> SQUARE.neighbours(2, 2)[0]
        (1, 2, 3)
        >>> len(TORUS.neighbours(3, 5)[0])
        8
        """
        return _neighbours(self, rows, cols)


@lru_cache(maxsize=16)
def _neighbours(topology: Topology, rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """On a small torus several offsets reach one cell, or the cell itself: it counts once, or not at all."""
    table: list[tuple[int, ...]] = []
    for row in range(rows):
        for col in range(cols):
            touched = set()
            for down, right in topology.offsets:
                r, c = row + down, col + right
                if topology.wraps_rows:
                    r %= rows
                if topology.wraps_cols:
                    c %= cols
                if 0 <= r < rows and 0 <= c < cols:
                    touched.add(r * cols + c)
            touched.discard(row * cols + col)
            table.append(tuple(sorted(touched)))
    return tuple(table)


EIGHT = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
SQUARE = Topology("square", EIGHT)
TORUS = Topology("torus", EIGHT, wraps_rows=True, wraps_cols=True)
TOPOLOGIES = {topology.name: topology for topology in (SQUARE, TORUS)}


def topology_named(topology: Topology | str) -> Topology:
    """A topology by its name. Raises BoardError for a name that does not exist."""
    if isinstance(topology, Topology):
        return topology
    if topology not in TOPOLOGIES:
        expected = ", ".join(TOPOLOGIES)
        raise BoardError(f"expected a topology among {expected}, found {topology[:40]!r}", at="topology")
    return TOPOLOGIES[topology]


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """What a player sees. Immutable, hashable, equal when it looks the same.

    >>> board = Board(("##1.", "##21", "####"), mines=3)
    >>> board.rows, board.cols, board.number(Cell(1, 2)), board.number(Cell(0, 0))
    (3, 4, 2, None)
    >>> board
    Board(('##1.', '##21', '####'), mines=3)

    Raises BoardError when the rows are empty, ragged or hold another symbol, when a number exceeds the
    neighbours its cell has on the grid, when the total is not between 0 and the number of cells, when the density
    is not strictly between 0 and 1, or when both are given.
    """

    cells: tuple[str, ...]
    mines: int | None = None
    density: Fraction | None = None
    topology: Topology = SQUARE

    def __init__(
        self,
        cells: Iterable[str],
        mines: int | None = None,
        density: Fraction | str | float | None = None,
        topology: Topology | str = SQUARE,
    ) -> None:
        rows = tuple(row.replace("0", ".") for row in cells)
        check_grid(rows, SYMBOLS, EXPECTED_SYMBOL)
        object.__setattr__(self, "cells", rows)
        object.__setattr__(self, "topology", topology_named(topology))
        object.__setattr__(self, "mines", mines)
        object.__setattr__(self, "density", None if density is None else to_density(density))
        self._check_numbers()
        self._check_prior()

    @classmethod
    def trusted(
        cls,
        cells: tuple[str, ...],
        mines: int | None = None,
        density: Fraction | None = None,
        topology: Topology = SQUARE,
    ) -> Board:
        """A board whose fields are known to be right, ``.`` for a zero: the same value without the time to check."""
        board = object.__new__(cls)
        object.__setattr__(board, "cells", cells)
        object.__setattr__(board, "mines", mines)
        object.__setattr__(board, "density", density)
        object.__setattr__(board, "topology", topology)
        return board

    def _check_numbers(self) -> None:
        for row, line in enumerate(self.cells):
            for found in _NUMBER.finditer(line):
                cell = Cell(row, found.start())
                around = len(self.neighbours(cell))
                if int(found[0]) > around:
                    message = f"expected at most {around}, as many as the cell has neighbours, found {found[0]}"
                    raise BoardError(message, at=cell)

    def _check_prior(self) -> None:
        if self.mines is not None and self.density is not None:
            raise BoardError("expected a mine total or a density, found both", at="density")
        if self.mines is not None:
            check_total(self.mines, self.rows * self.cols)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.cells)

    @property
    def cols(self) -> int:
        """Number of columns."""
        return len(self.cells[0])

    def __getitem__(self, cell: tuple[int, int]) -> str:
        """The symbol of a cell. Raises IndexError off the grid."""
        row, col = cell
        if row < 0 or col < 0:
            raise IndexError(f"no cell at row {row}, column {col}")
        return self.cells[row][col]

    def __iter__(self) -> Iterator[Cell]:
        """Every cell, in row-major order."""
        return (Cell(row, col) for row in range(self.rows) for col in range(self.cols))

    def number(self, cell: tuple[int, int]) -> int | None:
        """The number an open cell shows, or None for every other cell."""
        symbol = self[cell]
        return 0 if symbol == "." else int(symbol) if symbol.isdigit() else None

    def is_covered(self, cell: tuple[int, int]) -> bool:
        """Whether a cell has yet to be opened; a flagged cell has."""
        return self[cell] in (COVERED, FLAG)

    @property
    def covered(self) -> tuple[Cell, ...]:
        """The covered cells, flagged ones included, in row-major order."""
        return tuple(cell for cell in self if self.is_covered(cell))

    def neighbours(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """The cells that touch a cell, in row-major order."""
        row, col = cell
        touched = self.topology.neighbours(self.rows, self.cols)[row * self.cols + col]
        return tuple(Cell(*divmod(index, self.cols)) for index in touched)

    def opened(self, numbers: Mapping[tuple[int, int], int]) -> Board:
        """The board after some covered cells turned out to be safe and to show these numbers.

        >>> Board(("##", "##")).opened({(0, 0): 1})
        Board(('1#', '##'))
        """
        return self._with_symbols({cell: str(number) for cell, number in numbers.items()})

    def exploded(self, mines: Iterable[tuple[int, int]]) -> Board:
        """The board after some covered cells turned out to be mines."""
        return self._with_symbols(dict.fromkeys(mines, MINE))

    def flagged(self, cells: Iterable[tuple[int, int]]) -> Board:
        """The board with flags on some covered cells, beside the flags that are there.

        >>> Board(("#1", "F1")).flagged([(0, 0)])
        Board(('F1', 'F1'))
        """
        return self._with_symbols(dict.fromkeys(cells, FLAG))

    def without_flags(self) -> Board:
        """The board with every flag taken off."""
        return self._with_flags_as(COVERED)

    def trusting_flags(self) -> Board:
        """The board with every flag taken as a known mine."""
        return self._with_flags_as(MINE)

    def _with_flags_as(self, symbol: str) -> Board:
        rows = tuple(row.replace(FLAG, symbol) for row in self.cells)
        return Board.trusted(rows, self.mines, self.density, self.topology)

    def _with_symbols(self, symbols: Mapping[tuple[int, int], str]) -> Board:
        rows = [list(row) for row in self.cells]
        for (row, col), symbol in symbols.items():
            if not self.is_covered((row, col)):
                raise BoardError(f"expected a covered cell at row {row}, column {col}", at=(row, col))
            rows[row][col] = symbol
        return replace(self, cells=tuple("".join(row) for row in rows))

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Read the text form: header lines, then one line a row. Raises BoardError with line and column.

        >>> Board.from_text("mines 3\\n##1.\\n##21\\n####")
        Board(('##1.', '##21', '####'), mines=3)
        """
        form = TextForm.parse(text, ("mines", "density", "topology"))
        with form.places():
            mines = form.header.get("mines")
            return cls(
                form.rows,
                mines=None if mines is None else parse_total(mines),
                density=form.header.get("density"),
                topology=form.header.get("topology", SQUARE),
            )

    def __str__(self) -> str:
        """The text form, which ``from_text`` reads."""
        header = []
        if self.mines is not None:
            header.append(f"mines {self.mines}")
        if self.density is not None:
            header.append(f"density {self.density}")
        if self.topology != SQUARE:
            header.append(f"topology {self.topology.name}")
        return "\n".join((*header, *self.cells))

    def __repr__(self) -> str:
        parts = [repr(self.cells)]
        if self.mines is not None:
            parts.append(f"mines={self.mines}")
        if self.density is not None:
            parts.append(f"density='{self.density}'")
        if self.topology != SQUARE:
            parts.append(f"topology={self.topology.name!r}")
        return f"Board({', '.join(parts)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Look like that in Hypothesis and IPython, too, which spell out dataclasses otherwise."""
        printer.text(repr(self))
