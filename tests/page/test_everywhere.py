"""What holds in all views of the page, each thing tried in all of them at once."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.page.browsing import MARKS, Visit, answered, expect, packed, wait_on

pytestmark = MARKS
HELD = """
    window.held = [];
    Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(take) {
            this.addEventListener("message", (event) => {
                if (event.data.includes('"middles"')) held.push(() => take(event));
                else take(event);
            });
        },
    });
"""
"""Hold the places of cells back, as a slow start of Python does, until they are let go."""
POSITION = "mines 3\n##1.\n##21\n####"
REVIEWED = {
    "rows": 3, "cols": 3, "mines": 1, "seed": "7", "first": "zero", "start": [0, 0], "clues": "exact",
}  # fmt: skip


def wait_for_held(page: Any) -> None:
    wait_on(page, lambda: page.evaluate("held.length"))


def let_go(page: Any) -> None:
    """Let what was held go, and the page draw what it makes of it."""
    page.evaluate("async () => { for (const take of held.splice(0)) take(); await new Promise(requestIdleCallback); }")


@pytest.mark.server("a folder has no WebSocket that could be held back")
def test_a_grid_that_comes_late_does_not_replace_the_board_of_solve(visit: Visit) -> None:
    visit.page.add_init_script(HELD)
    visit.bring(POSITION)
    page, cells = visit.page, visit.page.locator("#view-solve [role=gridcell]")
    page.get_by_label("Grid").fill("torus")
    page.get_by_label("Grid").press("Enter")
    wait_for_held(page)
    page.locator("#view-solve [data-preset=beginner]").click()
    expect(cells).to_have_count(81)
    let_go(page)
    expect(cells).to_have_count(81)
    expect(page.get_by_label("Grid")).to_have_value("square")
    page.get_by_label("Grid").fill("hexagonal")
    page.get_by_label("Grid").press("Enter")
    wait_for_held(page)
    visit.cell(1, 1, "solve").focus()
    page.keyboard.press("1")
    let_go(page)
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile(", 1"))
    expect(page.get_by_label("Grid")).to_have_value("square")


@pytest.mark.server("a folder has no WebSocket that could be held back")
def test_a_grid_that_comes_late_does_not_replace_the_board_of_play(visit: Visit) -> None:
    visit.page.add_init_script(HELD)
    page = visit.open("#play?rows=9&cols=9&mines=10&topology=hexagonal")
    wait_for_held(page)
    page.locator("#view-play").get_by_label("Grid").fill("square")
    page.locator("#view-play").get_by_label("Board").select_option("intermediate")
    expect(page.locator("#view-play [role=gridcell]")).to_have_count(256)
    let_go(page)
    expect(page.locator("#view-play [role=gridcell]")).to_have_count(256)
    expect(page.locator("#view-play .grid")).to_have_class(re.compile("square"))


@pytest.mark.server("a folder has no WebSocket that could be held back")
def test_a_grid_that_comes_late_does_not_replace_the_game_of_review(visit: Visit) -> None:
    visit.page.add_init_script(HELD)
    hexagonal = json.dumps(REVIEWED | {"topology": "hexagonal"})
    page = visit.open(f"#review?g={packed(hexagonal)}&m=")
    wait_for_held(page)
    page.get_by_role("button", name="Show an example").click()
    expect(page.locator("#view-review [role=gridcell]")).to_have_count(25)
    let_go(page)
    expect(page.locator("#view-review [role=gridcell]")).to_have_count(25)


def test_a_view_is_entered_once_and_shows_nothing_before(visit: Visit) -> None:
    """A position of another view is the first one of Solve: there is nothing to undo, and one question was asked."""
    page = visit.open("#train")
    page.locator("#train-answer").click()
    page.evaluate("""() => {
        window.asked = [];
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message) {
            if (message.kind === "solve") asked.push(message.fields.board);
            post.call(this, message);
        };
    }""")
    page.locator("#train-solve").click()
    expect(answered(page)).to_be_visible()
    expect(page.locator("#view-solve").get_by_role("button", name="Undo")).to_be_disabled()
    assert len(page.evaluate("asked")) == 1
    page.go_back()
    expect(page.locator("#view-train")).to_be_visible()


PLACES = {
    "solve": f"#solve?p={packed(POSITION)}",
    "play": "#play?rows=9&cols=9&mines=10&seed=5",
    "review": "#review",
    "watch": "#watch?agent=sat&rows=9&cols=9&mines=10&seed=5&move=3",
    "train": "#train",
}
"""A board of each view."""


def begin(visit: Visit, view: str) -> Any:
    """A page with a view and its board."""
    page = visit.open(PLACES[view])
    if view == "review":
        page.locator("#review-example").click()
    expect(page.locator(f"#view-{view} .cell").first).to_be_visible()
    if view == "play":
        visit.cell(4, 4, "play").click()
        expect(page.locator("#view-play .cell.open").first).to_be_visible()
    return page


ABOVE = """() => {
    const view = document.querySelector(".view:not([hidden])");
    const all = [...view.querySelectorAll("a, button, input, select, textarea, summary, [tabindex='0']")];
    const isSeen = (one) => one.checkVisibility() && one.offsetWidth > 1 && !one.closest(".sheet, .unseen");
    const stops = all.filter((one) => isSeen(one) && one.tabIndex >= 0 && !one.disabled);
    const said = (one) => one.outerHTML.slice(0, 80);
    const boxes = stops.map((one) => [said(one), one.getBoundingClientRect()]);
    return boxes.flatMap(([name, box], at) =>
        boxes.slice(0, at).filter(([, other]) => box.bottom <= other.top).slice(0, 1).map(([other]) => [name, other]));
}"""
"""Stops of the Tab key that lie above an earlier one. Sheets lie over the page."""


@pytest.mark.parametrize("width", [390, 800])
def test_what_comes_first_on_the_screen_comes_first_for_keys(
    visits: Callable[..., Visit], width: int, subtests: pytest.Subtests
) -> None:
    visit = visits(viewport={"width": width, "height": 844})
    for view in PLACES:
        with subtests.test(view):
            page = begin(visit, view)
            assert page.evaluate(ABOVE) == []


LISTENERS = """
    window.listening = 0;
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    const global = (one) => one === window || one === document || one instanceof MediaQueryList;
    EventTarget.prototype.addEventListener = function (name, act, how) {
        if (global(this ?? window)) {
            listening += 1;
            how?.signal?.addEventListener("abort", () => { listening -= 1; });
        }
        return add.call(this ?? window, name, act, how);
    };
    EventTarget.prototype.removeEventListener = function (name, act, how) {
        if (global(this ?? window)) listening -= 1;
        return remove.call(this ?? window, name, act, how);
    };
"""
"""Count what listens to the window, the document and the media; it stays when elements are gone."""


def test_listeners_end_with_what_they_serve(visit: Visit) -> None:
    """Ten rounds through all views, and ten second boards in Watch, leave no listener behind."""
    page = visit.page
    page.add_init_script(LISTENERS)
    begin(visit, "watch")
    against = page.locator("#view-watch").get_by_label("Against")
    boards = page.locator("#view-watch .board")

    def round_trip() -> None:
        against.select_option("basic")
        expect(boards).to_have_count(2)
        against.select_option("")
        expect(boards).to_have_count(1)
        for view in ("solve", "play", "review", "train", "watch"):
            page.locator(f".views [data-view={view}]").click()
            expect(page.locator(f"#view-{view} h1")).to_be_attached()

    round_trip()
    expect(page.locator("#view-play .cell").first).to_be_attached()
    before = page.evaluate("listening")
    for _ in range(10):
        round_trip()
    assert page.evaluate("listening") == before > 0


def test_a_view_that_is_hidden_draws_nothing(visit: Visit) -> None:
    """The clock of a game goes on, unseen, and that of no game does not."""
    page = begin(visit, "play")
    changes = """async (view) => {
        let count = 0;
        const seen = new MutationObserver((changes) => { count += changes.length; });
        seen.observe(document.getElementById(`view-${view}`), { subtree: true, childList: true, characterData: true });
        await new Promise((resolve) => setTimeout(resolve, 400));
        return count;
    }"""
    assert page.evaluate(changes, "play") > 0
    clock = page.locator("#view-play .clock")
    page.locator(".views [data-view=solve]").click()
    expect(answered(page)).to_be_visible()
    shown = clock.text_content()
    assert page.evaluate(changes, "play") == 0
    page.locator(".views [data-view=play]").click()
    expect(clock).not_to_have_text(shown or "")
    page.locator("#play-new").click()
    expect(clock).to_have_text("0.00")
    assert page.evaluate(changes, "play") == 0


@pytest.mark.server("a folder is kept by its service worker, which waits for no route")
def test_a_theme_is_there_before_the_first_paint(visits: Callable[..., Visit]) -> None:
    visit = visits(service_workers="block")
    page = visit.page
    page.add_init_script("localStorage['satsweep-theme'] = 'dark';")
    held: list[Any] = []
    page.route("**/main.js", lambda route: held.append(route))
    page.goto(visit.url, wait_until="commit")
    wait_on(page, lambda: held)
    expect(page.locator("body")).to_have_css("background-color", "rgb(15, 19, 25)")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    for route in held:
        route.continue_()
    expect(page.locator("#theme-button")).to_have_accessible_name("Theme: dark")
