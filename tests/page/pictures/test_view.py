"""A picture on the page, in a browser: it gets in, is read as by Python, corrected, and goes into Solve."""

from __future__ import annotations

import base64
import io
import json
import re
from functools import cache
from typing import Any

import pytest
from PIL import Image

from satsweep import Cell, read_picture
from tests.page.browsing import MARKS, PHONE, Visit, answered, expect, unpacked
from tests.page.pictures.test_question import SAMPLES, told
from tests.pictures.skins import SKINS, drawn, sample
from tests.pictures.surroundings import display
from tests.pictures.test_counter import UNFLAGGED

pytestmark = [*MARKS, pytest.mark.server("the folder of these tests has no NumPy")]
DOUBTFUL = sample(87)
"""A board of 9x9 with one cell in doubt: (2, 8), of which a cursor hides the look."""


@cache
def share() -> str:
    """How likely the doubtful cell is empty, as the page says it."""
    return f"{read_picture(DOUBTFUL.content).doubts[Cell(2, 8)]['.']:.0%}".replace("%", " %")


def picture(content: bytes, name: str = "board.png", kind: str = "image/png") -> Any:
    return {"name": name, "mimeType": kind, "buffer": content}


def answers(visit: Visit) -> list[dict[str, Any]]:
    """All messages that the server sends from now on."""
    found: list[dict[str, Any]] = []
    visit.page.on("websocket", lambda socket: socket.on("framereceived", lambda text: found.append(json.loads(text))))
    return found


def choose(visit: Visit, content: bytes, **more: str) -> Any:
    visit.page.locator("#picture-file").set_input_files(picture(content, **more))
    expect(visit.page.locator("#view-picture .cell").first).to_be_visible()
    return visit.page


def hand_over(visit: Visit, kind: str, content: bytes | str, target: str = "body") -> None:
    """Paste or drop a picture, or a text file."""
    packed = base64.b64encode(content if isinstance(content, bytes) else content.encode()).decode()
    name, mime = ("board.png", "image/png") if isinstance(content, bytes) else ("board.txt", "text/plain")
    visit.page.evaluate(
        """([kind, packed, name, type, target]) => {
            const given = new DataTransfer();
            const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
            given.items.add(new File([bytes], name, { type }));
            const how = { bubbles: true, cancelable: true };
            const event = kind === "paste"
                ? new ClipboardEvent("paste", { ...how, clipboardData: given })
                : new DragEvent("drop", { ...how, dataTransfer: given });
            document.querySelector(target).dispatchEvent(event);
        }""",
        [kind, packed, name, mime, target],
    )


def test_the_page_reads_what_python_reads(visit: Visit) -> None:
    """Board, lattice, doubts, conflict and cut sides, of three pictures of our own."""
    said = answers(visit)
    page = visit.open("#picture")
    for number in SAMPLES:
        made = sample(number)
        del said[:]
        page.locator("#picture-file").set_input_files(
            picture(made.content, kind="image/jpeg" if made.quality else "image/png")
        )
        expect(page.locator("#view-picture .lead")).to_have_text(re.compile("doubt|wrong|Open"))
        answer = next(message["answer"] for message in said if "grid" in message.get("answer", {}))
        reading = read_picture(made.content)
        grid = answer.pop("grid")
        assert answer == told(reading)
        assert grid == {side: getattr(reading.grid, side) for side in ("left", "top", "width", "height")}


def test_pictures_are_dropped_pasted_and_chosen(visit: Visit) -> None:
    page = visit.page
    for kind, target in (("drop", "body"), ("paste", "body"), ("paste", "#open-text")):
        visit.open("#solve")
        expect(answered(page)).to_be_visible()
        if target != "body":
            page.get_by_role("button", name="Open or paste").click()
        hand_over(visit, kind, DOUBTFUL.content, target)
        expect(page.locator("#view-picture .cell")).to_have_count(81)
        assert page.url.endswith("#picture") and not page.locator("#open-dialog").is_visible()
    visit.open("#solve")
    page.get_by_role("button", name="Open or paste").click()
    page.locator("#open-picture").set_input_files(picture(DOUBTFUL.content))
    expect(page.locator("#view-picture .cell")).to_have_count(81)
    hand_over(visit, "drop", "mines 1\n1#\n##")
    expect(page.locator("#view-solve .facts")).to_contain_text("Solutions3")


def test_a_doubt_is_settled_and_the_risks_follow(visit: Visit) -> None:
    visit.open("#picture")
    page = choose(visit, DOUBTFUL.content)
    lead, cell = page.locator("#view-picture .lead"), visit.cell(2, 8, "picture")
    expect(lead).to_have_text("1 cell in doubt, with a dashed frame: choose one to settle it.")
    expect(cell).to_have_class(re.compile("doubtful"))
    expect(cell).to_have_accessible_name(re.compile(f"empty, in doubt: empty {share()}, .*under something else"))
    page.keyboard.press("n")
    expect(cell).to_be_focused()
    page.keyboard.press("Enter")
    items = page.get_by_role("menu").get_by_role("menuitemradio")
    expect(items.first).to_be_focused()
    assert items.first.inner_text() == share()
    covered = page.get_by_role("menuitemradio", name="covered")
    page.keyboard.press("Escape")
    expect(items.first).to_be_hidden()
    cell.click()
    covered.click()
    expect(cell).to_have_accessible_name(re.compile(r"covered, safe"))
    expect(page.locator("#view-picture .doubtful")).to_have_count(0)
    expect(cell).to_be_focused()
    page.keyboard.press("5")
    expect(lead).to_have_text(re.compile("A number is wrong"))
    expect(cell).to_have_class(re.compile(r"\bbad\b"))
    page.keyboard.press("0")
    expect(lead).to_have_text(re.compile("^Open .*: it is safe, and so are 3 more cells.$"))
    page.get_by_label("Mines in all").fill("12")
    page.keyboard.press("Tab")
    expect(page.locator("#view-picture .note")).not_to_contain_text(["number of mines"])
    expect(lead).to_have_text(re.compile("^Open"))
    page.locator("#picture-solve").click()
    expect(answered(page)).to_be_visible()
    board = read_picture(DOUBTFUL.content).board
    expect(page).to_have_url(re.compile(r"#solve\?p="))
    assert unpacked(page.url) == f"mines 12\n{board}"
    page.go_back()
    expect(page.locator("#view-picture .cell").first).to_be_visible()


def test_the_picture_lies_under_its_cells(visit: Visit) -> None:
    """The canvas has the picture where the board has its cells; a button hides it."""
    visit.open("#picture")
    page = choose(visit, DOUBTFUL.content)
    reading = read_picture(DOUBTFUL.content)
    where = page.evaluate(
        """() => {
            const canvas = document.querySelector("#view-picture canvas");
            const frame = canvas.getBoundingClientRect();
            const cell = document.querySelector("#view-picture .cell").getBoundingClientRect();
            const scale = canvas.width / frame.width;
            return [cell.left - frame.left, cell.top - frame.top, cell.width, cell.height].map((one) => scale * one);
        }"""
    )
    grid = reading.grid
    margin = 26 / 36
    assert where == pytest.approx([margin * grid.width, margin * grid.height, grid.width, grid.height], abs=1)
    canvas = page.locator("#view-picture canvas")
    expect(canvas).to_be_visible()
    assert visit.violations() == []
    page.get_by_role("button", name="Board", exact=True).click()
    expect(canvas).to_be_hidden()
    assert visit.violations() == []


def test_a_photograph_is_read_upright_and_a_large_one_reduced(visit: Visit) -> None:
    made = DOUBTFUL.image
    turned, large = io.BytesIO(), io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    made.transpose(Image.Transpose.ROTATE_90).save(turned, "JPEG", quality=95, exif=exif)
    made.resize((made.width * 8, made.height * 8), Image.Resampling.BICUBIC).save(large, "JPEG", quality=90)
    visit.open("#picture")
    for content in (turned.getvalue(), large.getvalue()):
        page = choose(visit, content, kind="image/jpeg")
        expect(page.locator("#view-picture .cell")).to_have_count(81)
        expect(visit.cell(1, 0, "picture")).to_have_accessible_name(re.compile("1$"))
        visit.open("#solve")
        visit.open("#picture")


def test_what_is_no_picture_is_said_in_one_line(visit: Visit) -> None:
    page, problem = visit.open("#picture"), visit.page.locator("#view-picture .problem")
    page.locator("#picture-file").set_input_files(picture(b"mines 1\n1#\n##"))
    expect(problem).to_have_text("This file is no picture that your browser can show.")
    blank = io.BytesIO()
    Image.new("RGB", (200, 200), "white").save(blank, "PNG")
    page.locator("#picture-file").set_input_files(picture(blank.getvalue()))
    expect(problem).to_have_text("expected a picture of a board, found no grid of cells in it")
    large = io.BytesIO()
    Image.new("L", (6000, 5000)).save(large, "PNG")
    page.locator("#picture-file").set_input_files(picture(large.getvalue()))
    expect(problem).to_have_text(re.compile("^A picture may have 25 million pixels, and this one has 6000×5000"))


def test_a_phone_settles_a_doubt_by_two_taps(phone: Visit) -> None:
    phone.open("#picture")
    page = choose(phone, DOUBTFUL.content)
    phone.cell(2, 8, "picture").tap()
    item = page.get_by_role("menuitemradio", name=f"empty, {share()}")
    size = item.bounding_box()
    assert size and min(size["width"], size["height"]) >= 44
    item.tap()
    expect(page.locator("#view-picture .doubtful")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_another_app_shares_a_picture(visit: Visit) -> None:
    """As the installed page gets it: a request that the service worker takes."""
    page = visit.open("#solve")
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.register("service-worker.js");
            await navigator.serviceWorker.ready;
        }"""
    )
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller")
    shared = page.evaluate(
        """async (packed) => {
            const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
            const body = new FormData();
            body.append("picture", new File([bytes], "board.png", { type: "image/png" }));
            const { ok, redirected } = await fetch("share", { method: "POST", body });
            return ok && redirected;
        }""",
        base64.b64encode(DOUBTFUL.content).decode(),
    )
    assert shared
    visit.open("#picture?shared=1")
    expect(page.locator("#view-picture .cell")).to_have_count(81)
    assert page.url.endswith("#picture")
    visit.open("#picture?shared=1")
    expect(page.locator("#picture-file")).to_be_attached()
    expect(page.locator("#view-picture .cell")).to_have_count(0)
    session = visit.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["share_target"]["action"] == "./share"


def test_the_total_of_a_counter_stands_in_its_field(visit: Visit) -> None:
    made = drawn(SKINS[0], UNFLAGGED, (70, 30, 30, 30))
    display(made, "015", (38, 24))
    file = io.BytesIO()
    made.save(file, "PNG")
    visit.open("#picture")
    page = choose(visit, file.getvalue())
    expect(page.get_by_label("Mines in all")).to_have_value("15")
    choose(visit, DOUBTFUL.content)
    expect(page.get_by_label("Mines in all")).to_have_value("")
