"""No-guess boards: play without a guess, search among drawn layouts (rejection).

The order in which forced cells are opened does not decide whether a board needs a guess, as forced cells stay forced.
Single numbers therefore come first, and pairs of numbers or components only when single numbers are silent.

A *tile* is a part of a board too large for the record, with the cells around it that are known: some show their number
from the beginning. A cell of the tile that touches unknown cells outside it is *silent*: its number says nothing about
the tile. The mine total says nothing either, so all mines of a tile have to follow from numbers.
"""

import numpy as np

from satsweep.kernels.games import player
from satsweep.kernels.games.python_random import KEY, KEYS, seed
from satsweep.kernels.position.board import apply_single_points, decide_cell, reset_board, show_number
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

ORDINARY, SHOWN, SILENT = 0, 1, 2
"""Role of a cell of a tile: shown from the beginning, or silent."""
ROLES = Array("i1", "roles cells", holds=Int(ORDINARY, most=SILENT), limits={"roles": 1})
"""Parameter: a row of roles for a tile, no row for a whole board."""

FIELDS = (
    Field("is_tile", "i8", (), "1 for a tile, 0 for a whole board"),
    Field("role", "i1", CELLS, "by cell of a tile: its role"),
)


@kernel
def set_roles(w, roles):
    w.is_tile = roles.shape[0]
    if w.is_tile:
        for cell in range(w.cells):
            w.role[cell] = roles[0, cell]


@kernel
def begin_play(w, mines, start):
    reset_board(w, w.cells, mines)
    w.left_safe, w.unmarked = w.cells - mines, w.cells
    if not w.is_tile:
        if start >= 0:
            player.open_cell(w, start, True)
        return
    for cell in range(w.cells):
        if w.role[cell] == SHOWN or cell == start:
            open_in_tile(w, np.int64(cell))


@kernel
def open_in_tile(w, cell):
    """Open a safe cell, alone: single numbers do what a cascade would."""
    w.left_safe -= 1
    if w.role[cell] != SILENT:
        show_number(w, cell, np.int64(w.around[cell]))


@kernel
def open_found(w):
    opened = np.int64(0)
    for at in range(w.n_found):
        cell = np.int64(w.found[at])
        if w.sym[cell] == SAFE:
            if w.is_tile:
                open_in_tile(w, cell)
            else:
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
def count_unknown(w):
    count = np.int64(0)
    for cell in range(w.cells):
        count += w.sym[cell] == COVERED
    return count


@kernel
def is_going_on(w):
    """Return whether safe cells are left; in a tile also whether cells are undecided."""
    return w.left_safe > 0 or (w.is_tile and count_unknown(w) > 0)


@kernel
def solve(w, mines, start, technique):
    """Return CLEARED, STUCK or BEYOND."""
    begin_play(w, mines, start)
    while is_going_on(w):
        w.n_found = 0
        apply_single_points(w)
        if w.status == FINE and (open_found(w) or not is_going_on(w)):
            continue
        if w.status == FINE and technique != SINGLE:
            w.n_found = 0
            if technique == PAIRS:
                apply_pairs(w)
            else:
                deduce_by_components(w, not w.is_tile)
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
    w.is_tile = 0
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
