"""Combined components against plain convolution; products of polynomials against the schoolbook."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import example, given, strategies as st

from satsweep.solver.polynomials import LONG, correlate, multiply, pack, product, unpack
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
        assert all(s1 * w2 == s2 * w1 for (s1, w1), (s2, w2) in combinations(pairs, 2))
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


coefficients = st.one_of(st.integers(0, 5), st.integers(0, 2**70), st.just(0), st.just(255), st.just(256))
polynomials = st.lists(coefficients, min_size=1, max_size=30)


def schoolbook(left: list[int], right: list[int]) -> list[int]:
    found = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j] += a * b
    return found


@given(polynomials, polynomials)
@example([255] * 3, [255] * 3)
@example([0], [0, 0])
def test_multiply(left: list[int], right: list[int]) -> None:
    assert multiply(left, right) == schoolbook(left, right)


@given(polynomials)
def test_multiply_by_nothing(left: list[int]) -> None:
    assert multiply(left, []) == multiply([], left) == multiply([], []) == []
    assert multiply(left, [1]) == left


@pytest.mark.parametrize("schoolbook", [0, 256, 10**9])
@given(data=st.data())
def test_correlate(schoolbook: int, data: st.DataObject) -> None:
    """The short way and the way through big integers are one function."""
    kernel = data.draw(polynomials)
    weights = kernel + data.draw(polynomials)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satsweep.solver.polynomials.SCHOOLBOOK", schoolbook)
        found = correlate(weights, kernel)
    places = range(len(weights) - len(kernel) + 1)
    assert found == [sum(k * weights[place + i] for i, k in enumerate(kernel)) for place in places]


@given(polynomials)
def test_pack_and_unpack(values: list[int]) -> None:
    slot = -(-max(values).bit_length() // 8) or 1
    assert unpack(pack(values, slot), slot, len(values)) == values


@pytest.mark.parametrize("bits", [1, LONG - 1, LONG, 3 * LONG])
def test_long_products(bits: int) -> None:
    """Python's multiplication and GMP's agree, and results are ordinary integers."""
    left, right = 3**bits % 2**bits, 2**bits - 1
    assert product(left, right) == left * right
    assert type(product(left, right)) is int
