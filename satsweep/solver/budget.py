"""Limits on the work of an engine.

They are seconds, memory, and states (elimination) or placements (enumeration).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TypeVar

from satsweep.arguments import check_number, check_whole, short_repr
from satsweep.errors import BudgetExceeded

_T = TypeVar("_T")
MEBIBYTES = 4096
"""Memory of a computation that is limited in time, unless another limit is given."""
PIECE = 1 << 16
"""Items of a list between two looks at the limits."""
LOOK_SECONDS = 0.01
"""Least time between two looks at the memory."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on one computation; None means no limit.

    With a limit on states the answer is the same on every machine; seconds bound the time that a user waits.
    ``mebibytes`` is by how much the process may grow, which Linux tells; with a limit on seconds and without one of its
    own it is 4,096.
    """

    seconds: float | None = None
    states: int | None = None
    mebibytes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            check_number(self.seconds, "seconds")
        if self.states is not None:
            object.__setattr__(self, "states", check_whole(self.states, "states"))
        if self.mebibytes is not None:
            object.__setattr__(self, "mebibytes", check_whole(self.mebibytes, "mebibytes"))

    @classmethod
    def of(cls, budget: Budget | float | None) -> Budget:
        """The budget that a caller gives: as it is, or just seconds, or none at all.

        Raises TypeError for anything else.
        """
        if isinstance(budget, Budget):
            return budget
        if budget is not None and not isinstance(budget, Real):
            raise TypeError(f"expected a Budget, or seconds, found {short_repr(budget)}")
        return cls(seconds=budget)

    def meter(self) -> Meter:
        """Start to count against this budget now."""
        deadline = None if self.seconds is None else time.monotonic() + self.seconds
        allowed = MEBIBYTES if self.mebibytes is None and deadline is not None else self.mebibytes
        return Meter(deadline, self.states, None if allowed is None else resident() + (allowed << 20))


@dataclass(slots=True)
class Meter:
    """A budget that is being spent."""

    deadline: float | None
    states: int | None
    ceiling: int | None = None
    spent: int = 0
    _next_look: float = 0.0

    def spend(self, states: int = 0) -> None:
        """Count states as made. Raises BudgetExceeded past a limit."""
        self.spent += states
        if self.states is not None and self.spent > self.states:
            raise BudgetExceeded(f"more than {self.states:,} states")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise BudgetExceeded("out of time")
        if self.ceiling is not None and (now := time.monotonic()) > self._next_look:
            self._next_look = now + LOOK_SECONDS
            if resident() > self.ceiling:
                raise BudgetExceeded("out of memory")

    def together(self, *lists: Sequence[int]) -> Iterator[Iterator[tuple[int, ...]]]:
        """Yield the items of long lists together, with a look at the limits at times."""
        self.spend()
        if len(lists[0]) <= PIECE:
            yield zip(*lists, strict=True)
            return
        for start in range(0, len(lists[0]), PIECE):
            yield zip(*(one[start : start + PIECE] for one in lists), strict=True)
            self.spend()

    def each(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield items, with a look at the limits before each. Raises BudgetExceeded."""
        for item in items:
            self.spend()
            yield item

    @property
    def left(self) -> Budget:
        """The budget that is not spent yet."""
        seconds = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        states = None if self.states is None else max(0, self.states - self.spent)
        mebibytes = None if self.ceiling is None else max(0, self.ceiling - resident()) >> 20
        return Budget(seconds, states, mebibytes)


def resident() -> int:
    """Memory that this process has now, in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


UNLIMITED = Budget()
