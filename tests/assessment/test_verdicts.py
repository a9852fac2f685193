"""The tables of a review, verdicts and columns, and what lacks one of them."""

import json
import re
from dataclasses import fields
from importlib.resources import files

import pytest

from satsweep.assessment.collection import GameSummary
from satsweep.assessment.verdicts import VERDICTS, MoveClass
from satsweep.render.review_json import GAME_COLUMNS, MOVE_COLUMNS
from satsweep.techniques import TECHNIQUES
from tests import ROOT

PACKAGE = files("satsweep")
SCHEMA = json.loads((PACKAGE / "formats" / "schemas" / "review.schema.json").read_text())["$defs"]
STATIC = PACKAGE / "page" / "static"


def test_every_verdict_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """The table is complete, faults stand last and by their losses, and all readers have all of it."""
    assert list(VERDICTS) == list(MoveClass) and SCHEMA["class"]["enum"] == [kind.value for kind in MoveClass]
    faults = {kind.value: own for kind, own in VERDICTS.items() if own.loss is not None}
    assert list(faults) == [kind.value for kind in [*VERDICTS][-len(faults) :]]
    losses = [100 * own.loss for own in faults.values() if own.loss is not None]
    assert losses == sorted(set(losses)) and losses[0] > 0
    manual = re.findall(r"^  \| ([a-z ]+) \| (\d+)", (ROOT / "docs" / "review.md").read_text(), re.MULTILINE)
    assert manual == [("best guess", "0"), *zip(faults, map(str, losses), strict=True)], "docs/review.md"
    types = (PACKAGE / "page" / "answers.d.ts").read_text()
    assert f"type MoveClass = {' | '.join(json.dumps(kind.value) for kind in VERDICTS)};" in types
    assert f"new Set({json.dumps([*faults, 'wrong flag'])})" in (STATIC / "review" / "reviewed.js").read_text(), (
        "FAULTS"
    )
    page, own = (
        (STATIC / "review" / "review.css").read_text(),
        (PACKAGE / "render" / "templates" / "history.css").read_text(),
    )
    for kind, verdict in VERDICTS.items():
        with subtests.test(kind.value):
            assert re.search(rf"\.{kind.value.split()[0]}\b", page), "colours of the page"
            assert own.count(f"--{verdict.style}: #") == 2, "colours of the report, light and dark"


def test_every_column_is_known_everywhere() -> None:
    names = [field.name for field in fields(GameSummary)]
    game = SCHEMA["game"]
    assert game["required"] == names and list(game["properties"]) == names, "review.schema.json"
    counted = {"classes": [kind.value for kind in VERDICTS], "missed": [technique.value for technique in TECHNIQUES]}
    beside = [name for name in GAME_COLUMNS if name not in names]
    words = {"classes": "class", "missed": "missed"}
    assert beside == [f"{words[field]}_{name.replace(' ', '_')}" for field in counted for name in counted[field]]
    assert [name for name in GAME_COLUMNS if name in names] == [name for name in names if name not in counted]
    technique, choice = SCHEMA["move"]["properties"], SCHEMA["choice"]["properties"]
    written = {"game", "move", "row", "col", *names, *technique, *choice}
    assert [name for name in MOVE_COLUMNS if name not in written] == []
