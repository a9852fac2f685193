"""Circuits: the states of an elimination, and their evaluation.

The groups are taken in a given order. All that matters about those taken is, for every *open* constraint (one with
groups on both sides), how many mines it holds so far: partial placements that agree on this have the same
completions, so they are one *state*. A state is one integer: each open constraint owns a field of bits with a guard
bit on top, so that one addition gives a group its mines and one addition and one mask test all bounds.

No weights occur here. A circuit is compiled once and evaluated on numbers or polynomials. For a given
count the map from a state to the next is injective; states that lead nowhere are removed from the end.

A polynomial p(x) in the number of mines, with non-negative coefficients, is held as the integer p(2**slot) >> (slot *
low), with its lowest degree ``low`` beside it (Kronecker substitution). Substitution is a homomorphism of rings, so
sums, products, differences and exact quotients need no room between the coefficients; only a result that is read back
must have all its coefficients below 2**slot.

Most edges are the only one into their target and carry the factor 1: then the target shares the integer of its
source, and only its ``low`` differs. Time and memory go into the merges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb

from satsweep.solver.budget import Meter
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint


@dataclass(frozen=True, slots=True)
class Structure:
    """A component with the constraints on each of its groups, and bounds.

    ``low[g]`` to ``high[g]`` mines are possible in group g as far as bounds propagation can tell; where some low
    exceeds its high the component has no placement.
    """

    component: Component
    constraints_on: tuple[tuple[int, ...], ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @classmethod
    def of(cls, component: Component) -> Structure:
        constraints_on: list[list[int]] = [[] for _ in component.sizes]
        for number, constraint in enumerate(component.constraints):
            for group in constraint.groups:
                constraints_on[group].append(number)
        low, high = _bounds(component, constraints_on)
        return cls(component, tuple(map(tuple, constraints_on)), tuple(low), tuple(high))

    @property
    def impossible(self) -> bool:
        return any(low > high for low, high in zip(self.low, self.high, strict=True))


def _bounds(component: Component, constraints_on: list[list[int]]) -> tuple[list[int], list[int]]:
    """Bounds propagation: sound, to a fixed point, not complete."""
    low, high = [0] * len(component.sizes), list(component.sizes)
    waiting = set(range(len(component.constraints)))
    while waiting:
        constraint = component.constraints[waiting.pop()]
        least = sum(low[group] for group in constraint.groups)
        most = sum(high[group] for group in constraint.groups)
        for group in constraint.groups:
            floor = max(low[group], constraint.low - most + high[group])
            ceiling = min(high[group], constraint.high - least + low[group])
            if floor > ceiling:
                return [1] * len(low), [0] * len(low)
            if (floor, ceiling) != (low[group], high[group]):
                least, most = least + floor - low[group], most + ceiling - high[group]
                low[group], high[group] = floor, ceiling
                waiting.update(constraints_on[group])
    return low, high


@dataclass(slots=True)
class Bundle:
    mines: int
    factor: int
    source: list[int]
    target: list[int]


@dataclass(slots=True)
class CircuitStep:
    """One step: bundles of edges from the states before it to those after it.

    ``group`` is None where no group is taken, but a weighted constraint is closed. ``states`` are those after the step,
    and ``fields`` has the place of each open constraint in them: (shift, mask).
    """

    group: int | None
    before: int
    bundles: list[Bundle]
    states: list[int]
    fields: dict[int, tuple[int, int]]

    @property
    def after(self) -> int:
        return len(self.states)


def compile_circuit(structure: Structure, order: Sequence[int], meter: Meter) -> list[CircuitStep]:
    """The steps of an order, without states that lead nowhere. Raises BudgetExceeded."""
    sweep = _Sweep(structure)
    steps: list[CircuitStep] = []
    states = [0]
    for group in order:
        test = sweep.reach(group)
        step = _take(structure, group, states, test, meter)
        steps.append(step)
        ending = [number for number in structure.constraints_on[group] if not sweep.left[number]]
        for number in ending:
            if is_exact(structure.component.constraints[number]):
                sweep.close(number)
        step.fields = dict(sweep.fields)
        for number in ending:
            if number in sweep.fields:
                shift, mask = sweep.close(number)
                likelihood = structure.component.constraints[number].likelihood
                steps.append(_weigh(likelihood, shift, mask, steps[-1].states, dict(sweep.fields), meter))
        states = steps[-1].states
        meter.spend(len(states))
    _prune(steps)
    return steps


def is_exact(constraint: Constraint) -> bool:
    return constraint.low == constraint.high


@dataclass(frozen=True, slots=True)
class _Test:
    """The effect of a group on states, and the test of the bounds after it.

    ``unit`` is added for each mine. After adding ``floor`` all ``guards`` must be set, after adding ``ceiling`` none.
    ``closed`` is the sum held by the exact constraints that end here: it is taken off.
    """

    unit: int
    floor: int
    ceiling: int
    guards: int
    closed: int


class _Sweep:
    """The position in the order: fields of the open constraints, and their rest.

    A field is a shift and a mask; the rest of a constraint is its number of groups left and their bounds.
    """

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.constraints = structure.component.constraints
        self.rest_low = [sum(structure.low[group] for group in constraint.groups) for constraint in self.constraints]
        self.rest_high = [sum(structure.high[group] for group in constraint.groups) for constraint in self.constraints]
        self.left = [len(constraint.groups) for constraint in self.constraints]
        self.fields: dict[int, tuple[int, int]] = {}
        self._free: dict[int, list[int]] = {}
        self._end = 0

    def reach(self, group: int) -> _Test:
        unit = floor = ceiling = guards = closed = 0
        for number in self.structure.constraints_on[group]:
            constraint = self.constraints[number]
            if number not in self.fields:
                self._open(number)
            self.rest_low[number] -= self.structure.low[group]
            self.rest_high[number] -= self.structure.high[group]
            self.left[number] -= 1
            shift, mask = self.fields[number]
            guard = (mask + 1) >> 1
            least = max(0, constraint.low - self.rest_high[number])
            most = min(guard - 1, constraint.high - self.rest_low[number])
            unit |= 1 << shift
            guards |= guard << shift
            floor |= (guard - least) << shift
            ceiling |= (guard - 1 - most) << shift
            if not self.left[number] and is_exact(constraint):
                closed |= constraint.low << shift
        return _Test(unit, floor, ceiling, guards, closed)

    def _open(self, number: int) -> None:
        width = min(self.constraints[number].high, self.rest_high[number]).bit_length() + 1
        free = self._free.get(width)
        if free:
            shift = free.pop()
        else:
            shift, self._end = self._end, self._end + width
        self.fields[number] = shift, (1 << width) - 1

    def close(self, number: int) -> tuple[int, int]:
        shift, mask = self.fields.pop(number)
        self._free.setdefault(mask.bit_length(), []).append(shift)
        return shift, mask


def _take(structure: Structure, group: int, states: list[int], test: _Test, meter: Meter) -> CircuitStep:
    """Give a group every count that its constraints still allow."""
    index: dict[int, int] = {}
    bundles = []
    floor, ceiling, guards, closed = test.floor, test.ceiling, test.guards, test.closed
    for mines in range(structure.low[group], structure.high[group] + 1):
        source, target = [], []
        added = mines * test.unit
        for some in meter.together(range(len(states)), states):
            for number, state in some:
                new = state + added
                if (new + floor) & guards == guards and not (new + ceiling) & guards:
                    source.append(number)
                    target.append(index.setdefault(new - closed, len(index)))
        if source:
            bundles.append(Bundle(mines, comb(structure.component.sizes[group], mines), source, target))
    return CircuitStep(group, len(states), bundles, list(index), {})


def _weigh(
    likelihood: Sequence[int],
    shift: int,
    mask: int,
    states: list[int],
    fields: dict[int, tuple[int, int]],
    meter: Meter,
) -> CircuitStep:
    """Multiply by the likelihood of a complete sum, and drop the sum from the states."""
    index: dict[int, int] = {}
    bundles: dict[int, Bundle] = {}
    for some in meter.together(range(len(states)), states):
        for number, state in some:
            count = state >> shift & mask
            if count < len(likelihood) and likelihood[count]:
                bundle = bundles.setdefault(count, Bundle(0, likelihood[count], [], []))
                bundle.source.append(number)
                bundle.target.append(index.setdefault(state - (count << shift), len(index)))
    return CircuitStep(None, len(states), list(bundles.values()), list(index), fields)


def _prune(steps: list[CircuitStep]) -> None:
    alive = [True] * len(steps[-1].states) if steps else []
    for step in reversed(steps):
        reached = [False] * step.before
        for bundle in step.bundles:
            for source, target in zip(bundle.source, bundle.target, strict=True):
                if alive[target]:
                    reached[source] = True
        if not all(reached) or not all(alive):
            _renumber(step, reached, alive)
        alive = reached


def _renumber(step: CircuitStep, before: list[bool], after: list[bool]) -> None:
    new_source, new_target = _ranks(before), _ranks(after)
    for bundle in step.bundles:
        pairs = [
            (new_source[source], new_target[target])
            for source, target in zip(bundle.source, bundle.target, strict=True)
            if after[target]
        ]
        bundle.source, bundle.target = [source for source, _ in pairs], [target for _, target in pairs]
    step.bundles = [bundle for bundle in step.bundles if bundle.source]
    step.states = [state for state, keep in zip(step.states, after, strict=True) if keep]
    step.before = sum(before)


def _ranks(keep: list[bool]) -> list[int]:
    return [0, *accumulate(keep)]


Values = tuple[list[int], list[int]]
"""Packed polynomials of the states of a layer, and their lowest degrees."""

UNSET = 1 << 60


def carry(
    bundles: Sequence[Bundle], values: Values, size: int, slot: int, meter: Meter, *, backward: bool = False
) -> Values:
    """Values after a step: sums of factor * x**mines * source; or BudgetExceeded."""
    old, old_low = values
    edges = [
        (bundle.mines, bundle.factor, bundle.target, bundle.source)
        if backward
        else (bundle.mines, bundle.factor, bundle.source, bundle.target)
        for bundle in bundles
    ]
    low = [UNSET] * size
    for mines, _, sources, targets in edges:
        for source, target in zip(sources, targets, strict=True):
            degree = old_low[source] + mines
            if degree < low[target]:
                low[target] = degree
    new = [0] * size
    for mines, factor, sources, targets in edges:
        for some in meter.together(sources, targets):
            for source, target in some:
                value = old[source] if factor == 1 else old[source] * factor
                degree = old_low[source] + mines - low[target]
                if degree:
                    value <<= degree * slot
                new[target] = new[target] + value if new[target] else value
    return new, low


def total_weight(steps: Sequence[CircuitStep], scale: int, meter: Meter) -> int:
    """The weight of all placements of any number of mines: the polynomial at 1."""
    values: Values = ([scale], [0])
    for step in steps:
        values = carry(step.bundles, values, step.after, 0, meter)
    return sum(values[0])


def forward(
    steps: Sequence[CircuitStep], scale: int, slot: int, cuts: Collection[int], meter: Meter
) -> dict[int, Values]:
    """The polynomials of the states at each cut, and of the whole.

    A cut is a number of steps; the polynomial of a state counts the ways to reach it.
    """
    wanted = {*cuts, len(steps)}
    values: Values = ([scale], [0])
    kept = {0: values} if 0 in wanted else {}
    for position, step in enumerate(steps, 1):
        values = carry(step.bundles, values, step.after, slot, meter)
        if position in wanted:
            kept[position] = values
    return kept


def moments(
    steps: Sequence[CircuitStep], slot: int, before: dict[int, Values], meter: Meter
) -> dict[int, dict[int, int]]:
    """For each open constraint at each cut, its partial sum over all placements.

    Each is a packed polynomial. The ways to reach a state and the ways to complete it are independent, so a state's
    polynomial is the product of the two.
    """
    found = {}
    values: Values = ([1], [0])
    for position in range(len(steps), 0, -1):
        step = steps[position - 1]
        if position in before and position < len(steps):
            joint, low = _joint(before.pop(position), values, slot)
            sums = _moments_at(step.states, joint, list(step.fields.items()))
            found[position] = {number: moment << low * slot for number, moment in sums}
        values = carry(step.bundles, values, step.before, slot, meter, backward=True)
    return found


def _joint(before: Values, after: Values, slot: int) -> tuple[list[int], int]:
    """The product of two polynomials for each state, with one lowest degree for all."""
    lows = [left + right for left, right in zip(before[1], after[1], strict=True)]
    low = min(lows)
    shifts = ((own - low) * slot for own in lows)
    return [left * right << shift for left, right, shift in zip(before[0], after[0], shifts, strict=True)], low


def _moments_at(
    states: Sequence[int], joint: Sequence[int], fields: Sequence[tuple[int, tuple[int, int]]]
) -> Iterator[tuple[int, int]]:
    """The moment of each field.

    States that agree on half of the fields are added up first, again and again: two long additions for each state,
    where each field by itself would take one.
    """
    if len(fields) < 2:
        for number, (shift, mask) in fields:
            yield number, sum((state >> shift & mask) * ways for state, ways in zip(states, joint, strict=True))
        return
    for half in (fields[: len(fields) // 2], fields[len(fields) // 2 :]):
        bits = sum(mask << shift for _, (shift, mask) in half)
        sums: dict[int, int] = {}
        for state, polynomial in zip(states, joint, strict=True):
            seen = state & bits
            sums[seen] = sums[seen] + polynomial if seen in sums else polynomial
        yield from _moments_at(list(sums), list(sums.values()), half)
