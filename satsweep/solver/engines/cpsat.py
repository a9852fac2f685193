"""Counting by enumeration with OR-Tools CP-SAT: one integer variable per group, all solutions.

Slower to start than PySAT, and a second, wholly different solver to agree with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from satsweep.errors import BudgetExceeded
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines.placement_counts import PlacementCounts


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget (states are placements)."""
    meter = budget.meter()
    tally = PlacementCounts(component)

    def add(placement: list[int]) -> None:
        tally.add(placement)
        meter.spend(1)

    _enumerate(component, add, budget.seconds)
    return tally.counts("cpsat")


def _enumerate(component: Component, add: Callable[[list[int]], None], seconds: float | None) -> None:
    """Call ``add`` with every placement. What it raises ends the search and is raised here."""
    from ortools.sat.python import cp_model

    model, variables = modelled(component)

    class Collector(cp_model.CpSolverSolutionCallback):
        raised: BaseException | None = None

        def on_solution_callback(self) -> None:
            try:
                if self.raised is None:
                    add([self.value(variable) for variable in variables])
            except BaseException as error:  # an exception must not cross the solver's C++ frames
                self.raised = error
                self.stop_search()

    solver = cp_model.CpSolver()
    parameters: Any = solver.parameters
    parameters.enumerate_all_solutions = True
    parameters.num_workers = 1
    parameters.catch_sigint_signal = False
    if seconds is not None:
        parameters.max_time_in_seconds = max(seconds, 1e-3)
    collector = Collector()
    status = solver.solve(model, collector)
    if collector.raised is not None:
        raise collector.raised
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise BudgetExceeded("out of time")


def modelled(component: Component) -> tuple[Any, list[Any]]:
    """The constraints of a component in a CP-SAT model, and its variable for the mines of each group."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_int_var(0, size, "") for size in component.sizes]
    for constraint in component.constraints:
        counts = [mines for mines, weight in enumerate(constraint.likelihood) if weight]
        mines = sum(variables[group] for group in constraint.groups)
        model.add_linear_expression_in_domain(mines, cp_model.Domain.from_values(counts))
    return model, variables
