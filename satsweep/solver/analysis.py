"""The analysis of a board: forced cells, risks, and the best cell to open.

``analyse`` reads a board as constraints on its covered cells, and ``Analysis`` gives the solution in cells and exact
fractions.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from satsweep.board import Board, Cell
from satsweep.solver import compiled
from satsweep.solver.advice import MoveAdvice, advise
from satsweep.solver.analysed_board import AnalysedBoard
from satsweep.solver.board_solution import solve_board, solve_compiled
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache


@dataclass(frozen=True, slots=True)
class Analysis(AnalysedBoard):
    """Forced cells, risks and number of worlds of a board, all exact, and advice."""

    _advice: list[MoveAdvice] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def advice(self) -> MoveAdvice:
        """Cells to open, best first, and all that is known about them.

        Found at the first use, and kept.
        """
        if not self._advice:
            self._advice.append(advise(self))
        return self._advice[0]

    @property
    def best(self) -> Cell | None:
        """The cell to open: the first of the advice.

        None if nothing is worth opening: no covered cell is left, or all are mines, or no risk is known.
        """
        return self.advice.best


def analyse(
    board: Board, *, engine: str = "auto", budget: Budget | float | None = None, cache: ComponentCache | None = None
) -> Analysis:
    """Find the forced cells of a board and the exact risk of every other cell.

    ``engine`` counts: ``auto``, ``compiled``, ``elimination``, ``sat`` or ``cpsat``; all give the same answer. ``auto``
    goes over to the compiled kernels where many boards are analysed, unless it has a cache. ``budget`` is a ``Budget``,
    or just seconds. ``cache`` keeps backbones and counts of components for the next positions of the same game. Raises
    Contradiction when no layout agrees with the board.

    >>> analysis = analyse(Board(("##1.", "##21", "####"), mines=3))
    >>> analysis.worlds, analysis.safe, analysis.risk(Cell(0, 0))
    (12, (Cell(row=2, col=1),), Fraction(1, 3))
    """
    if not isinstance(board, Board):
        raise TypeError(f"expected a Board, found {board!r:.80}")
    limits = Budget.of(budget)
    auto = engine == "auto" and cache is None
    solution = None
    if limits.states is None and (engine == compiled.NAME or (auto and compiled.is_preferred())):
        solution = solve_compiled(board)
    if solution is None:
        solution = solve_board(board, engine=engine, budget=limits, cache=cache)
        if auto and compiled.supports(board):
            compiled.pay_rent(sum(solution.seconds.values()))
    return Analysis(solution, solution.odds, board, engine)
