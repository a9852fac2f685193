"""The cheaper of enumeration and elimination, by what elimination is predicted to cost."""

from __future__ import annotations

from satsweep.budget import UNLIMITED, Budget
from satsweep.components import Component, Counts
from satsweep.engines import elimination


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget."""
    return elimination.count(component, budget)
