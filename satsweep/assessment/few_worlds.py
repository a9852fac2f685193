"""Best play from a position with few worlds, and from all that can follow.

A set of worlds is an integer of one bit a world. The value of a set is the number of its worlds that best play wins; it
is found by the compiled search of endgames if the kernels are there, else by the same search in Python
(``solver.endgame``).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from satsweep.assessment.positions import COVERED, Positions, Symbols
from satsweep.board import Board
from satsweep.solver import compiled
from satsweep.solver.endgame import EndgameSearch, PlayedCell, SearchExhausted, endgame

FAST, SLOW = 1_000, 300
"""Most worlds of an endgame, with and without kernels.

The first is that of the player that estimates elsewhere (``DEEP``).
"""
FAST_BOARD, SLOW_BOARD, MOST_CELLS = 20_000, 1_000, 64
"""Most layouts of a board that is played exactly throughout, and most cells."""


class FewWorlds:
    """The worlds of a position, and the values of all sets that play can come to.

    Raises SearchExhausted where the search in Python takes too long.
    """

    def __init__(self, base: Symbols, search: EndgameSearch, worlds: int, *, fast: bool) -> None:
        self.base = base
        self.cells = search.cells
        self.all = (1 << worlds) - 1
        self._search = CompiledSearch(search.cells, worlds) if fast else search
        self._known: dict[int, int] = {}
        self._best: dict[int, int] = {}

    def leads_to(self, symbols: Symbols) -> bool:
        """Return whether a position can follow from this one."""
        return bool(((self.base == COVERED) | (self.base == symbols)).all())

    def worlds_of(self, symbols: Symbols) -> int:
        """The worlds that agree with a position that follows from this one."""
        left = self.all
        for cell, played in self.cells.items():
            if symbols[cell] != COVERED:
                left &= played.shows.get(int(symbols[cell]), 0)
        return left

    def value(self, worlds: int) -> int:
        """The number of worlds of a set that best play wins."""
        if worlds & (worlds - 1) == 0:
            return int(worlds > 0)
        if worlds not in self._known:
            self._known[worlds] = self._search.value(worlds)
        return self._known[worlds]

    def chance(self, worlds: int) -> Fraction:
        """The chance to win with best play."""
        return Fraction(self.value(worlds), worlds.bit_count())

    def chance_with(self, worlds: int, cells: Iterable[int]) -> Fraction:
        """The chance to win with best play after opening some cells at once."""
        return Fraction(sum(map(self.value, self.parts(worlds, cells))), worlds.bit_count())

    def parts(self, worlds: int, cells: Iterable[int]) -> list[int]:
        """The sets of worlds that some cells tell apart when all of them are safe."""
        parts = [worlds]
        for cell in cells:
            shows = self.cells[cell].shows.values() if cell in self.cells else ()
            parts = [left for part in parts for same in shows if (left := part & same)]
        return parts

    def best(self, worlds: int) -> int:
        """One of the best cells among those that may be mines; -1 if there is none."""
        if worlds in self._best:
            return self._best[worlds]
        total, count, best, most = self.value(worlds), worlds.bit_count(), -1, -1
        safe = {cell: (played.safe & worlds).bit_count() for cell, played in self.cells.items()}
        guesses = [cell for cell in safe if 0 < safe[cell] < count]
        for cell in sorted(guesses, key=lambda cell: (-safe[cell], cell)):
            if most == total or safe[cell] <= most:
                break
            won = sum(map(self.value, self.parts(worlds, (cell,))))
            if won > most:
                best, most = cell, won
        self._best[worlds] = best
        return best


class CompiledSearch:
    """The compiled search of endgames for one set of worlds and its parts."""

    def __init__(self, cells: dict[int, PlayedCell], worlds: int) -> None:
        table = np.full((worlds, len(cells)), compiled.ENDGAME_MINE, np.uint8)
        for column, played in enumerate(cells.values()):
            for number, same in played.shows.items():
                table[_places(same, worlds), column] = number
        self._room = compiled.EndgameRoom(table)
        self._worlds = worlds

    def value(self, worlds: int) -> int:
        """The number of worlds of a set that best play wins.

        Raises SearchExhausted where its room is spent.
        """
        try:
            return self._room.value(np.flatnonzero(_places(worlds, self._worlds)).tolist())
        except MemoryError:
            raise SearchExhausted from None


def _places(worlds: int, count: int) -> NDArray[np.bool_]:
    """A set of worlds as an array of its members."""
    content = worlds.to_bytes((count + 7) // 8, "little")
    return np.unpackbits(np.frombuffer(content, np.uint8), count=count, bitorder="little").astype(bool)


def few_worlds(positions: Positions, symbols: Symbols, most: int) -> FewWorlds | None:
    """The values of a position with few worlds.

    None if it has more than ``most``, or they cannot be listed.
    """
    found = endgame(positions.analysis(symbols), most=most)
    if found is None:
        return None
    return FewWorlds(symbols.copy(), found.search, found.size, fast=positions.deep)


@lru_cache(maxsize=4)
def whole_board(blank: Board, *, kernels: bool) -> FewWorlds | None:
    """The values of all positions of a board with few layouts; None of another one.

    They are kept, as many games are played on the same board.
    """
    positions = Positions(blank, kernels=kernels)
    cells, most = blank.rows * blank.cols, FAST_BOARD if positions.deep else SLOW_BOARD
    if blank.mines is None or cells > MOST_CELLS or not blank.mines <= cells or comb(cells, blank.mines) > most:
        return None
    return few_worlds(positions, np.full(cells, COVERED, np.int8), most)
