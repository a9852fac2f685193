"""Statements about named cells: a constraint satisfaction problem without a grid.

>>> from satsweep.solver.named_cells import Statement
>>> problem = StatementSet((Statement(1, ["a", "b"]), Statement(1, ["b", "c"])), total_cells=5, total_mines=2)
>>> problem.solve().risk("b")
Fraction(2, 3)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from satsweep.formats.strict import Node

if TYPE_CHECKING:
    from satsweep.solver.budget import Budget
    from satsweep.solver.named_cells import NamedCellsAnalysis, Statement


def mine_probability(fields: Mapping[str, Node], mines: int | None) -> Fraction | None:
    """Probability of a mine, which a file may give instead of the mine total.

    Raises BoardError for a number that is no probability, and where the mine total is given as well.
    """
    if "mine_prob" not in fields:
        return None
    density = fields["mine_prob"].number()
    if not 0 < density < 1:
        fields["mine_prob"].fail("expected a probability strictly between 0 and 1")
    if mines is not None:
        fields["mine_prob"].fail("expected total_mines or mine_prob, found both")
    return density


@dataclass(frozen=True, slots=True)
class StatementSet:
    """Statements about named cells, the number of cells, and the prior of their mines.

    ``total_cells`` counts the cells without a name, too. ``cells`` are names that need not be in any statement.
    """

    statements: tuple[Statement, ...]
    total_cells: int | None = None
    total_mines: int | None = None
    density: Fraction | None = None
    cells: tuple[Hashable, ...] = ()

    def solve(self, *, engine: str = "auto", budget: Budget | float | None = None) -> NamedCellsAnalysis:
        """Return forced cells and risks. Raises the errors of ``solve_statements``."""
        # Loaded here because reading files takes no solver.
        from satsweep.solver.named_cells import solve_statements

        return solve_statements(
            self.statements,
            cells=self.cells,
            total_cells=self.total_cells,
            total_mines=self.total_mines,
            density=self.density,
            engine=engine,
            budget=budget,
        )
