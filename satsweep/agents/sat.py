"""Exact analysis by PySAT and CP-SAT: opens what is safe in every world, flags what is a mine in every world.

When nothing is forced it opens a cell of least risk. Ties are broken as in PSEQ (Tu et al. 2017): the highest chance
that a safe cell exists after the move, then the highest expected number of safe cells, then at random. PSEQ has one
more step, the entropy of the number shown; over 30,000 expert games it made no difference (-0.04 points), so it is left
out. What is known about components is kept for the rest of the game, so a move costs what it has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from satsweep.board import FLAG, Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess, Inference
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.components import Component
from satsweep.solver.engines import engine_named
from satsweep.solver.outlook import Outlooks, Placement
from satsweep.solver.pipeline import ComponentCache

MOST_STATES = 10_000
"""Ties among unreliable numbers are broken up to so many states of the components, times the tied cells."""


def agent(engine: str = "auto") -> Agent:
    """A fresh agent that counts with an engine. Raises ValueError for one that nobody knows."""
    engine_named(engine)
    mind = SatPlayer(engine)
    return Agent(mind.deduce, mind.guess)


class SatPlayer:
    """What the agent keeps during a game: the mines it has proved, what is known of components, the last analysis."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.mines: set[Cell] = set()
        self.memory = ComponentCache()
        self.placements: dict[Component, list[Placement] | None] = {}
        self._last: tuple[Board, Analysis] | None = None

    def analysis(self, board: Board) -> Analysis:
        """The analysis of a board, in which flags that the agent has proved are known mines."""
        if self._last is None or self._last[0] is not board:
            flags = {Cell(row, col) for row, line in enumerate(board.cells) if FLAG in line
                     for col, symbol in enumerate(line) if symbol == FLAG}  # fmt: skip
            known = board.trusting_flags() if flags <= self.mines else board.exploded(flags & self.mines)
            self._last = board, analyse(known, engine=self.engine, cache=self.memory)
        return self._last[1]

    def deduce(self, board: Board) -> Deduction:
        """Every forced cell."""
        analysis = self.analysis(board)
        safe, mines = analysis.safe, tuple(cell for cell in analysis.mines if board[cell] != FLAG)
        self.mines.update(mines)
        why = {cell: Inference(stage) for stage, cells in analysis.stages().items() for cell in cells}
        return Deduction(safe, mines, why)

    def guess(self, board: Board, rng: Random) -> Guess | None:
        """A cell of least risk, and of these one after which play goes on most easily."""
        analysis = self.analysis(board)
        least, tied = analysis.least_risk, analysis.safest
        if least is None or least == 1:
            return None
        why = "least risk" if least else "safe in every world"
        if least and len(tied) > 1 and self.is_quick(analysis, tied):
            tied, why = self.most_promising(analysis, tied)
        return Guess(tied[rng.randrange(len(tied))], why, least)

    def is_quick(self, analysis: Analysis, tied: Sequence[Cell]) -> bool:
        """Whether ties are worth the time to break them.

        Numbers that are not exact settle next to nothing, so components get large, and they are counted again for each
        number that a tied cell may show.
        """
        return analysis.board.clues.is_true or len(tied) * sum(work.states for work in analysis.work) <= MOST_STATES

    def most_promising(self, analysis: Analysis, tied: Sequence[Cell]) -> tuple[tuple[Cell, ...], str]:
        """Those of equally safe cells that promise most, and what that is."""
        board = analysis.board
        table = board.topology.neighbours(board.rows, board.cols)
        outlooks = Outlooks.of(analysis, self.placements)
        promise: dict[Cell, tuple[int, int]] = {}
        for cell in tied:
            outlook = outlooks.of_cell(index := board.index(cell), table[index])
            promise[cell] = outlook.progress, outlook.expected_safe
        best = max(promise.values())
        chance = Fraction(best[0], outlook.worlds)
        why = f"least risk of {len(tied)} cells, and a safe cell follows with {float(chance):.1%}"
        return tuple(cell for cell in tied if promise[cell] == best), why
