"""Coverage of intervals and size of tests, by enumeration of all outcomes."""

import math
import subprocess
import sys
from fractions import Fraction
from itertools import product
from statistics import NormalDist, fmean

import pytest
import scipy
from hypothesis import given, strategies as st

from satsweep.arena.stats import Estimate, difference, mcnemar, mean, ratio, share


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_a_share_has_the_published_interval(successes: int, n: int, low: float, high: float) -> None:
    found = share(successes, n)
    assert found is not None
    assert found.mean == successes / n
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_a_share_holds_the_share(case: tuple[int, int]) -> None:
    found = share(*case)
    assert found is not None
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.half > 0


def test_intervals_of_shares_cover_what_they_say() -> None:
    n = 30
    found = [share(successes, n) for successes in range(n + 1)]
    for tenth in range(1, 10):
        rate = tenth / 10
        chances = (math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(n + 1))
        covered = sum(chance for chance, one in zip(chances, found, strict=True) if one and one.low <= rate <= one.high)
        assert 0.92 < covered < 0.99


@given(st.lists(st.integers(0, 500), min_size=2, max_size=60))
def test_a_mean_is_that_of_scipy(counts: list[int]) -> None:
    found = mean(sum(counts), sum(count * count for count in counts), len(counts))
    assert found is not None
    assert found.mean == pytest.approx(fmean(counts))
    if len(set(counts)) == 1:
        assert found == (counts[0], counts[0], counts[0])
        return
    expected = scipy.stats.ttest_1samp(counts, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_large_sums_lose_nothing() -> None:
    """The variance of counts around a billion would be lost to rounding in floats."""
    counts = [10**9 + step for step in (0, 1, 2)]
    found = mean(sum(counts), sum(count * count for count in counts), 3)
    assert found is not None
    assert found.half == pytest.approx(scipy.stats.t.ppf(0.975, 2) / math.sqrt(3))


def test_what_few_games_say() -> None:
    assert share(0, 0) is None and mean(0, 0, 0) is None and difference(0, 0, 0) is None
    assert mean(7, 49, 1) == (7.0, -math.inf, math.inf)
    assert not Estimate(7.0).bounded
    assert Estimate(0.5).within(0, 1) == (0.5, 0.0, 1.0)
    assert Estimate(0.5, 0.25, 1.0).scaled(2) == (1.0, 0.5, 2.0)


def test_a_ratio_of_nothing_is_unknown() -> None:
    assert ratio(0, 0, 0, 0, 5) is None
    assert ratio(1, 1, 4, 16, 1) == (0.25, 0.0, 1.0)


@given(
    st.lists(st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2, max_size=40)
)
def test_the_interval_of_a_ratio_is_never_too_short(games: list[tuple[int, int]]) -> None:
    """Compared with the interval from single games instead of sums."""
    parts, wholes = [part for part, _ in games], [whole for _, whole in games]
    found = ratio(sum(parts), sum(x * x for x in parts), sum(wholes), sum(x * x for x in wholes), len(games))
    if not sum(wholes):
        assert found is None
        return
    assert found is not None
    exact = Fraction(sum(parts), sum(wholes))
    assert found.mean == float(exact)
    n = len(games)
    deviations = sum((part - exact * whole) ** 2 for part, whole in games)
    error = n / sum(wholes) * math.sqrt(deviations / (n - 1) / n)
    half = error * float(scipy.stats.t.ppf(0.975, n - 1))
    assert found.low <= max(found.mean - half, 0) + 1e-12
    assert found.high >= min(found.mean + half, 1) - 1e-12


def test_a_difference_is_the_adjusted_wald_interval() -> None:
    """By hand: of 100 games 10 and 20 are won by one alone.

    With half a game added to each cell these are 102, 10.5 and 20.5.
    """
    found = difference(100, 10, 20)
    assert found is not None
    assert found.mean == 0.1
    half = NormalDist().inv_cdf(0.975) * math.sqrt(31 - 100 / 102) / 102
    assert found[1:] == pytest.approx((10 / 102 - half, 10 / 102 + half))


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_a_difference_turned_around(only_first: int, only_second: int, others: int) -> None:
    n = only_first + only_second + others
    found, turned = difference(n, only_first, only_second), difference(n, only_second, only_first)
    if found is None or turned is None:
        assert n == 0
        return
    assert -1 <= found.low <= found.mean <= found.high <= 1
    assert (-turned.mean, -turned.high, -turned.low) == pytest.approx(tuple(found))


@pytest.mark.parametrize(
    ("one", "other", "least"),
    # Where one of them never wins alone the interval is known to be somewhat short.
    [(0.1, 0.1, 0.94), (0.05, 0.2, 0.94), (0.3, 0.3, 0.94), (0.02, 0.02, 0.94), (0.4, 0.1, 0.94), (0.0, 0.3, 0.91)],
)
def test_intervals_of_differences_cover_what_they_say(one: float, other: float, least: float) -> None:
    """Coverage is about 95 %, by enumeration of all discordant counts."""
    n, covered = 30, 0.0
    for a, b in product(range(n + 1), repeat=2):
        if a + b <= n:
            found = difference(n, a, b)
            ways = math.comb(n, a) * math.comb(n - a, b)
            chance = ways * one**a * other**b * (1 - one - other) ** (n - a - b)
            if found is not None and found.low <= other - one <= found.high:
                covered += chance
    assert least < covered <= 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_toss_of_a_coin(a: int, b: int) -> None:
    n = a + b
    tail = sum(math.comb(n, k) for k in range(min(a, b) + 1))
    expected = min(Fraction(2 * tail, 2**n), Fraction(1))
    assert mcnemar(a, b) == pytest.approx(float(expected))


def test_mcnemar_without_a_difference() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 10) == pytest.approx(2 / 1024)


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    heavy = "{'scipy', 'matplotlib', 'rich'} & set(sys.modules)"
    code = f"import sys; from satsweep.arena import report, tables, plot, pages; print({heavy})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
