"""Counting by elimination: dynamic programming over the groups, one after the other.

After some groups have been given their mines, all that matters for the rest is how many mines each *open*
constraint (one with groups on both sides) holds so far. So partial placements that agree on this are one state,
whose value is a polynomial: the coefficient of x^m counts the partial placements with m mines. A forward pass
adds up what leads to a state, a backward pass what leads on from it, and the product of both, over the states
around one group, is the polynomial of the placements in which a cell of that group is a mine. The cost is
exponential in the number of constraints open at once, the width of the order, and in nothing else.

States are packed: each open constraint has a field of bits in one integer, with a guard bit on top, so that one
addition tests all bounds. Polynomials are packed too (Kronecker substitution): a coefficient has a slot wide
enough for every placement of the component, so adding and multiplying polynomials is adding and multiplying
integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

from satsweep.budget import UNLIMITED, Budget
from satsweep.components import Component, Counts, Work
from satsweep.engines.order import elimination_order

Polynomial = int
State = int
Layer = dict[State, Polynomial]


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget."""
    meter = budget.meter()
    order = elimination_order(component)
    slot = _slot(component)
    steps = _steps(component, order, slot)
    forward: list[Layer] = [{0: 1}]
    choices = []
    for step in steps:
        layer, moves = _advance(step, forward[-1])
        meter.spend(len(layer))
        forward.append(layer)
        choices.append(moves)
    mined = _backward(order, forward, choices)
    states = sum(map(len, forward))
    width = max((step.width for step in steps), default=0)
    total = _unpacked(forward[-1].get(0, 0), slot)
    return Counts(
        total,
        tuple(_padded(_unpacked(polynomial, slot), len(total)) for polynomial in mined),
        Work("elimination", states=states, width=width),
    )


class _Move(NamedTuple):
    """Giving a group k mines: what that adds to a state, in how many ways, in how many of them a given cell of
    the group is a mine, and by how much it shifts a packed polynomial.
    """

    added: int
    ways: int
    hits: int
    shift: int


@dataclass(frozen=True, slots=True)
class _Step:
    """What one group does to a state.

    Adding ``over`` sets the guard bit of a field that holds more than it may; adding ``under`` sets it only
    where a field holds enough for what is left. ``closed`` is what the constraints that end here hold, exactly;
    those with weights are in ``weighed`` instead, as (shift, mask, likelihood). ``width`` constraints are open.
    """

    moves: tuple[_Move, ...]
    over: int
    under: int
    guards: int
    closed: int
    weighed: tuple[tuple[int, int, tuple[int, ...]], ...]
    width: int


def _steps(component: Component, order: tuple[int, ...], slot: int) -> list[_Step]:
    sizes = component.sizes
    constraints = component.constraints
    speakers: list[list[int]] = [[] for _ in sizes]
    left = [0] * len(constraints)
    for number, constraint in enumerate(constraints):
        for group in constraint.groups:
            speakers[group].append(number)
            left[number] += sizes[group]
    field = max((max(constraint.high, left[number]) for number, constraint in enumerate(constraints)), default=0)
    bits = field.bit_length() + 1
    guard = 1 << (bits - 1)
    shifts: dict[int, int] = {}
    free: list[int] = []
    steps = []
    for group in order:
        delta = over = under = guards = closed = 0
        weighed = []
        for number in speakers[group]:
            if number not in shifts:
                shifts[number] = free.pop() if free else bits * len(shifts)
        width = len(shifts)
        for number in speakers[group]:
            constraint, shift = constraints[number], shifts[number]
            left[number] -= sizes[group]
            delta |= 1 << shift
            over |= (guard - 1 - min(constraint.high, guard - 1)) << shift
            under |= (guard - max(0, constraint.low - left[number])) << shift
            guards |= guard << shift
            if left[number] == 0:
                if constraint.low == constraint.high and constraint.likelihood[constraint.low] == 1:
                    closed |= constraint.low << shift
                else:
                    weighed.append((shift, guard - 1, constraint.likelihood))
                free.append(shifts.pop(number))
        size = sizes[group]
        moves = tuple(
            _Move(k * delta, comb(size, k), comb(size - 1, k - 1) if k else 0, k * slot) for k in range(size + 1)
        )
        steps.append(_Step(moves, over, under, guards, closed, tuple(weighed), width))
    return steps


def _slot(component: Component) -> int:
    """Bits for one coefficient: the weight of all placements together, and not less than whole bytes."""
    bits = sum(component.sizes) + sum(max(c.likelihood, default=1).bit_length() for c in component.constraints)
    return -(-bits // 8) * 8


def _advance(step: _Step, layer: Layer) -> tuple[Layer, list[list[tuple[_Move, State]]]]:
    """The layer after a group, and for each state of the layer before, the moves that may be made from it."""
    after: Layer = {}
    choices = []
    over, under, guards, closed, weighed = step.over, step.under, step.guards, step.closed, step.weighed
    for state, value in layer.items():
        chosen = []
        for move in step.moves:
            new = state + move.added
            if (new + over) & guards:
                break
            if (new + under) & guards != guards:
                continue
            new -= closed
            if weighed:
                move, new = _weighed(move, new, weighed)
                if not move.ways:
                    continue
            after[new] = after.get(new, 0) + ((value * move.ways) << move.shift)
            chosen.append((move, new))
        choices.append(chosen)
    return after, choices


def _weighed(move: _Move, state: State, weighed: tuple[tuple[int, int, tuple[int, ...]], ...]) -> tuple[_Move, State]:
    """Take the weighted constraints that end here off a state, and multiply the move by their likelihoods."""
    weight = 1
    for shift, mask, likelihood in weighed:
        held = (state >> shift) & mask
        weight *= likelihood[held]
        state -= held << shift
    return move._replace(ways=move.ways * weight, hits=move.hits * weight), state


def _backward(
    order: tuple[int, ...], forward: list[Layer], choices: list[list[list[tuple[_Move, State]]]]
) -> list[Polynomial]:
    """For each group, the polynomial of the placements in which a given cell of it is a mine."""
    mined = [0] * len(order)
    after = {0: 1}
    for group, layer, moves in zip(reversed(order), reversed(forward[:-1]), reversed(choices), strict=True):
        before = {}
        found = 0
        for (state, value), chosen in zip(layer.items(), moves, strict=True):
            rest = hit = 0
            for move, new in chosen:
                if follow := after.get(new):
                    follow <<= move.shift
                    rest += follow * move.ways
                    hit += follow * move.hits
            if rest:
                before[state] = rest
                found += value * hit
        mined[group] = found
        after = before
    return mined


def _unpacked(polynomial: Polynomial, slot: int) -> tuple[int, ...]:
    step = slot // 8
    data = polynomial.to_bytes(-(-polynomial.bit_length() // slot) * step, "little")
    return tuple(int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step))


def _padded(coefficients: tuple[int, ...], length: int) -> tuple[int, ...]:
    return coefficients + (0,) * (length - len(coefficients))
