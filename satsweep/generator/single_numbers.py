"""A game in which all that single numbers say is done at once.

The cells that single numbers decide do not depend on the order. Play by them is therefore kept as counts around each
cell, changed by each decision, and an agent that begins with single numbers is asked only where they are silent.
"""

from __future__ import annotations

from collections.abc import Iterable

from satsweep.board import COVERED, FLAG, HIDDEN, MINE, NUMBERS, Board, Cell
from satsweep.layout import Layout


class SingleNumbersGame:
    """Open and flagged cells of a layout.

    By row-major indices: ``_need`` has the mines around a cell that are not flagged, ``_free`` the covered cells around
    it. ``_left`` safe cells are covered.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._near = layout.topology.neighbours(layout.rows, layout.cols)
        self._need = [0] * len(self._near)
        for cell, symbol in enumerate(layout.symbols):
            if symbol == MINE:
                for other in self._near[cell]:
                    self._need[other] += 1
        self._numbers = self._need.copy()
        self._free = [*map(len, self._near)]
        self._symbols = [COVERED] * len(self._near)
        self._left = len(self._near) - layout.mines

    def copy(self) -> SingleNumbersGame:
        found = object.__new__(SingleNumbersGame)
        found._layout, found._near, found._numbers, found._left = self._layout, self._near, self._numbers, self._left
        found._need, found._free, found._symbols = self._need.copy(), self._free.copy(), self._symbols.copy()
        return found

    @property
    def is_over(self) -> bool:
        return not self._left

    @property
    def symbols(self) -> str:
        """The position; a number without covered cells around it is not shown."""
        return "".join(self._symbols)

    @property
    def board(self) -> Board:
        cols, symbols = self._layout.cols, self.symbols
        rows = tuple(symbols[first : first + cols] for first in range(0, len(symbols), cols))
        return Board.trusted(rows, self._layout.mines, topology=self._layout.topology)

    def decide(self, safe: Iterable[Cell], mines: Iterable[Cell]) -> bool:
        """Open and flag cells, and all that single numbers decide then.

        They are as they are claimed to be. Returns whether one was covered.
        """
        symbols, need, free, near = self._symbols, self._need, self._free, self._near
        waiting = [(row * self._layout.cols + col, mine) for mine, of in enumerate((safe, mines)) for row, col in of]
        decided = any(symbols[cell] == COVERED for cell, _ in waiting)
        while waiting:
            cell, mine = waiting.pop()
            if symbols[cell] != COVERED:
                continue
            self._left -= not mine
            symbols[cell] = FLAG if mine else NUMBERS[self._numbers[cell]]
            touched = near[cell] if mine else (*near[cell], cell)
            for other in near[cell]:
                free[other] -= 1
                need[other] -= mine
            for number in touched:
                if symbols[number] in _SILENT:
                    continue
                if not free[number]:
                    symbols[number] = HIDDEN
                elif need[number] in (0, free[number]):
                    of = min(need[number], 1)
                    waiting += [(other, of) for other in near[number] if symbols[other] == COVERED]
        return decided


_SILENT = frozenset((COVERED, FLAG, HIDDEN))
