"""Odds on boards of thousands of components: floats at once, integers when asked.

There the exact weights have millions of bits, and most questions need none of them: a cell is forced if its counts say
so, and a map shows two digits of a risk. The floats are the sums of ``probability`` on numbers of moderate size. Let r
be the odds of a mine in a cell of the sea, nearly. Ways to fill a component with m mines are taken times r^m, and ways
to fill the sea by r^m; the factors cancel from risks, and the mass of both lies around the same number of mines.

The bound of the error: all is sums of products of non-negative numbers, in which a rounding makes a factor of at most
1 + 2^-53, and errors of factors add up. With R mines that components can hold beyond the fewest, and C components, each
level of the tree of products adds less than R + C roundings, and so do tilt, sea, the way down and the risk itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, log, prod
from operator import mul
from typing import TYPE_CHECKING

from satsweep.solver.polynomials import gmp, power
from satsweep.solver.probability import LateOdds, Odds, Verdict, cell_odds, product_tree, reduce_totals, shares_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.solver.probability import CountedFrontier

LEAST = 1e-100
"""Least weight of all worlds in floats whose error ``LateWeights.error`` bounds."""


def late_verdict(counted: CountedFrontier) -> Verdict | None:
    """The odds of a counted board with a mine total; None if the total forces cells.

    With any other every placement of every component is possible.
    """
    totals, left = [counts.total for counts in counted.counts if counts is not None], counted.mines_left
    least = sum(next(mines for mines, ways in enumerate(total) if ways) for total in totals)
    most, sea = sum(map(len, totals)) - len(totals), counted.frontier.sea
    if left is None or not most < left < least + len(sea) or counted.prior.at_most:
        return None
    late = LateWeights(counted)
    odds: list[Odds | LateOdds] = [LateOdds(sea, late, 0)]
    for part, counts in zip(counted.parts, counted.counts, strict=True):
        assert counts is not None
        fixed = not any(counts.total[:-1])
        for group, mined in zip(part.groups, counts.mined, strict=True):
            cells = counted.frontier.groups[group]
            if fixed or not any(mined) or mined == counts.total:
                odds.append(Odds(cells, mined[-1], counts.total[-1]))
            else:
                odds.append(LateOdds(cells, late, len(odds)))
    return LateVerdict(tuple(odds), None)


class LateVerdict(Verdict):
    """Odds whose integers, and the number of worlds, are found when asked."""

    is_possible = True

    @property
    def worlds(self) -> int:
        found: int = next(odds.late.worlds for odds in self.odds if isinstance(odds, LateOdds))
        return found


class LateWeights:
    """The weights that the odds of a vast board share."""

    def __init__(self, counted: CountedFrontier) -> None:
        self.counted = counted
        self._reduced = reduce_totals(counted.totals())

    @cached_property
    def exact(self) -> tuple[Odds, ...]:
        """The odds of the sea and of all groups, in integers."""
        return tuple(odds.exact for odds in cell_odds(self.counted).odds)

    @cached_property
    def worlds(self) -> int:
        lows, common, varied = self._reduced
        (spread,) = product_tree([power(total, len(alike)) for total, alike in varied.items()])[-1]
        weights = (gmp(ways) * self.counted.sea_ways(mines) for mines, ways in enumerate(spread, sum(lows)))
        return prod(common) * self.counted.frontier.weight * int(sum(weights))

    @property
    def error(self) -> float:
        """A bound of the error of a float risk."""
        components = sum(map(len, self._reduced.varied.values()))
        mines = sum((len(total) - 1) * len(alike) for total, alike in self._reduced.varied.items())
        return (components.bit_length() + 20) * (mines + components + 100) * 2.0**-53

    @cached_property
    def float_risks(self) -> list[float]:
        """The risk of the sea and of all groups, in the order of ``exact``."""
        in_sea, shares = self._shares()
        if in_sea is None:
            return [odds.float_risk for odds in self.exact]
        float_risks = [in_sea]
        for number, counts in enumerate(self.counted.counts):
            assert counts is not None
            scale, low = max(counts.total), self._reduced.lows[number]
            share = shares.get(number, [1.0])
            out_of = sum(ways / scale * worth for ways, worth in zip(counts.total[low:], share, strict=True))
            for mined in counts.mined:
                held = sum(ways / scale * worth for ways, worth in zip(mined[low:], share, strict=True))
                float_risks.append(held / out_of)
        return float_risks

    def _shares(self) -> tuple[float | None, dict[int, list[float]]]:
        """The risk of the sea, and the share of each component; None if beyond floats."""
        import numpy as np

        varied, sea = self._reduced.varied, len(self.counted.frontier.sea)
        left = (self.counted.mines_left or 0) - sum(self._reduced.lows)
        totals = [np.array([ways / max(total) for ways in total]) for total in varied]
        copies = [len(numbers) for numbers in varied.values()]
        odds = _odds_in_sea(totals, copies, sea, left)
        tilts = [odds ** np.arange(len(total)) for total in totals]
        leaves = [total * tilt / (total @ tilt) for total, tilt in zip(totals, tilts, strict=True)]
        spread, found = shares_of(
            [*zip(leaves, copies, strict=True)],
            lambda places: _ways_in_sea(places, sea, left, odds),
            np.convolve,
            lambda weights, kernel: np.correlate(weights, kernel, "valid"),
        )
        weights = spread * _ways_in_sea(len(spread), sea, left, odds)
        if not weights.sum() > LEAST:
            return None, {}
        in_sea = weights @ ((left - np.arange(len(spread))) / sea) / weights.sum()
        shares = [(share * tilt).tolist() for share, tilt in zip(found, tilts, strict=True)]
        alike = zip(varied.values(), shares, strict=True)
        return float(in_sea), {number: share for numbers, share in alike for number in numbers}


def _odds_in_sea(totals: Sequence[NDArray[np.float64]], copies: Sequence[int], sea: int, left: int) -> float:
    """The odds of a mine, about, with which the expected mines are those left."""
    import numpy as np

    low, high = -14.0, 14.0
    for _ in range(20):
        odds = exp((low + high) / 2)
        tilted = [total * odds ** np.arange(len(total)) for total in totals]
        means = (own @ np.arange(len(own)) / own.sum() for own in tilted)
        mines = sea * odds / (1 + odds) + sum(map(mul, copies, means))
        low, high = (log(odds), high) if mines < left else (low, log(odds))
    return exp(low)


def _ways_in_sea(places: int, sea: int, left: int, odds: float) -> NDArray[np.float64]:
    """Ways to fill the sea beside mines in components, times odds^-mines."""
    import numpy as np

    held = np.arange(places - 1)
    steps = (left - held) / (sea - left + held + 1) / odds  # from each number of mines to the next
    top = int((steps > 1).sum())
    return np.concatenate((np.cumprod(1 / steps[:top][::-1])[::-1], [1.0], np.cumprod(steps[top:])))
