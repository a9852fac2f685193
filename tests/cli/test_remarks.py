"""What ``solve`` and ``explain`` say on how they read a board, and on boards without covered cells."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli import invoke

QUESTION_MARKS = "0 0 0 1 ? ? ?\n0 0 0 1 ? ? ?\n0 0 0 1 ? ? ?\n2 2 1 1 ? ? ?\n? ? ? ? ? ? ?\n? ? ? ? ? ? ?\n"
TOTAL_FIRST = "6\nx x x x x x\nx x x x 2 1\nx x x x 1 0\nx x x 2 1 0\nx x x 1 0 0\n"
FINISHED = "01110111\n13*212*1\n2**21*21\n*3333210\n111**111\n0012211*\n"
LAYOUT = "mines 1\n*..\n...\n"


def valid(printed: str, schema: str) -> Any:
    """Value of JSON that the schema of a command allows."""
    value = json.loads(printed)
    jsonschema.validate(value, json.loads(invoke("schema", schema).stdout))
    return value


@pytest.mark.parametrize(
    ("text", "mines", "worlds", "safe", "sure", "risks", "remarks"),
    [
        (
            QUESTION_MARKS,
            ("--mines", 8),
            4760,
            "2,4 4,2 4,3",
            "4,0 4,1",
            {"0,4": "1/2", "1,4": "1/2", "3,4": "1/2", "4,4": "1/2", "5,6": "4/17"},
            ["read ? as covered cells"],
        ),
        (
            TOTAL_FIRST,
            (),
            880,
            "0,3 1,3 2,2",
            "2,3",
            {"0,4": "1/2", "0,5": "1/2", "3,2": "1/2", "4,2": "1/2", "0,0": "1/4"},
            ["read x as covered cells", "read the first line as the mine total"],
        ),
    ],
)
def test_boards_by_hand_are_solved(
    text: str,
    mines: tuple[object, ...],
    worlds: int,
    safe: str,
    sure: str,
    risks: dict[str, str],
    remarks: list[str],
) -> None:
    printed = invoke("solve", "-", *mines, stdin=text)
    assert printed.exit_code == 0 and printed.stdout.startswith("".join(f"{said}\n" for said in remarks) + "\n")
    answer = valid(invoke("solve", "-", *mines, "--json", stdin=text).stdout, "analysis")
    assert answer["worlds"] == str(worlds) and answer["remarks"] == remarks
    for key, cells in (("safe", safe), ("forced_mines", sure)):
        assert [f"{row},{col}" for row, col in answer[key]] == cells.split()
    for cell, risk in risks.items():
        row, col = map(int, cell.split(","))
        assert Fraction(answer["risk_exact"][row][col]) == Fraction(risk)
    again = invoke("solve", "-", "--json", stdin=printed.stdout).stdout
    assert json.loads(again)["safe"] == answer["safe"], "what is printed is read back"


def test_explain_says_it_too(tmp_path: Path) -> None:
    for more, key in (((), "reasons"), (("4,0",), "reason"), (("0,4",), "undecided")):
        text = invoke("explain", "-", *more, stdin=QUESTION_MARKS).stdout
        assert text.startswith("read ? as covered cells\n\n")
        answer = valid(invoke("explain", "-", *more, "--json", stdin=QUESTION_MARKS).stdout, "reason")
        assert key in answer and answer["remarks"] == ["read ? as covered cells"]
    picture = invoke("explain", "-", "4,0", "-o", tmp_path / "cell.svg", "--format", "svg", stdin=QUESTION_MARKS)
    assert picture.stderr == "read ? as covered cells\n" and picture.exit_code == 0
    wrong = invoke("explain", "-", "--json", stdin="?1\n21\n")
    assert wrong.exit_code == 1 and valid(wrong.stdout, "reason")["remarks"] == ["read ? as covered cells"]


def test_a_text_of_one_meaning_has_no_remark() -> None:
    text = "mines 2\n###\n?2#\n"
    printed = invoke("solve", "-", stdin=text).stdout
    assert printed.startswith("mines 2\n") and "open, shows nothing" in printed
    assert "remarks" not in json.loads(invoke("solve", "-", "--json", stdin=text).stdout)
    assert "remarks" not in json.loads(invoke("explain", "-", "--json", stdin=text).stdout)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (FINISHED, "no cell is covered: this is a finished board"),
        ("M1\n11\n", "no cell is covered: this is a finished board"),
        ("...\n", "no cell is covered"),
        ("**\n", "no cell is covered: this is a layout, with all its mines"),
        ("~.\n", "no cell is covered: ? is an open cell that shows nothing"),
        ('{"board": ["?.", ".."]}', "no cell is covered: ? is an open cell that shows nothing"),
    ],
)
def test_no_cell_is_covered(text: str, sentence: str) -> None:
    printed = invoke("solve", "-", stdin=text)
    assert printed.exit_code == 0 and printed.stdout.endswith(f"\n{sentence}\n")
    assert "worlds" not in printed.stdout and "safe " not in printed.stdout
    assert valid(invoke("solve", "-", "--json", stdin=text).stdout, "analysis")["remarks"] == [sentence]


@pytest.mark.parametrize("command", ["solve", "explain"])
def test_a_layout_is_called_one(command: str) -> None:
    sentence = "no cell is covered: this is a layout, with all its mines"
    printed = invoke(command, "-", stdin=LAYOUT)
    assert printed.exit_code == 1 and printed.stdout.startswith(f"{sentence}\n\n")
    assert printed.stderr.startswith(f"<stdin>: {sentence}; ") and printed.stderr.count("\n") == 1
    assert valid(invoke(command, "-", "--json", stdin=LAYOUT).stdout, "reason")["remarks"] == [sentence]


def test_a_finished_board_where_a_layout_is_asked_for(tmp_path: Path) -> None:
    board, layout = tmp_path / "finished.txt", tmp_path / "layout.txt"
    board.write_text(FINISHED)
    layout.write_text("".join(c if c in "*\n" else "." for c in FINISHED))
    for name, *options in (["rate", "--json"], ["clicks", "--json"], ["convert", "--to", "ptta-link"]):
        found, expected = (invoke(name, file, *options) for file in (board, layout))
        assert found.exit_code == 0 and found.stdout.replace(str(board), str(layout)) == expected.stdout, name
    clicks = json.loads(invoke("clicks", board, "--json").stdout)
    assert (clicks["mines"], clicks["lower"], clicks["upper"], clicks["3bv"]) == (9, 16, 16, 21)
    covered = invoke("convert", board, "--covered", "--to", "text").stdout
    assert covered == "mines 9\n" + "########\n" * 6
    board.write_text(FINISHED.replace("13*2", "13*3"))
    for name, *options in (["rate"], ["clicks"], ["convert", "--to", "ptta-link"]):
        wrong = invoke(name, board, *options)
        assert wrong.exit_code == 3 and wrong.stdout == ""
        assert wrong.stderr == f"{board}:2:4: expected 2, as many mines as are around, found 3\n"
