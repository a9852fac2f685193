"""All worlds of a position, once they are few, as a problem for the endgame search; and play by its answers.

A world is a placement of every component and the rest of the mines in the sea. All components must be listed. A world
is a row: what every undecided cell shows in it, so the position after any move is the rows that agree with what is
seen, and a problem lasts to the end of a game: what the search has found out is kept, too. A board with few layouts in
all is one problem for all games, the *root*.
"""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from satsweep.kernels.compiled import call, inlined, kernel
from satsweep.kernels.endgame import choose
from satsweep.kernels.endgame_few import MINE as MINED
from satsweep.kernels.endgame_sets import fitted, prepare
from satsweep.kernels.weights import collect
from satsweep.kernels.work import BUDGET, COVERED, LIST, MINE, WORLDS

ZERO_FIRST = 2
"""What ``player`` promises: ``promised`` is 1 if the first cell is safe, 2 if it is a zero."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def log_choose(cells, mines):
    """The logarithm of a binomial."""
    return lgamma(cells + 1.0) - lgamma(mines + 1.0) - lgamma(cells - mines + 1.0)


@kernel
def log_worlds(w):
    """The logarithm of the number of worlds, nearly. Needs ``weigh``."""
    most, spread = w.left - w.low_sum, w.high_sum - w.low_sum
    first, last = max(np.int64(0), most - w.sea), min(spread, most)
    top = min(max(most - w.sea // 2, first), last)
    logs = log(w.after[0]) + log_choose(w.sea, most - top)
    for at in range(w.n_act):
        logs += w.bits[w.act[at]] * log(2.0)
    return logs


@inlined
def find_live(w):
    """The undecided cells, and those of them that each touches."""
    live = np.int64(0)
    for cell in range(w.cells):
        w.live_at[cell] = -1
        if w.sym[cell] == COVERED:
            w.live_at[cell] = live
            w.live[live] = cell
            live += 1
    w.n_live = live


@inlined
def write_scopes(w, m):
    """What each number sees, of cells and outside. Returns how many there are."""
    scopes = np.int64(0)
    for cell in range(w.cells):
        inside = w.live_at[cell] >= 0
        if not inside and (w.sym[cell] < 0 or w.free[cell] == 0):
            continue
        if scopes == m.scope.shape[0]:
            return np.int64(0)
        m.owner[scopes] = w.live_at[cell]
        for word in range(m.scope.shape[1]):
            m.scope[scopes, word] = _ZERO
        if inside:
            m.scope[scopes, w.live_at[cell] >> 6] |= _ONE << np.uint64(w.live_at[cell] & 63)
        for place in range(w.degree):
            other = np.int64(w.nb[cell * w.degree + place])
            if other < 0:
                break
            if w.live_at[other] >= 0:
                m.scope[scopes, w.live_at[other] >> 6] |= _ONE << np.uint64(w.live_at[other] & 63)
        scopes += 1
    return scopes


@inlined
def add_unit(w, units, flat, mines, base):
    """So many mines in the cells ``base`` to ``flat`` of the list: a unit, unless that settles them."""
    cells = flat - base
    if mines == 0 or mines == cells:
        for at in range(base, flat):
            w.live_row[w.unit_cell[at]] = MINED if mines else 0
        return units, base
    w.unit_first[units], w.unit_size[units], w.unit_mines[units] = base, cells, mines
    for at in range(mines):
        w.unit_pick[base + at] = at
    return units + 1, flat


@inlined
def next_choice(w, units):
    """Go on to the next choice of cells for all units. Whether there is one."""
    for unit in range(units - 1, -1, -1):
        first, cells, mines = w.unit_first[unit], w.unit_size[unit], w.unit_mines[unit]
        at = mines - 1
        while at >= 0 and w.unit_pick[first + at] == cells - mines + at:
            at -= 1
        if at >= 0:
            w.unit_pick[first + at] += 1
            for later in range(at + 1, mines):
                w.unit_pick[first + later] = w.unit_pick[first + later - 1] + 1
            return True
        for later in range(mines):
            w.unit_pick[first + later] = later
    return False


@kernel
def write_worlds(w, m, worlds, limit, sea_mines):
    """The worlds of the placements that are picked, as mines. Returns how many there are then; -1 if too many."""
    units, flat = np.int64(0), np.int64(0)
    for at in range(w.n_act):
        slot = w.act[at]
        groups = w.groups[slot]
        row, start = w.at_count[slot] + w.picked[at] * groups, w.at_cell[slot]
        for group in range(groups):
            base = flat
            for place in range(w.ints[start + group], w.ints[start + group + 1]):
                w.unit_cell[flat] = w.live_at[w.ints[start + groups + 1 + place]]
                flat += 1
            units, flat = add_unit(w, units, flat, np.int64(w.counts[row + group]), base)
    base = flat
    for at in range(w.n_live):
        if w.cell_slot[w.live[at]] < 0:
            w.unit_cell[flat] = at
            flat += 1
    units, flat = add_unit(w, units, flat, sea_mines, base)
    while True:
        if worlds == limit:
            return np.int64(-1)
        for at in range(w.n_live):
            m.code[worlds, at] = w.live_row[at]
        for unit in range(units):
            first = w.unit_first[unit]
            for at in range(first, first + w.unit_size[unit]):
                m.code[worlds, w.unit_cell[at]] = 0
            for at in range(w.unit_mines[unit]):
                m.code[worlds, w.unit_cell[first + w.unit_pick[first + at]]] = MINED
        worlds += 1
        if not next_choice(w, units):
            return worlds


@inlined
def list_worlds(w, m, limit):
    """All worlds, as mines. Returns how many there are; -1 if too many, or if a component is not listed."""
    for at in range(w.n_act):
        if w.kind[w.act[at]] != LIST:
            return np.int64(-1)
    size = w.high_sum - w.low_sum + 1
    worlds, depth = np.int64(0), np.int64(0)
    w.picked[0], w.above[0] = -1, 0
    while depth >= 0:
        if depth == w.n_act:
            worlds = write_worlds(w, m, worlds, limit, w.left - w.low_sum - w.above[depth])
            if worlds < 0:
                return worlds
            depth -= 1
            continue
        slot = w.act[depth]
        w.picked[depth] += 1
        if w.picked[depth] == w.listed[slot]:
            depth -= 1
            continue
        mines = w.ints[w.at_mines[slot] + w.picked[depth]] - w.low[slot]
        w.above[depth + 1] = w.above[depth] + mines
        if w.after[(depth + 1) * size + w.above[depth + 1]] > 0:
            depth += 1
            w.picked[depth] = -1
    return worlds


@kernel
def write_numbers(w, m, worlds):
    """What each cell shows that is no mine."""
    for at in range(w.n_live):
        cell, outside, touched = w.live[at], 0, 0
        for place in range(w.degree):
            other = np.int64(w.nb[cell * w.degree + place])
            if other < 0:
                break
            if w.sym[other] == MINE:
                outside += 1
            elif w.live_at[other] >= 0:
                w.unit_cell[touched] = w.live_at[other]
                touched += 1
        for world in range(worlds):
            if m.code[world, at] != MINED:
                mines = outside
                for place in range(touched):
                    if m.code[world, w.unit_cell[place]] == MINED:
                        mines += 1
                m.code[world, at] = mines


@kernel
def pose(w, m, limit):
    """Make the position a problem. Whether it is one, of at most so many worlds.

    Needs ``find_live``, and a room that is fitted to the cells that it finds.
    """
    if w.n_live > m.region.shape[0] - 1 or limit > m.weight.shape[0]:
        return False
    worlds = list_worlds(w, m, limit)
    if worlds <= 0:
        return False
    write_numbers(w, m, worlds)
    for world in range(worlds):
        m.weight[world] = 1
        m.chosen[world] = world
    prepare(m, worlds, w.n_live, write_scopes(w, m))
    w.held, w.held_worlds, w.held_all = 1, worlds, worlds
    return True


@inlined
def pose_root(w, m):
    """Make the blank board a problem for all games."""
    w.root_cell = -1
    collect(w)
    call(w.at_rate, w)
    find_live(w)
    w.root = 1 if pose(w, fitted(m, w.n_live), np.int64(m.weight.shape[0])) else 0


@inlined
def agree(w, m):
    """Keep the worlds of the problem that agree with what is seen."""
    words = m.row.shape[1]
    for word in range(words):
        w.seen_mask[word], w.seen_row[word] = _ZERO, _ZERO
    for place in range(w.n_live):
        shown = w.sym[w.live[place]]
        if shown >= 0 or shown == MINE:
            shift = np.uint64(8 * (place & 7))
            w.seen_mask[place >> 3] |= np.uint64(MINED) << shift
            w.seen_row[place >> 3] |= (np.uint64(shown) if shown >= 0 else np.uint64(MINED)) << shift
    kept = np.int64(0)
    for at in range(w.held_worlds):
        world = m.chosen[at]
        unlike = _ZERO
        for word in range(words):
            unlike |= (m.row[world, word] ^ w.seen_row[word]) & w.seen_mask[word]
        m.chosen[kept] = world
        kept += np.int64(unlike == _ZERO)
    w.held_worlds = kept


@inlined
def finish(w, room):
    """If few worlds are left, or the board is solved from the root: the best cell, in ``reply``, and its ``value``.

    Needs ``weigh``.
    """
    if w.fresh:
        w.fresh, w.held = 0, w.root
        if w.root:
            w.held_worlds = w.held_all
            for world in range(w.held_all):
                room.chosen[world] = world
    if not w.held:
        if log_worlds(w) > log(w.param[WORLDS]) + 1e-6:
            return
        find_live(w)
        if w.n_live > room.region.shape[0] - 1:
            return
    m = fitted(room, w.n_live)
    if w.held:
        agree(w, m)
    elif not pose(w, m, np.int64(w.param[WORLDS])):
        return
    start = w.root and w.held_worlds == w.held_all
    if start and w.root_cell >= 0:
        w.reply, w.value, w.exact = w.root_cell, w.root_value, w.root_exact
        return
    if start and w.promised == ZERO_FIRST:
        cell, low, high, worlds = best_zero(w, m)
    else:
        cell, low, high = choose(m, w.held_worlds, np.int64(w.param[BUDGET]))
        worlds = np.int64(w.held_worlds)
        if start and w.promised and cell >= 0:
            worlds = safe_worlds(m, worlds, cell)
    if cell >= 0:
        w.reply, w.value, w.exact = w.live[cell], low / worlds, 1 if low == high else 0
        if start:
            w.root_cell, w.root_value, w.root_exact = w.reply, w.value, w.exact


@kernel
def safe_worlds(m, worlds, cell):
    """How many worlds are left if a cell is promised to be safe."""
    safe = np.int64(0)
    for world in range(worlds):
        if m.code[world, cell] != MINED:
            safe += 1
    return safe


@kernel
def best_zero(w, m):
    """The cell that is best to begin with if it is promised to be a zero; bounds on what is won; of how many worlds."""
    best, most, least, among = np.int64(-1), np.int64(0), np.int64(0), np.int64(1)
    for cell in range(w.n_live):
        zeros = np.int64(0)
        for world in range(w.held_all):
            if m.code[world, cell] == 0:
                m.chosen[zeros] = world
                zeros += 1
        if zeros == 0:
            continue
        _, low, high = choose(m, zeros, np.int64(w.param[BUDGET]))
        if best < 0 or low * among > least * zeros:
            best, least, most, among = np.int64(cell), low, high, zeros
    for world in range(w.held_all):
        m.chosen[world] = world
    return best, least, most, among
