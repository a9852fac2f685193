"""One position: forced cells, risk of every cell.

``deduce`` goes from cheap to expensive: single numbers, incrementally; then components around the changes, reduced and
listed; then, where the sea cannot take any rest, the mine total. ``assess`` finds the risks of many positions, each
without a predecessor.
"""

import numpy as np

from satsweep.kernels.memory import (
    CELLS,
    COUNTS,
    COVERED,
    DEGREE,
    FINE,
    FLOATS,
    INTS,
    MASKS,
    MINE,
    NEIGHBOURS,
    SAFE,
    SLOTS,
    Field,
    bit,
)
from satsweep.kernels.position.board import (
    CLEAN,
    DIRTY,
    apply_single_points,
    decide_cell,
    empty_slots,
    reset_board,
    show_number,
)
from satsweep.kernels.position.components import (
    connected_constraints,
    gather_component,
    order_groups,
    reduce_constraints,
    store_component,
)
from satsweep.kernels.position.listing import list_placements, scale_totals, sum_by_mines
from satsweep.kernels.position.weights import collect_components, is_total_slack, rate, risk_of
from satsweep.kernels.toolchain.marks import RECORD, Array, exported, kernel

FIELDS = (
    Field("degree", "i8", (), "most neighbours of a cell"),
    Field("nb_at", "i4", CELLS + 1, "by cell: where its neighbours begin in ``nb``, and those before end"),
    Field("nb", "i4", CELLS * DEGREE, "neighbours of all cells, one cell after the other"),
    Field("stamp", "i8", (), "number of the last pass over the board; it marks what the pass has met"),
    Field("forgotten", "i8", (), "1 if the slots were begun afresh since their pools were copied"),
)
"""Fields of the working record that this module owns."""


@kernel
def forget_components(w):
    """Empty all slots; the numbers with undecided cells are dirty, in order."""
    empty_slots(w)
    w.forgotten = 1
    w.n_dirty = 0
    for cell in range(w.cells):
        w.cell_slot[cell], w.changed[cell] = -1, CLEAN
        if w.sym[cell] >= 0 and w.free[cell]:
            w.changed[cell] = DIRTY
            w.dirty[w.n_dirty] = cell
            w.n_dirty += 1


@kernel
def empty_full_pools(w):
    """Begin the slots afresh when half of a pool, or of the slots, is used up."""
    full = 2 * w.used_ints > INTS or 2 * w.used_floats > FLOATS or 2 * w.used_counts > COUNTS
    if full or 2 * w.used_masks > MASKS or 2 * (w.n_slots - w.n_spare) > SLOTS:
        forget_components(w)


@kernel
def renew(w):
    """Make the components of everything that has changed.

    Cells that their reduction forces become pending.
    """
    empty_full_pools(w)
    w.stamp += 1
    first = w.stamp
    while w.n_dirty and w.status == FINE:
        w.n_dirty -= 1
        number = np.int64(w.dirty[w.n_dirty])
        w.changed[number] = CLEAN
        if w.free[number] == 0 or w.number_mark[number] >= first:
            continue
        gather_component(w, number)
        reduce_constraints(w)
        if w.status != FINE:
            return
        for group in range(w.n_group):
            if not w.group_done[group]:
                cons = connected_constraints(w, np.int64(group))
                slot = store_component(w, order_groups(w, cons), cons)
                if w.status == FINE:
                    count_component(w, slot)
                if w.status != FINE:
                    return


@kernel
def count_component(w, slot):
    """Count the component of a new slot from its placements."""
    w.listed[slot], w.at_mined[slot] = 0, -1
    list_placements(w, slot)
    if w.status == FINE:
        sum_by_mines(w, slot)
    if w.status == FINE:
        scale_totals(w, slot)


@kernel
def forced_group(w, slot, group):
    """Return 0 if a slot says that a group is safe, 1 if all mines, else -1."""
    if w.full[slot] & bit(group):
        return 1
    return -1 if w.some[slot] & bit(group) else 0


@kernel
def add_pending(w, cell, mine):
    """Add a forced cell to those that are decided once all forced cells are known."""
    w.pending[w.n_pending] = cell
    w.pending_mine[cell] = mine
    w.n_pending += 1


@kernel
def add_forced_cells(w):
    """Make all cells pending that are forced in slots."""
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        groups = w.groups[slot]
        start = w.at_cell[slot]
        for group in range(groups):
            mine = forced_group(w, slot, np.int64(group))
            if mine >= 0:
                for place in range(w.ints[start + group], w.ints[start + group + 1]):
                    add_pending(w, np.int64(w.ints[start + groups + 1 + place]), mine)


@kernel
def add_forced_sea(w):
    """Make the cells of the sea pending if they are all safe or all mines."""
    if w.sea and (w.sea_mined == 0 or w.sea_clear == 0):
        mine = 1 if w.sea_clear == 0 else 0
        for cell in range(w.cells):
            if w.sym[cell] == COVERED and w.touch[cell] == 0:
                add_pending(w, np.int64(cell), mine)


@kernel
def deduce(w):
    """Decide all forced cells.

    They are in ``found``, with 1 in ``beyond`` where it took more than single numbers.
    """
    w.n_found = 0
    apply_single_points(w)
    if w.status == FINE:
        deduce_by_components(w)


@kernel
def deduce_by_components(w):
    """Decide the forced cells that single numbers leave, and add them to ``found``."""
    w.n_pending, w.pending_mines = 0, 0
    renew(w)
    if w.status != FINE:
        return
    collect_components(w)
    if is_total_slack(w):
        add_forced_cells(w)
    else:
        rate(w)
        if w.status != FINE:
            return
        add_forced_cells(w)
        add_forced_sea(w)
    for at in range(w.n_pending):
        cell = np.int64(w.pending[at])
        decide_cell(w, cell, np.int64(w.pending_mine[cell]))
        w.found[w.n_found] = cell
        w.n_found += 1
        w.beyond[cell] = 1
    w.n_pending, w.pending_mines = 0, 0


@kernel
def set_table(w, nb):
    """Set the board of all positions that follow.

    ``nb`` is int32, shape (cells, degree): the neighbours of each cell, -1 where there is no more.
    """
    w.cells, w.degree = nb.shape
    end = 0
    for cell in range(w.cells):
        w.nb_at[cell] = end
        for place in range(w.degree):
            if nb[cell, place] < 0:
                break
            w.nb[end] = nb[cell, place]
            end += 1
    w.nb_at[w.cells] = end


@kernel
def set_position(w, symbols, mines):
    """Set the position given by its symbols.

    ``symbols`` is int8, shape (cells,): numbers, ``COVERED``, ``MINE`` for a known one, or ``SAFE`` for an open cell
    without a number; ``mines`` counts all mines of the board.
    """
    reset_board(w, np.int64(symbols.shape[0]), mines)
    for cell in range(w.cells):
        if symbols[cell] == MINE or symbols[cell] == SAFE:
            decide_cell(w, np.int64(cell), np.int64(symbols[cell] == MINE))
    for cell in range(w.cells):
        if symbols[cell] >= 0:
            show_number(w, np.int64(cell), np.int64(symbols[cell]))


@kernel
def take_position(w, nb, symbols, mines):
    """Set a position and decide all forced cells.

    ``nb`` is as for ``set_table``, ``symbols`` and ``mines`` as for ``set_position``.
    """
    set_table(w, nb)
    set_position(w, symbols, mines)
    deduce(w)


@kernel
def find_components(w, symbols, mines):
    """Set a position and make its components.

    Cells that single numbers decide are decided, others that are forced by the rules are pending.
    """
    set_position(w, symbols, mines)
    apply_single_points(w)
    if w.status == FINE:
        renew(w)


@kernel
def rate_cells(w, symbols, risks):
    """Write the risk of every covered cell, NaN for the others, if the status is fine."""
    collect_components(w)
    rate(w)
    if w.status != FINE:
        return
    for cell in range(w.cells):
        if symbols[cell] != COVERED:
            risks[cell] = np.nan
        elif w.sym[cell] != COVERED:
            risks[cell] = 1.0 if w.sym[cell] == MINE else 0.0
        else:
            risks[cell] = risk_of(w, np.int64(cell))
    for at in range(w.n_pending):
        risks[w.pending[at]] = w.pending_mine[w.pending[at]]


@exported(NEIGHBOURS, RECORD, Array("i1", 2), Array("i8"), Array("f8", 2), Array("i1"), results=1)
def assess(nb, w, symbols, mines, risks, status):
    """Write the risk of every covered cell, in many positions of one shape.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (positions, cells), as in ``set_position``;
    ``mines`` (int64) and ``status`` (int8) have shape (positions,). ``risks`` (float64, shape (positions, cells)) gets
    the probability of a mine, exactly 0 or 1 in forced cells only, NaN where a cell is not covered; it means nothing
    unless the status is FINE. Returns how many are not.
    """
    set_table(w, nb)
    bad = 0
    for at in range(symbols.shape[0]):
        find_components(w, symbols[at], np.int64(mines[at]))
        if w.status == FINE:
            rate_cells(w, symbols[at], risks[at])
        status[at] = w.status
        bad += w.status != FINE
    return bad


@kernel
def rate_afresh(w):
    """Make and rate all components anew, cell by cell.

    All forced cells are decided. Sums of floats then do not depend on how the position came about.
    """
    if w.status == FINE:
        forget_components(w)
        renew(w)
    if w.status == FINE:
        collect_components(w)
        rate(w)
