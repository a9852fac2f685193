"""The repository: few entries at its top, and what its distributions and its image take from it."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import pytest

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


def test_the_image_gets_what_it_copies() -> None:
    """The last pattern that fits a file decides, as in Docker."""
    patterns = (ROOT / "docker" / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()

    def is_left_out(name: str) -> bool:
        fitting = [one for one in patterns if fnmatch(name, one.removeprefix("!"))]
        return bool(fitting) and not fitting[-1].startswith("!")

    assert [name for name in copied() if is_left_out(name) or not (ROOT / name).exists()] == []


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
