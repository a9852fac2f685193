"""The one door to the compiled kernels: capacity, encoding of boards, compiling.

No other module imports ``satsweep.kernels``. Callers that play games or look for boards without a
guess take the functions of ``satsweep.kernels.api`` from here, too. These are loaded at first use, so that importing
this module loads neither numba nor numpy.

An analysis by the kernels (``engine="fast"``) has exactly the forced cells of the exact analysis. Every other risk is a
float that differs from the fraction in the last digits (below 1e-12 of it), and nothing else is known: no number of
worlds, no distribution. The exact path answers boards that the kernels have no room for, whose mine total is not known,
or whose clues are not exact.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from satsweep.board import HIDDEN, MINE, NUMBERS, Board
from satsweep.kernels import library as library, limits
from satsweep.kernels.compiling import Part as Part
from satsweep.solver.pipeline import Solution, Stopwatch
from satsweep.solver.probability import Odds, Verdict
from satsweep.topology import Topology

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.kernels.api import (
        FINE as FINE,
        OUTCOMES as OUTCOMES,
        Advice as Advice,
        FoundLayout as FoundLayout,
        NeighbourTable,
        advise as advise,
        find_no_guess as find_no_guess,
        play_games as play_games,
    )


_FROM_THE_KERNELS = {"FINE", "OUTCOMES", "Advice", "FoundLayout", "advise", "find_no_guess", "play_games"}
"""Names of ``satsweep.kernels.api`` that this module has, too."""


def __getattr__(name: str) -> Any:
    """Return a name of ``satsweep.kernels.api``, which is loaded now."""
    if name not in _FROM_THE_KERNELS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("satsweep.kernels.api"), name)


def fits(cells: int, topology: Topology) -> bool:
    """Return whether the kernels have room for boards of this size and topology."""
    return cells <= limits.CELLS and topology.most <= limits.DEGREE


def supports(board: Board) -> bool:
    """Return whether the kernels can analyse a board.

    It has to fit, its mine total has to be known, and its numbers exact.
    """
    if board.mines is None or not board.clues.is_exact or any(HIDDEN in row for row in board.cells):
        return False
    return fits(board.rows * board.cols, board.topology)


def symbols_of(board: Board) -> NDArray[np.int8]:
    """Codes of all cells, row-major, as the kernels read them.

    Flags are opinions, so flagged cells are covered ones.
    """
    import numpy as np

    symbols: NDArray[np.int8] = _codes()[np.frombuffer(board.symbols.encode("ascii"), np.uint8)]
    return symbols


@cache
def _codes() -> NDArray[np.int8]:
    """The kernels' code of every ASCII symbol."""
    import numpy as np

    from satsweep.kernels import api

    codes = np.full(256, api.COVERED, np.int8)
    for number, symbol in enumerate(NUMBERS):
        codes[ord(symbol)] = number
    codes[ord(MINE)] = api.MINE
    return codes


@lru_cache(maxsize=16)
def table_of(topology: Topology, rows: int, cols: int) -> NeighbourTable:
    """Neighbours of every cell, as the kernels read them."""
    from satsweep.kernels.api import neighbour_table

    return neighbour_table(topology.neighbours(rows, cols))


def solve_compiled(board: Board) -> Solution | None:
    """Solution of a board by the kernels; None if the exact path has to answer.

    The exact path also answers boards that no layout agrees with.
    """
    if board.mines is None or not supports(board):
        return None
    import numpy as np

    from satsweep.kernels import api

    clock = Stopwatch()
    with clock.stage("kernels"):
        symbols = symbols_of(board)
        found = api.position(symbols, table_of(board.topology, board.rows, board.cols), board.mines)
    if found.status != api.FINE:
        return None
    with clock.stage("read"):
        covered = np.flatnonzero(symbols == api.COVERED)
        odds = tuple(_odds(covered, found.risks[covered]))
    return Solution(Verdict(odds, None), (), clock.seconds)


def _odds(cells: NDArray[np.int64], risks: NDArray[np.float64]) -> list[Odds]:
    """Cells of equal risk together, with the risk as the float's pair of integers."""
    alike: dict[float, list[int]] = {}
    for cell, risk in zip(cells.tolist(), risks.tolist(), strict=True):
        alike.setdefault(risk, []).append(cell)
    return [Odds(tuple(found), *risk.as_integer_ratio()) for risk, found in alike.items()]
