"""Numbers in text: counts, fractions, risks in percent, lists of cells.

Whole numbers become digits through ``Decimal``, because ``str`` refuses an integer of more than 4,300 digits, and a
big board has more worlds than that.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor

from satsweep.board import Cell
from satsweep.sentence import Sentence, joined, named


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


LEAST = Fraction(1, 10_000)
"""The least chance, and distance from certainty, that is written in digits."""


def percent(risk: Fraction, exact: bool = False) -> str:
    """A chance for people, 0 or 100 only if that is certain.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 3), exact=True)
    ('33.33 %', '1/3')
    >>> percent(Fraction(1, 10**9)), percent(1 - Fraction(1, 10**9))
    ('<0.01 %', '>99.99 %')
    """
    if exact:
        return fraction(risk)
    if 0 < risk < LEAST:
        return "<0.01 %"
    return ">99.99 %" if 1 - LEAST < risk < 1 else f"{100 * float(risk):.4g} %"


def tenths(chance: Fraction | float) -> str:
    """A chance in percent with one decimal, 0 or 100 only if that is certain.

    >>> tenths(0), tenths(Fraction(1, 5000)), tenths(0.4256), tenths(Fraction(2999, 3000)), tenths(1)
    ('0', '<0.1', '42.6', '>99.9', '100')
    """
    if chance in (0, 1):
        return str(int(100 * chance))
    rounded = f"{100 * float(chance):.1f}"
    return {"0.0": "<0.1", "100.0": ">99.9"}.get(rounded, rounded)


def signed(part: Fraction | float, decimals: int = 1) -> str:
    """A part of a chance in percent with its sign, 0 only if it is nothing.

    >>> signed(Fraction(-1, 8)), signed(Fraction(1, 8), 2), signed(0), signed(-1e-5)
    ('-12.5', '+12.50', '0', '>-0.1')
    """
    if not part:
        return "0"
    rounded, least = f"{100 * float(part):+.{decimals}f}", f"{10**-decimals:.{decimals}f}"
    if float(rounded):
        return rounded
    return f"<{least}" if part > 0 else f">-{least}"


def about_percent(chance: Fraction | float) -> str:
    """An estimated chance in percent, rounded down so as to stay within its bound.

    >>> about_percent(0.9635), about_percent(0.0004), about_percent(0.99999), about_percent(Fraction(1, 2))
    ('about 96.3 %', 'under 0.1 %', 'about 99.9 %', 'about 50.0 %')
    """
    thousandths = floor(1000 * chance + 1e-9)
    return f"about {thousandths / 10:.1f} %" if thousandths > 0 else "under 0.1 %"


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


def cell_list(cells: Sequence[Cell], most: int = 40) -> Sentence:
    """Cells separated by blanks; a long list is cut, and its length given."""
    places = joined(map(named, cells[:most])) or "none"
    return Sentence(places, f" and {len(cells) - most:,} more" if len(cells) > most else "")
