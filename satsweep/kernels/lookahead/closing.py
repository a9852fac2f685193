"""Closing 50/50s: unavoidable guesses once the cells around them are all mines.

An *exchange* is a set of cells in two halves of the same size. If one half is all mines and the other is safe, the
halves may change roles: the mine total stays, and so does every number but those of the *ring*, cells that touch one
half more often than the other. Once the ring is all mines the exchange is *closed*: no number tells the two worlds
apart, and every player loses half of them. Opening a cell of the exchange, or of its ring, saves what this costs.

Two kinds count: two cells at most two steps apart; and two crossed pairs, each the only common neighbours of the other,
such as the diagonals of a 2x2 block of squares. Rings of more than ``MOST_RING`` cells hardly ever close. The exchanges
of a board are found once, from its table of neighbours.

Probabilities are exact within a component; across components they are multiplied, which neglects the mine total.
``docs/lab/closing.md`` has the measured effect.
"""

import numpy as np

from satsweep.kernels.position.weights import risk_of
from satsweep.kernels.shared.mathematics import CHOOSE
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE, MINE, SAME, Field
from satsweep.kernels.toolchain.marks import kernel

MOST_RING = 8
"""Most cells of a ring."""
LEAST = 5e-3
"""Least product of the risks of a ring for which the exchange counts."""
EXCHANGES = 1 << 20
"""Places of the list of exchanges; those that do not fit are left out."""
SPOTS = MOST_RING + 4
"""Most cells of an exchange and its ring."""
MOST_SAVED = 0.06
"""Most that counts of what opening a cell saves."""

FIELDS = (
    Field("exchange_at", "i4", CELLS + 1, "by cell: where its exchanges begin, those of which it is the first cell"),
    Field("exchange", "i4", EXCHANGES, "by exchange: size of a half, size of the ring, both halves, the ring"),
    Field("met", "i4", CELLS, "by cell: cell from which it was met last"),
    Field("tilt", "i4", CELLS, "by cell: how much more often it touches the first half of an exchange than the second"),
    Field("danger", "f8", CELLS, "by cell: its risk, 1 for a known mine, 0 for an open cell"),
    Field("saved", "f8", CELLS, "by cell: share of the chance to win that opening it saves"),
    Field("settled", "i1", CELLS, "by cell: 1 if all of its risk is that of a closed exchange"),
    Field("spot", "i4", SPOTS, "cells that should be a mine, or not"),
    Field("spot_is", "i8", SPOTS, "by spot: 1 for a mine"),
    Field("spot_group", "i8", SPOTS, "by spot: -1 unless it is the first one of its group"),
    Field("spot_mined", "i8", SPOTS, "by first spot of a group: mines among the spots of the group"),
    Field("spot_clear", "i8", SPOTS, "by first spot of a group: safe cells among the spots of the group"),
)


@kernel
def has_room(end):
    """Return whether an exchange of any size fits behind ``end``."""
    return end + 6 + 4 * DEGREE <= EXCHANGES


@kernel
def add_exchange(w, end, half):
    """Add the exchange at ``end + 2``, if its ring is small. Returns the new end."""
    first = end + 2 + 2 * half
    for at in range(end + 2, first):
        cell = np.int64(w.exchange[at])
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            w.tilt[w.nb[place]] += 1 if at < end + 2 + half else -1
    for at in range(end + 2, first):
        w.tilt[w.exchange[at]] = 0
    last = first
    for at in range(end + 2, first):
        cell = np.int64(w.exchange[at])
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            other = np.int64(w.nb[place])
            if w.tilt[other]:
                w.exchange[last], w.tilt[other] = other, 0
                last += 1
    w.exchange[end], w.exchange[end + 1] = half, last - first
    return last if last - first <= MOST_RING else end


@kernel
def other_common(w, one, two, known):
    """Return the only common neighbour of two cells beside ``known``, -1 for none."""
    found = np.int64(-1)
    for place in range(w.nb_at[one], w.nb_at[one + 1]):
        other = np.int64(w.nb[place])
        if other == known:
            continue
        for step in range(w.nb_at[two], w.nb_at[two + 1]):
            if w.nb[step] == other:
                if found >= 0:
                    return np.int64(-1)
                found = other
    return found


@kernel
def add_pair(w, end, cell, other):
    """Add a pair of cells, unless it is there. Returns the new end."""
    if other <= cell or w.met[other] == cell or not has_room(end):
        return end
    w.met[other] = cell
    w.exchange[end + 2], w.exchange[end + 3] = cell, other
    return add_exchange(w, end, np.int64(1))


@kernel
def add_crossed(w, end, cell, near, beside):
    """Add a pair of neighbours with the pair that it crosses. Returns the new end."""
    across = other_common(w, near, beside, cell)
    if min(near, beside, across) < cell or other_common(w, cell, across, near) != beside or not has_room(end):
        return end
    w.exchange[end + 2], w.exchange[end + 3] = cell, across
    w.exchange[end + 4], w.exchange[end + 5] = near, beside
    return add_exchange(w, end, np.int64(2))


@kernel
def find_exchanges(w):
    """List the exchanges of a board by their lowest cells. Needs ``set_table``."""
    end = np.int64(0)
    for cell in range(w.cells):
        w.met[cell], w.tilt[cell] = -1, 0
    for cell in range(w.cells):
        w.exchange_at[cell] = end
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            near = np.int64(w.nb[place])
            end = add_pair(w, end, np.int64(cell), near)
            for step in range(w.nb_at[near], w.nb_at[near + 1]):
                end = add_pair(w, end, np.int64(cell), np.int64(w.nb[step]))
            for step in range(place + 1, w.nb_at[cell + 1]):
                end = add_crossed(w, end, np.int64(cell), near, np.int64(w.nb[step]))
    w.exchange_at[w.cells] = end


@kernel
def slot_chance(w, slot, spots):
    """Return how likely the spots that lie in a component are all as they should be."""
    groups, total, right = w.groups[slot], 0.0, 0.0
    for placement in range(w.listed[slot]):
        share = w.floats[w.at_share[slot] + w.ints[w.at_mines[slot] + placement] - w.low[slot]]
        weight = w.floats[w.at_weight[slot] + placement] * share
        total += weight
        row = w.at_count[slot] + placement * groups
        for at in range(spots):
            if w.cell_slot[w.spot[at]] != slot or w.spot_group[at] < 0:
                continue
            group = w.cell_group[w.spot[at]]
            size, mines = np.int64(w.ints[w.at_size[slot] + group]), np.int64(w.counts[row + group])
            if w.spot_mined[at] > mines or w.spot_clear[at] > size - mines:
                weight = 0.0
                break
            rest = size - w.spot_mined[at] - w.spot_clear[at]
            weight *= CHOOSE[rest, mines - w.spot_mined[at]] / CHOOSE[size, mines]
        right += weight
    return right / total


@kernel
def chance(w, spots):
    """Return how likely all spots are as they should be: ``spot_is`` is 1 for a mine."""
    product = 1.0
    for at in range(spots):
        cell = w.spot[at]
        slot = np.int64(w.cell_slot[cell])
        if slot < 0:
            product *= w.danger[cell] if w.spot_is[at] else 1 - w.danger[cell]
            continue
        # The mines and safe cells that a group has to hold are counted at the first of its spots.
        w.spot_group[at], w.spot_mined[at], w.spot_clear[at] = at, 0, 0
        for first in range(at + 1):
            other = w.spot[first]
            if w.cell_slot[other] == slot and w.cell_group[other] == w.cell_group[cell]:
                w.spot_mined[first] += w.spot_is[at]
                w.spot_clear[first] += 1 - w.spot_is[at]
                if first < at:
                    w.spot_group[at] = -1
                break
    for at in range(spots):
        slot = np.int64(w.cell_slot[w.spot[at]])
        new = slot >= 0
        for before in range(at):
            new = new and w.cell_slot[w.spot[before]] != slot
        if new:
            product *= slot_chance(w, slot, spots)
    return product


@kernel
def may_close(w, at, cells, ring):
    """Return whether an exchange has a ring that may be all mines, and is undecided."""
    likely = 1.0
    for place in range(at + 2 + cells, at + 2 + cells + ring):
        likely *= w.danger[w.exchange[place]]
        if likely < LEAST:
            return False
    for place in range(at + 2, at + 2 + cells):
        if w.sym[w.exchange[place]] != COVERED:
            return False
    return True


@kernel
def gather_spots(w, at, cells, ring):
    """Gather in ``spot`` what closes an exchange with its first half mined."""
    spots = np.int64(0)
    for place in range(cells + ring):
        cell = w.exchange[at + 2 + place]
        if w.sym[cell] == COVERED:
            w.spot[spots], w.spot_is[spots] = cell, 0 if cells <= 2 * place < 2 * cells else 1
            spots += 1
    return spots


@kernel
def find_closing(w):
    """Write what opening each undecided cell saves, and which are settled."""
    for cell in range(w.cells):
        w.saved[cell], w.settled[cell] = 0.0, 0
        w.danger[cell] = 1.0 if w.sym[cell] == MINE else 0.0
        if w.sym[cell] == COVERED:
            w.danger[cell] = risk_of(w, np.int64(cell))
    for cell in range(w.cells):
        if w.sym[cell] != COVERED or w.param.closing == 0:
            continue
        at = np.int64(w.exchange_at[cell])
        while at < w.exchange_at[cell + 1]:
            cells, ring = np.int64(2 * w.exchange[at]), np.int64(w.exchange[at + 1])
            if may_close(w, at, cells, ring):
                spots = gather_spots(w, at, cells, ring)
                lost = chance(w, spots)  # as likely as with its second half mined; half of both is lost
                for place in range(spots):
                    spot = w.spot[place]
                    w.saved[spot] += lost
                    if place < cells and lost >= w.danger[spot] * (1 - SAME):
                        w.settled[spot] = 1
            at += 2 + cells + ring
