"""The deep player: its levels and its guess.

It searches few worlds exactly, else two plies, and then by roll-outs.
Python calls ``begin`` for a new board and ``consult`` for a position; games call ``ask_deep``.
"""

import numpy as np

from satsweep.kernels.endgame.play import finish, pose_root
from satsweep.kernels.endgame.sets import Sets, attached, sets
from satsweep.kernels.lookahead.closing import find_exchanges
from satsweep.kernels.lookahead.rollouts import record_at, refine
from satsweep.kernels.lookahead.two_plies import search_two_plies
from satsweep.kernels.position.board import reset_board
from satsweep.kernels.position.entries import NEIGHBOURS
from satsweep.kernels.position.solver import rate_afresh, set_table, take_position
from satsweep.kernels.position.weights import collect_components, risk_of
from satsweep.kernels.shared.memory import FINE, Depth, Field
from satsweep.kernels.toolchain.calls import INT, RECORD, Array, Int
from satsweep.kernels.toolchain.marks import exported, kernel

_LEARNED = Depth(trust=0.71, closing=0.7, slack=0.08, two_safe=0.033, clearer=0.014, corner=0.022, two_steps=-0.04)
"""Parameters learned from 2,000,000 expert games (``docs/lab/second-tastes.md``)."""
DEEP = {
    1: Depth(worlds=0),
    2: _LEARNED._replace(worlds=1_000),
    3: _LEARNED._replace(worlds=3_000),
    4: _LEARNED._replace(worlds=12_000),
    5: _LEARNED._replace(worlds=12_000, rollouts=256),
}
"""Parameters of the deep player by level, from fastest to strongest."""
ROLLING = Depth(worlds=100, margin=0.96)
INNER_WORLDS = 1_024
NARROW_BOARD = 64
MOST_WORLDS, MOST_LIVE = 32_768, 512
"""Most worlds and undecided cells of an endgame."""

FIELDS = (
    Field("risk", "f8", (), "risk of the chosen cell"),
    Field("fresh", "i8", (), "1 at the first question of a game"),
    Field("promised", "i8", (), "1 while the first cell has to be safe, 2 while it has to be a zero, else 0"),
)


def room_for(worlds: int, cells: int) -> Sets:
    return sets(worlds, cells, scopes=2 * cells, slots=1 << (worlds.bit_length() + 4))


@kernel
def choose_cell(w):
    """Find the cell to guess, in ``reply``, -1 for none, and its risk. Needs ``rate``."""
    w.reply, w.value, w.exact, w.steps = -1, 0.0, 0, 0
    if w.n_act == 0 and w.sea == 0:  # every cell is decided
        w.value, w.exact = 1.0, 1
        return
    if w.param.worlds > 0 or w.root:
        finish(w, attached(w))
    if w.reply < 0:
        search_two_plies(w)
        if w.reply >= 0 and w.status == FINE:
            refine(w)
    if w.reply >= 0:
        w.risk = risk_of(w, np.int64(w.reply))


@kernel
def ask_deep(w):
    """Ask for a guess where all forced cells are decided."""
    rate_afresh(w)
    if w.status == FINE:
        choose_cell(w)


@exported(NEIGHBOURS, RECORD, Int(0))
def begin(nb, w, mines):
    """Prepare a board for ``deep``, before its first game.

    A board that is searched from its first cell on becomes one problem for all games.
    """
    v = record_at(w.inner, w)
    set_table(w, nb)
    set_table(v, nb)
    find_exchanges(w)
    find_exchanges(v)
    if w.root:
        reset_board(w, w.cells, mines)
        collect_components(w)
        pose_root(w, attached(w))


@exported(NEIGHBOURS, RECORD, Array("i1", "cells"), Int(0), INT, results=1)
def consult(nb, w, symbols, mines, fresh):
    """Ask the deep player about a position. Returns the status.

    ``fresh`` says that the position is the first of its game. The answer is in the record: ``reply``, ``value``,
    ``exact``, ``tied``, ``score``.
    """
    w.reply, w.value, w.exact, w.n_tied, w.promised = -1, 0.0, 0, 0, 0
    if fresh:
        w.fresh = 1
    take_position(w, nb, symbols, mines)
    if w.status == FINE:
        ask_deep(w)
    return w.status
