"""Positions of one board as arrays: risks, and all that deduction opens.

A position is an int8 array of one symbol a cell, as the kernels read them: a number, ``COVERED``, or ``MINED`` for a
mine that was opened. Flags are opinions, so flagged cells are covered. Where the kernels are not compiled the exact
path answers, as exactly.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from satsweep.board import NUMBERS, Board
from satsweep.solver import compiled
from satsweep.solver.analysed_board import AnalysedBoard
from satsweep.solver.analysis import analyse
from satsweep.solver.pipeline import ComponentCache
from satsweep.topology import Topology

Symbols = NDArray[np.int8]
"""A position, shape (cells,), or several, shape (positions, cells)."""
COVERED, MINED = -1, -2
"""Codes of a covered cell and of a mine, as the kernels have them."""
_TEXT = (NUMBERS + "?*#".rjust(256 - len(NUMBERS))).encode("ascii")
"""Symbols of all codes, as unsigned bytes.

-1 is covered, -2 a mine, -3 open without a number.
"""
Mined = NDArray[np.bool_]
"""Mines of a layout, shape (cells,), or of several, shape (layouts, cells)."""


class Positions:
    """Positions of a board of one size, topology, mine total and clue model.

    ``blank`` is the board with all cells covered. ``deep`` is True if the compiled deep player can be asked.
    """

    def __init__(self, blank: Board, *, kernels: bool = True) -> None:
        self.blank = blank
        self.near = blank.topology.neighbours(blank.rows, blank.cols)
        self.fast = kernels and blank.mines is not None and compiled.supports(blank) and compiled.is_there()
        self.deep = self.fast and blank.clues.is_exact
        self._cache = ComponentCache()
        self._last: tuple[bytes, AnalysedBoard] | None = None
        self._rated: tuple[bytes, NDArray[np.float64]] | None = None
        self._around = _padded(blank.topology, blank.rows, blank.cols)

    @property
    def table(self) -> NDArray[np.int32]:
        """Neighbours of every cell, as the kernels read them."""
        return compiled.table_of(self.blank.topology, self.blank.rows, self.blank.cols)

    def symbols(self, board: Board) -> Symbols:
        """The position of a board, an array of its own."""
        return compiled.symbols_of(board).copy()

    def board(self, symbols: Symbols) -> Board:
        """The board of a position."""
        blank = self.blank
        text = symbols.tobytes().translate(_TEXT).decode("ascii")
        rows = tuple(text[first : first + blank.cols] for first in range(0, len(text), blank.cols))
        return Board.trusted(rows, blank.mines, None, blank.topology, blank.clues)

    def analysis(self, symbols: Symbols) -> AnalysedBoard:
        """The exact analysis of a position."""
        key = symbols.tobytes()
        if self._last is None or self._last[0] != key:
            board = self.board(symbols)
            found = analyse(board, engine=compiled.NAME) if self.fast else analyse(board, cache=self._cache)
            self._last = key, found
        return self._last[1]

    def risks_of(self, symbols: Symbols) -> NDArray[np.float64]:
        """The risks of one position (``risks``); the last ones are kept."""
        key = symbols.tobytes()
        if self._rated is None or self._rated[0] != key:
            self._rated = key, self.risks(symbols[None])[0]
        return self._rated[1]

    def risks(self, symbols: Symbols) -> NDArray[np.float64]:
        """The risks of several positions, exactly 0 or 1 where forced.

        NaN for cells that are not covered, and for those whose risk is not known.
        """
        found = np.full(symbols.shape, np.nan)
        rest: Sequence[int] = range(len(symbols))
        if self.fast:
            status, found = compiled.positions(symbols, self.table, [self.blank.mines or 0] * len(symbols))
            rest = np.flatnonzero(status != compiled.FINE).tolist()
        for at in rest:
            risks = [risk for row in self.analysis(symbols[at]).risks for risk in row]
            found[at] = [np.nan if risk is None else float(risk) for risk in risks]
        return found

    def numbers(self, mined: Mined) -> Symbols:
        """The number of every cell of some layouts, ``MINED`` for a mine."""
        padded = np.concatenate([mined, np.zeros((len(mined), 1), bool)], axis=1)
        shown: Symbols = padded[:, self._around].sum(axis=2).astype(np.int8)
        shown[mined] = MINED
        return shown

    def settled(self, symbols: Symbols, mined: Mined) -> tuple[Symbols, NDArray[np.float64]]:
        """Positions after all deduction, with all safe cells open, and their risks.

        ``symbols`` has a position for each of the layouts ``mined``. Deduction comes to the same end in any order,
        because forced cells stay forced when more is seen.
        """
        now, shown = symbols.copy(), self.numbers(mined)
        risks = np.empty(now.shape)
        going = np.arange(len(now))
        while len(going):
            risks[going] = self.risks(now[going])
            safe = risks[going] == 0
            now[going] = np.where(safe, shown[going], now[going])
            going = going[safe.any(axis=1)]
        return now, risks


@lru_cache(maxsize=16)
def _padded(topology: Topology, rows: int, cols: int) -> NDArray[np.int64]:
    """Neighbours of every cell, filled up with the number of cells."""
    near = topology.neighbours(rows, cols)
    around = np.full((len(near), max(1, *map(len, near))), len(near))
    for row, cells in zip(around, near, strict=True):
        row[: len(cells)] = cells
    return around
