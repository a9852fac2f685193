"""Roll-outs: the rest of the game played from a guess, in worlds that are drawn.

Two plies value a guess by the next one. Late in the game, while too many worlds are left for the exact search, the rest
of the game tells more: draw worlds, open the cell in each, play on by two plies and finish by the exact search. Luck is
taken away: a guess in a roll-out never ends it. Its safety becomes a factor, and where the world has a mine another one
is drawn among those that agree with everything seen and in which the cell is safe. A roll-out is therefore the product
of the safeties of its guesses and of the exact chance to win at its end, and its mean over worlds is the chance to win
of the player that plays on. All candidates are opened in the same worlds: their differences have less noise.

*Worlds* are drawn at random, each with the same probability. A component gets a number of mines, by the ways of
everything after it to hold the rest; then a placement with as many, by its weight; then each group its mines in some of
its cells. The sea gets the rest. The numbers are those of SplitMix64 (Steele, Lea and Flood 2014), seeded by the
position, so a position always gets the same worlds.

Roll-outs are played in a record of their own, the *inner* one, always called ``v``. Copying a position into it costs
less than counting again. Pools only grow, so of the pools just the part in use at the beginning has to be copied, once
for all positions that begin alike, unless their owner has begun them afresh (``forgotten``).

Half of the guesses of all roll-outs come up in several of them: what was opened, and the numbers that it shows, tell
the cell to guess, or the chance to win where the end is searched. Answers are therefore kept from world to world.
"""

from math import pi, sqrt

import numpy as np

from satsweep.kernels.endgame.few import NODES
from satsweep.kernels.endgame.play import finish
from satsweep.kernels.endgame.sets import attached
from satsweep.kernels.lookahead.two_plies import count_undecided, search_two_plies
from satsweep.kernels.position.board import CLEAN, decide_cell, show_number
from satsweep.kernels.position.entries import NEIGHBOURS
from satsweep.kernels.position.solver import deduce, rate_afresh, take_position
from satsweep.kernels.position.weights import collect_components, rate, risk_of, row_of_totals
from satsweep.kernels.shared.mathematics import MIX_STEP, ONE, erf, exp, log, mix
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE, FINE, MINE, SAFE, Field
from satsweep.kernels.toolchain.calls import INT, RECORD, Array, Int
from satsweep.kernels.toolchain.marks import exported, intrinsic, kernel

MOST_ROLLED, MOST_WORLDS, BATCH = 24, 2_048, 16
"""Most candidates; most worlds; worlds between two looks at the candidates."""
HARDLY_SAFE = 0.999
"""Risk above which worlds are drawn given that a cell is safe."""
MOST_STEPS, BATCH_STEPS, NODE = 1 << 24, 1 << 28, 16
"""Most steps of a roll-out and of a batch; steps of a set of worlds in an endgame.

A batch at its limit takes about two seconds. Roll-outs of ordinary boards take 200,000 on average, and 500,000 at most.
"""
NEAR = 0.944
"""Least score of a candidate, relative to the best one."""
SLOPE, ERRORS = 0.6, ((0.73, 0.0077), (0.27, 0.051))
"""Prior of a difference, fitted to 689 of them (``docs/lab/rollouts.md``).

The factor of the log of scores; then for each kind of error of two plies its share and its deviation.
"""
FORCED = 3
"""Status of roll-outs of a cell that is forced: it is no candidate."""
ANSWERS = 1 << 12
"""Answers that are kept; a later one takes the place of an earlier one."""
_11, _UNIT = np.uint64(11), 2.0**-53

FIELDS = (
    Field("dice", "u8", (), "state of the random generator of worlds"),
    Field("world", "i1", CELLS, "by undecided cell: 1 for a mine of the world that was drawn"),
    Field("inner", "i8", (), "address of the record in which roll-outs are played, from Python"),
    Field("sets_rolled", "u8", (), "how many sets of roll-outs were begun"),
    Field("opened_word", "u8", (), "word for the set of roll-outs, and for what this one has opened and seen"),
    Field("answer_word", "u8", ANSWERS, "by answer: ``opened_word`` of the guess"),
    Field("answer_cell", "i8", ANSWERS, "by answer: the cell to guess, -1 where the chance to win is known"),
    Field("answer_worth", "f8", ANSWERS, "by answer: risk of the cell, or the chance to win"),
    Field("n_rolled", "i8", (), "candidates for roll-outs that may be best"),
    Field("rolled_cell", "i8", MOST_ROLLED, "by candidate: its cell"),
    Field("rolled_score", "f8", MOST_ROLLED, "by candidate: its score by two plies"),
    Field("rolled", "f8", (MOST_ROLLED, MOST_WORLDS), "by candidate and world: the value of the roll-out"),
)


@kernel
def draw(w):
    """Return a random float from 0 up to but not including 1."""
    w.dice += MIX_STEP
    return np.float64(mix(w.dice) >> _11) * _UNIT


@kernel
def seed_by_position(w, salt):
    word = mix(np.uint64(salt) + MIX_STEP)
    for cell in range(w.cells):
        word = mix(word + MIX_STEP + np.uint64(w.sym[cell] + 4))
    w.dice = word


@kernel
def draw_total(w, at, more):
    """Draw the mines of ``act[at]`` above its fewest; those before hold ``more``."""
    slot = w.act[at]
    total, after = w.at_total[slot], row_of_totals(w, at + 1) + more
    span = w.high[slot] - w.low[slot] + 1
    weight = 0.0
    for mines in range(span):
        weight += w.floats[total + mines] * w.after[after + mines]
    rest, found = draw(w) * weight, np.int64(0)
    for mines in range(span):
        worth = w.floats[total + mines] * w.after[after + mines]
        if worth > 0:
            found = np.int64(mines)
            rest -= worth
            if rest < 0:
                break
    return found


@kernel
def draw_placement(w, slot, mines):
    weight = 0.0
    for placement in range(w.listed[slot]):
        if w.ints[w.at_mines[slot] + placement] == mines:
            weight += w.floats[w.at_weight[slot] + placement]
    rest, found = draw(w) * weight, np.int64(0)
    for placement in range(w.listed[slot]):
        if w.ints[w.at_mines[slot] + placement] == mines:
            found = np.int64(placement)
            rest -= w.floats[w.at_weight[slot] + placement]
            if rest < 0:
                break
    return found


@kernel
def draw_world(w, v):
    """Draw a world of a position into ``world`` of a record. Needs ``rate``."""
    more = np.int64(0)
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        mines = draw_total(w, np.int64(at), more)
        more += mines
        placement = draw_placement(w, slot, mines + w.low[slot])
        groups, start = w.groups[slot], w.at_cell[slot]
        row = w.at_count[slot] + placement * groups
        for group in range(groups):
            need, first, last = np.int64(w.counts[row + group]), w.ints[start + group], w.ints[start + group + 1]
            for place in range(first, last):
                mine = need > 0 and (need == last - place or draw(w) * (last - place) < need)
                v.world[w.ints[start + groups + 1 + place]] = mine
                need -= np.int64(mine)
    need, rest = w.left - w.low_sum - more, w.sea
    if rest:
        for cell in range(w.cells):
            if w.sym[cell] == COVERED and w.numbers[cell] == 0:
                mine = need > 0 and (need == rest or draw(w) * rest < need)
                v.world[cell] = mine
                need -= np.int64(mine)
                rest -= 1


@exported(NEIGHBOURS, RECORD, Array("i1", "cells"), Int(0), INT, Array("i1", "_ cells", written=True), results=1)
def draw_worlds(nb, w, symbols, mines, salt, worlds):
    """Draw worlds of a position, known mines included. Returns the status.

    ``worlds``, int8, gets a row of 0 and 1 for each. They depend on the position and on ``salt``.
    """
    take_position(w, nb, symbols, mines)
    rate_afresh(w)
    if w.status == FINE:
        seed_by_position(w, salt)
        for world in range(worlds.shape[0]):
            draw_world(w, w)
            for cell in range(w.cells):
                worlds[world, cell] = w.sym[cell] == MINE or (w.sym[cell] == COVERED and w.world[cell] != 0)
    return w.status


@intrinsic
def record_at(typingctx, address, w):
    """Another working record, by its address; ``w`` is any record."""

    def code(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(w))

    return w(address, w), code


@kernel
def copy_pools(w, v):
    for at in range(w.used_ints):
        v.ints[at] = w.ints[at]
    for at in range(w.used_floats):
        v.floats[at] = w.floats[at]
    for at in range(w.used_counts):
        v.counts[at] = w.counts[at]
    for at in range(w.used_masks):
        v.masks[at] = w.masks[at]
    v.forgotten = 0


@kernel
def begin_roll_outs(w, v):
    copy_pools(w, v)
    v.sets_rolled += ONE


@kernel
def copy_position(w, v):
    """Copy a position in which nothing is left to be deduced, but for the pools."""
    if v.forgotten:
        copy_pools(w, v)
    v.left, v.sea, v.status = w.left, w.sea, FINE
    v.n_queue, v.n_dirty, v.n_found, v.n_pending, v.pending_mines = 0, 0, 0, 0, 0
    for cell in range(w.cells):
        v.sym[cell], v.need[cell], v.changed[cell] = w.sym[cell], w.need[cell], CLEAN
        v.covered[cell], v.numbers[cell] = w.covered[cell], w.numbers[cell]
        v.cell_slot[cell], v.cell_group[cell] = w.cell_slot[cell], w.cell_group[cell]
    v.used_ints, v.used_floats, v.used_counts, v.used_masks = w.used_ints, w.used_floats, w.used_counts, w.used_masks
    v.n_slots, v.n_spare = w.n_slots, w.n_spare
    for at in range(w.n_spare):
        v.spare[at] = w.spare[at]
    for slot in range(w.n_slots):
        v.listed[slot], v.groups[slot], v.cons[slot] = w.listed[slot], w.groups[slot], w.cons[slot]
        v.low[slot], v.high[slot], v.bits[slot] = w.low[slot], w.high[slot], w.bits[slot]
        v.at_size[slot], v.at_con[slot], v.at_need[slot] = w.at_size[slot], w.at_con[slot], w.at_need[slot]
        v.at_cell[slot], v.at_mines[slot], v.at_weight[slot] = w.at_cell[slot], w.at_mines[slot], w.at_weight[slot]
        v.at_count[slot], v.at_mask[slot], v.at_any[slot] = w.at_count[slot], w.at_mask[slot], w.at_any[slot]
        v.at_total[slot], v.at_share[slot], v.at_risk[slot] = w.at_total[slot], w.at_share[slot], w.at_risk[slot]
        v.some[slot], v.full[slot] = w.some[slot], w.full[slot]
        v.at_mined[slot], v.floor[slot] = w.at_mined[slot], w.floor[slot]


@kernel
def open_in_world(v, cell):
    number = 0
    for place in range(v.nb_at[cell], v.nb_at[cell + 1]):
        other = np.int64(v.nb[place])
        number += v.sym[other] == MINE or (v.sym[other] == COVERED and v.world[other] != 0)
    v.opened_word += mix(np.uint64(cell * (DEGREE + 1) + number))
    show_number(v, cell, np.int64(number))


@kernel
def open_as_safe(w, v, cell, risk):
    """Open a cell of ``v`` in a world in which it is safe; ``w`` has the risks.

    The world is drawn until the cell is safe, or, where it hardly ever is, among the worlds that are left if it is.
    """
    while risk <= HARDLY_SAFE and v.world[cell]:
        draw_world(w, v)
    if v.world[cell]:
        decide_cell(v, cell, np.int64(0))
        deduce(v)
        if v.status == FINE:
            collect_components(v)
            rate(v)
        if v.status != FINE:
            return
        draw_world(v, v)
        for at in range(v.n_found):
            if v.sym[v.found[at]] == SAFE:
                open_in_world(v, np.int64(v.found[at]))
    open_in_world(v, cell)


@kernel
def answer(v, at):
    """Find and note the cell to guess, or the chance to win. Returns success."""
    rate(v)
    if v.status != FINE:
        return False
    v.reply, v.fresh = -1, 1
    finish(v, attached(v))
    if v.reply >= 0:
        v.steps += NODE * attached(v).spent[NODES]
        v.answer_cell[at], v.answer_worth[at] = -1, v.value
    else:
        search_two_plies(v)
        if v.status != FINE or v.reply < 0:
            return False
        v.answer_cell[at], v.answer_worth[at] = v.reply, risk_of(v, np.int64(v.reply))
    v.answer_word[at] = v.opened_word
    return True


@kernel
def play_out(v):
    """Play to the end without luck; return the chance to win, -1 beyond the limits."""
    chance = 1.0
    while v.status == FINE and v.steps < MOST_STEPS:
        v.steps += v.cells // 8
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
        at = np.int64(v.opened_word & np.uint64(ANSWERS - 1))
        rated = v.answer_word[at] != v.opened_word
        if rated and not answer(v, at):
            return -1.0
        cell, risk = v.answer_cell[at], v.answer_worth[at]
        if cell < 0:
            return chance * risk
        if v.world[cell] and not rated:
            rate(v)
            if v.status != FINE:
                return -1.0
        chance *= 1 - risk
        open_as_safe(v, v, cell, risk)
    return -1.0


@kernel
def roll_out(w, v, cell):
    """Return the worth of opening a cell in the world of ``w``; -1 beyond the limits.

    The cell is not forced: worlds have no value for one that is, and none would be drawn.
    """
    v.steps, v.opened_word = 0, mix(v.sets_rolled)
    copy_position(w, v)
    for other in range(w.cells):
        v.world[other] = w.world[other]
    v.dice = w.dice
    risk = risk_of(w, cell)
    open_as_safe(w, v, cell, risk)
    return (1 - risk) * play_out(v)


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
    """Roll out in more and more worlds; beyond the limits nothing changes."""
    seed_by_position(w, np.int64(0))
    begin_roll_outs(w, v)
    worlds, leader = np.int64(0), np.int64(0)
    while w.n_rolled > 1 and worlds < min(w.param.rollouts, MOST_WORLDS):
        steps = np.int64(0)
        for world in range(worlds, worlds + BATCH):
            draw_world(w, w)
            for at in range(w.n_rolled):
                w.rolled[at, world] = roll_out(w, v, np.int64(w.rolled_cell[at]))
                steps += v.steps
                if w.rolled[at, world] < 0 or steps > BATCH_STEPS:
                    return
        worlds += BATCH
        leader = drop_candidates(w, worlds)
    w.reply, w.value = w.rolled_cell[leader], 0.0
    for world in range(worlds):
        w.value += w.rolled[leader, world] / worlds


@kernel
def drop_candidates(w, worlds):
    """Drop those hardly better than the best one. Returns the place of that one."""
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


@exported(
    NEIGHBOURS, RECORD, Array("i1", "cells"), Int(0), Array("i4", "asked", holds=Int(0, below="cells")), INT,
    Array("f8", "_ asked", written=True), results=1,
)  # fmt: skip
def roll_out_cells(nb, w, symbols, mines, cells, salt, values):
    """Write the value of cells in worlds that are drawn. Returns the status.

    The status is FORCED where one of the cells is. All forced cells of the position are decided. ``values``, float64,
    has a row for each world, which depends on the position and on ``salt``, and a column for each cell: -1 beyond the
    limits.
    """
    v = record_at(w.inner, w)
    take_position(w, nb, symbols, mines)
    rate_afresh(w)
    if w.status == FINE:
        for at in range(cells.shape[0]):
            if w.sym[cells[at]] != COVERED:
                return FORCED
        seed_by_position(w, salt)
        begin_roll_outs(w, v)
        for world in range(values.shape[0]):
            draw_world(w, w)
            for at in range(cells.shape[0]):
                values[world, at] = roll_out(w, v, np.int64(cells[at]))
    return w.status
