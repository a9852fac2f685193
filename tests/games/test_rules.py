"""Rules of play: whatever a new rule, or a new value of one, still lacks has its own line here."""

from dataclasses import fields
from enum import Enum
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from satsweep.arena.plan_boards import _RULES as KEYS
from satsweep.cli.game_options import OPPOSITES, RuleChanges, rule_options
from satsweep.games.rules import RULES, STANDARD_RULES, Rules
from satsweep.umi.protocol.messages import ABILITIES
from tests import ROOT
from tests.schemas import COMPARISON, SCHEMAS


def test_every_rule_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """The values of rules in the schemas are compared with the table in ``test_schemas``."""
    assert [*RULES] == [field.name for field in fields(Rules)]
    assert set(KEYS.values()) == RULES.keys()
    record, setting = SCHEMAS["record"]["$defs"]["rules"], COMPARISON["$defs"]["setting"]
    options = get_type_hints(RuleChanges)
    protocol = (ROOT / "docs" / "umi.md").read_text()
    for name, rule in RULES.items():
        with subtests.test("satsweep/formats/schemas", rule=name):
            assert name in record["properties"] and name in setting["properties"]
            assert (name not in record["required"]) is (name not in setting["required"]) is rule.younger
        with subtests.test("satsweep.cli.game_options.RuleChanges", rule=name):
            option = {opposite: option for option, opposite in OPPOSITES.items()}.get(name, name)
            assert option in options
            choices = next((one for one in get_args(options[option]) if get_origin(one) is Literal), None)
            assert issubclass(rule.kind, Enum) is (choices is not None)
            assert choices is None or list(get_args(choices)) == list(rule.words)
        with subtests.test("docs/umi.md and satsweep.umi.protocol.messages.ABILITIES", rule=name):
            assert (f"`rule {name} " in protocol) is (rule.ability is not None)
            assert not rule.ability or rule.ability in ABILITIES


def test_options_say_every_value() -> None:
    assert rule_options("tells_total", STANDARD_RULES.tells_total) == ()
    for name, rule in RULES.items():
        for value in rule.words.values():
            words = rule_options(name, value)
            assert words or name == "tells_total"
            assert all(word.startswith("--") for word in words[:1])
    assert rule_options("cascade", False) == ("--no-cascade",) and rule_options("fatal", True) == ("--one-life",)
    assert rule_options("redraw", RULES["redraw"].words["cruel-all"]) == ("--redraw", "cruel-all")
