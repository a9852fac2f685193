"""Progress of a guess: the cells that each number makes safe.

After v mines around (see ``outlook``) a cell is safe if it holds no mine in any placement that can be part of v.
Usually the far sea takes any rest; then only the mines inside matter, and bits give the answer (``safe_by_bits``). Near
the end of a game the mine total counts, and every entry is weighed (``safe_by_weight``).
"""

import numpy as np

from satsweep.kernels.lookahead import outlook
from satsweep.kernels.position.board import first_neighbour
from satsweep.kernels.shared.mathematics import bit, count_members
from satsweep.kernels.shared.memory import CELLS, DEGREE, FINE, SAME, SPAN, WIDE, Field
from satsweep.kernels.toolchain.marks import kernel

FIELDS = (
    Field("n_tied", "i8", (), "length of ``tied``"),
    Field("tied", "i4", CELLS, "candidates of a guess"),
    Field("progress", "f8", CELLS, "by candidate: chance that a safe cell follows; of ``deep``, its avoidable risk"),
    Field("expected", "f8", CELLS, "by candidate: safe cells to be expected"),
    Field("rest", "f8", SPAN, "ways of all untouched components but one"),
    Field(
        "near_rows", "u8", DEGREE + 2, "by touched component, and the sea: possible numbers of mines inside, as bits"
    ),
    Field("memo_stamp", "i8", DEGREE + 1, "by cells of the sea around: ``stamp`` of the two results"),
    Field("memo_progress", "f8", DEGREE + 1, "by cells of the sea around: chance that a safe cell follows"),
    Field("memo_expected", "f8", DEGREE + 1, "by cells of the sea around: safe cells to be expected"),
)


@kernel
def count_safe(w):
    for shown in range(w.join_most + 1):
        w.safe[shown] = 0.0
    if w.high_sum + w.sea_near < w.left and w.left - w.low_sum <= w.sea_far:
        safe_by_bits(w)
    else:
        safe_by_weight(w)


@kernel
def possible_rows(w, near):
    """Return the possible numbers of mines inside a component, as bits."""
    rows = np.uint64(0)
    at, span = w.near_at[near], w.near_span[near]
    for row in range(w.near_most[near] + 1):
        for column in range(span):
            if w.table[at + row * span + column] > 0:
                rows |= bit(row)
                break
    return rows


@kernel
def count_mine_free(w, near, out, inside):
    """``out`` and ``inside``: the groups that hold mines outside and inside, as bits."""
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


@kernel
def safe_by_bits(w):
    """Count safe cells where the sea takes any rest: only the mines inside matter."""
    most = w.join_most
    for near in range(w.n_near + 1):
        w.near_rows[near] = possible_rows(w, np.int64(near))
    for near in range(w.n_near + 1):
        others = bit(0)
        for other in range(w.n_near + 1):
            if other != near:
                own, both = w.near_rows[other], np.uint64(0)
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
            w.safe[shown] += count_mine_free(w, np.int64(near), out, inside)


@kernel
def safe_by_weight(w):
    joined, most, span, far = w.joined, w.join_most, w.join_span, w.n_far
    for near in range(w.n_near + 1):
        used = w.used_table
        at, rows, columns = outlook.join_tables(w, np.int64(near))
        if w.status == WIDE:
            return
        share = outlook.reserve_table(w, (w.near_most[near] + 1) * w.near_span[near])
        if share < 0:
            return
        for shown in range(most + 1):
            if w.shown[shown] > 0:
                outlook.weigh_entries(w, np.int64(near), np.int64(shown), at, rows, columns, share)
                w.safe[shown] += safe_near(w, np.int64(near), share)
        w.used_table = used
    lone = outlook.reserve_table(w, far)
    if lone < 0:
        return
    for shown in range(most + 1):
        if w.shown[shown] == 0:
            continue
        # The weight of everything far, by the mines that it holds.
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
            if not outlook.is_near(w, slot):
                w.safe[shown] += safe_far(w, slot, lone)


@kernel
def safe_near(w, near, share):
    """The weights of its entries stand at ``share``."""
    at, span, rows = w.near_at[near], w.near_span[near], w.near_most[near]
    if near == w.n_near:
        for row in range(1, rows + 1):
            if w.table[share + row * span + row] > 0:
                return np.int64(0)
        return rows
    out, inside = np.uint64(0), np.uint64(0)
    for entry in range((rows + 1) * span):
        if w.table[share + entry] > 0:
            out |= w.out_mask[at + entry]
            inside |= w.in_mask[at + entry]
    return count_mine_free(w, near, out, inside)


@kernel
def safe_far(w, slot, lone):
    """``lone`` has the weights of what everything far holds, this one included."""
    far = outlook.weigh_far(w, slot, w.rest)
    span = w.high[slot] - w.low[slot] + 1
    some, count = np.uint64(0), np.int64(0)
    for mines in range(span):
        weight = 0.0
        for more in range(far):
            weight += w.rest[more] * w.table[lone + more + mines]
        if weight > 0:
            some |= w.masks[w.at_any[slot] + mines]
    for group in range(w.groups[slot]):
        if not some & bit(group):
            count += w.ints[w.at_size[slot] + group]
    return count


@kernel
def mark_rim(w):
    """Mark the undecided cells next to a component with a new ``stamp``."""
    w.stamp += 1
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        first = w.at_cell[slot] + w.groups[slot] + 1
        for place in range(first, first + w.ints[first - 1]):
            cell = np.int64(w.ints[place])
            rest = np.int64(w.covered[cell])
            while rest:
                w.cell_mark[first_neighbour(w, cell, rest)] = w.stamp
                rest &= rest - 1


@kernel
def progress_of(w, cell):
    """Return the chance that a safe cell follows, and the expected number of them.

    Cells that touch no component are alike if they touch as much of the sea, so their result is kept (``memo_...``).
    Needs ``mark_rim``.
    """
    alone = w.cell_slot[cell] < 0 and w.cell_mark[cell] != w.stamp
    if alone:
        around = count_members(np.uint64(w.covered[cell]))
        if w.memo_stamp[around] == w.stamp:
            return w.memo_progress[around], w.memo_expected[around]
    outlook.find_neighbourhood(w, cell)
    outlook.weigh_numbers(w)
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
    if alone:
        w.memo_stamp[w.sea_near] = w.stamp
        w.memo_progress[w.sea_near], w.memo_expected[w.sea_near] = progress, expected
    return progress, expected


@kernel
def most_promising(w):
    """Keep the tied cells of most progress, and of those the ones of most expected."""
    count = w.n_tied
    w.n_tied = 0
    mark_rim(w)
    best, most = -1.0, -1.0
    for at in range(count):
        cell = np.int64(w.tied[at])
        w.progress[at], w.expected[at] = progress_of(w, cell)
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
