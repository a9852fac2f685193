"""Estimates and how far off they may be: 95 % intervals and tests for games on the same boards, by scipy.

A share of games has the interval of Wilson (1927), a mean that of Student's t. The difference of two win rates on the
same layouts has the adjusted Wald interval of Agresti and Min, "Simple improved confidence intervals for comparing
matched proportions", Statistics in Medicine 24 (2005): half a game is added to each of the four cells of the table,
after which the plain formula covers what it should even for few games and for rates near 0 or 1. Whether the two
differ at all is McNemar's test in its exact form: of the layouts that only one of them won, each is the one's or the
other's like a toss of a fair coin.

scipy takes longer to load than most commands run, so it is loaded when something is to be computed.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

LEVEL = 0.95


class Estimate(NamedTuple):
    """A number found from games, and its 95 % interval; an end that nothing is known about is infinite."""

    mean: float
    low: float = -math.inf
    high: float = math.inf

    @property
    def bounded(self) -> bool:
        """Whether the interval says anything on both sides."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def half(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Estimate:
        """The same in another unit; the factor is positive."""
        return Estimate(self.mean * factor, self.low * factor, self.high * factor)

    def within(self, least: float, most: float = math.inf) -> Estimate:
        """The same, knowing that what is estimated lies between two bounds."""
        return Estimate(self.mean, max(self.low, least), min(self.high, most))


def share(successes: int, n: int) -> Estimate | None:
    """The share of n games that succeed, with Wilson's interval; None without games."""
    if not n:
        return None
    from scipy.stats import binomtest

    interval = binomtest(successes, n).proportion_ci(LEVEL, method="wilson")
    rate = successes / n
    # Wilson's interval holds the rate itself, but for the last digit where the rate is 0 or 1.
    return Estimate(rate, min(float(interval.low), rate), max(float(interval.high), rate))


def mean(total: int, squares: int, n: int) -> Estimate | None:
    """The mean of n counts from their sum and the sum of their squares, with the interval of Student's t.

    None without counts. A single one says nothing about how much they vary: its interval is infinite.
    """
    if not n:
        return None
    average = total / n
    if n == 1:
        return Estimate(average)
    # In whole numbers up to here, so nothing cancels.
    return _around(average, (n * squares - total * total) / n, n)


def ratio(part: int, part_squares: int, whole: int, whole_squares: int, n: int) -> Estimate | None:
    """What share the parts of n games are of their wholes, such as some claims of all; None where there is no whole.

    The games are what varies, not the claims, since claims of one game are alike. With d = part - share * whole the
    variance comes from the sum of d * d, of which everything is known but the sum of part * whole. As no part exceeds
    its whole, that is at least the sum of the squares of the parts, so the interval is never too short.
    """
    if not whole:
        return None
    found = part / whole
    if n == 1:
        return Estimate(found).within(0, 1)
    spread = (1 - 2 * found) * part_squares + found * found * whole_squares
    return _around(found, max(spread, 0.0) * (n / whole) ** 2, n).within(0, 1)


def difference(n: int, only_first: int, only_second: int) -> Estimate | None:
    """By how much the second of two players wins more of the same n layouts, some of which only one of them won.

    The interval is that of Agresti and Min; None without layouts.
    """
    if not n:
        return None
    games, change, discordant = n + 2, only_second - only_first, only_first + only_second + 1
    middle = change / games
    half = _normal() * math.sqrt(discordant - change * change / games) / games
    return Estimate(change / n, middle - half, middle + half).within(-1, 1)


def mcnemar(only_first: int, only_second: int) -> float:
    """How likely so uneven a split is if neither wins more: the exact p of McNemar's test, two-sided."""
    from scipy.stats import binomtest

    n = only_first + only_second
    return float(binomtest(only_first, n).pvalue) if n else 1.0


def _around(average: float, deviations: float, n: int) -> Estimate:
    """The interval of t around an average, given the sum of the squares of the deviations from it."""
    half = _student(n - 1) * math.sqrt(deviations / (n - 1) / n)
    return Estimate(average, average - half, average + half)


@cache
def _student(freedom: int) -> float:
    from scipy.stats import t

    return float(t.ppf((1 + LEVEL) / 2, freedom))


@cache
def _normal() -> float:
    from scipy.stats import norm

    return float(norm.ppf((1 + LEVEL) / 2))
