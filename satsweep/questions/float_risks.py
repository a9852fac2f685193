"""Risks of many boards as arrays of floats, by compiled kernels.

Boards of one shape and topology go through one call. Everything else goes the exact path, board by board, and its
fractions become floats: boards beyond the limits of the kernels, those without a mine total or with numbers that may be
wrong, and all of them where the package has no compiled library. Risks that are exactly 0 or 1 are so in either case.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from satsweep.analysis.analyse import analyse
from satsweep.arguments import check_whole, integer, several, short_repr
from satsweep.board import Board, BoardLike
from satsweep.solver import compiled
from satsweep.solver.budget import UNLIMITED, Budget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Mines: TypeAlias = "int | Iterable[int] | None"
"""A mine total, or one for each board."""
Limits: TypeAlias = "Budget | float | None"
"""A budget, or just seconds."""
CHUNK = 500
"""Most boards of one call of a kernel, a fraction of a second."""


@overload
def risks(
    boards: NDArray[np.integer[Any]], mines: Mines = None, *, threads: int = 1, budget: Limits = None
) -> NDArray[np.float64]: ...
@overload
def risks(
    boards: Iterable[BoardLike], mines: Mines = None, *, threads: int = 1, budget: Limits = None
) -> list[NDArray[np.float64]]: ...
def risks(
    boards: Iterable[BoardLike] | NDArray[np.integer[Any]],
    mines: Mines = None,
    *,
    threads: int = 1,
    budget: Limits = None,
) -> list[NDArray[np.float64]] | NDArray[np.float64]:
    """Find the risks of many boards: for each an array of its rows and columns.

    An array of boards, of shape (boards, rows, columns), gives an array of the same shape; its integers are those of
    ``Board.to_array``. ``mines`` is the total of all boards, or has one for each, and counts where a board has none of
    its own. A cell that is not covered has NaN. Each of ``threads`` has its own memory, and the kernels run at the same
    time. ``budget``, a ``Budget`` or just seconds, bounds the time and the memory of each board that goes the exact
    path; a cell whose risk is not known then has NaN. Raises Contradiction when no world agrees with one of the
    boards, ValueError for an array of another shape, or another number of totals.

    >>> risks([Board(("##1.", "##21", "####"), mines=3)])[0].round(3).tolist()[1]
    [0.333, 0.5, nan, nan]
    >>> import numpy as np
    >>> risks(np.array([[[-1, 1, -1]], [[-1, 1, 0]]]), mines=1).tolist()
    [[[0.5, nan, 0.5]], [[1.0, nan, nan]]]
    """
    import numpy as np

    check_whole(threads, "threads")
    limits = Budget.of(budget)
    if isinstance(boards, np.ndarray):
        if boards.ndim != 3:
            raise ValueError(f"expected an array of boards, rows and columns, found {boards.ndim} dimensions")
        if not len(boards):
            return np.empty(boards.shape)
        return np.stack(_risks(_with_totals(boards, mines), threads, limits))
    return _risks(_with_totals(boards, mines), threads, limits)


def _with_totals(boards: Iterable[BoardLike], mines: Mines) -> list[Board]:
    given = [Board.of(board) for board in several(boards, "boards", one=Board | str)]
    total = integer(mines)
    if total is None and (isinstance(mines, str) or not isinstance(mines, Iterable | None)):
        raise TypeError(f"expected a mine total, or one for each board, found {short_repr(mines)}")
    totals = list(mines) if isinstance(mines, Iterable) else [total] * len(given)
    if len(totals) != len(given):
        raise ValueError(f"expected a mine total for each of {len(given)} boards, found {len(totals)}")
    return [
        board
        if total is None or board.mines is not None or board.density is not None
        else replace(board, mines=int(total))
        for board, total in zip(given, totals, strict=True)
    ]


def _risks(given: list[Board], threads: int, limits: Budget) -> list[NDArray[np.float64]]:
    found: list[NDArray[np.float64] | None] = [None] * len(given)
    alike: dict[object, list[int]] = {}
    if compiled.is_preferred():
        for index, board in enumerate(given):
            if board.mines is not None and compiled.supports(board):
                alike.setdefault((board.rows, board.cols, board.topology), []).append(index)
    calls = [some[start : start + CHUNK] for some in alike.values() for start in range(0, len(some), CHUNK)]

    def answer(call: list[int]) -> None:
        answers = _compiled_risks([given[index] for index in call])
        for index, own in zip(call, answers, strict=True):
            found[index] = own

    if threads > 1 and len(calls) > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(answer, calls))
    else:
        for call in calls:
            answer(call)
    return [exact_risks(board, limits) if own is None else own for board, own in zip(given, found, strict=True)]


def _compiled_risks(boards: list[Board]) -> list[NDArray[np.float64] | None]:
    """The risks of boards of one shape and topology, with a mine total.

    None for a board that other engines have to answer, or that no world agrees with.
    """
    import numpy as np

    shape = boards[0].rows, boards[0].cols
    symbols = np.stack([compiled.symbols_of(board) for board in boards])
    table = compiled.table_of(boards[0].topology, *shape)
    status, found = compiled.positions(symbols, table, [board.mines or 0 for board in boards])
    fine = (status == compiled.FINE).tolist()
    return [own if known else None for own, known in zip(found.reshape(len(boards), *shape), fine, strict=True)]


def exact_risks(board: Board, budget: Budget = UNLIMITED) -> NDArray[np.float64]:
    return analyse(board, budget=budget).to_array()
