"""A random generator that takes every way through the choices of a computation, each with its probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from satsweep.questions import sampling


class EveryChoice(Random):
    """Random generator of one way through all choices; ``chance`` is the probability of the way so far.

    Draws by weights, as ``satsweep.questions.sampling`` makes them, and samples are choices; nothing else may be drawn.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chance = Fraction(1)
        self._ways: list[tuple[int, list[int]]] = []
        self._at = 0

    @classmethod
    def ways(cls) -> Iterator[EveryChoice]:
        """Yield the generator once for each way; the choices of one must lead to those of the next."""
        rng = cls()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(sampling, "_drawn", lambda weights, rng: rng.choose(weights))
            while True:
                yield rng
                rng.chance, rng._at = Fraction(1), 0
                while rng._ways and not rng._ways[-1][1]:
                    rng._ways.pop()
                if not rng._ways:
                    return
                _, (another, *others) = rng._ways.pop()
                rng._ways.append((another, others))

    def choose(self, weights: Sequence[int]) -> int:
        if self._at == len(self._ways):
            first, *others = [place for place, weight in enumerate(weights) if weight]
            self._ways.append((first, others))
        place = self._ways[self._at][0]
        self._at += 1
        self.chance *= Fraction(int(weights[place]), int(sum(weights)))
        return place

    def sample(self, population: Any, k: int, **options: Any) -> list[Any]:
        every = list(combinations(population, k))
        return list(every[self.choose([1] * len(every))])

    def randrange(self, *limits: Any) -> int:
        raise AssertionError("expected draws by weights, and samples")
