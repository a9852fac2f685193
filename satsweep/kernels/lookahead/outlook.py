"""Probability of each number that opening a cell can show.

Let c be the opened cell, in a world where it is safe. The number that it shows is the number v of mines in its covered
neighbourhood, plus the known ones. Each component that the neighbourhood touches has a table of its ways by the mines
inside and the mines in all; the sea around c has such a table, too. Tables are joined by convolution: mines add, ways
multiply. The rest is *far*: untouched components and the rest of the sea; it gives each number of mines in all a
weight. The probability of v is proportional to the sum of its row of the joined table, each entry times its weight.

A table has a row for each number of mines inside and a column for each number of mines in all, above the fewest that
its component holds; tables lie one after the other in ``table``.
"""

import numpy as np

from satsweep.kernels.position.weights import weigh_sea
from satsweep.kernels.shared.mathematics import CHOOSE, bit
from satsweep.kernels.shared.memory import COVERED, DEGREE, SPAN, TABLES, WIDE, Field
from satsweep.kernels.toolchain.marks import kernel

SPLITS = 1 << 12
"""Most ways to share the mines of one placement between inside and outside."""
ALL_SPLITS = 1 << 22
"""Most of these ways for all placements of a component."""

FIELDS = (
    # The neighbourhood of a cell. The components that it touches are numbered from 0; the sea around comes last.
    Field("n_near", "i8", (), "components that the neighbourhood touches"),
    Field("sea_near", "i8", (), "cells of the sea in the neighbourhood"),
    Field("sea_far", "i8", (), "other cells of the sea"),
    Field("home_slot", "i8", (), "slot of the cell itself, -1 for none"),
    Field("home_group", "i8", (), "group of the cell itself, -1 for none"),
    Field("near", "i4", DEGREE + 2, "by touched component: its slot"),
    Field("near_n", "i8", DEGREE + 2, "by touched component: its touched groups"),
    Field("near_most", "i8", DEGREE + 2, "by touched component: its cells inside, the highest row of its table"),
    Field("near_group", "i4", (DEGREE + 2, DEGREE), "by touched component: the list of its touched groups"),
    Field("near_count", "i8", (DEGREE + 2, DEGREE), "by touched component: the cells inside of each touched group"),
    Field("near_span", "i8", DEGREE + 2, "by touched component: columns of its table"),
    Field("near_at", "i8", DEGREE + 2, "by touched component: its table in ``table``, ``out_mask`` and ``in_mask``"),
    Field("used_table", "i8", (), "places of ``table`` in use"),
    Field("table", "f8", TABLES, "tables of ways, by mines inside and mines in all"),
    Field("out_mask", "u8", TABLES, "by entry of a component's table: groups with mines outside, a bit each"),
    Field("in_mask", "u8", TABLES, "by entry of a component's table: groups with mines inside, a bit each"),
    Field("split_n", "i8", (), "ways to share the mines of a placement between inside and outside"),
    Field("split_v", "i8", SPLITS, "by way: mines inside"),
    Field("split_w", "f8", SPLITS, "by way: weight"),
    Field("split_out", "u8", SPLITS, "by way: groups with mines outside, a bit each"),
    Field("split_in", "u8", SPLITS, "by way: groups with mines inside, a bit each"),
    Field("split_taken", "i1", (SPLITS, DEGREE), "by way: mines inside of each touched group"),
    Field("joined", "i8", (), "joined table of everything near, in ``table``"),
    Field("join_most", "i8", (), "highest row of the joined table: most mines around"),
    Field("join_span", "i8", (), "columns of the joined table"),
    Field("n_far", "i8", (), "length of ``far``"),
    Field("far", "f8", SPAN, "ways of all untouched components, by mines above their fewest"),
    Field("worth", "f8", SPAN, "weight of everything far, by mines near above their fewest"),
    Field("sea_ways", "f8", SPAN, "ways of the far sea, by mines near and of untouched components"),
    Field("shown", "f8", DEGREE + 1, "by mines around: weight of the number"),
)


@kernel
def find_neighbourhood(w, cell):
    """The component of the cell itself comes first in ``near``."""
    parts, sea = 0, 0
    w.home_slot, w.home_group = -1, -1
    if w.cell_slot[cell] >= 0:
        w.home_slot, w.home_group = np.int64(w.cell_slot[cell]), np.int64(w.cell_group[cell])
        w.near[0], w.near_n[0], w.near_most[0] = w.home_slot, 0, 0
        parts = 1
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = np.int64(w.nb[place])
        if w.sym[other] != COVERED:
            continue
        slot, group = w.cell_slot[other], w.cell_group[other]
        if slot < 0:
            sea += 1
            continue
        near = 0
        while near < parts and w.near[near] != slot:
            near += 1
        if near == parts:
            w.near[near], w.near_n[near], w.near_most[near] = slot, 0, 0
            parts += 1
        at = 0
        while at < w.near_n[near] and w.near_group[near, at] != group:
            at += 1
        if at == w.near_n[near]:
            w.near_group[near, at], w.near_count[near, at] = group, 0
            w.near_n[near] += 1
        w.near_count[near, at] += 1
        w.near_most[near] += 1
    w.n_near, w.sea_near, w.sea_far = parts, sea, w.sea - sea - (1 if w.home_slot < 0 else 0)


@kernel
def reserve_table(w, size):
    """Reserve ``size`` places for a table, all 0. Returns where it is, -1 if full."""
    at = w.used_table
    if at + size > TABLES:
        w.status = WIDE
        return np.int64(-1)
    w.used_table = at + size
    for place in range(at, at + size):
        w.table[place] = 0.0
    return at


@kernel
def tabulate(w):
    w.used_table = 0
    for near in range(w.n_near):
        slot = np.int64(w.near[near])
        w.near_span[near] = w.high[slot] - w.low[slot] + 1
        w.near_at[near] = reserve_table(w, (w.near_most[near] + 1) * w.near_span[near])
        if w.status == WIDE:
            return
        tabulate_component(w, np.int64(near), slot)
        if w.status == WIDE:
            return
    sea = w.n_near
    w.near_most[sea], w.near_span[sea] = w.sea_near, w.sea_near + 1
    at = reserve_table(w, w.near_span[sea] * w.near_span[sea])
    w.near_at[sea] = at
    if at >= 0:
        for mines in range(w.sea_near + 1):
            w.table[at + mines * w.near_span[sea] + mines] = CHOOSE[w.sea_near, mines]


@kernel
def tabulate_component(w, near, slot):
    span, at, low = w.near_span[near], w.near_at[near], w.low[slot]
    for place in range(at, w.used_table):
        w.out_mask[place], w.in_mask[place] = np.uint64(0), np.uint64(0)
    splits = 0
    for placement in range(w.listed[slot]):
        split_placement(w, near, slot, np.int64(placement))
        splits += w.split_n
        if splits > ALL_SPLITS:
            w.status = WIDE
        if w.status == WIDE:
            return
        column = at + w.ints[w.at_mines[slot] + placement] - low
        for part in range(w.split_n):
            entry = column + w.split_v[part] * span
            w.table[entry] += w.split_w[part]
            w.out_mask[entry] |= w.split_out[part]
            w.in_mask[entry] |= w.split_in[part]


@kernel
def split_placement(w, near, slot, placement):
    """List the ways to share the mines of a placement between inside and outside."""
    groups, sizes = w.groups[slot], w.at_size[slot]
    home = w.home_group if slot == w.home_slot else np.int64(-1)
    row = w.at_count[slot] + placement * groups
    ways = w.floats[w.at_weight[slot] + placement]
    w.split_n = 0
    if home >= 0:
        size = w.ints[sizes + home]
        if w.counts[row + home] == size:
            return
        ways *= (size - w.counts[row + home]) / size
    touched = np.uint64(0)
    for place in range(w.near_n[near]):
        touched |= bit(w.near_group[near, place])
    w.split_n = 1
    w.split_v[0], w.split_w[0] = 0, ways
    w.split_out[0], w.split_in[0] = w.masks[w.at_mask[slot] + 2 * placement] & ~touched, np.uint64(0)
    for place in range(w.near_n[near]):
        group = np.int64(w.near_group[near, place])
        size = w.ints[sizes + group] - (1 if group == home else 0)
        split_group(
            w, np.int64(size), w.near_count[near, place], np.int64(w.counts[row + group]), group, np.int64(place)
        )
        if w.status == WIDE:
            return


@kernel
def split_group(w, size, inside, mines, group, place):
    if mines == 0:
        for part in range(w.split_n):
            w.split_taken[part, place] = 0
        return
    outside = size - inside
    low, high = max(np.int64(0), mines - outside), min(inside, mines)
    parts = w.split_n
    if parts * (high - low + 1) > SPLITS:
        w.status = WIDE
        return
    own = bit(group)
    for taken in range(high, low - 1, -1):
        share = CHOOSE[inside, taken] * CHOOSE[outside, mines - taken] / CHOOSE[size, mines]
        for part in range(parts):
            to = part
            if taken > low:
                to = w.split_n
                w.split_n += 1
                for earlier in range(place):
                    w.split_taken[to, earlier] = w.split_taken[part, earlier]
            w.split_taken[to, place] = taken
            w.split_v[to] = w.split_v[part] + taken
            w.split_w[to] = w.split_w[part] * share
            w.split_out[to] = w.split_out[part] | (own if mines > taken else np.uint64(0))
            w.split_in[to] = w.split_in[part] | (own if taken else np.uint64(0))


@kernel
def join_tables(w, skip):
    """Join all tables near but ``skip``. Returns the place, highest row, and columns."""
    at, most, span = reserve_table(w, np.int64(1)), np.int64(0), np.int64(1)
    if at < 0:
        return at, most, span
    w.table[at] = 1.0
    for near in range(w.n_near + 1):
        if near == skip or (near == w.n_near and w.sea_near == 0):
            continue
        other, rows, columns = w.near_at[near], w.near_most[near], w.near_span[near]
        width = span + columns - 1
        into = reserve_table(w, (most + rows + 1) * width)
        if into < 0:
            return into, most, span
        for shown in range(most + 1):
            for mines in range(span):
                ways = w.table[at + shown * span + mines]
                if ways == 0:
                    continue
                for row in range(rows + 1):
                    start = into + (shown + row) * width + mines
                    for column in range(columns):
                        w.table[start + column] += ways * w.table[other + row * columns + column]
        at, most, span = into, most + rows, width
    return at, most, span


@kernel
def is_near(w, slot):
    for near in range(w.n_near):
        if w.near[near] == slot:
            return True
    return False


@kernel
def weigh_far(w, skip, far):
    """Write the ways of all untouched components but one. Returns how many entries."""
    far[0] = 1.0
    length = 1
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        if slot == skip or is_near(w, slot):
            continue
        total, span = w.at_total[slot], w.high[slot] - w.low[slot] + 1
        for more in range(length, length + span - 1):
            far[more] = 0.0
        # In place, from the top: each entry is read before it is overwritten.
        for more in range(length - 1, -1, -1):
            ways = far[more]
            for mines in range(span - 1, 0, -1):
                far[more + mines] += ways * w.floats[total + mines]
            far[more] = ways * w.floats[total]
        length += span - 1
    return length


@kernel
def weigh_numbers(w):
    """Weigh each number of mines around the cell, in ``shown``."""
    tabulate(w)
    if w.status == WIDE:
        return
    w.joined, w.join_most, w.join_span = join_tables(w, np.int64(-1))
    if w.status == WIDE:
        return
    w.n_far = weigh_far(w, np.int64(-1), w.far)
    span, far = w.join_span, w.n_far
    if far + span > SPAN:
        w.status = WIDE
        return
    least = weigh_sea(w, w.sea_far, w.left - w.low_sum, far + span - 1, w.sea_ways)
    if least > 1 or least == 0:
        w.status = WIDE
        return
    for mines in range(span):
        worth = 0.0
        for more in range(far):
            worth += w.far[more] * w.sea_ways[mines + more]
        w.worth[mines] = worth
    for shown in range(w.join_most + 1):
        weight = 0.0
        for mines in range(span):
            weight += w.table[w.joined + shown * span + mines] * w.worth[mines]
        w.shown[shown] = weight


@kernel
def weigh_entries(w, near, shown, at, rows, columns, share):
    """Weigh each entry of a table, given that a number is shown, from ``share`` on.

    The joined table of everything else that is near stands at ``at``.
    """
    span = w.near_span[near]
    for row in range(w.near_most[near] + 1):
        for column in range(span):
            worth = 0.0
            if 0 <= shown - row <= rows:
                for mines in range(columns):
                    worth += w.table[at + (shown - row) * columns + mines] * w.worth[column + mines]
            w.table[share + row * span + column] = worth
