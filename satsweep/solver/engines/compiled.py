"""Counting by listing in compiled kernels, for components of few placements.

A component that the kernels do not count (a constraint that is not exact, thousands of placements, numbers beyond
2**53) is counted by ``auto``. The answer is the same in either case. The cost is the number of placements.
"""

from math import prod

from satsweep.solver import compiled
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import auto


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component.

    Raises BudgetExceeded past the budget, whose states are placements here.
    """
    meter = budget.meter()
    counts = count_component(component)
    if counts is None:
        return auto.count(component, meter.left)
    meter.spend(counts.work.placements)
    return counts


def count_component(component: Component) -> Counts | None:
    """Count a component, whose constraints may have weights; None if others have to."""
    constraints = component.constraints
    if not constraints or any(constraint.low != constraint.high for constraint in constraints):
        return None
    scopes = [constraint.groups for constraint in constraints]
    found = compiled.count_exactly(component.sizes, scopes, [constraint.low for constraint in constraints])
    if found is None:
        return None
    factor = prod(constraint.likelihood[constraint.low] for constraint in constraints)
    order, counts = found
    rows = [tuple([factor * ways for ways in row]) for row in (counts.total, *counts.mined)]
    return Counts(rows[0], tuple(row for _, row in sorted(zip(order, rows[1:], strict=True))), counts.work)
