"""Models of the numbers: exact, or missing, too low, too high at times.

Xu, Zhang and Geng (2017) play with numbers that may be missing, too low or too high. Each is drawn once, when its cell
is opened, where t of the n cells around it are mines::

    exact                 t
    random 1/2            t with this chance, else nothing (``?``)
    underestimate         each of 0 to t with the same probability
    underestimate 1/20    the same with this chance, else t
    overestimate          each of t to n with the same probability; it may have a chance, too
    overestimate cap 8    each of t to the cap, if that is more than n

The model gives the probability of each t, given the shown number: that is the *likelihood* that every constraint has
anyway, so exact reasoning needs nothing else from it.
"""

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random

from satsweep.arguments import check_kind, check_whole
from satsweep.errors import BoardError
from satsweep.text import to_density
from satsweep.topology import MOST_NEIGHBOURS


class ClueKind(Enum):
    """The ways in which shown numbers follow from true ones."""

    EXACT = "exact"
    RANDOM = "random"
    UNDERESTIMATE = "underestimate"
    OVERESTIMATE = "overestimate"


@dataclass(frozen=True, slots=True)
class Clues:
    """A model of the numbers: its kind, a chance, and a cap on the shown number.

    ``chance`` is that of a number to be shown at all if the kind is random, and else that of a number to be drawn; None
    if every number is.

    >>> print(clues_named("random 0.5"), clues_named("overestimate 0.1 cap 8"), EXACT, sep=", ")
    random 1/2, overestimate 1/10 cap 8, exact
    """

    kind: ClueKind = ClueKind.EXACT
    chance: Fraction | None = None
    cap: int | None = None

    def __post_init__(self) -> None:
        check_kind(self.kind, ClueKind, "a ClueKind")
        check_kind(self.chance, Fraction | None, "a Fraction for chance")
        object.__setattr__(self, "cap", None if self.cap is None else check_whole(self.cap, "cap"))

    def __str__(self) -> str:
        """The model and its parameters, as ``clues_named`` reads it."""
        chance = "" if self.chance is None else f" {self.chance}"
        return f"{self.kind.value}{chance}{'' if self.cap is None else f' cap {self.cap}'}"

    @property
    def is_exact(self) -> bool:
        """True if every number is shown as it is."""
        return self.kind is ClueKind.EXACT

    @property
    def is_true(self) -> bool:
        """True if every number that is shown is right."""
        return self.kind in (ClueKind.EXACT, ClueKind.RANDOM)

    def most(self, around: int) -> int:
        """The greatest number that a cell with ``around`` neighbours can show."""
        return around if self.cap is None else max(around, self.cap)

    def shown(self, mines: int, around: int) -> tuple[tuple[int | None, int], ...]:
        """The numbers that a cell may show, with integer weights; None is nothing.

        ``mines`` of its ``around`` neighbours are mines. Weights of different numbers of mines are in proportion: for
        each they add up to ``scale(around)``.

        >>> clues_named("underestimate").shown(1, 2)
        ((0, 3), (1, 3))
        """
        scale, sure = self.scale(around), 0
        if self.kind is ClueKind.RANDOM:
            assert self.chance is not None
            return (mines, self.chance.numerator), (None, scale - self.chance.numerator)
        if self.chance is not None:
            sure = scale // self.chance.denominator * (self.chance.denominator - self.chance.numerator)
        low = 0 if self.kind is ClueKind.UNDERESTIMATE else mines
        high = self.most(around) if self.kind is ClueKind.OVERESTIMATE else mines
        weight = (scale - sure) // (high - low + 1)
        return tuple((number, weight + sure * (number == mines)) for number in range(low, high + 1))

    def scale(self, around: int) -> int:
        """The weight of probability one, in a cell with ``around`` neighbours."""
        parts = 1 if self.chance is None else self.chance.denominator
        return parts if self.is_true else parts * lcm(*range(1, self.most(around) + 2))

    def likelihood(self, shown: int | None, around: int) -> tuple[int, ...]:
        """The likelihoods of the numbers of mines around a cell, given the shown number.

        They are weights, for each number of mines from 0.

        >>> clues_named("underestimate").likelihood(1, 3), clues_named("overestimate").likelihood(1, 3)
        ((0, 6, 4, 3), (3, 4))
        """
        return _likelihood(self, shown, around)

    def draw(self, mines: int, around: int, rng: Random) -> int | None:
        """Draw the number that a cell shows; None is nothing.

        ``mines`` of its ``around`` neighbours are mines.
        """
        drawn = self.chance is None or rng.randrange(self.chance.denominator) < self.chance.numerator
        match self.kind:
            case ClueKind.RANDOM:
                return mines if drawn else None
            case ClueKind.UNDERESTIMATE if drawn:
                return rng.randrange(mines + 1)
            case ClueKind.OVERESTIMATE if drawn:
                return rng.randrange(mines, self.most(around) + 1)
        return mines

    def proves_zero(self, shown: int | None) -> bool:
        """Return whether the shown number proves that no neighbour is a mine."""
        return shown == 0 and self.kind is not ClueKind.UNDERESTIMATE


@lru_cache(maxsize=4096)
def _likelihood(clues: Clues, shown: int | None, around: int) -> tuple[int, ...]:
    weights = [dict(clues.shown(mines, around)).get(shown, 0) for mines in range(around + 1)]
    while weights and not weights[-1]:
        weights.pop()
    return tuple(weights)


EXACT = Clues()
"""The model in which every number is the number of mines around its cell."""


def clues_named(clues: Clues | str) -> Clues:
    """A model by its name and parameters. Raises BoardError for an unknown one."""
    if isinstance(clues, Clues):
        return clues
    if not isinstance(clues, str):
        raise TypeError(f"expected a model of numbers or its name, found {clues!r:.80}")
    words = clues.split()
    kinds = {known.value: known for known in ClueKind}
    if not words or words[0] not in kinds:
        raise BoardError(f"expected clues among {', '.join(kinds)}, found {clues[:40]!r}", at="clues")
    kind, rest = kinds[words[0]], words[1:]
    chance = cap = None
    if rest and rest[0] != "cap" and kind is not ClueKind.EXACT:
        chance = _chance(rest.pop(0), words[0])
    elif kind is ClueKind.RANDOM:
        raise BoardError("expected a chance strictly between 0 and 1 after 'random'", at="clues")
    if rest[:1] == ["cap"] and kind is ClueKind.OVERESTIMATE:
        cap, rest = _cap(rest[1:2]), rest[2:]
    if rest:
        raise BoardError(f"expected nothing more after {words[0]!r}, found {' '.join(rest)[:40]!r}", at="clues")
    return Clues(kind, chance, cap)


def _chance(text: str, kind: str) -> Fraction:
    try:
        return to_density(text)
    except BoardError:
        message = f"expected a chance strictly between 0 and 1 after {kind!r}, found {text[:40]!r}"
        raise BoardError(message, at="clues") from None


def _cap(words: list[str]) -> int:
    if not words or re.fullmatch("[1-9][0-9]?", words[0]) is None or int(words[0]) > MOST_NEIGHBOURS:
        found = f"found {words[0][:40]!r}" if words else "found none"
        raise BoardError(f"expected a cap from 1 to {MOST_NEIGHBOURS}, {found}", at="clues")
    return int(words[0])
