"""Libraries of kernels: where they are kept, and which ones are trusted."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from satsweep.kernels import library
from satsweep.kernels.library import ENVIRONMENT, KernelWarning, Library
from tests import ROOT

CACHED = (library._report, library._digest, library.directory)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make this process forget what it has found out."""
    for one in CACHED:
        one.cache_clear()
    monkeypatch.setattr(library, "_loaded", {})
    monkeypatch.setattr(library, "_builds", {})
    monkeypatch.setattr(library, "_private", [])
    yield
    for one in CACHED:
        one.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of kernels with one module, and a home for caches."""
    here = tmp_path / "package"
    here.mkdir()
    (here / "one.py").write_text("1")
    monkeypatch.setattr(library, "HERE", here)
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return here


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library in a directory of our own."""
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    found = Library(library.directory(), "games")
    found.write(b"code\nof kernels")
    return found


def found_by_a_fresh_process() -> Path:
    for one in CACHED:
        one.cache_clear()
    return library.directory()


# --- where -----------------------------------------------------------------------------------------------------------


def test_beside_the_package(package: Path) -> None:
    first = library.directory()
    assert first.parent == package / "__pycache__" and first.is_dir()
    assert found_by_a_fresh_process() == first


def test_any_change_at_any_level_is_another_place(package: Path) -> None:
    found = [library.directory()]
    (package / "one.py").write_text("2")
    found.append(found_by_a_fresh_process())
    (package / "inner").mkdir()
    (package / "inner" / "two.py").write_text("")
    found.append(found_by_a_fresh_process())
    (package / "inner" / "two.py").write_text(" ")
    found.append(found_by_a_fresh_process())
    (package / "inner").rename(package / "other")
    found.append(found_by_a_fresh_process())
    assert len(set(found)) == 5


def test_the_compilers_are_part_of_the_digest(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library.directory()
    monkeypatch.setattr(library, "version", lambda name: "0" if name == "numba" else version(name))
    assert found_by_a_fresh_process() != first


def test_old_libraries_go(package: Path) -> None:
    first = library.directory()
    (first / "games.o").touch()
    (package / "one.py").write_text("2")
    found_by_a_fresh_process()
    assert first.exists()
    os.utime(first, (0, 0))
    assert found_by_a_fresh_process() != first and not first.exists()


def test_where_the_environment_says(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "told" / "deep"))
    assert library.directory().parent == tmp_path / "told" / "deep"


def test_among_the_caches_of_the_user(package: Path, tmp_path: Path) -> None:
    """Beside the package nothing can be written: a file is in the way."""
    (package / "__pycache__").write_text("")
    assert library.directory().parent == tmp_path / "caches" / "satsweep"


def test_a_relative_path_is_left_alone(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(ENVIRONMENT, "here")
    with pytest.warns(KernelWarning, match=f"{ENVIRONMENT} is left alone: expected an absolute path, found here"):
        assert library.directory().parent == package / "__pycache__"
    monkeypatch.delenv(ENVIRONMENT)
    monkeypatch.setenv("XDG_CACHE_HOME", "there")
    assert all(place.is_absolute() for place in library._places())
    assert not (tmp_path / "here").exists() and not (tmp_path / "there").exists()


def test_no_home_is_no_error(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwd = pytest.importorskip("pwd")

    def no_entry(number: int) -> None:
        raise KeyError(number)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    assert [place.parent for place in library._places()] == [package / "__pycache__"]


def test_a_cache_that_cannot_be_written(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said once, with the variable to set; processes that are started find the directory."""
    monkeypatch.setenv(ENVIRONMENT, str(package / "one.py"))
    with pytest.warns(KernelWarning) as said:
        private = library.directory()
        assert library.directory() == private and library.is_private()
    (line,) = {str(warning.message) for warning in said}
    assert line == f"compiled kernels cannot be kept: set {ENVIRONMENT} to a directory of yours to compile just once"
    assert stat.S_IMODE(private.parent.stat().st_mode) == 0o700 and os.environ[ENVIRONMENT] == str(private.parent)
    assert library._places() == [private]
    library._delete(str(private.parent), os.getpid() + 1)
    assert private.exists(), "a fork leaves it to the process that made it"
    library._delete(str(private.parent), os.getpid())
    assert not private.parent.exists()


def test_a_full_disk(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=library.ROOM - 1))
    monkeypatch.setenv(ENVIRONMENT, str(package))
    with pytest.warns(KernelWarning, match="cannot be kept"):
        library.directory()
    assert library.is_private()
    shutil.rmtree(library.directory().parent)


# --- trust -----------------------------------------------------------------------------------------------------------


def report_on(kept: Library) -> str:
    """The one line that reading a library makes; it is not read."""
    with pytest.warns(KernelWarning) as said:
        assert kept.read() is None and kept.read() is None
    (line,) = {str(warning.message) for warning in said}
    assert "\n" not in line
    return line


def test_a_library_comes_back(kept: Library) -> None:
    assert kept.read() == b"code\nof kernels" and library.keeper() == kept.directory
    assert library.keeper("deep") is None
    assert [path.name for path in kept.directory.iterdir()] == ["games.o"], "nothing is left over"


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "garbage"])
def test_a_damaged_library(kept: Library, damage: str) -> None:
    whole = kept.path.read_bytes()
    damaged = {
        "empty": b"",
        "cut": whole[:-1],
        "changed": whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:],
        "garbage": b"\x80\x04cos\nsystem\n",
    }
    kept.path.write_bytes(damaged[damage])
    assert report_on(kept) == f"compiled kernels in {kept.path} are left alone: the file is damaged"
    kept.write(b"code")
    assert kept.read() == b"code", "it is replaced"


def test_what_all_users_may_write_to(kept: Library) -> None:
    kept.path.chmod(0o666)
    assert report_on(kept).endswith("the file can be written to by all users")
    kept.path.chmod(0o644)
    library._report.cache_clear()
    kept.directory.chmod(0o777)
    assert report_on(kept).endswith("can be written to by all users")
    library.directory.cache_clear()
    library._report.cache_clear()
    with pytest.warns(KernelWarning) as said:
        assert library.directory() != kept.directory
    assert f"compiled kernels are not kept in {kept.directory}: it can be written to by all users" in {
        str(warning.message) for warning in said
    }
    assert kept.path.exists()
    shutil.rmtree(library.directory().parent)


def test_a_directory_like_tmp_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o1777)
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    assert library.directory().parent == tmp_path


def test_what_belongs_to_another_user(kept: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is ours is another user's to that one; the administrator's is trusted."""
    genuine = os.fstat

    def of(owner: int) -> Callable[[int], os.stat_result]:
        def status(file: int) -> os.stat_result:
            found = genuine(file)
            return os.stat_result([*found[:4], owner, *found[5:10]])

        return status

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", of(4_000_000))
        found = library._fault(os.fstat(os.open(kept.path, os.O_RDONLY)))
    assert found == "belongs to another user"
    with monkeypatch.context() as patch:
        patch.setattr(library, "_fault", lambda status: found)
        assert report_on(kept) == f"compiled kernels in {kept.path} are left alone: the file {found}"
    assert not library._fault(of(0)(os.open(kept.path, os.O_RDONLY)))


def test_an_umask_that_lets_all_users_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    before = os.umask(0)
    try:
        kept = Library(library.directory(), "games")
        kept.write(b"code")
    finally:
        os.umask(before)
    assert kept.read() == b"code"


# --- other processes -------------------------------------------------------------------------------------------------

SHARED = """
import multiprocessing, shutil, sys
from pathlib import Path
from satsweep.kernels import library

def loaded(_):
    return library.load(), bool(library._builds)

if __name__ == "__main__":
    shutil.copy(sys.argv[1], library.directory())
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(loaded, range(2)))
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_workers_share_what_cannot_be_kept(tmp_path: Path) -> None:
    """The kernels of one process are loaded by those that it starts, however it does."""
    library.require()
    place = library.keeper()
    assert place is not None
    (tmp_path / "shared.py").write_text(SHARED)
    # The name of a socket in it may have a hundred characters, no more.
    temporary = Path(tempfile.mkdtemp(prefix="s"))
    environment = {**os.environ, ENVIRONMENT: str(tmp_path / "shared.py"), "TMPDIR": str(temporary)}
    command = [sys.executable, "shared.py", str(place / "games.o")]
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(os.path.isabs, sys.path)])
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [str([(True, False)] * 2)] * 3
    assert ran.stderr.count("KernelWarning") == 1 and "cannot be kept" in ran.stderr
    assert not list(temporary.glob("satsweep-*")), "the directory goes with its process"
    shutil.rmtree(temporary)


def test_no_warning_without_a_fault(kept: Library) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert library.keeper() and not library.load("deep")
