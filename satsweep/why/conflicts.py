"""Conflicts: numbers that cannot all be true, and changes that make them possible.

A conflict is found in the same way as an explanation, but without an assumption about a cell: it is a smallest set of
constraints without a world. If a single number is wrong, every conflict contains it, because the board is possible
without it. A player who wants to correct one number therefore finds it in the conflict; each value that makes the whole
board possible is a correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from satsweep.board import COVERED, FLAG, MINE, NUMBERS, Board, BoardLike, Cell
from satsweep.solver.constraints import CellConstraint
from satsweep.solver.cores import (
    SearchLimit,
    SubsetSolver,
    minimal_subset_by_parts,
    minimal_unsatisfiable_subset,
    smallest_unsatisfiable_subset,
)
from satsweep.solver.reasons import connected_parts, is_smallest, subset_counter, trusted_constraints
from satsweep.why.values import Conflict, Correction

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
    return Conflict(board, clues, total, smallest, tuple(corrections))


def _conflict_without_total(constraints: Sequence[CellConstraint]) -> tuple[list[int], bool] | None:
    """Return a conflict, and whether it is known to be a smallest one.

    None if there is none. A minimal conflict lies in one connected part, so each part is searched on its own.
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
    """Yield every change of one clue, or of the total, that makes the board possible.

    Of totals these are the nearest ones, and only if the total takes part in the conflict.
    """
    for cell in clues:
        if board[cell] == FLAG:
            if _is_possible(board, cell, COVERED, trust_flags):
                yield Correction(cell)
            continue
        shown = board.number(cell) or 0
        for instead in range(board.clues.most(len(board.neighbours(cell))) + 1):
            if instead != shown and _is_possible(board, cell, NUMBERS[instead], trust_flags):
                yield Correction(cell, shown, instead)
    if total and board.mines is not None:
        for instead in _possible_totals(board, trust_flags):
            yield Correction(None, board.mines, instead)


def _is_possible(board: Board, cell: Cell, symbol: str, trust_flags: bool) -> bool:
    """Return whether the board is possible when a cell shows another symbol."""
    rows = list(board.cells)
    rows[cell.row] = rows[cell.row][: cell.col] + symbol + rows[cell.row][cell.col + 1 :]
    changed = replace(board, cells=tuple(rows))
    constraints = trusted_constraints(changed, trust_flags=trust_flags)
    every = range(len(constraints))
    if changed.mines is not None:
        return subset_counter(changed, constraints).assuming()(every)
    with SubsetSolver(constraints) as solver:
        return solver.assuming()(every).core is None


def _possible_totals(board: Board, trust_flags: bool) -> Iterator[int]:
    """Yield the nearest mine totals below and above that make the board possible."""
    assert board.mines is not None
    constraints = trusted_constraints(board, trust_flags=trust_flags)
    covered_mines = subset_counter(board, constraints).totals(range(len(constraints)))
    revealed = board.symbols.count(MINE)
    totals = [mines + revealed for mines in covered_mines]
    yield from [total for total in totals if total < board.mines][-1:]
    yield from [total for total in totals if total > board.mines][:1]
