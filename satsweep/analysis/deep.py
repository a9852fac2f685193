"""The deep player's advice: its guess, and the chances to win that it expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from satsweep.board import HIDDEN, Board, Cell
from satsweep.solver import compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT_WORLDS = 1 << 40
"""Most worlds for which a float of the kernels tells a fraction of them."""

NO_RISK = Fraction(0)


@dataclass(frozen=True, slots=True)
class ExpectedWins:
    """The guess of the deep player, and the chances to win with it and other cells.

    They are one Fraction if the search was exact, else floats. The chance of another cell is that of the guess, in the
    proportion of their scores, and never more.
    """

    best: Cell
    chances: dict[Cell, Fraction | float]


def ask_deep(board: Board, level: int, earlier: Sequence[NDArray[np.int8]] = ()) -> compiled.DeepGuess | None:
    """The deep player's advice without a safe cell; None if it is no board for it.

    It searches two plies and plays on in drawn worlds; late in a game it searches exactly. ``earlier`` are the
    positions of earlier guesses in the same game. A status that is not FINE says that it has no answer. Raises
    KernelError where the package has no compiled library.
    """
    if board.mines is None or not (board.clues.is_exact and compiled.supports(board)) or HIDDEN in board.symbols:
        return None
    table = compiled.table_of(board.topology, board.rows, board.cols)
    return compiled.advise(compiled.symbols_of(board), table, board.mines, level, earlier)


def within_survival(win: Fraction | float, risk: Fraction = NO_RISK) -> Fraction:
    """An estimated chance to win with a cell, between 0 and the chance to survive it.

    >>> within_survival(0.97, Fraction(1, 25)), within_survival(0.5, Fraction(1, 25)), within_survival(-1e-5)
    (Fraction(24, 25), Fraction(1, 2), Fraction(0, 1))
    """
    return min(1 - risk, max(Fraction(0), Fraction(win)))


def expected_wins(board: Board, worlds: int | None) -> ExpectedWins | None:
    """The chances that the deep player expects without a safe cell; None if none.

    ``worlds`` is the number of worlds, if known. Raises KernelError where there are no kernels.
    """
    advice = ask_deep(board, compiled.LEVEL)
    if advice is None or advice.status != compiled.FINE or advice.cell < 0:
        return None
    best = board.cell(advice.cell)
    if advice.exact:
        won: Fraction | float = advice.value
        if worlds is not None and worlds <= EXACT_WORLDS:
            won = Fraction(round(advice.value * worlds), worlds)
        return ExpectedWins(best, {best: won})
    scores = dict(zip(advice.cells.tolist(), advice.scores.tolist(), strict=True))
    own = scores[advice.cell]
    return ExpectedWins(
        best, {board.cell(cell): advice.value * min(1.0, score / own) for cell, score in scores.items() if score > 0}
    )
