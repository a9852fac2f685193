"""Budgets: limits that hold, and what is left of them."""

import subprocess
import sys

import numpy as np
import pytest

from satsweep import Board, Budget, BudgetExceeded, analyse, risks
from satsweep.solver import budget, compiled
from satsweep.solver.budget import UNLIMITED


def test_states_are_spent_and_then_gone() -> None:
    meter = Budget(states=3).meter()
    meter.spend(1)
    meter.spend(2)
    assert meter.left == Budget(None, 0)
    with pytest.raises(BudgetExceeded, match="more than 3 states"):
        meter.spend(1)
    assert meter.left == Budget(None, 0)


def test_time_runs_out() -> None:
    meter = Budget(seconds=-1).meter()
    with pytest.raises(BudgetExceeded, match="out of time"):
        meter.spend()
    assert meter.left.seconds == 0


def test_time_that_is_left() -> None:
    meter = Budget(seconds=100).meter()
    meter.spend(10**9)
    assert 90 < (meter.left.seconds or 0) <= 100 and meter.left.states is None


def test_no_limit_at_all() -> None:
    meter = UNLIMITED.meter()
    meter.spend(10**12)
    assert meter.left == UNLIMITED


COMPONENT = """
import random
from satsweep import Budget, BudgetExceeded
from satsweep.solver.budget import resident
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint
from satsweep.solver.engines import ENGINES

rng = random.Random(1)
world = [rng.random() < 0.3 for _ in range(100)]
constraints = []
for _ in range(38):
    groups = tuple(sorted(rng.sample(range(100), 8)))
    constraints.append(Constraint(groups, tuple(int(count == sum(world[one] for one in groups)) for count in range(9))))
before = resident()
try:
    ENGINES["{}"](Component((1,) * 100, tuple(constraints)), Budget(seconds=100, mebibytes=100))
except BudgetExceeded as error:
    print(error)
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak * 1024 - before)
"""
"""A count that takes 600 MiB within some seconds."""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how much memory a process has")
@pytest.mark.parametrize("engine", ["elimination", pytest.param("auto", marks=pytest.mark.extended)])
def test_memory_is_bounded(engine: str) -> None:
    code = COMPONENT.replace('"{}"', repr(engine))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said, grown = done.stdout.splitlines()
    assert said == "out of memory" and int(grown) < 200 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how much memory a process has")
def test_memory_has_a_bound_where_time_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Budget(seconds=100).meter()
    assert 4000 < (meter.left.mebibytes or 0) <= 4096 == budget.MEBIBYTES
    assert Budget(states=3).meter().left.mebibytes is None
    assert Budget(mebibytes=7).meter().left.mebibytes in (6, 7)
    monkeypatch.setattr(budget, "resident", lambda: 1 << 50)
    with pytest.raises(BudgetExceeded, match="out of memory"):
        meter.spend()
    assert meter.left.mebibytes == 0


def test_analyses_and_risks_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past it risks are unknown, and never wrong; forced cells are found all the same."""
    board = Board(("##1.", "##21", "####"), mines=3)
    monkeypatch.setattr(budget, "resident", iter(range(0, 1 << 60, 1 << 40)).__next__)
    monkeypatch.setattr(budget, "LOOK_SECONDS", -1.0)
    found = analyse(board, engine="elimination", budget=60)
    assert not found.complete and found.safe == analyse(board).safe
    monkeypatch.setattr(compiled, "is_preferred", lambda: False)
    (own,) = risks([board], budget=Budget(seconds=60, mebibytes=1))
    assert np.isnan(own[0]).all() and own[2, 1] == 0
