"""Copies of a position: the board, and its components, in another record.

Copying costs less than counting again. Pools only grow, so of the pools just the part in use at the beginning has to be
copied, once for all positions that begin alike, unless their owner has begun them afresh (``forgotten``).
"""

from satsweep.kernels.memory import FINE
from satsweep.kernels.position.board import CLEAN
from satsweep.kernels.toolchain.marks import kernel


@kernel
def copy_pools(w, v):
    """Copy the parts of the pools that are in use."""
    for at in range(w.used_ints):
        v.ints[at] = w.ints[at]
    for at in range(w.used_floats):
        v.floats[at] = w.floats[at]
    for at in range(w.used_counts):
        v.counts[at] = w.counts[at]
    for at in range(w.used_masks):
        v.masks[at] = w.masks[at]
    v.forgotten = 0


@kernel
def copy_position(w, v):
    """Copy a position in which nothing is left to be deduced, but for the pools."""
    if v.forgotten:
        copy_pools(w, v)
    v.left, v.sea, v.status = w.left, w.sea, FINE
    v.n_queue, v.n_dirty, v.n_found, v.n_pending, v.pending_mines = 0, 0, 0, 0, 0
    for cell in range(w.cells):
        v.sym[cell], v.need[cell], v.free[cell] = w.sym[cell], w.need[cell], w.free[cell]
        v.touch[cell], v.changed[cell] = w.touch[cell], CLEAN
        v.cell_slot[cell], v.cell_group[cell] = w.cell_slot[cell], w.cell_group[cell]
    v.used_ints, v.used_floats, v.used_counts, v.used_masks = w.used_ints, w.used_floats, w.used_counts, w.used_masks
    v.n_slots, v.n_spare = w.n_slots, w.n_spare
    for at in range(w.n_spare):
        v.spare[at] = w.spare[at]
    for slot in range(w.n_slots):
        v.listed[slot], v.groups[slot], v.cons[slot] = w.listed[slot], w.groups[slot], w.cons[slot]
        v.low[slot], v.high[slot], v.bits[slot] = w.low[slot], w.high[slot], w.bits[slot]
        v.at_size[slot], v.at_con[slot], v.at_need[slot] = w.at_size[slot], w.at_con[slot], w.at_need[slot]
        v.at_cell[slot], v.at_mines[slot], v.at_weight[slot] = w.at_cell[slot], w.at_mines[slot], w.at_weight[slot]
        v.at_count[slot], v.at_mask[slot], v.at_any[slot] = w.at_count[slot], w.at_mask[slot], w.at_any[slot]
        v.at_total[slot], v.at_share[slot], v.at_risk[slot] = w.at_total[slot], w.at_share[slot], w.at_risk[slot]
        v.some[slot], v.full[slot], v.at_mined[slot] = w.some[slot], w.full[slot], w.at_mined[slot]
