"""Schemas say what the tables of the package have, no more and no less."""

import json

import jsonschema
import pytest

from satsweep.clues import CLUE_KINDS, EXACT
from satsweep.topology import SHAPES
from tests.schemas import EXACT_IS_LEFT_OUT, FILES, clues_pattern, made, topology_pattern


def test_schemas_are_made_from_the_tables(subtests: pytest.Subtests) -> None:
    """Where one differs, ``python -m tests.schemas`` writes it anew."""
    for name, path in FILES.items():
        with subtests.test(name):
            assert path.read_text("utf-8") == made(name)
            jsonschema.Draft202012Validator.check_schema(json.loads(made(name)))


def test_patterns_take_every_example(subtests: pytest.Subtests) -> None:
    topologies = {"type": "string", "pattern": topology_pattern()}
    for name, shape in SHAPES.items():
        with subtests.test(shape=name):
            jsonschema.validate(shape.example, topologies)
            assert not jsonschema.Draft202012Validator(topologies).is_valid(f"{shape.example} x")
    for schema in ("analysis", "board", "certificate", "record"):
        pattern = clues_pattern(schema)
        assert json.dumps(pattern) in FILES[schema].read_text("utf-8")
        for kind in CLUE_KINDS.values():
            for example in kind.examples:
                with subtests.test(schema=schema, clues=example):
                    left_out = example == EXACT.kind and schema in EXACT_IS_LEFT_OUT
                    valid = jsonschema.Draft202012Validator({"type": "string", "pattern": pattern}).is_valid
                    assert valid(example) is not left_out and not valid(f"{example} x")
