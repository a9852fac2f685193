"""Independent components, and the counts that every engine returns for one.

Groups and constraints are the nodes of a graph, and networkx finds its connected components. Two components share no
constraint, so their placements combine freely; only the mine total ties them together, and ``probability`` takes care
of that. A component has sizes and constraints, no cells, so engines never see a coordinate
and equal components have equal counts wherever they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING

from satsweep.arguments import check_kind
from satsweep.solver import is_installed
from satsweep.solver.constraints import Constraint, Frontier

if TYPE_CHECKING:
    from networkx import Graph


@dataclass(frozen=True, slots=True)
class Component:
    sizes: tuple[int, ...]
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """The cost of a count: states of elimination or placements listed, and the width."""

    engine: str
    states: int = 0
    placements: int = 0
    width: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Weights of the placements of a component, by the number of mines.

    ``total[m]`` is the weight of all placements with m mines: for exact clues simply their number, with each group of s
    cells holding k mines counted C(s, k) times. ``mined[g][m]`` is the weight of those in which one given cell of group
    g is a mine. Both stop at the same, greatest possible m; a component that cannot be filled has no possible m at all.
    """

    total: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]
    work: Work = field(default=Work(""), compare=False)


class PlacementCounts:
    def __init__(self, component: Component) -> None:
        self.component = component
        cells = sum(component.sizes)
        self.total = [0] * (cells + 1)
        self.mined = [[0] * (cells + 1) for _ in component.sizes]
        self.placements = 0

    def add(self, placement: Sequence[int]) -> None:
        """Add a placement, weighted by the choices of its cells and its likelihoods."""
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
        end = max((mines for mines, ways in enumerate(self.total) if ways), default=-1) + 1
        return Counts(
            tuple(self.total[:end]),
            tuple(tuple(row[:end]) for row in self.mined),
            Work(engine, placements=self.placements),
        )


@dataclass(frozen=True, slots=True)
class LocatedComponent:
    component: Component
    groups: tuple[int, ...]


def frontier_graph(frontier: Frontier) -> Graph[tuple[str, int]]:
    """A frontier as a graph: an edge joins a constraint to each group that it touches.

    Nodes are ``("group", g)`` and ``("constraint", c)``, by their places in the frontier. A group has its ``cells``, a
    constraint the least and the greatest count of mines among its groups, ``low`` and ``high``.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.constraints import frontier
    >>> graph = frontier_graph(frontier(Board(("#1####", "######", "####1#"), mines=2)))
    >>> sorted(graph.edges)
    [(('group', 0), ('constraint', 0)), (('group', 1), ('constraint', 1))]
    >>> graph.nodes["group", 0]["cells"], graph.nodes["constraint", 0]["high"]
    ((0, 2, 6, 7, 8), 1)
    """
    from networkx import Graph

    check_kind(frontier, Frontier, "a Frontier")
    graph: Graph[tuple[str, int]] = Graph()
    graph.add_nodes_from((("group", at), {"cells": cells}) for at, cells in enumerate(frontier.groups))
    for at, constraint in enumerate(frontier.constraints):
        graph.add_node(("constraint", at), low=constraint.low, high=constraint.high)
        graph.add_edges_from((("group", group), ("constraint", at)) for group in constraint.groups)
    return graph


def components(frontier: Frontier) -> tuple[LocatedComponent, ...]:
    """Split a frontier into its connected components, in the order of first groups.

    A constraint without groups constrains nothing that is left; ``propagate`` removes it or raises.
    """
    if is_installed("networkx"):
        from networkx import connected_components

        parts = connected_components(frontier_graph(frontier))
    else:
        parts = merged_components(frontier)
    return tuple(
        _part(frontier, groups, [frontier.constraints[at] for kind, at in sorted(part) if kind == "constraint"])
        for part in parts
        if (groups := sorted(at for kind, at in part if kind == "group"))
    )


def merged_components(frontier: Frontier) -> list[set[tuple[str, int]]]:
    """The same parts by union-find, for where networkx is not installed: in a browser."""
    above = list(range(len(frontier.groups)))

    def first(group: int) -> int:
        while above[group] != group:
            above[group] = group = above[above[group]]
        return group

    for constraint in frontier.constraints:
        firsts = sorted({first(group) for group in constraint.groups})
        for group in firsts[1:]:
            above[group] = firsts[0]
    parts: dict[int, set[tuple[str, int]]] = {}
    for group in range(len(above)):
        parts.setdefault(first(group), set()).add(("group", group))
    for at, constraint in enumerate(frontier.constraints):
        if constraint.groups:
            parts[first(constraint.groups[0])].add(("constraint", at))
    return list(parts.values())


def _part(frontier: Frontier, groups: list[int], constraints: Sequence[Constraint]) -> LocatedComponent:
    place = {group: position for position, group in enumerate(groups)}
    renamed = (
        Constraint(tuple(place[group] for group in constraint.groups), constraint.likelihood)
        for constraint in constraints
    )
    sizes = tuple(len(frontier.groups[group]) for group in groups)
    return LocatedComponent(Component(sizes, tuple(renamed)), tuple(groups))
