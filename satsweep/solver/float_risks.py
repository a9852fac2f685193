"""Risks of many boards as arrays of floats, by compiled kernels.

Boards of one shape and topology go through one call. Everything else goes the exact path, board by board, and its
fractions become floats: boards beyond the limits of the kernels, those without a mine total or with numbers that may be
wrong, and all of them while no kernels are compiled. Risks that are exactly 0 or 1 are so in either case.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from satsweep.board import Board
from satsweep.solver import compiled
from satsweep.solver.analysis import analyse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 500
"""Most boards of one call of a kernel, a fraction of a second."""


def risks(boards: Iterable[Board], *, threads: int = 1) -> list[NDArray[np.float64]]:
    """Find the risks of many boards: for each an array of its rows and columns.

    A cell that is not covered has NaN. Each of ``threads`` has its own memory, and the kernels run at the same time.
    Raises Contradiction when no layout agrees with one of the boards.

    >>> risks([Board(("##1.", "##21", "####"), mines=3)])[0].round(3).tolist()[1]
    [0.333, 0.333, nan, nan]
    """
    given = list(boards)
    found: list[NDArray[np.float64] | None] = [None] * len(given)
    alike: dict[object, list[int]] = {}
    if compiled.is_preferred(len(given)):
        for index, board in enumerate(given):
            if board.mines is not None and compiled.supports(board):
                alike.setdefault((board.rows, board.cols, board.topology), []).append(index)
    calls = [some[start : start + CHUNK] for some in alike.values() for start in range(0, len(some), CHUNK)]

    def answer(call: list[int]) -> None:
        answers = compiled.risks_of([given[index] for index in call])
        for index, own in zip(call, answers, strict=True):
            found[index] = own

    if threads > 1 and len(calls) > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(answer, calls))
    else:
        for call in calls:
            answer(call)
    return [exact_risks(board) if own is None else own for board, own in zip(given, found, strict=True)]


def exact_risks(board: Board) -> NDArray[np.float64]:
    """The exact risks of a board, as floats."""
    import numpy as np

    rows = analyse(board).risks
    return np.array([[np.nan if risk is None else float(risk) for risk in row] for row in rows])
