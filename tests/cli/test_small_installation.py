"""Every command where packages are missing does its work, or says in one line what to install."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from satsweep import compare
from satsweep.cli import COMMANDS
from satsweep.cli.packages import PACKAGE_OF_MODULE
from tests import ROOT
from tests.cli import SMALL

# The commands run once, for all tests of the file.
pytestmark = pytest.mark.xdist_group("small installation")

NEEDED = {"lazy_loader", "networkx", "numpy", "pysat", "rich", "typer"}
"""Modules of a small installation, as docs/start.md lists its packages. Typer needs rich itself."""
LEFT_OUT = ("cloudpickle", "gmpy2", "jinja2", "markupsafe", "ortools", "scipy")
WORK = [
    "help all",
    "solve small.txt --cross-check --format svg",
    "solve small.txt --deep --explain --certify proof.json",
    "explain small.txt 2,1 --format svg",
    "rate layout.txt --start 1,1",
    "clicks layout.txt --animation path.svg",
    "verify small.txt proof.json",
    "play --board beginner --agent sat --seed 1 --record game.json",
    "play --board beginner --agent deep --seed 1",
    "static folder",
    "find-mines --board 5x5/3 --seed 1",
    "chains --board 5x5/3 --seed 1 --plot chain.svg",
    "generate --board 9x9/10 --no-guess --start 4,4 --seed 1 --trace proof.json",
    "review game.json --clicks",
    "audit --agent tank --board 5x5/3 --games 2",
    "results runs.db",
    "export runs.db",
    "agents",
    "plans",
    "umi",
    "bench --prompts prompts.jsonl",
    "corpus make corpus --count 1",
    "corpus check corpus",
    "audit-keys keys.jsonl",
    "convert small.txt --format json",
    "formats",
    "schema board",
    "engines",
]
"""Commands that do their work."""
WANTING = {
    "solve small.txt --engine cpsat": "ortools",
    "review game.json --format html": "jinja2",
    "audit --agent tank --board 5x5/3 --games 2 --format html": "jinja2",
    "compare --agents basic,sat --board 5x5/3 --games 2": "scipy",
    "results runs.db --run 1": "scipy",
    "ladder .": "jinja2",
    "ladder . --format text": "scipy",
    "report --agent tank --board 5x5/3 --games 2 --output report.html": "scipy",
    "bench --model cmd:cat": "scipy",
}
"""Commands that lack a package, and which."""
OF_EXTRAS = {"serve", "mcp"}
"""Commands that say themselves which extra they need."""
APART = {"umi-test"}
"""Commands that only start others."""
RUN = """
import json, sys
from typer.testing import CliRunner
from satsweep.cli import app
for command in json.load(sys.stdin):
    done = CliRunner().invoke(app, command.split())
    failed = not isinstance(done.exception, SystemExit | None)
    print(json.dumps([done.exit_code, repr(done.exception) if failed else done.stderr]))
"""


def listed() -> str:
    """Packages of a small installation, as the manual installs them."""
    (found,) = re.findall(r"pip install (numpy .*)", (ROOT / "docs" / "start.md").read_text(encoding="utf-8"))
    return str(found)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Python of an environment that was made as the manual says."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    for packages in (shlex.split(listed()), ["--no-deps", str(ROOT)]):
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


@pytest.fixture(scope="module", params=["hidden", pytest.param("not installed", marks=pytest.mark.slow)])
def answers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Exit code and standard error of each command, where the modules are hidden, or not installed."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.txt").write_text(SMALL)
    (folder / "layout.txt").write_text("*...\n....\n...*\n")
    (folder / "keys.jsonl").write_text('{"board": "##1", "mined": [[0, 1]]}\n')
    compare(["basic"], "5x5/3", games=2, jobs=1, store=folder / "runs.db")
    environment = {**os.environ, "NO_COLOR": "1"}
    environment.pop("PYTHONPATH", None)
    if request.param == "hidden":
        # Python imports the module at its start, in child processes, too.
        (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({LEFT_OUT}))\n")
        python, environment["PYTHONPATH"] = sys.executable, f"{folder}{os.pathsep}{ROOT}"
    else:
        python = request.getfixturevalue("installed")
    commands = [*WORK, *WANTING]
    done = subprocess.run(
        [python, "-c", RUN], cwd=folder, env=environment, input=json.dumps(commands), capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return {command: tuple(json.loads(line)) for command, line in zip(commands, done.stdout.splitlines(), strict=True)}


@pytest.mark.extended
@pytest.mark.parametrize("command", WORK)
def test_what_needs_none_of_them_works(command: str, answers: dict[str, tuple[int, str]]) -> None:
    code, said = answers[command]
    assert code == 0, said


@pytest.mark.extended
@pytest.mark.parametrize("command", WANTING)
def test_a_missing_package_is_named_in_one_line(command: str, answers: dict[str, tuple[int, str]]) -> None:
    package = WANTING[command]
    assert answers[command] == (3, f"this needs {package}, which is not installed: pip install {package}\n")


@pytest.mark.slow
def test_the_manual_says_how_large_it_is(installed: str) -> None:
    (packages,) = Path(installed).parents[1].glob("[Ll]ib/**/site-packages")
    size = sum(file.stat().st_size for file in packages.rglob("*") if "pip" not in file.relative_to(packages).parts)
    manual = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    said = re.search(r"make boards need (\d+) MB in place of", manual)
    assert said and abs(size / 2**20 / int(said[1]) - 1) < 0.1, size


def test_every_command_is_tried() -> None:
    assert {command.split()[0] for command in (*WORK, *WANTING)} | OF_EXTRAS | APART == set(COMMANDS)


def test_the_lists_of_packages_agree() -> None:
    """All dependencies are needed or left out, and the manual names those that are needed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split("[^a-z0-9-]", line)[0] for line in project["dependencies"]}
    names = {**PACKAGE_OF_MODULE, "lazy_loader": "lazy-loader", "typer": "typer", "gmpy2": "gmpy2"}
    assert {names[module] for module in (*NEEDED, *LEFT_OUT)} == declared
    assert {*re.findall(r"[\w-]+(?=[ '<>]|$)", listed())} >= {names[module] for module in NEEDED - {"rich"}}
