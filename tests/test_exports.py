"""Exported names are those of the stub and of the package."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import satsweep
from tests import ROOT

STUB = ast.parse((ROOT / "satsweep" / "__init__.pyi").read_text(encoding="utf-8"))
LISTED = [alias.name for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names]


def test_the_stub_is_the_list() -> None:
    assert sorted(satsweep.__all__) == sorted(LISTED) and len(LISTED) > 50
    for name in LISTED:
        assert getattr(satsweep, name) is not None


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


def test_exported_names_have_docstrings(subtests: pytest.Subtests) -> None:
    """Also the methods and properties of exported classes. Values of enumerations are said in their class."""
    for name in LISTED:
        with subtests.test(name):
            value = getattr(satsweep, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                assert value.__doc__
            for member, found in vars(value).items() if inspect.isclass(value) else ():
                if not member.startswith("_") and (isinstance(found, property) or callable(getattr(value, member))):
                    assert inspect.getdoc(getattr(value, member, found)) or found.__doc__, member
