"""The cheaper of enumeration and elimination.

Elimination costs what its order predicts, enumeration the number of placements, which only enumerating tells. On the
components of expert games, of a few groups, PySAT lists the few placements in less time than it takes to find an
order; so small components are enumerated as long as there are few. Beyond that elimination is cheapest by far, since
numbers on a grid make narrow components. Dense statements, such as bare rules can make, may be wide and yet leave few
placements; so where the order is wide, enumeration gets another try.
"""

from __future__ import annotations

from satsweep.errors import BudgetExceeded
from satsweep.solver.budget import UNLIMITED, Budget, Meter
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import elimination, sat

SMALL, FEW = 16, 30
"""Up to so many groups, so many placements are enumerated before anything is planned."""
WIDE, MANY = 200_000, 500
"""Above so many predicted states, so many placements are enumerated first."""


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget."""
    meter = budget.meter()
    if len(component.sizes) <= SMALL and (counts := _enumerated(component, FEW, meter)):
        return counts
    plan = elimination.plan(component, meter)
    if plan.order.states > WIDE and (counts := _enumerated(component, MANY, meter)):
        return counts
    return elimination.carry_out(plan, meter)


def _enumerated(component: Component, placements: int, meter: Meter) -> Counts | None:
    """The counts, if there are no more placements than these and what is left of the budget."""
    left = meter.left
    limit = placements if left.states is None else min(placements, left.states)
    try:
        return sat.count(component, Budget(left.seconds, limit))
    except BudgetExceeded:
        meter.spend()
        return None
