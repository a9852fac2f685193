"""Counts of a component by variable elimination, where listing takes too long.

Groups get their mines one after the other. All that matters of the finished groups is what each open constraint still
needs, so equal remainders are one *state*; its value is the vector of ways to get there, by the mines so far. Forward,
the values give the ways to fill the component by its mines. Backward, from the weight of each total beside the rest of
the board, they give the weight of every state. A step from state to state, weighed from both sides, tells how likely
each group is to hold a number of mines.

One more constraint may be *open*: it never needs to be met, and its remainder at the end is kept apart. It stands for
the neighbourhood of a cell that may be opened. The need of a constraint takes a few bits of the key of a state, which
are free again after its last group.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import kernel
from satsweep.kernels.memory import CELLS, CHOOSE, HASHED, LAYER, MOST_CELLS, STATES, STEPS, VALUES, WIDE

KEY_BITS = 62


@kernel
def load_component(w, slot):
    """Load the groups and constraints of a slot."""
    groups, cons = w.groups[slot], w.cons[slot]
    size, start, need = w.at_size[slot], w.at_con[slot], w.at_need[slot]
    first = start + groups + 1
    for con in range(cons):
        w.e_need[con] = w.ints[need + con]
    for group in range(groups):
        w.e_size[group] = w.ints[size + group]
        begin, end = w.ints[start + group], w.ints[start + group + 1]
        w.e_n[group] = end - begin
        for at in range(begin, end):
            w.e_con[group, at - begin] = w.ints[first + at]
    w.e_groups, w.e_cons, w.e_open, w.e_most = groups, cons, -1, 0


@kernel
def load_split_component(w, near):
    """Load those of a slot that a neighbourhood touches, each group in two halves.

    ``half[group]`` has the places of the two halves, cells outside and cells inside, -1 for a half without cells. The
    opened cell is left out.
    """
    slot = np.int64(w.near[near])
    groups, cons = w.groups[slot], w.cons[slot]
    load_component(w, slot)
    for group in range(groups):
        w.half[group, 1] = 0
    for at in range(w.near_n[near]):
        w.half[w.near_group[near, at], 1] = w.near_count[near, at]
    placed = groups
    # Made behind the loaded ones, then moved to the front.
    for group in range(groups):
        size = w.e_size[group]
        if slot == w.home_slot and group == w.home_group:
            size -= 1
        inside = np.int64(w.half[group, 1])
        w.half[group, 0], w.half[group, 1] = -1, -1
        for part in range(2):
            cells = inside if part else size - inside
            if cells:
                w.half[group, part] = placed - groups
                w.e_size[placed] = cells
                w.e_n[placed] = w.e_n[group]
                for turn in range(w.e_n[group]):
                    w.e_con[placed, turn] = w.e_con[group, turn]
                if part:
                    w.e_con[placed, w.e_n[placed]] = cons
                    w.e_n[placed] += 1
                placed += 1
    for group in range(groups, placed):
        w.e_size[group - groups] = w.e_size[group]
        w.e_n[group - groups] = w.e_n[group]
        for turn in range(w.e_n[group]):
            w.e_con[group - groups, turn] = w.e_con[group, turn]
    w.e_groups, w.e_cons, w.e_most = placed - groups, cons + 1, w.near_most[near]
    w.e_need[cons] = w.e_most
    w.e_open = cons


@kernel
def plan_keys(w):
    """Give every constraint its bits of a key. Returns whether that fits.

    ``e_room`` gets the cells of the later groups of each constraint.
    """
    groups, cons = w.e_groups, w.e_cons
    most, cells = np.int64(1), np.int64(0)
    for con in range(cons):
        w.e_first[con], w.e_last[con], w.e_left[con] = -1, -1, 0
        most = max(most, w.e_need[con])
    width = 1
    while most >> width:
        width += 1
    for group in range(groups - 1, -1, -1):
        cells += w.e_size[group]
        for at in range(w.e_n[group]):
            con = w.e_con[group, at]
            w.e_room[group, at] = w.e_left[con]
            w.e_left[con] += w.e_size[group]
            w.e_first[con] = group
            if w.e_last[con] < 0:
                w.e_last[con] = group
    taken = np.uint64(0)
    fields = KEY_BITS // width
    if w.e_open >= 0:  # the first bits, kept to the end
        w.e_shift[w.e_open] = 0
        taken |= np.uint64(1)
    for group in range(groups):
        for at in range(w.e_n[group]):
            con = w.e_con[group, at]
            if w.e_first[con] == group and con != w.e_open:
                field = 0
                while field < fields and (taken >> np.uint64(field)) & np.uint64(1):
                    field += 1
                if field == fields:
                    return False
                taken |= np.uint64(1) << np.uint64(field)
                w.e_shift[con] = field * width
        for at in range(w.e_n[group]):
            con = w.e_con[group, at]
            if w.e_last[con] == group and con != w.e_open:
                taken &= ~(np.uint64(1) << np.uint64(w.e_shift[con] // width))
    w.e_width = width
    return cells <= MOST_CELLS and groups < CELLS // 2


@kernel
def find_state(w, key, first, last):
    """Return the state of a layer with a key; a new one gets the number ``last``.

    The layer begins at ``first``.
    """
    place = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(48))
    while w.hash_stamp[place] == w.hash_clock:
        state = np.int64(w.hash_state[place])
        if w.key[state] == key:
            return state
        place = (place + 1) & (HASHED - 1)
    w.hash_stamp[place] = w.hash_clock
    w.hash_state[place] = last
    w.key[last] = key
    w.key_low[last] = 1 << 30
    w.key_high[last] = -1
    return last


@kernel
def add_layer(w, group, first, last, steps):
    """Make all steps from the states ``first`` to ``last`` by the mines of a group.

    Returns the ends of states and steps; -1 states if there is no room.
    """
    width = w.e_width
    field = (np.int64(1) << width) - 1
    opening, delta = np.int64(0), np.int64(0)
    for at in range(w.e_n[group]):
        con = w.e_con[group, at]
        if w.e_first[con] == group and con != w.e_open:
            opening += w.e_need[con] << w.e_shift[con]
        delta += np.int64(1) << w.e_shift[con]
    end = last
    w.hash_clock += 1
    for state in range(first, last):
        key = w.key[state] + opening
        low, high = np.int64(0), w.e_size[group]
        for at in range(w.e_n[group]):
            con = w.e_con[group, at]
            if con != w.e_open:
                rest = (key >> w.e_shift[con]) & field
                low = max(low, rest - w.e_room[group, at])
                high = min(high, rest)
        for mines in range(low, high + 1):
            if end >= STATES - 1 or end - last >= LAYER or steps >= STEPS:
                return np.int64(-1), steps
            target = find_state(w, key - mines * delta, last, end)
            if target == end:
                end += 1
            w.key_low[target] = min(w.key_low[target], w.key_low[state] + mines)
            w.key_high[target] = max(w.key_high[target], w.key_high[state] + mines)
            w.step_from[steps] = state
            w.step_to[steps] = target
            w.step_mines[steps] = mines
            steps += 1
    return end, steps


@kernel
def run_forward(w):
    """Make all states, with the number of ways to reach each, in ``forward``.

    ``e_fits`` is 1 if they fit the limits.
    """
    w.e_fits = 0
    if not plan_keys(w):
        return
    w.key[0] = w.e_need[w.e_open] if w.e_open >= 0 else 0
    w.key_at[0], w.key_low[0], w.key_high[0] = 0, 0, 0
    w.forward[0] = 1.0
    w.e_layer[0], w.e_layer[1], w.e_stepped[0] = 0, 1, 0
    values = 1
    for group in range(w.e_groups):
        first, last, steps = w.e_layer[group], w.e_layer[group + 1], w.e_stepped[group]
        end, stepped = add_layer(w, np.int64(group), first, last, steps)
        if end < 0:
            return
        w.e_layer[group + 2], w.e_stepped[group + 1] = end, stepped
        for state in range(last, end):
            span = w.key_high[state] - w.key_low[state] + 1
            if values + span > VALUES:
                return
            w.key_at[state] = values
            w.forward[values : values + span] = 0.0
            values += span
        size = w.e_size[group]
        for step in range(steps, stepped):
            source, target, mines = w.step_from[step], w.step_to[step], w.step_mines[step]
            ways = CHOOSE[size, mines]
            span = w.key_high[source] - w.key_low[source] + 1
            at = w.key_at[source]
            to = w.key_at[target] + w.key_low[source] + mines - w.key_low[target]
            for more in range(span):
                w.forward[to + more] += ways * w.forward[at + more]
    w.e_fits = 1


@kernel
def run_backward(w):
    """Carry weights from the last states, in ``backward``, to the first.

    Leaves, for one cell of each group, the weight of its being a mine in ``mined`` and of its being safe in ``clear``.
    """
    for group in range(w.e_groups - 1, -1, -1):
        for state in range(w.e_layer[group], w.e_layer[group + 1]):
            at = w.key_at[state]
            w.backward[at : at + w.key_high[state] - w.key_low[state] + 1] = 0.0
        size = w.e_size[group]
        mined, clear = 0.0, 0.0
        for step in range(w.e_stepped[group], w.e_stepped[group + 1]):
            source, target, mines = w.step_from[step], w.step_to[step], w.step_mines[step]
            ways = CHOOSE[size, mines]
            span = w.key_high[source] - w.key_low[source] + 1
            at = w.key_at[source]
            to = w.key_at[target] + w.key_low[source] + mines - w.key_low[target]
            passing = 0.0
            for more in range(span):
                worth = ways * w.backward[to + more]
                w.backward[at + more] += worth
                passing += worth * w.forward[at + more]
            mined += passing * mines
            clear += passing * (size - mines)
        w.mined[group] = mined / size
        w.clear[group] = clear / size


@kernel
def last_states(w):
    """Return the first of the states in which all groups are done, and their end.

    There is one state, or with an open constraint one for each number of mines inside.
    """
    return w.e_layer[w.e_groups], w.e_layer[w.e_groups + 1]


@kernel
def count_by_elimination(w, slot):
    """Count the ways to fill a slot. Returns whether that fits the limits.

    ``forward`` has those of the last state, by the mines.
    """
    load_component(w, slot)
    run_forward(w)
    if not w.e_fits:
        w.status = WIDE
    return w.e_fits


@kernel
def weigh_last_state(w, low, share):
    """Set the weight of the one last state, by its mines, in ``backward``.

    Weights are read from ``floats``, where ``share`` is the weight of ``low`` mines; all are 1 if ``share`` is
    negative.
    """
    state, _ = last_states(w)
    at = w.key_at[state]
    for more in range(w.key_high[state] - w.key_low[state] + 1):
        w.backward[at + more] = w.floats[share + w.key_low[state] + more - low] if share >= 0 else 1.0
