"""The end of a game as one problem: its worlds, and play by the search.

Once few worlds are left they are a problem that lasts to the end of the game, and the results of the search last as
long. A board with few layouts in all is one problem for all games, the *root*.

A world is a placement of every component with the rest of the mines in the sea. All components must be listed. A world
is a row: what every undecided cell shows in it, so the position after any move is the rows that agree with what is
seen.

Closed regions, which no number ties to the rest, are not played apart before that: over a million expert games it won
0.013 points more (-0.013 to 0.040), and cost 110 lines.
"""

import numpy as np

from satsweep.kernels.endgame.few import MINE as MINED
from satsweep.kernels.endgame.search import choose
from satsweep.kernels.endgame.sets import fitted, forget, prepare
from satsweep.kernels.position.weights import collect_components, rate, row_of_totals
from satsweep.kernels.shared.mathematics import ONE, ZERO, log, log_factorial
from satsweep.kernels.shared.memory import CELLS, COVERED, MINE, SLOTS, Field
from satsweep.kernels.toolchain.marks import kernel

ROOT = 60_000
"""Most layouts of a board that is searched from its first cell on."""
ROOT_NODES = 25_000_000
"""Most sets of worlds of a root that are searched, some ten seconds.

Of 207 boards of all named topologies that have 15,000 to 60,000 layouts two took more, knights on 2x12 with 5 mines
and on 2x16 with 4. The third took 22,026,462, and squares at most 11,755,406 (3x7 with 6), which takes 10,760,765 since
parts of more than 16 worlds have the bound of their best cell.
"""
ZERO_FIRST = 2
"""Value of ``promised`` if the first cell is a zero; 1 if it is safe."""

FIELDS = (
    Field("n_live", "i8", (), "length of ``live``"),
    Field("live", "i4", CELLS, "cells of the problem"),
    Field("live_at", "i4", CELLS, "by cell of the board: its place in ``live``, or -1"),
    Field("live_row", "u1", CELLS, "by live cell: ``MINED`` where the placements that are picked settle a mine"),
    Field("picked", "i8", SLOTS + 1, "by component: its placement"),
    Field("above", "i8", SLOTS + 1, "by component: mines of those before above their fewest"),
    Field("unit_cell", "i4", CELLS, "live cells of all units, one unit after the other"),
    Field("unit_pick", "i8", CELLS, "places of the mines within the cells of their unit, from ``unit_first`` on"),
    Field("unit_first", "i8", CELLS, "by unit: its first place"),
    Field("unit_size", "i8", CELLS, "by unit: its cells"),
    Field("unit_mines", "i8", CELLS, "by unit: its mines"),
    Field("held", "i8", (), "1 while there is a problem that lasts to the end of the game"),
    Field("held_worlds", "i8", (), "worlds of the problem that are left"),
    Field("held_all", "i8", (), "worlds of the problem at its beginning"),
    Field("root", "i8", (), "1 if the blank board is a problem for all games"),
    Field("root_searched", "i8", (), "1 once the search from the blank board is known to end within its limit"),
    Field("seen_mask", "u8", CELLS // 8, "bytes of live cells: ``MINED`` where something is seen"),
    Field("seen_row", "u8", CELLS // 8, "bytes of live cells: what is seen"),
    # The beginning of the last game from a root.
    Field("recalled", "i8", (), "1 if the answer to this beginning is kept"),
    Field("n_begun", "i8", (), "length of ``begun``"),
    Field("begun", "i4", ROOT, "worlds that agree with what was seen"),
    Field("begun_mask", "u8", CELLS // 8, "``seen_mask`` of that game"),
    Field("begun_row", "u8", CELLS // 8, "``seen_row`` of that game"),
    Field("begun_reply", "i8", (), "``reply`` of that game, -1 for none"),
    Field("begun_value", "f8", (), "``value`` of that game"),
    Field("begun_exact", "i8", (), "``exact`` of that game"),
    Field("begun_promised", "i8", (), "``promised`` of that game"),
)


@kernel
def log_binomial(cells, mines):
    return log_factorial(cells) - log_factorial(mines) - log_factorial(cells - mines)


@kernel
def log_worlds(w):
    """Return about the logarithm of the number of worlds. Needs ``weigh_totals``."""
    most, spread = w.left - w.low_sum, w.high_sum - w.low_sum
    first, last = max(np.int64(0), most - w.sea), min(spread, most)
    top = min(max(most - w.sea // 2, first), last)
    logs = log(w.after[0]) + log_binomial(w.sea, most - top)
    for at in range(w.n_act):
        logs += w.bits[w.act[at]] * log(2.0)
    return logs


@kernel
def find_live(w):
    live = np.int64(0)
    for cell in range(w.cells):
        w.live_at[cell] = -1
        if w.sym[cell] == COVERED:
            w.live_at[cell] = live
            w.live[live] = cell
            live += 1
    w.n_live = live


@kernel
def write_scopes(w, m):
    """Write the cells that each number sees, inside and outside. Returns how many."""
    scopes = np.int64(0)
    for cell in range(w.cells):
        inside = w.live_at[cell] >= 0
        if not inside and (w.sym[cell] < 0 or w.covered[cell] == 0):
            continue
        if scopes == m.scope.shape[0]:
            return np.int64(0)
        m.owner[scopes] = w.live_at[cell]
        for word in range(m.scope.shape[1]):
            m.scope[scopes, word] = ZERO
        if inside:
            m.scope[scopes, w.live_at[cell] >> 6] |= ONE << np.uint64(w.live_at[cell] & 63)
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            other = np.int64(w.nb[place])
            if w.live_at[other] >= 0:
                m.scope[scopes, w.live_at[other] >> 6] |= ONE << np.uint64(w.live_at[other] & 63)
        scopes += 1
    return scopes


@kernel
def add_unit(w, units, flat, mines, base):
    """Add ``mines`` mines in the cells ``base`` to ``flat`` of the list as a unit.

    A unit is a set of cells that hold a fixed number of mines in any arrangement. If all or none of the cells are mines
    they are settled, and there is no unit. Returns the number of units and the end of the list.
    """
    cells = flat - base
    if mines == 0 or mines == cells:
        for at in range(base, flat):
            w.live_row[w.unit_cell[at]] = MINED if mines else 0
        return units, base
    w.unit_first[units], w.unit_size[units], w.unit_mines[units] = base, cells, mines
    for at in range(mines):
        w.unit_pick[base + at] = at
    return units + 1, flat


@kernel
def next_choice(w, units):
    """Go on to the next choice of cells for all units. Returns whether there is one."""
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
    """Write the worlds of the picked placements, as mines. Returns their end, or -1."""
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


@kernel
def list_worlds(w, m, limit):
    """List all worlds, as mines. Returns how many; -1 if too many."""
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
        if w.after[row_of_totals(w, depth + 1) + w.above[depth + 1]] > 0:
            depth += 1
            w.picked[depth] = -1
    return worlds


@kernel
def write_numbers(w, m, worlds):
    for at in range(w.n_live):
        cell, outside, touched = w.live[at], 0, 0
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            other = np.int64(w.nb[place])
            if w.sym[other] == MINE:
                outside += 1
            elif w.live_at[other] >= 0:
                w.unit_cell[touched] = w.live_at[other]
                touched += 1
        for world in range(worlds):
            mines = outside
            for place in range(touched):
                mines += m.code[world, w.unit_cell[place]] == MINED
            m.code[world, at] = MINED if m.code[world, at] == MINED else mines


@kernel
def set_problem(w, m, limit):
    """Needs ``find_live``, a room fitted to it. Returns whether there is a problem."""
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


@kernel
def pose_root(w, m):
    w.n_begun, w.root_searched = 0, 0
    collect_components(w)
    rate(w)
    find_live(w)
    w.root = 1 if set_problem(w, fitted(m, w.n_live), np.int64(m.weight.shape[0])) else 0


@kernel
def search_root(w, m):
    """Search from the blank board once, and make it no root where that takes too long.

    Answers to a position are therefore the same after any other questions. Results are kept for the blank board alone,
    as they decide between equally good cells.
    """
    for world in range(w.held_all):
        m.chosen[world] = world
    _, low, high = choose(m, np.int64(w.held_all), np.int64(ROOT_NODES))
    if low < high:
        w.root, w.held = 0, 0
    elif w.sea < w.cells:
        forget(m)
    w.root_searched = 1


@kernel
def keep_agreeing_worlds(w, m):
    words = m.row.shape[1]
    for word in range(words):
        w.seen_mask[word], w.seen_row[word] = ZERO, ZERO
    for place in range(w.n_live):
        shown = w.sym[w.live[place]]
        if shown >= 0 or shown == MINE:
            shift = np.uint64(8 * (place & 7))
            w.seen_mask[place >> 3] |= np.uint64(MINED) << shift
            w.seen_row[place >> 3] |= (np.uint64(shown) if shown >= 0 else np.uint64(MINED)) << shift
    whole = w.root and w.held_worlds == w.held_all
    if whole and recall_opening(w, m):
        return
    kept = np.int64(0)
    for at in range(w.held_worlds):
        world = np.int64(at) if whole else np.int64(m.chosen[at])
        unlike = ZERO
        for word in range(words):
            unlike |= (m.row[world, word] ^ w.seen_row[word]) & w.seen_mask[word]
        m.chosen[kept] = world
        kept += np.int64(unlike == ZERO)
    w.held_worlds = kept
    if whole:
        remember_opening(w, m)
        w.recalled = 1


@kernel
def recall_opening(w, m):
    """Return whether a game from a root begins like the one before; then its worlds."""
    if w.n_begun == 0 or w.begun_promised != w.promised:
        return False
    for word in range(m.row.shape[1]):
        if w.begun_mask[word] != w.seen_mask[word] or w.begun_row[word] != w.seen_row[word]:
            return False
    for at in range(w.n_begun):
        m.chosen[at] = w.begun[at]
    w.held_worlds, w.recalled = w.n_begun, 1
    return True


@kernel
def remember_opening(w, m):
    w.n_begun, w.begun_reply, w.begun_promised = w.held_worlds, -1, w.promised
    for word in range(m.row.shape[1]):
        w.begun_mask[word], w.begun_row[word] = w.seen_mask[word], w.seen_row[word]
    for at in range(w.n_begun):
        w.begun[at] = m.chosen[at]


@kernel
def finish(w, room):
    """Search exactly, if few worlds are left or from the root. Needs ``weigh_totals``."""
    w.recalled = 0
    if w.root and not w.root_searched:
        search_root(w, fitted(room, w.n_live))
    if w.fresh:
        w.fresh, w.held = 0, w.root
        if w.root:
            w.held_worlds = w.held_all
    if not w.held:
        if w.param.worlds <= 0 or log_worlds(w) > log(w.param.worlds) + 1e-6:
            return
        find_live(w)
        if w.n_live > room.region.shape[0] - 1:
            return
    m = fitted(room, w.n_live)
    if w.held:
        keep_agreeing_worlds(w, m)
    elif not set_problem(w, m, np.int64(w.param.worlds)):
        return
    if w.recalled and w.begun_reply >= 0:
        w.reply, w.value, w.exact = w.begun_reply, w.begun_value, w.begun_exact
        return
    start = w.root and w.held_worlds == w.held_all
    budget = np.int64(ROOT_NODES) if w.root else np.int64(w.param.nodes)
    cell, low, high = choose(m, w.held_worlds, budget)
    worlds = np.int64(w.held_worlds)
    if start and w.promised and cell >= 0:
        worlds = count_safe_worlds(m, worlds, cell)
    if cell >= 0:
        w.reply, w.value, w.exact = w.live[cell], low / worlds, 1 if low == high else 0
        if start and w.promised == ZERO_FIRST:
            w.exact = 0  # the value counts worlds in which the cell is safe, not those in which it is a zero
        if w.recalled:
            w.begun_reply, w.begun_value, w.begun_exact = w.reply, w.value, w.exact


@kernel
def count_safe_worlds(m, worlds, cell):
    safe = np.int64(0)
    for world in range(worlds):
        if m.code[world, cell] != MINED:
            safe += 1
    return safe
