"""The words of the page are those of the glossary."""

import re
import subprocess
import sys

from tests import ROOT

STATIC = ROOT / "satsweep" / "page" / "static"


def meanings() -> dict[str, str]:
    """The tooltips of the page, read from its module."""
    found = re.findall(r'^  "?([^":]+)"?:\s+"(.*)",$', (STATIC / "words" / "terms.js").read_text(), re.MULTILINE)
    return dict(found)


def test_the_page_has_the_words_of_the_glossary() -> None:
    subprocess.run([sys.executable, "scripts/terms.py", "--check"], cwd=ROOT, check=True)
    section = (ROOT / "docs" / "glossary.md").read_text().split("## Words on the page")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert {row[0].removeprefix("| "): row[1] for row in rows} == meanings()


def test_every_tooltip_has_a_meaning() -> None:
    used = {word for file in STATIC.rglob("*.js") for word in re.findall(r'\bterm\(\s*"([^"]+)"', file.read_text())}
    assert len(used) > 5 and used <= set(meanings())
