"""The best opening, exactly, once few enough worlds are left to look at all that can follow.

A problem is a table: for every world and every *live* cell what the cell shows there, or ``MINE``. Live cells are those
that are covered; a cell that is the same in all worlds may be left out. What a number counts outside of the live cells
is in the table already (``numbered`` does it). No two worlds have the same mines. The value of a position is the weight
of the worlds that are won by playing on in the best way, an integer.

From compiled code: make room once with ``sets``; fill ``code[i, cell]`` and ``weight[i]``, and for regions to be
searched apart ``scope`` and ``owner`` (see ``endgame_regions``); call ``prepare``, which puts the worlds in an order of
its own; put worlds into ``chosen``, ascending, and ``choose``. After a move put the worlds that agree with what it
shows into ``chosen`` and choose again: what has been found out is kept until the next ``prepare``. Only such sets may
be asked about, all worlds that agree with what is seen of some cells; that a cell is safe is too little.

From Python: ``best_opening`` and ``values_of_openings``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.kernels.compiling import exported, kernel
from satsweep.kernels.endgame.few import (
    BUDGET,
    CELLS as CLASSES,
    FEW,
    MINE,
    NODES,
    NONE,
    START,
    UNLIMITED,
    expand,
    load,
    value as value_of_few,
)
from satsweep.kernels.endgame.regions import FROM, TO, regions_of
from satsweep.kernels.endgame.search import candidates, needless, value
from satsweep.kernels.endgame.sets import CELLS, FULL, PART, UNIT, Sets, compare, keep, prepare, sets, slot_of, survey

_ZERO = np.uint64(0)


class Opening(NamedTuple):
    """A cell to open and bounds on the weight of the worlds that can be won; equal unless a budget was spent."""

    cell: int
    low: int
    high: int


def room_for(
    code: NDArray[np.integer[Any]],
    weights: Sequence[int] | None = None,
    scopes: Sequence[tuple[int, Sequence[int]]] = (),
    slots: int = 1 << 16,
) -> Sets:
    """The problem of a table of worlds, prepared, all of them chosen.

    ``scopes`` are pairs: the cell whose number sees these cells, or -1 for a number outside, and the cells.
    """
    worlds, cells = code.shape
    m = sets(worlds, cells, scopes=len(scopes), slots=slots)
    m.code[:, :cells] = code
    m.weight[:] = 1 if weights is None else weights
    for i, (owner, seen) in enumerate(scopes):
        m.owner[i] = owner
        for cell in seen:
            m.scope[i, cell >> 6] |= np.uint64(1 << (cell & 63))
    m.chosen[:worlds] = np.arange(worlds)
    prepare(m, worlds, cells, len(scopes))
    return m


def best_opening(
    code: NDArray[np.integer[Any]],
    weights: Sequence[int] | None = None,
    scopes: Sequence[tuple[int, Sequence[int]]] = (),
    budget: int = UNLIMITED,
) -> Opening:
    """The best cell to open, and what is won after it.

    >>> # Two cells, one mine, nobody knows where; and a third that is safe and shows it.
    >>> best_opening(np.array([[MINE, 0, 1], [0, MINE, 0]]))
    Opening(cell=2, low=2, high=2)
    """
    return Opening(*choose(room_for(code, weights, scopes), len(code), budget))


def values_of_openings(
    code: NDArray[np.integer[Any]],
    weights: Sequence[int] | None = None,
    scopes: Sequence[tuple[int, Sequence[int]]] = (),
    budget: int = UNLIMITED,
) -> list[Opening]:
    """What every cell is worth if it is opened now.

    >>> [opening.high for opening in values_of_openings(np.array([[MINE, 0, 1], [0, MINE, 0]]))]
    [1, 1, 2]
    """
    low, high = np.zeros((2, code.shape[1]), np.int64)
    appraise(room_for(code, weights, scopes), len(code), budget, low, high)
    return [Opening(*opening) for opening in zip(range(len(low)), low.tolist(), high.tolist(), strict=True)]


@exported
def choose(m: Any, count: Any, budget: Any) -> Any:
    """The best cell to open in the worlds ``chosen[:count]``, and bounds on what it is worth, within so many nodes.

    The bounds are equal unless the budget or the room is spent; then the cell is the best of those looked at, and the
    upper bound holds for all. A cell that is safe in all worlds is best if it tells anything, or if nothing is left to
    find out. -1 where every cell is a mine.
    """
    m.spent[NODES], m.spent[BUDGET], m.size[FULL] = 0, budget, 0
    unit = m.size[UNIT]
    found = compare(m, START, count, START)
    if found != -1:
        low, high = value(m, START, count, NONE, START, count, START)
        if found < 0:
            found = NONE
            for cell in range(m.size[CELLS]):
                if m.code[m.chosen[0], cell] != MINE:
                    found = np.int64(cell)
                    break
        return found, low * unit, high * unit
    slot = slot_of(m, m.chosen[0], START)
    if slot >= 0 and m.known[slot, 1] == m.known[slot, 2] and m.known[slot, 3] >= 0:
        return m.known[slot, 3], m.known[slot, 1] * unit, m.known[slot, 2] * unit
    stop, fill = regions_of(m, START, count, START, count, START)
    if stop > 0:
        best, low, high = _choose_region(m, stop, fill)
    else:
        best, low, high = _choose(m, START, count, count, START)
    if low == high:
        compare(m, START, count, START)
        keep(m, slot_of(m, m.chosen[0], START), m.chosen[0], START, low, high, best)
    return best, low * unit, high * unit


@kernel
def _choose_region(m: Any, stop: Any, free: Any) -> Any:
    """The best cell of the smallest of the regions on the stack, which is a best one of all (``endgame_regions``)."""
    least = START
    low, high = np.int64(1), np.int64(1)
    for part in range(0, stop, PART):
        if m.stack[part + TO] - m.stack[part + FROM] < m.stack[least + TO] - m.stack[least + FROM]:
            least = np.int64(part)
    for part in range(0, stop, PART):
        if part != least:
            lo, hi = value(m, m.stack[part + FROM], m.stack[part + TO], NONE, START, free, stop)
            low, high = low * lo, high * hi
    best, lo, hi = _choose(m, m.stack[least + FROM], m.stack[least + TO], free, stop)
    return best, low * lo, high * hi


@kernel
def _choose(m: Any, begin: Any, end: Any, free: Any, top: Any) -> Any:
    """The best of the cells of a set that are safe in some of its worlds; none is safe in all."""
    if end - begin <= FEW:
        compare(m, begin, end, START)
        return _choose_few(m, begin, end)
    best, low, high = NONE, START, START
    survey(m, begin, end, START)
    stop, _ = candidates(m, begin, end, START, top, START)
    for at in range(top, stop, 2):
        if m.stack[at + 1] <= low:
            break
        if needless(m, begin, end, top, at):
            continue
        cell = m.stack[at]
        lo, hi = value(m, begin, end, cell, low, free, stop)
        high = max(high, hi)
        if lo > low or best < 0:
            best, low = cell, lo
    return best, low, high


@kernel
def _choose_few(m: Any, begin: Any, end: Any) -> Any:
    """The same for at most 64 worlds, which have been compared."""
    p = m.few
    load(p, m.code, m.weight, m.chosen, begin, end, m.same[0], m.size[CELLS])
    best, low, high = NONE, START, START
    _, stop, _ = expand(p, ~_ZERO >> np.uint64(FEW - (end - begin)), START, START)
    for at in range(stop):
        if p.worth[at] <= low:
            break
        lo, hi = value_of_few(p, p.stack[at], low, stop)
        high = max(high, hi)
        if lo > low or best < 0:
            for same in range(p.size[CLASSES]):
                if p.safe[same] == p.stack[at]:
                    best, low = p.cell[same], lo
    return best, low, high


@exported
def appraise(m: Any, count: Any, budget: Any, low: Any, high: Any) -> None:
    """Bounds on what every cell is worth if it is opened next; the budget is for all cells together."""
    m.spent[NODES], m.spent[BUDGET], m.size[FULL] = 0, budget, 0
    for cell in range(m.size[CELLS]):
        lo, hi = value(m, START, count, np.int64(cell), START, count, START)
        low[cell], high[cell] = lo * m.size[UNIT], hi * m.size[UNIT]


@exported
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
