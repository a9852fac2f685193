"""The marginals of all groups from the moments at a few cuts.

The marginal M(g) of a group g is its number of mines added up over all placements, a polynomial. At a cut between two
steps the circuit yields, for every open constraint, the sum of M(g) over its groups before the cut; for an exact
constraint that is complete the sum is its count times the total. Between two cuts this is a linear system in the M(g)
of the groups in between, with an equation for each constraint on them. It determines them if and only if the columns of
these groups in the constraint matrix are linearly independent. The order is therefore cut into blocks with independent
columns where that costs least: some twenty times fewer products of polynomials than one per state of every step.

A weighted constraint has no known sum, so a cut is placed right before it closes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import gcd

from satsweep.solver.engines.circuit import CircuitStep, is_exact
from satsweep.solver.engines.structure import Structure

PRIME = (1 << 61) - 1  # vectors independent modulo a prime are independent


def choose_cuts(structure: Structure, steps: Sequence[CircuitStep]) -> list[int]:
    """The cheapest cuts whose blocks have independent columns, by dynamic programming.

    A cut is a number of steps.
    """
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
    """The cost of a cut: one product of polynomials for each of its states.

    The lengths of the factors grow with the steps on either side.
    """
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
    """M(g) of every group, block by block."""
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
    """The unique integer solution of a consistent system of equations.

    The rows are sparse, the right-hand sides long.
    """
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
    """The equation without the pivot column.

    It is divided by the common divisor of its coefficients.
    """
    other, right = equation
    if pivot not in other:
        return equation
    divisor = gcd(other[pivot], row[pivot])
    ours, theirs = row[pivot] // divisor, other[pivot] // divisor
    new = {column: ours * other.get(column, 0) - theirs * row.get(column, 0) for column in other.keys() | row.keys()}
    new = {column: factor for column, factor in new.items() if factor}
    scale = gcd(*new.values()) or 1
    return {column: factor // scale for column, factor in new.items()}, (ours * right - theirs * value) // scale
