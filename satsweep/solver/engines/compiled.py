"""Counting by listing in compiled kernels, for components of few placements.

A component that the kernels do not count (a constraint that is not exact, thousands of placements, numbers beyond
2**53) is counted by ``auto``. The answer is the same in either case. The cost is the number of placements.
"""

from satsweep.solver import compiled
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import auto


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component.

    Raises BudgetExceeded past the budget, whose states are placements here.
    """
    meter = budget.meter()
    counts = compiled.count_component(component)
    if counts is None:
        return auto.count(component, meter.left)
    meter.spend(counts.work.placements)
    return counts
