"""The page's question for the review of a game: of a file, and of the user's own game."""

import base64
import json
from importlib.resources import files
from random import Random
from typing import Any

import jsonschema
import pytest

from satsweep import Layout, Rules, play
from satsweep.agents import agent_named
from satsweep.errors import BoardError
from satsweep.formats.records import to_json
from satsweep.solver import is_installed
from tests.formats.replay_files import clicks, rawvf
from tests.web.test_advice import ask

LAYOUT = Layout((".*.*", "....", "*..."))


usual = pytest.mark.skipif(not is_installed("numpy"), reason="without numpy there is no such review")


def check(answer: dict[str, Any]) -> None:
    """Check that an answer is a review with its additions, whose parts add up."""
    schema = json.loads(files("satsweep").joinpath("schemas", "review.schema.json").read_text("utf-8"))
    own = {key: value for key, value in answer.items() if key not in ("layout", "facts")}
    own["moves"] = [
        {key: value for key, value in move.items() if key not in ("said", "opened")} for move in own["moves"]
    ]
    jsonschema.validate(own, schema)
    assert answer["start"] + answer["skill"] + answer["luck"] == pytest.approx(answer["end"], abs=1e-12)
    assert len(answer["layout"]) == answer["rows"] and answer["facts"]


@usual
def test_a_file_is_reviewed_as_text_or_bytes() -> None:
    text = rawvf(LAYOUT, clicks(("left", 0, 0), ("left", 2, 3)))
    answer = ask("review_game", text=text)
    check(answer)
    assert ask("review_game", base64=base64.b64encode(text.encode()).decode()) == answer
    record = play(LAYOUT, agent_named("basic"), Rules(), Random(1))
    check(ask("review_game", text=to_json(record)))


@usual
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


def test_without_numpy_there_is_no_review(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.web.game_review.is_installed", lambda name: False)
    with pytest.raises(BoardError, match="needs numpy"):
        ask("review_game", text=rawvf(LAYOUT, clicks(("left", 0, 0))))


def test_large_boards_are_refused() -> None:
    layout = Layout((("." * 101 + "*"),) * 100)
    with pytest.raises(BoardError, match="cells"):
        ask("review_game", text=rawvf(layout, clicks(("left", 0, 0))))
