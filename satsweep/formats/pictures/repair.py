"""The cheapest changes after which all numbers of a reading may be true.

The price of reading a cell otherwise is how much less likely that looks, as a logarithm, and a number may be given up
at the odds that a picture shows an impossible board. Readings that contradict each other are a core; at least one of
its cells is to be changed. Sets of changes are tried in the order of their prices (Reiter 1987 on hitting sets, with a
SAT solver for the cores), so the first that leaves no core is a cheapest one, and those that come next tell how sure
it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from heapq import heappop, heappush
from itertools import combinations
from math import exp
from typing import NamedTuple

from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, UNKNOWN, ZERO
from satsweep.solver.sat_solver import SelectorSolver

GIVEN_UP = -1
"""Reading of an open cell whose number says nothing."""
MAY_BE_MINES = (COVERED, FLAG, UNKNOWN)
MOST_CONFLICTS, MOST_SEARCHED = 40, 4
"""Conflicts that are repaired at most, and those that are searched."""
MOST_TRIED = 200
"""Sets of changes that are tried at once."""
WHOLE_CONFLICT, NEARBY = 1000, 3
"""Steps from a core to the cells repaired with it, and if that is too much."""
NEXT = 5.0
"""Price above that of the cheapest changes up to which others are told."""

Prices = Mapping[int, float]
"""Prices of the readings of a cell but its present one, each above zero."""
Changes = Mapping[int, int]
"""Cells that are read otherwise, with their readings."""


class Repair(NamedTuple):
    """The cheapest changes of a reading, and its doubts.

    These are the probabilities of the readings of the cells that these changes, or others nearly as cheap, concern.

    A reading that is too much to repair at once is repaired conflict by conflict, and the numbers of one that is still
    too much are given up.
    """

    changes: Changes
    doubts: Mapping[int, Mapping[int, float]]


def repair(symbols: Sequence[int], around: Sequence[Sequence[int]], prices: Sequence[Prices]) -> Repair:
    """The cheapest changes after which a layout exists; none if one exists already.

    ``symbols`` has the present reading of each cell, an index into SYMBOLS, ``around`` its neighbours, of which those
    past the last cell lie beyond a cut side, and ``prices`` its other readings.
    """
    changes: dict[int, int] = {}
    doubts: dict[int, Mapping[int, float]] = {}
    reaches = [WHOLE_CONFLICT, NEARBY]
    with _Readings(symbols, around, prices) as readings:
        for conflict in range(MOST_CONFLICTS):
            core = readings.core(range(len(symbols)), changes)
            if not core:
                break
            found: list[tuple[float, dict[int, int]]] = []
            for reach in reaches if conflict < MOST_SEARCHED else ():
                found = _cheapest(readings, readings.connected(core, reach), prices, changes)
                if found:
                    break
                reaches = [NEARBY]
            if found:
                doubts |= _shares(found, symbols, changes)
                changes = found[0][1]
            else:
                hard = [cell for cell in core if GIVEN_UP in prices[cell]]
                changes |= dict.fromkeys(hard, GIVEN_UP)
                doubts |= {cell: {GIVEN_UP: 1.0} for cell in hard}
    return Repair(changes, doubts)


def _cheapest(
    readings: _Readings, cells: Collection[int], prices: Sequence[Prices], before: Changes
) -> list[tuple[float, dict[int, int]]]:
    """The cheapest further changes of some cells, then others, with their prices."""
    waiting: list[tuple[float, int, dict[int, int]]] = [(0.0, 0, dict(before))]
    seen = {frozenset(before.items())}
    found: list[tuple[float, dict[int, int]]] = []
    for _ in range(MOST_TRIED):
        if not waiting or (found and waiting[0][0] > found[0][0] + NEXT):
            break
        price, _, changes = heappop(waiting)
        core = readings.core(cells, changes)
        if not core:
            found.append((price, changes))
        for cell in core:
            # A cell that is changed here is another thing in other sets.
            for reading, more in prices[cell].items() if cell not in changes else ():
                wider = {**changes, cell: reading}
                if (key := frozenset(wider.items())) not in seen:
                    seen.add(key)
                    heappush(waiting, (price + more, len(seen), wider))
    return found


def _shares(
    found: Sequence[tuple[float, Changes]], symbols: Sequence[int], before: Changes
) -> dict[int, dict[int, float]]:
    """Probabilities of the readings of cells that are changed, but for those before."""
    weights = [exp(found[0][0] - price) for price, _ in found]
    shares: dict[int, dict[int, float]] = {}
    for cell in sorted({cell for _, changes in found for cell in changes.keys() - before.keys()}):
        own = shares[cell] = {symbols[cell]: 0.0}
        for weight, (_, changes) in zip(weights, found, strict=True):
            reading = changes.get(cell, symbols[cell])
            own[reading] = own.get(reading, 0.0) + weight / sum(weights)
    return shares


class _Readings(ExitStack):
    """A SAT solver that holds all readings of all cells, each behind a selector."""

    def __init__(self, symbols: Sequence[int], around: Sequence[Sequence[int]], prices: Sequence[Prices]) -> None:
        super().__init__()
        self._symbols, self._around = symbols, around
        options = [(symbol, *own) for symbol, own in zip(symbols, prices, strict=True)]
        self._mines = {
            cell: cell + 1
            for cell in range(len(around))
            if cell >= len(symbols) or any(one == MINE or one in MAY_BE_MINES for one in options[cell])
        }
        self._open = {cell for cell, own in enumerate(options) if any(ZERO <= one < FLAG for one in own)}
        spoken = [(cell, one) for cell, own in enumerate(options) for one in own if one not in MAY_BE_MINES]
        self._indices = {pair: index for index, pair in enumerate(spoken)}
        self._cells = [cell for cell, _ in spoken]
        self._solver = self.enter_context(SelectorSolver(len(around) + 1, range(len(spoken))))
        for (cell, reading), index in self._indices.items():
            beside = [self._mines[one] for one in around[cell] if one in self._mines]
            for clause in _clauses(reading, self._mines.get(cell), beside):
                self._solver.add(clause, index)

    def core(self, cells: Collection[int], changes: Changes) -> list[int]:
        """Cells whose readings contradict each other; none if a layout exists."""
        pairs = ((cell, changes.get(cell, self._symbols[cell])) for cell in cells)
        chosen = [self._indices[pair] for pair in pairs if pair in self._indices]
        if self._solver.model(chosen) is not None:
            return []
        core = self._solver.core()
        for index in sorted(core):
            if self._solver.model(core - {index}) is None:
                core = self._solver.core()
        return sorted(self._cells[index] for index in core)

    def connected(self, core: Collection[int], reach: int) -> list[int]:
        """Cells that numbers connect with a core, in a number of steps at most."""
        found, newest = set(core), set(core)
        for _ in range(reach):
            near = {
                one
                for cell in newest
                for one in self._around[cell]
                if (cell in self._open and one in self._mines) or (cell in self._mines and one in self._open)
            }
            newest = near - found
            if not newest:
                break
            found |= newest
        return sorted(cell for cell in found if cell < len(self._symbols))


def _clauses(reading: int, mine: int | None, beside: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Clauses of a reading on the mine in its cell and on those beside."""
    if reading == MINE:
        assert mine is not None
        yield (mine,)
        return
    if mine is not None:
        yield (-mine,)
    if reading != GIVEN_UP:
        count = reading - ZERO
        yield from combinations(beside, max(0, len(beside) - count + 1))
        yield from combinations([-one for one in beside], count + 1)
