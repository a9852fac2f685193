"""Two plies: results of the kernel against the positions that follow."""

from typing import NamedTuple

import numpy as np
import pytest

from satsweep.board import Board
from satsweep.games.deal import LEVELS
from satsweep.kernels.api import _own
from satsweep.kernels.lookahead import two_plies
from satsweep.kernels.shared.memory import COVERED, FINE, IMPOSSIBLE
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, position, stuck, symbols_of, table_of

pytestmark = pytest.mark.extended


class Ahead(NamedTuple):
    """Results of ``look_ahead`` for one cell, by the number that it shows, 0 to 8.

    The probability of the number; then, in the position that follows: the risks of the safest and of the second safest
    cell, how many cells are safe, and the sum of risk times safety over the frontier of the position before.
    """

    shown: np.ndarray
    least: np.ndarray
    following: np.ndarray
    safe: np.ndarray
    vague: np.ndarray


def look_ahead(board: Board, cell: int) -> Ahead:
    """Run the kernel on a position in which nothing is forced."""
    symbols, table = symbols_of(board), table_of(board)
    assert board.mines is not None
    found = position(symbols, table, board.mines)  # leaves the position in the working record, with its risks
    assert found.status == FINE and not np.isin(found.risks, (0, 1)).any()
    work = _own.work
    two_plies.look_ahead(work, cell)
    record = work[0]
    assert record["status"] == FINE
    known = sum(board[near] == "*" for near in board.neighbours(board.cell(cell)))
    count = int(record["join_most"]) + 1
    result = Ahead(*np.zeros((5, 9)))
    result.shown[known : known + count] = record["shown"][:count] / record["shown"][:count].sum()
    for values, field in zip(result[1:], ("least", "next", "safe", "vague"), strict=True):
        values[known : known + count] = record[field][:count]
    return result


def check(board: Board) -> None:
    assert board.mines is not None
    symbols, table = symbols_of(board), table_of(board)
    frontier = np.zeros(len(symbols), bool)
    for covered in board.covered:
        frontier[board.index(covered)] = any(board[near] not in "#*" for near in board.neighbours(covered))
    for cell in np.flatnonzero(symbols == COVERED)[::3]:
        found = look_ahead(board, int(cell))
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
            assert found.safe[number] == (risks == 0).sum()
            near = then.risks[frontier & (after == COVERED)]
            assert found.vague[number] == pytest.approx((near * (1 - near)).sum(), rel=1e-9, abs=1e-12)
            if len(risks):
                assert found.least[number] == pytest.approx(risks[0], rel=1e-11, abs=0)
                assert found.following[number] == pytest.approx(risks[min(1, len(risks) - 1)], rel=1e-11, abs=0)
            else:
                assert found.least[number] == 2


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("level", [*LEVELS.values(), (6, 6, 9), (8, 8, 20)], ids=str)
def test_after_every_number(level: tuple[int, int, int], topology: Topology) -> None:
    boards = [board for game in range(4) for board in stuck(*level, topology, game)]
    for board in boards[:6]:
        check(board)
