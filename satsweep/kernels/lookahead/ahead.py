"""Two plies: the safest cells after a cell was opened and has shown a number.

The tables are those of ``outlook``, weighed further: with the weight of each entry of a component's table for a number,
one more sum over the entries gives the risk of all its groups, inside the neighbourhood and outside. The position after
a number is therefore never built.

``look_ahead`` leaves, by the number of mines around: in ``shown`` the weight of the number; in ``least`` and ``next``
the risks of the safest and of the second safest cell (the same where there is no second; 2 where there is no cell); in
``safe`` how many cells are safe; in ``vague`` how undecided the frontier of the present position is then, as the sum of
risk times safety of its cells.
"""

import numpy as np

from satsweep.kernels.lookahead.outlook import (
    find_neighbourhood,
    is_near,
    join_tables,
    reserve_table,
    split_placement,
    weigh_entries,
    weigh_far,
    weigh_numbers,
)
from satsweep.kernels.memory import CHOOSE, DEGREE, NARROW, WIDE, Field
from satsweep.kernels.position.listing import tabulate_mined
from satsweep.kernels.position.weights import quotient
from satsweep.kernels.toolchain.marks import INT, RECORD, exported, kernel

FIELDS = (
    Field("safe", "f8", DEGREE + 1, "by mines around: cells that are safe then"),
    Field("vague", "f8", DEGREE + 1, "by mines around: how undecided the frontier is then, sum of risk times safety"),
    Field("least", "f8", DEGREE + 1, "by mines around: risk of the safest cell then"),
    Field("next", "f8", DEGREE + 1, "by mines around: risk of the second safest cell then"),
    Field("half", "i4", (NARROW, 2), "by group: its cells outside and inside"),
)
"""Fields of the working record that this module owns."""


@exported(RECORD, INT)
def look_ahead(w, cell):
    """Compute everything that opening a cell may lead to.

    Needs risks (``rate``), and a cell that may be safe.
    """
    find_neighbourhood(w, cell)
    weigh_numbers(w)
    if w.status == WIDE:
        return
    for shown in range(w.join_most + 1):
        w.least[shown], w.next[shown], w.safe[shown], w.vague[shown] = 2.0, 2.0, 0.0, 0.0
    for near in range(w.n_near + 1):
        used = w.used_table
        at, rows, columns = join_tables(w, np.int64(near))
        share = reserve_table(w, (w.near_most[near] + 1) * w.near_span[near])
        if w.status == WIDE:
            return
        if near == w.n_near:
            rate_sea_near(w, at, rows, columns, share)
        else:
            rate_near(w, np.int64(near), at, rows, columns, share)
        w.used_table = used
        if w.status == WIDE:
            return
    rate_far(w)
    for shown in range(w.join_most + 1):
        if w.next[shown] > 1:
            w.next[shown] = w.least[shown]


@kernel
def add_risk(w, shown, risk, cells):
    """Add a number of cells that have a risk after a number is shown."""
    if risk == 0:
        w.safe[shown] += cells
    if risk < w.least[shown]:
        w.next[shown] = risk if cells > 1 else w.least[shown]
        w.least[shown] = risk
    elif risk < w.next[shown]:
        w.next[shown] = risk


@kernel
def add_group_risk(w, shown, risk, cells):
    """Add cells of the present frontier that have a risk after a number is shown."""
    add_risk(w, shown, risk, cells)
    w.vague[shown] += cells * risk * (1 - risk)


@kernel
def rate_sea_near(w, at, rows, columns, share):
    """Rate the cells of the sea around the opened cell."""
    cells, span = w.sea_near, w.near_span[w.n_near]
    if cells == 0:
        return
    for shown in range(w.join_most + 1):
        if w.shown[shown] > 0:
            weigh_entries(w, w.n_near, np.int64(shown), at, rows, columns, share)
            mined, clear = 0.0, 0.0
            for mines in range(cells + 1):
                weight = CHOOSE[cells, mines] * w.table[share + mines * span + mines]
                mined += weight * mines
                clear += weight * (cells - mines)
            add_risk(w, shown, quotient(mined, clear), cells)


@kernel
def rate_near(w, near, at, rows, columns, share):
    """Rate the groups of a component that is touched, each half of them."""
    slot = np.int64(w.near[near])
    groups, entries = w.groups[slot], (w.near_most[near] + 1) * w.near_span[near]
    # For both halves of every group: the weight of a mine in one cell of it, by the entry of the table.
    mined = reserve_table(w, 2 * groups * entries)
    if mined < 0:
        return
    home = w.home_group if slot == w.home_slot else np.int64(-1)
    for group in range(groups):
        w.half[group, 0], w.half[group, 1] = w.ints[w.at_size[slot] + group], 0
    if home >= 0:
        w.half[home, 0] -= 1
    for place in range(w.near_n[near]):
        group = w.near_group[near, place]
        w.half[group, 1] = w.near_count[near, place]
        w.half[group, 0] -= w.half[group, 1]
    for placement in range(w.listed[slot]):
        split_placement(w, near, slot, np.int64(placement))
        row = w.at_count[slot] + placement * groups
        column = w.ints[w.at_mines[slot] + placement] - w.low[slot]
        for part in range(w.split_n):
            entry = w.split_v[part] * w.near_span[near] + column
            weight = w.split_w[part]
            for group in range(groups):
                if w.counts[row + group] and w.half[group, 1] == 0:
                    w.table[mined + 2 * group * entries + entry] += weight * w.counts[row + group] / w.half[group, 0]
            for place in range(w.near_n[near]):
                group = w.near_group[near, place]
                taken = w.split_taken[part, place]
                outside = w.counts[row + group] - taken
                if outside:
                    w.table[mined + 2 * group * entries + entry] += weight * outside / w.half[group, 0]
                if taken:
                    w.table[mined + (2 * group + 1) * entries + entry] += weight * taken / w.half[group, 1]
    for shown in range(w.join_most + 1):
        if w.shown[shown] > 0:
            weigh_entries(w, near, np.int64(shown), at, rows, columns, share)
            for group in range(groups):
                for part in range(2):
                    if w.half[group, part]:
                        weight, first = 0.0, mined + (2 * group + part) * entries
                        for entry in range(entries):
                            weight += w.table[first + entry] * w.table[share + entry]
                        add_group_risk(w, shown, min(weight / w.shown[shown], 1.0), w.half[group, part])


@kernel
def rate_far(w):
    """Rate the sea far off, and the components that the neighbourhood does not touch."""
    far, span = w.n_far, w.join_span
    # The weight of the rest, by the number shown and by the mines that everything far holds.
    lone = reserve_table(w, (w.join_most + 1) * far)
    if lone < 0:
        return
    for shown in range(w.join_most + 1):
        mined, clear = 0.0, 0.0
        for more in range(far):
            weight = 0.0
            for mines in range(span):
                worth = w.table[w.joined + shown * span + mines] * w.sea_ways[mines + more]
                weight += worth
                rest = w.left - w.low_sum - mines - more
                if worth > 0:
                    mined += worth * w.far[more] * rest
                    clear += worth * w.far[more] * (w.sea_far - rest)
            w.table[lone + shown * far + more] = weight
        if w.sea_far and w.shown[shown] > 0:
            add_risk(w, shown, quotient(mined, clear), w.sea_far)
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        if not is_near(w, slot):
            rate_far_slot(w, slot, lone)
            if w.status == WIDE:
                return


@kernel
def rate_far_slot(w, slot, lone):
    """Rate the groups of an untouched component."""
    groups, span, far = w.groups[slot], w.high[slot] - w.low[slot] + 1, w.n_far
    rest = weigh_far(w, slot, w.rest)
    share = reserve_table(w, span)
    if share < 0:
        return
    if w.at_mined[slot] < 0:
        tabulate_mined(w, slot)
        if w.status == WIDE:
            return
    for shown in range(w.join_most + 1):
        if w.shown[shown] == 0:
            continue
        for mines in range(span):
            weight = 0.0
            for more in range(rest):
                weight += w.rest[more] * w.table[lone + shown * far + more + mines]
            w.table[share + mines] = weight
        for group in range(groups):
            weight, first = 0.0, w.at_mined[slot] + group * span
            for mines in range(span):
                weight += w.floats[first + mines] * w.table[share + mines]
            risk = min(weight / w.shown[shown], 1.0)
            add_group_risk(w, shown, risk, w.ints[w.at_size[slot] + group])
    w.used_table = share
