"""The front door stays small: the README, the helps."""

import re

import pytest

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
