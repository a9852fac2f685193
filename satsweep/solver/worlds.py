"""All worlds of a position, one by one, where there are few.

A world is the set of its mines, as the bits of an integer. Every component is filled in all ways, by its number of
mines; fillings of components and the cells of the sea then make up the mine total together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from satsweep.solver.analysed_board import AnalysedBoard
from satsweep.solver.components import Component
from satsweep.solver.engines.sat import placements

PLACEMENTS = 20
"""Most placements of a component that are listed, for each world allowed."""
Fillings = dict[int, list[int]]
"""Ways to fill some cells, by the number of mines."""


def list_worlds(analysis: AnalysedBoard, most: int) -> tuple[int, ...] | None:
    """Return all worlds of a counted board with a mine total and true numbers.

    None for any other board, and where there are more than ``most`` worlds, or too many placements to look through.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.analysis import analyse
    >>> [bin(world) for world in list_worlds(analyse(Board(("1#1", "##1"), mines=1)), 10)]
    ['0b10', '0b10000']
    """
    board = analysis.board
    if not (analysis.is_counted and board.clues.is_exact) or board.mines is None or (analysis.worlds or 0) > most:
        return None
    counted = analysis.solution.derived.counted
    left = counted.mines_left
    assert left is not None
    parts: list[Fillings] = []
    for part in counted.parts:
        found = fillings(part.component, [counted.frontier.groups[group] for group in part.groups], PLACEMENTS * most)
        if found is None:
            return None
        parts.append(found)
    sea = counted.frontier.sea
    certain = sum(1 << cell for cell in analysis.solution.derived.proved.mines)
    reach = _reach([set(part) for part in parts], len(sea))
    return tuple(sorted(_joined(parts, sea, reach, certain, left)))


def fillings(component: Component, cells: Sequence[Sequence[int]], most: int) -> Fillings | None:
    """Return all ways to mine the cells of a component, by the number of mines.

    ``cells`` are those of each group. None if there are more than ``most``.
    """
    found: Fillings = {}
    ways = 0
    for counts in islice(placements(component), most + 1):
        chosen = [combinations(group, mines) for group, mines in zip(cells, counts, strict=True)]
        for mined in islice(product(*chosen), most + 1):
            ways += 1
            found.setdefault(sum(counts), []).append(sum(1 << cell for group in mined for cell in group))
        if ways > most:
            return None
    return found


def _reach(parts: Sequence[set[int]], sea: int) -> list[set[int]]:
    """Return the numbers of mines that each part, all after it and the sea can hold."""
    reach = [set(range(sea + 1))]
    for sums in reversed(parts):
        reach.append({one + other for one in sums for other in reach[-1]})
    return reach[::-1]


def _joined(
    parts: Sequence[Fillings], sea: Sequence[int], reach: Sequence[set[int]], world: int, left: int
) -> Iterator[int]:
    """Yield a world with every way to put the mines that are left."""
    if left not in reach[0]:
        return
    if not parts:
        for mined in combinations(sea, left):
            yield world + sum(1 << cell for cell in mined)
        return
    for mines, ways in parts[0].items():
        if left - mines in reach[1]:
            for way in ways:
                yield from _joined(parts[1:], sea, reach[1:], world + way, left - mines)
