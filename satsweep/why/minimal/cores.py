"""Minimal unsatisfiable subsets of constraints (MUS), and smallest ones (SMUS).

A *test* finds out whether some constraints have a model, together with an assumption about one cell. Where numbers
suffice, a selector (assumption literal) switches each constraint on, so a test is one call of a PySAT solver that holds
all constraints. Where the mine total takes part, the test counts the sums that the constraints allow.

``minimal_unsatisfiable_subset`` leaves out one constraint after another as long as the rest has no model either
(deletion, Chinneck and Dravnieks 1991). ``smallest_unsatisfiable_subset`` then looks for a subset with fewer members by
implicit hitting sets: the duality of Reiter (1987), as Ignatiev, Previti, Liffiton and Marques-Silva (2015) use it. A
model of some constraints violates others, and every unsatisfiable subset contains at least one of these. A smallest set
that hits all sets of violated constraints found so far therefore either has no model, and then no smaller subset
exists, or has a model, which yields another set to hit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import NamedTuple

from satsweep.errors import Contradiction
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import CellConstraint, Constraint, exactly, gather
from satsweep.solver.engines.auto import count
from satsweep.solver.propagate import propagate
from satsweep.solver.sat_solver import SelectorSolver, encode
from satsweep.solver.sums import set_bits, sumset


class SubsetResult(NamedTuple):
    """Constraints that a model violates, or an unsatisfiable core without a model."""

    violated: frozenset[int] | None = None
    core: frozenset[int] | None = None


SubsetTest = Callable[[Collection[int]], SubsetResult]
"""Test of constraints, given by their indices; a core is a subset of them."""


Mask = tuple[int, int, tuple[int, ...]]
"""A constraint: its index, its cells as bits, and its likelihood."""


class SubsetSolver(ExitStack):
    """Satisfiability of subsets of constraints, by a PySAT solver with selectors.

    It holds those of ``indices``, or all. Use it as a context, or call ``close``: Python does not free the solver.
    """

    def __init__(self, constraints: Sequence[CellConstraint], indices: Iterable[int] | None = None) -> None:
        self.indices = tuple(range(len(constraints)) if indices is None else indices)
        cells = sorted({cell for index in self.indices for cell in constraints[index].cells})
        self._variable = {cell: variable for variable, cell in enumerate(cells, 1)}
        scopes = [
            ([self._variable[cell] for cell in constraints[index].cells], constraints[index].likelihood)
            for index in self.indices
        ]
        self._masks: list[Mask] = [
            (index, sum(1 << variable for variable in scope), likelihood)
            for index, (scope, likelihood) in zip(self.indices, scopes, strict=True)
        ]
        super().__init__()
        self._solver = self.enter_context(SelectorSolver(len(cells) + 1, self.indices))
        top = len(cells) + len(self.indices)
        for index, (scope, likelihood) in zip(self.indices, scopes, strict=True):
            clauses, auxiliary = _encoded(len(scope), likelihood)
            variables = [0, *scope, *range(top + 1, top + auxiliary + 1)]
            top += auxiliary
            for clause in clauses:
                literals = [variables[literal] if literal > 0 else -variables[-literal] for literal in clause]
                self._solver.add(literals, index)

    def assuming(self, cell: int | None = None, mine: bool = False, among: Collection[int] | None = None) -> SubsetTest:
        """The test with a cell assumed; it tells of violations ``among`` these."""
        assumed = [] if cell is None else [self._variable[cell] if mine else -self._variable[cell]]
        among = None if among is None else frozenset(among)
        masks = self._masks if among is None else [own for own in self._masks if own[0] in among]

        def test(subset: Collection[int]) -> SubsetResult:
            model = self._solver.model(subset, assumed)
            if model is None:
                return SubsetResult(core=self._solver.core())
            return SubsetResult(violated=self._violated(model, masks, chosen=frozenset(subset)))

        return test

    def _violated(self, model: Sequence[int], masks: Sequence[Mask], chosen: Collection[int]) -> frozenset[int]:
        """The constraints that a model violates, which satisfies those chosen."""
        mined = sum([1 << literal for literal in model[: len(self._variable)] if literal > 0])
        violated = []
        for index, scope, likelihood in masks:
            if index in chosen:
                continue
            mines = (mined & scope).bit_count()
            if mines >= len(likelihood) or not likelihood[mines]:
                violated.append(index)
        return frozenset(violated)


@lru_cache(maxsize=1024)
def _encoded(cells: int, likelihood: tuple[int, ...]) -> tuple[list[list[int]], int]:
    """The clauses of a constraint on the variables 1 to ``cells``, and how many more."""
    coded = encode(Component((1,) * cells, (Constraint(tuple(range(cells)), likelihood),)))
    return coded.by_constraint[0], coded.top - cells


class SubsetCounter:
    """Satisfiability of subsets of constraints with the mine total, by counting.

    ``mines`` are the mines among all ``covered`` cells, or with ``at_most`` the most there may be. Only the frontier
    that propagation leaves is counted, component by component, and only the sums that occur are kept. Leaving out one
    constraint changes one component, so the sums of all others are there already.
    """

    def __init__(
        self, constraints: Sequence[CellConstraint], covered: Collection[int], mines: int, *, at_most: bool = False
    ) -> None:
        self._constraints, self._covered, self._mines, self._at_most = constraints, covered, mines, at_most
        self._sums: dict[Component, int] = {}

    def assuming(self, cell: int | None = None, mine: bool = False) -> Callable[[Collection[int]], bool]:
        assumed = [] if cell is None else [CellConstraint(cell, (cell,), exactly(int(mine)))]

        def is_possible(subset: Collection[int]) -> bool:
            sums, sea = self._possible_sums(subset, assumed)
            if not self._mines >= 0:
                return False
            least = 0 if self._at_most else max(self._mines - sea, 0)
            return bool((sums & ((1 << (self._mines + 1)) - 1)) >> least)

        return is_possible

    def totals(self, subset: Collection[int]) -> list[int]:
        sums, sea = self._possible_sums(subset, [])
        sums = sumset(sums, (1 << (sea + 1)) - 1)
        return list(set_bits(sums))

    def _possible_sums(self, subset: Collection[int], assumed: list[CellConstraint]) -> tuple[int, int]:
        """The possible sums of constrained cells, as bits, and how many other cells."""
        try:
            chosen = (self._constraints[index] for index in sorted(subset))
            settled = propagate(gather([*chosen, *assumed], self._covered))
        except Contradiction:
            return 0, 0
        sums = 1 << len(settled.mines)
        for part in components(settled.frontier):
            sums = sumset(sums, self._component_sums(part.component))
        return sums, len(settled.frontier.sea)

    def _component_sums(self, component: Component) -> int:
        if component not in self._sums:
            ways = count(component).total
            self._sums[component] = sum(1 << mines for mines, number in enumerate(ways) if number)
        return self._sums[component]


class SearchLimit:
    def __init__(self, tests: int) -> None:
        self.left = tests

    def spend(self) -> bool:
        self.left -= 1
        return self.left >= 0


def minimal_unsatisfiable_subset(test: SubsetTest, core: Iterable[int], key: Callable[[int], int] = int) -> list[int]:
    """A minimal unsatisfiable subset of a core; the greatest keys are left out first.

    >>> def test(chosen):
    ...     return SubsetResult(core=frozenset(chosen)) if {2, 5} <= set(chosen) else SubsetResult(frozenset())
    >>> minimal_unsatisfiable_subset(test, range(9))
    [2, 5]
    """
    left = sorted(core, key=key)
    needed: list[int] = []
    while left:
        candidate = left.pop()
        result = test([*left, *needed])
        if result.core is None:
            needed.append(candidate)
        else:
            left = [index for index in left if index in result.core]
    return sorted(needed)


def minimal_subset_by_parts(
    is_possible: Callable[[Collection[int]], bool], core: Iterable[int], parts: Iterable[Collection[int]]
) -> list[int]:
    """The same by a test without cores: parts are left out, then single constraints.

    >>> minimal_subset_by_parts(lambda chosen: not {2, 5} <= set(chosen), range(9), [(0, 1), (5, 6), (7, 8)])
    [2, 5]
    """
    left = set(core)
    for part in parts:
        if not is_possible(left.difference(part)):
            left.difference_update(part)
    for index in sorted(left, reverse=True):
        if not is_possible(left - {index}):
            left.discard(index)
    return sorted(left)


def smallest_unsatisfiable_subset(
    test: SubsetTest, minimal: Sequence[int], candidates: Collection[int], limit: SearchLimit
) -> tuple[list[int], bool]:
    """A smallest unsatisfiable subset, and whether it is known to be one.

    ``minimal`` is a minimal one to begin with, and the answer past the limit; others consist of ``candidates`` only.
    """
    if len(minimal) < 2:
        return list(minimal), True
    from pysat.examples.hitman import Hitman

    allowed = frozenset(candidates)
    with Hitman(solver="m22", htype="sorted") as hitting:
        while True:
            chosen = hitting.get()
            if chosen is None or len(chosen) >= len(minimal):
                return list(minimal), True
            if not limit.spend():
                return list(minimal), False
            result = test(chosen)
            if result.violated is None:
                return sorted(chosen), True
            hitting.hit(sorted(_minimal_correction_set(test, allowed, result.violated & allowed, limit)))


def _minimal_correction_set(
    test: SubsetTest, allowed: frozenset[int], violated: frozenset[int], limit: SearchLimit
) -> frozenset[int]:
    """A minimal correction set within some violated constraints.

    Every model of all other allowed constraints violates all of it. It is minimal unless the limit ends the search.
    """
    unavoidable: set[int] = set()
    while unavoidable < violated and limit.spend():
        index = min(violated - unavoidable)
        result = test([*(allowed - violated), index])
        if result.violated is None:
            unavoidable.add(index)
        else:
            violated = result.violated & allowed
    return violated
