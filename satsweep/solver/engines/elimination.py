"""Counting by elimination: dynamic programming over the groups.

The cost is exponential in the number of constraints that are open at once, the width of the order, and in nothing else.
The steps are the ranges of the groups (``circuit.Structure``), the order in which they are taken
(``order.elimination_order``), the states that this gives with polynomials in the number of mines on them
(``circuit.compile_circuit``), and the marginals of all groups from a few cuts (``order.choose_cuts``). Their modules
are imported at the first count: most boards leave none to this engine.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from satsweep.solver.budget import UNLIMITED, Budget, Meter
from satsweep.solver.components import Component, Counts, Work
from satsweep.solver.constraints import Constraint
from satsweep.solver.polynomials import gmp, unpack

if TYPE_CHECKING:
    from satsweep.solver.engines.circuit import Structure
    from satsweep.solver.engines.order import EliminationOrder

LONG = 64
"""Bits of a coefficient from which GMP's integers are faster for polynomials."""


class EliminationPlan(NamedTuple):
    component: Component
    structure: Structure
    order: EliminationOrder


def count(component: Component, budget: Budget = UNLIMITED) -> Counts:
    """Count the placements of a component. Raises BudgetExceeded past the budget."""
    meter = budget.meter()
    return carry_out(plan(component, meter), meter)


def plan(component: Component, meter: Meter) -> EliminationPlan:
    from satsweep.solver.engines.circuit import Structure
    from satsweep.solver.engines.order import elimination_order

    structure = Structure.of(_with_every_group_constrained(component))
    return EliminationPlan(component, structure, elimination_order(structure, meter))


def carry_out(plan: EliminationPlan, meter: Meter) -> Counts:
    from satsweep.solver.engines import circuit
    from satsweep.solver.engines.order import choose_cuts, group_sums

    component, structure = plan.component, plan.structure
    scale = prod(map(_factor, component.constraints))
    if structure.impossible or not scale:
        return _no_placements(component, Work("elimination"))
    steps = circuit.compile_circuit(structure, plan.order.groups, meter)
    work = Work("elimination", states=sum(step.after for step in steps), width=plan.order.width)
    weight = circuit.total_weight(steps, scale, meter)
    if not weight:
        return _no_placements(component, work)
    width = -(-weight.bit_length() // 8)
    slot = 8 * width
    if slot > LONG:
        scale = gmp(scale)
    before = circuit.forward(steps, scale, slot, choose_cuts(structure, steps), meter)
    (packed,), (low,) = before[len(steps)]
    total = packed << low * slot
    sums = group_sums(structure, steps, total, circuit.moments(steps, slot, before, meter))
    length = -(-total.bit_length() // slot)
    mined = (unpack(int(value // size), width, length) for value, size in zip(sums, component.sizes, strict=True))
    return Counts(tuple(unpack(int(total), width, length)), tuple(map(tuple, mined)), work)


def _with_every_group_constrained(component: Component) -> Component:
    """Give every group an equation: one that allows every count, if it has none."""
    constrained = {group for constraint in component.constraints for group in constraint.groups}
    free = (group for group in range(len(component.sizes)) if group not in constrained)
    unconstraining = (Constraint((group,), (1,) * (component.sizes[group] + 1)) for group in free)
    return Component(component.sizes, (*component.constraints, *unconstraining))


def _factor(constraint: Constraint) -> int:
    """The factor of every placement from a constraint whose count is certain."""
    if not constraint.groups:
        return constraint.likelihood[0] if constraint.likelihood else 0
    return constraint.likelihood[constraint.low] if constraint.low == constraint.high else 1


def _no_placements(component: Component, work: Work) -> Counts:
    return Counts((), ((),) * len(component.sizes), work)
