"""A compiled circuit evaluated on polynomials, held as big integers.

A polynomial p(x) in the number of mines, with non-negative coefficients, is held as the integer p(2**slot) >> (slot *
low), with its lowest degree ``low`` beside it (Kronecker substitution). Substitution is a homomorphism of rings, so
sums, products, differences and exact quotients need no room between the coefficients; only a result that is read back
must have all its coefficients below 2**slot.

Most edges are the only one into their target and carry the factor 1: then the target shares the integer of its source,
and only its ``low`` differs. Time and memory go into the merges.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from satsweep.solver.budget import Meter
from satsweep.solver.engines.circuit import Bundle, CircuitStep

Values = tuple[list[int], list[int]]
"""Packed polynomials of the states of a layer, and their lowest degrees."""

UNSET = 1 << 60


def carry(
    bundles: Sequence[Bundle], values: Values, size: int, slot: int, meter: Meter, *, backward: bool = False
) -> Values:
    """Carry values across a step.

    Each of the ``size`` targets is the sum of factor * x**mines * source over its edges. Raises BudgetExceeded past the
    budget.
    """
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
            joint = _joint(before.pop(position), values, slot)
            found[position] = {
                number: _moment(step.states, shift, mask, joint) for number, (shift, mask) in step.fields.items()
            }
        values = carry(step.bundles, values, step.before, slot, meter, backward=True)
    return found


def _joint(before: Values, after: Values, slot: int) -> list[int]:
    return [
        left * right << (left_low + right_low) * slot
        for left, left_low, right, right_low in zip(*before, *after, strict=True)
    ]


def _moment(states: Sequence[int], shift: int, mask: int, joint: Sequence[int]) -> int:
    by_sum: dict[int, int] = {}
    for state, polynomial in zip(states, joint, strict=True):
        partial = state >> shift & mask
        if partial:
            by_sum[partial] = by_sum.get(partial, 0) + polynomial
    return sum(partial * polynomial for partial, polynomial in by_sum.items())
