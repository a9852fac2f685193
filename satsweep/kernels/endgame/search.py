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
bounds, cannot; a cell has to beat the best so far. A part that is not small first gets a better bound, the best of
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
from satsweep.kernels.endgame.regions import FOUND, FROM, LEAST, MOST, TO, split_regions
from satsweep.kernels.shared.mathematics import ONE, ZERO
from satsweep.kernels.toolchain.calls import INT
from satsweep.kernels.toolchain.marks import exported, kernel

SIZE, BOUND, LAST, PLACE = range(4)
"""Fields of ``part``: worlds, bound, class of the last world, next place."""
TOP, BEGIN, FINISH, FREE, SLOT, CELL, KEPT = range(REACHED + 1, sets.FRAME)
"""Fields of a frame behind those of ``few``.

The begin of its children on the stack; the begin and the end of its worlds; the end of the lists; its slot of the
table; the cell that gives the value; the end of what is kept of parts.
"""
_WORLD = np.int64(1 << 32)
"""A world in a count of worlds and, below it, of classes."""
_BOUNDED = 16
"""Worlds of a part above which it gets the bound of its best cell."""
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
def _keep_compared(m, depth, found, kept):
    """Keep what ``compare_and_bound`` has found, from a place on.

    Returns the next place, or -1 for want of room.
    """
    words, cells = m.same.shape[1], 8 * m.row.shape[1]
    if kept + 1 + words + cells > m.kept.shape[0]:
        return NONE
    m.kept[kept] = found
    for word in range(words):
        m.kept[kept + 1 + word] = np.int64(m.same[depth, word])
    for cell in range(cells):
        m.kept[kept + 1 + words + cell] = m.most[cell]
    return kept + 1 + words + cells


@kernel
def _recall_compared(m, depth, kept):
    """Put back what was kept at a place; return what ``compare_and_bound`` did."""
    words = m.same.shape[1]
    for word in range(words):
        m.same[depth, word] = np.uint64(m.kept[kept + 1 + word])
    for cell in range(8 * m.row.shape[1]):
        m.most[cell] = m.kept[kept + 1 + words + cell]
    return m.kept[kept]


@kernel
def _bound_part(m, begin, end, high, kept, around):
    """Bound a part: as known, or by its cells if none can be opened at once.

    Also returns where more can be kept, -1 if there was no room.
    """
    depth = m.same.shape[0] - 1
    found = sets.compare_and_bound(m, begin, end, depth, around)
    kept = _keep_compared(m, depth, found, kept)
    if found >= 0:
        return high, kept
    slot = sets.find_slot(m, m.chosen[begin], depth)
    if slot >= 0:
        return min(high, m.known[slot, 2]), kept
    most = np.int64(0)
    for cell in range(m.size[sets.N_CELLS]):
        if not sets.is_settled(m, depth, cell):
            most = max(most, m.most[cell])
    return min(high, most), kept


@kernel
def _count_parts(m, begin, end, cell):
    """Count worlds and classes by what a cell shows.

    Returns a number above those shown. Mines are counted behind the numbers: what a world shows is hard to foresee, so
    nothing branches on it.
    """
    p, codes = m.part, ZERO
    for code in range(few.CODES):
        p[code, SIZE], p[code, LAST] = 0, -1
    for at in range(begin, end):
        world = m.chosen[at]
        code = m.code[world, cell] & few.MINE_BITS
        codes |= ONE << np.uint64(code)
        colour = m.colour[world]
        p[code, SIZE] += _WORLD + np.int64(colour != p[code, LAST])
        p[code, LAST] = colour
    numbers = np.int64(few.MINE_BITS)
    while numbers > 0 and codes >> np.uint64(numbers - 1) & ONE == ZERO:
        numbers -= 1
    return numbers


@kernel
def _push_parts(m, begin, end, cell, free, top, kept, above, around):
    """Split the worlds in which a cell is safe by the number that it shows.

    The lists of the parts begin at ``free``. Each part goes on the stack: where it begins, where it ends, its bound,
    and where is kept what was found out about it, or -1; the smallest first. Large ones get better bounds until all
    together are not worth more than ``above``. Parts of one or two worlds are not pushed, as their value is known.
    ``around`` is as in ``compare_and_bound``. Returns the ends of stack and lists, the sum of the known values, and the
    end of what is kept.
    """
    p = m.part
    numbers, fill, total = _count_parts(m, begin, end, cell), free, np.int64(0)
    for number in range(numbers):
        p[number, SIZE], p[number, BOUND] = p[number, SIZE] // _WORLD, p[number, SIZE] % _WORLD
        p[number, PLACE] = fill
        fill += p[number, SIZE]
        total += p[number, BOUND]
    p[few.MINE_BITS, PLACE] = fill
    for at in range(begin, end):
        world = m.chosen[at]
        code = m.code[world, cell] & few.MINE_BITS
        m.chosen[p[code, PLACE]] = world
        p[code, PLACE] += 1
    stop, sure = top, NOUGHT
    for number in range(numbers):
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
        own = NONE
        if size > _BOUNDED and (total > above or not m.size[sets.UNIFORM]):
            total -= most
            most, after = _bound_part(m, a, b, most, kept, around)
            total += most
            if after >= 0:
                own, kept = kept, after
        at = stop
        while at > top and m.stack[at - sets.PART + TO] - m.stack[at - sets.PART + FROM] > size:
            for k in range(sets.PART):
                m.stack[at + k] = m.stack[at - sets.PART + k]
            at -= sets.PART
        m.stack[at + FROM], m.stack[at + TO], m.stack[at + MOST], m.stack[at + FOUND] = a, b, most, own
        stop += sets.PART
    return stop, fill, sure, kept


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
def _push_frame(m, depth, kind, top, end, free, high, above, slot, sure, kept):
    """Begin a frame, of which ``sure`` is known already."""
    frame = m.frame[depth]
    few.begin_frame(frame, kind, top, end, high, above, sure)
    frame[TOP], frame[FREE], frame[SLOT], frame[CELL], frame[KEPT] = top, free, slot, NONE, kept
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
    depth, opened, high = NONE, np.int64(cell), sets.bound(m, begin, end, NONE)
    compared, kept = NONE, NOUGHT
    while True:
        # Go down: V of a set may be known; else the set waits in a frame for its children.
        here = depth + 1
        low = np.int64(1)
        waits = False
        found = opened
        slot = _NOWHERE
        first = m.chosen[begin]
        if opened >= 0:
            low = np.int64(0)
        elif end - begin == 1:
            low = high
        elif high > above:
            if compared >= 0:
                found = _recall_compared(m, here, compared)
            elif end - begin > few.FEW:
                found = sets.compare_and_bound(m, begin, end, here, NONE)
            else:
                found = sets.compare(m, begin, end, here)
            slot = sets.find_slot(m, first, here)
            if slot >= 0:
                low, high = m.known[slot, 1], min(high, m.known[slot, 2])
        if low == high or high <= above or m.spent[few.NODES] >= m.spent[few.BUDGET] or m.size[sets.FULL]:
            pass
        elif end - begin <= few.FEW and opened < 0:
            few.load_problem(m.few, m.row, m.weight, m.chosen, begin, end, m.same[here], above)
            low, high = few.value(m.few, ~ZERO >> np.uint64(few.FEW - (end - begin)), above, NOUGHT)
            sets.keep_bounds(m, slot, first, here, low, high, NONE)
        elif here + 2 >= m.same.shape[0] or free + 2 * (end - begin) > m.chosen.shape[0]:
            m.size[sets.FULL] = 1
        else:
            m.spent[few.NODES] += 1
            waits, depth, dropped, sure = True, here, np.int64(0), np.int64(0)
            kind, stop, fill = PRODUCT, top, free
            around = here if opened < 0 else NONE
            if found < 0:
                stop, fill = split_regions(m, begin, end, here, free, top)
            if found >= 0:
                kind = SPLIT
                stop, fill, sure, kept = _push_parts(m, begin, end, found, free, top, kept, above, around)
            elif stop == top:
                kind = CHOICE
                stop, dropped = push_cells(m, begin, end, above, top, here)
            _push_frame(m, depth, kind, top, stop, fill, high, above, slot, sure, kept)
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
                        stop, fill, sure, kept = _push_parts(
                            m, a, b, m.stack[at], frame[FREE], top, frame[KEPT], above, depth
                        )
                        depth += 1
                        _push_frame(m, depth, SPLIT, top, stop, fill, most, above, _NOWHERE, sure, kept)
                        waits = True
                        continue
                    frame[REACHED] = max(frame[REACHED], most)
            low, high = frame[LOW], min(frame[REACHED], frame[HIGH])
            if frame[SLOT] != _NOWHERE:
                sets.keep_bounds(m, frame[SLOT], m.chosen[frame[BEGIN]], depth, low, high, frame[CELL])
            depth -= 1
            waits = False
        begin, end, high = m.stack[at + FROM], m.stack[at + TO], m.stack[at + MOST]
        compared = m.stack[at + FOUND] if m.frame[depth, KIND] == SPLIT else NONE
        top, free, kept = m.frame[depth, END], m.frame[depth, FREE], m.frame[depth, KEPT]
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
    sets.compare_and_bound(m, begin, end, NOUGHT, NONE)
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
    few.load_problem(p, m.row, m.weight, m.chosen, begin, end, m.same[0], NOUGHT)
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
