"""What holds in all views of the page, each thing tried in all of them at once."""

import json
import re
from typing import Any

import pytest

from tests.page.browsing import MARKS, Visit, expect, packed

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
REVIEWED = {
    "rows": 3, "cols": 3, "mines": 1, "seed": "7", "first": "zero", "start": [0, 0], "clues": "exact",
}  # fmt: skip


def wait_for_held(page: Any) -> None:
    while not page.evaluate("held.length"):
        page.wait_for_timeout(20)


def let_go(page: Any) -> None:
    page.evaluate("async () => { for (const take of held.splice(0)) take(); await new Promise(requestAnimationFrame); }")


@pytest.mark.server("a folder has no WebSocket that could be held back")
def test_a_grid_that_comes_late_does_not_replace_the_board_of_solve(visit: Visit) -> None:
    visit.page.add_init_script(HELD)
    visit.bring("mines 3\n##1.\n##21\n####")
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
    expect(page.locator("#view-solve .facts", has_text="Solutions")).to_be_visible()
    expect(page.locator("#view-solve").get_by_role("button", name="Undo")).to_be_disabled()
    assert len(page.evaluate("asked")) == 1
    page.go_back()
    expect(page.locator("#view-train")).to_be_visible()
