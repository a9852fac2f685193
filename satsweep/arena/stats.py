"""Statistics: estimates with 95 % intervals, and tests for paired games, by scipy.

A share of games has the interval of Wilson (1927), a mean that of Student's t. The difference of two win rates on the
same layouts has the adjusted Wald interval of Agresti and Min, "Simple improved confidence intervals for comparing
matched proportions", Statistics in Medicine 24 (2005): half a game is added to each of the four cells of the table,
after which the plain formula has its nominal coverage even for few games and for rates near 0 or 1. McNemar's test
(1947), in its exact form, tells whether the two differ at all: under the null hypothesis each layout that only one of
them won is the one's or the other's like a toss of a fair coin.

scipy takes longer to load than most commands run, so it is loaded at the first computation.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """An estimate from games, and its 95 % interval; an unknown end is infinite."""

    mean: float
    low: float = -math.inf
    high: float = math.inf

    @property
    def bounded(self) -> bool:
        """True if both ends of the interval are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Estimate:
        """The estimate in another unit; the factor is positive."""
        return Estimate(self.mean * factor, self.low * factor, self.high * factor)

    def within(self, least: float, most: float = math.inf) -> Estimate:
        """The estimate of a quantity that is known to lie between two bounds."""
        return Estimate(self.mean, max(self.low, least), min(self.high, most))


def share(successes: int, n: int, units: float | None = None) -> Estimate | None:
    """Share of n games that succeed, with Wilson's interval; None without games.

    ``units`` is the effective number of games where some of them are alike; it need not be whole.
    """
    return wilson(successes / n, n if units is None else units) if n else None


def wilson(rate: float, n: float) -> Estimate:
    """Wilson's interval of a share of n independent games."""
    square = normal_quantile() ** 2 / n
    middle = (rate + square / 2) / (1 + square)
    half = math.sqrt(rate * (1 - rate) * square + square * square / 4) / (1 + square)
    # The interval holds the rate itself, but for the last digit where the rate is 0 or 1.
    return Estimate(rate, min(max(middle - half, 0.0), rate), max(min(middle + half, 1.0), rate))


def mean(total: int, squares: int, n: int) -> Estimate | None:
    """Mean of n counts from their sum and sum of squares, with Student's t interval.

    None without counts. A single count says nothing about the variance: its interval is infinite.
    """
    if not n:
        return None
    average = total / n
    if n == 1:
        return Estimate(average)
    # The sums are integers, so nothing cancels.
    return t_interval(average, (n * squares - total * total) / n, n)


def ratio(part: int, part_squares: int, whole: int, whole_squares: int, n: int) -> Estimate | None:
    """Share of the parts of n games in their wholes, such as some of all claims.

    None where there is no whole. The sampling unit is the game, not the claim, since claims of one game are alike. With
    d = part - share * whole the variance comes from the sum of d * d, of which everything is known but the sum of
    part * whole. As no part exceeds its whole, this is at least the sum of the squares of the parts, so the interval is
    never too short.
    """
    if not whole:
        return None
    found = part / whole
    if n == 1:
        return Estimate(found).within(0, 1)
    spread = (1 - 2 * found) * part_squares + found * found * whole_squares
    return t_interval(found, max(spread, 0.0) * (n / whole) ** 2, n).within(0, 1)


def difference(n: int, only_first: int, only_second: int) -> Estimate | None:
    """Win rate of the second agent less that of the first, on the same n layouts.

    ``only_first`` and ``only_second`` are the layouts that only one of them won. The interval is that of Agresti and
    Min; None without layouts.
    """
    if not n:
        return None
    games, change, discordant = n + 2, only_second - only_first, only_first + only_second + 1
    middle = change / games
    half = normal_quantile() * math.sqrt(discordant - change * change / games) / games
    return Estimate(change / n, middle - half, middle + half).within(-1, 1)


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar's test.

    It is the probability of a split at least this uneven if neither agent wins more often.
    """
    from scipy.stats import binomtest

    n = only_first + only_second
    return float(binomtest(only_first, n).pvalue) if n else 1.0


def t_interval(average: float, deviations: float, n: int) -> Estimate:
    """Student's t interval around an average, from the sum of squared deviations."""
    half = t_quantile(n - 1) * math.sqrt(deviations / (n - 1) / n)
    return Estimate(average, average - half, average + half)


@cache
def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t."""
    from scipy.stats import t

    return float(t.ppf((1 + CONFIDENCE) / 2, freedom))


@cache
def normal_quantile() -> float:
    """The 97.5 % quantile of the normal distribution."""
    from scipy.stats import norm

    return float(norm.ppf((1 + CONFIDENCE) / 2))
