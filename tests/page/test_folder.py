"""The page without a server: what only the folder does. Tests of the page run on it, too (``conftest``)."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.agents import agent_named, agent_names
from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import all_formats
from satsweep.games.deal import random_layout
from satsweep.games.game import play
from satsweep.layout import Layout
from satsweep.page.answers import CLUE_CHOICES, TOPOLOGY_CHOICES, answer_to
from satsweep.page.deals import TECHNIQUES
from satsweep.page.game_review import asked_of
from satsweep.page.offline.build import NUMPY, NUMPY_ARCHIVE, PIECES, POLICY, archive, build, gathered, write
from satsweep.page.questions import LIMITS, Question, refusal
from tests import ROOT
from tests.cli import invoke
from tests.page import folder
from tests.page.browsing import CHROMIUM, MARKS, Visit, answered, expect
from tests.page.folder import before_python, built, hosted, noting
from tests.page.pages import served
from tests.page.test_page import SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = MARKS
MOST_AT_FIRST = 100_000
"""Bytes, compressed."""


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
        visit.page.evaluate("async () => { await navigator.serviceWorker.ready }")
        visit.page.wait_for_function("navigator.serviceWorker.controller")
        assert asked and all(one.startswith((url, f"blob:{url}", "data:")) for one in asked)
    page = visit.another()
    page.goto(f"{url}#play")
    expect(page.locator("#view-play [role=gridcell]").first).to_be_visible()
    visit.bring("mines 1\n1#\n##")
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions3")
    visit.leave()
    assert visit.complaints == []


@pytest.mark.slow
def test_the_front_answers_its_first_question(visit: Visit) -> None:
    """As benchmarks/static.py measures it."""
    expect(answered(visit.open("#solve"))).to_be_visible()
    expect(visit.page.locator("#waiting")).to_be_hidden()


@pytest.mark.slow
def test_compiled_code_is_kept_for_the_next_start(visit: Visit) -> None:
    sizes = """async () => {
        for (;;) {
            const name = (await caches.keys()).find((name) => name.startsWith("satsweep code"));
            const found = name ? await (await caches.open(name)).matchAll() : [];
            const sizes = await Promise.all(found.map(async (one) => (await one.arrayBuffer()).byteLength));
            if (found.length === 2) return sizes;
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    }"""
    page = visit.open("#solve")
    expect(answered(page)).to_be_visible()
    own = sorted(page.evaluate(sizes))
    loaded = [len(built()[name]) for name in ("satsweep.zip", "pyodide/python_stdlib.zip")]
    print(own, loaded)
    assert own[0] > 1.5 * loaded[0] and own[1] > 1.5 * loaded[1]
    visit.bring(SMALL)
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions12")


def test_the_first_load_is_small(browser: Browser, url: str) -> None:
    """What a first look at Solve takes before Python is loaded; benchmarks/static.py prints it."""
    visit = Visit(browser, url, service_workers="block")
    asked = noting(visit.page, url)
    page = visit.open("#solve")
    expect(answered(page)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert {"index.html", "solve/view.js", "engine/quick.wasm"} <= set(asked)
    assert before_python(asked, built()) <= MOST_AT_FIRST
    visit.leave()


def test_what_the_engine_knows_is_there_while_python_starts(browser: Browser, url: str) -> None:
    """Risks and reasons follow what is drawn, games of the deep player are watched, boards without a guess dealt."""
    visit = Visit(browser, url, service_workers="block")
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.page.route("**/satsweep.zip", lambda route: None)  # it never comes
    page = visit.open("#solve")
    expect(answered(page)).to_be_visible()
    assert not any("pyodide" in one for one in asked)
    page.get_by_role("radio", name="Draw 3").click()
    visit.cell(1, 1, "solve").click()
    expect(visit.cell(1, 1, "solve")).to_have_attribute("aria-label", re.compile("3"))
    expect(answered(page)).to_be_visible()
    page.get_by_role("radio", name="Explain").click()
    visit.cell(0, 4, "solve").click()
    expect(page.locator("#view-solve div.why h2")).to_contain_text("is safe")
    visit.bring("#1#\n###")  # without a total
    expect(page.locator("#waiting")).to_have_text(re.compile(r"^\s*Python starts, \d+ s, \d+ %\s*$"))
    page = visit.open("#watch?agent=deep&rows=16&cols=30&mines=99&seed=3&move=9")
    expect(page.locator("#watch-now h2")).to_be_visible()
    page = visit.open("#play?rows=16&cols=30&mines=99&luck=single&seed=3")
    visit.cell(7, 7, "play").click()
    expect(visit.cell(7, 7, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-hint").click()
    page.locator("#play-more").click()
    expect(page.locator(".hint-steps li")).to_have_count(2)
    visit.leave()


def test_without_webassembly_positions_can_be_drawn_and_the_page_says_so(browser: Browser, url: str) -> None:
    """Switched off for workers, too."""
    flags = ["--no-sandbox", "--js-flags=--jitless"]
    without = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
    visit = Visit(without, url, service_workers="block")
    page = visit.open("#solve")
    said = re.compile("WebAssembly is switched off in this browser. Positions can be drawn here, but not solved")
    expect(page.locator("#lacking")).to_have_text(said)
    page.get_by_role("radio", name="Draw 3").click()
    visit.cell(1, 1, "solve").click()
    expect(visit.cell(1, 1, "solve")).to_have_attribute("aria-label", re.compile("3"))
    visit.leave()
    without.close()


@pytest.mark.slow
def test_a_long_question_is_ended_and_the_next_is_answered(browser: Browser, place: Path, url: str) -> None:
    """The limit is shortened, for a board that takes longer than that."""
    visit = Visit(browser, url, service_workers="block")
    code = (place / "engine/channel.js").read_text()
    assert "MOST_SECONDS = 20;" in code
    shorter = code.replace("MOST_SECONDS = 20;", "MOST_SECONDS = 0.001;")
    visit.page.route("**/channel.js", lambda route: route.fulfill(body=shorter, content_type="text/javascript"))
    visit.bring("#1#\n###")  # without a total
    expect(visit.page.locator("#view-solve .problem")).to_contain_text("so it was ended")
    visit.page.unroute("**/channel.js")
    visit.bring(SMALL)
    expect(visit.page.locator("#view-solve .facts")).to_contain_text("Solutions12")
    visit.leave()


def questions() -> Iterator[dict[str, Any]]:
    """Questions of all kinds that a folder answers."""
    stuck = "mines 2\n#1#\n1##\n###"
    boards = [
        SMALL,
        stuck,
        "#####\n#131#\n#####",
        *(f"mines 4\nclues {name}\n####\n#2##\n#11#\n####" for name in CLUE_CHOICES if name != "exact"),
        *(f"mines 3\ntopology {name}\n####\n#2##\n####\n####\n####\n####" for name in TOPOLOGY_CHOICES),
    ]
    for board in boards:
        yield from ({"ask": ask, "board": board} for ask in ("solve", "conflict"))
        yield {"ask": "explain", "board": board, "cell": [0, 0]}
        yield {"ask": "advice", "board": board, "deep": False}
        yield {"ask": "hint", "board": board}
    yield {"ask": "endgame", "board": stuck}
    layout = Layout(("..*.", "....", "*..."), start=(1, 2))
    values: list[tuple[str, Board | Layout]] = [("board", Board(("#1.", "11."), mines=1)), ("layout", layout)]
    for name, form in all_formats().items():
        for key, value in values:
            with suppress(BoardError):
                content = form.write(value)
                yield {"ask": "write", "format": name, key: str(value)}
                is_text = isinstance(content, str)
                yield {"ask": "read"} | ({"text": content} if is_text else {"base64": b64encode(content).decode()})
    yield {"ask": "rate", "layout": str(layout)}
    yield {"ask": "deal", "rows": 9, "cols": 9, "mines": 10, "first": "zero", "start": [4, 4], "seed": "7"}
    for technique in TECHNIQUES:
        asked = {"ask": "deal_no_guess", "technique": technique, "start": [4, 4], "rows": 9, "cols": 9, "mines": 10}
        yield {**asked, "seed": "5"}
    clicks = [["open", [0, 0], 0.0], ["flag", [3, 3], 1.5], ["open", [0, 3], 2.25], ["open", [3, 0], 4.0]]
    for ask in ("review_game", "write"):
        yield {"ask": ask, "rows": 4, "cols": 4, "mines": 3, "seed": "5", "first": "safe", "moves": clicks}
    yield from reviews()
    for agent in agent_names():
        if agent != "deep":
            yield {"ask": "watch", "agent": agent, "rows": 8, "cols": 8, "mines": 10, "seed": "3"}
    yield {"ask": "animate", "agent": "sat", "rows": 5, "cols": 5, "mines": 5, "seed": "3"}


def reviews() -> Iterator[dict[str, Any]]:
    """Games with choices: estimated, exact near the end, exact throughout; and from a start that no table has."""
    games = (((16, 30, 99), "gem", 2), ((9, 9, 10), "basic", 1), ((4, 5, 5), "random", 3), ((7, 8, 12), "basic", 1))
    for (rows, cols, mines), agent, seed in games:
        layout = random_layout(rows, cols, mines, seed=seed)
        yield {"ask": "review_game", **asked_of(play(layout, agent_named(agent), rng=Random(seed)))}


def told(parts: list[Any], answer: Any) -> object:
    """What an answer says, without the time that it took and the sizes of its parts."""
    moves = [move for part in parts for move in part.get("moves", [])]
    others = {key: value for part in parts for key, value in part.items() if key not in ("moves", "steps")}
    if not isinstance(answer, dict):
        return moves, others, answer
    facts = [fact for fact in answer.get("facts", []) if "second" not in str(fact).lower()]
    return moves, others, {key: value for key, value in answer.items() if key not in ("seconds", "facts")}, facts


def of_the_server(question: dict[str, Any]) -> object:
    """The answer that a worker of the server gives, or why there is none."""
    parts: list[Any] = []
    try:
        answer = answer_to(Question.of(json.dumps({"id": 0, **question})), LIMITS, parts.append)
    except SatsweepError as error:
        return told([], json.loads(refusal(0, error))["error"]["message"])
    return json.loads(json.dumps(told(parts, answer), default=str))


def test_answers_are_those_of_the_server(visit: Visit) -> None:
    """Boards, grids, clue models, formats, boards to play, and the games of all agents but ``deep``."""
    asked = list(questions())
    page = visit.open("example.html")
    answers = page.evaluate(
        """async (asked) => {
            const { Connection } = await import("./engine/connection.js");
            const python = new Connection();
            python.engine.ask = async () => undefined;
            const found = [];
            for (const { ask, ...fields } of asked) {
                const parts = [];
                const onPart = (part) => parts.push(part);
                found.push([parts, await python.ask(ask, fields, { onPart }).catch((error) => error.said)]);
            }
            return found;
        }""",
        asked,
    )
    for question, (parts, answer) in zip(asked, answers, strict=True):
        found = told([] if isinstance(answer, str) else parts, answer)
        assert json.loads(json.dumps(found)) == json.loads(json.dumps(of_the_server(question))), question


@pytest.mark.slow
def test_links_lead_from_the_server_to_the_folder_and_back(browser: Browser, url: str) -> None:
    """A game that has begun on a board without a guess."""
    with served() as server:
        for here, there in ((server, url), (url, server)):
            first, second = Visit(browser, here), Visit(browser, there)
            page = first.open("#play?rows=16&cols=30&mines=99&luck=single&seed=3")
            expect(page.locator("#view-play .lead")).to_have_text("Open a cell to begin.")
            first.cell(7, 7, "play").click()
            expect(first.cell(7, 7, "play")).to_have_accessible_name(re.compile("empty"))
            page.wait_for_url(re.compile("start=7%2C7&m="))
            link = page.url.removeprefix(here)
            opened = second.open(link)
            expect(second.cell(7, 7, "play")).to_have_accessible_name(re.compile("empty"))
            assert second.symbols("play") == first.symbols("play")
            expect(opened.locator("#play-guesses")).to_have_value("single")
            for visit in (first, second):
                visit.leave()
                assert visit.complaints == []


def test_it_can_be_installed(browser: Browser, place: Path, tmp_path: Path) -> None:
    """Chromium finds nothing that is missing; a private window, as other tests have, could not install it."""
    with (
        hosted(place) as url,
        browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=CHROMIUM, args=["--no-sandbox"]
        ) as context,
    ):
        page = context.new_page()
        page.goto(url)
        page.evaluate("async () => { await navigator.serviceWorker.ready }")
        session = context.new_cdp_session(page)
        manifest = session.send("Page.getAppManifest")
        assert manifest["errors"] == [] and manifest["manifest"]["display"] == "kStandalone"
        assert manifest["manifest"]["scope"] == manifest["manifest"]["startUrl"] == url
        assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


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
    assert lines <= 30


PICTURED = b"from satsweep.errors import BoardError\nraise BoardError('what this NumPy says')\n"


def test_numpy_is_loaded_with_the_first_picture(browser: Browser, tmp_path: Path) -> None:
    """The real one is on no index; a page without any says so before it loads anything."""
    wheel = archive([("numpy/__init__.py", PICTURED)])
    for found, said in (
        (built(), re.compile("^This page was written without NumPy, so it reads no pictures")),
        (build(gathered(folder.PIECES) | {NUMPY: wheel}), "what this NumPy says"),
    ):
        assert (NUMPY_ARCHIVE in found) == (found is not built())
        write(found, tmp_path)
        with hosted(tmp_path) as url:
            visit = Visit(browser, str(url), service_workers="block")
            asked = noting(visit.page, url)
            page = visit.open("#picture")
            content = (ROOT / "examples" / "screenshot.png").read_bytes()
            page.locator("#picture-file").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": content})
            expect(page.locator("#view-picture .problem")).to_have_text(said)
            assert (NUMPY_ARCHIVE in asked) == (NUMPY_ARCHIVE in found)
            visit.leave()


def test_the_same_bytes_again() -> None:
    built()
    assert build(gathered(folder.PIECES)) == built()


def test_the_page_carries_its_policy_and_its_manifest(place: Path) -> None:
    page = (place / "index.html").read_text()
    assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in page and 'rel="manifest"' in page
    assert "unsafe-inline" not in POLICY and "'unsafe-eval'" not in POLICY and "http" not in POLICY
    kept = (place / "service-worker.js").read_text()
    assert "keepShared" in kept and json.loads((place / "manifest.webmanifest").read_text())["share_target"]
    assert '"index.html"' in kept and '"pyodide/pyodide.asm.wasm"' in kept and 'BUILD = "satsweep-' in kept


def test_a_piece_that_is_missing_or_another(tmp_path: Path) -> None:
    refused = invoke("static", str(tmp_path / "site"), "--wheels", str(tmp_path))
    assert (refused.exit_code, refused.stderr.count("\n")) == (3, 1)
    assert PIECES[0].name in refused.stderr
    (tmp_path / PIECES[0].name).write_bytes(b"no archive")
    refused = invoke("static", str(tmp_path / "site"), "--wheels", str(tmp_path))
    assert refused.exit_code == 3 and "expected the published file" in refused.stderr
