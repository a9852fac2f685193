"""The engine ``auto`` goes over to the kernels where that pays, never for one board."""

from __future__ import annotations

import subprocess
import sys

import pytest

import satsweep.kernels
from satsweep import Board, analyse
from satsweep.solver import analysis, compiled
from satsweep.solver.pipeline import ComponentCache

FEW_BOARDS = """
import sys
from satsweep import Board, analyse, risks
board = Board(("##1.", "##21", "####"), mines=3)
assert [analyse(board).engine for _ in range(3)] == ["auto"] * 3 and len(risks([board])) == 1
assert not {name.split(".")[0] for name in sys.modules} & {"numba", "llvmlite"}
assert "satsweep.kernels.api" not in sys.modules
"""
is_preferred = compiled.is_preferred  # tests/conftest.py puts something else in its place


class Kernels:
    """Stands for the kernels: compiled or not, and loaded when they are asked for."""

    def __init__(self, *, ready: bool) -> None:
        self.ready, self.looked, self.currsize = ready, 0, 0
        self.prepare = self

    def __call__(self) -> None:
        self.currsize = 1

    def cache_info(self) -> Kernels:
        return self

    def is_ready(self) -> bool:
        self.looked += 1
        return self.ready


@pytest.fixture(params=[True, False], ids=["ready", "missing"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kernels:
    """Kernels that are compiled, or not, and no time spent yet."""
    found = Kernels(ready=request.param)
    monkeypatch.setitem(sys.modules, "satsweep.kernels.api", found)
    monkeypatch.setattr(satsweep.kernels, "api", found, raising=False)
    monkeypatch.setattr(compiled, "_rent", compiled._Rent())
    return found


def test_a_few_boards_load_nothing() -> None:
    subprocess.run([sys.executable, "-c", FEW_BOARDS], check=True)


def test_a_second_in_python_loads_the_kernels(kernels: Kernels) -> None:
    compiled.pay_rent(0.9)
    assert not is_preferred() and not kernels.looked
    compiled.pay_rent(0.2)
    assert is_preferred() == kernels.ready and kernels.looked == 1
    assert is_preferred() == kernels.ready and kernels.looked == 1, "looked for again after another second only"
    compiled.pay_rent(1.1)
    assert is_preferred() == kernels.ready and kernels.looked == 2 - kernels.ready


def test_many_boards_at_once_load_the_kernels(kernels: Kernels) -> None:
    assert not is_preferred(100) and not kernels.looked
    assert is_preferred(1000) == kernels.ready


def test_kernels_that_are_loaded_are_used(kernels: Kernels) -> None:
    kernels.currsize = 1
    assert is_preferred() and not kernels.looked


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
