"""PySAT solvers with selectors: models, cores, and what becomes of interrupts."""

import pytest

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
