"""The front door stays small: README, helps, manual, list of changes."""

import re

import pytest
import yaml

from satsweep.cli import COMMANDS
from satsweep.cli.usual import USUAL_COMMANDS
from tests import ROOT
from tests.cli import invoke


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 70
    assert len(re.findall(r"\]\(", text)) <= 25


def test_the_first_screen_has_a_dozen_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert len(USUAL_COMMANDS) == 12
    assert invoke("--help").stdout.count("\n") <= 50


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_fits_sixty_lines(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert invoke(name, "--help").stdout.count("\n") <= 60


TABS = ["Use", "Your agent", "Your game", "Models", "Reference", "Research"]
NAVIGATION = re.search(r"^nav:\n(?: .*\n)+", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)


def documents() -> dict[str, list[str]]:
    """Names of the documents in docs of every tab; generated and copied pages and notebooks are none."""
    assert NAVIGATION is not None
    (tabs,) = yaml.safe_load(NAVIGATION[0]).values()
    found: dict[str, list[str]] = {}
    for tab in tabs:
        ((title, pages),) = tab.items()
        names = re.findall(r"[\w/.-]+\.md", str(pages))
        names = ["ladder/README.md" if name == "guides/ladder.md" else name for name in names]
        found[title] = [name for name in names if (ROOT / "docs" / name).is_file()]
    return found


def test_the_manual_has_five_tabs_and_research() -> None:
    """Every document stands in one of them, once."""
    found = documents()
    assert list(found) == TABS
    listed = [name for names in found.values() for name in names]
    assert sorted(listed) == sorted(path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md"))


def test_the_manual_is_short() -> None:
    names = [name for tab, names in documents().items() if tab != "Research" for name in names]
    words = sum(len((ROOT / "docs" / name).read_text(encoding="utf-8").split()) for name in names)
    assert len(names) <= 35 and words <= 45_000, (len(names), words)
    assert (ROOT / "docs" / "architecture.md").stat().st_size <= 12 * 1024


def test_the_manual_begins_with_the_page() -> None:
    first = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").split("\n")[2]
    assert first.startswith("**[Open the page](https://satsweep.github.io/satsweep/page/)**")


def test_the_list_of_changes_is_short() -> None:
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").count("\n") <= 40
