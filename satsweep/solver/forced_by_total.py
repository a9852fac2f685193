"""Cells that only the mine total forces, found by CP-SAT without counting.

Counting shows such cells by itself, as a risk of exactly 0 or 1. Where a component could not be counted in time, they
are found on all components at once, as a backbone is: a solution gives candidates, and others strike them until no
solution differs from what is left. First CP-SAT looks for solutions that strike as many as possible, with a limit on
the effort of each search, since the best one is not needed; the rest is settled by questions of feasibility alone,
without a limit, because an analysis promises every forced cell, however small its budget. Where OR-Tools is not
installed, PySAT finds the same cells, in more time (``forced_by_sums``).
"""

from __future__ import annotations

from collections.abc import Sequence

from satsweep.errors import Contradiction
from satsweep.solver.backbone import Backbone
from satsweep.solver.components import Component
from satsweep.solver.constraints import Frontier
from satsweep.solver.cp_solver import cp_model_of, cp_solution, cp_solver
from satsweep.solver.forced_by_sums import forced_by_sums, have_slack
from satsweep.solver.installed import is_installed

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
        raise Contradiction("the mine total leaves no layout", total=True)
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
