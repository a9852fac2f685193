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
from numpy.typing import NDArray

from satsweep.kernels.compiling import kernel

FEW = 64
MINE = 255
UNLIMITED = 1 << 62
START, NONE = np.int64(0), np.int64(-1)
"""Numbers that are handed on: a function is compiled again for a literal."""
NODES, BUDGET = range(2)
CELLS, CLASSES, UNIFORM, PROBLEM = range(4)
SPLIT, CHOICE, SETTLED = (np.int64(kind) for kind in range(3))
KIND, AT, END, HIGH, ABOVE, LOW, REACHED = range(7)
_FIELDS = 7
# What a mine and a number leave in the low bits: no cell touches more than 30 others.
MINED = MINE & 31
_CODES = 32

_ZERO, _ONE, _TWO, _FOUR, _TOP = (np.uint64(number) for number in (0, 1, 2, 4, 56))
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_SLOTS, _SLOT_SHIFT, _SCATTER = 1 << 10, np.uint64(54), np.uint64(0x9E3779B97F4A7C15)


class Few(NamedTuple):
    """A problem of at most 64 worlds, and room to solve it; ``few`` makes one."""

    size: NDArray[np.int64]
    weight: NDArray[np.int64]
    cell: NDArray[np.int64]
    safe: NDArray[np.uint64]
    shown: NDArray[np.uint64]
    ends: NDArray[np.int64]
    clash: NDArray[np.uint64]
    apart: NDArray[np.uint64]
    part: NDArray[np.uint64]
    stack: NDArray[np.uint64]
    worth: NDArray[np.int64]
    frame: NDArray[np.int64]
    asked: NDArray[np.uint64]
    key: NDArray[np.uint64]
    known: NDArray[np.int64]
    spent: NDArray[np.int64]


def few(cells: int) -> Few:
    """Room for problems with so many cells."""
    i, u = np.int64, np.uint64
    return Few(
        size=np.zeros(4, i),
        weight=np.zeros(FEW, i),
        cell=np.zeros(cells + 1, i),
        safe=np.zeros(cells + 1, u),
        shown=np.zeros((cells + 1, FEW), u),
        ends=np.zeros(cells + 1, i),
        clash=np.zeros(FEW, u),
        apart=np.zeros(FEW, u),
        part=np.zeros(_CODES, u),
        # A set on the way down has lost a world at every second step, and waits with its cells or its parts.
        stack=np.zeros(2 * FEW * (cells + FEW), u),
        worth=np.zeros(2 * FEW * (cells + FEW), i),
        frame=np.zeros((2 * FEW + 2, _FIELDS), i),
        asked=np.zeros(2 * FEW + 2, u),
        key=np.zeros(_SLOTS, u),
        known=np.zeros((_SLOTS, 3), i),
        spent=np.array([0, UNLIMITED]),
    )


@kernel
def members(worlds: Any) -> Any:
    """How many worlds a set holds."""
    x = worlds - ((worlds >> _ONE) & _ODD)
    x = (x & _PAIRS) + ((x >> _TWO) & _PAIRS)
    x = (x + (x >> _FOUR)) & _NIBBLES
    return np.int64((x * _BYTES) >> _TOP)


@kernel
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


@kernel
def bound(p: Any, worlds: Any) -> Any:
    """The heaviest worlds of the classes of a set, together: no play wins more."""
    total = np.int64(0)
    for i in range(p.size[CLASSES]):
        left = worlds & p.clash[i]
        if p.size[UNIFORM]:
            total += np.int64(left != _ZERO)
            continue
        heaviest = np.int64(0)
        while left:
            bit = left & (~left + _ONE)
            heaviest = max(heaviest, p.weight[members(bit - _ONE)])
            left ^= bit
        total += heaviest
    return total


@kernel
def expand(p: Any, worlds: Any, above: Any, top: Any) -> Any:
    """Put on the stack what there is to do about a set: kind, end of the stack, what is known of what is left out.

    The parts by what a cell shows that is safe in all worlds (``SPLIT``, each with its bound; those of one world are
    left out, and won), or the sets S_c to try (``CHOICE``, each with its bound, the greatest first, none within one
    before it; of those left out the greatest bound). ``SETTLED``: every cell is.
    """
    end = top
    dropped = np.int64(0)
    mixed = False
    for cell in range(p.size[CELLS]):
        safe = worlds & p.safe[cell]
        if safe == worlds:
            for at in range(p.ends[cell]):
                part = worlds & p.shown[cell, at]
                if part == _ZERO:
                    continue
                if part == worlds:
                    break
                end, sure = top, np.int64(0)
                for more in range(at, p.ends[cell]):
                    part = worlds & p.shown[cell, more]
                    if part & (part - _ONE) == _ZERO:
                        sure += weigh(p, part)
                    else:
                        p.stack[end] = part
                        p.worth[end] = bound(p, part)
                        end += 1
                return SPLIT, end, sure
        elif safe != _ZERO:
            mixed = True
            most = weigh(p, safe)
            if most > above:
                most = bound(p, safe)
            if most <= above:
                dropped = max(dropped, most)
                continue
            # A set is bounded by no more than one around it, so most of those come first.
            at = top
            while at < end and p.worth[at] >= most and safe & ~p.stack[at] != _ZERO:
                at += 1
            if at < end and p.worth[at] >= most:
                continue
            for later in range(end, at, -1):
                p.stack[later] = p.stack[later - 1]
                p.worth[later] = p.worth[later - 1]
            p.stack[at] = safe
            p.worth[at] = most
            end += 1
    return CHOICE if mixed else SETTLED, end, dropped


@kernel
def value(p: Any, worlds: Any, above: Any, top: Any) -> Any:
    """Bounds on V of a set. They meet if V exceeds ``above``; otherwise the upper one is at most ``above``.

    Only where the budget is spent may they stay apart. The stack is used from ``top`` on.
    """
    depth = np.int64(-1)
    while True:
        # Go down: ask for V of a set, which may be known, or wait in a frame for what follows.
        low, high = np.int64(1), bound(p, worlds)
        waits = False
        if worlds & (worlds - _ONE) == _ZERO:
            low = high
        elif low < high and above < high and p.spent[NODES] < p.spent[BUDGET]:
            slot = np.int64((worlds * _SCATTER) >> _SLOT_SHIFT)
            waits = True
            if p.key[slot] == worlds and p.known[slot, 0] == p.size[PROBLEM]:
                high = min(high, p.known[slot, 2])
                if p.known[slot, 1] == high or high <= above:
                    low = p.known[slot, 1]
                    waits = False
            if waits:
                p.spent[NODES] += 1
                kind, end, dropped = expand(p, worlds, above, top)
                if kind == SETTLED:
                    low, waits = high, False
                else:
                    depth += 1
                    p.asked[depth] = worlds
                    p.frame[depth, KIND], p.frame[depth, AT], p.frame[depth, END] = kind, top, end
                    p.frame[depth, HIGH], p.frame[depth, ABOVE] = high, above
                    p.frame[depth, LOW], p.frame[depth, REACHED] = dropped if kind == SPLIT else np.int64(0), dropped
                    if kind == SPLIT:
                        for at in range(top, end):
                            p.frame[depth, REACHED] += p.worth[at]
        # Go up: a frame takes what it has asked for, and asks again or is done.
        while True:
            if depth < 0:
                return low, high
            at = p.frame[depth, AT]
            if p.frame[depth, KIND] == SPLIT:
                # REACHED is what the parts can give together; what the others cannot, this one has to.
                if not waits:
                    p.frame[depth, LOW] += low
                    p.frame[depth, REACHED] += high
                if at < p.frame[depth, END] and p.frame[depth, REACHED] > p.frame[depth, ABOVE]:
                    p.frame[depth, REACHED] -= p.worth[at]
                    above = p.frame[depth, ABOVE] - p.frame[depth, REACHED]
                    break
            else:
                # ABOVE is the best so far, REACHED the most that any set tried or left out can give.
                if not waits:
                    p.frame[depth, LOW] = max(p.frame[depth, LOW], low)
                    p.frame[depth, ABOVE] = max(p.frame[depth, ABOVE], low)
                    p.frame[depth, REACHED] = max(p.frame[depth, REACHED], high)
                if at < p.frame[depth, END]:
                    above = p.frame[depth, ABOVE]
                    if p.worth[at] > above and p.frame[depth, HIGH] > above:
                        break
                    p.frame[depth, REACHED] = max(p.frame[depth, REACHED], p.worth[at])
            low, high = p.frame[depth, LOW], min(p.frame[depth, REACHED], p.frame[depth, HIGH])
            worlds = p.asked[depth]
            slot = np.int64((worlds * _SCATTER) >> _SLOT_SHIFT)
            p.key[slot] = worlds
            p.known[slot, 0], p.known[slot, 1], p.known[slot, 2] = p.size[PROBLEM], low, high
            depth -= 1
            waits = False
        worlds, top = p.stack[at], p.frame[depth, END]
        p.frame[depth, AT] += 1


@kernel
def load(p: Any, codes: Any, weights: Any, chosen: Any, begin: Any, end: Any, same: Any, cells: Any) -> None:
    """Make a problem of the worlds ``chosen[begin:end]``, given by what each cell shows in them.

    Cells whose bit is in ``same`` look the same in all of them and are passed over.
    """
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
        if same[cell >> 6] >> np.uint64(cell & 63) & _ONE:
            continue
        for i in range(count):
            p.part[codes[chosen[begin + i], cell] & MINED] |= _ONE << np.uint64(i)
        safe = whole & ~p.part[MINED]
        p.part[MINED] = _ZERO
        at = np.int64(0)
        while at < classes and p.safe[at] != safe:
            at += 1
        if at == classes:
            classes += 1
            p.cell[at], p.safe[at], p.ends[at] = cell, safe, 0
            left = safe
            for code in range(MINED):
                if p.part[code] != _ZERO:
                    p.shown[at, p.ends[at]] = p.part[code]
                    p.ends[at] += 1
                    left ^= p.part[code]
                    p.part[code] = _ZERO
                    if left == _ZERO:
                        break
            continue
        _refine(p, at)
    p.size[CELLS] = classes
    _classes(p, count)


@kernel
def _refine(p: Any, at: Any) -> None:
    """Another cell of a class: worlds that show the same in both stay together."""
    before = p.ends[at]
    left = p.safe[at]
    for code in range(MINED):
        part = p.part[code]
        if part == _ZERO:
            continue
        p.part[code] = _ZERO
        left ^= part
        for k in range(before):
            both = p.shown[at, k] & part
            if both != _ZERO and both != p.shown[at, k]:
                p.shown[at, k] ^= both
                p.shown[at, p.ends[at]] = both
                p.ends[at] += 1
        if left == _ZERO:
            break


@kernel
def _classes(p: Any, count: Any) -> None:
    """Classes of worlds that clash, each world put in the first where it clashes with all that are there."""
    for i in range(count):
        p.apart[i] = _ZERO
    for cell in range(p.size[CELLS]):
        safe = p.safe[cell]
        if p.ends[cell] == 1:
            continue
        for at in range(p.ends[cell]):
            left = p.shown[cell, at]
            others = safe & ~left
            while left:
                bit = left & (~left + _ONE)
                p.apart[members(bit - _ONE)] |= others
                left ^= bit
    classes = np.int64(0)
    for i in range(count):
        found = np.int64(0)
        while found < classes and p.clash[found] & p.apart[i] != _ZERO:
            found += 1
        if found == classes:
            p.clash[found] = _ZERO
            classes += 1
        p.clash[found] |= _ONE << np.uint64(i)
    p.size[CLASSES] = classes
