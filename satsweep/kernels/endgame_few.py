"""Best play while at most 64 worlds are left: a set of worlds is one machine word.

A set of worlds is all there is to a position. An open cell is safe and shows the same number in every world that is
left, and opening a covered cell of that kind risks nothing and tells nothing; so which of them are open has no
influence on what can still be won. Write V(S) for the greatest weight of worlds of S that one way to play wins.

* V(S) is the weight of S when every cell is a mine in all worlds of S or in none: what is left to open is safe.
* A cell that is safe in all of S is opened at once, and V(S) is the sum of V over the parts in which it shows the same
  number. Nothing is lost, because a player who opens it can go on exactly as one who does not.
* Otherwise V(S) is the maximum of V(S_c) over the cells c, S_c being the worlds of S in which c is safe.

Whoever plays on T as on a larger set wins the same worlds of T; hence V(T) <= V(S) for T within S. It follows that

* only the largest sets S_c need to be tried: S_c within S_d cannot be better. Cells that are safe in the same worlds
  are one candidate, whatever they show, as each makes the others safe;
* V(S) is the weight of the heaviest T within S that can be won without a guess. Two worlds of T must then differ in
  the number of a cell that is safe in both, for otherwise V of the two is the weight of the heavier: they *clash*. If
  S is covered by classes of worlds that clash with each other, T has at most one world of each class, and the heaviest
  worlds of the classes together are an upper bound. Two 50/50s side by side make one class of their four worlds.

``Few`` holds one such problem: cells that are safe in the same worlds as one *class of cells*, with the sets of worlds
in which they all show the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

FEW = 64
MINE = 255
SLOTS = 4096
NODES, BUDGET = range(2)
_ROOM = 4096

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ODD, _PAIRS, _NIBBLES, _BYTES = (
    np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
)
_TWO, _FOUR, _TOP = np.uint64(2), np.uint64(4), np.uint64(56)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
_SLOT_SHIFT = np.uint64(52)


class Few(NamedTuple):
    """A problem of at most 64 worlds, and room to solve it; ``few`` makes one."""

    safe: NDArray[np.uint64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    shown: NDArray[np.uint64]
    clash: NDArray[np.uint64]
    weight: NDArray[np.int64]
    size: NDArray[np.int64]
    code: NDArray[np.int64]
    part: NDArray[np.uint64]
    apart: NDArray[np.uint64]
    unlike: NDArray[np.uint64]
    stack: NDArray[np.uint64]
    worth: NDArray[np.int64]
    key: NDArray[np.uint64]
    owner: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    spent: NDArray[np.int64]


CELLS, CLASSES, UNIFORM, PROBLEM = range(4)


def few(cells: int) -> Few:
    """Room for problems with so many cells."""
    i, u = np.int64, np.uint64
    return Few(
        safe=np.zeros(cells, u), first=np.zeros(cells, i), last=np.zeros(cells, i), shown=np.zeros(FEW * cells, u),
        clash=np.zeros(FEW, u), weight=np.zeros(FEW, i), size=np.zeros(4, i), code=np.zeros(FEW, i), part=np.zeros(FEW, u),
        apart=np.zeros(FEW, u), unlike=np.zeros(FEW, u),
        stack=np.zeros(FEW * (cells + FEW), u), worth=np.zeros(FEW * (cells + FEW), i),
        key=np.zeros(SLOTS, u), owner=np.zeros(SLOTS, i), low=np.zeros(SLOTS, i), high=np.zeros(SLOTS, i),
        spent=np.zeros(2, i),
    )


@njit(cache=True)
def members(worlds: Any) -> Any:
    """How many worlds a set holds."""
    x = worlds - ((worlds >> _ONE) & _ODD)
    x = (x & _PAIRS) + ((x >> _TWO) & _PAIRS)
    x = (x + (x >> _FOUR)) & _NIBBLES
    return np.int64((x * _BYTES) >> _TOP)


@njit(cache=True)
def weigh(p: Any, worlds: Any) -> Any:
    """The weight of a set."""
    if p.size[UNIFORM]:
        return members(worlds)
    total = np.int64(0)
    while worlds:
        bit = worlds & (~worlds + _ONE)
        total += p.weight[members(bit - _ONE)]
        worlds ^= bit
    return total


@njit(cache=True)
def bound(p: Any, worlds: Any) -> Any:
    """The heaviest worlds of the classes that clash, together: no play wins more."""
    total = np.int64(0)
    if p.size[UNIFORM]:
        for i in range(p.size[CLASSES]):
            total += np.int64(worlds & p.clash[i] != _ZERO)
        return total
    for i in range(p.size[CLASSES]):
        left = worlds & p.clash[i]
        heaviest = np.int64(0)
        while left:
            bit = left & (~left + _ONE)
            heaviest = max(heaviest, p.weight[members(bit - _ONE)])
            left ^= bit
        total += heaviest
    return total


@njit(cache=True)
def value(p: Any, worlds: Any, above: Any, top: Any) -> Any:
    """Bounds on V of a set. They meet if V exceeds ``above``; otherwise the upper one is at most ``above``.

    Only where the budget is spent may they stay apart. ``top`` is where the free part of the stack begins.
    """
    if worlds & (worlds - _ONE) == _ZERO:
        total = weigh(p, worlds)
        return total, total
    high = bound(p, worlds)
    if high <= above or p.spent[NODES] >= p.spent[BUDGET]:
        return np.int64(0), high
    slot = np.int64((worlds * _SCATTER) >> _SLOT_SHIFT)
    if p.owner[slot] == p.size[PROBLEM] and p.key[slot] == worlds:
        if p.low[slot] == p.high[slot] or p.high[slot] <= above:
            return p.low[slot], p.high[slot]
        high = min(high, p.high[slot])
    p.spent[NODES] += 1
    end = top
    dropped = np.int64(0)
    split = -1
    mixed = False
    for cell in range(p.size[CELLS]):
        safe = worlds & p.safe[cell]
        if safe == worlds:
            for at in range(p.first[cell], p.last[cell]):
                part = worlds & p.shown[at]
                if part != _ZERO:
                    if part != worlds:
                        split = cell
                    break
            if split >= 0:
                break
        elif safe != _ZERO:
            mixed = True
            weight = weigh(p, safe)
            if weight <= above:
                dropped = max(dropped, weight)
                continue
            # Heaviest first, and none within another.
            at = top
            while at < end and p.worth[at] >= weight and safe & ~p.stack[at] != _ZERO:
                at += 1
            if at < end and p.worth[at] >= weight:
                continue
            for later in range(end, at, -1):
                p.stack[later] = p.stack[later - 1]
                p.worth[later] = p.worth[later - 1]
            p.stack[at] = safe
            p.worth[at] = weight
            end += 1
    low = np.int64(0)
    if split >= 0:
        # What the other parts cannot give, this one has to.
        end = top
        reached = np.int64(0)
        for at in range(p.first[split], p.last[split]):
            part = worlds & p.shown[at]
            if part != _ZERO:
                p.stack[end] = part
                p.worth[end] = bound(p, part)
                reached += p.worth[end]
                end += 1
        for at in range(top, end):
            if reached <= above:
                break
            reached -= p.worth[at]
            lo, hi = value(p, p.stack[at], above - reached, end)
            low += lo
            reached += hi
    elif not mixed:
        low = reached = weigh(p, worlds)
    else:
        best = above
        reached = dropped
        for at in range(top, end):
            if p.worth[at] <= best or best >= high:
                reached = max(reached, min(p.worth[at], high))
                break
            lo, hi = value(p, p.stack[at], best, end)
            low = max(low, lo)
            best = max(best, lo)
            reached = max(reached, hi)
        reached = min(reached, high)
    p.owner[slot] = p.size[PROBLEM]
    p.key[slot] = worlds
    p.low[slot] = low
    p.high[slot] = reached
    return low, reached


@njit(cache=True)
def load(p: Any, codes: Any, weights: Any, chosen: Any, begin: Any, end: Any, cells: Any) -> None:
    """Make a problem of the worlds ``chosen[begin:end]``, given by what each cell shows in them."""
    p.size[PROBLEM] += 1
    count = end - begin
    whole = ~_ZERO >> np.uint64(FEW - count)
    p.size[UNIFORM] = 1
    for i in range(count):
        p.weight[i] = weights[chosen[begin + i]]
        if p.weight[i] != 1:
            p.size[UNIFORM] = 0
    classes = np.int64(0)
    for cell in range(cells):
        safe = _ZERO
        sets = np.int64(0)
        for i in range(count):
            code = codes[chosen[begin + i], cell]
            if code != MINE:
                bit = _ONE << np.uint64(i)
                safe |= bit
                at = np.int64(0)
                while at < sets and p.code[at] != code:
                    at += 1
                if at == sets:
                    p.part[at] = _ZERO
                    p.code[at] = code
                    sets += 1
                p.part[at] |= bit
        if safe == _ZERO or (safe == whole and sets == 1):
            continue
        same = np.int64(0)
        while same < classes and p.safe[same] != safe:
            same += 1
        if same == classes:
            classes += 1
            p.safe[same] = safe
            p.first[same] = same * FEW
            p.last[same] = same * FEW + 1
            p.shown[same * FEW] = safe
        for at in range(p.first[same], p.last[same]):
            left = p.shown[at]
            p.shown[at] = _ZERO
            for k in range(sets):
                both = left & p.part[k]
                if both != _ZERO:
                    if p.shown[at] == _ZERO:
                        p.shown[at] = both
                    else:
                        p.shown[p.last[same]] = both
                        p.last[same] += 1
    p.size[CELLS] = classes
    _classes(p, whole, count)


@njit(cache=True)
def _classes(p: Any, whole: Any, count: Any) -> None:
    """Classes of worlds that clash, each world put in the first where it clashes with all that are there."""
    for i in range(count):
        p.apart[i] = _ZERO
        p.unlike[i] = _ZERO
    for cell in range(p.size[CELLS]):
        safe = p.safe[cell]
        mined = whole & ~safe
        for at in range(p.first[cell], p.last[cell]):
            others = safe & ~p.shown[at]
            left = p.shown[at]
            while left:
                bit = left & (~left + _ONE)
                i = members(bit - _ONE)
                p.apart[i] |= others
                p.unlike[i] |= mined
                left ^= bit
        while mined:
            bit = mined & (~mined + _ONE)
            p.unlike[members(bit - _ONE)] |= safe
            mined ^= bit
    classes = np.int64(0)
    for i in range(count):
        clash = p.unlike[i] & ~p.apart[i]
        at = np.int64(0)
        while at < classes and p.clash[at] & ~clash != _ZERO:
            at += 1
        if at == classes:
            p.clash[at] = _ZERO
            classes += 1
        p.clash[at] |= _ONE << np.uint64(i)
    p.size[CLASSES] = classes
