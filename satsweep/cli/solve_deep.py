"""Chances to win for ``solve --deep``: exact in endgames, else estimated.

Endgames are searched in Python, other positions by the compiled deep player. Where it has no answer, a line on standard
error says why, and risks rank the cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from satsweep.cli.output import note

if TYPE_CHECKING:
    from satsweep.solver.analysis import Analysis

MOST_GUESSES = 10
"""Sets of equally good guesses in text."""


def prepare(analysis: Analysis) -> None:
    """Say on standard error if no chance to win is known."""
    if analysis.advice.kind == "risk" and analysis.advice.candidates:
        reason = _unsuited(analysis) or "the deep player has no answer here"
        note(f"{reason}: the chances to win are not known, so the least risk comes first")


def _unsuited(analysis: Analysis) -> str | None:
    """Why the deep player cannot be asked about a board; None if it can."""
    from satsweep.board import HIDDEN
    from satsweep.solver import compiled

    board = analysis.board
    if not compiled.is_there():
        return "the deep player needs the compiled library, which is not installed"
    if board.mines is None:
        return "the deep player needs a mine total"
    if not board.clues.is_exact or HIDDEN in board.symbols:
        return "the deep player needs exact numbers in all open cells"
    if not compiled.supports(board):
        return "the board is too large for the deep player"
    return None


def win_lines(analysis: Analysis, *, exact: bool) -> Iterator[str]:
    """Guesses with their chances to win, and the tree of best play, if known."""
    from satsweep.render.advice_text import best_play_lines
    from satsweep.render.explanation_text import ranking_table
    from satsweep.solver.endgame import best_play

    if ranked := analysis.advice.guesses[:MOST_GUESSES]:
        yield "\n"
        yield from ranking_table(ranked, exact=exact)
        if analysis.advice.kind == "estimate":
            yield "chances to win are estimates of the deep player, which searches ahead and plays drawn layouts on\n"
    if (tree := best_play(analysis, analysis.best)) is not None:
        yield "\n"
        yield from best_play_lines(tree)


def win_values(analysis: Analysis) -> dict[str, object] | None:
    """The tree of best play as values; None where it is not known."""
    from satsweep.render.advice_text import best_play_values
    from satsweep.solver.endgame import best_play

    tree = best_play(analysis, analysis.best)
    return None if tree is None else best_play_values(tree)
