"""Boards without a guess that are too large for the kernels: made tile by tile.

The cells are cut into *tiles*, each a ball of cells around one that touches earlier tiles. The kernels repair one after
the other, with the numbers of earlier tiles around it. Numbers that touch later tiles are not used: the mines of the
later ones change nothing in the earlier ones, and the whole board needs no guess. A cell of which no other number can
tell is left to the next tile. The mine total is not used, either, so that every mine follows from numbers.

A tile that cannot be repaired is drawn anew with fewer mines. Those that are too many go to the end of the board, where
they make one block: all other cells are known before, so the mine total settles it.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, count
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.games.rules import FirstClick
from satsweep.generator.repair import CandidateLayout
from satsweep.generator.spec import EXACT, BoardSpec, Progress
from satsweep.layout import Layout
from satsweep.solver.budget import Meter
from satsweep.topology import Topology

TILE = 2_000
"""Cells of a tile; up to ``SMALL`` more than twice as many where remnants join it."""
SMALL = TILE // 2
"""Cells of a ball from which on it is a tile of its own."""
CHANGES = 1_000
"""Changes that are tried on a tile, before it is drawn anew."""
DENSEST = 0.4
"""Share of mines from which on a board has a block from the beginning."""
THINNER = 8
"""One in this many mines of a tile goes when it is drawn anew."""


def tiled(
    spec: BoardSpec, layout: Layout, run: str, meter: Meter, progress: Progress | None = None
) -> CandidateLayout | None:
    """A layout whose tiles are repaired; None where the mines find no room.

    Raises BudgetExceeded past the limits of ``meter``.
    """
    board = _TiledBoard(spec, layout, run, meter)
    while board.made < board.end:
        if not board.make_tile():
            return None
        if progress is not None:
            progress("repair", board.made / board.end)
    mines = frozenset(board.mined.nonzero()[0].tolist())
    return CandidateLayout(layout.with_mines(mines), 0, board.changes)


class _TiledBoard:
    """The cells in the order of their tiles; those before ``made`` are solved.

    Those from ``end`` on are mines all.
    """

    def __init__(self, spec: BoardSpec, layout: Layout, run: str, meter: Meter) -> None:
        from satsweep.solver import compiled

        assert spec.start is not None
        self.spec, self.run, self.meter = spec, run, meter
        self.start = spec.start.row * spec.cols + spec.start.col
        self.table = np.asarray(compiled.table_of(spec.topology, spec.rows, spec.cols).view)
        order, self.ends = tiles(spec.topology, spec.rows, spec.cols, self.start)
        self.order = np.array(order)
        self.tile, self.made, self.end, self.changes = -1, 0, len(order), 0
        self.mined = np.frombuffer(layout.symbols.encode("ascii"), np.uint8) == ord("*")
        self.mined = self.mined.astype(np.int8)
        self.is_made = np.zeros(len(order), bool)
        self.place = np.full(len(order) + 1, -1, np.int32)
        """By cell: its place in the tile at hand, else -1; the last is of no cell."""
        block = int((spec.mines - DENSEST * spec.cells) / (1 - DENSEST))
        if block > 0:
            self._fill_block(block, Random(f"{run}/block"))

    def _fill_block(self, size: int, rng: Random) -> None:
        self.end -= size
        block = self.order[self.end :]
        more = size - int(self.mined[block].sum())
        mines = [cell for cell in self.order[: self.end].tolist() if self.mined[cell]]
        self.mined[rng.sample(mines, more)] = 0
        self.mined[block] = 1

    def make_tile(self) -> bool:
        """Repair the next tile. Returns whether there is one whose mines found room."""
        from satsweep.solver import compiled

        self.tile += 1
        if self.tile == len(self.ends):
            return False
        cells = self._take(self.order[self.made : min(self.ends[self.tile], self.end)])
        if not len(cells):
            return True
        table, roles, start = self._posed(cells)
        for attempt in count():
            mined = np.zeros(len(roles), np.int8)
            mined[: len(cells)] = self.mined[cells]
            outcome, changes = compiled.repair_tile(
                table,
                mined,
                roles,
                start,
                CHANGES,
                f"{self.run}/{self.tile}/{attempt}",
                zero=self.spec.first is FirstClick.ZERO,
                technique=compiled.ALL if self.spec.player == EXACT else compiled.SINGLE,
                between=self.meter.spend,
            )
            self.changes += changes
            if outcome == "cleared":
                break
            if not self._thin_out(cells, Random(f"{self.run}/{self.tile}/{attempt}/thinner")):
                return False
        self.mined[cells] = mined[: len(cells)]
        self.is_made[cells] = True
        self.made += len(cells)
        return True

    def _take(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The cells of a tile of which a number can tell; the others come next."""
        taken = cells
        while True:
            silent, around = self._edges(taken)
            tells = np.zeros(len(self.place), bool)
            tells[taken[~silent]] = True
            tells[around] = True
            told = tells[self.table[taken]].any(axis=1) | (taken == self.start)
            if told.all():
                break
            taken = taken[told]
        self.order[self.made : self.made + len(cells)] = [*taken, *cells[~np.isin(cells, taken)]]
        return taken

    def _edges(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """By cell whether it is silent; and the numbers around, but silent ones."""
        unknown = np.append(~self.is_made, False)
        unknown[cells] = False
        near = self.table[cells]
        around = np.unique(near[near >= 0])
        around = around[self.is_made[around] & (self.mined[around] == 0)]
        return unknown[near].any(axis=1), around[~unknown[self.table[around]].any(axis=1)]

    def _posed(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int8], int]:
        """Neighbours, roles and start of a tile: its cells, then the numbers around it."""
        from satsweep.solver import compiled

        silent, around = self._edges(cells)
        every = np.concatenate([cells, around])
        self.place[every] = np.arange(len(every))
        table = self.place[self.table[every]]
        self.place[every] = -1
        shown = table[len(cells) :]
        shown[shown >= len(cells)] = -1
        roles = np.full(len(every), compiled.SHOWN, np.int8)
        roles[: len(cells)] = np.where(silent, compiled.SILENT, 0)
        start = np.flatnonzero(cells == self.start)
        return -np.sort(-table, axis=1), roles, int(start[0]) if len(start) else -1

    def _thin_out(self, cells: NDArray[np.int64], rng: Random) -> bool:
        """Draw a tile anew with fewer mines. Returns whether the others found room."""
        mines = int(self.mined[cells].sum())
        fewer = mines - -(-mines // THINNER)
        more = mines - fewer
        while more and self.end > self.made + len(cells):
            self.end -= 1
            more -= not self.mined[self.order[self.end]]
            self.mined[self.order[self.end]] = 1
        if more or not mines:
            return False
        free = [cell for cell in cells.tolist() if cell not in self.spec.fixed]
        self.mined[cells] = 0
        self.mined[rng.sample(free, fewer)] = 1
        return True


class Tiles(NamedTuple):
    """All cells in the order of their tiles, and where each tile ends."""

    order: Sequence[int]
    ends: Sequence[int]


@lru_cache(maxsize=4)
def tiles(topology: Topology, rows: int, cols: int, start: int) -> Tiles:
    """Cut a board into tiles, from a start on.

    >>> from satsweep.topology import SQUARE
    >>> tiles(SQUARE, 100, 120, 0).ends[-1]
    12000
    """
    near = topology.neighbours(rows, cols)
    reached = _nearest(near, start, len(near), bytearray(len(near)))
    apart = set(range(len(near))).difference(reached)
    tile_of = [-1] * len(near)
    taken = bytearray(len(near))
    parts: list[list[int]] = []
    for cell in (*reached, *sorted(apart)):
        if not taken[cell]:
            ball = _nearest(near, cell, TILE, taken)
            earlier = max((tile_of[other] for one in ball for other in near[one]), default=-1)
            tile = len(parts)
            if len(ball) < SMALL and earlier >= 0 and len(parts[earlier]) < 2 * TILE:
                tile = earlier
                parts[tile] += ball
            else:
                parts.append(ball)
            for one in ball:
                tile_of[one] = tile
    return Tiles([cell for part in parts for cell in part], [*accumulate(map(len, parts))])


def _nearest(near: Sequence[Sequence[int]], cell: int, most: int, taken: bytearray) -> list[int]:
    """The cells nearest to one, breadth first, which are taken then."""
    taken[cell] = 1
    cells = [cell]
    for one in cells:
        for other in near[one]:
            if not taken[other] and len(cells) < most:
                taken[other] = 1
                cells.append(other)
    return cells
