"""``solve`` for rules about named cells: the same answer, without a grid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from satsweep.cli.output import CONTRADICTION, INCOMPLETE, fail, named, write

if TYPE_CHECKING:
    from satsweep.errors import Contradiction
    from satsweep.formats import StatementSet


def solve(
    file: str,
    rules: StatementSet,
    *,
    engine: str,
    budget: float | None,
    format: str,
    output: Path | None,
    exact: bool,
    mines: int | None,
    density: str | None,
) -> None:
    """Say which cells the rules force, and how risky every other cell is."""
    from dataclasses import replace

    from satsweep.errors import BoardError, Contradiction
    from satsweep.render.named_cells import to_json, to_text
    from satsweep.text import to_density

    if format == "svg":
        raise typer.BadParameter("expected --format text or json for rules, which have no grid, found svg")
    try:
        if mines is not None or density is not None:
            given = None if density is None else to_density(density)
            rules = replace(rules, total_mines=mines, density=given)
        analysis = rules.solve(engine=engine, budget=budget)
    except BoardError as error:
        raise typer.BadParameter(error.message) from None
    except Contradiction as error:
        fail(f"{named(file)}: {_said(error)}", CONTRADICTION)
    write(to_json(analysis) if format == "json" else to_text(analysis, exact=exact), output)
    if not analysis.complete:
        unknown = sum(risk is None for risk in analysis.risks.values())
        cells = f"{unknown:,} of {len(analysis.names):,} named cells"
        fail(f"{named(file)}: the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def _said(error: Contradiction) -> str:
    """What cannot be true, the rules in words."""
    from satsweep.render.named_cells import printable_name
    from satsweep.solver.named_cells import Statement

    if error.total:
        return str(error)
    clues = [clue for clue in error.clues if isinstance(clue, Statement)]
    said = (f"{rule.mines} among {' '.join(sorted(map(printable_name, rule.cells))) or 'no cells'}" for rule in clues)
    return f"these rules cannot all be true: {'; '.join(said)}"
