"""The engine ``auto`` goes over to the kernels where that pays, never for one board."""

from __future__ import annotations

import subprocess
import sys

import pytest

from satsweep import Board, analyse
from satsweep.kernels import library
from satsweep.solver import analysis, compiled
from satsweep.solver.pipeline import ComponentCache

FEW_BOARDS = """
import sys
from satsweep import Board, analyse, risks
board = Board(("##1.", "##21", "####"), mines=3)
assert [analyse(board).engine for _ in range(3)] == ["auto"] * 3 and len(risks([board])) == 1
assert not {name.split(".")[0] for name in sys.modules} & {"numba", "llvmlite"}
assert not {"satsweep.kernels.api", "satsweep.kernels.library"} & sys.modules.keys()
"""
is_preferred = compiled.is_preferred  # tests/conftest.py puts something else in its place


class Kernels:
    """Stands for the library of kernels: kept on disk or not, and loaded when that is asked for."""

    def __init__(self, *, kept: bool) -> None:
        self.kept, self.loaded, self.asked = kept, False, 0

    def is_loaded(self) -> bool:
        return self.loaded

    def load(self) -> bool:
        self.asked += 1
        self.loaded = self.kept
        return self.loaded


@pytest.fixture(params=[True, False], ids=["kept", "missing"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kernels:
    """Kernels that are compiled, or not, and no time spent yet."""
    found = Kernels(kept=request.param)
    monkeypatch.setattr(library, "is_loaded", found.is_loaded)
    monkeypatch.setattr(library, "load", found.load)
    monkeypatch.setattr(compiled, "_rent", compiled._Rent())
    return found


def test_a_few_boards_load_nothing() -> None:
    subprocess.run([sys.executable, "-c", FEW_BOARDS], check=True)


def test_a_second_in_python_loads_the_kernels(kernels: Kernels) -> None:
    compiled.pay_rent(0.9)
    assert not is_preferred() and not kernels.asked
    compiled.pay_rent(0.2)
    for _ in range(2):
        assert is_preferred() == kernels.kept and kernels.asked == 1
    compiled.pay_rent(1.1)
    assert is_preferred() == kernels.kept
    assert kernels.asked == 2 - kernels.kept, "missing kernels are looked for again, after another second"


def test_many_boards_at_once_load_the_kernels(kernels: Kernels) -> None:
    assert not is_preferred(100) and not kernels.asked
    assert is_preferred(1000) == kernels.kept


def test_kernels_that_are_loaded_are_used(kernels: Kernels) -> None:
    kernels.loaded = True
    assert is_preferred() and not kernels.asked


def test_auto_pays_and_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not where a cache is given, and not for boards that the kernels do not analyse."""
    monkeypatch.setattr(compiled, "_rent", compiled._Rent())
    board = Board(("##1.", "##21", "####"), mines=3)
    analyse(board, engine="sat")
    analyse(board, cache=ComponentCache())
    analyse(Board(("#1",), clues="underestimate"))
    assert compiled._rent.seconds == 0
    analyse(board)
    assert compiled._rent.seconds > 0
    monkeypatch.setattr(compiled, "is_preferred", lambda: True)
    asked: list[Board] = []
    monkeypatch.setattr(analysis, "solve_compiled", asked.append)
    assert analyse(board).worlds == analyse(board, cache=ComponentCache()).worlds == 12
    assert asked == [board]
