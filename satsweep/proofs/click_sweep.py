"""Proofs of fewest clicks that name an order of the chords, and their check.

Two chords *touch* if one opens the other; a chord touches an opening that it opens, and what is open from the start if
its own cell is. Chosen chords and openings that touch lie in one *block*, which takes one dig (none where it is open
already). A number that no chord and no opening opens takes a dig of its own, so a choice of chords takes

    chords + mines beside them + blocks + numbers that nothing opens

clicks (``docs/ideas/clicks.md`` has the proof). Chords are decided in the order of a proof. A *state* is what the
decisions so far mean for later ones: the blocks of what later chords touch, and the mines and numbers, shared with
later chords, that are flagged and opened. All states that can arise are made, but for those that another one
*dominates*: any later choice takes it to as few clicks or fewer. A state is dominated

* by one with the same blocks that costs less by at least what it lacks: a flag for a mine, a dig for a number;
* by one in which a chord is a block of its own: if the chord joins the rest of its block later, that saves a click;
* by one without that chord that costs less by as many clicks as the chord can still save: one for each group of later
  chords that touch each other and the chord, but nothing else in its block.

A member is left out of its block if the rest of the block touches the same later chords. Each rule leads to fewer
clicks, more blocks or more bits, so it ends at a state that is kept. Any order gives the same number, but perhaps more
states.

``check_sweep`` reads the layout for itself, shares no code with the search, and believes nothing but the layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from satsweep.board import Cell
from satsweep.layout import Layout
from satsweep.proofs.certificate import Rejected, WorkLimit
from satsweep.proofs.covered_cells import CoveredCells, Replaced, Set
from satsweep.text import counted

MOST_WORK = 50_000_000
"""Limit on the states of a check, each as often as it has blocks: a minute or two."""
OPEN = -1
"""The block that is open from the start, among the cells of chords and openings."""

Labels = tuple[int, ...]
"""The block of each chord and opening that later chords touch.

It is 0 for a chord that was not chosen.
"""
Costs = dict[int, int]
"""Clicks by bits: the mines that are flagged and the numbers that are opened."""
Touching = Mapping[int, set[int]]
"""Chords and openings that each chord touches, by their cells, and ``OPEN``."""


@dataclass(frozen=True, slots=True)
class SweepProof:
    """A proof that ``clicks`` are the fewest that clear a layout.

    ``first`` are digs among them that were asked for. Cells of ``replaced`` and ``order``, which has all other chords,
    are row-major indices.
    """

    layout: Layout
    clicks: int
    first: tuple[Cell, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    order: tuple[int, ...] = ()


def check_sweep(proof: SweepProof) -> int:
    """Check a proof, and return the number of states that were made.

    Raises Rejected, also where that takes too much work.

    >>> check_sweep(SweepProof(Layout(("....", ".*..", "....")), 4, order=(0, 1, 2, 4, 6, 8, 9, 10)))
    32
    """
    work = WorkLimit(MOST_WORK)
    covered = CoveredCells(proof.layout, proof.first, work)
    for one in proof.replaced:
        covered.replace(one)
    found = least_clicks(covered, proof.order, work)
    least = len(proof.first) + found.clicks
    if least != proof.clicks:
        raise Rejected(f"the states show that {counted(least, 'click')} are the fewest, not {proof.clicks:,}")
    return found.states


def sweep_line(proof: SweepProof, states: int) -> str:
    """An accepted proof in words."""
    start = f" that begin with digs at {' and '.join(map(str, proof.first))}" if proof.first else ""
    clicks, made = counted(proof.clicks, "click"), counted(states, "state")
    return f"accepted: no fewer than {clicks}{start} clear the layout, {made}"


class Least(NamedTuple):
    """The fewest clicks, and the states that were made to find them."""

    clicks: int
    states: int


class _Decision(NamedTuple):
    """The decision about a chord.

    While states are made they have blocks for what earlier chords left, ``begun`` openings that no earlier chord
    touches, and the chord. ``touched`` are places of what it touches, ``kept`` places of what matters to later chords:
    ``reach`` has those that touch each, and ``is_chord`` whether it is one. The others are sets of bits: mines and
    numbers of the chord, numbers that only earlier chords open, and all that does not matter to later ones.
    """

    begun: int
    touched: list[int]
    kept: list[int]
    reach: list[Set]
    is_chord: list[bool]
    mines: int
    numbers: int
    paid: int
    cleared: int


def least_clicks(covered: CoveredCells, order: Sequence[int], work: WorkLimit) -> Least:
    """The fewest clicks that clear what is covered, found in an order of its chords.

    Raises Rejected unless the order has each chord once, and where it takes too much work.
    """
    if sorted(order) != sorted(covered.chords):
        raise Rejected(f"expected each of the {len(covered.chords):,} chords once in the order")
    touching = _touching(covered)
    lone = set(covered.digs) - covered.spills.keys()
    numbers = {chord: lone & {chord, *covered.chords[chord][0]} for chord in order}
    layer: dict[Labels, Costs] = {(): {0: 0}}
    states = 0
    for turn, step in enumerate(_steps(covered, order, touching, numbers)):
        layer = {labels: _cheapest(costs) for labels, costs in _next_layer(layer, step).items()}
        made = sum(map(len, layer.values()))
        states += made
        work.spend(made * (1 + len(step.kept)))
        if turn % 2:  # as good as always, in less time
            layer = dict(_undominated(layer, step, touching))
    return Least(layer[()][0] + len(covered.spills) + len(lone.difference(*numbers.values())), states)


def _touching(covered: CoveredCells) -> Touching:
    touching: dict[int, set[int]] = {chord: set() for chord in covered.chords}
    for chord, (opens, _) in covered.chords.items():
        touching[chord] |= opens & covered.spills.keys()
        if chord not in covered.covered:
            touching[chord].add(OPEN)
        for other in opens & touching.keys():
            touching[chord].add(other)
            touching[other].add(chord)
    return touching


def _steps(
    covered: CoveredCells, order: Sequence[int], touching: Touching, numbers: Mapping[int, set[int]]
) -> Iterator[_Decision]:
    mines = {chord: set(covered.chords[chord][1]) for chord in order}
    turns = {chord: turn for turn, chord in enumerate(order)}
    users = _users({chord: {chord, *touching[chord]} for chord in order}, turns)
    last_bit = {bit: turns[used[-1]] for members in (mines, numbers) for bit, used in _users(members, turns).items()}
    live: list[int] = []
    places: dict[int, int] = {}
    free: list[int] = []
    for chord, turn in turns.items():
        begun = sorted(thing for thing in touching[chord] - touching.keys() if users[thing][0] == chord)
        live += [*begun, chord]
        touched = [place for place, thing in enumerate(live) if thing in touching[chord]]
        kept = [place for place, thing in enumerate(live) if turns[users[thing][-1]] > turn]
        for bit in sorted(mines[chord] | numbers[chord]):
            if bit not in places:
                places[bit] = free.pop() if free else len(places)
        over = [bit for bit in sorted(mines[chord] | numbers[chord]) if last_bit[bit] == turn]
        sets = [mines[chord], numbers[chord], numbers[chord].intersection(over), over]
        masks = [sum(1 << places[bit] for bit in bits) for bits in sets]
        live_after = [live[place] for place in kept]
        reach = [frozenset(user for user in users[thing] if turns[user] > turn) for thing in live_after]
        yield _Decision(len(begun), touched, kept, reach, [thing in turns for thing in live_after], *masks)
        live = live_after
        free += [places.pop(bit) for bit in over]


def _users(members: Mapping[int, set[int]], turns: Mapping[int, int]) -> dict[int, list[int]]:
    """The chords that each thing is a member for, in the order of their turns."""
    users: dict[int, list[int]] = {}
    for chord in turns:
        for thing in members[chord]:
            users.setdefault(thing, []).append(chord)
    return users


def _next_layer(layer: Mapping[Labels, Costs], step: _Decision) -> dict[Labels, Costs]:
    """The states after a decision: their costs, by labels."""
    made: dict[Labels, Costs] = {}
    for labels, costs in layer.items():
        before = (*labels, *range(len(labels) + 1, len(labels) + 1 + step.begun), 0)
        merged = {before[place] for place in step.touched} - {0}
        chosen = tuple(-1 if label in merged else label for label in before[:-1]) + (-1,)
        without, with_chord = (made.setdefault(_blocks(one, step), {}) for one in (before, chosen))
        for bits, cost in costs.items():
            both = bits | step.mines | step.numbers
            more = 2 - len(merged) + (step.mines & ~bits).bit_count()
            for found, own, clicks in ((without, bits, cost), (with_chord, both, cost + more)):
                clicks += (step.paid & ~own).bit_count()
                own &= ~step.cleared
                if clicks < found.get(own, clicks + 1):
                    found[own] = clicks
    return made


def _blocks(before: Labels, step: _Decision) -> Labels:
    """Labels of what matters later, without what the rest of a block stands for."""
    labels = [before[place] for place in step.kept]
    times = Counter(label for label in labels if label)
    for label, members in times.items():
        if members > 1:
            own = [place for place, other in enumerate(labels) if other == label]
            touched = Counter(chord for place in own for chord in step.reach[place])
            for place in own:
                if all(touched[chord] > 1 for chord in step.reach[place]):
                    touched.subtract(step.reach[place])
                    labels[place] = 0
    return _numbered(labels)


def _numbered(labels: Iterable[int]) -> Labels:
    """Labels with blocks numbered from 1 in the order in which they come."""
    names = {0: 0}
    return tuple([names.setdefault(label, len(names)) for label in labels])


def _cheapest(costs: Costs) -> Costs:
    """Costs without those that others with the same blocks dominate."""
    kept: Costs = {}
    for bits, cost in sorted(costs.items(), key=lambda one: (one[1], -one[0].bit_count())):
        if not _is_dominated(bits, cost, kept):
            kept[bits] = cost
    return kept


def _is_dominated(bits: int, cost: int, others: Costs) -> bool:
    return any(other + (bits & ~own).bit_count() <= cost for own, other in others.items())


def _undominated(layer: Mapping[Labels, Costs], step: _Decision, touching: Touching) -> Iterator[tuple[Labels, Costs]]:
    """Yield states that none dominates in which a chord is missing, or stands alone."""
    for labels, costs in layer.items():
        others = []
        for place, label in enumerate(labels):
            if label and step.is_chord[place]:
                rest = [other for other in range(len(labels)) if labels[other] == label and other != place]
                if rest:
                    alone = layer.get(_numbered((*labels[:place], -1, *labels[place + 1 :])))
                    others.append((alone, 0))
                missing = layer.get(_numbered((*labels[:place], 0, *labels[place + 1 :])))
                if missing:
                    own = step.reach[place].difference(*(step.reach[other] for other in rest))
                    others.append((missing, _groups(own, touching)))
        left = {
            bits: cost
            for bits, cost in costs.items()
            if not any(found and _is_dominated(bits, cost - saved, found) for found, saved in others)
        }
        if left:
            yield labels, left


def _groups(chords: Set, touching: Touching) -> int:
    """A number of groups into which chords fall, all of one touching each other."""
    count, left = 0, set(chords)
    while left:
        together = touching[min(left)] & left
        left.remove(min(left))
        count += 1
        while together:
            chord = min(together)
            left.remove(chord)
            together = together & touching[chord]
    return count
