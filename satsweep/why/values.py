"""Explanations, undecided cells, conflicts and corrections, as values.

A forced cell has an ``Explanation``: numbers that force it, none of which can be left out. A cell that is not forced is
``Undecided``: there is a world with a mine in it, and one without. A board that no world agrees with has a
``Conflict``: clues that cannot all be true, although any one fewer can.
"""

from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import Board, Cell
from satsweep.layout import Layout
from satsweep.mixins import Worded
from satsweep.part import WHOLE, Part
from satsweep.text import counted


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Worded):
    """A minimal set of clues that forces a cell to be a mine, or safe.

    ``clues`` are open cells that show a number, in row-major order, and flagged cells where flags are trusted.
    ``total`` is true if the mine total is needed as well. Without any one of the clues, or without the total where it
    is needed, the cell would not be forced. ``smallest`` is true if no smaller set of clues forces the cell, and false
    if the search did not answer that within its limits.
    """

    board: Board
    cell: Cell
    mine: bool
    clues: tuple[Cell, ...]
    total: bool = False
    smallest: bool = False

    def __repr__(self) -> str:
        total = " and the mine total" if self.total else ""
        what = "a mine" if self.mine else "safe"
        return f"<Explanation of {self.cell}: {what}, by {counted(len(self.clues), 'clue')}{total}>"


@dataclass(frozen=True, slots=True, repr=False)
class Undecided(Worded):
    """A cell that is not forced: its risk, if known, and a world of either kind."""

    board: Board
    cell: Cell
    risk: Fraction | None
    mined: Layout
    safe: Layout

    def __repr__(self) -> str:
        return f"<Undecided {self.cell}: risk {self.risk}>"


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of one cell, or of the mine total, that makes a board possible.

    ``instead`` is the number that replaces ``shown`` at ``cell``, or replaces the mine total if ``cell`` is None. It is
    None for a cell that has to be covered: a flag or a known mine that is wrong, or an open cell that has to be a mine.
    """

    cell: Cell | None
    shown: int | None = None
    instead: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Conflict(Worded):
    """A minimal set of clues that cannot all be true.

    The mine total belongs to it if ``total``. ``smallest`` means the same as in an ``Explanation``. ``corrections`` are
    single changes that make the whole board possible, the nearest to what is shown first, and open cells that must be
    mines where there are no others; without any, more than one thing is wrong. ``as_part`` has the sides on which a
    larger board may have been cut, if the board is possible as a part of it.
    """

    board: Board
    clues: tuple[Cell, ...]
    total: bool = False
    smallest: bool = False
    corrections: tuple[Correction, ...] = ()
    as_part: Part = WHOLE

    def __repr__(self) -> str:
        parts = [str(clue) for clue in self.clues] + ["mine total"] * self.total
        return f"<Conflict of {', '.join(parts)}: {counted(len(self.corrections), 'correction')}>"
