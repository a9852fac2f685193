"""Intervals of the upper bound: means of few samples, put together by their weights.

Every part is a mean of independent samples and has Student's t. A sum of parts has the degrees of freedom of Welch
(1947) and Satterthwaite (1946): those of a part that makes most of the variance, more where several do. One sample
says nothing of a variance, so the interval has no ends.
"""

from collections.abc import Iterable, Sequence
from math import inf, isfinite, sqrt
from typing import NamedTuple

import numpy as np

from satsweep.arena.stats import t_quantile


class Part(NamedTuple):
    """A mean, its variance, and the degrees of freedom of that."""

    mean: float
    variance: float = 0.0
    freedom: float = inf

    @property
    def half(self) -> float:
        """Half of the 95 % interval; infinite for a part of one sample."""
        return t_quantile(self.freedom) * sqrt(self.variance) if isfinite(self.variance) else inf


def part_of(values: Sequence[float]) -> Part:
    """The mean of samples."""
    if len(values) == 1:
        return Part(float(values[0]), inf, 0.0)
    return Part(float(np.mean(values)), float(np.var(values, ddof=1) / len(values)), len(values) - 1)


def total_of(weighted: Iterable[tuple[float, Part]]) -> Part:
    """The sum of independent parts, each times its weight."""
    parts = [Part(weight * mean, weight**2 * variance, freedom) for weight, (mean, variance, freedom) in weighted]
    mean, variance = sum(part.mean for part in parts), sum(part.variance for part in parts)
    if not isfinite(variance):
        return Part(mean, inf, 0.0)
    spread = sum(part.variance**2 / part.freedom for part in parts)
    return Part(mean, variance, variance**2 / spread if spread else inf)


def levels_of(*levels: Sequence[float]) -> Part:
    """Mean of the best bounds: of all boards the first one, of fewer ones what the next one gains.

    Each level has the bounds of the first boards of the one before.
    """
    counts = [len(level) for level in levels if len(level)]
    shares = np.zeros(counts[0])
    for count, level, before in zip(counts, levels, [(), *levels], strict=False):
        shares[:count] += (np.array(level) - np.array(before[:count] or 0.0)) / count
    # Boards that have reached the same level are alike.
    alike = zip([*counts[1:], 0], counts, strict=True)
    return total_of((last - first, part_of(shares[first:last].tolist())) for first, last in alike if last > first)
