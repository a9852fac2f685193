"""Exported names are those of the stub and of the package."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import satsweep
from tests import ROOT

STUB = ast.parse((ROOT / "satsweep" / "__init__.pyi").read_text(encoding="utf-8"))
LISTED = [alias.name for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names]


def test_the_stub_is_the_list() -> None:
    """It has what one calls or constructs, and the folders with what one is given."""
    assert sorted(satsweep.__all__) == sorted(LISTED)
    values = {name: getattr(satsweep, name) for name in LISTED}
    assert 30 < len([name for name, value in values.items() if not inspect.ismodule(value)]) <= 43


def test_what_exported_functions_return_is_a_name_of_a_folder() -> None:
    files = Path(satsweep.__file__).parent.rglob("*.py")
    classes = {name for path in files for name in re.findall(r"^class (\w+)", path.read_text(), re.MULTILINE)}
    folders = [value for name in LISTED if inspect.ismodule(value := getattr(satsweep, name))]
    found = {*LISTED, *(name for folder in folders for name in getattr(folder, "__all__", ()))}
    returned = {
        (name, word)
        for name in LISTED
        if inspect.isfunction(value := getattr(satsweep, name))
        for word in re.findall(r"\w+", str(inspect.signature(value).return_annotation))
    }
    assert ("analyse", "Analysis") in returned
    assert {(name, word) for name, word in returned if word in classes and word not in found} == set()


def test_folders_have_the_names_of_their_stubs(subtests: pytest.Subtests) -> None:
    for stub in (ROOT / "satsweep").glob("*/__init__.pyi"):
        with subtests.test(stub.parent.name):
            folder = import_module(f"satsweep.{stub.parent.name}")
            assert folder.__all__ and all(getattr(folder, name) is not None for name in folder.__all__)


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
