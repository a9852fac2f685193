"""Which statements does it take? Sets of them that nothing can be left out of, and smallest ones.

A *test* tells of some statements whether they have a model, together with whatever is asked of one cell. Where numbers
are enough each statement is switched on by a selector, so a test is one call of a PySAT solver that has all of them.
Where the mine total takes part the sums are counted that the statements allow.

``minimal`` leaves out one statement after the other as long as the rest has no model either (deletion, Chinneck and
Dravnieks 1991). ``smallest`` then looks for a set with fewer members by the duality of Reiter (1987) as Ignatiev,
Previti, Liffiton and Marques-Silva (2015) use it: a model of some statements breaks others, and one of those has to be
in any set without a model; so a smallest set that hits all that is broken so far either has no model, and is an answer
that cannot be beaten, or has one, which breaks something new.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from satsweep.errors import Contradiction
from satsweep.solver.cnf import encode
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import CellConstraint, Constraint, exactly, gather
from satsweep.solver.engines.auto import count
from satsweep.solver.propagate import propagate
from satsweep.solver.sat_solver import SelectorSolver


class Tried(NamedTuple):
    """What a test found: ``broken`` are the statements that some model breaks, ``core`` those that leave no model."""

    broken: frozenset[int] | None = None
    core: frozenset[int] | None = None


Trial = Callable[[Collection[int]], Tried]
"""Statements, each given by its index, are put to the test; a core is a subset of them."""


class Numbers:
    """Trials of statements by PySAT: of all, or of some, given by their indices.

    Use it as a context, or call ``close``: the solver is not Python's to clean up.
    """

    def __init__(self, said: Sequence[CellConstraint], indices: Iterable[int] | None = None) -> None:
        self.indices = tuple(range(len(said)) if indices is None else indices)
        cells = sorted({cell for index in self.indices for cell in said[index].cells})
        self._variable = {cell: variable for variable, cell in enumerate(cells, 1)}
        self._scopes = [
            ([self._variable[cell] for cell in said[index].cells], said[index].likelihood) for index in self.indices
        ]
        self._solver = SelectorSolver(len(cells) + 1, self.indices)
        top = len(cells) + len(self.indices)
        for index, (scope, likelihood) in zip(self.indices, self._scopes, strict=True):
            clauses, auxiliary = _pattern(len(scope), likelihood)
            variables = [0, *scope, *range(top + 1, top + auxiliary + 1)]
            top += auxiliary
            for clause in clauses:
                literals = [variables[literal] if literal > 0 else -variables[-literal] for literal in clause]
                self._solver.add(literals, index)

    def __enter__(self) -> Numbers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the solver."""
        self._solver.close()

    def asking(self, cell: int | None = None, mine: bool = False) -> Trial:
        """A trial in which, besides, the cell is a mine, or none; without a cell nothing is asked besides."""
        asked = [] if cell is None else [self._variable[cell] if mine else -self._variable[cell]]

        def trial(chosen: Collection[int]) -> Tried:
            model = self._solver.model(chosen, asked)
            return Tried(core=self._solver.core()) if model is None else Tried(broken=self._broken(model))

        return trial

    def _broken(self, model: Sequence[int]) -> frozenset[int]:
        mined = [0, *(int(literal > 0) for literal in model)]
        mined += [0] * (len(self._variable) + 1 - len(mined))
        broken = []
        for index, (scope, likelihood) in zip(self.indices, self._scopes, strict=True):
            count = sum(map(mined.__getitem__, scope))
            if count >= len(likelihood) or not likelihood[count]:
                broken.append(index)
        return frozenset(broken)


@lru_cache(maxsize=1024)
def _pattern(cells: int, likelihood: tuple[int, ...]) -> tuple[list[list[int]], int]:
    """What a statement says on so many cells, in clauses on variables from 1, and how many more variables they have."""
    coded = encode(Component((1,) * cells, (Constraint(tuple(range(cells)), likelihood),)))
    return coded.by_constraint[0], coded.top - cells


class WithTotal:
    """Tests of statements and the mine total: so many mines among all of the covered cells.

    What is left after propagation is counted, component by component, and only sums that occur are kept. Leaving out
    one statement changes one component, so the sums of all others are there already.
    """

    def __init__(self, said: Sequence[CellConstraint], covered: Collection[int], mines: int) -> None:
        self._said, self._covered, self._mines = said, covered, mines
        self._sums: dict[Component, int] = {}

    def asking(self, cell: int | None = None, mine: bool = False) -> Callable[[Collection[int]], bool]:
        """Whether statements leave a world in which, besides, the cell is a mine, or none."""
        asked = [] if cell is None else [CellConstraint(cell, (cell,), exactly(int(mine)))]

        def possible(chosen: Collection[int]) -> bool:
            sums, sea = self._left(chosen, asked)
            if not self._mines >= 0:
                return False
            return bool((sums & ((1 << (self._mines + 1)) - 1)) >> max(self._mines - sea, 0))

        return possible

    def totals(self, chosen: Collection[int]) -> list[int]:
        """How many mines there may be among the covered cells if some statements are true, ascending."""
        sums, sea = self._left(chosen, [])
        sums = _added(sums, (1 << (sea + 1)) - 1)
        return [mines for mines in range(sums.bit_length()) if sums >> mines & 1]

    def _left(self, chosen: Collection[int], asked: list[CellConstraint]) -> tuple[int, int]:
        """The possible sums of what statements speak about, as bits, and how many cells are free."""
        try:
            settled = propagate(gather([*(self._said[index] for index in sorted(chosen)), *asked], self._covered))
        except Contradiction:
            return 0, 0
        sums = 1 << len(settled.mines)
        for part in components(settled.frontier):
            sums = _added(sums, self._sums_of(part.component))
        return sums, len(settled.frontier.sea)

    def _sums_of(self, component: Component) -> int:
        """The possible numbers of mines in a component, as bits."""
        if component not in self._sums:
            ways = count(component).total
            self._sums[component] = sum(1 << mines for mines, number in enumerate(ways) if number)
        return self._sums[component]


def _added(some: int, others: int) -> int:
    """The sums of one number of each of two sets, all as bits.

    >>> bin(_added(0b101, 0b11))
    '0b1111'
    """
    found = 0
    for shift in range(others.bit_length()):
        if others >> shift & 1:
            found |= some << shift
    return found


class Effort:
    """How many tests may be made before a smallest set is given up."""

    def __init__(self, tests: int) -> None:
        self.left = tests

    def spend(self) -> bool:
        """Make one test, if that is still allowed."""
        self.left -= 1
        return self.left >= 0


def minimal(test: Trial, core: Iterable[int], order: Callable[[int], int] = int) -> list[int]:
    """The statements of a core that are left when all that can be spared is left out, by falling order if possible.

    >>> def test(chosen):
    ...     return Tried(core=frozenset(chosen)) if {2, 5} <= set(chosen) else Tried(broken=frozenset())
    >>> minimal(test, range(9))
    [2, 5]
    """
    left = sorted(core, key=order)
    needed: list[int] = []
    while left:
        spared = left.pop()
        found = test([*left, *needed])
        if found.core is None:
            needed.append(spared)
        else:
            left = [index for index in left if index in found.core]
    return sorted(needed)


def minimal_with_total(
    possible: Callable[[Collection[int]], bool], core: Iterable[int], parts: Iterable[Collection[int]]
) -> list[int]:
    """The same where a test tells no core: whole parts are left out first, then single statements.

    >>> minimal_with_total(lambda chosen: not {2, 5} <= set(chosen), range(9), [(0, 1), (5, 6), (7, 8)])
    [2, 5]
    """
    left = set(core)
    for part in parts:
        if not possible(left.difference(part)):
            left.difference_update(part)
    for index in sorted(left, reverse=True):
        if not possible(left - {index}):
            left.discard(index)
    return sorted(left)


def smallest(test: Trial, known: Sequence[int], candidates: Collection[int], effort: Effort) -> tuple[list[int], bool]:
    """A set without a model that has fewest members of all, given a minimal one; False if that was not found out.

    Only sets of ``candidates`` are looked at, beside the one that is known.
    """
    if len(known) < 2:
        return list(known), True
    from pysat.examples.hitman import Hitman

    allowed = frozenset(candidates)
    with Hitman(solver="m22", htype="sorted") as hitting:
        while True:
            chosen = hitting.get()
            if chosen is None or len(chosen) >= len(known):
                return list(known), True
            if not effort.spend():
                return list(known), False
            found = test(chosen)
            if found.broken is None:
                return sorted(chosen), True
            hitting.hit(sorted(_correction(test, allowed, found.broken & allowed, effort)))


def _correction(test: Trial, allowed: frozenset[int], broken: frozenset[int], effort: Effort) -> frozenset[int]:
    """Of what a model breaks, what every model breaks that keeps at least the rest."""
    hopeless: set[int] = set()
    while hopeless < broken and effort.spend():
        index = min(broken - hopeless)
        found = test([*(allowed - broken), index])
        if found.broken is None:
            hopeless.add(index)
        else:
            broken = found.broken & allowed
    return broken
