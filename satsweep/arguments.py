"""Checks of arguments: each error says what was expected, and what was found."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from numbers import Integral, Real
from operator import index
from types import UnionType
from typing import Any, TypeVar

_T = TypeVar("_T")
_Choice = TypeVar("_Choice", bound=Enum)

_BRACKETS: dict[object, tuple[str, str]] = {
    tuple.__repr__: ("(", ")"),
    list.__repr__: ("[", "]"),
    dict.__repr__: ("{", "}"),
    set.__repr__: ("{", "}"),
    frozenset.__repr__: ("frozenset({", "})"),
}


def short_repr(value: object, most: int = 80) -> str:
    """Beginning of the ``repr`` of a value that is not ours, for errors.

    No more is read of a value than is shown: the whole ``repr`` of 60 nested pairs that share their items would have
    2**60 characters.

    >>> nested = ()
    >>> for _ in range(60):
    ...     nested = (nested, nested)
    >>> short_repr(nested, 10)
    '(((((((((('
    """
    shown, pieces = "", _pieces(value)
    while len(shown) < most and (piece := next(pieces, None)) is not None:
        shown += piece
    return shown[:most]


def _pieces(value: Any) -> Iterator[str]:
    kind = type(value)
    written: object = kind.__repr__
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        yield f"{kind.__name__}("
        yield from _listed(((f"{name}=", item) for name, item in zip(kind._fields, value, strict=False)))
        yield ")"
    elif is_dataclass(value) and hasattr(written, "__wrapped__"):
        shown = [one.name for one in fields(value) if one.repr]
        yield f"{kind.__qualname__}("
        yield from _listed((f"{name}=", getattr(value, name, None)) for name in shown)
        yield ")"
    elif written in _BRACKETS and len(value):
        begin, end = _BRACKETS[written]
        yield begin
        yield from _items(value)
        yield f",{end}" if written is tuple.__repr__ and len(value) == 1 else end
    else:
        try:
            yield repr(value)
        except Exception:  # that of a foreign class, or of an integer of very many digits
            yield f"<{kind.__name__}>"


def _items(value: Any) -> Iterator[str]:
    if not isinstance(value, dict):
        yield from _listed(("", item) for item in value)
        return
    for at, (key, item) in enumerate(value.items()):
        yield ", " if at else ""
        yield from _pieces(key)
        yield from _listed([(": ", item)])


def _listed(items: Iterable[tuple[str, object]]) -> Iterator[str]:
    for at, (name, item) in enumerate(items):
        yield f", {name}" if at else name
        yield from _pieces(item)


def check_kind(value: object, kind: type | UnionType, expected: str) -> None:
    """Raise TypeError unless a value is of this kind."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {expected}, found {short_repr(value)}")


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
        raise TypeError(f"expected an integer for {name}, found {short_repr(value)}")
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
        raise ValueError(f"expected {what} among {names}, found {short_repr(value)}") from None


def did_you_mean(found: str, names: Iterable[str]) -> str:
    """Rest of an error line: the name that is most like the one found, if one is."""
    from difflib import get_close_matches

    alike = get_close_matches(found, list(names), n=1)
    return f"; did you mean {alike[0]!r}?" if alike else ""


def several(values: Iterable[_T], what: str, *, one: type | UnionType | None = None) -> Iterable[_T]:
    """The values themselves; TypeError for a single one where several are expected."""
    if (one is not None and isinstance(values, one)) or not isinstance(values, Iterable):
        raise TypeError(f"expected several {what}, as a list, found {short_repr(values)}")
    return values
