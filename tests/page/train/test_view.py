"""Train in headless Chromium: answers, reasons and refutations, one's own rating, keys, phones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.board import Cell
from tests.page.browsing import MARKS, THEMES, Visit, expect, short
from tests.page.train.test_puzzles import GUESS, PUZZLES, board_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = MARKS

Puzzle = dict[str, Any]


def first(accept: Callable[[Puzzle], object]) -> Puzzle:
    return next(puzzle for puzzle in PUZZLES if accept(puzzle))


PLAIN = first(lambda puzzle: puzzle["pattern"] == "1-2" and puzzle["refutations"])
"""A mine to find, and cells that are not certain."""
SEVERAL = first(lambda puzzle: len(puzzle.get("reasons", ())) > 1 and puzzle["others"])
CHOICE = first(lambda puzzle: puzzle["pattern"] == "least risk is not best")
TOTAL = first(lambda puzzle: puzzle["band"] == "mine total" and "*" in puzzle["board"])


def ask(visit: Visit, puzzle: Puzzle) -> Page:
    page = visit.open(f"#train?puzzle={puzzle['id']}")
    expect(page.locator("#view-train .lead")).to_contain_text("Which cell")
    return page


def right(puzzle: Puzzle) -> list[Cell]:
    cells = puzzle["best"] if puzzle["band"] == GUESS else [reason["cell"] for reason in puzzle["reasons"]]
    return [Cell.of(tuple(cell)) for cell in cells]


def wrong(puzzle: Puzzle) -> Cell:
    """A cell that is not certain."""
    known = {*right(puzzle), *(Cell.of(tuple(cell)) for cell in puzzle.get("others", ()))}
    return next(cell for cell in board_of(puzzle).covered if cell not in known)


def click(visit: Visit, cell: Cell) -> None:
    visit.cell(cell.row, cell.col, "train").click()


def rating(page: Page) -> int:
    text = page.locator("#view-train .sums dd").first.inner_text()
    return int(text.split(" ± ")[0])


def lead(page: Page) -> Any:
    return expect(page.locator("#view-train .lead"))


def test_a_right_answer_has_its_reason_and_raises_the_rating(visit: Visit) -> None:
    page = ask(visit, PLAIN)
    lead(page).to_have_text("Which cell is certainly a mine?")
    assert rating(page) == 1500
    expect(page.locator("#train-next")).to_be_disabled()
    row, col = right(PLAIN)[0]
    visit.cell(row, col, "train").click()
    lead(page).to_have_text(f"Right: {row},{col} is a mine.")
    reason = PLAIN["reasons"][0]
    expect(page.locator("#view-train .why li")).to_have_text([short(step["said"]) for step in reason["steps"]])
    expect(page.locator("#view-train .cell.clue")).to_have_count(len(reason["clues"]))
    expect(visit.cell(row, col, "train")).to_have_accessible_name(re.compile("covered, a mine, this cell"))
    gained = rating(page)
    expect(page.locator("#view-train .stage > .note")).to_have_text(f"Your rating: +{gained - 1500}.")
    assert gained > 1500
    page.locator("#train-next").click()
    lead(page).to_contain_text("hich cell")
    expect(page).not_to_have_url(re.compile(f"={PLAIN['id']}$"))
    expect(page.locator("#view-train .why")).to_be_hidden()
    visit.open("#train", page)
    lead(page).to_contain_text("hich cell")
    assert rating(page) == gained


def test_a_wrong_answer_is_refuted_and_counts_once(visit: Visit) -> None:
    page = ask(visit, PLAIN)
    click(visit, wrong(PLAIN))
    row, col = wrong(PLAIN)
    lead(page).to_have_text(f"{row},{col} is not certain: in the solution on the board it is safe.")
    expect(visit.cell(row, col, "train")).to_have_accessible_name(re.compile("safe in this solution"))
    lost = rating(page)
    assert lost < 1500
    page.locator("#train-again").click()
    lead(page).to_have_text("Which cell is certainly a mine?")
    assert not any("solution" in name for name in visit.symbols("train"))
    row, col = right(PLAIN)[0]
    visit.cell(row, col, "train").click()
    lead(page).to_have_text(f"Yes: {row},{col} is a mine.")
    assert rating(page) == lost
    page = ask(visit, PLAIN)  # a puzzle that was answered before
    visit.cell(row, col, "train").click()
    expect(page.locator("#view-train .stage > .note")).to_contain_text("so your rating stays")
    assert rating(page) == lost
    expect(page.locator("#view-train .sums dd")).to_have_text([re.compile(str(lost)), "1 of 2", "1"])


def test_any_cell_that_is_certain_counts_but_not_its_opposite(visit: Visit) -> None:
    page = ask(visit, SEVERAL)
    row, col = SEVERAL["others"][0]
    asked, opposite = ("a mine", "safe") if SEVERAL["mine"] else ("safe", "a mine")
    visit.cell(row, col, "train").click()
    lead(page).to_have_text(f"{row},{col} is certainly {opposite}.")
    row, col = right(SEVERAL)[1]
    visit.cell(row, col, "train").click()
    lead(page).to_have_text(f"Yes: {row},{col} is {asked}.")
    steps = SEVERAL["reasons"][1]["steps"]
    expect(page.locator("#view-train .why li")).to_have_text([short(step["said"]) for step in steps])


def test_numbers_open_cells_and_flags_are_no_answers(visit: Visit) -> None:
    page = ask(visit, TOTAL)
    expect(page.locator("#view-train .stage > .note")).to_contain_text(
        re.compile(r"mines? in all, \d+ of them flagged\.")
    )
    board = board_of(TOTAL)
    for symbol in "*?":
        cell = next(cell for cell in board if board[cell] == symbol)
        visit.cell(cell.row, cell.col, "train").click()
        lead(page).to_contain_text("Which cell")
    assert rating(page) == 1500


def test_the_best_guess_and_all_chances_are_shown(visit: Visit) -> None:
    page = ask(visit, CHOICE)
    lead(page).to_have_text("Nothing is certain here. Which cell wins most often?")
    click(visit, wrong(CHOICE))
    lead(page).to_have_text(re.compile("^Not the best: .* wins .* %, .* wins .* %\\.$"))
    expect(page.locator("#view-train .cell.best")).to_have_count(len(CHOICE["best"]))
    expect(page.locator("#view-train .why")).to_contain_text("is less")
    texts = page.locator("#view-train .cell.hot").all_inner_texts()
    assert len(texts) == len(CHOICE["chances"])
    assert rating(page) < 1500
    page.locator("#train-solve").click()
    expect(page.locator("#view-solve .facts")).to_contain_text("Solutions")


def test_technique_and_pattern_are_chosen(visit: Visit) -> None:
    page = ask(visit, PLAIN)
    page.get_by_label("Technique").select_option("several numbers")
    page.get_by_label("Pattern").select_option("subsets")
    wanted = [puzzle["id"] for puzzle in PUZZLES if puzzle["pattern"] == "subsets"]
    for _ in range(3):
        expect(page).to_have_url(re.compile("band=several\\+numbers&pattern=subsets&puzzle=puzzles-"))
        assert page.url.rpartition("=")[2] in wanted
        page.locator("#train-answer").click()
        lead(page).to_have_text(re.compile("^The answer: "))
        page.locator("#train-next").click()
    page.locator("#train-answer").click()
    expect(page.locator("#view-train")).to_contain_text(f"{len(wanted) - 4} of {len(wanted)} not answered yet")
    link = visit.shared("train")
    other = visit.another()
    other.goto(link)
    lead(other).to_contain_text("Which cell")
    assert other.url == link
    expect(other.get_by_label("Pattern")).to_have_value("subsets")


def test_keys_alone_are_enough(visit: Visit) -> None:
    page = ask(visit, PLAIN)
    row, col = right(PLAIN)[0]
    start = board_of(PLAIN).covered[0]
    visit.cell(start.row, start.col, "train").focus()
    keys = ["ArrowDown" if row > start.row else "ArrowUp"] * abs(row - start.row)
    keys += ["ArrowRight" if col > start.col else "ArrowLeft"] * abs(col - start.col)
    for key in [*keys, "Enter"]:
        page.keyboard.press(key)
    lead(page).to_contain_text("Right")
    page.keyboard.press("n")
    lead(page).to_contain_text("hich cell")
    assert page.evaluate("document.activeElement.closest('#view-train .grid') !== null")
    page.keyboard.press("n")  # not before an answer
    page.keyboard.press("a")
    lead(page).to_contain_text("The answer")
    expect(page.locator("#view-train .sums dd").nth(1)).to_have_text("1 of 2")


def test_all_is_forgotten_after_a_second_click(visit: Visit) -> None:
    page = ask(visit, PLAIN)
    page.locator("#train-answer").click()
    assert rating(page) < 1500
    page.locator("#train-forget").click()
    assert rating(page) < 1500
    page.locator("#train-forget").click()
    assert rating(page) == 1500
    expect(page.locator("#train-forget")).to_be_hidden()
    page.evaluate('localStorage[\'satsweep-training\'] = \'{"player": {"rating": "high"}, "answers": 3}\'')
    page = ask(visit, PLAIN)
    assert rating(page) == 1500


def test_an_unknown_puzzle_is_named_and_another_comes(visit: Visit) -> None:
    page = visit.open("#train?puzzle=puzzles-0-0&band=nothing")
    expect(page.locator("#view-train .problem")).to_have_text(
        "There is no puzzle puzzles-0-0 here, so this is another one."
    )
    lead(page).to_contain_text("hich cell")


def test_neither_webassembly_nor_python_is_needed(visit: Visit) -> None:
    visit.page.add_init_script("delete globalThis.WebAssembly")
    page = ask(visit, PLAIN)
    click(visit, right(PLAIN)[0])
    expect(page.locator("#view-train .why li").first).to_be_visible()


def test_puzzles_are_loaded_when_the_view_is_opened(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.open("#solve")
    expect(page.locator("#view-solve .lead")).not_to_be_empty()
    assert not [one for one in asked if "train" in one or "puzzles" in one]
    page.get_by_role("navigation").get_by_role("link", name="Train").click()
    lead(page).to_contain_text("hich cell")
    assert [one for one in asked if "puzzles.json" in one]


@pytest.mark.server("the folder's service worker answers before the request can be refused")
def test_puzzles_that_cannot_be_loaded_are_asked_for_again(browser: Browser, url: str) -> None:
    visit = Visit(browser, url)
    visit.page.route("**/puzzles.json", lambda route: route.abort())
    page = visit.open("#train")
    expect(page.locator("#view-train .problem")).to_contain_text("cannot be loaded")
    page.unroute("**/puzzles.json")
    page.locator("#train-next").click()
    lead(page).to_contain_text("hich cell")
    visit.leave()


def test_a_phone_shows_the_question_the_board_and_the_reason(phone: Visit) -> None:
    page = ask(phone, PLAIN)
    row, col = right(PLAIN)[0]
    phone.cell(row, col, "train").tap()
    lead(page).to_contain_text("Right")
    expect(page.locator("#view-train .why li").first).to_be_in_viewport()
    expect(page.locator("#view-train .lead")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert (
        page.evaluate("document.querySelector('.views').scrollWidth - document.querySelector('.views').clientWidth")
        == 0
    )


@pytest.mark.parametrize(("theme", "size"), THEMES)
def test_axe_finds_nothing(visits: Callable[..., Visit], theme: str, size: Any) -> None:
    visit = visits(viewport=size, color_scheme=theme)
    for puzzle in (PLAIN, CHOICE):
        page = ask(visit, puzzle)
        assert visit.violations() == []
        click(visit, wrong(puzzle))
        assert visit.violations() == []
        if puzzle is PLAIN:
            page.locator("#train-answer").click()
            assert visit.violations() == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
