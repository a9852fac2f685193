"""Functions of floats, the same bits on every platform; binomials; words of bits.

The last bits of a system's mathematical library differ from the next one's, and with them the guess between two cells
of almost the same value. The compiled library therefore brings its own functions. They calculate with sums of two
floats, the second far smaller than the first (double-double numbers, Dekker 1971), and round the result once. Tests
compare with GNU MPFR: no result is off by more than 0.52 units in the last place.
"""

from math import comb, factorial, floor, inf, nan

import numpy as np

from satsweep.kernels.shared.memory import DEGREE
from satsweep.kernels.toolchain.calls import Array
from satsweep.kernels.toolchain.marks import exported, intrinsic_for, kernel

LN2, LN2_REST = 0.6931471805598903, 5.497923018708371e-14
"""The logarithm of 2 as a sum.

The first float has 42 bits, so its product with an exponent is exact.
"""
LOG2_E, LOG2_E_REST = 1.4426950408889634, 2.0355273740931033e-17
"""1 divided by the logarithm of 2."""
ERF, ERF_REST = 1.1283791670955126, 1.533545961316588e-17
"""2 divided by the root of pi."""
ARTANH = tuple((2 / odd, 2 / (odd - 2)) for odd in range(29, 3, -4))
EXPONENTIAL = tuple((1 / factorial(power), 1 / factorial(power - 1)) for power in range(16, 2, -2))
"""Coefficients of 2 artanh(x) and exp(x), from the last to that of x³, in pairs."""
LOG_ROOT_2_PI = 0.9189385332046728
_SPLIT = 134217729.0
_ROOT_2 = 1.4142135623730951
_FRACTION, _ONE = np.int64((1 << 52) - 1), np.int64(1023 << 52)
_52, _BIAS = np.int64(52), np.int64(1023)

ZERO, ONE = np.uint64(0), np.uint64(1)
MIX_STEP = np.uint64(0x9E3779B97F4A7C15)
"""Golden section of 2**64, an odd number whose multiples are far apart."""
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _2, _4, _56 = (np.uint64(shift) for shift in (30, 27, 31, 2, 4, 56))
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@kernel
def add(a, b):
    """Return a sum, and what rounding took from it."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@kernel
def multiply(a, b):
    """Return a product, and what rounding took from it."""
    product = a * b
    high_a, high_b = _SPLIT * a, _SPLIT * b
    high_a, high_b = high_a - (high_a - a), high_b - (high_b - b)
    low_a, low_b = a - high_a, b - high_b
    return product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b


@kernel
def evaluate(pairs, x):
    """Return the value of a polynomial, from its coefficients in pairs."""
    upper, lower, square = 0.0, 0.0, x * x
    for high, low in pairs:
        upper = upper * square + high
        lower = lower * square + low
    return upper * x + lower


@kernel
def multiply_sums(a, a_rest, b, b_rest):
    product, rest = multiply(a, b)
    return add(product, rest + (a * b_rest + a_rest * b))


@kernel
def divide_sum(a, rest, divisor):
    quotient = a / divisor
    product, error = multiply(quotient, divisor)
    return add(quotient, ((a - product) - error + rest) / divisor)


@kernel
def power_of_two(exponent):
    """Return 2 to the power of an integer from -1022 to 1023."""
    return np.int64((np.int64(exponent) + _BIAS) << _52).view(np.float64)


@kernel
def logarithm_parts(x):
    """Return the exponent of a positive float, and the logarithm of the rest as a sum.

    The rest lies between the root of 1/2 and that of 2; its logarithm is 2 artanh((x - 1) / (x + 1)).
    """
    exponent = np.int64(0)
    if x < 2.0**-1022:
        x *= 2.0**54
        exponent -= 54
    bits = np.float64(x).view(np.int64)
    exponent += (bits >> _52) - _BIAS
    x = np.int64((bits & _FRACTION) | _ONE).view(np.float64)
    if x > _ROOT_2:
        x *= 0.5
        exponent += 1
    divisor, rest = add(x, 1.0)
    s = (x - 1) / divisor
    product, error = multiply(s, divisor)
    s_rest = (((x - 1) - product) - error - s * rest) / divisor
    square = s * s
    high, low = add(2 * s, evaluate(ARTANH, square) * square * s)
    return exponent, high, low + 2 * s_rest


@kernel
def natural_logarithm(x):
    """Return the logarithm of a positive float as a sum."""
    exponent, high, low = logarithm_parts(x)
    total, rest = add(exponent * LN2, high)
    return add(total, rest + (low + exponent * LN2_REST))


@kernel
def log(x):
    if not 0 < x < inf:
        return -inf if x == 0 else x if x > 0 else nan
    return natural_logarithm(x)[0]


@kernel
def log2(x):
    if not 0 < x < inf:
        return -inf if x == 0 else x if x > 0 else nan
    exponent, high, low = logarithm_parts(x)
    high, low = multiply_sums(high, low, LOG2_E, LOG2_E_REST)
    total, rest = add(np.float64(exponent), high)
    return total + (rest + low)


@kernel
def exponential_parts(x, rest):
    """Return an exponent, and the exponential of the rest of a sum as a sum.

    ``x`` lies between -746 and 710.
    """
    exponent = np.int64(floor(x * LOG2_E + 0.5))
    x, error = add(x - exponent * LN2, rest - exponent * LN2_REST)
    square, square_rest = multiply(x, x)
    first, low = add(1.0, x)
    total, lower = add(first, 0.5 * square)
    high, low = add(
        total, (low + lower) + (0.5 * square_rest + (evaluate(EXPONENTIAL, x) * x * square + error * total))
    )
    return exponent, high, low


@kernel
def exponential(x, rest):
    if not -746 < x < 710:
        return inf if x > 0 else 0.0 if x < 0 else nan
    exponent, high, _ = exponential_parts(x, rest)
    half = exponent >> 1
    return high * power_of_two(half) * power_of_two(exponent - half)


@kernel
def exp(x):
    return exponential(x, 0.0)


@kernel
def power(base, exponent):
    """Return a power; neither the base nor the exponent is negative."""
    if base == 0:
        return 1.0 if exponent == 0 else 0.0
    high, low = natural_logarithm(base)
    product, rest = multiply(high, exponent)
    return exponential(product, rest + low * exponent)


@kernel
def erf(x):
    """Return the error function.

    A normal number of variance 1/2 lies between -x and x with this chance. The series of positive terms is multiplied
    by exp(-x²); nothing cancels (Abramowitz and Stegun, 7.1.6).
    """
    if not -6 < x < 6:
        return 1.0 if x > 0 else -1.0 if x < 0 else nan
    square, square_rest = multiply(x, x)
    term, term_rest, total, rest, odd = 1.0, 0.0, 1.0, 0.0, 1.0
    while term > 1e-20 * total:
        odd += 2
        term, term_rest = multiply_sums(term, term_rest, 2 * square, 2 * square_rest)
        term, term_rest = divide_sum(term, term_rest, odd)
        total, error = add(total, term)
        rest += error + term_rest
    exponent, high, low = exponential_parts(-square, -square_rest)
    high, low = multiply_sums(high, low, total, rest)
    high, low = multiply_sums(high, low, ERF, ERF_REST)
    return multiply_sums(high, low, x, 0.0)[0] * power_of_two(exponent)


@kernel
def log_factorial(number):
    """Return the logarithm of a factorial, by Stirling's series."""
    if number < 20:
        product = 1.0
        for factor in range(2, number + 1):
            product *= factor
        return log(product)
    inverse = 1.0 / number
    square = inverse * inverse
    series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)))
    return (number + 0.5) * log(number) - number + (LOG_ROOT_2_PI + series)


@exported(Array("f8", "rows 3"), Array("f8", "rows 6", written=True))
def tabulate(arguments, values):
    """Tabulate all functions.

    A row of ``arguments`` is a number, an exponent and an integer; one of ``values`` is the exponential, both
    logarithms, the error function and the power of the number, and the logarithm of the factorial of the integer.
    """
    for row in range(arguments.shape[0]):
        x = arguments[row, 0]
        values[row, 0], values[row, 1], values[row, 2], values[row, 3] = exp(x), log(x), log2(x), erf(x)
        values[row, 4] = power(abs(x), arguments[row, 1])
        values[row, 5] = log_factorial(np.int64(arguments[row, 2]))


CHOOSE = np.array([[comb(cells, mines) for mines in range(DEGREE + 2)] for cells in range(DEGREE + 2)], np.float64)
"""Binomials, ``CHOOSE[cells, mines]``."""


@kernel
def bit(place):
    """Word with one bit set."""
    return ONE << np.uint64(place)


@intrinsic_for(lambda word: (int(word) & -int(word)).bit_length() - 1)
def lowest_bit(typingctx, word):
    """Place of the lowest bit of a word that is not 0."""
    from llvmlite import ir
    from numba import types

    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@kernel
def count_members(word):
    """Return how many bits of a word are set."""
    x = word - ((word >> ONE) & _ODD)
    x = (x & _PAIRS) + ((x >> _2) & _PAIRS)
    x = (x + (x >> _4)) & _NIBBLES
    return np.int64((x * _BYTES) >> _56)


@kernel
def mix(word):
    """Scramble a word, as SplitMix64 does (Steele, Lea and Flood 2014).

    Changing any bit changes half of the bits of the result.
    """
    word = (word ^ (word >> _30)) * _MIX_A
    word = (word ^ (word >> _27)) * _MIX_B
    return word ^ (word >> _31)
