"""Limits on work hold inside long calls, for every entry that takes one (``tests/limits.py``)."""

import inspect
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from satsweep.cli import COMMANDS as NAMES, command_named, mcp
from satsweep.kernels.toolchain.library import KERNELS
from tests import ROOT
from tests.limits import C_FUNCTIONS, COMMANDS, FUNCTIONS, TOOLS, TORN, WIDE

PARAMETERS = {"budget", "seconds", "patience", "timeout"}
OPTIONS = {"--budget", "--seconds", "--timeout", "--time-budget", "--patience"}
MOST = 15.0
"""Most processor time of a case, in seconds: many times its limit, since single steps of large boards take seconds."""


def exported_entries() -> Iterator[str]:
    """Exported functions, classes and methods with a parameter that is named like a limit."""
    folders = [".".join(("satsweep", *file.parent.parts[1:])) for file in Path("satsweep").glob("*/__init__.pyi")]
    for module in map(import_module, ["satsweep", *folders]):
        for name in module.__all__:
            found = getattr(module, name)
            methods = inspect.getmembers(found, callable) if inspect.isclass(found) else []
            for place, one in [(name, found), *((f"{name}.{own}", method) for own, method in methods if own[0] != "_")]:
                try:
                    parameters = inspect.signature(one).parameters if callable(one) else {}
                except ValueError:  # a class of C
                    continue
                if PARAMETERS & {*parameters}:
                    yield place


def limited_options() -> Iterator[str]:
    for name in NAMES:
        options = (option for param in command_named(name).params for option in param.opts)
        yield from (f"{name} {option}" for option in options if option in OPTIONS)


def test_every_entry_with_a_limit_has_a_hard_case() -> None:
    assert set(exported_entries()) == FUNCTIONS.keys()
    assert set(limited_options()) == COMMANDS.keys()
    assert {tool.__name__ for tool in mcp.TOOLS} == TOOLS.keys()
    declared = re.findall(r"^SATSWEEP_API [^(]*satsweep_(\w+)\(", (KERNELS / "c" / "satsweep.h").read_text(), re.M)
    assert set(declared) == C_FUNCTIONS.keys()
    for reason in C_FUNCTIONS.values():
        if "::" in reason:
            file, test = reason.split("::")
            assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.extended
@pytest.mark.parametrize("name", [name for name, case in FUNCTIONS.items() if not isinstance(case, str)])
def test_functions_keep_their_limits(name: str) -> None:
    case = FUNCTIONS[name]
    assert not isinstance(case, str)
    begun = time.process_time()
    case()
    assert time.process_time() - begun < MOST


@pytest.mark.extended
@pytest.mark.parametrize("name", [name for name, case in TOOLS.items() if not isinstance(case, str)])
def test_tools_keep_their_limits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "SECONDS", 1.0)
    case = TOOLS[name]
    assert not isinstance(case, str)
    begun = time.process_time()
    case()
    assert time.process_time() - begun < MOST


def run(words: list[str], folder: Path) -> int:
    """Exit code of a command, which is killed after twice ``MOST`` seconds of processor time."""
    code = (
        "import resource, runpy; "
        f"resource.setrlimit(resource.RLIMIT_CPU, ({2 * MOST:.0f}, {2 * MOST:.0f})); "
        "runpy.run_module('satsweep', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code, *words], cwd=folder, capture_output=True, text=True)
    assert "Traceback" not in done.stderr and done.returncode in (0, 1, 4), done.stderr
    return done.returncode


@pytest.mark.extended
@pytest.mark.parametrize("name", [name for name, words in COMMANDS.items() if not isinstance(words, str)])
def test_commands_keep_their_limits(name: str, tmp_path: Path) -> None:
    TORN.save(tmp_path / "torn.txt")
    WIDE.save(tmp_path / "wide.txt")
    words = COMMANDS[name]
    assert not isinstance(words, str)
    assert run(words, tmp_path) in (0, 1, 4)


@pytest.mark.extended
@pytest.mark.parametrize("mines", [220, 240])
def test_boards_that_are_dense_are_given_up_within_the_limit(mines: int, tmp_path: Path) -> None:
    words = ["generate", "--board", f"16x30/{mines}", "--no-guess", "--start", "5,5", "--seed", "1"]
    assert run([*words, "--time-budget", "5"], tmp_path) in (0, 4)
