"""Tastes: bonuses for candidates that two plies hardly tell apart.

Two plies say little about cells that are nearly as good as each other. A *taste* for a feature of a cell adds to its
score, relatively, for each unit of the feature. Tastes were learned from games in which one of the two best cells was
opened at random where they were about as good, so that winning depends on nothing else (``docs/lab/first-tastes.md``
and ``second-tastes.md``). Four features are left, which are fields of ``memory.Depth``:

* ``two_safe``: the probability that at least two cells are safe then;
* ``clearer``: how much less undecided the frontier is then, undecided being the sum of risk times safety of its cells;
* ``corner``: 1 in a corner, while hardly a cell is open;
* ``two_steps``: 1 in the sea two steps from a frontier, while hardly a cell is open.
"""

import numpy as np

from satsweep.kernels.memory import COVERED, Field
from satsweep.kernels.toolchain.marks import kernel

AT_FIRST = 0.98
"""Share of undecided cells above which hardly a cell is open."""

FIELDS = (Field("vague_now", "f8", (), "how undecided the frontier is now, sum of risk times safety"),)
"""Fields of the working record that this module owns."""


@kernel
def measure_frontier(w):
    """Measure how undecided the frontier is now: the sum of risk times safety."""
    w.vague_now = 0.0
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        for group in range(w.groups[slot]):
            risk = w.floats[w.at_risk[slot] + group]
            w.vague_now += w.ints[w.at_size[slot] + group] * risk * (1 - risk)


@kernel
def count_undecided(w):
    """Count the undecided cells, as a float."""
    count = np.float64(w.sea)
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        count += w.ints[w.at_cell[slot] + w.groups[slot]]
    return count


@kernel
def is_corner(w, cell):
    """Return whether the edge takes more than half of a cell's neighbours."""
    return 2 * (w.nb_at[cell + 1] - w.nb_at[cell]) < w.degree


@kernel
def is_two_steps_away(w, cell):
    """Return whether a sea cell without frontier neighbours is next to one with some."""
    if w.home_slot >= 0 or w.n_near > 0:
        return False
    for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
        other = np.int64(w.nb[place])
        for step in range(w.nb_at[other], w.nb_at[other + 1]):
            last = np.int64(w.nb[step])
            if w.sym[last] == COVERED and w.cell_slot[last] >= 0:
                return True
    return False


@kernel
def bonus_of(w):
    """Return the sum of the tastes for the cell ``asked``. Needs ``look_ahead``."""
    out_of, two_safe, vague = 0.0, 0.0, 0.0
    for shown in range(w.join_most + 1):
        out_of += w.shown[shown]
    for shown in range(w.join_most + 1):
        if w.safe[shown] > 1:
            two_safe += w.shown[shown] / out_of
        vague += w.shown[shown] * w.vague[shown] / out_of
    bonus = w.param.two_safe * two_safe + w.param.clearer * (w.vague_now - vague)
    if count_undecided(w) / w.cells > AT_FIRST:
        if is_corner(w, w.asked):
            bonus += w.param.corner
        if is_two_steps_away(w, w.asked):
            bonus += w.param.two_steps
    return bonus
