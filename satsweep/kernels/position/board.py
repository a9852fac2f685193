"""The board cell by cell, and deduction from single numbers.

Every number keeps how many mines it still needs, and every cell which of its neighbours are undecided and which show a
number, as bits: a loop over them meets no others, and the processor has fewer branches to guess. Deciding a cell, or
showing a number in it, updates the cells around it. A number that has changed is *queued* for the single-point rule,
and is *dirty* until its component is made again. A turn therefore costs only as much as it changes.
"""

import numpy as np

from satsweep.kernels.shared.mathematics import count_members, lowest_bit
from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, IMPOSSIBLE, MINE, SAFE, SLOTS, WIDE, Field
from satsweep.kernels.toolchain.marks import kernel

FIELDS = (
    Field("cells", "i8", (), "cells of the board"),
    Field("left", "i8", (), "mines that are not known yet"),
    Field("sea", "i8", (), "undecided cells that touch no number"),
    Field("status", "i8", (), "status of the position: ``FINE``, ``WIDE`` or ``IMPOSSIBLE``"),
    Field("sym", "i1", CELLS, "by cell: the number that it shows, or its symbol"),
    Field("need", "i2", CELLS, "by number: mines that it still needs; of other cells nothing"),
    Field("covered", "i4", CELLS, "by cell: undecided cells around it, a bit each by their place among its neighbours"),
    Field("numbers", "i4", CELLS, "by cell: numbers around it, a bit each by their place among its neighbours"),
    Field("n_queue", "i8", (), "length of ``queue``"),
    Field("queue", "i4", CELLS, "numbers to which single points are to be applied"),
    Field("n_dirty", "i8", (), "length of ``dirty``"),
    Field("dirty", "i4", CELLS, "numbers whose component has to be made again"),
    Field("changed", "i1", CELLS, "by number: 1 if it is in ``dirty``, 2 if it is in ``queue``, too"),
    Field("n_found", "i8", (), "length of ``found``"),
    Field("found", "i4", CELLS, "cells that were decided this turn"),
    Field("beyond", "i1", CELLS, "by found cell: 1 if it took more than single numbers"),
    Field("spare", "i4", SLOTS, "slots below ``n_slots`` that are empty"),
    Field("n_spare", "i8", (), "length of ``spare``"),
)

CLEAN, DIRTY, QUEUED = 0, 1, 2
"""State of a number: as in its component, dirty, dirty and queued."""


@kernel
def reset_board(w, cells, mines):
    w.cells, w.left, w.sea, w.status = cells, mines, cells, WIDE if w.no_graph else FINE
    w.n_queue, w.n_dirty, w.n_found, w.n_pending, w.pending_mines = 0, 0, 0, 0, 0
    for cell in range(cells):
        w.sym[cell] = COVERED
        w.numbers[cell] = 0
        w.covered[cell] = (1 << (w.nb_at[cell + 1] - w.nb_at[cell])) - 1
        w.changed[cell] = CLEAN
        w.cell_slot[cell] = -1
    empty_slots(w)


@kernel
def empty_slots(w):
    for slot in range(w.n_slots):
        w.listed[slot] = 0
    w.n_slots, w.n_spare = 0, 0
    w.used_ints, w.used_floats, w.used_counts, w.used_masks = 0, 0, 0, 0


@kernel
def empty_slot(w, slot):
    """Empty a slot; its cells belong to no component then."""
    groups = w.groups[slot]
    start = w.at_cell[slot]
    first = start + groups + 1
    for at in range(first, first + w.ints[start + groups]):
        w.cell_slot[w.ints[at]] = -1
    w.listed[slot] = 0
    w.spare[w.n_spare] = slot
    w.n_spare += 1


@kernel
def mark_changed(w, number):
    before = w.changed[number]
    if before != QUEUED:
        w.changed[number] = QUEUED
        w.queue[w.n_queue] = number
        w.n_queue += 1
        if before == CLEAN:
            w.dirty[w.n_dirty] = number
            w.n_dirty += 1


@kernel
def first_neighbour(w, cell, bits):
    """Return the neighbour of a cell that the lowest of some bits stands for."""
    return np.int64(w.nb[w.nb_at[cell] + lowest_bit(np.uint64(bits))])


@kernel
def mark_numbers(w, cell):
    """Mark all numbers around a cell as changed."""
    rest = np.int64(w.numbers[cell])
    while rest:
        mark_changed(w, first_neighbour(w, cell, rest))
        rest &= rest - 1


@kernel
def decide_cell(w, cell, mine):
    """Decide an undecided cell: a mine (1), or safe (0)."""
    if w.numbers[cell] == 0:
        w.sea -= 1
    if w.cell_slot[cell] >= 0:
        empty_slot(w, np.int64(w.cell_slot[cell]))
    w.sym[cell] = MINE if mine else SAFE
    w.left -= mine
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = np.int64(w.nb[place])
        w.covered[other] &= ~(np.int64(1) << w.back[place])
        w.need[other] -= mine
    mark_numbers(w, cell)


@kernel
def show_number(w, cell, number):
    """Open a cell that is not known to be a mine, with the number that it shows."""
    known, sea = 0, w.sea
    undecided = w.sym[cell] == COVERED
    if undecided:
        sea -= w.numbers[cell] == 0
        if w.cell_slot[cell] >= 0:
            empty_slot(w, np.int64(w.cell_slot[cell]))
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = np.int64(w.nb[place])
        mark = np.int64(1) << w.back[place]
        sea -= (w.sym[other] == COVERED) & (w.numbers[other] == 0)
        known += w.sym[other] == MINE
        w.numbers[other] |= mark
        w.covered[other] &= ~mark
    w.sea = sea
    w.sym[cell] = number
    w.need[cell] = number - known
    if undecided:
        mark_numbers(w, cell)
    mark_changed(w, cell)


@kernel
def apply_single_points(w):
    """Decide all cells that single numbers decide, and add them to ``found``."""
    while w.n_queue:
        w.n_queue -= 1
        number = np.int64(w.queue[w.n_queue])
        w.changed[number] = DIRTY
        rest, need = np.int64(w.covered[number]), w.need[number]
        free = count_members(np.uint64(rest))
        if need < 0 or need > free:
            w.status = IMPOSSIBLE
        elif free and (need == 0 or need == free):
            mine = 1 if need else 0
            while rest:
                other = first_neighbour(w, number, rest)
                rest &= rest - 1
                decide_cell(w, other, mine)
                w.found[w.n_found] = other
                w.n_found += 1
                w.beyond[other] = 0
