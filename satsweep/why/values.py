"""What an explanation is.

A forced cell has a ``Explanation``: numbers that force it, none of which can be left out. A cell that is not forced is
``Undecided``: there is a world with a mine in it, and one without. A board that no layout agrees with has a
``Conflict``: statements that cannot all be true, although any one fewer could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import Board, Cell
from satsweep.layout import Layout


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a cell is a mine, or safe: the statements of ``clues`` together leave no other possibility.

    ``clues`` are open cells that show a number, in row-major order, and flagged cells where flags are trusted.
    ``total`` says that the mine total is needed as well. Without any one of the clues, or without the total where it
    is needed, the cell would not be forced. ``smallest`` says that no smaller set of clues would do either; where it
    is false, that was not found out within the budget.
    """

    board: Board
    cell: Cell
    mine: bool
    clues: tuple[Cell, ...]
    total: bool = False
    smallest: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """A cell that may be a mine or not: its risk, if it is known, and a world of either kind."""

    board: Board
    cell: Cell
    risk: Fraction | None
    mined: Layout
    safe: Layout


@dataclass(frozen=True, slots=True)
class Correction:
    """What would make the board possible: ``instead`` of the number ``shown`` at a cell, or of the total (cell None).

    Both are None for a flag that would have to be taken off.
    """

    cell: Cell | None
    shown: int | None = None
    instead: int | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Clues, and the mine total if ``total``, that cannot all be true; any one fewer can. ``smallest`` as in a reason.

    ``corrections`` are single numbers that would make the whole board possible, the nearest to what is shown first;
    without any, more than one number is wrong.
    """

    board: Board
    clues: tuple[Cell, ...]
    total: bool = False
    smallest: bool = False
    corrections: tuple[Correction, ...] = ()
