"""Games of the deep player, move for move those of the versions before: what makes it faster changes none.

A digest stands for all moves of some games. One that differs is a player that plays otherwise: measure it first
(``benchmarks/advantage.py``), then write the new digest here.
"""

from hashlib import sha256

import numpy as np
import pytest

from satsweep.games.deal import LEVELS
from satsweep.kernels.api import play_games
from satsweep.topology import SQUARE
from tests.kernels.boards import table

pytestmark = pytest.mark.extended

KEPT = {
    (2, "expert", 100): "85891928911be3f1",
    (4, "expert", 1500): "ce4b3ce810d97ddf",
    (4, "intermediate", 60): "07d3a52a0aba79c2",
    (5, "expert", 40): "d55dc6a4f2ad3b78",
    (5, "intermediate", 20): "179196f98bc8fd8c",
    (5, "beginner", 40): "1b7db291143fb2c3",
}
"""Digests by level of the player, level of the board, and number of games."""


@pytest.mark.parametrize("kept", KEPT, ids=str)
def test_games_are_those_of_the_versions_before(kept: tuple[int, str, int]) -> None:
    level, board, games = kept
    rows, cols, mines = LEVELS[board]
    near, played = table(SQUARE, rows, cols), sha256()
    for game in range(games):
        moves = np.full((2 * rows * cols, 4), -1, np.int32)
        play_games(near, mines, "kept", range(game, game + 1), start=0, policy="deep", level=level, moves=moves)
        played.update(moves[moves[:, 0] >= 0].astype("<i4").tobytes())
    assert played.hexdigest()[:16] == KEPT[kept]
