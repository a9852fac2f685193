"""Play in headless Chromium: moves, boards without a guess, help, times, and the review."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.assessment.review import review
from satsweep.formats import read_game_content, replays
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, record, replay
from satsweep.games.record import Outcome
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.render.board_geometry import BoardGeometry
from satsweep.render.page_values import with_parts
from satsweep.render.review_text import move_in_words, points, summary_in_words
from satsweep.topology import topology_named
from tests.page.browsing import MARKS, PHONE, THEMES, Visit, expect, packed, short
from tests.page.solve.test_view import altered
from tests.page.test_page import SOLVED, saved

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from satsweep.board import Cell

pytestmark = MARKS
GAME = "#play?rows=9&cols=9&mines=10&seed=5"
LEAD = "#view-play .lead"
BEGINNER = {
    "rows": 9, "cols": 9, "mines": 10, "grid": "square", "clues": "exact", "needs": "any", "rule": "never",
}  # fmt: skip
"""The kind of board of this game, as records are kept for it."""


def begin(visit: Visit, place: str = GAME, cell: tuple[int, int] = (4, 4)) -> Page:
    """The page of a game that has begun with an opening."""
    page = visit.open(place)
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    visit.cell(*cell, "play").click()
    expect(visit.cell(*cell, "play")).to_have_accessible_name(re.compile("empty"))
    return page


def dealt(rows: int = 9, cols: int = 9, mines: int = 10, seed: int = 5, start: tuple[int, int] = (4, 4)) -> Layout:
    """The layout of a link, once its first cell is open."""
    rng = game_rng(seed, 0)
    game = Game(random_layout(rows, cols, mines, rng), Rules(first=FirstClick.ZERO), rng)
    game.open(start)
    return game.layout


def of_layout(visit: Visit, layout: Layout, *, mines: bool) -> list[Cell]:
    """The cells that are covered, and mines or not."""
    covered = [label.startswith(("covered", "flagged")) for label in visit.symbols("play")]
    cells = [layout.cell(index) for index, is_covered in enumerate(covered) if is_covered]
    return [cell for cell in cells if layout.is_mine(cell) is mines]


def no_warning(page: Page) -> None:
    page.get_by_label("Warn me").uncheck()


def win(visit: Visit, layout: Layout) -> None:
    """Open all safe cells of a game that has begun."""
    while cells := of_layout(visit, layout, mines=False):
        visit.cell(*cells[0], "play").click()
        expect(visit.cell(*cells[0], "play")).not_to_have_accessible_name(re.compile("covered"))


def kept(page: Page) -> list[dict[str, Any]]:
    """The games that the browser keeps."""
    games: list[dict[str, Any]] = json.loads(page.evaluate("localStorage.getItem('satsweep-games') ?? '[]'"))
    return games


# Buttons and keys


def test_buttons_can_be_chosen_and_are_remembered(visit: Visit) -> None:
    page = begin(visit)
    page.locator("#play-buttons summary").click()
    page.get_by_label("Right button").select_option("none")
    page.get_by_label("Middle button").select_option("flag")
    page = begin(visit)
    page.locator("#view-play .cell.covered").first.click(button="right")
    page.locator("#view-play .cell.covered").nth(1).click(button="middle")
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)


def test_keys_begin_new_games(visit: Visit) -> None:
    page = begin(visit)
    page.keyboard.press("F2")
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    assert set(visit.symbols("play")) == {"covered"}
    page.locator("#view-play .cell").nth(40).focus()
    page.keyboard.press("Space")
    expect(page.locator("#view-play .cell.open").first).to_be_visible()
    no_warning(page)
    page.locator("#play-risks").click()
    expect(page.locator("#view-play .cell.sure").first).to_be_visible()
    page.locator("#view-play .cell.sure").first.click()
    expect(page.locator(LEAD)).to_contain_text("That was a mine")
    page.keyboard.press("Space")
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")


def test_clicks_while_the_server_thinks_are_not_lost(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    safe = of_layout(visit, layout, mines=False)[:3]
    page.evaluate(
        """places => {
            const cells = [...document.querySelectorAll('#view-play [role=gridcell]')];
            for (const place of places) cells[place].click();
        }""",
        [layout.index(cell) for cell in safe],
    )
    for cell in safe:
        expect(visit.cell(*cell, "play")).not_to_have_accessible_name(re.compile("covered"))


# Boards


@pytest.mark.parametrize("luck", ["all", "pairs", "single"])
def test_a_board_that_needs_no_guess(visit: Visit, luck: str) -> None:
    page = begin(visit, f"#play?rows=16&cols=16&mines=45&seed=7&luck={luck}", (8, 3))
    seen = visit.symbols("play")
    link = visit.shared("play")
    other = visit.another()
    other.goto(link)
    expect(visit.cell(8, 3, "play")).to_have_accessible_name(re.compile("empty"))
    expect(other.locator("#view-play .cell.open").first).to_be_visible()
    assert visit.symbols("play", other) == seen
    assert not page.locator(".rated").text_content(), "what is more than was asked for is told at the end"
    covered = page.locator('#view-play [role=gridcell][aria-label*=", covered"]')
    while not page.locator("#play-safe").is_disabled():
        left = covered.count()
        page.locator("#play-safe").click()
        expect(covered).not_to_have_count(left)
    expect(page.locator(LEAD)).to_contain_text("Cleared in")
    expect(page.locator(".rated")).to_contain_text("This board needs no guess")
    if luck == "single":
        expect(page.locator(".rated")).to_contain_text("one number at a time is enough")


def test_what_a_board_needs_is_told_at_the_end_or_on_request(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    no_warning(page)
    said, asked = page.locator("#view-play .rated"), page.locator("#play-rate")
    expect(asked).to_be_visible()
    visit.cell(*of_layout(visit, layout, mines=False)[0], "play").click()
    expect(visit.cell(*of_layout(visit, layout, mines=True)[0], "play")).to_be_visible()
    assert not said.text_content()
    win(visit, layout)
    expect(page.locator(".medal")).to_be_visible()
    expect(said).to_contain_text("This board needs")
    expect(asked).to_be_hidden()
    begin(visit, GAME.replace("seed=5", "seed=6"))
    assert not said.text_content()
    asked.click()
    expect(said).to_contain_text("This board needs")
    expect(asked).to_be_hidden()
    win(visit, dealt(seed=6))
    expect(page.locator("#view-play .sheet")).to_contain_text("With help (whether a guess is needed)")
    assert [game["help"] for game in kept(page)] == [[], ["whether a guess is needed"]]


def test_the_same_board_again_begins_where_it_began(visit: Visit) -> None:
    page = begin(visit, "#play?rows=9&cols=9&mines=10&seed=3&luck=all", (2, 6))
    seen = visit.symbols("play")
    page.get_by_role("button", name="Same board").click()
    expect(page.locator(LEAD)).to_have_text("Open 2,6 for the same board.")
    page.locator("#view-play .cell.region").click()
    expect(visit.cell(2, 6, "play")).to_have_accessible_name(re.compile("empty"))
    assert visit.symbols("play") == seen


def test_a_search_can_be_cancelled(visit: Visit) -> None:
    altered(visit, "if (message.answer?.layout) return;")  # it goes on for ever
    page = visit.open("#play?rows=30&cols=30&mines=150&seed=7&luck=all")
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    visit.cell(3, 3, "play").click()
    expect(page.locator("#play-cancel")).to_be_visible()
    page.locator("#play-cancel").click()
    expect(page.locator("#play-cancel")).to_be_hidden()
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    assert page.locator("#view-play .cell.open").count() == 0


def test_the_board_that_was_played_last_comes_back(visit: Visit) -> None:
    page = visit.open("#play?rows=7&cols=8&mines=9&seed=7&luck=pairs")
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    page = visit.open("#play")
    expect(page.locator("#view-play [role=gridcell]")).to_have_count(56)
    assert page.get_by_label("Guesses").input_value() == "pairs"


def test_the_board_that_is_played_is_the_one_that_the_form_said_when_it_began(visit: Visit) -> None:
    """A change of the form begins a new game, unless one is on."""
    page = visit.open(GAME)
    setup = page.locator("#play-setup")
    setup.locator("summary").click()
    setup.get_by_label("Seed").fill("7")
    setup.get_by_label("First cell").select_option("safe")
    visit.cell(4, 4, "play").click()
    expect(page).to_have_url(re.compile("seed=7&.*&first=safe&start="))
    setup.get_by_label("Seed").fill("8")
    setup.get_by_label("Grid").fill("torus")
    setup.get_by_label("Grid").press("Tab")
    moves = page.url
    visit.cell(0, 0, "play").click(button="right")
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    expect(page).not_to_have_url(moves)
    assert "seed=7&" in page.url and "torus" not in page.url


def test_the_same_link_is_the_same_board(visit: Visit) -> None:
    page = begin(visit)
    page.locator("#play-safe").click()
    expect(page.locator(LEAD)).to_contain_text("opened.")
    page.locator("#view-play .cell.covered").first.click(button="right")
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    seen = visit.symbols("play")
    link = visit.shared("play")
    other = visit.another()
    other.goto(link)
    expect(other.locator("#view-play .cell.flag")).to_have_count(1)
    assert visit.symbols("play", other) == seen
    page.locator("#play-solve").click()
    expect(page.locator("#view-solve .lead")).to_contain_text(SOLVED)


# Help


def test_trivial_moves_are_made_when_the_user_wants_that(visit: Visit) -> None:
    page = begin(visit)
    before = visit.symbols("play").count("covered")
    page.get_by_label("Make moves that single numbers settle").check()
    expect(page.locator("#view-play .cell.flag").first).to_be_visible()
    assert visit.symbols("play").count("covered") < before
    layout = dealt()
    for index, label in enumerate(visit.symbols("play")):
        if not label.startswith("covered"):
            assert label.startswith("flagged") is layout.is_mine(layout.cell(index))


def test_safe_cells_are_opened_together(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    page.keyboard.press("s")
    expect(page.locator(LEAD)).to_have_text(re.compile(r"^\d+ safe cells? opened\.$"))
    expect(page.locator("#view-play .cell.mine")).to_have_count(0)
    mistaken = of_layout(visit, layout, mines=False)
    if mistaken:
        page.locator("#play-undo").click()
        expect(page.locator(LEAD)).to_have_text("Move undone.")


def test_a_warning_before_a_move_that_need_not_be_risked(visit: Visit) -> None:
    page = begin(visit)
    page.locator("#play-risks").click()
    risky = page.locator("#view-play .cell.hot:not(.safe, .sure)").first
    expect(risky).to_be_visible()
    before = visit.symbols("play")
    top = page.locator("#view-play .grid").bounding_box()
    risky.click()
    expect(page.locator(".warning")).to_have_text(re.compile(r"^\d+,\d+ has [0-9.]+ % risk, and .* safe\."))
    assert page.locator("#view-play .grid").bounding_box() == top, "the board stays where it is under the mouse"
    assert [symbol.split(",")[0] for symbol in visit.symbols("play")] == [symbol.split(",")[0] for symbol in before]
    page.get_by_role("button", name="Show a safe cell").click()
    expect(page.locator(".warning")).to_be_hidden()
    expect(page.locator("#view-play .cell.good")).to_have_count(1)
    no_warning(page)
    sure = page.locator("#view-play .cell.sure").first
    sure.click()
    expect(page.locator(LEAD)).to_contain_text("That was a mine")
    page.locator("#play-undo").click()
    expect(page.locator(LEAD)).to_have_text("Move undone.")
    expect(page.locator("#view-play .cell.mine")).to_have_count(0)


def test_a_hint_comes_in_steps(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    top = page.locator("#view-play .grid").bounding_box()
    steps, more = page.locator(".hint-steps li"), page.locator("#play-more")
    page.keyboard.press("h")
    expect(steps).to_have_text(["Look here."])
    assert page.locator("#view-play .cell.region").count() > 0
    expect(page.locator("#view-play .cell.best")).to_have_count(0)
    page.keyboard.press("h")
    expect(steps).to_have_count(2)
    expect(steps.last).to_have_text("2 numbers will do.")
    expect(page.locator("#view-play .cell.clue")).to_have_count(2)
    more.click()
    expect(steps.last).to_have_text(re.compile(r" is safe\.$"))
    expect(page.locator("#view-play .cell.best.good")).to_have_count(1)
    more.click()
    expect(steps.last).to_have_text(re.compile(r"^Open \d,\d\.$"))
    assert page.locator("#view-play .grid").bounding_box() == top
    row, col = map(int, re.findall(r"\d", steps.last.text_content() or ""))
    assert not layout.is_mine((row, col))
    expect(page.locator("#live")).to_contain_text(f"Hint: Open {row},{col}.")
    more.click()
    expect(visit.cell(row, col, "play")).not_to_have_accessible_name(re.compile("covered"))
    expect(page.locator(".hint")).to_have_count(0)


def test_advice_on_the_board(visit: Visit) -> None:
    """Safe cells have a check; where none is, cells have their chance to win."""
    page = begin(visit, "#play?layout=" + packed("mines 1\nstart 0,0\n..*.\n...."), (0, 0))
    page.locator("#play-advice").click()
    expect(page.locator(LEAD)).to_have_text(re.compile("^Open .* it is safe"))
    expect(page.locator("#view-play .cell.safe")).to_have_count(2)
    for cell in ((0, 3), (1, 3)):
        visit.cell(*cell, "play").click()
        expect(visit.cell(*cell, "play")).to_have_accessible_name(re.compile("1$"))
    expect(page.locator(LEAD)).to_have_text(re.compile("^No cell is safe. .* 50 %"))
    for row in (0, 1):
        expect(visit.cell(row, 2, "play")).to_have_text("50")
    expect(page.locator("#view-play .cell.best")).to_have_count(1)
    expect(page.get_by_role("region", name="Help").get_by_role("table")).to_contain_text("50 %")
    page.locator("#play-risks").click()
    expect(page.locator("#play-advice")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("region", name="Help").get_by_role("table")).to_have_count(0)


def test_flags_and_undo(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    cell = visit.cell(*of_layout(visit, layout, mines=False)[0], "play")
    cell.click(button="right")
    expect(cell).to_have_accessible_name(re.compile("flagged"))
    expect(page.locator("#view-play .counter").first).to_have_text("Mines left 9")
    page.locator("#play-hint").click()
    expect(page.locator(LEAD)).to_contain_text("1 flag is wrong")
    page.keyboard.press("Control+z")
    expect(cell).to_have_accessible_name(re.compile("covered"))
    expect(page.locator("#view-play .counter").first).to_have_text("Mines left 10")


# Times, history


def test_a_won_game_is_kept_with_its_numbers(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    win(visit, layout)
    expect(page.locator(LEAD)).to_have_text(re.compile(r"^Cleared in (\d+:)?\d+\.\d\d\.$"))
    clock = page.locator("#view-play .clock").text_content() or ""
    expect(page.locator(LEAD)).to_have_text(f"Cleared in {clock}.")
    expect(page.locator("#view-play .counter").first).to_have_text("Mines left 0")
    expect(page.locator(".medal")).to_be_visible()
    (game,) = kept(page)
    from satsweep.generator.walkthrough import board_numbers

    assert game["bv"] == game["done"] == board_numbers(layout).bv
    assert (game["won"], game["board"], game["help"]) == (True, BEGINNER, [])
    expect(page.locator("#view-play .sheet .facts", has_text="3BV")).to_contain_text(f"3BV{game['bv']}")
    expect(page.locator("#view-play .sheet .facts", has_text="3BV")).to_contain_text(f"Clicks{game['clicks']}")
    assert page.locator("#view-play .cell.flag").count() == 10, "all mines are flagged in the end"
    page.locator("#play-archive").click()
    expect(page.get_by_role("dialog", name="Your games")).to_contain_text("9×9, 10 mines")
    with page.expect_download() as downloading:
        page.locator("#archive-export").click()
    rows = list(csv.DictReader(Path(downloading.value.path()).read_text().splitlines()))
    assert [row["won"] for row in rows] == ["true"] and rows[0]["board"] == "9×9, 10 mines"
    page.locator("#archive-clear").click()
    assert len(kept(page)) == 1
    page.get_by_role("button", name="Delete all games?").click()
    assert kept(page) == []


def test_a_reload_keeps_all_figures(visit: Visit) -> None:
    """The time, clicks that changed nothing, help; the end of a game is kept once, and a record stays one."""
    page, layout = begin(visit), dealt()
    page.wait_for_timeout(1100)
    visit.cell(4, 4, "play").click(button="middle")
    page.wait_for_url(re.compile("[&]m="))
    page.reload()
    expect(page.locator("#view-play .cell.open").first).to_be_visible()
    assert float(page.locator("#view-play .clock").text_content() or "0") > 1.1
    win(visit, layout)
    expect(page.locator(".medal")).to_be_visible()
    figures = page.locator("#view-play .figures")
    expect(figures).to_contain_text(re.compile(r"Clicks\d+ \(\d+ left, 1 on numbers\)"))
    seen = figures.text_content()
    page.wait_for_timeout(400)  # the address follows
    page.reload()
    expect(page.locator(".medal")).to_be_visible()
    expect(figures).to_have_text(seen or "")
    expect(page.locator("#view-play .sheet")).not_to_contain_text("so this is no record")
    assert len(kept(page)) == 1
    page.keyboard.press("Control+z")
    page.locator("#play-hint").click()
    expect(page.locator(".hint-steps li")).to_have_count(1)
    win(visit, layout)
    page.wait_for_timeout(400)
    page.reload()
    expect(page.locator("#view-play .sheet")).to_contain_text("With help (undo, hint)")
    assert len(kept(page)) == 1


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_the_board_stands_high_before_the_first_click(visits: Callable[..., Visit], size: dict[str, int]) -> None:
    """In the upper third, on a phone in the upper sixth, below one row of controls."""
    visit = visits(viewport=size)
    page = visit.open(GAME)
    frame = page.locator("#view-play .frame")
    expect(page.locator("#view-play .cell").first).to_be_visible()
    tops = page.locator("#view-play .playing > *").evaluate_all("all => all.map((one) => one.offsetTop)")
    assert len(set(tops)) == 1, "one row"
    before = frame.bounding_box()
    assert before is not None and before["y"] < size["height"] / (6 if size == PHONE else 3)
    visit.cell(4, 4, "play").click()
    expect(page.locator("#view-play .cell.open").first).to_be_visible()
    assert frame.bounding_box() == before


def test_a_lost_game_ends_the_row_of_wins_and_undo_brings_no_second_result(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    no_warning(page)
    mine = of_layout(visit, layout, mines=True)[0]
    visit.cell(*mine, "play").click()
    expect(page.locator(LEAD)).to_contain_text("That was a mine")
    page.keyboard.press("Control+z")
    win(visit, layout)
    expect(page.locator(LEAD)).to_contain_text("Cleared in")
    expect(page.locator("#view-play .sheet")).to_contain_text("undo")
    assert [game["won"] for game in kept(page)] == [False]
    expect(page.get_by_role("complementary", name="Your game")).to_contain_text("0 of 1 (0 %)")


def test_what_an_earlier_version_has_kept_is_carried_over(visit: Visit) -> None:
    """Its records named their boards by words of the interface, and its choices had no view."""
    game = {"won": True, "when": "2026-01-01T10:00:00Z", "help": []}
    named = {
        "9×9, 10 mines": BEGINNER,
        "9×9, 10 mines, no guess: single numbers": BEGINNER | {"needs": "single"},
        "1×1, 1 mine, torus, overestimate 1/20 cap 8": {
            "rows": 1, "cols": 1, "mines": 1, "grid": "torus", "clues": "overestimate 1/20 cap 8",
            "needs": "any", "rule": "never",
        },
        "50×50, 1,000 mines, hexagonal, no guess needed, fair to any guess": {
            "rows": 50, "cols": 50, "mines": 1000, "grid": "hexagonal", "clues": "exact",
            "needs": "all", "rule": "fair-any",
        },
    }  # fmt: skip
    stored = [{**game, "board": name, "seconds": 9.5} for name in named]
    old = {
        "games": json.dumps([*stored, {"odd": 1}]), "warn": "no", "button-right": "chord", "follow": "no",
        "play-board": "9 9 10 single fair", "size": json.dumps({"rows": 3, "cols": 4, "mines": 5}), "theme": "dark",
    }  # fmt: skip
    page = visit.open("icon.svg")
    page.evaluate("old => { for (const name in old) localStorage[`satsweep-${name}`] = old[name]; }", old)
    page = visit.open("#play")
    card = page.get_by_role("complementary", name="Your game")
    expect(card).to_contain_text("9×9, 10 mines, fair")  # of a rule and what the board needs, the rule
    assert [one.get("board") for one in kept(page)] == [*named.values(), None]
    expect(page.get_by_label("Warn me")).not_to_be_checked()
    expect(page.locator("#play-guesses")).to_have_value("fair")
    expect(page.locator("#play-button-right")).to_have_value("chord")
    page.locator("#play-archive").click()
    words = {"no guess: ": "guesses never needed: ", "no guess needed": "guesses never needed"}
    for name in named:
        for before, now in words.items():
            name = name.replace(before, now)
        expect(page.get_by_role("cell", name=name, exact=True)).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    stored = page.evaluate("({ ...localStorage })")
    assert stored["satsweep-version"] == "2" and "satsweep-warn" not in stored
    assert stored["satsweep-solve-follow"] == "no"
    page.locator(".views [data-view=solve]").click()
    page.locator("#view-solve [data-preset=last]").click()
    expect(page.locator("#view-solve [role=gridcell]")).to_have_count(12)


def test_what_is_kept_and_cannot_be_read_is_as_nothing(visit: Visit) -> None:
    page = visit.open("icon.svg")
    kept = dict.fromkeys(("theme", "solve-size", "play-board", "games", "training", "play-button-left", "speed"), "{x")
    page.evaluate("kept => { for (const name in kept) localStorage[`satsweep-${name}`] = kept[name]; }", kept)
    page = visit.open("#solve")
    page.locator("#view-solve [data-preset=last]").click()
    expect(page.locator("#view-solve [role=gridcell]")).to_have_count(480)
    page.locator(".views [data-view=play]").click()
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    expect(page.locator("#play-button-left")).to_have_value("open")


def test_a_browser_without_storage_plays_as_well(visit: Visit) -> None:
    visit.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage') } })"
    )
    page, layout = begin(visit), dealt()
    win(visit, layout)
    expect(page.locator(LEAD)).to_contain_text("Cleared in")


# Review


def test_the_review_names_a_guess_that_was_not_needed(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    no_warning(page)
    seen = visit.symbols("play")
    mine = of_layout(visit, layout, mines=True)[0]
    visit.cell(*mine, "play").click()
    expect(page.locator(".summary")).to_contain_text("One guess, and there was a better move.")
    expect(page.locator(".strip i")).to_have_count(2)
    page.locator("#play-mistake").click()
    expect(page.locator(".judged")).to_contain_text(
        re.compile(r"Move 2 of 2: (Inaccuracy|Mistake|Blunder): \d,\d was safe")
    )
    expect(page.locator("#view-play .cell.best")).to_have_count(1)
    assert [symbol.split(",")[0] for symbol in visit.symbols("play")] == [symbol.split(",")[0] for symbol in seen]
    page.get_by_role("button", name="To the first move").click()
    expect(page.locator(".judged")).to_contain_text("The first cell.")
    assert {symbol.split(",")[0] for symbol in visit.symbols("play")} == {"covered"}
    page.get_by_label("Move of the review").press("End")
    expect(page.locator("#view-play .cell.mine")).to_have_count(1)


def test_a_review_has_skill_and_luck(visit: Visit) -> None:
    """On a small board chances to win are exact; nothing is waited for."""
    page = begin(visit, "#play?rows=6&cols=5&mines=2&seed=1")
    no_warning(page)
    mine = of_layout(visit, dealt(6, 5, 2, 1), mines=True)[0]
    visit.cell(*mine, "play").click()
    rng = game_rng(1, 0)
    game = Game(random_layout(6, 5, 2, rng), Rules(first=FirstClick.ZERO), rng)
    game.open((4, 4))
    game.open(mine)
    found = review(record(game, "a person"))
    assert found.skill is not None and found.luck is not None
    expect(page.locator(".review .sums")).to_contain_text(f"Skill{points(found.skill)}Luck{points(found.luck)}")
    expect(page.locator(".summary")).to_have_text(summary_in_words(found))
    curve = page.locator(".review .curve")
    expect(curve.get_by_role("img")).to_have_accessible_name(re.compile("^Chance to win: .* 0 % after move 2$"))
    expect(curve.locator("strong")).to_have_text("0 %")
    page.locator("#play-mistake").click()
    expect(page.locator(".judged")).to_contain_text(f"Move 2 of 2: {short(with_parts(move_in_words(found.moves[1])))}")
    before = found.moves[1].before
    assert before is not None
    expect(curve.locator("strong")).to_have_text(f"{round(100 * before)} %")


def test_a_game_without_luck(visit: Visit) -> None:
    page = visit.open("#play?rows=9&cols=9&mines=10&seed=3&luck=single")
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    page.get_by_label("Make moves that single numbers settle").check()
    visit.cell(4, 4, "play").click()
    expect(page.locator(LEAD)).to_contain_text("Cleared in")
    expect(page.locator(".summary")).to_have_text("No luck was needed: every cell was safe.")
    expect(page.locator(".review .sums")).to_contain_text(re.compile("100 %.*Skill0 %Luck0 %"))
    expect(page.locator(".review")).to_contain_text("Mode no guess: boards need no guess")
    assert "cleared" in saved(page, "play"), "the picture has the board as it was dealt"


def told(page: Page) -> list[str]:
    """All that a review says: its head, and the verdict on each move, which are walked through."""
    expect(page.locator("#view-play .strip i")).not_to_have_count(0)
    slider, found = page.get_by_label("Move of the review"), [page.locator("#view-play .review").inner_text()]
    slider.press("Home")
    for _ in range(page.locator("#view-play .strip i").count()):
        judged = page.locator("#view-play .judged").inner_text()
        if "Safe, by" in judged:
            expect(page.locator("#view-play .review .why")).not_to_be_empty()
        found += [judged, " ".join(visit_symbols(page))]
        slider.press("ArrowRight")
    return found


def visit_symbols(page: Page) -> list[str]:
    labels: list[str] = page.locator("#view-play [role=gridcell]").evaluate_all(
        "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
    )
    return labels


def test_a_review_is_the_same_after_a_reload_and_from_a_link(visit: Visit) -> None:
    """The address carries the clicks: flags that were taken away, a chord, and what it opened at once."""
    page, layout = begin(visit), dealt()
    no_warning(page)
    mines = of_layout(visit, layout, mines=True)
    for cell in (mines[0], mines[0], *mines):
        visit.cell(*cell, "play").click(button="right")
    safe = of_layout(visit, layout, mines=False)
    near = layout.topology.neighbours(9, 9)
    chord = next(
        cell
        for index, cell in enumerate(map(layout.cell, range(81)))
        if layout.number(cell) and cell not in safe and any(layout.cell(other) in safe for other in near[index])
    )
    visit.cell(*chord, "play").click(button="middle")
    expect(visit.cell(*safe[0], "play")).to_be_visible()
    visit.cell(*mines[-1], "play").click(button="right")
    visit.cell(*mines[-1], "play").click()
    expect(page.locator("#view-play .summary")).to_contain_text("guess")
    expect(page).to_have_url(re.compile("&m="))
    seen = told(page)
    link = visit.shared("play")
    page.reload()
    assert told(page) == seen
    other = visit.another()
    other.goto(link)
    assert told(other) == seen


def test_a_game_is_saved_with_all_its_moves(visit: Visit) -> None:
    page, layout = begin(visit), dealt()
    no_warning(page)
    mine = of_layout(visit, layout, mines=True)[0]
    for button in ("right", "right", "left"):
        visit.cell(*mine, "play").click(button=button)
    expect(page.locator("#view-play .strip i")).to_have_count(2)
    with page.expect_download() as downloading:
        page.locator("#play-file").click()
    content = Path(downloading.value.path()).read_bytes()
    found = read_game_content(content)
    assert found.layout.cells == layout.cells and found.outcome is Outcome.EXPLODED
    moves = [(move.action.value, tuple(move.cell)) for move in found.moves]
    assert moves == [("open", (4, 4)), ("flag", mine), ("unflag", mine), ("open", mine)]
    times = [move.time or 0 for move in found.moves]
    assert times == sorted(times) and times[-1] > 0
    *_, (_, game) = replay(found)
    assert by_another_program(content.decode(), layout) == list(game.board.symbols)


def by_another_program(text: str, layout: Layout) -> list[str]:
    """What each cell shows at the end, as ms_toollib follows the events of a game."""
    ms_toollib = pytest.importorskip("ms_toollib")
    numbers = [layout.number(layout.cell(index)) for index in range(layout.rows * layout.cols)]
    cells = [-1 if number is None else number for number in numbers]
    board = ms_toollib.MinesweeperBoard([cells[at : at + layout.cols] for at in range(0, len(cells), layout.cols)])
    for event, col, row in re.findall(r"^\S+ ([lrm][cr]) (\d+) (\d+)", text, re.MULTILINE):
        board.step(event, (int(row) - 1, int(col) - 1))
    return [replays.SYMBOLS[number] for row in board.game_board for number in row]


# The moving picture, announcements, looks


LOOKS = {"empty": "n0", "covered": "c", "flagged": "f", "flagged, but safe": "w", "covered, a mine": "m", "a mine": "x"}


def test_a_game_of_the_user_is_saved_as_a_moving_picture(visit: Visit) -> None:
    """Flags may stand before the first opening, which opens some of them; undone moves are not shown."""
    page = visit.open(GAME)
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    for row, col in ((4, 4), (0, 0), (3, 4), (4, 5)):
        visit.cell(row, col, "play").click(button="right")
    page.keyboard.press("Control+z")
    visit.cell(4, 4, "play").click(button="right")
    visit.cell(4, 4, "play").click()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-safe").click()
    expect(page.locator(LEAD)).to_have_text(re.compile("opened|wrong"))
    expect(page.locator("#play-picture")).to_be_disabled()
    no_warning(page)
    page.locator("#play-risks").click()
    page.locator("#view-play .cell.sure").first.click()
    expect(page.locator(LEAD)).to_contain_text("That was a mine")
    text = saved(page, "play")
    places = BoardGeometry(9, 9, topology_named("square"))
    found = {place: look for look, place in re.findall(r'<use href="#(\S+)" (x="\d+" y="\d+") />', text)}
    for index, label in enumerate(visit.symbols("play")):
        x, y = places.middle(divmod(index, 9))
        look = LOOKS.get(label) or f"n{label}"
        assert found[f'x="{x}" y="{y}"'] == look, (index, label)
    assert "exploded: a mine was opened" in text and "a person plays 9x9, 10 mines" in text
    page.locator("#play-undo").click()
    expect(page.locator("#play-picture")).to_be_disabled()


def test_moves_are_announced_to_screen_readers(visit: Visit) -> None:
    page = begin(visit)
    expect(page.locator("#live[aria-live=polite]")).to_contain_text("row 4, column 4: empty")
    grid = page.get_by_role("grid", name="Your game, 9 rows of 9, 10 mines")
    expect(grid.get_by_role("row")).to_have_count(9)
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("9", "9")
    expect(grid.locator("[tabindex='0']")).to_have_count(1)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_winning_moves_only_where_motion_is_welcome(visits: Callable[..., Visit], motion: Any) -> None:
    visit = visits(reduced_motion=motion)
    page = visit.open("#play?rows=9&cols=9&mines=10&seed=3&luck=single")
    expect(page.locator(LEAD)).to_have_text("Open a cell to begin.")
    page.get_by_label("Make moves that single numbers settle").check()
    page.evaluate(
        """() => {
            window.pieces = 0;
            new MutationObserver((records) => {
                for (const { addedNodes } of records)
                    for (const node of addedNodes) if (node.className === 'confetti') window.pieces += 1;
            }).observe(document.querySelector('#view-play .board'), { childList: true });
        }"""
    )
    visit.cell(4, 4, "play").click()
    expect(page.locator(LEAD)).to_contain_text("Cleared in")
    expect(page.locator("#view-play .confetti")).to_have_count(0)  # it is gone after two seconds
    assert page.evaluate("window.pieces") == (0 if motion == "reduce" else 1)


@pytest.mark.parametrize(("theme", "size"), THEMES)
def test_axe_finds_nothing(visits: Callable[..., Visit], theme: str, size: Any) -> None:
    visit = visits(viewport=size, color_scheme=theme)

    def check() -> None:
        assert visit.violations() == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    page, layout = begin(visit), dealt()
    page.locator("#play-buttons summary").click()
    check()
    page.locator("#play-hint").click()
    expect(page.locator(".hint-steps li")).to_have_count(1)
    for _ in range(3):
        page.locator("#play-more").click()
    check()
    page.locator("#play-advice").click()
    expect(page.locator("#view-play .cell.best.safe")).to_have_count(1)
    check()
    page.locator("#play-risks").click()
    risky = page.locator("#view-play .cell.hot:not(.safe)").first
    risky.click()
    expect(page.locator(".warning")).to_be_visible()
    check()
    page.get_by_role("button", name="Open it anyway").click()
    expect(page.locator(".strip i:is(.inaccuracy, .mistake, .blunder)")).to_have_count(1)
    page.locator("#play-mistake").click()
    check()
    page.keyboard.press("Control+z")
    win(visit, layout)
    expect(page.locator(".summary")).to_contain_text(re.compile("guess|luck"))
    check()
    page.locator("#play-archive").click()
    expect(page.get_by_role("dialog", name="Your games")).to_be_visible()
    check()


def test_a_hint_on_a_phone_leaves_its_cells_in_sight(phone: Visit) -> None:
    visit = phone
    page = visit.open("#play?rows=16&cols=16&mines=40&seed=2")
    visit.cell(12, 4, "play").tap()
    expect(visit.cell(12, 4, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-hint").tap()
    expect(page.locator(".hint-steps li")).to_have_count(1)
    for number in (2, 3, 4):
        page.locator("#play-more").tap()
        expect(page.locator(".hint-steps li")).to_have_count(number)
        sheet = page.locator("#view-play .sheet").bounding_box()
        assert sheet is not None and sheet["height"] <= 0.3 * PHONE["height"] + 1
        for cell in page.locator("#view-play .cell.clue, #view-play .cell.best").all():
            box = cell.bounding_box()
            assert box is not None and box["y"] + box["height"] <= sheet["y"] and box["y"] >= 0


def test_the_sheet_leaves_the_board_in_sight_on_a_phone(phone: Visit) -> None:
    visit = phone
    page = visit.open(GAME)
    visit.cell(4, 4, "play").tap()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-risks").tap()
    risky = page.locator("#view-play .cell.hot:not(.safe)").last
    risky.tap()
    expect(page.locator(".warning")).to_be_visible()
    sheet = page.locator("#view-play .sheet").bounding_box()
    bad = page.locator("#view-play .cell.bad").first.bounding_box()
    assert sheet is not None and bad is not None
    assert sheet["height"] <= 0.3 * PHONE["height"] + 1
    assert bad["y"] + bad["height"] <= sheet["y"], "the cell that the warning is about is above the sheet"
    page.get_by_role("button", name="Close").tap()
    expect(page.locator(".warning")).to_be_hidden()
    no_warning(page)
    page.locator("#view-play .cell.sure").first.tap()
    expect(page.locator(".review")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    expect(page.locator(".review")).to_be_hidden()
    page.locator("#play-review").tap()
    expect(page.locator(".review")).to_be_visible()
