"""Explanations of forced cells and of conflicts: smallest sets of numbers.

The search for the numbers is that of ``why/minimal/reasons``; cells that are not forced are shown in two worlds.

A conflict, numbers that cannot all be true, is found in the same way, but without an assumption about a cell: it is a
smallest set of constraints without a world. If a single number is wrong, every conflict contains it, because the board
is possible without it. A player who wants to correct one number therefore finds it in the conflict; each value that
makes the whole board possible is a correction. A known mine that is wrong, or an open cell that has to be a mine, is
beside a number of every conflict, or the mine total belongs to each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import COVERED, FLAG, HIDDEN, MINE, NUMBERS, Board, BoardLike, Cell
from satsweep.errors import BoardError, BudgetExceeded
from satsweep.part import WHOLE
from satsweep.questions.witness import find_world
from satsweep.solver.budget import Budget
from satsweep.solver.constraints import CellConstraint
from satsweep.why.minimal.cores import (
    SearchLimit,
    SubsetSolver,
    minimal_subset_by_parts,
    minimal_unsatisfiable_subset,
    smallest_unsatisfiable_subset,
)
from satsweep.why.minimal.reasons import ReasonSearch, connected_parts, is_smallest, subset_counter, trusted_constraints
from satsweep.why.values import Conflict, Correction, Explanation, Undecided


class Explainer:
    """Explanations of one board, which share solvers and results. Use it as a context.

    ``analysis`` is the analysis of the board, if there is one already, with flags as mines if they are trusted. Raises
    Contradiction when no world agrees with the board; ``conflict`` says why then.

    >>> with Explainer(Board(("##1.", "##21", "####"), mines=3)) as explainer:
    ...     for explanation in explainer.all():
    ...         print(explanation.cell, explanation.mine, *explanation.clues)
    2,1 False 0,2 1,2 1,3
    """

    def __init__(
        self,
        board: Board,
        *,
        trust_flags: bool = False,
        budget: Budget | float | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        self.board = board
        self.trust_flags = trust_flags
        self.analysis = analysis or analyse(board.trusting_flags() if trust_flags else board, budget=budget)
        self._reasons = ReasonSearch(board, trust_flags=trust_flags)

    def __enter__(self) -> Explainer:
        return self

    def __exit__(self, *_: object) -> None:
        self._reasons.close()

    def all(self) -> Iterator[Explanation]:
        """Yield the explanation of every forced cell: of safe cells, then of mines."""
        for cell in self.analysis.safe:
            yield _explanation(self._reasons, cell, mine=False)
        for cell in self.analysis.mines:
            if not (self.trust_flags and self.board[cell] == FLAG):
                yield _explanation(self._reasons, cell, mine=True)

    def of(self, cell: tuple[int, int]) -> Explanation | Undecided:
        """Return the explanation of a forced cell, or two worlds that differ in the cell.

        Raises BoardError for a cell that is not covered.
        """
        place = Cell.of(cell)
        on_grid = 0 <= place.row < self.board.rows and 0 <= place.col < self.board.cols
        allowed = (COVERED,) if self.trust_flags else (COVERED, FLAG)
        if not on_grid or self.board[place] not in allowed:
            raise BoardError(f"expected a covered cell, found {place}", at=place if on_grid else None)
        if place in self.analysis.safe or place in self.analysis.mines:
            return _explanation(self._reasons, place, mine=place in self.analysis.mines)
        shown = self.board.trusting_flags() if self.trust_flags else self.board
        mined, safe = find_world(shown, {place: True}), find_world(shown, {place: False})
        assert mined is not None and safe is not None
        return Undecided(self.board, place, self._risk(place), mined, safe)

    def _risk(self, cell: Cell) -> Fraction | None:
        try:
            return self.analysis.risk(cell)
        except BudgetExceeded:
            return None


def _explanation(reasons: ReasonSearch, cell: Cell, mine: bool) -> Explanation:
    found = reasons.reason(reasons.board.index(cell), mine=mine)
    return Explanation(reasons.board, cell, mine, found.clues, found.total, smallest=found.smallest)


def explain_forced(board: Board, cell: Cell, *, mine: bool) -> Explanation:
    """Return the clues that force a cell which is known to be forced.

    No other cell is looked at, so it takes milliseconds on boards whose risks take minutes.

    >>> explain_forced(Board(("##1.", "##21", "####"), mines=3), Cell(2, 1), mine=False).clues
    (Cell(row=0, col=2), Cell(row=1, col=2), Cell(row=1, col=3))
    """
    with closing(ReasonSearch(board)) as reasons:
        return _explanation(reasons, cell, mine)


def explain(
    board: BoardLike, cell: tuple[int, int], *, trust_flags: bool = False, budget: Budget | float | None = None
) -> Explanation | Undecided:
    """Return the clues that force a cell, or two worlds that differ in it.

    ``trust_flags`` takes flagged cells as mines, and flags as clues. The ``budget`` is for the analysis of the board:
    past it the risk of a cell that is not forced may be unknown. Raises BoardError for a cell that is not covered,
    TypeError for what is no cell, Contradiction when no world agrees with the board.

    >>> explanation = explain(Board(("##1.", "##21", "####"), mines=3), (2, 1))
    >>> explanation.mine, explanation.clues, explanation.total
    (False, (Cell(row=0, col=2), Cell(row=1, col=2), Cell(row=1, col=3)), False)
    """
    with Explainer(Board.of(board), trust_flags=trust_flags, budget=budget) as explainer:
        return explainer.of(cell)


MOST_TESTS = 2000
"""Limit on the tests in a search for a smaller conflict."""


def conflict(board: BoardLike, *, trust_flags: bool = False) -> Conflict | None:
    """Return numbers that cannot all be true; None if the board is possible.

    It is possible if some layout agrees with it. With ``trust_flags`` flags take part as well.

    >>> found = conflict(Board(("#####", "#131#", "#####")))
    >>> print(*found.clues)
    1,1 1,2 1,3
    >>> found.corrections[0]
    Correction(cell=Cell(row=1, col=1), shown=1, instead=2)
    """
    board = Board.of(board)
    constraints = trusted_constraints(board, trust_flags=trust_flags)
    found = _conflict_without_total(constraints)
    total = found is None
    if found is not None:
        subset, smallest = found
    else:
        if board.mines is None:
            return None
        every = range(len(constraints))
        is_possible = subset_counter(board, constraints).assuming()
        if is_possible(every):
            return None
        subset = minimal_subset_by_parts(is_possible, every, connected_parts(constraints))
        smallest = is_smallest(is_possible, subset, len(constraints))
    clues = tuple(board.cell(at) for at in sorted(constraints[number].clue for number in subset))
    corrections = sorted(_corrections(board, clues, total, trust_flags), key=_distance)
    corrections = corrections or list(_open_mines(board, clues, total, trust_flags))
    cut = WHOLE if board.part else board.topology.sides
    as_part = cut if cut and _is_possible(replace(board, part=cut), trust_flags) else WHOLE
    return Conflict(board, clues, total, smallest, tuple(corrections), as_part)


def _conflict_without_total(constraints: Sequence[CellConstraint]) -> tuple[list[int], bool] | None:
    """A conflict, and whether it is known to be smallest; None if there is none.

    A minimal conflict lies in one connected part, so each part is searched on its own.
    """
    found: list[list[int]] = []
    complete, limit = True, SearchLimit(MOST_TESTS)
    for part in connected_parts(constraints):
        with SubsetSolver([constraints[number] for number in part]) as solver:
            test = solver.assuming()
            core = test(range(len(part))).core
            if core is not None:
                minimal = minimal_unsatisfiable_subset(test, core)
                subset, smallest = smallest_unsatisfiable_subset(test, minimal, range(len(part)), limit)
                found.append([part[at] for at in subset])
                complete &= smallest
                if len(subset) == 1:
                    return found[-1], True
    return (min(found, key=len), complete) if found else None


def _distance(correction: Correction) -> tuple[int, Cell, int]:
    if correction.instead is None or correction.shown is None:
        return 1, correction.cell or Cell(-1, -1), 0
    return abs(correction.instead - correction.shown), correction.cell or Cell(-1, -1), correction.instead


def _corrections(board: Board, clues: tuple[Cell, ...], total: bool, trust_flags: bool) -> Iterator[Correction]:
    """Every change of a clue or known mine that helps, and the nearest totals."""
    for cell in clues:
        if board[cell] == FLAG:
            if _is_possible(_changed(board, cell, COVERED), trust_flags):
                yield Correction(cell)
            continue
        shown = board.number(cell) or 0
        for instead in range(board.clues.most(len(board.neighbours(cell))) + 1):
            if instead != shown and _is_possible(_changed(board, cell, NUMBERS[instead]), trust_flags):
                yield Correction(cell, shown, instead)
    for cell in _at_stake(board, clues, total):
        if board[cell] == MINE and _is_possible(_changed(board, cell, COVERED), trust_flags):
            yield Correction(cell)
    if total and board.mines is not None:
        for instead in _possible_totals(board, trust_flags):
            yield Correction(None, board.mines, instead)


def _open_mines(board: Board, clues: tuple[Cell, ...], total: bool, trust_flags: bool) -> Iterator[Correction]:
    """Open cells that have to be mines, where no other change helps.

    Without any of them, no single change makes the board possible.
    """
    for cell in _at_stake(board, clues, total):
        if board[cell] in NUMBERS + HIDDEN and _is_possible(_changed(board, cell, COVERED), trust_flags):
            yield Correction(cell, board.number(cell))


def _at_stake(board: Board, clues: tuple[Cell, ...], total: bool) -> list[Cell]:
    """Cells that a conflict is about: its numbers and those around them, or all."""
    return sorted(board if total else {*clues}.union(*map(board.neighbours, clues)))


def _changed(board: Board, cell: Cell, symbol: str) -> Board:
    rows = list(board.cells)
    rows[cell.row] = rows[cell.row][: cell.col] + symbol + rows[cell.row][cell.col + 1 :]
    return replace(board, cells=tuple(rows))


def _is_possible(board: Board, trust_flags: bool) -> bool:
    constraints = trusted_constraints(board, trust_flags=trust_flags)
    every = range(len(constraints))
    if board.mines is not None:
        return subset_counter(board, constraints).assuming()(every)
    with SubsetSolver(constraints) as solver:
        return solver.assuming()(every).core is None


def _possible_totals(board: Board, trust_flags: bool) -> Iterator[int]:
    assert board.mines is not None
    constraints = trusted_constraints(board, trust_flags=trust_flags)
    covered_mines = subset_counter(board, constraints).totals(range(len(constraints)))
    revealed = board.symbols.count(MINE)
    totals = [mines + revealed for mines in covered_mines]
    yield from [total for total in totals if total < board.mines][-1:]
    yield from [total for total in totals if total > board.mines][:1]
