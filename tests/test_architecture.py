"""The file tree is the flow: imports go one way, and what is heavy or loud stays where it belongs."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import satsweep

PACKAGE = Path(satsweep.__file__).parent

# A module may import those before it, and no others. A new module belongs somewhere on this list.
ORDER = [
    "kernels.compiled",
    "kernels.work",
    "kernels.draws",
    "kernels.board",
    "kernels.parts",
    "kernels.listing",
    "kernels.elimination",
    "kernels.weights",
    "kernels.outlook",
    "kernels.promise",
    "kernels.ahead",
    "kernels.endgame_few",
    "kernels.endgame_sets",
    "kernels.endgame_regions",
    "kernels.endgame_search",
    "kernels.endgame",
    "kernels.worlds",
    "kernels.endgame_play",
    "kernels.rooms",
    "kernels.pairs",
    "kernels.features",
    "kernels.deep",
    "kernels.solver",
    "kernels.layouts",
    "kernels.player",
    "kernels.unaided",
    "kernels.entries",
    "kernels",
    "errors",
    "text",
    "topology",
    "clues",
    "board",
    "layout",
    "constraints",
    "propagate",
    "components",
    "cnf",
    "backbone",
    "budget",
    "polynomials",
    "combine",
    "engines.tally",
    "engines.shape",
    "engines.order",
    "engines.circuit",
    "engines.evaluate",
    "engines.cuts",
    "engines.elimination",
    "engines.sat",
    "engines.cpsat",
    "engines.auto",
    "engines",
    "probability",
    "totals",
    "solution",
    "fast",
    "analysis",
    "outlook",
    "rules",
    "agent",
    "agents.knowledge",
    "agents.uniform",
    "agents.basic",
    "agents.tank",
    "agents.subset",
    "agents.matrix",
    "agents.gem",
    "agents.gem_full",
    "agents.gem_select",
    "agents.search",
    "agents.bfs",
    "agents.dfs",
    "agents.ai0",
    "agents.ai1",
    "agents.sat",
    "agents.deep",
    "rulebook",
    "agents",
    "generate",
    "record",
    "game",
    "worlds",
    "foreign",
    "findings",
    "oracle",
    "strategies",
    "replay",
    "certificate",
    "verify",
    "why.values",
    "why.cores",
    "why.reasons",
    "why.conflicts",
    "why.words",
    "why.steps",
    "why.arguments",
    "why.shapes",
    "why.phrases",
    "why.sentences",
    "why.guesses",
    "why.proofs",
    "why.drup",
    "why.cross_check",
    "why",
    "chains",
    "trace",
    "walkthrough",
    "difficulty",
    "order",
    "unaided",
    "workshop",
    "formats.strict",
    "formats.toml",
    "formats.ruleset",
    "formats.kinds",
    "formats.grids",
    "formats.native",
    "formats.georgia_tech",
    "formats.graph",
    "formats.jsm",
    "formats.jsm_link",
    "formats.ptta",
    "formats.tatham",
    "formats.rawvf",
    "formats.board_file",
    "formats.mbf",
    "formats.minesweepr",
    "formats.replay_child",
    "formats.replays",
    "formats.table",
    "formats.records",
    "formats.certificates",
    "formats.traces",
    "formats",
    "",  # satsweep itself: what the package offers
    "render.grid",
    "render.facts",
    "render.data",
    "render.rules",
    "render.squares",
    "render.graphs",
    "render.shapes",
    "render.svg",
    "render.text",
    "render.audit",
    "render.reasons",
    "render.pictures",
    "render.transcript",
    "render.chains",
    "render.orders",
    "render.watch",
    "render",
    "compare.plan",
    "compare.planfile",
    "compare.compiled",
    "compare.results",
    "compare.tally",
    "compare.store",
    "compare.export",
    "compare.stats",
    "compare.measures",
    "compare.anchors",
    "compare.report",
    "compare.sheets",
    "compare.tables",
    "compare.canvas",
    "compare.plot",
    "compare.html",
    "compare.workers",
    "compare.run",
    "compare.progress",
    "compare",
    "testing",
    "policy",
    "envs",
    "interrupt",
    "web.limits",
    "web.questions",
    "web.geometry",
    "web.games",
    "web.answers",
    "web.worker",
    "web.pool",
    "web.app",
    "web.server",
    "web",
    "cli.output",
    "cli.options",
    "cli.evidence",
    "cli.ruleset",
    "cli.solve",
    "cli.explain",
    "cli.keys",
    "cli.interactive",
    "cli.play",
    "cli.check",
    "cli.verify",
    "cli.find_mines",
    "cli.chains",
    "cli.planning",
    "cli.results",
    "cli.convert",
    "cli.generate",
    "cli.compare",
    "cli.serve",
    "cli",
    "__main__",
]

# Only these may know where the mines really are: files, the door of the package, and the edges.
KNOW_THE_TRUTH = {
    "layout",
    "generate",
    "record",
    "game",
    "worlds",
    "findings",
    "oracle",
    "why",
    "trace",
    "walkthrough",
    "difficulty",
    "order",
    "unaided",
    "workshop",
    "strategies",
    "envs",
    "formats",
    "",
    "render",
    "compare",
    "web",
    "cli",
}
PRINT = {"render", "compare", "web", "cli", "__main__"}
HEAVY = ("numpy", "networkx", "ortools", "pysat", "matplotlib", "pandas", "numba", "gymnasium")


def modules() -> dict[str, Path]:
    """Every module of the package, by its name without ``satsweep.``."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()
every_module = pytest.mark.parametrize("module", MODULES)


def imported(module: str) -> set[str]:
    """The modules of the package that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "absolute imports only"
            names = [node.module or ""]
            # ``from satsweep.engines import sat`` imports a module, too.
            names += [f"{node.module}.{alias.name}" for alias in node.names if f"{node.module}.{alias.name}" in DOTTED]
            if names[1:] and len(names) - 1 == len(node.names):
                names = names[1:]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.removeprefix("satsweep").removeprefix(".") for name in names if name.split(".")[0] == "satsweep"}
    return found


DOTTED = {f"satsweep.{name}" for name in MODULES if name}


def test_every_module_has_its_place() -> None:
    assert len(set(ORDER)) == len(ORDER)
    assert set(MODULES) <= set(ORDER), "a new module belongs on the list ORDER, in the order of the flow"


@every_module
def test_imports_go_one_way(module: str) -> None:
    if module not in ORDER:
        pytest.fail(f"{module} has no place yet on the list ORDER")
    before = set(ORDER[: ORDER.index(module)])
    assert imported(module) <= before


def test_the_test_sees_imports() -> None:
    """It would be worth nothing if it overlooked the imports that there are."""
    assert "errors" in imported("text")
    assert {"engines.sat", "engines.auto", "components", "budget"} <= imported("engines")
    assert "engines" in imported("solution") and "layout" in imported("formats")


@every_module
def test_kernels_import_nothing_of_the_package(module: str) -> None:
    if module.split(".")[0] == "kernels":
        assert {name.split(".")[0] for name in imported(module)} <= {"kernels"}


@every_module
def test_nothing_that_reasons_knows_the_layout(module: str) -> None:
    if module.split(".")[0] not in KNOW_THE_TRUTH:
        assert "layout" not in imported(module)


@every_module
def test_only_the_edges_print(module: str) -> None:
    if module.split(".")[0] in PRINT:
        return
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        assert not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert not {name.split(".")[0] for name in names} & {"rich", "typer", "logging"}


@pytest.mark.parametrize("module", ["satsweep", "satsweep.cli"])
def test_heavy_imports_are_lazy(module: str) -> None:
    """A command that answers --version must not wait for a solver to load."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"there is no {module} yet")
    code = f"import sys, {module}; print(*sorted({{name.split('.')[0] for name in sys.modules}} & set({HEAVY!r})))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


@every_module
def test_modules_say_what_they_are(module: str) -> None:
    assert ast.get_docstring(ast.parse(MODULES[module].read_text()))


def test_the_package_offers_what_it_says() -> None:
    """Names are loaded when they are asked for, from a table that must not drift from ``__all__``."""
    assert set(satsweep.__all__) <= set(dir(satsweep))
    for name in satsweep.__all__:
        assert getattr(satsweep, name).__class__ is not type(satsweep), f"{name} is a module"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        satsweep.nonsense  # noqa: B018
