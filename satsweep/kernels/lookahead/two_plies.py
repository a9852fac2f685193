"""Two plies: the cell for which it and the next guess are safest.

Of all cells that are nearly as safe as the safest one, the player opens the cell for which it is most likely that it is
safe and that the next guess is safe, too (depth-2 expectimax): the sum over the numbers that it can show of the
probability of the number times the safety of the best cell then, or 1 if a cell is safe then or the game is won. Cells
of a group with the same neighbourhood, as far as it is undecided, have the same outcome, so one of them stands for all;
likewise the cells of the sea with the same neighbourhood.

*The safest cells then* (``look_ahead``). The tables are those of ``outlook``, weighed further: with the weight of each
entry of a component's table for a number, one more sum over the entries gives the risk of all its groups, inside the
neighbourhood and outside. The position after a number is therefore never built.

*Tastes* (``bonus_of``). Two plies say little about cells that are nearly as good as each other. A taste for a feature
of a cell adds to its score, relatively, for each unit of the feature. Tastes were learned from games in which one of
the two best cells was opened at random where they were about as good, so that winning depends on nothing else
(``docs/lab/first-tastes.md`` and ``second-tastes.md``). Four features are left, which are fields of ``memory.Depth``:

* ``two_safe``: the probability that at least two cells are safe then;
* ``clearer``: how much less undecided the frontier is then, undecided being the sum of risk times safety of its cells;
* ``corner``: 1 in a corner, while hardly a cell is open;
* ``two_steps``: 1 in the sea two steps from a frontier, while hardly a cell is open.

Guesses that may become unavoidable, and are saved by opening a cell now (``closing``), count, too. ``docs/lab`` has the
measured effect of each.
"""

import numpy as np

from satsweep.kernels.lookahead import outlook
from satsweep.kernels.lookahead.closing import MOST_SAVED, find_closing
from satsweep.kernels.position.listing import tabulate_mined
from satsweep.kernels.position.weights import quotient, risk_of
from satsweep.kernels.shared.mathematics import CHOOSE, ONE, bit, exp, log, lowest_bit, mix, power
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE, FINE, NARROW, SAME, WIDE, Depth, Field
from satsweep.kernels.toolchain.calls import INT, RECORD
from satsweep.kernels.toolchain.marks import exported, kernel

AT_FIRST = 0.98
"""Share of undecided cells above which hardly a cell is open."""
MOST_STEPS = 1 << 27
"""Steps after which no other candidate is looked at, about a second.

A guess on an ordinary board takes 500,000 at most.
"""
LOGIT = (4.081, 2.051, 3.813, 1.056, -3.594, -8.464, -1.649)
"""Coefficients of the chance to win, learned from 290,000 games.

They belong to ``estimate_chance``: constant, log of the safety, log of what follows, size, mines by size, mines, root
of the size.
"""

FIELDS = (
    Field("safe", "f8", DEGREE + 1, "by mines around: cells that are safe then"),
    Field("vague", "f8", DEGREE + 1, "by mines around: how undecided the frontier is then, sum of risk times safety"),
    Field("least", "f8", DEGREE + 1, "by mines around: risk of the safest cell then, 2 for none"),
    Field("next", "f8", DEGREE + 1, "by mines around: risk of the second safest cell then, or of the only one"),
    Field("half", "i4", (NARROW, 2), "by group: its cells outside and inside"),
    Field("steps", "i8", (), "work of look-ahead, in entries of tables; 0 when a guess or a roll-out begins"),
    Field("brief", "i8", (), "1 where after a number with a safe cell nothing else counts"),
    Field("vague_now", "f8", (), "how undecided the frontier is now, sum of risk times safety"),
    Field("param", np.dtype([(name, "f8") for name in Depth._fields]), (), "search parameters, from Python"),
    Field("asked", "i8", (), "candidate that is looked at"),
    Field("kin", "u8", CELLS, "by candidate: the same word for cells that stand for each other"),
    Field("score", "f8", CELLS, "by candidate: score, -1 if it was not looked at"),
    Field("reply", "i8", (), "chosen cell, -1 for none"),
    Field("value", "f8", (), "chance to win with it"),
    Field("exact", "i8", (), "1 if ``value`` is exact, 0 if it is an estimate"),
)


@exported(RECORD, INT)
def look_ahead(w, cell):
    """Needs risks (``rate``), and a cell that may be safe."""
    w.brief = 0
    look(w, cell)


@kernel
def look(w, cell):
    """Look ahead; where it is ``brief``, to no more than the chance of a safe move."""
    outlook.find_neighbourhood(w, cell)
    outlook.weigh_numbers(w)
    if w.status == WIDE:
        return
    w.steps += w.n_act * w.n_far * (w.join_most + 1)
    for shown in range(w.join_most + 1):
        w.least[shown], w.next[shown], w.safe[shown], w.vague[shown] = 2.0, 2.0, 0.0, 0.0
    for near in range(w.n_near + 1):
        used = w.used_table
        at, rows, columns = outlook.join_tables(w, np.int64(near))
        share = outlook.reserve_table(w, (w.near_most[near] + 1) * w.near_span[near])
        if w.status == WIDE:
            return
        if near == w.n_near:
            rate_sea_near(w, at, rows, columns, share)
        else:
            rate_near(w, np.int64(near), at, rows, columns, share)
        w.used_table = used
        if w.status == WIDE:
            return
    rate_far(w)
    for shown in range(w.join_most + 1):
        if w.next[shown] > 1:
            w.next[shown] = w.least[shown]


@kernel
def counts(w, shown):
    """Return whether more has to be known of what follows a number."""
    return w.shown[shown] > 0 and not (w.brief and w.least[shown] == 0)


@kernel
def add_risk(w, shown, risk, cells):
    if risk == 0:
        w.safe[shown] += cells
    if risk < w.least[shown]:
        w.next[shown] = risk if cells > 1 else w.least[shown]
        w.least[shown] = risk
    elif risk < w.next[shown]:
        w.next[shown] = risk


@kernel
def add_group_risk(w, shown, risk, cells):
    """Add cells of the present frontier that have a risk after a number is shown."""
    add_risk(w, shown, risk, cells)
    w.vague[shown] += cells * risk * (1 - risk)


@kernel
def rate_sea_near(w, at, rows, columns, share):
    cells, span = w.sea_near, w.near_span[w.n_near]
    if cells == 0:
        return
    for shown in range(w.join_most + 1):
        if counts(w, shown):
            outlook.weigh_entries(w, w.n_near, np.int64(shown), at, rows, columns, share)
            mined, clear = 0.0, 0.0
            for mines in range(cells + 1):
                weight = CHOOSE[cells, mines] * w.table[share + mines * span + mines]
                mined += weight * mines
                clear += weight * (cells - mines)
            add_risk(w, shown, quotient(mined, clear), cells)


@kernel
def rate_near(w, near, at, rows, columns, share):
    slot = np.int64(w.near[near])
    groups, span = w.groups[slot], w.near_span[near]
    entries = (w.near_most[near] + 1) * span
    # For both halves of every group: the weight of a mine in one cell of it, by the entry of the table.
    mined = outlook.reserve_table(w, 2 * groups * entries)
    if mined < 0:
        return
    home = w.home_group if slot == w.home_slot else np.int64(-1)
    for group in range(groups):
        w.half[group, 0], w.half[group, 1] = w.ints[w.at_size[slot] + group], 0
    if home >= 0:
        w.half[home, 0] -= 1
    touched = np.uint64(0)
    for place in range(w.near_n[near]):
        group = w.near_group[near, place]
        touched |= bit(group)
        w.half[group, 1] = w.near_count[near, place]
        w.half[group, 0] -= w.half[group, 1]
    for placement in range(w.listed[slot]):
        outlook.split_placement(w, near, slot, np.int64(placement))
        row = w.at_count[slot] + placement * groups
        column = w.ints[w.at_mines[slot] + placement] - w.low[slot]
        mined_groups = w.masks[w.at_mask[slot] + 2 * placement] & ~touched
        w.steps += w.split_n * groups
        for part in range(w.split_n):
            entry = w.split_v[part] * span + column
            weight = w.split_w[part]
            left = mined_groups
            while left:
                group = lowest_bit(left)
                left &= left - ONE
                w.table[mined + 2 * group * entries + entry] += weight * w.counts[row + group] / w.half[group, 0]
            for place in range(w.near_n[near]):
                group = w.near_group[near, place]
                taken = w.split_taken[part, place]
                outside = w.counts[row + group] - taken
                if outside:
                    w.table[mined + 2 * group * entries + entry] += weight * outside / w.half[group, 0]
                if taken:
                    w.table[mined + (2 * group + 1) * entries + entry] += weight * taken / w.half[group, 1]
    for shown in range(w.join_most + 1):
        if counts(w, shown):
            outlook.weigh_entries(w, near, np.int64(shown), at, rows, columns, share)
            # The other entries have no weight.
            begin, end = max(0, shown - rows) * span, (min(w.near_most[near], shown) + 1) * span
            for group in range(groups):
                for part in range(2):
                    if w.half[group, part]:
                        weight, first = 0.0, mined + (2 * group + part) * entries
                        for entry in range(begin, end):
                            weight += w.table[first + entry] * w.table[share + entry]
                        add_group_risk(w, shown, min(weight / w.shown[shown], 1.0), w.half[group, part])


@kernel
def rate_far(w):
    far, span = w.n_far, w.join_span
    # The weight of the rest, by the number shown and by the mines that everything far holds.
    lone = outlook.reserve_table(w, (w.join_most + 1) * far)
    if lone < 0:
        return
    for shown in range(w.join_most + 1):
        if not counts(w, shown):
            continue
        mined, clear = 0.0, 0.0
        for more in range(far):
            weight = 0.0
            for mines in range(span):
                worth = w.table[w.joined + shown * span + mines] * w.sea_ways[mines + more]
                weight += worth
                rest = w.left - w.low_sum - mines - more
                if worth > 0:
                    mined += worth * w.far[more] * rest
                    clear += worth * w.far[more] * (w.sea_far - rest)
            w.table[lone + shown * far + more] = weight
        if w.sea_far:
            add_risk(w, shown, quotient(mined, clear), w.sea_far)
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        if not outlook.is_near(w, slot):
            rate_far_slot(w, slot, lone)
            if w.status == WIDE:
                return


@kernel
def rate_far_slot(w, slot, lone):
    groups, span, far = w.groups[slot], w.high[slot] - w.low[slot] + 1, w.n_far
    rest = outlook.weigh_far(w, slot, w.rest)
    share = outlook.reserve_table(w, span)
    if share < 0:
        return
    if w.at_mined[slot] < 0:
        tabulate_mined(w, slot)
        if w.status == WIDE:
            return
    for shown in range(w.join_most + 1):
        if not counts(w, shown) or (w.brief and w.next[shown] <= w.floor[slot] * (1 - SAME)):
            continue
        for mines in range(span):
            weight = 0.0
            for more in range(rest):
                weight += w.rest[more] * w.table[lone + shown * far + more + mines]
            w.table[share + mines] = weight
        for group in range(groups):
            weight, first = 0.0, w.at_mined[slot] + group * span
            for mines in range(span):
                weight += w.floats[first + mines] * w.table[share + mines]
            risk = min(weight / w.shown[shown], 1.0)
            add_group_risk(w, shown, risk, w.ints[w.at_size[slot] + group])
    w.used_table = share


@kernel
def measure_frontier(w):
    w.vague_now = 0.0
    for at in range(w.n_act):
        slot = np.int64(w.act[at])
        for group in range(w.groups[slot]):
            risk = w.floats[w.at_risk[slot] + group]
            w.vague_now += w.ints[w.at_size[slot] + group] * risk * (1 - risk)


@kernel
def count_undecided(w):
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


@kernel
def neighbourhood_key(w, cell):
    """Return a word that is the same for cells that stand for each other."""
    outlook.find_neighbourhood(w, cell)
    word = mix(np.uint64(w.sea_near + 1))
    if w.home_slot >= 0:
        word += mix(np.uint64((w.home_slot << 32) + (w.home_group << 8) + 256))
    for near in range(w.n_near):
        for place in range(w.near_n[near]):
            spot = (np.int64(w.near[near]) << 32) + (w.near_group[near, place] << 8) + w.near_count[near, place]
            word += mix(np.uint64(spot + 1))
    return word


@kernel
def avoidable_risk(w, cell):
    return 0.0 if w.settled[cell] else risk_of(w, cell)


@kernel
def gather_candidates(w):
    """List the cells that are safe enough, safest first, one of each kind."""
    least = 2.0
    for cell in range(w.cells):
        if w.sym[cell] == COVERED:
            least = min(least, avoidable_risk(w, np.int64(cell)))
    w.n_tied = 0
    if least >= 1:
        return
    limit = 1 - w.param.margin * (1 - least)
    count = np.int64(0)
    for cell in range(w.cells):
        if w.sym[cell] != COVERED:
            continue
        risk = avoidable_risk(w, np.int64(cell))
        if risk > limit:
            continue
        kin, known = neighbourhood_key(w, np.int64(cell)), False
        for at in range(count):
            if w.kin[at] == kin:
                known = True
                if w.saved[cell] > w.saved[w.tied[at]] * (1 + SAME):
                    w.tied[at] = cell
                break
        if known:
            continue
        at = count
        while at > 0 and w.progress[at - 1] > risk:
            w.progress[at], w.tied[at], w.kin[at] = w.progress[at - 1], w.tied[at - 1], w.kin[at - 1]
            at -= 1
        w.progress[at], w.tied[at], w.kin[at] = risk, cell, kin
        count += 1
    w.n_tied = count


@kernel
def rate_successors(w):
    """After ``look_ahead``: the chances that the next move is safe, and without risk."""
    out_of, worth, progress = 0.0, 0.0, 0.0
    blend = w.param.blend
    for shown in range(w.join_most + 1):
        weight, least = w.shown[shown], w.least[shown]
        out_of += weight
        if least == 0 or least > 1 - SAME:  # a safe cell, or only mines are left
            worth += weight
            progress += weight
        else:
            worth += weight * (blend * (1 - least) + (1 - blend) * (1 - w.next[shown]))
    return worth / out_of, progress / out_of


@kernel
def estimate_chance(w, safety, follows):
    """Logistic regression on games; ``follows``: the chance of a safe next move."""
    cells = count_undecided(w)
    mines = w.left / cells
    size = cells / 100
    logit = LOGIT[0] + LOGIT[1] * log(safety) + LOGIT[2] * log(follows)
    logit += LOGIT[3] * size + LOGIT[4] * size * mines + LOGIT[5] * mines + LOGIT[6] * np.sqrt(size)
    return 1 / (1 + exp(-logit))


@kernel
def search_two_plies(w):
    """Find the cell with the best two plies, in ``reply``. Needs ``rate``."""
    find_closing(w)
    gather_candidates(w)
    w.brief = w.param.slack == 0
    if not w.brief:
        measure_frontier(w)
    for at in range(w.n_tied):
        w.score[at] = -1.0
    best, most, value, follows = -1.0, -1.0, 1.0, 1.0
    most_factor = (1 + w.param.slack) * exp(w.param.closing * MOST_SAVED)
    for at in range(w.n_tied):
        safety = 1 - w.progress[at]
        if safety == 1:  # its risk has to be taken: now is as good as later
            w.reply, best, value = w.tied[at], 1.0, 1 - risk_of(w, np.int64(w.tied[at]))
            w.score[at] = best
            break
        if safety * most_factor <= best * (1 - SAME) or w.steps > MOST_STEPS:
            break
        w.asked = w.tied[at]
        look(w, w.asked)
        if w.status != FINE:
            return
        worth, progress = rate_successors(w)
        score = safety * power(worth, w.param.trust)
        if not w.brief:
            score *= 1 + min(max(bonus_of(w), -w.param.slack), w.param.slack)
        score *= exp(w.param.closing * min(w.saved[w.asked], MOST_SAVED))
        w.score[at] = score
        if score > best * (1 + SAME) or (score >= best * (1 - SAME) and progress > most * (1 + SAME)):
            w.reply = w.tied[at]
            best, most, value, follows = max(best, score), progress, safety, worth
    w.value, w.exact = estimate_chance(w, value, follows), 0
