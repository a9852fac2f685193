"""Ranked guesses on a board without a safe cell, with every part of their score.

Cells are ranked as the exact agent ranks them: less risk comes first; then the better chance that a safe cell follows,
as Tu, Li, Chen, Chen and Yu (2017) break ties; then the greater expected number of safe cells. Cells that are equal in
all three are one candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import Cell
from satsweep.solver.analysis import Analysis
from satsweep.solver.outlook import Outlooks


@dataclass(frozen=True, slots=True)
class RankedGuess:
    """Cells that are equally good to open, with their score.

    ``progress`` is the chance that some covered cell is safe after the cell has been opened and was safe, and
    ``expected_safe`` the expected number of such cells; both are None where the board was not counted within the
    budget.
    """

    cells: tuple[Cell, ...]
    risk: Fraction
    progress: Fraction | None = None
    expected_safe: Fraction | None = None


def ranked_guesses(analysis: Analysis, most: int = 10) -> tuple[RankedGuess, ...]:
    """Return the best guesses, best first; none if a cell is safe or no risk is known.

    ``most`` bounds their number. Progress is computed only for the levels of risk that are among them.

    >>> from satsweep.solver.analysis import analyse
    >>> from satsweep.board import Board
    >>> for candidate in ranked_guesses(analyse(Board(("#1#", "1##", "###"), mines=2))):
    ...     print(*candidate.cells, candidate.risk, candidate.progress, candidate.expected_safe)
    0,0 1/6 1 12/5
    1,1 1/6 0 0
    2,2 1/3 1 3
    1,2 2,1 1/3 1 2
    0,2 2,0 1/3 1 7/4
    """
    board = analysis.board
    levels = {risk: cells for risk, cells in analysis.cells_by_risk.items() if risk is not None and risk < 1}
    if not levels or 0 in levels:
        return ()
    outlooks = Outlooks.of(analysis) if analysis.is_counted else None
    table = board.topology.neighbours(board.rows, board.cols)
    guesses: list[RankedGuess] = []
    for level in sorted(levels):
        tied: dict[tuple[Fraction, Fraction] | None, list[Cell]] = {}
        for cell in levels[level]:
            score = None
            if outlooks is not None:
                index = board.index(cell)
                outlook = outlooks.of_cell(index, table[index])
                score = Fraction(outlook.progress, outlook.worlds), Fraction(outlook.expected_safe, outlook.worlds)
            tied.setdefault(score, []).append(cell)
        for score in sorted(tied, key=lambda score: score or (Fraction(0), Fraction(0)), reverse=True):
            progress, expected = score or (None, None)
            guesses.append(RankedGuess(tuple(tied[score]), level, progress, expected))
        if len(guesses) >= most:
            break
    return tuple(guesses[:most])
