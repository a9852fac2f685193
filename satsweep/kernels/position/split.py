"""Large boards: single numbers, then components, to be counted a few at a time.

The working record has room for ``CELLS`` cells. The components of a larger board, or some of them, are a board of their
own: of the other cells they know no more than what their numbers still need. The memory is the caller's.
"""

import numpy as np

from satsweep.kernels.position import entries
from satsweep.kernels.shared.memory import COVERED, MINE, SAFE
from satsweep.kernels.toolchain.marks import exported_as, kernel


@exported_as(entries.split_position)
def split_position(nb, symbols, need, listed, order, ends):
    """Decide cells by single numbers, and list the components of the rest.

    ``nb`` is int32, shape (cells, degree). ``symbols`` (int8, as in ``set_position``) gets MINE and SAFE for covered
    cells that are decided, ``need`` (int16) the mines that each number still needs. ``order`` (int32) gets the
    undecided cells and the numbers of each component, ``ends`` (int32) the place after each; ``listed`` (int8) is
    scratch. Returns the number of components, -1 if the numbers contradict.
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


@exported_as(entries.take_part)
def take_part(nb, symbols, need, order, place_of, part_nb, part_symbols):
    """Write the board of some components: its cells are those in ``order``.

    ``nb``, ``symbols`` and ``need`` are as ``split_position`` leaves them. ``place_of`` (int32) is scratch. The table
    ``part_nb`` (int32, shape (part, degree)) joins each number with its undecided cells alone.
    """
    for at in range(order.shape[0]):
        place_of[order[at]] = at
    for at in range(order.shape[0]):
        cell = np.int64(order[at])
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
