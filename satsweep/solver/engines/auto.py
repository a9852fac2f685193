"""The cheaper of enumeration and elimination.

Elimination costs what its order predicts; the cost of enumeration is the number of placements, which only enumerating
shows. On the components of expert games, of a few groups, PySAT lists the few placements in less time than it takes to
find an order; so small components are enumerated as long as there are few. Beyond that elimination is cheapest by far,
since numbers on a grid make narrow components. Dense statements, such as bare rules can make, may be wide and yet leave
few placements; so where the order is wide, enumeration gets another try.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

from satsweep.errors import BudgetExceeded
from satsweep.solver.budget import UNLIMITED, Budget, Meter
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import elimination, sat

SMALL, FEW = 16, 30
"""Components of up to ``SMALL`` groups: ``FEW`` placements are tried at first."""
WIDE, MANY = 200_000, 500
"""Above ``WIDE`` predicted states ``MANY`` placements are tried first."""

FILLINGS = 64
"""Most ways to fill the groups of a component that are tried without a solver."""


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget."""
    meter = budget.meter()
    if len(component.sizes) <= SMALL and (counts := _enumerated(component, FEW, meter)):
        return counts
    plan = elimination.plan(component, meter)
    if plan.order.states > WIDE and (counts := _enumerated(component, MANY, meter)):
        return counts
    return elimination.carry_out(plan, meter)


def placements(component: Component) -> Iterator[tuple[int, ...]]:
    """The placements of a component; the fillings are tried where there are few.

    >>> from satsweep.solver.constraints import Constraint, exactly
    >>> list(placements(Component((1, 2), (Constraint((0, 1), exactly(1)),))))
    [(0, 1), (1, 0)]
    """
    if prod(size + 1 for size in component.sizes) > FILLINGS:
        yield from sat.placements(component)
        return
    allowed = [
        (constraint.groups, {mines for mines, weight in enumerate(constraint.likelihood) if weight})
        for constraint in component.constraints
    ]
    for filling in product(*(range(size + 1) for size in component.sizes)):
        if all(sum(filling[group] for group in groups) in counts for groups, counts in allowed):
            yield filling


def _enumerated(component: Component, placements: int, meter: Meter) -> Counts | None:
    left = meter.left
    limit = placements if left.states is None else min(placements, left.states)
    try:
        return sat.count(component, replace(left, states=limit))
    except BudgetExceeded:
        meter.spend()
        return None
