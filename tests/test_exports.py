"""Exported names are those of the stub, of the package, and of docs/api.md."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import satsweep
from tests import ROOT

STUB = ast.parse((ROOT / "satsweep" / "__init__.pyi").read_text(encoding="utf-8"))
LISTED = [alias.name for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names]


def test_the_stub_is_the_list() -> None:
    assert sorted(satsweep.__all__) == sorted(LISTED) and len(LISTED) > 50
    for name in LISTED:
        assert getattr(satsweep, name) is not None


def test_the_page_describes_every_name() -> None:
    """After a change, ``python scripts/api.py`` makes the page anew."""
    checked = subprocess.run(
        [sys.executable, "scripts/api.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)", page, re.MULTILINE) == LISTED


def test_types_that_exported_functions_return_are_exported() -> None:
    files = Path(satsweep.__file__).parent.rglob("*.py")
    classes = {name for path in files for name in re.findall(r"^class (\w+)", path.read_text(), re.MULTILINE)}
    returned = {
        (name, word)
        for name in LISTED
        if inspect.isfunction(value := getattr(satsweep, name))
        for word in re.findall(r"\w+", str(inspect.signature(value).return_annotation))
    }
    assert ("analyse", "Analysis") in returned
    assert {(name, word) for name, word in returned if word in classes and word not in LISTED} == set()
