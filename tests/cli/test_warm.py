"""Command ``warm``, and warnings about kernels in all commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from satsweep import cli
from satsweep.kernels import library
from satsweep.kernels.library import ENVIRONMENT, KernelWarning, Library
from tests.cli.test_cli import ROOT, invoke
from tests.kernels.test_library import fresh as fresh

QUICK = """
import sys
from pathlib import Path
from satsweep.kernels import build
from satsweep.kernels.library import Library

def write(directory, parts):
    for part in parts:
        print("1 2", flush=True)
        Library(directory, part).write(b"code")

build.build = write
build.main()
"""


def warm(**environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, whose compiler needs no time."""
    code = (
        f"import subprocess, sys\nfrom satsweep.kernels import library\n"
        f"start = subprocess.Popen\n"
        f"def begin(words, **more): return start([words[0], '-c', {QUICK!r}, *words[4:]], **more)\n"
        f"subprocess.Popen = begin\nsys.argv[1:] = ['warm']\nfrom satsweep.cli import main\nmain()"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment}
    )


def test_it_compiles_and_says_where(tmp_path: Path) -> None:
    first = warm(SATSWEEP_CACHE_DIR=str(tmp_path))
    (place,) = tmp_path.iterdir()
    assert (first.returncode, first.stderr) == (0, "")
    assert re.fullmatch(rf"compiled in \d+ s, kept in {re.escape(str(place))}\n", first.stdout)
    assert {path.name for path in place.iterdir()} == {"games.o", "deep.o", "build.lock"}
    again = warm(SATSWEEP_CACHE_DIR=str(tmp_path))
    assert (again.returncode, again.stderr, again.stdout) == (0, "", f"already compiled, in {place}\n")


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = warm(SATSWEEP_CACHE_DIR=str(tmp_path / "file"))
    line = f"compiled kernels cannot be kept: set {ENVIRONMENT} to a directory of yours to compile just once\n"
    assert (ran.returncode, ran.stderr, ran.stdout) == (3, line, "")


def test_what_is_damaged_is_compiled_again(tmp_path: Path) -> None:
    warm(SATSWEEP_CACHE_DIR=str(tmp_path))
    (file,) = tmp_path.glob("*/deep.o")
    file.write_bytes(b"")
    ran = warm(SATSWEEP_CACHE_DIR=str(tmp_path))
    assert (ran.returncode, ran.stderr) == (0, f"compiled kernels in {file} are left alone: the file is damaged\n")
    assert Library(file.parent, "deep").read() == b"code"


def test_what_cannot_be_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.warns(KernelWarning, match="the kernels could not be compiled: the compiler ended with 1"):
        assert invoke("warm").exit_code == 3
    assert library.keeper() is None


def test_a_warning_is_a_line() -> None:
    assert cli._warning_line("why", KernelWarning, "file.py", 3) == "why\n"
    own = cli._warning_line("why", UserWarning, "file.py", 3, "code")
    assert own == "file.py:3: UserWarning: why\n  code\n"
