"""Builds of libraries: one at a time, in the background, and never a reason to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from satsweep.kernels import library
from satsweep.kernels.library import ENVIRONMENT, Build, KernelError, KernelWarning, Library
from satsweep.solver.background import Arrival, Kernels
from tests import ROOT
from tests.kernels.test_library import fresh as fresh

QUICK = """
import sys, time
from pathlib import Path
from satsweep.kernels import build
from satsweep.kernels.library import Library

def write(directory, parts):
    time.sleep(0.5)
    print("builds")
    for part in parts:
        Library(directory, part).write(b"code")

build.build = write
build.main()
"""
"""A process that builds at once, with the lock and the checks of the real one."""


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache: the directory where this process builds."""
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    return library.directory()


def said_by(said: Any) -> list[str]:
    return [str(warning.message) for warning in said]


def test_of_several_processes_one_compiles(empty: Path) -> None:
    command = [sys.executable, "-c", QUICK, str(empty), "games", "deep"]

    def run(_: int) -> str:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    with ThreadPoolExecutor(3) as executor:
        ran = [executor.submit(run, number) for number in range(3)]
        time.sleep(0.01)
    assert sorted(one.result() for one in ran) == ["", "", "builds\n"]
    assert library.keeper("games") == library.keeper("deep") == empty
    assert not library.is_being_built()


def test_what_is_damaged_is_built_again(empty: Path) -> None:
    for part in library.PARTS:
        Library(empty, part).write(b"code")
    Library(empty, "deep").path.write_bytes(b"")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", QUICK, str(empty), "games", "deep"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout == "builds\n" and ran.stderr.count("is damaged") == 1
    assert Library(empty, "deep").read() == b"code"


def test_a_builder_that_is_killed(empty: Path) -> None:
    """One line, and nothing is tried again in this process."""
    lines: list[str] = []
    with pytest.warns(KernelWarning) as said:
        kernels = Kernels("games", say=lines.append)
        kernels.begin()
        assert kernels.are_compiling and kernels.destination("games") == empty and kernels.ended is not None
        os.kill(library._builds[os.getpid(), "games"]._process.pid, signal.SIGKILL)
        kernels.wait(10)
        assert kernels.have_failed and kernels.destination("games") is None and kernels.ended is None
        Kernels("games", say=lines.append).begin()
        with pytest.raises(KernelError, match=r"the kernels \(games\) could not be compiled"):
            library.require()
    assert said_by(said) == ["the kernels could not be compiled: the compiler ended with -9"]
    assert lines == ["compiling the kernels in the background, about 15 s; `satsweep warm` does it ahead"]


def test_a_builder_that_fails(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty / "satsweep").mkdir()
    monkeypatch.setattr(sys, "executable", str(empty / "nothing"))
    with pytest.warns(KernelWarning, match="the kernels could not be compiled: .*No such file"):
        build = Build("games")
    assert not build.is_running
    build.wait()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.warns(KernelWarning, match="the kernels could not be compiled: the compiler ended with 1"):
        Build("games").wait()


def test_a_build_that_is_stopped_is_not_reported(empty: Path) -> None:
    build = Build("games", polite=True)
    assert os.getpriority(os.PRIO_PROCESS, build._process.pid) == library.POLITE
    build.stop()
    assert not build.is_running and 0 < build.seconds_left <= library.SECONDS["games"]


def test_an_interrupt_ends_the_builder(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = Build("games")

    def interrupted(seconds: float | None) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(build.ended, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build.wait()
    assert not build.is_running and build._process.returncode == -signal.SIGKILL


def test_the_end_of_the_process_that_asked(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build goes on with the lowest priority if it is of use to others."""
    build = Build("games")
    build._leave(os.getpid() + 1)
    assert os.getpriority(os.PRIO_PROCESS, build._process.pid) == os.getpriority(os.PRIO_PROCESS, 0)
    build._leave(os.getpid())
    assert build.is_running and os.getpriority(os.PRIO_PROCESS, build._process.pid) == library.POLITE
    monkeypatch.setattr(library, "_private", [empty])
    build._leave(os.getpid())
    assert not build.is_running


def test_a_fork_has_begun_nothing(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = library.begin("games")
    assert library.begun("games") is build and library.begun("deep") is None
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert library.begun("games") is None
    monkeypatch.undo()
    build.stop()


def test_kernels_of_another_process(empty: Path) -> None:
    """What another process compiles is waited for as long as it is at it."""
    arrival = Arrival("deep")
    arrival.GRACE = 0.3
    begun = time.monotonic()
    assert not arrival.has_come() and not arrival.wait() and time.monotonic() - begun < 5
    build = Build("games")
    while not library.is_being_built():
        time.sleep(0.01)
    build.stop()
    assert not library.is_being_built()


@pytest.mark.slow
def test_a_build_from_an_empty_cache(empty: Path) -> None:
    """Its share grows to 1, and what it writes is loaded."""
    build = library.begin("games", "deep")
    shares = [build.share]
    while build.is_running:
        build.wait(0.05)
        shares.append(build.share)
    assert shares[0] == 0 and shares[-1] == 1 and shares == sorted(shares) and len(set(shares)) > 50
    assert library.load() and library.load("deep")
