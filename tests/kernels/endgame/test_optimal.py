"""Best play on small boards: over all layouts, exactly the most possible are won.

The numbers are those of ``tests/data/optimal_small_boards.csv``: for every first cell (one of each symmetry class) the
layouts won under best play, and of those in which it is a zero the ones won and all. If the first cell is promised to
be safe, or a zero, the layouts in which it is are all there are, and the same of them are won.
"""

from fractions import Fraction

import numpy as np
import pytest

from satsweep.kernels.api import play_games
from satsweep.topology import SQUARE
from tests.kernels.boards import all_layouts, table
from tests.kernels.endgame.problems import solved
from tests.optimal import Solved

pytestmark = pytest.mark.extended


def won(board: Solved, layouts: np.ndarray, first: str, start: int | None = None) -> tuple[int, int, float]:
    """Return the layouts won, the first cell opened, the first expected chance to win."""
    if start is not None:  # games that begin alike one after the other: that is quicker
        around = layouts[:, SQUARE.neighbours(board.rows, board.cols)[start]]
        layouts = layouts[np.lexsort((*around.T, around.sum(1), layouts[:, start]))]
    moves, estimates = np.zeros((1, 4), np.int32), np.full((len(layouts), 2), -1.0)
    played = play_games(
        table(SQUARE, board.rows, board.cols), board.mines, "all", range(len(layouts)), first=first, start=start,
        layouts=layouts, policy="deep", moves=moves, estimates=estimates,
    )  # fmt: skip
    return int(played["won"].sum()), int(moves[0, 2]), float(estimates[0, 0])


@pytest.mark.parametrize("board", solved(1_300))
def test_small_boards(board: Solved) -> None:
    everything = all_layouts(board.rows * board.cols, board.mines)
    neighbours = SQUARE.neighbours(board.rows, board.cols)
    best_zero = Fraction(-1)
    for place, (wins, zero_wins, zeros) in board.first.items():
        cell = place[0] * board.cols + place[1]
        safe = everything[everything[:, cell] == 0]
        zero = safe[safe[:, neighbours[cell]].sum(1) == 0]
        assert (len(safe), len(zero)) == (board.safe, zeros), place
        assert won(board, everything, "any", cell)[0] == wins, place
        assert won(board, safe, "safe", cell)[0] == wins, place
        if zeros:
            assert won(board, zero, "zero", cell)[0] == zero_wins, place
            best_zero = max(best_zero, Fraction(zero_wins, zeros))
    best = max(wins for wins, _, _ in board.first.values())
    assert best == board.wins
    if best_zero >= 0:
        assert best_zero == Fraction(board.zero_best)

    # No start is given: the player begins with the best cell, and says what it expects unless nothing is left
    # to guess.
    games, _, told = won(board, everything, "any")
    assert games == best and told in (-1, best / len(everything))
    _, cell, told = won(board, everything[:1], "safe")
    safe = everything[everything[:, cell] == 0]
    assert won(board, safe, "safe")[:2] == (best, cell) and told in (-1, best / len(safe))
