"""The cheaper of enumeration and elimination.

Elimination costs what its order predicts, enumeration the number of placements, which only enumerating tells. Numbers
on a grid make narrow components, where elimination is cheapest by far. Dense statements, such as bare rules can make,
may be wide and yet leave few placements; so where the order is wide, PySAT is given a short try first.
"""

from __future__ import annotations

from satsweep.budget import UNLIMITED, Budget
from satsweep.components import Component, Counts
from satsweep.engines import elimination, sat
from satsweep.errors import BudgetExceeded

WIDE = 200_000
"""Predicted states above which enumeration is tried."""
PLACEMENTS = 500
"""How far it is tried."""


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget."""
    meter = budget.meter()
    plan = elimination.plan(component, meter)
    if plan.order.states > WIDE:
        left = meter.left
        placements = PLACEMENTS if left.states is None else min(PLACEMENTS, left.states)
        try:
            return sat.count(component, Budget(left.seconds, placements))
        except BudgetExceeded:
            meter.spend()
    return elimination.carry_out(plan, meter)
