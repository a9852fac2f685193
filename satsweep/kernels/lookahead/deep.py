"""The strongest player: two plies, and exact search once few worlds are left.

Of all cells that are nearly as safe as the safest one, that is opened for which it is most likely that it is safe and
that the next guess is safe, too: the sum over the numbers that it can show of the probability of the number times the
safety of the best cell then, or 1 if a cell is safe then or the game is won. Cells of a group with the same
neighbourhood, as far as that is not decided, tell the same, so one of them stands for all; and the cells of the sea
with the same neighbourhood.

Two more things count, a little: risk that cannot be avoided is not held against a cell (``pairs``), and tastes, which
were learned from games (``features``). ``docs/lab`` has what each of them is worth.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import call, inlined, kernel
from satsweep.kernels.lookahead.features import consider, describe, explore, survey, undecided
from satsweep.kernels.lookahead.outlook import look_around
from satsweep.kernels.lookahead.pairs import find_owed
from satsweep.kernels.memory import (
    BLEND,
    CALM,
    COVERED,
    EXPLORE,
    FADE,
    FEATURES,
    FINE,
    GAIN,
    MARGIN,
    OWED,
    SAME,
    SLACK,
    TRUST,
    WORLDS,
)
from satsweep.kernels.position.weights import quotient

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)

LOGIT = (4.081, 2.051, 3.813, 1.056, -3.594, -8.464, -1.649)
"""What tells how likely games are won, learned from 290,000 of them: see ``expect``."""


@kernel
def scatter(word):
    """A word for a word: any change of one changes half of the other."""
    mixed = np.uint64(word + 1) * _A
    mixed = (mixed ^ (mixed >> _SHIFT)) * _B
    mixed = (mixed ^ (mixed >> _SHIFT)) * _B
    return mixed ^ (mixed >> _SHIFT)


@kernel
def kin_of(w, cell):
    """A word that is the same for cells that stand for each other."""
    look_around(w, cell)
    word = scatter(w.sea_near)
    if w.home_slot >= 0:
        word += scatter((w.home_slot << 32) + (w.home_group << 8) + 255)
    for near in range(w.n_near):
        for place in range(w.near_n[near]):
            spot = (np.int64(w.near[near]) << 32) + (w.near_group[near, place] << 8) + w.near_count[near, place]
            word += scatter(spot)
    return word


@kernel
def risk_of(w, cell):
    """The risk of an undecided cell."""
    slot = w.cell_slot[cell]
    if slot < 0:
        return quotient(w.sea_mined, w.sea_clear)
    return w.floats[w.at_risk[slot] + w.cell_group[cell]]


@kernel
def charged(w, cell):
    """The risk that is held against opening a cell."""
    risk = risk_of(w, cell)
    if w.param[OWED] == 0 or risk == 1:
        return risk
    return 0.0 if w.owed[cell] >= risk * (1 - SAME) else risk - w.param[OWED] * w.owed[cell]


@inlined
def gather_candidates(w):
    """The cells that are safe enough, safest first, one of each kind."""
    least = 2.0
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            least = min(least, charged(w, np.int64(cell)))
    w.n_tied = 0
    if least >= 1:
        return
    limit = 1 - w.param[MARGIN] * (1 - least)
    count = np.int64(0)
    for cell in range(w.cells):
        if w.sym[cell] != COVERED:
            continue
        risk = charged(w, np.int64(cell))
        if risk > limit:
            continue
        kin, known = kin_of(w, np.int64(cell)), False
        for at in range(count):
            if w.kin[at] == kin:
                known = True
                break
        if known:
            continue
        at = count
        while at > 0 and w.progress[at - 1] > risk:
            w.progress[at], w.tied[at], w.kin[at] = w.progress[at - 1], w.tied[at - 1], w.kin[at - 1]
            at -= 1
        w.progress[at], w.tied[at], w.kin[at] = risk, cell, kin
        count += 1
    w.n_tied = count


@kernel
def worth_of(w):
    """After ``look_ahead``: how safe the next move is, given that this one was; how likely it is without risk."""
    out_of, worth, progress = 0.0, 0.0, 0.0
    blend, calm = w.param[BLEND], w.param[CALM]
    for shown in range(w.join_most + 1):
        weight, least = w.shown[shown], w.least[shown]
        out_of += weight
        if least == 0 or least > 1 - SAME:  # a safe cell, or nothing left but mines
            worth += weight
            progress += weight
            if least == 0 and w.param[GAIN] > 0:
                worth -= weight * w.param[GAIN] * w.param[FADE] ** (w.safe[shown] - 1)
        else:
            worth += weight * calm * (blend * (1 - least) + (1 - blend) * (1 - w.next[shown]))
    return worth / out_of, progress / out_of


@inlined
def expect(w, safety, follows):
    """About how likely the game is won, after a guess with two such plies: a logistic regression on games played.

    What counts beside is how many cells are undecided, and how many of them are mines.
    """
    cells = undecided(w)
    mines = w.left / cells
    size = cells / 100
    logit = LOGIT[0] + LOGIT[1] * np.log(safety) + LOGIT[2] * np.log(follows)
    logit += LOGIT[3] * size + LOGIT[4] * size * mines + LOGIT[5] * mines + LOGIT[6] * np.sqrt(size)
    return 1 / (1 + np.exp(-logit))


@inlined
def two_plies(w):
    """The cell with the best two plies, in ``reply``. Needs ``rate``."""
    if w.param[OWED] > 0:
        find_owed(w)
    gather_candidates(w)
    if w.param[SLACK] > 0 or w.param[EXPLORE] > 0:
        survey(w)
    for at in range(w.n_tied):
        w.score[at] = -1.0
    best, most, value, follows = -1.0, -1.0, 1.0, 1.0
    for at in range(w.n_tied):
        safety = 1 - w.progress[at]
        if safety == 1:  # all of its risk is owed: now is as good as later
            w.reply, best, value = w.tied[at], 1.0, 1 - risk_of(w, np.int64(w.tied[at]))
            w.score[at] = best
            break
        if safety * (1 + w.param[SLACK]) <= best * (1 - SAME - w.param[EXPLORE]):
            break
        w.asked = w.tied[at]
        call(w.at_ahead, w)
        if w.status != FINE:
            return
        worth, progress = worth_of(w)
        score = safety * worth ** w.param[TRUST]
        if w.param[SLACK] > 0 or w.param[EXPLORE] > 0:
            describe(w, safety, worth, progress)
            bonus = 0.0
            for place in range(FEATURES):
                bonus += w.taste[place] * w.feature[place]
            score *= 1 + min(max(bonus, -w.param[SLACK]), w.param[SLACK])
            consider(w, at, score)
        w.score[at] = score
        if score > best * (1 + SAME) or (score >= best * (1 - SAME) and progress > most * (1 + SAME)):
            w.reply = w.tied[at]
            best, most, value, follows = max(best, score), progress, safety, worth
    w.value, w.exact = expect(w, value, follows), 0
    if w.param[EXPLORE] > 0:
        explore(w)


@inlined
def think(w):
    """The cell to guess, in ``reply``; -1 if there is none. Follows on ``rate``."""
    w.reply, w.value, w.exact = -1, 0.0, 0
    if w.param[WORLDS] > 0 or w.root:
        call(w.at_finish, w)
        if w.reply >= 0:
            if w.exact < 0:
                w.value, w.exact = expect(w, w.value, 1.0), 0
            return
    two_plies(w)
