"""Checks of arguments: each error says what was expected, and what was found."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from numbers import Real
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


def check_whole(value: object, name: str, *, least: int | None = None) -> None:
    """Raise TypeError unless a value is an integer, ValueError if it is too small."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"expected an integer for {name}, found {value!r:.80}") from None
    if least is not None and number < least:
        raise ValueError(f"expected at least {least} for {name}, found {number}")


def check_seed(seed: object) -> None:
    """Raise TypeError unless a value seeds random numbers."""
    check_kind(seed, int | str, "a seed, which is an integer or text")


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


def several(values: Iterable[_T], what: str, *, one: type | UnionType | None = None) -> Iterable[_T]:
    """The values themselves; TypeError for a single one where several are expected."""
    if (one is not None and isinstance(values, one)) or not isinstance(values, Iterable):
        raise TypeError(f"expected several {what}, as a list, found {values!r:.80}")
    return values
