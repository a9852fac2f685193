"""Roll-outs: the rest of the game played from a guess, in worlds that are drawn.

Two plies value a guess by the next one. Late in the game, while too many worlds are left for the exact search, the rest
of the game tells more: draw worlds, open the cell in each, play on by two plies and finish by the exact search. Luck is
taken away: a guess in a roll-out never ends it. Its safety becomes a factor, and where the world has a mine another one
is drawn among those that agree with everything seen and in which the cell is safe. A roll-out is therefore the product
of the safeties of its guesses and of the exact chance to win at its end, and its mean over worlds is the chance to win
of the player that plays on. All candidates are opened in the same worlds: their differences have less noise.

Roll-outs are played in a record of their own, the *inner* one, always called ``v``.
"""

from math import pi, sqrt

import numpy as np

from satsweep.kernels.endgame.play import finish
from satsweep.kernels.endgame.room import attached
from satsweep.kernels.lookahead.features import count_undecided
from satsweep.kernels.lookahead.sampling import draw_world, seed_by_position
from satsweep.kernels.lookahead.two_plies import search_two_plies
from satsweep.kernels.mathematics import erf, exp, log
from satsweep.kernels.memory import COVERED, FINE, MINE, NEIGHBOURS, SAFE, Field
from satsweep.kernels.position.board import show_number
from satsweep.kernels.position.copying import copy_pools, copy_position
from satsweep.kernels.position.solver import deduce, rate_afresh, take_position
from satsweep.kernels.position.weights import collect_components, rate, risk_of
from satsweep.kernels.toolchain.intrinsics import record_at
from satsweep.kernels.toolchain.marks import INT, RECORD, Array, exported, kernel

MOST_ROLLED, MOST_WORLDS, BATCH = 24, 2_048, 16
"""Most candidates; most worlds; worlds between two looks at the candidates."""
NEAR = 0.944
"""Least score of a candidate, relative to the best one."""
SLOPE, ERRORS = 0.6, ((0.73, 0.0077), (0.27, 0.051))
"""Prior of a difference, fitted to 689 of them (``docs/lab/rollouts.md``).

The factor of the log of scores; then for each kind of error of two plies its share and its deviation.
"""

FIELDS = (
    Field("inner", "i8", (), "address of the record in which roll-outs are played, from Python"),
    Field("n_rolled", "i8", (), "candidates for roll-outs that may be best"),
    Field("rolled_cell", "i8", MOST_ROLLED, "by candidate: its cell"),
    Field("rolled_score", "f8", MOST_ROLLED, "by candidate: its score by two plies"),
    Field("rolled", "f8", (MOST_ROLLED, MOST_WORLDS), "by candidate and world: the value of the roll-out"),
)
"""Fields of the working record that this module owns."""


@kernel
def open_in_world(v, cell):
    """Open a safe cell with the number that it shows in the world."""
    number = 0
    for place in range(v.nb_at[cell], v.nb_at[cell + 1]):
        other = np.int64(v.nb[place])
        number += v.sym[other] == MINE or (v.sym[other] == COVERED and v.world[other] != 0)
    show_number(v, cell, np.int64(number))


@kernel
def play_out(v):
    """Play to the end without luck; return the chance to win, -1 if too wide."""
    chance = 1.0
    while True:
        deduce(v)
        if v.status != FINE:
            return -1.0
        if v.n_found:
            for at in range(v.n_found):
                cell = np.int64(v.found[at])
                if v.sym[cell] == SAFE:
                    open_in_world(v, cell)
            continue
        collect_components(v)
        if v.n_act == 0 and v.sea == 0:
            return chance
        rate(v)
        if v.status != FINE:
            return -1.0
        v.reply, v.fresh = -1, 1
        finish(v, attached(v))
        if v.reply >= 0:
            return chance * v.value
        search_two_plies(v)
        if v.status != FINE or v.reply < 0:
            return -1.0
        cell = np.int64(v.reply)
        chance *= 1 - risk_of(v, cell)
        while v.world[cell]:
            draw_world(v, v)
        open_in_world(v, cell)


@kernel
def roll_out(w, v, cell):
    """Return the worth of opening a cell in the world of ``w``; -1 beyond the limits."""
    copy_position(w, v)
    for other in range(w.cells):
        v.world[other] = w.world[other]
    v.dice = w.dice
    while v.world[cell]:
        draw_world(w, v)
    open_in_world(v, cell)
    return (1 - risk_of(w, cell)) * play_out(v)


@kernel
def list_candidates(w):
    """List the candidates for roll-outs, ``MOST_ROLLED`` at most, best score first."""
    best = 0.0
    for at in range(w.n_tied):
        best = max(best, w.score[at])
    count = 0
    for at in range(w.n_tied):
        score = w.score[at]
        if score < NEAR * best or score <= 0:
            continue
        place = min(count, MOST_ROLLED - 1)
        if count == MOST_ROLLED and w.rolled_score[place] >= score:
            continue
        while place > 0 and w.rolled_score[place - 1] < score:
            w.rolled_score[place], w.rolled_cell[place] = w.rolled_score[place - 1], w.rolled_cell[place - 1]
            place -= 1
        w.rolled_score[place], w.rolled_cell[place] = score, w.tied[at]
        count = min(count + 1, MOST_ROLLED)
    w.n_rolled = count


@kernel
def compare_rolled(w, at, other, worlds):
    """Return how much better a candidate is than another, and the expected gain.

    Both are expected values, relative to the chance to win; a negative difference counts as 0 in the gain (expected
    improvement). The differences in the worlds are normal, and so are the two kinds of errors of two plies.
    """
    total, squares, base = 0.0, 0.0, 0.0
    for world in range(worlds):
        difference = w.rolled[at, world] - w.rolled[other, world]
        total += difference
        squares += difference * difference
        base += w.rolled[other, world]
    base /= worlds
    mean = total / worlds / base
    noise = (squares / worlds / base**2 - mean**2) / (worlds - 1) + 1e-12
    prior = SLOPE * log(w.rolled_score[at] / w.rolled_score[other])
    weight, better, gain = 0.0, 0.0, 0.0
    for part, spread in ERRORS:
        variance = noise + spread**2
        likelihood = part * exp(-0.5 * (mean - prior) ** 2 / variance) / sqrt(variance)
        center = prior + (mean - prior) * spread**2 / variance
        deviation = spread * sqrt(noise / variance)
        ratio = center / deviation
        weight += likelihood
        better += likelihood * center
        gain += likelihood * deviation * exp(-0.5 * ratio**2) / sqrt(2 * pi)
        gain += likelihood * 0.5 * center * (1 + erf(ratio / sqrt(2)))
    return better / weight, gain / weight


@kernel
def roll_out_candidates(w, v):
    """Roll all candidates out that may be best, in more and more worlds.

    The best one is the ``reply``, and its chance to win the ``value``; both stay as they are beyond the limits.
    """
    seed_by_position(w, np.int64(0))
    copy_pools(w, v)
    worlds, leader = np.int64(0), np.int64(0)
    while w.n_rolled > 1 and worlds < min(w.param.rollouts, MOST_WORLDS):
        for world in range(worlds, worlds + BATCH):
            draw_world(w, w)
            for at in range(w.n_rolled):
                w.rolled[at, world] = roll_out(w, v, np.int64(w.rolled_cell[at]))
                if w.rolled[at, world] < 0:
                    return
        worlds += BATCH
        leader = drop_candidates(w, worlds)
    w.reply, w.value = w.rolled_cell[leader], 0.0
    for world in range(worlds):
        w.value += w.rolled[leader, world] / worlds


@kernel
def drop_candidates(w, worlds):
    """Drop the candidates that are hardly better than the best one.

    Returns the place of the best one among those that are left.
    """
    best = np.int64(0)
    for at in range(1, w.n_rolled):
        if compare_rolled(w, np.int64(at), best, worlds)[0] > 0:
            best = np.int64(at)
    kept, leader = np.int64(0), best
    for at in range(w.n_rolled):
        if at == best:
            leader = kept  # here it lies from now on
        elif compare_rolled(w, np.int64(at), leader, worlds)[1] < w.param.least_gain:
            continue
        w.rolled_cell[kept], w.rolled_score[kept] = w.rolled_cell[at], w.rolled_score[at]
        for world in range(worlds):
            w.rolled[kept, world] = w.rolled[at, world]
        kept += 1
    w.n_rolled = kept
    return leader


@kernel
def refine(w):
    """Choose again by roll-outs, in ``reply``, where two plies have chosen."""
    if w.param.rollouts > 0 and count_undecided(w) <= w.param.late * w.cells:
        list_candidates(w)
        if w.n_rolled > 1:
            roll_out_candidates(w, record_at(w.inner, w))


@exported(NEIGHBOURS, RECORD, Array("i1"), INT, Array("i4"), INT, Array("f8", 2), results=1)
def roll_out_cells(nb, w, symbols, mines, cells, salt, values):
    """Write the value of cells in worlds that are drawn. Returns the status.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (cells,), a position in which all forced cells are
    decided; ``cells``, int32, has the cells to open, and ``values``, float64, shape (worlds, cells to open), gets what
    each is worth in each world: -1 beyond the limits. The worlds depend on the position and on ``salt``.
    """
    v = record_at(w.inner, w)
    take_position(w, nb, symbols, mines)
    rate_afresh(w)
    if w.status == FINE:
        seed_by_position(w, salt)
        copy_pools(w, v)
        for world in range(values.shape[0]):
            draw_world(w, w)
            for at in range(cells.shape[0]):
                values[world, at] = roll_out(w, v, np.int64(cells[at]))
    return w.status
