"""Budgets: limits that hold, and what is left of them."""

from __future__ import annotations

import pytest

from satsweep import Budget, BudgetExceeded
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
