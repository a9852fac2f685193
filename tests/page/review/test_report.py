"""A review as an HTML file: the page's own view, from a disk, without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.agents import agent_named
from satsweep.assessment.review import review
from satsweep.assessment.verdicts import Review
from satsweep.clicks.fewest import fewest_clicks
from satsweep.games.deal import random_layout
from satsweep.games.game import play
from satsweep.render.review_page import review_page
from tests.page.browsing import MARKS, POCKET, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = MARKS


def played() -> Review:
    """The review of a game on hexagons that was lost by a mistake."""
    layout = random_layout(8, 8, 9, seed=5, topology="hexagonal")
    return review(play(layout, agent_named("gem"), rng=Random(5)))


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The file of a game on hexagons, on a phone in the dark, without a network."""
    found = played()
    path = tmp_path / "review.html"
    path.write_text(review_page(found, "A game", fewest_clicks(found.record.layout, seconds=5)))
    device: dict[str, Any] = {**POCKET, "color_scheme": "dark", "offline": True}
    context = browser.new_context(**device)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: wrong.append(asked.url))
    page.goto(path.as_uri())
    yield page
    assert [one for one in wrong if not one.startswith(("data:", path.as_uri()))] == []
    context.close()


def test_a_review_is_shown_from_a_file(shown: Page) -> None:
    expect(shown.get_by_role("heading", name="Lost")).to_be_visible()
    expect(shown.get_by_role("gridcell")).to_have_count(64)
    expect(shown.locator(".graph svg")).to_be_visible()
    shown.keyboard.press("<")
    expect(shown.locator(".judged")).to_contain_text("Move 1 of")
    shown.get_by_role("button", name="Next mistake").click()
    expect(shown.locator(".judged")).to_contain_text(re.compile("Inaccuracy|Mistake|Blunder"))
    expect(shown.locator(".cell.bad").first).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    paper = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", paper))) < 40, "dark"
    shown.get_by_role("button", name="Fewest clicks").click()
    expect(shown.locator(".fewest .facts")).to_contain_text("Best efficiency")
    expect(shown.locator("button:visible", has_text=re.compile("Another game|Copy link|Open in Solve"))).to_have_count(
        0
    )
