"""An analysis as JSON, complete, as ``schemas/analysis.schema.json`` describes it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

from satsweep.board import Cell
from satsweep.formats.strict import json_text, lines
from satsweep.render.advice_text import advice_values
from satsweep.render.board_text import variant_fields
from satsweep.render.number_text import digits, fraction
from satsweep.solver.analysis import Analysis


def to_json(analysis: Analysis, *, exact: bool = True, more: Mapping[str, object] | None = None) -> Iterator[str]:
    """Yield JSON, a row of the board on each line, with the fields ``more`` last.

    It always has fractions; ``exact`` makes no difference.
    """
    board, best, risks = analysis.board, analysis.best, analysis.risks
    written = cache(fraction)
    exactly = [[None if risk is None else written(risk) for risk in row] for row in risks]
    for row, col in analysis.unknown:
        exactly[row][col] = "?"
    fields: dict[str, object] = {"rows": board.rows, "cols": board.cols, "mines": board.mines}
    fields |= variant_fields(board.topology, board.clues)
    fields["worlds"] = None if analysis.worlds is None else digits(analysis.worlds)
    if analysis.weight is not None:
        fields["weight"] = fraction(analysis.weight)
    fields |= {"safe": analysis.safe, "forced_mines": analysis.mines}
    fields["risk"] = lines([_number(risk) for risk in row] for row in risks)
    fields["risk_exact"] = lines(exactly)
    fields["best"] = None if best is None else _move(analysis, best)
    fields["advice"] = advice_values(analysis.advice, board)
    fields |= {"complete": analysis.complete, "engine": analysis.engine, **(more or {})}
    yield json_text(fields)


def _move(analysis: Analysis, cell: Cell) -> dict[str, object]:
    return {"cell": cell, "risk": _number(analysis.risk(cell))}


def _number(risk: Fraction | None) -> float | None:
    """A risk rounded to a float; an integer where it is certain."""
    return None if risk is None else int(risk) if risk.denominator == 1 else float(risk)
