"""Book of openings: the best first cell of a board, and how well it does.

``openings.json`` is the book. ``benchmarks/openings.py`` writes it from boards that are solved exactly and from large
runs of ``deep:2`` that compare first cells, one of each symmetry class. It has second cells beside, for reading.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.rules import FirstClick


class Opening(NamedTuple):
    """Best first cell of a board under a promise.

    ``wins`` says how many games a player wins from there.
    """

    start: Cell
    wins: str
    player: str


@cache
def _book() -> dict[str, dict[str, Any]]:
    text = files("satsweep.games").joinpath("openings.json").read_text("utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def best_opening(rows: int, cols: int, mines: int, first: FirstClick | str) -> Opening:
    """Return the best known first cell of a square grid.

    Its mirror images are as good. ``first`` is the promise about the first cell.
    Raises BoardError if the book does not have the board under that promise.

    >>> best_opening(5, 5, 5, "zero")
    Opening(start=Cell(row=2, col=2), wins='3,500 of 4,368', player='best play')
    """
    board, promise = f"{rows}x{cols}/{mines}", FirstClick(first).value
    known = _book().get(board, {}).get(promise)
    if known is None:
        usual = ", ".join(name for name, rules in _book().items() if promise in rules and rules[promise]["games"])
        raise BoardError(
            f"expected a board of the book of openings (first cell {promise}: {usual or 'none'}), found {board}"
        )
    return Opening(Cell(*known["start"]), known["wins"], known["player"])
