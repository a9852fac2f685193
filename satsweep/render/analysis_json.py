"""An analysis as JSON, in the form that ``schemas/analysis.schema.json`` describes. Nothing is ever left out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache

from satsweep.board import Cell
from satsweep.render.facts import digits, fraction, specials
from satsweep.solver.analysis import Analysis


def to_json(analysis: Analysis, *, exact: bool = True, more: Mapping[str, object] | None = None) -> Iterator[str]:
    """JSON, one row of the board a line, then ``more``. Fractions are always there, whether asked for or not."""
    board, best, risks = analysis.board, analysis.best, analysis.risks
    written = cache(fraction)
    exactly = [[None if risk is None else written(risk) for risk in row] for row in risks]
    for row, col in analysis.unknown:
        exactly[row][col] = "?"
    fields: dict[str, object] = {"rows": board.rows, "cols": board.cols, "mines": board.mines}
    fields |= specials(board.topology, board.clues)
    fields["worlds"] = None if analysis.worlds is None else digits(analysis.worlds)
    if analysis.weight is not None:
        fields["weight"] = fraction(analysis.weight)
    fields |= {"safe": analysis.safe, "forced_mines": analysis.mines}
    yield "{\n" + "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in fields.items())
    yield from _table("risk", ([_number(risk) for risk in row] for row in risks))
    yield from _table("risk_exact", exactly)
    fields = {"best": None if best is None else _move(analysis, best)}
    fields |= {"complete": analysis.complete, "engine": analysis.engine, **(more or {})}
    yield ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()) + "\n}\n"


def _move(analysis: Analysis, cell: Cell) -> dict[str, object]:
    return {"cell": cell, "risk": _number(analysis.risk(cell))}


def _number(risk: Fraction | None) -> float | None:
    """A risk rounded to a float; an integer where it is certain."""
    return None if risk is None else int(risk) if risk.denominator == 1 else float(risk)


def _table(key: str, rows: Iterable[object]) -> Iterator[str]:
    yield f'  "{key}": ['
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n    {json.dumps(row)}"
    yield "\n  ],\n"
