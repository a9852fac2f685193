"""Statistics: estimates with 95 % intervals, and tests for paired games, by scipy.

A share of games has the interval of Wilson (1927), a mean that of Student's t. The difference of two win rates on the
same layouts has the adjusted Wald interval of Agresti and Min, "Simple improved confidence intervals for comparing
matched proportions", Statistics in Medicine 24 (2005): half a game is added to each of the four cells of the table,
after which the plain formula has its nominal coverage even for few games and for rates near 0 or 1. McNemar's test
(1947), in its exact form, tells whether the two differ at all: under the null hypothesis each layout that only one of
them won is the one's or the other's like a toss of a fair coin.

scipy takes longer to load than most commands run, so it is loaded at the first computation, and ``scipy.stats``, which
takes three times as long as ``scipy.special``, only for the randomization test.

Games on one layout are alike, so layouts that are played several times are the units (cluster-robust statistics). A
mean is a ratio of sums over layouts, with Student's t interval from the layouts' residuals. A share of games has
Wilson's interval for the effective number of games, which Franco, Little, Louis and Slud recommend ("Comparative
study of confidence intervals for proportions in complex sample surveys", Journal of Survey Statistics and Methodology
7, 2019). The randomization test (Fisher 1935) tosses a coin for the sign of each layout's difference of two agents;
with one play of each layout it is McNemar's. ``variance_split`` tells the luck of the board from the luck of the
play.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
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
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def negated(self) -> Estimate:
        """The estimate of the quantity with the other sign."""
        return Estimate(-self.mean, -self.high, -self.low)

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
    from scipy.special import bdtr

    return min(2 * float(bdtr(min(only_first, only_second), only_first + only_second, 0.5)), 1.0)


def t_interval(average: float, deviations: float, n: int) -> Estimate:
    """Student's t interval around an average, from the sum of squared deviations."""
    half = t_quantile(n - 1) * math.sqrt(deviations / (n - 1) / n)
    return Estimate(average, average - half, average + half)


@cache
def t_quantile(freedom: float) -> float:
    """The 97.5 % quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


@cache
def normal_quantile() -> float:
    """The 97.5 % quantile of the normal distribution."""
    from scipy.special import ndtri

    return float(ndtri((1 + CONFIDENCE) / 2))


MAX_EXACT = 20_000
"""Largest sum of absolute differences for which the randomization test is exact."""


def clustered_share(successes: Sequence[int], games: Sequence[int]) -> Estimate | None:
    """Share of games that succeed, from successes and games of each layout.

    The effective number of games is the one that would give a binomial share the variance that the layouts show. It
    lies between the number of layouts, which it is if all games or none succeed, and that of games. Student's t in
    place of the normal quantile makes up for a variance that few layouts estimate.
    """
    found = clustered_mean(successes, games)
    if found is None:
        return None
    rate, (layouts, all_games) = found.mean, (len(games), sum(games))
    effective = float(layouts)
    if 0 < rate < 1 and layouts > 1:
        error = found.half / t_quantile(layouts - 1)
        independent = min(max(rate * (1 - rate) / error**2, layouts), all_games) if error else all_games
        effective = independent * (normal_quantile() / t_quantile(layouts - 1)) ** 2
    return wilson(rate, effective)


def clustered_mean(parts: Sequence[int], wholes: Sequence[int]) -> Estimate | None:
    """Ratio of two sums over layouts: a mean, if the wholes are numbers of games.

    None where there is no whole. Layouts without games take no part.
    """
    layouts, part, whole = sum(map(bool, wholes)), sum(parts), sum(wholes)
    if not whole:
        return None
    if layouts == 1:
        return Estimate(part / whole)
    # The sums are integers, so nothing cancels.
    return t_interval(part / whole, _residual_squares(parts, wholes) * (layouts / whole) ** 2, layouts)


def _residual_squares(parts: Sequence[int], wholes: Sequence[int]) -> float:
    """Sum of squares of each part less the ratio of the sums times its whole."""
    part, whole = sum(parts), sum(wholes)
    squares = sum(one * one for one in parts)
    products = sum(one * other for one, other in zip(parts, wholes, strict=True))
    whole_squares = sum(one * one for one in wholes)
    return (whole * whole * squares - 2 * part * whole * products + part * part * whole_squares) / (whole * whole)


def clustered_difference(changes: Sequence[int], games: Sequence[int]) -> Estimate | None:
    """Win rate of the second agent less that of the first, from layouts.

    ``changes`` has, for each layout, the wins of the second less those of the first. The interval is that of
    ``difference`` with layouts in place of games: the same if each layout is played once.
    """
    if not sum(games):
        return None
    layouts, change = sum(map(bool, games)), sum(changes) / sum(games)
    middle = layouts * change / (layouts + 2)
    spread = _residual_squares(changes, games) * (layouts / sum(games)) ** 2 + 1 + 2 * change * middle
    half = normal_quantile() * math.sqrt(spread) / (layouts + 2)
    return Estimate(change, middle - half, middle + half).within(-1, 1)


def randomization_test(changes: Sequence[int]) -> float:
    """Two-sided p of the paired randomization test on differences of layouts.

    It is the probability of a sum at least this far from 0 if the sign of each difference is a toss of a fair coin.
    Exact up to ``MAX_EXACT``, the sum of the absolute differences; beyond, the normal distribution is as good.
    """
    import numpy as np
    from scipy.stats import binom, norm

    sizes = Counter(abs(change) for change in changes if change)
    most, found = sum(size * n for size, n in sizes.items()), abs(sum(changes))
    if most > MAX_EXACT:
        return float(2 * norm.sf(found / math.sqrt(sum(size * size * n for size, n in sizes.items()))))
    # Entry j is the probability that the positive differences add up to j, so that all add up to 2 * j - most.
    chances = np.ones(1)
    for size, n in sizes.items():
        of_size = np.zeros(size * n + 1)
        of_size[::size] = binom.pmf(np.arange(n + 1), n, 0.5)
        chances = np.convolve(chances, of_size)
    return min(2 * float(chances[(most + found) // 2 :].sum()), 1.0)


class VarianceSplit(NamedTuple):
    """Standard deviations between boards and between plays of a board.

    ``board_share`` is the share of the variance that is the board's (intraclass correlation); None if nothing varies.
    """

    boards: float
    plays: float
    board_share: Estimate | None

    def scaled(self, factor: float) -> VarianceSplit:
        """The same in another unit."""
        return VarianceSplit(self.boards * factor, self.plays * factor, self.board_share)


def variance_split(totals: Sequence[int], games: Sequence[int], squares: int) -> VarianceSplit | None:
    """Variance between layouts and between plays of a layout.

    ``totals`` has the sum of a count over the games of each layout, ``squares`` is the sum of squares over all games.
    Estimator of the one-way random effects model from the analysis of variance (Searle, Casella and McCulloch,
    *Variance components*, 1992); a negative variance between layouts is cut off at 0. The interval of the share comes
    from the F distribution, exact where counts are normal and layouts have equally many games. None unless there are
    two layouts and one is played twice.
    """
    played = [(total, n) for total, n in zip(totals, games, strict=True) if n]
    layouts, n = len(played), sum(games)
    if layouts < 2 or n == layouts:
        return None
    of_size: Counter[int] = Counter()
    for total, count in played:
        of_size[count] += total * total
    # Fractions, so that nothing cancels.
    explained = sum(Fraction(total, count) for count, total in of_size.items())
    between = float(explained - Fraction(sum(totals) ** 2, n)) / (layouts - 1)
    within = float(squares - explained) / (n - layouts)
    size = (n - sum(count * count for _, count in played) / n) / (layouts - 1)
    boards = max(between - within, 0.0) / size
    share_of_boards = None
    if within:
        shares = [
            max(ratio - 1, 0.0) / (ratio - 1 + size)
            for ratio in (between / within / one for one in (1.0, *_f_quantiles(layouts - 1, n - layouts)))
        ]
        share_of_boards = Estimate(shares[0], shares[2], shares[1])
    elif boards:
        share_of_boards = Estimate(1.0, 1.0, 1.0)
    return VarianceSplit(math.sqrt(boards), math.sqrt(within), share_of_boards)


@cache
def _f_quantiles(between: int, within: int) -> tuple[float, float]:
    from scipy.special import fdtri

    low, high = (float(fdtri(between, within, (1 + side * CONFIDENCE) / 2)) for side in (-1, 1))
    return low, high
