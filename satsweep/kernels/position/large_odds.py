"""Risks on large boards, as floats: thousands of components together with the sea.

``satsweep/solver/late_odds.py`` does the same in Python. Let r be the odds of a mine in a cell of the sea, nearly. Ways
to fill a component with m mines are taken times r^m, and ways to fill the sea by r^m; the factors cancel from risks,
and the mass of both lies around the same number of mines. A binary tree multiplies the totals of components; walked
down, it gives each component the weights of all others with the sea. Numbers of mines whose weight is less than
``TINY`` of all are left out: a product grows with the square root of the board then.

A cell is forced by comparisons of integers, never by floats: all totals between the fewest and the most mines of some
components are possible if the gaps in the totals of one are no wider than what the others bridge. A position in which
they are wider is WIDE.
"""

import numpy as np

from satsweep.kernels.position.entries import NOT_COUNTED
from satsweep.kernels.shared.mathematics import exp
from satsweep.kernels.shared.memory import COVERED, DEGREE, FINE, HEAD, IMPOSSIBLE, MINE, NARROW, WIDE
from satsweep.kernels.toolchain.calls import INT, Array
from satsweep.kernels.toolchain.marks import exported, kernel

TINY = 1e-100
"""Least part of all weight that is kept, and least weight of all worlds."""
LONGEST = NARROW * DEGREE + 1
"""Most numbers of mines of a component."""
HALVINGS = 20
"""Steps of the search for the odds of a mine in the sea."""


@exported(
    Array("i1", "cells"), Array("i1", "cells"), Array("i1", "cells"), Array("i4", "cells"), Array("i4"), Array("f8"),
    INT, Array("i4", "nodes", written=True), Array("i4", "nodes", written=True), Array("i4", "nodes", written=True),
    Array("f8", written=True), Array("f8", "cells", written=True), results=1,
)  # fmt: skip
def rate_parts(before, symbols, listed, cells, shape, ways, mines, begin, length, skipped, work, risks):
    """Write the risk of every covered cell, NaN for others; return the status.

    ``symbols``, ``listed``, ``cells``, ``shape`` and ``ways`` are as ``count_parts`` leaves them, ``before`` has the
    symbols of the board. A risk is 0 or 1 in forced cells only. ``begin``, ``length``, ``skipped`` and ``work``, of
    ``LONGEST`` places or more, are scratch: WIDE if it does not suffice.
    """
    left, sea = mines, np.int64(0)
    for cell in range(before.shape[0]):
        left -= symbols[cell] == MINE
        sea += symbols[cell] == COVERED and listed[cell] == 0
        if listed[cell] == NOT_COUNTED:
            return WIDE
    low, spread, bridged = bounds_of(shape, ways)
    left -= low
    if left < 0 or left > spread + sea:
        return IMPOSSIBLE
    if bridged < 0:
        return WIDE
    odds = odds_in_sea(shape, ways, sea, left, work)
    leaves, used = tilt_totals(shape, ways, odds, begin, length, skipped, work)
    root, used = multiply_all(leaves, used, begin, length, skipped, work)
    if root < 0:
        return WIDE
    mined, clear = weigh_root(root, used, begin, length, skipped, work, sea, left, odds)
    if not mined + clear > TINY:
        return WIDE
    hand_down(max(leaves, np.int64(1)), root, used, begin, length, skipped, work)
    in_sea = risk_between(mined / (mined + clear))
    if min(sea, left) == 0:
        in_sea = 0.0
    elif max(left - spread, 0) == sea:
        in_sea = 1.0
    for cell in range(before.shape[0]):
        risks[cell] = in_sea
        if symbols[cell] != COVERED:
            risks[cell] = 1.0 if symbols[cell] == MINE else 0.0
        if before[cell] != COVERED:
            risks[cell] = np.nan
    return rate_groups(cells, shape, ways, odds, sea, left, spread, begin, used, work, risks)


@kernel
def risk_between(risk):
    return min(max(risk, 1e-300), 1 - 2.0**-53)


@kernel
def bounds_of(shape, ways):
    """Return the fewest mines of all components, and by how many the most are more.

    Also what the others bridge beyond the widest gap of one: negative if it may be that not all totals are possible.
    """
    low, spread, bridged, widest, gap = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    place, at = np.int64(HEAD), np.int64(0)
    for _ in range(shape[3]):
        groups, span = np.int64(shape[place]), np.int64(shape[place + 2])
        low += shape[place + 1]
        spread += span - 1
        own, last = np.int64(1), np.int64(0)
        for mines in range(span):
            if ways[at + mines] > 0:
                own = max(own, mines - last)
                last = np.int64(mines)
        gap = max(gap, own)
        if own == 1:
            bridged += span - 1
            widest = max(widest, span - 1)
        place += 4 + groups
        at += (groups + 1) * span
    return low, spread, bridged - widest + 1 - gap


@kernel
def tilt(ways, at, span, odds, work, into):
    """Write the ways of a total times odds^mines, in a scale in which their sum is 1.

    Returns their mean.
    """
    factor, every, mean = 1.0, 0.0, 0.0
    for step in range(span):  # the greatest factor is 1
        mines = step if odds <= 1 else span - 1 - step
        work[into + mines] = ways[at + mines] * factor
        every += work[into + mines]
        mean += work[into + mines] * mines
        factor *= odds if odds <= 1 else 1 / odds
    for mines in range(span):
        work[into + mines] /= every
    return mean / every


@kernel
def odds_in_sea(shape, ways, sea, left, work):
    """Return the odds of a mine, about, with which the expected mines are those left."""
    lower, upper = -14.0, 14.0
    odds = 1.0
    for _ in range(HALVINGS):
        odds = exp((lower + upper) / 2)
        mines = sea * odds / (1 + odds)
        place, at = np.int64(HEAD), np.int64(0)
        for _ in range(shape[3]):
            groups, span = np.int64(shape[place]), np.int64(shape[place + 2])
            if span > 1:
                mines += tilt(ways, at, span, odds, work, np.int64(0))
            place += 4 + groups
            at += (groups + 1) * span
        if mines < left:
            lower = (lower + upper) / 2
        else:
            upper = (lower + upper) / 2
    return odds


@kernel
def tilt_totals(shape, ways, odds, begin, length, skipped, work):
    """Write the leaves of the tree, for each total that varies.

    Returns their number, and the length of what is used of ``work``: more than there is if it does not suffice.
    """
    leaves, used = np.int64(0), np.int64(0)
    place, at = np.int64(HEAD), np.int64(0)
    for _ in range(shape[3]):
        groups, span = np.int64(shape[place]), np.int64(shape[place + 2])
        if span > 1:
            if used + span > work.shape[0] or leaves == begin.shape[0]:
                return leaves, np.int64(work.shape[0])
            tilt(ways, at, span, odds, work, used)
            begin[leaves], length[leaves], skipped[leaves] = used, span, 0
            leaves += 1
            used += span
        place += 4 + groups
        at += (groups + 1) * span
    return leaves, used


@kernel
def multiply_all(leaves, used, begin, length, skipped, work):
    """Multiply two nodes at a time; the product is the last node.

    A node has a row of ``work``; ``skipped`` are the numbers of mines that are left out before it. Nodes 2k and 2k + 1
    have the parent ``leaves`` + k. Without leaves the root is 1 way for no mines. Returns the root, -1 if ``work`` does
    not suffice, and the length used.
    """
    nodes, scratch = leaves, np.int64(LONGEST)
    if leaves == 0 and used < work.shape[0] and begin.shape[0]:
        work[used] = 1.0
        begin[0], length[0], skipped[0] = used, 1, 0
        nodes, used = np.int64(1), used + 1
    for parent in range(nodes, 2 * nodes - 1):
        one, other = 2 * (parent - nodes), 2 * (parent - nodes) + 1
        places = np.int64(length[one]) + length[other] - 1
        if parent >= begin.shape[0] or used + places > work.shape[0]:
            return np.int64(-1), used
        for place in range(used, used + places):
            work[place] = 0.0
        for held in range(length[one]):
            factor, to, source = work[begin[one] + held], used + held, np.int64(begin[other])
            for more in range(length[other]):
                work[to + more] += factor * work[source + more]
        first, last = np.int64(0), places - 1
        while first < last and work[used + first] < TINY:
            first += 1
        while last > first and work[used + last] < TINY:
            last -= 1
        begin[parent], length[parent] = used + first, last - first + 1
        skipped[parent] = skipped[one] + skipped[other] + first
        used += places
        scratch = max(scratch, places + 1)
    root = 2 * nodes - 2
    if nodes == 0 or used + scratch > work.shape[0]:
        return np.int64(-1), used
    return root, used


@kernel
def weigh_root(root, used, begin, length, skipped, work, sea, left, odds):
    """Replace the row of the root by the ways of the sea, times odds^-mines.

    They are relative to the greatest. Returns the weights of a mine, and of none, in a cell of the sea, where there is
    one.
    """
    at, low, places = np.int64(begin[root]), np.int64(skipped[root]), np.int64(length[root])
    first, last = max(np.int64(0), left - sea - low), min(places - 1, left - low)
    top = first
    while top < last and left - low - top > odds * (sea - left + low + top + 1):
        top += 1
    for more in range(places):
        work[used + more] = 0.0
    if first <= last:
        work[used + top] = 1.0
    for more in range(top + 1, last + 1):  # one mine less in the sea each
        held = left - low - more + 1
        work[used + more] = work[used + more - 1] * held / (sea - held + 1) / odds
    for more in range(top - 1, first - 1, -1):
        held = left - low - more
        work[used + more] = work[used + more + 1] * (sea - held + 1) / held * odds
    mined, clear = 0.0, 0.0
    for more in range(places):
        worth, held = work[at + more] * work[used + more], left - low - more
        if worth > 0:
            mined += worth * held / sea if sea else 0.0
            clear += worth * (sea - held) / sea if sea else worth
        work[at + more] = work[used + more]
    return mined, clear


@kernel
def hand_down(nodes, root, used, begin, length, skipped, work):
    """Replace the row of each node by the weights of all others with the sea."""
    for parent in range(root, nodes - 1, -1):
        one, other = 2 * (parent - nodes), 2 * (parent - nodes) + 1
        shift = np.int64(skipped[parent]) - skipped[one] - skipped[other]
        correlate(work, begin, length, np.int64(parent), np.int64(other), np.int64(one), shift, used)
        beside = used + length[one]
        correlate(work, begin, length, np.int64(parent), np.int64(one), np.int64(other), shift, beside)
        for more in range(length[one]):
            work[begin[one] + more] = work[used + more]
        for more in range(length[other]):
            work[begin[other] + more] = work[beside + more]


@kernel
def correlate(work, begin, length, parent, beside, node, shift, into):
    """Write the weights of a node: those of its parent, with what its sibling holds."""
    places, source = np.int64(length[node]), np.int64(begin[parent]) - shift
    for more in range(places):
        work[into + more] = 0.0
    for held in range(length[beside]):
        factor = work[begin[beside] + held]
        for more in range(max(np.int64(0), shift - held), min(places, length[parent] + shift - held)):
            work[into + more] += factor * work[source + held + more]


@kernel
def rate_groups(cells, shape, ways, odds, sea, left, spread, begin, used, work, risks):
    """Write the risks of the cells of all components; return the status."""
    place, at, cell, leaf = np.int64(HEAD), np.int64(0), np.int64(0), np.int64(0)
    for _ in range(shape[3]):
        groups, span = np.int64(shape[place]), np.int64(shape[place + 2])
        # Totals that leave the others as many mines as they can hold.
        fewest, most = max(np.int64(0), left - sea - spread + span - 1), min(span - 1, left)
        factor, out_of = 1.0, 0.0
        for step in range(span):
            mines = step if odds <= 1 else span - 1 - step
            work[used + mines] = factor * (work[begin[leaf] + mines] if span > 1 else 1.0)
            out_of += ways[at + mines] * work[used + mines]
            factor *= odds if odds <= 1 else 1 / odds
        if not out_of > 0:
            return WIDE
        for group in range(groups):
            row, mined = at + (group + 1) * span, 0.0
            is_safe, is_mine = True, True
            for mines in range(span):
                mined += ways[row + mines] * work[used + mines]
                if fewest <= mines <= most:
                    is_safe &= ways[row + mines] == 0
                    is_mine &= ways[row + mines] == ways[at + mines]
            risk = 0.0 if is_safe else 1.0 if is_mine else risk_between(mined / out_of)
            for _ in range(shape[place + 4 + group]):
                risks[cells[cell]] = risk
                cell += 1
        leaf += span > 1
        place += 4 + groups
        at += (groups + 1) * span
    return FINE
