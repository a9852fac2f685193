"""The board cell by cell, and deduction from single numbers.

Every number keeps how many mines it still needs and how many undecided cells it touches. Deciding a cell, or showing a
number in it, updates the numbers around it. A number that has changed is *queued* for the single-point rule, and is
*dirty* until its component is made again. A turn therefore costs only as much as it changes.
"""

import numpy as np

from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, IMPOSSIBLE, MINE, SAFE, SLOTS, Field
from satsweep.kernels.toolchain.marks import kernel

FIELDS = (
    Field("cells", "i8", (), "cells of the board"),
    Field("left", "i8", (), "mines that are not known yet"),
    Field("sea", "i8", (), "undecided cells that touch no number"),
    Field("status", "i8", (), "status of the position: ``FINE``, ``WIDE`` or ``IMPOSSIBLE``"),
    Field("sym", "i1", CELLS, "by cell: the number that it shows, or its symbol"),
    Field("need", "i2", CELLS, "by number: mines that it still needs"),
    Field("free", "i2", CELLS, "by number: undecided cells around it"),
    Field("touch", "i2", CELLS, "by cell: numbers around it"),
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
    w.cells, w.left, w.sea, w.status = cells, mines, cells, FINE
    w.n_queue, w.n_dirty, w.n_found, w.n_pending, w.pending_mines = 0, 0, 0, 0, 0
    for cell in range(cells):
        w.sym[cell] = COVERED
        w.touch[cell] = 0
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
def decide_cell(w, cell, mine):
    """Decide an undecided cell: a mine (1), or safe (0)."""
    if w.touch[cell] == 0:
        w.sea -= 1
    if w.cell_slot[cell] >= 0:
        empty_slot(w, np.int64(w.cell_slot[cell]))
    w.sym[cell] = MINE if mine else SAFE
    w.left -= mine
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = np.int64(w.nb[place])
        if w.sym[other] >= 0:
            w.free[other] -= 1
            w.need[other] -= mine
            mark_changed(w, other)


@kernel
def show_number(w, cell, number):
    """Open a cell that is not known to be a mine, with the number that it shows."""
    free, known, sea = 0, 0, w.sea
    undecided = w.sym[cell] == COVERED
    if undecided:
        sea -= w.touch[cell] == 0
        if w.cell_slot[cell] >= 0:
            empty_slot(w, np.int64(w.cell_slot[cell]))
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = np.int64(w.nb[place])
        symbol = w.sym[other]
        if symbol == COVERED:
            free += 1
            sea -= w.touch[other] == 0
        elif symbol == MINE:
            known += 1
        elif undecided and symbol >= 0:
            w.free[other] -= 1
            mark_changed(w, other)
        w.touch[other] += 1
    w.sea = sea
    w.sym[cell] = number
    w.need[cell] = number - known
    w.free[cell] = free
    mark_changed(w, cell)


@kernel
def apply_single_points(w):
    """Decide all cells that single numbers decide, and add them to ``found``."""
    while w.n_queue:
        w.n_queue -= 1
        number = np.int64(w.queue[w.n_queue])
        w.changed[number] = DIRTY
        free, need = w.free[number], w.need[number]
        if need < 0 or need > free:
            w.status = IMPOSSIBLE
        elif free and (need == 0 or need == free):
            mine = 1 if need else 0
            for place in range(w.nb_at[number], w.nb_at[number + 1]):
                other = np.int64(w.nb[place])
                if w.sym[other] == COVERED:
                    decide_cell(w, other, mine)
                    w.found[w.n_found] = other
                    w.n_found += 1
                    w.beyond[other] = 0
