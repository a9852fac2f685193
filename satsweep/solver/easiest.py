"""Safe cells in the order in which they are easiest to see.

A cell is as easy as the smallest set of numbers that proves it safe: fewer numbers are easier. A proof that needs the
mine total, too, looks at the whole board and is the hardest. Among cells that are equally easy the one nearest to the
last move comes first, because a player looks there, then the first in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
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

    def away(cell: Cell) -> tuple[int, Cell]:
        return 0 if last is None else max(abs(cell.row - last.row), abs(cell.col - last.col)), cell

    rank: dict[Cell, tuple[int, int]] = {}
    reasons: dict[Cell, Reason | None] = {}
    nearest = sorted(safe, key=away)
    with ReasonSearch(board) as search:
        sets = dict.fromkeys(search.numbers_of(board.index(cell)) for cell in nearest)
        searched = set(islice(sets, MOST_SEARCHED))
        for cell in nearest:
            index = board.index(cell)
            if search.is_single(index, mine=False) or search.numbers_of(index) in searched:
                reasons[cell] = found = search.reason_without_total(index, mine=False)
                rank[cell] = (_TOTAL, 0) if found is None else (_ALONE, len(found.clues))
            else:
                reasons[cell], rank[cell] = None, (_UNSEARCHED, 0)
    order = sorted(nearest, key=lambda cell: (rank[cell], away(cell)))
    return tuple(EasySafeCell(cell, reasons[cell]) for cell in order)
