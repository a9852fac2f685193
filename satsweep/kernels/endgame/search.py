"""Best play with any number of worlds left, by search over the sets of worlds that can come up.

The rules of the search are those of ``endgame_few``, which takes over once a set has at most 64 worlds. Here a set
waits in a *frame* for the sets it depends on, on a stack of our own (numba cannot read back from its cache what calls
itself): parts by what a cell shows (``SPLIT``, V is their sum), regions (``PRODUCT``), or the cells that can be opened
(``CHOICE``, V is the best of them).

A set is asked whether it is worth more than ``above``. A part has to give what the others, by their bounds, cannot; a
cell has to beat the best so far. A part too large for ``endgame_few`` first gets a better bound, the best of the bounds
of its cells, which often settles a cell before any of its parts is searched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from satsweep.kernels.compiling import exported, kernel
from satsweep.kernels.endgame.few import BUDGET, FEW, MINE, MINED, NODES, NONE, START, load, value as value_of_few
from satsweep.kernels.endgame.regions import FROM, LEAST, MOST, TO, regions_of
from satsweep.kernels.endgame.sets import (
    CELLS,
    FULL,
    PART,
    UNIFORM,
    bound,
    compare,
    keep,
    lanes_of,
    settled,
    slot_of,
    survey,
)

SPLIT, CHOICE, PRODUCT = (np.int64(kind) for kind in range(3))
SIZE, BOUND, LAST, PLACE = range(4)
KIND, AT, TOP, END, BEGIN, FINISH, FREE, SLOT, HIGH, ABOVE, LOW, REACHED, CELL = range(13)
_NOWHERE = np.int64(-(1 << 62))
_ZERO, _ONE, _HIGH = np.uint64(0), np.uint64(1), np.uint64(0x8080808080808080)


@kernel
def candidates(m: Any, begin: Any, end: Any, above: Any, top: Any, depth: Any) -> Any:
    """Put the cells to try on the stack, each with the bound of the worlds in which it is safe, the greatest first.

    Needs ``survey`` of the set. Cells that cannot give more than ``above`` are left out. Gives the stack's new end and
    the greatest bound left out.
    """
    stop = top
    dropped = np.int64(0)
    for cell in range(m.size[CELLS]):
        if settled(m, depth, cell):
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
def needless(m: Any, begin: Any, end: Any, top: Any, at: Any) -> Any:
    """Whether a cell on the stack is safe only in worlds in which one before it is."""
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
def _look(m: Any, begin: Any, end: Any, high: Any) -> Any:
    """A better bound of a part: what is known of it or, if no cell can be opened at once, the best of its cells."""
    depth = m.same.shape[0] - 1
    if survey(m, begin, end, depth) >= 0:
        return high
    slot = slot_of(m, m.chosen[begin], depth)
    if slot >= 0:
        return min(high, m.known[slot, 2])
    most = np.int64(0)
    for cell in range(m.size[CELLS]):
        if not settled(m, depth, cell):
            most = max(most, m.most[cell])
    return min(high, most)


@kernel
def _open(m: Any, begin: Any, end: Any, cell: Any, free: Any, top: Any) -> Any:
    """Part the worlds in which a cell is safe by the number that it shows, into lists from ``free`` on.

    Each part goes on the stack: where it begins, where it ends, its bound; the smallest first. What parts of one or two
    worlds are worth is not asked but known, and comes after the new ends of the stack and of the lists.
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
            sure += _pair(m, m.chosen[a], m.chosen[a + 1])
            continue
        if not m.size[UNIFORM]:
            most = bound(m, a, b, NONE)
        if size > FEW:
            most = _look(m, a, b, most)
        at = stop
        while at > top and m.stack[at - PART + TO] - m.stack[at - PART + FROM] > size:
            for k in range(3):
                m.stack[at + k] = m.stack[at - PART + k]
            at -= PART
        m.stack[at + FROM], m.stack[at + TO], m.stack[at + MOST] = a, b, most
        stop += PART
    return stop, fill, sure


@kernel
def _pair(m: Any, world: Any, other: Any) -> Any:
    """What two worlds are worth: both, if they differ in a cell that is safe in both; else one with a cell of its own.

    The safe cells of a world may be some of those of the other. Then it is not won by opening one more.
    """
    mines, others = _ZERO, _ZERO
    for word in range(m.row.shape[1]):
        one, two = m.row[world, word], m.row[other, word]
        if lanes_of(one ^ two) & ~lanes_of((one | two) & _HIGH) != _ZERO:
            return m.weight[world] + m.weight[other]
        mines |= one & ~two & _HIGH
        others |= two & ~one & _HIGH
    return max(m.weight[other] if mines else np.int64(0), m.weight[world] if others else np.int64(0))


@kernel
def _push(
    m: Any, depth: Any, kind: Any, top: Any, end: Any, free: Any, high: Any, above: Any, slot: Any, sure: Any
) -> None:
    """Begin a frame, of which so much is known already."""
    frame = m.frame[depth]
    frame[KIND], frame[AT], frame[TOP], frame[END], frame[FREE] = kind, top, top, end, free
    frame[HIGH], frame[ABOVE], frame[LOW], frame[REACHED], frame[SLOT] = high, above, sure, sure, slot
    frame[CELL] = NONE
    if kind == SPLIT:
        for part in range(top, end, PART):
            frame[REACHED] += m.stack[part + MOST]


@exported
def value(m: Any, begin: Any, end: Any, cell: Any, above: Any, free: Any, top: Any) -> Any:
    """Bounds on V of the set ``chosen[begin:end]``; with a cell that is not negative, on what its opening is worth.

    The bounds meet if the value exceeds ``above``; otherwise the upper one is at most ``above``. Only where the budget
    or the room is spent may they stay apart. Lists go on from ``free``, the stack from ``top``.
    """
    depth, opened = NONE, np.int64(cell)
    while True:
        # Go down: ask for V of a set, which may be known, or wait in a frame for what follows.
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
            found = survey(m, begin, end, here) if end - begin > FEW else compare(m, begin, end, here)
            slot = slot_of(m, first, here)
            if slot >= 0:
                low, high = m.known[slot, 1], min(high, m.known[slot, 2])
        if low == high or high <= above or m.spent[NODES] >= m.spent[BUDGET] or m.size[FULL]:
            pass
        elif end - begin <= FEW and opened < 0:
            load(m.few, m.code, m.weight, m.chosen, begin, end, m.same[here], m.size[CELLS])
            whole = ~_ZERO >> np.uint64(FEW - (end - begin))
            low, high = value_of_few(m.few, whole, above, START)
            keep(m, slot, first, here, low, high, NONE)
        elif here + 2 >= m.same.shape[0] or free + 2 * (end - begin) > m.chosen.shape[0]:
            m.size[FULL] = 1
        else:
            m.spent[NODES] += 1
            waits, depth, dropped, sure = True, here, np.int64(0), np.int64(0)
            kind, stop, fill = PRODUCT, top, free
            if found < 0:
                stop, fill = regions_of(m, begin, end, here, free, top)
            if found >= 0:
                kind = SPLIT
                stop, fill, sure = _open(m, begin, end, found, free, top)
            elif stop == top:
                kind = CHOICE
                stop, dropped = candidates(m, begin, end, above, top, here)
            _push(m, depth, kind, top, stop, fill, high, above, slot, sure)
            m.frame[depth, BEGIN], m.frame[depth, FINISH] = begin, end
            m.frame[depth, REACHED] += dropped
            opened = NONE
        # Go up: a frame takes what it has asked for, and asks again or is done.
        while True:
            if depth < 0:
                return low, high
            at = m.frame[depth, AT]
            if m.frame[depth, KIND] == SPLIT:
                # REACHED is what the parts can give together; what the others cannot, this one has to.
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
                while at < m.frame[depth, END] and needless(m, a, b, cells, at):
                    at += 2
                if at < m.frame[depth, END]:
                    above = m.frame[depth, ABOVE]
                    if m.stack[at + 1] > above and m.frame[depth, HIGH] > above:
                        m.frame[depth, AT] = at + 2
                        top = m.frame[depth, END]
                        stop, fill, sure = _open(m, a, b, m.stack[at], m.frame[depth, FREE], top)
                        depth += 1
                        _push(m, depth, SPLIT, top, stop, fill, m.stack[at + 1], above, _NOWHERE, sure)
                        waits = True
                        continue
                    m.frame[depth, REACHED] = max(m.frame[depth, REACHED], m.stack[at + 1])
            low, high = m.frame[depth, LOW], min(m.frame[depth, REACHED], m.frame[depth, HIGH])
            if m.frame[depth, SLOT] != _NOWHERE:
                first, found = m.chosen[m.frame[depth, BEGIN]], m.frame[depth, CELL]
                keep(m, m.frame[depth, SLOT], first, depth, low, high, found)
            depth -= 1
            waits = False
        begin, end, top, free = m.stack[at + FROM], m.stack[at + TO], m.frame[depth, END], m.frame[depth, FREE]
        m.frame[depth, AT] = at + PART
