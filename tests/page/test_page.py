"""The page in headless Chromium, from end to end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.formats import FORMATS, certificates
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick
from satsweep.proofs.certify import certify
from satsweep.render.game_animation import animated_svg
from satsweep.why import Explainer
from tests.page.browsing import MARKS, THEMES, Visit, expect, unpacked, wait_on
from tests.page.pages import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = MARKS
SMALL = "mines 3\n##1.\n##21\n####"
IMPOSSIBLE = "#####\n#131#\n#####"
GAME = "#watch?agent=sat&rows=9&cols=9&mines=10&seed=5"
SOLVED = re.compile("it is safe|No cell is safe|No cell is open yet|There is no cell")

DROP = """(text) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "dropped"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


# Watching


def test_watch_a_game_to_its_end_and_step_back(visit: Visit) -> None:
    page = visit.open(GAME)
    expect(page.locator("#view-watch .place")).to_have_text(re.compile(r"^0 / [1-9]\d*$"))
    page.get_by_label("Speed").fill("8")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".replay .state")).to_have_text("cleared")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".counts")).to_contain_text("of 10")
    expect(page.get_by_role("heading", name="The game in numbers")).to_be_visible()
    last = page.get_by_label("Move", exact=True).input_value()

    def shown() -> list[str]:
        """The symbols without their marks, which come a moment later."""
        return [symbol.removesuffix(", part of the reason") for symbol in visit.symbols("watch")]

    over = shown()
    assert not any(symbol.startswith("covered, ") for symbol in over)
    page.get_by_role("button", name="Previous move").click()
    assert page.get_by_label("Move", exact=True).input_value() == str(int(last) - 1)
    expect(page.locator(".replay .state")).to_have_text("")
    assert shown() != over
    page.get_by_role("button", name="Next move").click()
    assert shown() == over
    page.get_by_role("button", name="To the start").click()
    assert set(visit.symbols("watch")) == {"covered"}


def test_a_game_is_first_played_at_a_speed_at_which_reasons_can_be_read(visit: Visit) -> None:
    speed = visit.open(GAME).get_by_label("Speed")
    expect(speed).to_have_attribute("aria-valuetext", "2 moves a second")
    speed.fill("8")
    visit.page.reload()
    expect(speed).to_have_attribute("aria-valuetext", "1,000 moves a second")


def test_every_move_has_its_reason_and_its_numbers(visit: Visit) -> None:
    page = visit.open(GAME + "&move=4")
    expect(page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    expect(page.locator("#watch-now .rule")).to_have_text("one number is enough")
    expect(page.locator("#view-watch .cell.last")).to_have_count(1)
    assert page.locator("#view-watch .cell.clue").count() > 0
    expect(page.locator(".moves [aria-current=step]")).to_contain_text("4")
    visit.open(GAME + "&move=1")
    expect(page.locator("#watch-now h2")).to_contain_text("opens")
    opened = sum(not symbol.startswith("covered") for symbol in visit.symbols("watch"))
    assert opened > 2
    expect(page.locator("#watch-now h2")).to_have_text(re.compile(rf": empty and {opened - 1} more cells$"))


def test_a_link_with_an_agent_that_does_not_exist(visit: Visit) -> None:
    page = visit.open("#watch?agent=nobody&rows=9&cols=9&mines=10&seed=2")
    expect(page.locator("#watch-now .problem")).to_contain_text("expected an agent among random, basic,")
    expect(page.locator("#watch-now .problem")).to_contain_text("found 'nobody'")
    visit.open("#watch?agent=sat:elimination&rows=4&cols=4&mines=2&seed=2&move=1")
    expect(page.locator("#watch-now h2")).to_be_visible()


@pytest.mark.parametrize(
    ("move", "said"), [(2, "Every covered cell had the same risk."), (3, "No cell had a lower risk.")]
)
def test_a_guess_beside_the_least_risk(move: int, said: str, visit: Visit) -> None:
    page = visit.open(f"#watch?agent=random&rows=1&cols=7&mines=3&first=safe&seed=0&move={move}")
    expect(page.locator("#view-watch .why .note", has_text="risk")).to_have_text(said)


def test_two_agents_play_the_same_board(visit: Visit) -> None:
    page = visit.open("#watch?agent=sat&against=random&rows=9&cols=9&mines=10&seed=2")
    expect(page.locator(".replay")).to_have_count(2)
    expect(page.locator(".replay .player")).to_have_text(["sat", "random"])
    page.get_by_label("Speed").fill("8")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".replay .state").first).to_have_text("cleared")
    expect(page.locator(".replay .state").last).to_have_text("exploded")
    expect(page.locator(".replay .state").first).to_have_class("state won")
    expect(page.locator(".replay .state").last).to_have_class("state lost")
    assert visit.page.locator(".counts").all_text_contents()[0].startswith("Mines found 10 of 10")
    page.get_by_role("group", name="Solver whose moves are listed").get_by_role("button", name="random").click()
    expect(page.locator("#watch-now h2")).to_contain_text("a mine")
    expect(page.locator("#view-watch .missed")).to_contain_text("overlooked")


def test_keys_play_and_step(visit: Visit) -> None:
    page = visit.open(GAME)
    expect(page.locator("#view-watch .place")).to_have_text(re.compile(r"^0 / [1-9]\d*$"))
    page.keyboard.press(">")
    end = page.get_by_label("Move", exact=True).input_value()
    assert int(end) > 5
    page.keyboard.press(",")
    assert page.get_by_label("Move", exact=True).input_value() == str(int(end) - 1)
    page.keyboard.press("<")
    assert page.get_by_label("Move", exact=True).input_value() == "0"
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    visit.cell(0, 0, "watch").focus()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def saved(page: Page, view: str) -> str:
    """The moving picture that the button of a view downloads."""
    button = page.locator(f"#{view}-picture")
    expect(button).to_be_enabled()
    with page.expect_download() as downloading:
        button.click()
    assert downloading.value.suggested_filename == "game.svg"
    expect(button).to_be_enabled()
    return Path(downloading.value.path()).read_text()


def picture_of(agent: str) -> str:
    """The moving picture of the game of GAME, made without the page."""
    rng = game_rng("5", 0)
    rules = replace(AGENTS[agent].rules, first=FirstClick.ZERO, start=Cell(4, 4))
    return "".join(animated_svg(play(random_layout(9, 9, 10, rng), agent_named(agent), rules, rng, name=agent)))


def test_a_game_is_saved_as_a_moving_picture(visit: Visit) -> None:
    page = visit.open(f"{GAME}&against=bfs")
    assert saved(page, "watch") == picture_of("sat")
    page.get_by_role("group", name="Solver whose moves are listed").get_by_role("button", name="bfs").click()
    assert saved(page, "watch") == picture_of("bfs")
    visit.open("#watch?agent=nobody&rows=9&cols=9&mines=10&seed=2")
    expect(page.locator("#watch-now .problem")).to_be_visible()
    expect(page.locator("#watch-picture")).to_be_disabled()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_moving_picture_moves_unless_reduced_motion_is_preferred(
    motion: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "game.svg"
    file.write_text(picture_of("gem"))
    steps = file.read_text().count('class="step"')
    visit = Visit(browser, f"file://{file}", reduced_motion=motion)
    page = visit.open("")
    still = motion == "reduce"
    assert page.evaluate("document.getAnimations().length") == (0 if still else steps + 1)
    times = [float(time) for time in re.findall(r"@keyframes m\d+\{0%,([\d.]+)%", file.read_text())]
    visible = """share => {
        for (const animation of document.getAnimations()) {
            animation.pause();
            animation.currentTime = share * animation.effect.getComputedTiming().duration;
        }
        const shown = (group) => getComputedStyle(group).visibility === "visible";
        return [...document.querySelectorAll(".step")].map(shown);
    }"""
    for share in (0, (times[0] + times[1]) / 200, (times[9] + times[10]) / 200, 0.999):
        seen = steps if still else sum(time < 100 * share for time in times)
        assert page.evaluate(visible, share) == [True] * seen + [False] * (steps - seen)
    visit.leave()
    assert visit.complaints == []


def test_a_link_to_a_move(visit: Visit) -> None:
    page = visit.open(GAME + "&move=7")
    expect(page.get_by_label("Move", exact=True)).to_have_value("7")
    expect(page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    seen = visit.symbols("watch")
    link = visit.shared("watch")
    other = visit.another()
    other.goto(link)
    expect(other.get_by_label("Move", exact=True)).to_have_value("7")
    expect(other.get_by_role("heading", name="Why it must be so")).to_be_visible()
    assert visit.symbols("watch", other) == seen


# Solving


def test_solve_shows_what_is_forced_and_the_fraction_of_the_rest(visit: Visit) -> None:
    visit.bring(SMALL)
    expect(visit.page.locator("#view-solve .lead")).to_have_text("Open 2,1: it is safe.")
    board = Board.from_text(SMALL)
    found, symbols = analyse(board), visit.symbols("solve")
    for cell in board:
        label = symbols[cell.row * board.cols + cell.col]
        if not board.is_covered(cell):
            assert not label.startswith("covered")
        elif found.risk(cell) == 0:
            assert label.startswith("covered, safe")
        else:
            assert label.startswith("covered, risk")
    visit.cell(0, 0, "solve").hover()
    expect(visit.page.get_by_role("tooltip")).to_contain_text("0,0 risk 33.33 % = 1/3")


def test_a_click_gives_the_reason_with_its_numbers(visit: Visit) -> None:
    visit.bring(SMALL)
    visit.cell(2, 1, "solve").click()
    expect(visit.page.get_by_role("heading", name="2,1 is safe")).to_be_visible()
    for row, col in ((0, 2), (1, 2), (1, 3)):
        expect(visit.cell(row, col, "solve")).to_have_class(re.compile(r"\bclue\b"))
    visit.cell(0, 0, "solve").click()
    expect(visit.page.locator(".exact")).to_have_text("1/3")
    visit.page.get_by_role("button", name="A solution where it is a mine").click()
    expect(visit.cell(0, 0, "solve")).to_have_accessible_name(re.compile("a mine in this solution"))


def test_edit_a_position_and_see_the_contradiction_explained(visit: Visit) -> None:
    visit.bring(IMPOSSIBLE.replace("3", "2"))
    expect(visit.page.locator("#view-solve .lead")).to_contain_text(SOLVED)
    visit.page.get_by_role("radio", name="Draw 3").click()
    visit.cell(1, 2, "solve").click()
    expect(visit.page.locator("#view-solve .lead")).to_have_text("This board has no solution")
    expect(visit.page.get_by_role("heading", name="These numbers cannot all be true")).to_be_visible()
    expect(visit.page.locator("#view-solve .steps")).to_contain_text("has more than one mine")
    for col in (1, 2, 3):
        expect(visit.cell(1, col, "solve")).to_have_class(re.compile(r"\bbad\b"))
    visit.page.get_by_role("button", name=re.compile("^A 3 at 1,1 instead")).click()
    expect(visit.page.locator("#view-solve .lead")).to_contain_text(SOLVED)
    visit.page.get_by_role("button", name="Undo").click()
    expect(visit.page.locator("#view-solve .lead")).to_have_text("This board has no solution")


def test_draw_with_keys_alone(visit: Visit) -> None:
    visit.bring("###\n###\n###")
    page = visit.page
    visit.cell(0, 0, "solve").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("8")
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, 8"))
    expect(page.locator("#view-solve .panel")).to_contain_text("0 safe cells, 8 certain mines.")
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="2,2 is mine")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, covered"))


def test_share_a_position_and_open_the_link(visit: Visit) -> None:
    visit.bring("mines 3\ntopology torus\n####\n#2##\n####")
    expect(visit.page.locator("#view-solve .panel")).to_contain_text("Note: torus")
    expect(visit.page.locator("#view-solve .cell.best")).to_have_count(1)
    seen = visit.symbols("solve")
    link = visit.shared("solve")
    assert "?p=" in link and "#solve" in link
    other = visit.another()
    other.goto(link)
    expect(other.locator("#view-solve .panel")).to_contain_text("Note: torus")
    expect(other.locator("#view-solve .cell.best")).to_have_count(1)
    assert visit.symbols("solve", other) == seen
    expect(other.get_by_label("Mines", exact=True)).to_have_value("3")


@pytest.mark.parametrize("name", ["jsm-link", "minesweepr"])
def test_other_formats_are_pasted_as_they_are(visit: Visit, name: str) -> None:
    board = Board(("#1.", "11."), mines=None if name == "minesweepr" else 1)
    visit.paste(FORMATS[name].write(board))
    expect(visit.page.locator("#view-solve").get_by_role("gridcell")).to_have_count(6)
    expect(visit.page.locator("#view-solve .lead")).to_have_text("There is no cell to open.")
    expect(visit.cell(0, 0, "solve")).to_have_accessible_name(re.compile("covered, a mine"))


@pytest.mark.parametrize("text", ["?1.\n11.", "? 1 0\n1 1 0"])
def test_signs_of_several_meanings_are_read_as_by_the_commands(visit: Visit, text: str) -> None:
    for show in (visit.paste, visit.bring):
        show(text)
        expect(visit.cell(0, 0, "solve")).to_have_accessible_name(re.compile("covered, a mine"))


def test_an_unreadable_position_says_where(visit: Visit) -> None:
    visit.paste("##\n#x")
    expect(visit.page.locator("#open-problem")).to_contain_text("line 2, column 2")


def test_a_file_with_all_mines_is_watched(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "layout.txt"
    file.write_text("..*.\n....\n*...\n")
    page = visit.open("#solve")
    page.get_by_role("button", name="Open or paste").click()
    page.locator("#open-file").set_input_files(file)
    page.get_by_role("button", name="Watch a solver on it").click()
    expect(page.locator("#view-watch").get_by_role("gridcell")).to_have_count(12)
    expect(page.locator(".counts").first).to_contain_text("of 2")
    link = visit.shared("watch")
    other = visit.another()
    other.goto(link)
    expect(other.locator("#view-watch").get_by_role("gridcell")).to_have_count(12)
    expect(other.locator(".counts").first).to_contain_text("of 2")


def test_drop_a_file_and_paste_from_the_clipboard(visit: Visit) -> None:
    page = visit.open("#solve")
    expect(page.locator("#view-solve .facts")).to_contain_text("Solutions")
    page.evaluate(DROP, SMALL)
    expect(page.locator("#view-solve").get_by_role("gridcell")).to_have_count(12)
    expect(page.locator("#view-solve .lead")).to_have_text("Open 2,1: it is safe.")
    page.evaluate("(text) => navigator.clipboard.writeText(text)", IMPOSSIBLE)
    page.locator("#view-solve .lead").click()
    page.keyboard.press("Control+v")
    expect(page.locator("#view-solve .lead")).to_have_text("This board has no solution")


@pytest.mark.parametrize(("mistaken", "said"), [(False, "This proof is right"), (True, "This proof is wrong")])
def test_a_certificate_is_checked_where_it_is_dropped(visit: Visit, mistaken: bool, said: str) -> None:
    with Explainer(Board.from_text(SMALL)) as explainer:
        proofs = json.loads(certificates.to_json(certify(Board.from_text(SMALL), explainer.all())))
    if mistaken:
        proofs["proofs"][0]["mine"] = not proofs["proofs"][0]["mine"]
    page = visit.open("#solve")
    expect(page.locator("#view-solve .facts")).to_contain_text("Solutions")
    page.evaluate(DROP, json.dumps(proofs))
    dialog = page.get_by_role("dialog", name="A proof")
    expect(dialog.get_by_role("heading")).to_have_text(said)
    dialog.get_by_role("button", name="Open its position").click()
    expect(page.locator("#view-solve .lead")).to_have_text("Open 2,1: it is safe.")


def test_a_click_before_the_answer_is_not_lost(visits: Callable[..., Visit]) -> None:
    """The engine is held back until the cell has been clicked."""
    visit = visits(service_workers="block")
    held: list[Any] = []
    visit.page.route("**/quick.wasm", lambda route: held.append(route))
    visit.bring(SMALL)
    visit.cell(2, 1, "solve").click()
    expect(visit.cell(2, 1, "solve")).to_have_class(re.compile(r"\btarget\b"))
    wait_on(visit.page, lambda: held)
    for route in held:
        route.continue_()
    expect(visit.page.get_by_role("heading", name="2,1 is safe")).to_be_visible()


def test_the_reason_of_a_contradiction_stays_when_a_cell_is_clicked(visit: Visit) -> None:
    visit.bring(IMPOSSIBLE)
    reason = visit.page.get_by_role("heading", name="These numbers cannot all be true")
    expect(reason).to_be_visible()
    visit.cell(0, 0, "solve").click()
    expect(reason).to_be_visible()


def test_a_drawn_position_survives_a_reload(visit: Visit) -> None:
    visit.bring("mines 2\n####\n#1##\n####")
    visit.page.get_by_role("radio", name="Draw 2").click()
    visit.cell(1, 1, "solve").click()
    expect(visit.page.locator("#view-solve .lead")).to_contain_text(SOLVED)
    visit.cell(0, 0, "solve").click()
    visit.page.wait_for_url(lambda url: "2###\n#2##\n####" in unpacked(url))
    visit.page.reload()
    expect(visit.page.locator("#view-solve .lead")).to_contain_text(SOLVED)
    assert visit.symbols("solve")[0] == visit.symbols("solve")[5] == "2"


@pytest.mark.parametrize(
    ("topology", "shape"), [("hexagonal", "hexagon"), ("square in 2 planes", "square"), ("edges 0-1 1-2 2-3", "circle")]
)
def test_other_grids_are_drawn_as_they_are(visit: Visit, topology: str, shape: str) -> None:
    rows = "1###" if shape == "circle" else "####\n#2##\n####\n####"
    board = Board.from_text(f"mines 2\ntopology {topology}\n{rows}")
    visit.bring(str(board))
    expect(visit.page.locator(f"#view-solve .grid.{shape}")).to_be_visible()
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions")
    found = analyse(board)
    for cell in board:
        label = visit.symbols("solve")[cell.row * board.cols + cell.col]
        if board.is_covered(cell) and found.risk(cell) in (0, 1):
            assert label.startswith("covered, a mine" if found.risk(cell) else "covered, safe")
    most = board.topology.most
    expect(visit.page.get_by_role("radio")).to_have_count(7 + max(8, most))
    middles = visit.page.locator("#view-solve [role=gridcell]").evaluate_all(
        "cells => cells.map((cell) => [cell.getBoundingClientRect()].map(({ x, y }) => `${x},${y}`).join())"
    )
    assert len(set(middles)) == board.rows * board.cols


def test_rules_are_told_without_a_grid(visit: Visit) -> None:
    visit.paste('{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 4, "total_mines": 2}')
    expect(visit.page.get_by_role("row", name="a 50 % 1/2")).to_be_visible()
    expect(visit.page.get_by_role("row", name="any other cell 50 % 1/2")).to_be_visible()


def test_a_hundred_by_a_hundred(visit: Visit) -> None:
    """All cells are drawn, and none of them again that has not changed."""
    page = visit.open("#watch?agent=sat&rows=100&cols=100&mines=1500&seed=1")
    expect(page.locator("#view-watch [role=gridcell]")).to_have_count(10_000)
    page.get_by_role("button", name="To the end").click()
    frames = page.evaluate(
        """async () => {
          const changes = [];
          const observer = new MutationObserver((found) => changes.push(...found));
          const grid = document.querySelector('#view-watch .grid');
          document.querySelector('[aria-label="Previous move"]').click();
          await new Promise(requestAnimationFrame);
          observer.observe(grid, { subtree: true, attributes: true, attributeFilter: ['class'] });
          document.querySelector('[aria-label="Next move"]').click();
          await new Promise(requestAnimationFrame);
          observer.disconnect();
          return changes.length;
        }"""
    )
    assert 0 < frames < 100


# Accessibility, themes and failures


@pytest.mark.parametrize(("theme", "size"), THEMES)
def test_axe_finds_nothing(visits: Callable[..., Visit], theme: str, size: Any) -> None:
    visit = visits(viewport=size, color_scheme=theme)

    def check() -> None:
        assert visit.violations() == []

    visit.open("#watch?agent=sat&against=basic&rows=9&cols=9&mines=10&seed=5&move=6")
    expect(visit.page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    check()
    visit.bring("mines 4\n####\n#2##\n#1F#\n####")
    expect(visit.page.locator("#view-solve table")).to_be_visible()
    check()
    visit.page.get_by_role("button", name="Open or paste").click()
    check()
    visit.paste("..*\n...\n*..")
    expect(visit.page.locator("#layout-dialog")).to_be_visible()
    check()
    visit.paste('{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 4, "total_mines": 2}')
    expect(visit.page.get_by_role("dialog", name="Rules about named cells")).to_be_visible()
    check()
    visit.bring(SMALL.replace("mines 3", "mines 3\ntopology hexagonal"))
    visit.page.locator("#view-solve .cell.sure, #view-solve .cell.safe").first.click()
    expect(visit.page.locator("#view-solve .steps")).to_be_visible()
    check()
    visit.bring(IMPOSSIBLE)
    expect(visit.page.get_by_role("heading", name="These numbers cannot all be true")).to_be_visible()
    check()
    visit.page.evaluate("async () => (await import('./app/dialogs.js')).openDialog('keys')")
    check()


def test_the_theme_can_be_chosen(visit: Visit) -> None:
    page = visit.open("#solve")
    button = page.get_by_role("button", name="Theme")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    expect(button.locator("use")).to_have_attribute("href", "#i-sun")
    button.click()
    button.click()
    expect(button).to_have_accessible_name("Theme: dark")
    expect(button.locator("use")).to_have_attribute("href", "#i-moon")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper
    page.reload()
    expect(page.get_by_role("button", name="Theme")).to_have_accessible_name("Theme: dark")


def test_a_server_that_is_gone_is_told(browser: Browser) -> None:
    with served() as url:
        visit = Visit(browser, url)
        visit.bring(SMALL)
        expect(visit.page.locator("#view-solve .lead")).to_contain_text(SOLVED)
    expect(visit.page.locator("#banner")).to_contain_text("cannot be reached")
    visit.leave()


def test_without_webassembly_the_server_answers_and_the_page_says_so(browser: Browser) -> None:
    with served() as url:
        visit = Visit(browser, url)
        visit.context.add_init_script("delete globalThis.WebAssembly")
        visit.bring(SMALL)
        lacking = visit.page.locator("#lacking")
        expect(lacking).to_have_text(re.compile("WebAssembly is switched off in this browser. The server answers"))
        expect(visit.page.locator("#view-solve .lead")).to_have_text("Open 2,1: it is safe.")
        visit.page.goto(f"{url}#play?rows=9&cols=9&mines=10&seed=5&luck=single")
        visit.cell(4, 4, "play").click()
        expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
        visit.page.locator("#play-hint").click()
        expect(visit.page.locator(".hint-steps li")).to_have_text(["Look here."])
        visit.leave()
        assert visit.complaints == []


@pytest.mark.extended
def test_the_server_is_asked_for_reasons_alone(browser: Browser) -> None:
    """Edits, conflicts, games of sat and deep, boards to play and hints need no question."""
    with served() as url:
        visit = Visit(browser, url)
        asked: list[str] = []

        def sent(text: str | bytes) -> None:
            asked.append(json.loads(text).get("ask", "cancel"))

        visit.page.on("websocket", lambda socket: socket.on("framesent", sent))
        visit.bring(SMALL)
        expect(visit.page.locator("#view-solve .lead")).to_have_text("Open 2,1: it is safe.")
        visit.cell(2, 1, "solve").focus()
        visit.page.keyboard.press("2")
        expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions5")
        visit.bring(f"mines 4\n{IMPOSSIBLE}")
        expect(visit.page.get_by_role("heading", name="These numbers cannot all be true")).to_be_visible()
        expect(visit.page.get_by_role("button", name=re.compile("^A 3 at 1,1 instead"))).to_be_visible()
        page = visit.open("#watch?agent=deep&rows=9&cols=9&mines=10&seed=5")
        page.get_by_role("button", name="To the end").click()
        expect(page.locator("#view-watch .ending")).to_be_visible()
        page = visit.open("#play?rows=9&cols=9&mines=10&seed=5&luck=single")
        visit.cell(4, 4, "play").click()
        expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
        page.locator("#play-hint").click()
        expect(page.locator(".hint-steps li")).to_have_text(["Look here."])
        page.locator("#play-more").click()
        expect(page.locator(".hint-steps li")).to_have_count(2)
        page = visit.open("#play?rows=9&cols=9&mines=10&seed=5")
        visit.cell(4, 4, "play").click()
        page.locator("#play-rate").click()
        expect(page.locator(".rated")).to_contain_text("This board needs")
        assert asked == []
        visit.leave()
