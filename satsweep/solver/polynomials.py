"""Products of polynomials with non-negative coefficients, through big integers.

Kronecker substitution: coefficients side by side in one integer, each in a slot wide enough for every coefficient of
the product, make one multiplication of integers out of one of polynomials. Python multiplies integers of n digits in
n^1.6 steps, GMP in about n log n; to load it and to convert pays from about 50,000 bits on, and boards of thousands of
cells come to millions.
"""

from collections.abc import Callable, Sequence
from operator import mul
from typing import Any, cast

from satsweep.solver import is_installed

SCHOOLBOOK = 256
LONG = 50_000


def multiply(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The product of two polynomials, coefficients from the constant on.

    >>> multiply([1, 1], [1, 2, 3])
    [1, 3, 5, 3]
    """
    if not left or not right:
        return []
    slot = _slot(max(left), sum(right))
    return unpack(product(pack(left, slot), pack(right, slot)), slot, len(left) + len(right) - 1)


def power(base: Any, exponent: int, times: Callable[[Any, Any], Any] = multiply) -> Any:
    """The product of some equal polynomials.

    >>> power([1, 2], 3), power([1, 2], 0)
    ([1, 6, 12, 8], [1])
    """
    if exponent < 2:
        return base if exponent else [1]
    half = power(base, exponent // 2, times)
    square = times(half, half)
    return times(square, base) if exponent % 2 else square


def correlate(weights: Sequence[int], kernel: Sequence[int]) -> list[int]:
    """The correlation with a kernel, or transposed product: one value for every place.

    >>> correlate([1, 2, 3, 4], [1, 10])
    [21, 32, 43]
    """
    places = len(weights) - len(kernel) + 1
    if places * len(kernel) <= SCHOOLBOOK:
        return [sum(map(mul, kernel, weights[place:])) for place in range(places)]
    slot = _slot(max(weights), sum(kernel))
    packed = product(pack(weights, slot), pack(kernel[::-1], slot))
    return unpack(packed, slot, len(weights) + len(kernel) - 1)[len(kernel) - 1 : len(weights)]


def pack(coefficients: Sequence[int], slot: int) -> int:
    return int.from_bytes(b"".join(value.to_bytes(slot, "little") for value in coefficients), "little")


def unpack(packed: int, slot: int, length: int) -> list[int]:
    data = packed.to_bytes(slot * length, "little")
    return [int.from_bytes(data[start : start + slot], "little") for start in range(0, len(data), slot)]


def product(left: int, right: int) -> int:
    """The product of two non-negative integers, by GMP where that pays.

    >>> product(3 << 200_000, 5 << 300_000) == 15 << 500_000
    True
    """
    if min(left.bit_length(), right.bit_length()) < LONG:
        return left * right
    return int(gmp(left) * gmp(right))


def gmp(value: int) -> int:
    """The value as an integer of GMP, and so all computed from it, if gmpy2 is there."""
    if not is_installed("gmpy2"):
        return value
    from gmpy2 import mpz

    return cast(int, mpz(value))


def _slot(greatest: int, total: int) -> int:
    """Bytes for a sum of products: the greatest of one times the sum of the other's."""
    return max(1, -(-(greatest.bit_length() + total.bit_length()) // 8))
