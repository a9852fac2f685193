"""Cells that only the mine total forces, found without counting.

Counting shows such cells by itself, as a risk of exactly 0 or 1. Where a component could not be counted in time, they
are found on all components at once, as a backbone is: a solution gives candidates, and others strike them until no
solution differs from what is left. First CP-SAT looks for solutions that strike as many as possible, with a limit on
the effort of each search, since the best one is not needed; the rest is settled by questions of feasibility alone,
without a limit, because an analysis promises every forced cell, however small its budget. Where OR-Tools is not
installed, PySAT finds the same cells, in more time.

For that, the mine total leaves some of the sums that each component can have (``sums``). The groups that all
placements with these sums agree on are found as a backbone is: a placement gives candidates, and others strike them
until no placement differs from those that are left.
"""

from collections.abc import Mapping, Sequence

from satsweep.errors import Contradiction
from satsweep.solver.backbone import Backbone
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import Frontier
from satsweep.solver.cp_solver import cp_model_of, cp_solution, cp_solver
from satsweep.solver.installed import is_installed
from satsweep.solver.sat_solver import raising_interrupts
from satsweep.solver.sums import Placement, SumSolver, as_bits, fitting_sums, placements_by_sum, sumset

CONFLICTS = 5_000
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
        raise Contradiction("the mine total leaves no world", total=True)
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
    with SumSolver(component, CONFLICTS) as solver, raising_interrupts():
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


EFFORT = 1.0
"""Limit on one search that strikes candidates.

It is CP-SAT's deterministic time, about seconds.
"""


def forced_by_total(frontier: Frontier, mines: int) -> tuple[Backbone, bool | None]:
    """The groups, and perhaps the sea, that constraints and a mine total force.

    The sea is False if it is all safe, True if it is all mines, else None. Raises Contradiction when the total is
    impossible.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.constraints import frontier
    >>> forced_by_total(frontier(Board(("#2##1##",))), 3)
    (Backbone(safe=(), mines=(0,), partial=()), False)
    """
    if not is_installed("ortools"):
        return forced_by_sums(frontier, mines)
    model, variables = cp_model_of(Component(frontier.sizes, frontier.constraints))
    sizes = list(frontier.sizes)
    if frontier.sea:
        variables.append(model.new_int_var(0, len(frontier.sea), ""))
        sizes.append(len(frontier.sea))
    model.add(sum(variables) == mines)

    found = cp_solution(model, variables)
    if found is None:
        raise Contradiction("the mine total leaves no world", total=True)
    ends = {(index, end) for index, end in enumerate(found) if end in (0, sizes[index])}
    candidates = {(index, end): model.new_bool_var("") for index, end in ends}
    for (index, end), differs in candidates.items():
        variable = variables[index]
        (model.add(variable < end) if end else model.add(variable > 0)).only_enforce_if(differs)

    def strike(found: list[int] | None) -> bool:
        struck = [key for key in candidates if found and found[key[0]] != key[1]]
        for key in struck:
            del candidates[key]
        return bool(struck)

    striking = True
    while candidates and striking:
        model.maximize(sum(candidates.values()))
        striking = strike(cp_solution(model, variables, EFFORT))
    model.clear_objective()
    while candidates:
        asked = model.new_bool_var("")
        model.add(sum(candidates.values()) >= 1).only_enforce_if(asked)
        model.clear_assumptions()
        model.add_assumption(asked)
        if not strike(cp_solution(model, variables)):
            break
    return _verdict([(index, end > 0) for index, end in sorted(candidates)], len(frontier.groups))


def has_slack(frontier: Frontier, mines: int) -> bool:
    """Return whether no possible number of mines on the components settles the sea.

    The sea can then take all mines that are left, as mines beside safe cells, and the total forces nothing. CP-SAT
    bounds the number of mines on the components, with a limit on its effort: its bounds are sound, so True is certain,
    and False may only mean that they are too wide.
    """
    if len(frontier.sea) < 2:
        return False
    if not is_installed("ortools"):
        return have_slack(frontier, mines)
    model, variables = cp_model_of(Component(frontier.sizes, frontier.constraints))
    solver = cp_solver(effort=EFFORT)
    model.minimize(sum(variables))
    solver.solve(model)
    if mines - solver.best_objective_bound >= len(frontier.sea):
        return False
    model.maximize(sum(variables))
    solver.solve(model)
    return bool(solver.best_objective_bound < mines)


def _verdict(forced: Sequence[tuple[int, bool]], groups: int) -> tuple[Backbone, bool | None]:
    """The forced variables as groups and sea."""
    safe = tuple(index for index, mine in forced if not mine and index < groups)
    mines = tuple(index for index, mine in forced if mine and index < groups)
    sea = next((mine for index, mine in forced if index == groups), None)
    return Backbone(safe, mines), sea
