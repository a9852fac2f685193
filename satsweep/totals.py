"""What only the mine total forces, when counting was given up: found by CP-SAT on all components at once.

Counting shows such cells by itself, as a risk of exactly 0 or 1. Where a component could not be counted in time,
they are found as a backbone is, one solution striking as many candidates as possible: CP-SAT looks for the
solution that differs from the candidates in the most places, until no solution differs in any.
"""

from __future__ import annotations

from collections.abc import Sequence

from satsweep.backbone import Backbone
from satsweep.constraints import Frontier
from satsweep.errors import Contradiction


def forced_by_total(frontier: Frontier, mines: int) -> tuple[Backbone, bool | None]:
    """Groups forced by the constraints and a total together, and whether the sea is all safe (False) or all mines.

    Raises Contradiction when the total is impossible.

    >>> from satsweep.board import Board
    >>> from satsweep.constraints import frontier
    >>> forced_by_total(frontier(Board(("#2##1##",))), 3)
    (Backbone(safe=(), mines=(0,), partial=()), False)
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_int_var(0, len(cells), "") for cells in frontier.groups]
    sizes = list(frontier.sizes)
    if frontier.sea:
        variables.append(model.new_int_var(0, len(frontier.sea), ""))
        sizes.append(len(frontier.sea))
    for constraint in frontier.constraints:
        counts = [count for count, weight in enumerate(constraint.likelihood) if weight]
        model.add_linear_expression_in_domain(
            sum(variables[group] for group in constraint.groups), cp_model.Domain.from_values(counts)
        )
    model.add(sum(variables) == mines)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1

    def solution() -> list[int] | None:
        status = solver.solve(model)
        return [solver.value(variable) for variable in variables] if status != cp_model.INFEASIBLE else None

    found = solution()
    if found is None:
        raise Contradiction("the mine total leaves no layout", total=True)
    candidates = {
        (index, value > 0): model.new_bool_var("")
        for index, (value, size) in enumerate(zip(found, sizes, strict=True))
        if value in (0, size)
    }
    for (index, mine), differs in candidates.items():
        variable = variables[index]
        (model.add(variable <= sizes[index] - 1) if mine else model.add(variable >= 1)).only_enforce_if(differs)
    while candidates:
        model.maximize(sum(candidates.values()))
        found = solution()
        assert found is not None
        struck = [key for key in candidates if found[key[0]] != (sizes[key[0]] if key[1] else 0)]
        if not struck:
            break
        for key in struck:
            del candidates[key]
    return _verdict(list(candidates), len(frontier.groups))


def _verdict(forced: Sequence[tuple[int, bool]], groups: int) -> tuple[Backbone, bool | None]:
    safe = tuple(index for index, mine in forced if not mine and index < groups)
    mines = tuple(index for index, mine in forced if mine and index < groups)
    sea = next((mine for index, mine in forced if index == groups), None)
    return Backbone(safe, mines), sea
