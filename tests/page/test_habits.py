"""Keys, settings and gestures that hold in all views: one table of keys, sizes, long presses, cells that sink."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import MARKS, Visit, expect
from tests.page.test_everywhere import PLACES, begin

DIALOG = "async (name) => (await import('./app/dialogs.js')).openDialog(name)"

pytestmark = MARKS


def test_the_dialog_of_keys_is_the_table(visit: Visit) -> None:
    page = begin(visit, "solve")
    page.get_by_role("button", name="Keys").click()
    dialog = page.get_by_role("dialog", name="Keys")
    rows = page.evaluate("async () => (await import('./basics/keys.js')).KEYS.map(({ says }) => says)")
    expect(dialog.locator("tbody tr")).to_have_count(len(rows))
    assert [row.locator("td").last.inner_text() for row in dialog.locator("tbody tr").all()] == rows
    expect(dialog.locator("kbd", has_text="F2")).to_have_count(1)
    expect(dialog.get_by_role("rowheader", name="Play")).to_have_count(1)


@pytest.mark.parametrize("view", PLACES)
def test_the_first_link_leads_to_the_board(visit: Visit, view: str) -> None:
    """The address still names the view."""
    page = begin(visit, view)
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#view-{view}")).to_be_visible()
    expect(page.locator(f"#view-{view} [role=gridcell]:focus")).to_have_count(1)


def test_the_first_link_without_a_board_leads_to_the_view(visit: Visit) -> None:
    page = visit.open("#review")
    expect(page.locator("#review-example")).to_be_visible()
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("#view-review")).to_be_visible()


def test_letters_can_be_switched_off(visit: Visit) -> None:
    page = begin(visit, "play")
    page.evaluate(DIALOG, "settings")
    page.get_by_label("Single letters are keys").uncheck()
    page.locator("#settings").get_by_role("button", name="Close").click()
    lead = page.locator("#view-play .lead")
    said = lead.text_content()
    page.keyboard.press("h")
    assert lead.text_content() == said
    page.keyboard.press("F2")
    expect(lead).to_have_text("Open a cell to begin.")


def test_the_size_of_cells_can_be_chosen(visit: Visit) -> None:
    page = begin(visit, "solve")
    cell = page.locator("#view-solve .cell").first
    page.evaluate(DIALOG, "settings")
    for pixels in ("20", "44"):
        page.get_by_label("Size of cells").select_option(pixels)
        assert round(cell.evaluate("cell => cell.getBoundingClientRect().width")) == int(pixels)
    visit.open("#train")
    assert round(page.locator("#view-train .cell").first.evaluate("cell => cell.getBoundingClientRect().width")) == 44


def down(page: Any, cell: Any, button: str = "left") -> None:
    box = cell.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(button=button)


def test_cells_sink_while_a_button_is_down_that_opens_them(visit: Visit) -> None:
    page = begin(visit, "play")
    page.get_by_label("Warn me").uncheck()
    number, sunk = page.locator("#view-play .cell.n1").first, page.locator("#view-play .cell.sunk")
    index = int(number.get_attribute("data-i") or "")
    row, col = divmod(index, 9)
    around = [9 * r + c for r in range(row - 1, row + 2) for c in range(col - 1, col + 2) if 0 <= r < 9 and 0 <= c < 9]
    symbols = visit.symbols("play")
    covered = {str(one) for one in around if symbols[one].startswith("covered")}
    for button in ("left", "middle"):
        down(page, number, button)
        expect(sunk).to_have_count(len(covered))
        assert set(sunk.evaluate_all("cells => cells.map((cell) => cell.dataset.i)")) == covered
        page.mouse.move(1, 1)
        expect(sunk).to_have_count(0)
        page.mouse.up(button=button)
    down(page, number, "right")
    expect(sunk).to_have_count(0)
    page.mouse.up(button="right")
    assert visit.symbols("play") == symbols


def test_a_long_press_takes_as_long_as_the_user_likes(phone: Visit) -> None:
    page = begin(phone, "play")
    page.evaluate("localStorage['satsweep-settings-press'] = '1000'")
    cell = page.locator("#view-play .cell.covered").last
    touch = """(cell, name) => cell.dispatchEvent(new PointerEvent(name, {
        pointerType: "touch", isPrimary: true, bubbles: true, button: 0,
    }))"""
    cell.evaluate(touch, "pointerdown")
    page.wait_for_timeout(600)
    cell.evaluate(touch, "pointerup")
    expect(page.locator("#view-play .cell.flag")).to_have_count(0)
    page.evaluate("localStorage['satsweep-settings-press'] = '250'")
    cell.evaluate(touch, "pointerdown")
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    cell.evaluate(touch, "pointerup")
