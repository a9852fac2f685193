"""Solutions of boards, by Python alone or with counts of compiled kernels.

Both give the same odds and the same worlds. The kernels count the components of a whole board at once; what follows is
the same for both (``probability``). They neither explain contradictions nor tell the stages apart: that is left to the
exact path, which answers when it is asked.
"""

from __future__ import annotations

from functools import lru_cache, partial

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import Contradiction
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.compiled import count_board
from satsweep.solver.constraints import CellConstraint, cell_constraints
from satsweep.solver.pipeline import ComponentCache, Solution, StageResults, Stopwatch, solve
from satsweep.solver.probability import Prior, cell_odds


def solve_board(
    board: Board, *, engine: str = "auto", budget: Budget = UNLIMITED, cache: ComponentCache | None = None
) -> Solution:
    """Solve a board stage by stage.

    Raises Contradiction with the cells to blame when no layout agrees with the board.
    """
    try:
        return solve(
            cell_constraints(board), covered_cells(board), prior_of(board), engine=engine, budget=budget, cache=cache
        )
    except Contradiction as error:
        raise _on_board(error, board) from None


def solve_compiled(board: Board) -> Solution | None:
    """Solve a board with counts of the kernels.

    None if a component is beyond their limits, or if no layout agrees with the board.
    """
    clock = Stopwatch()
    with clock.stage("count"):
        found = count_board(board, prior_of(board))
    if found is None:
        return None
    with clock.stage("combine"):
        verdict = cell_odds(found.counted)
    if verdict.worlds == 0:
        return None
    odds = verdict.with_settled(found.safe, found.mines)
    return Solution(odds, found.counted, clock.seconds, partial(_derivation, board))


@lru_cache(maxsize=16)
def _derivation(board: Board) -> StageResults:
    """The stages of the exact path, for a board that the kernels have solved."""
    return solve_board(board).derived


@lru_cache(maxsize=16)
def count_layouts(board: Board, engine: str) -> int | None:
    """The number of layouts that agree with a board; None if it is not known.

    Each counts once, however likely the shown numbers are in it.
    """
    constraints = [
        CellConstraint(clue, cells, tuple(map(bool, likelihood))) for clue, cells, likelihood in cell_constraints(board)
    ]
    return solve(constraints, covered_cells(board), prior_of(board), engine=engine).verdict.worlds


def covered_cells(board: Board) -> list[int]:
    """The covered cells, ascending."""
    return [index for index, symbol in enumerate(board.symbols) if symbol in (COVERED, FLAG)]


def prior_of(board: Board) -> Prior:
    """The prior on the mines of the covered cells."""
    return Prior(None if board.mines is None else board.mines - known_mines(board), board.density)


def known_mines(board: Board) -> int:
    """The number of mines that the board shows."""
    return sum(row.count(MINE) for row in board.cells)


def _on_board(error: Contradiction, board: Board) -> Contradiction:
    """The same contradiction with its clues as cells.

    Where the numbers alone are to blame the message names them.
    """
    cells = [board.cell(clue) for clue in error.clues if isinstance(clue, int)]
    message = str(error)
    if not error.total:
        numbers = ", ".join(f"{board.number(cell)} at {cell}" for cell in cells[:12])
        more = f" and {len(cells) - 12} more" if len(cells) > 12 else ""
        message = f"{message}: {numbers}{more}"
    return Contradiction(message, clues=cells, total=error.total)
