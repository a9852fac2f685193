"""Explanations of forced cells: smallest sets of numbers that force them.

The search for the numbers is that of ``solver/reasons``; cells that are not forced are shown in two worlds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from satsweep.board import COVERED, FLAG, Board, BoardLike, Cell
from satsweep.errors import BoardError, BudgetExceeded
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.budget import Budget
from satsweep.solver.reasons import ReasonSearch
from satsweep.solver.witness import find_world
from satsweep.why.values import Explanation, Undecided


class Explainer:
    """Explanations of one board, which share solvers and results. Use it as a context.

    ``analysis`` is the analysis of the board, if there is one already, with flags as mines if they are trusted. Raises
    Contradiction when no layout agrees with the board; ``conflict`` says why then.

    >>> with Explainer(Board(("##1.", "##21", "####"), mines=3)) as explainer:
    ...     for explanation in explainer.all():
    ...         print(explanation.cell, explanation.mine, *explanation.clues)
    2,1 False 0,2 1,2 1,3
    """

    def __init__(
        self,
        board: Board,
        *,
        trust_flags: bool = False,
        budget: Budget | float | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        self.board = board
        self.trust_flags = trust_flags
        self.analysis = analysis or analyse(board.trusting_flags() if trust_flags else board, budget=budget)
        self._reasons = ReasonSearch(board, trust_flags=trust_flags)

    def __enter__(self) -> Explainer:
        return self

    def __exit__(self, *_: object) -> None:
        self._reasons.close()

    def all(self) -> Iterator[Explanation]:
        """Yield the explanation of every forced cell: of safe cells, then of mines."""
        for cell in self.analysis.safe:
            yield self._explanation(cell, mine=False)
        for cell in self.analysis.mines:
            if not (self.trust_flags and self.board[cell] == FLAG):
                yield self._explanation(cell, mine=True)

    def of(self, cell: tuple[int, int]) -> Explanation | Undecided:
        """Return the explanation of a forced cell, or two worlds that differ in the cell.

        Raises BoardError for a cell that is not covered.
        """
        place = Cell.of(cell)
        on_grid = 0 <= place.row < self.board.rows and 0 <= place.col < self.board.cols
        allowed = (COVERED,) if self.trust_flags else (COVERED, FLAG)
        if not on_grid or self.board[place] not in allowed:
            raise BoardError(f"expected a covered cell, found {place}", at=place if on_grid else None)
        if place in self.analysis.safe or place in self.analysis.mines:
            return self._explanation(place, mine=place in self.analysis.mines)
        shown = self.board.trusting_flags() if self.trust_flags else self.board
        mined, safe = find_world(shown, {place: True}), find_world(shown, {place: False})
        assert mined is not None and safe is not None
        return Undecided(self.board, place, self._risk(place), mined, safe)

    def _risk(self, cell: Cell) -> Fraction | None:
        try:
            return self.analysis.risk(cell)
        except BudgetExceeded:
            return None

    def _explanation(self, cell: Cell, *, mine: bool) -> Explanation:
        found = self._reasons.reason(self.board.index(cell), mine=mine)
        return Explanation(self.board, cell, mine, found.clues, found.total, smallest=found.smallest)


def explain(
    board: BoardLike, cell: tuple[int, int], *, trust_flags: bool = False, budget: Budget | float | None = None
) -> Explanation | Undecided:
    """Return the clues that force a cell, or two worlds that differ in it.

    ``trust_flags`` takes flagged cells as mines, and flags as clues. The ``budget`` is for the analysis of the board:
    past it the risk of a cell that is not forced may be unknown. Raises BoardError for a cell that is not covered,
    TypeError for what is no cell, Contradiction when no layout agrees with the board.

    >>> explanation = explain(Board(("##1.", "##21", "####"), mines=3), (2, 1))
    >>> explanation.mine, explanation.clues, explanation.total
    (False, (Cell(row=0, col=2), Cell(row=1, col=2), Cell(row=1, col=3)), False)
    """
    with Explainer(Board.of(board), trust_flags=trust_flags, budget=budget) as explainer:
        return explainer.of(cell)
