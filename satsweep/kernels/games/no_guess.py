"""Boards that need no guess: found among those that are drawn, or made of one by moving mines.

Whether a board needs a guess does not depend on the order in which forced cells are opened, as what is forced stays
forced. So single numbers come first, and components only when these are silent.

A board that needs a guess is *mended*: where play is stuck a cell changes, a mine becomes a safe cell or the other way
round, another cell changes the other way, and what makes fewer cells known than before is taken back.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import exported, inlined, kernel
from satsweep.kernels.games.layouts import count_mines, draw_mines, keep_promise, lay
from satsweep.kernels.games.player import BEYOND, CLEARED, NO_ROOM, STUCK, open_cell
from satsweep.kernels.memory import COVERED, FINE, SAFE
from satsweep.kernels.position.board import clear, single
from satsweep.kernels.position.solver import deduce_more, set_table
from satsweep.kernels.python_random import below, seed

ELSEWHERE = 4
"""One in so many of the cells that change along with one where play is stuck is drawn from the whole board."""


@inlined
def open_found(w):
    """Open the safe cells that were found. How many there were."""
    opened = np.int64(0)
    for at in range(w.n_found):
        cell = np.int64(w.found[at])
        if w.sym[cell] == SAFE:
            open_cell(w, cell, True)
            opened += 1
    return opened


@kernel
def solve(w, mines, start, exact):
    """Play the layout that is laid from its first cell, without a guess. Returns CLEARED, STUCK or BEYOND.

    With all that is forced (``exact``), or just with what single numbers say.
    """
    clear(w, w.cells, mines)
    w.left_safe, w.unmarked = w.cells - mines, w.cells
    open_cell(w, start, True)
    while w.left_safe:
        w.n_found = 0
        single(w)
        if w.status == FINE and open_found(w):
            continue
        if w.status == FINE and exact and w.left_safe:
            w.n_found = 0
            deduce_more(w)
        if w.status != FINE:
            return BEYOND
        if not exact or w.n_found == 0:
            return STUCK
        open_found(w)
    return CLEARED


@inlined
def lay_candidate(w, key, length, mines, start, zero):
    """Draw the layout of a key, with a first cell that is kept free. Whether there is room."""
    seed(w.random, key, length)
    draw_mines(w, mines)
    if not keep_promise(w, start, zero):
        return False
    count_mines(w)
    return True


@inlined
def take_down(w, layout):
    """Write the layout down."""
    for cell in range(w.cells):
        layout[cell] = w.mine[cell]


@exported
def search(nb, work, keys, lengths, layouts, mines, start, zero, exact, layout):
    """The first candidate that needs no guess, or that is beyond the kernels: its place, its outcome, and its layout.

    If there is none, how many there are, and STUCK. ``layouts`` has those of all candidates, or none at all.
    """
    w = work[0]
    set_table(w, nb)
    for place in range(keys.shape[0]):
        if layouts.shape[0]:
            lay(w, layouts, place, mines)
            count_mines(w)
        elif not lay_candidate(w, keys[place], lengths[place], mines, start, zero):
            return place, NO_ROOM
        outcome = solve(w, mines, start, exact)
        if outcome != STUCK:
            take_down(w, layout)
            return place, outcome
    return keys.shape[0], STUCK


@inlined
def fix(w, start, zero):
    """Cells that never change: the first one, and those around it if no mine is to be there."""
    for cell in range(w.cells):
        w.fixed[cell] = 0
    w.fixed[start] = 1
    if zero:
        for place in range(w.degree):
            other = w.nb[start * w.degree + place]
            if other < 0:
                break
            w.fixed[other] = 1


@inlined
def note_stuck(w):
    """Remember the cells that are not known, and which of them touch a number."""
    w.n_stuck, w.n_rim = 0, 0
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            rim = 1 if w.touch[cell] else 0
            w.stuck[w.n_stuck] = cell
            w.stuck_rim[w.n_stuck] = rim
            w.n_stuck += 1
            w.n_rim += rim


@inlined
def count_unknown(w):
    """How many cells are not known."""
    count = np.int64(0)
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            count += 1
    return count


@inlined
def draw_stuck(w):
    """A cell where play is stuck: one that touches a number, if any does."""
    if w.n_rim == 0:
        return np.int64(w.stuck[below(w.random, w.n_stuck)])
    left = below(w.random, w.n_rim)
    for at in range(w.n_stuck):
        if w.stuck_rim[at]:
            if left == 0:
                return np.int64(w.stuck[at])
            left -= 1
    return np.int64(-1)


@inlined
def draw_partner(w, mine):
    """A cell to change the other way: mostly one that touches no number yet, else any but the fixed ones; -1: none."""
    if below(w.random, ELSEWHERE):
        count = np.int64(0)
        for at in range(w.n_stuck):
            if not w.stuck_rim[at] and w.mine[w.stuck[at]] == mine:
                w.wave[count] = w.stuck[at]
                count += 1
        if count:
            return np.int64(w.wave[below(w.random, count)])
    count = np.int64(0)
    for cell in range(w.cells):
        if not w.fixed[cell] and w.mine[cell] == mine:
            w.wave[count] = cell
            count += 1
    return np.int64(w.wave[below(w.random, count)]) if count else np.int64(-1)


@kernel
def turn(w, cell):
    """Make a safe cell of a mine, or a mine of a safe cell."""
    w.mine[cell] = 1 - w.mine[cell]
    change = 1 if w.mine[cell] else -1
    for place in range(w.degree):
        other = w.nb[cell * w.degree + place]
        if other < 0:
            break
        w.around[other] += change


@kernel
def mend_one(w, mines, start, zero, exact, steps):
    """Mend the layout that is laid. Returns the outcome, and how many changes were tried."""
    fix(w, start, zero)
    outcome = solve(w, mines, start, exact)
    if outcome != STUCK:
        return outcome, np.int64(0)
    note_stuck(w)
    for step in range(steps):
        cell = draw_stuck(w)
        partner = draw_partner(w, 1 - w.mine[cell])
        if partner < 0:
            return STUCK, np.int64(step)
        turn(w, cell)
        turn(w, partner)
        outcome = solve(w, mines, start, exact)
        if outcome != STUCK:
            return outcome, np.int64(step + 1)
        if count_unknown(w) <= w.n_stuck:
            note_stuck(w)
        else:
            turn(w, cell)
            turn(w, partner)
    return STUCK, np.int64(steps)


@exported
def mend(nb, work, key, length, mines, start, zero, exact, tried, steps, state, layout):
    """Mend a candidate, by so many changes more than were tried before: the outcome, and how many it took.

    What was made of it, and of its randomness, is written to ``layout`` and ``state``, from which it goes on.
    """
    w = work[0]
    set_table(w, nb)
    if tried:
        w.random[:] = state
        for cell in range(w.cells):
            w.mine[cell] = layout[cell]
        count_mines(w)
    elif not lay_candidate(w, key, length, mines, start, zero):
        return NO_ROOM, np.int64(0)
    outcome, more = mend_one(w, mines, start, zero, exact, steps)
    take_down(w, layout)
    state[:] = w.random
    return outcome, more
