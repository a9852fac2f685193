"""The exact path with python-sat alone: the same tests with all other libraries hidden."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from satsweep.solver import backbone, is_installed
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint
from satsweep.solver.sums import placements_by_sum
from tests import ROOT
from tests.solver.test_propagate import on_cells
from tests.strategies import components

LIBRARIES = "gmpy2,matplotlib,networkx,numpy,ortools,pandas,rich,scipy,typer"
"""Libraries that a browser, or an installation of the least, does not have."""
TESTS = {
    "solver": ("engines", "probability", "backbone", "positions", "installed"),
    "analysis": ("analysis", "outlook"),
    "questions": ("statements", "witness"),
    "why": ("explainer", "sentences"),
    "page": ("advice", "deals", "game_review"),
}
"""Files of tests by folder."""


@pytest.mark.extended
@pytest.mark.skipif(not is_installed("numpy"), reason="this is the run without libraries")
def test_the_same_tests_without_libraries() -> None:
    """Every engine, worlds, totals, risks and reasons against brute force; answers."""
    files = [f"tests/{folder}/test_{name}.py" for folder, names in TESTS.items() for name in names]
    command = [sys.executable, "-m", "tests.hidden", LIBRARIES, "--", "-q", "-p", "no:cacheprovider", *files]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "again"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_world_needs_or_tools() -> None:
    """A worker of the page begins sooner without it."""
    code = (
        "import sys; from satsweep import Board, find_world; "
        "assert find_world(Board(('#2##1####',), mines=4), {(0, 0): True}); print('ortools' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("False\n", 0), done.stderr


@pytest.mark.skipif(not is_installed("ortools"), reason="needs it")
def test_cp_sat_finds_a_sum_with_a_gap() -> None:
    """The last group is a mine: with the one mine of the others it makes 2, and 0 would be too few.

    As a linear expression in a domain OR-Tools 9.15 calls it infeasible.
    """
    frontier = on_cells(
        Component((1, 1, 1, 1), (Constraint((0, 1, 2), (0, 1)), Constraint((0, 1, 2, 3), (1, 0, 1, 0)))), 2
    )
    assert backbone.ends_by_cp_sat(frontier, 2) == {3: 1, 4: 0}
    assert backbone.bound_by_cp_sat(frontier, most=False) == 2


@pytest.mark.skipif(not is_installed("ortools"), reason="needs both")
@given(components(max_cells=8), st.integers(0, 8), st.data())
def test_pysat_finds_what_cp_sat_finds(component: Component, sea: int, data: st.DataObject) -> None:
    frontier = on_cells(component, sea)
    total = data.draw(st.integers(0, sum(component.sizes) + sea))
    assert backbone.ends_by_sums(frontier, total) == backbone.ends_by_cp_sat(frontier, total)
    if placements_by_sum(component):
        for most in (False, True):
            assert backbone.bound_by_sums(frontier, most=most) == backbone.bound_by_cp_sat(frontier, most=most)
