"""Independent components, and the counts that every engine returns for one.

Two components share no constraint, so their placements combine freely; only the mine total ties them together, and
``probability`` takes care of that. A component has sizes and constraints, no cells, so engines never see a coordinate
and equal components have equal counts wherever they stand.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import TYPE_CHECKING

from satsweep.board import Board, BoardLike
from satsweep.solver.constraints import Constraint, Frontier, cell_constraints, frontier

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


def frontier_graph(board: BoardLike) -> Graph[Hashable]:
    """The frontier of a board as a graph of groups and numbers.

    An edge joins a number to each group that it touches. A group is the tuple of its cells; a number is its cell, with
    the least and the greatest count of mines among its groups as ``low`` and ``high``. ``kind`` says which one a node
    is. The connected components of this graph, once forced cells are taken out of it, are the components that are
    counted one by one. Cells that touch no number, the sea, are the attribute ``sea`` of the graph.

    >>> from networkx import connected_components
    >>> graph = frontier_graph(Board(("#1####", "######", "####1#"), mines=2))
    >>> [len(part) for part in connected_components(graph)], len(graph.graph["sea"])
    ([2, 2], 6)
    """
    from networkx import Graph

    board = Board.of(board)
    found = frontier(board)
    graph: Graph[Hashable] = Graph(sea=tuple(map(board.cell, found.sea)))
    groups = [tuple(map(board.cell, group)) for group in found.groups]
    graph.add_nodes_from(groups, kind="group")
    for number, constraint in zip(cell_constraints(board), found.constraints, strict=True):
        clue = board.cell(number.clue)
        graph.add_node(clue, kind="number", low=constraint.low, high=constraint.high)
        graph.add_edges_from((clue, groups[group]) for group in constraint.groups)
    return graph


def components(frontier: Frontier) -> tuple[LocatedComponent, ...]:
    """Split a frontier into its connected components, in the order of first groups.

    A constraint without groups constrains nothing that is left; ``propagate`` removes it or raises.
    """
    touching: list[list[int]] = [[] for _ in frontier.groups]
    for number, constraint in enumerate(frontier.constraints):
        for group in constraint.groups:
            touching[group].append(number)
    parts = []
    seen: set[int] = set()
    for start in range(len(frontier.groups)):
        if start in seen:
            continue
        groups, numbers, waiting = {start}, set[int](), [start]
        while waiting:
            for number in touching[waiting.pop()]:
                if number not in numbers:
                    numbers.add(number)
                    further = set(frontier.constraints[number].groups) - groups
                    groups |= further
                    waiting += further
        seen |= groups
        parts.append(_part(frontier, sorted(groups), [frontier.constraints[number] for number in sorted(numbers)]))
    return tuple(parts)


def _part(frontier: Frontier, groups: list[int], constraints: Sequence[Constraint]) -> LocatedComponent:
    place = {group: position for position, group in enumerate(groups)}
    renamed = (
        Constraint(tuple(place[group] for group in constraint.groups), constraint.likelihood)
        for constraint in constraints
    )
    sizes = tuple(len(frontier.groups[group]) for group in groups)
    return LocatedComponent(Component(sizes, tuple(renamed)), tuple(groups))
