"""Sums over many games: means with intervals."""

from math import inf, sqrt

import pytest
import scipy

from satsweep.assessment.collection import FEWEST, Mean
from satsweep.render.review_text import _mean


@pytest.mark.parametrize("values", [[0.0, 1.0, 1.0, 0.0, 1.0], [0.1 * number**2 for number in range(12)]])
def test_intervals_are_those_of_student(values: list[float]) -> None:
    """By the quantiles of scipy.stats; 1.96 standard errors are too few for five games."""
    found = Mean.of(values)
    stats = scipy.stats  # which takes long to load
    low, high = stats.t.interval(0.95, len(values) - 1, loc=sum(values) / len(values), scale=stats.sem(values))
    assert found is not None and found.half == pytest.approx((high - low) / 2)
    assert found.half > 1.96 * stats.tstd(values) / sqrt(len(values))


def test_few_values_have_no_interval() -> None:
    """Two games that happen to be alike are no proof: it said 0.8 ± 0.0."""
    assert Mean.of([]) is None and FEWEST == 5
    assert [Mean.of([0.4] * count) for count in (1, 2, 4)] == [Mean(0.4, inf)] * 3
    assert _mean(Mean.of([0.4, 0.4]), 2, 1) == "0.8"
    assert _mean(Mean.of([0.0, 0.5, 0.5, 0.5, 1.0]), 1, 1) == "0.5 ± 0.4"
