"""The best opening, exactly, once few enough worlds are left to look at all that can follow.

A problem is a table: for every world and every live cell what the cell shows there, or ``MINE``. Worlds are all
different in where their mines are. Live cells are those that are covered and not the same in every world; others may
be among them and change nothing. What a number counts outside of the live cells is in the table already.

The value of a position is the weight of the worlds that are won by playing on in the best way, an integer; see
``endgame_few`` for the rules of the search and why they hold, and ``endgame_sets`` for what makes it fit many worlds.

From compiled code: make room once with ``sets``; fill ``code[i, cell]`` and ``weight[i]`` (and, for products,
``scope`` and ``owner``); call ``prepare``; put worlds into ``chosen`` in ascending order and ``choose`` an opening.
After a move, put the worlds that are left into ``chosen`` and choose again: what has been found out is kept until the
next ``prepare``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from satsweep.kernels.endgame_few import CELLS as FEW_CELLS
from satsweep.kernels.endgame_few import FEW, MINE, load, weigh
from satsweep.kernels.endgame_few import value as value_of_few
from satsweep.kernels.endgame_sets import (
    BUDGET, CELLS, FULL, NODES, UNIT, Sets, candidates, compare, needless, prepare, sets, value
)

_ZERO = np.uint64(0)


@njit(cache=True)
def choose(m: Any, count: Any, budget: Any) -> Any:
    """The best cell to open in the worlds ``chosen[:count]``, and bounds on what it is worth, within so many nodes.

    The bounds are equal unless the budget or the room is spent; then the cell is the best of those looked at, and the
    upper bound holds for all. A cell that is safe in all worlds is best if it tells anything. -1 where every cell is
    a mine.
    """
    m.spent[NODES], m.spent[BUDGET], m.size[FULL] = 0, budget, 0
    unit = m.size[UNIT]
    found = compare(m, 0, count, 0)
    if found != -1:
        low, high = value(m, 0, count, np.int64(-1), np.int64(0), count)
        if found < 0:
            for cell in range(m.size[CELLS]):
                if m.code[m.chosen[0], cell] != MINE:
                    found = cell
                    break
        return max(found, -1), low * unit, high * unit
    if count <= FEW:
        best, low, high = _choose_few(m, count)
        return best, low * unit, high * unit
    stop, dropped = candidates(m, 0, count, np.int64(0), 0, 0)
    cells = m.stack[:stop].copy()
    best, low, high = np.int64(-1), np.int64(0), np.int64(0)
    for at in range(0, stop, 2):
        if cells[at + 1] <= low:
            break
        m.stack[:stop] = cells
        if needless(m, 0, count, 0, at):
            continue
        lo, hi = value(m, 0, count, cells[at], low, count)
        high = max(high, hi)
        if lo > low or best < 0:
            best, low = cells[at], lo
    return best, low * unit, high * unit


@njit(cache=True)
def _choose_few(m: Any, count: Any) -> Any:
    """The same for at most 64 worlds and no cell that is safe in all of them and tells anything."""
    p = m.few
    load(p, m.code, m.weight, m.chosen, 0, count, m.same[0], m.size[CELLS])
    best, low, high = np.int64(-1), np.int64(0), np.int64(0)
    tried = np.zeros(p.size[FEW_CELLS], np.bool_)
    while True:
        most, heaviest = np.int64(-1), low
        for at in range(p.size[FEW_CELLS]):
            if not tried[at] and weigh(p, p.safe[at]) > heaviest:
                most, heaviest = at, weigh(p, p.safe[at])
        if most < 0:
            return best, low, high
        tried[most] = True
        lo, hi = value_of_few(p, p.safe[most], low)
        high = max(high, hi)
        if lo > low or best < 0:
            best, low = p.cell[most], lo


@njit(cache=True)
def appraise(m: Any, count: Any, budget: Any, low: Any, high: Any) -> None:
    """Bounds on what every cell is worth if it is opened next; 0 for a mine. The budget is for each cell."""
    m.size[FULL] = 0
    for cell in range(m.size[CELLS]):
        m.spent[NODES], m.spent[BUDGET] = 0, budget
        lo, hi = value(m, 0, count, np.int64(cell), np.int64(0), count)
        low[cell], high[cell] = lo * m.size[UNIT], hi * m.size[UNIT]


@njit(cache=True)
def numbered(code: Any, neighbours: Any, outside: Any, worlds: Any) -> None:
    """Turn a table of mines (``MINE`` or anything else) into one of numbers.

    ``neighbours[cell]`` are the live cells that a cell touches, then -1; ``outside[cell]`` the mines beyond them.
    """
    for i in range(worlds):
        for cell in range(len(outside)):
            if code[i, cell] == MINE:
                continue
            mines = outside[cell]
            for k in range(neighbours.shape[1]):
                other = neighbours[cell, k]
                if other < 0:
                    break
                if code[i, other] == MINE:
                    mines += 1
            code[i, cell] = mines
