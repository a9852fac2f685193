"""The answer to a board: what is forced, and how risky everything else is.

``analyse`` reads a board as statements about its covered cells, and ``Analysis`` speaks of the solution in cells
and exact fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from satsweep.board import COVERED, FLAG, HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.errors import Contradiction
from satsweep.solver.budget import Budget
from satsweep.solver.constraints import CellConstraint, cell_constraints
from satsweep.solver.pipeline import Answer, ComponentCache, risk, solve
from satsweep.solver.probability import Prior

FAST = "fast"
"""The engine that is compiled, and answers in floats."""


@dataclass(frozen=True, slots=True)
class Analysis(Answer):
    """What is known about every covered cell of a board, exactly; or, if ``exact`` is False, to twelve digits."""

    board: Board
    engine: str

    @property
    def exact(self) -> bool:
        """Whether risks are exact. If they are floats (``engine="fast"``), what is forced is forced all the same."""
        return self.engine != FAST

    @property
    def unknown(self) -> tuple[Cell, ...]:
        """Covered cells whose risk is not known, in row-major order."""
        return tuple(self._cell(index) for index, odds in sorted(self.odds.items()) if odds.mined is None)

    @property
    def safe(self) -> tuple[Cell, ...]:
        """Covered cells that are safe in every world, in row-major order."""
        return tuple(map(self._cell, self.solution.safe))

    @property
    def mines(self) -> tuple[Cell, ...]:
        """Covered cells that are mines in every world, in row-major order."""
        return tuple(map(self._cell, self.solution.mines))

    def risk(self, cell: tuple[int, int]) -> Fraction:
        """The probability that a covered cell is a mine.

        Raises ValueError for a cell that is not covered, BudgetExceeded where the risk is not known.
        """
        row, col = cell
        odds = self.odds.get(row * self.board.cols + col) if 0 <= col < self.board.cols else None
        if odds is None:
            raise ValueError(f"expected a covered cell, found row {row}, column {col}")
        return risk(odds)

    @property
    def risks(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """Row by row the risk of every covered cell; None for the others, and where it is not known."""
        table: list[list[Fraction | None]] = [[None] * self.board.cols for _ in range(self.board.rows)]
        for odds in self.solution.verdict.odds:
            if odds.mined is not None and odds.cells:
                shared = risk(odds)
                for index in odds.cells:
                    row, col = divmod(index, self.board.cols)
                    table[row][col] = shared
        return tuple(map(tuple, table))

    @property
    def best(self) -> Cell | None:
        """The cell to open: a safe one if any, else one of least risk; the first of equals.

        None if nothing is worth opening: no covered cell is left, or all are mines, or no risk is known.
        """
        hopeful = [odds for odds in self.solution.verdict.odds if odds.cells and odds.mined not in (None, odds.out_of)]
        if not hopeful:
            return None
        return self._cell(min((risk(odds), min(odds.cells)) for odds in hopeful)[1])

    @property
    def expected_mines(self) -> Fraction | None:
        """How many mines the covered cells hold on average; None if that is not known."""
        if self.board.mines is not None:
            return Fraction(self.board.mines - _known_mines(self.board))
        if not self.complete:
            return None
        groups = (odds for odds in self.solution.verdict.odds if odds.cells)
        return sum((risk(odds) * len(odds.cells) for odds in groups), Fraction(0))

    @property
    def frontier_mines(self) -> dict[int, Fraction] | None:
        """The probability of each number of mines among covered cells that touch a number; None if not known."""
        return self.solution.derived.counted.frontier_mines() if self.solution.is_counted else None

    @property
    def worlds(self) -> int | None:
        """How many layouts agree with the board, mine total included; None if that is not known.

        Where numbers are not exact layouts are not equally likely, and counting them takes another analysis.
        """
        known = self.solution.verdict.worlds
        return known if known is None or self.board.clues.is_true else _layouts(self.board, self.engine)

    @property
    def weight(self) -> Fraction | None:
        """With a density: the probability that cells drawn with it look like that; else None."""
        weight = self.solution.verdict.weight
        return weight if weight is None or self.board.clues.is_exact else weight * _scale(self.board)

    def _cell(self, index: int) -> Cell:
        return self.board.cell(index)


def analyse(
    board: Board, *, engine: str = "auto", budget: Budget | float | None = None, memory: ComponentCache | None = None
) -> Analysis:
    """Say exactly which covered cells are forced, and how risky every other cell is.

    ``engine`` counts: ``auto``, ``elimination``, ``sat`` or ``cpsat``; all give the same answer. ``fast`` is compiled,
    and its risks are floats; what it has no room for the exact path answers, and the analysis says so. ``budget`` is a
    ``Budget``, or just seconds. ``memory`` keeps what is found out about components for the next positions of the same
    game. Raises Contradiction when no layout agrees with the board.

    >>> analysis = analyse(Board(("##1.", "##21", "####"), mines=3))
    >>> analysis.worlds, analysis.safe, analysis.risk(Cell(0, 0))
    (12, (Cell(row=2, col=1),), Fraction(1, 3))
    """
    if engine == FAST:
        from satsweep.solver.compiled import solve_compiled  # loads what is compiled

        if (found := solve_compiled(board)) is not None:
            return Analysis(found, found.odds, board, FAST)
        engine = "auto"
    covered, prior = _asked(board)
    try:
        solution = solve(
            cell_constraints(board), covered, prior, engine=engine, budget=Budget.of(budget), memory=memory
        )
    except Contradiction as error:
        raise _on_board(error, board) from None
    return Analysis(solution, solution.odds, board, engine)


@lru_cache(maxsize=16)
def _layouts(board: Board, engine: str) -> int | None:
    """How many layouts agree with a board, each counted once however likely what it shows is."""
    said = [
        CellConstraint(clue, cells, tuple(map(bool, likelihood))) for clue, cells, likelihood in cell_constraints(board)
    ]
    return solve(said, *_asked(board), engine=engine).verdict.worlds


def _asked(board: Board) -> tuple[list[int], Prior]:
    """The covered cells, and what is known about the mines among them besides the numbers."""
    covered = [index for index, symbol in enumerate(board.symbols) if symbol in (COVERED, FLAG)]
    return covered, Prior(None if board.mines is None else board.mines - _known_mines(board), board.density)


def _scale(board: Board) -> Fraction:
    """The probability that stands behind a likelihood of one, all open cells together."""
    scale = Fraction(1)
    table, symbols = board.topology.neighbours(board.rows, board.cols), board.symbols
    shown = board.clues.chance if board.clues.is_true else None
    for index, symbol in enumerate(symbols):
        if shown is not None:
            scale *= shown if symbol in NUMBER_OF else 1 - shown if symbol == HIDDEN else 1
        elif symbol in NUMBER_OF:
            scale /= board.clues.scale(len(table[index]))
    return scale


def _known_mines(board: Board) -> int:
    return sum(row.count(MINE) for row in board.cells)


def _on_board(error: Contradiction, board: Board) -> Contradiction:
    """The same contradiction with its clues as cells, and named in its message where they are the point."""
    cells = [board.cell(clue) for clue in error.clues if isinstance(clue, int)]
    message = str(error)
    if not error.total:
        numbers = ", ".join(f"{board.number(cell)} at {cell}" for cell in cells[:12])
        more = f" and {len(cells) - 12} more" if len(cells) > 12 else ""
        message = f"{message}: {numbers}{more}"
    return Contradiction(message, clues=cells, total=error.total)
