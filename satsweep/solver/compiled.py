"""The answer to a board from the compiled kernels: the same cells are forced, and risks are floats.

What is forced is exactly what the exact analysis says is forced. Every other risk is a float that differs from the
fraction in the last digits (below 1e-12 of it), and nothing else is told: no number of worlds, no distribution. A
board that the kernels have no room for, or whose mine total is not known, or whose clues are not exact, they leave to
the exact path.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from satsweep import kernels
from satsweep.board import HIDDEN, MINE, NUMBERS, Board
from satsweep.solver.pipeline import Solution, Stopwatch
from satsweep.solver.probability import Odds, Verdict
from satsweep.topology import Topology

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CODES = np.full(256, kernels.COVERED, np.int8)
for _number, _symbol in enumerate(NUMBERS):
    _CODES[ord(_symbol)] = _number
_CODES[ord(MINE)] = kernels.MINE


def compile_kernels(
    say: Callable[[str], None] = lambda line: None, *, deep: bool = False, unaided: bool = False
) -> None:
    """Compile kernels if that was never done here, and whoever needs them finds them; ``say`` is told before.

    Those of games, with what only ``deep`` needs or without, or those that find boards that need no guess.
    """
    part = {"unaided": True} if unaided else {"deep": deep}
    if not kernels.is_ready(**part):
        whole = deep and not kernels.is_ready()
        say(f"compiling the kernels, which takes about {'a minute' if whole else 'half a minute'}, once")
        kernels.prepare(**part)


def solve_compiled(board: Board) -> Solution | None:
    """What the kernels know of a board; None if that is for the exact path to say.

    An open cell that shows nothing is none of theirs either, nor is a board that no layout agrees with.
    """
    if board.mines is None or not suits(board):
        return None
    clock = Stopwatch()
    with clock.stage("kernels"):
        symbols = symbols_of(board)
        found = kernels.position(symbols, table_of(board.topology, board.rows, board.cols), board.mines)
    if found.status != kernels.FINE:
        return None
    with clock.stage("read"):
        covered = np.flatnonzero(symbols == kernels.COVERED)
        odds = tuple(_odds(covered, found.risks[covered]))
    return Solution(Verdict(odds, None), (), clock.seconds)


def suits(board: Board) -> bool:
    """Whether the kernels know boards of this kind, and have room for one of this size and shape."""
    if board.mines is None or not board.clues.is_exact or any(HIDDEN in row for row in board.cells):
        return False
    return board.rows * board.cols <= kernels.CELLS and board.topology.most <= kernels.DEGREE


def symbols_of(board: Board) -> NDArray[np.int8]:
    """What is seen of each cell, as the kernels want it. Flags are opinions."""
    symbols: NDArray[np.int8] = _CODES[np.frombuffer(board.symbols.encode("ascii"), np.uint8)]
    return symbols


@lru_cache(maxsize=16)
def table_of(topology: Topology, rows: int, cols: int) -> kernels.NeighbourTable:
    """Which cells touch, as the kernels want it."""
    return kernels.neighbour_table(topology.neighbours(rows, cols))


def _odds(cells: NDArray[np.int64], risks: NDArray[np.float64]) -> list[Odds]:
    """Cells of the very same risk together, each risk as the pair of integers that the float is."""
    alike: dict[float, list[int]] = {}
    for cell, risk in zip(cells.tolist(), risks.tolist(), strict=True):
        alike.setdefault(risk, []).append(cell)
    return [Odds(tuple(found), *risk.as_integer_ratio()) for risk, found in alike.items()]
