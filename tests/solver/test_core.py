"""The core is what it says: three libraries in their places, an order of reading, a size."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx
import pytest
from ortools.sat.python import cp_model
from pysat.solvers import Solver

import satsweep
from satsweep import Board, solver
from satsweep.analysis.analyse import analyse
from satsweep.solver import compiled
from tests import ROOT
from tests.brute_force import worlds

CORE = Path(solver.__file__).parent
BOARD = Board(("####.#", "22#1##", "##3##1", "###2#1"), mines=5)
"""Board of docs/ideas/core.md: each stage settles something, and two components are left."""
MOST_LINES = 2_600
MOST_MODULES = {"analyse": 39, "solve": 94, "compare": 141}
WORDS = {
    "solve": ["solve", "examples/small.txt"],
    "compare": ["compare", "--agents", "basic,gem,sat", "--board", "beginner", "--games", "2", "--jobs", "1"],
}


class Calls(dict[str, int]):
    """Number of calls of each library."""

    def __missing__(self, name: str) -> int:
        return 0


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Calls]:
    found = Calls()
    for name, owner, attribute in (
        ("networkx", networkx, "connected_components"),
        ("PySAT", Solver, "solve"),
        ("CP-SAT", cp_model.CpSolver, "solve"),
    ):
        original = getattr(owner, attribute)

        def spy(*arguments: object, name: str = name, original: object = original, **options: object) -> object:
            found[name] += 1
            return original(*arguments, **options)  # type: ignore[operator]

        monkeypatch.setattr(owner, attribute, spy)
    yield found


def test_the_sentence_of_the_card(calls: Calls) -> None:
    """Components by networkx, forced cells and placements by PySAT and CP-SAT, the mine total included."""
    possible = worlds(BOARD)
    for engine, libraries in (("sat", {"networkx", "PySAT"}), ("cpsat", {"networkx", "PySAT", "CP-SAT"})):
        calls.clear()
        found = analyse(BOARD, engine=engine)
        assert set(calls) == libraries
        assert found.worlds == len(possible) and {work.engine for work in found.work} == {engine}
        assert [set(found.safe), set(found.mines)] == [
            {cell for cell in BOARD.covered if not any(cell in world for world in possible)},
            {cell for cell in BOARD.covered if all(cell in world for world in possible)},
        ]
        assert all(found.stages.values()), "each stage settles a cell of this board"


def test_the_twin_asks_none_of_them(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the compiled twin answers; the stages are asked when they are to be shown."""
    monkeypatch.setattr(compiled, "is_preferred", lambda: True)
    found = analyse(BOARD)
    assert found.worlds == 6 and {work.engine for work in found.work} == {"compiled"} and not calls
    assert found.stage_results().split and calls["networkx"] and calls["PySAT"] and not calls["CP-SAT"]


def listed() -> list[str]:
    """Modules in the order in which the docstring of the folder tells to read them."""
    assert solver.__doc__ is not None
    return re.findall(r"^    (\w+)   ", solver.__doc__, re.MULTILINE)


def test_modules_are_read_after_those_that_they_use() -> None:
    order = listed()
    assert sorted(order) == sorted({path.stem for path in CORE.glob("*.py")} - {"__init__"} | {"engines"}), (
        "the docstring of satsweep.solver lists every module"
    )
    for place, name in enumerate(order):
        files = sorted((CORE / name).glob("*.py")) if name == "engines" else [CORE / f"{name}.py"]
        imported = {
            node.module.split(".")[2]
            for file in files
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("satsweep.solver.")
        }
        assert imported - {name} <= set(order[:place]), name


def test_the_core_is_small() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in CORE.glob("*.py"))
    assert lines <= MOST_LINES


@pytest.mark.parametrize("what", MOST_MODULES)
def test_few_modules_are_loaded(what: str) -> None:
    code = f"import satsweep; satsweep.analyse({str(BOARD)!r}, engine='sat')"
    words = WORDS.get(what, [])
    if words:
        code = "from satsweep.cli import main\ntry: main()\nexcept SystemExit: pass"
    code += "\nprint(sum(name.startswith('satsweep') for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(done.stdout.splitlines()[-1]) <= MOST_MODULES[what]


def test_the_board_of_the_page_is_this_one() -> None:
    assert str(BOARD).strip() in (ROOT / "docs" / "ideas" / "core.md").read_text(encoding="utf-8").replace("... ", "")
    assert satsweep.analyse(BOARD).worlds == 6
