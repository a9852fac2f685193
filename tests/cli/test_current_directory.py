"""Python files of the current directory are never run by processes of a command."""

import ast
import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from satsweep.cli import COMMANDS
from satsweep.page.offline.build import WHEELS
from satsweep.page.questions import LIMITS
from satsweep.page.workers import Pool
from tests import PATIENCE, ROOT

NAMES = (
    "argparse", "asyncio", "base64", "bisect", "collections", "copy", "dataclasses", "fractions", "functools",
    "hashlib", "json", "numpy", "pip", "pickle", "queue", "random", "satsweep", "scipy", "secrets", "selectors",
    "shutil", "signal", "socket", "statistics", "struct", "subprocess", "tempfile", "threading", "typing", "uuid",
)  # fmt: skip
"""Modules that Python and satsweep load; a user may have a file of the same name."""
GAMES = ("--board", "4x4/3", "--games", "4", "--jobs", "2", "--agents")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A directory with a file for each name, which leaves its name behind when it is run."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open('ran-{name}', 'w').close()\nraise ImportError('planted')\n")
    return tmp_path


def run(planted: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONSAFEPATH", None)
    command = [sys.executable, str(ROOT / "cli.py"), *words]
    return subprocess.run(
        command, cwd=planted, env=environment, capture_output=True, text=True, input="quit\n", timeout=PATIENCE
    )


LINES: dict[str, tuple[str, ...]] = {
    "solve": ("board.txt", "--deep"),
    "explain": ("board.txt",),
    "rate": ("layouts.jsonl", "--start", "2,2"),
    "clicks": ("layout.txt",),
    "verify": ("board.txt", "certificate.json"),
    "play": ("--board", "4x4/3", "--agent", "own/mine.py:deduce"),
    "find-mines": ("--board", "4x4/3"),
    "chains": ("--board", "4x4/3", "--agent", "basic"),
    "generate": ("--board", "4x4/3", "--count", "3", "--jobs", "2"),
    "review": ("games",),
    "audit-keys": ("keys.jsonl",),
    "corpus": ("make", "made", "--table", "puzzles", "--count", "2", "--jobs", "2"),
    "bench": ("--model", "sat", "--count", "1"),
    "audit": ("--agent", "own/mine.py:deduce", "--board", "4x4/3", "--games", "2"),
    "report": ("--agent", "own/mine.py:deduce", "--board", "4x4/3", "--games", "2", "-o", "report.html"),
    "compare": (*GAMES, "basic,own/mine.py:deduce", "--store", "new.sqlite"),
    "results": ("store.sqlite",),
    "export": ("store.sqlite",),
    "ladder": ("stores",),
    "agents": (),
    "plans": (),
    "umi": (),
    "umi-test": (f"{sys.executable} -P {ROOT / 'cli.py'} agents",),
    "mcp": (),
    "convert": ("board.txt", "board.json"),
    "formats": (),
    "schema": ("board",),
    "engines": (),
    "help": ("all",),
}
"""Arguments of every command but ``serve`` and ``static``, which have tests of their own below."""


def test_every_command_is_run() -> None:
    assert {*LINES, "serve", "static"} == set(COMMANDS)


@pytest.mark.extended
@pytest.mark.parametrize(
    "command",
    [name if "--jobs" in words else pytest.param(name, marks=pytest.mark.extended) for name, words in LINES.items()],
)
def test_files_of_the_current_directory_are_not_run(planted: Path, command: str) -> None:
    for folder in ("own", "games", "stores"):
        (planted / folder).mkdir()
    (planted / "own/mine.py").write_text("def deduce(board):\n    return [], []\n")
    (planted / "layouts.jsonl").write_text('{"layout": ["*..", "...", "..."]}\n' * 30)
    (planted / "layout.txt").write_text("*..\n...\n...\n")
    (planted / "keys.jsonl").write_text('{"board": ["##", "##"], "mined": []}\n')
    (planted / "board.txt").write_text("mines 3\n##1.\n##21\n####\n")
    prepared: dict[str, list[tuple[str, ...]]] = {
        "review": [
            ("play", "--board", "4x4/3", "--agent", "basic", "--seed", seed, "--record", f"games/{seed}.json")
            for seed in ("1", "2", "3")
        ],
        "verify": [("solve", "board.txt", "--certify", "certificate.json")],
        **{name: [("compare", *GAMES, "basic,gem", "--store", "store.sqlite")] for name in ("results", "export")},
        "ladder": [("compare", *GAMES, "basic,gem", "--store", "stores/store.sqlite")],
    }
    for words in prepared.get(command, []):
        assert run(planted, *words).returncode == 0
    ran = run(planted, command, *LINES[command])
    # The engine of umi-test is none, which is said; it was started all the same.
    assert ran.returncode == (3 if command == "umi-test" else 0), ran.stdout + ran.stderr
    assert sorted(path.name for path in planted.glob("ran-*")) == [], ran.stdout + ran.stderr


@pytest.mark.extended
def test_the_server_does_not_run_files_of_the_current_directory(planted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(planted)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    async def start() -> None:
        async with Pool(1, LIMITS) as pool:
            while len(pool._ready) < pool.size:
                assert pool.problem is None
                await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(start(), 120))
    assert not list(planted.glob("ran-*"))


@pytest.mark.extended
def test_pip_of_the_current_directory_is_not_run(planted: Path) -> None:
    command = WHEELS[0].command(planted)
    ran = subprocess.run([*command[: command.index("download")], "--version"], cwd=planted, capture_output=True)
    assert (ran.returncode, sorted(planted.glob("ran-*"))) == (0, [])


def test_one_module_knows_how_python_is_started() -> None:
    users = []
    for path in sorted((ROOT / "satsweep").rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "executable" in text else ():
            if isinstance(node, ast.Attribute) and node.attr == "executable":
                users.append(path.relative_to(ROOT / "satsweep").as_posix())
    assert users == ["interpreter.py", "kernels/build.py"]
