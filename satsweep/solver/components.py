"""Independent components, and the counts that every engine returns for one.

Two components share no constraint, so their placements combine freely; only the mine total ties them together, and
``probability`` takes care of that. A component has sizes and constraints, no cells, so engines never see a coordinate
and equal components have equal counts wherever they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from satsweep.solver.constraints import Constraint, Frontier


@dataclass(frozen=True, slots=True)
class Component:
    """Groups, by their sizes, and the constraints that connect them."""

    sizes: tuple[int, ...]
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """The cost of a count: states or placements, and the width of the order.

    States are those of elimination, placements those of enumeration.
    """

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


@dataclass(frozen=True, slots=True)
class LocatedComponent:
    """A component and the index of each of its groups in the frontier."""

    component: Component
    groups: tuple[int, ...]


def components(frontier: Frontier) -> tuple[LocatedComponent, ...]:
    """Split a frontier into its connected components.

    They come in the order of their first group. A constraint without groups constrains nothing that is left;
    ``propagate`` removes it or raises.
    """
    from networkx.utils import UnionFind

    together = UnionFind(range(len(frontier.groups)))
    for constraint in frontier.constraints:
        together.union(*constraint.groups)
    members: dict[int, list[int]] = {}
    for group in range(len(frontier.groups)):
        members.setdefault(together[group], []).append(group)
    scoped: dict[int, list[Constraint]] = {root: [] for root in members}
    for constraint in frontier.constraints:
        scoped[together[constraint.groups[0]]].append(constraint)
    return tuple(_part(frontier, groups, scoped[root]) for root, groups in members.items())


def _part(frontier: Frontier, groups: list[int], constraints: Sequence[Constraint]) -> LocatedComponent:
    place = {group: position for position, group in enumerate(groups)}
    renamed = (
        Constraint(tuple(place[group] for group in constraint.groups), constraint.likelihood)
        for constraint in constraints
    )
    sizes = tuple(len(frontier.groups[group]) for group in groups)
    return LocatedComponent(Component(sizes, tuple(renamed)), tuple(groups))
