"""The table of techniques, and what lacks one of them."""

import json
from importlib.resources import files

import pytest

from satsweep import Board, analyse
from satsweep.learn.envs.metrics import METRICS, NEEDS
from satsweep.render.review_json import GAME_COLUMNS
from satsweep.techniques import ORDER, TECHNIQUES, Technique
from tests import ROOT

SCHEMAS = files("satsweep") / "formats" / "schemas"


def test_every_technique_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """The table is complete, in the order of the members, and all readers have all of it."""
    assert list(TECHNIQUES) == list(ORDER) == list(Technique)
    assert list(ORDER.values()) == list(range(len(ORDER)))
    assert list(analyse(Board(("1#",))).stages) == [words.stage for words in TECHNIQUES.values()]
    stages = json.loads((SCHEMAS / "analysis.schema.json").read_text())["properties"]["stages"]["properties"]["forced"]
    reviewed = json.loads((SCHEMAS / "review.schema.json").read_text())["$defs"]["technique"]["enum"]
    manual = (ROOT / "docs" / "review.md").read_text()
    for technique, words in TECHNIQUES.items():
        with subtests.test(technique.value):
            assert technique.value in reviewed
            assert f"missed_{technique.value.replace(' ', '_')}" in GAME_COLUMNS
            assert words.stage in stages["required"] and words.metric in NEEDS
            assert {f"{words.metric}_found", f"{words.metric}_missed"} <= set(METRICS)
            assert technique.value in manual, "docs/review.md"
    for field in ("stage", "metric", "phrase"):
        assert len({getattr(words, field) for words in TECHNIQUES.values()}) == len(TECHNIQUES)
    assert len(reviewed) == len(stages["required"]) == len(NEEDS) - 1 == len(TECHNIQUES)
