"""Best play with any number of worlds left: sets of worlds as lists, with a table of what is known about them.

The rules of the search are those of ``endgame_few``, which takes over once a set has at most 64 worlds. Worlds are
rows of bytes, one a cell: what it shows, or ``MINE``.

*Key of a set.* Let R be the worlds at the start, S a set that comes up, w its first world and K the cells that look
the same (mine, or number) in all of S. S came about because some cells O were seen to look as in w: S is the worlds of
R that agree with w on O. So O is within K, and the worlds of R that agree with w on K are S again: they agree on O, so
they are within S, and S agrees on K. Two sets with the same w and K are therefore equal, and (w, K) is compared in
full where a long list would have to be.

*Products.* Let the cells fall into regions such that S is the direct product of its projections on them, all worlds
weighing 1. Then V(S) is the product of the values of the regions, by induction over the size of S. If all cells of S
are settled, both are 1. Opening a cell c of region A leaves the product of A_c and the others, and seeing its number, a
function of the projection on A, leaves products again; so by induction a move in A is worth what it is worth in A
alone, times the values of the others, and the best move anywhere gives the product of the values. A region is played
on the *slice* of S that agrees with w outside of it, so its key is of the same kind.
S is within the product of its projections; if |S| is the product of their sizes the two are equal. Which regions to
try is only a question of luck: cells hang together if a number sees both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from satsweep.kernels.endgame_few import BUDGET, FEW, MINE, MINED, NODES, Few, few, load, members
from satsweep.kernels.endgame_few import value as value_of_few

WORLDS, CELLS, SCOPES, ROUND, STAMP, UNIFORM, UNIT, FULL = range(8)
SPLIT, CHOICE, PRODUCT = range(3)
KIND, AT, TOP, END, BEGIN, FINISH, FREE, SLOT, HIGH, ABOVE, LOW, REACHED = range(12)
_FIELDS = 12
# What is on the stack about a part: where it begins and ends, the most it can give, the least.
_FROM, _TO, _MOST, _LEAST = range(4)
_PART = 4
_NOWHERE = -(1 << 62)
_DEPTH = 512
_PROBES = 8

_ZERO, _ONE, _SEVEN = np.uint64(0), np.uint64(1), np.uint64(7)
_HIGH, _REST = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
_GATHER, _BYTE, _WHOLE = np.uint64(0x0102040810204080), np.uint64(56), np.uint64(255)
_SCATTER, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Sets(NamedTuple):
    """A problem of any number of worlds, and room to solve it; ``sets`` makes one."""

    size: NDArray[np.int64]
    code: NDArray[np.uint8]
    row: NDArray[np.uint64]
    weight: NDArray[np.int64]
    scope: NDArray[np.uint64]
    owner: NDArray[np.int64]
    colour: NDArray[np.int64]
    shows: NDArray[np.uint64]
    heaviest: NDArray[np.int64]
    seen: NDArray[np.int64]
    chosen: NDArray[np.int32]
    stack: NDArray[np.int64]
    frame: NDArray[np.int64]
    same: NDArray[np.uint64]
    region: NDArray[np.uint64]
    bucket: NDArray[np.int64]
    key: NDArray[np.uint64]
    known: NDArray[np.int64]
    spent: NDArray[np.int64]
    few: Few


def sets(worlds: int, cells: int, *, scopes: int = 0, slots: int = 1 << 12) -> Sets:
    """Room for so many worlds of so many cells, and a table of ``slots`` sets (a power of two)."""
    i, u = np.int64, np.uint64
    row = np.zeros((worlds, (cells + 7) // 8), u)
    words = (cells + 63) // 64
    inner = few(cells)
    return Sets(
        size=np.zeros(8, i),
        code=row.view(np.uint8),
        row=row,
        weight=np.ones(worlds, i),
        scope=np.zeros((scopes, words), u),
        owner=np.zeros(scopes, i),
        colour=np.zeros(worlds, i),
        shows=np.zeros((cells, 32, (worlds + 63) // 64), u),
        heaviest=np.zeros(worlds, i),
        seen=np.zeros(worlds, i),
        # Sets on the way down shrink; where they do so by less than usual the room is spent, which is said.
        chosen=np.zeros(24 * worlds + 4096, np.int32),
        stack=np.zeros(_DEPTH * (2 * cells + 30 * _PART), i),
        frame=np.zeros((_DEPTH, _FIELDS), i),
        same=np.zeros((_DEPTH, words), u),
        region=np.zeros((cells + 1, words), u),
        bucket=np.zeros(1 << (2 * worlds).bit_length(), i),
        key=np.zeros((slots, words + 1), u),
        known=np.zeros((slots, 3), i),
        spent=inner.spent,
        few=inner,
    )


@njit(cache=True)
def prepare(m: Any, worlds: Any, cells: Any, scopes: Any) -> None:
    """Start a new problem of the worlds that stand in ``code`` and ``weight``, and of ``scope`` and ``owner``."""
    m.size[WORLDS], m.size[CELLS], m.size[SCOPES] = worlds, cells, scopes
    m.size[ROUND] += 1
    m.size[FULL] = 0
    unit = np.int64(0)
    for i in range(worlds):
        a, b = m.weight[i], unit
        while b:
            a, b = b, a % b
        unit = a
    m.size[UNIT] = max(unit, 1)
    m.size[UNIFORM] = 1
    for i in range(worlds):
        m.weight[i] //= m.size[UNIT]
        if m.weight[i] != 1:
            m.size[UNIFORM] = 0
        for cell in range(cells, m.code.shape[1]):
            m.code[i, cell] = MINE
    _colour(m)


@njit(cache=True)
def _colour(m: Any) -> None:
    """Classes of worlds that clash with each other (see ``endgame_few``), for the bound of every set.

    All worlds of a class that are safe in a cell show the same there. So for every cell and number there is a set of
    classes that show it, and a world joins the first class that shows nothing else in any cell that is safe in it.
    The sets of what a class does not show yet are kept as bits that are *off* in the complement: ``shows[cell, k]``
    has the classes that show k, and ``shows[cell, MINED]`` those that show any number.
    """
    cells = m.size[CELLS]
    words = (m.size[WORLDS] + 63) // 64
    for cell in range(cells):
        for code in range(32):
            for word in range(words):
                m.shows[cell, code, word] = _ZERO
    colours = np.int64(0)
    for i in range(m.size[WORLDS]):
        found = colours
        for word in range((colours + 63) // 64):
            other = _ZERO
            for cell in range(cells):
                code = m.code[i, cell]
                if code != MINE:
                    other |= m.shows[cell, MINED, word] & ~m.shows[cell, code, word]
            if other != ~_ZERO:
                found = min(found, word * 64 + members((~other & (other + _ONE)) - _ONE))
                break
        if found == colours:
            m.seen[found] = 0
            colours += 1
        bit = _ONE << np.uint64(found & 63)
        for cell in range(cells):
            code = m.code[i, cell]
            if code != MINE:
                m.shows[cell, code, found >> 6] |= bit
                m.shows[cell, MINED, found >> 6] |= bit
        m.colour[i] = found
    m.size[STAMP] = 0


@njit(cache=True)
def bound(m: Any, begin: Any, end: Any) -> Any:
    """The heaviest worlds of the classes of a set, together: no play wins more."""
    m.size[STAMP] += 1
    stamp = m.size[STAMP]
    total = np.int64(0)
    for at in range(begin, end):
        world = m.chosen[at]
        colour = m.colour[world]
        if m.seen[colour] != stamp:
            m.seen[colour] = stamp
            m.heaviest[colour] = 0
        if m.weight[world] > m.heaviest[colour]:
            total += m.weight[world] - m.heaviest[colour]
            m.heaviest[colour] = m.weight[world]
    return total


@njit(cache=True)
def _bits(word: Any) -> Any:
    """One bit for each byte of a word that is not zero."""
    high = (((word & _REST) + _REST) | word) & _HIGH
    return ((high >> _SEVEN) * _GATHER) >> _BYTE


@njit(cache=True)
def compare(m: Any, begin: Any, end: Any, depth: Any) -> Any:
    """Which cells look the same in all worlds of a set, and what is left: a cell to open at once, or -1, or -2.

    Leaves the cells that are alike in ``same[depth]``. -1 says that cells are safe in some of the worlds only, -2 that
    there is nothing to find out.
    """
    for word in range(m.same.shape[1]):
        m.same[depth, word] = _ZERO
    open_now, mixed = np.int64(-1), False
    for word in range(m.row.shape[1]):
        first = m.row[m.chosen[begin], word]
        either, both = first, first
        for at in range(begin + 1, end):
            row = m.row[m.chosen[at], word]
            either |= row
            both &= row
        unlike = either ^ both
        m.same[depth, word >> 3] |= (_WHOLE ^ _bits(unlike)) << np.uint64((word & 7) * 8)
        if unlike != _ZERO:
            # A byte that differs, in its high bit or below it while no world has a mine there.
            mixed = mixed or unlike & _HIGH != _ZERO
            safe = unlike & ~(((either & _HIGH) >> _SEVEN) * _WHOLE)
            if safe != _ZERO and open_now < 0:
                lanes = _bits(safe)
                open_now = word * 8 + members((lanes & (~lanes + _ONE)) - _ONE)
    if open_now >= 0:
        return open_now
    return np.int64(-1) if mixed else np.int64(-2)


@njit(cache=True)
def _slot(m: Any, world: Any, depth: Any) -> Any:
    """Where the table holds the set of this first world and these like cells, or -1 - where it may be put."""
    mask = m.key.shape[0] - 1
    mixed = np.uint64(world + 1) * _SCATTER
    for word in range(m.same.shape[1]):
        mixed = (mixed ^ (mixed >> _MIX) ^ m.same[depth, word]) * _SCATTER
    at = np.int64((mixed ^ (mixed >> _MIX)) & np.uint64(mask))
    first = at
    for _ in range(_PROBES):
        if m.known[at, 0] != m.size[ROUND]:
            return -1 - at
        if m.key[at, 0] == np.uint64(world):
            equal = True
            for word in range(m.same.shape[1]):
                equal = equal and m.key[at, word + 1] == m.same[depth, word]
            if equal:
                return at
        at = (at + 1) & mask
    return -1 - (first + np.int64(mixed >> _BYTE) % _PROBES & mask)


@njit(cache=True)
def _keep(m: Any, slot: Any, world: Any, depth: Any, low: Any, high: Any) -> None:
    """Put a set and its bounds into the table."""
    at = slot if slot >= 0 else -1 - slot
    m.known[at, 0] = m.size[ROUND]
    m.key[at, 0] = np.uint64(world)
    for word in range(m.same.shape[1]):
        m.key[at, word + 1] = m.same[depth, word]
    m.known[at, 1], m.known[at, 2] = low, high


@njit(cache=True)
def candidates(m: Any, begin: Any, end: Any, above: Any, top: Any, depth: Any) -> Any:
    """Put the cells to try on the stack with the weight of the worlds in which they are safe, heaviest first.

    Cells that cannot give more than ``above`` are left out. Gives the stack's new end, and the greatest weight left out.
    """
    stop = top
    dropped = np.int64(0)
    for cell in range(m.size[CELLS]):
        if m.same[depth, cell >> 6] >> np.uint64(cell & 63) & _ONE:
            continue
        weight = np.int64(0)
        for at in range(begin, end):
            world = m.chosen[at]
            if m.code[world, cell] != MINE:
                weight += m.weight[world]
        if weight <= above:
            dropped = max(dropped, weight)
            continue
        at = stop
        while at > top and m.stack[at - 1] < weight:
            m.stack[at + 1], m.stack[at] = m.stack[at - 1], m.stack[at - 2]
            at -= 2
        m.stack[at], m.stack[at + 1] = cell, weight
        stop += 2
    return stop, dropped


@njit(cache=True)
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


@njit(cache=True)
def _differing(m: Any, world: Any, other: Any, word: Any) -> Any:
    """One bit for each cell that looks different in two worlds, for 64 cells."""
    bits = _ZERO
    for k in range(word * 8, min(word * 8 + 8, m.row.shape[1])):
        bits |= _bits(m.row[world, k] ^ m.row[other, k]) << np.uint64((k & 7) * 8)
    return bits


@njit(cache=True)
def _outside(m: Any, world: Any, other: Any, region: Any) -> Any:
    """Whether two worlds differ anywhere but in a region."""
    for word in range(m.region.shape[1]):
        if _differing(m, world, other, word) & ~m.region[region, word] != _ZERO:
            return True
    return False


@njit(cache=True)
def _connected(m: Any, begin: Any, depth: Any) -> Any:
    """Regions of cells that hang together and are not alike in all worlds; how many."""
    words = m.region.shape[1]
    first = m.chosen[begin]
    regions = np.int64(0)
    for seed in range(m.size[CELLS]):
        word, bit = seed >> 6, _ONE << np.uint64(seed & 63)
        taken = m.same[depth, word] & bit != _ZERO
        for region in range(regions):
            taken = taken or m.region[region, word] & bit != _ZERO
        if taken:
            continue
        for k in range(words):
            m.region[regions, k] = _ZERO
        m.region[regions, word] = bit
        grows = True
        while grows:
            grows = False
            for scope in range(m.size[SCOPES]):
                owner = m.owner[scope]
                if owner >= 0 and m.same[depth, owner >> 6] >> np.uint64(owner & 63) & _ONE and m.code[first, owner] == MINE:
                    continue
                touches = False
                for k in range(words):
                    touches = touches or m.scope[scope, k] & m.region[regions, k] != _ZERO
                if touches:
                    for k in range(words):
                        more = m.scope[scope, k] & ~m.same[depth, k] & ~m.region[regions, k]
                        if more != _ZERO:
                            m.region[regions, k] |= more
                            grows = True
        regions += 1
    return regions


@njit(cache=True)
def _regions(m: Any, begin: Any, end: Any, depth: Any, free: Any, top: Any) -> Any:
    """Slices of a set that is a product, as lists from ``free`` on and parts on the stack; none if it is not one."""
    if m.size[SCOPES] == 0 or m.size[UNIFORM] == 0:
        return top, free
    regions = _connected(m, begin, depth)
    if regions < 2:
        return top, free
    first = m.chosen[begin]
    stop, fill, product = top, free, np.int64(1)
    for region in range(regions):
        m.stack[stop + _FROM] = fill
        for at in range(begin, end):
            if not _outside(m, first, m.chosen[at], region):
                m.chosen[fill] = m.chosen[at]
                fill += 1
        m.stack[stop + _TO] = fill
        product *= fill - m.stack[stop + _FROM]
        if product > end - begin:
            return top, free
        stop += _PART
    if product != end - begin:
        return top, free
    # As many as there would be in a product. It is one if no world has a projection that no slice has.
    for region in range(regions):
        part = top + region * _PART
        if not _covers(m, m.stack[part + _FROM], m.stack[part + _TO], begin, end, region):
            return top, free
    for part in range(top, stop, _PART):
        m.stack[part + _MOST] = bound(m, m.stack[part + _FROM], m.stack[part + _TO])
        m.stack[part + _LEAST] = 1
    return stop, fill


@njit(cache=True)
def _covers(m: Any, low: Any, high: Any, begin: Any, end: Any, region: Any) -> Any:
    """Whether every world of a set looks in a region like one of the worlds ``chosen[low:high]``."""
    size = np.int64(2)
    while size < 2 * (high - low):
        size *= 2
    for k in range(size):
        m.bucket[k] = -1
    for at in range(low, high):
        m.bucket[_find(m, m.chosen[at], region, size)] = m.chosen[at]
    for at in range(begin, end):
        if m.bucket[_find(m, m.chosen[at], region, size)] < 0:
            return False
    return True


@njit(cache=True)
def _find(m: Any, world: Any, region: Any, size: Any) -> Any:
    """The bucket of the worlds that look in a region like this one, or an empty one for it."""
    words = m.row.shape[1]
    mixed = _ZERO
    for k in range(words):
        mixed = ((mixed ^ (mixed >> _MIX)) + (m.row[world, k] & _spread(m, region, k))) * _SCATTER
    at = np.int64((mixed ^ (mixed >> _MIX)) & np.uint64(size - 1))
    while m.bucket[at] >= 0:
        equal = True
        for k in range(words):
            equal = equal and (m.row[world, k] ^ m.row[m.bucket[at], k]) & _spread(m, region, k) == _ZERO
        if equal:
            return at
        at = (at + 1) & (size - 1)
    return at


@njit(cache=True)
def _spread(m: Any, region: Any, k: Any) -> Any:
    """The bytes of a region's cells in one word of a row."""
    bits = (m.region[region, k >> 3] >> np.uint64((k & 7) * 8)) & _WHOLE
    spread = _ZERO
    for cell in range(8):
        if bits >> np.uint64(cell) & _ONE:
            spread |= _WHOLE << np.uint64(8 * cell)
    return spread


@njit(cache=True)
def _open(m: Any, begin: Any, end: Any, cell: Any, free: Any, top: Any) -> Any:
    """Part the worlds in which a cell is safe by the number that it shows, into lists from ``free`` on.

    Each part goes on the stack: where it begins, where it ends, its bound; the smallest first.
    """
    stop = top
    fill = free
    for at in range(begin, end):
        code = m.code[m.chosen[at], cell]
        if code == MINE:
            continue
        known = False
        for part in range(top, stop, _PART):
            if m.stack[part + _LEAST] == code:
                m.stack[part + 1] += 1
                known = True
                break
        if not known:
            m.stack[stop], m.stack[stop + 1], m.stack[stop + 3] = 0, 1, code
            stop += _PART
    for part in range(top, stop, _PART):
        size = m.stack[part + 1]
        m.stack[part] = m.stack[part + 1] = fill
        fill += size
    for at in range(begin, end):
        world = m.chosen[at]
        code = m.code[world, cell]
        if code == MINE:
            continue
        for part in range(top, stop, _PART):
            if m.stack[part + _LEAST] == code:
                m.chosen[m.stack[part + 1]] = world
                m.stack[part + 1] += 1
                break
    for part in range(top, stop, _PART):
        a, b = m.stack[part + _FROM], m.stack[part + _TO]
        own = bound(m, a, b)
        at = part
        while at > top and m.stack[at - _PART + _TO] - m.stack[at - _PART + _FROM] > b - a:
            for k in range(3):
                m.stack[at + k] = m.stack[at - _PART + k]
            at -= _PART
        m.stack[at + _FROM], m.stack[at + _TO], m.stack[at + _MOST] = a, b, own
    return stop, fill


@njit(cache=True)
def _push(m: Any, depth: Any, kind: Any, top: Any, end: Any, free: Any, high: Any, above: Any, slot: Any) -> None:
    """Begin a frame."""
    frame = m.frame[depth]
    frame[KIND], frame[AT], frame[TOP], frame[END], frame[FREE] = kind, top, top, end, free
    frame[HIGH], frame[ABOVE], frame[LOW], frame[REACHED], frame[SLOT] = high, above, 0, 0, slot
    if kind == SPLIT:
        for part in range(top, end, _PART):
            frame[REACHED] += m.stack[part + _MOST]


@njit(cache=True)
def value(m: Any, begin: Any, end: Any, cell: Any, above: Any, free: Any) -> Any:
    """Bounds on V of the set ``chosen[begin:end]``; with a cell that is not negative, on what its opening is worth.

    The bounds meet if the value exceeds ``above``; otherwise the upper one is at most ``above``. Only where the budget
    or the room is spent may they stay apart. Lists go from ``free`` on.
    """
    depth, top = np.int64(-1), np.int64(0)
    opened = cell
    while True:
        # Go down: ask for V of a set, which may be known, or wait in a frame for what follows.
        low, high = np.int64(0), bound(m, begin, end)
        waits = False
        if end - begin == 1:
            low = high
        elif high > above:
            here = depth + 1
            found = compare(m, begin, end, here)
            first = m.chosen[begin]
            slot = np.int64(_NOWHERE) if opened >= 0 else _slot(m, first, here)
            if slot >= 0:
                high = min(high, m.known[slot, 2])
                low = m.known[slot, 1]
            if low == high or high <= above:
                pass
            elif end - begin <= FEW and opened < 0:
                load(m.few, m.code, m.weight, m.chosen, begin, end, m.same[here], m.size[CELLS])
                whole = ~_ZERO >> np.uint64(FEW - (end - begin))
                low, high = value_of_few(m.few, whole, above)
                _keep(m, slot, first, here, low, high)
            elif m.spent[NODES] >= m.spent[BUDGET] or m.size[FULL]:
                pass
            elif here + 2 >= m.same.shape[0] or free + 2 * (end - begin) > m.chosen.shape[0]:
                m.size[FULL] = 1
            else:
                m.spent[NODES] += 1
                low, waits = np.int64(0), True
                depth = here
                if opened >= 0 or found >= 0:
                    stop, fill = _open(m, begin, end, max(opened, found) if opened < 0 else opened, free, top)
                    _push(m, depth, SPLIT, top, stop, fill, high, above, slot)
                    opened = np.int64(-1)
                else:
                    stop, fill = _regions(m, begin, end, here, free, top)
                    if stop > top:
                        _push(m, depth, PRODUCT, top, stop, fill, high, above, slot)
                    else:
                        stop, dropped = candidates(m, begin, end, above, top, here)
                        _push(m, depth, CHOICE, top, stop, free, high, above, slot)
                        m.frame[depth, REACHED] = dropped
                m.frame[depth, BEGIN], m.frame[depth, FINISH] = begin, end
        # Go up: a frame takes what it has asked for, and asks again or is done.
        while True:
            if depth < 0:
                return low, high
            frame = m.frame[depth]
            at = frame[AT]
            if frame[KIND] == SPLIT:
                # REACHED is what the parts can give together; what the others cannot, this one has to.
                if not waits:
                    frame[LOW] += low
                    frame[REACHED] += high
                if at < frame[END] and frame[REACHED] > frame[ABOVE]:
                    frame[REACHED] -= m.stack[at + _MOST]
                    above = frame[ABOVE] - frame[REACHED]
                    break
            elif frame[KIND] == PRODUCT:
                if not waits:
                    m.stack[at - _PART + _LEAST], m.stack[at - _PART + _MOST] = low, high
                frame[LOW] = frame[REACHED] = 1
                others = np.int64(1)
                for part in range(frame[TOP], frame[END], _PART):
                    frame[LOW] *= m.stack[part + _LEAST]
                    frame[REACHED] *= m.stack[part + _MOST]
                    if part != at:
                        others *= m.stack[part + _MOST]
                if at < frame[END] and frame[REACHED] > frame[ABOVE]:
                    above = frame[ABOVE] // others
                    break
            else:
                # ABOVE is the best so far, REACHED the most that any cell tried or left out can give.
                if not waits:
                    frame[LOW] = max(frame[LOW], low)
                    frame[ABOVE] = max(frame[ABOVE], low)
                    frame[REACHED] = max(frame[REACHED], high)
                while at < frame[END] and needless(m, frame[BEGIN], frame[FINISH], frame[TOP], at):
                    at += 2
                if at < frame[END]:
                    above = frame[ABOVE]
                    if m.stack[at + 1] > above and frame[HIGH] > above:
                        frame[AT] = at + 2
                        top = frame[END]
                        stop, fill = _open(m, frame[BEGIN], frame[FINISH], m.stack[at], frame[FREE], top)
                        depth += 1
                        _push(m, depth, SPLIT, top, stop, fill, m.stack[at + 1], above, np.int64(_NOWHERE))
                        waits = True
                        continue
                    frame[REACHED] = max(frame[REACHED], m.stack[at + 1])
            low, high = frame[LOW], min(frame[REACHED], frame[HIGH])
            if frame[SLOT] != _NOWHERE:
                _keep(m, frame[SLOT], m.chosen[frame[BEGIN]], depth, low, high)
            depth -= 1
            waits = False
        begin, end, top, free = m.stack[at + _FROM], m.stack[at + _TO], frame[END], frame[FREE]
        frame[AT] += _PART
