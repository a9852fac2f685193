"""Large boards: single numbers, then components, counted a few at a time.

The working record has room for ``CELLS`` cells. The components of a larger board, or some of them, are a board of their
own: of the other cells they know no more than what their numbers still need. The memory is the caller's.
"""

import numpy as np

from satsweep.kernels.position import entries
from satsweep.kernels.position.entries import NOT_COUNTED
from satsweep.kernels.position.solver import find_components, set_table, settle_pending, write_components
from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, HEAD, IMPOSSIBLE, MINE, SAFE, WIDE
from satsweep.kernels.toolchain.marks import exported_as, kernel

PART = 2_048
"""Most cells of a part of several components: a near cache has room for them."""


@exported_as(entries.count_parts)
def count_parts(nb, w, symbols, need, listed, order, ends, place_of, part_nb, part_symbols, cells, shape, ways):
    """Count the components of a board of any size.

    ``symbols`` (int8, as in ``set_position``) gets MINE and SAFE for covered cells that are decided, ``need`` (int16)
    the mines that each number still needs of the others. ``cells``, ``shape`` and ``ways`` get the groups and counts of
    components, as in ``count_position``, with no cells before them. ``listed`` (int8) is 0 for undecided cells in the
    sea, 1 for those of components, ``NOT_COUNTED`` for cells and numbers of components beyond the limits. All else is
    scratch. Returns the number of the latter components, -1 if no layout agrees with the numbers.
    """
    for place in range(HEAD):
        shape[place] = 0
    shape[4] = HEAD
    components = split_position(nb, symbols, need, listed, order, ends)
    first, begin, used, left = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    while first < components:
        last = first + 1
        while last < components and ends[last] - begin <= PART:
            last += 1
        while True:  # a part beyond the limits is halved
            own, w.status = order[begin : ends[last - 1]], WIDE
            if own.shape[0] <= CELLS:
                take_part(nb, symbols, need, own, place_of, part_nb, part_symbols)
                used = count_part(w, own, part_nb, part_symbols, symbols, cells, used, shape, ways)
            if w.status != WIDE or last - first == 1:
                break
            last = (first + last) // 2
        if w.status == IMPOSSIBLE:
            return -1
        if w.status == WIDE:
            left += 1
            for at in range(own.shape[0]):
                listed[own[at]] = NOT_COUNTED
        first, begin = last, np.int64(ends[last - 1])
    return left if components >= 0 else -1


@kernel
def count_part(w, own, part_nb, part_symbols, symbols, cells, used, shape, ways):
    """Count the components of a part behind those of others; return the cells of all."""
    size = own.shape[0]
    set_table(w, part_nb[:size])
    find_components(w, part_symbols[:size], np.int64(0))
    if w.status != FINE:
        return used
    settle_pending(w)
    components, filled, rows = shape[3], shape[4], shape[5]
    after = write_components(w, cells, used, shape, ways)
    if w.status != FINE:
        shape[3], shape[4], shape[5] = components, filled, rows
        return used
    for at in range(used, after):
        cells[at] = own[cells[at]]
    for at in range(size):
        if w.sym[at] == MINE or w.sym[at] == SAFE:
            symbols[own[at]] = w.sym[at]
    return after


@kernel
def split_position(nb, symbols, need, listed, order, ends):
    """Decide cells by single numbers, and list the components of the rest.

    ``order`` gets the undecided cells and the numbers of each component, which are ``listed`` then, ``ends`` the place
    after each. Returns the number of components, -1 if the numbers contradict.
    """
    cells, degree = nb.shape
    waiting = np.int64(0)
    for cell in range(cells):
        listed[cell] = 0
        if symbols[cell] >= 0:
            need[cell] = symbols[cell]
            for place in range(degree):
                other = nb[cell, place]
                if other < 0:
                    break
                need[cell] -= symbols[other] == MINE
            order[waiting], listed[cell] = cell, 1
            waiting += 1
    while waiting:
        waiting -= 1
        number = np.int64(order[waiting])
        listed[number] = 0
        free = _covered_around(nb, symbols, number)
        if need[number] < 0 or need[number] > free:
            return -1
        if free and (need[number] == 0 or need[number] == free):
            mine = 1 if need[number] else 0
            for place in range(degree):
                cell = np.int64(nb[number, place])
                if cell < 0:
                    break
                if symbols[cell] == COVERED:
                    symbols[cell] = MINE if mine else SAFE
                    waiting = _tell_numbers(nb, symbols, need, listed, order, waiting, cell, mine)
    return _list_components(nb, symbols, listed, order, ends)


@kernel
def _covered_around(nb, symbols, cell):
    free = np.int64(0)
    for place in range(nb.shape[1]):
        other = nb[cell, place]
        if other < 0:
            break
        free += symbols[other] == COVERED
    return free


@kernel
def _tell_numbers(nb, symbols, need, listed, order, waiting, cell, mine):
    """Take a decided cell from the numbers around it, which wait in ``order`` then."""
    for place in range(nb.shape[1]):
        number = nb[cell, place]
        if number < 0:
            break
        if symbols[number] >= 0:
            need[number] -= mine
            if not listed[number]:
                order[waiting], listed[number] = number, 1
                waiting += 1
    return waiting


@kernel
def _list_components(nb, symbols, listed, order, ends):
    """List components breadth first. A component has each cell once."""
    components, used = np.int64(0), np.int64(0)
    for start in range(nb.shape[0]):
        if symbols[start] < 0 or listed[start] or _covered_around(nb, symbols, np.int64(start)) == 0:
            continue
        at = used
        order[used], listed[start] = start, 1
        used += 1
        while at < used:
            cell = np.int64(order[at])
            at += 1
            is_number = symbols[cell] >= 0
            for place in range(nb.shape[1]):
                other = nb[cell, place]
                if other < 0:
                    break
                wanted = symbols[other] == COVERED if is_number else symbols[other] >= 0
                if wanted and not listed[other]:
                    order[used], listed[other] = other, 1
                    used += 1
        ends[components] = used
        components += 1
    return components


@kernel
def take_part(nb, symbols, need, own, place_of, part_nb, part_symbols):
    """Write the board of some components, whose cells are ``own``.

    Its table joins each number with its undecided cells alone.
    """
    for at in range(own.shape[0]):
        place_of[own[at]] = at
    for at in range(own.shape[0]):
        cell = np.int64(own[at])
        is_number = symbols[cell] >= 0
        part_symbols[at] = need[cell] if is_number else COVERED
        filled = np.int64(0)
        for place in range(nb.shape[1]):
            other = nb[cell, place]
            if other < 0:
                break
            if symbols[other] == COVERED if is_number else symbols[other] >= 0:
                part_nb[at, filled] = place_of[other]
                filled += 1
        for place in range(filled, nb.shape[1]):
            part_nb[at, place] = -1
