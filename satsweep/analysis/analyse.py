"""Analysis of a board, given as text, rows or an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satsweep.analysis.analysis import Analysis
from satsweep.arguments import check_kind
from satsweep.board import Board, BoardLike
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache
from satsweep.solver.position import solve_position

if TYPE_CHECKING:
    from satsweep.analysis.candidates import MoveAdvice


def analyse(
    board: BoardLike, *, engine: str = "auto", budget: Budget | float | None = None, cache: ComponentCache | None = None
) -> Analysis:
    """Find the forced cells of a board and the exact risk of every other cell.

    The board may also be text, rows or an array, as ``Board`` reads them. ``engine`` counts: ``auto``, ``compiled``,
    ``elimination``, ``sat`` or ``cpsat``; all give the same answer. ``auto`` asks the compiled kernels first, unless it
    has a cache. ``budget`` is a ``Budget``, or just seconds. ``cache`` keeps backbones and counts of components for the
    next positions of the same game. Raises Contradiction when no world agrees with the board.

    >>> from satsweep.board import Cell
    >>> analysis = analyse(Board(("##1.", "##21", "####"), mines=3))
    >>> analysis.worlds, analysis.safe, analysis.risk(Cell(0, 0))
    (12, (Cell(row=2, col=1),), Fraction(1, 3))
    """
    board = Board.of(board)
    check_kind(engine, str, "the name of an engine")
    check_kind(cache, ComponentCache | None, "a ComponentCache")
    solution = solve_position(board, engine=engine, budget=Budget.of(budget), cache=cache)
    return Analysis(solution, board, engine, _advise)


def _advise(analysis: Analysis) -> MoveAdvice:
    # Imported now: forced cells and risks need neither endgames nor reasons.
    from satsweep.analysis.advice import advise

    return advise(analysis)
