"""Review of a finished game: risks of its moves against all worlds."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from satsweep.board import Board, Cell
from satsweep.errors import BoardError
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game
from satsweep.games.rules import FirstClick, Rules
from satsweep.render.number_text import percent
from satsweep.solver.analysis import analyse
from satsweep.web import played
from satsweep.web.answers import answer_to
from satsweep.web.questions import LIMITS, Question, Values
from tests.brute_force import worlds


def review(board: str, moves: object) -> tuple[list[Values], Values]:
    """The judged moves of a game, and what is said of all of it."""
    parts: list[Values] = []
    question = Question.of(json.dumps({"id": 1, "ask": "review", "board": board, "moves": moves}))
    told = answer_to(question, LIMITS, parts.append)
    return [move for part in parts for move in part["moves"]], told  # type: ignore[attr-defined]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.randoms())
def test_moves_are_judged_by_the_analysis_of_the_position_before(seed: int, rng: object) -> None:
    layout = random_layout(5, 5, 6, game_rng(seed, 0))
    game = Game(layout, Rules(first=FirstClick.SAFE, start=Cell(2, 2)), game_rng(seed, 1))
    moves, before = [], []
    cell = (2, 2)
    while True:
        before.append(game.board)
        opened = [game.board.index(place) for place, _ in game.open(cell).revealed]
        moves.append([[game.board.index(cell)], opened])
        if game.outcome is not None:
            break
        cell = rng.choice(game.board.covered)  # type: ignore[attr-defined]
    told, whole = review(str(game.board), moves)
    assert [move["move"] for move in told] == list(range(1, len(moves)))
    chance = Fraction(1)
    for number, move in enumerate(told, 1):
        analysis = analyse(before[number])
        risk = analysis.risk(before[number].cell(moves[number][0][0]))
        chance *= 1 - risk
        assert move["percent"] == percent(risk) and move["least_percent"] == percent(analysis.least_risk or Fraction(0))
        assert move["safe"] == len(analysis.safe)
        stuck = analysis.least_risk != 0
        kinds = {
            "safe": risk == 0,
            "mine": risk == 1,
            "needless": 0 < risk < 1 and not stuck,
            "guess": stuck and risk == analysis.least_risk != 1,
            "worse": stuck and 1 > risk > (analysis.least_risk or 0),
        }
        assert kinds[str(move["class"])]
    assert whole["chance_percent"] == percent(chance)
    assert whole["guesses"] == sum(move["class"] != "safe" for move in told)


def test_the_risk_of_several_cells_at_once_is_that_of_one_mine_among_them() -> None:
    """A chord opens them together; counted over all worlds."""
    board = Board(("12#", "2##", "###"), mines=2)
    told, whole = review(str(board), [[[0], [0]], [[1, 3], [1, 3]]])
    known = worlds(Board(("1##", "###", "###"), mines=2))
    hit = sum((share for mines, share in known.items() if mines & {(0, 1), (1, 0)}), Fraction(0)) / sum(known.values())
    assert told[0]["percent"] == percent(hit)
    assert whole["chance_percent"] == percent(1 - hit)


TWO = "mines 1\n.111\n.1#1"
FIRST, EAST = [[0], [0, 1, 4, 5]], [[[3], [3]], [[7], [7]]]


def test_a_guess_is_needless_while_a_cell_is_safe() -> None:
    """The mine is one of two cells, and the cells behind them are safe."""
    told, whole = review(TWO, [FIRST, [[2], [2]], *EAST])
    assert [move["class"] for move in told] == ["needless", "safe", "safe"]
    assert (told[0]["percent"], told[0]["least_percent"], told[0]["safe"], told[0]["best"]) == (
        "50 %",
        "0 %",
        2,
        (0, 3),
    )
    assert (whole["guesses"], whole["needless"], whole["chance"], whole["possible"]) == (1, 1, 0.5, 1.0)
    told, whole = review(TWO, [FIRST, *EAST, [[2], [2]]])
    assert [move["class"] for move in told] == ["safe", "safe", "guess"]
    assert whole == {
        "guesses": 1, "needless": 0, "worse": 0, "unknown": 0,
        "chance": 0.5, "chance_percent": "50 %", "possible": 0.5, "possible_percent": "50 %",
    }  # fmt: skip


def test_parts_come_while_moves_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "BATCH_SECONDS", 0.0)
    told, _ = review("mines 2\n##1.\n1211\n....", [[[8], [4, 5, 6, 7, 8, 9, 10, 11]], [[2], [2, 3]]])
    assert len(told) == 1


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([[[0]]], "chosen and opened"),
        ([[[], [0]]], "chosen cells among"),
        ([[[1], [0]]], "chosen cells among"),
        ([[[0], [0]], [[0], [0]]], "each opened once"),
        ([[[0], [0, 0]]], "each opened once"),
        ([[[1], [1]]], "open cells of the board"),
        ([[[99], [99]]], "open cells of the board"),
    ],
)
def test_odd_games_are_refused(moves: object, said: str) -> None:
    with pytest.raises(BoardError, match=said):
        review("mines 1\n1#\n##", moves)


def test_more_cells_than_the_limit_are_refused() -> None:
    with pytest.raises(BoardError, match="1 to 10,000 cells"):
        review("mines 1\n" + ("#" * 200 + "\n") * 200, [])
