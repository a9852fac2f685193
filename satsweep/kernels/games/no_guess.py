"""No-guess boards: found among drawn layouts (rejection), or made by local search.

The order in which forced cells are opened does not decide whether a board needs a guess, as forced cells stay forced.
Single numbers therefore come first, and pairs of numbers or components only when single numbers are silent.

A board that needs a guess is *repaired*: where play is stuck a cell changes, a mine becomes a safe cell or the other
way round, another cell changes the other way, and a change after which fewer cells become known than before is taken
back.
"""

import numpy as np

from satsweep.kernels.games import player
from satsweep.kernels.games.python_random import KEY, KEYS, STATE, WORDS, below, seed
from satsweep.kernels.position.board import apply_single_points, decide_cell, reset_board
from satsweep.kernels.position.entries import NEIGHBOURS
from satsweep.kernels.position.solver import deduce_by_components, set_table
from satsweep.kernels.shared.mathematics import count_members
from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, SAFE, Field
from satsweep.kernels.toolchain.calls import INT, RECORD, Array, Int
from satsweep.kernels.toolchain.marks import exported, kernel

SINGLE, ALL, PAIRS = 0, 1, 2
"""Technique: single numbers; all that is forced; single numbers and pairs.

These are the techniques of the agents basic, sat and subset.
"""
CELL, TECHNIQUE, LAYOUT = Int(0, below="cells"), Int(SINGLE, most=PAIRS), Array("i1", "cells", written=True)
"""Parameters: a start; a technique; the layout that is found."""

ELSEWHERE = 4
"""One in this many partner cells of a change is drawn from the whole board.

The others are drawn, while there are any, from the cells that touch no number yet.
"""

FIELDS = (
    Field("fixed", "i1", CELLS, "by cell: 1 if it never changes"),
    Field("n_stuck", "i8", (), "length of ``stuck``"),
    Field("n_rim", "i8", (), "cells of ``stuck`` next to a number"),
    Field("stuck", "i4", CELLS, "undecided cells where play was stuck"),
    Field("stuck_rim", "i1", CELLS, "by place in ``stuck``: 1 if the cell is next to a number"),
)


@kernel
def open_found(w):
    opened = np.int64(0)
    for at in range(w.n_found):
        cell = np.int64(w.found[at])
        if w.sym[cell] == SAFE:
            player.open_cell(w, cell, True)
            opened += 1
    return opened


@kernel
def apply_pairs(w):
    """Decide what pairs of numbers imply.

    Where one number sees all undecided cells of another, the rest of its cells have the difference of their mines.
    """
    for number in range(w.cells):
        if w.sym[number] < 0 or w.covered[number] == 0:
            continue
        w.stamp += 1
        first, free = np.int64(-1), count_members(np.uint64(w.covered[number]))
        for place in range(w.nb_at[number], w.nb_at[number + 1]):
            cell = np.int64(w.nb[place])
            if w.sym[cell] == COVERED:
                w.cell_mark[cell] = w.stamp
                first = cell
        for place in range(w.nb_at[first], w.nb_at[first + 1]):
            other = np.int64(w.nb[place])
            rest = count_members(np.uint64(w.covered[other])) - free
            mines = w.need[other] - w.need[number]
            if w.sym[other] >= 0 and rest > 0 and (mines == 0 or mines == rest) and sees_marked(w, other) == free:
                decide_unmarked(w, other, 1 if mines else 0)


@kernel
def sees_marked(w, number):
    count = np.int64(0)
    for place in range(w.nb_at[number], w.nb_at[number + 1]):
        cell = np.int64(w.nb[place])
        count += w.sym[cell] == COVERED and w.cell_mark[cell] == w.stamp
    return count


@kernel
def decide_unmarked(w, number, mine):
    for place in range(w.nb_at[number], w.nb_at[number + 1]):
        cell = np.int64(w.nb[place])
        if w.sym[cell] == COVERED and w.cell_mark[cell] != w.stamp:
            decide_cell(w, cell, mine)
            w.found[w.n_found] = cell
            w.n_found += 1
            w.beyond[cell] = 1


@kernel
def solve(w, mines, start, technique):
    """Return CLEARED, STUCK or BEYOND."""
    reset_board(w, w.cells, mines)
    w.left_safe, w.unmarked = w.cells - mines, w.cells
    player.open_cell(w, start, True)
    while w.left_safe:
        w.n_found = 0
        apply_single_points(w)
        if w.status == FINE and open_found(w):
            continue
        if w.status == FINE and technique != SINGLE and w.left_safe:
            w.n_found = 0
            if technique == PAIRS:
                apply_pairs(w)
            else:
                deduce_by_components(w)
        if w.status != FINE:
            return player.BEYOND
        if technique == SINGLE or w.n_found == 0:
            return player.STUCK
        open_found(w)
    return player.CLEARED


@kernel
def draw_candidate(w, key, length, mines, start, zero):
    seed(w.random, key, length)
    player.draw_mines(w, mines)
    if not player.keep_promise(w, start, zero):
        return False
    player.fill_numbers(w)
    return True


@kernel
def copy_layout(w, layout):
    for cell in range(w.cells):
        layout[cell] = w.mine[cell]


@exported(NEIGHBOURS, RECORD, *KEY, player.MINES, Int(-1, below="cells"), INT, LAYOUT, results=1)
def deal(nb, w, key, length, mines, start, zero, layout):
    """Draw a layout with a promise about a start, -1 for none.

    Returns whether there is room for it.
    """
    set_table(w, nb)
    seed(w.random, key, length)
    player.draw_mines(w, mines)
    if start >= 0 and not player.keep_promise(w, start, zero):
        return np.int64(0)
    copy_layout(w, layout)
    return np.int64(1)


@exported(NEIGHBOURS, RECORD, *KEYS, player.LAYOUTS, player.MINES, CELL, INT, TECHNIQUE, LAYOUT, results=2)
def search(nb, w, keys, lengths, layouts, mines, start, zero, technique, layout):
    """Find the first candidate that needs no guess, or that is beyond the kernels.

    ``keys`` and ``lengths`` seed the candidates, unless ``layouts`` has rows. Returns the place of the candidate and
    its outcome; if there is none, the number of candidates and STUCK. Its mines are written to ``layout``.
    """
    set_table(w, nb)
    for place in range(keys.shape[0]):
        if layouts.shape[0]:
            player.place_mines(w, layouts, place, mines)
            player.fill_numbers(w)
        elif not draw_candidate(w, keys[place], lengths[place], mines, start, zero):
            return place, player.NO_ROOM
        outcome = solve(w, mines, start, technique)
        if outcome != player.STUCK:
            copy_layout(w, layout)
            return place, outcome
    return keys.shape[0], player.STUCK


@kernel
def mark_fixed(w, start, zero):
    for cell in range(w.cells):
        w.fixed[cell] = 0
    w.fixed[start] = 1
    if zero:
        for place in range(w.nb_at[start], w.nb_at[start + 1]):
            other = w.nb[place]
            w.fixed[other] = 1


@kernel
def record_stuck(w):
    w.n_stuck, w.n_rim = 0, 0
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            rim = 1 if w.numbers[cell] else 0
            w.stuck[w.n_stuck] = cell
            w.stuck_rim[w.n_stuck] = rim
            w.n_stuck += 1
            w.n_rim += rim


@kernel
def count_unknown(w):
    count = np.int64(0)
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            count += 1
    return count


@kernel
def draw_stuck(w):
    """Draw a cell where play is stuck: one that touches a number, if any does."""
    if w.n_rim == 0:
        return np.int64(w.stuck[below(w.random, w.n_stuck)])
    left = below(w.random, w.n_rim)
    for at in range(w.n_stuck):
        if w.stuck_rim[at]:
            if left == 0:
                return np.int64(w.stuck[at])
            left -= 1
    return np.int64(-1)


@kernel
def draw_partner(w, mine):
    """Mostly a cell that touches no number yet, else any not fixed; -1 for none."""
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
def flip_cell(w, cell):
    w.mine[cell] = 1 - w.mine[cell]
    change = 1 if w.mine[cell] else -1
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = w.nb[place]
        w.around[other] += change


@kernel
def copy_words(source, target):
    for place in range(WORDS + 1):
        target[place] = source[place]


@kernel
def repair_layout(w, mines, start, zero, technique, steps):
    """Repair the layout in ``mine``. Returns the outcome and the number of changes."""
    mark_fixed(w, start, zero)
    outcome = solve(w, mines, start, technique)
    if outcome != player.STUCK:
        return outcome, np.int64(0)
    record_stuck(w)
    for step in range(steps):
        cell = draw_stuck(w)
        partner = draw_partner(w, 1 - w.mine[cell])
        if partner < 0:
            return player.STUCK, np.int64(step)
        flip_cell(w, cell)
        flip_cell(w, partner)
        outcome = solve(w, mines, start, technique)
        if outcome != player.STUCK:
            return outcome, np.int64(step + 1)
        if count_unknown(w) <= w.n_stuck:
            record_stuck(w)
        else:
            flip_cell(w, cell)
            flip_cell(w, partner)
    return player.STUCK, np.int64(steps)


@exported(NEIGHBOURS, RECORD, *KEY, player.MINES, CELL, INT, TECHNIQUE, Int(0), Int(0), STATE, LAYOUT, results=2)
def repair(nb, w, key, length, mines, start, zero, technique, tried, steps, state, layout):
    """Repair a candidate by at most ``steps`` changes more than were ``tried`` before.

    ``layout`` and ``state`` get the layout and the state of its generator, from which the next call goes on. Returns
    the outcome, and the changes of this call.
    """
    set_table(w, nb)
    if tried:
        copy_words(state, w.random)
        for cell in range(w.cells):
            w.mine[cell] = layout[cell]
        player.fill_numbers(w)
    elif not draw_candidate(w, key, length, mines, start, zero):
        return player.NO_ROOM, np.int64(0)
    outcome, more = repair_layout(w, mines, start, zero, technique, steps)
    copy_layout(w, layout)
    copy_words(w.random, state)
    return outcome, more
