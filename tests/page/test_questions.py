"""Every question of the page with every field missing, null, of another type, or strange: an error by name."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import satsweep.page
from satsweep.errors import BoardError
from satsweep.games.rules import Rules
from satsweep.page.answers import ANSWERS, FIELDS
from satsweep.page.app import GAMES
from tests.page.pages import ask, packed_pixels
from tests.pictures.skins import SKINS, drawn

STATIC = Path(satsweep.page.__file__).parent / "static"
BOARD = "mines 1\n1#\n##"
LAYOUT = "start 0,0\n.*\n.."
PICTURED = ["##1..", "##2..", "#21..", "11.11", "..1##"]
SIZED = {
    "rows": 3,
    "cols": 3,
    "mines": 1,
    "topology": "square",
    "clues": "exact",
    "seed": 5,
    "first": "safe",
    "start": [0, 0],
}
LAID_OUT = {"layout": "...\n.*.", "clues": "exact", "seed": "5", "first": "safe", "start": [0, 0]}
MOVES = {"moves": [["open", [0, 0]], ["flag", [1, 1]]], "mode": "no guess"}
RULES = Rules().to_values() | {"start": None}
CLICKED = LAID_OUT | MOVES | {"redraw": "fair", "rules": RULES, "clue_seed": 3, "player": "me", "outcome": "stopped"}
PLAYED = {"agent": "basic", "goal": "clear"}
ASKED: dict[str, list[dict[str, Any]]] = {
    "read": [{"text": BOARD}, {"base64": "MSMKIyM="}],
    "picture": [packed_pixels(np.asarray(drawn(SKINS[0], PICTURED)))],
    "write": [{"format": "json", "board": BOARD}, {"format": "json", "layout": LAYOUT}, SIZED | MOVES, CLICKED],
    "solve": [{"board": BOARD}],
    "explain": [{"board": BOARD, "cell": [0, 1]}],
    "conflict": [{"board": BOARD}],
    "advice": [{"board": BOARD, "last": [0, 0], "deep": False}],
    "further_advice": [{"board": BOARD, "last": [0, 0], "wins": [[[0, 1], 0.5]], "exact": True}],
    "hint": [{"board": BOARD, "last": [0, 0], "deep": False}],
    "endgame": [{"board": BOARD, "path": [], "cell": [0, 1]}],
    "grid": [{"rows": 2, "cols": 3, "topology": "torus"}],
    "deal": [SIZED, LAID_OUT],
    "deal_no_guess": [SIZED | {"technique": "all", "first": "zero"}],
    "redraw": [{"board": "mines 1\n##\n##", "layout": LAYOUT, "opening": [0, 1], "redraw": "fair", "seed": 5}],
    "rate": [{"layout": LAYOUT}],
    "watch": [SIZED | PLAYED, LAID_OUT | PLAYED],
    "animate": [SIZED | MOVES, CLICKED, SIZED | PLAYED, LAID_OUT | PLAYED],
    "review_game": [SIZED | MOVES, CLICKED, {"text": "no game"}, {"base64": "MSMKIyM="}],
    "fewest_clicks": [{"layout": LAYOUT, "seconds": 1, "start": [0, 0]}],
}  # fmt: skip
"""Questions, asked in each of their ways with all fields."""
OTHERS: tuple[object, ...] = ("x", 1.5, True, 3, [], {}, [[1]])


def answered(kind: str, fields: dict[str, Any]) -> str | None:
    """The error of a question, None if it has an answer; any other exception is a mistake."""
    try:
        ask(kind, **fields)
    except BoardError as error:
        return error.message
    return None


CASES = [(kind, number) for kind, ways in ASKED.items() for number in range(len(ways))]


def test_every_way_is_asked_with_every_field() -> None:
    assert set(ASKED) == set(ANSWERS)
    for kind, (_, ways) in ANSWERS.items():
        assert {frozenset((*way.needed, *way.optional)) for way in ways} == set(map(frozenset, ASKED[kind]))
        assert {key for way in ways for key in (*way.needed, *way.optional)} <= set(FIELDS)


def test_every_question_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """The page of the protocol in the manual has the docstrings, and the fields of each way (``test_manual``)."""
    for name, (answer, ways) in ANSWERS.items():
        with subtests.test("it has a docstring and ways to ask it", question=name):
            assert answer.__doc__ and ways
            assert sum(other is answer for other, _ in ANSWERS.values()) == 1
    by = re.findall(
        r'^  (\w+): { by: "(quick|long|python)",', (STATIC / "engine" / "questions.js").read_text(), re.MULTILINE
    )
    assert sorted(name for name, _ in by) == sorted(ANSWERS), "questions.js says who answers"
    own = (STATIC / "engine" / name for name in ("answer.js", "game-answers.js"))
    tables = [re.search(r"\bANSWERS = \{ (.+) \};$", path.read_text(), re.MULTILINE) for path in own]
    answered = {name.split(":")[0] for table in tables if table for name in table[1].split(", ")}
    assert answered == {name for name, who in by if who != "python"}, "answers of the engine"
    modules = [path for path in STATIC.rglob("*.js") if path.name != "engine.js"]
    scripts = {path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in modules}
    asked = {name: set(re.findall(r"\bask\(\s*\"(\w+)\"", text)) for name, text in scripts.items()}
    for name, questions in asked.items():
        with subtests.test("what a script asks has an answer", script=name):
            assert questions <= ANSWERS.keys()
    assert {"solve", "explain", "watch"} <= set().union(*asked.values())
    assert ANSWERS.keys() >= set(GAMES)


@pytest.mark.parametrize(("kind", "number"), CASES)
def test_a_field_is_missing_null_or_of_another_type(kind: str, number: int) -> None:
    whole = ASKED[kind][number]
    needed = {key for way in ANSWERS[kind][1] if {*way.needed, *way.optional} == set(whole) for key in way.needed}
    expected = answered(kind, whole)
    for key, value in whole.items():
        without = {other: own for other, own in whole.items() if other != key}
        missing, null = answered(kind, without), answered(kind, whole | {key: None})
        assert missing == null
        if key in needed:
            assert missing is not None and repr(key) in missing
        for other in OTHERS:
            if type(other) is type(value) or key == "seed" and isinstance(other, str | int) and other is not True:
                continue
            message = answered(kind, whole | {key: other})
            assert message is not None and repr(key) in message, (key, other, message)
    assert expected is None or "no game" in whole.values() or "base64" in whole, expected


@pytest.mark.parametrize(("kind", "number"), CASES)
def test_values_that_no_board_has(kind: str, number: int) -> None:
    """Each has an answer or an error of its own, and none is a mistake."""
    whole = ASKED[kind][number]
    for key, value in whole.items():
        strange: list[object] = [{}, [], "", 0]
        if isinstance(value, int):
            strange = [0, -1, 10**6, 10**400]
        if isinstance(value, str):
            strange = ["", "x", "\ud800", "\x00", "9" * 5_000, "start 7,7\n..", "mines 9\n##"]
        if isinstance(value, list):
            strange = [
                [],
                [0],
                [9, 9],
                [0, -1],
                [10**400, 0],
                [[]],
                [["open"]],
                [[[], []]],
                [["open", [9, 9]]],
                [0, 0, 0],
            ]
        for other in strange:
            answered(kind, whole | {key: other})


@pytest.mark.parametrize("kind", list(ANSWERS))
def test_fields_that_no_question_has(kind: str) -> None:
    for whole in ASKED[kind]:
        for value in (None, 1, "x"):
            assert answered(kind, whole | {"colour": value}) == f"expected no 'colour' with {kind!r}"
