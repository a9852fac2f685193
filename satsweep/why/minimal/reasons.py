"""Reasons of forced cells: smallest sets of numbers that force them.

The reasons for a forced cell are mostly near it. The search therefore tries the numbers that touch the cell first, then
those that share cells with them, and so on, until some set excludes every world with the opposite value. From this set
it deletes every number that can be spared, the farthest first (a minimal unsatisfiable subset). Then it looks for a
smaller set among the numbers near enough to be part of one: the numbers of a reason are connected, and one of them
touches the cell.

The mine total takes part only where all numbers together do not force the cell. Then numbers from anywhere may be
needed, and the sums that they allow are counted.

A safe cell is as *easy* as its smallest reason: fewer numbers are easier. A proof that needs the mine total, too, looks
at the whole board and is the hardest. Among cells that are equally easy the one nearest to the last move comes first,
because a player looks there, then the first in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

from satsweep.board import FLAG, NUMBER_OF, Board, Cell
from satsweep.solver.constraints import (
    CellConstraint,
    ConstraintReader,
    cell_constraints,
    covered_cells,
    exactly,
    support,
)
from satsweep.solver.position import prior_of
from satsweep.why.minimal.cores import (
    SearchLimit,
    SubsetCounter,
    SubsetSolver,
    minimal_subset_by_parts,
    minimal_unsatisfiable_subset,
    smallest_unsatisfiable_subset,
)

MOST_TESTS = 500
"""Limit on the tests in a search for a smaller set of numbers."""
MOST_SHARED = 400
"""Largest number of constraints that one solver holds for all cells.

Every constraint slows each call, needed or not.
"""


def trusted_constraints(board: Board, *, trust_flags: bool = False) -> list[CellConstraint]:
    constraints = cell_constraints(board)
    if trust_flags:
        flags = (index for index, symbol in enumerate(board.symbols) if symbol == FLAG)
        constraints += [CellConstraint(index, (index,), exactly(1)) for index in flags]
    return constraints


@dataclass(frozen=True, slots=True)
class Reason:
    """A minimal set of clues that forces a cell.

    ``total`` is true if the mine total is needed as well, ``smallest`` if no smaller set of clues forces the cell, as
    far as the search has answered that.
    """

    clues: tuple[Cell, ...]
    total: bool
    smallest: bool


class ReasonSearch(ExitStack):
    """Reasons of the forced cells of one board, which share solvers and results.

    Use it as a context, or call ``close``. With ``trust_flags`` flagged cells are mines, and flags are clues.
    """

    def __init__(self, board: Board, *, trust_flags: bool = False) -> None:
        super().__init__()
        self.board = board
        self._constraints = trusted_constraints(board, trust_flags=trust_flags)
        self._by_cell = constraints_by_cell(self._constraints)
        self._without_total: dict[tuple[int, ...], Reason | None] = {}
        self._with_total: dict[tuple[int, ...], Reason] = {}
        self._sets_with_total: list[list[int]] = []

    def numbers_of(self, cell: int) -> tuple[int, ...]:
        """The constraints on a cell; cells with the same ones share their reason."""
        return tuple(self._by_cell.get(cell, ()))

    def is_single(self, cell: int, *, mine: bool) -> bool:
        return self._single(cell, mine) is not None

    def reason(self, cell: int, *, mine: bool) -> Reason:
        """The reason why a cell is a mine, or safe. The cell must be forced."""
        found = self.reason_without_total(cell, mine=mine)
        if found is not None:
            return found
        key = (*self.numbers_of(cell), mine)
        if key not in self._with_total:
            self._with_total[key] = self._reason(*self._subset_with_total(cell, mine), total=True)
        return self._with_total[key]

    def reason_without_total(self, cell: int, *, mine: bool) -> Reason | None:
        """The reason if the clues alone force the cell; None if they do not."""
        key = (*self.numbers_of(cell), mine)
        if key not in self._without_total:
            found = self._subset_without_total(cell, mine)
            self._without_total[key] = None if found is None else self._reason(*found, total=False)
        return self._without_total[key]

    def _reason(self, subset: Iterable[int], smallest: bool, *, total: bool) -> Reason:
        clues = map(self.board.cell, sorted({self._constraints[number].clue for number in subset}))
        return Reason(tuple(clues), total, smallest)

    def _subset_without_total(self, cell: int, mine: bool) -> tuple[list[int], bool] | None:
        """Constraints that force a cell, and whether they are fewest; None if all do not."""
        near = self._by_cell.get(cell, ())
        if (single := self._single(cell, mine)) is not None:
            return [single], True
        further = _layers(self._constraints, self._by_cell, near)
        layers: list[list[int]] = []
        tried = 0
        for depth, layer in enumerate(further):
            layers.append(layer)
            if depth & (depth - 1):
                continue  # a search after 0, 1, 2, 4, 8, ... further layers
            tried = len(layers)
            minimal = self._minimal_subset(layers, cell, mine)
            if minimal is not None:
                break
        else:
            minimal = self._minimal_subset(layers, cell, mine) if tried < len(layers) else None
        if minimal is None:
            return None
        if len(minimal) <= 2:
            return minimal, True  # no single constraint forces the cell
        # A smaller set is connected and has a number that touches the cell, which bounds how far it reaches.
        reach = len(minimal) - 1
        layers += islice(further, max(reach - len(layers), 0))
        candidates = [number for layer in layers[:reach] for number in layer]
        with self._solver_of(candidates) as solver:
            test = solver.assuming(cell, not mine, among=candidates)
            return smallest_unsatisfiable_subset(test, minimal, candidates, SearchLimit(MOST_TESTS))

    def _single(self, cell: int, mine: bool) -> int | None:
        for number in self._by_cell.get(cell, ()):
            constraint = self._constraints[number]
            least, most = support(constraint.likelihood)
            if least == len(constraint.cells) if mine else most == 0:
                return number
        return None

    def _minimal_subset(self, layers: Sequence[Sequence[int]], cell: int, mine: bool) -> list[int] | None:
        candidates = [number for layer in layers for number in layer]
        with self._solver_of(candidates) as solver:
            test = solver.assuming(cell, not mine, among=())
            core = test(candidates).core
            if core is None:
                return None
            distance = {number: at for at, number in enumerate(candidates)}
            return minimal_unsatisfiable_subset(test, core, distance.__getitem__)

    @contextmanager
    def _solver_of(self, candidates: Sequence[int]) -> Iterator[SubsetSolver]:
        if len(self._constraints) <= MOST_SHARED:
            yield self._shared_solver
            return
        with SubsetSolver(self._constraints, candidates) as solver:
            yield solver

    @cached_property
    def _shared_solver(self) -> SubsetSolver:
        return self.enter_context(SubsetSolver(self._constraints))

    def _subset_with_total(self, cell: int, mine: bool) -> tuple[list[int], bool]:
        """Constraints that force a cell with the total, and whether they are fewest.

        A set that has forced one cell often forces others, so sets that are known are tried first.
        """
        is_possible = self._counter.assuming(cell, not mine)
        every = range(len(self._constraints))
        core = next((subset for subset in self._sets_with_total if not is_possible(subset)), every)
        subset = minimal_subset_by_parts(is_possible, core, connected_parts(self._constraints))
        if subset not in self._sets_with_total:
            self._sets_with_total.append(subset)
        return subset, is_smallest(is_possible, subset, len(self._constraints))

    @cached_property
    def _counter(self) -> SubsetCounter:
        return subset_counter(self.board, self._constraints)


def subset_counter(board: Board, constraints: Sequence[CellConstraint]) -> SubsetCounter:
    prior = prior_of(board)
    assert prior.mines is not None
    return SubsetCounter(constraints, covered_cells(board), prior.mines, at_most=prior.at_most)


def constraints_by_cell(constraints: Sequence[CellConstraint]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for index, constraint in enumerate(constraints):
        for cell in constraint.cells:
            found.setdefault(cell, []).append(index)
    return found


def _layers(
    constraints: Sequence[CellConstraint], by_cell: Mapping[int, Sequence[int]], first: Iterable[int]
) -> Iterator[list[int]]:
    """Yield the layers of a breadth-first search: constraints that share a cell touch."""
    layer = sorted(first)
    seen = set(layer)
    while layer:
        yield layer
        cells = {cell for index in layer for cell in constraints[index].cells}
        layer = sorted({other for cell in cells for other in by_cell[cell]} - seen)
        seen.update(layer)


def connected_parts(constraints: Sequence[CellConstraint]) -> list[list[int]]:
    """The constraints, by their indices, in parts that share no cell."""
    by_cell = constraints_by_cell(constraints)
    left = set(range(len(constraints)))
    parts = []
    while left:
        part = [index for layer in _layers(constraints, by_cell, [min(left)]) for index in layer]
        parts.append(part)
        left.difference_update(part)
    return parts


def is_smallest(is_possible: Callable[[Collection[int]], bool], minimal: Sequence[int], constraints: int) -> bool:
    """Return whether a minimal set of at most two constraints is certainly smallest.

    Larger sets are not examined: the mine total affects every cell, so with it sets are mostly large or very small.
    """
    if len(minimal) < 2:
        return True
    return len(minimal) == 2 and all(is_possible([index]) for index in range(constraints))


MOST_SEARCHED = 60
"""Most sets of cells whose proof is searched, the nearest first.

Cells of a set have the same numbers around them. Other sets come after these, unless a single number proves them safe.
"""
_ALONE, _UNSEARCHED, _TOTAL = range(3)


class EasySafeCell(NamedTuple):
    """A safe cell and its smallest reason; None if that needs the total or is unknown."""

    cell: Cell
    reason: Reason | None


def easiest_first(board: Board, safe: Sequence[Cell], last: Cell | None = None) -> tuple[EasySafeCell, ...]:
    """Sort the cells that are safe, the easiest first, then those near the last move.

    >>> board = Board(("######", "111122", "......"))
    >>> for found in easiest_first(board, (Cell(0, 0), Cell(0, 2), Cell(0, 3)), last=Cell(1, 4)):
    ...     print(found.cell, "by", *found.reason.clues)
    0,3 by 1,3 1,5
    0,2 by 1,0 1,1
    0,0 by 1,0 1,2 1,3 1,5
    """

    away = _distance_from(last)
    nearest = sorted(safe, key=away)
    with ReasonSearch(board) as search:
        found = list(_by_rank(board, nearest, search))
    order = sorted(found, key=lambda own: (own[0], away(own[1].cell)))
    return tuple(easy for _, easy in order)


def easiest(board: Board, safe: Sequence[Cell], last: Cell | None = None) -> Cell:
    """The first cell of ``easiest_first``, sooner.

    Single numbers and pairs are compared by arithmetic, near the cells and nowhere else. The solver is asked only where
    none of these proves a cell safe.

    >>> easiest(Board(("######", "111122", "......")), (Cell(0, 0), Cell(0, 2), Cell(0, 3)), last=Cell(1, 4))
    Cell(row=0, col=3)
    """
    nearest = sorted(safe, key=_distance_from(last))
    if len(nearest) == 1:
        return nearest[0]
    near = NearNumbers(board)
    sets: dict[tuple[int, ...], Cell] = {}
    for cell in nearest:
        numbers = near.on(board.index(cell))
        if any(near.is_safe_by(number) for number in numbers):
            return cell
        sets.setdefault(numbers, cell)
    for cell in islice(sets.values(), MOST_SEARCHED):
        if near.is_safe_by_two(board.index(cell)):
            return cell
    with ReasonSearch(board) as search:
        return min(_by_rank(board, nearest, search), key=lambda found: found[0])[1].cell


class NearNumbers:
    """The constraints of numbers near some cells, found when asked for."""

    def __init__(self, board: Board) -> None:
        self._reader = ConstraintReader(board)
        self._of = cache(self._reader.of)

    def on(self, cell: int) -> tuple[int, ...]:
        """The cells of the numbers that touch a cell."""
        symbols = self._reader.symbols
        return tuple([near for near in self._reader.neighbours[cell] if symbols[near] in NUMBER_OF])

    def is_safe_by(self, number: int) -> bool:
        """Return whether a number alone tells that the cells around it are safe."""
        need = self._reader.need(number)
        return support(self._of(number).likelihood)[1] == 0 if need is None else need == 0

    def is_safe_by_two(self, cell: int) -> bool:
        """Return whether two numbers, one beside it, tell that a cell is safe."""
        for number in self.on(cell):
            first = self._of(number)
            others = {other for covered in first.cells for other in self.on(covered)} - {number}
            if not all(self._is_possible(cell, first, self._of(other)) for other in others):
                return True
        return False

    @staticmethod
    def _is_possible(mine: int, one: CellConstraint, other: CellConstraint) -> bool:
        """Return whether two constraints allow a mine in a cell of the first."""
        shared = len({*one.cells}.intersection(other.cells))
        both = mine in other.cells
        free, alone, beside = shared - both, len(one.cells) - shared - (not both), len(other.cells) - shared
        return any(
            _allows(one.likelihood, common + 1, alone) and _allows(other.likelihood, common + both, beside)
            for common in range(free + 1)
        )


def _allows(likelihood: Sequence[int], mines: int, others: int) -> bool:
    """Return whether a count is possible of these mines and some of the other cells."""
    return any(likelihood[mines : mines + others + 1])


def _distance_from(last: Cell | None) -> Callable[[Cell], tuple[int, Cell]]:
    def away(cell: Cell) -> tuple[int, Cell]:
        return 0 if last is None else max(abs(cell.row - last.row), abs(cell.col - last.col)), cell

    return away


def _by_rank(
    board: Board, nearest: Sequence[Cell], search: ReasonSearch
) -> Iterator[tuple[tuple[int, int], EasySafeCell]]:
    sets = dict.fromkeys(search.numbers_of(board.index(cell)) for cell in nearest)
    searched = set(islice(sets, MOST_SEARCHED))
    for cell in nearest:
        index = board.index(cell)
        if search.is_single(index, mine=False) or search.numbers_of(index) in searched:
            found = search.reason_without_total(index, mine=False)
            yield (_TOTAL, 0) if found is None else (_ALONE, len(found.clues)), EasySafeCell(cell, found)
        else:
            yield (_UNSEARCHED, 0), EasySafeCell(cell, None)
