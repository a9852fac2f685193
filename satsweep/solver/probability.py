"""From the counts of components to the risk of every cell.

Only this module knows the mine total. The prior, all that is known beyond the numbers, is one of three:

* the number of mines: components and sea compete for them (``combine``);
* a density: every cell is a mine with that probability, independently, so components do not influence each other;
* nothing, and all worlds weigh the same: like density one half, but for the scale.

All arithmetic is on integers: a risk is a pair of weights of worlds, those with a mine and all.

*Where the mine total ties components together* there is one convolution for all. Component i can hold m mines in
``totals[i][m]`` ways, and a board with f mines on its components counts ``weight(f)`` times: C(sea, total - f) ways
to fill the sea. All other components enter the odds of component i through

    shares[i][m] = sum over r of others_i[r] * weight(m + r),    others_i = product of all other totals,

the weight of the worlds per placement with m mines. All of them come from one product tree, walked down with the
transposed product (Bostan, Lecerf and Schost 2003): at a node with halves A and B, the weights of A's mines are the
weights of both correlated with the polynomial of B. Factors that all coefficients have in common are set aside first:
they cancel from risks, and a component that always holds the same number of mines (the common 50/50) drops out of the
tree altogether. Of thousands of components most are then alike, and a leaf is the power of those that are: a board of
490,000 cells with 6,245 components has 343 leaves. Everything is a sum of products of non-negative integers, and exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, gcd, prod
from operator import mul
from typing import Any, NamedTuple

from satsweep.errors import BudgetExceeded
from satsweep.solver.components import Counts, LocatedComponent
from satsweep.solver.constraints import Frontier
from satsweep.solver.polynomials import correlate, multiply, power

VAST = 10_000_000
"""Bits of all weights together from which on they wait until they are asked for."""


@dataclass(frozen=True, slots=True)
class Combined:
    """All components together.

    ``spread[f - low]`` is the number of ways in which they hold f mines. ``shares[i]`` is the weight of a placement of
    component i by its number of mines, up to a factor of its own.
    """

    low: int
    spread: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]


def combine(totals: Sequence[Sequence[int]], weight: Callable[[int], int]) -> Combined:
    """Combine the totals of components under a weight on their mines together.

    Every total must have a possible count; ``shares[i]`` is as long as ``totals[i]``.

    >>> combine([(1, 1), (0, 2, 4)], lambda mines: mines)
    Combined(low=1, spread=(2, 6, 4), shares=((5, 8), (0, 3, 5)))
    """
    reduced = reduce_totals(totals)
    low, factor = sum(reduced.lows), prod(reduced.common)

    def weights(places: int) -> list[int]:
        found = [weight(low + extra) for extra in range(places)]
        shared = gcd(*found) or 1
        return [value // shared for value in found]

    spread, found = shares_of([(total, len(alike)) for total, alike in reduced.varied.items()], weights)
    shares = [(0,) * least + (1,) for least in reduced.lows]
    for numbers, share in zip(reduced.varied.values(), found, strict=True):
        for number in numbers:
            shares[number] = (0,) * reduced.lows[number] + tuple(share)
    return Combined(low, tuple(factor * ways for ways in spread), tuple(shares))


def shares_of(
    totals: Sequence[tuple[Any, int]],
    weights: Callable[[int], Any],
    times: Callable[[Any, Any], Any] = multiply,
    correlated: Callable[[Any, Any], Any] = correlate,
) -> tuple[Any, list[Any]]:
    """The product of totals, each with its copies, and the share of one of each.

    ``weights`` has the weight of each number of mines together, as many as it is asked for.
    """
    levels = product_tree([power(total, copies, times) for total, copies in totals], times)
    (spread,) = levels[-1]
    above = [weights(len(spread))] if totals else []
    for nodes in reversed(levels[:-1]):
        above = [
            correlated(above[at // 2], nodes[at ^ 1]) if at ^ 1 < len(nodes) else above[at // 2]
            for at in range(len(nodes))
        ]
    alone = zip(above, totals, strict=True)
    return spread, [correlated(others, power(total, copies - 1, times)) for others, (total, copies) in alone]


class ReducedTotals(NamedTuple):
    """Totals less mines and factors in common; ``varied`` has the components of each."""

    lows: list[int]
    common: list[int]
    varied: dict[tuple[int, ...], list[int]]


def reduce_totals(totals: Sequence[Sequence[int]]) -> ReducedTotals:
    lows = [next(m for m, ways in enumerate(total) if ways) for total in totals]
    common = [gcd(*total) for total in totals]
    varied: dict[tuple[int, ...], list[int]] = {}
    for number, (total, low, factor) in enumerate(zip(totals, lows, common, strict=True)):
        if low + 1 < len(total):
            reduced = tuple([ways // factor for ways in total[low:]])
            varied.setdefault(reduced, []).append(number)
    return ReducedTotals(lows, common, varied)


def product_tree(leaves: list[Any], times: Callable[[Any, Any], Any] = multiply) -> list[list[Any]]:
    """Levels from the leaves up to the product of all; an odd node moves up as it is."""
    levels = [leaves or [[1]]]
    while len(levels[-1]) > 1:
        nodes = levels[-1]
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        levels.append([times(left, right) for left, right in pairs] + nodes[len(nodes) - len(nodes) % 2 :])
    return levels


@dataclass(frozen=True, slots=True)
class Prior:
    """Knowledge beyond the numbers; with ``at_most`` there may be fewer mines."""

    mines: int | None = None
    density: Fraction | None = None
    at_most: bool = False

    @property
    def scales(self) -> tuple[int, int]:
        if self.density is None:
            return 1, 1
        return self.density.numerator, self.density.denominator - self.density.numerator

    def weighted(self, polynomial: Sequence[int], cells: int) -> tuple[int, ...]:
        """The numbers of ways to fill cells, by their mines, weighted by the prior."""
        if self.density is None:
            return tuple(polynomial)
        mine, safe = self.scales
        return tuple(ways * mine**m * safe ** (cells - m) for m, ways in enumerate(polynomial))

    def ways_in_sea(self, cells: int) -> Binomials | AtMost:
        """Ways to fill the sea, by the mines that are left for it."""
        return AtMost(cells) if self.at_most else Binomials(cells)


class Binomials(dict[int, int]):
    """Binomial coefficients of one row, neighbours from each other: 0 off the ends.

    On a board of a million cells that takes a thousandth of the time of working each out.

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

    def with_one(self, chosen: int) -> int:
        """The ways that choose a given cell: a fraction chosen / cells of all."""
        return self[chosen] * chosen // self.cells if self.cells else 0


class AtMost(dict[int, int]):
    """Ways to choose some cells or fewer: sums of binomial coefficients of one row.

    >>> AtMost(3)[1], AtMost(3)[7], AtMost(3)[-1], AtMost(3).with_one(2)
    (4, 8, 0, 3)
    """

    def __init__(self, cells: int) -> None:
        super().__init__()
        self.cells = cells
        self._exactly = Binomials(cells)

    def __missing__(self, most: int) -> int:
        if most < 0 or most >= self.cells:
            return 0 if most < 0 else 2**self.cells
        if most + 1 in self:
            ways = self[most + 1] - self._exactly[most + 1]
        elif most - 1 in self:
            ways = self[most - 1] + self._exactly[most]
        else:
            ways = sum(self._exactly[chosen] for chosen in range(most + 1))
        self[most] = ways
        return ways

    def with_one(self, most: int) -> int:
        return (self[most] - comb(self.cells - 1, most)) // 2 if most >= 0 < self.cells else 0


class Odds(NamedTuple):
    """Cells of equal risk: ``mined`` of ``out_of``, in weights of worlds, or None."""

    cells: tuple[int, ...]
    mined: int | None
    out_of: int = 1

    @property
    def exact(self) -> Odds:
        """These odds (``LateOdds`` find them when asked)."""
        return self

    @property
    def is_known(self) -> bool:
        return self.mined is not None

    @property
    def is_safe(self) -> bool:
        """True if the cells are safe in all worlds."""
        return self.mined == 0

    @property
    def is_mine(self) -> bool:
        """True if the cells are mines in all worlds."""
        return self.mined == self.out_of

    @property
    def float_risk(self) -> float:
        """The risk as a float."""
        return float(self.risk)

    @property
    def risk(self) -> Fraction:
        """The probability of a mine. Raises BudgetExceeded where it is not known."""
        if self.mined is None:
            raise BudgetExceeded("the component of this cell was not counted within the budget")
        return Fraction(self.mined, self.out_of)


class LateOdds:
    """Odds of cells that are not forced; their integers are found when asked.

    ``late`` is what they share (``late_odds``).
    """

    __slots__ = ("_at", "cells", "late")

    is_known, is_safe, is_mine = True, False, False

    def __init__(self, cells: tuple[int, ...], late: Any, at: int) -> None:
        self.cells, self.late, self._at = cells, late, at

    @property
    def exact(self) -> Odds:
        found: Odds = self.late.exact[self._at]
        return found

    @property
    def risk(self) -> Fraction:
        return self.exact.risk

    @property
    def float_risk(self) -> float:
        """The risk as a float, off by less than ``error`` of what they share."""
        found: float = self.late.float_risks[self._at]
        return found


@dataclass(frozen=True, slots=True)
class CountedFrontier:
    """Components with their counts, None for one not counted, and the sea beside them.

    ``certain`` has the numbers of mines and of safe cells that are settled already.
    """

    frontier: Frontier
    parts: tuple[LocatedComponent, ...]
    counts: tuple[Counts | None, ...]
    certain: tuple[int, int]
    prior: Prior
    sea: Binomials | AtMost = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sea", self.prior.ways_in_sea(len(self.frontier.sea)))

    @property
    def complete(self) -> bool:
        return None not in self.counts

    @property
    def mines_left(self) -> int | None:
        return None if self.prior.mines is None else self.prior.mines - self.certain[0]

    @property
    def is_vast(self) -> bool:
        """True if the mine total ties thousands of components: weights are long then."""
        spread = sum(len(counts.total) - 1 for counts in self.counts if counts is not None)
        return self.mines_left is not None and self.complete and spread * len(self.frontier.sea) > VAST

    @property
    def elsewhere(self) -> int:
        """The most mines that may be in none of these cells; 0 but for a bound."""
        return max(self.mines_left or 0, 0) if self.prior.at_most else 0

    def sea_ways(self, mines: int) -> int:
        return 1 if self.mines_left is None else self.sea[self.mines_left - mines]

    def totals(self) -> list[tuple[int, ...]]:
        """The weights of the ways to fill each counted component, by its number of mines."""
        return [
            self.prior.weighted(counts.total, sum(part.component.sizes))
            for part, counts in zip(self.parts, self.counts, strict=True)
            if counts is not None
        ]

    def frontier_mines(self) -> dict[int, Fraction]:
        """The distribution of the number of mines among the cells that numbers touch."""
        combined = combine(self.totals(), self.sea_ways)
        weights = {
            self.certain[0] + mines: ways * self.sea_ways(mines)
            for mines, ways in enumerate(combined.spread, combined.low)
        }
        out_of = sum(weights.values())
        return {mines: Fraction(weight, out_of) for mines, weight in weights.items() if weight}


class Verdict(NamedTuple):
    """The odds of every cell that was not settled before, and the number of worlds.

    ``worlds`` is None where it is not known. ``weight`` is, under a density, the probability that cells look as stated.
    """

    odds: tuple[Odds | LateOdds, ...]
    worlds: int | None
    weight: Fraction | None = None

    @property
    def is_possible(self) -> bool:
        return self.worlds != 0

    def with_settled(self, safe: tuple[int, ...], mines: tuple[int, ...]) -> Verdict:
        return self._replace(odds=(Odds(safe, 0), Odds(mines, 1), *self.odds))

    def below(self, end: int) -> Verdict:
        """The same about the cells before this one only."""
        odds = (own.exact._replace(cells=tuple(cell for cell in own.cells if cell < end)) for own in self.odds)
        return self._replace(odds=tuple(odds))


def cell_odds(counted: CountedFrontier) -> Verdict:
    """The odds of all cells, posterior marginals. No worlds: the total contradicts."""
    if counted.mines_left is None:
        return _without_total(counted)
    return _with_total(counted) if counted.complete else _with_total_in_part(counted)


def _without_total(counted: CountedFrontier) -> Verdict:
    """A component's risks are its own, and the sea is as risky as the prior says."""
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
    """Placements of a component are weighted by all that others can hold beside them."""
    assert counted.mines_left is not None
    combined = combine(counted.totals(), counted.sea_ways)
    worlds = sea_mined = 0
    for mines, ways in enumerate(combined.spread, combined.low):
        worlds += ways * counted.sea_ways(mines)
        sea_mined += ways * counted.sea.with_one(counted.mines_left - mines)
    odds = [Odds(counted.frontier.sea, sea_mined, worlds)]
    for part, counts, share in zip(counted.parts, counted.counts, combined.shares, strict=True):
        assert counts is not None
        out_of = dot_product(counts.total, share)
        for group, mined in zip(part.groups, counts.mined, strict=True):
            odds.append(Odds(counted.frontier.groups[group], dot_product(mined, share), out_of))
    return Verdict(tuple(odds), worlds * counted.frontier.weight)


def _with_total_in_part(counted: CountedFrontier) -> Verdict:
    """Risks where some component is not counted, and may take any share of the mines.

    Only a component whose placements all hold the same number of mines keeps its risks.
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
    return sum(map(mul, ways, worth))
