"""The order of an elimination, and the cuts of its marginals.

The order decides everything about the cost. When the constraints close in a given order, those open after each of
them are the neighbours of the closed ones, and the number of states is at most the product of the ranges of their
partial sums. The open constraints depend on the *set* of closed constraints alone, so among orders of the same set
only the cheapest can begin a best order: a dynamic program over sets, of which a beam keeps the most promising (beam
search). A set is rated by the states it has cost, plus several times the states it holds now, because these are paid
for again until the sweep becomes narrow. The search goes on, with wider beams and more starts, only as long as it is
cheap beside the sweep that it has found.

A group is eliminated when the first of its constraints closes, groups under few constraints first.

The marginals of all groups follow from the moments at a few cuts. The marginal M(g) of a group g is its number of
mines added up over all placements, a polynomial. At a cut between two steps the circuit yields, for every open
constraint, the sum of M(g) over its groups before the cut; for an exact constraint that is complete the sum is its
count times the total. Between two cuts this is a linear system in the M(g) of the groups in between, with an equation
for each constraint on them. It determines them if and only if the columns of these groups in the constraint matrix
are linearly independent. The order is therefore cut into blocks with independent columns where that costs least: some
twenty times fewer products of polynomials than one per state of every step.

A weighted constraint has no known sum, so a cut is placed right before it closes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from heapq import nsmallest
from math import gcd
from typing import NamedTuple

from satsweep.solver import compiled
from satsweep.solver.budget import Meter
from satsweep.solver.engines.circuit import CircuitStep, Structure, is_exact
from satsweep.solver.sums import set_bits

PRIME = (1 << 61) - 1  # vectors independent modulo a prime are independent


def choose_cuts(structure: Structure, steps: Sequence[CircuitStep]) -> list[int]:
    """The cheapest cuts, as numbers of steps, whose blocks have independent columns."""
    groups = [(position, step.group) for position, step in enumerate(steps) if step.group is not None]
    starts = window_starts([structure.constraints_on[group] for _, group in groups])
    earliest = [0] * (len(steps) + 1)  # earliest[b]: the least a such that the steps a to b - 1 may be one block
    for (position, _), start in zip(groups, starts, strict=True):
        earliest[position + 1] = groups[start][0]
    forced = 0
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(steps) + 1):
        earliest[end] = max(earliest[end], earliest[end - 1], forced)
        cost = _cost(steps[end - 1].after, end, len(steps)) if end < len(steps) else 0.0
        best.append(min((best[begin][0] + cost, begin) for begin in range(earliest[end], end)))
        if end < len(steps) and steps[end].group is None:
            forced = end
    cuts = []
    position = best[-1][1]
    while position:
        cuts.append(position)
        position = best[position][1]
    return cuts[::-1]


def _cost(states: int, position: int, end: int) -> float:
    """The cost of a cut: a product for each state, longer with the steps beside it."""
    return states * math.pow(1.0 + position * (end - position), 0.8)


def window_starts(columns: Sequence[Sequence[int]]) -> list[int]:
    """For each i the least s such that the columns s to i are linearly independent.

    Columns are 0/1, given by their rows. The basis always prefers later columns: a vector that meets an older one with
    the same pivot takes its place, and the one that becomes zero shows where the newest dependency begins.

    >>> window_starts([(0,), (1,), (0, 1), (2,)])
    [0, 0, 1, 1]
    """
    basis: dict[int, tuple[int, dict[int, int]]] = {}
    start = 0
    starts = []
    for number, column in enumerate(columns):
        born, vector = number, dict.fromkeys(column, 1)
        while vector:
            pivot = min(vector)
            if pivot not in basis:
                basis[pivot] = born, vector
                break
            other_born, other = basis[pivot]
            if other_born < born:
                basis[pivot] = born, vector
                born, vector, other = other_born, other, vector
            vector = _eliminated(vector, other, pivot)
        else:
            start = max(start, born + 1)
        starts.append(start)
    return starts


def _eliminated(vector: dict[int, int], other: dict[int, int], pivot: int) -> dict[int, int]:
    ratio = vector[pivot] * pow(other[pivot], -1, PRIME) % PRIME
    result = {row: (vector.get(row, 0) - ratio * other.get(row, 0)) % PRIME for row in vector.keys() | other.keys()}
    return {row: value for row, value in result.items() if value}


def group_sums(
    structure: Structure, steps: Sequence[CircuitStep], total: int, moments: dict[int, dict[int, int]]
) -> list[int]:
    sums = [0] * len(structure.constraints_on)
    known: dict[int, int] = {}  # the moments at the beginning of the block
    rows: dict[int, dict[int, int]] = {}
    for position, step in enumerate(steps, 1):
        if step.group is not None:
            for number in structure.constraints_on[step.group]:
                rows.setdefault(number, {})[step.group] = 1
        if position in moments or position == len(steps):
            now = moments.get(position, {})
            equations = []
            for number, row in rows.items():
                constraint = structure.component.constraints[number]
                if number not in now:
                    assert is_exact(constraint), "a weighted constraint closes right after a cut"
                end = now[number] if number in now else constraint.low * total
                equations.append((row, end - known.get(number, 0)))
            for group, value in solve_system(equations):
                sums[group] = value
            known, rows = now, {}
    return sums


def solve_system(equations: list[tuple[dict[int, int], int]]) -> list[tuple[int, int]]:
    """The unique integer solution of consistent sparse equations, right sides long."""
    pivots: list[tuple[int, dict[int, int], int]] = []
    while equations:
        shortest = min(range(len(equations)), key=lambda number: len(equations[number][0]))
        row, value = equations.pop(shortest)
        pivot = min(row, key=lambda column: abs(row[column]))
        pivots.append((pivot, row, value))
        rest = (_cancelled(equation, row, value, pivot) for equation in equations)
        equations = [equation for equation in rest if equation[0]]
    answer: dict[int, int] = {}
    for pivot, row, value in reversed(pivots):
        others = sum(factor * answer[column] for column, factor in row.items() if column != pivot)
        answer[pivot] = (value - others) // row[pivot]
    return list(answer.items())


def _cancelled(
    equation: tuple[dict[int, int], int], row: dict[int, int], value: int, pivot: int
) -> tuple[dict[int, int], int]:
    """The equation without the pivot column, divided by its common divisor."""
    other, right = equation
    if pivot not in other:
        return equation
    divisor = gcd(other[pivot], row[pivot])
    ours, theirs = row[pivot] // divisor, other[pivot] // divisor
    new = {column: ours * other.get(column, 0) - theirs * row.get(column, 0) for column in other.keys() | row.keys()}
    new = {column: factor for column, factor in new.items() if factor}
    scale = gcd(*new.values()) or 1
    return {column: factor // scale for column, factor in new.items()}, (ours * right - theirs * value) // scale


PRESENT = 8.0  # weight of the states held now; 1 to 64 do about the same
ROUNDS = ((1, 3), (4, 60), (30, 6), (300, 1), (300, 1), (300, 1), (300, 1))  # beam width and number of starts
SEARCH = 1e6  # cost of widening a beam, in states of a sweep whose polynomials are as long as there are groups
AGAIN = 4  # how many times its cost one more start of a width has to be worth, for each start tried


class EliminationOrder(NamedTuple):
    """Groups in order, predicted states, and the most constraints open at once."""

    groups: tuple[int, ...]
    states: float
    width: int


class _Prefix(NamedTuple):
    """A set of closed constraints in the beam search.

    It has its rating, the states so far, the states now, the closed and the open constraints as bits, the path to it,
    and for each open constraint those that closing it would open, as bits, with the factor of states that they bring.
    """

    judgement: float
    paid: float
    now: float
    closed: int
    opened: int
    path: _Path | None
    choices: dict[int, tuple[int, float]]


class _Path(NamedTuple):
    last: int
    before: _Path | None


def elimination_order(
    structure: Structure, meter: Meter, rounds: Sequence[tuple[int, int]] = ROUNDS
) -> EliminationOrder:
    """An order in which few constraints are open at a time.

    ``rounds`` are pairs (beam width, number of starts), tried one after the other for as long as that pays; another
    round of the same width takes the next starts. Raises BudgetExceeded past the time.
    """
    neighbours, ranges = _neighbours(structure), _ranges(structure)
    if not neighbours:
        return EliminationOrder(tuple(range(len(structure.constraints_on))), 0.0, 0)
    starts = _from_end_to_end(neighbours)
    far = starts[-1]
    search = _search(neighbours, ranges)
    states, order = math.inf, list[int]()
    tried = last = 0
    for width, many in rounds:
        tried, last = tried if width == last else 0, width
        cost = SEARCH * width * many * len(neighbours) * (AGAIN * (tried + many) if tried else 1)
        if order and (states == math.inf or states * len(structure.constraints_on) ** 2 < cost):
            break  # past the range of floats no order is better than another
        step = max(1, len(starts) // many) if width <= 4 else 1
        found = []
        for start in starts[tried:][::step][:many]:
            found.append((*search(start, width), start))
            meter.spend()
        found.sort()
        if found and (not order or found[0][0] < states):
            states, order, _ = found[0]
        tried += many
        if 1 < width < rounds[-1][0]:
            # Starts with about as many states are usually ends of one sweep: one of them is enough. The sweep from the
            # far end is another one, however narrow beams rate it.
            kinds = {f"{rated:.1e}": start for rated, _, start in reversed(found)}
            starts = list(dict.fromkeys([found[0][2], far, *reversed(kinds.values())]))
    rank = {number: place for place, number in enumerate(order)}
    constraints_on = structure.constraints_on
    firsts = [min((rank[number] for number in numbers), default=-1) for numbers in constraints_on]
    groups = sorted(range(len(constraints_on)), key=lambda group: (firsts[group], len(constraints_on[group])))
    return EliminationOrder(tuple(groups), states, _width(neighbours, order))


def _search(neighbours: list[int], ranges: list[float]) -> Callable[[int, int], tuple[float, list[int]]]:
    """The compiled beam search where there is one: the same orders, sooner."""
    search = compiled.beam_search([list(set_bits(mask)) for mask in neighbours], ranges)
    if search is None:
        return partial(_beam, neighbours, ranges)
    return lambda start, width: search(start, width) or _beam(neighbours, ranges, start, width)


def _beam(neighbours: list[int], ranges: list[float], start: int, width: int) -> tuple[float, list[int]]:
    """The predicted states of the best sweep from a start, and its constraints."""
    everything = (1 << len(neighbours)) - 1
    products: dict[int, float] = {}

    def product(mask: int) -> float:
        found = products.get(mask)
        if found is None:
            found = products[mask] = math.prod(ranges[constraint] for constraint in set_bits(mask))
        return found

    def choice(constraint: int, seen: int) -> tuple[int, float]:
        fresh = neighbours[constraint] & ~seen
        return fresh, product(fresh)

    level = [_Prefix(0.0, 0.0, ranges[start], 0, 1 << start, None, {start: choice(start, 1 << start)})]
    for _ in neighbours:
        best: dict[int, tuple[float, float, float, int, _Prefix]] = {}
        for prefix in level:
            if not prefix.opened:  # a part that shares nothing with the closed ones: begin with any of its constraints
                opened = everything & ~prefix.closed & -(everything & ~prefix.closed)
                other = opened.bit_length() - 1
                choices = {other: choice(other, prefix.closed | opened)}
                prefix = prefix._replace(opened=opened, now=ranges[other], choices=choices)
            _, paid, now, closed, _, _, choices = prefix
            for constraint, (_, factor) in choices.items():
                full = now * factor
                after = full / ranges[constraint]
                judgement = paid + full + PRESENT * after
                reached = closed | 1 << constraint
                known = best.get(reached)
                if known is None or judgement < known[0]:
                    best[reached] = judgement, paid + full, after, constraint, prefix
        level = [
            _advanced(prefix, constraint, reached, (judgement, paid, after), choice)
            for reached, (judgement, paid, after, constraint, prefix) in nsmallest(
                width, best.items(), key=lambda item: item[1][0]
            )
        ]
    order = []
    path = level[0].path
    while path:
        order.append(path.last)
        path = path.before
    return level[0].paid, order[::-1]


def _advanced(
    prefix: _Prefix,
    constraint: int,
    closed: int,
    rating: tuple[float, float, float],
    choice: Callable[[int, int], tuple[int, float]],
) -> _Prefix:
    """A prefix with one more constraint closed, and the choices near it made anew."""
    fresh, _ = prefix.choices[constraint]
    opened = (prefix.opened | fresh) & ~(1 << constraint)
    choices = {other: known for other, known in prefix.choices.items() if other != constraint}
    if fresh:
        seen = opened | closed
        for other, known in choices.items():
            if known[0] & fresh:
                choices[other] = choice(other, seen)
        for other in set_bits(fresh):
            choices[other] = choice(other, seen)
    return _Prefix(*rating, closed, opened, _Path(constraint, prefix.path), choices)


def _width(neighbours: list[int], order: list[int]) -> int:
    """The most constraints that are open at once, the one being closed included."""
    closed = opened = width = 0
    for constraint in order:
        bit = 1 << constraint
        opened |= (neighbours[constraint] & ~closed) | bit
        width = max(width, opened.bit_count())
        opened &= ~bit
        closed |= bit
    return width


def _neighbours(structure: Structure) -> list[int]:
    """For each constraint the others that it shares a group with, as bits."""
    masks = [sum(1 << number for number in numbers) for numbers in structure.constraints_on]
    neighbours = []
    for number, constraint in enumerate(structure.component.constraints):
        mask = 0
        for group in constraint.groups:
            mask |= masks[group]
        neighbours.append(mask & ~(1 << number))
    return neighbours


def _ranges(structure: Structure) -> list[float]:
    """For each constraint the number of its possible partial sums."""
    ranges = []
    for constraint in structure.component.constraints:
        least = sum(structure.low[group] for group in constraint.groups)
        most = sum(structure.high[group] for group in constraint.groups)
        ranges.append(1.0 + max(0, min(constraint.high - least, most - constraint.low)))
    return ranges


def _from_end_to_end(neighbours: list[int]) -> list[int]:
    """The constraints by distance from a far one: a sweep begins best near either end."""
    return _breadth_first(neighbours, _breadth_first(neighbours, 0)[-1])


def _breadth_first(neighbours: list[int], start: int) -> list[int]:
    order, seen = [start], 1 << start
    for constraint in order:
        fresh = neighbours[constraint] & ~seen
        seen |= fresh
        order.extend(set_bits(fresh))
    return order
