"""Records in files: round trips, the schema, and the places of errors."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from satsweep import BoardError, Record
from satsweep.formats.records import from_json, to_json
from tests.cli import schema_of
from tests.formats.conformance import BROKEN, RECORD
from tests.games.test_record import by_hand, records
from tests.strategies import malformed_texts

VALIDATOR = schema_of("record")
SMALL = to_json(by_hand())


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


def test_one_move_a_line() -> None:
    assert SMALL == RECORD
    assert from_json(SMALL.replace('"cascade": false', '"cascade": true')).moves == by_hand().moves


def test_the_schema_refuses_what_can_be_seen_without_playing() -> None:
    played = r"move |expected the (outcome|total) |expected a risk|.*start|.*cells as in the first row"
    for broken in BROKEN:
        if broken.text.startswith('{\n  "agent"') and VALIDATOR.is_valid(json.loads(broken.text)):
            assert re.match(played, broken.error.partition(": ")[2]), broken


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
