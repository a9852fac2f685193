"""Products of polynomials through big integers, against the schoolbook."""

import pytest
from hypothesis import example, given, strategies as st

from satsweep.solver.polynomials import LONG, correlate, multiply, pack, product, unpack

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
