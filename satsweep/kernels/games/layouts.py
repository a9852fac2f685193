"""Layouts: given, or drawn as in ``games.deal`` and ``games.game``."""

import numpy as np

from satsweep.kernels.memory import CELLS, Field
from satsweep.kernels.python_random import WORDS, below, sample
from satsweep.kernels.toolchain.marks import kernel

FIELDS = (
    Field("mine", "i1", CELLS, "by cell: 1 for a mine"),
    Field("around", "i1", CELLS, "by cell: mines around it"),
    Field("random", "u4", WORDS + 1, "state of the random generator"),
    Field("pool", "i4", CELLS, "scratch of ``sample``"),
    Field("chosen", "i4", CELLS, "sample that was drawn"),
    Field("wave", "i4", CELLS, "cells of a cascade; cells that something is drawn from"),
)
"""Fields of the working record that this module owns."""


@kernel
def draw_mines(w, mines):
    """Put ``mines`` mines anywhere."""
    sample(w.random, w.cells, mines, w.chosen, w.pool)
    for cell in range(w.cells):
        w.mine[cell] = 0
    for place in range(mines):
        w.mine[w.chosen[place]] = 1


@kernel
def fill_numbers(w):
    """Count for each cell the mines around it, in ``around``."""
    for cell in range(w.cells):
        w.around[cell] = 0
    for cell in range(w.cells):
        if w.mine[cell]:
            for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
                other = np.int64(w.nb[place])
                w.around[other] += 1


@kernel
def keep_promise(w, cell, zero):
    """Move mines away from the first cell. Returns whether there is room.

    With ``zero`` they also leave the cells around it.
    """
    stamp = w.stamp + 1
    w.stamp = stamp
    w.cell_mark[cell] = stamp
    if zero:
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            other = np.int64(w.nb[place])
            w.cell_mark[other] = stamp
    free, moved = np.int64(0), np.int64(0)
    for other in range(w.cells):
        if w.cell_mark[other] == stamp:
            moved += w.mine[other]
        elif not w.mine[other]:
            w.wave[free] = other
            free += 1
    if moved == 0:
        return True
    if free < moved:
        return False
    sample(w.random, free, moved, w.chosen, w.pool)
    for other in range(w.cells):
        if w.cell_mark[other] == stamp:
            w.mine[other] = 0
    for place in range(moved):
        w.mine[w.wave[w.chosen[place]]] = 1
    return True


@kernel
def draw_start(w):
    """Draw a start among the safe cells; -1 if there is none."""
    safe = np.int64(0)
    for cell in range(w.cells):
        if not w.mine[cell]:
            w.wave[safe] = cell
            safe += 1
    return np.int64(w.wave[below(w.random, safe)]) if safe else np.int64(-1)


@kernel
def place_mines(w, layouts, game, mines):
    """Put the mines where the layout of a game has them, or draw a layout.

    ``layouts`` is int8, shape (games, cells), 1 for a mine; without a row for the game ``mines`` mines are drawn.
    Returns how many mines there are.
    """
    if game >= layouts.shape[0]:
        draw_mines(w, mines)
        return mines
    count = np.int64(0)
    for cell in range(w.cells):
        w.mine[cell] = layouts[game, cell]
        count += w.mine[cell]
    return count
