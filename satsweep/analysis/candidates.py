"""Values of advice: candidates, best first, and guesses that cannot be avoided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from satsweep.board import Cell

if TYPE_CHECKING:
    from satsweep.why.minimal.reasons import Reason

Kind = Literal["safe", "exact", "estimate", "risk"]
"""How candidates are ranked."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell to open.

    ``progress`` is the chance that some covered cell is safe after the cell has been opened and was safe, and
    ``expected_safe`` the expected number of such cells; both are None where the board was not counted within the
    budget, or is too large for that, and for safe cells. ``win`` is the chance to win with best play after it: a
    Fraction if it is exact, a float if it is an estimate, None if it is not known. A ``dead`` cell tells nothing: it
    shows the same number in every world in which it is safe, that it is safe settles no other cell, and a cell that is
    not dead ranks before it. ``reason`` is a smallest proof that the cell is safe.
    """

    cell: Cell
    risk: Fraction
    progress: Fraction | None = None
    expected_safe: Fraction | None = None
    win: Fraction | float | None = None
    dead: bool = False
    reason: Reason | None = None


@dataclass(frozen=True, eq=False, repr=False)
class MoveAdvice:
    """Cells to open, best first, and guesses that cannot be avoided.

    ``kind`` is ``safe``, ``exact``, ``estimate`` or ``risk``; ``best`` is the first candidate, None if nothing is worth
    opening. It is known at once. All candidates, with their reasons and outlooks, and the guesses are found by
    ``ranking`` and ``exchanges`` when they are first looked at, and kept.
    """

    kind: Kind
    best: Cell | None
    ranking: Callable[[], tuple[Candidate, ...]]
    exchanges: Callable[[], tuple[UnavoidableGuess, ...]]

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The cells to open, best first."""
        return self.ranking()

    @cached_property
    def unavoidable(self) -> tuple[UnavoidableGuess, ...]:
        """The guesses that cannot be avoided, in the order of their cells."""
        return self.exchanges()

    @property
    def dead(self) -> tuple[Cell, ...]:
        """The candidates that tell nothing, in row-major order."""
        if self.kind == "safe":
            return ()
        return tuple(sorted(own.cell for own in self.candidates if own.dead))

    @property
    def guesses(self) -> tuple[tuple[Candidate, ...], ...]:
        """The candidates in sets of equally good ones, best first; none if a cell is safe."""
        if self.kind == "safe":
            return ()
        return tuple(tuple(equals) for _, equals in groupby(self.candidates, score))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveAdvice):
            return NotImplemented
        return (self.kind, self.candidates, self.unavoidable) == (other.kind, other.candidates, other.unavoidable)

    def __hash__(self) -> int:
        return hash((self.kind, self.best))

    def __repr__(self) -> str:
        return f"<MoveAdvice {self.kind}: best {self.best}>"


def score(candidate: Candidate) -> tuple[object, ...]:
    return candidate.win, candidate.risk, candidate.dead, candidate.progress, candidate.expected_safe


@dataclass(frozen=True, slots=True)
class UnavoidableGuess:
    """Covered cells with two sets of mines that no other cell can ever tell apart."""

    first: tuple[Cell, ...]
    second: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of these cells, in row-major order."""
        return tuple(sorted((*self.first, *self.second)))
