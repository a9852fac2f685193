"""The fewest clicks of a board on the page, after a game in Play and in Review; figures that players compare."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from satsweep import Layout, fewest_clicks, random_layout
from satsweep.clicks import game_clicks
from satsweep.clicks.path import ClickKind, played
from satsweep.errors import BoardError
from satsweep.formats import read_game_content
from satsweep.formats.records import to_json
from tests.formats.replay_files import evf_file, evf_replay
from tests.page.browsing import THEMES, Visit, expect, in_browser
from tests.page.pages import ask, pieces
from tests.page.play.test_view import LEAD, begin, dealt, no_warning, of_layout, win
from tests.page.review.test_view import EXAMPLE, paste

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


LAYOUT = dealt()
BEST = fewest_clicks(LAYOUT, ())
SHOWN = {"covered": "#", "flagged": "F", "empty": "."}


def test_the_answer_is_that_of_python_and_parts_come_before_it() -> None:
    parts, found = pieces("fewest_clicks", layout=str(LAYOUT), seconds=5)
    path = [(ClickKind(kind), LAYOUT.cell(index)) for kind, index in found.pop("path")]
    assert path == [(click.kind, click.cell) for click in BEST.path]
    assert found == {"upper": BEST.upper, "lower": BEST.upper, "proved": True, "bv": BEST.bv, "made": found["made"]}
    assert parts and parts[0]["upper"] >= BEST.upper and parts[0]["path"]
    lower = [part["lower"] for part in parts]
    assert lower == sorted(lower) and lower[-1] <= BEST.upper
    for seconds in (61, 10**9):
        with pytest.raises(BoardError, match="expected 0 to 60 seconds"):
            ask("fewest_clicks", layout=str(LAYOUT), seconds=seconds)
    assert ask("fewest_clicks", layout="***", seconds=1)["path"] == []


def seen(visit: Visit, view: str, layout: Layout) -> tuple[str, ...]:
    """The board as text; a mine that is shown counts as covered."""
    text = "".join(SHOWN.get(label.split(",")[0], label[:1]) for label in visit.symbols(view))
    return tuple(text[at : at + layout.cols] for at in range(0, len(text), layout.cols))


def check_path(visit: Visit, page: Page, view: str, layout: Layout) -> None:
    """Each step of the animation shows what the clicks before it make of the board."""
    best = fewest_clicks(layout)  # from its start, as on the page
    facts, play = page.locator(f"#view-{view} .fewest dd"), page.locator(f"#view-{view} .transport")
    expect(facts.first).to_contain_text(f"{best.upper}, and no fewer are enough (")
    assert best.efficiency is not None
    expect(facts.nth(1)).to_have_text(f"{round(100 * float(best.efficiency))} %")
    expect(play.locator("output.place")).to_have_text(f"{best.upper} / {best.upper}")
    play.get_by_role("button", name="To the start").click()
    for count in range(best.upper + 1):
        expect(play.locator("output.place")).to_have_text(f"{count} / {best.upper}")
        if count:
            board = played(layout, best.path[:count]).game.board
            assert seen(visit, view, layout) == board.cells, count
        play.get_by_role("button", name="Next move").click()


@in_browser
def test_after_a_game_in_play(visit: Visit) -> None:
    page = begin(visit)
    no_warning(page)
    expect(page.locator("#play-best-fewest")).to_have_count(0)
    win(visit, LAYOUT)
    expect(page.locator(LEAD)).to_contain_text("Cleared in")
    ended = visit.symbols("play")
    page.locator("#play-best-fewest").click()
    check_path(visit, page, "play", LAYOUT)
    page.locator("#view-play .transport").get_by_role("button", name="My game").click()
    assert visit.symbols("play") == ended
    page.locator("#view-play .transport").get_by_role("button", name="To the start").click()
    page.locator("#view-play .review").get_by_role("button", name="To the end").click()
    assert visit.symbols("play") == ended, "the review shows the game again"
    page.locator("#play-next").click()
    expect(page.locator("#play-best-fewest")).to_have_count(0)


@in_browser
def test_in_review(visit: Visit) -> None:
    page = paste(visit, EXAMPLE)
    layout = read_game_content(EXAMPLE.encode()).layout
    page.locator("#review-best-fewest").click()
    check_path(visit, page, "review", layout)


@in_browser
def test_an_expert_game_is_proved_without_a_server_too(visit: Visit) -> None:
    """The sweep ends within a second or two; the search for cores alone does not in its twenty."""
    best = fewest_clicks(random_layout("expert", seed="clicks 4"), ())
    page = paste(visit, to_json(best.record()))
    page.locator("#review-best-fewest").click()
    facts = page.locator("#view-review .fewest dd")
    expect(facts.first).to_contain_text(f"{best.upper}, and no fewer are enough (")


@in_browser
def test_clicks_that_were_not_needed_and_those_so_far(visit: Visit) -> None:
    """All five flags of the example; in Play they are those of the player alone."""
    page = paste(visit, EXAMPLE)
    record = read_game_content(EXAMPLE.encode())
    clicks = game_clicks(record)
    assert clicks is not None and len(clicks.not_needed) == 5
    review = page.locator("#view-review .review")
    expect(review.locator(".facts")).to_contain_text("Not needed5 clicks")
    review.get_by_role("slider").press("Home")
    said = review.locator(".judged + .note")
    expect(said).to_have_text("Click 1, a dig: 1 of 11 3BV, throughput 100.0 %.")
    for _ in range(10):
        review.get_by_role("slider").press("ArrowRight")
    expect(said).to_have_text("Click 16, a dig: 11 of 11 3BV, throughput 68.8 %.")
    review.get_by_role("button", name="5 clicks").click()
    expect(said).to_be_empty()
    for click in clicks.not_needed:
        expect(visit.cell(*click.cell, "review")).to_have_accessible_name(re.compile("this cell"))
    expect(page.locator('#view-review [role=gridcell][aria-label*="this cell"]')).to_have_count(5)


@in_browser
def test_clicks_in_play_are_those_of_the_player_alone(visit: Visit) -> None:
    page = begin(visit)
    no_warning(page)
    (mine, *_) = of_layout(visit, LAYOUT, mines=True)
    visit.cell(*mine, "play").click(button="right")
    win(visit, LAYOUT)
    not_needed = page.locator("#view-play .review .facts").get_by_text("Not needed")
    expect(not_needed).to_be_visible()
    page.locator("#play-next").click()
    page.get_by_label("Make moves that single numbers settle").check()
    begin(visit)
    win(visit, LAYOUT)
    expect(page.locator("#view-play .review .facts")).to_contain_text("Moves")
    expect(not_needed).to_have_count(0)


@in_browser
@pytest.mark.server("replays are read where ms_toollib is")
def test_figures_are_those_of_ms_toollib(visit: Visit) -> None:
    """Of its own replay; without clicks that changed nothing, a file has no efficiency."""
    record, video = evf_replay(0)
    video.current_time = 1e9
    page = visit.open("#review")
    page.locator("#review-choose").set_input_files(evf_file(0))
    clicks = game_clicks(record)
    assert clicks is not None and clicks.made == video.ce
    kinds = {"left": ClickKind.DIG, "right": ClickKind.FLAG}
    parts = ", ".join(f"{clicks.counts[kind]} {name}" for name, kind in kinds.items())
    expected = {"3BV": video.bbbv, "3BV/s": f"{video.bbbv_s:.2f}", "Clicks": f"{video.ce} ({parts})"}
    expected |= {"Throughput": f"{round(100 * video.thrp)} %", "RQP": f"{video.rqp:.2f}"}
    shown = page.locator("#view-review .sheet-body > .facts > div")
    expect(shown).to_have_text([f"{name}{value}" for name, value in expected.items()])
    shown.get_by_text("RQP").hover()
    expect(page.locator("#tip")).to_contain_text("The time of a won game times itself")


@in_browser
def test_a_search_is_stopped_and_what_it_found_is_shown(visit: Visit) -> None:
    """A board that is too wide for the sweep; its lost game has the button, too."""
    page = visit.open("#play?rows=40&cols=40&mines=320&seed=1&redraw=cruel-all")
    no_warning(page)
    visit.cell(20, 20, "play").click()
    expect(visit.cell(20, 20, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-risks").click()
    expect(page.locator("#view-play .cell.covered.heat, #view-play .cell.sure").first).to_be_visible()
    page.locator('#view-play [role=gridcell][aria-label*="risk"]').first.click()
    expect(page.locator(LEAD)).to_contain_text("That was a mine")
    page.locator("#play-best-fewest").click()
    fewest = page.locator("#view-play .fewest")
    expect(fewest.locator("[role=status]")).to_contain_text(re.compile(r"\d+ found, at least \d+ needed"))
    fewest.get_by_role("button", name="Stop").click()
    expect(fewest.locator("dd").first).to_contain_text(re.compile(r"\d+ found, at least \d+ needed"))
    expect(fewest.locator("dd").nth(1)).to_contain_text(re.compile(r"\d+ % found, at most \d+ %"))


@in_browser
@pytest.mark.parametrize(("scheme", "viewport"), THEMES)
def test_assistive_technology_finds_nothing_wrong(visits: Callable[..., Visit], scheme: str, viewport: Any) -> None:
    visit = visits(color_scheme=scheme, viewport=viewport)
    page = paste(visit, EXAMPLE)
    page.locator("#review-best-fewest").click()
    expect(page.locator("#view-review .transport")).to_be_visible()
    assert visit.violations() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= visit.viewport["width"]
