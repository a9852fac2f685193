"""The page's question for the review of a game: of a file, and of the user's own game."""

import base64
import json
from importlib.resources import files
from random import Random
from typing import Any

import jsonschema
import pytest

from satsweep import Cell, Layout, Rules, play
from satsweep.agents import agent_named
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.formats import read_game_content
from satsweep.formats.records import to_json
from satsweep.games.game import Game, record
from satsweep.games.record import Outcome
from satsweep.games.rules import FirstClick
from tests.formats.replay_files import clicks, rawvf
from tests.page.test_advice import ask

LAYOUT = Layout((".*.*", "....", "*..."))
CHORDED = Layout(("*...", "....", "...*"))


def check(answer: dict[str, Any]) -> None:
    """Check that an answer is a review with its additions, whose parts add up."""
    schema = json.loads(files("satsweep.formats").joinpath("schemas", "review.schema.json").read_text("utf-8"))
    own = {key: value for key, value in answer.items() if key not in ("layout", "facts", "summary", "asked")}
    own["moves"] = [
        {key: value for key, value in move.items() if key not in ("said", "click_said", "opened")}
        for move in own["moves"]
    ]
    jsonschema.validate(own, schema)
    assert answer["start"] + answer["skill"] + answer["luck"] == pytest.approx(answer["end"], abs=1e-12)
    assert len(answer["layout"]) == answer["rows"] and answer["facts"]


def test_a_file_is_reviewed_as_text_or_bytes() -> None:
    text = rawvf(LAYOUT, clicks(("left", 0, 0), ("left", 2, 3)))
    answer = ask("review_game", text=text)
    check(answer)
    assert ask("review_game", base64=base64.b64encode(text.encode()).decode()) == answer
    record = play(LAYOUT, agent_named("basic"), Rules(), Random(1))
    check(ask("review_game", text=to_json(record)))


def test_the_game_of_the_user_is_reviewed() -> None:
    setting = {"rows": 4, "cols": 4, "mines": 3, "seed": "5", "first": "safe"}
    answer = ask("review_game", moves=[["open", [0, 0]], ["flag", [3, 3]], ["open", [3, 0]]], **setting)
    check(answer)
    assert [move["action"] for move in answer["moves"]][:2] == ["open", "flag"]
    cells = [cell for move in answer["moves"] for cell, _ in move["opened"]]
    assert len(cells) == len(set(cells)) and all(move["said"] for move in answer["moves"] if move["opened"])


@pytest.mark.parametrize("fields", [{}, {"text": "no game"}, {"text": "a", "base64": "YQ=="}, {"base64": "%"}])
def test_what_is_no_game_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(BoardError):
        ask("review_game", **fields)


def test_large_boards_are_refused() -> None:
    layout = Layout((("." * 101 + "*"),) * 100)
    with pytest.raises(BoardError, match="cells"):
        ask("review_game", text=rawvf(layout, clicks(("left", 0, 0))))


def test_the_clicks_of_a_file_ask_for_the_same_review() -> None:
    """What a link carries: chords, flags, times, and the rules of other games."""
    games = [
        rawvf(CHORDED, clicks(("left", 0, 1), ("right", 0, 0), ("middle", 0, 1), ("left", 2, 3))),
        *(to_json(play(LAYOUT, agent_named(name), rules, Random(2))) for name, rules in (
            ("sat", Rules(start=Cell(1, 1))),
            ("random", Rules(fatal=False)),
            ("basic", Rules(clues=clues_named("random 1/2"))),
        )),
    ]  # fmt: skip
    for text in games:
        found = ask("review_game", text=text)
        assert found["asked"] is not None
        again = ask("review_game", **found["asked"])
        assert again == {key: value for key, value in found.items() if key != "asked"}
    assert [move["class"] for move in ask("review_game", text=games[0])["moves"]].count(None) > 1, "a chord"


def test_moves_that_clicks_cannot_make_are_reviewed_as_they_are() -> None:
    """An agent opens a flagged cell, which no click does."""
    game = Game(LAYOUT, Rules(first=FirstClick.ANY))
    game.flag((1, 1))
    game.open((1, 1))
    game.stop(Outcome.STOPPED)
    found = ask("review_game", text=to_json(record(game, "an agent")))
    assert found["asked"] is None and len(found["moves"]) == 2


def test_the_game_of_the_user_as_a_file() -> None:
    setting = {"rows": 4, "cols": 4, "mines": 3, "seed": "5", "first": "safe"}
    moves = [["open", [0, 0], 0], ["flag", [3, 3], 1.25], ["unflag", [3, 3], 1.5], ["open", [3, 0], 2.125]]
    text = ask("write", moves=moves, **setting)["text"]
    found = read_game_content(text.encode())
    assert [(move.action.value, list(move.cell), move.time) for move in found.moves] == [tuple(move) for move in moves]
    assert ask("review_game", text=text)["moves"] == ask("review_game", moves=moves, **setting)["moves"]
