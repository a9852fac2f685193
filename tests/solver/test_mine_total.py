"""Combined components against plain convolution and every combination."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, strategies as st

from satsweep.solver.probability import Binomials, combine
from tests.placements import convolved

Weight = Callable[[int], int]

totals = st.lists(st.lists(st.sampled_from((0, 0, 1, 2, 3, 10**20)), min_size=1, max_size=5), max_size=5).map(
    lambda lists: [(*ways, 1 + ways[0]) for ways in lists]
)
weights: st.SearchStrategy[Weight] = st.one_of(
    st.just(lambda mines: 1),
    st.lists(st.sampled_from((0, 1, 2, 7, 10**30)), min_size=30, max_size=30).map(lambda table: table.__getitem__),
    st.builds(
        lambda sea, left: lambda mines: comb(sea, left - mines) if mines <= left else 0,
        st.integers(0, 40),
        st.integers(0, 40),
    ),
)


def check(totals: list[tuple[int, ...]], weight: Weight) -> None:
    combined = combine(totals, weight)
    spread = convolved(totals)
    assert (0,) * combined.low + combined.spread == spread
    assert spread[combined.low]
    for number, (total, share) in enumerate(zip(totals, combined.shares, strict=True)):
        assert len(share) == len(total)
        others = convolved(totals[:number] + totals[number + 1 :])
        # What a placement with m mines is worth; shares are that up to a factor, and where there is a placement.
        worth = [sum(ways * weight(mines + held) for held, ways in enumerate(others)) for mines in range(len(total))]
        pairs = [(s, w) for s, w, ways in zip(share, worth, total, strict=True) if ways and any(worth)]
        assert all(s1 * w2 == s2 * w1 for (s1, w1), (s2, w2) in product(pairs, repeat=2))
        if any(w for _, w in pairs):
            assert any(s for s, _ in pairs) and all(s >= 0 for s, _ in pairs)
            average = Fraction(sum(s * ways for s, ways in zip(share, total, strict=True)))
            assert average > 0


@given(totals, weights)
def test_combining_is_convolution(totals: list[tuple[int, ...]], weight: Weight) -> None:
    check(totals, weight)


@pytest.mark.parametrize("parts", range(12))
def test_any_number_of_components(parts: int) -> None:
    """Nodes without a partner at every level of the product tree.

    Components that always hold the same number of mines are among them.
    """
    check([[(1, 2), (0, 3), (2, 0, 1), (0, 0, 5, 1)][part % 4] for part in range(parts)], lambda mines: mines + 1)


def test_no_components_at_all() -> None:
    combined = combine([], lambda mines: 17)
    assert (combined.low, combined.spread, combined.shares) == (0, (1,), ())


def test_many_components_of_the_same_shape_are_binomial() -> None:
    combined = combine([(1, 1)] * 300, lambda mines: 1)
    assert combined.low == 0
    assert combined.spread == tuple(comb(300, mines) for mines in range(301))
    assert all(share[0] == share[1] > 0 for share in combined.shares)


@given(cells=st.integers(0, 40), asked=st.lists(st.integers(-3, 43), max_size=60))
def test_binomials_in_any_order(cells: int, asked: list[int]) -> None:
    ways = Binomials(cells)
    assert [ways[chosen] for chosen in asked] == [comb(cells, chosen) if chosen >= 0 else 0 for chosen in asked]
