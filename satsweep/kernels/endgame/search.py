"""Best play with any number of worlds left: branch and bound over sets of worlds.

A problem is a table: for every world and every *live* cell the number that the cell shows there, or ``MINE``. Live
cells are the covered ones; a cell that is the same in all worlds may be left out. Numbers count mines outside the live
cells, too. No two worlds have the same mines. The value of a position is the weight of the worlds that are won by
playing on in the best way, an integer.

To use it: make room once with ``sets``; fill ``code[i, cell]`` and ``weight[i]``, and for regions to be searched apart
``scope`` and ``owner`` (see ``regions``); call ``prepare``, which puts the worlds in an order of its own; put worlds
into ``chosen``, ascending, and call ``choose``. After a move put the worlds that agree with what it shows into
``chosen`` and choose again: results are kept until the next ``prepare``. Only such sets are allowed, all worlds that
agree with what is seen of some cells; all worlds in which a cell is safe are not such a set.

The rules of the search are those of ``few``, which takes over once a set has at most 64 worlds. Here a set waits in a
*frame* for the sets it depends on, on a stack of our own: parts by what a cell shows (``SPLIT``, V is their sum),
regions (``PRODUCT``), or the cells that can be opened (``CHOICE``, V is the best of them).

The question about a set is whether it is worth more than ``above``. A part has to give what the others, by their
bounds, cannot; a cell has to beat the best so far. A part too large for ``few`` first gets a better bound, the best of
the bounds of its cells, which often settles a cell before any of its parts is searched.
"""

import numpy as np

from satsweep.kernels.endgame import few, sets
from satsweep.kernels.endgame.few import (
    ABOVE,
    AT,
    CHOICE,
    END,
    HIGH,
    KIND,
    LOW,
    MINE,
    NONE,
    NOUGHT,
    PRODUCT,
    REACHED,
    SPLIT,
)
from satsweep.kernels.endgame.regions import FROM, LEAST, MOST, TO, split_regions
from satsweep.kernels.shared.mathematics import ZERO
from satsweep.kernels.toolchain.calls import INT
from satsweep.kernels.toolchain.marks import exported, kernel

SIZE, BOUND, LAST, PLACE = range(4)
"""Fields of ``part``: worlds, bound, class of the last world, next place."""
TOP, BEGIN, FINISH, FREE, SLOT, CELL = range(REACHED + 1, sets.FRAME)
"""Fields of a frame behind those of ``few``.

The begin of its children on the stack; the begin and the end of its worlds; the end of the lists; its slot of the
table; the cell that gives the value.
"""
_NOWHERE = np.int64(-(1 << 62))
_HIGH = np.uint64(0x8080808080808080)


@kernel
def push_cells(m, begin, end, above, top, depth):
    """Push the cells worth more than ``above``, with bounds, the greatest first.

    Needs ``compare_and_bound`` of the set. Returns the end of the stack and the greatest bound left out.
    """
    stop = top
    dropped = np.int64(0)
    for cell in range(m.size[sets.N_CELLS]):
        if sets.is_settled(m, depth, cell):
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
def is_dominated(m, begin, end, top, at):
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
def _bound_part(m, begin, end, high):
    """Bound a part: as known, or by its cells if none can be opened at once."""
    depth = m.same.shape[0] - 1
    if sets.compare_and_bound(m, begin, end, depth) >= 0:
        return high
    slot = sets.find_slot(m, m.chosen[begin], depth)
    if slot >= 0:
        return min(high, m.known[slot, 2])
    most = np.int64(0)
    for cell in range(m.size[sets.N_CELLS]):
        if not sets.is_settled(m, depth, cell):
            most = max(most, m.most[cell])
    return min(high, most)


@kernel
def _push_parts(m, begin, end, cell, free, top):
    """Split the worlds in which a cell is safe by the number that it shows.

    The lists of the parts begin at ``free``. Each part goes on the stack: where it begins, where it ends, its bound;
    the smallest first. Parts of one or two worlds are not pushed, as their value is known. Returns the ends of stack
    and lists, and the sum of the known values.
    """
    p = m.part
    for number in range(few.MINE_BITS):
        p[number, SIZE], p[number, BOUND], p[number, LAST] = 0, 0, -1
    highest = NONE
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
    stop, sure = top, NOUGHT
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
        if not m.size[sets.UNIFORM]:
            most = sets.bound(m, a, b, NONE)
        if size > few.FEW:
            most = _bound_part(m, a, b, most)
        at = stop
        while at > top and m.stack[at - sets.PART + TO] - m.stack[at - sets.PART + FROM] > size:
            for k in range(3):
                m.stack[at + k] = m.stack[at - sets.PART + k]
            at -= sets.PART
        m.stack[at + FROM], m.stack[at + TO], m.stack[at + MOST] = a, b, most
        stop += sets.PART
    return stop, fill, sure


@kernel
def _value_of_pair(m, world, other):
    """Return the value of two worlds.

    It is that of both if they differ in a cell that is safe in both; else that of one with a safe cell of its own. The
    safe cells of a world may be some of those of the other; then it is not won by opening one more.
    """
    mines, others = ZERO, ZERO
    for word in range(m.row.shape[1]):
        one, two = m.row[world, word], m.row[other, word]
        if sets.nonzero_bytes(one ^ two) & ~sets.nonzero_bytes((one | two) & _HIGH) != ZERO:
            return m.weight[world] + m.weight[other]
        mines |= one & ~two & _HIGH
        others |= two & ~one & _HIGH
    return max(m.weight[other] if mines else np.int64(0), m.weight[world] if others else np.int64(0))


@kernel
def _push_frame(m, depth, kind, top, end, free, high, above, slot, sure):
    """Begin a frame, of which ``sure`` is known already."""
    frame = m.frame[depth]
    few.begin_frame(frame, kind, top, end, high, above, sure)
    frame[TOP], frame[FREE], frame[SLOT], frame[CELL] = top, free, slot, NONE
    if kind == SPLIT:
        for part in range(top, end, sets.PART):
            frame[REACHED] += m.stack[part + MOST]


# A recursion as one loop with its own stack, first down, then up.
@exported(sets.SETS, INT, INT, INT, INT, INT, INT, results=2)
def value(m, begin, end, cell, above, free, top):
    """Return lower and upper bound of V of the set ``chosen[begin:end]``.

    With a cell that is not negative: of the value of opening it. The bounds meet if the value exceeds ``above``;
    otherwise the upper one is at most ``above``. Only where the budget or the room is spent may they stay apart. Lists
    go on from ``free``, the stack from ``top``.
    """
    depth, opened = NONE, np.int64(cell)
    while True:
        # Go down: V of a set may be known; else the set waits in a frame for its children.
        here = depth + 1
        low, high = np.int64(1), sets.bound(m, begin, end, NONE)
        waits = False
        found = opened
        slot = _NOWHERE
        first = m.chosen[begin]
        if opened >= 0:
            low = np.int64(0)
        elif end - begin == 1:
            low = high
        elif high > above:
            if end - begin > few.FEW:
                found = sets.compare_and_bound(m, begin, end, here)
            else:
                found = sets.compare(m, begin, end, here)
            slot = sets.find_slot(m, first, here)
            if slot >= 0:
                low, high = m.known[slot, 1], min(high, m.known[slot, 2])
        if low == high or high <= above or m.spent[few.NODES] >= m.spent[few.BUDGET] or m.size[sets.FULL]:
            pass
        elif end - begin <= few.FEW and opened < 0:
            few.load_problem(m.few, m.code, m.weight, m.chosen, begin, end, m.same[here], m.size[sets.N_CELLS])
            low, high = few.value(m.few, ~ZERO >> np.uint64(few.FEW - (end - begin)), above, NOUGHT)
            sets.keep_bounds(m, slot, first, here, low, high, NONE)
        elif here + 2 >= m.same.shape[0] or free + 2 * (end - begin) > m.chosen.shape[0]:
            m.size[sets.FULL] = 1
        else:
            m.spent[few.NODES] += 1
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
            frame = m.frame[depth]
            at = frame[AT]
            if frame[KIND] == SPLIT:
                if not waits:
                    few.add_part(frame, low, high)
                # This part has to give what the others cannot.
                if at < frame[END] and frame[REACHED] > frame[ABOVE]:
                    frame[REACHED] -= m.stack[at + MOST]
                    above = frame[ABOVE] - frame[REACHED]
                    break
            elif frame[KIND] == PRODUCT:
                if not waits:
                    m.stack[at - sets.PART + LEAST], m.stack[at - sets.PART + MOST] = low, high
                frame[LOW] = frame[REACHED] = 1
                others = np.int64(1)
                for part in range(frame[TOP], frame[END], sets.PART):
                    frame[LOW] *= m.stack[part + LEAST]
                    frame[REACHED] *= m.stack[part + MOST]
                    if part != at:
                        others *= m.stack[part + MOST]
                if at < frame[END] and frame[REACHED] > frame[ABOVE]:
                    above = frame[ABOVE] // others
                    break
            else:
                if not waits:
                    if low > frame[LOW]:
                        frame[CELL] = m.stack[at - 2]
                    few.compare_choice(frame, low, high)
                a, b = frame[BEGIN], frame[FINISH]
                while at < frame[END] and is_dominated(m, a, b, frame[TOP], at):
                    at += 2
                if at < frame[END]:
                    above, most = frame[ABOVE], m.stack[at + 1]
                    if most > above and frame[HIGH] > above:
                        frame[AT] = at + 2
                        top = frame[END]
                        stop, fill, sure = _push_parts(m, a, b, m.stack[at], frame[FREE], top)
                        depth += 1
                        _push_frame(m, depth, SPLIT, top, stop, fill, most, above, _NOWHERE, sure)
                        waits = True
                        continue
                    frame[REACHED] = max(frame[REACHED], most)
            low, high = frame[LOW], min(frame[REACHED], frame[HIGH])
            if frame[SLOT] != _NOWHERE:
                sets.keep_bounds(m, frame[SLOT], m.chosen[frame[BEGIN]], depth, low, high, frame[CELL])
            depth -= 1
            waits = False
        begin, end, top, free = m.stack[at + FROM], m.stack[at + TO], m.frame[depth, END], m.frame[depth, FREE]
        m.frame[depth, AT] = at + sets.PART


@exported(sets.SETS, INT, INT, results=3)
def choose(m, count, budget):
    """Return the best cell to open in the worlds ``chosen[:count]``, and its bounds.

    At most ``budget`` nodes are searched. The bounds of the value are equal unless the budget or the room is spent;
    then the cell is the best of those looked at, and the upper bound holds for all. A cell that is safe in all worlds
    is best if it tells anything, or if nothing is left to find out. The cell is -1 where every cell is a mine.
    """
    m.spent[few.NODES], m.spent[few.BUDGET], m.size[sets.FULL] = 0, budget, 0
    unit = m.size[sets.UNIT]
    found = sets.compare(m, NOUGHT, count, NOUGHT)
    if found != -1:
        low, high = value(m, NOUGHT, count, NONE, NOUGHT, count, NOUGHT)
        if found < 0:
            found = NONE
            for cell in range(m.size[sets.N_CELLS]):
                if m.code[m.chosen[0], cell] != MINE:
                    found = np.int64(cell)
                    break
        return found, low * unit, high * unit
    slot = sets.find_slot(m, m.chosen[0], NOUGHT)
    if slot >= 0 and m.known[slot, 1] == m.known[slot, 2] and m.known[slot, 3] >= 0:
        return m.known[slot, 3], m.known[slot, 1] * unit, m.known[slot, 2] * unit
    stop, fill = split_regions(m, NOUGHT, count, NOUGHT, count, NOUGHT)
    if stop > 0:
        best, low, high = _choose_region(m, stop, fill)
    else:
        best, low, high = _choose(m, NOUGHT, count, count, NOUGHT)
    if low == high:
        sets.compare(m, NOUGHT, count, NOUGHT)
        sets.keep_bounds(m, sets.find_slot(m, m.chosen[0], NOUGHT), m.chosen[0], NOUGHT, low, high, best)
    return best, low * unit, high * unit


@kernel
def _choose_region(m, stop, free):
    """Best cell of the smallest region on the stack: a best one of all (``regions``)."""
    least = NOUGHT
    low, high = np.int64(1), np.int64(1)
    for part in range(0, stop, sets.PART):
        if m.stack[part + TO] - m.stack[part + FROM] < m.stack[least + TO] - m.stack[least + FROM]:
            least = np.int64(part)
    for part in range(0, stop, sets.PART):
        if part != least:
            lo, hi = value(m, m.stack[part + FROM], m.stack[part + TO], NONE, NOUGHT, free, stop)
            low, high = low * lo, high * hi
    best, lo, hi = _choose(m, m.stack[least + FROM], m.stack[least + TO], free, stop)
    return best, low * lo, high * hi


@kernel
def _choose(m, begin, end, free, top):
    """Return the best of the cells that are safe in some worlds, none being in all."""
    if end - begin <= few.FEW:
        sets.compare(m, begin, end, NOUGHT)
        return _choose_few(m, begin, end)
    best, low, high = NONE, NOUGHT, NOUGHT
    sets.compare_and_bound(m, begin, end, NOUGHT)
    stop, _ = push_cells(m, begin, end, NOUGHT, top, NOUGHT)
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
def _choose_few(m, begin, end):
    """Do the same for at most 64 worlds, which have been compared."""
    p = m.few
    few.load_problem(p, m.code, m.weight, m.chosen, begin, end, m.same[0], m.size[sets.N_CELLS])
    best, low, high = NONE, NOUGHT, NOUGHT
    _, stop, _ = few.push_children(p, ~ZERO >> np.uint64(few.FEW - (end - begin)), NOUGHT, NOUGHT)
    for at in range(stop):
        if p.worth[at] <= low:
            break
        lo, hi = few.value(p, p.stack[at], low, stop)
        high = max(high, hi)
        if lo > low or best < 0:
            for same in range(p.size[few.N_CELLS]):
                if p.safe[same] == p.stack[at]:
                    best, low = p.cell[same], lo
    return best, low, high
