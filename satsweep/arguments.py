"""Checks of arguments: each error says what was expected, and what was found."""

from collections.abc import Iterable
from enum import Enum
from numbers import Integral, Real
from operator import index
from types import UnionType
from typing import TypeVar

_T = TypeVar("_T")
_Choice = TypeVar("_Choice", bound=Enum)


def check_kind(value: object, kind: type | UnionType, expected: str) -> None:
    """Raise TypeError unless a value is of this kind."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {expected}, found {value!r:.80}")


def check_number(value: object, name: str) -> None:
    """Raise TypeError unless a value is a number."""
    check_kind(value, Real, f"a number for {name}")


def integer(value: object) -> int | None:
    """The integer that a value is, such as one of NumPy; None for all else."""
    return index(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def check_whole(value: object, name: str, *, least: int | None = None) -> int:
    """The integer that a value is. Raises TypeError, or ValueError if it is too small."""
    number = integer(value)
    if number is None:
        raise TypeError(f"expected an integer for {name}, found {value!r:.80}")
    if least is not None and number < least:
        raise ValueError(f"expected at least {least} for {name}, found {number}")
    return number


def check_seed(seed: object) -> None:
    """Raise TypeError unless a value seeds random numbers."""
    if integer(seed) is None:
        check_kind(seed, str, "a seed, which is an integer or text")


def choice(value: object, among: type[_Choice], what: str) -> _Choice:
    """The member of an enumeration that a caller means by itself or by its value.

    >>> from satsweep.games.rules import Goal
    >>> choice("find", Goal, "a goal")
    <Goal.FIND: 'find'>
    """
    try:
        return among(value)
    except ValueError:
        names = ", ".join(str(one.value) for one in among)
        raise ValueError(f"expected {what} among {names}, found {value!r:.80}") from None


def did_you_mean(found: str, names: Iterable[str]) -> str:
    """Rest of an error line: the name that is most like the one found, if one is."""
    from difflib import get_close_matches

    alike = get_close_matches(found, list(names), n=1)
    return f"; did you mean {alike[0]!r}?" if alike else ""


def several(values: Iterable[_T], what: str, *, one: type | UnionType | None = None) -> Iterable[_T]:
    """The values themselves; TypeError for a single one where several are expected."""
    if (one is not None and isinstance(values, one)) or not isinstance(values, Iterable):
        raise TypeError(f"expected several {what}, as a list, found {values!r:.80}")
    return values
