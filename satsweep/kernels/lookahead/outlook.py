"""What opening a cell would tell: how likely each number is.

Let c be the cell that is opened, in a world where it is safe. The number it shows is the number v of mines in its
covered neighbourhood, plus those that are known. A component that the neighbourhood *touches* has a table of its ways
by the mines inside and the mines in all; the sea around c has one, too; tables join by adding mines and multiplying
ways. What is *far*, untouched components and the rest of the sea, makes a number of mines in all worth something. So a
number v is as likely as the sum of its row, each entry times its worth.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import call, inlined, kernel
from satsweep.kernels.memory import CHOOSE, COVERED, LIST, MOST_BITS, SPAN, SPLITS, TABLES, WIDE, bit
from satsweep.kernels.position.elimination import last_states, load_split
from satsweep.kernels.position.weights import fill_sea


@kernel
def look_around(w, cell):
    """Which groups and how much of the sea the neighbourhood of a cell holds."""
    w.n_near, w.sea_near, w.home_slot, w.home_group = 0, 0, -1, -1
    if w.cell_slot[cell] >= 0:
        w.home_slot, w.home_group = np.int64(w.cell_slot[cell]), np.int64(w.cell_group[cell])
        w.near[0], w.near_n[0], w.near_most[0] = w.home_slot, 0, 0
        w.n_near = 1
    for place in range(w.degree):
        other = np.int64(w.nb[cell * w.degree + place])
        if other < 0:
            break
        if w.sym[other] != COVERED:
            continue
        slot, group = w.cell_slot[other], w.cell_group[other]
        if slot < 0:
            w.sea_near += 1
            continue
        near = 0
        while near < w.n_near and w.near[near] != slot:
            near += 1
        if near == w.n_near:
            w.near[near], w.near_n[near], w.near_most[near] = slot, 0, 0
            w.n_near += 1
        at = 0
        while at < w.near_n[near] and w.near_group[near, at] != group:
            at += 1
        if at == w.near_n[near]:
            w.near_group[near, at], w.near_count[near, at] = group, 0
            w.near_n[near] += 1
        w.near_count[near, at] += 1
        w.near_most[near] += 1
    w.sea_far = w.sea - w.sea_near - (1 if w.home_slot < 0 else 0)


@inlined
def reserve(w, size):
    """Room for a table; -1 if there is none."""
    at = w.used_table
    if at + size > TABLES:
        w.status = WIDE
        return np.int64(-1)
    w.used_table = at + size
    for place in range(at, at + size):
        w.table[place] = 0.0
    return at


@inlined
def tabulate(w):
    """The tables of all touched components, and at last that of the sea around the cell."""
    w.used_table = 0
    for near in range(w.n_near):
        slot = np.int64(w.near[near])
        w.near_span[near] = w.high[slot] - w.low[slot] + 1
        w.near_at[near] = reserve(w, (w.near_most[near] + 1) * w.near_span[near])
        if w.status == WIDE:
            return
        if w.kind[slot] == LIST:
            tabulate_listed(w, np.int64(near), slot)
        else:
            tabulate_wide(w, np.int64(near), slot)
        if w.status == WIDE:
            return
    sea = w.n_near
    w.near_most[sea], w.near_span[sea] = w.sea_near, w.sea_near + 1
    at = reserve(w, w.near_span[sea] * w.near_span[sea])
    w.near_at[sea] = at
    if at >= 0:
        for mines in range(w.sea_near + 1):
            w.table[at + mines * w.near_span[sea] + mines] = CHOOSE[w.sea_near, mines]


@inlined
def tabulate_listed(w, near, slot):
    """The table of a listed component, with bits for the groups that hold mines outside and inside."""
    span, at, low = w.near_span[near], w.near_at[near], w.low[slot]
    for place in range(at, w.used_table):
        w.out_mask[place], w.in_mask[place] = np.uint64(0), np.uint64(0)
    for placement in range(w.listed[slot]):
        split_placement(w, near, slot, np.int64(placement))
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
    """All ways in which a placement can share its mines between the neighbourhood and what is outside of it."""
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
        split(w, np.int64(size), w.near_count[near, place], np.int64(w.counts[row + group]), group, np.int64(place))
        if w.status == WIDE:
            return


@inlined
def split(w, size, inside, mines, group, place):
    """Share the mines of a group between its cells inside and outside, in every part so far."""
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


@inlined
def tabulate_wide(w, near, slot):
    """The table of a component by elimination, the neighbourhood as an open constraint."""
    load_split(w, near)
    call(w.at_forward, w)
    if not w.e_fits:
        w.status = WIDE
        return
    span, low, most = w.near_span[near], w.low[slot], w.near_most[near]
    first, end = last_states(w)
    for state in range(first, end):
        row = w.near_at[near] + (most - w.key[state]) * span
        for mines in range(w.key_low[state], w.key_high[state] + 1):
            w.table[row + mines - low] = w.forward[w.key_at[state] + mines - w.key_low[state]]


@kernel
def join(w, skip):
    """The table of all that is near, but for one part. Returns where it is, its rows and its columns."""
    at, most, span = reserve(w, np.int64(1)), np.int64(0), np.int64(1)
    if at < 0:
        return at, most, span
    w.table[at] = 1.0
    for near in range(w.n_near + 1):
        if near == skip or (near == w.n_near and w.sea_near == 0):
            continue
        other, rows, columns = w.near_at[near], w.near_most[near], w.near_span[near]
        width = span + columns - 1
        into = reserve(w, (most + rows + 1) * width)
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


@inlined
def is_near(w, slot):
    """Whether the neighbourhood touches a component."""
    for near in range(w.n_near):
        if w.near[near] == slot:
            return True
    return False


@kernel
def fill_far(w, skip, far):
    """The ways of all untouched components but one, by the mines above their least. Returns how many there are."""
    far[0] = 1.0
    length = 1
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        if slot == skip or is_near(w, slot):
            continue
        total, span = w.at_total[slot], w.high[slot] - w.low[slot] + 1
        for more in range(length, length + span - 1):
            far[more] = 0.0
        # In place, from the top: what is read has not been written yet.
        for more in range(length - 1, -1, -1):
            ways = far[more]
            for mines in range(span - 1, 0, -1):
                far[more + mines] += ways * w.floats[total + mines]
            far[more] = ways * w.floats[total]
        length += span - 1
    return length


@kernel
def weigh_numbers(w):
    """What each number of mines around the cell weighs, in ``shown``, from the tables of all that is near and far."""
    tabulate(w)
    if w.status == WIDE:
        return
    w.joined, w.join_most, w.join_span = join(w, np.int64(-1))
    if w.status == WIDE:
        return
    w.n_far = fill_far(w, np.int64(-1), w.far)
    span, far = w.join_span, w.n_far
    bits = fill_sea(w, w.sea_far, w.left - w.low_sum, far + span - 1, w.sea_ways)
    if bits > MOST_BITS or bits < 0 or far + span > SPAN:
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
def share_out(w, near, shown, at, rows, columns, share):
    """What each entry of a table is worth for a number, given the joined table of all else that is near."""
    span = w.near_span[near]
    for row in range(w.near_most[near] + 1):
        for column in range(span):
            worth = 0.0
            if 0 <= shown - row <= rows:
                for mines in range(columns):
                    worth += w.table[at + (shown - row) * columns + mines] * w.worth[column + mines]
            w.table[share + row * span + column] = worth


@kernel
def rate_split(w, near, slot, share):
    """Eliminate a component whose split table is worth what stands at ``share``."""
    load_split(w, near)
    call(w.at_forward, w)
    if not w.e_fits:
        w.status = WIDE
        return
    span, low, most = w.near_span[near], w.low[slot], w.near_most[near]
    first, end = last_states(w)
    for state in range(first, end):
        row = share + (most - w.key[state]) * span
        for mines in range(w.key_low[state], w.key_high[state] + 1):
            w.backward[w.key_at[state] + mines - w.key_low[state]] = w.table[row + mines - low]
    call(w.at_backward, w)
