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

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING

from satsweep.arguments import check_kind, check_whole, short_repr
from satsweep.errors import BoardError
from satsweep.text import to_density
from satsweep.topology import MOST_NEIGHBOURS

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, slots=True)
class ClueKind:
    """A kind of models: how shown numbers follow from true ones.

    ``remark`` says it beneath a board; ``examples`` are models of the kind to choose from, the plainest first, each
    with what it means. ``drawn`` are the numbers, equally likely, of which one is shown, given the true number and the
    greatest that the cell can show; None where the true number is. The chance of a model is that of this; otherwise the
    true number is shown, or nothing if the kind ``hides`` it. Without ``drawn`` and ``hides`` a model takes no chance.

    ``bounds`` are the least and the most mines around a cell that shows a number, given the number and the neighbours.
    Checkers of proofs take nothing else from here, and refuse models without them.
    """

    remark: str
    examples: Mapping[str, str]
    bounds: Callable[[int, int], tuple[int, int]] | None = None
    drawn: Callable[[int, int], range] | None = None
    hides: bool = False
    takes_cap: bool = False

    @property
    def takes_chance(self) -> bool:
        """True if models of the kind may have a chance; one that hides numbers needs it."""
        return self.hides or self.drawn is not None


CLUE_KINDS = {
    "exact": ClueKind(
        remark="every number is true",
        examples={"exact": "every number is true"},
        bounds=lambda shown, around: (shown, shown),
    ),
    "random": ClueKind(
        remark="a number is shown with this probability, else ?",
        examples={"random 1/2": "a number is shown with this chance"},
        bounds=lambda shown, around: (shown, shown),
        hides=True,
    ),
    "underestimate": ClueKind(
        remark="numbers may be too low",
        examples={
            "underestimate": "a number is at most the true one",
            "underestimate 1/20": "the same, with this chance",
        },
        bounds=lambda shown, around: (shown, around),
        drawn=lambda mines, most: range(mines + 1),
    ),
    "overestimate": ClueKind(
        remark="numbers may be too high",
        examples={
            "overestimate": "a number is at least the true one",
            "overestimate 1/20 cap 8": "the same, with this chance and a cap",
        },
        bounds=lambda shown, around: (0, shown),
        drawn=lambda mines, most: range(mines, most + 1),
        takes_cap=True,
    ),
}
"""Every kind of models by its name."""


@dataclass(frozen=True, slots=True)
class Clues:
    """A model of the numbers: its kind, a chance, and a cap on the shown number.

    The kind is a name in ``CLUE_KINDS``. ``chance`` is that of a number to be shown at all if the kind is random, and
    else that of a number to be drawn; None if every number is.

    >>> print(clues_named("random 0.5"), clues_named("overestimate 0.1 cap 8"), EXACT, sep=", ")
    random 1/2, overestimate 1/10 cap 8, exact
    """

    kind: str = "exact"
    chance: Fraction | None = None
    cap: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in CLUE_KINDS:
            raise ValueError(f"expected a kind among {', '.join(CLUE_KINDS)}, found {short_repr(self.kind)}")
        check_kind(self.chance, Fraction | None, "a Fraction for chance")
        object.__setattr__(self, "cap", None if self.cap is None else check_whole(self.cap, "cap"))

    def __str__(self) -> str:
        """The model and its parameters, as ``clues_named`` reads it."""
        chance = "" if self.chance is None else f" {self.chance}"
        return f"{self.kind}{chance}{'' if self.cap is None else f' cap {self.cap}'}"

    @property
    def is_exact(self) -> bool:
        """True if every number is shown as it is."""
        return self.kind == "exact"

    @property
    def is_true(self) -> bool:
        """True if every number that is shown is right."""
        return CLUE_KINDS[self.kind].drawn is None

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
        kind, scale, sure = CLUE_KINDS[self.kind], self.scale(around), 0
        if self.chance is not None:
            sure = scale // self.chance.denominator * (self.chance.denominator - self.chance.numerator)
        drawn = kind.drawn(mines, self.most(around)) if kind.drawn else (mines,)
        weights: dict[int | None, int] = dict.fromkeys(drawn, (scale - sure) // len(drawn))
        if sure:
            otherwise = None if kind.hides else mines
            weights[otherwise] = weights.get(otherwise, 0) + sure
        return tuple(weights.items())

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
        kind = CLUE_KINDS[self.kind]
        if self.chance is not None and rng.randrange(self.chance.denominator) >= self.chance.numerator:
            return None if kind.hides else mines
        if kind.drawn is None:
            return mines
        numbers = kind.drawn(mines, self.most(around))
        return numbers[rng.randrange(len(numbers))]

    def proves_zero(self, shown: int | None) -> bool:
        """Return whether the shown number proves that no neighbour is a mine."""
        bounds = CLUE_KINDS[self.kind].bounds
        return shown == 0 and bounds is not None and bounds(shown, 1) == (0, 0)


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
        raise TypeError(f"expected a model of numbers or its name, found {short_repr(clues)}")
    words = clues.split()
    if not words or words[0] not in CLUE_KINDS:
        raise BoardError(f"expected clues among {', '.join(CLUE_KINDS)}, found {clues[:40]!r}", at="clues")
    name, *rest = words
    kind, chance, cap = CLUE_KINDS[name], None, None
    if rest and rest[0] != "cap" and kind.takes_chance:
        chance = _chance(rest.pop(0), name)
    elif kind.hides:
        raise BoardError(f"expected a chance strictly between 0 and 1 after {name!r}", at="clues")
    if rest[:1] == ["cap"] and kind.takes_cap:
        cap, rest = _cap(rest[1:2]), rest[2:]
    if rest:
        raise BoardError(f"expected nothing more after {name!r}, found {' '.join(rest)[:40]!r}", at="clues")
    return Clues(name, chance, cap)


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
