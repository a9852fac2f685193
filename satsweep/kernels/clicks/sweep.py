"""The sweep for the fewest clicks: dynamic programming over the chords of a board.

Chords are decided one after the other (``satsweep.clicks.sweep`` has the order, and the proof that the cost is this
one). A state is what a decision leaves for later ones: for each chord that was chosen and each opening, if a later
chord touches it, the *block* of connected ones that it lies in; and one bit for each mine that is flagged and each
number that is opened, if later chords share it. Its cost counts chords, flags, blocks and numbers that nothing opens.

Of states with the same future only the cheapest is needed, and less than the same future will do. Three rules leave
states out:

* A chord whose later neighbours all touch other members of its block too is the same as no chord.
* With the same blocks, a state is dominated by one that costs less by at least as much as the bits it lacks: each
  mine costs a flag, each number a dig.
* A state is dominated by one whose blocks are the same but for a chord that is missing or stands alone. A chord that
  stands alone merges as before, or saves more later. One that is missing saves less, at most one click for each part
  of what touches it alone: a chord there is then a block of its own.

A dominated state may dominate others in turn, since what dominates it does so, too.
"""

import numpy as np

from satsweep.kernels.clicks.layers import DONE, GOING, SCRATCH, SHORT, WIDE, sweep_layers as entry
from satsweep.kernels.shared.mathematics import ZERO, bit, count_members, lowest_bit, mix
from satsweep.kernels.toolchain.marks import exported_as, kernel

LABEL = np.uint64(15)
FURTHER = np.uint64(1 << 63)
"""Later chords without a place of their own."""
FRESH = 16
"""Least label of a block that is new; one that is merged has ``MERGED``."""
MERGED = SCRATCH - 1
MOST_BLOCKS = 15
MINES, NUMBERS, PAID, CLEARED, OPENINGS = range(5)
"""Places of the sets of bits of a step."""


@kernel
def unpack(layers, side, state, label):
    for slot in range(label.shape[0]):
        word = layers.key[side, state, slot >> 4]
        label[slot] = np.int64((word >> np.uint64(4 * (slot & 15))) & LABEL)


@kernel
def add_reach(layers, label, reach, block):
    """Note which later chords touch a block, and which touch it twice."""
    layers.once[block] = layers.twice[block] = ZERO
    for slot in range(label.shape[0]):
        if label[slot] == block:
            layers.twice[block] |= layers.once[block] & reach[slot]
            layers.once[block] |= reach[slot]


@kernel
def pack(layers, label, reach):
    """Return the words of labels, blocks numbered in order, and the number of blocks.

    Members whose later neighbours touch the rest of their block are left out.
    """
    for block in range(layers.once.shape[0]):
        layers.once[block] = layers.twice[block] = ZERO
        layers.named[block] = 0
    for slot in range(label.shape[0]):
        block = np.int64(label[slot])
        if block > 0:
            layers.twice[block] |= layers.once[block] & reach[slot]
            layers.once[block] |= reach[slot]
    first, second, blocks = ZERO, ZERO, np.int64(0)
    for slot in range(label.shape[0]):
        block = np.int64(label[slot])
        if block == 0:
            continue
        if reach[slot] & ~layers.twice[block] == ZERO and reach[slot] & FURTHER == ZERO:
            label[slot] = 0
            add_reach(layers, label, reach, block)
            continue
        if layers.named[block] == 0:
            blocks += 1
            layers.named[block] = blocks
        name = np.uint64(np.int64(layers.named[block]) << np.int64(4 * (slot & 15)))
        if slot < 16:
            first |= name
        else:
            second |= name
    return first, second, blocks


@kernel
def find(layers, new, first, second, size):
    """Return the place of labels in the hash table, or where they belong."""
    mask = size - 1
    at = np.int64(mix(first ^ mix(second)) & np.uint64(mask))
    while layers.table[at] > 0:
        state = layers.table[at] - 1
        if layers.key[new, state, 0] == first and layers.key[new, state, 1] == second:
            break
        at = (at + 1) & mask
    return at


@kernel
def is_dominated(layers, new, at, bits, cost):
    """Return 1 if a state with the labels at a place of the table dominates."""
    state = np.int64(layers.table[at]) - 1
    while state >= 0:
        spare = cost - layers.cost[new, state]
        if spare >= 0 and spare >= count_members(bits & ~layers.key[new, state, 2]):
            return 1
        state = np.int64(layers.after[state]) - 1
    return 0


@kernel
def choose(plan, layers, step):
    """Merge what a chord touches with it; return the clicks for blocks."""
    label = layers.label
    for block in range(layers.named.shape[0]):
        layers.named[block] = 0
    blocks = np.int64(0)
    for place in range(plan.touched.shape[1]):
        slot = plan.touched[step, place]
        if slot < 0:
            break
        block = np.int64(label[slot])
        if block > 0 and layers.named[block] == 0:
            layers.named[block] = 1
            blocks += 1
    for slot in range(label.shape[0]):
        if label[slot] > 0 and layers.named[label[slot]] == 1:
            label[slot] = MERGED
    label[plan.slot[step]] = MERGED
    return 1 - blocks


@kernel
def add_state(layers, new, made, first, second, bits, cost, parent, size):
    """Add a state unless it is dominated; return the number of states."""
    at = find(layers, new, first, second, size)
    state = np.int64(layers.table[at]) - 1
    while state >= 0:
        other, spare = layers.key[new, state, 2], cost - layers.cost[new, state]
        if spare >= 0:
            if spare >= count_members(bits & ~other):
                return made
        elif -spare >= count_members(other & ~bits):
            layers.dead[state] = 1
        state = np.int64(layers.after[state]) - 1
    layers.key[new, made, 0], layers.key[new, made, 1], layers.key[new, made, 2] = first, second, bits
    layers.cost[new, made], layers.parent[made], layers.dead[made] = cost, parent, 0
    if layers.table[at] == 0:
        layers.after[made] = 0
        layers.table[at] = made + 1
    else:
        before = np.int64(layers.table[at]) - 1
        layers.after[made] = layers.after[before]
        layers.after[before] = made + 1
    return made + 1


@kernel
def expand(plan, layers, step, count, size):
    """Make the states of the next layer; return their number, -1 for too many blocks."""
    old, new = step & 1, 1 - (step & 1)
    for at in range(size):
        layers.table[at] = 0
    mines, numbers = plan.bits[step, MINES], plan.bits[step, NUMBERS]
    paid, cleared = plan.bits[step, PAID], plan.bits[step, CLEARED]
    reach, label = plan.reach[step], layers.label
    made = np.int64(0)
    for state in range(count):
        for chosen in range(2):
            unpack(layers, old, state, label)
            bits, cost = layers.key[old, state, 2], np.int64(layers.cost[old, state])
            for place in range(plan.begun.shape[1]):
                slot = plan.begun[step, place]
                if slot < 0:
                    break
                label[slot] = FRESH + place
            if chosen == 1:
                cost += 1 + count_members(mines & ~bits) + choose(plan, layers, step)
                bits |= mines | numbers
            cost += count_members(paid & ~bits)
            bits &= ~cleared
            for place in range(plan.ended.shape[1]):
                slot = plan.ended[step, place]
                if slot < 0:
                    break
                label[slot] = 0
            first, second, blocks = pack(layers, label, reach)
            if blocks > MOST_BLOCKS:
                return np.int64(-1)
            made = add_state(layers, new, made, first, second, bits, cost, 2 * state + chosen, size)
    return made


@kernel
def count_parts(near, chords):
    """Return a bound on how many of some later chords do not touch each other."""
    parts = np.int64(0)
    while chords != ZERO:
        parts += 1
        chord = lowest_bit(chords)
        together = chords & near[chord]
        chords &= ~bit(chord)
        while together != ZERO:
            chord = lowest_bit(together)
            chords &= ~bit(chord)
            together &= near[chord] & ~bit(chord)
    return parts


@kernel
def is_dominated_without(plan, layers, step, new, state, slot, size, least):
    """Return 1 if a state is dominated once a chord is left out, or stands alone."""
    label, other, reach = layers.label, layers.other, plan.reach[step]
    bits, cost = layers.key[new, state, 2], np.int64(layers.cost[new, state])
    block = label[slot]
    rest, members = ZERO, np.int64(0)
    for place in range(label.shape[0]):
        if label[place] == block and place != slot:
            rest |= reach[place]
            members += 1
    if members > 0:
        for place in range(label.shape[0]):
            other[place] = label[place]
        other[slot] = FRESH
        first, second, blocks = pack(layers, other, reach)
        if is_dominated(layers, new, find(layers, new, first, second, size), bits, cost) == 1:
            return 1
    if plan.bits[step, OPENINGS] & bit(slot) != ZERO:
        return 0
    cost -= count_parts(plan.near[step], reach[slot] & ~rest)
    if cost < least:
        return 0
    for place in range(label.shape[0]):
        other[place] = label[place]
    other[slot] = 0
    first, second, blocks = pack(layers, other, reach)
    return is_dominated(layers, new, find(layers, new, first, second, size), bits, cost)


@kernel
def mark_dominated(plan, layers, step, made, size):
    """Mark states that others with a chord less, or more blocks, dominate."""
    new, label = 1 - (step & 1), layers.label
    least = np.int64(layers.cost[new, 0])
    for state in range(made):
        least = min(least, np.int64(layers.cost[new, state]))
    for state in range(made):
        if layers.dead[state] == 1:
            continue
        unpack(layers, new, state, label)
        for slot in range(label.shape[0]):
            if label[slot] > 0 and is_dominated_without(plan, layers, step, new, state, slot, size, least) == 1:
                layers.dead[state] = 1
                break


@kernel
def collect(layers, step, made, total):
    """Keep the states that none dominates, and their parents; return their number."""
    new, kept = 1 - (step & 1), np.int64(0)
    for state in range(made):
        if layers.dead[state] == 0:
            for word in range(3):
                layers.key[new, kept, word] = layers.key[new, state, word]
            layers.cost[new, kept] = layers.cost[new, state]
            layers.trace[total + kept] = layers.parent[state]
            kept += 1
    layers.states[step] = kept
    return kept


@exported_as(entry)
def sweep_layers(plan, layers, effort):
    """Fill layers until effort is spent; return a status.

    ``cursor`` has the next step, and the states of all layers before. A chord that is left out is looked for at every
    other step: that costs as much as the states themselves.
    """
    steps = plan.slot.shape[0]
    spent = np.int64(0)
    while layers.cursor[0] < steps:
        step, total = layers.cursor[0], layers.cursor[1]
        count = np.int64(layers.states[step - 1]) if step > 0 else np.int64(1)
        most = 2 * count
        if most > layers.after.shape[0] or total + most > layers.trace.shape[0]:
            return SHORT
        if spent >= effort:
            return GOING
        size = np.int64(2)
        while size < 2 * most:
            size *= 2
        if size > layers.table.shape[0]:
            return WIDE  # the caller's table is shorter than its layers
        made = expand(plan, layers, step, count, size)
        if made < 0:
            return WIDE
        if step & 1 == 1:
            mark_dominated(plan, layers, step, made, size)
        layers.cursor[1] = total + collect(layers, step, made, total)
        layers.cursor[0] = step + 1
        spent += made
    return DONE
