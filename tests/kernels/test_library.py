"""The compiled library: loaded as it was built, or refused in one line that says what to do."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from satsweep import KernelError
from satsweep.kernels.toolchain import library
from satsweep.kernels.toolchain.marks import EXPORTED
from tests import ROOT


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of kernels of one module, with this library, that is no checkout."""
    here = tmp_path / "satsweep" / "kernels"
    here.mkdir(parents=True)
    for name in (library.PATH.name, library.SUM):
        shutil.copy2(library.KERNELS / name, here / name)
    monkeypatch.setattr(library, "KERNELS", here)
    monkeypatch.setattr(library, "PATH", here / library.PATH.name)
    monkeypatch.setattr(library, "PROJECT", tmp_path / "pyproject.toml")
    return here


def load() -> ctypes.CDLL:
    return library.load.__wrapped__()


def refusal() -> str:
    with pytest.raises(KernelError) as refused:
        load()
    (line,) = str(refused.value).splitlines()
    return line


def run_whole(copy: Path, code: bytes | None, *command: str, asked: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python with a copy of the whole package that has another library, or none."""
    ignored = shutil.ignore_patterns("__pycache__", library.PATH.name)
    shutil.copytree(ROOT / "satsweep", copy.parent, dirs_exist_ok=True, ignore=ignored)
    library.PATH.unlink()
    if code is not None:
        library.PATH.write_bytes(code)
    environment = {**os.environ, "PYTHONPATH": str(copy.parents[1])}
    command = sys.executable, *command
    return subprocess.run(command, env=environment, capture_output=True, text=True, input=asked, cwd="/")


def test_it_has_every_exported_kernel() -> None:
    import satsweep.kernels.api  # noqa: F401

    loaded = library.load()
    assert len(EXPORTED) > 10 and all(loaded[one.symbol] for one in EXPORTED)


def test_it_needs_no_other_library() -> None:
    """So one file serves every Linux."""
    if sys.platform == "linux" and shutil.which("readelf"):
        said = subprocess.run(["readelf", "-d", library.PATH], capture_output=True, text=True, check=True).stdout
        assert "NEEDED" not in said and "Dynamic section" in said


def test_a_whole_one_is_loaded(copy: Path) -> None:
    assert load().satsweep_runs_here() == 1


def test_a_package_without_it(copy: Path, tmp_path: Path) -> None:
    library.PATH.unlink()
    assert refusal() == (
        "satsweep is installed without its compiled library: install a wheel for this platform, or from source with "
        "numba at hand"
    )
    (tmp_path / "pyproject.toml").touch()
    assert refusal() == "satsweep is installed without its compiled library: `scripts/kernels` builds it"


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "garbage", "no sum", "binary sum"])
def test_a_damaged_one(copy: Path, damage: str) -> None:
    """It is found out before any of its code runs."""
    whole = library.PATH.read_bytes()
    damaged = {
        "empty": b"",
        "cut": whole[:-5_000],
        "changed": whole[:70_000] + bytes([whole[70_000] ^ 1]) + whole[70_001:],
        "garbage": b"garbage" * 100,
    }
    library.PATH.unlink()
    library.PATH.write_bytes(damaged.get(damage, whole))
    if damage == "no sum":
        (copy / library.SUM).unlink()
    if damage == "binary sum":
        (copy / library.SUM).write_bytes(bytes(range(256)))
    assert refusal() == f"{library.PATH} is damaged, or made for another platform: install satsweep again"


def test_one_for_another_platform(copy: Path) -> None:
    library.PATH.unlink()
    library.PATH.write_bytes(b"MZ, a library of Windows")
    (copy / library.SUM).write_text(library.sum_of(library.PATH.read_bytes()))
    assert "made for another platform" in refusal()


def test_a_processor_that_is_too_old(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked by the library itself, in code that every processor has."""

    class Old:
        def satsweep_runs_here(self) -> int:
            return 0

    monkeypatch.setattr(ctypes, "CDLL", lambda path: Old())
    assert refusal() == "this processor lacks instructions of x86-64-v2 (2009), which the compiled library needs"


def test_sources_that_are_newer(copy: Path, tmp_path: Path) -> None:
    """Only in a checkout, and only if they differ from those that it was made from."""
    source, older = copy / "position.py", copy / "older.py"
    source.write_text("changed")
    older.touch()
    os.utime(older, (0, 0))
    load()
    (tmp_path / "pyproject.toml").touch()
    assert refusal() == f"{library.PATH} is older than the sources of its kernels: `scripts/kernels` builds it"
    os.utime(source, (0, 0))
    load()


def test_the_digest_is_that_of_all_sources(copy: Path) -> None:
    found = [library.digest()]
    for name in ("one.py", "inner/two.py", "c/three.c", "c/four.h"):
        path = copy / name
        path.parent.mkdir(exist_ok=True)
        for content in ("", " "):
            path.write_text(content)
            found.append(library.digest())
    (copy / "inner").rename(copy / "other")
    found.append(library.digest())
    assert len(set(found)) == len(found) == 10
    (copy / "api.py").write_text("nothing of it is compiled")
    assert library.digest() == found[-1]


def test_what_is_built_in_knows_its_sources() -> None:
    assert ctypes.c_char_p.in_dll(library.load(), "satsweep_sources").value == library.digest().encode()


def test_the_one_for_webassembly_is_of_these_sources() -> None:
    """A digest that differs is that of an older build: `scripts/kernels` makes both libraries."""
    assert library.digest().encode() in library.WASM.read_bytes()
    assert library.digest().encode() in library.QUICK_WASM.read_bytes()


def test_python_answers_without_it(copy: Path) -> None:
    """A pure package has all answers but those that only kernels give."""
    code = """
import satsweep
board = satsweep.Board("mines 3\\n##1.\\n##21\\n####")
assert satsweep.analyse(board).worlds == 12 and satsweep.risks([board])[0][0, 0] == 1 / 3
assert satsweep.play("beginner", "sat", seed=1).won
(made,) = satsweep.generate(satsweep.BoardSpec(5, 5, 4))
assert satsweep.compare(["basic", "sat"], "5x5/3", games=4)
try: satsweep.play("beginner", "deep", seed=1)
except ValueError as error: print(error)
"""
    ran = run_whole(copy, None, "-c", code)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("the agent deep cannot play: satsweep is installed without its compiled library")


def test_the_first_answer_loads_no_numpy() -> None:
    code = (
        "import sys, satsweep\nassert satsweep.analyse(satsweep.Board('mines 3\\n##1.\\n##21\\n####')).worlds == 12\n"
        "assert 'satsweep.kernels.counting' in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_command_says_it_in_one_line(copy: Path) -> None:
    """No other engine hides that an installation is broken."""
    ran = run_whole(copy, b"", "-m", "satsweep", "solve", "-", asked="mines 1\n#1#")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == f"{library.PATH} is damaged, or made for another platform: install satsweep again\n"
