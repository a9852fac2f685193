"""The analysis of a board: forced cells, risks, and the best cell to open.

``Analysis`` gives a solution in cells and exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from satsweep.board import HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.mixins import Worded
from satsweep.solver.components import Component, LocatedComponent, Work
from satsweep.solver.constraints import CellConstraint, Constraint, cell_constraints, covered_cells, exactly
from satsweep.solver.pipeline import Solution, StageResults, solve
from satsweep.solver.position import prior_of, solve_by_stages
from satsweep.solver.probability import CountedFrontier, LateOdds, Odds
from satsweep.techniques import TECHNIQUES, Technique

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.analysis.candidates import MoveAdvice

_Value = TypeVar("_Value")
_MOST_SHOWN = 100
"""Most cells of a board that the ``repr`` of its analysis has."""


@dataclass(frozen=True, repr=False)
class Analysis(Worded):
    """Forced cells, risks and number of worlds of a board, all exact, and advice.

    Where a component could not be counted within the budget, ``complete`` is False: every forced cell is still there,
    every risk that is given is exact, and the others are unknown. ``engine`` is the name of the one that was asked,
    ``adviser`` ranks the cells to open (``satsweep.analysis.advice``).
    """

    solution: Solution
    board: Board
    engine: str
    adviser: Callable[[Analysis], MoveAdvice] = field(compare=False)

    def stage_results(self) -> StageResults:
        """Results of the stages; the board is solved again, once, if the twin has counted.

        The compiled twin tells no stages apart, so they are found by Python at the first call, and kept.
        """
        return self._stage_results

    @cached_property
    def _stage_results(self) -> StageResults:
        found = self.solution.stages or solve_by_stages(self.board).stages
        assert found is not None
        return found

    @cached_property
    def counted(self) -> CountedFrontier:
        """The components with their constraints and counts, and the sea."""
        found = self.solution
        return found.counted if found.stages else _with_constraints(found.counted, self.board)

    @property
    def odds(self) -> dict[int, Odds | LateOdds]:
        """The odds of each covered cell, by its index in row-major order."""
        return self.solution.odds

    @property
    def is_counted(self) -> bool:
        """True if the counts of every component are known.

        Chances that a safe cell follows, and other answers that rest on counts, can then be had.
        """
        return self.solution.counted.complete

    @property
    def complete(self) -> bool:
        """True if every risk is known."""
        return self.solution.complete

    @property
    def work(self) -> tuple[Work, ...]:
        """For each counted component, the engine that counted it and the cost."""
        return self.solution.work

    @property
    def seconds(self) -> dict[str, float]:
        """The time of each stage."""
        return self.solution.seconds

    @property
    def unknown(self) -> tuple[Cell, ...]:
        """Covered cells whose risk is not known, in row-major order."""
        return tuple(self.board.cell(index) for index, odds in sorted(self.odds.items()) if not odds.is_known)

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
        return odds.risk

    @property
    def risks(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """The risk of every covered cell, row by row.

        None for the other cells, and where it is not known.
        """
        return self._by_rows(lambda odds: odds.risk)

    @property
    def float_risks(self) -> tuple[tuple[float | None, ...], ...]:
        """The risks as floats, row by row: 0 and 1 for forced cells alone.

        On boards of thousands of components they are off by less than 1e-9, and much sooner there than fractions.
        """
        return self._by_rows(lambda odds: odds.float_risk)

    def _by_rows(self, value: Callable[[Odds | LateOdds], _Value]) -> tuple[tuple[_Value | None, ...], ...]:
        cols = self.board.cols
        table: list[_Value | None] = [None] * (self.board.rows * cols)
        for odds in self.solution.verdict.odds:
            if odds.is_known and odds.cells:
                shared = value(odds)
                for index in odds.cells:
                    table[index] = shared
        return tuple(tuple(table[start : start + cols]) for start in range(0, len(table), cols))

    @property
    def least_risk(self) -> Fraction | None:
        """The least risk of a covered cell, 0 if one is safe; None if no risk is known."""
        if any(odds.is_safe for odds in self._known_odds()):
            return Fraction(0)
        return min((odds.risk for odds in self._known_odds()), default=None)

    @property
    def safest(self) -> tuple[Cell, ...]:
        """All covered cells of least risk, in row-major order; none if no risk is known."""
        known = [(odds.risk, odds.cells) for odds in self._known_odds()]
        least = min((own for own, _ in known), default=None)
        return tuple(map(self.board.cell, sorted(index for own, cells in known if own == least for index in cells)))

    @property
    def cells_by_risk(self) -> dict[Fraction | None, tuple[Cell, ...]]:
        """All covered cells in sets of equal risk; None has those of unknown risk.

        Each set is in row-major order.
        """
        return {own: tuple(map(self.board.cell, indices)) for own, indices in indices_by_risk(self).items()}

    @property
    def stages(self) -> dict[str, tuple[Cell, ...]]:
        """The cells that are forced, by the stage that settles them, in row-major order.

        The stages are ``single point``, ``subset``, ``SAT`` and ``mine total``.
        """
        found = self.stage_results()
        propagated, proved = found.propagated, found.proved
        rules, single = {*propagated.safe, *propagated.mines}, set(propagated.single)
        solver = {*proved.safe, *proved.mines} - rules
        total = {*self.solution.safe, *self.solution.mines} - rules - solver
        settled = {
            Technique.SINGLE: single,
            Technique.PAIR: rules - single,
            Technique.SEARCH: solver,
            Technique.TOTAL: total,
        }
        return {
            words.stage: tuple(map(self.board.cell, sorted(self.odds.keys() & settled[technique])))
            for technique, words in TECHNIQUES.items()
        }

    @property
    def expected_mines(self) -> Fraction | None:
        """The expected number of mines on the covered cells; None if it is not known."""
        if self.board.mines is not None and not self.board.part:
            return Fraction(self.board.mines - self.board.symbols.count(MINE))
        if not self.complete:
            return None
        groups = (odds for odds in self.solution.verdict.odds if odds.cells)
        return sum((odds.risk * len(odds.cells) for odds in groups), Fraction(0))

    @property
    def frontier_mines(self) -> dict[int, Fraction] | None:
        """The distribution of the number of mines among covered cells that touch a number.

        Unseen cells around a part are among them. None if it is not known.
        """
        return self.solution.counted.frontier_mines() if self.is_counted else None

    @cached_property
    def worlds(self) -> int | None:
        """The number of layouts that agree with the board, mine total included.

        Those of a part are layouts of its cells and the unseen ones around it. None if it is not known. Where numbers
        are not exact layouts are not equally likely, and counting them, each once, takes another analysis.
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

    def _known_odds(self) -> Iterator[Odds | LateOdds]:
        return (odds for odds in self.solution.verdict.odds if odds.cells and odds.is_known)

    @cached_property
    def advice(self) -> MoveAdvice:
        """Cells to open, best first, and all that is known about them.

        Found at the first use, and kept.
        """
        return self.adviser(self)

    @property
    def best(self) -> Cell | None:
        """The cell to open: the first of the advice.

        None if nothing is worth opening: no covered cell is left, or all are mines, or no risk is known.
        """
        return self.advice.best

    def to_array(self) -> NDArray[np.float64]:
        """The risks as an array of the board's rows and columns.

        NaN for cells that are not covered, and where the risk is not known.

        >>> from satsweep.analysis.analyse import analyse
        >>> analyse("mines 1\\n#1.").to_array().tolist()
        [[1.0, nan, nan]]
        """
        import numpy as np

        return np.array([[np.nan if risk is None else risk for risk in row] for row in self.float_risks])

    def __repr__(self) -> str:
        size = repr(self.board) if len(self.board.symbols) <= _MOST_SHOWN else f"{self.board.rows}x{self.board.cols}"
        found = f"{len(self.safe)} safe, {len(self.mines)} mines among {len(self.odds)} covered cells"
        return f"<Analysis of {size}: {found}, best {self.best}>"


def indices_by_risk(analysis: Analysis) -> dict[Fraction | None, list[int]]:
    """The covered cells of each risk by their row-major indices, which ascend."""
    levels: dict[Fraction | None, list[int]] = {}
    for odds in analysis.solution.verdict.odds:
        if odds.cells:
            levels.setdefault(odds.risk if odds.is_known else None, []).extend(odds.cells)
    return {own: sorted(indices) for own, indices in levels.items()}


def _scale(board: Board) -> Fraction:
    """The probability that stands for a likelihood of one, all open cells together."""
    scale = Fraction(1)
    table, symbols = board.table, board.symbols
    shown = board.clues.chance if board.clues.is_true else None
    for index, symbol in enumerate(symbols):
        if shown is not None:
            scale *= shown if symbol in NUMBER_OF else 1 - shown if symbol == HIDDEN else 1
        elif symbol in NUMBER_OF:
            scale /= board.clues.scale(len(table[index]))
    return scale


def _with_constraints(counted: CountedFrontier, board: Board) -> CountedFrontier:
    """The counts of the twin with the constraints of each component.

    Those are the numbers around its cells. A number may touch several components; as they are independent, the mines of
    each of them around it are then the same in all placements, so that any row of the counts tells how many they are.
    """
    table, symbols = board.table, board.symbols
    parts = []
    for part, counts in zip(counted.parts, counted.counts, strict=True):
        if part.component.constraints:
            parts.append(part)
            continue
        assert counts is not None
        sizes, scopes = part.component.sizes, dict[int, list[int]]()
        for place, group in enumerate(part.groups):
            for other in table[counted.frontier.groups[group][0]]:
                if symbols[other] in NUMBER_OF:
                    scopes.setdefault(other, []).append(place)
        least = next(mines for mines, ways in enumerate(counts.total) if ways)
        needs = {
            tuple(scope): sum(sizes[place] * counts.mined[place][least] for place in scope) // counts.total[least]
            for scope in scopes.values()
        }
        constraints = tuple(Constraint(scope, exactly(need)) for scope, need in needs.items())
        parts.append(LocatedComponent(Component(sizes, constraints), part.groups))
    return replace(counted, parts=tuple(parts))
