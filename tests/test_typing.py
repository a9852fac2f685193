"""Types as users see them: mypy and pyright check a program that uses every exported name."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import satsweep
from tests import DATA, ROOT

PROGRAM = DATA / "every_name.py"
PYRIGHT = "pyright@1.1.414"


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of somebody else: the program, and an environment that has the package and no settings of ours."""
    folder = tmp_path_factory.mktemp("outside")
    venv.create(folder / "environment", with_pip=False)
    (installed,) = folder.glob("environment/[Ll]ib/**/site-packages")
    (installed / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    (installed / "satsweep").symlink_to(ROOT / "satsweep", target_is_directory=True)
    shutil.copy(PROGRAM, folder)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    return folder


def run(outside: Path, *command: str) -> str:
    """Output of a command in the folder, which has to succeed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(command, cwd=outside, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(outside: Path) -> str:
    """Python of the environment."""
    return str(outside / "environment" / ("Scripts" if sys.platform == "win32" else "bin") / "python")


def test_the_program_uses_every_name() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    of_folders = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert set(satsweep.__all__) - read == set()
    for name in satsweep.__all__:
        folder = getattr(satsweep, name)
        if inspect.ismodule(folder):
            assert {f"{name}.{own}" for own in getattr(folder, "__all__", ())} - of_folders == set()


@pytest.mark.extended
def test_the_program_runs(outside: Path) -> None:
    assert run(outside, python(outside), PROGRAM.name) == f"{satsweep.__version__}\n"


@pytest.mark.extended
def test_mypy_finds_no_fault(outside: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", "cache", PROGRAM.name]
    assert run(outside, *command, "--python-executable", python(outside)).startswith("Success: ")


@pytest.mark.extended
def test_pyright_finds_no_fault(outside: Path) -> None:
    npx = shutil.which("npx") or pytest.skip("npx is not installed")
    assert run(outside, npx, "--yes", PYRIGHT, "--pythonpath", python(outside), PROGRAM.name).startswith("0 errors")
    (outside / "wrong.py").write_text("import satsweep\nsatsweep.analyse(board=3)\n")
    with pytest.raises(AssertionError, match="reportArgumentType"):
        run(outside, npx, "--yes", PYRIGHT, "--pythonpath", python(outside), "wrong.py")
