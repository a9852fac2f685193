"""All forced cells, else the least risk: networkx and PySAT, or a compiled twin.

networkx splits the frontier into components, PySAT proves what is forced in each, and PySAT or elimination counts the
rest; ``sat:cpsat`` counts by CP-SAT. In a run of the arena a compiled twin plays, which makes the same moves, and some
of its games are played again here (``satsweep.arena.played_again``).

It opens every cell that is safe in every world and flags every cell that is a mine in every world. When nothing is
forced it opens a cell of least risk. Ties are broken as in PSEQ (Tu et al. 2017): the highest probability that a safe
cell exists after the move, then the highest expected number of safe cells, then at random. PSEQ has one more step, the
entropy of the shown number; over 30,000 expert games it made no difference (-0.04 points), so it is left out. Counts of
components are cached for the rest of the game, so a move costs what it changes.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from random import Random

from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.outlook import Outlooks, Placement
from satsweep.board import FLAG, Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess, Inference
from satsweep.solver.components import Component
from satsweep.solver.engines import engine_named
from satsweep.solver.pipeline import ComponentCache

MAX_TIE_STATES = 10_000
"""Limit for breaking ties among unreliable numbers: states times tied cells."""


def agent(engine: str = "auto") -> Agent:
    engine_named(engine)
    player = SatPlayer(engine)
    return Agent(player.deduce, player.guess)


class SatPlayer:
    """The agent's state in a game.

    ``mines`` are the mines proved so far, ``cache`` and ``placements`` the results for components, and the analysis of
    the last board is kept, too.
    """

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.mines: set[Cell] = set()
        self.cache = ComponentCache()
        self.placements: dict[Component, list[Placement] | None] = {}
        self._last: tuple[Board, Analysis] | None = None
        self._counted = 0

    def analysis(self, board: Board) -> Analysis:
        """Return the analysis of a board, in which proved flags are known mines."""
        if self._last is None or self._last[0] is not board:
            flags = {Cell(row, col) for row, line in enumerate(board.cells) if FLAG in line
                     for col, symbol in enumerate(line) if symbol == FLAG}  # fmt: skip
            known = board.trusting_flags() if flags <= self.mines else board.with_exploded(flags & self.mines)
            self._last = board, analyse(known, engine=self.engine, cache=self.cache)
        return self._last[1]

    def deduce(self, board: Board) -> Deduction:
        analysis = self.analysis(board)
        safe, mines = analysis.safe, tuple(cell for cell in analysis.mines if board[cell] != FLAG)
        self.mines.update(mines)
        why = {cell: Inference(stage) for stage, cells in analysis.stages.items() for cell in cells}
        return Deduction(safe, mines, why, evaluations=self.evaluations(analysis))

    def evaluations(self, analysis: Analysis) -> int | None:
        """Return the evaluations since the last call; None if unknown.

        Counts from the cache take none. The work of the SAT solver is not counted.
        """
        counted = list(islice(self.cache.counts.values(), self._counted, None))
        self._counted += len(counted)
        stages = analysis.solution.stages
        if stages is None:
            return None
        return stages.proved.tests + sum(counts.work.states + counts.work.placements for counts in counted)

    def guess(self, board: Board, rng: Random) -> Guess | None:
        analysis = self.analysis(board)
        least, tied = analysis.least_risk, analysis.safest
        if least is None or least == 1:
            return None
        why = "least risk" if least else "safe in every world"
        if least and len(tied) > 1 and self.can_break_ties(analysis, tied):
            tied, why = self.break_ties(analysis, tied)
        return Guess(tied[rng.randrange(len(tied))], why, least)

    def can_break_ties(self, analysis: Analysis, tied: Sequence[Cell]) -> bool:
        """Return whether breaking ties is cheap enough.

        Unreliable numbers determine few cells, so components get large, and they are counted again for each number that
        a tied cell may show.
        """
        return analysis.board.clues.is_true or len(tied) * sum(work.states for work in analysis.work) <= MAX_TIE_STATES

    def break_ties(self, analysis: Analysis, tied: Sequence[Cell]) -> tuple[tuple[Cell, ...], str]:
        """Return the tied cells of the best outlook, and the reason in words.

        The outlook is the probability that a safe cell follows, then the expected number of safe cells.
        """
        board = analysis.board
        table = board.topology.neighbours(board.rows, board.cols)
        outlooks = Outlooks.of(analysis, self.placements)
        scores: dict[Cell, tuple[int, int]] = {}
        for cell in tied:
            outlook = outlooks.of_cell(index := board.index(cell), table[index])
            scores[cell] = outlook.progress, outlook.expected_safe
        best = max(scores.values())
        chance = Fraction(best[0], outlook.worlds)
        why = f"least risk of {len(tied)} cells, and a safe cell follows with {float(chance):.1%}"
        return tuple(cell for cell in tied if scores[cell] == best), why
