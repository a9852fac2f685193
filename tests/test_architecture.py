"""The structure of the package: permitted imports, secrecy of layouts, output.

The table of docs/architecture.md is the only list of folders and modules; the tests here read it and the code.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import networkx
import pytest

import satsweep
from satsweep.cli import COMMANDS
from tests import ROOT
from tests.conftest import tables

PACKAGE = Path(satsweep.__file__).parent

# Only these modules may use layouts: they read files, or they deal, record, audit or draw games.
KNOW_THE_TRUTH = {
    "layout",
    "games",
    "questions.witness",
    "questions.sampling",
    "oracle",
    "why.explainer",
    "why.values",
    "proofs.trace",
    "proofs.clicks",
    "proofs.click_sweep",
    "proofs.covered_cells",
    "assessment",
    "generator",
    "clicks",
    "testing",
    "learn",
    "formats",
    "render",
    "arena",
    "page",
    "cli",
}
CHECKERS = {
    *(f"proofs.{name}" for name in ("certificate", "refutation", "verify", "trace")),
    *(f"proofs.{name}" for name in ("covered_cells", "clicks", "click_sweep")),
}
PRINT = {"render", "arena", "page", "cli", "__main__", "kernels.__main__", "kernels.build"}
# Only these modules open files for writing; all others ask ``formats.files``.
WRITE = {
    "formats.files": "the one writer",
    "arena.canvas": "matplotlib writes to a file that files.replacing places",
    "arena.export": "pyarrow writes to a file that files.replacing places",
    "cli.shared_work": "finished work, a line at a time",
    "learn.corpus.maker": "finished rows, a line at a time",
    "learn.bench.answers": "replies, a line at a time",
    "agents.launch": "a setting of the kernel of Linux",
    "kernels.build": "the build of the package, in a folder of its own",
}
# Modules that are imported by name while the program runs, and why no import statement does it.
BY_NAME = {
    ("mixins", "'satsweep.formats'"): "upward: a value is read or written",
    ("mixins", "value._pictures"): "upward: a value is drawn, by the module that its class names",
    ("solver.compiled", "'satsweep.kernels.api'"): "loads numpy, at the first call",
    ("kernels.build", "'satsweep.kernels.api'"): "kernels are marked when their module is loaded",
    ("kernels.build", "'satsweep.kernels.clicks.sweep'"): "likewise",
    ("kernels.build", "'satsweep.kernels.endgame.listed'"): "likewise",
    ("kernels.build", "'satsweep.kernels.position.beam'"): "likewise",
    ("kernels.build", "'satsweep.kernels.position.large_odds'"): "likewise",
    ("kernels.build", "'satsweep.kernels.position.split'"): "likewise",
    ("agents.load", "name"): "other people's agents",
    ("agents.load", "sys.modules[name]"): "likewise, from a file",
    ("agents", "sys.modules[self.make.__module__]"): "the first line of an agent's docstring",
    ("cli.lists", "sys.modules[count.__module__]"): "that of an engine's",
    ("arena.workers", "sys.modules['__main__']"): "a process that starts imports no program of the user",
    ("kernels.build", "sys.modules['satsweep']"): "a build without the package's own dependencies",
    ("cli", "f'satsweep.cli.{COMMANDS[name]}'"): "the command that runs",
    ("cli.options", "module"): "checks and completions of names, at their first use",
    ("cli.renderers", "module"): "the function that writes an answer, when it is written",
}
# Arrows upward: a module names one above it, which no import statement may.
UPWARD = {
    ("mixins", "formats"): "a value is read or written",
    ("mixins", "render.pictures"): "a value is drawn",
    ("arena.report", "arena.pages"): "a report is drawn",
    ("learn.envs.minesweeper", "learn.envs.vector"): "Gymnasium makes environments by name",
}
LONGEST = 500
"""Lines of a module."""
HEAVY = ("numpy", "networkx", "ortools", "pysat", "matplotlib", "pandas", "numba", "gymnasium")


class Row(NamedTuple):
    """Row of the table: a folder, its modules, and the folders that they may import."""

    folder: str
    modules: tuple[str, ...]
    imports: frozenset[str]


def rows() -> list[Row]:
    """Rows of the table of docs/architecture.md.

    The package itself is the folder ``satsweep``.
    """
    found = []
    for line in (ROOT / "docs" / "architecture.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"`[a-z/]+`", cells[0]):
            folder, modules, imports = (re.findall(r"`([^`]+)`", cells[column]) for column in (0, 2, 3))
            found.append(Row(folder[0], tuple(modules), frozenset(imports)))
    return found


def dotted(folder: str, module: str) -> str:
    """A module of a row by its name without ``satsweep.``."""
    parts = [] if folder == "satsweep" else folder.split("/")
    return ".".join([*parts, *([] if module == "__init__" else [module])])


def modules() -> dict[str, Path]:
    """Every module of the package, by its name without ``satsweep.``."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


ROWS = rows()
ROW_OF = {dotted(row.folder, module): row for row in ROWS for module in row.modules}
MODULES = modules()
DOTTED = {f"satsweep.{name}" for name in MODULES if name}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text())


@cache
def nodes(module: str) -> list[ast.AST]:
    return list(ast.walk(tree(module)))


@cache
def imports_and_calls(module: str) -> list[ast.Import | ast.ImportFrom | ast.Call]:
    kinds = ast.Import | ast.ImportFrom | ast.Call
    return [node for node in nodes(module) if isinstance(node, kinds)]


@cache
def imported(module: str) -> set[str]:
    """The modules of the package that a module imports, wherever in it."""
    found = set()
    for node in imports_and_calls(module):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "absolute imports only"
            names = [node.module or ""]
            # ``from satsweep.solver.engines import sat`` imports a module, too.
            names += [f"{node.module}.{alias.name}" for alias in node.names if f"{node.module}.{alias.name}" in DOTTED]
            if names[1:] and len(names) - 1 == len(node.names):
                names = names[1:]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.removeprefix("satsweep").removeprefix(".") for name in names if name.split(".")[0] == "satsweep"}
    return found


def called(call: ast.Call) -> str:
    """Name of the function that is called, without what it belongs to."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


@cache
def named(module: str) -> set[str]:
    """The modules of the package that a module names in text, but for resources and loggers."""
    calls = (node for node in imports_and_calls(module) if isinstance(node, ast.Call))
    aside = {arg for call in calls if called(call) in ("files", "getLogger") for arg in call.args}
    texts = {node for node in nodes(module) if isinstance(node, ast.Constant)} - aside
    paths = {str(node.value).partition(":")[0] for node in texts} & DOTTED
    return {path.removeprefix("satsweep.") for path in paths} - {module}


def below(module: str) -> set[str]:
    """The modules that a module names and could import as well."""
    return {name for name in named(module) if (module, name) not in UPWARD}


def test_every_module_stands_in_the_table_once() -> None:
    listed = [dotted(row.folder, module) for row in ROWS for module in row.modules]
    assert sorted(listed) == sorted(MODULES)
    assert len({row.folder for row in ROWS}) == len(ROWS), "a folder with two rows is two folders"


def test_folders_import_what_the_table_allows(subtests: pytest.Subtests) -> None:
    for module in MODULES:
        with subtests.test(module=module):
            row = ROW_OF[module]
            above = {"cli"} if module == "__main__" else set()
            # The package is its version, and names that load when used.
            for name in (imported(module) | below(module)) - above - {""}:
                assert name in ROW_OF, f"{module} imports {name}, which the table does not have"
                assert ROW_OF[name].folder in {row.folder, *row.imports}, f"{module} imports {name}"


def test_every_enumeration_has_its_table_and_its_test(subtests: pytest.Subtests) -> None:
    """Those of the section Enumerations of CONTRIBUTING.md."""
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("\n## Enumerations\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(lines) >= 10 and len({what for what, *_ in lines}) == len(lines)
    for what, table, test in lines:
        with subtests.test(what.strip()):
            place, *names = re.findall("`([^`]+)`", table)
            module = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            assert all(isinstance(getattr(import_module(module), name), Mapping) for name in names)
            assert names or any((ROOT / place).iterdir())
            file, name = re.findall("`([^`]+)`", test)
            assert f"\ndef {name}(" in (ROOT / file).read_text() and what.strip() in tables()[file, name]


def test_no_two_modules_import_each_other() -> None:
    graph = networkx.DiGraph((module, name) for module in MODULES for name in imported(module) | below(module))
    assert list(networkx.simple_cycles(graph)) == []


def test_modules_are_imported_by_name_where_there_is_a_reason() -> None:
    """Imports that no statement shows: each stands in the list above, and each in the list is there."""
    found = set()
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
                found.add((module, ast.unparse(node.args[0])))
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
                found.add((module, ast.unparse(node)))
    assert found == set(BY_NAME)
    assert [(module, name) for module, name in UPWARD if name not in named(module)] == []


def test_no_module_imports_a_command() -> None:
    """What commands share stands in modules that are no commands; a command is found by its name."""
    commands = {f"cli.{module}" for module in COMMANDS.values()}
    assert commands <= set(MODULES)
    assert {module: asked for module in MODULES if (asked := imported(module) & commands)} == {}


def test_the_table_allows_nothing_that_nobody_needs() -> None:
    for folder in {row.folder for row in ROWS}:
        own = [row for row in ROWS if row.folder == folder]
        needed = {ROW_OF[name].folder for row in own for module in row.modules
                  for name in (imported(dotted(folder, module)) | below(dotted(folder, module))) - {""}}  # fmt: skip
        assert frozenset().union(*(row.imports for row in own)) <= needed | {"satsweep"}, folder


def test_the_test_sees_imports() -> None:
    """The tests above would be worth nothing if they overlooked imports."""
    assert "errors" in imported("text")
    assert {"solver.engines.sat", "solver.engines.auto", "solver.components"} <= imported("solver.engines")
    assert "solver.engines" in imported("solver.pipeline") and "layout" in imported("formats.files")


def test_there_are_two_doors_to_the_kernels(subtests: pytest.Subtests) -> None:
    for module in MODULES:
        with subtests.test(module=module):
            if module != "solver.compiled" and module.split(".")[0] != "kernels":
                kernels = {name for name in imported(module) if name.split(".")[0] == "kernels"}
                assert kernels <= {"kernels.board_engine"}


def test_kernels_call_kernels_by_name() -> None:
    """No kernel goes back to Python or through an address, and private names of numba stand in one module.

    That module also writes the one call by which a checked build reports.
    """
    kernels = {module: path.read_text() for module, path in MODULES.items() if module.split(".")[0] == "kernels"}
    words = ("builder.call(", "cfunc(", "objmode", "numba.core")
    calls = [[module for module, text in kernels.items() if word in text] for word in words]
    assert calls == [["kernels.toolchain.lowering"], [], [], ["kernels.toolchain.lowering"]]
    assert kernels["kernels.toolchain.lowering"].count("builder.call(") == 1


def test_nothing_that_reasons_knows_the_layout(subtests: pytest.Subtests) -> None:
    for module in MODULES:
        with subtests.test(module=module):
            if not {module, module.split(".")[0]} & KNOW_THE_TRUTH:
                assert "layout" not in imported(module)


@pytest.mark.parametrize("module", sorted(CHECKERS))
def test_checkers_share_nothing_with_what_they_check(module: str) -> None:
    assert {name for name in imported(module) if ROW_OF[name].folder != "satsweep"} <= CHECKERS


def test_only_the_edges_print(subtests: pytest.Subtests) -> None:
    for module in MODULES:
        with subtests.test(module=module):
            edge = {module, module.split(".")[0]} & PRINT
            for node in () if edge else imports_and_calls(module):
                assert not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")
                if isinstance(node, ast.Import | ast.ImportFrom):
                    asked = (
                        [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                    )
                    assert not {name.split(".")[0] for name in asked} & {"rich", "typer", "logging"}


def test_there_is_one_writer_of_files() -> None:
    """Files are written whole or not at all."""

    def writes(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = called(node)
        given = [*node.args, *(word.value for word in node.keywords)]
        modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        opens = name == "open" and any(re.fullmatch("[rwaxbt+]*[wax+][rwaxbt+]*", mode) for mode in modes)
        return opens or name in ("write_text", "write_bytes", "savefig", "ParquetWriter", "copyfile")

    found = {name for name in MODULES if any(map(writes, imports_and_calls(name)))}
    assert found == set(WRITE)


def test_modules_are_short() -> None:
    lengths = {module: len(path.read_text().splitlines()) for module, path in MODULES.items()}
    assert {module: lines for module, lines in lengths.items() if lines > LONGEST} == {}


@pytest.mark.parametrize("document", ["architecture", "kernels", "page-design"])
def test_documents_name_what_is_there(document: str) -> None:
    """Names with a stroke are paths, in the package, its kernels or the repository."""
    text = (ROOT / "docs" / f"{document}.md").read_text()
    names = re.findall(r"`([a-z_]+(?:/[\w.]+)+)`", text)
    places = [PACKAGE, PACKAGE / "kernels", ROOT]
    ends = ("", ".py")
    assert len(names) > 5
    assert [
        name for name in names if not any((place / f"{name}{end}").exists() for place in places for end in ends)
    ] == []


@pytest.mark.parametrize("module", ["satsweep", "satsweep.cli"])
def test_heavy_imports_are_lazy(module: str) -> None:
    """A command that answers --version must not wait for a solver to load."""
    code = f"import sys, {module}; print(*sorted({{name.split('.')[0] for name in sys.modules}} & set({HEAVY!r})))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


@pytest.mark.extended
def test_a_class_name_means_one_thing() -> None:
    bodies = (node for module in MODULES for node in tree(module).body)
    names = Counter(node.name for node in bodies if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


def test_modules_say_what_they_are(subtests: pytest.Subtests) -> None:
    for module in MODULES:
        with subtests.test(module=module):
            assert ast.get_docstring(tree(module))


def test_the_package_exports_what_it_lists() -> None:
    """Exported names load at first use; __init__.pyi is the only list of them."""
    listed = satsweep.__all__
    for name in listed:
        value = getattr(satsweep, name)
        assert value.__class__ is not type(satsweep) or value is sys.modules[f"satsweep.{name}"]
        assert value.__class__ is type(satsweep) or not (PACKAGE / name).is_dir(), f"{name} hides a folder"
    assert set(listed) <= set(dir(satsweep))
    with pytest.raises(AttributeError, match="module 'satsweep' has no attribute 'nonsense'"):
        # The wrong name is the point.
        satsweep.nonsense  # type: ignore[attr-defined]  # noqa: B018
