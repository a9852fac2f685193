"""What opening a cell promises: the cells that each number makes safe.

A cell is safe after v mines around (see ``outlook``) if it holds no mine in any placement that can be part of v.
Usually the far sea takes up whatever is left; then only the mines inside matter, and bits tell the answer
(``safe_by_bits``). Near the end of a game the mine total counts, and every entry is weighed (``safe_by_weight``).
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import inlined, kernel
from satsweep.kernels.lookahead.outlook import (
    fill_far,
    is_near,
    join,
    look_around,
    rate_split,
    reserve,
    share_out,
    weigh_numbers,
)
from satsweep.kernels.memory import FINE, LIST, SAME, WIDE, bit


@inlined
def count_safe(w):
    """For how many cells each number makes safe, in ``safe``."""
    for shown in range(w.join_most + 1):
        w.safe[shown] = 0.0
    slack = w.high_sum + w.sea_near < w.left and w.left - w.low_sum <= w.sea_far
    if slack and not is_wide(w):
        safe_by_bits(w)
    else:
        safe_by_weight(w)


@inlined
def is_wide(w):
    """Whether the neighbourhood touches a component that is not listed."""
    for near in range(w.n_near):
        if w.kind[w.near[near]] != LIST:
            return True
    return False


@inlined
def rows_of(w, near):
    """The numbers of mines inside that are possible, as bits."""
    rows = np.uint64(0)
    at, span = w.near_at[near], w.near_span[near]
    for row in range(w.near_most[near] + 1):
        for column in range(span):
            if w.table[at + row * span + column] > 0:
                rows |= bit(row)
                break
    return rows


@kernel
def safe_cells(w, near, out, inside):
    """How many cells of a listed component hold no mine, given the groups that do, outside and inside."""
    slot = np.int64(w.near[near])
    home = w.home_group if slot == w.home_slot else np.int64(-1)
    count = 0
    for group in range(w.groups[slot]):
        size = np.int64(w.ints[w.at_size[slot] + group]) - (1 if group == home else 0)
        within = np.int64(0)
        for place in range(w.near_n[near]):
            if w.near_group[near, place] == group:
                within = w.near_count[near, place]
        if not out & bit(group):
            count += size - within
        if not inside & bit(group):
            count += within
    return count


@inlined
def safe_by_bits(w):
    """Count safe cells where the sea takes up all that is left: what counts are the mines inside."""
    most = w.join_most
    for near in range(w.n_near + 1):
        others = bit(0)
        for other in range(w.n_near + 1):
            if other != near:
                own, both = rows_of(w, np.int64(other)), np.uint64(0)
                for row in range(w.near_most[other] + 1):
                    if own & bit(row):
                        both |= others << np.uint64(row)
                others = both
        at, span, rows = w.near_at[near], w.near_span[near], w.near_most[near]
        for shown in range(most + 1):
            if w.shown[shown] == 0:
                continue
            if near == w.n_near:  # the sea around: safe if all mines must be elsewhere
                more = False
                for row in range(1, min(rows, shown) + 1):
                    more = more or others & bit(shown - row) != 0
                if not more:
                    w.safe[shown] += rows
                continue
            out, inside = np.uint64(0), np.uint64(0)
            for row in range(min(rows, shown) + 1):
                if others & bit(shown - row):
                    for column in range(span):
                        out |= w.out_mask[at + row * span + column]
                        inside |= w.in_mask[at + row * span + column]
            w.safe[shown] += safe_cells(w, np.int64(near), out, inside)


@kernel
def safe_by_weight(w):
    """Count safe cells by weighing every entry: components near, the sea around, components far, the sea far off."""
    joined, most, span, far = w.joined, w.join_most, w.join_span, w.n_far
    for near in range(w.n_near + 1):
        used = w.used_table
        at, rows, columns = join(w, np.int64(near))
        if w.status == WIDE:
            return
        share = reserve(w, (w.near_most[near] + 1) * w.near_span[near])
        if share < 0:
            return
        for shown in range(most + 1):
            if w.shown[shown] > 0:
                share_out(w, np.int64(near), np.int64(shown), at, rows, columns, share)
                w.safe[shown] += safe_near(w, np.int64(near), share)
        w.used_table = used
    lone = reserve(w, far)
    if lone < 0:
        return
    for shown in range(most + 1):
        if w.shown[shown] == 0:
            continue
        # What all that is far weighs, by the mines that it holds.
        sea_mined = False
        for more in range(far):
            weight = 0.0
            for mines in range(span):
                worth = w.table[joined + shown * span + mines] * w.sea_ways[mines + more]
                weight += worth
                if worth * w.far[more] > 0 and w.left - w.low_sum - mines - more > 0:
                    sea_mined = True
            w.table[lone + more] = weight
        if not sea_mined:
            w.safe[shown] += w.sea_far
        for at in range(w.n_act):
            slot = np.int64(w.act[at])
            if not is_near(w, slot):
                w.safe[shown] += safe_far(w, slot, lone)
                if w.status == WIDE:
                    return


@inlined
def safe_near(w, near, share):
    """How many cells of a touched component, or of the sea around, are safe, given what its entries are worth."""
    at, span, rows = w.near_at[near], w.near_span[near], w.near_most[near]
    if near == w.n_near:
        for row in range(1, rows + 1):
            if w.table[share + row * span + row] > 0:
                return np.int64(0)
        return rows
    slot = np.int64(w.near[near])
    if w.kind[slot] != LIST:
        return safe_wide(w, near, slot, share)
    out, inside = np.uint64(0), np.uint64(0)
    for entry in range((rows + 1) * span):
        if w.table[share + entry] > 0:
            out |= w.out_mask[at + entry]
            inside |= w.in_mask[at + entry]
    return safe_cells(w, near, out, inside)


@kernel
def safe_wide(w, near, slot, share):
    """How many cells of a component that is not listed are safe."""
    rate_split(w, near, slot, share)
    count = np.int64(0)
    if w.status != WIDE:
        for group in range(w.e_groups):
            if w.mined[group] == 0:
                count += w.e_size[group]
    return count


@inlined
def safe_far(w, slot, lone):
    """How many cells of an untouched component are safe; ``lone`` weighs what all that is far holds, with it."""
    far = fill_far(w, slot, w.rest)
    span = w.high[slot] - w.low[slot] + 1
    some = np.uint64(0)
    near = w.n_near + 1
    share = reserve(w, span)
    if share < 0:
        return np.int64(0)
    for mines in range(span):
        weight = 0.0
        for more in range(far):
            weight += w.rest[more] * w.table[lone + more + mines]
        w.table[share + mines] = weight
        if weight > 0 and w.kind[slot] == LIST:
            some |= w.masks[w.at_any[slot] + mines]
    if w.kind[slot] == LIST:
        count = np.int64(0)
        for group in range(w.groups[slot]):
            if not some & bit(group):
                count += w.ints[w.at_size[slot] + group]
    else:
        w.near[near], w.near_n[near], w.near_most[near], w.near_span[near] = slot, 0, 0, span
        count = safe_wide(w, near, slot, share)
    w.used_table = share
    return count


@inlined
def promise(w, cell):
    """The chance that a safe cell follows, and the number of safe cells to be expected."""
    look_around(w, cell)
    if w.n_near == 0 and w.memo_stamp[w.sea_near] == w.stamp:
        return w.memo_progress[w.sea_near], w.memo_expected[w.sea_near]
    weigh_numbers(w)
    if w.status != WIDE:
        count_safe(w)
    out_of, progress, expected = 0.0, 0.0, 0.0
    if w.status != WIDE:
        for shown in range(w.join_most + 1):
            out_of += w.shown[shown]
            if w.safe[shown] > 0:
                progress += w.shown[shown]
                expected += w.shown[shown] * w.safe[shown]
        progress /= out_of
        expected /= out_of
    if w.n_near == 0:
        w.memo_stamp[w.sea_near] = w.stamp
        w.memo_progress[w.sea_near], w.memo_expected[w.sea_near] = progress, expected
    return progress, expected


@inlined
def most_promising(w):
    """Keep among the tied cells those after which a safe cell follows most likely, and most of them."""
    count = w.n_tied
    w.n_tied = 0
    best, most = -1.0, -1.0
    for at in range(count):
        cell = np.int64(w.tied[at])
        w.progress[at], w.expected[at] = promise(w, cell)
        if w.status != FINE:
            return
        best = max(best, w.progress[at])
    for at in range(count):
        if w.progress[at] >= best * (1 - SAME):
            most = max(most, w.expected[at])
    kept = 0
    for at in range(count):
        if w.progress[at] >= best * (1 - SAME) and w.expected[at] >= most * (1 - SAME):
            w.tied[kept] = w.tied[at]
            kept += 1
    w.n_tied = kept
