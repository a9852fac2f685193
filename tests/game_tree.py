"""Game trees of endgames: the rules of the game, every cell tried."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from satsweep.kernels.endgame.few import MINE


class GameTree:
    """Best play from what each cell shows in each world.

    A position is the worlds that are left and the cells that are open.
    """

    def __init__(self, table: Any, weights: Sequence[int] | None = None) -> None:
        self.rows = [tuple(map(int, row)) for row in table]
        self.weights = [1] * len(self.rows) if weights is None else list(weights)
        self.worlds = frozenset(range(len(self.rows)))
        self.best = cache(self._best)

    def parts(self, worlds: frozenset[int], cell: int) -> list[frozenset[int]]:
        """The worlds in which a cell is safe, by what it shows."""
        found: dict[int, set[int]] = {}
        for world in worlds:
            if self.rows[world][cell] != MINE:
                found.setdefault(self.rows[world][cell], set()).add(world)
        return [frozenset(part) for part in found.values()]

    def opened(self, worlds: frozenset[int], seen: frozenset[int], cell: int) -> int:
        return sum(self.best(part, seen | {cell}) for part in self.parts(worlds, cell))

    def _best(self, worlds: frozenset[int], seen: frozenset[int]) -> int:
        left = [cell for cell in range(len(self.rows[0])) if cell not in seen]
        if all(self.rows[world][cell] == MINE for world in worlds for cell in left):
            return sum(self.weights[world] for world in worlds)
        return max(self.opened(worlds, seen, cell) for cell in left)

    def openings(self) -> list[int]:
        return [self.opened(self.worlds, frozenset(), cell) for cell in range(len(self.rows[0]))]
