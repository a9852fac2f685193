"""An analysed board: its forced cells, and the risk of every other cell.

``AnalysedBoard`` gives a solution in cells and exact fractions. It holds what is known about the position as it is;
the analysis adds what is best to open (``advice``).

Solutions by Python alone and with counts of compiled kernels give the same odds and the same worlds. The kernels
count the components of a whole board at once; what follows is the same for both (``probability``). They neither
explain contradictions nor tell the stages apart: that is left to the exact path, which answers when it is asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from satsweep.board import HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.errors import Contradiction
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.compiled import count_board
from satsweep.solver.constraints import CellConstraint, cell_constraints, covered_cells
from satsweep.solver.pipeline import Answer, ComponentCache, Solution, StageResults, Stopwatch, risk, solve
from satsweep.solver.probability import Odds, Prior, cell_odds


def solve_board(
    board: Board, *, engine: str = "auto", budget: Budget = UNLIMITED, cache: ComponentCache | None = None
) -> Solution:
    """Solve a board by the exact path. Raises Contradiction with the cells to blame."""
    try:
        return solve(
            cell_constraints(board), covered_cells(board), prior_of(board), engine=engine, budget=budget, cache=cache
        )
    except Contradiction as error:
        raise _on_board(error, board) from None


def solve_compiled(board: Board) -> Solution | None:
    """Solve a board with counts of the kernels; None where they have no answer."""
    clock = Stopwatch()
    with clock.stage("count"):
        found = count_board(board, prior_of(board))
    if found is None:
        return None
    with clock.stage("combine"):
        verdict = cell_odds(found.counted)
    if verdict.worlds == 0:
        return None
    return Solution(verdict.with_settled(found.safe, found.mines), found.counted, clock.seconds, None)


def prior_of(board: Board) -> Prior:
    return Prior(None if board.mines is None else board.mines - board.symbols.count(MINE), board.density)


def _on_board(error: Contradiction, board: Board) -> Contradiction:
    """The same contradiction with its clues as cells, named if the total is innocent."""
    cells = [board.cell(clue) for clue in error.clues if isinstance(clue, int)]
    message = str(error)
    if not error.total:
        numbers = ", ".join(f"{board.number(cell)} at {cell}" for cell in cells[:12])
        more = f" and {len(cells) - 12} more" if len(cells) > 12 else ""
        message = f"{message}: {numbers}{more}"
    return Contradiction(message, clues=cells, total=error.total)


@dataclass(frozen=True)
class AnalysedBoard(Answer):
    """Forced cells, risks and number of worlds of a board, all exact.

    ``engine`` is the name of the one that has counted.
    """

    board: Board
    engine: str

    @cached_property
    def derivation(self) -> StageResults:
        """Results of the stages, found now by Python if the compiled kernels have counted."""
        found = self.solution.derivation or solve_board(self.board).derivation
        assert found is not None
        return found

    @property
    def unknown(self) -> tuple[Cell, ...]:
        """Covered cells whose risk is not known, in row-major order."""
        return tuple(self.board.cell(index) for index, odds in sorted(self.odds.items()) if odds.mined is None)

    @property
    def safe(self) -> tuple[Cell, ...]:
        """Covered cells that are safe in every world, in row-major order."""
        return tuple(map(self.board.cell, self.solution.safe))

    @property
    def mines(self) -> tuple[Cell, ...]:
        """Covered cells that are mines in every world, in row-major order."""
        return tuple(map(self.board.cell, self.solution.mines))

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
        return tuple(map(self.board.cell, sorted(index for own, cells in known if own == least for index in cells)))

    @property
    def cells_by_risk(self) -> dict[Fraction | None, tuple[Cell, ...]]:
        """All covered cells in sets of equal risk; None has those of unknown risk.

        Each set is in row-major order.
        """
        levels: dict[Fraction | None, list[int]] = {}
        for odds in self.solution.verdict.odds:
            if odds.cells:
                levels.setdefault(None if odds.mined is None else risk(odds), []).extend(odds.cells)
        return {own: tuple(map(self.board.cell, sorted(indices))) for own, indices in levels.items()}

    @property
    def stages(self) -> dict[str, tuple[Cell, ...]]:
        """The cells that are forced, by the stage that settles them, in row-major order.

        The stages are ``single point``, ``subset``, ``SAT`` and ``mine total``.
        """
        propagated, proved = self.derivation.propagated, self.derivation.proved
        rules, single = {*propagated.safe, *propagated.mines}, set(propagated.single)
        solver = {*proved.safe, *proved.mines} - rules
        total = {*self.solution.safe, *self.solution.mines} - rules - solver
        stages = {"single point": single, "subset": rules - single, "SAT": solver, "mine total": total}
        return {stage: tuple(map(self.board.cell, sorted(cells))) for stage, cells in stages.items()}

    @property
    def expected_mines(self) -> Fraction | None:
        """The expected number of mines on the covered cells; None if it is not known."""
        if self.board.mines is not None:
            return Fraction(self.board.mines - self.board.symbols.count(MINE))
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

    @cached_property
    def worlds(self) -> int | None:
        """The number of layouts that agree with the board, mine total included.

        None if it is not known. Where numbers are not exact layouts are not equally likely, and counting them, each
        once, takes another analysis.
        """
        known, board = self.solution.verdict.worlds, self.board
        if known is None or board.clues.is_true:
            return known
        constraints = [
            CellConstraint(clue, cells, tuple(map(bool, likelihood)))
            for clue, cells, likelihood in cell_constraints(board)
        ]
        return solve(constraints, covered_cells(board), prior_of(board), engine=self.engine).verdict.worlds

    @property
    def weight(self) -> Fraction | None:
        """With a density: the probability that cells drawn with it look like the board.

        None without a density, or if it is not known.
        """
        weight = self.solution.verdict.weight
        return weight if weight is None or self.board.clues.is_exact else weight * _scale(self.board)

    def _known_odds(self) -> Iterator[Odds]:
        return (odds for odds in self.solution.verdict.odds if odds.cells and odds.mined is not None)


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
