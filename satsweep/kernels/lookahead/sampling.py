"""Worlds drawn at random, each with the same probability.

A component gets a number of mines, by the ways of everything after it to hold the rest; then a placement with as many,
by its weight; then each group its mines in some of its cells. The sea gets the rest. The numbers are those of
SplitMix64 (Steele, Lea and Flood 2014), seeded by the position, so a position always gets the same worlds.
"""

import numpy as np

from satsweep.kernels.memory import CELLS, COVERED, FINE, MINE, NEIGHBOURS, Field
from satsweep.kernels.position.solver import rate_afresh, take_position
from satsweep.kernels.toolchain.marks import INT, RECORD, Array, exported, kernel

_STEP, _A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 2.0**-53

FIELDS = (
    Field("dice", "u8", (), "state of the random generator of worlds"),
    Field("world", "i1", CELLS, "by undecided cell: 1 for a mine of the world that was drawn"),
)
"""Fields of the working record that this module owns."""


@kernel
def mix(word):
    """Scramble a word."""
    word = (word ^ (word >> _30)) * _A
    word = (word ^ (word >> _27)) * _B
    return word ^ (word >> _31)


@kernel
def draw(w):
    """Return a random float from 0 up to but not including 1."""
    w.dice += _STEP
    return np.float64(mix(w.dice) >> _11) * _UNIT


@kernel
def seed_by_position(w, salt):
    """Seed the generator by the symbols of all cells, and a number."""
    word = mix(np.uint64(salt) + _STEP)
    for cell in range(w.cells):
        word = mix(word + _STEP + np.uint64(w.sym[cell] + 4))
    w.dice = word


@kernel
def draw_total(w, at, more):
    """Draw the mines of a component, above its fewest.

    It is the one at place ``at`` of ``act``; those before hold ``more`` mines above their fewest.
    """
    slot, size = w.act[at], w.high_sum - w.low_sum + 1
    total, after = w.at_total[slot], (at + 1) * size + more
    span = w.high[slot] - w.low[slot] + 1
    weight = 0.0
    for mines in range(span):
        weight += w.floats[total + mines] * w.after[after + mines]
    rest, found = draw(w) * weight, np.int64(0)
    for mines in range(span):
        worth = w.floats[total + mines] * w.after[after + mines]
        if worth > 0:
            found = np.int64(mines)
            rest -= worth
            if rest < 0:
                break
    return found


@kernel
def draw_placement(w, slot, mines):
    """Draw a placement of a component among those with a number of mines."""
    weight = 0.0
    for placement in range(w.listed[slot]):
        if w.ints[w.at_mines[slot] + placement] == mines:
            weight += w.floats[w.at_weight[slot] + placement]
    rest, found = draw(w) * weight, np.int64(0)
    for placement in range(w.listed[slot]):
        if w.ints[w.at_mines[slot] + placement] == mines:
            found = np.int64(placement)
            rest -= w.floats[w.at_weight[slot] + placement]
            if rest < 0:
                break
    return found


@kernel
def draw_world(w, v):
    """Draw a world of a position into ``world`` of a record. Needs ``rate``."""
    more = np.int64(0)
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        mines = draw_total(w, np.int64(at), more)
        more += mines
        placement = draw_placement(w, slot, mines + w.low[slot])
        groups, start = w.groups[slot], w.at_cell[slot]
        row = w.at_count[slot] + placement * groups
        for group in range(groups):
            need, first, last = np.int64(w.counts[row + group]), w.ints[start + group], w.ints[start + group + 1]
            for place in range(first, last):
                mine = need > 0 and (need == last - place or draw(w) * (last - place) < need)
                v.world[w.ints[start + groups + 1 + place]] = mine
                need -= np.int64(mine)
    need, rest = w.left - w.low_sum - more, w.sea
    if rest:
        for cell in range(w.cells):
            if w.sym[cell] == COVERED and w.touch[cell] == 0:
                mine = need > 0 and (need == rest or draw(w) * rest < need)
                v.world[cell] = mine
                need -= np.int64(mine)
                rest -= 1


@exported(NEIGHBOURS, RECORD, Array("i1"), INT, INT, Array("i1", 2), results=1)
def draw_worlds(nb, w, symbols, mines, salt, worlds):
    """Draw worlds of a position, known mines included. Returns the status.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (cells,); ``worlds``, int8, shape (worlds, cells),
    gets 1 for a mine and 0 for each other cell. The worlds depend on the position and on ``salt``.
    """
    take_position(w, nb, symbols, mines)
    rate_afresh(w)
    if w.status == FINE:
        seed_by_position(w, salt)
        for world in range(worlds.shape[0]):
            draw_world(w, w)
            for cell in range(w.cells):
                worlds[world, cell] = w.sym[cell] == MINE or (w.sym[cell] == COVERED and w.world[cell] != 0)
    return w.status
