"""Python files of the current directory are never run by processes of a command."""

import ast
import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from satsweep.offline.pieces import WHEELS
from satsweep.web.questions import LIMITS
from satsweep.web.workers import Pool
from tests import ROOT

NAMES = (
    "argparse", "asyncio", "base64", "bisect", "collections", "copy", "dataclasses", "fractions", "functools",
    "hashlib", "json", "numpy", "pip", "pickle", "queue", "random", "satsweep", "scipy", "secrets", "selectors",
    "shutil", "signal", "socket", "statistics", "struct", "subprocess", "tempfile", "threading", "typing", "uuid",
)  # fmt: skip
"""Modules that Python and satsweep load; a user may have a file of the same name."""
GAMES = ("compare", "--board", "4x4/3", "--games", "4", "--jobs", "2", "--agents")


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
    return subprocess.run(command, cwd=planted, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    "words",
    [
        (*GAMES, "basic,gem"),
        (*GAMES, "basic,own/mine.py:deduce"),
        ("audit", "--agent", "own/mine.py:deduce", "--board", "4x4/3", "--games", "2"),
        ("generate", "--board", "4x4/3", "--count", "3", "--jobs", "2"),
        ("review", "games"),
        ("rate", "layouts.jsonl", "--start", "2,2"),
    ],
    ids=" ".join,
)
def test_files_of_the_current_directory_are_not_run(planted: Path, words: tuple[str, ...]) -> None:
    for folder in ("own", "games"):
        (planted / folder).mkdir()
    (planted / "own/mine.py").write_text("def deduce(board):\n    return [], []\n")
    (planted / "layouts.jsonl").write_text('{"layout": ["*..", "...", "..."]}\n' * 30)
    for seed in ("1", "2", "3"):
        run(planted, "play", "--board", "4x4/3", "--agent", "basic", "--seed", seed, "--record", f"games/{seed}.json")
    ran = run(planted, *words)
    assert (ran.returncode, sorted(path.name for path in planted.glob("ran-*"))) == (0, []), ran.stdout + ran.stderr


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


def test_pip_of_the_current_directory_is_not_run(planted: Path) -> None:
    command = WHEELS[0].command(planted)
    ran = subprocess.run([*command[: command.index("download")], "--version"], cwd=planted, capture_output=True)
    assert (ran.returncode, sorted(planted.glob("ran-*"))) == (0, [])


def test_one_module_knows_how_python_is_started() -> None:
    users = []
    for path in sorted((ROOT / "satsweep").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "executable":
                users.append(path.relative_to(ROOT / "satsweep").as_posix())
    assert users == ["interpreter.py", "kernels/build.py"]
