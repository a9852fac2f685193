"""Keys, settings and gestures that hold in all views: one table of keys, sizes, long presses, cells that sink."""

from __future__ import annotations

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
