"""What is independent: components, and the counts that every engine gives for one.

Two components share no constraint, so their placements combine freely; only the mine total ties them together,
and that is left to ``probability``. A component knows sizes and constraints, no cells, so engines never see a
coordinate and equal components have equal counts wherever they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from satsweep.solver.constraints import Constraint, Frontier


@dataclass(frozen=True, slots=True)
class Component:
    """Groups, by their sizes, and constraints on them, that hang together."""

    sizes: tuple[int, ...]
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """What a count took: states (elimination) or placements (enumeration), and the width of the order used."""

    engine: str
    states: int = 0
    placements: int = 0
    width: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """In how many ways a component can be filled, by the number of mines.

    ``total[m]`` is the weight of all placements with m mines: for exact clues simply their number, with each group
    of s cells holding k mines counted C(s, k) times. ``mined[g][m]`` is the weight of those in which one given
    cell of group g is a mine. Both stop at the same, greatest possible m; a component that cannot be filled has
    no possible m at all.
    """

    total: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]
    work: Work = field(default=Work(""), compare=False)


@dataclass(frozen=True, slots=True)
class LocatedComponent:
    """A component and where it stands: the index of each of its groups in the frontier."""

    component: Component
    groups: tuple[int, ...]


def components(frontier: Frontier) -> tuple[LocatedComponent, ...]:
    """Split a frontier into the parts that share no constraint, in the order of their first group.

    A constraint without groups speaks about nothing that is left; ``propagate`` removes it or objects to it.
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
