"""Sums over placements, for the engines that enumerate them."""

from __future__ import annotations

from collections.abc import Sequence
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
