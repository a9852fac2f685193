"""Outputs: none is an input or another output, each is whole or as before, none takes what others wrote."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from satsweep.arena.blocks import versions
from satsweep.arena.plan import Plan
from satsweep.arena.store import Store
from satsweep.cli import COMMANDS, command_named
from satsweep.games.setting import Setting
from tests import ROOT, TESTS
from tests.cli import COMMAND, invoke, posix, said, start
from tests.conftest import Answers


def test_what_is_redirected_is_utf_8(tmp_path: Path) -> None:
    """A page says so, and its buttons are in no other encoding."""
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    invoke("play", "--board", "4x4/3", "--agent", "basic", "--seed", 1, "--record", tmp_path / "game.json")
    asked = ["review", str(tmp_path / "game.json"), "--format", "html"]
    done = subprocess.run([*COMMAND, *asked], capture_output=True, env=environment, cwd=ROOT, check=True)
    page = done.stdout.decode("utf-8")
    assert 'charset="utf-8"' in page and "\u2715" in page and r"\u2715" not in page


GOLDENS = TESTS / "cli" / "goldens"
LAYOUT = "*...\n....\n...*\n"
PLAN = """agents = ["basic", "mine.py:deduce"]
games = 1
[[boards]]
layouts = ["games.jsonl"]
"""
FILES = {
    "board.txt": "mines 1\n###\n11#\n",
    "layout.txt": LAYOUT,
    "games.jsonl": '{"layout": ["*..", "...", "..."]}\n',
    "mine.py": "import helper\n\ndef deduce(board):\n    return [], []\n",
    "helper.py": "",
    "plan.toml": PLAN,
    "empty": "",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    with Store("runs.db") as store:
        store.begin(Plan(("basic",), (Setting(5, 5, 4),)), versions())
    assert invoke("play", "--layout", "layout.txt", "--record", "game.json").exit_code == 0
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_it_is_refused_before_anything_happens(folder: Path, answers: Answers, link: Any) -> None:
    """By its own name, and by that of a link, where there is a file."""
    before = contents(folder)

    def error_of(call: str) -> str:
        *words, name = call.split()
        linked = link is not None and Path(name).exists() and Path(name).suffix != ".svg"
        given = f"link{Path(name).suffix}" if linked else name
        if linked:
            link(name, given)
        done = invoke(*words, given)
        if linked:
            Path(given).unlink()
        assert done.stdout == "" and contents(folder) == before
        return f"{done.exit_code} {said(done.stderr)}".replace(f"found {given}", f"found {name}")

    answers("overwrites.txt", error_of)


def test_every_option_that_names_an_output_is_in_the_list() -> None:
    lines = (GOLDENS / "overwrites.txt").read_text().split("$ ")[1:]
    named = {(call.split()[0], call.partition("'")[2].partition("'")[0]) for call in lines}
    missing = {
        (command, parameter.name)
        for command in COMMANDS
        for parameter in command_named(command).params
        if parameter.type.name in ("path", "file") and not {(command, one) for one in _names(parameter)} & named
    }
    folders = {("static", "directory"), ("static", "wheels"), ("corpus", "folder")}
    assert missing == {("generate", "output")} | folders, "the first of several outputs, and no inputs"


def _names(parameter: Any) -> list[str]:
    return [*parameter.opts, parameter.metavar or "", str(parameter.metavar).partition("|")[0]]


def test_names_that_no_file_can_have(folder: Path) -> None:
    for words in (("solve", "\0", "-o", "new.txt"), ("compare", "--agents", "\0.py:deduce", "--csv", "new.csv")):
        done = invoke(*words)
        assert (done.exit_code, done.stdout) == (3, "") and done.stderr.count("\n") == 1


def test_devices_may_serve_twice(folder: Path) -> None:
    done = invoke("play", "--layout", "layout.txt", "--transcript", os.devnull, "--record", os.devnull)
    assert done.exit_code == 0


@posix
def test_redirected_files_count(folder: Path) -> None:
    """Standard input and output are inputs and outputs, too."""
    for words, name, mode in (("solve - -o board.txt", "stdin", "r"), ("solve board.txt", "stdout", "a")):
        with Path("board.txt").open(mode) as stream:
            streams: dict[str, Any] = {"stdin": None, name: stream}
            done = subprocess.run([*COMMAND, *words.split()], **streams, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 2 and "expected another file" in " ".join(done.stderr.replace("│", " ").split())
        assert Path("board.txt").read_text() == FILES["board.txt"]


@pytest.mark.extended
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
@pytest.mark.parametrize(
    "call",
    [
        "solve board.txt",
        "verify board.txt proofs.json",
        "play",
        "play --interactive",
        "find-mines layout.txt --start 0,1",
    ],
)
def test_a_full_disk_under_standard_output_is_an_error(folder: Path, call: str) -> None:
    assert invoke("solve", "board.txt", "--certify", "proofs.json").exit_code == 0
    with open("/dev/full", "wb") as full:
        process = start(*call.split(), stdout=full)
        assert process.communicate()[1] == b"<stdout>: cannot write: No space left on device\n"
    assert process.returncode == 3


@posix
@pytest.mark.parametrize(
    "call",
    [
        "convert board.txt {} --format text",
        "play --layout layout.txt --record {}",
        *(
            pytest.param(call, marks=pytest.mark.extended)
            for call in (
                "generate --board 9x9/10 --seed 1 --format mbf -o {}",
                "generate --board 9x9/10 --seed 1 --format text -o {}",
                "rate layout.txt --start 2,0 -o {}",
            )
        ),
    ],
)
def test_a_full_disk_leaves_the_file_as_it_was(folder: Path, call: str) -> None:
    """A limit on the size of files, which is no more than that of the old file."""
    code = (
        "import resource, signal\n"
        "from satsweep.cli import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))\n"
        "main()\n"
    )
    words = call.format("old").split()
    Path("old").write_text("as it was")
    before = contents(folder)
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 3 and "old: cannot write: File too large" in done.stderr
    assert contents(folder) == before


@pytest.mark.parametrize("call", ["rate layout.txt --start 2,0", "review game.json"])
@pytest.mark.parametrize("content", ["game.json", "board.txt", "games.jsonl", "other"])
def test_work_is_kept_in_its_own_file_only(folder: Path, call: str, content: str) -> None:
    """A record, a board, lines of JSON, and what the other command keeps."""
    others = {"rate": "review game.json", "review": "rate layout.txt --start 2,0"}
    if content == "other":
        assert invoke(*others[call.split()[0]].split(), "--keep", "kept.jsonl").exit_code == 0
    else:
        Path("kept.jsonl").write_bytes(Path(content).read_bytes())
    before = contents(folder)
    done = invoke(*call.split(), "--keep", "kept.jsonl")
    name = {"rate": "ratings", "review": "reviews"}[call.split()[0]]
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.endswith(f"kept.jsonl: expected kept {name}, found something else\n")
    assert contents(folder) == before


@pytest.mark.parametrize("call", ["rate layout.txt --start 2,0", "review game.json"])
def test_kept_work_of_another_version_is_refused(folder: Path, call: str) -> None:
    words = [*call.split(), "--keep", "kept.jsonl"]
    first = invoke(*words).stdout
    assert invoke(*words).stdout == first
    head, *lines = Path("kept.jsonl").read_text().splitlines()
    values = json.loads(head)
    values["versions"]["satsweep"] = "0.0.9"
    Path("kept.jsonl").write_text("\n".join([json.dumps(values), *lines]))
    before = contents(folder)
    done = invoke(*words)
    assert (done.exit_code, done.stdout) == (3, "")
    said = "kept.jsonl: expected the versions that began it: satsweep 0.0.9, found "
    assert said in done.stderr and done.stderr.endswith("; use another file\n")
    assert contents(folder) == before
