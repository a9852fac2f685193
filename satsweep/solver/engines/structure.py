"""The structure of a component, and sums over placements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from satsweep.solver.components import Component, Counts, Work


class PlacementCounts:
    """Counts in the making: add every placement of a component once."""

    def __init__(self, component: Component) -> None:
        self.component = component
        cells = sum(component.sizes)
        self.total = [0] * (cells + 1)
        self.mined = [[0] * (cells + 1) for _ in component.sizes]
        self.placements = 0

    def add(self, placement: Sequence[int]) -> None:
        """Add a placement with its weight.

        The weight is the number of ways to choose its cells, times the likelihood of its constraints.
        """
        component = self.component
        weight = 1
        for mines, size in zip(placement, component.sizes, strict=True):
            weight *= comb(size, mines)
        for constraint in component.constraints:
            weight *= constraint.likelihood[sum(placement[group] for group in constraint.groups)]
        mines = sum(placement)
        self.placements += 1
        self.total[mines] += weight
        for group, count in enumerate(placement):
            if count:
                # A given cell is among the count mines of the group in count / size of the ways.
                self.mined[group][mines] += weight * count // component.sizes[group]

    def counts(self, engine: str) -> Counts:
        """The counts of all placements added."""
        end = max((mines for mines, ways in enumerate(self.total) if ways), default=-1) + 1
        return Counts(
            tuple(self.total[:end]),
            tuple(tuple(row[:end]) for row in self.mined),
            Work(engine, placements=self.placements),
        )


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
        """The structure of a component."""
        constraints_on: list[list[int]] = [[] for _ in component.sizes]
        for number, constraint in enumerate(component.constraints):
            for group in constraint.groups:
                constraints_on[group].append(number)
        low, high = _bounds(component, constraints_on)
        return cls(component, tuple(map(tuple, constraints_on)), tuple(low), tuple(high))

    @property
    def impossible(self) -> bool:
        """True if the bounds alone show that there is no placement."""
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
