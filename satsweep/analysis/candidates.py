"""Values of advice: candidates, best first, and guesses that cannot be avoided."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
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


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """Cells to open, best first, and guesses that cannot be avoided.

    ``kind`` is ``safe``, ``exact``, ``estimate`` or ``risk``; ``dead`` has the candidates that tell nothing.
    """

    kind: Kind
    candidates: tuple[Candidate, ...]
    dead: tuple[Cell, ...] = ()
    unavoidable: tuple[UnavoidableGuess, ...] = ()

    @property
    def best(self) -> Cell | None:
        """The first candidate; None if nothing is worth opening."""
        return self.candidates[0].cell if self.candidates else None

    @property
    def guesses(self) -> tuple[tuple[Candidate, ...], ...]:
        """The candidates in sets of equally good ones, best first; none if a cell is safe."""
        if self.kind == "safe":
            return ()
        return tuple(tuple(equals) for _, equals in groupby(self.candidates, score))


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
