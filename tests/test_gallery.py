"""Every picture of docs/gallery.md is what the line above it makes; ``pytest --update`` makes them anew."""

import re
import shlex
from pathlib import Path

import pytest

from tests import ROOT
from tests.cli import invoke
from tests.conftest import Golden

PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
LINES = re.findall(r"^    satsweep (.+) docs/([\w/]+\.svg)\n\n!\[[^\]]+\]\(([\w/]+\.svg)\)$", PAGE, re.MULTILINE)


def test_every_picture_is_made_by_a_line() -> None:
    """But for those of the page, and the screenshot that is read."""
    assert len(LINES) >= 10
    assert [made for _, made, _ in LINES] == [shown for *_, shown in LINES]
    assert [made for _, made, _ in LINES] == re.findall(r"\]\(([\w/]+\.svg)\)", PAGE)
    assert {f"gallery/{path.name}" for path in ROOT.glob("docs/gallery/*")} <= {made for _, made, _ in LINES}


@pytest.mark.extended
@pytest.mark.parametrize(("words", "picture"), [(words, made) for words, made, _ in LINES])
def test_a_line_makes_its_picture(words: str, picture: str, golden: Golden, tmp_path: Path) -> None:
    made = tmp_path / "made.svg"
    arguments = (str(ROOT / word) if word.startswith("examples/") else word for word in shlex.split(words))
    assert invoke(*arguments, made).exit_code in (0, 1)
    golden(str(ROOT / "docs" / picture), made.read_text(encoding="utf-8"))
