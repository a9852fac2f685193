"""Counting by enumeration with PySAT: one model, one placement.

Groups are unary literals, so a model of the clauses is one placement however many cells are interchangeable, and a
placement is blocked on the group literals alone: auxiliary variables of an encoding would otherwise be enumerated too.
The cost is the number of placements.
"""

from collections.abc import Iterator

from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts, PlacementCounts
from satsweep.solver.sat_solver import encode, sat_solver


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component.

    Raises BudgetExceeded past the budget, whose states are placements.
    """
    meter = budget.meter()
    counts = PlacementCounts(component)
    for placement in placements(component):
        counts.add(placement)
        meter.spend(1)
    return counts.counts("sat")


def placements(component: Component) -> Iterator[tuple[int, ...]]:
    encoded = encode(component)
    with sat_solver(encoded.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            placement = []
            blocking = []
            for unary in encoded.literals:
                mines = sum(model[literal - 1] > 0 for literal in unary)
                placement.append(mines)
                if mines:
                    blocking.append(-unary[mines - 1])
                if mines < len(unary):
                    blocking.append(unary[mines])
            yield tuple(placement)
            solver.add_clause(blocking)
