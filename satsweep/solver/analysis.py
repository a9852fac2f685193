"""The analysis of a board: its forced cells, and the risk of every other cell.

``analyse`` reads a board as constraints on its covered cells, and ``Analysis`` gives the solution in cells and exact
fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from satsweep.board import HIDDEN, NUMBER_OF, Board, BoardLike, Cell
from satsweep.rendered import Worded
from satsweep.solver import compiled
from satsweep.solver.board_solution import count_layouts, known_mines, solve_board, solve_compiled
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import Answer, ComponentCache, risk
from satsweep.solver.probability import Odds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_SHOWN = 100
"""Most cells of a board that the ``repr`` of its analysis has."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Worded, Answer):
    """Forced cells, risks and number of worlds of a board, all exact."""

    board: Board
    engine: str

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
        """The risk of every covered cell, row by row.

        None for the other cells, and where it is not known.
        """
        cols = self.board.cols
        table: list[Fraction | None] = [None] * (self.board.rows * cols)
        for odds in self.solution.verdict.odds:
            if odds.mined is not None and odds.cells:
                shared = risk(odds)
                for index in odds.cells:
                    table[index] = shared
        return tuple(tuple(table[start : start + cols]) for start in range(0, len(table), cols))

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
        """The cell to open: a safe one if any, else one of least risk.

        The first of equals; None if nothing is worth opening: no covered cell is left, or all are mines, or no risk is
        known.
        """
        return None if self.least_risk in (None, 1) else self.safest[0]

    @property
    def least_risk(self) -> Fraction | None:
        """The least risk of a covered cell, 0 if one is safe; None if no risk is known."""
        return min((risk(odds) for odds in self._known_odds()), default=None)

    @property
    def safest(self) -> tuple[Cell, ...]:
        """All covered cells of least risk, in row-major order; none if no risk is known."""
        known = [(risk(odds), odds.cells) for odds in self._known_odds()]
        least = min((own for own, _ in known), default=None)
        return tuple(map(self._cell, sorted(index for own, cells in known if own == least for index in cells)))

    @property
    def cells_by_risk(self) -> dict[Fraction | None, tuple[Cell, ...]]:
        """All covered cells in sets of equal risk; None has those of unknown risk.

        Each set is in row-major order.
        """
        levels: dict[Fraction | None, list[int]] = {}
        for odds in self.solution.verdict.odds:
            if odds.cells:
                levels.setdefault(None if odds.mined is None else risk(odds), []).extend(odds.cells)
        return {own: tuple(map(self._cell, sorted(indices))) for own, indices in levels.items()}

    def stages(self) -> dict[str, tuple[Cell, ...]]:
        """The cells that are forced, by the stage that settles them, in row-major order.

        The stages are ``single point``, ``subset``, ``SAT`` and ``mine total``.
        """
        return {stage: tuple(map(self._cell, indices)) for stage, indices in self.solution.stages().items()}

    @property
    def expected_mines(self) -> Fraction | None:
        """The expected number of mines on the covered cells; None if it is not known."""
        if self.board.mines is not None:
            return Fraction(self.board.mines - known_mines(self.board))
        if not self.complete:
            return None
        groups = (odds for odds in self.solution.verdict.odds if odds.cells)
        return sum((risk(odds) * len(odds.cells) for odds in groups), Fraction(0))

    @property
    def frontier_mines(self) -> dict[int, Fraction] | None:
        """The distribution of the number of mines among covered cells that touch a number.

        None if it is not known.
        """
        return self.solution.counted.frontier_mines() if self.is_counted else None

    @property
    def worlds(self) -> int | None:
        """The number of layouts that agree with the board, mine total included.

        None if it is not known. Where numbers are not exact layouts are not equally likely, and counting them takes
        another analysis.
        """
        known = self.solution.verdict.worlds
        return known if known is None or self.board.clues.is_true else count_layouts(self.board, self.engine)

    @property
    def weight(self) -> Fraction | None:
        """With a density: the probability that cells drawn with it look like the board.

        None without a density, or if it is not known.
        """
        weight = self.solution.verdict.weight
        return weight if weight is None or self.board.clues.is_exact else weight * _scale(self.board)

    def _known_odds(self) -> Iterator[Odds]:
        return (odds for odds in self.solution.verdict.odds if odds.cells and odds.mined is not None)

    def _cell(self, index: int) -> Cell:
        return self.board.cell(index)


def analyse(
    board: BoardLike, *, engine: str = "auto", budget: Budget | float | None = None, cache: ComponentCache | None = None
) -> Analysis:
    """Find the forced cells of a board and the exact risk of every other cell.

    The board may also be text, rows or an array, as ``Board`` reads them.
    ``engine`` counts: ``auto``, ``compiled``, ``elimination``, ``sat`` or ``cpsat``; all give the same answer. ``auto``
    goes over to the compiled kernels where many boards are analysed, unless it has a cache. ``budget`` is a ``Budget``,
    or just seconds. ``cache`` keeps backbones and counts of components for the next positions of the same game. Raises
    Contradiction when no layout agrees with the board.

    >>> analysis = analyse(Board(("##1.", "##21", "####"), mines=3))
    >>> analysis.worlds, analysis.safe, analysis.risk(Cell(0, 0))
    (12, (Cell(row=2, col=1),), Fraction(1, 3))
    """
    board = Board.of(board)
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


def _scale(board: Board) -> Fraction:
    """The probability that stands for a likelihood of one, all open cells together."""
    scale = Fraction(1)
    table, symbols = board.topology.neighbours(board.rows, board.cols), board.symbols
    shown = board.clues.chance if board.clues.is_true else None
    for index, symbol in enumerate(symbols):
        if shown is not None:
            scale *= shown if symbol in NUMBER_OF else 1 - shown if symbol == HIDDEN else 1
        elif symbol in NUMBER_OF:
            scale /= board.clues.scale(len(table[index]))
    return scale
