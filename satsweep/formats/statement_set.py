"""Statements about named cells as a value: what ``satsweep.solver.named_cells.solve_statements`` takes, in one piece.

>>> from satsweep.solver.named_cells import Statement
>>> rules = StatementSet((Statement(1, ["a", "b"]), Statement(1, ["b", "c"])), total_cells=5, total_mines=2)
>>> rules.solve().risk("b")
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


def mine_prob(fields: Mapping[str, Node], mines: int | None) -> Fraction | None:
    """The probability of a mine, where that is given in place of the total. Raises BoardError for what is none."""
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
    """Rules, how many cells there are in all, what is known about their mines, and names that may be in no rule."""

    rules: tuple[Statement, ...]
    total_cells: int | None = None
    total_mines: int | None = None
    density: Fraction | None = None
    cells: tuple[Hashable, ...] = ()

    def solve(self, *, engine: str = "auto", budget: Budget | float | None = None) -> NamedCellsAnalysis:
        """What the rules force, and how risky every other cell is. Raises as ``solve_statements`` does."""
        # Whoever reads files need not load what solves.
        from satsweep.solver.named_cells import solve_statements

        return solve_statements(
            self.rules,
            cells=self.cells,
            total_cells=self.total_cells,
            total_mines=self.total_mines,
            density=self.density,
            engine=engine,
            budget=budget,
        )
