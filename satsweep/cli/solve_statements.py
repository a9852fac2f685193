"""``solve`` for statements about named cells: the same answer, without a grid.

The format that holds such statements is called rules, and the messages of the command say rules, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from satsweep.cli.output import CONTRADICTION, INCOMPLETE, display_name, fail, write

if TYPE_CHECKING:
    from satsweep.errors import Contradiction
    from satsweep.formats import StatementSet


def solve_statements(
    file: str,
    statements: StatementSet,
    *,
    engine: str,
    budget: float | None,
    format: str,
    output: Path | None,
    exact: bool,
    mines: int | None,
    density: str | None,
) -> None:
    """Write the cells that statements force, and the risk of every other cell."""
    from dataclasses import replace

    from satsweep.errors import BoardError, Contradiction
    from satsweep.render.named_cells import to_json, to_text
    from satsweep.text import to_density

    if format == "svg":
        message = "expected text or json for rules, which have no grid, found svg"
        raise typer.BadParameter(message, param_hint="'--format'")
    try:
        if mines is not None or density is not None:
            prior = None if density is None else to_density(density)
            statements = replace(statements, total_mines=mines, density=prior)
        analysis = statements.solve(engine=engine, budget=budget)
    except BoardError as error:
        hint = "'--density'" if mines is None else "'--mines'"
        raise typer.BadParameter(error.message, param_hint=hint) from None
    except Contradiction as error:
        fail(f"{display_name(file)}: {_error_line(error)}", CONTRADICTION)
    write(to_json(analysis) if format == "json" else to_text(analysis, exact=exact), output)
    if not analysis.complete:
        unknown = sum(risk is None for risk in analysis.risks.values())
        cells = f"{unknown:,} of {len(analysis.names):,} named cells"
        fail(f"{display_name(file)}: the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def _error_line(error: Contradiction) -> str:
    """Statements that cannot all be true, in one line."""
    from satsweep.render.named_cells import printable_name
    from satsweep.solver.named_cells import Statement

    if error.total:
        return str(error)
    statements = (
        f"{clue.mines} among {' '.join(sorted(map(printable_name, clue.cells))) or 'no cells'}"
        for clue in error.clues
        if isinstance(clue, Statement)
    )
    return f"these rules cannot all be true: {'; '.join(statements)}"
