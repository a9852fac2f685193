"""The engine of one board, in turn with those of others: one room answers them all."""

from array import array
from itertools import product
from math import isnan
from typing import Any

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.kernels import board_engine
from satsweep.kernels.board_engine import MINE, BoardEngine, PosedEndgame
from satsweep.solver import compiled
from tests.brute_force import worlds

pytestmark = pytest.mark.skipif(not board_engine.is_there(), reason="needs the compiled library")
BOARDS = [
    Board(("#1#", "1##", "###"), mines=2),
    Board(("##1.", "##21", "####"), mines=3),
    Board(("####", "#22#", "####"), mines=4),
]


def engine_of(board: Board) -> BoardEngine:
    return BoardEngine(board.topology.neighbours(board.rows, board.cols), board.mines or 0)


def test_risks_are_those_of_the_exact_path_on_boards_in_turn() -> None:
    for board in BOARDS * 2:
        found = engine_of(board).risks(compiled.symbols_of(board).tobytes())
        exact = [risk for row in analyse(board, engine="elimination").risks for risk in row]
        assert found is not None and len(found) == len(exact)
        for risk, expected in zip(found, exact, strict=True):
            assert isnan(risk) if expected is None else risk == pytest.approx(float(expected), abs=1e-12)


def test_an_impossible_board_has_no_risks() -> None:
    board = Board(("3#", "##"), mines=1)
    assert engine_of(board).risks(compiled.symbols_of(board).tobytes()) is None


def test_an_endgame_is_posed_again_after_others() -> None:
    """Its values are those of best play, which a search through all ways to play finds."""
    endgames = []
    for board in BOARDS[:1] + BOARDS[2:]:
        found = [{board.index(cell) for cell in mines} for mines in worlds(board)]
        near = board.topology.neighbours(board.rows, board.cols)
        cells = [cell for cell, symbol in enumerate(board.symbols) if symbol == "#"]
        rows = [bytes(MINE if c in world else sum(o in world for o in near[c]) for c in cells) for world in found]
        endgames.append((PosedEndgame(engine_of(board), rows), rows))
    for (endgame, rows), board in product(endgames * 2, BOARDS):
        assert endgame.value(range(len(rows))) == best(rows)
        engine_of(board).guess(compiled.symbols_of(board).tobytes())


def best(rows: list[bytes]) -> int:
    """The most worlds that one way to play wins, by looking at every cell that tells something."""
    ways = [int(len(rows) == 1)]
    for cell in range(len(rows[0])):
        shown = {row[cell] for row in rows}
        if len(shown) > 1:
            ways.append(sum(best([row for row in rows if row[cell] == number]) for number in shown - {MINE}))
    return max(ways)


def test_what_is_beyond_the_limits_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds and games for which the library writes that it has no answer."""

    def rolled(engine: BoardEngine, name: str, *arguments: Any) -> int:
        for place, value in {(0, 0): 0.5, (0, 1): 0.25, (1, 0): 0.75, (1, 1): -1.0, (2, 0): 0.0, (2, 1): 1.0}.items():
            arguments[-1][place] = value
        return board_engine.FINE

    def chances(engine: BoardEngine, name: str, *arguments: Any) -> int:
        arguments[-1][:] = array("d", [0.5, float("nan"), 0.25])
        return board_engine.FINE

    engine = engine_of(BOARDS[0])
    monkeypatch.setattr(BoardEngine, "call", rolled)
    assert engine.roll_out(b"", [0, 1], 3, 0) == [(0.5, 0.25), (0.0, 1.0)]
    monkeypatch.setattr(BoardEngine, "call", chances)
    assert engine.chances("a", "safe", 0, 3) == [0.5, 0.25]


@pytest.mark.parametrize("exact", [0, 1])
def test_a_guess_is_exact_where_the_library_says_so(exact: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def guess(engine: BoardEngine, name: str, *arguments: Any) -> int:
        arguments[3][0], arguments[4][0], arguments[5][0] = 2, 0.5, exact
        return board_engine.FINE

    monkeypatch.setattr(BoardEngine, "call", guess)
    assert engine_of(BOARDS[0]).guess(b"") == (2, 0.5, exact == 1)
