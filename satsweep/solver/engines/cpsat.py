"""CP-SAT of OR-Tools: models of components, solvers, and counting by enumeration.

It starts slower than PySAT; a second, wholly different solver confirms the first.

Every solver here has one worker, so equal questions get equal answers and no processor is taken from other processes.
None catches interrupts. CP-SAT would do so by default, end its search without an answer and swallow the signal; a
search that was only interrupted must never pass for a proof that there is no solution. Without it Python raises
KeyboardInterrupt when the search returns.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from satsweep.errors import BudgetExceeded
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts, PlacementCounts


def cp_model_of(component: Component) -> tuple[Any, list[Any]]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = [model.new_int_var(0, size, "") for size in component.sizes]
    for constraint in component.constraints:
        counts = [mines for mines, weight in enumerate(constraint.likelihood) if weight]
        mines = sum(variables[group] for group in constraint.groups)
        domain = cp_model.Domain.from_values(counts)
        if counts and counts[-1] - counts[0] >= len(counts):
            # OR-Tools 9.15 finds some expressions infeasible that have a solution in a domain with gaps.
            model.add(mines == model.new_int_var_from_domain(domain, ""))
        else:
            model.add_linear_expression_in_domain(mines, domain)
    return model, variables


def cp_solver(*, seconds: float | None = None, effort: float = math.inf) -> Any:
    """A CP-SAT solver; ``effort`` limits its deterministic time, about seconds."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    parameters: Any = solver.parameters
    parameters.num_workers = 1
    parameters.catch_sigint_signal = False
    parameters.max_deterministic_time = effort
    if seconds is not None:
        parameters.max_time_in_seconds = max(seconds, 1e-3)
    return solver


def cp_solution(model: Any, variables: Sequence[Any], effort: float = math.inf) -> list[int] | None:
    """The values of the variables in one solution; None if none was found.

    With a limit on the effort None may mean that the search was too short. Without one it is a proof that there is no
    solution: raises BudgetExceeded where CP-SAT gives up for another reason, such as want of memory.
    """
    from ortools.sat.python import cp_model

    solver = cp_solver(effort=effort)
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return [solver.value(variable) for variable in variables]
    if status != cp_model.INFEASIBLE and effort == math.inf:
        raise BudgetExceeded("CP-SAT ended its search without an answer")
    return None


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component.

    Raises BudgetExceeded past the budget, whose states are placements.
    """
    meter = budget.meter()
    counts = PlacementCounts(component)

    def add(placement: list[int]) -> None:
        counts.add(placement)
        meter.spend(1)

    _enumerate(component, add, budget.seconds)
    return counts.counts("cpsat")


def _enumerate(component: Component, add: Callable[[list[int]], None], seconds: float | None) -> None:
    """Call ``add`` with every placement; an exception from it ends the search."""
    from ortools.sat.python import cp_model

    model, variables = cp_model_of(component)

    class Collector(cp_model.CpSolverSolutionCallback):
        raised: BaseException | None = None

        def on_solution_callback(self) -> None:
            try:
                if self.raised is None:
                    add([self.value(variable) for variable in variables])
            except BaseException as error:  # an exception must not cross the solver's C++ frames
                self.raised = error
                self.stop_search()

    solver = cp_solver(seconds=seconds)
    solver.parameters.enumerate_all_solutions = True
    collector = Collector()
    status = solver.solve(model, collector)
    if collector.raised is not None:
        raise collector.raised
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise BudgetExceeded("out of time")
