"""Repair of layouts: local search for a board that needs no guess.

Play goes on until it is stuck. Then mines change places, play begins anew, and a change after which too many cells
stay unknown is taken back. There are two kinds of changes:

* A *swap*: a cell where play is stuck changes from mine to safe or back, and another cell changes the other way. A
  layout stays much as it was drawn; these come first.
* An *exchange*, for dense boards, where no swap alone makes a number say anything: all unknown cells of a number
  become safe, or all of them mines, against cells that touch no number yet. Where known mines wall the unknown cells in
  (no number touches them), one of these mines becomes safe, and an unknown cell a mine. An exchange may leave a few
  more cells unknown than before, else one wall stands behind the other.
"""

import numpy as np

from satsweep.kernels.games import player
from satsweep.kernels.games.no_guess import (
    LAYOUT,
    ROLES,
    SHOWN,
    TECHNIQUE,
    copy_layout,
    count_unknown,
    draw_candidate,
    set_roles,
    solve,
)
from satsweep.kernels.games.python_random import KEY, STATE, WORDS, below
from satsweep.kernels.position.entries import NEIGHBOURS
from satsweep.kernels.position.solver import set_table
from satsweep.kernels.shared.memory import CELLS, COVERED, MINE, Field
from satsweep.kernels.toolchain.calls import INT, RECORD, Int
from satsweep.kernels.toolchain.marks import exported, kernel

ELSEWHERE = 4
"""One in this many partner cells of a swap is drawn from the whole board.

The others are drawn, while there are any, from the cells that touch no number yet.
"""
SWAPS = 1_000
"""The changes of a candidate that are swaps; exchanges come after them."""
SLACK = 8
"""An exchange leaves fewer than this many cells more unknown; how many is drawn."""

FIELDS = (
    Field("fixed", "i1", CELLS, "by cell: 1 if it never changes"),
    Field("n_stuck", "i8", (), "length of ``stuck``"),
    Field("n_rim", "i8", (), "cells of ``stuck`` next to a number"),
    Field("stuck", "i4", CELLS, "undecided cells where play was stuck"),
    Field("stuck_rim", "i1", CELLS, "by place in ``stuck``: 1 if the cell is next to a number"),
    Field("stuck_sym", "i1", CELLS, "by cell: its symbol where play was stuck"),
    Field("n_flip", "i8", (), "length of ``flip``"),
    Field("flip", "i4", CELLS, "cells that change from mine to safe or back; as many each way"),
    Field("n_pick", "i8", (), "length of ``pick``"),
    Field("pick", "i4", CELLS, "cells that one is drawn from"),
)


@kernel
def mark_fixed(w, start, zero):
    for cell in range(w.cells):
        w.fixed[cell] = 1 if w.is_tile and w.role[cell] == SHOWN else 0
    if start < 0:
        return
    w.fixed[start] = 1
    if zero:
        for place in range(w.nb_at[start], w.nb_at[start + 1]):
            w.fixed[w.nb[place]] = 1


@kernel
def record_stuck(w):
    w.n_stuck, w.n_rim = 0, 0
    for cell in range(w.cells):
        w.stuck_sym[cell] = w.sym[cell]
        if w.sym[cell] == COVERED:
            rim = 1 if w.numbers[cell] else 0
            w.stuck[w.n_stuck] = cell
            w.stuck_rim[w.n_stuck] = rim
            w.n_stuck += 1
            w.n_rim += rim


@kernel
def add_pick(w, cell):
    w.pick[w.n_pick] = cell
    w.n_pick += 1


@kernel
def draw_pick(w):
    """Draw a cell of ``pick``, and take it out."""
    at = below(w.random, w.n_pick)
    cell = np.int64(w.pick[at])
    w.n_pick -= 1
    w.pick[at] = w.pick[w.n_pick]
    return cell


@kernel
def add_flip(w, cell):
    w.flip[w.n_flip] = cell
    w.n_flip += 1


@kernel
def pick_stuck(w, rim):
    """Pick the cells where play is stuck: those that touch a number, or do not."""
    w.n_pick = 0
    for at in range(w.n_stuck):
        if w.stuck_rim[at] == rim:
            add_pick(w, w.stuck[at])


@kernel
def pick_far(w, mine):
    """Pick the unknown cells that touch no number, all mines or all safe."""
    w.n_pick = 0
    for at in range(w.n_stuck):
        if not w.stuck_rim[at] and w.mine[w.stuck[at]] == mine:
            add_pick(w, w.stuck[at])


@kernel
def pick_anywhere(w, mine):
    """Pick all cells that may change, mines or safe ones."""
    w.n_pick = 0
    for cell in range(w.cells):
        if not w.fixed[cell] and w.mine[cell] == mine:
            add_pick(w, cell)


@kernel
def draw_swap(w):
    """Draw two cells to flip. Returns whether there are."""
    w.n_flip = 0
    pick_stuck(w, 1 if w.n_rim else 0)
    cell = draw_pick(w)
    add_flip(w, cell)
    mine = 1 - w.mine[cell]
    w.n_pick = 0
    if below(w.random, ELSEWHERE):
        pick_far(w, mine)
    if w.n_pick == 0:
        pick_anywhere(w, mine)
    if w.n_pick == 0:
        return False
    add_flip(w, draw_pick(w))
    return True


@kernel
def draw_number(w, cell):
    """Draw one of the numbers around a cell where play is stuck."""
    w.n_pick = 0
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        if w.stuck_sym[w.nb[place]] >= 0:
            add_pick(w, w.nb[place])
    return draw_pick(w)


@kernel
def draw_exchange(w):
    """Draw the cells to flip so that all unknown ones of a number are alike.

    Returns whether enough others change the other way.
    """
    pick_stuck(w, 1)
    number = draw_number(w, draw_pick(w))
    mine = below(w.random, 2)
    w.n_flip = 0
    for place in range(w.nb_at[number], w.nb_at[number + 1]):
        other = w.nb[place]
        if w.stuck_sym[other] == COVERED and w.mine[other] == mine:
            add_flip(w, other)
    wanted = w.n_flip
    pick_far(w, 1 - mine)
    if w.n_pick < wanted:
        pick_anywhere(w, 1 - mine)
    if w.n_pick < wanted:
        return False
    for _ in range(wanted):
        add_flip(w, draw_pick(w))
    return True


@kernel
def pick_wall(w):
    """Pick the known mines between what is open and what is unknown."""
    w.n_pick = 0
    for cell in range(w.cells):
        if w.stuck_sym[cell] == MINE:
            shown, hidden = False, False
            for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
                symbol = w.stuck_sym[w.nb[place]]
                shown |= symbol >= 0
                hidden |= symbol == COVERED
            if shown and hidden:
                add_pick(w, cell)


@kernel
def draw_breach(w):
    """Draw a mine of the wall and an unknown safe cell. Returns whether there are."""
    w.n_flip = 0
    pick_wall(w)
    if w.n_pick == 0:
        return False
    add_flip(w, draw_pick(w))
    pick_far(w, 0)
    if w.n_pick == 0:
        return False
    add_flip(w, draw_pick(w))
    return True


@kernel
def flip_cells(w):
    for at in range(w.n_flip):
        cell = w.flip[at]
        w.mine[cell] = 1 - w.mine[cell]
        change = 1 if w.mine[cell] else -1
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            w.around[w.nb[place]] += change


@kernel
def draw_change(w, exchanging):
    """Draw the cells to flip. Returns whether there are."""
    if exchanging:
        if w.n_rim:
            return draw_exchange(w)
        if draw_breach(w):
            return True
    return draw_swap(w)


@kernel
def repair_layout(w, mines, start, zero, technique, tried, steps):
    """Repair the layout in ``mine``. Returns the outcome and the number of changes."""
    mark_fixed(w, start, zero)
    outcome = solve(w, mines, start, technique)
    if outcome != player.STUCK:
        return outcome, np.int64(0)
    record_stuck(w)
    for step in range(steps):
        exchanging = tried + step >= SWAPS
        if not draw_change(w, exchanging):
            return player.STUCK, np.int64(step)
        flip_cells(w)
        outcome = solve(w, mines, start, technique)
        if outcome != player.STUCK:
            return outcome, np.int64(step + 1)
        if count_unknown(w) <= w.n_stuck + (below(w.random, SLACK) if exchanging else 0):
            record_stuck(w)
        else:
            flip_cells(w)
    return player.STUCK, np.int64(steps)


@kernel
def copy_words(source, target):
    for place in range(WORDS + 1):
        target[place] = source[place]


@exported(
    NEIGHBOURS, RECORD, *KEY, player.MINES, Int(-1, below="cells"), INT, TECHNIQUE, Int(0), Int(0), STATE, LAYOUT,
    ROLES, results=2,
)  # fmt: skip
def repair(nb, w, key, length, mines, start, zero, technique, tried, steps, state, layout, roles):
    """Repair a candidate by at most ``steps`` changes more than were ``tried`` before.

    ``layout`` and ``state`` get the layout and the state of its generator, from which the next call goes on. A tile
    begins there, too, with swaps or without; its start is -1 if another tile has it. Returns the outcome, and the
    changes of this call.
    """
    set_table(w, nb)
    set_roles(w, roles)
    if tried:
        copy_words(state, w.random)
        for cell in range(w.cells):
            w.mine[cell] = layout[cell]
        player.fill_numbers(w)
    elif not draw_candidate(w, key, length, mines, start, zero):
        return player.NO_ROOM, np.int64(0)
    outcome, more = repair_layout(w, mines, start, zero, technique, tried, steps)
    copy_layout(w, layout)
    copy_words(w.random, state)
    return outcome, more
