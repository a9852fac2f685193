"""From the board to components: cells grouped, reduced by simple rules, split.

Starting from a dirty number, all numbers and undecided cells of its connected component are collected. Cells that touch
the same numbers form a group. On groups the rules of ``satsweep.solver.propagate`` run to a fixed point: single point,
subset, difference. The rest falls apart into components. Each goes into a slot, its groups in the order in which they
are listed, and stays there until one of its cells, or a number next to them, changes.
"""

import numpy as np

from satsweep.kernels.position.board import empty_slot, first_neighbour
from satsweep.kernels.shared.mathematics import count_members
from satsweep.kernels.shared.memory import CELLS, DEGREE, IMPOSSIBLE, INTS, SLOTS, WIDE, Field
from satsweep.kernels.toolchain.marks import kernel

FIELDS = (
    # A component while it is collected: constraints and groups, numbered from 0.
    Field("cell_mark", "i8", CELLS, "by cell: the last ``stamp`` with which it was collected"),
    Field("number_mark", "i8", CELLS, "by number: the last ``stamp`` with which it was collected"),
    Field("n_pending", "i8", (), "length of ``pending``"),
    Field("pending", "i4", CELLS, "forced cells that are to be decided at the end of the turn"),
    Field("pending_mine", "i1", CELLS, "by pending cell: 1 for a mine, 0 for a safe cell"),
    Field("pending_mines", "i8", (), "mines among the pending cells"),
    Field("n_con", "i8", (), "constraints"),
    Field("con_number", "i4", CELLS, "by constraint: its number"),
    Field("con_need", "i8", CELLS, "by constraint: mines that it still needs"),
    Field("con_cells", "i8", CELLS, "by constraint: its cells"),
    Field("con_n", "i8", CELLS, "by constraint: its groups"),
    Field("con_group", "i4", (CELLS, DEGREE), "by constraint: the list of its groups"),
    Field("con_list", "i4", CELLS, "constraints that are to be checked"),
    Field("con_listed", "i1", CELLS, "by constraint: 1 if it is in a list at work, ``con_list`` or ``sub_con``"),
    Field("con_stamp", "i8", CELLS, "by constraint: the last check in which it was met"),
    Field("con_hits", "i8", CELLS, "by constraint met: groups shared with the one that is checked"),
    Field("con_shared", "i8", CELLS, "by constraint met: cells shared with the one that is checked"),
    Field("con_left", "i8", CELLS, "constraints met in a check; by constraint, groups not in order yet"),
    Field("con_open", "i1", CELLS, "by constraint: 1 if one of its groups is in order"),
    Field("con_name", "i4", CELLS, "by constraint: its number within its component"),
    Field("n_group", "i8", (), "groups"),
    Field("group_size", "i8", CELLS, "by group: its cells"),
    Field("group_n", "i8", CELLS, "by group: its constraints"),
    Field("group_con", "i4", (CELLS, DEGREE), "by group: the list of its constraints"),
    Field("group_head", "i4", CELLS, "by group: its first cell"),
    Field("group_done", "i1", CELLS, "by group: 1 if it is decided, or in order"),
    Field("cell_next", "i4", CELLS, "by cell: the next one of its group, -1 for none"),
    Field("signature", "i4", DEGREE, "constraints of the cell that is collected"),
    Field("sub_con", "i4", CELLS, "constraints of one component, breadth first"),
    Field("order", "i4", CELLS, "groups of a component in the order of listing"),
    Field("meet", "i4", CELLS, "groups that the difference rule decides"),
    # Slots, each with a component: their long arrays lie in pools, from the places ``at_...`` on.
    Field("n_slots", "i8", (), "slots that were ever used, empty ones included"),
    Field("cell_slot", "i4", CELLS, "by cell: the slot of its component, -1 for none"),
    Field("cell_group", "i4", CELLS, "by cell of a component: its group there"),
    Field("groups", "i8", SLOTS, "by slot: groups"),
    Field("cons", "i8", SLOTS, "by slot: constraints"),
    Field("at_size", "i8", SLOTS, "by slot: in ``ints``, the cells of each group"),
    Field("at_con", "i8", SLOTS, "by slot: in ``ints``, where the constraints of each group begin, then these"),
    Field("at_need", "i8", SLOTS, "by slot: in ``ints``, the mines of each constraint"),
    Field("at_cell", "i8", SLOTS, "by slot: in ``ints``, where the cells of each group begin, then these"),
    Field("used_ints", "i8", (), "places of ``ints`` in use"),
    Field("ints", "i4", INTS, "pool of all slots"),
)


@kernel
def gather_component(w, start):
    """Constraint ``con`` has the ``number_mark`` ``stamp + con``."""
    stamp = w.stamp
    add_constraint(w, start, np.int64(0))
    cons, groups, at = 1, 0, 0
    while at < cons:
        number = np.int64(w.con_number[at])
        rest = np.int64(w.covered[number])
        first = groups
        while rest:
            cell = first_neighbour(w, number, rest)
            rest &= rest - 1
            if w.cell_mark[cell] == stamp:
                continue
            w.cell_mark[cell] = stamp
            if w.cell_slot[cell] >= 0:
                empty_slot(w, np.int64(w.cell_slot[cell]))
            length = 0
            seen = np.int64(w.numbers[cell])
            while seen:
                other = first_neighbour(w, cell, seen)
                seen &= seen - 1
                con = w.number_mark[other] - stamp
                if con < 0:
                    con = cons
                    add_constraint(w, other, con)
                    cons += 1
                w.signature[length] = con
                length += 1
            # A group is made by the first of its numbers, so only the groups made here can be the cell's.
            group = find_group(w, first, groups, length)
            if group == groups:
                groups += 1
                w.group_n[group] = length
                w.group_size[group] = 0
                w.group_head[group] = -1
                w.group_done[group] = 0
                for same in range(length):
                    con = np.int64(w.signature[same])
                    w.group_con[group, same] = con
                    w.con_group[con, w.con_n[con]] = group
                    w.con_n[con] += 1
            w.cell_next[cell] = w.group_head[group]
            w.group_head[group] = cell
            w.group_size[group] += 1
        at += 1
    w.n_con, w.n_group, w.stamp = cons, groups, stamp + cons


@kernel
def add_constraint(w, number, con):
    w.number_mark[number] = w.stamp + con
    w.con_number[con] = number
    w.con_need[con] = w.need[number]
    w.con_cells[con] = count_members(np.uint64(w.covered[number]))
    w.con_n[con], w.con_listed[con], w.con_stamp[con] = 0, 0, 0


@kernel
def find_group(w, first, groups, length):
    """Return the group, from ``first`` on, of the signature; ``groups`` if none."""
    for group in range(first, groups):
        if w.group_n[group] == length:
            same = 0
            while same < length and w.group_con[group, same] == w.signature[same]:
                same += 1
            if same == length:
                return group
    return groups


@kernel
def unlink(w, con, group):
    last = w.con_n[con] - 1
    for place in range(last + 1):
        if w.con_group[con, place] == group:
            w.con_group[con, place] = w.con_group[con, last]
            break
    w.con_n[con] = last
    w.con_cells[con] -= w.group_size[group]
    last = w.group_n[group] - 1
    for place in range(last + 1):
        if w.group_con[group, place] == con:
            w.group_con[group, place] = w.group_con[group, last]
            break
    w.group_n[group] = last


@kernel
def decide_group(w, group, mine, todo):
    """Make the cells of a group pending. Returns the new length of ``con_list``."""
    w.group_done[group] = 1
    cell = np.int64(w.group_head[group])
    while cell >= 0:
        w.pending[w.n_pending] = cell
        w.pending_mine[cell] = mine
        w.n_pending += 1
        w.pending_mines += mine
        cell = np.int64(w.cell_next[cell])
    while w.group_n[group]:
        con = np.int64(w.group_con[group, 0])
        w.con_need[con] -= mine * w.group_size[group]
        unlink(w, con, group)
        todo = enqueue(w, con, todo)
    return todo


@kernel
def enqueue(w, con, todo):
    """Add a constraint to ``con_list``, unless it is there. Returns the new length."""
    if not w.con_listed[con]:
        w.con_listed[con] = 1
        w.con_list[todo] = con
        todo += 1
    return todo


@kernel
def subtract(w, part, whole):
    """Subset rule: take the groups and mines of ``part`` out of ``whole``."""
    w.con_need[whole] -= w.con_need[part]
    for place in range(w.con_n[part]):
        unlink(w, whole, np.int64(w.con_group[part, place]))


@kernel
def apply_difference(w, less, more, todo):
    """Own cells of ``more`` are mines, of ``less`` safe. Returns as ``decide_group``."""
    mines, safe = 0, 0
    for place in range(w.con_n[more]):
        group = np.int64(w.con_group[more, place])
        if not contains(w, less, group):
            w.meet[mines] = group
            mines += 1
    for place in range(w.con_n[less]):
        group = np.int64(w.con_group[less, place])
        if not contains(w, more, group):
            w.meet[mines + safe] = group
            safe += 1
    for at in range(mines + safe):
        todo = decide_group(w, np.int64(w.meet[at]), 1 if at < mines else 0, todo)
    return todo


@kernel
def contains(w, con, group):
    for place in range(w.group_n[group]):
        if w.group_con[group, place] == con:
            return True
    return False


@kernel
def reduce_constraints(w):
    """Apply single point, subset and difference rules until nothing changes."""
    todo = 0
    for con in range(w.n_con):
        todo = enqueue(w, con, todo)
    clock = 0
    while todo:
        todo -= 1
        con = np.int64(w.con_list[todo])
        w.con_listed[con] = 0
        need = w.con_need[con]
        if need < 0 or need > w.con_cells[con]:
            w.status = IMPOSSIBLE
            return
        if need == 0 or need == w.con_cells[con]:
            while w.con_n[con]:
                todo = decide_group(w, np.int64(w.con_group[con, 0]), 1 if need else 0, todo)
            continue
        clock += 1
        met = 0
        for place in range(w.con_n[con]):
            group = np.int64(w.con_group[con, place])
            for turn in range(w.group_n[group]):
                other = np.int64(w.group_con[group, turn])
                if w.con_stamp[other] != clock:
                    w.con_stamp[other] = clock
                    w.con_hits[other] = 0
                    w.con_shared[other] = 0
                    w.con_left[met] = other
                    met += 1
                w.con_hits[other] += 1
                w.con_shared[other] += w.group_size[group]
        for at in range(met):
            other = w.con_left[at]
            if other == con:
                continue
            hits, shared = w.con_hits[other], w.con_shared[other]
            if hits == w.con_n[other]:
                if hits == w.con_n[con] and w.con_need[other] != w.con_need[con]:
                    w.status = IMPOSSIBLE
                    return
                subtract(w, other, con)
                todo = enqueue(w, con, todo)
                break
            if hits == w.con_n[con]:
                subtract(w, con, other)
                todo = enqueue(w, other, todo)
                continue
            beyond = w.con_need[con] - w.con_need[other]
            if beyond == w.con_cells[con] - shared:
                todo = apply_difference(w, other, con, todo)
                todo = enqueue(w, con, todo)
                break
            if -beyond == w.con_cells[other] - shared:
                todo = apply_difference(w, con, other, todo)
                todo = enqueue(w, con, todo)
                break


@kernel
def connected_constraints(w, group):
    """List a group's constraints and all connected ones, in ``sub_con``, an end last."""
    cons = 0
    for place in range(w.group_n[group]):
        con = w.group_con[group, place]
        w.con_listed[con] = 1
        w.sub_con[cons] = con
        cons += 1
    at = 0
    while at < cons:
        con = np.int64(w.sub_con[at])
        for place in range(w.con_n[con]):
            other = np.int64(w.con_group[con, place])
            for turn in range(w.group_n[other]):
                further = w.group_con[other, turn]
                if not w.con_listed[further]:
                    w.con_listed[further] = 1
                    w.sub_con[cons] = further
                    cons += 1
        at += 1
    return cons


@kernel
def order_groups(w, cons):
    """Order groups: the next are of the started constraint with the fewest left."""
    for at in range(cons):
        con = w.sub_con[at]
        w.con_left[con] = w.con_n[con]
        w.con_open[con] = 0
        w.con_name[con] = at
    placed = 0
    con = np.int64(w.sub_con[cons - 1])
    while True:
        for place in range(w.con_n[con]):
            group = np.int64(w.con_group[con, place])
            if not w.group_done[group]:
                w.group_done[group] = 1
                w.order[placed] = group
                placed += 1
                for turn in range(w.group_n[group]):
                    other = w.group_con[group, turn]
                    w.con_left[other] -= 1
                    w.con_open[other] = 1
        least = 0
        for at in range(cons):
            other = np.int64(w.sub_con[at])
            if w.con_open[other] and w.con_left[other] and (least == 0 or w.con_left[other] < least):
                least = w.con_left[other]
                con = other
        if least == 0:
            return placed


@kernel
def store_component(w, groups, cons):
    """Put the component of the ordered groups into a slot. Returns it, -1 if full."""
    if (w.n_spare == 0 and w.n_slots == SLOTS) or w.used_ints + (4 + DEGREE) * groups + cons + w.cells > INTS:
        w.status = WIDE
        return np.int64(-1)
    if w.n_spare:
        w.n_spare -= 1
        slot = np.int64(w.spare[w.n_spare])
    else:
        slot = np.int64(w.n_slots)
        w.n_slots += 1
    w.groups[slot], w.cons[slot], w.listed[slot] = groups, cons, 0
    ints = w.used_ints
    w.at_size[slot], w.at_con[slot] = ints, ints + groups
    said = 0
    for at in range(groups):
        group = w.order[at]
        w.ints[ints + at] = w.group_size[group]
        w.ints[ints + groups + at] = said
        said += w.group_n[group]
    ints += groups
    w.ints[ints + groups] = said
    ints += groups + 1
    for at in range(groups):
        group = w.order[at]
        for place in range(w.group_n[group]):
            w.ints[ints] = w.con_name[w.group_con[group, place]]
            ints += 1
    w.at_need[slot] = ints
    for at in range(cons):
        w.ints[ints + at] = w.con_need[w.sub_con[at]]
    ints += cons
    w.at_cell[slot] = ints
    first = ints + groups + 1
    cells = 0
    for at in range(groups):
        w.ints[ints + at] = cells
        cell = w.group_head[w.order[at]]
        while cell >= 0:
            w.ints[first + cells] = cell
            w.cell_slot[cell] = slot
            w.cell_group[cell] = at
            cells += 1
            cell = w.cell_next[cell]
    w.ints[ints + groups] = cells
    w.used_ints = first + cells
    return slot
