"""Names of cells on the page: as players count or as files do; a cell lights up when its name is pointed at."""

import re
from collections.abc import Callable

import pytest

from tests.page.browsing import MARKS, Visit, expect

pytestmark = MARKS
SENTENCES = [
    (["Open ", [0, 4], ": it is safe."], "Open (5,1): it is safe.", "Open 0,4: it is safe.", [4]),
    ([[1, 2], " or ", [3, 4], " is a mine"], "(3,2) or (5,4) is a mine", "1,2 or 3,4 is a mine", [12, 34]),
    (["At ", [9, 10], " there is none."], "At (11,10) there is none.", "At 9,10 there is none.", []),
    (["It takes 1,005, or 1,2, of 3,4."], "It takes 1,005, or 1,2, of 3,4.", "It takes 1,005, or 1,2, of 3,4.", []),
    (
        ["Row 9, column 9 or rows 3 and 4, columns 7 to 9."],
        "Row 9, column 9 or rows 3 and 4, columns 7 to 9.",
        "Row 9, column 9 or rows 3 and 4, columns 7 to 9.",
        [],
    ),
    (
        [{"rows": [3, 4], "cols": [7, 8, 9]}, ". Five mines."],
        "(8,4), (9,4), (10,4), (8,5), (9,5) and (10,5). Five mines.",
        "3,7 3,8 3,9 4,7 4,8 and 4,9. Five mines.",
        [37, 38, 39, 47, 48, 49],
    ),
    (
        [{"rows": [6], "cols": [1, 3, 5, 6]}, ", is safe"],
        "(2,7), (4,7), (6,7) and (7,7), is safe",
        "6,1 6,3 6,5 and 6,6, is safe",
        [61, 63, 65, 66],
    ),
    (
        [{"rows": [0, 1, 2], "cols": [0, 2, 3, 4, 9]}],
        "(1,1) to (1,3), (3,1) to (5,3) and (10,1) to (10,3)",
        "0,0 to 2,0 0,2 to 2,4 and 0,9 to 2,9",
        [0, 2, 3, 4, 9, 10, 12, 13, 14, 19, 20, 22, 23, 24, 29],
    ),
    (
        ["around this part, at ", {"rows": [-1], "cols": [-1, 0, 1]}, ", and ", [10, 2], ", where ", [2, 3], " is"],
        "around this part, at (0,0), (1,0) and (2,0), and (3,11), where (4,3) is",
        "around this part, at -1,-1 -1,0 and -1,1, and 10,2, where 2,3 is",
        [23],
    ),
]
"""Sentences of a 10x10 board, as a player counts and as files do, and the cells that they name, none in words."""
NAMED = """async ([sentence, counting]) => {
    localStorage["satsweep-counting"] = counting;
    const { said, told } = await import("./words/places.js");
    const lit = [];
    const indices = (cells) => cells.map(([row, col]) => 10 * row + col);
    const board = { rows: 10, cols: 10, indices, light: (cells) => lit.push(...cells) };
    const nodes = told(sentence, board);
    for (const node of nodes) if (node.tagName) node.dispatchEvent(new Event("pointerenter"));
    return [said(sentence, board), nodes.map((node) => node.textContent ?? node).join(""), lit];
}"""


def test_places_in_sentences_are_counted_and_light_up(visit: Visit, subtests: pytest.Subtests) -> None:
    page = visit.open("#solve")
    for sentence, players, files, cells in SENTENCES:
        with subtests.test(files):
            assert page.evaluate(NAMED, [sentence, "players"]) == [players, players, cells]
            found = page.evaluate(NAMED, [sentence, "files"])
            assert (found[:2], sorted(found[2])) == ([files, files], cells)


def test_a_count_of_a_thousand_is_no_cell(visits: Callable[..., Visit]) -> None:
    visit = visits(counting="players")
    visit.bring("\n".join(["mines 0", f".{'#' * 99}", *["#" * 100] * 10]))
    lead = visit.page.locator("#view-solve .lead")
    expect(lead).to_have_text("Open (2,1): it is safe, and so are 1,098 more cells.")
    expect(lead.locator(".named-cell")).to_have_count(1)


def test_all_that_is_said_of_a_move_counts_alike(visits: Callable[..., Visit]) -> None:
    page = visits(counting="players").open("#watch?agent=sat&rows=5&cols=5&mines=4&seed=3&move=1")
    now, move = page.locator("#watch-now h2"), page.locator("#view-watch .moves .move").first
    expect(now).to_contain_text("opens (3,3)")
    expect(move).to_contain_text("opens (3,3)")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Cells are named").select_option("files")
    expect(now).to_contain_text("opens 2,2")
    expect(move).to_contain_text("opens 2,2")


def test_a_new_visitor_counts_columns_and_rows_from_one(visits: Callable[..., Visit]) -> None:
    visit = visits(counting="players")
    visit.bring("mines 3\n##1.\n##21\n####")
    page = visit.page
    lead, numbers = page.locator("#view-solve .lead"), page.locator("#view-solve .axis text")
    expect(lead).to_have_text("Open (2,3): it is safe.")
    assert numbers.all_text_contents() == ["1", "2", "3", "4", "1", "2", "3"]
    cell = page.locator("#view-solve [role=gridcell]").nth(9)
    assert (cell.get_attribute("aria-label") or "").startswith("row 3, column 2, ")
    name, lit = lead.get_by_role("button", name="(2,3)"), page.locator("#view-solve .cell.lit")
    name.hover()
    expect(lit).to_have_count(1)
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)
    name.focus()
    expect(lit).to_have_count(1)
    name.blur()
    expect(lit).to_have_count(0)
    cell.click()
    expect(page.locator("#view-solve .sheet h2")).to_contain_text("(2,3) is safe")
    step = page.locator("#view-solve .steps li").first
    expect(step).to_contain_text("(2,3)")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Cells are named").select_option("files")
    page.locator("#settings").get_by_role("button", name="Close").click()
    expect(lead).to_have_text("Open 2,1: it is safe.")
    expect(step).to_contain_text("2,1")
    expect(page.locator("#view-solve .panel")).not_to_contain_text(re.compile("row [0-9]"))
    assert numbers.all_text_contents() == ["0", "1", "2", "3", "0", "1", "2"]
    assert (cell.get_attribute("aria-label") or "").startswith("row 2, column 1, ")
    assert page.evaluate("localStorage['satsweep-counting']") == "files"
