"""Independent regions of a problem, which are searched apart.

Let the cells fall into regions such that a set S of worlds is the direct product of its projections on them, all worlds
weighing 1. Then V(S) is the product of the values of the regions, by induction over the size of S. If everything in S
is settled, both are 1. Opening a cell c of region A leaves the product of A_c and the others; the number it shows is
part of the projection on A, so seeing it leaves products again, and their values have the value of the other regions as
a factor. The best cell of A therefore gives V(A_c), summed over what it shows, times the others; the best of those over
the cells of A is V(A), and this is the same product for each region that the best cell may be in.

A region is played on the *slice* of S that agrees with the first world w of S outside of it: the rest is settled there.
Slices are sets as ``sets`` wants them, the worlds of S that agree with w on some more cells.

S is within the product of its projections, so it is that product if it has as many worlds. Which regions to try is a
heuristic: cells belong together if a number sees both, that is, if they are in one ``scope``. A scope does not count
while its ``owner`` is a mine and shows no number (the owner of a number that is open is -1).
"""

import numpy as np

from satsweep.kernels.endgame.few import MINE, NONE
from satsweep.kernels.endgame.sets import MIX, N_CELLS, PART, SCOPES, UNIFORM, bound, is_settled, nonzero_bytes
from satsweep.kernels.shared.mathematics import MIX_STEP, ONE, ZERO
from satsweep.kernels.toolchain.marks import kernel

FROM, TO, MOST, LEAST = range(4)
"""Fields of a part on the stack: begin and end, upper bound, lower bound."""
FOUND = LEAST
"""Field of a part of a sum, in place of the lower bound.

Place in ``kept`` of its ``compare_and_bound``, or -1.
"""

_WHOLE = np.uint64(255)


@kernel
def split_regions(m, begin, end, depth, free, top):
    """Push the slices of a set that is a product, as parts on the stack.

    Their lists of worlds begin at ``free``. Returns the ends of stack and lists, unchanged if the set is no product.
    """
    if m.size[SCOPES] == 0 or m.size[UNIFORM] == 0:
        return top, free
    regions = _connected(m, begin, depth)
    if regions < 2:
        return top, free
    first = m.chosen[begin]
    stop, fill, product = top, free, np.int64(1)
    for region in range(regions):
        m.stack[stop + FROM] = fill
        for at in range(begin, end):
            if not _differ_outside(m, first, m.chosen[at], region):
                m.chosen[fill] = m.chosen[at]
                fill += 1
        m.stack[stop + TO] = fill
        product *= fill - m.stack[stop + FROM]
        if product > end - begin or fill == m.stack[stop + FROM] + 1:
            return top, free
        stop += PART
    if product != end - begin:
        return top, free
    # As many worlds as in a product. It is one if each projection of a world is one of a slice.
    for region in range(regions):
        part = top + region * PART
        if not _covers(m, m.stack[part + FROM], m.stack[part + TO], begin, end, region):
            return top, free
    for part in range(top, stop, PART):
        m.stack[part + MOST] = bound(m, m.stack[part + FROM], m.stack[part + TO], NONE)
        m.stack[part + LEAST] = 1
    return stop, fill


@kernel
def _connected(m, begin, depth):
    """Find the regions: cells that belong together and differ. Returns their number."""
    words = m.region.shape[1]
    first = m.chosen[begin]
    regions = np.int64(0)
    for seed in range(m.size[N_CELLS]):
        word, bit = seed >> 6, ONE << np.uint64(seed & 63)
        taken = is_settled(m, depth, seed)
        for region in range(regions):
            taken = taken or m.region[region, word] & bit != ZERO
        if taken:
            continue
        for k in range(words):
            m.region[regions, k] = ZERO
        m.region[regions, word] = bit
        grows = True
        while grows:
            grows = False
            for scope in range(m.size[SCOPES]):
                owner = m.owner[scope]
                if owner >= 0 and is_settled(m, depth, owner) and m.code[first, owner] == MINE:
                    continue
                touches = False
                for k in range(words):
                    touches = touches or m.scope[scope, k] & m.region[regions, k] != ZERO
                if touches:
                    for k in range(words):
                        more = m.scope[scope, k] & ~m.same[depth, k] & ~m.region[regions, k]
                        if more != ZERO:
                            m.region[regions, k] |= more
                            grows = True
        regions += 1
    return regions


@kernel
def _differing_cells(m, world, other, word):
    """Return a bit for each cell that looks different in two worlds, for 64 cells."""
    bits = ZERO
    for k in range(word * 8, min(word * 8 + 8, m.row.shape[1])):
        bits |= nonzero_bytes(m.row[world, k] ^ m.row[other, k]) << np.uint64((k & 7) * 8)
    return bits


@kernel
def _differ_outside(m, world, other, region):
    for word in range(m.region.shape[1]):
        if _differing_cells(m, world, other, word) & ~m.region[region, word] != ZERO:
            return True
    return False


@kernel
def _covers(m, low, high, begin, end, region):
    """Return whether in a region each world of one list is like one of another."""
    size = np.int64(2)
    while size < 2 * (high - low):
        size *= 2
    for k in range(size):
        m.bucket[k] = -1
    for at in range(low, high):
        m.bucket[_find_bucket(m, m.chosen[at], region, size)] = m.chosen[at]
    covers = True
    for at in range(begin, end):
        covers = covers and m.bucket[_find_bucket(m, m.chosen[at], region, size)] >= 0
    return covers


@kernel
def _find_bucket(m, world, region, size):
    """Return the bucket of the worlds that look alike in a region, or an empty one."""
    words = m.row.shape[1]
    mixed = ZERO
    for k in range(words):
        mixed = ((mixed ^ (mixed >> MIX)) + (m.row[world, k] & _region_bytes(m, region, k))) * MIX_STEP
    at = np.int64((mixed ^ (mixed >> MIX)) & np.uint64(size - 1))
    while m.bucket[at] >= 0:
        equal = True
        for k in range(words):
            equal = equal and (m.row[world, k] ^ m.row[m.bucket[at], k]) & _region_bytes(m, region, k) == ZERO
        if equal:
            return at
        at = (at + 1) & (size - 1)
    return at


@kernel
def _region_bytes(m, region, k):
    bits = (m.region[region, k >> 3] >> np.uint64((k & 7) * 8)) & _WHOLE
    spread = ZERO
    for cell in range(8):
        if bits >> np.uint64(cell) & ONE:
            spread |= _WHOLE << np.uint64(8 * cell)
    return spread
