"""A third ply, where two plies hardly tell cells apart.

For the few best candidates, and every number after which a guess has to follow, the position is built, and two plies
of it take the place of the safety of its safest cell. What was known of the position itself is made anew after that.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiled import call, inlined, kernel
from satsweep.kernels.deep import expect
from satsweep.kernels.solver import deduce, set_up
from satsweep.kernels.weights import collect
from satsweep.kernels.work import BLEND, CALM, EXPLORE, FINE, MINE, SAME, THIRD, TOP

RARE = 0.001
"""Numbers less likely than that are not looked at further."""


@inlined
def find_top(w):
    """The best candidates, best first, if their scores are close to each other. Returns how many."""
    best, top = 0.0, np.int64(0)
    for at in range(w.n_tied):
        best = max(best, w.score[at])
    for at in range(w.n_tied):
        score = w.score[at]
        if score < best * (1 - w.param[THIRD]) or (top == TOP and score <= w.top_score[TOP - 1]):
            continue
        place = min(top, TOP - 1)
        while place > 0 and w.top_score[place - 1] < score:
            w.top_cell[place], w.top_score[place] = w.top_cell[place - 1], w.top_score[place - 1]
            w.top_safe[place] = w.top_safe[place - 1]
            place -= 1
        w.top_cell[place], w.top_score[place], w.top_safe[place] = w.tied[at], score, 1 - w.progress[at]
        top = min(top + 1, TOP)
    return top


@inlined
def keep(w, top):
    """Keep what is known: the position, its candidates, and what the best of them lead to. Returns all its mines."""
    for at in range(top):
        w.asked = w.top_cell[at]
        call(w.at_ahead, w)
        w.top_most[at] = w.join_most
        out_of = 0.0
        for shown in range(w.join_most + 1):
            out_of += w.shown[shown]
        for shown in range(w.join_most + 1):
            w.top_shown[at, shown], w.top_least[at, shown] = w.shown[shown] / out_of, w.least[shown]
            w.top_next[at, shown] = w.next[shown]
    mines = np.int64(w.left)
    for cell in range(w.cells):
        w.kept_sym[cell] = w.sym[cell]
        mines += w.sym[cell] == MINE
    w.kept_n = w.n_tied
    for at in range(w.n_tied):
        w.kept_tied[at], w.kept_score[at] = w.tied[at], w.score[at]
    return mines


@kernel
def make_anew(w, mines):
    """The position that is kept."""
    set_up(w, w.kept_sym[: w.cells], mines)
    deduce(w)


@kernel
def plies_after(w, cell, more, mines):
    """Two plies of the position in which a cell shows so many mines beside the known ones; -1 if it is too wide."""
    known = np.int64(0)
    for place in range(w.degree):
        other = np.int64(w.nb[cell * w.degree + place])
        if other < 0:
            break
        known += w.kept_sym[other] == MINE
    before, w.kept_sym[cell] = w.kept_sym[cell], known + more
    make_anew(w, mines)
    w.kept_sym[cell] = before
    if w.status == FINE:
        collect(w)
        call(w.at_rate, w)
    if w.status == FINE:
        call(w.at_plies, w)
    if w.status != FINE:
        w.status = FINE
        return -1.0
    return w.plies


@inlined
def three_plies(w, at, mines):
    """What follows after one of the best candidates, two plies of it, and three."""
    two, three, blend = 0.0, 0.0, w.param[BLEND]
    for shown in range(w.top_most[at] + 1):
        weight, least = w.top_shown[at, shown], w.top_least[at, shown]
        if least == 0 or least > 1 - SAME:
            two += weight
            three += weight
            continue
        follows = blend * (1 - least) + (1 - blend) * (1 - w.top_next[at, shown])
        two += weight * w.param[CALM] * follows
        if weight > RARE:
            further = plies_after(w, np.int64(w.top_cell[at]), np.int64(shown), mines)
            follows = further if further >= 0 else follows
        three += weight * w.param[CALM] * follows
    return two, three


@kernel
def look_further(w):
    """Choose among the best of the candidates that ``two_plies`` has left."""
    if w.reply < 0 or w.exact or w.param[EXPLORE] > 0:
        return
    top = find_top(w)
    if top < 2:
        return
    mines = keep(w, top)
    winner, most, follows = np.int64(-1), -1.0, 1.0
    for at in range(top):
        two, three = three_plies(w, np.int64(at), mines)
        score = w.top_score[at] * three / two
        if winner < 0 or score > most * (1 + SAME):
            winner, most, follows = np.int64(at), score, two
    make_anew(w, mines)
    w.n_tied = w.kept_n
    for at in range(w.n_tied):
        w.tied[at], w.score[at] = w.kept_tied[at], w.kept_score[at]
    w.reply, w.value, w.exact = w.top_cell[winner], expect(w, w.top_safe[winner], follows), 0
