"""The strongest player: takes what is forced as sat does, and looks ahead where it has to guess.

A guess is the cell after which two plies look best, and the best possible one as soon as few worlds are left; boards
with few layouts are searched from the first cell on. The kernels do that (``satsweep.kernels.lookahead.deep``), and
nobody else: they are loaded at the first guess. What they have no room for, or do not know (a mine total that is not
told, numbers that are not exact), is left to ``sat``. Levels from 1 to 4 trade time for strength.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from satsweep.agents import sat
from satsweep.board import Board
from satsweep.games.agent import Agent, Guess
from satsweep.solver.analysis import Analysis

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.kernels import Advice

LEVELS = ("1", "2", "3", "4")
LEVEL = "2"
"""The level that is meant where none is named."""


def agent(level: str = LEVEL) -> Agent:
    """A fresh agent that plays at a level. Raises ValueError for one that nobody knows."""
    if level not in LEVELS:
        raise ValueError(f"expected a level among {', '.join(LEVELS)}, found {level!r}")
    mind = DeepPlayer(int(level))
    return Agent(mind.deduce, mind.guess)


class DeepPlayer(sat.SatPlayer):
    """What ``sat`` keeps during a game, and the positions in which it had to guess."""

    def __init__(self, level: int) -> None:
        super().__init__("auto")
        self.level = level
        self.guessed: list[NDArray[np.int8]] = []

    def guess(self, board: Board, rng: Random) -> Guess | None:
        """The cell that promises most."""
        analysis = self.analysis(board)
        settled = bool(analysis.safe) or len(analysis.mines) == len(analysis.odds)
        advice = None if settled else self.advice(analysis)
        if advice is None:
            return super().guess(board, rng)
        if advice.cell < 0:
            return None
        cell = board.cell(advice.cell)
        return Guess(cell, expected(advice), analysis.risk(cell))

    def advice(self, analysis: Analysis) -> Advice | None:
        """What the kernels say; None if that is not for them to say."""
        from satsweep import kernels
        from satsweep.solver import compiled as fast

        board = analysis.board
        if not fast.suits(board):
            return None
        assert board.mines is not None
        symbols = fast.symbols_of(board)
        table = fast.table_of(board.topology, board.rows, board.cols)
        advice = kernels.advise(symbols, table, board.mines, self.level, self.guessed)
        self.guessed.append(symbols)
        return advice if advice.status == kernels.FINE else None


def expected(advice: Advice) -> str:
    """What the player expects of its guess."""
    if advice.exact:
        return f"wins with probability {advice.value:.2f} (exact)"
    return f"wins with probability about {advice.value:.2f}"
