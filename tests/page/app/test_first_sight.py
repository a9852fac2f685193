"""What a visitor sees at first, in all views, on a desktop and on a phone: the ways, the board, and nothing cut."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.page.browsing import MARKS, POCKET, Visit, expect
from tests.page.test_everywhere import PLACES, begin

pytestmark = MARKS
WINDOW = {"viewport": {"width": 1280, "height": 800}}
SIZES = [pytest.param(WINDOW, 3, id="1280x800"), pytest.param(POCKET, 6, id="390x844")]
"""Devices, and the part of the height above which their boards begin."""
DIALOGS = {"#open-dialog": "Open or paste", "#settings": "Settings"}

CUT = """() => {
    const seen = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && one.clientWidth > 1);
    const text = document.createElement("canvas").getContext("2d");
    const chosen = (select) => {  // a browser cuts it without a word
        const { font, paddingLeft, paddingRight } = getComputedStyle(select);
        text.font = font;
        const arrow = 20;
        return text.measureText(select.selectedOptions[0]?.text ?? "").width
            + parseFloat(paddingLeft) + parseFloat(paddingRight) + arrow;
    };
    const mayScroll = (one) => one.closest(".frame, .unseen, svg") || one.matches(".fading.more-right, textarea");
    const wide = (one) => (one.tagName === "SELECT" ? chosen(one) : one.scrollWidth);
    const cut = seen.filter((one) => !mayScroll(one) && wide(one) > one.clientWidth + 1);
    const said = cut.map((one) => `${one.tagName} ${one.className} ${one.id}: ${one.textContent.slice(0, 40)}`);
    if (document.documentElement.scrollWidth > innerWidth) said.push("the page scrolls sideways");
    return said;
}"""
"""Elements whose content is wider than they are; a board may scroll, and a bar that fades where there is more."""


def first_looks(visit: Visit) -> dict[str, Callable[[], Any]]:
    """Ways to each view that leave out the first click; a review has no board before a game is brought."""
    looks: dict[str, Callable[[], Any]] = {
        view: partial(visit.open, place) for view, place in PLACES.items() if view != "review"
    }
    return {"front": partial(visit.open, ""), **looks, "review": partial(begin, visit, "review")}


@pytest.mark.parametrize(("device", "share"), SIZES)
def test_the_board_is_seen_at_once_and_nothing_is_cut(
    visits: Callable[..., Visit], device: dict[str, Any], share: int, subtests: pytest.Subtests
) -> None:
    visit = visits(**device)
    for view, look in first_looks(visit).items():
        with subtests.test(view):
            page = look()
            grid = page.locator(".view:not([hidden]) .grid:not(:empty)").first
            expect(grid.locator(".cell").first).to_be_visible()
            page.evaluate("scrollTo(0, 0)")
            box = grid.bounding_box()
            assert box is not None and box["y"] <= device["viewport"]["height"] / share
            assert page.evaluate(CUT) == []


@pytest.mark.parametrize(("device", "share"), SIZES)
def test_the_way_between_views_is_there_once_and_in_one_line(
    visits: Callable[..., Visit], device: dict[str, Any], share: int
) -> None:
    page = visits(**device).open("")
    expect(page.locator("#view-solve .front")).to_be_visible()
    box_of = "(one) => { const { x, y, width, height } = one.getBoundingClientRect(); return { x, y, width, height }; }"
    header = page.locator(".top").evaluate(box_of)
    ways = page.locator("a[href^='#']:not(.brand, .skip)")
    assert [way.get_attribute("data-view") for way in ways.all()] == list(PLACES)
    boxes = [way.evaluate(box_of) for way in [*ways.all(), *page.locator(".top button:visible").all()]]
    middles = {round(box["y"] + box["height"] / 2) for box in boxes}
    assert max(middles) - min(middles) <= 1 and header["height"] < 60
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= header["width"] for box in boxes)


@pytest.mark.parametrize(("device", "share"), SIZES)
def test_nothing_is_cut_in_dialogs(visits: Callable[..., Visit], device: dict[str, Any], share: int) -> None:
    page = visits(**device).open("")
    for dialog, name in DIALOGS.items():
        page.get_by_role("button", name=name).click()
        expect(page.locator(dialog)).to_be_visible()
        assert page.evaluate(CUT) == []
        page.keyboard.press("Escape")


def test_a_bar_fades_where_there_is_more_of_it(phone: Visit) -> None:
    page = phone.open(PLACES["play"])
    bar = page.locator("#view-play .playing")
    expect(bar).to_have_class("bar playing fading more-right")
    bar.evaluate("bar => bar.scrollTo(30, 0)")
    expect(bar).to_have_class("bar playing fading more-right more-left")
    bar.evaluate("bar => bar.scrollTo(999, 0)")
    expect(bar).to_have_class("bar playing fading more-left")
