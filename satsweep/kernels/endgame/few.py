"""Best play while at most 64 worlds are left: a set of worlds is a machine word.

A set of worlds is all there is to a position. An open cell is safe and shows the same number in every world that is
left, and opening a covered cell of that kind risks nothing and tells nothing; so it does not matter to what can still
be won which of them are open. Write V(S) for the greatest weight of worlds of S that one way to play wins.

* V(S) is the weight of S when every cell is a mine in all worlds of S or in none: what is left to open is safe.
* A cell that is safe in all of S is opened at once, and V(S) is the sum of V over the parts in which it shows the same
  number. Nothing is lost, because a player who opens it can go on exactly as one who does not.
* Otherwise V(S) is the maximum of V(S_c) over the cells c, S_c being the worlds of S in which c is safe.

A way to play on a larger set wins the same worlds of a subset T when it is used on T; hence V(T) <= V(S) for T within
S. It follows that

* only the largest sets S_c need to be tried: S_c within S_d cannot be better. Cells that are safe in the same worlds
  are one candidate, no matter which numbers they show, as each makes the others safe;
* V(S) is the weight of the heaviest T within S that can be won without a guess. Two worlds of T must then differ in the
  number of a cell that is safe in both, for otherwise V of the two is the weight of the heavier: they *clash*. If S is
  covered by classes of worlds that clash with each other, T has at most one world of each class, and the heaviest
  worlds of the classes together are an upper bound. Two 50/50s side by side make one class of their four worlds.

The search is branch and bound over these sets, with a transposition table. ``Few`` holds one such problem: cells that
are safe in the same worlds as one *class of cells*, with the sets of worlds in which they all show the same.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.kernels.toolchain.marks import kernel

FEW = 64
"""Most worlds of a set that is one word."""
MINE = 255
"""Code of a mine in a table of worlds; other codes are numbers."""
UNLIMITED = 1 << 62
"""Budget of a search without a limit, in nodes."""
START, NONE = np.int64(0), np.int64(-1)
"""Integers that are handed on: a function is compiled again for a literal."""
NODES, BUDGET = range(2)
"""Places in ``spent``: the nodes searched so far, and how many may be."""
CELLS, CLASSES, UNIFORM, PROBLEM = range(4)
"""Places in ``Few.size``.

Classes of cells, classes of worlds, 1 if all weights are 1, number of the problem.
"""
SPLIT, CHOICE, SETTLED = (np.int64(kind) for kind in range(3))
"""Kind of a node: a sum over parts, a choice between sets, or nothing to find out."""
KIND, AT, END, HIGH, ABOVE, LOW, REACHED = range(7)
"""Fields of a frame.

The kind of its node, the next child and the end of the children on the stack, the upper bound and the bound to beat
when it began, the value so far, and the most that can still be reached.
"""
_FIELDS = 7
# Code of a mine in five bits, where numbers fit, too: no cell touches more than 30 others.
MINED = MINE & 31
_CODES = 32

_ZERO, _ONE, _TWO, _FOUR, _TOP = (np.uint64(number) for number in (0, 1, 2, 4, 56))
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_SLOTS, _SLOT_SHIFT, _SCATTER = 1 << 10, np.uint64(54), np.uint64(0x9E3779B97F4A7C15)


class Few(NamedTuple):
    """A problem of at most 64 worlds, and room to solve it; ``few`` makes one.

    With c the number of cells:

    * ``size``, shape (4,): see ``CELLS``; ``weight``, shape (64,): that of each world;
    * ``cell``, ``safe``, ``ends``, shape (c + 1,), ``shown``, shape (c + 1, 64): for each class of cells one of them,
      the worlds in which it is safe, and the sets of worlds that show the same, ``ends`` in number;
    * ``clash``, shape (64,): classes of worlds that clash; ``apart``, shape (64,): the worlds that do not clash with
      each;
    * ``part``, shape (32,): scratch, a set for each number;
    * ``stack`` and ``worth``: the children that are still to be visited, and their bounds;
    * ``frame``, shape (130, 7), ``asked``, shape (130,): nodes on the way down, and their sets;
    * ``key``, shape (1024,), ``known``, shape (1024, 3): transposition table: set; problem, lower bound, upper bound;
    * ``spent``, shape (2,): see ``NODES``.
    """

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
    """Room for problems of at most 64 worlds with ``cells`` cells."""
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
        # A set on the way down has lost a world at every second step, and its children stay on the stack.
        stack=np.zeros(2 * FEW * (cells + FEW), u),
        worth=np.zeros(2 * FEW * (cells + FEW), i),
        frame=np.zeros((2 * FEW + 2, _FIELDS), i),
        asked=np.zeros(2 * FEW + 2, u),
        key=np.zeros(_SLOTS, u),
        known=np.zeros((_SLOTS, 3), i),
        spent=np.array([0, UNLIMITED]),
    )


@kernel
def count_members(worlds: Any) -> Any:
    """Return how many worlds a set holds."""
    x = worlds - ((worlds >> _ONE) & _ODD)
    x = (x & _PAIRS) + ((x >> _TWO) & _PAIRS)
    x = (x + (x >> _FOUR)) & _NIBBLES
    return np.int64((x * _BYTES) >> _TOP)


@kernel
def weigh_set(p: Any, worlds: Any) -> Any:
    """Return the weight of a set."""
    if p.size[UNIFORM]:
        return count_members(worlds)
    total = np.int64(0)
    while worlds:
        bit = worlds & (~worlds + _ONE)
        total += p.weight[count_members(bit - _ONE)]
        worlds ^= bit
    return total


@kernel
def bound(p: Any, worlds: Any) -> Any:
    """Return an upper bound of V: the heaviest world of each class, together."""
    total = np.int64(0)
    for i in range(p.size[CLASSES]):
        left = worlds & p.clash[i]
        if p.size[UNIFORM]:
            total += np.int64(left != _ZERO)
            continue
        heaviest = np.int64(0)
        while left:
            bit = left & (~left + _ONE)
            heaviest = max(heaviest, p.weight[count_members(bit - _ONE)])
            left ^= bit
        total += heaviest
    return total


@kernel
def push_children(p: Any, worlds: Any, above: Any, top: Any) -> Any:
    """Expand a set: push its children, each with its bound.

    Returns the kind of the node, the end of the stack, and a value of the children left out:

    * ``SPLIT``: the parts by what a cell shows that is safe in all worlds. Parts of one world are left out, and won;
      the value is their weight.
    * ``CHOICE``: the sets S_c to try, the greatest bound first, none within one before it. The value is the greatest
      bound of those left out, which are not worth more than ``above``.
    * ``SETTLED``: every cell is a mine in all worlds or in none.
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
                        sure += weigh_set(p, part)
                    else:
                        p.stack[end] = part
                        p.worth[end] = bound(p, part)
                        end += 1
                return SPLIT, end, sure
        elif safe != _ZERO:
            mixed = True
            most = weigh_set(p, safe)
            if most > above:
                most = bound(p, safe)
            if most <= above:
                dropped = max(dropped, most)
                continue
            # The bound of a set is at most that of a set around it, so most of the larger ones come first.
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


# Longer than 60 lines: a recursion as one loop with its own stack, first down, then up.
@kernel
def value(p: Any, worlds: Any, above: Any, top: Any) -> Any:
    """Return lower and upper bound of V of a set.

    They meet if V exceeds ``above``; otherwise the upper one is at most ``above``. Only where the budget is spent may
    they stay apart. The stack is used from ``top`` on.
    """
    depth = np.int64(-1)
    while True:
        # Go down: V of a set may be known; else the set waits in a frame for its children.
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
                kind, end, dropped = push_children(p, worlds, above, top)
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
        # Go up: a frame takes the value of its child, and visits the next one or is done.
        while True:
            if depth < 0:
                return low, high
            at = p.frame[depth, AT]
            if p.frame[depth, KIND] == SPLIT:
                # REACHED is the most that the parts give together; this one has to give what the others cannot.
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
def load_problem(p: Any, codes: Any, weights: Any, chosen: Any, begin: Any, end: Any, same: Any, cells: Any) -> None:
    """Make a problem of the worlds ``chosen[begin:end]``.

    ``codes``, uint8, shape (worlds, cells), has what each cell shows in each world, ``weights``, int64, shape
    (worlds,), the weight of each. Cells whose bit is set in ``same`` look the same in all of them and are passed over.
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
    """Refine a class of cells by another cell: worlds stay together if both agree."""
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
    """Make the classes of worlds that clash.

    Each world goes into the first class where it clashes with all that are there.
    """
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
                p.apart[count_members(bit - _ONE)] |= others
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
