"""The page without a server: what only the folder does. Tests of the page run on it, too (``conftest``)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from satsweep.board import Board
from satsweep.offline.build import POLICY, build, write
from satsweep.offline.pieces import PIECES, gathered
from satsweep.solver.analysis import analyse
from tests import ROOT
from tests.cli.test_cli import invoke
from tests.web import folder
from tests.web.browsing import MARKS, Visit, answered, expect
from tests.web.folder import built, hosted
from tests.web.test_page import SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = MARKS


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, written once."""
    directory = tmp_path_factory.mktemp("folder")
    write(built(), directory)
    return directory


@pytest.fixture(scope="module")
def url(place: Path, browser: Browser) -> Iterator[str]:
    with hosted(place) as found:
        yield found
        found.close()


def test_the_folder_answers_without_a_network(browser: Browser, place: Path) -> None:
    """No request leaves the origin, and after the first visit none is needed."""
    with hosted(place) as url:
        visit = Visit(browser, str(url))
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
    visit.leave()
    assert visit.complaints == []


def test_the_front_answers_its_first_question(visit: Visit) -> None:
    """As benchmarks/static.py measures it: the start of Python, and the position of the front."""
    expect(answered(visit.open("#solve"))).to_be_visible()
    expect(visit.page.locator("#starting")).to_be_hidden()


def test_compiled_code_is_kept_for_the_next_start(visit: Visit) -> None:
    size = """async () => {
        const name = (await caches.keys()).find((name) => name.startsWith("satsweep code"));
        const found = name && await (await caches.open(name)).match("code");
        return found ? (await found.arrayBuffer()).byteLength : 0;
    }"""
    page = visit.open("#solve")
    expect(answered(page)).to_be_visible()
    page.wait_for_function(size)
    first = page.evaluate(size)
    assert first > 500_000
    visit.bring(SMALL)
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions12")
    assert page.evaluate(size) >= first


def test_modules_are_compiled_once(tmp_path: Path) -> None:
    """Modules of a folder and of an archive, in two processes; the sources are gone in the second."""
    folder, archive = tmp_path / "folder", tmp_path / "archive.zip"
    folder.mkdir()
    (folder / "first.py").write_text("from second.third import value\n")
    with ZipFile(archive, "w") as made:
        made.writestr("second/__init__.py", "")
        made.writestr("second/third.py", "value = 7\n")
    code = """if True:
        import sys
        from pathlib import Path
        loaders, kept = {}, Path(sys.argv[3])
        exec(Path(sys.argv[4]).read_text(), loaders)
        class Array:
            to_bytes = kept.read_bytes
        loaders["begin"](Array if kept.exists() else None)
        sys.path[:0] = sys.argv[1:3]
        import first
        print(first.value, *sorted(name for name in loaders["added"] if "third" in name or "first" in name))
        if told := loaders["told"]():
            kept.write_bytes(told)
        assert loaders["told"]() is None
    """
    loaders = ROOT / "satsweep" / "offline" / "kept_code.py"
    command = [sys.executable, "-B", "-c", code, str(folder), str(archive), str(tmp_path / "kept"), str(loaders)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "7 first second.third\n"
    (folder / "first.py").write_text("syntax error")
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "7\n"


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
    visit.leave()


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
    visit.leave()


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
