"""Audits of all files of a folder: one table, each in a process of its own."""

import json
from pathlib import Path

import pytest

from tests.cli import invoke

FILES = {
    "ann/mine.py": "def deduce(board: list[list[int]]): return [], []\n",
    "bob/mine.py": "import os\ndef deduce(board): os._exit(3)\n",
    "cem/mine.py": "def deduce(board: list[list[int]]): return [], [(0, 0)]\n",
    "dan/mine.py": "1 / 0\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.extended
def test_a_folder_of_submissions_is_one_table(folder: Path) -> None:
    result = invoke("audit", "--agent", f"{folder}/*/mine.py", "--board", "4x4/3", "--games", 2)
    head, *rows, broken = result.stdout.splitlines()
    assert result.exit_code == 1 and head.split() == [
        "agent", "claims", "unsound", "found", "beyond", "basic", "least", "risk", "failed",
    ]  # fmt: skip
    found = {row.split()[0]: row.split() for row in rows}
    assert [found[f"{folder}/{name}/mine.py"][-1] for name in ("ann", "bob", "cem")] == ["0", "2", "0"]
    assert int(found[f"{folder}/cem/mine.py"][2]) > 0
    said = "expected code that runs, found ZeroDivisionError at mine.py:1: division by zero"
    assert broken == f"{folder}/dan/mine.py: {said}"
    values = json.loads(
        invoke("audit", "--agent", f"{folder}/*/mine.py", "--board", "4x4/3", "--games", 2, "--json").stdout
    )["agents"]
    assert [one["passes"] for one in values] == [True, False, False, False]
    assert "ZeroDivisionError" in values[3]["error"]


def test_those_that_pass_are_a_success(folder: Path) -> None:
    arguments = ("audit", "--agent", f"{folder}/a*/mine.py", "--board", "4x4/3", "--games", 1)
    assert invoke(*arguments).exit_code == 0
    assert invoke(*arguments, "--format", "html").exit_code == 2
    assert invoke("audit", "--agent", f"{folder}/none*/mine.py").exit_code == 2
