"""The strongest player: deduces as sat does, and looks ahead before it guesses.

It guesses the cell after which two plies look best. As soon as few worlds are left, the guess is the best one possible;
boards with few layouts are searched from the first cell on. The kernels do that (``kernels/lookahead/deep_player``).
Boards for which they have no room, or whose mine total or exact numbers are not known, are left to ``sat``. Levels from
1 to 5 trade time for strength.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from satsweep.agents import sat
from satsweep.analysis.analysis import Analysis
from satsweep.board import Board
from satsweep.errors import KernelError
from satsweep.games.agent import Agent, Guess
from satsweep.solver import compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVELS = ("1", "2", "3", "4", "5")
LEVEL = "2"
"""The level of an agent that names none."""
FINEST = 1_000_000
"""Largest denominator of a stated chance to win; the kernels have floats."""


def agent(level: str = LEVEL) -> Agent:
    try:
        compiled.load()
    except KernelError as error:
        raise ValueError(f"the agent deep cannot play: {error}") from None
    if level not in LEVELS:
        raise ValueError(f"expected a level among {', '.join(LEVELS)}, found {level!r}")
    player = DeepPlayer(int(level))
    return Agent(player.deduce, player.guess)


class DeepPlayer(sat.SatPlayer):
    """State of one game: that of ``sat``, and the positions of earlier guesses."""

    def __init__(self, level: int) -> None:
        super().__init__("auto")
        self.level = level
        self.guessed: list[NDArray[np.int8]] = []

    def evaluations(self, analysis: Analysis) -> None:
        """Return None: the search ahead is not counted."""

    def guess(self, board: Board, rng: Random) -> Guess | None:
        analysis = self.analysis(board)
        settled = bool(analysis.safe) or len(analysis.mines) == len(analysis.odds)
        advice = None if settled else self.advice(analysis)
        if advice is None:
            return super().guess(board, rng)
        if advice.cell < 0:
            return None
        from satsweep.analysis.deep import within_survival

        cell = board.cell(advice.cell)
        risk = analysis.risk(cell)
        wins = within_survival(Fraction(advice.value).limit_denominator(FINEST), risk)
        return Guess(cell, expectation(advice), risk, wins)

    def advice(self, analysis: Analysis) -> compiled.DeepGuess | None:
        from satsweep.analysis.deep import ask_deep

        advice = ask_deep(analysis.board, self.level, self.guessed)
        if advice is None:
            return None
        self.guessed.append(compiled.symbols_of(analysis.board))
        return advice if advice.status == compiled.FINE else None


def expectation(advice: compiled.DeepGuess) -> str:
    if advice.exact:
        return f"wins with probability {advice.value:.2f} (exact)"
    return f"wins with probability about {advice.value:.2f}"
