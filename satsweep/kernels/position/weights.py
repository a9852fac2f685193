"""All components with the sea: weights of their totals, risk of every cell.

With ``left`` mines to be placed, the weight of a component's placement with m mines is the sum, over what the others
can hold, of their ways times the ways of the sea to hold the rest: a convolution. Binomials of the sea are relative to
the greatest one that can occur, totals of components relative to their greatest. Where the product of all ranges could
exceed a float the position is handed over, so no weight vanishes, and a weight of zero means impossible.
"""

import numpy as np

from satsweep.kernels.position.listing import prepare_totals
from satsweep.kernels.shared.mathematics import bit, log2
from satsweep.kernels.shared.memory import FINE, IMPOSSIBLE, MOST_BITS, SLOTS, SPAN, TABLES, WIDE, Field
from satsweep.kernels.toolchain.marks import kernel

FIELDS = (
    Field("n_act", "i8", (), "length of ``act``"),
    Field("act", "i4", SLOTS, "slots in use"),
    Field("low_sum", "i8", (), "fewest mines of all components together"),
    Field("high_sum", "i8", (), "most mines of all components together"),
    Field("before", "f8", TABLES, "ways of the first k components, by k and mines above their fewest"),
    Field("after", "f8", TABLES, "ways of all but the first k components, with the sea, by k and mines of the first k"),
    Field("ways", "f8", SPAN, "ways of the sea, by mines of all components above ``low_sum``"),
    Field("sea_mined", "f8", (), "weight of a mine in a cell of the sea, times its cells"),
    Field("sea_clear", "f8", (), "weight of no mine in a cell of the sea, times its cells"),
)


@kernel
def collect_components(w):
    w.n_act, w.low_sum, w.high_sum = 0, 0, 0
    for slot in range(w.n_slots):
        if w.listed[slot]:
            w.act[w.n_act] = slot
            w.n_act += 1
            w.low_sum += w.low[slot]
            w.high_sum += w.high[slot]


@kernel
def is_total_slack(w):
    """Return whether the mine total forces nothing, as the sea takes any rest."""
    left = w.left - w.pending_mines
    return w.high_sum < left and left - w.low_sum < w.sea


@kernel
def weigh_sea(w, cells, most, count, ways):
    """Write the ways of the sea to hold ``most`` mines, one less, and so on.

    ``ways`` is float64 of at least ``count`` places, relative to the greatest. Returns the least positive one: 2 if
    none is possible, 0 if their range is too much.
    """
    for place in range(count):
        ways[place] = 0.0
    # The possible places are those with 0 <= most - place <= cells.
    first, last = max(np.int64(0), most - cells), min(count - 1, most)
    if first > last:
        return 2.0
    top = min(max(most - cells // 2, first), last)
    least = 1.0
    ways[top] = 1.0
    for place in range(top + 1, last + 1):  # one mine less each
        mines = most - place + 1
        ways[place] = ways[place - 1] * mines / (cells - mines + 1)
        if ways[place] < 1e-270:
            return 0.0
    least = ways[last]
    for place in range(top - 1, first - 1, -1):  # one mine more each
        mines = most - place - 1
        ways[place] = ways[place + 1] * (cells - mines) / (mines + 1)
        if ways[place] < 1e-270:
            return 0.0
    return min(least, ways[first])


@kernel
def row_of_totals(w, at):
    """Return where the row of ``act[at]`` begins in ``after`` and ``before``."""
    return at * (w.high_sum - w.low_sum + 1)


@kernel
def weigh_totals(w):
    """Weigh every total of every component, and the sea. Needs ``collect_components``."""
    left = w.left - w.pending_mines
    spread = w.high_sum - w.low_sum
    if spread + 1 > SPAN or (w.n_act + 1) * (spread + 1) > TABLES:
        w.status = WIDE
        return
    for at in range(w.n_act):
        prepare_totals(w, np.int64(w.act[at]))
        if w.status != FINE:
            return
    size = spread + 1
    least = weigh_sea(w, w.sea, left - w.low_sum, size, w.ways)
    if least > 1:
        w.status = IMPOSSIBLE
        return
    bits = -log2(least)
    for at in range(w.n_act):
        bits += w.bits[w.act[at]]
    if bits > MOST_BITS:
        w.status = WIDE
        return
    # after[at]: the ways of the components from ``at`` on and the sea, by the mines of the components before.
    for more in range(size):
        w.after[w.n_act * size + more] = w.ways[more]
    above = size
    for at in range(w.n_act - 1, -1, -1):
        slot = w.act[at]
        total, span = w.at_total[slot], w.high[slot] - w.low[slot] + 1
        above -= span - 1
        for more in range(above):
            worth = 0.0
            for mines in range(span):
                worth += w.floats[total + mines] * w.after[(at + 1) * size + more + mines]
            w.after[at * size + more] = worth
    w.before[0] = 1.0
    below = 1
    for at in range(w.n_act):
        slot = w.act[at]
        total, share, span = w.at_total[slot], w.at_share[slot], w.high[slot] - w.low[slot] + 1
        for mines in range(span):
            worth = 0.0
            for more in range(below):
                worth += w.before[at * size + more] * w.after[(at + 1) * size + more + mines]
            w.floats[share + mines] = worth
        for more in range(below + span - 1):
            w.before[(at + 1) * size + more] = 0.0
        for more in range(below):
            ways = w.before[at * size + more]
            for mines in range(span):
                w.before[(at + 1) * size + more + mines] += ways * w.floats[total + mines]
        below += span - 1
    w.sea_mined, w.sea_clear = 0.0, 0.0
    for more in range(below):
        worth = w.before[w.n_act * size + more] * w.ways[more]
        mines = left - w.low_sum - more
        if worth > 0:
            w.sea_mined += worth * mines
            w.sea_clear += worth * (w.sea - mines)
    if w.after[0] <= 0:
        w.status = IMPOSSIBLE


@kernel
def rate(w):
    """Compute all risks, and ``some`` and ``full`` of every slot."""
    weigh_totals(w)
    if w.status == FINE:
        for at in range(w.n_act):
            rate_component(w, np.int64(w.act[at]))


@kernel
def rate_component(w, slot):
    groups, risk, low = w.groups[slot], w.at_risk[slot], w.low[slot]
    weight, count, mask, mines_of = w.at_weight[slot], w.at_count[slot], w.at_mask[slot], w.at_mines[slot]
    share, size = w.at_share[slot], w.at_size[slot]
    for group in range(groups):
        w.floats[risk + group] = 0.0
    some, full, out_of = np.uint64(0), ~np.uint64(0), 0.0
    for placement in range(w.listed[slot]):
        worth = w.floats[weight + placement] * w.floats[share + w.ints[mines_of + placement] - low]
        if worth > 0:
            out_of += worth
            some |= w.masks[mask + 2 * placement]
            full &= w.masks[mask + 2 * placement + 1]
            for group in range(groups):
                w.floats[risk + group] += worth * w.counts[count + placement * groups + group]
    w.some[slot], w.full[slot] = some, full
    for group in range(groups):
        if full & bit(group):
            w.floats[risk + group] = 1.0
        elif some & bit(group):
            found = w.floats[risk + group] / (out_of * w.ints[size + group])
            w.floats[risk + group] = min(max(found, 1e-300), 1 - 2.0**-53)


@kernel
def quotient(mined, clear):
    """Return the risk of a cell from two weights: 0 or 1 only if exactly that."""
    if mined == 0.0:
        return 0.0
    if clear == 0.0:
        return 1.0
    return min(max(mined / (mined + clear), 1e-300), 1 - 2.0**-53)


@kernel
def risk_of(w, cell):
    slot = w.cell_slot[cell]
    if slot < 0:
        return quotient(w.sea_mined, w.sea_clear)
    return w.floats[w.at_risk[slot] + w.cell_group[cell]]


@kernel
def least_risk(w):
    """Return the least risk of an undecided cell, 2 if there is none. Needs ``rate``."""
    least = 2.0
    if w.sea:
        least = quotient(w.sea_mined, w.sea_clear)
    for at in range(w.n_act):
        slot = w.act[at]
        for group in range(w.groups[slot]):
            least = min(least, w.floats[w.at_risk[slot] + group])
    return least
