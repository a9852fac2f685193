"""The board that a player sees: open and covered cells, and the prior on mines.

A ``Board`` is a value. Its rows are strings of one symbol a cell, so a board prints as it looks, compares and hashes as
it prints, and ``repr`` gives the expression that builds it::

    #         covered
    . (or 0)  open, no mine around
    1 to 9    open, that many mines around; then a for 10 to z for 35, where topologies have that many neighbours
    ?         open, no mine, but it shows nothing; in texts without # it is ~, as ? is read as covered there
    *         a cell known to be a mine, opened or revealed: numbers and total count it
    F         a flag: a player's opinion, read as covered (see ``Board.trusting_flags``)

The prior on the mines is one of three things: their total (``mines``), a probability with which each covered cell is a
mine independently of the others (``density``), or nothing, and then all worlds weigh the same. Numbers are right unless
the board has another model of them (``clues``).

A board may be a part of a larger one (``part``, the sides that are cut). Then ``unseen`` cells surround it, covered
ones that are not on the grid: reasoning counts them among the cells of each number that they touch. The total of a part
is that of the larger board, so the part and its unseen cells hold at most that many mines. A density holds for the
unseen cells, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from satsweep.arguments import short_repr
from satsweep.clues import EXACT, Clues, clues_named
from satsweep.errors import BoardError
from satsweep.mixins import Rendered, Stored
from satsweep.part import PART_ASKED, WHOLE, Part, part_named
from satsweep.text import MAX_CELLS, TextForm, check_grid, check_total, parse_total, symbol_rows, text_of, to_density
from satsweep.topology import SQUARE, Topology, topology_named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COVERED = "#"
FLAG = "F"
MINE = "*"
HIDDEN: Literal["?"] = "?"
NUMBERS = ".123456789abcdefghijklmnopqrstuvwxyz"
"""The symbol of each number, from 0."""
MOST_SHOWN = 1_600
"""Most cells of a board or layout whose ``repr`` has all of them."""

NUMBER_OF = {symbol: number for number, symbol in enumerate(NUMBERS)}
"""The number of each symbol that shows one."""

SYMBOL_OF_INTEGER = {
    -3: FLAG,
    -2: HIDDEN,
    -1: COVERED,
    9: MINE,
    **{number if number <= 8 else 100 + number: symbol for number, symbol in enumerate(NUMBERS)},
}
"""The symbol of each integer in a board of integers; 109 is the number 9."""
_SYMBOL_OF_CELL: dict[int | None, str] = dict((*SYMBOL_OF_INTEGER.items(), (None, COVERED)))
INTEGER_OF_SYMBOL = {symbol: integer for integer, symbol in SYMBOL_OF_INTEGER.items()}
"""The integer of each symbol."""
_EXPECTED_INTEGER = "an integer from -1 (covered) to 9 (mine), -2 (shows nothing) or -3 (flag)"
_FEW = 8
_NUMBER_BYTES = bytes(NUMBER_OF.get(chr(code), 0) for code in range(256))
_HIGH = 0x80


class Cell(NamedTuple):
    """A cell of the grid: row and column, counted from 0 at the top left.

    >>> cell = Cell(2, 1)
    >>> print(cell)
    2,1
    >>> cell
    Cell(row=2, col=1)
    """

    row: int
    col: int

    @classmethod
    def of(cls, cell: object) -> Cell:
        """The cell that a pair of integers names. Raises TypeError for anything else."""
        pair: Any = cell
        try:
            row, col = pair
            return cls(index(row), index(col))
        except (TypeError, ValueError):
            raise TypeError(f"expected a cell as (row, column), found {short_repr(cell)}") from None

    def __str__(self) -> str:
        """The cell as row,column."""
        return f"{self.row},{self.col}"


class Grid:
    """A grid of symbols, one string for each row: what boards and layouts share."""

    __slots__ = ()

    cells: tuple[str, ...]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.cells)

    @property
    def cols(self) -> int:
        """Number of columns."""
        return len(self.cells[0])

    @property
    def symbols(self) -> str:
        """The symbols of all cells, in row-major order."""
        return "".join(self.cells)

    def cell(self, index: int) -> Cell:
        """The cell with this row-major index."""
        return Cell(*divmod(index, self.cols))

    def index(self, cell: tuple[int, int]) -> int:
        """The row-major index of a cell."""
        return cell[0] * self.cols + cell[1]


@dataclass(frozen=True, slots=True, repr=False)
class Board(Rendered, Stored, Grid):
    """The board that a player sees: immutable, hashable, equal when it looks the same.

    >>> board = Board(("##1.", "##21", "####"), mines=3)
    >>> board.rows, board.cols, board.number(Cell(1, 2)), board.number(Cell(0, 0))
    (3, 4, 2, None)
    >>> board
    Board(('##1.', '##21', '####'), mines=3)

    The rows may also be lists, arrays or a data frame of symbols or of integers (-1 covered, 9 a known mine; see
    ``to_array``; None or NaN is covered), or text as ``from_text`` reads it, or a board. A total that these
    have counts where no argument gives one:

    >>> Board([[-1, 1], ["1", None]]), Board("mines 1\\n##1.")
    (Board(('#1', '1#')), Board(('##1.',), mines=1))

    Raises BoardError when the rows are empty, ragged or hold another symbol, when a number exceeds the
    neighbours its cell has on the grid, when the total is not between 0 and the number of cells, when the density
    is not strictly between 0 and 1, when both are given, when a grid of this size cannot have the topology, or one with
    the topology cannot be such a part.
    """

    cells: tuple[str, ...]
    mines: int | None = None
    density: Fraction | None = None
    topology: Topology = SQUARE
    clues: Clues = EXACT
    part: Part = WHOLE

    def __init__(
        self,
        cells: BoardLike,
        mines: int | None = None,
        density: Fraction | str | float | None = None,
        topology: Topology | str = SQUARE,
        clues: Clues | str = EXACT,
        part: Part | str | None = None,
    ) -> None:
        if isinstance(cells, str | Board):
            read = cells if isinstance(cells, Board) else Board.from_text(cells)
            cells = read.cells
            if mines is None and density is None:
                mines, density = read.mines, read.density
            topology = read.topology if topology is SQUARE else topology
            clues = read.clues if clues is EXACT else clues
            part = read.part if part is None else part
        rows = tuple(row.replace("0", ".") for row in symbol_rows(cells, _SYMBOL_OF_CELL, _EXPECTED_INTEGER))
        topology, clues, part = topology_named(topology), clues_named(clues), part_named(part)
        check_grid(rows, *_symbols(topology, clues))
        topology.check(len(rows), len(rows[0]))
        topology.check_part(part)
        if mines is not None:
            mines = check_total(mines, MAX_CELLS if part else len(rows) * len(rows[0]), "" if part else PART_ASKED)
        density = None if density is None else to_density(density)
        if mines is not None and density is not None:
            raise BoardError("expected a mine total or a density, found both", at="density")
        _fill(self, rows, mines, density, topology, clues, part)
        self._check_numbers()

    @classmethod
    def trusted(
        cls,
        cells: tuple[str, ...],
        mines: int | None = None,
        density: Fraction | None = None,
        topology: Topology = SQUARE,
        clues: Clues = EXACT,
        part: Part = WHOLE,
    ) -> Board:
        """A board made without checks, from fields that are known to be right.

        It has ``.`` for a zero, and is the same value as a checked one, in less time.
        """
        board = object.__new__(cls)
        _fill(board, cells, mines, density, topology, clues, part)
        return board

    @classmethod
    def of(cls, board: BoardLike) -> Board:
        """The board itself, or one from text, from rows, or from an array.

        >>> Board.of("mines 1\\n##1.") == Board.of(Board(("##1.",), mines=1))
        True
        """
        return board if isinstance(board, Board) else cls(board)

    def _check_numbers(self) -> None:
        """Raise BoardError for a number that exceeds the neighbours of its cell.

        All cells are compared at once: in the difference of two long integers, one byte a cell, none borrows.
        """
        shown = int.from_bytes(self.symbols.encode("ascii").translate(_NUMBER_BYTES), "little")
        most, high = _most_shown(self.topology, self.rows, self.cols, self.clues, self.part)
        too_many = ~(most - shown) & high
        if too_many:
            at = self.cell((too_many & -too_many).bit_length() // 8 - 1)
            found, most = NUMBER_OF[self[at]], self.clues.most(len(self.table[self.index(at)]))
            whose = "as many as the cell has neighbours" if self.clues.cap is None else "the cap of the clues"
            message = f"expected at most {most}, {whose}, found {found}"
            maybe = not self.part and found <= self.topology.most and self.topology.sides
            raise BoardError(f"{message}; {PART_ASKED}" if maybe else message, at=(at.row, at.col))

    @property
    def unseen(self) -> tuple[Cell, ...]:
        """The covered cells beyond the sides that are cut, in row-major order.

        They are those that touch a cell of the board. Rows and columns are negative or past the end, and indices follow
        those of the board.

        >>> list(map(str, Board(("#1",), part="left,bottom").unseen))
        ['0,-1', '1,-1', '1,0', '1,1']
        """
        return tuple(Cell(*place) for place in self._unseen)

    @property
    def table(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each cell, by their indices, and then of each unseen cell."""
        if self.part is WHOLE:
            return self.topology.neighbours(self.rows, self.cols)
        return self.topology.surroundings(self.rows, self.cols, self.part).table

    @property
    def _unseen(self) -> Mapping[tuple[int, int], int]:
        """The index of each unseen cell."""
        if self.part is WHOLE:
            return {}
        return self.topology.surroundings(self.rows, self.cols, self.part).indices

    def cell(self, index: int) -> Cell:
        """The cell with this row-major index, which may be an unseen one."""
        if self.part is not WHOLE and index >= self.rows * self.cols:
            return self.unseen[index - self.rows * self.cols]
        return Cell(*divmod(index, self.cols))

    def index(self, cell: tuple[int, int]) -> int:
        """The row-major index of a cell, which may be an unseen one."""
        row, col = cell
        index = row * self.cols + col
        return index if self.part is WHOLE else self._unseen.get((row, col), index)

    def __getitem__(self, cell: tuple[int, int]) -> str:
        """The symbol of a cell. Raises IndexError off the grid, but for unseen cells."""
        row, col = cell
        if self.part is not WHOLE and (row, col) in self._unseen:
            return COVERED
        if row < 0 or col < 0:
            raise IndexError(f"no cell at row {row}, column {col}")
        return self.cells[row][col]

    def __iter__(self) -> Iterator[Cell]:
        """Every cell, in row-major order."""
        return (Cell(row, col) for row in range(self.rows) for col in range(self.cols))

    def number(self, cell: tuple[int, int]) -> int | None:
        """The number an open cell shows, or None for every other cell."""
        return NUMBER_OF.get(self[cell])

    def is_covered(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is still covered; a flagged cell is."""
        return self[cell] in (COVERED, FLAG)

    @property
    def covered(self) -> tuple[Cell, ...]:
        """The covered cells, flagged ones included, in row-major order."""
        return tuple(self.cell(index) for index, symbol in enumerate(self.symbols) if symbol in (COVERED, FLAG))

    @property
    def flags(self) -> tuple[Cell, ...]:
        """The flagged cells, in row-major order."""
        return tuple(self.cell(index) for index, symbol in enumerate(self.symbols) if symbol == FLAG)

    def to_array(self) -> NDArray[np.int16]:
        """The board as an array of integers, of its rows and columns.

        ``Board`` reads it back. -1 is covered, 0 to 8 are open numbers, 9 is a known mine, -2 shows nothing, -3 is a
        flag; 109 to 135 are the numbers from 9 to 35.

        >>> Board(("##1.", "F*2?")).to_array().tolist()
        [[-1, -1, 1, 0], [-3, 9, 2, -2]]
        """
        import numpy as np

        return np.array([[INTEGER_OF_SYMBOL[symbol] for symbol in row] for row in self.cells], dtype=np.int16)

    def neighbours(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """The cells that touch a cell, in row-major order, and then unseen ones."""
        return tuple(map(self.cell, self.table[self.index(cell)]))

    def with_opened(self, numbers: Mapping[tuple[int, int], int | None]) -> Board:
        """The board after some covered cells were opened safely.

        ``numbers`` has the number that each of them shows, None for nothing.

        >>> Board(("##", "##")).with_opened({(0, 0): 1})
        Board(('1#', '##'))
        """
        return self._with_symbols({cell: HIDDEN if n is None else NUMBERS[n] for cell, n in numbers.items()})

    def with_exploded(self, mines: Iterable[tuple[int, int]]) -> Board:
        """The board after some covered cells turned out to be mines."""
        return self._with_symbols(dict.fromkeys(mines, MINE))

    def with_flags(self, cells: Iterable[tuple[int, int]]) -> Board:
        """The board with flags on some covered cells, beside the flags that are there.

        >>> Board(("#1", "F1")).with_flags([(0, 0)])
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
        return Board.trusted(rows, self.mines, self.density, self.topology, self.clues, self.part)

    def _with_symbols(self, symbols: Mapping[tuple[int, int], str]) -> Board:
        rows = [list(row) for row in self.cells]
        for (row, col), symbol in symbols.items():
            if (row, col) in self._unseen or not self.is_covered((row, col)):
                raise BoardError(f"expected a covered cell at row {row}, column {col}", at=(row, col))
            rows[row][col] = symbol
        return replace(self, cells=tuple("".join(row) for row in rows))

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Read the text form: header lines, then one line a row.

        Raises BoardError with line and column.

        >>> Board.from_text("mines 3\\n##1.\\n##21\\n####")
        Board(('##1.', '##21', '####'), mines=3)
        """
        form = TextForm.parse(text, ("mines", "density", "topology", "clues", "part")).on_board()
        with form.places():
            mines = form.header.get("mines")
            return cls(
                form.rows,
                mines=None if mines is None else parse_total(mines),
                density=form.header.get("density"),
                topology=form.header.get("topology", SQUARE),
                clues=form.header.get("clues", EXACT),
                part=form.header.get("part"),
            )

    def __str__(self) -> str:
        """The text form, which ``from_text`` reads."""
        return text_of(self, self.cells)

    def __repr__(self) -> str:
        """The call that builds the board; a short description of one with many cells."""
        if len(self.symbols) > MOST_SHOWN:
            total = "" if self.mines is None else f"/{self.mines}"
            return f"<Board {self.rows}x{self.cols}{total}: {self.symbols.count(COVERED):,} covered cells>"
        parts = [repr(self.cells)]
        if self.mines is not None:
            parts.append(f"mines={self.mines}")
        if self.density is not None:
            parts.append(f"density='{self.density}'")
        if self.topology != SQUARE:
            parts.append(f"topology={self.topology.name!r}")
        if self.clues != EXACT:
            parts.append(f"clues={str(self.clues)!r}")
        if self.part:
            parts.append(f"part={str(self.part)!r}")
        return f"Board({', '.join(parts)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print as ``repr`` does in Hypothesis and IPython, which spell out dataclasses."""
        printer.text(repr(self))


BoardLike: TypeAlias = Board | str | Iterable[str | Iterable[int | float | str | None]]
"""A board, its text form, or its rows.

A row is a string, or symbols or integers of a list, an array or a data frame.
"""


def refuse_part(board: Board) -> None:
    """Raise BoardError if the board is a part: games are played on whole boards."""
    if board.part:
        raise BoardError(f"expected a whole board, found a part of a larger one, cut at {board.part}", at="part")


def _fill(
    board: Board,
    cells: tuple[str, ...],
    mines: int | None,
    density: Fraction | None,
    topology: Topology,
    clues: Clues,
    part: Part,
) -> None:
    """Set the fields of a board that is being made, which is frozen for all others."""
    object.__setattr__(board, "cells", cells)
    object.__setattr__(board, "mines", mines)
    object.__setattr__(board, "density", density)
    object.__setattr__(board, "topology", topology)
    object.__setattr__(board, "clues", clues)
    object.__setattr__(board, "part", part)


@lru_cache(maxsize=16)
def _most_shown(topology: Topology, rows: int, cols: int, clues: Clues, part: Part) -> tuple[int, int]:
    """The greatest number that each cell may show, and a high bit in each byte.

    The numbers have that bit, too.
    """
    degrees = bytes(map(len, topology.surroundings(rows, cols, part).table)) if part else topology.degrees(rows, cols)
    greatest = len(NUMBERS) - 1
    most = bytes(_HIGH | min(clues.most(degree), greatest) for degree in range(256))
    numbers = degrees[: rows * cols].translate(most)
    return int.from_bytes(numbers, "little"), int.from_bytes(bytes([_HIGH]) * len(numbers), "little")


def _symbols(topology: Topology, clues: Clues) -> tuple[str, str]:
    """The symbols that such a board can show, and their list for error messages."""
    most = clues.most(topology.most)
    numbers, listed = (NUMBERS[: _FEW + 1], f"0-{_FEW}") if most <= _FEW else (NUMBERS, "0-9 a-z")
    return f"{COVERED}{numbers}{MINE}{FLAG}{HIDDEN}", f"one of # . {listed} * F ?"
