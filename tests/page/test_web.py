"""The page's server without a browser: answers and refusals."""

import base64
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import httpx
import pytest
from hypothesis import given, strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from satsweep.agents import AGENTS, agent_named
from satsweep.analysis.analyse import analyse
from satsweep.board import MINE, NUMBERS, Board, Cell
from satsweep.clues import CLUE_KINDS, clues_named
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import FORMATS, all_formats
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play
from satsweep.games.record import Action
from satsweep.games.rules import FirstClick, Rules
from satsweep.kernels.toolchain.library import WASM
from satsweep.layout import Layout
from satsweep.page import questions
from satsweep.page.answers import about
from satsweep.page.app import HEADERS
from satsweep.page.fair_queue import FairQueue, Job, TokenBucket
from satsweep.page.questions import LIMITS, Limits, Question
from satsweep.render.board_geometry import TOP, BoardGeometry
from satsweep.render.game_animation import animated_svg
from satsweep.topology import TOPOLOGIES, topology_named
from satsweep.why import conflict, explain
from satsweep.why.values import Explanation
from tests import PATIENCE
from tests.page.pages import ROOT, Address, Asker, ask, asking, pieces, served
from tests.strategies import boards, examples, layouts, malformed_bytes, parts, unreliable_boards

SMALL = "mines 3\n##1.\n##21\n####"
IMPOSSIBLE = "#####\n#131#\n#####"
FEW = examples(25)


def lattice(rows: int, share: float, seed: int) -> str:
    """A board with numbers in every other cell: one component, almost nothing forced."""
    rng = Random(seed)
    safe = {(row, col) for row in range(0, rows, 2) for col in range(0, rows, 2)}
    mines = {(row, col) for row in range(rows) for col in range(rows) if rng.random() < share} - safe
    layout = Layout("".join(".*"[(row, col) in mines] for col in range(rows)) for row in range(rows))
    return str(layout.board(safe))


HOSTILE = lattice(100, 0.2, 1)


# Answers


@FEW
@given(boards() | unreliable_boards() | parts())
def test_solve_says_what_the_analysis_says(board: Board) -> None:
    found, answer = analyse(board), ask("solve", board=str(board))
    odds, cells = answer["odds"], answer["cells"]
    assert isinstance(odds, list) and isinstance(cells, list)
    for place in board:
        at = cells[place.row * board.cols + place.col]
        if board.is_covered(place):
            assert Fraction(odds[at]["exact"]) == found.risk(place)
            assert odds[at]["risk"] == float(found.risk(place))
        else:
            assert at == -1
    assert (answer["safe"], answer["mines"]) == (len(found.safe), len(found.mines))
    assert answer["best"] == found.best
    json.dumps(answer)


def test_solve_names_what_cannot_be() -> None:
    assert ask("solve", board=IMPOSSIBLE)["impossible"] == {
        "clues": [(1, 1), (1, 2), (1, 3)],
        "total": False,
        "message": ["these numbers cannot all be true: 1 at ", (1, 1), ", 3 at ", (1, 2), ", 1 at ", (1, 3)],
    }


def test_flags_are_opinions() -> None:
    flagged = SMALL.replace("####", "F#F#")
    assert ask("solve", board=flagged)["cells"] == ask("solve", board=SMALL)["cells"]


def test_explain_a_forced_cell() -> None:
    reason = ask("explain", board=SMALL, cell=[2, 1])["reason"]
    expected = explain(Board.from_text(SMALL), (2, 1))
    assert isinstance(reason, dict) and isinstance(expected, Explanation)
    assert (reason["mine"], reason["clues"], reason["total"]) == (expected.mine, expected.clues, expected.total)
    assert reason["steps"] and all(step["said"] for step in reason["steps"])


def test_explain_a_cell_that_is_not_forced() -> None:
    told = ask("explain", board=SMALL, cell=[0, 0])["undecided"]
    assert isinstance(told, dict)
    assert (told["risk_percent"], told["risk_exact"]) == ("33.33 %", "1/3")
    assert told["mined"][0][0] == "*" and told["safe"][0][0] == "."


def test_conflict_and_its_corrections() -> None:
    answer = ask("conflict", board=IMPOSSIBLE)
    expected = conflict(Board.from_text(IMPOSSIBLE))
    found, said = answer["conflict"], answer["corrections_said"]
    assert isinstance(found, dict) and isinstance(said, list) and expected is not None
    assert found["clues"] == expected.clues
    assert len(found["corrections"]) == len(expected.corrections) == len(said)
    assert said[0] == ["A 2 at ", (1, 1), " instead of the 1"]
    assert ask("conflict", board=SMALL) == {"conflict": None}


@pytest.mark.parametrize("topology", ["square", "torus", "hexagonal", "knight", "square in 2 planes", "edges 0-1 1-5"])
def test_grid_is_where_pictures_draw_it(topology: str) -> None:
    grid = ask("grid", rows=4, cols=3, topology=topology)
    named = topology_named(topology)
    assert grid["neighbours"] == named.neighbours(4, 3)
    middles = grid["middles"]
    assert isinstance(middles, list) and len(middles) == 24
    places = BoardGeometry(4, 3, named)
    ahead = places.middle((3, 1))[0] - places.middle((0, 0))[0], places.middle((3, 1))[1] - places.middle((0, 0))[1]
    assert (middles[20] - middles[0], middles[21] - middles[1]) == ahead


@FEW
@given(layouts(), st.sampled_from(["exact", "random 1/2", "overestimate"]), st.sampled_from(["any", "safe"]), st.data())
def test_a_dealt_board_is_what_a_game_shows(layout: Layout, clues: str, first: str, data: st.DataObject) -> None:
    """Cells opened one by one, as on the page, show the same as in a game of the seed."""
    start = data.draw(st.sampled_from([Cell(r, c) for r in range(layout.rows) for c in range(layout.cols)]))
    asked = {"layout": str(layout), "clues": clues, "first": first, "start": start, "seed": 5}
    if layout.mines == layout.rows * layout.cols:
        # No cell is safe, so such a game is over before it starts.
        with pytest.raises(BoardError):
            ask("deal", **asked)
        return
    dealt = ask("deal", **asked)
    rng = game_rng(5, 0)
    game = Game(layout, Rules(first=FirstClick(first), start=start, clues=clues_named(clues), fatal=False), rng)
    move = game.open(start)
    shown = dealt["shown"]
    assert isinstance(shown, str)
    assert dealt["opened"] == [cell.row * layout.cols + cell.col for cell, _ in move.revealed]
    assert dealt["layout"] == game.layout.cells
    for cell in game.board:
        if game.outcome is None and game.is_covered(cell):
            game.open(cell)
    for cell in game.board:
        if not game.is_covered(cell):
            assert game.board[cell] == shown[cell.row * layout.cols + cell.col]


@pytest.mark.parametrize("name", [name for name, entry in AGENTS.items() if not entry.compiled])
def test_watching_is_the_game_that_is_played(name: str) -> None:
    start = [4, 4]
    said, ended = pieces("watch", agent=name, rows=9, cols=9, mines=12, seed=3, start=start, first="safe")
    rng = game_rng(3, 0)
    layout = random_layout(9, 9, 12, rng)
    rules = replace(AGENTS[name].rules, first=FirstClick.SAFE, start=Cell(4, 4))
    record = play(layout, agent_named(name), rules, rng, name=name)
    moves = [move for piece in said for move in piece.get("moves", [])]
    assert len(moves) == len(record.moves)
    for told, move in zip(moves, record.moves, strict=True):
        assert told["cell"] == move.cell
        assert (told["action"] in ("open", "guess")) == (move.action is Action.OPEN)
        if move.action is Action.OPEN:
            symbols = [MINE if number is None else NUMBERS[number] for _, number in move.revealed if number != "?"]
            indices = [cell.row * 9 + cell.col for cell, _ in move.revealed]
            assert told["opened"] == list(zip(indices, symbols, strict=True))
    assert (ended["outcome"], ended["won"]) == (record.outcome.value, record.won)
    assert ended["layout"] == record.layout.cells
    assert said[0]["mines"] == 12
    json.dumps([said, ended])


def test_watching_an_engine_that_the_server_was_started_with() -> None:
    """It is a command; a client names it by its name, and cannot name another command."""
    command = f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples' / 'umi' / 'basic.py')])}"
    limits = replace(LIMITS, engines={"mine": command})
    setting = {"rows": 6, "cols": 6, "mines": 6, "seed": 3}

    said, ended = pieces("watch", limits, agent="mine", **setting)
    moves = [move for piece in said for move in piece.get("moves", [])]
    assert moves and ended["outcome"] in ("cleared", "exploded")
    again = ask("watch", limits, agent="mine", **setting)
    assert {**again, "seconds": 0} == {**ended, "seconds": 0}, "the same seed, the same game"
    with pytest.raises(BoardError):
        ask("watch", limits, agent=command, **setting)
    told = about(limits)
    assert "mine" in json.dumps(told) and "basic.py" not in json.dumps(told)


SETTING = {"rows": 9, "cols": 9, "mines": 12, "seed": 3, "first": "zero"}


@pytest.mark.parametrize("name", ["gem", "bfs", "ai0"])
def test_the_picture_of_a_game_is_that_of_its_record(name: str) -> None:
    from dataclasses import replace

    said, answer = pieces("animate", agent=name, start=[4, 4], **SETTING)
    rng = game_rng(3, 0)
    rules = replace(AGENTS[name].rules, first=FirstClick.ZERO, start=Cell(4, 4))
    record = play(random_layout(9, 9, 12, rng), agent_named(name), rules, rng, name=name)
    assert answer == {"svg": "".join(animated_svg(record))}
    assert not any(said), "no moves are sent, but a game can be cancelled"


@FEW
@given(st.sampled_from(["exact", "random 1/2"]), st.sampled_from(["any", "safe", "zero"]), st.randoms())
def test_the_picture_of_moves_is_that_of_the_game_that_was_dealt(clues: str, first: str, rng: Random) -> None:
    """Flags stand before the first opening, and openings of open cells and moves after the end do nothing."""
    setting = {**SETTING, "clues": clues, "first": first, "start": [4, 4]}
    dealt = ask("deal", **setting)
    cells = [(row, col) for row in range(9) for col in range(9)]
    moves: list[tuple[str, tuple[int, int]]] = [
        ("flag", (0, 0)),
        ("flag", (0, 1)),
        ("unflag", (0, 1)),
        ("open", (4, 4)),
    ]
    moves += [(rng.choice(["open", "open", "flag"]), rng.choice(cells)) for _ in range(60)]
    text = str(ask("animate", moves=moves, **setting)["svg"])
    layout = Layout(tuple(dealt["layout"]))
    shown, cols = str(dealt["shown"]), layout.cols
    places = BoardGeometry(9, 9, layout.topology, top=TOP + 18 * (clues != "exact"))
    final = {(int(x), int(y)): look for look, x, y in re.findall(r'<use href="#(\S+)" x="(\d+)" y="(\d+)" />', text)}
    for cell in cells:
        look = final[places.middle(cell)]
        symbol = shown[cell[0] * cols + cell[1]]
        if look[0] == "n":
            assert look[1:] == (symbol if symbol == "?" else str(NUMBERS.index(symbol)))
        else:
            assert (look in "fmx") == (symbol == "*") and (look in "wc") == (symbol != "*")
    assert "a person plays 9x9, 12 mines" in text


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.writer and form.boards])
def test_positions_go_out_and_come_back(name: str) -> None:
    board = Board(("#1#", "111"), mines=None if name in ("minesweepr", "georgia-tech") else 1)
    written = ask("write", board=str(board), format=name)
    told = ask("read", text=written["text"])
    if told["kind"] == "board":
        assert Board.from_text(str(told["text"])).cells == board.cells
    else:
        assert name == "rules"


def test_binary_formats_go_as_base64() -> None:
    layout = Layout(("*..", "...", "..*"))
    written = ask("write", layout=str(layout), format="mbf")
    assert ask("read", base64=written["base64"]) | {"summary": ""} == {
        "format": "mbf", "summary": "", "kind": "layout", "text": str(layout), "mines": 2,
    }  # fmt: skip


def test_rules_without_a_grid() -> None:
    told = ask("read", text='{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 4, "total_mines": 2}')
    assert told["kind"] == "rules"
    assert [(cell["name"], cell["exact"]) for cell in told["cells"]] == [("a", "1/2"), ("b", "1/2")]
    assert told["elsewhere"]["exact"] == "1/2"
    impossible = ask("read", text='{"rules": [{"num_mines": 1, "cells": ["a"]}, {"num_mines": 0, "cells": ["a"]}]}')
    assert "cannot all be true" in str(impossible["impossible"])


def test_about_names_agents_and_formats() -> None:
    told = about(LIMITS)
    assert [agent["name"] for agent in told["agents"]][: len(AGENTS)] == list(AGENTS)
    assert [form["name"] for form in told["formats"]] == list(all_formats())


def test_about_suggests_topologies_and_clue_models_that_are_read() -> None:
    told = about(LIMITS)
    topologies = {choice["name"] for choice in told["topologies"]}
    clues = {choice["name"] for choice in told["clues"]}
    assert {str(topology_named(name)) for name in topologies} == topologies >= set(TOPOLOGIES)
    assert {str(clues_named(name)) for name in clues} == clues
    assert {name.split()[0] for name in clues} == set(CLUE_KINDS)


# Refusals


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "expected JSON"),
        ("[]", "expected a JSON object"),
        ('{"ask": "read"}', "expected the key 'id'"),
        ('{"id": -1, "ask": "read"}', "an integer from 0"),
        ('{"id": 9007199254740992, "ask": "read"}', "below"),
        ('{"id": 1}', "expected the key 'ask'"),
        ('{"id": 1, "ask": 3}', "as a string"),
        ('{"id": 1, "cancel": false}', "expected cancel to be true"),
        ('{"id": 1, "cancel": true, "ask": "read"}', "expected a key among"),
        ('{"id": 1, "id": 2, "ask": "read"}', "once"),
        ('{"id": NaN}', "found NaN"),
        ("[" * 100_000, "too deeply"),
        ('{"id": ' + "9" * 5000 + "}", "few digits"),
    ],
)
def test_malformed_messages(message: str, problem: str) -> None:
    with pytest.raises(BoardError, match=problem):
        Question.of(message)


@pytest.mark.parametrize(
    ("kind", "fields", "problem"),
    [
        ("nonsense", {}, "expected a question among read, picture, write"),
        ("solve", {"board": "#" * 10_001}, "1 to 10,000 cells"),
        ("explain", {"board": SMALL, "cell": [0, 3]}, "expected a covered cell"),
        ("explain", {"board": SMALL, "cell": [9, 9]}, "expected a covered cell"),
        ("grid", {"rows": 101, "cols": 100}, "1 to 10,000 cells"),
        ("grid", {"rows": 3, "cols": 3, "topology": "moebius"}, "expected a topology"),
        ("deal", {"rows": 3, "cols": 3, "mines": 2}, "where play starts"),
        ("deal", {"rows": 3, "cols": 3, "mines": 2, "start": [3, 3]}, "start"),
        ("deal", {"rows": 3, "cols": 3, "mines": 10, "start": [0, 0]}, "10"),
        ("deal", {"rows": 3, "cols": 3, "mines": 9, "start": [0, 0]}, "room"),
        ("deal", {"layout": "..\n..", "rows": 2, "start": [0, 0]}, "expected no 'rows' beside 'layout'"),
        ("deal", {"rows": 3, "cols": 3, "mines": 1, "start": [0, 0], "seed": "s" * 61}, "60 characters"),
        ("watch", {"agent": "nobody", "rows": 3, "cols": 3, "mines": 1}, "expected an agent"),
        ("watch", {"agent": "sat:../../etc/passwd", "rows": 3, "cols": 3, "mines": 1}, "expected"),
        ("watch", {"agent": "sat", "rows": 3000, "cols": 3000, "mines": 1}, "1 to 10,000 cells"),
        ("animate", {"rows": 3, "cols": 3, "mines": 1}, "expected 'moves' or 'agent' with 'animate'"),
        ("animate", {"agent": "sat", "moves": [], "rows": 3, "cols": 3, "mines": 1}, "expected no 'agent'"),
        ("animate", {"moves": [["open"]], "rows": 3, "cols": 3, "mines": 1}, "expected an action and a cell"),
        ("animate", {"moves": [["note", [0, 0]]], "rows": 3, "cols": 3, "mines": 1}, "one of open, flag, unflag"),
        ("animate", {"moves": [["open", [0, 3]]], "rows": 3, "cols": 3, "mines": 1}, "3x3 grid, found 0,3"),
        ("read", {}, "expected 'text' or 'base64' with 'read'"),
        ("read", {"text": SMALL, "base64": ""}, "expected no 'base64' beside 'text'"),
        ("read", {"base64": "***"}, "expected base64"),
        ("read", {"text": "/etc/passwd"}, "expected"),
        ("write", {"board": SMALL, "format": "word"}, "expected a format among"),
        ("write", {"board": SMALL, "format": "avf"}, "only read"),
    ],
)
def test_questions_without_an_answer(kind: str, fields: dict[str, object], problem: str) -> None:
    with pytest.raises(SatsweepError, match=problem):
        ask(kind, **fields)


@FEW
@given(malformed_bytes())
def test_any_bytes_have_an_answer_or_a_reason(content: bytes) -> None:
    try:
        ask("read", base64=base64.b64encode(content).decode())
    except SatsweepError as error:
        assert str(error)


@FEW
@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)).map(json.dumps))
def test_any_text_is_a_question_or_refused(text: str) -> None:
    try:
        Question.of(text)
    except BoardError as error:
        assert json.loads(questions.refusal(questions.id_of(text), error))["error"]["message"]


def test_no_file_is_read_that_a_client_names(tmp_path: Path) -> None:
    """Text is a position, even if a file has that name."""
    file = tmp_path / "secret"
    file.write_text(SMALL)
    with pytest.raises(BoardError):
        ask("read", text=str(file))
    with pytest.raises(BoardError):
        ask("solve", board=str(file))


def test_token_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = TokenBucket(rate=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now = 100.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now = 200.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


# The server


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(
        rate=1000, burst=1000, message=200_000, picture=300_000, waiting=4, per_address=8, opened=1000
    ) as found:
        yield found


@pytest.fixture
def asker(url: str) -> Iterator[Asker]:
    with asking(url) as found:
        yield found


def test_the_page_and_what_it_may_do(url: str) -> None:
    page = httpx.get(url)
    assert page.status_code == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    assert {name: page.headers[name] for name in HEADERS} == HEADERS
    assert "'unsafe" not in page.headers["content-security-policy"]
    assert "server" not in page.headers
    for name in ("app/style.css", "app/main.js", "board/mine.svg", "engine/engine.js"):
        assert httpx.get(url + name).status_code == 200
    engine = httpx.get(f"{url}engine/satsweep.wasm")
    assert engine.content == WASM.read_bytes() and engine.headers["content-type"] == "application/wasm"


@pytest.mark.parametrize(
    "path", ["app.py", "static/app/main.js", "../app.py", "%2e%2e/app.py", "..%2fapp.py", "/etc/passwd"]
)
def test_no_other_file_is_served(url: str, path: str) -> None:
    assert httpx.get(url + path).status_code == 404


@pytest.mark.extended
def test_the_page_needs_no_other_server(url: str) -> None:
    from importlib.resources import files

    for file in files("satsweep.page").joinpath("static").iterdir():
        if file.is_dir():
            continue
        text = file.read_text("utf-8").replace("http://www.w3.org/", "")
        assert "http://" not in text and "https://" not in text and "style=" not in text
        added = re.compile('<link rel="modulepreload" .*\n')
        assert added.sub("", httpx.get(url + file.name).text) == file.read_text("utf-8")


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"host": "localhost:1"}, True),
        ({"host": "[::1]:1"}, True),
        ({"host": "192.0.2.7"}, True),
        ({"host": "evil.example"}, False),
        ({"host": "localhost.evil.example"}, False),
        ({"host": "["}, False),
        ({"host": "localhost:1", "origin": "http://localhost:1"}, True),
        ({"host": "localhost:1", "origin": "http://localhost:2"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
    ],
)
def test_foreign_names_and_pages_are_refused(url: str, headers: dict[str, str], allowed: bool) -> None:
    assert (httpx.get(url, headers=headers).status_code == 200) == allowed


def test_foreign_pages_get_no_connection(url: str) -> None:
    with pytest.raises(InvalidStatus), asking(url, origin="http://evil.example"):
        pass
    with asking(url, origin=url.rstrip("/")) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1


def test_answers_come_over_the_wire(asker: Asker) -> None:
    assert asker.answer("solve", board=SMALL)["best"] == [2, 1]
    parts, ended = asker.whole("watch", agent="sat", rows=9, cols=9, mines=10, seed=1, start=[4, 4], first="zero")
    assert [set(part) for part in parts[:1]] == [{"rules", "mines", "rows", "cols", "topology", "remarks", "goal"}]
    assert ended["answer"]["outcome"] == "cleared"
    error = asker.error("solve", board="#x#")
    assert error == {"message": "expected one of # . 0-8 * F ?, found 'x'", "line": 1, "column": 2}


def test_large_messages_are_refused_with_a_reason(asker: Asker) -> None:
    asker.socket.send("x" * 200_001)
    error = asker.receive()
    assert error == {"id": None, "error": {"message": "expected at most 200,000 characters, found 200,001"}}
    assert asker.answer("solve", board=SMALL)["safe"] == 1


def test_a_picture_may_be_larger(asker: Asker) -> None:
    """Too many pixels are refused by a worker, too many characters before that."""
    error = asker.error("picture", width=1, height=1, pixels="A" * 250_000)
    assert error == {"message": "expected pixels that are compressed by zlib, in base64"}
    tried = ((300_000, "picture", {"pixels": "A" * 300_000}), (200_000, "solve", {"board": "#" * 250_000}))
    for most, kind, fields in tried:
        asker.send(kind, **fields)
        assert asker.receive()["error"]["message"].startswith(f"expected at most {most:,} characters")


def test_much_larger_ones_end_the_connection(asker: Asker) -> None:
    with pytest.raises(ConnectionClosed) as closed:
        asker.socket.send("x" * 900_000)
        asker.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_bytes_and_nonsense_are_refused_with_a_reason(asker: Asker) -> None:
    asker.socket.send(b"\x00\xff")
    assert asker.receive() == {"id": None, "error": {"message": "expected text, found bytes"}}
    asker.socket.send('{"id": 5, "ask": ["solve"]}')
    assert asker.receive()["id"] == 5
    for text in ("{", ""):
        asker.socket.send(text)
        assert asker.receive()["id"] is None
    assert asker.answer("solve", board=SMALL)["safe"] == 1


@pytest.mark.extended
def test_an_id_is_used_once_at_a_time_and_few_questions_wait(asker: Asker) -> None:
    ids = [asker.send("conflict", board=HOSTILE) for _ in range(4)]
    asker.socket.send(json.dumps({"id": ids[0], "ask": "read"}))
    assert "expected a new id" in asker.receive()["error"]["message"]
    asker.send("rate")
    assert asker.receive()["error"]["message"] == "at most 4 questions can wait for their answers"
    for id in ids:
        asker.socket.send(json.dumps({"id": id, "cancel": True}))
    answered = {asker.receive()["id"] for _ in ids}
    assert answered == set(ids)
    assert asker.answer("solve", board=SMALL)["safe"] == 1


@pytest.mark.parametrize("ask", ["watch", "animate"])
def test_a_game_can_be_left(ask: str, asker: Asker) -> None:
    id = asker.send(ask, agent="sat", rows=100, cols=100, mines=1900, seed=1, start=[50, 50], first="zero")
    assert ("rules" in asker.receive()["part"]) == (ask == "watch")
    asker.socket.send(json.dumps({"id": id, "cancel": True}))
    while "part" in (message := asker.receive()):
        pass
    assert message["id"] == id
    assert asker.answer("solve", board=SMALL)["safe"] == 1


def test_connections_are_counted(url: str) -> None:
    from contextlib import ExitStack

    with ExitStack() as stack:
        askers = [stack.enter_context(asking(url)) for _ in range(8)]
        assert askers[-1].answer("solve", board=SMALL)["safe"] == 1
        with asking(url) as late, pytest.raises(ConnectionClosed) as closed:
            late.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013


@pytest.mark.extended
def test_clients_with_expensive_questions_do_not_delay_others() -> None:
    with served(answering=1.5, solving=0.5) as url, asking(url) as hostile, asking(url) as other:
        ids = [hostile.send("conflict", board=HOSTILE) for _ in range(3)]
        asked = [other.send("solve", board=SMALL) for _ in range(5)]
        error = hostile.receive()
        assert error["id"] == ids[0] and error["error"]["message"] == "no answer within 1.5 seconds"
        assert [other.receive()["id"] for _ in asked] == asked
        with pytest.raises(TimeoutError):
            hostile.socket.recv(0)
        assert [hostile.receive()["id"] for _ in ids[1:]] == ids[1:]


class Sender:
    """A client or a connection."""


def test_one_client_has_at_most_half_of_the_workers_while_there_are_several() -> None:
    queue, busy, other = FairQueue(4), Sender(), Sender()
    for id in range(6):
        queue.put(Job(busy, busy, id, b"", 20.0))
    taken = [queue.take() for _ in range(4)]
    assert [job.id for job in taken if job] == [0, 1, 2]  # nobody else is there, but one worker is reserved
    queue.put(Job(other, other, 9, b"", 20.0))
    quick = queue.take()
    assert quick is not None and quick.id == 9
    for job in (*taken[:2], quick):
        assert job is not None
        queue.finish(job, 6.0)
    following = queue.take()
    assert following is not None and following.id == 3
    assert queue.take() is None and len(queue) == 2


@pytest.mark.extended
def test_a_worker_that_dies_is_told_and_replaced() -> None:
    with served() as url, asking(url) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1
        asker.send("conflict", board=HOSTILE)
        # A worker that dies before it has the question costs nothing.
        while not (message := asker.receive_within(0.5)):
            for worker in url.workers():
                os.kill(worker, signal.SIGKILL)
        assert message["error"]["message"] == "the worker process ended before it had an answer"
        assert asker.answer("solve", board=SMALL)["safe"] == 1


@pytest.mark.extended
def test_too_many_messages_are_refused_and_then_end_the_connection() -> None:
    with served(rate=0.001, burst=2, patience=3) as url, asking(url) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1
        assert "error" in asker.whole("rate")[1]
        for _ in range(3):
            assert asker.error("rate")["message"] == "at most 0.001 messages a second are taken"
        with pytest.raises(ConnectionClosed) as closed:
            asker.error("rate")
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008


@pytest.mark.extended
def test_a_worker_that_has_grown_is_replaced() -> None:
    """With one byte to keep, each worker gives one answer, and another replaces it."""
    with served(memory_kept=1) as url, asking(url) as asker:
        assert [asker.answer("solve", board=SMALL)["safe"] for _ in range(3)] == [1, 1, 1]


@pytest.mark.extended
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is bounded where there is RLIMIT_AS")
def test_more_memory_than_there_is_is_an_answer_too() -> None:
    from satsweep.page.questions import MEBI

    with served(memory=700 * MEBI) as url, asking(url) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1


def test_every_question_holds_the_limits() -> None:
    limits, big = Limits(cells=12), "####\n" * 4
    size: dict[str, object] = {"rows": 4, "cols": 4, "mines": 1}
    asked: list[tuple[str, dict[str, object]]] = [
        ("grid", {"rows": 4, "cols": 4}),
        ("deal", size | {"start": [0, 0]}),
        ("watch", size | {"agent": "sat"}),
        ("animate", size | {"agent": "sat"}),
        ("animate", size | {"moves": []}),
        ("solve", {"board": big}),
        ("conflict", {"board": big}),
        ("advice", {"board": big}),
        ("explain", {"board": big, "cell": [0, 0]}),
        ("read", {"text": big}),
    ]
    for kind, fields in asked:
        with pytest.raises(BoardError, match="1 to 12 cells"):
            ask(kind, limits, **fields)


# The command


def command(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "satsweep", "serve", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.extended
def test_serve_listens_on_this_machine_until_it_is_interrupted() -> None:
    server = command("--port", "0", "--workers", "1")
    assert server.stdout is not None
    found = re.fullmatch(r"satsweep is at (http://127\.0\.0\.1:(\d+)/) \(Ctrl-C stops it\)\n", server.stdout.readline())
    assert found is not None
    address = Address(found[1])
    address.pid = server.pid
    with asking(address) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", int(found[2])), 5)
    workers = address.workers()
    server.send_signal(signal.SIGINT)
    assert (*server.communicate(timeout=PATIENCE), server.returncode) == ("", "", 130)
    assert workers and not any(os.path.exists(f"/proc/{pid}") for pid in workers)


def test_serve_says_why_it_cannot() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        server = command("--port", port)
        assert (
            server.communicate(timeout=PATIENCE)[1]
            == f"cannot listen on 127.0.0.1, port {port}: Address already in use\n"
        )
        assert server.returncode == 3


def test_serve_names_the_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from satsweep.cli import app, serve

    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 3
    assert "pip install -e '.[web]' in the checkout" in result.output
