"""A step in each of many games, for vector environments; risks of actions.

The games are those of ``satsweep.games.game.Game``, on the same layouts and with the same random choices; numbers are
exact. A batch holds them as arrays with a row for each game. Of the working record only scratch memory is used, and the
table of neighbours.

Most risks need no weights: single numbers say that the cell is safe, or that it is a mine and another cell is safe.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.kernels.games.player import (
    FIRST,
    GIVEN,
    LAYOUTS,
    MINES,
    SAFE_FIRST,
    ZERO_FIRST,
    draw_start,
    keep_promise,
    take_game,
)  # fmt: skip
from satsweep.kernels.games.python_random import KEYS, WORDS, can_seed_four, sample, seed, seed_four
from satsweep.kernels.position.board import apply_single_points
from satsweep.kernels.position.entries import NEIGHBOURS
from satsweep.kernels.position.solver import renew, set_position, set_table
from satsweep.kernels.position.weights import collect_components, least_risk, rate, risk_of
from satsweep.kernels.shared.memory import COVERED, FINE, MINE, SAFE, SAME
from satsweep.kernels.toolchain.calls import INT, RECORD, Array, Fields, Int
from satsweep.kernels.toolchain.marks import exported, kernel

ILLEGAL = -1
"""Cells opened by an action on a cell that is open."""


class Batch(NamedTuple):
    """Games of one shape, a row or an item for each.

    ``seen`` has the symbols of the player's view, ``mine`` 1 for a mine, ``around`` the mines around each cell; all are
    int8, shape (games, cells). ``random`` (uint32) has states of random generators. The rest is int32, shape (games,):
    ``left`` safe cells that are covered, ``hits`` mines that were opened, ``opened`` safe cells that the last step
    opened, or ILLEGAL, and ``promised`` 1 while a promise about the first cell is to be kept.
    """

    seen: NDArray[np.int8]
    mine: NDArray[np.int8]
    around: NDArray[np.int8]
    random: NDArray[np.uint32]
    left: NDArray[np.int32]
    hits: NDArray[np.int32]
    opened: NDArray[np.int32]
    promised: NDArray[np.int32]


BATCH = Fields(
    Batch,
    (
        *[Array("i1", "games cells", written=True)] * 3,
        Array("u4", f"games {WORDS + 1}", written=True),
        *[Array("i4", "games", written=True)] * 4,
    ),
)
ROWS = Array("i4", "seeds", holds=Int(0, below="games"))
"""Parameters: a batch, and some rows of it."""


def new_batch(games: int, cells: int) -> Batch:
    seen, mine, around = (np.zeros((games, cells), np.int8) for _ in range(3))
    left, hits, opened, promised = (np.zeros(games, np.int32) for _ in range(4))
    return Batch(seen, mine, around, np.zeros((games, WORDS + 1), np.uint32), left, hits, opened, promised)


@kernel
def number_row(w, batch, row):
    """Count the mines around all cells of a game."""
    for cell in range(w.cells):
        batch.around[row, cell] = 0
    for cell in range(w.cells):
        if batch.mine[row, cell]:
            for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
                batch.around[row, w.nb[place]] += 1


@kernel
def keep_promise_of(w, batch, row, cell, zero):
    """Move mines away from the first cell of a game; there is room for them."""
    met = np.int64(batch.mine[row, cell])
    if zero:
        met += batch.around[row, cell]
    if met == 0:
        return
    take_game(w, batch.mine[row], batch.random[row])
    keep_promise(w, cell, zero)
    for other in range(w.cells):
        batch.mine[row, other] = w.mine[other]
    number_row(w, batch, row)


@kernel
def open_in(w, batch, row, cell, first, cascade):
    """Open a covered cell of a game, and the cells of its cascade."""
    if batch.promised[row]:
        batch.promised[row] = 0
        keep_promise_of(w, batch, row, cell, first == ZERO_FIRST)
    if batch.mine[row, cell]:
        batch.seen[row, cell] = MINE
        batch.hits[row] += 1
        return
    batch.seen[row, cell] = batch.around[row, cell]
    opened = 1
    if cascade and batch.around[row, cell] == 0:
        w.wave[0] = cell
        at = 0
        while at < opened:
            zero = np.int64(w.wave[at])
            at += 1
            if batch.around[row, zero]:
                continue
            for place in range(w.nb_at[zero], w.nb_at[zero + 1]):
                other = np.int64(w.nb[place])
                if batch.seen[row, other] == COVERED:
                    batch.seen[row, other] = batch.around[row, other]
                    w.wave[opened] = other
                    opened += 1
    batch.left[row] -= opened
    batch.opened[row] = opened


@kernel
def draw_start_of(w, batch, row):
    """Draw a start among the safe cells of a game; it has some."""
    take_game(w, batch.mine[row], batch.random[row])
    return draw_start(w)


@exported(
    NEIGHBOURS, RECORD, BATCH, ROWS, *KEYS, LAYOUTS, MINES, FIRST, Int(-1, below="cells"), INT, results=1,
)  # fmt: skip
def deal_games(nb, w, batch, rows, keys, lengths, layouts, mines, first, start, cascade):
    """Begin new games in some rows of a batch.

    ``keys`` and ``lengths`` seed each of them. ``layouts`` has the mines of each, 0 and 1 by cell, in place of a layout
    that is drawn, or no row. ``start`` is opened at once if it is not -1; without it, a start is drawn where the rules
    give one (``GIVEN``). Returns 1 if the table is no graph.
    """
    set_table(w, nb)
    at = 0
    while at < rows.shape[0]:
        if can_seed_four(keys, at):
            four = np.int64(rows[at]), np.int64(rows[at + 1]), np.int64(rows[at + 2]), np.int64(rows[at + 3])
            seed_four(batch.random, four[0], four[1], four[2], four[3], keys, lengths, at)
            at += 4
        else:
            seed(batch.random[np.int64(rows[at])], keys[at], lengths[at])
            at += 1
    for at in range(rows.shape[0]):
        row = np.int64(rows[at])
        sample(batch.random[row], w.cells, mines, w.chosen, w.pool)
        for cell in range(w.cells):
            batch.mine[row, cell], batch.seen[row, cell] = 0, COVERED
        for place in range(mines):
            batch.mine[row, w.chosen[place]] = 1
        begin = start
        if first == GIVEN and start < 0:
            begin = draw_start_of(w, batch, row)
        if layouts.shape[0]:
            for cell in range(w.cells):
                batch.mine[row, cell] = layouts[at, cell]
        number_row(w, batch, row)
        batch.left[row], batch.hits[row], batch.opened[row] = w.cells - mines, 0, 0
        batch.promised[row] = 1 if first in (SAFE_FIRST, ZERO_FIRST) else 0
        if begin >= 0:
            open_in(w, batch, row, begin, first, cascade)
    return w.no_graph


@exported(NEIGHBOURS, RECORD, BATCH, Array("i8", "games", holds=Int(below="cells")), FIRST, INT, results=1)
def step_games(nb, w, batch, actions, first, cascade):
    """Open a cell in each game of a batch; an action below 0 opens none.

    Returns 1 if the table is no graph.
    """
    set_table(w, nb)
    for row in range(actions.shape[0]):
        cell = np.int64(actions[row])
        batch.opened[row] = 0
        if cell < 0:
            continue
        if batch.seen[row, cell] == COVERED:
            open_in(w, batch, row, cell, first, cascade)
        else:
            batch.opened[row] = ILLEGAL
    return w.no_graph


@exported(NEIGHBOURS, RECORD, BATCH, ROWS, results=1)
def renumber_games(nb, w, batch, rows):
    """Count the mines around all cells anew in games whose mines were changed.

    Returns 1 if the table is no graph.
    """
    set_table(w, nb)
    for at in range(rows.shape[0]):
        number_row(w, batch, np.int64(rows[at]))
    return w.no_graph


@kernel
def rate_action(w, cell, risks):
    """Write the risk of a covered cell and the least one, if the status is fine."""
    safe = False
    for at in range(w.n_found):
        safe = safe or w.sym[w.found[at]] == SAFE
    risks[0], risks[1] = 0.0, 0.0
    if w.sym[cell] == SAFE or (safe and w.sym[cell] == MINE):
        risks[0] = 1.0 if w.sym[cell] == MINE else 0.0
        return
    renew(w)
    if w.status != FINE:
        return
    collect_components(w)
    rate(w)
    if w.status != FINE:
        return
    risks[0] = 1.0 if w.sym[cell] == MINE else risk_of(w, cell)
    for at in range(w.n_pending):
        other = np.int64(w.pending[at])
        safe = safe or not w.pending_mine[other]
        if other == cell:
            risks[0] = 1.0 if w.pending_mine[other] else 0.0
    if not safe:
        risks[1] = least_risk(w)
        if risks[0] <= risks[1] * (1 + SAME):
            risks[1] = risks[0]


@exported(
    NEIGHBOURS, RECORD, Array("i1", "positions cells"), Array("i8", "positions", holds=Int(below="cells")), INT,
    Array("f8", "positions 2", written=True), Array("i1", "positions", written=True), results=1,
)  # fmt: skip
def rate_actions(nb, w, symbols, actions, mines, risks, status):
    """Write the risk of opening a cell, and the least risk, in many positions.

    ``symbols`` (int8) has a row for each, ``actions`` the covered cells; where an action is below 0 nothing is written.
    ``risks`` (float64) gets both risks in a row: 0 and 1 where that is forced, and the same number where no cell is
    less risky. They mean nothing unless the status is FINE. Returns how many are not.
    """
    set_table(w, nb)
    bad = 0
    for row in range(actions.shape[0]):
        if actions[row] < 0:
            continue
        set_position(w, symbols[row], mines)
        apply_single_points(w)
        if w.status == FINE:
            rate_action(w, np.int64(actions[row]), risks[row])
        status[row] = w.status
        bad += w.status != FINE
    return bad
