"""The table of renderers: kinds of answers, their formats, the functions that write them."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
import typer

import satsweep.cli
from satsweep.analysis.analysis import Analysis
from satsweep.cli import COMMANDS, command_named
from satsweep.cli.renderers import RENDERERS, format_option, rendered
from tests.cli import SMALL, invoke

FOLDER = Path(satsweep.cli.__file__).parent
OF_FILES = {"convert", "generate", "export"}
"""Commands whose ``--format`` is one of files."""


def calls(module: str, function: str) -> Iterator[ast.Call]:
    """Calls of a function in a module of ``cli``."""
    for node in ast.walk(ast.parse((FOLDER / f"{module}.py").read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
            yield node


def words(node: ast.AST) -> list[str]:
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def test_every_kind_of_answers_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """Its functions are there, they are given what they need, and a command offers its formats and writes it."""
    given: defaultdict[str, set[str]] = defaultdict(set)
    offered = set()
    for module in (file.stem for file in FOLDER.glob("*.py")):
        for call in calls(module, "rendered"):
            assert isinstance(call.args[0], ast.Constant)
            given[str(call.args[0].value)] |= {option.arg for option in call.keywords if option.arg}
        offered |= {kind for call in calls(module, "format_option") for arg in call.args for kind in words(arg)}
    assert set(given) == set(RENDERERS), "kinds that commands write"
    assert offered == set(RENDERERS) - {"rating"}, "kinds whose formats a command offers: a rating is one of ratings"
    assert RENDERERS["rating"].keys() == RENDERERS["ratings"].keys()
    for kind, formats in RENDERERS.items():
        taken: set[str] = set()
        assert {"text", "json"} <= set(formats), kind
        for format, path in formats.items():
            with subtests.test(kind, format=format):
                module, _, name = path.partition(":")
                _, *more = inspect.signature(attrgetter(name)(import_module(module))).parameters.values()
                assert {one.name for one in more if one.default is one.empty} <= given[kind], "what it needs"
                taken |= {one.name for one in more}
        assert given[kind] <= taken, f"{kind}: an option that no function takes"


def test_every_command_takes_its_formats_from_the_table(subtests: pytest.Subtests) -> None:
    for command, module in COMMANDS.items():
        options = {name for one in command_named(command).params for name in one.opts}
        if "--format" in options and command not in OF_FILES:
            with subtests.test(command):
                shared = "report_files" if module in ("compare", "results") and command != "ladder" else module
                assert list(calls(shared, "format_option"))


def in_capitals(analysis: Analysis) -> str:
    return str(analysis.best).upper()


def test_a_new_format_is_offered_and_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RENDERERS["impossible boards"], "capitals", f"{__name__}:in_capitals")
    assert format_option("impossible boards", "rules").metavar == "<text|json|svg|capitals>"
    assert format_option("rules").metavar == "<text|json>"
    with pytest.raises(typer.BadParameter, match="^expected text or json for rules, found capitals$"):
        rendered("rules", "capitals", None)


def test_a_function_gets_the_options_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RENDERERS["analysis"], "capitals", f"{__name__}:in_capitals")
    analysis = satsweep.analyse(satsweep.Board.from_text(SMALL))
    assert list(rendered("analysis", "capitals", analysis, exact=True, width=3)) == [str(analysis.best)]


@pytest.mark.parametrize("option", ["--format=svg", "--format=csv"])
def test_rules_are_refused_in_a_format_that_they_lack(option: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 4, "total_mines": 2}')
    assert invoke("solve", file).exit_code == 0
    result = invoke("solve", file, option)
    assert (result.exit_code, result.stdout) == (2, "")
