"""The cheaper of enumeration and elimination.

Elimination costs what its order predicts; the cost of enumeration is the number of placements, which only enumerating
shows. On the components of expert games, of a few groups, PySAT lists the few placements in less time than it takes to
find an order; so small components are enumerated as long as there are few. Beyond that elimination is cheapest by far,
since numbers on a grid make narrow components. Dense statements, such as bare rules can make, may be wide and yet leave
few placements; so where the order is wide, enumeration gets another try.
"""

from dataclasses import replace

from satsweep.errors import BudgetExceeded
from satsweep.solver.budget import UNLIMITED, Budget, Meter
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import elimination, sat

SMALL, FEW = 16, 30
"""Components of up to ``SMALL`` groups: ``FEW`` placements are tried at first."""
WIDE, MANY = 200_000, 500
"""Above ``WIDE`` predicted states ``MANY`` placements are tried first."""


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
    left = meter.left
    limit = placements if left.states is None else min(placements, left.states)
    try:
        return sat.count(component, replace(left, states=limit))
    except BudgetExceeded:
        meter.spend()
        return None
