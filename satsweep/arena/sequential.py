"""Sequential test of a run: layouts in order of their number, and the decision.

The ratio is looked at after each layout, in the order of their numbers. Layouts come in any order from the workers, so
those that are ahead wait for the ones before. The decision is therefore the same for any number of workers, and after
an interrupt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING

from satsweep.arena.plan import layout_and_play
from satsweep.arena.result import Result
from satsweep.arena.sprt import Sprt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 4096
"""Layouts whose ratios are computed together."""


class Accepted(Enum):
    """Hypothesis that a test accepts; ``MINUS_H1`` is that the first agent is better."""

    H0 = "h0"
    H1 = "h1"
    MINUS_H1 = "-h1"


@dataclass(frozen=True, slots=True)
class Decision:
    """State of a sequential test: its verdict, None while undecided, and what it saw.

    ``log_ratios`` has the logarithm of the likelihood ratio when the test ended, or now; a two-sided test has a second
    one, of the change in the other direction. ``layouts`` is the number of layouts that the decision took. ``counts``
    has how often each change was seen, from -1 to 1 in steps of 1 / plays.
    """

    test: Sprt
    plays: int
    verdict: Accepted | None
    log_ratios: tuple[float, ...]
    layouts: int
    counts: tuple[int, ...]

    @property
    def games(self) -> int:
        """Number of games that each agent played until the decision."""
        return self.layouts * self.plays

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of the change; 0 without layouts."""
        values = [number / self.plays - 1 for number in range(len(self.counts))]
        n = max(self.layouts, 1)
        mean = sum(value * count for value, count in zip(values, self.counts, strict=True)) / n
        return mean, sum((value - mean) ** 2 * count for value, count in zip(values, self.counts, strict=True)) / n

    @property
    def expected_games(self) -> tuple[float, float, float] | None:
        """Mean number of games if h0 is true, if h1 is, and halfway between.

        They are those of a one-sided test with the variance that was seen; None if nothing varied.
        """
        _, variance = self.moments
        if not variance or self.test.two_sided:
            return None
        h0, h1 = self.test.h0 / 100, self.test.h1 / 100
        at_h0, at_h1, halfway = (
            self.plays * self.test.expected_layouts(change, variance) for change in (h0, h1, (h0 + h1) / 2)
        )
        return at_h0, at_h1, halfway


class SequentialTest:
    """A sequential test while layouts come in, in any order."""

    def __init__(self, test: Sprt, plays: int = 1) -> None:
        import numpy as np

        self._test = test
        self._plays = plays
        self._counts: NDArray[np.int64] = np.zeros(2 * plays + 1, np.int64)
        self._layouts = 0
        self._sides = 2 if test.two_sided else 1
        self._ratios = [0.0] * self._sides
        self._accepted: list[bool | None] = [None] * self._sides
        """For each direction, whether h1 was accepted; None while it is open."""
        self._ahead: dict[int, tuple[int, int]] = {}
        """Games of single agents and the sum of changes, of layouts still to look at."""

    @property
    def decision(self) -> Decision:
        """The decision as it is now."""
        counts = tuple(map(int, self._counts))
        return Decision(self._test, self._plays, self._verdict, tuple(self._ratios), self._layouts, counts)

    @property
    def is_decided(self) -> bool:
        """True if no further layout can change the decision."""
        return self._verdict is not None

    @property
    def _verdict(self) -> Accepted | None:
        for accepted, verdict in zip(self._accepted, (Accepted.H1, Accepted.MINUS_H1), strict=False):
            if accepted:
                return verdict
        return Accepted.H0 if all(accepted is False for accepted in self._accepted) else None

    def add_results(self, results: Iterable[Result]) -> None:
        """Take games of single agents, in any order; the agents are 0 and 1."""
        for result in results:
            layout, _ = layout_and_play(result.game, self._plays)
            self._add(layout, 1, result.won if result.agent else -result.won)
        self._evaluate()

    def add_layouts(self, layouts: Iterable[tuple[int, int, int]]) -> None:
        """Take layouts: number, games that both agents played, and the sum of changes."""
        for layout, games, change in layouts:
            self._add(layout, 2 * games, change)
        self._evaluate()

    def _add(self, layout: int, games: int, change: int) -> None:
        before, sum_before = self._ahead.get(layout, (0, 0))
        self._ahead[layout] = before + games, sum_before + change

    def _evaluate(self) -> None:
        """Look at the ratio after each layout that is complete now and next in order."""
        changes, following = [], self._layouts
        while not self.is_decided and self._ahead.get(following, (0, 0))[0] == 2 * self._plays:
            changes.append(self._ahead.pop(following)[1])
            following += 1
            if len(changes) == CHUNK:
                self._extend(changes)
                changes = []
        if changes and not self.is_decided:
            self._extend(changes)

    def _extend(self, changes: Sequence[int]) -> None:
        """Go on by some layouts, up to the one that decides."""
        import numpy as np

        steps = np.zeros((len(changes), len(self._counts)), np.int64)
        steps[np.arange(len(changes)), np.array(changes) + self._plays] = 1
        counts = self._counts + np.cumsum(steps, axis=0)
        low, high = self._test.bounds
        ratios = [self._test.log_ratios(counts if not side else counts[:, ::-1]) for side in range(self._sides)]
        ends = {}
        for side, ratio in enumerate(ratios):
            crossed = (ratio <= low) | (ratio >= high)
            if self._accepted[side] is None and crossed.any():
                ends[side] = int(crossed.argmax())
        last = len(changes) - 1
        for side, end in sorted(ends.items(), key=itemgetter(1)):
            if not self.is_decided:
                self._accepted[side] = bool(ratios[side][end] >= high)
                self._ratios[side] = float(ratios[side][end])
                last = end if self.is_decided else last
        for side in range(self._sides):
            if self._accepted[side] is None:
                self._ratios[side] = float(ratios[side][last])
        self._counts = counts[last]
        self._layouts += last + 1
