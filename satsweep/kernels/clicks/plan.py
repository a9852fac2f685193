"""Places for chords, openings, mines and numbers in the states of a sweep.

Chords and openings have slots, mines and numbers bits. A place is free again once the last chord that it matters to is
decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

SLOTS = 32
"""Places for chords and openings that later chords touch, 4 bits of a state each."""
BITS = 64
"""Places for mines and numbers."""
NEAR = 63
"""Places for later chords beside chords that are decided.

The bit after them stands for later chords that touch openings alone.
"""


Thing = tuple[str, int]
"""A field of ``Terms``, and which one of it."""


CHORDS, OPENINGS = "chords", "openings"


class Terms(NamedTuple):
    """Terms of the clicks that each chord has a part in.

    ``chords`` are those that it touches, ``openings``, ``mines`` and ``numbers`` those that it touches, needs and
    opens; the latter are named by any numbers.
    """

    chords: Sequence[Set[int]]
    openings: Sequence[Set[int]]
    mines: Sequence[Set[int]]
    numbers: Sequence[Set[int]]


class Step(NamedTuple):
    """Effect of the decision about a chord on a state.

    ``slot`` is that of the chord. ``touched`` are slots of earlier chords and of openings that it touches, of which
    those of openings that no earlier one touched are ``begun``, and ``ended`` are slots that no later chord touches.
    ``bits`` are five sets: bits of the chord's mines, of the numbers that it opens, of numbers that no later chord
    opens, of all that does not matter to later ones, and the slots of openings. ``reach`` has for each slot the set of
    later chords that touch it, ``near`` for each of these chords those that touch it.
    """

    slot: int
    touched: list[int]
    begun: list[int]
    ended: list[int]
    bits: tuple[int, int, int, int, int]
    reach: list[int]
    near: list[int]


class _Places:
    """Places of things, each from the first to the last turn that it matters to."""

    def __init__(self, count: int, last: Mapping[Thing, int]) -> None:
        self.of: dict[Thing, int] = {}
        self._free = list(reversed(range(count)))
        self._last = last

    def begin(self, things: Iterable[Thing]) -> list[Thing]:
        """Give places to things that have none, and return these.

        Raises IndexError if there are too few.
        """
        new = sorted(thing for thing in things if thing not in self.of)
        for thing in new:
            self.of[thing] = self._free.pop()
        return new

    def end(self, things: Iterable[Thing], turn: int) -> list[int]:
        """Free the places of things that do not matter after a turn; return them."""
        over = [self.of.pop(thing) for thing in sorted(things) if thing in self.of and self._last[thing] == turn]
        self._free += over
        return over

    def mask(self, things: Iterable[Thing]) -> int:
        return sum(1 << self.of[thing] for thing in things if thing in self.of)


def plan_steps(terms: Terms, order: Sequence[int]) -> list[Step] | None:
    """The steps of a sweep in an order of the chords; None if it is too wide."""
    try:
        return list(_steps(terms, order))
    except IndexError:
        return None


def _steps(terms: Terms, order: Sequence[int]) -> Iterator[Step]:
    touching, openings, mines, numbers = (
        [{(name, thing) for thing in things} for things in own] for name, own in zip(Terms._fields, terms, strict=True)
    )
    users: dict[Thing, list[Thing]] = {}
    last: dict[Thing, int] = {}
    turn = {(CHORDS, chord): number for number, chord in enumerate(order)}
    for own, number in turn.items():
        for thing in {own, *touching[own[1]], *openings[own[1]], *mines[own[1]], *numbers[own[1]]}:
            users.setdefault(thing, []).append(own)
            last[thing] = number
    slots, bits, later = _Places(SLOTS, last), _Places(BITS, last), _Places(NEAR, turn)
    reach, near = [0] * SLOTS, [0] * BITS
    for own, number in turn.items():
        chord = own[1]
        beside = touching[chord] | openings[chord]
        begun = [slots.of[thing] for thing in slots.begin(openings[chord])]
        touched = [slots.of[thing] for thing in sorted(beside) if thing in slots.of]
        slots.begin([own])
        slot = slots.of[own]
        bits.begin(mines[chord] | numbers[chord])
        sets = bits.mask(mines[chord]), bits.mask(numbers[chord])
        ended = slots.end({own, *beside}, number)
        paid = bits.end(numbers[chord], number)
        cleared = paid + bits.end(mines[chord], number)
        later.end([own], number)
        changed = [own, *later.begin(other for other in touching[chord] if turn[other] > number)]
        for thing in {own, *beside}.union(*[touching[other] | openings[other] for _, other in changed]):
            if thing in slots.of:
                later_users = [other for other in users[thing] if turn[other] > number]
                further = any(other not in later.of for other in later_users)
                reach[slots.of[thing]] = later.mask(later_users) | further << NEAR
            if thing in later.of:
                near[later.of[thing]] = later.mask(touching[thing[1]])
        for thing in changed[1:]:
            near[later.of[thing]] = later.mask(touching[thing[1]])
        held = sum(1 << place for (name, _), place in slots.of.items() if name == OPENINGS)
        masks = *sets, sum(1 << place for place in paid), sum(1 << place for place in cleared), held
        yield Step(slot, touched, begun, ended, masks, reach.copy(), near.copy())
