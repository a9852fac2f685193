"""The page in headless Chromium, from end to end."""

from __future__ import annotations

import base64
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from satsweep import animated_svg
from satsweep.agents import AGENTS, agent_named
from satsweep.board import Board, Cell
from satsweep.formats import FORMATS
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick
from satsweep.render.board_geometry import BoardGeometry
from satsweep.solver.analysis import analyse
from satsweep.topology import topology_named
from tests.web.pages import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = "no Chromium on this machine: apt-get install chromium"
# Elsewhere these tests may be skipped; CI has to have a browser.
pytestmark = [
    pytest.mark.extended,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason=MISSING),
]
SMALL = "mines 3\n##1.\n##21\n####"
IMPOSSIBLE = "#####\n#131#\n#####"
GAME = "#watch?agent=sat&rows=9&cols=9&mines=10&seed=5"
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PATIENCE = 30_000


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(rate=200, burst=400) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def unpacked(url: str) -> str:
    """The position that an address of Solve carries."""
    code = url.partition("?p=")[2]
    return zlib.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), wbits=-15).decode()


class Visit:
    """A browser context with a page, and the errors and warnings that it logs."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce"} | options)
        self.context.set_default_timeout(PATIENCE)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.url = url
        self.complaints: list[str] = []
        self.page = self.another()

    def another(self) -> Page:
        """One more page."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        return page

    def open(self, place: str, page: Page | None = None) -> Page:
        """Go to a place of the page, from nowhere."""
        page = page or self.page
        page.goto("about:blank")
        page.goto(self.url + place)
        return page

    def bring(self, text: str) -> None:
        """Follow a link to a position."""
        packed = zlib.compressobj(wbits=-15)
        code = base64.urlsafe_b64encode(packed.compress(text.encode()) + packed.flush()).decode().rstrip("=")
        self.open(f"#solve?p={code}")

    def paste(self, text: str) -> None:
        """Paste a position into Solve."""
        self.open("#solve")
        self.page.get_by_role("button", name="Open or paste").click()
        self.page.get_by_role("textbox", name="Position").fill(text)
        self.page.get_by_role("button", name="Open", exact=True).click()

    def cell(self, row: int, col: int, view: str) -> Any:
        """A cell of the board that is in sight."""
        return self.page.locator(f"#view-{view}").get_by_role(
            "gridcell", name=re.compile(rf"^row {row}, column {col},")
        )

    def symbols(self, view: str, page: Page | None = None) -> list[str]:
        """The accessible names of all cells, without their places."""
        labels: list[str] = (
            (page or self.page)
            .locator(f"#view-{view} [role=gridcell]")
            .evaluate_all(
                "cells => cells.map((cell) => cell.getAttribute('aria-label').split(', ').slice(2).join(', '))"
            )
        )
        return labels


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Visit]:
    found = Visit(browser, url)
    yield found
    found.context.close()
    assert found.complaints == []


def expect(locator: Any) -> Any:
    """Playwright's expect, with a long timeout for a busy machine."""
    from playwright.sync_api import expect as expecting

    expecting.set_options(timeout=PATIENCE)
    return expecting(locator)


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


def test_every_move_has_its_reason_and_its_numbers(visit: Visit) -> None:
    page = visit.open(GAME + "&move=4")
    expect(page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    expect(page.locator("#view-watch .cell.last")).to_have_count(1)
    assert page.locator("#view-watch .cell.clue").count() > 0
    expect(page.locator(".moves [aria-current=step]")).to_contain_text("4")


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
    assert visit.page.locator(".counts").all_text_contents()[0].startswith("Mines found 10 of 10")
    page.get_by_role("group", name="Agent whose moves are listed").get_by_role("button", name="random").click()
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
    page.get_by_role("group", name="Agent whose moves are listed").get_by_role("button", name="bfs").click()
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
    page.goto("about:blank")
    (tmp_path / "page.html").write_text('<img src="game.svg">')
    page.goto(f"file://{tmp_path}/page.html")
    image = page.locator("img")
    first = image.screenshot()
    # As an image of a page it moves, too; a loop of this game takes less than a minute.
    changed = any(image.screenshot() != first for _ in range(5 if still else 500))
    assert changed != still
    visit.context.close()
    assert visit.complaints == []


def test_a_link_to_a_move(visit: Visit) -> None:
    page = visit.open(GAME + "&move=7")
    expect(page.get_by_label("Move", exact=True)).to_have_value("7")
    expect(page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    seen = visit.symbols("watch")
    page.locator("#watch-share").click()
    expect(page.locator("#watch-share")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit.another()
    other.goto(link)
    expect(other.get_by_label("Move", exact=True)).to_have_value("7")
    expect(other.get_by_role("heading", name="Why it must be so")).to_be_visible()
    assert visit.symbols("watch", other) == seen


# Solving


def test_solve_shows_what_is_forced_and_the_fraction_of_the_rest(visit: Visit) -> None:
    visit.bring(SMALL)
    expect(visit.page.locator("#view-solve .lead")).to_have_text("Best move: 2,1 is safe")
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
    expect(visit.page.get_by_role("tooltip")).to_have_text("0,0 33.33 % = 1/3")


def test_a_click_gives_the_reason_with_its_numbers(visit: Visit) -> None:
    visit.bring(SMALL)
    visit.cell(2, 1, "solve").click()
    expect(visit.page.get_by_role("heading", name="2,1 is safe")).to_be_visible()
    for row, col in ((0, 2), (1, 2), (1, 3)):
        expect(visit.cell(row, col, "solve")).to_have_class(re.compile(r"\bclue\b"))
    visit.cell(0, 0, "solve").click()
    expect(visit.page.locator(".exact")).to_have_text("1/3")
    visit.page.get_by_role("button", name="A world where it is a mine").click()
    expect(visit.cell(0, 0, "solve")).to_have_accessible_name(re.compile("a mine in this world"))


def test_edit_a_position_and_see_the_contradiction_explained(visit: Visit) -> None:
    visit.bring(IMPOSSIBLE.replace("3", "2"))
    expect(visit.page.locator("#view-solve .lead")).to_contain_text("Best move")
    visit.page.get_by_role("radio", name="Draw 3").click()
    visit.cell(1, 2, "solve").click()
    expect(visit.page.locator("#view-solve .lead")).to_have_text("No layout agrees with this board")
    expect(visit.page.get_by_role("heading", name="These numbers cannot all be true")).to_be_visible()
    expect(visit.page.locator("#view-solve .steps")).to_contain_text("has more than one mine")
    for col in (1, 2, 3):
        expect(visit.cell(1, col, "solve")).to_have_class(re.compile(r"\bbad\b"))
    visit.page.get_by_role("button", name=re.compile("^A 3 at row 1, column 1 instead")).click()
    expect(visit.page.locator("#view-solve .lead")).to_contain_text("Best move")
    visit.page.get_by_role("button", name="Undo").click()
    expect(visit.page.locator("#view-solve .lead")).to_have_text("No layout agrees with this board")


def test_draw_with_keys_alone(visit: Visit) -> None:
    visit.bring("###\n###\n###")
    page = visit.page
    visit.cell(0, 0, "solve").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("8")
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, 8"))
    expect(page.locator("#view-solve .facts")).to_contain_text("8 cells")
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="2,2 is mine")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, covered"))


def test_draw_with_the_mouse_held_down(visit: Visit) -> None:
    visit.bring("####\n####")
    visit.page.get_by_role("radio", name="Draw empty").click()
    first, last = visit.cell(0, 0, "solve").bounding_box(), visit.cell(0, 3, "solve").bounding_box()
    mouse = visit.page.mouse
    mouse.move(first["x"] + 9, first["y"] + 9)
    mouse.down()
    mouse.move(last["x"] + 9, last["y"] + 9, steps=12)
    mouse.up()
    assert visit.symbols("solve")[:4] == ["empty"] * 4
    visit.page.get_by_role("button", name="Undo").click()
    expect(visit.cell(0, 2, "solve")).to_have_accessible_name(re.compile("covered"))


def test_share_a_position_and_open_the_link(visit: Visit) -> None:
    visit.bring("mines 3\ntopology torus\n####\n#2##\n####")
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("torus")
    seen = visit.symbols("solve")
    visit.page.locator("#solve-share").click()
    expect(visit.page.locator("#solve-share")).to_have_text("Copied")
    link = visit.page.evaluate("navigator.clipboard.readText()")
    assert "?p=" in link and "#solve" in link
    other = visit.another()
    other.goto(link)
    expect(other.locator("#view-solve .facts")).to_contain_text("torus")
    assert visit.symbols("solve", other) == seen
    expect(other.get_by_label("Mines", exact=True)).to_have_value("3")


@pytest.mark.parametrize("name", ["jsm-link", "json", "minesweepr", "text"])
def test_other_formats_are_pasted_as_they_are(visit: Visit, name: str) -> None:
    board = Board(("#1.", "11."), mines=None if name == "minesweepr" else 1)
    visit.paste(FORMATS[name].write(board))
    expect(visit.page.locator("#view-solve").get_by_role("gridcell")).to_have_count(6)
    expect(visit.page.locator("#view-solve .lead")).to_have_text("No cell is worth opening")
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
    page.get_by_role("button", name="Watch an agent on it").click()
    expect(page.locator("#view-watch").get_by_role("gridcell")).to_have_count(12)
    expect(page.locator(".counts").first).to_contain_text("of 2")
    page.locator("#watch-share").click()
    expect(page.locator("#watch-share")).to_have_text("Copied")
    other = visit.another()
    other.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(other.locator("#view-watch").get_by_role("gridcell")).to_have_count(12)
    expect(other.locator(".counts").first).to_contain_text("of 2")


def test_drop_a_file_and_paste_from_the_clipboard(visit: Visit) -> None:
    page = visit.open("#solve")
    expect(page.locator("#view-solve .facts")).to_contain_text("Worlds")
    page.evaluate(
        """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "position.txt"));
          window.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        SMALL,
    )
    expect(page.locator("#view-solve").get_by_role("gridcell")).to_have_count(12)
    expect(page.locator("#view-solve .lead")).to_have_text("Best move: 2,1 is safe")
    page.evaluate("(text) => navigator.clipboard.writeText(text)", IMPOSSIBLE)
    page.locator("#view-solve .lead").click()
    page.keyboard.press("Control+v")
    expect(page.locator("#view-solve .lead")).to_have_text("No layout agrees with this board")


def test_a_drawn_position_survives_a_reload(visit: Visit) -> None:
    visit.bring("mines 2\n####\n#1##\n####")
    visit.page.get_by_role("radio", name="Draw 2").click()
    visit.cell(1, 1, "solve").click()
    expect(visit.page.locator("#view-solve .lead")).to_contain_text("Best move")
    visit.cell(0, 0, "solve").click()
    visit.page.wait_for_url(lambda url: "2###\n#2##\n####" in unpacked(url))
    visit.page.reload()
    expect(visit.page.locator("#view-solve .lead")).to_contain_text("Best move")
    assert visit.symbols("solve")[0] == visit.symbols("solve")[5] == "2"


@pytest.mark.parametrize(
    ("topology", "shape"), [("hexagonal", "hexagon"), ("square in 2 planes", "square"), ("edges 0-1 1-2 2-3", "circle")]
)
def test_other_grids_are_drawn_as_they_are(visit: Visit, topology: str, shape: str) -> None:
    rows = "1###" if shape == "circle" else "####\n#2##\n####\n####"
    board = Board.from_text(f"mines 2\ntopology {topology}\n{rows}")
    visit.bring(str(board))
    expect(visit.page.locator(f"#view-solve .grid.{shape}")).to_be_visible()
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Worlds")
    found = analyse(board)
    for cell in board:
        label = visit.symbols("solve")[cell.row * board.cols + cell.col]
        if board.is_covered(cell) and found.risk(cell) in (0, 1):
            assert label.startswith("covered, a mine" if found.risk(cell) else "covered, safe")
    most = board.topology.most
    expect(visit.page.get_by_role("radio")).to_have_count(6 + max(8, most))
    middles = visit.page.locator("#view-solve [role=gridcell]").evaluate_all(
        "cells => cells.map((cell) => [cell.offsetLeft, cell.offsetTop].join())"
    )
    assert len(set(middles)) == board.rows * board.cols


def test_an_unknown_grid_is_refused_in_one_line(visit: Visit) -> None:
    visit.bring(SMALL)
    page = visit.page
    expect(page.locator("#view-solve .lead")).to_contain_text("Best move")
    page.get_by_label("Grid", exact=True).locator("visible=true").fill("moebius")
    page.keyboard.press("Enter")
    expect(page.locator("#view-solve .problem")).to_contain_text("expected a topology among square, torus")
    expect(page.get_by_label("Grid", exact=True).locator("visible=true")).to_have_value("square")


def test_rules_are_told_without_a_grid(visit: Visit) -> None:
    visit.paste('{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 4, "total_mines": 2}')
    expect(visit.page.get_by_role("row", name="a 50 % 1/2")).to_be_visible()


def test_a_hundred_by_a_hundred(visit: Visit) -> None:
    """All cells are drawn, and none of them again that has not changed."""
    page = visit.open("#watch?agent=sat&rows=100&cols=100&mines=1500&seed=1")
    expect(page.locator("#view-watch [role=gridcell]")).to_have_count(10_000, timeout=PATIENCE)
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


# Playing


def begin(visit: Visit, place: str = "#play?rows=9&cols=9&mines=10&seed=5") -> Page:
    page = visit.open(place)
    expect(page.locator("#view-play .lead")).to_have_text("Open a cell to begin.")
    visit.cell(4, 4, "play").click()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    return page


def hinted(visit: Visit) -> Any:
    """The cell that a hint says is safe, to be pressed."""
    visit.page.locator("#play-hint").click()
    expect(visit.page.locator("#view-play .lead")).to_contain_text(re.compile("is safe$|No cell is safe"))
    return visit.page.locator("#view-play .cell.best")


def test_play_with_hints_to_the_end(visit: Visit) -> None:
    page = begin(visit)
    hint = hinted(visit)
    assert page.locator("#view-play .steps li").count() > 0
    assert page.locator("#view-play .cell.clue").count() > 0
    for _ in range(60):
        hint.click()
        expect(page.locator("#view-play .cell.best")).to_have_count(0)
        if page.locator("#view-play .lead").text_content() != "":
            break
        hint = hinted(visit)
    expect(page.locator("#view-play .lead")).to_contain_text("Cleared in")


LOOKS = {"empty": "n0", "covered": "c", "flagged": "f", "flagged, but safe": "w", "covered, a mine": "m", "a mine": "x"}


def test_a_game_of_the_user_is_saved_as_a_moving_picture(visit: Visit) -> None:
    """Flags may stand before the first opening, which opens some of them; undone moves are not shown."""
    page = visit.open("#play?rows=9&cols=9&mines=10&seed=5")
    expect(page.locator("#view-play .lead")).to_have_text("Open a cell to begin.")
    for row, col in ((4, 4), (0, 0), (3, 4), (4, 5)):
        visit.cell(row, col, "play").click(button="right")
    page.keyboard.press("Control+z")
    visit.cell(4, 4, "play").click(button="right")
    visit.cell(4, 4, "play").click()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    hinted(visit).click()
    expect(page.locator("#view-play .cell.best")).to_have_count(0)
    page.locator("#play-undo").click()
    expect(page.locator("#play-picture")).to_be_disabled()
    page.get_by_label("Warn me").uncheck()
    page.locator("#play-risks").click()
    page.locator("#view-play .cell.sure").first.click()
    expect(page.locator("#view-play .lead")).to_contain_text("That was a mine")
    text = saved(page, "play")
    places = BoardGeometry(9, 9, topology_named("square"))
    found = {place: look for look, place in re.findall(r'<use href="#(\S+)" (x="\d+" y="\d+")/>', text)}
    for index, label in enumerate(visit.symbols("play")):
        x, y = places.middle(divmod(index, 9))
        look = LOOKS.get(label) or f"n{label}"
        assert found[f'x="{x}" y="{y}"'] == look, (index, label)
    assert "exploded: a mine was opened" in text and "a person plays 9x9, 10 mines" in text
    page.locator("#play-undo").click()
    expect(page.locator("#play-picture")).to_be_disabled()


def test_the_message_has_the_time_of_the_clock(visit: Visit) -> None:
    """Also where the clock has not ticked since the second passed."""
    visit.page.add_init_script("window.setInterval = () => 0")
    page = visit.open("#play?rows=1&cols=6&mines=1&seed=0")
    page.get_by_label("Warn me").uncheck()
    visit.cell(0, 0, "play").click()
    expect(visit.cell(0, 0, "play")).to_have_accessible_name(re.compile("empty"))
    visit.cell(0, 3, "play").click()  # the mine is at 0,2
    expect(visit.cell(0, 3, "play")).to_have_accessible_name(re.compile("1$"))
    page.wait_for_timeout(1_100)
    visit.cell(0, 4, "play").click()
    expect(page.locator("#view-play .lead")).to_contain_text("Cleared in")
    clock = page.locator("#view-play .counter").last.text_content() or ""
    expect(page.locator("#view-play .lead")).to_have_text(f"Cleared in {clock.removeprefix('Time ')}.")


def test_a_warning_before_a_move_that_need_not_be_risked(visit: Visit) -> None:
    page = begin(visit)
    page.locator("#play-risks").click()
    risky = page.locator("#view-play .cell.hot:not(.safe)").first
    expect(risky).to_be_visible()
    before = visit.symbols("play")
    risky.click()
    expect(page.locator(".warning")).to_contain_text("safe")
    assert [symbol.split(",")[0] for symbol in visit.symbols("play")] == [symbol.split(",")[0] for symbol in before]
    page.get_by_role("button", name="Show a safe cell").click()
    expect(page.locator(".warning")).to_be_hidden()
    expect(page.locator("#view-play .cell.good")).to_have_count(1)
    page.get_by_label("Warn me").uncheck()
    sure = page.locator("#view-play .cell.sure").first
    sure.click()
    expect(page.locator("#view-play .lead")).to_contain_text("That was a mine")
    page.locator("#play-undo").click()
    expect(page.locator("#view-play .lead")).to_have_text("Move undone.")
    expect(page.locator("#view-play .cell.mine")).to_have_count(0)


def test_flags_undo_and_a_wrong_flag(visit: Visit) -> None:
    page = begin(visit)
    page.locator("#play-hint").click()
    good = page.locator("#view-play .cell.good")
    expect(good).to_have_count(1)
    name = re.match(r"row (\d+), column (\d+)", good.get_attribute("aria-label") or "")
    assert name is not None
    cell = visit.cell(int(name[1]), int(name[2]), "play")
    cell.click(button="right")
    expect(cell).to_have_accessible_name(re.compile("flagged"))
    expect(page.locator("#view-play .counter").first).to_have_text("Mines left 9")
    page.locator("#play-hint").click()
    expect(page.locator("#view-play .lead")).to_contain_text("1 flag is wrong")
    page.keyboard.press("Control+z")
    expect(cell).to_have_accessible_name(re.compile("covered"))
    expect(page.locator("#view-play .counter").first).to_have_text("Mines left 10")


def test_the_same_link_is_the_same_board(visit: Visit) -> None:
    page = begin(visit)
    hinted(visit).click()
    expect(page.locator("#view-play .cell.best")).to_have_count(0)
    page.locator("#view-play .cell.covered").first.click(button="right")
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    seen = visit.symbols("play")
    page.locator("#play-share").click()
    expect(page.locator("#play-share")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    other = visit.another()
    other.goto(link)
    expect(other.locator("#view-play .cell.flag")).to_have_count(1)
    assert visit.symbols("play", other) == seen
    page.locator("#play-solve").click()
    expect(page.locator("#view-solve .lead")).to_contain_text("Best move")


def test_fingers(browser: Browser, url: str) -> None:
    """On a phone a tap opens, a long press flags, and nothing sticks out of the page."""
    visit = Visit(browser, url, viewport=PHONE, has_touch=True, is_mobile=True)
    page = visit.open("#play?rows=9&cols=9&mines=10&seed=5")
    visit.cell(4, 4, "play").tap()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-flagging").tap()
    covered = page.locator("#view-play .cell.covered").first
    covered.tap()
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    for view in ("watch", "solve", "play"):
        visit.open(f"#{view}")
        expect(page.locator(f"#view-{view} .cell").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    visit.context.close()
    assert visit.complaints == []


# Accessibility, themes and failures


@pytest.mark.parametrize(("theme", "size"), [("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE), ("dark", PHONE)])
def test_axe_finds_nothing(browser: Browser, url: str, theme: str, size: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visit = Visit(browser, url, viewport=size, color_scheme=theme)
    axe = Axe()

    def check() -> None:
        results = axe.run(visit.page)
        found = [
            (rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in results.response["violations"]
        ]
        assert found == []

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
    begin(visit)
    hinted(visit)
    visit.page.locator("#play-risks").click()
    check()
    visit.page.evaluate("document.getElementById('keys').showModal()")
    check()
    visit.context.close()
    assert visit.complaints == []


def test_moves_and_hints_are_announced_to_screen_readers(visit: Visit) -> None:
    page = begin(visit)
    said = page.locator("#live[aria-live=polite]")
    expect(said).to_contain_text("row 4, column 4: empty")
    hinted(visit)
    expect(said).to_contain_text(re.compile(r"^Hint: \d,\d is safe\. The"))
    grid = page.get_by_role("grid", name="Your game, 9 rows of 9, 10 mines")
    expect(grid.get_by_role("row")).to_have_count(9)
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("9", "9")
    expect(grid.locator("[tabindex='0']")).to_have_count(1)


def test_the_theme_can_be_chosen(visit: Visit) -> None:
    page = visit.open("#solve")
    button = page.get_by_role("button", name="Theme")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    button.click()
    button.click()
    expect(button).to_have_accessible_name("Theme: dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper
    page.reload()
    expect(page.get_by_role("button", name="Theme")).to_have_accessible_name("Theme: dark")


def test_a_server_that_is_gone_is_told(browser: Browser) -> None:
    with served() as url:
        visit = Visit(browser, url)
        visit.bring(SMALL)
        expect(visit.page.locator("#view-solve .lead")).to_contain_text("Best move")
    expect(visit.page.locator("#banner")).to_contain_text("cannot be reached")
    visit.context.close()
