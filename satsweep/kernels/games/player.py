"""Whole games, compiled: what ``satsweep.games.game.play`` does with the agents ``sat`` and ``deep``, move for move.

The game knows where the mines are; what the player knows is in the position alone. A turn decides all forced cells,
flags the mines, and opens the safe cells. If there are none, ``deep`` is asked; ``sat`` opens a cell of least risk, of
these one after which most likely a safe cell follows, of these one with the most safe cells to be expected, and of
these any.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satsweep.kernels.compiling import call, exported, inlined, kernel
from satsweep.kernels.games.layouts import count_mines, draw_start, keep_promise, lay
from satsweep.kernels.memory import COVERED, FEATURES, FINE, MINE, NOTED, SAFE, SAME
from satsweep.kernels.position.board import clear, decide, show
from satsweep.kernels.position.solver import deduce, ponder, set_table
from satsweep.kernels.position.weights import collect, quotient
from satsweep.kernels.python_random import below, seed

ANY, SAFE_FIRST, ZERO, GIVEN = 0, 1, 2, 3
"""What is promised about the first cell."""

ON, CLEARED, EXPLODED, PLAYED_OUT, STUCK, BEYOND, NO_ROOM = 0, 1, 2, 3, 4, 5, 6
"""How a game stands: it goes on; how it ended; it is beyond the limits of the kernels; its layout cannot be played."""

START, DEDUCED, GUESSED = 0, 1, 2
OPEN, FLAG = 0, 1
MEASURES = (
    "outcome", "won", "turns", "opened", "right", "wrong", "mines_hit", "guesses", "guesses_lost", "claims",
    "beyond_basic",
)  # fmt: skip
RESULT = np.dtype([(name, np.int32) for name in MEASURES])
"""What is measured on a game, as in ``compare``: all but the outcome are 0 for one that was not played."""


class Notes(NamedTuple):
    """What is noted of games, each for as many games as it has rows, moves for the last one.

    ``estimates`` has what the deep player expected at its first guess of a game, and the first exact value it knew,
    ``traces`` how the cell that it opened and the other one differed where it took one of two at random.
    """

    results: np.ndarray
    moves: np.ndarray
    estimates: np.ndarray
    traces: np.ndarray


@inlined
def note(w, moves, action, cell, reason):
    """Put a move on record, if there is room for it: turn, action, cell, reason."""
    if w.n_moves < moves.shape[0]:
        moves[w.n_moves, 0] = w.turns
        moves[w.n_moves, 1] = action
        moves[w.n_moves, 2] = cell
        moves[w.n_moves, 3] = reason
    w.n_moves += 1


@kernel
def open_cell(w, cell, cascade):
    """Open a cell and what the cascade opens with it. Whether it is a mine."""
    w.unmarked -= 1
    if w.mine[cell]:
        decide(w, cell, np.int64(1))
        w.hits += 1
        w.opened += 1
        return True
    show(w, cell, np.int64(w.around[cell]))
    opened = 1
    if cascade and w.around[cell] == 0:
        w.wave[0] = cell
        at = 0
        while at < opened:
            zero = np.int64(w.wave[at])
            at += 1
            if w.around[zero]:
                continue
            for place in range(w.degree):
                other = np.int64(w.nb[zero * w.degree + place])
                if other < 0:
                    break
                if w.sym[other] == COVERED or w.sym[other] == SAFE:
                    show(w, other, np.int64(w.around[other]))
                    w.wave[opened] = other
                    opened += 1
    w.unmarked -= opened - 1
    w.left_safe -= opened
    w.opened += opened
    return False


@inlined
def ended(w, exploded, fatal):
    """How the game stands after a move."""
    if fatal:
        return EXPLODED if exploded else ON if w.left_safe else CLEARED
    if w.unmarked:
        return ON
    return PLAYED_OUT if w.left_safe or w.hits else CLEARED


@inlined
def sort_found(w):
    """The cells that were decided this turn, ascending."""
    for cell in range(w.n_found):
        w.sorted[cell] = w.found[cell]
    gap = np.int64(1)
    while gap < w.n_found // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(gap, w.n_found):
            cell = w.sorted[at]
            place = at
            while place >= gap and w.sorted[place - gap] > cell:
                w.sorted[place] = w.sorted[place - gap]
                place -= gap
            w.sorted[place] = cell
        gap //= 3


@inlined
def carry_out(w, moves, cascade, fatal):
    """Flag the mines that were found, then open the safe cells."""
    sort_found(w)
    count = w.n_found
    for at in range(count):
        cell = np.int64(w.sorted[at])
        if w.sym[cell] == MINE:
            w.flags += 1
            w.unmarked -= 1
            w.claims += 1
            w.beyond_basic += w.beyond[cell]
            note(w, moves, FLAG, cell, DEDUCED)
            w.outcome = ended(w, False, fatal)
            if w.outcome != ON:
                return
    for at in range(count):
        cell = np.int64(w.sorted[at])
        if w.sym[cell] == SAFE:
            w.claims += 1
            w.beyond_basic += w.beyond[cell]
            open_cell(w, cell, cascade)
            note(w, moves, OPEN, cell, DEDUCED)
            w.outcome = ended(w, False, fatal)
            if w.outcome != ON:
                return


@inlined
def least_risk(w):
    """Collect the cells of least risk, ascending; none if that is 1. Risks must be known."""
    least = 2.0
    if w.sea:
        least = quotient(w.sea_mined, w.sea_clear)
    for at in range(w.n_act):
        slot = w.act[at]
        for group in range(w.groups[slot]):
            least = min(least, w.floats[w.at_risk[slot] + group])
    count = 0
    if least < 1:
        limit = least * (1 + SAME)
        sea = w.sea > 0 and quotient(w.sea_mined, w.sea_clear) <= limit
        for cell in range(w.cells):
            if w.sym[cell] == COVERED:
                slot = w.cell_slot[cell]
                if (slot < 0 and sea) or (slot >= 0 and w.floats[w.at_risk[slot] + w.cell_group[cell]] <= limit):
                    w.tied[count] = cell
                    count += 1
    w.n_tied = count


@inlined
def choose(w):
    """The cell to guess; -1 if there is none. Follows on ``deduce`` that found nothing."""
    if w.level:
        ponder(w)
        if w.status != FINE:
            return np.int64(-1)
        if w.n_chance < NOTED:
            w.chance[w.n_chance] = w.value
            w.n_chance += 1
        if w.exact and w.exact_value < 0:
            w.exact_value = w.value
        return w.reply
    collect(w)
    call(w.at_rate, w)
    if w.status != FINE:
        return np.int64(-1)
    least_risk(w)
    if w.n_tied > 1:
        call(w.at_promise, w)
    if w.n_tied == 0 or w.status != FINE:
        return np.int64(-1)
    return np.int64(w.tied[below(w.random, w.n_tied)])


@inlined
def open_one(w, moves, cell, first, cascade, fatal, reason):
    """Open a cell that may be the first one, whose promise is kept."""
    if w.promised:
        w.promised = 0
        if not keep_promise(w, cell, first == ZERO):
            w.outcome = NO_ROOM
            return
        count_mines(w)
    hit = open_cell(w, cell, cascade)
    if reason == GUESSED:
        w.guesses += 1
        w.lost += 1 if hit else 0
    note(w, moves, OPEN, cell, reason)
    w.outcome = ended(w, hit, fatal)


@kernel
def play(w, moves, mines, first, start, cascade, fatal):
    """A game on the layout that is laid, to its end."""
    cells = w.cells
    clear(w, cells, mines)
    w.turns, w.opened, w.flags, w.hits, w.guesses, w.lost, w.claims, w.beyond_basic = 0, 0, 0, 0, 0, 0, 0, 0
    w.n_moves, w.left_safe, w.unmarked = 0, cells - mines, cells
    w.fresh, w.n_trace, w.n_chance, w.exact_value = 1, 0, 0, -1.0
    w.promised = first if first in (SAFE_FIRST, ZERO) else 0
    if w.promised and not w.left_safe:
        w.outcome = NO_ROOM
        return
    w.outcome = ended(w, False, fatal)
    count_mines(w)
    cell, reason = start, START
    while w.outcome == ON:
        if cell >= 0:
            open_one(w, moves, cell, first, cascade, fatal, reason)
            cell = np.int64(-1)
            continue
        w.turns += 1
        deduce(w)
        if w.status != FINE:
            w.outcome = BEYOND
        elif w.n_found:
            w.promised = 0  # what is known before anything is open is that there are no mines to be moved
            carry_out(w, moves, cascade, fatal)
        else:
            cell = choose(w)
            reason = GUESSED
            if w.status != FINE:
                w.outcome = BEYOND
            elif cell < 0:
                w.outcome = STUCK
                w.turns -= 1


@exported
def play_block(nb, work, keys, lengths, layouts, starts, mines, first, cascade, fatal, notes):
    """Games one after the other, each from the key of its own randomness. Returns the moves of the last one.

    ``layouts`` has the layout of each game, or none at all; ``starts`` the first cell of each game, -1 if it is open.
    """
    w = work[0]
    results, moves, estimates, traces = notes
    set_table(w, nb)
    for game in range(keys.shape[0]):
        seed(w.random, keys[game], lengths[game])
        there = lay(w, layouts, np.int64(game), mines)
        start = starts[game]
        if first == GIVEN and start < 0:
            start = draw_start(w)
        if first == GIVEN and start < 0:
            w.outcome = NO_ROOM
        else:
            play(w, moves, there, first, start, cascade, fatal)
        result = results[game]
        result.outcome = w.outcome
        if w.outcome == NO_ROOM or w.outcome == BEYOND:
            continue
        if game < estimates.shape[0]:
            estimates[game, 0], estimates[game, 1] = w.chance[0] if w.n_chance else -1.0, w.exact_value
            for at in range(min(w.n_chance, estimates.shape[1] - 2)):
                estimates[game, 2 + at] = w.chance[at]
        if game < traces.shape[0]:
            for at in range(w.n_trace):
                for place in range(FEATURES):
                    for side in range(2):
                        traces[game, at, side, place] = w.trace[at, side, place]
        result.won = 1 if w.outcome == CLEARED else 0
        result.turns = w.turns
        result.opened = w.opened
        result.right = w.flags
        result.mines_hit = w.hits
        result.guesses = w.guesses
        result.guesses_lost = w.lost
        result.claims = w.claims
        result.beyond_basic = w.beyond_basic
    return w.n_moves
