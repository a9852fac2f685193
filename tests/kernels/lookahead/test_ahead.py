"""Two plies: what is said of the position after a number, against that position itself."""

from __future__ import annotations

import numpy as np
import pytest

from satsweep.agents import agent_named
from satsweep.board import Board
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import Game, play_moves
from satsweep.games.record import MoveReason
from satsweep.games.rules import FirstClick, Rules
from satsweep.kernels.api import COVERED, FINE, IMPOSSIBLE, foresight, position
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, symbols_of, table_of


def guesses(rows: int, cols: int, mines: int, topology: Topology, game: int) -> list[Board]:
    """Positions of a game in which nothing is forced, flags trusted."""
    rng = game_rng("ahead", game)
    going = Game(random_layout(rows, cols, mines, rng, topology=topology), Rules(first=FirstClick.ZERO), rng)
    seen, found = going.board, []
    for move in play_moves(going, agent_named("sat"), rng):
        if move.reason is MoveReason.GUESSED and len(going.moves) > 1:
            found.append(seen.trusting_flags())
        seen = going.board
    return found


def check(board: Board) -> None:
    assert board.mines is not None
    symbols, table = symbols_of(board), table_of(board)
    for cell in np.flatnonzero(symbols == COVERED)[::3]:
        found = foresight(symbols, table, board.mines, int(cell))
        assert found.status == FINE
        assert found.shown.sum() == pytest.approx(1, rel=1e-12)
        for number in range(9):
            after = symbols.copy()
            after[cell] = number
            then = position(after, table, board.mines)
            if found.shown[number] == 0:
                assert then.status == IMPOSSIBLE
                continue
            assert then.status == FINE
            risks = np.sort(then.risks[after == COVERED])
            if len(risks):
                assert found.least[number] == pytest.approx(risks[0], rel=1e-11, abs=0)
                assert found.following[number] == pytest.approx(risks[min(1, len(risks) - 1)], rel=1e-11, abs=0)
            else:
                assert found.least[number] == 2


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("level", [*LEVELS.values(), (6, 6, 9), (8, 8, 20)], ids=str)
def test_after_every_number(level: tuple[int, int, int], topology: Topology, counting: str) -> None:
    boards = [board for game in range(4) for board in guesses(*level, topology, game)]
    for board in boards[:6]:
        check(board)
