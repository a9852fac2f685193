"""The best opening, exactly, once few enough worlds are left.

A problem is a table: for every world and every *live* cell the number that the cell shows there, or ``MINE``. Live
cells are the covered ones; a cell that is the same in all worlds may be left out. Numbers count mines outside the live
cells, too. No two worlds have the same mines. The value of a position is the weight of the worlds that are won by
playing on in the best way, an integer.

To use it: make room once with ``sets``; fill ``code[i, cell]`` and ``weight[i]``, and for regions to be searched apart
``scope`` and ``owner`` (see ``regions``); call ``prepare``, which puts the worlds in an order of its own; put worlds
into ``chosen``, ascending, and call ``choose``. After a move put the worlds that agree with what it shows into
``chosen`` and choose again: results are kept until the next ``prepare``. Only such sets are allowed, all worlds that
agree with what is seen of some cells; all worlds in which a cell is safe are not such a set.
"""

from typing import Any

import numpy as np

from satsweep.kernels.endgame.few import (
    BUDGET,
    CELLS as CLASSES,
    FEW,
    MINE,
    NODES,
    NONE,
    START,
    load_problem,
    push_children,
    value as value_of_few,
)
from satsweep.kernels.endgame.regions import FROM, TO, split_regions
from satsweep.kernels.endgame.search import is_dominated, push_cells, value
from satsweep.kernels.endgame.sets import (
    CELLS,
    FULL,
    PART,
    SETS,
    UNIT,
    compare,
    compare_and_bound,
    find_slot,
    keep_bounds,
)
from satsweep.kernels.toolchain.marks import INT, exported, kernel

_ZERO = np.uint64(0)


@exported(SETS, INT, INT, results=3)
def choose(m: Any, count: Any, budget: Any) -> Any:
    """Return the best cell to open in the worlds ``chosen[:count]``, and its bounds.

    At most ``budget`` nodes are searched. The bounds of the value are equal unless the budget or the room is spent;
    then the cell is the best of those looked at, and the upper bound holds for all. A cell that is safe in all worlds
    is best if it tells anything, or if nothing is left to find out. The cell is -1 where every cell is a mine.
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
    slot = find_slot(m, m.chosen[0], START)
    if slot >= 0 and m.known[slot, 1] == m.known[slot, 2] and m.known[slot, 3] >= 0:
        return m.known[slot, 3], m.known[slot, 1] * unit, m.known[slot, 2] * unit
    stop, fill = split_regions(m, START, count, START, count, START)
    if stop > 0:
        best, low, high = _choose_region(m, stop, fill)
    else:
        best, low, high = _choose(m, START, count, count, START)
    if low == high:
        compare(m, START, count, START)
        keep_bounds(m, find_slot(m, m.chosen[0], START), m.chosen[0], START, low, high, best)
    return best, low * unit, high * unit


@kernel
def _choose_region(m: Any, stop: Any, free: Any) -> Any:
    """Return the best cell of the smallest region on the stack, and bounds of all.

    It is a best cell of all regions (see ``regions``).
    """
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
    """Return the best of the cells that are safe in some worlds, none being in all."""
    if end - begin <= FEW:
        compare(m, begin, end, START)
        return _choose_few(m, begin, end)
    best, low, high = NONE, START, START
    compare_and_bound(m, begin, end, START)
    stop, _ = push_cells(m, begin, end, START, top, START)
    for at in range(top, stop, 2):
        if m.stack[at + 1] <= low:
            break
        if is_dominated(m, begin, end, top, at):
            continue
        cell = m.stack[at]
        lo, hi = value(m, begin, end, cell, low, free, stop)
        high = max(high, hi)
        if lo > low or best < 0:
            best, low = cell, lo
    return best, low, high


@kernel
def _choose_few(m: Any, begin: Any, end: Any) -> Any:
    """Do the same for at most 64 worlds, which have been compared."""
    p = m.few
    load_problem(p, m.code, m.weight, m.chosen, begin, end, m.same[0], m.size[CELLS])
    best, low, high = NONE, START, START
    _, stop, _ = push_children(p, ~_ZERO >> np.uint64(FEW - (end - begin)), START, START)
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
