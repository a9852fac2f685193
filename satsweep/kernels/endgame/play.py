"""Play by the results of the endgame search.

Once few worlds are left they are a problem that lasts to the end of the game, and the results of the search last as
long. A board with few layouts in all is one problem for all games, the *root*.

Closed regions, which no number ties to the rest, are not played apart before that: over a million expert games it won
0.013 points more (-0.013 to 0.040), and cost 110 lines.
"""

import numpy as np

from satsweep.kernels.endgame.best import choose
from satsweep.kernels.endgame.few import MINE as MINED, UNLIMITED
from satsweep.kernels.endgame.sets import fitted
from satsweep.kernels.endgame.worlds import find_live, log_worlds, set_problem
from satsweep.kernels.mathematics import log
from satsweep.kernels.memory import CELLS, MINE, Field
from satsweep.kernels.position.weights import collect_components, rate
from satsweep.kernels.toolchain.marks import kernel

ZERO_FIRST = 2
"""Value of ``promised`` if the first cell is a zero; 1 if it is safe."""

_ZERO = np.uint64(0)

FIELDS = (
    Field("root", "i8", (), "1 if the blank board is a problem for all games"),
    Field("seen_mask", "u8", CELLS // 8, "bytes of live cells: ``MINED`` where something is seen"),
    Field("seen_row", "u8", CELLS // 8, "bytes of live cells: what is seen"),
    # The beginning of the last game from a root.
    Field("recalled", "i8", (), "1 if the answer to this beginning is kept"),
    Field("n_begun", "i8", (), "length of ``begun``"),
    Field("begun", "i4", 1 << 16, "worlds that agree with what was seen"),
    Field("begun_mask", "u8", CELLS // 8, "``seen_mask`` of that game"),
    Field("begun_row", "u8", CELLS // 8, "``seen_row`` of that game"),
    Field("begun_reply", "i8", (), "``reply`` of that game, -1 for none"),
    Field("begun_value", "f8", (), "``value`` of that game"),
    Field("begun_exact", "i8", (), "``exact`` of that game"),
    Field("begun_promised", "i8", (), "``promised`` of that game"),
)
"""Fields of the working record that this module owns."""


@kernel
def pose_root(w, m):
    """Make the blank board a problem for all games."""
    w.n_begun = 0
    collect_components(w)
    rate(w)
    find_live(w)
    w.root = 1 if set_problem(w, fitted(m, w.n_live), np.int64(m.weight.shape[0])) else 0


@kernel
def keep_agreeing_worlds(w, m):
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
    whole = w.root and w.held_worlds == w.held_all
    if whole and recall_opening(w, m):
        return
    kept = np.int64(0)
    for at in range(w.held_worlds):
        world = np.int64(at) if whole else np.int64(m.chosen[at])
        unlike = _ZERO
        for word in range(words):
            unlike |= (m.row[world, word] ^ w.seen_row[word]) & w.seen_mask[word]
        m.chosen[kept] = world
        kept += np.int64(unlike == _ZERO)
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
    """Keep how a game began, and the worlds that agree with it, for its answer."""
    w.n_begun, w.begun_reply, w.begun_promised = w.held_worlds, -1, w.promised
    for word in range(m.row.shape[1]):
        w.begun_mask[word], w.begun_row[word] = w.seen_mask[word], w.seen_row[word]
    for at in range(w.n_begun):
        w.begun[at] = m.chosen[at]


@kernel
def finish(w, room):
    """Find the best cell, in ``reply``, and its ``value``, if few worlds are left.

    Or if the board is solved from the root. Needs ``weigh_totals``.
    """
    w.recalled = 0
    if w.fresh:
        w.fresh, w.held = 0, w.root
        if w.root:
            w.held_worlds = w.held_all
    if not w.held:
        if log_worlds(w) > log(w.param.worlds) + 1e-6:
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
    budget = UNLIMITED if w.root else np.int64(w.param.nodes)
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
    """Count the worlds that are left if a cell is promised to be safe."""
    safe = np.int64(0)
    for world in range(worlds):
        if m.code[world, cell] != MINED:
            safe += 1
    return safe
