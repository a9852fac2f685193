"""Components in clauses, and PySAT solvers with selectors.

A group of size s becomes s literals in unary (order encoding): literal j is true when the group holds at least j mines.
Since literal j+1 implies literal j, interchangeable cells give one placement instead of C(s, k). A constraint becomes
clauses on these literals alone, one for every smallest way to break it, which propagates perfectly; only where that
would take too many clauses does it become a totalizer (Bailleux and Boufkhad 2003) with variables of its own.

A *selector* is a variable s that guards the clauses of one constraint: each clause C is added as C or not s, so the
constraint holds where s is assumed and says nothing otherwise. A refusal then comes with an unsatisfiable core over the
selectors: constraints that cannot all hold (solving under assumptions, Een and Sorensson 2003).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Any

from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint

MAX_DIRECT_CLAUSES = 300
"""Clauses of one constraint beyond which a totalizer is faster for the solvers."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """A component in clauses.

    ``literals[g][j - 1]`` is true if group g holds at least j mines. ``order`` ties the literals of a group together,
    ``by_constraint[i]`` encodes constraint i, and variables up to ``top`` are taken: the group literals first, then the
    auxiliary ones of the encoding.
    """

    literals: tuple[tuple[int, ...], ...]
    order: list[list[int]]
    by_constraint: list[list[list[int]]]
    top: int

    @property
    def clauses(self) -> list[list[int]]:
        return [*self.order, *(clause for clauses in self.by_constraint for clause in clauses)]


def encode(component: Component) -> Clauses:
    """Encode a component: models, as far as group literals go, are its placements."""
    literals: list[tuple[int, ...]] = []
    top = 0
    for size in component.sizes:
        literals.append(tuple(range(top + 1, top + size + 1)))
        top += size
    order = [[-more, less] for unary in literals for less, more in pairwise(unary)]
    if top:
        # Always true, but it makes the solver give the last group literal a variable: models then cover all of them.
        order.append([top, -top])
    by_constraint = []
    for constraint in component.constraints:
        clauses, top = _constraint([literals[group] for group in constraint.groups], constraint, top)
        by_constraint.append(clauses)
    return Clauses(tuple(literals), order, by_constraint, top)


def _constraint(scope: Sequence[Sequence[int]], constraint: Constraint, top: int) -> tuple[list[list[int]], int]:
    """The clauses of one constraint, a selector for each range, and the last variable."""
    ranges = _ranges(constraint.likelihood, sum(map(len, scope)))
    if len(ranges) == 1:
        return _between(scope, *ranges[0], top)
    selectors = list(range(top + 1, top + len(ranges) + 1))
    clauses = [selectors]
    top += len(ranges)
    for selector, (low, high) in zip(selectors, ranges, strict=True):
        within, top = _between(scope, low, high, top)
        clauses.extend([-selector, *clause] for clause in within)
    return clauses, top


def _ranges(likelihood: Sequence[int], cells: int) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for count, weight in enumerate(likelihood[: cells + 1]):
        if weight:
            if ranges and ranges[-1][1] == count - 1:
                ranges[-1] = (ranges[-1][0], count)
            else:
                ranges.append((count, count))
    return ranges


def _between(scope: Sequence[Sequence[int]], low: int, high: int, top: int) -> tuple[list[list[int]], int]:
    """Clauses for a sum of unary numbers between bounds, and the greatest variable."""
    cells = sum(map(len, scope))
    if comb(cells, min(high + 1, cells)) + comb(cells, max(low - 1, 0)) > MAX_DIRECT_CLAUSES:
        return _totalizer([literal for literals in scope for literal in literals], low, high, top)
    sizes = [len(literals) for literals in scope]
    clauses = []
    if high < cells:
        for counts in _vectors(sizes, high + 1):
            clauses.append([-literals[k - 1] for literals, k in zip(scope, counts, strict=True) if k])
    if low > 0:
        for counts in _vectors(sizes, low - 1):
            clauses.append([literals[k] for literals, k in zip(scope, counts, strict=True) if k < len(literals)])
    return clauses, top


def _vectors(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    if not sizes:
        if total == 0:
            yield ()
        return
    rest = sum(sizes[1:])
    for count in range(max(0, total - rest), min(sizes[0], total) + 1):
        for counts in _vectors(sizes[1:], total - count):
            yield (count, *counts)


def _totalizer(literals: list[int], low: int, high: int, top: int) -> tuple[list[list[int]], int]:
    """The same by totalizers, without bounds that always hold: CardEnc raises on them."""
    from pysat.card import CardEnc, EncType

    clauses: list[list[int]] = []
    if high < len(literals):
        part = CardEnc.atmost(literals, high, top_id=top, encoding=EncType.totalizer)
        clauses.extend(part.clauses)
        top = max(top, part.nv)
    if low > 0:
        part = CardEnc.atleast(literals, low, top_id=top, encoding=EncType.totalizer)
        clauses.extend(part.clauses)
        top = max(top, part.nv)
    return clauses, top


SOLVER = "minisat22"


@contextmanager
def sat_solver(clauses: Iterable[Sequence[int]] = (), name: str = SOLVER, *, with_proof: bool = False) -> Iterator[Any]:
    """A PySAT solver, freed at the end; an interrupt becomes a KeyboardInterrupt."""
    from pysat.solvers import Solver

    options = {"with_proof": True} if with_proof else {}
    with Solver(name=name, bootstrap_with=clauses, **options) as solver, raising_interrupts():
        yield solver


@contextmanager
def raising_interrupts() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if "keyboard interrupt" in str(error):
            raise KeyboardInterrupt from None
        raise


class SelectorSolver(ExitStack):
    """A PySAT solver whose constraints are switched on by selectors.

    Each question names the constraints that hold, by ``indices``; their selectors are the variables from ``first`` on.
    Use it as a context, or call ``close``: Python does not free the solver.
    """

    def __init__(self, first: int, indices: Sequence[int]) -> None:
        self._selectors = {index: first + place for place, index in enumerate(indices)}
        self._indices = {selector: index for index, selector in self._selectors.items()}
        super().__init__()
        self._solver = self.enter_context(sat_solver())

    def add(self, clause: Sequence[int], index: int | None = None) -> None:
        self._solver.add_clause(clause if index is None else [*clause, -self._selectors[index]])

    def model(self, chosen: Collection[int], assumptions: Sequence[int] = ()) -> list[int] | None:
        with raising_interrupts():
            if self._solver.solve(assumptions=[*assumptions, *(self._selectors[index] for index in chosen)]):
                return self._solver.get_model() or []
        return None

    def core(self) -> frozenset[int]:
        """The constraints of an unsatisfiable core of the last question, without a model."""
        core = self._solver.get_core() or []
        return frozenset(self._indices[literal] for literal in core if literal in self._indices)
