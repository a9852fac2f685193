"""One position: forced cells, risk of every cell.

``deduce`` goes from cheap to expensive: single numbers, incrementally; then components around the changes, reduced and
listed; then, where the sea cannot take any rest, the mine total. ``assess`` also gives the risks, of a
position that has no predecessor.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import call, exported, inlined, kernel
from satsweep.kernels.memory import (
    COUNTS,
    COVERED,
    FINE,
    FLOATS,
    INTS,
    MASKS,
    MINE,
    SLOTS,
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
from satsweep.kernels.position.weights import collect_components, is_total_slack, quotient


@kernel
def forget_components(w):
    """Empty all slots; the numbers with undecided cells are dirty, in order."""
    empty_slots(w)
    w.n_dirty = 0
    for cell in range(w.cells):
        w.cell_slot[cell], w.changed[cell] = -1, CLEAN
        if w.sym[cell] >= 0 and w.free[cell]:
            w.changed[cell] = DIRTY
            w.dirty[w.n_dirty] = cell
            w.n_dirty += 1


@inlined
def empty_full_pools(w):
    """Begin the slots afresh when half of a pool, or of the slots, is used up."""
    full = 2 * w.used_ints > INTS or 2 * w.used_floats > FLOATS or 2 * w.used_counts > COUNTS
    if full or 2 * w.used_masks > MASKS or 2 * (w.n_slots - w.n_spare) > SLOTS:
        forget_components(w)


@inlined
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


@inlined
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


@inlined
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
    call(w.at_renew, w)
    if w.status != FINE:
        return
    collect_components(w)
    if is_total_slack(w):
        add_forced_cells(w)
    else:
        call(w.at_rate, w)
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

    ``symbols`` is int8, shape (cells,): numbers, ``COVERED``, or ``MINE`` for a known one; ``mines`` counts all mines
    of the board.
    """
    reset_board(w, np.int64(symbols.shape[0]), mines)
    for cell in range(w.cells):
        if symbols[cell] == MINE:
            decide_cell(w, np.int64(cell), np.int64(1))
    for cell in range(w.cells):
        if symbols[cell] >= 0:
            show_number(w, np.int64(cell), np.int64(symbols[cell]))


@exported
def assess(nb, work, symbols, mines, forced, risks):
    """Write for every covered cell whether it is forced, and its risk.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (cells,), as in ``set_position``. ``forced`` (int8:
    0 safe, 1 mine, -1 not forced or not covered) and ``risks`` (float64: probability of a mine, -1 where not covered)
    have shape (cells,). Returns the status.
    """
    w = work[0]
    set_table(w, nb)
    set_position(w, symbols, mines)
    w.n_found = 0
    apply_single_points(w)
    if w.status == FINE:
        call(w.at_renew, w)
    if w.status == FINE:
        collect_components(w)
        call(w.at_rate, w)
    if w.status != FINE:
        return w.status
    for cell in range(w.cells):
        forced[cell], risks[cell] = -1, -1.0
        if symbols[cell] != COVERED:
            continue
        if w.sym[cell] == COVERED and w.cell_slot[cell] >= 0:
            slot, group = np.int64(w.cell_slot[cell]), np.int64(w.cell_group[cell])
            risks[cell] = w.floats[w.at_risk[slot] + group]
            forced[cell] = forced_group(w, slot, group)
        elif w.sym[cell] == COVERED:
            risks[cell] = quotient(w.sea_mined, w.sea_clear)
            forced[cell] = 0 if w.sea_mined == 0 else 1 if w.sea_clear == 0 else -1
        else:
            forced[cell] = 1 if w.sym[cell] == MINE else 0
            risks[cell] = forced[cell]
    for at in range(w.n_pending):
        cell = w.pending[at]
        forced[cell] = w.pending_mine[cell]
        risks[cell] = forced[cell]
    return w.status


@inlined
def ask_deep(w):
    """Ask the deep player for a guess where all forced cells are decided.

    All components are made anew, cell by cell: sums of floats must not depend on how the position came about.
    """
    forget_components(w)
    call(w.at_renew, w)
    if w.status == FINE:
        collect_components(w)
        call(w.at_rate, w)
    if w.status == FINE:
        call(w.at_deep, w)


@exported
def begin(nb, work, mines):
    """Prepare a board for ``deep``, before its first game.

    A board that is searched from its first cell on becomes one problem for all games. ``nb`` is int32, shape (cells,
    degree).
    """
    w = work[0]
    if w.root:
        set_table(w, nb)
        reset_board(w, w.cells, mines)
        collect_components(w)
        call(w.at_root, w)


@exported
def consult(nb, work, symbols, mines, fresh):
    """Ask the deep player about a position. Returns the status.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (cells,). ``fresh`` says that the position is the
    first of its game. The answer is in the record: ``reply``, ``value``, ``exact``, ``tied``, ``score``.
    """
    w = work[0]
    w.reply, w.value, w.exact, w.n_tied, w.promised = -1, 0.0, 0, 0, 0
    if fresh:
        w.fresh = 1
    set_table(w, nb)
    set_position(w, symbols, mines)
    deduce(w)
    if w.status == FINE:
        ask_deep(w)
    return w.status
