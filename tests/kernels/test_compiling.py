"""The place of compiled kernels: never together with code that has changed since."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from satsweep.kernels.entries import compiling_in_background

from satsweep.kernels import compiling as compiled


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of kernels with one module, and a home for caches."""
    here = tmp_path / "package"
    here.mkdir()
    (here / "one.py").write_text("1")
    monkeypatch.setattr(compiled, "HERE", here)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return here


def kept_in() -> str:
    """Return what a fresh process would return."""
    return compiled.kept_in.__wrapped__()


def test_beside_the_package(package: Path) -> None:
    first = Path(kept_in())
    assert first.parent == package / "__pycache__" and first.is_dir()
    assert kept_in() == str(first)


def test_any_change_is_another_place_and_what_is_old_goes(package: Path) -> None:
    first = Path(kept_in())
    (package / "one.py").write_text("2")
    second = Path(kept_in())
    assert second != first and second.is_dir() and first.is_dir()
    os.utime(first, (0, 0))
    assert Path(kept_in()) == second and not first.exists()
    (package / "two.py").write_text("")
    assert Path(kept_in()) not in (first, second)


def test_a_change_in_a_folder_is_another_place(package: Path) -> None:
    """Stale kernels would run if the digest did not cover all levels."""
    (package / "inner").mkdir()
    (package / "inner" / "one.py").write_text("1")
    first = kept_in()
    (package / "inner" / "one.py").write_text("2")
    second = kept_in()
    (package / "inner").rename(package / "other")
    assert len({first, second, kept_in()}) == 3


def test_where_numba_is_told(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "told"))
    assert Path(kept_in()).parent == tmp_path / "told"


def test_among_the_caches_of_the_user(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the package nothing can be written: a file is in the way."""
    (package / "__pycache__").write_text("")
    assert Path(kept_in()).parent == tmp_path / "caches" / "satsweep"
    monkeypatch.setenv("XDG_CACHE_HOME", str(package / "one.py"))
    assert kept_in() == ""


def test_nowhere_on_a_disk_that_is_full(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that is there already is read all the same."""
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=compiled.ROOM - 1))
    assert kept_in() == ""
    for kept in (package / "__pycache__").iterdir():
        (kept / "one").touch()
    assert Path(kept_in()).parent == package / "__pycache__"


def test_numba_is_left_as_it_was() -> None:
    # Numba makes its settings at import, so its module does not declare them.
    config: Any = numba.config
    before = config.CACHE_DIR
    with compiled._Kept():
        assert compiled.kept_in() == config.CACHE_DIR
    assert before == config.CACHE_DIR


def test_another_process_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with compiling_in_background(("at_rate",)):
        pass
    assert any("_rate" in path.name for path in tmp_path.rglob("*.nbi"))


def test_nobody_waits_for_another_process_after_an_error() -> None:
    with pytest.raises(KeyboardInterrupt), compiling_in_background(("at_finish",)):
        raise KeyboardInterrupt


def test_python_sweeps_as_before() -> None:
    before = gc.get_threshold()
    with pytest.raises(KeyboardInterrupt), compiled.unswept():
        assert gc.get_threshold() > before
        raise KeyboardInterrupt
    assert gc.get_threshold() == before
