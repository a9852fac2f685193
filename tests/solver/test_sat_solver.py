"""Solvers of PySAT and CP-SAT: models, cores, limits, and what becomes of interrupts."""

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
from satsweep.solver.sat_solver import SelectorSolver, raising_interrupts, sat_solver


def test_a_solver_of_any_name() -> None:
    for name in ("minisat22", "cadical195"):
        with sat_solver([[1, 2], [-1]], name) as solver:
            assert solver.solve() and solver.get_model() == [-1, 2]


def test_a_proof() -> None:
    with sat_solver([[1], [-1]], "cadical195", with_proof=True) as solver:
        assert not solver.solve() and "0" in solver.get_proof()


def test_constraints_that_are_switched_off_say_nothing() -> None:
    with SelectorSolver(3, [10, 20, 30]) as solver:
        solver.add([1, 2])
        solver.add([-1], 10)
        solver.add([-2], 20)
        solver.add([1], 30)
        assert solver.model([]) is not None
        assert solver.model([10]) is not None and solver.model([10], [-2]) is None
        assert solver.model([10, 20, 30]) is None
        assert solver.core() <= {10, 20, 30} and solver.core() != {20, 30}
        assert solver.model([20, 30]) is not None


def test_a_core_names_constraints_alone() -> None:
    with SelectorSolver(2, [7]) as solver:
        solver.add([1], 7)
        assert solver.model([7], [-1]) is None
        assert solver.core() == {7}


def test_interrupts_reach_python() -> None:
    with pytest.raises(KeyboardInterrupt), raising_interrupts():
        raise RuntimeError("Caught keyboard interrupt")
    with pytest.raises(RuntimeError, match="else"), raising_interrupts():
        raise RuntimeError("something else")
    with pytest.raises(KeyboardInterrupt), sat_solver():
        raise RuntimeError("Caught keyboard interrupt")


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
