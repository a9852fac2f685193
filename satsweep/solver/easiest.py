"""Safe cells in the order in which they are easiest to see.

A cell is as easy as the smallest set of numbers that proves it safe: fewer numbers are easier. A proof that needs the
mine total, too, looks at the whole board and is the hardest. Among cells that are equally easy the one nearest to the
last move comes first, because a player looks there, then the first in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from satsweep.board import Board, Cell
from satsweep.solver.reasons import Reason, ReasonSearch

MOST_SEARCHED = 60
"""Most sets of cells whose proof is searched, the nearest first.

Cells of a set have the same numbers around them. Other sets come after these, unless a single number proves them safe.
"""
_ALONE, _UNSEARCHED, _TOTAL = range(3)


class EasySafeCell(NamedTuple):
    """A safe cell, with a smallest set of numbers that proves it.

    None where that needs the mine total, too, or was not searched.
    """

    cell: Cell
    reason: Reason | None


def easiest_first(board: Board, safe: Sequence[Cell], last: Cell | None = None) -> tuple[EasySafeCell, ...]:
    """Sort the cells that are safe, the easiest first.

    ``last`` is the cell of the last move.

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
        found = list(_ranked(board, nearest, search))
    order = sorted(found, key=lambda own: (own[0], away(own[1].cell)))
    return tuple(easy for _, easy in order)


def easiest(board: Board, safe: Sequence[Cell], last: Cell | None = None) -> Cell:
    """The first cell of ``easiest_first``, sooner: other proofs are mostly not needed.

    >>> easiest(Board(("######", "111122", "......")), (Cell(0, 0), Cell(0, 2), Cell(0, 3)), last=Cell(1, 4))
    Cell(row=0, col=3)
    """
    nearest = sorted(safe, key=_distance_from(last))
    with ReasonSearch(board) as search:
        for cell in nearest:
            if search.is_single(board.index(cell), mine=False):
                return cell
        best, found = (_TOTAL, 1), nearest[0]
        for rank, own in _ranked(board, nearest, search):
            if rank < best:
                best, found = rank, own.cell
            if best <= (_ALONE, 2):
                break  # No single number proves a cell safe, so nothing is easier.
    return found


def _distance_from(last: Cell | None) -> Callable[[Cell], tuple[int, Cell]]:
    """How far a cell is from the last move; among equals, its place."""

    def away(cell: Cell) -> tuple[int, Cell]:
        return 0 if last is None else max(abs(cell.row - last.row), abs(cell.col - last.col)), cell

    return away


def _ranked(
    board: Board, nearest: Sequence[Cell], search: ReasonSearch
) -> Iterator[tuple[tuple[int, int], EasySafeCell]]:
    """Yield the safe cells, the nearest first, and how hard each is to see."""
    sets = dict.fromkeys(search.numbers_of(board.index(cell)) for cell in nearest)
    searched = set(islice(sets, MOST_SEARCHED))
    for cell in nearest:
        index = board.index(cell)
        if search.is_single(index, mine=False) or search.numbers_of(index) in searched:
            found = search.reason_without_total(index, mine=False)
            yield (_TOTAL, 0) if found is None else (_ALONE, len(found.clues)), EasySafeCell(cell, found)
        else:
            yield (_UNSEARCHED, 0), EasySafeCell(cell, None)
