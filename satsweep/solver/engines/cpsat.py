"""Counting by enumeration with OR-Tools CP-SAT: one integer variable per group.

It starts slower than PySAT; a second, wholly different solver confirms the first.
"""

from collections.abc import Callable

from satsweep.errors import BudgetExceeded
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.cp_solver import cp_model_of, cp_solver
from satsweep.solver.engines.structure import PlacementCounts


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
    """Call ``add`` with every placement.

    An exception from it ends the search and is raised here.
    """
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
