"""``satsweep convert`` and ``formats``, and ``solve`` for links and rules."""

import json
from pathlib import Path

import pytest

from satsweep import Board, Layout
from satsweep.formats import StatementSet, all_formats, format_named, read, write
from tests import ROOT
from tests.cli import invoke, validate
from tests.formats.test_formats_replays import FILES, FIRST, LAYOUT, LOST
from tests.formats.test_formats_statements import MANUAL

BOARD = Board(("##1.", "##21", "#F##"), mines=3)
SEARCH = ROOT / "examples" / "search_10x10.json"
LINK = "https://davidnhill.github.io/JSMinesweeper/index.html?board=4x3x3&analysis=aeadaaadTlbTslV"


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


@pytest.mark.parametrize("name", ["json", "jsm", "jsm-link", "board", "text"])
def test_a_board_to_standard_output(name: str, board: Path) -> None:
    for output in ([], ["-"]):
        result = invoke("convert", board, *output, "--format", name)
        assert result.exit_code == 0
        assert result.stdout == format_named(name).write(BOARD)
    assert invoke("convert", "-", "--format", name, stdin=str(BOARD)).stdout == format_named(name).write(BOARD)


@pytest.mark.parametrize(
    ("suffix", "name"), [(".mine", "jsm"), (".board", "board"), (".json", "json"), (".TXT", "text")]
)
def test_a_board_to_a_file(suffix: str, name: str, board: Path, tmp_path: Path) -> None:
    path = tmp_path / f"out{suffix}"
    assert invoke("convert", board, path).exit_code == 0
    assert path.read_text() == format_named(name).write(BOARD)
    assert Board.load(path) == BOARD


@pytest.mark.parametrize("suffix", [".mbf", ".abf", ".hex", ".rawvf", ".board", ".json", ".txt"])
def test_a_layout_to_a_file_and_back(suffix: str, tmp_path: Path) -> None:
    path, layout = tmp_path / f"out{suffix}", Layout(Layout.load(SEARCH).cells)
    assert invoke("convert", SEARCH, path, "--without", "start").exit_code == 0
    assert Layout.load(path) == layout
    back = invoke("convert", path, "--format", "tatham-masked")
    assert Layout.load(back.stdout.strip()) == layout


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


def test_rules_of_a_board(board: Path, tmp_path: Path) -> None:
    path = tmp_path / "rules"
    assert invoke("convert", board, path, "--format", "rules").exit_code == 0
    rules = StatementSet.load(path)
    assert (rules.total_cells, rules.total_mines) == (8, 3)
    assert read(path) == rules


@pytest.mark.parametrize("name", FILES)
def test_a_replay(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ms_toollib")
    path = tmp_path / "game"
    path.write_bytes(FILES[name])
    assert invoke("convert", path, "--format", "text").stdout == f"{Board.load(path)}\n"
    assert invoke("convert", path, "--format", "mbf-hex").stdout == format_named("mbf-hex").write(LAYOUT)
    if name == "rmv":
        assert invoke("convert", path, "--format", "text", "--at", 0.6).stdout == f"{FIRST}\n"
        assert invoke("convert", path, "--format", "text", "--at", 99).stdout == f"{LOST}\n"


# --- solve -----------------------------------------------------------------------------------------------------------


def test_a_link_is_solved() -> None:
    result = invoke("solve", LINK, "--format", "json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert (answer["rows"], answer["cols"], answer["mines"], answer["worlds"]) == (3, 4, 3, "12")


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


def test_rules_that_cannot_be_true() -> None:
    text = '{"rules": [{"num_mines": 1, "cells": ["b", "a\\n"]}, {"num_mines": 2, "cells": ["a\\n"]}]}'
    result = invoke("solve", "-", stdin=text)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("<stdin>: these rules cannot all be true: ")
    assert "2 among a\\n" in result.stderr and result.stderr.count("\n") == 1


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
