"""``satsweep convert`` and ``formats``, and ``solve`` for links and rules."""

import json
from pathlib import Path

import pytest

from satsweep import Board, Layout, Record
from satsweep.cli.convert import FIELDS, PARTS
from satsweep.formats import FileContent, all_formats, format_named, read_game_content, write
from satsweep.formats.format import PARTS as PARTS_OF_FORMATS
from tests import ROOT
from tests.cli import invoke, validate
from tests.formats.replay_files import clicks, link, rawvf
from tests.formats.test_formats_replays import FILES, FIRST, LAYOUT, LOST
from tests.formats.test_formats_statements import MANUAL

BOARD = Board(("##1.", "##21", "#F##"), mines=3)
SEARCH = ROOT / "examples" / "search_10x10.json"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "position"
    write(BOARD, path, format="text")
    return path


def test_the_formats_are_listed() -> None:
    result = invoke("formats")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == 2 * len(all_formats())
    assert [line.split()[0] for line in lines[::2]] == list(all_formats())
    assert "jsm               board         read and write  .mine" in lines
    assert "evf               board layout  read only" in lines
    assert "cnf               board rules   write only      .cnf" in lines
    assert all(format.summary in line for format, line in zip(all_formats().values(), lines[1::2], strict=True))


# --- what comes out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suffix", "name"), [(".mine", "jsm"), (".board", "board"), (".json", "json"), (".TXT", "text")]
)
def test_a_board_to_a_file(suffix: str, name: str, board: Path, tmp_path: Path) -> None:
    path = tmp_path / f"out{suffix}"
    assert invoke("convert", board, path).exit_code == 0
    assert path.read_text() == format_named(name).write(BOARD)
    assert Board.load(path) == BOARD


def test_bytes_to_standard_output(tmp_path: Path) -> None:
    result = invoke("convert", "3x2n1:u20", "--format", "mbf")
    assert result.stdout_bytes == bytes([3, 2, 0, 1, 2, 0])
    assert invoke("convert", "-", "--format", "ptta-link", stdin=result.stdout_bytes).stdout.endswith("?b=32&m=40\n")


def test_both_conventions_of_the_mine_search(tmp_path: Path) -> None:
    old = ROOT / "examples" / "search_6x12_old.json"
    new = json.loads(invoke("convert", old, "--format", "georgia-tech").stdout)
    again = json.loads(invoke("convert", old, "--format", "georgia-tech-old").stdout)
    assert (new["dim"], again) == ("6,12", json.loads(old.read_text()))
    given = invoke("convert", old, "--from", "georgia-tech-old", "--format", "text")
    assert given.stdout == f"{Layout.load(old)}\n"


@pytest.mark.parametrize("name", FILES)
def test_a_replay(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ms_toollib")
    path = tmp_path / "game"
    path.write_bytes(FILES[name])
    without = ("--without", "moves")
    at_the_end = invoke("convert", path, "--format", "text", *without, "--without", "layout")
    assert at_the_end.stdout == f"{Board.load(path)}\n"
    assert invoke("convert", path, "--format", "text", *without).stdout == f"{LAYOUT}\n"
    assert invoke("convert", path, "--format", "mbf-hex", *without).stdout == format_named("mbf-hex").write(LAYOUT)
    result = invoke("convert", path, "--format", "json")
    assert read_game_content(result.stdout.encode()) == Record.load(path)
    result = invoke("convert", path, "--format", "text")
    assert result.exit_code == 3 and "expected no game, found one: --without moves leaves its layout" in result.stderr
    if name == "rmv":
        assert invoke("convert", path, "--format", "text", "--at", 0.6).stdout == f"{FIRST}\n"
        assert invoke("convert", path, "--format", "text", "--at", 99).stdout == f"{LOST}\n"


# --- nothing is lost, and no option is ignored ------------------------------------------------------------------------

HEXAGONAL = Layout(("*..", "...", "..."), topology="hexagonal")
SAMPLES = ROOT / "tests" / "formats" / "samples"
INPUTS: dict[str, str | bytes] = {
    "board": "mines 3\n##1.\n##21\n#F##\n",
    "dense board": "density 1/5\n#1\n",
    "bare board": "#1\n",
    "board with a comment": "// from a friend\nmines 1\n#1\n",
    "board with an id": '{"id": 7, "comment": [1], "board": ["#1"], "mines": 1}',
    "layout": "*..\n...\n",
    "layout with a start": "start 0,2\n*..\n...\n",
    "layout with an id": '{"id": "x", "layout": ["*.."], "start": [0, 2]}',
    "layout of hexagons": f"{HEXAGONAL}\n",
    "two in JSON": '{"layout": ["*.."], "board": ["##."]}',
    "both": (SAMPLES / "both.board").read_text(),
    "remarks": (SAMPLES / "ascii.board").read_text(),
    "real": "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: 3\nmines: 1\ngame_mode: classic\n[real]\n*10\n",
    "rules": '{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 3, "total_mines": 1}',
    "search": SEARCH.read_text(),
    "moves": '{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019", "moves": [[0, 2]]}',
    "player": '{"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019", "player": "me"}',
    "click path": link(LAYOUT, [("left", 0, 0), ("right", 0, 2)]),
    "ptta link": "?b=0302&m=40",
    "replay": rawvf(LAYOUT, clicks(("left", 0, 0), ("right", 0, 2))),
    "replay without moves": rawvf(LAYOUT, ()),
    "record": (SAMPLES / "record.json").read_text(),
    "saved game": (SAMPLES / "mines.sav").read_text(),
    "rmv": FILES["rmv"],
    "game ID": "3x2:0,0,u20",
    "mbf": bytes([3, 2, 0, 1, 2, 0]),
}
OPTIONS = [
    ("--covered",),
    ("--at", "1.5"),
    ("--mines", "4"),
    *(("--without", name) for name in (*FIELDS, *PARTS)),
]
WRITTEN = [name for name, form in all_formats().items() if form.writer is not None]


def converted(source: str | bytes, name: str, *options: str) -> tuple[int, bytes]:
    result = invoke("convert", "-", "--to", name, *options, stdin=source)
    if result.exit_code == 3:
        assert result.stdout == "" and result.stderr.count("\n") == 1
    assert result.exit_code in (0, 2, 3) and (result.exit_code == 0 or result.stdout_bytes == b"")
    return result.exit_code, result.stdout_bytes


@pytest.mark.parametrize("name", INPUTS)
def test_everything_is_written_or_the_format_is_refused(name: str, tmp_path: Path) -> None:
    """What is written without a word holds all that there was: it is read as the same value, and no part is missing."""
    if name == "rmv":
        pytest.importorskip("ms_toollib")
    path, source = tmp_path / "input", INPUTS[name]
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    given = FileContent.of(path)
    kind = Record if "moves" in given.parts else type(given.read())
    done = 0
    for to in WRITTEN:
        code, content = converted(source, to)
        if code == 0 and to not in ("cnf", "rules", "georgia-tech-old"):
            assert not given.parts - {"moves"}, f"{to} lost {given.parts}"
            assert all_formats()[to].read_as(kind, content if to == "mbf" else content.decode()) == given.read_as(kind)
            done += 1
    assert bool(done) is (name not in ("rules", "player") and not given.parts - {"moves"})


@pytest.mark.parametrize(
    ("pairs", "outputs"),
    [
        (False, ("text", "json", "rawvf")),
        pytest.param(False, ("jsm", "mbf-hex", "board"), marks=pytest.mark.extended),
        pytest.param(True, ("text",), marks=pytest.mark.extended),
    ],
    ids=["one", "one, other outputs", "two"],
)
@pytest.mark.parametrize("name", INPUTS)
def test_an_option_of_convert_makes_a_difference_or_is_refused(
    name: str, pairs: bool, outputs: tuple[str, ...]
) -> None:
    """Any option, alone and beside another one, for every kind of input and of output."""
    if name == "rmv":
        pytest.importorskip("ms_toollib")
    for to in outputs[:1] if name == "rmv" else outputs:
        for one in OPTIONS if pairs else [()]:
            before = converted(INPUTS[name], to, *one)
            for other in OPTIONS:
                after = converted(INPUTS[name], to, *one, *other)
                assert after != before or after[0] != 0 or one == other, (to, one, other)


def test_the_parts_are_those_of_the_formats() -> None:
    """They stand twice, since the help of the command is made without the formats."""
    assert PARTS == PARTS_OF_FORMATS


def test_what_is_lost_is_named_with_the_option_that_allows_it() -> None:
    for name, to, words in (
        ("replay", "text", "expected no game, found one: --without moves leaves its layout"),
        ("saved game", "jsm", "leaves its layout, and --without layout with it the position at the end"),
        ("both", "mbf", "expected a board or a layout, found both: --without board or --without layout leaves one"),
        ("board with an id", "text", "expected no id, found one: --without id leaves it out"),
        ("board with a comment", "json", "expected no comment, found one: --without comment leaves it out"),
    ):
        result = invoke("convert", "-", "--to", to, stdin=INPUTS[name])
        assert result.exit_code == 3 and result.stderr.startswith(f"<stdin>: cannot be written as {to}: ")
        assert words in result.stderr


def test_parts_are_left_out_on_request() -> None:
    for name, to, gone, left in (
        ("board with an id", "text", "id comment", "mines 1\n#1\n"),
        ("both", "mbf-hex", "board", "03 01 00 01 00 00\n"),
        ("both", "text", "layout", "mines 1\n#1#\n"),
        ("saved game", "text", "moves layout", "mines 2\n.1F#\n122#\n####\n####\n"),
        ("saved game", "text", "moves start", "mines 2\n..*.\n....\n.*..\n....\n"),
    ):
        without = [word for part in gone.split() for word in ("--without", part)]
        assert converted(INPUTS[name], to, *without) == (0, left.encode())


def test_a_game_is_converted_with_its_moves(tmp_path: Path) -> None:
    """Between the formats that hold games, in either direction; a record is a layout, too."""
    (path := tmp_path / "game.rawvf").write_text(str(INPUTS["replay"]))
    assert invoke("convert", path, tmp_path / "game.json").exit_code == 0
    assert invoke("convert", tmp_path / "game.json", tmp_path / "again.rawvf").exit_code == 0
    assert Record.load(path) == Record.load(tmp_path / "game.json") == Record.load(tmp_path / "again.rawvf")
    left = invoke("convert", tmp_path / "game.json", "--to", "mbf-hex", "--without", "moves")
    assert left.stdout == format_named("mbf-hex").write(LAYOUT)


# --- solve -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.json"
    write(MANUAL, path, format="rules")
    return path


def test_rules_are_solved(rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "answer"
    assert invoke("solve", rules, "--format", "json", "-o", path, "--engine", "sat").exit_code == 0
    answer = json.loads(path.read_text())
    validate(answer, "rules")
    assert answer["worlds"] == "237093780" and answer["complete"] is True and answer["elsewhere"] == "6/77"
    assert dict(answer["risk_exact"]) | {"H": "71/77", "I": "6/77"} == dict(answer["risk_exact"])
    assert dict(answer["risk"])["A"] == 0 and answer["safe"] == ["A", "E", "G"]


def test_rules_and_a_budget(tmp_path: Path) -> None:
    """Cells not counted in time are unknown; forced cells are there."""
    cells = [f"c{index}" for index in range(40)]
    said = [{"num_mines": 2, "cells": cells[first : first + 5]} for first in range(0, 36, 2)]
    path = tmp_path / "rules"
    path.write_text(json.dumps({"rules": [*said, {"num_mines": 1, "cells": ["sure"]}]}))
    result = invoke("solve", path, "--budget", "0")
    assert result.exit_code == 4
    assert "the risk of 39 of 40 named cells is not known" in result.stderr
    assert "mines           sure\n" in result.stdout and "not counted     c0 " in result.stdout
    answer = json.loads(invoke("solve", path, "--budget", "0", "--format", "json").stdout)
    assert dict(answer["risk"])["c0"] is None and answer["complete"] is False
