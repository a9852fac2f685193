"""Cost of a choice of chords, term by term, and an order to decide them in.

The nodes of a model that a choice leaves to dig are the *blocks*, connected parts of the graph of openings and chosen
chords, and the numbers that no chord and no opening touches. Two chords touch if one opens the other, and a chord
touches an opening that it opens: then the opening or the chord opens it in turn. A block takes one dig, wherever
that is:

    clicks = chords + mines beside them + blocks + numbers beside no chord.

A chord on a cell that is open from the start is reached without a dig: it touches a block that is there already
(``OPEN``). Each term of the sum is settled once the last chord that it depends on is decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log

from satsweep.clicks.model import ClickModel, Set
from satsweep.solver import compiled

OPEN = -1
"""The block of what is open from the start, among openings."""
GROWTH = {"chords": 0.24, "openings": 0.27, "numbers": 0.25, "mines": 0.01}
"""Logarithm of the factor of states that a term brings while it is not settled.

Fitted to the states of 130 sweeps over 55 boards in different orders: the predictions are off by 0.33.
"""
KEPT = -3.0
"""Logarithm of the share of states that no other one dominates."""
WIDTH = 20
"""Sets that a beam search for an order keeps."""
TOUCHING = 0.4
"""The same for each chord where other terms are left out."""
FEW = log(50_000)
"""Logarithm of predicted states that are not worth a longer search for fewer."""


@dataclass(frozen=True, slots=True)
class ChordTerms:
    """Terms of the clicks, for each chord of a model those that depend on it.

    ``chords`` are other chords that it touches, ``openings`` openings (or ``OPEN``), ``mines`` those that it needs
    flagged, ``numbers`` the nodes that it opens, or is, if only chords spare them a dig. ``others`` are the digs that
    no chord spares, one for each opening included.
    """

    chords: tuple[Set, ...]
    openings: tuple[Set, ...]
    mines: tuple[Set, ...]
    numbers: tuple[Set, ...]
    others: int

    @classmethod
    def of(cls, model: ClickModel) -> ChordTerms:
        place_of = {chord.node: place for place, chord in enumerate(model.chords) if chord.node is not None}
        is_opening = [not any(other in model.mines for other in model.neighbours[cells[0]]) for cells in model.nodes]
        lone = frozenset(node for node in model.diggable if not is_opening[node])
        chords: list[set[int]] = [set() for _ in model.chords]
        for place, chord in enumerate(model.chords):
            for other in (place_of[node] for node in chord.opens if node in place_of):
                chords[place].add(other)
                chords[other].add(place)
        own = [chord.opens if chord.node is None else chord.opens | {chord.node} for chord in model.chords]
        openings = [
            frozenset(node for node in chord.opens if is_opening[node]) | ({OPEN} if chord.node is None else set())
            for chord in model.chords
        ]
        numbers = [nodes & lone for nodes in own]
        spared = frozenset().union(*numbers)
        return cls(
            tuple(map(frozenset, chords)), tuple(openings), tuple(frozenset(chord.mines) for chord in model.chords),
            tuple(numbers), sum(is_opening) + len(lone - spared),
        )  # fmt: skip

    def scopes(self) -> Iterator[tuple[float, set[int]]]:
        """Yield the terms: the growth of states, and the chords that each depends on."""
        for place, touched in enumerate(self.chords):
            yield GROWTH["chords"], {place, *touched}
        for name, members in (("openings", self.openings), ("numbers", self.numbers), ("mines", self.mines)):
            users: dict[int, set[int]] = {}
            for place, terms in enumerate(members):
                for term in terms:
                    users.setdefault(term, set()).add(place)
            for scope in users.values():
                yield GROWTH[name], scope


def find_order(terms: ChordTerms, cells: Sequence[int], cols: int) -> tuple[list[int], float]:
    """An order of the chords in which a sweep has few states.

    With it comes the logarithm of the states that are predicted. ``cells`` are those of the chords, on a board of
    ``cols`` columns. The rows and the columns are orders from whose ends beam searches begin: for the chords that touch
    alone, and if many states are predicted for all terms.
    """
    scopes = list(terms.scopes())
    rows = sorted(range(len(cells)), key=lambda place: cells[place])
    columns = sorted(rows, key=lambda place: cells[place] % cols)
    found = [(predicted_states(scopes, order), order) for order in (rows, rows[::-1], columns, columns[::-1])]
    starts = list(dict.fromkeys(order[0] for _, order in found))

    def search(scopes_of: Sequence[Collection[int]], near: Sequence[Sequence[int]], growth: Sequence[float]) -> None:
        beam = compiled.beam_search(near, list(map(exp, growth)))
        if beam is None:
            return
        for start in starts:
            if settled := beam(start, WIDTH):
                order = list(dict.fromkeys(place for term in settled[1] for place in sorted(scopes_of[term])))
                found.append((predicted_states(scopes, order), order))

    beside = [{place, *touched} for place, touched in enumerate(terms.chords)]
    search(beside, [sorted(touched) for touched in terms.chords], [TOUCHING] * len(cells))
    if min(found)[0] > FEW:
        search(*_sharing(scopes, len(cells)))
    predicted, order = min(found)
    return order, predicted


def predicted_states(scopes: Iterable[tuple[float, set[int]]], order: Sequence[int]) -> float:
    """Logarithm of the predicted number of states of a sweep."""
    turn = [0] * len(order)
    for number, place in enumerate(order):
        turn[place] = number
    change = [0.0] * (len(order) + 1)
    for growth, scope in scopes:
        turns = [turn[place] for place in scope]
        change[min(turns)] += growth
        change[max(turns)] -= growth
    return KEPT + log(sum(map(exp, accumulate(change[:-1]))))


def _sharing(
    scopes: Sequence[tuple[float, set[int]]], count: int
) -> tuple[list[set[int]], list[list[int]], list[float]]:
    """Scopes of terms, those that share a chord with each, and their growth."""
    users: list[list[int]] = [[] for _ in range(count)]
    for number, (_, scope) in enumerate(scopes):
        for place in scope:
            users[place].append(number)
    near = [
        sorted({other for place in scope for other in users[place]} - {number})
        for number, (_, scope) in enumerate(scopes)
    ]
    return [scope for _, scope in scopes], near, [growth for growth, _ in scopes]
