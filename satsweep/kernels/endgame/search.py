"""Best play with any number of worlds left: branch and bound over sets of worlds.

The rules of the search are those of ``few``, which takes over once a set has at most 64 worlds. Here a set waits in a
*frame* for the sets it depends on, on a stack of our own (numba cannot read a function that calls itself back from its
cache): parts by what a cell shows (``SPLIT``, V is their sum), regions (``PRODUCT``), or the cells that can be opened
(``CHOICE``, V is the best of them).

The question about a set is whether it is worth more than ``above``. A part has to give what the others, by their
bounds, cannot; a cell has to beat the best so far. A part too large for ``few`` first gets a better bound, the best of
the bounds of its cells, which often settles a cell before any of its parts is searched.
"""

from typing import Any

import numpy as np

from satsweep.kernels.endgame.few import (
    BUDGET,
    FEW,
    MINE,
    MINED,
    NODES,
    NONE,
    START,
    load_problem,
    value as value_of_few,
)
from satsweep.kernels.endgame.regions import FROM, LEAST, MOST, TO, split_regions
from satsweep.kernels.endgame.sets import (
    CELLS,
    FULL,
    PART,
    SETS,
    UNIFORM,
    bound,
    compare,
    compare_and_bound,
    find_slot,
    is_settled,
    keep_bounds,
    nonzero_bytes,
)
from satsweep.kernels.toolchain.marks import INT, exported, kernel

SPLIT, CHOICE, PRODUCT = (np.int64(kind) for kind in range(3))
"""Kind of a node: a sum over parts, a choice between cells, a product of regions."""
SIZE, BOUND, LAST, PLACE = range(4)
"""Fields of ``part``: worlds, bound, class of the last world, next place."""
KIND, AT, TOP, END, BEGIN, FINISH, FREE, SLOT, HIGH, ABOVE, LOW, REACHED, CELL = range(13)
"""Fields of a frame.

The kind of its node; the next child, the begin and the end of the children on the stack; the begin and the end of its
worlds; the end of the lists; its slot of the table; the upper bound and the bound to beat when it began; the value so
far, and the most that can still be reached; the cell that gives the value.
"""
_NOWHERE = np.int64(-(1 << 62))
_ZERO, _ONE, _HIGH = np.uint64(0), np.uint64(1), np.uint64(0x8080808080808080)


@kernel
def push_cells(m: Any, begin: Any, end: Any, above: Any, top: Any, depth: Any) -> Any:
    """Push the cells to try, each with its bound, the greatest first.

    The bound is that of the worlds in which the cell is safe. Needs ``compare_and_bound`` of the set. Cells that cannot
    give more than ``above`` are left out. Returns the end of the stack and the greatest bound left out.
    """
    stop = top
    dropped = np.int64(0)
    for cell in range(m.size[CELLS]):
        if is_settled(m, depth, cell):
            continue
        most = m.most[cell]
        if most <= above:
            dropped = max(dropped, most)
            continue
        at = stop
        while at > top and m.stack[at - 1] < most:
            m.stack[at + 1], m.stack[at] = m.stack[at - 1], m.stack[at - 2]
            at -= 2
        m.stack[at], m.stack[at + 1] = cell, most
        stop += 2
    return stop, dropped


@kernel
def is_dominated(m: Any, begin: Any, end: Any, top: Any, at: Any) -> Any:
    """Return whether a pushed cell is safe only in worlds where an earlier one is."""
    cell = m.stack[at]
    for before in range(top, at, 2):
        other = m.stack[before]
        within = True
        for i in range(begin, end):
            world = m.chosen[i]
            if m.code[world, other] == MINE and m.code[world, cell] != MINE:
                within = False
                break
        if within:
            return True
    return False


@kernel
def _bound_part(m: Any, begin: Any, end: Any, high: Any) -> Any:
    """Return a better upper bound of a part.

    It is the known one or, if no cell can be opened at once, the best of its cells.
    """
    depth = m.same.shape[0] - 1
    if compare_and_bound(m, begin, end, depth) >= 0:
        return high
    slot = find_slot(m, m.chosen[begin], depth)
    if slot >= 0:
        return min(high, m.known[slot, 2])
    most = np.int64(0)
    for cell in range(m.size[CELLS]):
        if not is_settled(m, depth, cell):
            most = max(most, m.most[cell])
    return min(high, most)


@kernel
def _push_parts(m: Any, begin: Any, end: Any, cell: Any, free: Any, top: Any) -> Any:
    """Split the worlds in which a cell is safe by the number that it shows.

    The lists of the parts begin at ``free``. Each part goes on the stack: where it begins, where it ends, its bound;
    the smallest first. Parts of one or two worlds are not pushed, as their value is known. Returns the ends of stack
    and lists, and the sum of the known values.
    """
    p = m.part
    for number in range(MINED):
        p[number, SIZE], p[number, BOUND], p[number, LAST] = 0, 0, -1
    highest: Any = NONE
    for at in range(begin, end):
        world = m.chosen[at]
        code = np.int64(m.code[world, cell])
        if code != MINE:
            highest = max(highest, code)
            p[code, SIZE] += 1
            colour = m.colour[world]
            p[code, BOUND] += np.int64(colour != p[code, LAST])
            p[code, LAST] = colour
    fill = free
    for number in range(highest + 1):
        p[number, PLACE] = fill
        fill += p[number, SIZE]
    for at in range(begin, end):
        world = m.chosen[at]
        code = np.int64(m.code[world, cell])
        if code != MINE:
            m.chosen[p[code, PLACE]] = world
            p[code, PLACE] += 1
    stop, sure = top, START
    for number in range(highest + 1):
        size = p[number, SIZE]
        if size == 0:
            continue
        b = p[number, PLACE]
        a, most = b - size, p[number, BOUND]
        if size == 1:
            sure += m.weight[m.chosen[a]]
            continue
        if size == 2:
            sure += _value_of_pair(m, m.chosen[a], m.chosen[a + 1])
            continue
        if not m.size[UNIFORM]:
            most = bound(m, a, b, NONE)
        if size > FEW:
            most = _bound_part(m, a, b, most)
        at = stop
        while at > top and m.stack[at - PART + TO] - m.stack[at - PART + FROM] > size:
            for k in range(3):
                m.stack[at + k] = m.stack[at - PART + k]
            at -= PART
        m.stack[at + FROM], m.stack[at + TO], m.stack[at + MOST] = a, b, most
        stop += PART
    return stop, fill, sure


@kernel
def _value_of_pair(m: Any, world: Any, other: Any) -> Any:
    """Return the value of two worlds.

    It is that of both if they differ in a cell that is safe in both; else that of one with a safe cell of its own. The
    safe cells of a world may be some of those of the other; then it is not won by opening one more.
    """
    mines, others = _ZERO, _ZERO
    for word in range(m.row.shape[1]):
        one, two = m.row[world, word], m.row[other, word]
        if nonzero_bytes(one ^ two) & ~nonzero_bytes((one | two) & _HIGH) != _ZERO:
            return m.weight[world] + m.weight[other]
        mines |= one & ~two & _HIGH
        others |= two & ~one & _HIGH
    return max(m.weight[other] if mines else np.int64(0), m.weight[world] if others else np.int64(0))


@kernel
def _push_frame(
    m: Any, depth: Any, kind: Any, top: Any, end: Any, free: Any, high: Any, above: Any, slot: Any, sure: Any
) -> None:
    """Begin a frame, of which ``sure`` is known already."""
    frame = m.frame[depth]
    frame[KIND], frame[AT], frame[TOP], frame[END], frame[FREE] = kind, top, top, end, free
    frame[HIGH], frame[ABOVE], frame[LOW], frame[REACHED], frame[SLOT] = high, above, sure, sure, slot
    frame[CELL] = NONE
    if kind == SPLIT:
        for part in range(top, end, PART):
            frame[REACHED] += m.stack[part + MOST]


# Longer than 60 lines: a recursion as one loop with its own stack, first down, then up.
@exported(SETS, INT, INT, INT, INT, INT, INT, results=2)
def value(m: Any, begin: Any, end: Any, cell: Any, above: Any, free: Any, top: Any) -> Any:
    """Return lower and upper bound of V of the set ``chosen[begin:end]``.

    With a cell that is not negative: of the value of opening it. The bounds meet if the value exceeds ``above``;
    otherwise the upper one is at most ``above``. Only where the budget or the room is spent may they stay apart. Lists
    go on from ``free``, the stack from ``top``.
    """
    depth, opened = NONE, np.int64(cell)
    while True:
        # Go down: V of a set may be known; else the set waits in a frame for its children.
        here = depth + 1
        low, high = np.int64(1), bound(m, begin, end, NONE)
        waits = False
        found = opened
        slot = _NOWHERE
        first = m.chosen[begin]
        if opened >= 0:
            low = np.int64(0)
        elif end - begin == 1:
            low = high
        elif high > above:
            found = compare_and_bound(m, begin, end, here) if end - begin > FEW else compare(m, begin, end, here)
            slot = find_slot(m, first, here)
            if slot >= 0:
                low, high = m.known[slot, 1], min(high, m.known[slot, 2])
        if low == high or high <= above or m.spent[NODES] >= m.spent[BUDGET] or m.size[FULL]:
            pass
        elif end - begin <= FEW and opened < 0:
            load_problem(m.few, m.code, m.weight, m.chosen, begin, end, m.same[here], m.size[CELLS])
            whole = ~_ZERO >> np.uint64(FEW - (end - begin))
            low, high = value_of_few(m.few, whole, above, START)
            keep_bounds(m, slot, first, here, low, high, NONE)
        elif here + 2 >= m.same.shape[0] or free + 2 * (end - begin) > m.chosen.shape[0]:
            m.size[FULL] = 1
        else:
            m.spent[NODES] += 1
            waits, depth, dropped, sure = True, here, np.int64(0), np.int64(0)
            kind, stop, fill = PRODUCT, top, free
            if found < 0:
                stop, fill = split_regions(m, begin, end, here, free, top)
            if found >= 0:
                kind = SPLIT
                stop, fill, sure = _push_parts(m, begin, end, found, free, top)
            elif stop == top:
                kind = CHOICE
                stop, dropped = push_cells(m, begin, end, above, top, here)
            _push_frame(m, depth, kind, top, stop, fill, high, above, slot, sure)
            m.frame[depth, BEGIN], m.frame[depth, FINISH] = begin, end
            m.frame[depth, REACHED] += dropped
            opened = NONE
        # Go up: a frame takes the value of its child, and visits the next one or is done.
        while True:
            if depth < 0:
                return low, high
            at = m.frame[depth, AT]
            if m.frame[depth, KIND] == SPLIT:
                # REACHED is the most that the parts give together; this one has to give what the others cannot.
                if not waits:
                    m.frame[depth, LOW] += low
                    m.frame[depth, REACHED] += high
                if at < m.frame[depth, END] and m.frame[depth, REACHED] > m.frame[depth, ABOVE]:
                    m.frame[depth, REACHED] -= m.stack[at + MOST]
                    above = m.frame[depth, ABOVE] - m.frame[depth, REACHED]
                    break
            elif m.frame[depth, KIND] == PRODUCT:
                if not waits:
                    m.stack[at - PART + LEAST], m.stack[at - PART + MOST] = low, high
                m.frame[depth, LOW] = m.frame[depth, REACHED] = 1
                others = np.int64(1)
                for part in range(m.frame[depth, TOP], m.frame[depth, END], PART):
                    m.frame[depth, LOW] *= m.stack[part + LEAST]
                    m.frame[depth, REACHED] *= m.stack[part + MOST]
                    if part != at:
                        others *= m.stack[part + MOST]
                if at < m.frame[depth, END] and m.frame[depth, REACHED] > m.frame[depth, ABOVE]:
                    above = m.frame[depth, ABOVE] // others
                    break
            else:
                # ABOVE is the best so far, REACHED the most that any cell tried or left out can give.
                if not waits:
                    if low > m.frame[depth, LOW]:
                        m.frame[depth, CELL] = m.stack[at - 2]
                    m.frame[depth, LOW] = max(m.frame[depth, LOW], low)
                    m.frame[depth, ABOVE] = max(m.frame[depth, ABOVE], low)
                    m.frame[depth, REACHED] = max(m.frame[depth, REACHED], high)
                a, b, cells = m.frame[depth, BEGIN], m.frame[depth, FINISH], m.frame[depth, TOP]
                while at < m.frame[depth, END] and is_dominated(m, a, b, cells, at):
                    at += 2
                if at < m.frame[depth, END]:
                    above = m.frame[depth, ABOVE]
                    if m.stack[at + 1] > above and m.frame[depth, HIGH] > above:
                        m.frame[depth, AT] = at + 2
                        top = m.frame[depth, END]
                        stop, fill, sure = _push_parts(m, a, b, m.stack[at], m.frame[depth, FREE], top)
                        depth += 1
                        _push_frame(m, depth, SPLIT, top, stop, fill, m.stack[at + 1], above, _NOWHERE, sure)
                        waits = True
                        continue
                    m.frame[depth, REACHED] = max(m.frame[depth, REACHED], m.stack[at + 1])
            low, high = m.frame[depth, LOW], min(m.frame[depth, REACHED], m.frame[depth, HIGH])
            if m.frame[depth, SLOT] != _NOWHERE:
                first, found = m.chosen[m.frame[depth, BEGIN]], m.frame[depth, CELL]
                keep_bounds(m, m.frame[depth, SLOT], first, depth, low, high, found)
            depth -= 1
            waits = False
        begin, end, top, free = m.stack[at + FROM], m.stack[at + TO], m.frame[depth, END], m.frame[depth, FREE]
        m.frame[depth, AT] = at + PART
