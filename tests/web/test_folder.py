"""The page without a server: the tests of the page once more, on a folder, and what only the folder does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from satsweep.board import Board
from satsweep.offline.build import POLICY, build, write
from satsweep.offline.pieces import PIECES, gathered
from satsweep.solver.analysis import analyse
from tests.cli.test_cli import invoke
from tests.web import browsing, folder, test_page
from tests.web.browsing import MARKS, Visit, expect
from tests.web.folder import built, hosted
from tests.web.test_page import SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = MARKS
SERVER_ALONE = ("test_a_server_that_is_gone_is_told",)
"""Tests of the page that need a server."""


def of_the_page(name: str, value: object) -> bool:
    """True for a test of the page with an address."""
    if not name.startswith("test_") or name in SERVER_ALONE:
        return False
    return not {"visit", "url"}.isdisjoint(signature(value).parameters)  # type: ignore[arg-type]


globals().update({name: value for name, value in vars(test_page).items() if of_the_page(name, value)})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, written once."""
    directory = tmp_path_factory.mktemp("folder")
    write(built(), directory)
    return directory


@pytest.fixture(scope="module")
def url(place: Path) -> Iterator[str]:
    with hosted(place) as found:
        yield found


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python needs seconds to start, in each new browser context."""
    monkeypatch.setattr(browsing, "PATIENCE", 120_000)


def test_the_folder_answers_without_a_network(browser: Browser, place: Path) -> None:
    """No request leaves the origin, and after the first visit none is needed."""
    with hosted(place) as url:
        visit = Visit(browser, url)
        asked: list[str] = []
        visit.context.on("request", lambda request: asked.append(request.url))
        visit.bring(SMALL)
        expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions12")
        assert asked and all(one.startswith((url, f"blob:{url}", "data:")) for one in asked)
    page = visit.another()
    page.goto(f"{url}#play")
    expect(page.locator("#view-play [role=gridcell]").first).to_be_visible()
    visit.bring("mines 1\n1#\n##")
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions3")
    visit.context.close()
    assert visit.complaints == []


def test_a_position_is_drawn_while_python_starts(browser: Browser, url: str) -> None:
    visit = Visit(browser, url, service_workers="block")
    visit.page.route("**/satsweep.zip", lambda route: None)  # it never comes
    visit.open("#solve")
    expect(visit.page.locator("#starting")).to_have_text(re.compile(r"^Starting: \d+ %$"))
    cell = visit.cell(1, 1, "solve")
    expect(cell).to_have_attribute("aria-label", re.compile("covered"))
    visit.page.get_by_role("radio", name="Draw 3").click()
    cell.click()
    expect(cell).to_have_attribute("aria-label", re.compile("3"))
    visit.context.close()


def test_a_long_question_is_ended_and_the_next_is_answered(browser: Browser, place: Path, url: str) -> None:
    """The limit is shortened, for a board that takes longer than that."""
    visit = Visit(browser, url, service_workers="block")
    code = (place / "channel.js").read_text()
    assert "MOST_SECONDS = 20;" in code
    shorter = code.replace("MOST_SECONDS = 20;", "MOST_SECONDS = 0.001;")
    visit.page.route("**/channel.js", lambda route: route.fulfill(body=shorter, content_type="text/javascript"))
    visit.open("#solve")
    expect(visit.page.locator("#view-solve .problem")).to_contain_text("so it was ended")
    visit.page.unroute("**/channel.js")
    visit.bring(SMALL)
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions12")
    visit.context.close()


def test_the_strongest_agent_is_left_to_the_server(visit: Visit) -> None:
    page = visit.open("#watch?agent=deep&rows=9&cols=9&mines=10&seed=5")
    expect(page.get_by_text(re.compile("the agent deep needs .*numba"))).to_be_visible()


def test_other_pages_ask_through_a_module(visit: Visit, place: Path) -> None:
    page = visit.open("example.html")
    page.get_by_role("button", name="Risks").click()
    expect(page.locator("#risks")).to_contain_text("12 worlds")
    shown = page.locator("#risks").inner_text().splitlines()
    found = analyse(Board.from_text(SMALL))
    for row, line in enumerate(shown[:3]):
        known = [None if risk is None else str(risk) for risk in found.risks[row]]
        assert line.split() == [risk or "-" for risk in known]
    lines = (place / "example.html").read_text().count("\n") + (place / "example.js").read_text().count("\n")
    assert lines <= 40


def test_the_same_bytes_again() -> None:
    built()
    assert build(gathered(folder.PIECES)) == built()


def test_the_page_carries_its_policy_and_its_manifest(place: Path) -> None:
    page = (place / "index.html").read_text()
    assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in page and 'rel="manifest"' in page
    assert "unsafe-inline" not in POLICY and "'unsafe-eval'" not in POLICY and "http" not in POLICY
    kept = (place / "service-worker.js").read_text()
    assert '"index.html"' in kept and '"pyodide/pyodide.asm.wasm"' in kept and 'BUILD = "satsweep-' in kept


def test_a_piece_that_is_missing_or_another(tmp_path: Path) -> None:
    refused = invoke("static", str(tmp_path / "site"), "--wheels", str(tmp_path))
    assert (refused.exit_code, refused.stderr.count("\n")) == (3, 1)
    assert PIECES[0].name in refused.stderr
    (tmp_path / PIECES[0].name).write_bytes(b"no archive")
    refused = invoke("static", str(tmp_path / "site"), "--wheels", str(tmp_path))
    assert refused.exit_code == 3 and "expected the published file" in refused.stderr
