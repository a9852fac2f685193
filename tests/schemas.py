"""What schemas take from the tables of the package: ``python -m tests.schemas`` writes it into them."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from textwrap import indent
from typing import Any

import satsweep
from satsweep.arena.measures import MEASURES
from satsweep.assessment.collection import GameSummary
from satsweep.assessment.verdicts import VERDICTS
from satsweep.clues import CLUE_KINDS, EXACT
from satsweep.games.rules import RULES
from satsweep.techniques import TECHNIQUES
from satsweep.topology import SHAPES, TOPOLOGIES

FOLDER = Path(satsweep.__file__).parent / "formats" / "schemas"
FILES = {path.name.removesuffix(".schema.json"): path for path in sorted(FOLDER.glob("*.schema.json"))}
"""Schemas by their names."""
WRITTEN_BY_PEOPLE = ("board", "certificate")
"""Schemas of texts in which a chance may be a decimal number."""
EXACT_IS_LEFT_OUT = ("analysis",)
SCHEMAS = {name: json.loads(path.read_text("utf-8")) for name, path in FILES.items()}
COMPARISON = SCHEMAS["comparison"]
_MEASURES = re.compile(r'(?<=^    "measures": )\{$.*?^    \}', re.MULTILINE | re.DOTALL)


def clues_pattern(schema: str) -> str:
    chance = " [0-9./e-]+" if schema in WRITTEN_BY_PEOPLE else " [0-9]+/[0-9]+"
    models = [
        name
        + (chance if kind.hides else f"({chance})?" if kind.takes_chance else "")
        + "( cap [0-9]+)?" * kind.takes_cap
        for name, kind in CLUE_KINDS.items()
        if name != EXACT.kind or schema not in EXACT_IS_LEFT_OUT
    ]
    return f"^({'|'.join(models)})$"


def topology_pattern() -> str:
    """Shapes of which offsets decide can be stacked and wrapped, graphs cannot."""
    pairs = {name: shape.pair.pattern for name, shape in SHAPES.items() if shape.pair}
    plain = {name: re.sub("[()]", "", pair).replace(r"\d{1,7}", "[0-9]+") for name, pair in pairs.items()}
    *stacked, graph = [*TOPOLOGIES, *(f"{name}( {pair})+" for name, pair in plain.items())]
    return f"^(({'|'.join(stacked)})( in [0-9]+ planes)?( wrapping (rows|cols|both))?|{graph})$"


def _told(schema: str, value: Any) -> Iterator[tuple[object, object]]:
    """Yield what a schema says of the tables' entries, with what it should say."""
    for name, said in value.items() if isinstance(value, dict) else ():
        if isinstance(said, dict):
            if "pattern" in said and name == "clues":
                yield said["pattern"], clues_pattern(schema)
            if "pattern" in said and name == "topology":
                yield said["pattern"], topology_pattern()
            if "enum" in said and name in RULES and issubclass(RULES[name].kind, Enum):
                yield said["enum"], list(RULES[name].words)
            if "enum" in said and (schema, name) == ("review", "technique"):
                yield said["enum"], [technique.value for technique in TECHNIQUES]
            if "enum" in said and (schema, name) == ("review", "class"):
                yield said["enum"], [kind.value for kind in VERDICTS]
            if "required" in said and (schema, name) == ("review", "game"):
                yield said["required"], [field.name for field in fields(GameSummary)]
            if "required" in said and (schema, name) == ("analysis", "forced"):
                yield said["required"], [words.stage for words in TECHNIQUES.values()]
            yield from _told(schema, said)


def made(schema: str) -> str:
    """Return the text of a schema with the entries of the tables as they are."""
    text = FILES[schema].read_text("utf-8")
    for said, told in _told(schema, json.loads(text)):
        text = text.replace(json.dumps(said), json.dumps(told))
    if schema == "comparison":
        estimates = {name: {"description": one.told, "$ref": "#/$defs/estimate"} for name, one in MEASURES.items()}
        measures = {"type": "object", "required": [*MEASURES], "additionalProperties": False, "properties": estimates}
        written = indent(json.dumps(measures, indent=2), "    ").lstrip()
        text = _MEASURES.sub(lambda found: written, text, count=1)
    return text


if __name__ == "__main__":
    for name, path in FILES.items():
        path.write_text(made(name), "utf-8")
