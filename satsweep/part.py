"""Sides on which a board is cut from a larger one.

Beyond a side that is cut the larger board goes on, unseen. Numbers near it count mines there, too, so the solver takes
unseen cells for covered ones: all cells beyond the cut sides that touch a cell of the board. With two cut sides that
meet, the cells beyond their corner are among them. Names of parts are text that board files contain::

    none         the whole board
    top,left     cut at the top and at the left
    all          cut at all four sides
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields

from satsweep.arguments import short_repr
from satsweep.errors import BoardError


@dataclass(frozen=True, slots=True)
class Part:
    """The sides on which a board is cut from a larger one; false if there are none.

    >>> print(Part(left=True, top=True), Part(True, True, True, True), WHOLE)
    top,left all none
    """

    top: bool = False
    left: bool = False
    bottom: bool = False
    right: bool = False

    def __str__(self) -> str:
        """The sides, as ``part_named`` reads them."""
        cut = [field.name for field in fields(self) if getattr(self, field.name)]
        return "all" if len(cut) == len(SIDES) else ",".join(cut) or "none"

    def __le__(self, other: Part) -> bool:
        """True if the other one is cut at all these sides, too."""
        return all(getattr(other, side) for side in SIDES if getattr(self, side))

    def __bool__(self) -> bool:
        """True if some side is cut."""
        return self.top or self.left or self.bottom or self.right


SIDES = tuple(field.name for field in fields(Part))
"""Names of the sides, in the order in which they are written."""
WHOLE = Part()
"""No side is cut: the board is all there is.

``part_named`` has no other one, so boards look for it by ``is``.
"""
PART_ASKED = "is this a part of a larger board (part all)?"
"""Question after what only a whole board forbids."""
_assumed = ContextVar("part", default=WHOLE)


@contextmanager
def assuming_part(part: Part | str | None) -> Iterator[None]:
    """Read boards without a part of their own as this one, within the context.

    A number at a side that is cut may be too great for a whole board, so readers have to know before they check.
    """
    before = _assumed.set(WHOLE if part is None else part_named(part))
    try:
        yield
    finally:
        _assumed.reset(before)


def part_named(part: Part | str | None) -> Part:
    """A part by its name; without one, that which readers assume, mostly the whole.

    Raises BoardError for an unknown name.

    >>> part_named("left, top") == Part(top=True, left=True)
    True
    """
    if part is None:
        return _assumed.get()
    if isinstance(part, Part):
        return part or WHOLE
    if not isinstance(part, str):
        raise TypeError(f"expected a part or its name, found {short_repr(part)}")
    names = part.replace(",", " ").split()
    if names in (["none"], ["all"]):
        return Part(*[True] * len(SIDES)) if names == ["all"] else WHOLE
    if not names or not set(names).issubset(SIDES):
        message = f"expected the sides that are cut, of {', '.join(SIDES)}, or all, or none, found {part[:40]!r}"
        raise BoardError(message, at="part")
    return Part(**dict.fromkeys(names, True))
