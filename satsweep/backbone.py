"""What must be: every forced group of a component, found by SAT, at any size and without counting.

The *backbone* of a formula is the set of literals true in all its models. One model gives the candidates; then,
one candidate at a time, the solver is asked for a model without it. A refusal proves the candidate, and it is
added as a fact; a model strikes it and every other candidate that the model contradicts. Two things keep the
questions few: the solver prefers, at each decision, the opposite of every candidate left (so one model strikes
many; Janota, Lynce and Marques-Silva 2015 survey such algorithms), and the clauses propagate perfectly, so a
question stays in the neighbourhood of its cell. Boards of 300x300 cells take a fraction of a second.

This finds what follows from the numbers of one component. What only the mine total forces is found where the
total is known: by counting (``probability``), or by ``totals`` when counting was given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from satsweep.cnf import encode
from satsweep.components import Component
from satsweep.constraints import Statement, gather
from satsweep.errors import Contradiction

SOLVER = "minisat22"


@dataclass(frozen=True, slots=True)
class Backbone:
    """Groups, by index, whose cells are all safe or all mines in every placement."""

    safe: tuple[int, ...]
    mines: tuple[int, ...]


@contextmanager
def sat_solver(clauses: Sequence[Sequence[int]]) -> Iterator[Any]:
    """A PySAT solver on these clauses, freed at the end; an interrupt inside it is a KeyboardInterrupt."""
    from pysat.solvers import Solver

    with Solver(name=SOLVER, bootstrap_with=clauses) as solver:
        try:
            yield solver
        except Exception as error:
            if "keyboard interrupt" in str(error):
                raise KeyboardInterrupt from None
            raise


def backbone(component: Component) -> Backbone:
    """Find every forced group. Raises Contradiction when the component has no placement.

    >>> from satsweep.constraints import Constraint
    >>> two, one = Constraint((0, 1, 2), (0, 0, 1)), Constraint((1, 2, 3), (0, 1))
    >>> backbone(Component((1, 1, 1, 1), (two, one)))
    Backbone(safe=(3,), mines=(0,))
    """
    encoded = encode(component)
    empty = {-literals[0]: group for group, literals in enumerate(encoded.literals)}
    full = {literals[-1]: group for group, literals in enumerate(encoded.literals)}
    with sat_solver(encoded.clauses) as solver:
        if not solver.solve():
            raise Contradiction("two numbers cannot both be met")
        forced = set(_forced(solver, [*empty, *full]))
    return Backbone(
        tuple(group for literal, group in empty.items() if literal in forced),
        tuple(group for literal, group in full.items() if literal in forced),
    )


def _forced(solver: Any, literals: Sequence[int]) -> Iterator[int]:
    """Those of the literals that are true in every model."""
    model = solver.get_model()
    candidates = dict.fromkeys(literal for literal in literals if model[abs(literal) - 1] == literal)
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


def conflict(said: Sequence[Statement], cells: Sequence[int]) -> tuple[int, ...]:
    """The clues of statements that cannot all be true, ascending; none if they can.

    The set is a core of the SAT solver: enough to be impossible, usually small, not always the smallest.
    """
    frontier = gather(said, cells)
    encoded = encode(Component(frontier.sizes, frontier.constraints))
    selectors = range(encoded.top + 1, encoded.top + 1 + len(said))
    clauses = list(encoded.order)
    for selector, statement in zip(selectors, encoded.said, strict=True):
        clauses.extend([-selector, *clause] for clause in statement)
    with sat_solver(clauses) as solver:
        core = list(selectors)
        while not solver.solve(assumptions=core):
            smaller = sorted(solver.get_core())
            if len(smaller) == len(core):
                return tuple(sorted(said[selector - selectors.start].clue for selector in core))
            core = smaller
    return ()
