"""What candidates are like, beyond two plies, and how tastes are learned: by taking one of two at random.

Two plies say little about cells that are nearly as good as each other. What else is known of a cell are its *features*;
a *taste* for a feature adds so much, relatively, to the score for each unit of it. Tastes cannot be learned from what
is usually played, as positions differ in much more than the cells opened in them. So in games that are played for
learning one of the two best cells is opened by chance, where they are about as good, and how they differ is noted, in
``trace``: whether games are won then depends on nothing else (``benchmarks/tastes.py``).
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.compiling import inlined, kernel
from satsweep.kernels.memory import COVERED, EXPLORE, FEATURES, MINE, OWED, SAME, TRACED
from satsweep.kernels.python_random import bits

NAMES = (
    "log of the safety", "log of what follows", "chance that a safe cell follows", "safe cells then, in tens",
    "log of 1 + safe cells then", "square of what follows", "entropy of the number", "the second best cell then",
    "chance of two safe cells", "chance of eight", "chance of a zero", "owed", "in the sea", "sea around it, eighths",
    "components touched", "numbers touched, eighths", "known mines touched, eighths", "likeliest number",
    "neighbours that the edge takes, eighths", "touches the sea", "in the sea at a frontier", "undecided cells, share",
    "mines among them", "sea among them", "how much less undecided the frontier is then", "in a corner, at first",
    "two steps from a frontier, at first",
)  # fmt: skip
"""What stands where. The share of undecided cells, of mines and of sea are those of the position."""
FIRST = 0.98
"""The share of undecided cells above which it is still *at first*."""


@kernel
def survey(w):
    """How undecided the frontier is now: the sum of risk times safety."""
    w.vague_now = 0.0
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        for group in range(w.groups[slot]):
            risk = w.floats[w.at_risk[slot] + group]
            w.vague_now += w.ints[w.at_size[slot] + group] * risk * (1 - risk)


@inlined
def undecided(w):
    """How many cells are undecided."""
    count = np.float64(w.sea)
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        count += w.ints[w.at_cell[slot] + w.groups[slot]]
    return count


@kernel
def two_steps(w, cell):
    """Whether a cell of the sea that touches no frontier cell is next to one that does."""
    if w.home_slot >= 0 or w.n_near > 0:
        return False
    for place in range(w.degree):
        other = np.int64(w.nb[cell * w.degree + place])
        if other < 0:
            break
        for step in range(w.degree):
            last = np.int64(w.nb[other * w.degree + step])
            if last < 0:
                break
            if w.sym[last] == COVERED and w.cell_slot[last] >= 0:
                return True
    return False


@kernel
def describe(w, safety, worth, progress):
    """Features of a candidate that was looked at."""
    cell = w.asked
    out_of, safe, logs, square, entropy, second, two, most, one = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for shown in range(w.join_most + 1):
        out_of += w.shown[shown]
    for shown in range(w.join_most + 1):
        chance = w.shown[shown] / out_of
        if chance > 0:
            entropy -= chance * np.log(chance)
            most = max(most, chance)
            least = w.least[shown]
            if least == 0 or least > 1 - SAME:
                safe += chance * w.safe[shown]
                logs += chance * np.log(1 + w.safe[shown])
                square += chance
                second += chance
                two += chance if w.safe[shown] > 1 else 0.0
                one += chance if w.safe[shown] > 7 else 0.0
            else:
                square += chance * (1 - least) ** 2
                second += chance * (1 - w.next[shown])
    known, numbers, edge = 0, 0, 0
    for place in range(w.degree):
        other = np.int64(w.nb[cell * w.degree + place])
        if other < 0:
            break
        edge += 1
        known += 1 if w.sym[other] == MINE else 0
        numbers += 1 if w.sym[other] >= 0 else 0
    f = w.feature
    f[0], f[1], f[2], f[3] = np.log(safety), np.log(worth), progress, safe / 10
    f[4], f[5], f[6], f[7] = logs, square, entropy, second
    f[8], f[9] = two, one
    f[10] = 0.0 if known else w.shown[0] / out_of
    f[11] = w.owed[cell] if w.param[OWED] > 0 else 0.0
    f[12] = 1.0 if w.home_slot < 0 else 0.0
    f[13], f[14], f[15], f[16] = w.sea_near / 8, w.n_near, numbers / 8, known / 8
    f[17], f[18] = most, (8 - edge) / 8
    far = 0.0
    for place in range(w.degree):
        other = np.int64(w.nb[cell * w.degree + place])
        if other < 0:
            break
        if w.sym[other] == COVERED and w.cell_slot[other] < 0:
            far = 1.0
    f[19] = far
    f[20] = f[12] * (1.0 if w.n_near else 0.0)
    left = undecided(w)
    f[21], f[22], f[23] = left / w.cells, w.left / left, w.sea / left
    vague = 0.0
    for shown in range(w.join_most + 1):
        vague += w.shown[shown] * w.vague[shown] / out_of
    f[24] = w.vague_now - vague
    f[25], f[26] = 0.0, 0.0
    if f[21] > FIRST:
        f[25] = 1.0 if 2 * edge < w.degree else 0.0
        f[26] = 1.0 if two_steps(w, cell) else 0.0


@inlined
def consider(w, at, score):
    """Keep the features of the two best candidates."""
    if at == 0:
        w.rank[0], w.rank[1] = -1, -1
    if w.rank[0] < 0 or score > w.score[w.rank[0]]:
        w.rank[1], w.rank[0] = w.rank[0], at
        for place in range(FEATURES):
            w.kept[1, place], w.kept[0, place] = w.kept[0, place], w.feature[place]
    elif w.rank[1] < 0 or score > w.score[w.rank[1]]:
        w.rank[1] = at
        for place in range(FEATURES):
            w.kept[1, place] = w.feature[place]


@inlined
def explore(w):
    """Take one of the two best by chance, if they are nearly as good, and note how they differ."""
    if w.rank[0] < 0 or w.rank[1] < 0 or w.n_trace == TRACED:
        return
    if w.score[w.rank[1]] < w.score[w.rank[0]] * (1 - w.param[EXPLORE]):
        return
    pick = np.int64(bits(w.random, 1))
    w.reply = w.tied[w.rank[pick]]
    for place in range(FEATURES):
        w.trace[w.n_trace, 0, place] = w.kept[pick, place]
        w.trace[w.n_trace, 1, place] = w.kept[1 - pick, place]
    w.n_trace += 1
