"""Where nothing is safe: the cells one might open, ranked as the exact agent ranks them, with every part of the score.

Less risk comes first; then the better chance that a safe cell follows, as Tu, Li, Chen, Chen and Yu (2017) break ties;
then the more cells that can be expected to be safe. Cells that are equal in all of it are one candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import Cell
from satsweep.solver.analysis import Analysis
from satsweep.solver.outlook import Outlooks


@dataclass(frozen=True, slots=True)
class RankedGuess:
    """Cells that are equally good to open, and how good that is.

    ``progress`` is the chance that some covered cell is safe once the cell has been opened and was safe, and
    ``expected_safe`` how many can be expected to be; None where the board was not counted within the budget.
    """

    cells: tuple[Cell, ...]
    risk: Fraction
    progress: Fraction | None = None
    expected_safe: Fraction | None = None


def ranked_guesses(analysis: Analysis, most: int = 10) -> tuple[RankedGuess, ...]:
    """The best guesses on a board on which no cell is safe, best first; none if a cell is safe, or no risk is known.

    ``most`` bounds how many there are. What a guess promises is not worked out for risks that are not among them.

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
    found: list[RankedGuess] = []
    for level in sorted(levels):
        tied: dict[tuple[Fraction, Fraction] | None, list[Cell]] = {}
        for cell in levels[level]:
            promise = None
            if outlooks is not None:
                index = board.index(cell)
                outlook = outlooks.of_cell(index, table[index])
                promise = Fraction(outlook.progress, outlook.worlds), Fraction(outlook.expected_safe, outlook.worlds)
            tied.setdefault(promise, []).append(cell)
        for promise in sorted(tied, key=lambda promise: promise or (Fraction(0), Fraction(0)), reverse=True):
            progress, expected = promise or (None, None)
            found.append(RankedGuess(tuple(tied[promise]), level, progress, expected))
        if len(found) >= most:
            break
    return tuple(found[:most])
