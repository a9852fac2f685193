"""Functions of the library against GNU MPFR, and their exact and extreme values."""

from collections.abc import Callable
from math import inf, isnan, nan

import gmpy2
import numpy as np
import pytest
from gmpy2 import mpfr
from numpy.typing import NDArray

from satsweep.kernels.shared import mathematics

COLUMNS = ("exp", "log", "log2", "erf", "power", "log_factorial")
PRECISE = gmpy2.context(precision=200)
EXACT: dict[str, Callable[[float], mpfr]] = {
    "exp": gmpy2.exp,
    "log": gmpy2.log,
    "log2": gmpy2.log2,
    "erf": gmpy2.erf,
}
RNG = np.random.default_rng(7)
SPREAD = {
    "exp": (RNG.uniform(-700, 700, 4_000), RNG.normal(0, 1, 4_000), RNG.normal(0, 1e-6, 1_000)),
    "log": (np.exp(RNG.uniform(-700, 700, 4_000)), RNG.uniform(0.5, 2, 4_000), 1 + RNG.normal(0, 1e-9, 1_000)),
    "erf": (RNG.uniform(-6, 6, 4_000), RNG.normal(0, 1, 2_000), RNG.normal(0, 1e-9, 1_000)),
}
SPREAD["log2"] = SPREAD["log"]


def tabulated(rows: list[tuple[float, float, float]]) -> dict[str, NDArray[np.float64]]:
    values = np.empty((len(rows), len(COLUMNS)))
    mathematics.tabulate(np.array(rows, dtype=np.float64), values)
    return dict(zip(COLUMNS, values.T, strict=True))


def units_off(value: float, exact: mpfr) -> float:
    """Return the error in units in the last place of the exact value."""
    return float(abs(mpfr(value) - exact) / np.spacing(abs(float(exact))))


@pytest.mark.parametrize("name", EXACT)
def test_within_052_units_in_the_last_place(name: str) -> None:
    places = np.concatenate(SPREAD[name])
    found = tabulated([(x, 1.0, 1.0) for x in places])[name]
    with PRECISE:
        most = max(units_off(value, EXACT[name](mpfr(x))) for x, value in zip(places, found, strict=True))
    assert 0.49 < most <= 0.52


def test_powers_within_052_units_in_the_last_place() -> None:
    bases, exponents = RNG.uniform(0, 1, 4_000) ** 3, RNG.uniform(0, 3, 4_000)
    found = tabulated([(x, y, 1.0) for x, y in zip(bases, exponents, strict=True)])["power"]
    with PRECISE:
        assert max(map(units_off, found, [mpfr(x) ** mpfr(y) for x, y in zip(bases, exponents, strict=True)])) <= 0.52


def test_exact_values() -> None:
    powers = [2.0**exponent for exponent in range(-1074, 1024)]
    assert tabulated([(x, 1.0, 1.0) for x in powers])["log2"].tolist() == list(range(-1074, 1024))
    some = tabulated([(x, 1.0, 1.0) for x in SPREAD["log"][1]])["power"]
    assert some.tolist() == SPREAD["log"][1].tolist()
    assert tabulated([(x, 0.0, 1.0) for x in (0.0, 0.3, 5.0)])["power"].tolist() == [1.0, 1.0, 1.0]
    zero, one = ({name: column[row] for name, column in tabulated([(0, 2, 0), (1, 2, 1)]).items()} for row in (0, 1))
    assert zero == {"exp": 1, "log": -inf, "log2": -inf, "erf": 0, "power": 0, "log_factorial": 0}
    assert {one["log"], one["log2"], one["log_factorial"]} == {0.0} and one["power"] == 1.0


def test_beyond_the_range() -> None:
    found = tabulated([(x, 1.0, 1.0) for x in (inf, 1e300, 709.79, -745.2, -1e300, -inf)])
    assert found["exp"].tolist() == [inf, inf, inf, 0.0, 0.0, 0.0]
    assert found["erf"].tolist() == [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
    assert found["log"][0] == found["log2"][0] == inf and all(map(isnan, found["log"][3:]))
    assert all(isnan(tabulated([(nan, 1.0, 1.0)])[name][0]) for name in EXACT)


def test_log_factorials() -> None:
    numbers = [*range(200), 10_000, 1_000_000]
    found = tabulated([(1.0, 1.0, number) for number in numbers])["log_factorial"]
    with PRECISE:
        exact = [gmpy2.lgamma(mpfr(number + 1))[0] for number in numbers]
    assert found.tolist() == pytest.approx([float(value) for value in exact], rel=1e-14)


def test_constants_are_sums_of_two_floats() -> None:
    with PRECISE:
        for exact, high, low in (
            (gmpy2.log(mpfr(2)), mathematics.LN2, mathematics.LN2_REST),
            (1 / gmpy2.log(mpfr(2)), mathematics.LOG2_E, mathematics.LOG2_E_REST),
            (2 / gmpy2.sqrt(gmpy2.const_pi()), mathematics.ERF, mathematics.ERF_REST),
        ):
            assert float(exact - mpfr(high)) == low
        assert float(gmpy2.log(2 * gmpy2.const_pi()) / 2) == mathematics.LOG_ROOT_2_PI
