"""The analysis of a board: forced cells, risks, and the best cell to open.

``analyse`` reads a board as constraints on its covered cells, and ``Analysis`` gives the solution in cells and exact
fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from satsweep.analysis.advice import MoveAdvice, advise
from satsweep.analysis.analysed_board import AnalysedBoard, solve_board, solve_compiled
from satsweep.arguments import check_kind
from satsweep.board import Board, BoardLike, Cell
from satsweep.mixins import Worded
from satsweep.solver import compiled
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_SHOWN = 100
"""Most cells of a board that the ``repr`` of its analysis has."""


@dataclass(frozen=True, repr=False)
class Analysis(Worded, AnalysedBoard):
    """Forced cells, risks and number of worlds of a board, all exact, and advice."""

    @cached_property
    def advice(self) -> MoveAdvice:
        """Cells to open, best first, and all that is known about them.

        Found at the first use, and kept.
        """
        return advise(self)

    def to_array(self) -> NDArray[np.float64]:
        """The risks as an array of the board's rows and columns.

        NaN for cells that are not covered, and where the risk is not known.

        >>> analyse("mines 1\\n#1.").to_array().tolist()
        [[1.0, nan, nan]]
        """
        import numpy as np

        return np.array([[np.nan if risk is None else float(risk) for risk in row] for row in self.risks])

    def __repr__(self) -> str:
        size = repr(self.board) if len(self.board.symbols) <= _MOST_SHOWN else f"{self.board.rows}x{self.board.cols}"
        found = f"{len(self.safe)} safe, {len(self.mines)} mines among {len(self.odds)} covered cells"
        return f"<Analysis of {size}: {found}, best {self.best}>"

    @property
    def best(self) -> Cell | None:
        """The cell to open: the first of the advice.

        None if nothing is worth opening: no covered cell is left, or all are mines, or no risk is known.
        """
        return self.advice.best


def analyse(
    board: BoardLike, *, engine: str = "auto", budget: Budget | float | None = None, cache: ComponentCache | None = None
) -> Analysis:
    """Find the forced cells of a board and the exact risk of every other cell.

    The board may also be text, rows or an array, as ``Board`` reads them.
    ``engine`` counts: ``auto``, ``compiled``, ``elimination``, ``sat`` or ``cpsat``; all give the same answer. ``auto``
    asks the compiled kernels first, unless it has a cache. ``budget`` is a ``Budget``,
    or just seconds. ``cache`` keeps backbones and counts of components for the next positions of the same game. Raises
    Contradiction when no layout agrees with the board.

    >>> analysis = analyse(Board(("##1.", "##21", "####"), mines=3))
    >>> analysis.worlds, analysis.safe, analysis.risk(Cell(0, 0))
    (12, (Cell(row=2, col=1),), Fraction(1, 3))
    """
    board = Board.of(board)
    check_kind(engine, str, "the name of an engine")
    check_kind(cache, ComponentCache | None, "a ComponentCache")
    limits = Budget.of(budget)
    auto = engine == "auto" and cache is None
    solution = None
    if limits.states is None and (engine == compiled.NAME or (auto and compiled.is_preferred())):
        solution = solve_compiled(board)
    if solution is None:
        solution = solve_board(board, engine=engine, budget=limits, cache=cache)
    return Analysis(solution, board, engine)
