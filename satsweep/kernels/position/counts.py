"""Exact numbers of placements: of each component of a position, or of one alone.

Counting only adds and multiplies non-negative integers, and doubles hold every integer up to 2**53. The greatest number
on the way is a weight times the mines of a group, at most ``DEGREE`` times the number of all placements of the
component. One comparison at the end therefore shows that every number was exact; a component with more placements is
WIDE. Risks take totals relative to the greatest one; here they are left as they are (``unscaled``).

No mine total takes part, so the counts also serve boards with a density, or with nothing known of the mines.
"""

import numpy as np

from satsweep.kernels.limits import HEAD
from satsweep.kernels.memory import CELLS, COVERED, DEGREE, FINE, MINE, NARROW, NEIGHBOURS, SAFE, WIDE, Field
from satsweep.kernels.position.board import empty_slots
from satsweep.kernels.position.components import connected_constraints, order_groups, store_component
from satsweep.kernels.position.listing import tabulate_mined
from satsweep.kernels.position.solver import count_component, find_components, set_table
from satsweep.kernels.toolchain.marks import RECORD, Array, exported, kernel

EXACT = 2.0**53 / DEGREE
"""Number of placements of a component from which on counts may be rounded."""
FIELDS = (Field("unscaled", "i8", (), "1 while counts have to stay exact, else 0"),)
"""Fields of the working record that this module owns."""


@kernel
def write_counts(w, slot, shape, ways):
    """Write the counts of a slot behind those of others (see ``count_position``)."""
    tabulate_mined(w, slot)
    groups, low, span = w.groups[slot], w.low[slot], w.high[slot] - w.low[slot] + 1
    place, at = shape[4], shape[5]
    if w.status == WIDE or at + (groups + 1) * span > ways.shape[0]:
        w.status = WIDE
        return
    every = 0.0
    for mines in range(span):
        ways[at + mines] = w.floats[w.at_total[slot] + mines]
        every += ways[at + mines]
    if every >= EXACT:
        w.status = WIDE
        return
    for entry in range(groups * span):
        ways[at + span + entry] = w.floats[w.at_mined[slot] + entry]
    shape[place], shape[place + 1], shape[place + 2], shape[place + 3] = groups, low, span, w.listed[slot]
    for group in range(groups):
        shape[place + 4 + group] = w.ints[w.at_size[slot] + group]
    shape[3] += 1
    shape[4], shape[5] = place + 4 + groups, at + (groups + 1) * span


@exported(NEIGHBOURS, RECORD, Array("i1"), Array("i4"), Array("i4"), Array("f8"), results=1)
def count_position(nb, w, symbols, cells, shape, ways):
    """Write the components of a position, and the numbers of their placements.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (cells,), as in ``set_position``. ``cells`` (int32,
    shape (cells,)) gets the covered cells: those that simple rules find safe, those that they find to be mines, the
    sea, then the groups one after the other. ``shape`` (int32, at least ``HEAD`` + 5 a covered cell) gets the lengths
    of the first three, the number of components, the lengths of what is used of ``shape`` and of ``ways``, and for each
    component the number of its groups, its fewest mines, the length of its rows, the number of placements listed, and
    the sizes of its groups. ``ways`` (float64) has the rows of each component, by the mines from its fewest on: the
    number of placements, then for each group the number of those in which one given cell is a mine. Returns the status.
    """
    set_table(w, nb)
    w.unscaled = 1
    find_components(w, symbols, np.int64(0))
    w.unscaled = 0
    if w.status != FINE:
        return w.status
    for at in range(w.n_pending):
        cell = w.pending[at]
        w.sym[cell] = MINE if w.pending_mine[cell] else SAFE
    used = 0
    for kind in range(3):
        shape[kind] = -used
        decided = SAFE if kind == 0 else MINE if kind == 1 else COVERED
        for cell in range(w.cells):
            if symbols[cell] == COVERED and w.sym[cell] == decided and (kind < 2 or w.touch[cell] == 0):
                cells[used] = cell
                used += 1
        shape[kind] += used
    shape[3], shape[4], shape[5] = 0, HEAD, 0
    for slot in range(w.n_slots):
        if w.listed[slot]:
            write_counts(w, np.int64(slot), shape, ways)
            if w.status != FINE:
                return w.status
            first = w.at_cell[slot] + w.groups[slot] + 1
            for place in range(first, first + w.ints[first - 1]):
                cells[used] = w.ints[place]
                used += 1
    return w.status


@exported(RECORD, Array("i4"), Array("i4", 2), Array("i4"), Array("i4"), Array("i4"), Array("f8"), results=1)
def count_one(w, sizes, scopes, needs, order, shape, ways):
    """Write the numbers of placements of one component, as ``count_position`` does.

    ``sizes`` (int32) has the cells of each group; ``scopes`` (int32, shape (constraints, width)) the groups of each
    constraint, then -1; ``needs`` (int32) its mines. ``order`` (int32, shape (groups,)) gets the order in which the
    groups are written. Returns the status: IMPOSSIBLE if there is no placement, WIDE also for groups that do not hang
    together.
    """
    groups, (cons, width) = sizes.shape[0], scopes.shape
    w.status, w.cells, w.n_group, w.n_con = FINE, 0, groups, cons
    if groups > NARROW or width > DEGREE or cons > CELLS:
        return WIDE
    empty_slots(w)
    for group in range(groups):
        if sizes[group] > DEGREE:
            return WIDE
        w.group_size[group], w.group_n[group], w.group_head[group], w.group_done[group] = sizes[group], 0, -1, 0
    for con in range(cons):
        w.con_need[con], w.con_n[con], w.con_listed[con] = needs[con], 0, 0
        for place in range(width):
            group = scopes[con, place]
            if group >= 0:
                if w.group_n[group] == DEGREE:
                    return WIDE
                w.con_group[con, w.con_n[con]] = group
                w.con_n[con] += 1
                w.group_con[group, w.group_n[group]] = con
                w.group_n[group] += 1
    met = connected_constraints(w, np.int64(0))
    if met < cons or order_groups(w, met) < groups:
        return WIDE
    slot = store_component(w, groups, cons)
    if w.status == FINE:
        w.unscaled = 1
        count_component(w, slot)
        w.unscaled = 0
    shape[3], shape[4], shape[5] = 0, HEAD, 0
    if w.status == FINE:
        write_counts(w, slot, shape, ways)
    for group in range(groups):
        order[group] = w.order[group]
    return w.status
