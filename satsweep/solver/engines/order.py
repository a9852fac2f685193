"""The order of elimination, which decides everything about the cost.

When the constraints close in a given order, those open after each of them are the neighbours of the closed ones, and
the number of states is at most the product of the ranges of their partial sums. The open constraints depend on the
*set* of closed constraints alone, so among orders of the same set only the cheapest can begin a best order: a dynamic
program over sets, of which a beam keeps the most promising (beam search). A set is rated by the states it has cost,
plus several times the states it holds now, because these are paid for again until the sweep becomes narrow. The search
goes on, with wider beams and more starts, only as long as it is cheap beside the sweep that it has found.

A group is eliminated when the first of its constraints closes, groups under few constraints first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from typing import NamedTuple

from satsweep.solver.budget import Meter
from satsweep.solver.engines.structure import Structure

PRESENT = 8.0  # weight of the states held now; 1 to 64 do about the same
ROUNDS = ((1, 3), (4, 60), (30, 6), (300, 1))  # beam width and number of starts
SEARCH = 1e6  # cost of widening a beam, in states of a sweep whose polynomials are as long as there are groups


class EliminationOrder(NamedTuple):
    """Groups in the order of elimination, and its predicted cost.

    ``states`` is the predicted number of states, ``width`` the most constraints that are open at once.
    """

    groups: tuple[int, ...]
    states: float
    width: int


class _Prefix(NamedTuple):
    """A set of closed constraints in the beam search.

    It has its rating, the states so far, log2 of the states now, the closed and the open constraints as bits, and the
    path to it.
    """

    judgement: float
    paid: float
    now: float
    closed: int
    opened: int
    path: _Path | None


class _Path(NamedTuple):
    last: int
    before: _Path | None


def elimination_order(
    structure: Structure, meter: Meter, rounds: Sequence[tuple[int, int]] = ROUNDS
) -> EliminationOrder:
    """An order in which few constraints are open at a time.

    ``rounds`` are pairs (beam width, number of starts), tried one after the other for as long as that pays. Raises
    BudgetExceeded past the time.
    """
    neighbours, ranges = _neighbours(structure), _ranges(structure)
    if not neighbours:
        return EliminationOrder(tuple(range(len(structure.constraints_on))), 0.0, 0)
    starts = _from_end_to_end(neighbours)
    best: tuple[float, list[int]] = (math.inf, [])
    for width, many in rounds:
        if best[0] * len(structure.constraints_on) ** 2 < SEARCH * width * many * len(neighbours):
            break
        step = max(1, len(starts) // many) if width <= 4 else 1
        found = []
        for start in starts[::step][:many]:
            found.append((*_beam(neighbours, ranges, start, width), start))
            meter.spend()
        found.sort()
        best = min(best, found[0][:2])
        if width > 1:
            starts = [start for _, _, start in found]
    rank = {number: place for place, number in enumerate(best[1])}
    constraints_on = structure.constraints_on
    firsts = [min((rank[number] for number in numbers), default=-1) for numbers in constraints_on]
    groups = sorted(range(len(constraints_on)), key=lambda group: (firsts[group], len(constraints_on[group])))
    return EliminationOrder(tuple(groups), best[0], _width(neighbours, best[1]))


def _beam(neighbours: list[int], ranges: list[float], start: int, width: int) -> tuple[float, list[int]]:
    """The best sweep that a beam search finds from a start.

    Returns its predicted number of states, and the order of the constraints.
    """
    everything = (1 << len(neighbours)) - 1
    level = [_Prefix(0.0, 0.0, ranges[start], 0, 1 << start, None)]
    for _ in neighbours:
        best: dict[int, _Prefix] = {}
        for _, paid, now, closed, opened, path in level:
            if not opened:  # a part that shares nothing with the closed ones: begin with any of its constraints
                opened = everything & ~closed & -(everything & ~closed)
                now = ranges[opened.bit_length() - 1]
            for constraint in _bits(opened):
                bit = 1 << constraint
                fresh = neighbours[constraint] & ~closed & ~opened
                full = now + sum(ranges[other] for other in _bits(fresh))
                after = full - ranges[constraint]
                cost = paid + 2.0**full
                judgement = cost + PRESENT * 2.0**after
                known = best.get(closed | bit)
                if known is None or judgement < known.judgement:
                    left = (opened | fresh) & ~bit
                    best[closed | bit] = _Prefix(judgement, cost, after, closed | bit, left, _Path(constraint, path))
        level = nsmallest(width, best.values(), key=lambda prefix: prefix.judgement)
    order = []
    path = level[0].path
    while path:
        order.append(path.last)
        path = path.before
    return level[0].paid, order[::-1]


def _width(neighbours: list[int], order: list[int]) -> int:
    """The most constraints that are open at once.

    The one that is being closed is included.
    """
    closed = opened = width = 0
    for constraint in order:
        bit = 1 << constraint
        opened |= (neighbours[constraint] & ~closed) | bit
        width = max(width, opened.bit_count())
        opened &= ~bit
        closed |= bit
    return width


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


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
    """For each constraint log2 of the number of its possible partial sums."""
    ranges = []
    for constraint in structure.component.constraints:
        least = sum(structure.low[group] for group in constraint.groups)
        most = sum(structure.high[group] for group in constraint.groups)
        ranges.append(math.log2(1 + max(0, min(constraint.high - least, most - constraint.low))))
    return ranges


def _from_end_to_end(neighbours: list[int]) -> list[int]:
    """The constraints by distance from one that is far from the first.

    A sweep can best begin near the two ends of the list.
    """
    return _breadth_first(neighbours, _breadth_first(neighbours, 0)[-1])


def _breadth_first(neighbours: list[int], start: int) -> list[int]:
    order, seen = [start], 1 << start
    for constraint in order:
        fresh = neighbours[constraint] & ~seen
        seen |= fresh
        order.extend(_bits(fresh))
    return order
