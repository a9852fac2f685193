"""Every forced group of a component, found by SAT, at any size, without counting.

The *backbone* of a formula is the set of literals true in all its models. One model gives the candidates; then, one
candidate at a time, the solver is asked for a model without it. A refusal proves the candidate, and it is added as a
fact; a model strikes it and every other candidate that the model contradicts. Two things keep the questions few: the
solver prefers, at each decision, the opposite of every candidate left, so one model strikes many (Janota, Lynce and
Marques-Silva 2015 survey such algorithms), and the clauses propagate perfectly, so a question stays in the
neighbourhood of its cell. Boards of 300x300 cells take a fraction of a second.

This finds the consequences of the numbers of one component. Cells that only the mine total forces are found where the
total is known: by counting (``probability``), or by ``forced_by_total`` when counting was given up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from satsweep.errors import Contradiction
from satsweep.solver.cnf import encode
from satsweep.solver.components import Component
from satsweep.solver.constraints import CellConstraint, gather
from satsweep.solver.sat_solver import SelectorSolver, sat_solver


@dataclass(frozen=True, slots=True)
class Backbone:
    """Groups, by index, whose cells are all safe or all mines in every placement.

    ``partial`` has the groups that hold the same number of mines in every placement, though neither none nor all, with
    that number: their cells are not forced, but the group has nothing left to decide.
    """

    safe: tuple[int, ...]
    mines: tuple[int, ...]
    partial: tuple[tuple[int, int], ...] = ()


def backbone(component: Component) -> Backbone:
    """Find every forced group.

    Raises Contradiction when the component has no placement.

    >>> from satsweep.solver.constraints import Constraint
    >>> two, one = Constraint((0, 1, 2), (0, 0, 1)), Constraint((1, 2, 3), (0, 1))
    >>> backbone(Component((1, 1, 1, 1), (two, one)))
    Backbone(safe=(3,), mines=(0,), partial=())
    """
    encoded = encode(component)
    with sat_solver(encoded.clauses) as solver:
        if not solver.solve():
            raise Contradiction("these constraints cannot all be met")
        literals = [literal for unary in encoded.literals for literal in unary]
        forced = set(_forced(solver, literals))
    ranges = [
        (sum(literal in forced for literal in unary), sum(-literal not in forced for literal in unary))
        for unary in encoded.literals
    ]
    return Backbone(
        tuple(group for group, (_, high) in enumerate(ranges) if high == 0),
        tuple(group for group, (low, _) in enumerate(ranges) if low == component.sizes[group]),
        tuple((group, low) for group, (low, high) in enumerate(ranges) if 0 < low == high < component.sizes[group]),
    )


def _forced(solver: Any, variables: Sequence[int]) -> Iterator[int]:
    """The literals of these variables that are true in every model."""
    model = solver.get_model()
    candidates = dict.fromkeys(model[variable - 1] for variable in variables)
    while candidates:
        solver.set_phases([-literal for literal in candidates])
        literal = next(iter(candidates))
        if solver.solve(assumptions=[-literal]):
            model = solver.get_model()
            candidates = dict.fromkeys(left for left in candidates if model[abs(left) - 1] == left)
        else:
            del candidates[literal]
            solver.add_clause([literal])
            yield literal


def unsat_core(constraints: Sequence[CellConstraint], cells: Sequence[int]) -> tuple[int, ...]:
    """The clues of constraints that cannot all be true, ascending; none if they can.

    The set is an unsatisfiable core of the SAT solver: usually small, not always the smallest.
    """
    frontier = gather(constraints, cells)
    encoded = encode(Component(frontier.sizes, frontier.constraints))
    core = list(range(len(constraints)))
    with SelectorSolver(encoded.top + 1, core) as solver:
        for clause in encoded.order:
            solver.add(clause)
        for index, clauses in enumerate(encoded.by_constraint):
            for clause in clauses:
                solver.add(clause, index)
        while solver.model(core) is None:
            smaller = sorted(solver.core())
            if len(smaller) == len(core):
                return tuple(sorted(constraints[index].clue for index in core))
            core = smaller
    return ()
