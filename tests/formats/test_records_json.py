"""Records in files: round trips, the schema, and the places of errors."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, strategies as st

from satsweep import BoardError, Record
from satsweep.formats.records import from_json, to_json
from tests.games.test_record import by_hand, records
from tests.strategies import malformed_texts

SCHEMA = json.loads(files("satsweep").joinpath("schemas", "record.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SMALL = to_json(by_hand())


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(records())
def test_records_read_back(played: Record) -> None:
    text = to_json(played)
    VALIDATOR.validate(json.loads(text))
    again = from_json(text)
    assert again == played and again.seconds == played.seconds
    assert again.measures == played.measures
    assert to_json(again) == text


def test_files_read_back(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    by_hand().save(path)
    assert Record.load(path) == by_hand()
    path.write_text(SMALL.replace('"turn": 5', '"turn": "5"', 1))
    with pytest.raises(BoardError) as caught:
        Record.load(path)
    assert str(caught.value) == f"{path}:16:14: expected 'turn' as an integer from 0"


def test_one_move_a_line() -> None:
    lines = SMALL.splitlines()
    assert lines[0] == "{" and lines[-1] == "}"
    assert (
        '    {"turn": 1, "action": "open", "cell": [1, 0], "reason": "guessed", "why": "why not", '
        '"risk": "1/3", "revealed": [[1, 0, 2]]},'
    ) in lines
    assert sum(line.startswith('    {"turn"') for line in lines) == len(by_hand().moves)


def edited(edit: Callable[[dict[str, Any]], object]) -> str:
    fields = json.loads(SMALL)
    edit(fields)
    return json.dumps(fields)


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return an edit that puts the last argument at the path of the others."""

    def edit(fields: dict[str, Any]) -> None:
        place: Any = fields
        for step in path[:-2]:
            place = place[step]
        place[path[-2]] = path[-1]

    return edit


WRONG = [
    (put("agent", 3), "expected 'agent' as a string"),
    (put("extra", 3), "expected a key among agent, rules,"),
    (put("rules", []), "expected a JSON object with first, start,"),
    (put("rules", "first", "last"), "expected 'first' among any, safe, zero, given"),
    (put("rules", "start", [0]), r"expected a cell as \[row, col\]"),
    (put("rules", "start", [0, 9]), "expected a start on the 2x3 grid, found 0,9"),
    (put("rules", "first", "given"), "expected a layout with a start"),
    (put("rules", "cascade", 1), "expected 'cascade' to be true or false"),
    (put("rules", "cascade", True), None),
    (put("rules", "goal", "win"), "expected 'goal' among clear, find"),
    (put("rules", "clues", "none"), "expected clues among exact"),
    (put("rules", "house", 1), "expected a key among first,"),
    (put("mines", 3), "expected the total to be the 2 mines shown, found 3"),
    (put("mines", "2"), "expected 'mines' as an integer from 0"),
    (
        put("topology", "cube"),
        "expected a topology among square, torus, hexagonal, orthogonal, knight, or offsets or edges, found 'cube'",
    ),
    (put("start", [0]), r"expected a cell as \[row, col\]"),
    (put("start", [2, 0]), "expected a start on the 2x3 grid, found 2,0"),
    (put("layout", "**."), "expected 'layout' as a list"),
    (put("layout", []), r"expected rows of one of \. \*, found none"),
    (put("layout", 1, ".."), "expected 3 cells as in the first row, found 2"),
    (put("layout", 1, "..1"), r"expected one of \. \*, found '1'"),
    (put("layout", 1, 5), "expected an item of 'layout' as a string"),
    (put("moves", {}), "expected 'moves' as a list"),
    (put("moves", 0, 7), "expected a JSON object with turn, action, cell, reason"),
    (put("moves", 0, "turn", -1), "expected 'turn' as an integer from 0"),
    (put("moves", 0, "turn", 1.5), "expected 'turn' as an integer from 0"),
    (put("moves", 0, "turn", True), "expected 'turn' as an integer from 0"),
    (put("moves", 0, "action", "close"), "expected 'action' among open, flag, unflag, note"),
    (put("moves", 0, "cell", [1, 0, 0]), r"expected a cell as \[row, col\]"),
    (put("moves", 0, "cell", [1, "0"]), "expected an item of 'cell' as an integer from 0"),
    (put("moves", 0, "reason", None), "expected 'reason' among start, deduced, guessed, chosen"),
    (put("moves", 0, "rule", "a rule"), "expected 'rule' only with 'clues'"),
    (put("moves", 0, "clues", []), "expected 'clues' only with 'rule'"),
    (put("moves", 2, "clues", 5), "expected 'clues' as a list"),
    (put("moves", 2, "why", "x"), "expected 'why' only where a cell is opened"),
    (put("moves", 2, "risk", "1/2"), "expected 'risk' only where a cell is opened"),
    (put("moves", 2, "revealed", []), "expected 'revealed' only where a cell is opened"),
    (put("moves", 0, "risk", 0.5), "expected 'risk' as a string"),
    (put("moves", 0, "risk", "3/2"), "expected a risk between 0 and 1"),
    (put("moves", 0, "risk", "1/0"), "expected a risk between 0 and 1"),
    (put("moves", 0, "risk", "-1/2"), "expected a risk between 0 and 1"),
    (put("moves", 0, "risk", "0.5"), "expected a risk between 0 and 1"),
    (put("moves", 0, "revealed", [[1, 0]]), r"expected \[row, col, number\]"),
    (put("moves", 0, "revealed", 0, 2, "2"), "expected an item of 'revealed' as an integer from 0"),
    (put("outcome", "won"), "expected 'outcome' among cleared, found,"),
    (put("outcome", "cleared"), "expected the outcome played out, found cleared"),
    (put("seconds", -1), "expected seconds, at least 0"),
    (put("seconds", "1"), "expected seconds, at least 0"),
    (put("seconds", True), "expected seconds, at least 0"),
    (put("seconds", 10**999), "expected seconds, at least 0"),
    (put("moves", 0, "revealed", [[1, 0, 1]]), "move 1: expected the move to reveal 1,0=2, found 1,0=1"),
    (put("moves", 1, "revealed", [[0, 0, 3]]), r"move 2: expected the move to reveal 0,0=\*, found 0,0=3"),
    (put("moves", 4, "cell", [1, 0]), "move 5: expected a covered cell, found 1,0"),
    (put("moves", 3, "turn", 1), "move 4: expected turn 2 or a later one, found 1"),
    (lambda fields: fields["moves"].append(fields["moves"][-1]), "move 10: expected a game that goes on"),
    (lambda fields: fields["moves"].pop(), "expected the outcome stuck or stopped, found played out"),
    (lambda fields: fields.pop("layout"), "expected the key 'layout'"),
    (lambda fields: fields["moves"][0].pop("cell"), "expected the key 'cell'"),
]


@pytest.mark.parametrize(("edit", "message"), WRONG, ids=[str(message)[:60] for _, message in WRONG])
def test_what_cannot_be_a_record(edit: Callable[[dict[str, Any]], object], message: str | None) -> None:
    text = edited(edit)
    if message is None:
        assert from_json(text).moves == by_hand().moves
        return
    with pytest.raises(BoardError, match=message) as caught:
        from_json(text)
    assert caught.value.line == 1 and (caught.value.column or 0) >= 1


def test_the_place_is_that_of_the_move() -> None:
    """Each move has a line, so the line names the move."""
    with pytest.raises(BoardError) as caught:
        from_json(SMALL.replace("[0, 0, null]", "[0, 0, 4]"))
    line = caught.value.line or 0
    assert "[0, 0, null]" in SMALL.splitlines()[line - 1] and caught.value.column == 5


def test_the_schema_refuses_what_can_be_seen_without_playing() -> None:
    accepted = [message for edit, message in WRONG if message and VALIDATOR.is_valid(json.loads(edited(edit)))]
    for message in accepted:
        assert message.startswith(("move ", "expected the outcome ", "expected the total", "expected a risk")) or any(
            part in message for part in ("start", "cells as in the first row")
        ), message


@given(malformed_texts())
def test_nothing_but_board_errors(text: str) -> None:
    with pytest.raises(BoardError):
        from_json(text)


@given(st.integers(0, len(SMALL)), st.integers(0, 8), st.sampled_from(["", "0", "null", '"', "[", "}", "-1", "\ufeff"]))
def test_mangled_records(place: int, length: int, put: str) -> None:
    try:
        assert isinstance(from_json(SMALL[:place] + put + SMALL[place + length :]), Record)
    except BoardError as error:
        assert (error.line or 0) >= 1 and (error.column or 0) >= 1 and "\n" not in str(error)
