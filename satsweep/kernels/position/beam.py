"""Beam search for orders of elimination, the twin of ``solver.engines.order``.

A level has the best sets of as many closed constraints, at most as many as the beam is wide, in ascending order. For
each open constraint of each set a candidate closes it; of candidates with the same set the best is kept. Floats are
multiplied in the order in which Python does it, and of equally good sets those reached first are kept, so both find
the same order. Sets are told apart by the exclusive or of random keys of their constraints alone (Zobrist 1970). Two
sets with one key would count as one, and the order found would still be an order.
"""

import numpy as np

from satsweep.kernels.position.orders import search_orders as entry
from satsweep.kernels.toolchain.marks import exported_as, kernel

PRESENT = 8.0
"""Weight of the states held now."""
OPEN = 1
CLOSED = 2
"""States of a constraint; 0 before it is open."""


@kernel
def factor_of(constraints, state, closing):
    """Return the product of the ranges of those that closing a constraint opens."""
    product = 1.0
    for place in range(constraints.first[closing], constraints.first[closing + 1]):
        other = constraints.near[place]
        if state[other] == 0:
            product *= constraints.ranges[other]
    return product


@kernel
def add_open(constraints, level, side, prefix, constraint):
    """Open a constraint of a prefix. Returns 0 where too many are open."""
    many = level.many[side, prefix]
    if many == level.opened.shape[2]:
        return 0
    level.state[side, prefix, constraint] = OPEN
    level.opened[side, prefix, many] = constraint
    level.many[side, prefix] = many + 1
    return 1


@kernel
def open_any(constraints, level, side, prefix):
    """Open the first constraint left of a prefix without open ones."""
    other = np.int64(0)
    while level.state[side, prefix, other] == CLOSED:
        other += 1
    add_open(constraints, level, side, prefix, other)
    level.factor[side, prefix, 0] = factor_of(constraints, level.state[side, prefix], other)
    level.now[side, prefix] = constraints.ranges[other]


@kernel
def collect(constraints, level, side, width, stamp, found):
    """Write the candidates of a level; return their number."""
    number = 0
    for prefix in range(width):
        number += level.many[side, prefix]
    mask = np.int64(1)
    while mask < 2 * number:
        mask *= 2
    mask -= 1
    number = 0
    for prefix in range(width):
        paid, now, key = level.paid[side, prefix], level.now[side, prefix], level.key[side, prefix]
        for place in range(level.many[side, prefix]):
            closing = level.opened[side, prefix, place]
            full = now * level.factor[side, prefix, place]
            after = full / constraints.ranges[closing]
            rating = paid + full + PRESENT * after
            reached = key ^ constraints.keys[closing]
            at = reached & mask
            candidate = np.int64(-1)
            while found.table[at] >> 32 == stamp:
                other = found.table[at] & 0xFFFFFFFF
                if found.key[other] == reached:
                    candidate = other
                    break
                at = (at + 1) & mask
            if candidate < 0:
                candidate = number
                number += 1
                found.table[at] = (stamp << 32) | candidate
                found.key[candidate] = reached
            elif rating >= found.rating[candidate]:
                continue
            found.rating[candidate], found.paid[candidate], found.after[candidate] = rating, paid + full, after
            found.prefix[candidate], found.closing[candidate] = prefix, closing
    return number


@kernel
def is_worse(found, one, other):
    if found.rating[one] != found.rating[other]:
        return found.rating[one] > found.rating[other]
    return one > other


@kernel
def sink(found, place, size):
    """Restore the heap, the worst candidate first, below a place."""
    item = found.heap[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and is_worse(found, found.heap[child + 1], found.heap[child]):
            child += 1
        if not is_worse(found, found.heap[child], item):
            break
        found.heap[place] = found.heap[child]
        place = child
    found.heap[place] = item


@kernel
def select(found, number, width):
    """Write the best candidates to the heap in ascending order; return how many."""
    size = min(number, width)
    for place in range(size):
        found.heap[place] = place
    for place in range(size // 2):
        sink(found, np.int64(size // 2 - 1 - place), size)
    for candidate in range(size, number):
        if is_worse(found, found.heap[0], candidate):
            found.heap[0] = candidate
            sink(found, np.int64(0), size)
    for last in range(size - 1):
        end = size - 1 - last
        found.heap[0], found.heap[end] = found.heap[end], found.heap[0]
        sink(found, np.int64(0), end)
    return size


@kernel
def advance(constraints, level, side, found, candidate, rank):
    """Write a candidate as a prefix of the next level. Returns 0 without room."""
    prefix, closing, new = found.prefix[candidate], found.closing[candidate], 1 - side
    level.key[new, rank] = found.key[candidate]
    level.paid[new, rank], level.now[new, rank] = found.paid[candidate], found.after[candidate]
    old, state = level.state[side, prefix], level.state[new, rank]
    for constraint in range(old.shape[0]):
        state[constraint] = old[constraint]
    state[closing] = CLOSED
    kept = np.int64(0)
    for place in range(level.many[side, prefix]):
        if level.opened[side, prefix, place] != closing:
            level.opened[new, rank, kept] = level.opened[side, prefix, place]
            level.factor[new, rank, kept] = level.factor[side, prefix, place]
            kept += 1
    level.many[new, rank] = kept
    for place in range(constraints.first[closing], constraints.first[closing + 1]):
        other = constraints.near[place]
        if state[other] == 0 and not add_open(constraints, level, new, rank, other):
            return 0
    many = level.many[new, rank]
    for place in range(many):
        changed = place >= kept
        open_one = level.opened[new, rank, place]
        for fresh in range(kept, many):
            if changed:
                break
            changed = is_near(constraints, open_one, level.opened[new, rank, fresh])
        if changed:
            level.factor[new, rank, place] = factor_of(constraints, state, open_one)
    return 1


@kernel
def is_near(constraints, one, other):
    for place in range(constraints.first[one], constraints.first[one + 1]):
        if constraints.near[place] == other:
            return True
    return False


@exported_as(entry)
def search_orders(constraints, level, found, path, start, order, states):
    """Write the best order from a start, and its predicted states to ``states[0]``.

    All memory is zero at first. ``path``, int32, shape (2, constraints, width), gets the prefix before and the
    constraint closed. Returns 1, or 0 where more constraints stay open than there is room for.
    """
    count, side, width = order.shape[0], np.int64(0), np.int64(1)
    level.many[0, 0] = 0
    level.key[0, 0], level.paid[0, 0], level.now[0, 0] = 0, 0.0, constraints.ranges[start]
    add_open(constraints, level, np.int64(0), np.int64(0), start)
    level.factor[0, 0, 0] = factor_of(constraints, level.state[0, 0], start)
    for depth in range(count):
        for prefix in range(width):
            if level.many[side, prefix] == 0:
                open_any(constraints, level, side, np.int64(prefix))
        number = collect(constraints, level, side, width, np.int64(depth + 1), found)
        width = select(found, number, np.int64(path.shape[2]))
        for rank in range(width):
            candidate = found.heap[rank]
            path[0, depth, rank], path[1, depth, rank] = found.prefix[candidate], found.closing[candidate]
            if not advance(constraints, level, side, found, candidate, np.int64(rank)):
                return 0
        side = 1 - side
    states[0] = level.paid[side, 0]
    rank = np.int64(0)
    for back in range(count):
        depth = count - 1 - back
        order[depth] = path[1, depth, rank]
        rank = path[0, depth, rank]
    return 1
