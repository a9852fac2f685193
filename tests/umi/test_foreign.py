"""Recipes of other programs: commits, licences, and wrappers that speak the protocol with stand-ins of the programs.

A stand-in has the functions that a wrapper calls, and no wit: each cell is as likely a mine as any other. It is a
repository of its own, so that the recipe fetches and builds it as it would the program, without a network.
"""

import importlib.util
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from satsweep.arena.measures import ANCHORS
from satsweep.umi.conformance import examine, to_text
from tests import ROOT

FOREIGN = ROOT / "examples" / "umi" / "foreign"
STAND_INS = Path(__file__).with_name("stand_ins")
RECIPES: dict[str, dict[str, Any]] = tomllib.loads((FOREIGN / "recipes.toml").read_text(encoding="utf-8"))
TOOLS = {"JSMinesweeper": ("node",), "minesolve": ("cc",), "MineSweeperProb": ("c++",), "ms_toollib": ()}


@pytest.fixture
def build() -> ModuleType:
    """The recipe script, whose recipes a test may change."""
    spec = importlib.util.spec_from_file_location("build_foreign", FOREIGN / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_names_a_commit_and_a_licence(name: str) -> None:
    recipe, readme = RECIPES[name], (FOREIGN / "README.md").read_text(encoding="utf-8")
    pinned = recipe.get("commit") or recipe["package"]
    assert re.fullmatch(r"[0-9a-f]{40}|\w+==[\d.]+", pinned)
    assert re.fullmatch(r"https://github\.com/[\w-]+/[\w-]+", recipe["repository"])
    assert recipe["author"] and recipe["engines"]
    (row,) = re.findall(rf"^\| \[{name}\]\({recipe['repository']}\) .*", readme, re.MULTILINE)
    shown = pinned[:7] if "commit" in recipe else pinned.partition("==")[2]
    assert shown in row and f"| {recipe['licence']} |" in row
    assert all(f"`{engine}`" in row for engine in recipe["engines"])


def test_every_file_belongs_to_a_recipe_and_every_published_rate_to_an_engine() -> None:
    text = (FOREIGN / "recipes.toml").read_text(encoding="utf-8")
    others = {"README.md", "build.py", "recipes.toml", "umi.h"}
    assert all(path.name in text for path in FOREIGN.iterdir() if path.is_file() and path.name not in others)
    engines = {engine for recipe in RECIPES.values() for engine in recipe["engines"]}
    assert {anchor.engine for anchor in ANCHORS} - {None} <= engines


def repository(name: str, place: Path) -> str:
    """A repository with the stand-in of a program; its commit."""
    shutil.copytree(STAND_INS / name, place)
    recipe = (FOREIGN / "recipes.toml").read_text(encoding="utf-8") + (FOREIGN / "jsminesweeper.js").read_text("utf-8")
    for file in re.findall(r"(MineSweeperSolver/\w+\.cpp|client/\w+\.js|Utility/\w+\.js)", recipe):
        part = place / ("Minesweeper" if file.endswith(".js") else "") / file
        if part.parent.exists():
            part.touch()  # files that a wrapper names and needs nothing of
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=place, check=True)
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=place, check=True, capture_output=True, text=True
    ).stdout.strip()


def wheel(name: str, place: Path) -> None:
    """A wheel of the stand-in, of the version in the recipe."""
    package, _, version = RECIPES[name]["package"].partition("==")
    place.mkdir()
    information = f"{package}-{version}.dist-info"
    with zipfile.ZipFile(place / f"{package}-{version}-py3-none-any.whl", "w") as file:
        file.write(STAND_INS / name / f"{package}.py", f"{package}.py")
        file.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        file.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{information}/RECORD", "")


@pytest.mark.extended
@pytest.mark.parametrize("name", RECIPES)
def test_wrappers_speak_the_protocol(name: str, build: ModuleType, tmp_path: Path) -> None:
    for tool in ("git", *TOOLS[name]):
        if shutil.which(tool) is None:
            pytest.skip(f"needs {tool}")
    source = tmp_path / "theirs"
    given = None
    if "package" in RECIPES[name]:
        wheel(name, source)
        given = source
    else:
        build.RECIPES[name].update(commit=repository(name, source), repository=str(source))
    for file in build.build(name, tmp_path / "built", given):
        found = examine(f"cmd:{file}", levels={1, 2, 6})
        assert found.passed, "".join(to_text(found))
        assert "sound" in found.identity.can


@pytest.mark.extended
def test_another_commit_is_refused(build: ModuleType, tmp_path: Path) -> None:
    repository("minesolve", tmp_path / "theirs")
    with pytest.raises(SystemExit, match=f"expected a checkout of commit {RECIPES['minesolve']['commit']}, found "):
        build.build("minesolve", tmp_path / "built", tmp_path / "theirs")


def test_bad_arguments(build: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, message in (
        (
            ["minesolver"],
            "expected recipes among JSMinesweeper, ms_toollib, minesolve, MineSweeperProb, found minesolver",
        ),
        (["--source", "x"], "expected one recipe with --source"),
    ):
        monkeypatch.setattr("sys.argv", ["build.py", *arguments])
        with pytest.raises(SystemExit):
            build.main()
        assert message in capsys.readouterr().err
