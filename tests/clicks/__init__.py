"""Tests of ``satsweep/clicks``, and the truth about small boards by trying all clicks."""

from collections.abc import Sequence

import numpy as np


def fewest_by_trying(
    neighbours: Sequence[Sequence[int]],
    mines: set[int],
    opened: int = 0,
    flagged: int = 0,
    *,
    wrong_flags: bool = False,
    most: int | None = None,
) -> int | None:
    """Fewest clicks by breadth-first search over (open cells, flags), two sets of bits.

    Every rule is spelled out: a dig opens a covered cell without a flag, and goes on around cells without mines; a
    chord opens the covered cells around a number with as many flags, unless one is a mine; a flag is set or removed.
    ``wrong_flags`` are set, too. With ``most`` clicks or fewer; None if these do not clear the board.
    """
    cells = range(len(neighbours))
    mined = sum(1 << mine for mine in mines)
    around = [sum(1 << other for other in others) for others in neighbours]
    numbers = [(touched & mined).bit_count() for touched in around]
    safe = (1 << len(neighbours)) - 1 & ~mined

    def opening(state: int, flags: int, first: Sequence[int]) -> int:
        waiting = list(first)
        while waiting:
            cell = waiting.pop()
            if not (state | flags) >> cell & 1:
                state |= 1 << cell
                if not numbers[cell]:
                    waiting += neighbours[cell]
        return state

    def after(state: int, flags: int) -> list[tuple[int, int]]:
        found = []
        for cell in cells:
            bit = 1 << cell
            if state & bit:
                opens = around[cell] & ~state & ~flags
                if numbers[cell] and (around[cell] & flags).bit_count() == numbers[cell] and not opens & mined:
                    found.append((opening(state, flags, neighbours[cell]), flags))
                continue
            if not (mined | flags) & bit:
                found.append((opening(state, flags, [cell]), flags))
            if (mined | flags) & bit or wrong_flags:
                found.append((state, flags ^ bit))
        return found

    layer = seen = {(opened, flagged)}
    clicks = 0
    while layer and (most is None or clicks <= most):
        if any(state == safe for state, _ in layer):
            return clicks
        layer = {position for state, flags in layer for position in after(state, flags)} - seen
        seen = seen | layer
        clicks += 1
    return None


def fewest_by_bits(neighbours: Sequence[Sequence[int]], mines: set[int], most: int) -> int | None:
    """The same with at most ``most`` clicks and flags on mines only, all positions of a layer at once.

    A cell has one bit: a mine is flagged, another cell is open. A dig then opens the same cells in every position, and
    so does a chord.
    """
    mined = sum(1 << mine for mine in mines)
    safe = (1 << len(neighbours)) - 1 & ~mined
    numbers = [sum(mined >> other & 1 for other in others) for others in neighbours]

    def opened(*first: int) -> int:
        found, waiting = 0, [cell for cell in first if safe >> cell & 1]
        while waiting:
            cell = waiting.pop()
            if not found >> cell & 1:
                found |= 1 << cell
                waiting += neighbours[cell] if not numbers[cell] else ()
        return found

    moves = []  # bits that a click needs, and those that it sets
    for cell, others in enumerate(neighbours):
        moves.append((0, opened(cell) if safe >> cell & 1 else 1 << cell))
        if safe >> cell & 1 and numbers[cell]:
            moves.append((1 << cell | sum(1 << other for other in others if mined >> other & 1), opened(*others)))
    seen = np.zeros(1 << len(neighbours), bool)
    layer = np.zeros(1, np.int64)
    for clicks in range(most + 1):
        if np.any(layer & safe == safe):
            return clicks
        found = []
        for needed, bits in moves:
            after = layer[layer & needed == needed] | bits
            found.append(after[~seen[after]])
            seen[found[-1]] = True
        layer = np.unique(np.concatenate(found))
    return None
