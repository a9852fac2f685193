"""Generalised sequential probability ratio test (GSPRT) on paired games.

Two agents play the same layouts. The *change* of a layout is its share of games won by the second agent less that of
the first: -1, 0 or 1 with one play of each layout (a trinomial distribution), 2 * plays + 1 values with several. The
test of Wald (1945) asks whether its mean is ``h0`` or ``h1``. The hypotheses say nothing else about the distribution,
so each has its likelihood maximised over all distributions of that mean, which is the generalised test of Li, Liu and
Ying, "Generalized sequential probability ratio test for separate families of hypotheses", Sequential Analysis 33
(2014); tests of programs for chess work so, too. Drawn pairs, which most layouts are, cost no precision.

docs/statistics.md explains the test; benchmarks/sprt.py simulates its errors.

In a run the ratio is looked at after each layout, in the order of their numbers. Layouts come in any order from the
workers, so those that are ahead wait for the ones before. The decision is therefore the same for any number of workers,
and after an interrupt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from satsweep.errors import BoardError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.arena.game_columns import GameColumns


STEPS = 60
"""Most steps of Newton's method; bisection alone would be precise after them."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test: hypotheses about the change, and error rates.

    ``h0`` and ``h1`` are points of win rate, in percent: the second agent wins that much more often than the first.
    ``alpha`` is the chance that h1 is accepted where h0 is true, ``beta`` that of h0 where h1 is true. ``two_sided``:
    h1 stands for a change of this size in either direction, and alpha covers both. Raises BoardError, with the field,
    unless h0 is below h1 and the errors are rates below a half.

    >>> Sprt(0, 0.5).bounds
    (-2.9444389791664403, 2.9444389791664403)
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    two_sided: bool = False

    def __post_init__(self) -> None:
        if not -100 < self.h0 < self.h1 < 100:
            raise BoardError(
                f"expected H0 below H1, both in points from -100 to 100, found {self.h0:g},{self.h1:g}", at="sprt"
            )
        if self.two_sided and self.h0 < 0:
            raise BoardError(f"expected H0 from 0 with a two-sided test, found {self.h0:g}", at="sprt")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise BoardError(f"expected an error rate above 0 and below 0.5, found {rate:g}", at=name)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the logarithm of the likelihood ratio: h0 below, h1 above.

        Two one-sided tests share the alpha of a two-sided one.
        """
        alpha = self.alpha / 2 if self.two_sided else self.alpha
        return math.log(self.beta / (1 - alpha)), math.log((1 - self.beta) / alpha)

    def log_ratios(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Logarithms of likelihood ratios of h1 to h0, for rows of counts of the changes.

        The 2 * plays + 1 columns are for changes from -1 to 1 in equal steps. Six decimals are kept, so that the
        last digits of floats, in which machines differ, decide nothing.
        """
        import numpy as np

        return np.round(_log_likelihood(counts, self.h1 / 100) - _log_likelihood(counts, self.h0 / 100), 6)

    def expected_layouts(self, change: float, variance: float) -> float:
        """Mean number of layouts until a one-sided test ends, by Wald's approximation.

        ``change`` is the true mean of the change as a share, ``variance`` its variance, which is that of one layout.
        The ratio is taken for a Brownian motion that stops exactly on a bound.
        """
        low, high = self.bounds
        h0, h1 = self.h0 / 100, self.h1 / 100
        drift = (h1 - h0) * (change - (h0 + h1) / 2) / variance
        spread = (h1 - h0) ** 2 / variance
        if abs(drift) < 1e-9 * spread:
            return -low * high / spread
        exponent = -2 * drift / spread
        accepts_h0 = (math.exp(high * exponent) - 1) / (math.exp(high * exponent) - math.exp(low * exponent))
        return (accepts_h0 * low + (1 - accepts_h0) * high) / drift


def _log_likelihood(counts: NDArray[Any], mean: float) -> NDArray[np.float64]:
    """Greatest log-likelihood of counts among distributions of a mean.

    A constant is left out, which is the same for all means.
    """
    if counts.shape[1] == 3:
        return _of_three(counts, mean)
    return _of_many(counts, mean)


def _of_three(counts: NDArray[Any], mean: float) -> NDArray[np.float64]:
    """Greatest log-likelihood of counts of -1, 0 and 1; zeros of a quadratic give it.

    The estimate is the one of Tango, "Equivalence test and confidence interval for the difference in proportions for
    the paired-sample design", Statistics in Medicine 17 (1998).
    """
    import numpy as np
    from scipy.special import xlogy

    minus, zero, plus = np.asarray(counts, float).T
    if mean < 0:
        minus, plus, mean = plus, minus, -mean
    # The chance a of -1 solves 2 n a^2 - b a - minus mean (1 - mean) = 0; that of 1 is a + mean.
    n = minus + zero + plus
    b = (minus + plus) * (1 - mean) - 2 * mean * (minus + zero)
    root = np.sqrt(b * b + 8 * n * minus * mean * (1 - mean))
    # Written so that no digits cancel for either sign of b; without any -1 and with a negative b the chance is 0.
    small = np.where(minus > 0, 2 * minus * mean * (1 - mean) / np.maximum(root - b, 1e-300), 0.0)
    chance = np.where(b > 0, (b + root) / np.maximum(4 * n, 1), small)
    found: NDArray[np.float64] = (
        xlogy(minus, chance) + xlogy(plus, chance + mean) + xlogy(zero, np.maximum(1 - 2 * chance - mean, 0.0))
    )
    return found


def _of_many(counts: NDArray[Any], mean: float) -> NDArray[np.float64]:
    """Greatest log-likelihood of counts of equidistant changes from -1 to 1.

    The likelihood of change x is its share divided by 1 + t (x - mean), where t makes the mean right (Owen, *Empirical
    likelihood*, 2001). Newton's method finds t, with bisection where it would leave the interval. If no such t is
    feasible, an extreme change that was never seen has the rest of the probability, and t is the end of the interval.
    """
    import numpy as np

    # A column for each row of counts: sums along the long axis are fast.
    counts = np.ascontiguousarray(counts.T, float)
    values = np.linspace(-1, 1, len(counts))[:, None] - mean
    seen = counts > 0

    def terms_at(tilt: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(seen, 1 + tilt * values, 1.0)

    low, high = (np.full(counts.shape[1], -1 / float(end)) for end in (values[-1, 0], values[0, 0]))
    with np.errstate(divide="ignore"):
        at_low = (counts * (values / terms_at(low))).sum(axis=0) <= 0
        at_high = (counts * (values / terms_at(high))).sum(axis=0) >= 0
    ends = np.where(at_low, low, np.where(at_high, high, 0.0))
    tilt, is_end = ends, at_low | at_high
    for _ in range(STEPS):
        ratios = np.where(is_end, 0.0, values / terms_at(np.where(is_end, 0.0, tilt)))
        weighted = counts * ratios
        excess, slope = weighted.sum(axis=0), (weighted * ratios).sum(axis=0)
        low, high = np.where(excess > 0, tilt, low), np.where(excess > 0, high, tilt)
        step = tilt + excess / np.maximum(slope, 1e-300)
        step = np.where(is_end, ends, np.where((step > low) & (step < high), step, (low + high) / 2))
        error, tilt = np.abs(step - tilt).max(initial=0.0), step
        # Near its maximum the likelihood changes with the square of the error.
        if error <= 1e-9:
            break
    terms = terms_at(tilt)
    found: NDArray[np.float64] = -(counts * np.log(terms)).sum(axis=0)
    return found


CHUNK = 4096
"""Layouts whose ratios are computed together."""


class Accepted(Enum):
    """Hypothesis that a test accepts; ``MINUS_H1`` is that the first agent is better."""

    H0 = "h0"
    H1 = "h1"
    MINUS_H1 = "-h1"


@dataclass(frozen=True, slots=True)
class Decision:
    """State of a sequential test: its verdict, None while undecided, and what it saw.

    ``log_ratios`` has the logarithm of the likelihood ratio when the test ended, or now; a two-sided test has a second
    one, of the change in the other direction. ``layouts`` is the number of layouts that the decision took. ``counts``
    has how often each change was seen, from -1 to 1 in steps of 1 / plays.
    """

    test: Sprt
    plays: int
    verdict: Accepted | None
    log_ratios: tuple[float, ...]
    layouts: int
    counts: tuple[int, ...]

    @property
    def games(self) -> int:
        return self.layouts * self.plays

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of the change; 0 without layouts."""
        values = [number / self.plays - 1 for number in range(len(self.counts))]
        n = max(self.layouts, 1)
        mean = sum(value * count for value, count in zip(values, self.counts, strict=True)) / n
        return mean, sum((value - mean) ** 2 * count for value, count in zip(values, self.counts, strict=True)) / n

    @property
    def expected_games(self) -> tuple[float, float, float] | None:
        """Mean number of games if h0 is true, if h1 is, and halfway between.

        They are those of a one-sided test with the variance that was seen; None if nothing varied.
        """
        _, variance = self.moments
        if not variance or self.test.two_sided:
            return None
        h0, h1 = self.test.h0 / 100, self.test.h1 / 100
        at_h0, at_h1, halfway = (
            self.plays * self.test.expected_layouts(change, variance) for change in (h0, h1, (h0 + h1) / 2)
        )
        return at_h0, at_h1, halfway


class SequentialTest:
    """A sequential test while layouts come in, in any order."""

    def __init__(self, test: Sprt, plays: int = 1) -> None:
        import numpy as np

        self._test = test
        self._plays = plays
        self._counts: NDArray[np.int64] = np.zeros(2 * plays + 1, np.int64)
        self._layouts = 0
        self._sides = 2 if test.two_sided else 1
        self._ratios = [0.0] * self._sides
        self._accepted: list[bool | None] = [None] * self._sides
        """For each direction, whether h1 was accepted; None while it is open."""
        self._ahead: dict[int, tuple[int, int]] = {}
        """Games of single agents and the sum of changes, of layouts still to look at."""

    @property
    def decision(self) -> Decision:
        counts = tuple(map(int, self._counts))
        return Decision(self._test, self._plays, self._verdict, tuple(self._ratios), self._layouts, counts)

    @property
    def is_decided(self) -> bool:
        """True if no further layout can change the decision."""
        return self._verdict is not None

    @property
    def _verdict(self) -> Accepted | None:
        for accepted, verdict in zip(self._accepted, (Accepted.H1, Accepted.MINUS_H1), strict=False):
            if accepted:
                return verdict
        return Accepted.H0 if all(accepted is False for accepted in self._accepted) else None

    def add(self, games: GameColumns) -> None:
        """Take games of the agents 0 and 1, in any order."""
        import numpy as np

        layouts, layout_of = np.unique(games.arrays["game"] // self._plays, return_inverse=True)
        changes = np.where(games.arrays["agent"] > 0, games.arrays["won"], -games.arrays["won"])
        sums = np.zeros(len(layouts), np.int64)
        np.add.at(sums, layout_of, changes)
        counts = np.bincount(layout_of)
        for layout, count, change in zip(layouts.tolist(), counts.tolist(), sums.tolist(), strict=True):
            before, sum_before = self._ahead.get(layout, (0, 0))
            self._ahead[layout] = before + count, sum_before + change
        self._evaluate()

    def _evaluate(self) -> None:
        """Look at the ratio after each layout that is complete now and next in order."""
        changes, following = [], self._layouts
        while not self.is_decided and self._ahead.get(following, (0, 0))[0] == 2 * self._plays:
            changes.append(self._ahead.pop(following)[1])
            following += 1
            if len(changes) == CHUNK:
                self._extend(changes)
                changes = []
        if changes and not self.is_decided:
            self._extend(changes)

    def _extend(self, changes: Sequence[int]) -> None:
        import numpy as np

        steps = np.zeros((len(changes), len(self._counts)), np.int64)
        steps[np.arange(len(changes)), np.array(changes) + self._plays] = 1
        counts = self._counts + np.cumsum(steps, axis=0)
        low, high = self._test.bounds
        ratios = [self._test.log_ratios(counts if not side else counts[:, ::-1]) for side in range(self._sides)]
        ends = {}
        for side, ratio in enumerate(ratios):
            crossed = (ratio <= low) | (ratio >= high)
            if self._accepted[side] is None and crossed.any():
                ends[side] = int(crossed.argmax())
        last = len(changes) - 1
        for side, end in sorted(ends.items(), key=itemgetter(1)):
            if not self.is_decided:
                self._accepted[side] = bool(ratios[side][end] >= high)
                self._ratios[side] = float(ratios[side][end])
                last = end if self.is_decided else last
        for side in range(self._sides):
            if self._accepted[side] is None:
                self._ratios[side] = float(ratios[side][last])
        self._counts = counts[last]
        self._layouts += last + 1
