"""All ways to ask for a move name the same cell (row 25 of the faults)."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given

from satsweep.analysis.advice import advise
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.cli.interactive import InteractiveGame
from satsweep.games.game import Game
from satsweep.games.rules import Rules
from satsweep.layout import Layout
from satsweep.page.answers import answer_to
from satsweep.page.questions import LIMITS, Question
from satsweep.questions.witness import find_world
from satsweep.render import to_json, to_svg, to_text
from satsweep.render.explanation_text import forced_to_json
from satsweep.solver import compiled
from tests import strategies
from tests.cli import invoke
from tests.games.positions import positions_of_games
from tests.solver.test_corpora import corpus


def stuck_positions(every: int) -> list[Board]:
    """Positions without a safe cell, of expert games and of small boards."""
    small = [board for board, _ in positions_of_games(8, 8, 12, seed=25, games=4 * every)]
    return [board for board in (*[*corpus("positions_expert").values()][:: 20 // every], *small) if is_stuck(board)]


def is_stuck(board: Board) -> bool:
    analysis = analyse(board)
    return not analysis.safe and analysis.least_risk not in (None, 1)


def asked(kind: str, board: Board) -> dict[str, Any]:
    question = Question.of(json.dumps({"id": 0, "ask": kind, "board": str(board)}))
    answer: dict[str, Any] = json.loads(json.dumps(answer_to(question, LIMITS, lambda piece: None)))
    return answer


def hinted(board: Board, capsys: pytest.CaptureFixture[str]) -> str:
    """The best guess that a hint in a game names, at the position of a board."""
    layout = find_world(board)
    assert layout is not None
    game = Game(Layout(layout.cells, topology=board.topology), Rules(cascade=False), Random(0))
    for cell in board:
        if not board.is_covered(cell):
            game.open(cell)
    assert game.board == board
    capsys.readouterr()
    InteractiveGame(game, warn=False).hint()
    found = re.search(r"^best guess: (\d+,\d+) ", capsys.readouterr().out, re.MULTILINE)
    assert found is not None
    return found[1]


def check_one_ranking(boards: list[Board], capsys: pytest.CaptureFixture[str]) -> None:
    for board in boards:
        analysis = analyse(board)
        best = advise(analysis).best
        assert best is not None and analysis.best == best
        written = json.loads("".join(to_json(analysis)))
        assert written["best"]["cell"] == written["advice"]["candidates"][0]["cell"] == list(best)
        assert re.search(rf"^best move +{best} with risk", "".join(to_text(analysis)), re.MULTILINE)
        assert f"Best move: {best} with risk" in "".join(to_svg(analysis))
        explained = json.loads("".join(forced_to_json([], analysis.advice.guesses)))
        assert explained["candidates"][0]["cells"][0] == list(best)
        solved = asked("solve", board)
        # The page's first answer does not wait for the deep player; "advice" follows with its choice.
        first = advise(analysis, deep=False).best
        assert first is not None
        assert solved["best"] == solved["advice"]["candidates"][0]["cell"] == list(first)
        assert asked("advice", board)["candidates"][0]["cell"] == asked("hint", board)["cell"] == list(best)
        assert hinted(board, capsys) == str(best)


def test_one_ranking_without_kernels(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("satsweep.solver.compiled.is_there", lambda: False)
    boards = stuck_positions(1)
    check_one_ranking(boards, capsys)
    assert len(boards) > 8 and {advise(analyse(board)).kind for board in boards} == {"exact", "risk"}


@pytest.mark.extended
def test_one_ranking_with_the_deep_player(capsys: pytest.CaptureFixture[str]) -> None:
    boards = stuck_positions(10)
    check_one_ranking(boards, capsys)
    assert len(boards) > 50 and {advise(analyse(board)).kind for board in boards} == {"exact", "estimate"}


@pytest.mark.extended
def test_the_estimate_is_that_of_the_deep_player() -> None:
    for board in stuck_positions(4):
        advice = advise(analyse(board))
        symbols, table = compiled.symbols_of(board), compiled.table_of(board.topology, board.rows, board.cols)
        assert board.mines is not None
        own = compiled.advise(symbols, table, board.mines, 2)
        if advice.kind == "estimate":
            first = advice.candidates[0]
            assert first.cell == board.cell(own.cell) and first.win == own.value
            assert all(other.win is None or other.win <= own.value for other in advice.candidates)
        elif own.exact:
            assert advice.candidates[0].win == pytest.approx(own.value)


def test_a_safe_cell_is_the_easiest_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    board = Board(("######", "111122", "......"))
    assert analyse(board).best == Cell(0, 2)
    assert asked("solve", board)["best"] == asked("hint", board)["cell"] == [0, 2]


@given(strategies.boards(max_covered=9))
def test_commands_and_library_agree_on_any_board(board: Board) -> None:
    best = analyse(board).best
    solved = json.loads(invoke("solve", "-", "--json", stdin=str(board)).stdout)
    named = None if best is None else list(best)
    assert (None if solved["best"] is None else solved["best"]["cell"]) == named
    explained = json.loads(invoke("explain", "-", "--json", stdin=str(board)).stdout)
    first = explained["candidates"][:1]
    assert bool(first) == is_stuck(board)
    assert not first or first[0]["cells"][0] == named
