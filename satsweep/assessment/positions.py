"""Positions of one board: risks, and all that deduction opens.

A position is an array of one signed byte a cell, as the kernels read them: a number, ``COVERED``, or ``MINED`` for a
mine that was opened. Flags are opinions, so flagged cells are covered. Where there are no kernels, or no numpy to hand
them arrays, the exact path answers, as exactly.
"""

from __future__ import annotations

from array import array
from math import nan
from typing import TYPE_CHECKING, TypeAlias

from satsweep.board import NUMBERS, Board
from satsweep.layout import Layout
from satsweep.solver import compiled, is_installed
from satsweep.solver.analysed_board import AnalysedBoard
from satsweep.solver.analysis import analyse
from satsweep.solver.pipeline import ComponentCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Symbols: TypeAlias = "array[int]"
"""A position."""
COVERED, MINED, OPEN = -1, -2, -3
"""Codes of the kernels: covered, a mine, open without a number."""
_TEXT = (NUMBERS + "?*#".rjust(256 - len(NUMBERS))).encode("ascii")
"""Symbols of all codes, as unsigned bytes."""


class Positions:
    """Positions of a board of one size, topology, mine total and clue model.

    ``blank`` is the board with all cells covered. ``deep`` is True if the compiled deep player can be asked.
    """

    def __init__(self, blank: Board, *, kernels: bool = True) -> None:
        self.blank = blank
        self.near = blank.topology.neighbours(blank.rows, blank.cols)
        here = kernels and is_installed("numpy") and compiled.is_there()
        self.fast = here and blank.mines is not None and compiled.supports(blank)
        self.deep = self.fast and blank.clues.is_exact
        self._cache = ComponentCache()
        self._last: tuple[bytes, AnalysedBoard] | None = None
        self._rated: tuple[bytes, list[float]] | None = None

    @property
    def covered(self) -> Symbols:
        """The position with all cells covered."""
        return array("b", [COVERED]) * len(self.near)

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

    def risks(self, symbols: Symbols) -> list[float]:
        """The risks of a position, exactly 0 or 1 where forced; the last ones are kept.

        NaN for cells that are not covered, and for those whose risk is not known.
        """
        key = symbols.tobytes()
        if self._rated is None or self._rated[0] != key:
            self._rated = key, self._new_risks(symbols)
        return self._rated[1]

    def _new_risks(self, symbols: Symbols) -> list[float]:
        if self.fast:
            status, found = compiled.positions(self.rows(symbols), self.table, [self.blank.mines or 0])
            if status[0] == compiled.FINE:
                risks: list[float] = found[0].tolist()
                return risks
        return [nan if risk is None else float(risk) for row in self.analysis(symbols).risks for risk in row]

    def settled(self, symbols: Symbols, shown: Symbols) -> Symbols:
        """A position after all deduction: with all safe cells open, which show ``shown``.

        Deduction comes to the same end in any order, because forced cells stay forced when more is seen.
        """
        now = symbols[:]
        while safe := [cell for cell, risk in enumerate(self.risks(now)) if risk == 0]:
            for cell in safe:
                now[cell] = shown[cell]
        return now

    @property
    def table(self) -> NDArray[np.int32]:
        """Neighbours of every cell, as the kernels read them."""
        return compiled.table_of(self.blank.topology, self.blank.rows, self.blank.cols)

    @staticmethod
    def rows(symbols: Symbols) -> NDArray[np.int8]:
        """A position as the kernels read several: an array of one row."""
        import numpy as np

        return np.frombuffer(symbols, np.int8)[None]


def numbers_of(layout: Layout) -> Symbols:
    """The numbers of all cells of a layout, ``MINED`` for a mine."""
    mined = [symbol == "*" for symbol in layout.symbols]
    near = layout.topology.neighbours(layout.rows, layout.cols)
    shown = (MINED if own else sum(mined[other] for other in around) for own, around in zip(mined, near, strict=True))
    return array("b", shown)
