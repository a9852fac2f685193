"""The repository: few entries at its top, and what its distributions and its image take from it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZipFile

import pytest

from satsweep.kernels.toolchain import library
from tests import ROOT

MOST = 20
"""Entries at the top of the repository, and folders of the package."""
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS: dict[str, Any] = PROJECT["tool"]["hatch"]["build"]["targets"]


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository")
    asked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return asked.stdout.splitlines()


def test_the_top_is_tidy(tracked: list[str]) -> None:
    top = {name.partition("/")[0] for name in tracked}
    folders = {name.split("/")[1] for name in tracked if re.match("satsweep/[^/]+/", name)}
    assert len(top) <= MOST, sorted(top)
    assert len(folders) <= MOST, sorted(folders)


def test_nothing_but_the_package_is_installed() -> None:
    wheel = TARGETS["wheel"]
    assert wheel["packages"] == ["satsweep"] and not {"include", "force-include", "only-include"} & set(wheel)


def test_distributions_name_files_that_are_there() -> None:
    named = [*TARGETS["sdist"]["include"], *TARGETS["wheel"]["exclude"]]
    assert [name for name in named if not (ROOT / name).exists()] == []


def copied() -> Iterator[str]:
    """Files and folders that the image copies from the repository."""
    for line in (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY "):
            yield from line.split()[1:-1]


def is_ignored(name: str) -> bool:
    """Return whether Docker leaves a file out: the last pattern that fits it, or a folder it is in, decides."""
    patterns = (ROOT / "docker" / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    places = [name, *map(str, PurePosixPath(name).parents)]
    fitting = [one for one in patterns if any(fnmatch(place, one.removeprefix("!")) for place in places)]
    return bool(fitting) and not fitting[-1].startswith("!")


def test_the_image_gets_what_it_copies() -> None:
    assert [name for name in copied() if is_ignored(name) or not (ROOT / name).exists()] == []
    left_out = ("satsweep/__pycache__/board.pyc", "satsweep/kernels/libsatsweep.so", "tests/conftest.py")
    assert [name for name in left_out if not is_ignored(name)] == []


def test_the_image_has_bytecode() -> None:
    """Its user may write none, so what is not compiled there is compiled at every start."""
    text = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    assert "PYTHONDONTWRITEBYTECODE" not in text and "--no-compile" not in text
    assert text.index("python -m compileall") < text.index("\nUSER ")


def test_the_image_copies_what_the_build_needs() -> None:
    hook = TARGETS["wheel"]["hooks"]["custom"]["path"]
    readme = [
        fragment["path"] for fragment in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["fragments"]
    ]
    needed = {"pyproject.toml", hook, *readme, *PROJECT["project"]["license-files"], *TARGETS["wheel"]["packages"]}
    assert needed <= set(copied())


@pytest.fixture
def image(tmp_path: Path, tracked: list[str]) -> Path:
    """A folder with what the image copies, and bytecode that must not get into a wheel."""
    for name in tracked:
        if not is_ignored(name) and any(name == one or name.startswith(f"{one}/") for one in copied()):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    bytecode = tmp_path / "satsweep" / "__pycache__"
    bytecode.mkdir()
    (bytecode / "board.cpython-311.pyc").write_bytes(b"")
    return tmp_path


def asked_of_hatchling(folder: Path, code: str) -> str:
    """Output of code in a folder, where nothing can be compiled."""
    pytest.importorskip("hatchling")
    pytest.importorskip("hatch_fancy_pypi_readme")
    code = f"import sys; sys.modules.update(numba=None, ziglang=None); from hatchling import build; {code}"
    environment = {name: value for name, value in os.environ.items() if name not in ("SATSWEEP_TARGET", "PYTHONPATH")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.extended
def test_a_wheel_is_built_from_what_the_image_copies(image: Path, tracked: list[str]) -> None:
    """Built anywhere and at any time it has the same bytes, all files of the package, and no bytecode."""
    libraries = [library.PATH, library.PATH.with_name(library.SUM), library.WASM, library.QUICK_WASM]
    built = [file.relative_to(ROOT).as_posix() for file in libraries]
    for name in built:
        shutil.copyfile(ROOT / name, image / name)
    wheels = []
    for number in range(2):
        name = asked_of_hatchling(image, f"print(build.build_wheel('{number}'))").split()[-1]
        wheels.append((image / str(number) / name).read_bytes())
        for file in image.glob("satsweep/*.py"):
            file.touch()
    assert wheels[0] == wheels[1] and "-py3-none-any" not in name
    assert f"The wheel is {len(wheels[0]) / 1e6:.1f} MB" in (ROOT / "docs" / "depend.md").read_text(encoding="utf-8")
    files = {one for one in ZipFile(BytesIO(wheels[0])).namelist() if ".dist-info/" not in one}
    package = {name for name in tracked if name.startswith("satsweep/")} - set(TARGETS["wheel"]["exclude"])
    assert files == package | set(built)


@pytest.mark.extended
def test_a_library_that_is_there_is_not_compiled_again(image: Path) -> None:
    """An extra that is added later needs no compiler, until a source or the library is another."""
    asked = "print(*build.get_requires_for_build_editable())"
    for name in (library.PATH, library.PATH.with_name(library.SUM), library.WASM, library.QUICK_WASM):
        assert "numba" in asked_of_hatchling(image, asked)
        shutil.copyfile(name, image / name.relative_to(ROOT))
    assert "numba" not in asked_of_hatchling(image, asked)
    kernel = image / "satsweep" / "kernels" / "position" / "beam.py"
    kernel.write_text(kernel.read_text() + "\n")
    assert "numba" in asked_of_hatchling(image, asked)
