"""An analysed board: its forced cells, and the risk of every other cell.

``AnalysedBoard`` gives a solution in cells and exact fractions. It holds what is known about the position as it is; the
analysis adds what is best to open (``advice``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import HIDDEN, NUMBER_OF, Board, Cell
from satsweep.solver.board_solution import count_layouts, known_mines
from satsweep.solver.pipeline import Answer, risk
from satsweep.solver.probability import Odds


@dataclass(frozen=True)
class AnalysedBoard(Answer):
    """Forced cells, risks and number of worlds of a board, all exact.

    ``engine`` is the name of the one that has counted.
    """

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
        row, col = Cell.of(cell)
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

    @property
    def stages(self) -> dict[str, tuple[Cell, ...]]:
        """The cells that are forced, by the stage that settles them, in row-major order.

        The stages are ``single point``, ``subset``, ``SAT`` and ``mine total``.
        """
        return {stage: tuple(map(self._cell, indices)) for stage, indices in self.solution.stages.items()}

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
