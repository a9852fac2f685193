"""Put together: from the counts of components to the risk of every cell. The only place that knows the mine total.

What is known beyond the numbers, the prior, is one of three:

* how many mines there are: components and sea compete for them (``combine``);
* a density: every cell is a mine with that probability, independently, so components do not influence each other;
* nothing, and all worlds weigh the same: like density one half, but for the scale.

All arithmetic is on integers: a risk is a pair, so many of so many, in weights of worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from operator import mul

from satsweep.solver.components import Counts, LocatedComponent
from satsweep.solver.constraints import Frontier
from satsweep.solver.mine_total import combine


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known beyond the statements: how many of the cells are mines, or their density, or nothing."""

    mines: int | None = None
    density: Fraction | None = None

    @property
    def scales(self) -> tuple[int, int]:
        """How much a mine weighs, and a safe cell."""
        if self.density is None:
            return 1, 1
        return self.density.numerator, self.density.denominator - self.density.numerator

    def weighted(self, polynomial: Sequence[int], cells: int) -> tuple[int, ...]:
        """Ways to fill so many cells, by the number of mines, each with the weight it has under the prior."""
        if self.density is None:
            return tuple(polynomial)
        mine, safe = self.scales
        return tuple(ways * mine**m * safe ** (cells - m) for m, ways in enumerate(polynomial))


class Binomials(dict[int, int]):
    """In how many ways so many cells can be chosen among ``cells``: C(cells, chosen) for every chosen, 0 off the ends.

    Neighbours follow from each other by a product and a quotient; on a board of a million cells that takes a
    thousandth of the time of working each out.

    >>> Binomials(5)[2], Binomials(5)[7]
    (10, 0)
    """

    def __init__(self, cells: int) -> None:
        super().__init__()
        self.cells = cells

    def __missing__(self, chosen: int) -> int:
        if not 0 <= chosen <= self.cells:
            return 0
        if chosen - 1 in self:
            ways = self[chosen - 1] * (self.cells - chosen + 1) // chosen
        elif chosen + 1 in self:
            ways = self[chosen + 1] * (chosen + 1) // (self.cells - chosen)
        else:
            ways = comb(self.cells, chosen)
        self[chosen] = ways
        return ways


@dataclass(frozen=True, slots=True)
class Odds:
    """Cells of equal risk: ``mined`` of ``out_of``, in weights of worlds; None while it is not known."""

    cells: tuple[int, ...]
    mined: int | None
    out_of: int = 1


@dataclass(frozen=True, slots=True)
class CountedFrontier:
    """Counted components side by side with the sea; None stands for a component that could not be frontier_cells.

    ``certain`` tells how many mines and how many safe cells are settled already.
    """

    frontier: Frontier
    parts: tuple[LocatedComponent, ...]
    counts: tuple[Counts | None, ...]
    certain: tuple[int, int]
    prior: Prior
    sea: Binomials = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sea", Binomials(len(self.frontier.sea)))

    @property
    def complete(self) -> bool:
        """Whether every component is frontier_cells."""
        return None not in self.counts

    @property
    def mines_left(self) -> int | None:
        """How many mines components and sea hold together, if that is known."""
        return None if self.prior.mines is None else self.prior.mines - self.certain[0]

    def sea_ways(self, mines: int) -> int:
        """In how many ways the sea holds what is left beside so many mines on the components."""
        return 1 if self.mines_left is None else self.sea[self.mines_left - mines]

    def totals(self) -> list[tuple[int, ...]]:
        """The weights of the ways to fill each frontier_cells component, by its number of mines."""
        return [
            self.prior.weighted(counts.total, sum(part.component.sizes))
            for part, counts in zip(self.parts, self.counts, strict=True)
            if counts is not None
        ]

    def frontier_mines(self) -> dict[int, Fraction]:
        """The probability of every number of mines among the cells that numbers speak about; complete only."""
        combined = combine(self.totals(), self.sea_ways)
        weights = {
            self.certain[0] + mines: ways * self.sea_ways(mines)
            for mines, ways in enumerate(combined.spread, combined.low)
        }
        out_of = sum(weights.values())
        return {mines: Fraction(weight, out_of) for mines, weight in weights.items() if weight}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The odds of every cell that was not settled before, and how many worlds there are (None: not known).

    ``weight`` is, under a density, the probability that cells look as stated.
    """

    odds: tuple[Odds, ...]
    worlds: int | None
    weight: Fraction | None = None


def cell_odds(counted: CountedFrontier) -> Verdict:
    """The odds under the prior. No worlds at all means a contradiction with the mine total."""
    if counted.mines_left is None:
        return _without_total(counted)
    return _with_total(counted) if counted.complete else _with_total_in_part(counted)


def _without_total(counted: CountedFrontier) -> Verdict:
    """No total: a component's risks are its own, and the sea is as risky as the prior says."""
    odds: list[Odds] = []
    mine, safe = counted.prior.scales
    worlds, weight = 2 ** len(counted.frontier.sea) * counted.frontier.weight, counted.frontier.weight
    for part, counts in zip(counted.parts, counted.counts, strict=True):
        if counts is None:
            odds += (Odds(counted.frontier.groups[group], None) for group in part.groups)
            continue
        cells = sum(part.component.sizes)
        out_of = sum(counted.prior.weighted(counts.total, cells))
        worlds, weight = worlds * sum(counts.total), weight * out_of
        for group, mined in zip(part.groups, counts.mined, strict=True):
            odds.append(Odds(counted.frontier.groups[group], sum(counted.prior.weighted(mined, cells)), out_of))
    odds.append(Odds(counted.frontier.sea, mine, mine + safe))
    if not counted.complete:
        return Verdict(tuple(odds), None)
    beside_sea = sum(counted.certain) + sum(map(len, counted.frontier.groups))
    scaled = weight * mine ** counted.certain[0] * safe ** counted.certain[1]
    probability = Fraction(scaled, (mine + safe) ** beside_sea) if counted.prior.density else None
    return Verdict(tuple(odds), worlds, probability)


def _with_total(counted: CountedFrontier) -> Verdict:
    """The total is known: every component's placements are weighed by what all others can hold beside them."""
    assert counted.mines_left is not None
    combined = combine(counted.totals(), counted.sea_ways)
    sea = len(counted.frontier.sea)
    worlds = sea_mined = 0
    for mines, ways in enumerate(combined.spread, combined.low):
        weight = ways * counted.sea_ways(mines)
        worlds += weight
        # A given cell of the sea is a mine in so many of the ways to fill the sea.
        sea_mined += weight * (counted.mines_left - mines) // sea if sea else 0
    odds = [Odds(counted.frontier.sea, sea_mined, worlds)]
    for part, counts, share in zip(counted.parts, counted.counts, combined.shares, strict=True):
        assert counts is not None
        out_of = dot_product(counts.total, share)
        for group, mined in zip(part.groups, counts.mined, strict=True):
            odds.append(Odds(counted.frontier.groups[group], dot_product(mined, share), out_of))
    return Verdict(tuple(odds), worlds * counted.frontier.weight)


def _with_total_in_part(counted: CountedFrontier) -> Verdict:
    """The total is known, but some component is not frontier_cells, and that one may take any share of the mines.

    Only a component whose placements all hold the same number of mines keeps its risks whatever the others hold.
    """
    odds = [Odds(counted.frontier.sea, None)]
    for part, counts in zip(counted.parts, counted.counts, strict=True):
        fixed = counts is not None and sum(1 for ways in counts.total if ways) == 1
        for position, group in enumerate(part.groups):
            cells = counted.frontier.groups[group]
            if counts is not None and fixed:
                odds.append(Odds(cells, counts.mined[position][-1], counts.total[-1]))
            else:
                odds.append(Odds(cells, None))
    return Verdict(tuple(odds), None)


def dot_product(ways: Sequence[int], worth: Sequence[int]) -> int:
    """The sum of the products, pair by pair."""
    return sum(map(mul, ways, worth))
