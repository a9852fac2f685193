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

from collections import namedtuple

import numpy as np

from satsweep.kernels.shared.mathematics import MIX_STEP, ONE, ZERO, count_members, lowest_bit
from satsweep.kernels.toolchain.marks import kernel

FEW = 64
"""Most worlds of a set that is one word."""
MINE = 255
"""Code of a mine in a table of worlds; other codes are numbers."""
UNLIMITED = 1 << 62
"""Budget of a search without a limit, in nodes."""
NOUGHT, NONE = np.int64(0), np.int64(-1)
"""Integers that are handed on: a function is compiled again for a literal."""
NODES, BUDGET = range(2)
"""Places in ``spent``: the nodes searched so far, and how many may be."""
N_CELLS, CLASSES, UNIFORM, PROBLEM, SORTED = range(5)
"""Places in ``Few.size``.

Classes of cells, classes of worlds, 1 if all weights are 1, number of the problem, 1 if the worlds are in the order of
their classes.
"""
SPLIT, CHOICE, SETTLED, PRODUCT = (np.int64(kind) for kind in range(4))
"""Kind of a node.

A sum over parts, a choice between sets, nothing to find out, a product of regions (``search``).
"""
KIND, AT, END, HIGH, ABOVE, LOW, REACHED = range(7)
"""Fields of a frame.

The kind of its node, the next child and the end of the children on the stack, the upper bound and the bound to beat
when it began, the value so far, and the most that can still be reached.
"""
# Code of a mine in five bits, where numbers fit, too: no cell touches more than 30 others.
MINE_BITS = MINE & 31
CODES = 32

_SLOTS, _SLOT_SHIFT = 1 << 10, np.uint64(54)
_BYTE, _CODE = np.uint64(255), np.uint64(MINE_BITS)


Few = namedtuple(
    "Few", "size weight cell safe shown ends clash apart last place part stack worth frame asked key known spent"
)
"""A problem of at most 64 worlds, and room to solve it; ``few`` makes one.

With c the number of cells:

* ``size``, shape (5,): see ``N_CELLS``; ``weight``, shape (64,): that of each world;
* ``cell``, ``safe``, ``ends``, shape (c + 1,), ``shown``, shape (c + 1, 64): for each class of cells one of them,
  the worlds in which it is safe, and the sets of worlds that show the same, ``ends`` in number;
* ``clash``, shape (64,): classes of worlds that clash; ``apart``, shape (64,): the worlds that do not clash with
  each;
* ``last``, shape (1,): the last world of each class, once they are sorted; ``place``, shape (64,): where each world
  is then, as a bit;
* ``part``, shape (8, 32): scratch, a set for each number, by cell of a word;
* ``stack`` and ``worth``: the children that are still to be visited, and their bounds;
* ``frame``, shape (130, 7), ``asked``, shape (130,): nodes on the way down, and their sets;
* ``key``, shape (1024,), ``known``, shape (1024, 3): transposition table: set; problem, lower bound, upper bound;
* ``spent``, shape (2,): see ``NODES``.
"""


def few(cells: int) -> Few:
    i, u = np.int64, np.uint64
    return Few(
        size=np.zeros(5, i),
        weight=np.zeros(FEW, i),
        cell=np.zeros(cells + 1, i),
        safe=np.zeros(cells + 1, u),
        shown=np.zeros((cells + 1, FEW), u),
        ends=np.zeros(cells + 1, i),
        clash=np.zeros(FEW, u),
        apart=np.zeros(FEW, u),
        last=np.zeros(1, u),
        place=np.zeros(FEW, u),
        part=np.zeros((8, CODES), u),
        # A set on the way down has lost a world at every second step, and its children stay on the stack.
        stack=np.zeros(2 * FEW * (cells + FEW), u),
        worth=np.zeros(2 * FEW * (cells + FEW), i),
        frame=np.zeros((2 * FEW + 2, REACHED + 1), i),
        asked=np.zeros(2 * FEW + 2, u),
        key=np.zeros(_SLOTS, u),
        known=np.zeros((_SLOTS, 3), i),
        spent=np.array([0, UNLIMITED]),
    )


@kernel
def weigh_set(p, worlds):
    if p.size[UNIFORM]:
        return count_members(worlds)
    total = np.int64(0)
    while worlds:
        total += p.weight[lowest_bit(worlds)]
        worlds &= worlds - ONE
    return total


@kernel
def bound(p, worlds):
    """Return an upper bound of V: the heaviest world of each class, together."""
    if p.size[SORTED]:
        # Below the last bit of a class a sum carries into that bit if another world of the class is there.
        others = ~p.last[0]
        return count_members((((worlds & others) + others) | worlds) & p.last[0])
    total = np.int64(0)
    for i in range(p.size[CLASSES]):
        left = worlds & p.clash[i]
        if p.size[UNIFORM]:
            total += np.int64(left != ZERO)
            continue
        heaviest = np.int64(0)
        while left:
            heaviest = max(heaviest, p.weight[lowest_bit(left)])
            left &= left - ONE
        total += heaviest
    return total


@kernel
def push_children(p, worlds, above, top):
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
    for cell in range(p.size[N_CELLS]):
        safe = worlds & p.safe[cell]
        if safe == worlds:
            for at in range(p.ends[cell]):
                part = worlds & p.shown[cell, at]
                if part == ZERO:
                    continue
                if part == worlds:
                    break
                end, sure = top, np.int64(0)
                for more in range(at, p.ends[cell]):
                    part = worlds & p.shown[cell, more]
                    if part & (part - ONE) == ZERO:
                        sure += weigh_set(p, part)
                    else:
                        p.stack[end] = part
                        p.worth[end] = bound(p, part)
                        end += 1
                return SPLIT, end, sure
        elif safe != ZERO:
            mixed = True
            most = weigh_set(p, safe)
            if most > above:
                most = bound(p, safe)
            if most <= above:
                dropped = max(dropped, most)
                continue
            # The bound of a set is at most that of a set around it, so most of the larger ones come first.
            at = top
            while at < end and p.worth[at] >= most and safe & ~p.stack[at] != ZERO:
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
def begin_frame(frame, kind, top, end, high, above, sure):
    """Begin a frame, of which ``sure`` is known already."""
    frame[KIND], frame[AT], frame[END] = kind, top, end
    frame[HIGH], frame[ABOVE], frame[LOW], frame[REACHED] = high, above, sure, sure


@kernel
def add_part(frame, low, high):
    """Add the bounds of a part to those of a sum.

    REACHED is the most that the parts give together.
    """
    frame[LOW] += low
    frame[REACHED] += high


@kernel
def compare_choice(frame, low, high):
    """Compare the bounds of a child with those of a choice.

    ABOVE is the best so far, REACHED the most that any child tried or left out can give.
    """
    frame[LOW] = max(frame[LOW], low)
    frame[ABOVE] = max(frame[ABOVE], low)
    frame[REACHED] = max(frame[REACHED], high)


@kernel
def _slot_of(worlds):
    return np.int64((worlds * MIX_STEP) >> _SLOT_SHIFT)


# A recursion as one loop with its own stack, first down, then up.
@kernel
def value(p, worlds, above, top):
    """Return lower and upper bound of V of a set.

    They meet if V exceeds ``above``; otherwise the upper one is at most ``above``. Only where the budget is spent may
    they stay apart. The stack is used from ``top`` on.
    """
    depth = NONE
    while True:
        # Go down: V of a set may be known; else the set waits in a frame for its children.
        low, high = np.int64(1), bound(p, worlds)
        waits = False
        if worlds & (worlds - ONE) == ZERO:
            low = high
        elif low < high and above < high and p.spent[NODES] < p.spent[BUDGET]:
            slot = _slot_of(worlds)
            waits = True
            if p.key[slot] == worlds and p.known[slot, 0] == p.size[PROBLEM]:
                high = min(high, p.known[slot, 2])
                if p.known[slot, 1] == high or high <= above:
                    low, waits = p.known[slot, 1], False
            if waits:
                p.spent[NODES] += 1
                kind, end, known = push_children(p, worlds, above, top)
                if kind == SETTLED:
                    low, waits = high, False
                else:
                    depth += 1
                    p.asked[depth] = worlds
                    begin_frame(p.frame[depth], kind, top, end, high, above, known if kind == SPLIT else NOUGHT)
                    if kind == SPLIT:
                        for at in range(top, end):
                            p.frame[depth, REACHED] += p.worth[at]
                    else:
                        p.frame[depth, REACHED] = known
        # Go up: a frame takes the value of its child, and visits the next one or is done.
        while True:
            if depth < 0:
                return low, high
            frame = p.frame[depth]
            at = frame[AT]
            if frame[KIND] == SPLIT:
                if not waits:
                    add_part(frame, low, high)
                # This part has to give what the others cannot.
                if at < frame[END] and frame[REACHED] > frame[ABOVE]:
                    frame[REACHED] -= p.worth[at]
                    above = frame[ABOVE] - frame[REACHED]
                    break
            else:
                if not waits:
                    compare_choice(frame, low, high)
                if at < frame[END]:
                    above = frame[ABOVE]
                    if p.worth[at] > above and frame[HIGH] > above:
                        break
                    frame[REACHED] = max(frame[REACHED], p.worth[at])
            low, high = frame[LOW], min(frame[REACHED], frame[HIGH])
            worlds = p.asked[depth]
            slot = _slot_of(worlds)
            p.key[slot] = worlds
            p.known[slot, 0], p.known[slot, 1], p.known[slot, 2] = p.size[PROBLEM], low, high
            depth -= 1
            waits = False
        worlds, top = p.stack[at], p.frame[depth, END]
        p.frame[depth, AT] += 1


@kernel
def load_problem(p, rows, weights, chosen, begin, end, same, above):
    """Make a problem of the worlds ``chosen[begin:end]``.

    It will be asked whether it is worth more than ``above``. ``rows``, uint64, shape (worlds, words), has what each
    cell shows in each world, a byte each, ``weights``, int64, shape (worlds,), the weight of each. Cells whose bit is
    set in ``same`` look the same in all of them and are passed over.
    """
    p.size[PROBLEM] += 1
    count = end - begin
    whole = ~ZERO >> np.uint64(FEW - count)
    p.size[UNIFORM] = 1
    for i in range(count):
        p.weight[i] = weights[chosen[begin + i]]
        if p.weight[i] != 1:
            p.size[UNIFORM] = 0
    classes = np.int64(0)
    for word in range(rows.shape[1]):
        unlike = ~(same[word >> 3] >> np.uint64((word & 7) * 8)) & _BYTE
        for i in range(count):
            row, world = rows[chosen[begin + i], word], ONE << np.uint64(i)
            left = unlike
            while left:
                place = lowest_bit(left)
                left &= left - ONE
                p.part[place, (row >> np.uint64(8 * place)) & _CODE] |= world
        while unlike:
            place = lowest_bit(unlike)
            unlike &= unlike - ONE
            safe = whole & ~p.part[place, MINE_BITS]
            p.part[place, MINE_BITS] = ZERO
            at = np.int64(0)
            while at < classes and p.safe[at] != safe:
                at += 1
            if at == classes:
                classes += 1
                p.cell[at], p.safe[at], p.ends[at] = 8 * word + place, safe, 0
            before = p.ends[at]
            while safe:  # a number that some world shows, not every one that there is
                row = rows[chosen[begin + lowest_bit(safe)], word]
                code = (row >> np.uint64(8 * place)) & _CODE
                safe ^= p.part[place, code]
                _add_part(p, at, before, p.part[place, code])
                p.part[place, code] = ZERO
    p.size[N_CELLS] = classes
    _classes(p, count)
    p.size[SORTED] = 0
    if p.size[UNIFORM] and p.size[CLASSES] > above:
        _sort(p)


@kernel
def _add_part(p, at, before, part):
    """Add the worlds that show a number to a class of cells.

    If it has ``before`` sets already, of other cells, worlds stay together that are in the part, or not.
    """
    if before == 0:
        p.shown[at, p.ends[at]] = part
        p.ends[at] += 1
    for k in range(before):
        both = p.shown[at, k] & part
        if both != ZERO and both != p.shown[at, k]:
            p.shown[at, k] ^= both
            p.shown[at, p.ends[at]] = both
            p.ends[at] += 1


@kernel
def _classes(p, count):
    """Each world goes into the first class where it clashes with all that are there."""
    for i in range(count):
        p.apart[i] = ZERO
    for cell in range(p.size[N_CELLS]):
        safe = p.safe[cell]
        if p.ends[cell] == 1:
            continue
        for at in range(p.ends[cell]):
            left = p.shown[cell, at]
            others = safe & ~left
            while left:
                p.apart[lowest_bit(left)] |= others
                left &= left - ONE
    classes = np.int64(0)
    for i in range(count):
        found = np.int64(0)
        while found < classes and p.clash[found] & p.apart[i] != ZERO:
            found += 1
        if found == classes:
            p.clash[found] = ZERO
            classes += 1
        p.clash[found] |= ONE << np.uint64(i)
    p.size[CLASSES] = classes


@kernel
def _sort(p):
    """Put the worlds in the order of their classes, for ``bound``."""
    p.size[SORTED], p.last[0] = 1, ZERO
    bit = ONE
    for i in range(p.size[CLASSES]):
        left = p.clash[i]
        while left:
            p.place[lowest_bit(left)] = bit
            left &= left - ONE
            if left == ZERO:
                p.last[0] |= bit
            bit += bit
    for cell in range(p.size[N_CELLS]):
        p.safe[cell] = ZERO
        for at in range(p.ends[cell]):
            left, part = p.shown[cell, at], ZERO
            while left:
                part |= p.place[lowest_bit(left)]
                left &= left - ONE
            p.shown[cell, at] = part
            p.safe[cell] |= part
