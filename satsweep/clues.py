"""What numbers tell: how many neighbours are mines, or less than that.

Document 001 (Xu, Zhang and Geng 2017) plays with numbers that may be missing, too low or too high. Each is drawn once,
when its cell is opened, where t of the n cells around it are mines::

    exact            t
    random p         t with probability p, else nothing (``?``)
    underestimate    each of 0 to t with the same probability
    overestimate     each of t to n with the same probability; with a cap, as in ``overestimate 8``, of t to the cap

Whoever knows this model knows how likely each t is, given what is shown: that is the *likelihood* that every
constraint has anyway, so exact reasoning needs to know nothing else about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random

from satsweep.errors import BoardError
from satsweep.text import to_density
from satsweep.topology import MOST_NEIGHBOURS


class ClueKind(Enum):
    """How what is shown comes from what is true."""

    EXACT = "exact"
    RANDOM = "random"
    UNDERESTIMATE = "underestimate"
    OVERESTIMATE = "overestimate"


@dataclass(frozen=True, slots=True)
class Clues:
    """A model of what numbers tell. ``chance`` is that of a number to be shown at all, ``cap`` the most that is shown.

    >>> print(clues_named("random 0.5"), clues_named("overestimate 8"), EXACT, sep=", ")
    random 1/2, overestimate 8, exact
    """

    kind: ClueKind = ClueKind.EXACT
    chance: Fraction | None = None
    cap: int | None = None

    def __str__(self) -> str:
        """The model and its parameter, as ``clues_named`` reads it."""
        parameter = self.chance if self.cap is None else self.cap
        return self.kind.value if parameter is None else f"{self.kind.value} {parameter}"

    @property
    def is_exact(self) -> bool:
        """Whether every number is shown as it is."""
        return self.kind is ClueKind.EXACT

    @property
    def is_true(self) -> bool:
        """Whether a number that is shown is right."""
        return self.kind in (ClueKind.EXACT, ClueKind.RANDOM)

    def most(self, around: int) -> int:
        """The greatest number that a cell with so many neighbours can show."""
        return around if self.cap is None else max(around, self.cap)

    def shown(self, mines: int, around: int) -> tuple[tuple[int | None, int], ...]:
        """What a cell may show that has so many mines among its neighbours, and integer weights; None is nothing.

        Weights of different numbers of mines are in proportion: for each they add up to ``scale(around)``.

        >>> clues_named("underestimate").shown(1, 2)
        ((0, 3), (1, 3))
        """
        if self.chance is not None:
            return (mines, self.chance.numerator), (None, self.chance.denominator - self.chance.numerator)
        low = 0 if self.kind is ClueKind.UNDERESTIMATE else mines
        high = self.most(around) if self.kind is ClueKind.OVERESTIMATE else mines
        weight = self.scale(around) // (high - low + 1)
        return tuple((number, weight) for number in range(low, high + 1))

    def scale(self, around: int) -> int:
        """The weight that stands for probability one, in a cell with so many neighbours."""
        if self.chance is not None:
            return self.chance.denominator
        return 1 if self.is_exact else lcm(*range(1, self.most(around) + 2))

    def likelihood(self, shown: int | None, around: int) -> tuple[int, ...]:
        """For each number of mines among the neighbours, from 0, the weight with which just this is shown.

        >>> clues_named("underestimate").likelihood(1, 3), clues_named("overestimate").likelihood(1, 3)
        ((0, 6, 4, 3), (3, 4))
        """
        return _likelihood(self, shown, around)

    def draw(self, mines: int, around: int, rng: Random) -> int | None:
        """What a cell shows that has so many mines among its neighbours; None is nothing."""
        if self.chance is not None:
            return mines if rng.randrange(self.chance.denominator) < self.chance.numerator else None
        shown = self.shown(mines, around)
        return shown[rng.randrange(len(shown))][0]

    def proves_zero(self, shown: int | None) -> bool:
        """Whether it is certain from what is shown that no neighbour is a mine."""
        return shown == 0 and self.kind is not ClueKind.UNDERESTIMATE


@lru_cache(maxsize=4096)
def _likelihood(clues: Clues, shown: int | None, around: int) -> tuple[int, ...]:
    weights = [dict(clues.shown(mines, around)).get(shown, 0) for mines in range(around + 1)]
    while weights and not weights[-1]:
        weights.pop()
    return tuple(weights)


EXACT = Clues()
"""Every number is how many neighbours are mines."""


def clues_named(clues: Clues | str) -> Clues:
    """A model by its name and parameter. Raises BoardError for what is none."""
    if isinstance(clues, Clues):
        return clues
    kind, _, parameter = " ".join(clues.split()).partition(" ")
    kinds = {known.value: known for known in ClueKind}
    if kind not in kinds:
        raise BoardError(f"expected clues among {', '.join(kinds)}, found {clues[:40]!r}", at="clues")
    found = kinds[kind]
    if found is ClueKind.RANDOM:
        try:
            return Clues(found, chance=to_density(parameter))
        except BoardError:
            message = f"expected a chance strictly between 0 and 1 after 'random', found {parameter[:40]!r}"
            raise BoardError(message, at="clues") from None
    if found is ClueKind.OVERESTIMATE and parameter:
        if not (parameter.isascii() and parameter.isdigit() and 1 <= int(parameter[:9]) <= MOST_NEIGHBOURS):
            message = f"expected a cap from 1 to {MOST_NEIGHBOURS} after 'overestimate', found {parameter[:40]!r}"
            raise BoardError(message, at="clues")
        return Clues(found, cap=int(parameter))
    if parameter:
        raise BoardError(f"expected nothing after {kind!r}, found {parameter[:40]!r}", at="clues")
    return Clues(found)
