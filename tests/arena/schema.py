"""The schema of comparisons has the measures of the table: ``python -m tests.arena.schema`` writes them."""

import json
import re
from pathlib import Path
from textwrap import indent

import satsweep
from satsweep.arena.measures import MEASURES

FILE = Path(satsweep.__file__).parent / "formats" / "schemas" / "comparison.schema.json"
SCHEMA = json.loads(FILE.read_text("utf-8"))
_MEASURES = re.compile(r'(?<=^    "measures": )\{$.*?^    \}', re.MULTILINE | re.DOTALL)


def made() -> str:
    """Return the text of the schema with all measures of the table."""
    estimates = {name: {"description": one.told, "$ref": "#/$defs/estimate"} for name, one in MEASURES.items()}
    measures = {"type": "object", "required": [*MEASURES], "additionalProperties": False, "properties": estimates}
    text = indent(json.dumps(measures, indent=2), "    ").lstrip()
    return _MEASURES.sub(lambda found: text, FILE.read_text("utf-8"), count=1)


if __name__ == "__main__":
    FILE.write_text(made(), "utf-8")
