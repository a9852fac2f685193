"""The README is true: its Python is a doctest, its console sessions are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sysconfig

import pytest

from tests import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    (command, expected)
    for session in SESSIONS
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
]


@pytest.mark.extended
def test_python_examples() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.extended
@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_console_sessions(command: str, expected: str) -> None:
    """Run from the root of the checkout; ``...`` in what is shown stands for anything."""
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "NO_COLOR": "1", "PATH": scripts + os.pathsep + os.environ["PATH"]}
    run = subprocess.run(
        shlex.split(command), cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    shown = run.stdout + run.stderr
    assert doctest.OutputChecker().check_output(expected, shown, doctest.ELLIPSIS), shown


def test_there_are_sessions() -> None:
    assert COMMANDS
