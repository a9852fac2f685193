"""Modes of other programs' games: their spellings, numbers and documents, and the formats that carry them."""

import json
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from satsweep import BoardError, Layout, Record
from satsweep.cli.review import review as review_command
from satsweep.formats import BINARY_FORMATS, rawvf, read_game_content, records
from satsweep.games.modes import (
    MODES,
    STANDARD,
    UNKNOWN,
    ModeChances,
    mode_in_level,
    mode_named,
    mode_numbered,
    mode_of,
)
from tests import ROOT
from tests.formats.replay_files import clicks, rawvf as written
from tests.formats.test_formats_replays import answer_with
from tests.schemas import SCHEMAS

LAYOUT = Layout((".*.*", "....", "*..."))
EVF_NUMBERS = range(11)


def test_every_mode_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """Every number of EVF and every kind of chances has its mode, no spelling has two, and documents have all."""
    assert sorted(number for mode in MODES.values() for number in mode.numbers) == [*EVF_NUMBERS]
    assert {mode.chances for mode in MODES.values()} == set(ModeChances)
    spellings = Counter(spelling for name, mode in MODES.items() for spelling in (name, *mode.spellings))
    assert max(spellings.values()) == 1
    told = re.findall(r"^\| ([\w ]+?) \|", (ROOT / "docs" / "review.md").read_text(), re.MULTILINE)
    assert [name for name in told if name in MODES] == [*MODES], "docs/review.md"
    help = str(review_command.__annotations__["mode"])
    for name, mode in MODES.items():
        with subtests.test(name):
            assert name.replace(" ", "-") in help, "satsweep review --help"
            assert name in SCHEMAS["review"]["$defs"]["mode"]["description"], "review.schema.json"
            assert bool(mode.said) is (name != STANDARD) and mode_named(name.upper()) == name


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("No Guess", "no guess"), ("Classic NG", "no guess"), ("Upk", "upk"), ("Cheat (hinted)", "cheat"),
        ("Eff Boards", "efficiency"), ("upk", "upk"), ("classic", "standard"), (" Classic ", "standard"),
        ("Win7", "win7"), ("Density", "density"), ("", "standard"), ("Blitz!", "Blitz!"), ("x" * 99, "x" * 40),
    ],
)  # fmt: skip
def test_spellings(spelling: str, name: str) -> None:
    assert mode_named(spelling) == name
    assert (mode_of(name) is UNKNOWN) is (name not in MODES)


def test_numbers_of_evf() -> None:
    names = [mode_numbered(number) for number in EVF_NUMBERS]
    assert names[:5] == ["standard", "upk", "cheat", "density", "win7"]
    assert names[5:] == ["no guess"] * 4 + ["guessable"] * 2
    assert mode_of(mode_numbered(12)) is UNKNOWN


def test_levels_that_name_a_mode() -> None:
    assert [mode_in_level(level) for level in ("Easy NG", "no guess", "Custom (UPK)")] == [
        "no guess",
        "no guess",
        "upk",
    ]
    assert mode_in_level("Beginner") == mode_in_level("") == STANDARD


def game(*options: str) -> Record:
    return read_game_content(written(LAYOUT, clicks(("left", 0, 0), ("left", 2, 3)), *options).encode())


def test_replays_as_text_carry_their_mode() -> None:
    assert game().mode == STANDARD
    assert game("Mode: No Guess").mode == game("Mode: Classic", "Level: Easy NG").mode == "no guess"
    assert game("Level: Easy NG", "Mode: Upk").mode == "upk"
    for mode in (*MODES, "Blitz"):
        record = replace(game(), mode=mode)
        assert ("Mode:" in rawvf.write_game(record)) is (mode != STANDARD)
        assert rawvf.read_game(rawvf.write_game(record)).mode == mode


def test_records_carry_their_mode() -> None:
    for mode in (*MODES, "Blitz"):
        record = replace(game(), mode=mode)
        assert ('"mode"' in records.to_json(record)) is (mode != STANDARD)
        assert records.from_json(records.to_json(record)) == record
    with pytest.raises(BoardError, match="expected 'mode' as a string"):
        records.from_json(records.to_json(replace(game(), mode="upk")).replace('"upk"', "7"))


def test_lists_of_moves_carry_their_mode() -> None:
    values = {"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019", "moves": [[0, 2]]}
    assert read_game_content(json.dumps(values).encode()).mode == STANDARD
    assert read_game_content(json.dumps(values | {"mode": "Classic NG"}).encode()).mode == "no guess"


def test_binary_replays_carry_their_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    answer: dict[str, Any] = {
        "player": "x",
        "layout": [[-1, 1], [1, 1]],
        "positions": [[0.5, [[10, 1], [10, 10]], None]],
    }
    for number, name in ((0, "standard"), (6, "no guess"), (4, "win7")):
        answer_with(json.dumps(answer | {"mode": number}).encode(), monkeypatch)
        assert BINARY_FORMATS["evf"].read_as(Record, b"").mode == name
