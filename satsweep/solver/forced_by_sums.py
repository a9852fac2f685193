"""Cells that only the mine total forces, found by PySAT where OR-Tools is missing.

The mine total leaves some of the sums that each component can have (``sums``). The groups that all placements with
these sums agree on are found as a backbone is: a placement gives candidates, and others strike them until no placement
differs from those that are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satsweep.errors import Contradiction
from satsweep.solver.backbone import Backbone
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import Frontier
from satsweep.solver.sat_solver import raising_interrupts
from satsweep.solver.sums import Placement, SumSolver, as_bits, fitting_sums, placements_by_sum, sumset

EFFORT = 5_000
"""Most conflicts of one search for a bound on the mines of a component."""


def forced_by_sums(frontier: Frontier, mines: int) -> tuple[Backbone, bool | None]:
    """The groups, and perhaps the sea, that constraints and a mine total force.

    The same as ``forced_by_total``.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.constraints import frontier
    >>> forced_by_sums(frontier(Board(("#2##1##",))), 3)
    (Backbone(safe=(), mines=(0,), partial=()), False)
    """
    parts, sea = components(frontier), len(frontier.sea)
    sums = [placements_by_sum(part.component) for part in parts]
    held = 1
    for part in sums:
        held = sumset(held, as_bits(part))
    possible = [count for count in range(max(0, mines - sea), mines + 1) if held >> count & 1]
    if not possible:
        raise Contradiction("the mine total leaves no layout", total=True)
    safe: list[int] = []
    mined: list[int] = []
    for located, part, fitting in zip(parts, sums, fitting_sums(sums, mines - sea, mines), strict=True):
        for group, end in _forced(located.component, part, fitting):
            (mined if end else safe).append(located.groups[group])
    settled = {mines - count for count in possible}
    verdict = None if sea == 0 or settled - {0} and settled - {sea} else settled == {sea}
    return Backbone(tuple(sorted(safe)), tuple(sorted(mined))), verdict


def _forced(component: Component, sums: Mapping[int, Placement], fitting: Sequence[int]) -> list[tuple[int, int]]:
    """Groups that are all safe or all mines in every placement with a fitting sum.

    Each comes with the number of mines that it holds.
    """
    sizes = component.sizes
    candidates = {(group, end) for group, end in enumerate(sums[fitting[0]]) if end in (0, sizes[group])}
    candidates = {key for key in candidates if all(sums[mines][key[0]] == key[1] for mines in fitting)}
    with SumSolver(component) as solver, raising_interrupts():
        for low, high in _ranges(sorted(sums), fitting):
            while candidates and (found := solver.placement(low, high, sorted(candidates))):
                candidates = {(group, end) for group, end in candidates if found[group] == end}
    return sorted(candidates)


def _ranges(sums: Sequence[int], fitting: Sequence[int]) -> list[tuple[int, int]]:
    """The runs of fitting sums, as pairs of bounds.

    Between two sums of a run there is no other possible sum.

    >>> _ranges([2, 4, 5, 7], [2, 4, 7])
    [(2, 4), (7, 7)]
    """
    wanted = set(fitting)
    runs: list[tuple[int, int]] = []
    begun = False
    for mines in sums:
        if mines in wanted:
            runs = [*runs[:-1], (runs[-1][0], mines)] if begun else [*runs, (mines, mines)]
        begun = mines in wanted
    return runs


def have_slack(frontier: Frontier, mines: int) -> bool:
    """Return whether no possible number of mines on the components settles the sea.

    The same as ``has_slack``, with another limit on its effort.
    """
    least = most = 0
    for part in components(frontier):
        low, high = _bounds(part.component)
        least, most = least + low, most + high
    return mines - least < len(frontier.sea) and most < mines


def _bounds(component: Component) -> tuple[int, int]:
    """Bounds on the number of mines of a component: the closest, or wider ones."""
    low, high = 0, sum(component.sizes)
    with SumSolver(component, EFFORT) as solver, raising_interrupts():
        try:
            if (found := solver.placement()) is None:
                return low, high
            least = most = sum(found)
            while found := solver.placement(high=least - 1):
                least = sum(found)
            low = least
            while found := solver.placement(low=most + 1):
                most = sum(found)
            high = most
        except TimeoutError:
            pass
    return low, high
