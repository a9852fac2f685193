"""Numbers in text: counts, fractions, risks in percent, lists of cells.

Whole numbers become digits through ``Decimal``, because ``str`` refuses an integer of more than 4,300 digits, and a
big board has more worlds than that.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from satsweep.board import Cell


def digits(number: int) -> str:
    """Digits of a whole number of any length."""
    return str(Decimal(number))


def fraction(value: Fraction) -> str:
    """A fraction in full, as ``Fraction`` reads it."""
    whole = digits(value.numerator)
    return whole if value.denominator == 1 else f"{whole}/{digits(value.denominator)}"


def count(number: int, exact: bool = False) -> str:
    """A count for people: in full if it is short or ``exact``, otherwise its size.

    >>> count(1234567), count(10**30)
    ('1,234,567', '1.000e+30 (31 digits)')
    """
    if exact:
        return digits(number)
    if number < 10**15:
        return f"{number:,}"
    return f"{Decimal(number):.3e} ({Decimal(number).adjusted() + 1:,} digits)"


ALMOST_CERTAIN = Fraction(9999, 10000)


def percent(risk: Fraction, exact: bool = False) -> str:
    """A risk for people, 0 or 100 only if that is certain.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 3), exact=True), percent(Fraction(10**9 - 1, 10**9))
    ('33.33 %', '1/3', '>99.99 %')
    >>> percent(Fraction(9999, 10000)), percent(Fraction(1, 10**400))
    ('99.99 %', '1e-398 %')
    """
    if exact:
        return fraction(risk)
    if ALMOST_CERTAIN < risk < 1:
        return ">99.99 %"
    shown = 100 * float(risk) or 100 * Decimal(risk.numerator) / Decimal(risk.denominator)  # beyond floats
    return f"{shown:.4g} %"


def percent_and_fraction(risk: Fraction) -> str:
    """A risk in percent, and as a fraction unless that is long.

    >>> percent_and_fraction(Fraction(1, 3)), percent_and_fraction(Fraction(10**9, 10**9 + 1))
    ('33.33 % (1/3)', '>99.99 %')
    >>> percent_and_fraction(Fraction(1))
    '100 %'
    """
    short = 1 < risk.denominator < 10**6
    return f"{percent(risk)} ({risk})" if short else percent(risk)


def rounded_and_exact(name: str, value: Fraction | None) -> dict[str, object]:
    """Two fields for a value: a float and a fraction as text, or None for both.

    >>> rounded_and_exact("risk", Fraction(1, 4))
    {'risk': 0.25, 'risk_exact': '1/4'}
    """
    return {
        name: None if value is None else float(value),
        f"{name}_exact": None if value is None else fraction(value),
    }


def cell_list(cells: Sequence[Cell], most: int = 40) -> str:
    """Cells separated by blanks; a long list is cut, and its length given."""
    places = " ".join(map(str, cells[:most])) or "none"
    return f"{places} and {len(cells) - most:,} more" if len(cells) > most else places
