"""Last clicks between the bounds: one question about all clicks together.

Is there a choice of no more clicks than the lower bound? The cores of a search become longer towards the end, and the
last ones take most of the time. A solver of its own then answers the question as a whole, with a totalizer (Bailleux
and Boufkhad 2003) of all clicks: neighbouring cells are counted together first, then regions, each out of its two
halves. The solver then has a variable for "at least k clicks in this region", and learns short clauses about it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from functools import reduce

from satsweep.clicks.model import Set
from satsweep.clicks.search import SLICE, CoreSearch, Steps, solved

TOGETHER = 20
"""Most cells of a region without halves."""


class Closing:
    """A search for fewer clicks than the best choice, or a proof that there are none.

    It shares the bounds and the sets of a search by cores. ``close`` frees the memory of the solver.
    """

    def __init__(self, search: CoreSearch) -> None:
        from pysat.solvers import Solver

        self.search = search
        self._solver = Solver(name="glucose4")
        self._known = 0
        self._top = search.variables.top
        for clause in search.variables.flag_clauses():
            self._solver.add_clause(clause)
        true = search.variables.true(search.best)
        self._solver.set_phases([number if number in true else -number for number in search.variables.cells])
        self._at_least = self._counted()

    def close(self) -> None:
        self._solver.delete()

    def steps(self) -> Steps:
        """Raise the lower bound, or find a better choice, until they meet, in slices."""
        search = self.search
        while not search.is_proved:
            for nodes in search.sets[self._known :]:
                self._solver.add_clause(search.variables.cut(nodes))
            self._known = len(search.sets)
            more = self._at_least[search.lower]
            found, effort = solved(self._solver, [-more], SLICE)
            if found:
                choice = search.variables.selection(self._solver.get_model())
                search.offer(search.model.completed(choice.chords, choice.digs))
                for missed in search.model.cuts(choice):
                    search.enter(missed)
            elif found is False:
                self._solver.add_clause([more])
                search.lower += 1
            yield effort

    def _counted(self) -> Sequence[int]:
        """Variables of which the one at place k follows from more than k clicks."""
        at: dict[int, list[int]] = {}
        for number, cell in self.search.variables.cells.items():
            at.setdefault(cell, []).append(number)
        parts: list[tuple[Set, Sequence[int]]] = []
        for region in regions(self.search.model.neighbours):
            halves = [total for cells, total in parts if cells < region]
            parts = [part for part in parts if not part[0] < region]
            if not halves:
                halves = [self._totalizer([number for cell in sorted(region) for number in at.get(cell, ())])]
            parts.append((region, reduce(self._sum, halves)))
        return parts[-1][1]

    def _totalizer(self, literals: Sequence[int]) -> Sequence[int]:
        if len(literals) < 2:
            return literals
        middle = len(literals) // 2
        return self._sum(self._totalizer(literals[:middle]), self._totalizer(literals[middle:]))

    def _sum(self, one: Sequence[int], other: Sequence[int]) -> Sequence[int]:
        """The sum of two unary numbers, up to the clicks of the best choice."""
        size = min(len(one) + len(other), self.search.upper)
        total = range(self._top + 1, self._top + size + 1)
        self._top += size
        for i, first in enumerate([[], *([-literal] for literal in one)]):
            for j, second in enumerate([[], *([-literal] for literal in other)]):
                if 0 < i + j <= size:
                    self._solver.add_clause([*first, *second, total[i + j - 1]])
        return total


def regions(neighbours: Sequence[Sequence[int]], cells: Collection[int] | None = None) -> Iterator[Set]:
    """Regions of cells, each after its two halves; the last one is all cells."""
    region = frozenset(range(len(neighbours)) if cells is None else cells)
    if len(region) > TOGETHER:
        end = _distances(neighbours, region, min(region))
        one = max(sorted(region), key=lambda cell: end.get(cell, 0))
        from_one = _distances(neighbours, region, one)
        other = max(sorted(region), key=lambda cell: from_one.get(cell, 0))
        from_other = _distances(neighbours, region, other)
        far = len(neighbours)
        order = sorted(region, key=lambda cell: (from_one.get(cell, far) - from_other.get(cell, far), cell))
        middle = len(order) // 2
        yield from regions(neighbours, order[:middle])
        yield from regions(neighbours, order[middle:])
    yield region


def _distances(neighbours: Sequence[Sequence[int]], region: Set, start: int) -> dict[int, int]:
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        for other in neighbours[cell]:
            if other in region and other not in found:
                found[other] = found[cell] + 1
                waiting.append(other)
    return found
