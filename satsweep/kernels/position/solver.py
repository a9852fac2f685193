"""One position: forced cells, risk of every cell, exact numbers of placements.

``deduce`` goes from cheap to expensive: single numbers, incrementally; then components around the changes, reduced and
listed; then, where the sea cannot take any rest, the mine total. ``assess`` finds the risks of many positions, each
without a predecessor.

``count_position`` and ``count_one`` count exactly: the components of a position, or one alone. Counting only adds and
multiplies non-negative integers, and doubles hold every integer up to 2**53. The greatest number on the way is a weight
times the mines of a group, at most ``DEGREE`` times the number of all placements of the component. One comparison at
the end therefore shows that every number was exact; a component with more placements is WIDE. Risks take totals
relative to the greatest one (``prepare_totals``); here they stay as they are. No mine total takes part, so the counts
also serve boards with a density, or with nothing known of the mines.
"""

import numpy as np

from satsweep.kernels.position import board, components, entries, listing
from satsweep.kernels.position.weights import collect_components, is_total_slack, rate, risk_of
from satsweep.kernels.shared.mathematics import bit
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE, FINE, HEAD, MINE, NARROW, SAFE, SLOTS, WIDE, Field
from satsweep.kernels.toolchain.calls import RECORD, Array
from satsweep.kernels.toolchain.marks import exported, exported_as, kernel

EXACT = 2.0**53 / DEGREE
"""Number of placements of a component from which on counts may be rounded."""

FIELDS = (
    Field("degree", "i8", (), "most neighbours of a cell"),
    Field("nb_at", "i4", CELLS + 1, "by cell: where its neighbours begin in ``nb``, and those before end"),
    Field("nb", "i4", CELLS * DEGREE, "neighbours of all cells, one cell after the other"),
    Field(
        "back", "i1", CELLS * DEGREE, "by place in ``nb``: the place of the cell among the neighbours of its neighbour"
    ),
    Field("no_graph", "i8", (), "1 if a neighbour in the table does not lead back just once: the board has none then"),
    Field("stamp", "i8", (), "number of the last pass over the board; it marks what the pass has met"),
    Field("forgotten", "i8", (), "1 if the slots were begun afresh since their pools were copied"),
)


@kernel
def forget_components(w):
    """Empty all slots; the numbers with undecided cells are dirty, in order."""
    board.empty_slots(w)
    w.forgotten = 1
    w.n_dirty = 0
    for cell in range(w.cells):
        w.cell_slot[cell], w.changed[cell] = -1, board.CLEAN
        if w.sym[cell] >= 0 and w.covered[cell]:
            w.changed[cell] = board.DIRTY
            w.dirty[w.n_dirty] = cell
            w.n_dirty += 1


@kernel
def empty_full_pools(w):
    if listing.are_pools_half_full(w) or 2 * (w.n_slots - w.n_spare) > SLOTS:
        forget_components(w)


@kernel
def renew(w):
    """Make the components of all that has changed; forced cells become pending."""
    empty_full_pools(w)
    w.stamp += 1
    first = w.stamp
    while w.n_dirty and w.status == FINE:
        w.n_dirty -= 1
        number = np.int64(w.dirty[w.n_dirty])
        w.changed[number] = board.CLEAN
        if w.covered[number] == 0 or w.number_mark[number] >= first:
            continue
        components.gather_component(w, number)
        components.reduce_constraints(w)
        if w.status != FINE:
            return
        for group in range(w.n_group):
            if not w.group_done[group]:
                cons = components.connected_constraints(w, np.int64(group))
                slot = components.store_component(w, components.order_groups(w, cons), cons)
                if w.status == FINE:
                    listing.list_placements(w, slot)
                if w.status != FINE:
                    return


@kernel
def forced_group(w, slot, group):
    """Return 0 if a slot says that a group is safe, 1 if all mines, else -1."""
    if w.full[slot] & bit(group):
        return 1
    return -1 if w.some[slot] & bit(group) else 0


@kernel
def add_pending(w, cell, mine):
    w.pending[w.n_pending] = cell
    w.pending_mine[cell] = mine
    w.n_pending += 1


@kernel
def add_forced_cells(w):
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
    if w.sea and (w.sea_mined == 0 or w.sea_clear == 0):
        mine = 1 if w.sea_clear == 0 else 0
        for cell in range(w.cells):
            if w.sym[cell] == COVERED and w.numbers[cell] == 0:
                add_pending(w, np.int64(cell), mine)


@kernel
def deduce(w):
    """Decide all forced cells, in ``found``."""
    w.n_found = 0
    board.apply_single_points(w)
    if w.status == FINE:
        deduce_by_components(w, True)


@kernel
def deduce_by_components(w, with_total):
    """Decide the forced cells that single numbers leave, and add them to ``found``.

    The mine total counts or does not.
    """
    w.n_pending, w.pending_mines = 0, 0
    renew(w)
    if w.status != FINE:
        return
    collect_components(w)
    if not with_total or is_total_slack(w):
        add_forced_cells(w)
    else:
        rate(w)
        if w.status != FINE:
            return
        add_forced_cells(w)
        add_forced_sea(w)
    for at in range(w.n_pending):
        cell = np.int64(w.pending[at])
        board.decide_cell(w, cell, np.int64(w.pending_mine[cell]))
        w.found[w.n_found] = cell
        w.n_found += 1
        w.beyond[cell] = 1
    w.n_pending, w.pending_mines = 0, 0


@kernel
def set_table(w, nb):
    """Set the board of all positions that follow.

    Where neighbours are not so in both directions all its positions are WIDE.
    """
    w.cells, w.degree = nb.shape
    w.no_graph = 0
    end, same = 0, True
    for cell in range(w.cells):
        same &= w.nb_at[cell] == end
        w.nb_at[cell] = end
        for place in range(w.degree):
            if nb[cell, place] < 0:
                break
            same &= w.nb[end] == nb[cell, place]
            w.nb[end] = nb[cell, place]
            end += 1
    same &= w.nb_at[w.cells] == end
    w.nb_at[w.cells] = end
    if not same:
        fill_back(w)


@kernel
def fill_back(w):
    """Find the way back from each neighbour.

    It takes longer than to copy a table, and is done once for each. A cell that is its own neighbour, or one of another
    twice, would have bits that nothing clears.
    """
    for cell in range(w.cells):
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            other, ways = np.int64(w.nb[place]), 0
            for back in range(w.nb_at[other], w.nb_at[other + 1]):
                if w.nb[back] == cell:
                    w.back[place] = back - w.nb_at[other]
                    ways += 1
            if ways != 1 or other == cell:
                w.no_graph = 1
    if w.no_graph:
        for cell in range(w.cells + 1):
            w.nb_at[cell] = 0


@kernel
def set_position(w, symbols, mines):
    """Set a position: the symbols of its cells, int8, and the mines of the board.

    Symbols are numbers, ``COVERED``, ``MINE`` for a known one, ``SAFE`` for an open cell without a number.
    """
    board.reset_board(w, np.int64(symbols.shape[0]), mines)
    if w.no_graph:
        return
    for cell in range(w.cells):
        if symbols[cell] == MINE or symbols[cell] == SAFE:
            board.decide_cell(w, np.int64(cell), np.int64(symbols[cell] == MINE))
    for cell in range(w.cells):
        if symbols[cell] >= 0:
            board.show_number(w, np.int64(cell), np.int64(symbols[cell]))


@kernel
def take_position(w, nb, symbols, mines):
    """Set a position and decide all forced cells."""
    set_table(w, nb)
    set_position(w, symbols, mines)
    deduce(w)


@kernel
def find_components(w, symbols, mines):
    """Set a position and make its components; what rules force is decided or pending."""
    set_position(w, symbols, mines)
    board.apply_single_points(w)
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


@exported(
    entries.NEIGHBOURS, RECORD, Array("i1", "positions cells"), Array("i8", "positions"),
    Array("f8", "positions cells", written=True), Array("i1", "positions", written=True), results=1,
)  # fmt: skip
def assess(nb, w, symbols, mines, risks, status):
    """Write the risk of every covered cell, in many positions of one shape.

    ``symbols`` (int8) and ``risks`` (float64) have a row for each position. A risk is exactly 0 or 1 in forced cells
    only, NaN where a cell is not covered; it means nothing unless the status is FINE. Returns how many are not.
    An empty table stands for that of the last call.
    """
    if nb.shape[0]:
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
    """Make all components anew, so that sums of floats do not depend on the past."""
    if w.status == FINE:
        forget_components(w)
        renew(w)
    if w.status == FINE:
        collect_components(w)
        rate(w)


@kernel
def write_counts(w, slot, shape, ways):
    """Write the counts of a slot behind those of others (see ``count_position``)."""
    listing.sum_by_mines(w, slot)
    if w.status == FINE:
        listing.tabulate_mined(w, slot)
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


@kernel
def settle_pending(w):
    """Give the symbols of pending cells; the numbers around them stay as they are."""
    for at in range(w.n_pending):
        cell = w.pending[at]
        w.sym[cell] = MINE if w.pending_mine[cell] else SAFE


@kernel
def write_components(w, cells, used, shape, ways):
    """Write counts and cells of all components; return the cells written so far."""
    for slot in range(w.n_slots):
        if w.listed[slot]:
            write_counts(w, np.int64(slot), shape, ways)
            if w.status != FINE:
                return used
            first = w.at_cell[slot] + w.groups[slot] + 1
            for place in range(first, first + w.ints[first - 1]):
                cells[used] = w.ints[place]
                used += 1
    return used


@exported_as(entries.count_position)
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
    find_components(w, symbols, np.int64(0))
    if w.status != FINE:
        return w.status
    settle_pending(w)
    used = np.int64(0)
    for kind in range(3):
        shape[kind] = -used
        decided = SAFE if kind == 0 else MINE if kind == 1 else COVERED
        for cell in range(w.cells):
            if symbols[cell] == COVERED and w.sym[cell] == decided and (kind < 2 or w.numbers[cell] == 0):
                cells[used] = cell
                used += 1
        shape[kind] += used
    shape[3], shape[4], shape[5] = 0, HEAD, 0
    write_components(w, cells, used, shape, ways)
    return w.status


@exported_as(entries.count_one)
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
    board.empty_slots(w)
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
    met = components.connected_constraints(w, np.int64(0))
    if met < cons or components.order_groups(w, met) < groups:
        return WIDE
    slot = components.store_component(w, groups, cons)
    if w.status == FINE:
        listing.list_placements(w, slot)
    shape[3], shape[4], shape[5] = 0, HEAD, 0
    if w.status == FINE:
        write_counts(w, slot, shape, ways)
    for group in range(groups):
        order[group] = w.order[group]
    return w.status
