"""CP-SAT solvers: no limit is mistaken for a proof, and no interrupt either."""

import os
import signal
import sys
import threading
from random import Random
from typing import Any

import pytest

from satsweep.errors import BudgetExceeded
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint
from satsweep.solver.engines import cpsat as module
from satsweep.solver.engines.cpsat import cp_model_of, cp_solution, cp_solver


def hard_model() -> tuple[Any, list[Any]]:
    """Parity constraints on random sets of variables, which take CP-SAT minutes."""
    from ortools.sat.python import cp_model

    rng = Random(1)
    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in range(60)]
    for _ in range(59):
        half = model.new_int_var(0, 30, "")
        model.add(sum(rng.sample(variables, 30)) == 2 * half + rng.randrange(2))
    return model, variables


def test_a_placement_of_a_component() -> None:
    component = Component((3, 2), (Constraint((0, 1), (0, 0, 0, 0, 1)), Constraint((1,), (1, 1))))
    assert cp_solution(*cp_model_of(component)) == [3, 1]
    assert cp_solution(*cp_model_of(Component((1,), (Constraint((0,), ()),)))) is None


def test_a_search_that_was_too_short_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model, variables = hard_model()
    assert cp_solution(model, variables, effort=0.01) is None
    monkeypatch.setattr(module, "cp_solver", lambda *, effort: cp_solver(effort=0.01))
    with pytest.raises(BudgetExceeded, match="without an answer"):
        cp_solution(model, variables)


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts of POSIX")
def test_an_interrupted_search_is_no_proof() -> None:
    model, variables = hard_model()
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            cp_solution(model, variables, effort=0.3)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
