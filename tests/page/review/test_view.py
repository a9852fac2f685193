"""Review in headless Chromium: games that are dropped, pasted, linked to, and played here."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from satsweep import Layout, Rules, play
from satsweep.agents import agent_named
from satsweep.assessment.review import review
from satsweep.board import Cell
from satsweep.formats import read_game_content
from satsweep.formats.records import to_json
from satsweep.games.record import Record
from tests import ROOT
from tests.formats.replay_files import clicks, rawvf
from tests.page.browsing import MARKS, THEMES, Visit, expect
from tests.page.play.test_view import begin, dealt, no_warning, of_layout
from tests.page.test_page import DROP
from tests.page.words.test_terms import meanings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = MARKS
EXAMPLE = (ROOT / "examples" / "game.json").read_text()
REPLAY = rawvf(
    Layout(("*...", "....", "...*")),
    clicks(("left", 0, 1), ("right", 0, 0), ("middle", 0, 1), ("right", 2, 2), ("left", 2, 3)),
)


def lost_by_basic() -> Record:
    layout = Layout(("...*", "..*.", "**.."))
    return play(layout, agent_named("basic"), Rules(start=Cell(0, 0)), Random(1), name="basic")


def paste(visit: Visit, text: str) -> Page:
    page = visit.open("#review")
    page.get_by_label("Or paste its text").fill(text)
    page.locator("#review-read").click()
    return page


def said(page: Page) -> list[str]:
    """All that the review says, step by step."""
    review = page.locator("#view-review .review")
    expect(review.locator(".strip i")).not_to_have_count(0)
    found, slider = [review.inner_text()], review.get_by_role("slider")
    slider.press("Home")
    for _ in range(review.locator(".strip i").count()):
        found.append(review.locator(".judged").inner_text())
        slider.press("ArrowRight")
    return found


def test_a_pasted_game_has_its_head_and_its_mistakes(visit: Visit) -> None:
    page = paste(visit, EXAMPLE)
    review = page.locator("#view-review .review")
    expect(review.locator(".summary")).to_contain_text("3 guesses, a better move for 2 of them.")
    expect(page.locator("#view-review header")).to_contain_text("Wonme, 5×5, 5 mines")
    next_mistake, judged = page.get_by_role("button", name="Next mistake"), review.locator(".judged")
    next_mistake.click()
    expect(judged).to_contain_text("Move 5 of 11: Blunder: 1,1 had more risk, 33.33 % instead of 20 %, but opens more")
    expect(visit.cell(1, 0, "review")).to_have_accessible_name(re.compile("contradiction"))
    expect(visit.cell(1, 1, "review")).to_have_accessible_name(re.compile("best move"))
    next_mistake.click()
    expect(judged).to_contain_text("Move 7 of 11: Inaccuracy: 2,0 was safe (and 1 other cell), and 3,1 had 50 % risk")
    expect(visit.cell(0, 0, "review")).to_have_accessible_name(re.compile("part of the reason"))
    page.keyboard.press(".")
    expect(judged).to_have_text("Move 8 of 11: Safe, by a pair of numbers.")
    expect(review.locator(".why")).to_contain_text("is safe")


def test_a_replay_is_dropped_and_its_link_has_the_same_review(visit: Visit) -> None:
    """Chords, wrong flags and times are in the link."""
    page = visit.open("#review")
    expect(page.locator("#review-read")).to_be_visible()
    page.evaluate(DROP, REPLAY)
    seen = said(page)
    assert any("This flag was wrong" in text for text in seen)
    page.locator("#review-share").click()
    expect(page.locator("#review-share")).to_have_text("Copied")
    other = visit.another()
    other.goto(page.evaluate("navigator.clipboard.readText()"))
    assert said(other) == seen
    other.reload()
    assert said(other) == seen
    with other.expect_download() as downloading:
        other.locator("#review-file").last.click()
    found, first = read_game_content(Path(downloading.value.path()).read_bytes()), read_game_content(REPLAY.encode())
    assert found.layout == first.layout
    assert [(move.action, move.cell, move.time) for move in found.moves] == [
        (move.action, move.cell, move.time) for move in first.moves
    ]


def test_a_game_of_an_agent_on_another_grid(visit: Visit) -> None:
    record = play(Layout((".*.*", "....", "*..."), topology="hexagonal"), agent_named("sat"), Rules(), Random(1))
    page = paste(visit, to_json(record))
    seen = said(page)
    expect(page).to_have_url(re.compile("#review.g="))
    page.reload()
    assert said(page) == seen


def test_a_game_played_here_leads_to_review_and_back(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    no_warning(page)
    visit.cell(*of_layout(visit, layout, mines=True)[0], "play").click()
    summary = page.locator("#view-play .summary")
    expect(summary).to_contain_text("One guess")
    text = summary.inner_text()
    page.locator("#play-reviewed").click()
    expect(page.locator("#view-review .summary")).to_have_text(text)
    page.locator("#review-another").click()
    expect(page.locator("#review-read")).to_be_visible()
    page.locator("#review-example").click()
    expect(page.locator("#view-review .summary")).to_contain_text("3 guesses")


@pytest.mark.parametrize("view", ["watch", "solve"])
def test_a_record_that_is_dropped_elsewhere_is_reviewed(visit: Visit, view: str) -> None:
    """A record holds no position."""
    page = visit.open(f"#{view}")
    expect(page.locator(f"#view-{view} [role=gridcell]").first).to_be_visible()
    page.evaluate(DROP, to_json(lost_by_basic()))
    expect(page.locator("#view-review header")).to_contain_text("Lostbasic, 3×4, 4 mines")


def test_the_curve_of_win_chances(visit: Visit) -> None:
    """On a small board all chances are exact."""
    moves = [move for move in review(lost_by_basic()).moves if move.kind is not None]
    chances = [chance for chance in (*(move.before for move in moves), moves[-1].after) if chance is not None]
    assert len(chances) == len(moves) + 1
    page = paste(visit, to_json(lost_by_basic()))
    review_shown = page.locator("#view-review .review")
    curve, slider = review_shown.locator(".curve"), review_shown.get_by_role("slider")
    expect(curve.get_by_role("img")).to_have_accessible_name(
        re.compile(r"^Chance to win: \d+ % after move 0, (.+, )?0 % after move \d+$")
    )
    slider.press("Home")
    for chance in chances:
        told = f"{floor(100 * chance + Fraction(1, 2))} %"
        expect(curve.locator("strong")).to_have_text(told)
        expect(slider).to_have_attribute("aria-valuetext", re.compile(f" chance to win {told}$"))
        slider.press("ArrowRight")
    review_shown.get_by_role("button", name="Luck", exact=True).hover()
    expect(page.get_by_role("tooltip")).to_have_text(meanings()["luck"])
    drawn = curve.locator("path:not(.half)").get_attribute("d") or ""
    assert [float(y) for _, y in re.findall(r"[ML](\d+) ([\d.]+)", drawn)] == pytest.approx(
        [100 * (1 - chance) for chance in chances]
    )


def test_a_replay_that_is_dropped_elsewhere_can_be_reviewed(visit: Visit) -> None:
    page = visit.open("#solve")
    expect(page.locator("#view-solve .facts")).to_contain_text("Solutions")
    page.evaluate(DROP, REPLAY)
    page.get_by_role("button", name="Review the game on it").click()
    expect(page.locator("#view-review .strip i")).not_to_have_count(0)


@pytest.mark.parametrize("text", ["no game at all", '{"agent": 1}'])
def test_what_is_no_game_is_refused(visit: Visit, text: str) -> None:
    page = paste(visit, text)
    expect(page.locator("#view-review .problem")).to_contain_text("expected")
    assert page.locator("#view-review .strip i").count() == 0


def test_a_damaged_link_says_so(visit: Visit) -> None:
    page = visit.open("#review?g=AAAA&m=AA")
    expect(page.locator("#view-review .problem")).not_to_be_empty()


@pytest.mark.parametrize(("theme", "size"), THEMES)
def test_axe_finds_nothing(browser: Browser, url: str, theme: str, size: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visit = Visit(browser, url, viewport=size, color_scheme=theme)
    page = visit.open("#review")
    expect(page.locator("#review-read")).to_be_visible()
    for _ in range(2):
        results = Axe().run(page)
        assert [
            (rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in results.response["violations"]
        ] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        if page.locator("#review-example").is_visible():
            page.locator("#review-example").click()
            page.locator("#review-mistake").click()
    visit.leave()
    assert visit.complaints == []
