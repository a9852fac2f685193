"""A position: what is forced, and how risky everything else is.

``deduce`` goes from cheap to dear: single numbers, incrementally; then components around what has changed, reduced and
listed (or eliminated); then, where the sea cannot take up whatever they hold, the mine total. ``assess`` gives the
risks, too, of a position that comes out of the blue.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import call, exported, inlined, kernel
from satsweep.kernels.memory import (
    COUNTS,
    COVERED,
    ELIMINATION,
    EMPTY,
    FINE,
    FLOATS,
    INTS,
    LIST,
    MASKS,
    MINE,
    SLOTS,
    WIDE,
    bit,
)
from satsweep.kernels.position.board import clear, decide, forget, show, single
from satsweep.kernels.position.components import arrange, connect, gather, reduce, store
from satsweep.kernels.position.elimination import count_by_elimination, last_states, weigh_last
from satsweep.kernels.position.listing import list_placements, scale, sum_up
from satsweep.kernels.position.weights import collect, is_slack, quotient


@inlined
def make_room(w):
    """Begin the slots afresh when half of a pool, or of the slots, is used up."""
    full = 2 * w.used_ints > INTS or 2 * w.used_floats > FLOATS or 2 * w.used_counts > COUNTS
    if full or 2 * w.used_masks > MASKS or 2 * (w.n_slots - w.n_spare) > SLOTS:
        forget(w)
        for cell in range(w.cells):
            w.cell_slot[cell] = -1
            if w.sym[cell] >= 0 and w.free[cell] and not w.is_dirty[cell]:
                w.is_dirty[cell] = 1
                w.dirty[w.n_dirty] = cell
                w.n_dirty += 1


@inlined
def renew(w):
    """Make the components of all that has changed, and what they force wait as pending."""
    make_room(w)
    w.stamp += 1
    while w.n_dirty and w.status == FINE:
        w.n_dirty -= 1
        number = np.int64(w.dirty[w.n_dirty])
        w.is_dirty[number] = 0
        if w.free[number] == 0 or w.number_mark[number] == w.stamp:
            continue
        gather(w, number)
        reduce(w)
        if w.status != FINE:
            return
        for group in range(w.n_group):
            if not w.group_done[group]:
                cons = connect(w, np.int64(group))
                slot = store(w, arrange(w, cons), cons)
                if w.status == FINE:
                    fill(w, slot)
                if w.status != FINE:
                    return


@inlined
def fill(w, slot):
    """Count the component of a new slot, by listing or elimination."""
    w.kind[slot], w.at_mined[slot] = EMPTY, -1
    if list_placements(w, slot):
        if w.status == FINE:
            sum_up(w, slot)
            scale(w, slot)
        return
    if not count_by_elimination(w, slot):
        return
    w.kind[slot] = ELIMINATION
    state, end = last_states(w)
    at, span, total = w.key_at[state], w.key_high[state] - w.key_low[state] + 1, w.used_floats
    if total + 2 * span + w.groups[slot] > FLOATS:
        w.status = WIDE
        return
    w.low[slot], w.high[slot], w.at_total[slot] = w.key_low[state], w.key_high[state], total
    for more in range(span):
        w.floats[total + more] = w.forward[at + more]
    scale(w, slot)
    weigh_last(w, np.int64(0), np.int64(-1))
    call(w.at_backward, w)
    for group in range(w.groups[slot]):
        # Risks that the total does not know of: all that is needed of them is which are 0 or 1.
        w.floats[w.at_risk[slot] + group] = quotient(w.mined[group], w.clear[group])


@kernel
def forced_group(w, slot, group):
    """0 if a group is safe, 1 if it holds only mines, else -1, as far as its slot knows."""
    if w.kind[slot] == LIST:
        if w.full[slot] & bit(group):
            return 1
        return -1 if w.some[slot] & bit(group) else 0
    risk = w.floats[w.at_risk[slot] + group]
    return 0 if risk == 0 else 1 if risk == 1 else -1


@kernel
def wait(w, cell, mine):
    """A cell is forced; it is decided when all forced cells are known."""
    w.pending[w.n_pending] = cell
    w.pending_mine[cell] = mine
    w.n_pending += 1


@kernel
def take_forced(w):
    """All cells that are forced in slots wait."""
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        groups = w.groups[slot]
        start = w.at_cell[slot]
        for group in range(groups):
            mine = forced_group(w, slot, np.int64(group))
            if mine >= 0:
                for place in range(w.ints[start + group], w.ints[start + group + 1]):
                    wait(w, np.int64(w.ints[start + groups + 1 + place]), mine)


@inlined
def take_sea(w):
    """The cells of the sea wait, if they are all safe or all mines."""
    if w.sea and (w.sea_mined == 0 or w.sea_clear == 0):
        mine = 1 if w.sea_clear == 0 else 0
        for cell in range(w.cells):
            if w.sym[cell] == COVERED and w.touch[cell] == 0:
                wait(w, np.int64(cell), mine)


@kernel
def deduce(w):
    """Decide all forced cells: those in ``found``, with 1 in ``beyond`` where it took more than single numbers."""
    w.n_found = 0
    single(w)
    if w.status == FINE:
        deduce_more(w)


@kernel
def deduce_more(w):
    """Decide the cells that are forced, once single numbers have said all that they can; they are found as well."""
    w.n_pending, w.pending_mines = 0, 0
    call(w.at_renew, w)
    if w.status != FINE:
        return
    collect(w)
    if is_slack(w):
        take_forced(w)
    else:
        call(w.at_rate, w)
        if w.status != FINE:
            return
        take_forced(w)
        take_sea(w)
    for at in range(w.n_pending):
        cell = np.int64(w.pending[at])
        decide(w, cell, np.int64(w.pending_mine[cell]))
        w.found[w.n_found] = cell
        w.n_found += 1
        w.beyond[cell] = 1
    w.n_pending, w.pending_mines = 0, 0


@kernel
def set_table(w, nb):
    """The board of all positions that follow: which cells touch."""
    w.cells, w.degree = nb.shape
    for cell in range(w.cells):
        for place in range(w.degree):
            w.nb[cell * w.degree + place] = nb[cell, place]


@kernel
def set_up(w, symbols, mines):
    """A position from its symbols: numbers, COVERED, or MINE for a known one; ``mines`` are all on the board."""
    clear(w, np.int64(symbols.shape[0]), mines)
    for cell in range(w.cells):
        if symbols[cell] == MINE:
            decide(w, np.int64(cell), np.int64(1))
    for cell in range(w.cells):
        if symbols[cell] >= 0:
            show(w, np.int64(cell), np.int64(symbols[cell]))


@exported
def assess(nb, work, symbols, mines, forced, risks):
    """The status of a position; for every covered cell whether it is forced (0 safe, 1 mine, else -1) and its risk."""
    w = work[0]
    set_table(w, nb)
    set_up(w, symbols, mines)
    w.n_found = 0
    single(w)
    if w.status == FINE:
        call(w.at_renew, w)
    if w.status == FINE:
        collect(w)
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


@exported
def foresee(nb, work, symbols, mines, cell, shown, least, following):
    """What opening a cell of a position can lead to, if it is safe: see ``ahead``. Returns the status.

    By the number that the cell would show: its share of the worlds in which it is safe, and the least two risks then,
    of cells that are not forced already.
    """
    w = work[0]
    set_table(w, nb)
    set_up(w, symbols, mines)
    deduce(w)
    if w.status == FINE:
        call(w.at_renew, w)
    if w.status == FINE:
        collect(w)
        call(w.at_rate, w)
    if w.status == FINE:
        w.asked = cell
        call(w.at_ahead, w)
    if w.status != FINE:
        return w.status
    known, out_of = 0, 0.0
    for place in range(w.degree):
        other = w.nb[cell * w.degree + place]
        if other < 0:
            break
        if w.sym[other] == MINE:
            known += 1
    for number in range(w.join_most + 1):
        out_of += w.shown[number]
    for number in range(w.join_most + 1):
        shown[known + number] = w.shown[number] / out_of
        least[known + number], following[known + number] = w.least[number], w.next[number]
    return w.status


@inlined
def ponder(w):
    """Ask the deep player about a position in which all that is forced is decided: see ``deep``.

    All components are made anew, cell by cell: sums of floats must not depend on how the position came about.
    """
    forget(w)
    w.n_dirty = 0
    for cell in range(w.cells):
        w.cell_slot[cell], w.is_dirty[cell] = -1, 0
        if w.sym[cell] >= 0 and w.free[cell]:
            w.is_dirty[cell] = 1
            w.dirty[w.n_dirty] = cell
            w.n_dirty += 1
    call(w.at_renew, w)
    if w.status == FINE:
        collect(w)
        call(w.at_rate, w)
    if w.status == FINE:
        call(w.at_deep, w)


@exported
def begin(nb, work, mines):
    """Before deep plays on a board: make it a problem for all games, if it is to be searched from the first cell on."""
    w = work[0]
    if w.root:
        set_table(w, nb)
        clear(w, w.cells, mines)
        collect(w)
        call(w.at_root, w)


@exported
def consult(nb, work, symbols, mines, fresh):
    """Ask the deep player about a position, the first of its game (``fresh``) or a later one. Returns the status."""
    w = work[0]
    w.reply, w.value, w.exact, w.n_tied, w.promised = -1, 0.0, 0, 0, 0
    if fresh:
        w.fresh = 1
    set_table(w, nb)
    set_up(w, symbols, mines)
    deduce(w)
    if w.status == FINE:
        ponder(w)
    return w.status
