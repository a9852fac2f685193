"""Where the mines are: layouts drawn as ``satsweep.games.deal`` and ``satsweep.games.game`` draw them, or given."""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import inlined, kernel
from satsweep.kernels.python_random import below, sample


@inlined
def draw_mines(w, mines):
    """Put so many mines anywhere."""
    sample(w.random, w.cells, mines, w.chosen, w.pool)
    for cell in range(w.cells):
        w.mine[cell] = 0
    for place in range(mines):
        w.mine[w.chosen[place]] = 1


@kernel
def count_mines(w):
    """Know what each cell will show."""
    for cell in range(w.cells):
        w.around[cell] = 0
    for cell in range(w.cells):
        if w.mine[cell]:
            for place in range(w.degree):
                other = np.int64(w.nb[cell * w.degree + place])
                if other < 0:
                    break
                w.around[other] += 1


@inlined
def keep_promise(w, cell, zero):
    """Move mines away from the first cell. Whether there is room."""
    stamp = w.stamp + 1
    w.stamp = stamp
    w.cell_mark[cell] = stamp
    if zero:
        for place in range(w.degree):
            other = np.int64(w.nb[cell * w.degree + place])
            if other < 0:
                break
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


@inlined
def draw_start(w):
    """A start drawn among the safe cells; -1 if there is none."""
    safe = np.int64(0)
    for cell in range(w.cells):
        if not w.mine[cell]:
            w.wave[safe] = cell
            safe += 1
    return np.int64(w.wave[below(w.random, safe)]) if safe else np.int64(-1)


@inlined
def lay(w, layouts, game, mines):
    """Put the mines where the layout of a game has them, or draw a layout. Returns how many there are."""
    if game >= layouts.shape[0]:
        draw_mines(w, mines)
        return mines
    count = np.int64(0)
    for cell in range(w.cells):
        w.mine[cell] = layouts[game, cell]
        count += w.mine[cell]
    return count
