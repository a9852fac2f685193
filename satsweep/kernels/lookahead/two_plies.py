"""Two plies: the cell for which it and the next guess are safest.

Of all cells that are nearly as safe as the safest one, the player opens the cell for which it is most likely that it is
safe and that the next guess is safe, too (depth-2 expectimax): the sum over the numbers that it can show of the
probability of the number times the safety of the best cell then, or 1 if a cell is safe then or the game is won. Cells
of a group with the same neighbourhood, as far as it is undecided, have the same outcome, so one of them stands for all;
likewise the cells of the sea with the same neighbourhood.

Two more things count, a little: what opening a cell saves of guesses that may become unavoidable (``closing``), and
tastes, which were learned from games (``features``). ``docs/lab`` has the measured effect of each.
"""

import numpy as np

from satsweep.kernels.lookahead.ahead import look_ahead
from satsweep.kernels.lookahead.closing import MOST_SAVED, find_closing
from satsweep.kernels.lookahead.features import bonus_of, count_undecided, measure_frontier
from satsweep.kernels.lookahead.outlook import find_neighbourhood
from satsweep.kernels.mathematics import exp, log, power
from satsweep.kernels.memory import CELLS, COVERED, FINE, PARAMETERS, SAME, Field
from satsweep.kernels.position.weights import risk_of
from satsweep.kernels.toolchain.marks import kernel

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)

LOGIT = (4.081, 2.051, 3.813, 1.056, -3.594, -8.464, -1.649)
"""Coefficients of the chance to win, learned from 290,000 games.

They belong to ``estimate_chance``: constant, log of the safety, log of what follows, size, mines by size, mines, root
of the size.
"""

FIELDS = (
    Field("param", PARAMETERS, (), "search parameters, from Python"),
    Field("asked", "i8", (), "candidate that is looked at"),
    Field("kin", "u8", CELLS, "by candidate: the same word for cells that stand for each other"),
    Field("score", "f8", CELLS, "by candidate: score, -1 if it was not looked at"),
    Field("reply", "i8", (), "chosen cell, -1 for none"),
    Field("value", "f8", (), "chance to win with it"),
    Field("exact", "i8", (), "1 if ``value`` is exact, 0 if it is an estimate"),
)
"""Fields of the working record that this module owns."""


@kernel
def hash_word(word):
    """Hash a word: changing any bit of it changes half of the bits of the result."""
    mixed = np.uint64(word + 1) * _A
    mixed = (mixed ^ (mixed >> _SHIFT)) * _B
    mixed = (mixed ^ (mixed >> _SHIFT)) * _B
    return mixed ^ (mixed >> _SHIFT)


@kernel
def neighbourhood_key(w, cell):
    """Return a word that is the same for cells that stand for each other."""
    find_neighbourhood(w, cell)
    word = hash_word(w.sea_near)
    if w.home_slot >= 0:
        word += hash_word((w.home_slot << 32) + (w.home_group << 8) + 255)
    for near in range(w.n_near):
        for place in range(w.near_n[near]):
            spot = (np.int64(w.near[near]) << 32) + (w.near_group[near, place] << 8) + w.near_count[near, place]
            word += hash_word(spot)
    return word


@kernel
def avoidable_risk(w, cell):
    """Return the risk that is held against opening a cell."""
    return 0.0 if w.settled[cell] else risk_of(w, cell)


@kernel
def gather_candidates(w):
    """List the cells that are safe enough, safest first, one of each kind."""
    least = 2.0
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            least = min(least, avoidable_risk(w, np.int64(cell)))
    w.n_tied = 0
    if least >= 1:
        return
    limit = 1 - w.param.margin * (1 - least)
    count = np.int64(0)
    for cell in range(w.cells):
        if w.sym[cell] != COVERED:
            continue
        risk = avoidable_risk(w, np.int64(cell))
        if risk > limit:
            continue
        kin, known = neighbourhood_key(w, np.int64(cell)), False
        for at in range(count):
            if w.kin[at] == kin:
                known = True
                if w.saved[cell] > w.saved[w.tied[at]] * (1 + SAME):
                    w.tied[at] = cell
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
def rate_successors(w):
    """Return the chances of what follows, after ``look_ahead``.

    These are the probability that the next move is safe, given that this one was, and the probability that a move
    without risk follows.
    """
    out_of, worth, progress = 0.0, 0.0, 0.0
    blend = w.param.blend
    for shown in range(w.join_most + 1):
        weight, least = w.shown[shown], w.least[shown]
        out_of += weight
        if least == 0 or least > 1 - SAME:  # a safe cell, or only mines are left
            worth += weight
            progress += weight
        else:
            worth += weight * (blend * (1 - least) + (1 - blend) * (1 - w.next[shown]))
    return worth / out_of, progress / out_of


@kernel
def estimate_chance(w, safety, follows):
    """Estimate the chance to win: a logistic regression on games played.

    ``safety`` is that of the guess, ``follows`` the chance that the next move is safe. The number of undecided cells,
    and the share of mines among them, count beside.
    """
    cells = count_undecided(w)
    mines = w.left / cells
    size = cells / 100
    logit = LOGIT[0] + LOGIT[1] * log(safety) + LOGIT[2] * log(follows)
    logit += LOGIT[3] * size + LOGIT[4] * size * mines + LOGIT[5] * mines + LOGIT[6] * np.sqrt(size)
    return 1 / (1 + exp(-logit))


@kernel
def search_two_plies(w):
    """Find the cell with the best two plies, in ``reply``. Needs ``rate``."""
    find_closing(w)
    gather_candidates(w)
    if w.param.slack > 0:
        measure_frontier(w)
    for at in range(w.n_tied):
        w.score[at] = -1.0
    best, most, value, follows = -1.0, -1.0, 1.0, 1.0
    most_factor = (1 + w.param.slack) * exp(w.param.closing * MOST_SAVED)
    for at in range(w.n_tied):
        safety = 1 - w.progress[at]
        if safety == 1:  # its risk has to be taken: now is as good as later
            w.reply, best, value = w.tied[at], 1.0, 1 - risk_of(w, np.int64(w.tied[at]))
            w.score[at] = best
            break
        if safety * most_factor <= best * (1 - SAME):
            break
        w.asked = w.tied[at]
        look_ahead(w, w.asked)
        if w.status != FINE:
            return
        worth, progress = rate_successors(w)
        score = safety * power(worth, w.param.trust)
        if w.param.slack > 0:
            score *= 1 + min(max(bonus_of(w), -w.param.slack), w.param.slack)
        score *= exp(w.param.closing * min(w.saved[w.asked], MOST_SAVED))
        w.score[at] = score
        if score > best * (1 + SAME) or (score >= best * (1 - SAME) and progress > most * (1 + SAME)):
            w.reply = w.tied[at]
            best, most, value, follows = max(best, score), progress, safety, worth
    w.value, w.exact = estimate_chance(w, value, follows), 0
