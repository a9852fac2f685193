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

from satsweep.kernels.endgame_few import BUDGET, FEW, MINE, NODES, Few, few, load, members
from satsweep.kernels.endgame_few import value as value_of_few

WORLDS, CELLS, SCOPES, ROUND, STAMP, UNIFORM, UNIT, FULL = range(8)
_ZERO, _ONE, _SEVEN = np.uint64(0), np.uint64(1), np.uint64(7)
_HIGH, _REST, _LANES = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x0101010101010101)
_GATHER, _BYTE, _WHOLE = np.uint64(0x0102040810204080), np.uint64(56), np.uint64(255)
_SCATTER, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
_PROBES = 8
_TRIES = 48
_DEPTH = 400


class Sets(NamedTuple):
    """A problem of any number of worlds, and room to solve it; ``sets`` makes one."""

    size: NDArray[np.int64]
    code: NDArray[np.uint8]
    row: NDArray[np.uint64]
    mined: NDArray[np.uint64]
    weight: NDArray[np.int64]
    scope: NDArray[np.uint64]
    owner: NDArray[np.int64]
    colour: NDArray[np.int64]
    pattern: NDArray[np.uint64]
    heaviest: NDArray[np.int64]
    seen: NDArray[np.int64]
    chosen: NDArray[np.int32]
    stack: NDArray[np.int64]
    same: NDArray[np.uint64]
    either: NDArray[np.uint64]
    both: NDArray[np.uint64]
    region: NDArray[np.uint64]
    bucket: NDArray[np.int32]
    key: NDArray[np.uint64]
    round: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    spent: NDArray[np.int64]
    few: Few


def sets(worlds: int, cells: int, *, scopes: int = 0, slots: int = 1 << 12) -> Sets:
    """Room for so many worlds of so many cells, and a table of ``slots`` sets (a power of two)."""
    i, u = np.int64, np.uint64
    row = np.zeros((worlds, (cells + 7) // 8), u)
    words = (cells + 63) // 64
    patterns = min(worlds, 1 << 16)
    inner = few(cells)
    return Sets(
        size=np.zeros(8, i), code=row.view(np.uint8), row=row, mined=np.zeros((worlds, words), u),
        weight=np.ones(worlds, i), scope=np.zeros((scopes, words), u), owner=np.zeros(scopes, i),
        colour=np.zeros(worlds, i), pattern=np.zeros((worlds, row.shape[1]), u), heaviest=np.zeros(worlds, i),
        seen=np.zeros(worlds, i), chosen=np.zeros(24 * worlds + 4096, np.int32), stack=np.zeros(_DEPTH * (2 * cells + 90), i),
        same=np.zeros((_DEPTH, words), u), either=np.zeros(row.shape[1], u), both=np.zeros(row.shape[1], u),
        region=np.zeros((cells + 1, words), u), bucket=np.zeros(1 << (2 * worlds).bit_length(), np.int32),
        key=np.zeros((slots, words + 1), u), round=np.zeros(slots, i), low=np.zeros(slots, i), high=np.zeros(slots, i),
        spent=inner.spent, few=inner,
    )


@njit(cache=True)
def prepare(m: Any, worlds: Any, cells: Any, scopes: Any) -> Any:
    """Start a new problem of the worlds that stand in ``code`` and ``weight``; gives the weight of all."""
    m.size[WORLDS], m.size[CELLS], m.size[SCOPES] = worlds, cells, scopes
    m.size[ROUND] += 1
    m.size[FULL] = 0
    unit = np.int64(0)
    for i in range(worlds):
        a, b = m.weight[i], unit
        while b:
            a, b = b, a % b
        unit = a
    unit = max(unit, 1)
    m.size[UNIT] = unit
    m.size[UNIFORM] = 1
    total = np.int64(0)
    for i in range(worlds):
        total += m.weight[i]
        m.weight[i] //= unit
        if m.weight[i] != 1:
            m.size[UNIFORM] = 0
        for word in range(m.mined.shape[1]):
            m.mined[i, word] = _ZERO
        for cell in range(cells, m.code.shape[1]):
            m.code[i, cell] = MINE
        for cell in range(cells):
            if m.code[i, cell] == MINE:
                m.mined[i, cell >> 6] |= _ONE << np.uint64(cell & 63)
    _colour(m)
    return total


@njit(cache=True)
def _colour(m: Any) -> None:
    """Classes of worlds that clash with each other (see ``endgame_few``), for the bound of every set.

    Worlds of a class that are safe in a cell show the same there, or they would not clash; so a class is known by one
    row, and a new world clashes with all of them if it differs from that row only where either holds mines alone.
    """
    words = m.row.shape[1]
    colours = np.int64(0)
    for i in range(m.size[WORLDS]):
        found = np.int64(-1)
        tries = 0
        for colour in range(max(0, colours - _TRIES), colours):
            clash = True
            for word in range(words):
                a, b = m.row[i, word], m.pattern[colour, word]
                mines = ((a | b) & _HIGH) >> _SEVEN
                if (a ^ b) & ~(mines * _WHOLE) != _ZERO:
                    clash = False
                    break
            if clash:
                found = colour
                break
        if found < 0:
            found = colours
            colours += 1
            for word in range(words):
                m.pattern[found, word] = m.row[i, word]
            m.seen[found] = 0
        else:
            for word in range(words):
                a, b = m.row[i, word], m.pattern[found, word]
                # Where the class holds mines alone the new world tells what its safe worlds show.
                mines = ((b & _HIGH) >> _SEVEN) * _WHOLE
                m.pattern[found, word] = (b & ~mines) | (a & mines)
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
def _compare(m: Any, begin: Any, end: Any, depth: Any) -> Any:
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
        if m.round[at] != m.size[ROUND]:
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
    m.round[at] = m.size[ROUND]
    m.key[at, 0] = np.uint64(world)
    for word in range(m.same.shape[1]):
        m.key[at, word + 1] = m.same[depth, word]
    m.low[at], m.high[at] = low, high


@njit(cache=True)
def _candidates(m: Any, begin: Any, end: Any, above: Any, top: Any, depth: Any) -> Any:
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
def _within(m: Any, begin: Any, end: Any, cell: Any, other: Any) -> Any:
    """Whether a cell is safe only in worlds in which the other is."""
    for at in range(begin, end):
        world = m.chosen[at]
        if m.code[world, other] == MINE and m.code[world, cell] != MINE:
            return False
    return True


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
        for part in range(top, stop, 4):
            if m.stack[part + 3] == code:
                m.stack[part + 1] += 1
                known = True
                break
        if not known:
            m.stack[stop], m.stack[stop + 1], m.stack[stop + 3] = 0, 1, code
            stop += 4
    for part in range(top, stop, 4):
        size = m.stack[part + 1]
        m.stack[part] = m.stack[part + 1] = fill
        fill += size
    for at in range(begin, end):
        world = m.chosen[at]
        code = m.code[world, cell]
        if code == MINE:
            continue
        for part in range(top, stop, 4):
            if m.stack[part + 3] == code:
                m.chosen[m.stack[part + 1]] = world
                m.stack[part + 1] += 1
                break
    for part in range(top, stop, 4):
        a, b = m.stack[part], m.stack[part + 1]
        own = bound(m, a, b)
        at = part
        while at > top and m.stack[at - 3] - m.stack[at - 4] > b - a:
            for k in range(3):
                m.stack[at + k] = m.stack[at - 4 + k]
            at -= 4
        m.stack[at], m.stack[at + 1], m.stack[at + 2] = a, b, own
    return stop, fill


@njit(cache=True)
def value(m: Any, begin: Any, end: Any, cell: Any, above: Any, free: Any, top: Any, depth: Any) -> Any:
    """Bounds on V of the set ``chosen[begin:end]``; with a cell that is not negative, on what its opening is worth.

    The bounds meet if the value exceeds ``above``; otherwise the upper one is at most ``above``. Only where the budget
    or the room is spent may they stay apart. ``free``, ``top`` and ``depth`` are where lists, stack and keys go on.
    """
    high = bound(m, begin, end)
    if high <= above:
        return np.int64(0), high
    if end - begin == 1:
        return high, high
    if depth >= m.same.shape[0] or free + end - begin > m.chosen.shape[0]:
        m.size[FULL] = 1
        return np.int64(0), high
    slot = np.int64(0)
    first = m.chosen[begin]
    dropped = np.int64(0)
    stop = top + 2
    if cell >= 0:
        m.stack[top], m.stack[top + 1] = cell, high
    else:
        found = _compare(m, begin, end, depth)
        slot = _slot(m, first, depth)
        if slot >= 0:
            if m.low[slot] == m.high[slot] or m.high[slot] <= above:
                return m.low[slot], m.high[slot]
            high = min(high, m.high[slot])
        if end - begin <= FEW:
            load(m.few, m.code, m.weight, m.chosen, begin, end, m.size[CELLS])
            whole = ~_ZERO >> np.uint64(FEW - (end - begin))
            low, reached = value_of_few(m.few, whole, above, np.int64(0))
            _keep(m, slot, first, depth, low, reached)
            return low, reached
        if m.spent[NODES] >= m.spent[BUDGET] or m.size[FULL]:
            return np.int64(0), high
        m.spent[NODES] += 1
        if found == -2:
            low = np.int64(0)
            for at in range(begin, end):
                low += m.weight[m.chosen[at]]
            return low, low
        if found >= 0:
            m.stack[top], m.stack[top + 1] = found, high
        else:
            stop, dropped = _candidates(m, begin, end, above, top, depth)
    low, best, reached = np.int64(0), above, dropped
    for at in range(top, stop, 2):
        if min(m.stack[at + 1], high) <= best:
            reached = max(reached, min(m.stack[at + 1], high))
            break
        own = m.stack[at]
        dominated = False
        for before in range(top, at, 2):
            if _within(m, begin, end, own, m.stack[before]):
                dominated = True
                break
        if dominated:
            continue
        last, fill = _open(m, begin, end, own, free, stop)
        left = np.int64(0)
        for part in range(stop, last, 4):
            left += m.stack[part + 2]
        left = left
        lows = np.int64(0)
        for part in range(stop, last, 4):
            if left <= best:
                break
            left -= m.stack[part + 2]
            lo, hi = value(m, m.stack[part], m.stack[part + 1], np.int64(-1), best - left, fill, last, depth + 1)
            lows += lo
            left += hi
        low = max(low, lows)
        best = max(best, lows)
        reached = max(reached, left)
    reached = min(reached, high)
    if cell < 0:
        _keep(m, slot, first, depth, low, reached)
    return low, reached
