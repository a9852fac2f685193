"""The guess of the deep player: exact search of few worlds, two plies, roll-outs.

Python calls ``begin`` for a new board and ``consult`` for a position; games call ``ask_deep``.
"""

import numpy as np

from satsweep.kernels.endgame.play import finish, pose_root
from satsweep.kernels.endgame.room import attached
from satsweep.kernels.lookahead.closing import find_exchanges
from satsweep.kernels.lookahead.rollouts import refine
from satsweep.kernels.lookahead.two_plies import search_two_plies
from satsweep.kernels.memory import FINE, NEIGHBOURS, Field
from satsweep.kernels.position.board import reset_board
from satsweep.kernels.position.solver import rate_afresh, set_table, take_position
from satsweep.kernels.position.weights import collect_components, risk_of
from satsweep.kernels.toolchain.intrinsics import record_at
from satsweep.kernels.toolchain.marks import INT, RECORD, Array, exported, kernel

FIELDS = (
    Field("risk", "f8", (), "risk of the chosen cell"),
    Field("fresh", "i8", (), "1 at the first question of a game"),
    Field("promised", "i8", (), "1 while the first cell has to be safe, 2 while it has to be a zero, else 0"),
)
"""Fields of the working record that this module owns."""


@kernel
def choose_cell(w):
    """Find the cell to guess, in ``reply``, and its risk. Needs ``rate``.

    The cell is -1 if there is none.
    """
    w.reply, w.value, w.exact = -1, 0.0, 0
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


@exported(NEIGHBOURS, RECORD, INT)
def begin(nb, w, mines):
    """Prepare a board for ``deep``, before its first game.

    A board that is searched from its first cell on becomes one problem for all games. ``nb`` is int32, shape (cells,
    degree).
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


@exported(NEIGHBOURS, RECORD, Array("i1"), INT, INT, results=1)
def consult(nb, w, symbols, mines, fresh):
    """Ask the deep player about a position. Returns the status.

    ``nb`` is int32, shape (cells, degree), ``symbols`` int8, shape (cells,). ``fresh`` says that the position is the
    first of its game. The answer is in the record: ``reply``, ``value``, ``exact``, ``tied``, ``score``.
    """
    w.reply, w.value, w.exact, w.n_tied, w.promised = -1, 0.0, 0, 0, 0
    if fresh:
        w.fresh = 1
    take_position(w, nb, symbols, mines)
    if w.status == FINE:
        ask_deep(w)
    return w.status
