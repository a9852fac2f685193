"""Win chances of a game that begins with a given cell, before anything is seen.

Where the whole board has few layouts they are exact. For the standard levels ``starts.json`` has estimates for every
first cell, written by ``benchmarks/review.py``; for other boards the deep player plays some games from the cell, luck
taken away.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from satsweep.assessment.chances import LEVEL, Chance, FewWorlds, rounded
from satsweep.board import Board
from satsweep.games.rules import FirstClick
from satsweep.solver import compiled
from satsweep.topology import SQUARE

GAMES = 200
"""Games that are played from a cell to estimate its chance."""


def exact_start(few: FewWorlds, cell: int, first: FirstClick) -> Fraction | None:
    """The exact chance of a first cell on a board with few layouts.

    None if its promise cannot be kept.
    """
    parts = few.parts(few.all, (cell,))
    if first is FirstClick.ANY:
        out_of = few.all.bit_count()
    else:
        if first is FirstClick.ZERO:
            zero = few.cells[cell].shows.get(0, 0) if cell in few.cells else 0
            parts = [part for part in parts if part & zero]
        out_of = sum(map(int.bit_count, parts))
    return Fraction(sum(map(few.value, parts)), out_of) if out_of else None


def best_start(few: FewWorlds, first: FirstClick) -> tuple[int, Fraction]:
    """The best first cell of a board with few layouts, and its chance."""
    chances = {cell: chance for cell in few.cells if (chance := exact_start(few, cell, first)) is not None}
    best = max(sorted(chances), key=chances.__getitem__)
    return best, chances[best]


def estimated_start(blank: Board, cell: int, first: FirstClick) -> Chance | None:
    """The chance of the deep player from a first cell; None without kernels."""
    row, col = divmod(cell, blank.cols)
    if blank.topology == SQUARE:  # mirror images are alike
        row, col = min(row, blank.rows - 1 - row), min(col, blank.cols - 1 - col)
    known = _table().get(f"{blank.rows}x{blank.cols}/{blank.mines}", {}).get(first.value, {}).get(f"{row},{col}")
    if known is not None and blank.topology == SQUARE:
        return Chance(rounded(known), False)
    value = play_from(blank, row * blank.cols + col, first, GAMES)
    return None if value is None else Chance(rounded(value[0]), False)


@cache
def _table() -> dict[str, Any]:
    text = files("satsweep.assessment").joinpath("starts.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@lru_cache(maxsize=4096)
def play_from(blank: Board, cell: int, first: FirstClick, games: int) -> tuple[float, float] | None:
    """Mean chance to win of the deep player from a first cell, and its standard error.

    Luck is taken away from every game.
    """
    estimates = np.full((games, 2), -1.0)
    table = compiled.table_of(blank.topology, blank.rows, blank.cols)
    played = compiled.play_games(
        table, blank.mines or 0, f"start {blank.rows}x{blank.cols}/{blank.mines} {cell}", range(games),
        first="safe" if first is FirstClick.GIVEN else first.value, start=cell, policy="deep", level=LEVEL,
        estimates=estimates,
    )  # fmt: skip
    beyond = played["outcome"] == compiled.OUTCOMES.index("beyond")
    values = np.where(estimates[:, 0] >= 0, estimates[:, 0], played["won"]) - estimates[:, 1]
    values = values[~beyond]
    if not len(values):
        return None
    return float(values.mean()), float(values.std() / len(values) ** 0.5)
