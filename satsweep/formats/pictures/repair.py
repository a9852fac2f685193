"""The cheapest changes after which mines can lie so that all numbers of a reading are true.

The price of reading a cell otherwise is how much less likely that looks, as a logarithm, and a number may be given up
at the odds that a picture shows an impossible board. The cheapest set of changes is a weighted MaxSAT problem, solved
exactly by cores (RC2, Ignatiev, Morgado and Marques-Silva 2019). The next best repair, in which a cell stays what it
was, tells how sure its change is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import exp
from typing import NamedTuple

from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF

from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, UNKNOWN, ZERO

GIVEN_UP = -1
"""Reading of an open cell whose number says nothing."""
MAY_BE_MINES = (COVERED, FLAG, UNKNOWN)
SCALE = 1000
"""Prices are counted in this part of one."""
MOST_TESTED = 8
"""Changes of which each is compared with the next best repair."""

Prices = Mapping[int, float]
"""For readings of a cell but its present one what they cost, each more than nothing."""


class Repair(NamedTuple):
    """Cells that are to be read otherwise, with their readings.

    ``doubts`` has the probabilities of the readings of these cells, and of those that the next best repairs change.
    """

    changes: Mapping[int, int]
    doubts: Mapping[int, Mapping[int, float]]


class _Changes(NamedTuple):
    price: float
    readings: Mapping[int, int]


def repair(symbols: Sequence[int], around: Sequence[Sequence[int]], prices: Sequence[Prices]) -> Repair:
    """The cheapest changes after which a layout exists; none if one exists already.

    ``symbols`` has the present reading of each cell, an index into SYMBOLS, ``around`` its neighbours, of which those
    past the last cell lie beyond a cut side, and ``prices`` its other readings.
    """
    problem = _Problem(symbols, around, prices)
    best = problem.cheapest()
    doubts: dict[int, dict[int, float]] = {}
    for cell in list(best.readings)[:MOST_TESTED]:
        other = problem.cheapest(kept=cell)
        odds = exp(best.price - other.price)
        doubts[cell] = {best.readings[cell]: 1 / (1 + odds), symbols[cell]: odds / (1 + odds)}
        for instead in other.readings.keys() - best.readings.keys():
            known = 1 - doubts.get(instead, {}).get(symbols[instead], 1.0)
            share = max(known, odds / (1 + odds))
            doubts[instead] = {symbols[instead]: 1 - share, other.readings[instead]: share}
    return Repair(best.readings, doubts)


class _Problem:
    """Clauses on mines and readings: where all are met, a layout agrees with the readings."""

    def __init__(self, symbols: Sequence[int], around: Sequence[Sequence[int]], prices: Sequence[Prices]) -> None:
        self._formula = WCNF()
        self._symbols = symbols
        options = [(symbol, *own) for symbol, own in zip(symbols, prices, strict=True)]
        places = len(around)
        mines = {
            cell: cell + 1
            for cell in range(places)
            if cell >= len(symbols) or any(one in MAY_BE_MINES or one == MINE for one in options[cell])
        }
        self._reads: dict[tuple[int, int], int] = {}
        for cell, readings in enumerate(options):
            beside = [mines[one] for one in around[cell] if one in mines]
            chosen = []
            for reading in readings:
                variable = places + 1 + len(self._reads)
                self._reads[cell, reading] = variable
                chosen.append(variable)
                for clause in _clauses(reading, mines.get(cell), beside):
                    self._formula.append([*clause, -variable])
                if reading != symbols[cell]:
                    self._formula.append([-variable], weight=round(SCALE * prices[cell][reading]))
            self._formula.append(chosen)

    def cheapest(self, kept: int | None = None) -> _Changes:
        """The cheapest changes, without one of a cell that is kept as it is."""
        formula = self._formula
        if kept is not None:
            formula = formula.copy()
            formula.append([self._reads[kept, self._symbols[kept]]])
        with RC2Stratified(formula) as solver:
            true = {variable for variable in solver.compute() or () if variable > 0}
            price = solver.cost / SCALE
        unchanged = {cell for cell, symbol in enumerate(self._symbols) if self._reads[cell, symbol] in true}
        changed = {cell: reading for (cell, reading), variable in self._reads.items()
                   if cell not in unchanged and variable in true}  # fmt: skip
        return _Changes(price, changed)


def _clauses(reading: int, mine: int | None, beside: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """What a reading says of the mine in its cell and of those beside."""
    if reading == MINE:
        assert mine is not None
        yield (mine,)
    elif reading not in MAY_BE_MINES:
        if mine is not None:
            yield (-mine,)
        if reading != GIVEN_UP:
            count = reading - ZERO
            yield from combinations(beside, max(0, len(beside) - count + 1))
            yield from combinations([-one for one in beside], count + 1)
