"""Limits on the work of an engine.

They are seconds, and states (elimination) or placements (enumeration).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from numbers import Real

from satsweep.checked import check_number, check_whole
from satsweep.errors import BudgetExceeded


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on one computation; None means no limit.

    With a limit on states the answer is the same on every machine; seconds bound the time that a user waits.
    """

    seconds: float | None = None
    states: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            check_number(self.seconds, "seconds")
        if self.states is not None:
            object.__setattr__(self, "states", check_whole(self.states, "states"))

    @classmethod
    def of(cls, budget: Budget | float | None) -> Budget:
        """The budget that a caller gives: as it is, or just seconds, or none at all.

        Raises TypeError for anything else.
        """
        if isinstance(budget, Budget):
            return budget
        if budget is not None and not isinstance(budget, Real):
            raise TypeError(f"expected a Budget, or seconds, found {budget!r:.80}")
        return cls(seconds=budget)

    def meter(self) -> Meter:
        """Start to count against this budget now."""
        deadline = None if self.seconds is None else time.monotonic() + self.seconds
        return Meter(deadline, self.states)


@dataclass(slots=True)
class Meter:
    """A budget that is being spent."""

    deadline: float | None
    states: int | None
    spent: int = 0

    def spend(self, states: int = 0) -> None:
        """Count states as made. Raises BudgetExceeded past either limit."""
        self.spent += states
        if self.states is not None and self.spent > self.states:
            raise BudgetExceeded(f"more than {self.states:,} states")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise BudgetExceeded("out of time")

    @property
    def left(self) -> Budget:
        """The budget that is not spent yet."""
        seconds = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        return Budget(seconds, None if self.states is None else max(0, self.states - self.spent))


UNLIMITED = Budget()
