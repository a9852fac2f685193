"""Advice for a position: the cells to open, best first, and what is known about them.

Every command, the library and the page ask here, so they name the same cell. If a cell is safe, safe cells come first,
the easiest to see first (``easiest``). If none is, the order is the first of these that can be had:

* ``exact``: by the chance to win with best play, where few enough worlds are left (``endgame``);
* ``estimate``: by the chance to win that the deep player expects, where its kernels are ready;
* ``risk``: less risk first, then the better chance that a safe cell follows, as Tu, Li, Chen, Chen and Yu (2017) break
  ties, then the greater expected number of safe cells (``outlook``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from satsweep.board import Cell
from satsweep.solver.analysed_board import AnalysedBoard
from satsweep.solver.easiest import easiest_first
from satsweep.solver.outlook import Outlooks
from satsweep.solver.reasons import Reason

MOST = 10
"""Sets of equally good cells whose chance of progress is computed."""
Kind = Literal["safe", "exact", "estimate", "risk"]
"""How candidates are ranked."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell to open.

    ``progress`` is the chance that some covered cell is safe after the cell has been opened and was safe, and
    ``expected_safe`` the expected number of such cells; both are None where the board was not counted within the
    budget, and for safe cells. ``win`` is the chance to win with best play after it: a Fraction if it is exact, a float
    if it is an estimate, None if it is not known. A ``dead`` cell tells nothing by its number. ``reason`` is a smallest
    proof that the cell is safe.
    """

    cell: Cell
    risk: Fraction
    progress: Fraction | None = None
    expected_safe: Fraction | None = None
    win: Fraction | float | None = None
    dead: bool = False
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class UnavoidableGuess:
    """Covered cells that have to be guessed, sooner or later.

    ``fillings`` are the sets of mines that are possible there; no other cell can ever tell which of them is true. Of
    ``chance`` see ``unavoidable``.
    """

    cells: tuple[Cell, ...]
    fillings: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Cells to open, best first, how they are ranked, and guesses that cannot be avoided.

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


def advise(analysis: AnalysedBoard, *, last: Cell | None = None, deep: bool | None = None, most: int = MOST) -> Advice:
    """Rank the cells to open.

    ``last`` is the cell of the last move: of safe cells that are equally easy to see the nearest comes first. With
    ``deep`` the deep player is asked if its kernels are compiled; None asks it if they are at hand, and nothing ever
    waits for a compiler. There are no candidates if no covered cell is left, all are mines, or no risk is known.

    Without a safe cell at least ``most`` sets of equally good cells are ranked, if there are as many.
    """
    if analysis.safe:
        found = easiest_first(analysis.board, analysis.safe, last)
        return Advice("safe", tuple(Candidate(own.cell, Fraction(0), reason=own.reason) for own in found))
    return Advice("risk", tuple(by_outlook(analysis, most)))


def by_outlook(analysis: AnalysedBoard, most: int) -> Iterable[Candidate]:
    """Rank the cells of a position without a safe one by risk, then by their outlook.

    Whole levels of risk are ranked until there are ``most`` sets of equals.
    """
    board = analysis.board
    levels = {risk: cells for risk, cells in analysis.cells_by_risk.items() if risk is not None and risk < 1}
    outlooks = Outlooks.of(analysis) if analysis.is_counted and levels else None
    table = board.topology.neighbours(board.rows, board.cols)
    ranked: list[Candidate] = []
    equals = 0
    for level in sorted(levels):
        tied = []
        for cell in levels[level]:
            if outlooks is None:
                tied.append(Candidate(cell, level))
                continue
            index = board.index(cell)
            outlook = outlooks.of_cell(index, table[index])
            progress, expected = (Fraction(part, outlook.worlds) for part in (outlook.progress, outlook.expected_safe))
            tied.append(Candidate(cell, level, progress, expected))
        tied.sort(key=lambda own: (own.progress or 0, own.expected_safe or 0), reverse=True)
        ranked += tied
        equals += len({(own.progress, own.expected_safe) for own in tied})
        if equals >= most:
            break
    return ranked
