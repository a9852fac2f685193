"""Placements of a component, listed: all ways to give its groups their mines.

A depth-first search over the groups in their order. Every constraint bounds what the next group may hold: from above by
the mines that it still needs, from below by the room in its later groups. The weight of a placement is the product of
the binomials C(size, mines) of its groups. With it are kept, as bits, the groups that hold a mine and those that hold
mines only.

Listing is the only way: a component of too many groups or placements is *wide*, and the caller asks the exact path,
which eliminates variables. Of 200,000 expert games of ``sat`` one met such a component, of 10,000 on a torus two, of
3,000 of knights one; none of 6,000 games of 40 mines on 16x16, 600 of 180 on 30x30, 500 of 150 on 24x30, 100 of 500 on
50x50, 80 of 1,600 or 2,000 on 100x100. Elimination instead of listing took more than twice as long: 2,506 expert games
a second where listing played 6,741.
"""

import numpy as np

from satsweep.kernels.shared.mathematics import CHOOSE, bit, log2
from satsweep.kernels.shared.memory import (
    CELLS,
    COUNTS,
    DEGREE,
    FINE,
    FLOATS,
    IMPOSSIBLE,
    INTS,
    MASKS,
    NARROW,
    SLOTS,
    WIDE,
    Field,
)
from satsweep.kernels.toolchain.marks import kernel

LISTED = 10_000
"""Most placements of a component."""
EFFORT = 16 * LISTED
"""Steps after which the search is given up."""
MOST_CELLS = 900
"""Most cells of a component whose number of ways surely fits a float."""

FIELDS = (
    # Slots: what listing adds. A slot without placements is empty.
    Field("listed", "i8", SLOTS, "by slot: placements"),
    Field("low", "i8", SLOTS, "by slot: fewest mines of a placement"),
    Field("high", "i8", SLOTS, "by slot: most mines of a placement"),
    Field("bits", "f8", SLOTS, "by slot: range of the weights of placements, in bits"),
    Field("some", "u8", SLOTS, "by slot: groups that can hold a mine, a bit each"),
    Field("full", "u8", SLOTS, "by slot: groups that hold mines only, a bit each"),
    Field("at_mines", "i8", SLOTS, "by slot: in ``ints``, the mines of each placement"),
    Field("at_weight", "i8", SLOTS, "by slot: in ``floats``, the weight of each placement"),
    Field("at_count", "i8", SLOTS, "by slot: in ``counts``, the mines of the groups of each placement"),
    Field("at_mask", "i8", SLOTS, "by slot: in ``masks``, groups with a mine and groups of mines only, by placement"),
    Field("at_any", "i8", SLOTS, "by slot: in ``masks``, groups with a mine in any placement, by mines above ``low``"),
    Field("at_total", "i8", SLOTS, "by slot: in ``floats``, weight of all placements, by mines above ``low``; or -1"),
    Field("at_share", "i8", SLOTS, "by slot: in ``floats``, weight of everything else, by mines above ``low``"),
    Field("at_risk", "i8", SLOTS, "by slot: in ``floats``, the risk of each group"),
    Field("at_mined", "i8", SLOTS, "by slot: in ``floats``, weight of a mine in one cell, by group and mines; or -1"),
    Field("floor", "f8", SLOTS, "by slot with ``at_mined``: least risk of a cell, whatever its mines in all"),
    Field("used_floats", "i8", (), "places of ``floats`` in use"),
    Field("used_counts", "i8", (), "places of ``counts`` in use"),
    Field("used_masks", "i8", (), "places of ``masks`` in use"),
    Field("floats", "f8", FLOATS, "pool of all slots"),
    Field("counts", "i1", COUNTS, "pool of all slots"),
    Field("masks", "u8", MASKS, "pool of all slots"),
    # The search: the groups of a component one after the other, each a level.
    Field("l_need", "i8", CELLS, "by constraint: mines that it still needs"),
    Field("l_room", "i8", CELLS, "by constraint: cells of its groups from this level on"),
    Field("l_n", "i8", NARROW, "by group: its constraints"),
    Field("l_con", "i4", (NARROW, DEGREE), "by group: the list of its constraints"),
    Field("l_size", "i8", NARROW, "by group: its cells"),
    Field("l_at", "i8", NARROW, "by group: mines that it holds now"),
    Field("l_high", "i8", NARROW, "by group: most mines that it can hold"),
    Field("l_weight", "f8", NARROW + 1, "by level: product of the binomials of the groups before"),
    Field("l_mines", "i8", NARROW + 1, "by level: mines of the groups before"),
    Field("l_some", "u8", NARROW + 1, "by level: groups before with a mine, a bit each"),
    Field("l_full", "u8", NARROW + 1, "by level: groups before with mines only, a bit each"),
)


@kernel
def are_pools_half_full(w):
    full = 2 * w.used_ints > INTS or 2 * w.used_floats > FLOATS or 2 * w.used_counts > COUNTS
    return full or 2 * w.used_masks > MASKS


@kernel
def load_groups(w, slot):
    groups, cons = w.groups[slot], w.cons[slot]
    size, start, need = w.at_size[slot], w.at_con[slot], w.at_need[slot]
    first = start + groups + 1
    for con in range(cons):
        w.l_need[con] = w.ints[need + con]
        w.l_room[con] = 0
    for group in range(groups):
        w.l_size[group] = w.ints[size + group]
        begin, end = w.ints[start + group], w.ints[start + group + 1]
        w.l_n[group] = end - begin
        for at in range(begin, end):
            con = w.ints[first + at]
            w.l_con[group, at - begin] = con
            w.l_room[con] += w.l_size[group]


@kernel
def bound_group(w, group):
    """Return the fewest mines of a group now. ``l_at`` begins one below, to count up."""
    size = w.l_size[group]
    low, high = np.int64(0), size
    for place in range(w.l_n[group]):
        con = w.l_con[group, place]
        need = w.l_need[con]
        least = need - w.l_room[con] + size
        if least > low:
            low = least
        if need < high:
            high = need
    w.l_at[group] = low - 1
    w.l_high[group] = high
    return low


@kernel
def take_from_constraints(w, group, mines, cells):
    for place in range(w.l_n[group]):
        con = w.l_con[group, place]
        w.l_need[con] -= mines
        w.l_room[con] -= cells


@kernel
def list_placements(w, slot):
    groups = w.groups[slot]
    if groups > NARROW or w.ints[w.at_cell[slot] + groups] > MOST_CELLS:
        w.status = WIDE
        return
    load_groups(w, slot)
    floats, counts, masks, ints = w.used_floats, w.used_counts, w.used_masks, w.used_ints
    room = min(LISTED, FLOATS - floats, (COUNTS - counts) // groups, (MASKS - masks) // 2, INTS - ints)
    found, depth, steps = 0, 0, 0
    low_mines, high_mines = np.int64(1 << 30), np.int64(0)
    some, full = np.uint64(0), ~np.uint64(0)
    w.l_weight[0], w.l_mines[0], w.l_some[0], w.l_full[0] = 1.0, 0, np.uint64(0), np.uint64(0)
    bound_group(w, np.int64(0))
    while depth >= 0:
        mines = w.l_at[depth] + 1
        w.l_at[depth] = mines
        if mines > w.l_high[depth]:
            depth -= 1
            if depth >= 0:
                take_from_constraints(w, depth, -w.l_at[depth], -w.l_size[depth])
            continue
        steps += 1
        if steps > EFFORT:
            w.status = WIDE
            return
        size = w.l_size[depth]
        w.l_weight[depth + 1] = w.l_weight[depth] * CHOOSE[size, mines]
        w.l_mines[depth + 1] = w.l_mines[depth] + mines
        w.l_some[depth + 1] = w.l_some[depth] | (bit(depth) if mines else np.uint64(0))
        w.l_full[depth + 1] = w.l_full[depth] | (bit(depth) if mines == size else np.uint64(0))
        if depth < groups - 1:
            take_from_constraints(w, depth, mines, size)
            depth += 1
            bound_group(w, np.int64(depth))
            continue
        # The bounds of the last group have met every constraint.
        if found == room:
            w.status = WIDE
            return
        total = w.l_mines[groups]
        w.floats[floats + found], w.ints[ints + found] = w.l_weight[groups], total
        w.masks[masks + 2 * found], w.masks[masks + 2 * found + 1] = w.l_some[groups], w.l_full[groups]
        some, full = some | w.l_some[groups], full & w.l_full[groups]
        for group in range(groups):
            w.counts[counts + found * groups + group] = w.l_at[group]
        low_mines, high_mines = min(low_mines, total), max(high_mines, total)
        found += 1
    if found == 0:
        w.status = IMPOSSIBLE
        return
    w.listed[slot], w.low[slot], w.high[slot] = found, low_mines, high_mines
    w.some[slot], w.full[slot], w.at_total[slot], w.at_mined[slot] = some, full, -1, -1
    w.at_weight[slot], w.at_count[slot], w.at_mask[slot], w.at_mines[slot] = floats, counts, masks, ints
    w.used_floats, w.used_counts = floats + found, counts + found * groups
    w.used_masks, w.used_ints = masks + 2 * found, ints + found


@kernel
def sum_by_mines(w, slot):
    span = w.high[slot] - w.low[slot] + 1
    total, any_ = w.used_floats, w.used_masks
    if total + 2 * span + w.groups[slot] > FLOATS or any_ + span > MASKS:
        w.status = WIDE
        return
    w.at_total[slot], w.at_share[slot], w.at_risk[slot] = total, total + span, total + 2 * span
    w.used_floats, w.at_any[slot], w.used_masks = total + 2 * span + w.groups[slot], any_, any_ + span
    for mines in range(span):
        w.floats[total + mines] = 0.0
        w.masks[any_ + mines] = np.uint64(0)
    weight, mines_of, mask = w.at_weight[slot], w.at_mines[slot], w.at_mask[slot]
    for placement in range(w.listed[slot]):
        mines = w.ints[mines_of + placement] - w.low[slot]
        w.floats[total + mines] += w.floats[weight + placement]
        w.masks[any_ + mines] |= w.masks[mask + 2 * placement]


@kernel
def prepare_totals(w, slot):
    """Sum weights by mines, relative to the greatest sum, unless that is done."""
    if w.at_total[slot] >= 0:
        return
    sum_by_mines(w, slot)
    if w.status != FINE:
        return
    span, total, most = w.high[slot] - w.low[slot] + 1, w.at_total[slot], 0.0
    for mines in range(span):
        most = max(most, w.floats[total + mines])
    for mines in range(span):
        w.floats[total + mines] /= most
    w.bits[slot] = log2(most)  # the least weight of a placement is 1
    for placement in range(w.listed[slot]):
        w.floats[w.at_weight[slot] + placement] /= most


@kernel
def tabulate_mined(w, slot):
    groups, span = w.groups[slot], w.high[slot] - w.low[slot] + 1
    first = w.used_floats
    if first + groups * span > FLOATS:
        w.status = WIDE
        return
    w.at_mined[slot], w.used_floats = first, first + groups * span
    for place in range(first, first + groups * span):
        w.floats[place] = 0.0
    for placement in range(w.listed[slot]):
        row = w.at_count[slot] + placement * groups
        weight = w.floats[w.at_weight[slot] + placement]
        column = w.ints[w.at_mines[slot] + placement] - w.low[slot]
        for group in range(groups):
            if w.counts[row + group]:
                share = weight * w.counts[row + group] / w.ints[w.at_size[slot] + group]
                w.floats[first + group * span + column] += share
    total, floor = w.at_total[slot], 1.0
    for group in range(groups):
        for mines in range(span):
            if w.floats[total + mines] > 0:
                floor = min(floor, w.floats[first + group * span + mines] / w.floats[total + mines])
    w.floor[slot] = floor
