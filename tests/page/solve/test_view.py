"""The page's front, Solve and Watch in headless Chromium: drawing, advice, small screens, large boards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from satsweep import Layout
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from tests.page.browsing import DESKTOP, MARKS, PHONE, POCKET, Visit, expect, unpacked
from tests.page.test_page import SOLVED
from tests.page.words.test_terms import meanings

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = MARKS
STUCK = "mines 14\n##1......\n#31......\n#211..122\n23#1..1##\n##32..13#\n###21223#\n###3#####\n#########\n#########"
FIFTIES = "mines 2\n.1#1.1#\n.1#1.1#"
LOST = Layout(("...*", "..*.", "**.."))


@pytest.fixture(params=[(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")])
def anywhere(request: pytest.FixtureRequest, visits: Callable[..., Visit]) -> Iterator[Visit]:
    """A visit on a desktop and a phone, light and dark, with a check by axe at its end."""
    size, theme = request.param
    found = visits(color_scheme=theme, **(POCKET if size == PHONE else {"viewport": size}))
    yield found
    assert found.violations() == []


def is_phone(page: Page) -> bool:
    return page.viewport_size == PHONE


def press(cell: Any, page: Page) -> None:
    if is_phone(page):
        cell.tap()
    else:
        cell.click()


def inside(page: Page, selector: str, room: tuple[float, float]) -> bool:
    """Return whether an element lies between two heights of the window."""
    box = page.locator(selector).first.bounding_box()
    return box is not None and box["y"] >= room[0] and box["y"] + box["height"] <= room[1]


# The front


def test_the_front_says_what_this_is_and_opens_a_position(anywhere: Visit) -> None:
    page = anywhere.open("")
    expect(page.locator("#view-solve .lead")).to_have_text(SOLVED)
    front = page.get_by_role("region", name="What this is")
    expect(front).to_contain_text("every safe cell")
    best = page.locator("#view-solve .cell.best")
    expect(best).to_have_count(1)
    press(best, page)
    expect(page.locator("#view-solve .steps").first).to_be_visible()
    expect(page.locator("#view-solve .cell.clue").first).to_be_visible()
    anywhere.open("")
    front.get_by_role("button", name="Open your position").click()
    expect(page.get_by_role("dialog", name="Your position")).to_be_visible()


def test_the_front_goes_when_a_position_is_opened(visit: Visit) -> None:
    visit.bring(STUCK)
    expect(visit.page.locator("#view-solve .lead")).to_have_text(SOLVED)
    expect(visit.page.locator(".front")).to_be_hidden()


def test_the_spoken_status_is_made_of_sentences(visit: Visit) -> None:
    visit.bring("mines 3\n##1.\n##21\n####")
    expect(visit.page.locator("#live")).to_have_text(re.compile(r"^[^.]+\. 1 safe cell, 0 mines\.$"))


def test_figures_for_experts_are_folded(visit: Visit) -> None:
    visit.bring("mines 3\n##1.\n##21\n####")
    card = visit.page.locator("#view-solve .card").first
    expect(card).to_contain_text("1 safe cell, 0 certain mines.")
    figures = card.locator(".facts")
    expect(figures).to_be_hidden()
    card.get_by_text("Figures").click()
    expect(figures).to_be_visible()
    expect(figures).to_contain_text(re.compile("Solutions.*Expected.*Took"))


# Drawing


def drawn(visit: Visit, text: str) -> None:
    """Wait until the address carries a position."""
    visit.page.wait_for_url(lambda url: "?p=" in url and unpacked(url) == text)


def test_presets_are_empty_boards(visit: Visit) -> None:
    page = visit.open("")
    for name, (rows, cols, mines) in {"Beginner": (9, 9, 10), "Expert": (16, 30, 99)}.items():
        page.locator("#view-solve").get_by_role("button", name=name).click()
        drawn(visit, "\n".join([f"mines {mines}", *["#" * cols] * rows]))
    visit.bring("mines 3\n#1##\n####")
    expect(page.locator("#view-solve .lead")).to_have_text(SOLVED)
    page.locator("#view-solve").get_by_role("button", name="Last size").click()
    drawn(visit, "mines 3\n####\n####")


def test_a_position_is_drawn_by_buttons_and_wheel(visit: Visit) -> None:
    page = visit.open("")
    expect(page.get_by_role("radio", name="Explain", exact=True)).to_be_checked()
    page.locator("#view-solve").get_by_role("button", name="Beginner").click()
    expect(page.get_by_role("radio", name="Draw", exact=True)).to_be_checked()
    visit.cell(0, 1, "solve").click(button="right")
    visit.cell(1, 1, "solve").click()  # opens with the number of mines drawn around it
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, 1$"))
    visit.cell(0, 0, "solve").click(button="right")
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, 2$"))
    visit.cell(0, 1, "solve").click(button="right")
    expect(visit.cell(1, 1, "solve")).to_have_accessible_name(re.compile("column 1, 1$"))
    visit.cell(2, 4, "solve").hover()
    for _ in range(3):
        page.mouse.wheel(0, -100)
    expect(visit.cell(2, 4, "solve")).to_have_accessible_name(re.compile("column 4, 2"))
    page.mouse.wheel(0, 100)
    expect(visit.cell(2, 4, "solve")).to_have_accessible_name(re.compile("column 4, 1"))
    drawn(visit, "\n".join(["mines 10", "*########", "#1#######", "####1####", *["#########"] * 6]))
    page.get_by_label("Numbers follow mines").uncheck()
    visit.cell(0, 0, "solve").click(button="right")
    drawn(visit, "\n".join(["mines 10", "#########", "#1#######", "####1####", *["#########"] * 6]))
    for _ in range(5):
        page.locator("#view-solve").get_by_role("button", name="Undo").click()
    expect(visit.cell(2, 4, "solve")).to_have_accessible_name(re.compile("column 4, covered"))


def test_a_stroke_of_the_pen_is_one_step(visit: Visit) -> None:
    visit.bring("mines 2\n####\n####")
    visit.page.get_by_role("radio", name="Draw", exact=True).click()
    first, last = visit.cell(0, 0, "solve").bounding_box(), visit.cell(0, 3, "solve").bounding_box()
    visit.page.mouse.move(first["x"] + 9, first["y"] + 9)
    visit.page.mouse.down()
    visit.page.mouse.move(last["x"] + 9, last["y"] + 9, steps=12)
    visit.page.mouse.up()
    drawn(visit, "mines 2\n....\n####")
    visit.page.locator("#view-solve").get_by_role("button", name="Undo").click()
    drawn(visit, "mines 2\n####\n####")


@pytest.mark.parametrize(
    ("rows", "cols", "usual"), [(9, 9, ["10 mines"]), (16, 16, ["40 mines"]), (16, 30, ["99 mines"]), (4, 4, [])]
)
def test_a_board_without_a_mine_total_is_told_so_and_offered_the_usual_one(
    visit: Visit, rows: int, cols: int, usual: list[str]
) -> None:
    board = "\n".join(["1" + "#" * (cols - 1), *["#" * cols] * (rows - 1)])
    visit.bring(board)
    note = visit.page.locator("#view-solve .note", has_text="No mine total given: every solution counts alike.")
    expect(note).to_be_visible()
    expect(note.get_by_role("button")).to_have_text(usual)
    for total in usual:
        note.get_by_role("button", name=total).click()
        drawn(visit, f"mines {total.split()[0]}\n{board}")
        expect(visit.page.locator("#view-solve .lead")).to_have_text(SOLVED)
        expect(note).to_have_count(0)
    visit.bring(f"topology torus\n{board}")  # of a board without sides no total is usual
    expect(note).to_be_visible()
    expect(note.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("Grid", "moebius", "expected a topology among square, torus"),
        ("Clues", "loud", "expected clues among exact"),
        ("Mines", "many", "expected"),
        ("Mines", "99", "expected"),
        ("Rows", "0", "Expected a number from 1 on."),
        ("Columns", "1000000", "A board has at most 10,000 cells."),
    ],
)
def test_an_error_stands_at_its_field(visit: Visit, field: str, value: str, said: str) -> None:
    visit.bring("mines 3\n##1.\n##21\n####")
    expect(visit.page.locator("#view-solve .lead")).to_have_text(SOLVED)
    box = visit.page.get_by_label(field, exact=True).locator("visible=true")
    box.fill(value)
    box.press("Enter")
    wrong = visit.page.locator("#view-solve [aria-invalid=true]")
    expect(wrong).to_have_count(1)
    expect(wrong).to_have_value(value if field != "Columns" else re.compile(".*"))
    described = visit.page.locator(f"#{wrong.get_attribute('aria-describedby')}")
    expect(described).to_contain_text(said)
    assert "line" not in (described.text_content() or "")
    box.fill("3" if field in ("Rows", "Columns", "Mines") else {"Grid": "square", "Clues": "exact"}[field])
    box.press("Enter")
    expect(wrong).to_have_count(0)


def test_what_is_being_typed_stays(visit: Visit) -> None:
    """An answer that came before Enter put the old text back."""
    visit.bring("mines 3\n##1.\n##21\n####")
    expect(visit.page.locator("#view-solve .lead")).to_have_text(SOLVED)
    box = visit.page.get_by_label("Grid").locator("visible=true")
    box.fill("torus")
    draw = visit.page.get_by_role("radio", name="Draw", exact=True)
    draw.evaluate("button => button.click()")
    expect(draw).to_be_checked()
    expect(box).to_have_value("torus")
    box.press("Enter")
    drawn(visit, "mines 3\ntopology torus\n##1.\n##21\n####")


PIECE = "3####\n211##\n##1.1"


def test_a_piece_is_a_part_of_a_larger_board(visit: Visit) -> None:
    """The conflict offers it, and so does a menu; the sides turn with the board."""
    page = visit.page
    lead, sides = page.locator("#view-solve .lead"), page.get_by_label("Cut from a larger board at")
    visit.bring(PIECE)
    expect(lead).to_have_text("This board has no solution")
    page.get_by_role("button", name="A larger board around it").click()
    drawn(visit, f"part all\n{PIECE}")
    expect(sides).to_have_value("all")
    expect(lead).to_contain_text("safe")
    expect(page.locator("#view-solve")).to_contain_text("cut at all sides; risks are for an unknown surrounding")
    expect(sides).to_be_visible()
    expect(page.locator("#view-solve .field", has=sides)).to_contain_text("beyond these sides are unseen cells")
    expect(page.locator("#view-solve summary", has_text="cut sides")).to_be_visible()
    sides.select_option("top,left")
    drawn(visit, f"part top,left\n{PIECE}")
    sides.select_option("none")
    drawn(visit, PIECE)
    visit.bring("topology torus\npart none\n1#")
    sides.select_option("all")
    wrong = page.locator("#view-solve [aria-invalid=true]")
    expect(wrong).to_have_value("all")
    expect(page.locator(f"#{wrong.get_attribute('aria-describedby')}")).to_contain_text("no side of torus can be cut")


# Advice


@pytest.mark.parametrize(("text", "guesses"), [(STUCK, 0), (FIFTIES, 2)])
def test_a_stuck_board_has_its_guesses_ranked(anywhere: Visit, text: str, guesses: int) -> None:
    page = anywhere.page
    anywhere.bring(text)
    expect(page.locator("#view-solve .lead")).to_contain_text("No cell is safe")
    advice = analyse(Board.from_text(text)).advice
    assert advice.best is not None and len(advice.unavoidable) == guesses
    expect(page.locator("#view-solve .tosses li")).to_have_count(guesses)
    rows = page.locator("#view-solve .ranking tbody tr")
    expect(rows).to_have_count(min(8, len(advice.candidates)))
    expect(rows.first).not_to_contain_text("not known")  # what is asked for last has come
    best = Cell(*map(int, rows.first.get_by_role("rowheader").inner_text().split(",")))
    assert best in {own.cell for own in advice.candidates if own.win == advice.candidates[0].win}
    expect(anywhere.cell(*best, "solve")).to_have_class(re.compile(r"\bbest\b"))
    for guess in advice.unavoidable:
        for cell in guess.cells:
            expect(anywhere.cell(*cell, "solve")).to_have_class(re.compile(r"\btoss\b"))
    for cell in advice.dead:
        expect(anywhere.cell(*cell, "solve")).to_have_class(re.compile(r"\bdead\b"))
    ends = page.locator("#view-solve .legend .key.safe, #view-solve .legend .key.sure")
    expect(ends).to_have_text(["safe", "mine"])
    page.get_by_role("button", name="Win chance %").click()
    expect(ends).to_have_text(["wins most", "wins least"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mines 3\n##1.\n##21\n####", "Win chances follow when no cell is safe."),
        ("mines 1\n1#", "Win chances need a cell to open."),
        ("#12#", "Win chances need a board that is possible."),
        ("mines 150\n" + "1##" * 12 + ("\n" + "#" * 36) * 28, "Win chances need a board of at most 1,000 cells."),
        ("1##\n###\n###", "No win chance is known here."),
        (FIFTIES, ""),
    ],
)
def test_win_chances_that_are_not_offered_say_why(visit: Visit, text: str, why: str) -> None:
    visit.bring(text)
    choice = visit.page.get_by_role("button", name="Win chance %")
    expect(choice).to_have_attribute("title", why)
    expect(visit.page.locator("#solve-no-wins")).to_have_text(why)
    expect(choice).to_have_accessible_description(why)
    expect(choice).to_be_enabled(enabled=not why)


def test_an_endgame_has_win_chances_and_can_be_walked(anywhere: Visit) -> None:
    page = anywhere.page
    anywhere.bring(STUCK)
    walk = page.locator("#solve-walk")
    expect(walk).to_be_visible()
    advice = analyse(Board.from_text(STUCK)).advice
    assert advice.kind == "exact" and isinstance(advice.candidates[0].win, Fraction)
    page.locator("[data-value=win]").click()
    best = page.locator("#view-solve .cell.best")
    expect(best).to_have_text(str(round(100 * float(advice.candidates[0].win))))
    walk.click()
    card = page.get_by_role("region", name="Best play")
    expect(card.get_by_role("heading")).to_contain_text("Best play wins")
    left = card.locator("li").evaluate_all("items => items.map((item) => item.textContent)")
    sizes = [int(re.findall(r"(\d+) solution", text)[0]) for text in left]
    assert all(sizes)
    card.get_by_role("button", name="It shows").first.click()
    expect(card.locator(".note")).to_contain_text("shows")
    expect(card.locator(".note")).to_contain_text(f"{sizes[0]} solution")
    expect(page.locator("#view-solve .cell.walked")).to_have_count(1)
    card.get_by_role("button", name="Back").click()
    expect(page.locator("#view-solve .cell.walked")).to_have_count(0)
    card.get_by_role("button", name="Leave").click()
    expect(card).to_be_hidden()


def test_words_have_tooltips_from_the_glossary(visit: Visit) -> None:
    visit.bring(STUCK)
    found = meanings()
    expect(visit.page.locator("#solve-walk")).to_be_visible()
    visit.page.locator("#view-solve details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    words = visit.page.locator("#view-solve .term")
    assert words.count() > 5
    for at in range(words.count()):
        words.nth(at).focus()
        tip = visit.page.get_by_role("tooltip")
        expect(tip).to_have_text(found[words.nth(at).get_attribute("data-term") or ""])
        expect(words.nth(at)).to_have_accessible_description(tip.text_content())


# Small screens


def test_the_reason_on_a_phone_is_a_sheet_that_leaves_the_board_in_sight(phone: Visit) -> None:
    visit = phone
    page = visit.open("")
    expect(page.locator("#view-solve .cell.best")).to_have_count(1)
    top = page.evaluate("document.querySelector('#view-solve .frame').getBoundingClientRect().top + scrollY")
    for row, col in ((0, 4), (8, 7), (7, 6)):
        visit.cell(row, col, "solve").tap()
        expect(page.locator("#view-solve .sheet.raised")).to_be_visible()
        expect(page.locator("#view-solve .cell.target")).to_have_count(1)
        sheet = page.locator("#view-solve .sheet").bounding_box()
        assert sheet is not None and sheet["height"] <= 0.3 * PHONE["height"] + 1
        floor = sheet["y"]
        assert inside(page, "#view-solve .cell.target", (0, floor))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert inside(page, "#view-solve .panel > :last-child", (0, floor))  # all can be scrolled clear
    after = page.evaluate("document.querySelector('#view-solve .frame').getBoundingClientRect().top + scrollY")
    assert after == top
    page.locator("#view-solve .sheet").get_by_role("button", name="Close").tap()
    expect(page.locator("#view-solve .sheet")).to_be_hidden()
    visit.cell(0, 4, "solve").tap()
    expect(page.locator("#view-solve .sheet.raised")).to_be_visible()
    grip = page.locator("#view-solve .sheet .grip").bounding_box()
    assert grip is not None
    page.mouse.move(60, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(60, PHONE["height"] - 4, steps=5)
    page.mouse.up()
    expect(page.locator("#view-solve .sheet")).to_be_hidden()


def test_two_boards_leave_the_reason_in_view(visit: Visit) -> None:
    page = visit.open("#watch?agent=sat&against=basic&rows=16&cols=30&mines=99&seed=5&move=30")
    expect(page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    for selector in ("#view-watch .replay", "#view-watch .now h2", "#view-watch .now .steps li", ".transport"):
        assert inside(page, selector, (0, DESKTOP["height"])), selector
    boards = [page.locator("#view-watch .grid").nth(at).bounding_box() for at in (0, 1)]
    assert boards[0] and boards[1] and boards[0]["y"] == boards[1]["y"]


WIDE = "\n".join(["mines 99", *["#" * 30] * 6, "##11" + "#" * 10 + "1221" + "#" * 12, *["#" * 30] * 9])
SIDEWAYS = "frame => frame.scrollWidth - frame.clientWidth"


def test_a_board_comes_first_on_a_phone_and_shows_all_columns(phone: Visit) -> None:
    visit = phone
    page = visit.page
    visit.bring(WIDE)
    expect(page.locator("#view-solve .cell.best")).to_have_count(1)
    frame = page.locator("#view-solve .frame")
    assert top_of(frame) < PHONE["height"] / 6 and frame.evaluate(SIDEWAYS) <= 0
    assert page.locator("#view-solve .cell.hot").first.text_content() == "21"
    page.get_by_role("button", name="Turn", exact=True).tap()
    expect(page.locator("#view-solve .grid")).to_have_attribute("aria-rowcount", "30")
    expect(visit.cell(2, 6, "solve")).to_have_text("1")
    assert frame.evaluate(SIDEWAYS) <= 0


def test_expert_stands_upright_on_a_phone_unless_it_shall_not(phone: Visit) -> None:
    visit = phone
    page = visit.open("#play")
    page.get_by_label("Board", exact=True).select_option("expert")
    grid, frame = page.locator("#view-play .grid"), page.locator("#view-play .frame")
    expect(grid).to_have_attribute("aria-rowcount", "30")
    visit.cell(15, 8, "play").tap()
    expect(page.locator("#view-play .cell.open").first).to_be_visible()
    assert top_of(frame) < PHONE["height"] / 6 and frame.evaluate(SIDEWAYS) <= 0
    cell = visit.cell(15, 8, "play").bounding_box()
    assert cell is not None and cell["width"] > 20
    page.locator("#view-play").get_by_role("button", name="Full screen").tap()
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator("#play-hint")).to_be_visible()
    assert top_of(frame) < PHONE["height"] / 12
    page.locator("#view-play").get_by_role("button", name="Full screen").tap()
    expect(page.locator(".top")).to_be_visible()
    page.get_by_role("button", name="Settings").tap()
    page.get_by_label("Expert stands upright").uncheck()
    page = visit.open("#play")
    page.get_by_label("Board", exact=True).select_option("expert")
    expect(grid).to_have_attribute("aria-rowcount", "16")


def top_of(element: Any) -> float:
    box = element.bounding_box()
    assert box is not None
    top: float = box["y"]
    return top


# Watch


def test_advice_in_watch_while_the_game_rests(anywhere: Visit) -> None:
    page = anywhere.open("#watch?agent=basic&rows=9&cols=9&mines=10&seed=5&move=3")
    expect(page.locator("#view-watch .next h3")).to_contain_text("Now: ")
    expect(page.locator("#view-watch .cell.best")).to_have_count(1)
    assert page.locator("#view-watch .cell.hot").count() > 10
    page.locator("#watch-advice").evaluate("button => button.click()")
    expect(page.locator("#view-watch .cell.hot")).to_have_count(0)


def altered(visit: Visit, script: str) -> None:
    """Change the messages to the page: ``script`` sees each as ``message``, and may ``take`` more."""
    visit.page.add_init_script(
        """
        for (const name of ["WebSocket", "Worker"]) {
          const Own = window[name];
          window[name] = class extends Own {
            set onmessage(receive) {
              super.onmessage = (event) => {
                const isEngine = name === "Worker" && "id" in event.data;
                const given = name === "Worker" ? event.data.message : event.data;
                const text = isEngine ? JSON.stringify(event.data) : given;
                if (!text) return receive(event); // how far the start of Python has come
                const written = (text) => (isEngine ? JSON.parse(text) : name === "Worker" ? { message: text } : text);
                const take = (message) => receive({ data: written(JSON.stringify(message)) });
                const message = JSON.parse(text);
                SCRIPT
                take(message);
              };
            }
          };
        }
        """.replace("SCRIPT", script)
    )


def test_no_cell_is_called_best_before_the_search_ahead_has_ended(visit: Visit) -> None:
    held = "Object.assign(document.body, { id: 'deep', deep: () => take(message) })"
    altered(visit, f"if (message.answer?.candidates) return void {held};")
    visit.bring("\n".join(["mines 30", *["#" * 12] * 5, "######1#####", *["#" * 12] * 6]))
    lead, best = visit.page.locator("#view-solve .lead"), visit.page.locator("#view-solve .cell.best")
    expect(lead).to_have_text("No cell is safe. Looking ahead for the best guess…")
    expect(visit.page.locator("body#deep")).to_have_count(1)
    expect(best).to_have_count(0)
    expect(visit.page.locator("#view-solve .ranking")).to_have_count(0)
    visit.page.evaluate("document.body.deep()")
    expect(best).to_have_count(1)
    expect(lead).to_contain_text("The best guess is")


def test_the_best_risk_is_shown_where_win_chances_are_not_known(visit: Visit) -> None:
    altered(visit, "if (message.answer?.candidates) message.answer.note = 'not here';")
    visit.bring("\n".join(["mines 30", *["#" * 12] * 5, "######1#####", *["#" * 12] * 6]))
    expect(visit.page.locator("#view-solve .lead + .note")).to_have_text("Win chances are not known: not here")
    expect(visit.page.locator("#view-solve .cell.best")).to_have_count(1)
    expect(visit.page.locator("#view-solve .ranking")).to_be_visible()


def test_a_game_that_is_played_can_be_stopped(visit: Visit) -> None:
    altered(visit, "if (message.answer?.outcome) return;")  # so that it is not over before it is stopped
    page = visit.open("#watch?agent=sat&rows=30&cols=30&mines=150&first=zero&seed=3&move=0")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#view-watch .state")).to_have_text("stopped")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
    page.locator("#watch-new").click()
    expect(page.locator("#view-watch .state")).not_to_have_text("stopped")


# Large boards


def large() -> str:
    rows = [["#"] * 100 for _ in range(100)]
    for row in range(2, 98, 8):
        for col in range(2, 98, 8):
            rows[row][col] = "1"
    return "\n".join(["mines 1500", *map("".join, rows)])


def test_a_large_board_has_a_map_and_zooms(visit: Visit) -> None:
    visit.bring(large())
    page = visit.page
    expect(page.locator("#view-solve .cell.hot").first).to_be_visible()
    overview = page.locator("#view-solve .overview")
    expect(overview).to_be_visible()
    box, frame = overview.bounding_box(), page.locator("#view-solve .frame")
    assert box is not None
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.9 * box["height"])
    assert frame.evaluate("frame => frame.scrollLeft > 0 && frame.scrollTop > 0")
    shares = """overview => {
        const [board, sight] = [overview.closest(".board"), overview.querySelector("i").style];
        const [frame, grid] = [".frame", ".grid"].map((name) => board.querySelector(name));
        const canvas = overview.querySelector("canvas");
        return [[frame.scrollLeft / grid.offsetWidth, frame.scrollTop / grid.offsetHeight],
            [parseFloat(sight.left) / canvas.offsetWidth, parseFloat(sight.top) / canvas.offsetHeight]];
    }"""
    scrolled, outlined = overview.evaluate(shares)
    assert outlined == pytest.approx(scrolled, abs=0.02)
    place = frame.bounding_box()
    assert place is not None
    x, y = place["x"] + 300, place["y"] + 200
    grid = page.locator("#view-solve .grid")
    wide = grid.evaluate("grid => grid.offsetWidth")
    width = grid.evaluate("grid => getComputedStyle(grid).width")
    under = "([x, y]) => document.elementFromPoint(x, y).closest('[data-i]').dataset.i"
    page.mouse.move(x, y)
    before = page.evaluate(under, [x, y])
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(grid).not_to_have_css("width", width)
    assert grid.evaluate("grid => grid.offsetWidth") > 1.2 * wide
    assert page.evaluate(under, [x, y]) == before
    assert page.evaluate("visualViewport.scale") == 1


def test_a_large_board_opens_at_the_best_cell_and_its_map_shows_safe_cells(visit: Visit) -> None:
    rows = [list(row) for row in large().split("\n")[1:]]
    rows[80][80], rows[81][81] = "*", "1"  # so that seven cells are safe
    visit.bring("\n".join(["mines 1500", *map("".join, rows)]))
    page = visit.page
    expect(page.locator("#view-solve .cell.best")).to_be_in_viewport()
    green = """canvas => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "var(--accent)";
        const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).slice(0, 3).join();
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4) found += data.slice(at, at + 3).join() === wanted;
        return found;
    }"""
    expect(page.locator("#view-solve .overview")).to_be_visible()
    assert page.locator("#view-solve .overview canvas").evaluate(green) >= 4


def test_two_fingers_zoom_a_board(phone: Visit) -> None:
    visit = phone
    page = visit.open("")
    expect(page.locator("#view-solve .cell.best")).to_have_count(1)
    box = page.locator("#view-solve .frame").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    grid = page.locator("#view-solve .grid")
    width = grid.evaluate("grid => getComputedStyle(grid).width")
    session = visit.context.new_cdp_session(page)

    def touch(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}] if apart else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 40)
    for apart in (50, 60, 70, 80):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    expect(grid).not_to_have_css("width", width)
    assert grid.evaluate("grid => grid.offsetWidth") > 1.7 * float(width.removesuffix("px"))


def test_a_finger_scrolls_and_taps_while_something_is_drawn(phone: Visit) -> None:
    """A drag that begins on the board moves the page and draws nothing; a tap draws one cell, a long press a mine."""
    page = phone.page
    empty = "\n".join(["mines 10", *["#" * 9] * 9])
    phone.bring(empty)
    expect(page.locator("#view-solve .lead")).not_to_be_empty()
    page.get_by_role("radio", name="Draw 1", exact=True).tap()
    session = phone.context.new_cdp_session(page)

    def touch(kind: str, *place: float) -> None:
        points = [{"x": place[0], "y": place[1]}] if place else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def middle(row: int, col: int) -> tuple[float, float]:
        box = phone.cell(row, col, "solve").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    x, y = middle(8, 4)
    touch("touchStart", x, y)
    for step in range(1, 9):
        touch("touchMove", x, y - 25 * step)
    touch("touchEnd")
    page.wait_for_function("scrollY > 100")
    assert all(symbol.startswith("covered") for symbol in phone.symbols("solve"))
    phone.cell(4, 4, "solve").tap()
    drawn(phone, empty[: 9 + 10 * 4 + 4] + "1" + empty[9 + 10 * 4 + 5 :])
    touch("touchStart", *middle(6, 1))
    expect(phone.cell(6, 1, "solve")).to_have_accessible_name(re.compile("a mine"))
    touch("touchEnd")


def test_a_position_is_typed_cell_after_cell(visit: Visit) -> None:
    """On an empty board, without a click: numbers, blanks, what is covered; back; a row from the clipboard."""
    page = visit.open("")
    page.locator("#view-solve").get_by_role("button", name="Beginner").click()
    expect(visit.cell(0, 0, "solve")).to_be_focused()
    page.keyboard.type("#####11  ")
    expect(visit.cell(1, 0, "solve")).to_be_focused()
    waiting = page.locator("#view-solve .cell.untyped")
    expect(waiting).to_have_count(3)
    expect(waiting.first).to_have_accessible_name(re.compile("open, its number is not given yet"))
    expect(page.locator("#view-solve .card").first).to_contain_text("3 open cells: numbers not given yet.")
    page.keyboard.press("Backspace")
    expect(visit.cell(0, 8, "solve")).to_be_focused()
    expect(waiting).to_have_count(4)
    page.keyboard.type(" ")
    page.evaluate("(text) => navigator.clipboard.writeText(text)", "######2.1\n")
    page.keyboard.press("Control+v")
    drawn(visit, "\n".join(["mines 10", "#####11..", "######2.1", "######???", *["#########"] * 6]))
    expect(visit.cell(2, 0, "solve")).to_be_focused()
    page.keyboard.press("Control+z")
    drawn(visit, "\n".join(["mines 10", "#####11..", "######???", *["#########"] * 7]))
    page.keyboard.press("Enter")
    expect(page.locator("#view-solve .cell.target")).to_have_count(1)
    page.locator("#view-solve").get_by_role("button", name="Clear").click()
    expect(visit.cell(0, 0, "solve")).to_be_focused()
    drawn(visit, "\n".join(["mines 10", *["#########"] * 9]))
    page.evaluate("(text) => navigator.clipboard.writeText(text)", "mines 1\n1#\n##")
    page.keyboard.press("Control+v")
    drawn(visit, "mines 1\n1#\n##")
