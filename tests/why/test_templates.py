"""Templates: those of JavaScript are those of Python, and each is used by both."""

import json
import re

import pytest

from satsweep.why.templates import AMOUNTS, TEMPLATES
from tests import ROOT

ENGINE = ROOT / "satsweep" / "page" / "static" / "engine"


def test_the_templates_of_javascript_are_those_of_python(request: pytest.FixtureRequest) -> None:
    table = [f"  {json.dumps(name)}: {json.dumps(text)}," for name, text in TEMPLATES.items()]
    words = ", ".join(map(json.dumps, AMOUNTS))
    text = "\n".join(
        [
            "// @ts-check",
            "// Made from satsweep/why/templates.py; tests/why/test_templates.py says how.",
            f"// biome-ignore format: one line each\nexport const AMOUNTS = [{words}];",
            "// biome-ignore format: one line each\nexport const TEMPLATES = {",
            *table,
            "};\n",
        ]
    )
    path = ENGINE / "templates.js"
    if request.config.getoption("--update"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "see --update"


def test_every_template_is_used_in_both_languages() -> None:
    python = "".join((ROOT / "satsweep" / "why" / name).read_text() for name in ("phrases.py", "sentences.py"))
    javascript = "".join((ENGINE / name).read_text() for name in ("arguments.js", "conflict.js"))
    for name in TEMPLATES:
        assert re.search(rf'said\(\s*"{name}"', python), name
        assert re.search(rf'said\(\s*"{name}"', javascript), name
