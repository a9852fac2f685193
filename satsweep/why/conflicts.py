"""Boards that cannot be: numbers that cannot all be true, and what would make them so.

A conflict is found as a reason is, only that nothing is asked of any cell: a smallest set of statements without a
world. If a single number is wrong, every conflict contains it, since without it the board is possible. So whoever wants
to correct one number finds it in the conflict; each value that makes the whole board possible is a correction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from satsweep.board import COVERED, FLAG, MINE, NUMBERS, Board, Cell
from satsweep.why.cores import Effort, Numbers, minimal, minimal_with_total, smallest
from satsweep.why.explainer import is_smallest, parts_of, trusted_constraints, with_total
from satsweep.why.values import Conflict, Correction

EFFORT = 2000
"""How many trials may go into the search for a smaller conflict."""


def conflict(board: Board, *, trust_flags: bool = False) -> Conflict | None:
    """The numbers, and flags if they are trusted, that cannot all be true; None if some layout agrees with the board.

    >>> found = conflict(Board(("#####", "#131#", "#####")))
    >>> print(*found.clues)
    1,1 1,2 1,3
    >>> found.corrections[0]
    Correction(cell=Cell(row=1, col=1), shown=1, instead=2)
    """
    said = trusted_constraints(board, trust_flags=trust_flags)
    everything = range(len(said))
    total = False
    with Numbers(said) as numbers:
        trial = numbers.asking()
        core = trial(everything).core
        if core is not None:
            clues = minimal(trial, core)
            near = next(part for part in parts_of(said) if clues[0] in part)
            clues, least = smallest(trial, clues, near, Effort(EFFORT))
    if core is None:
        if board.mines is None:
            return None
        possible = with_total(board, said).asking()
        if possible(everything):
            return None
        total = True
        clues = minimal_with_total(possible, everything, parts_of(said))
        least = is_smallest(possible, clues, len(said))
    cells = tuple(board.cell(at) for at in sorted(said[clue].clue for clue in clues))
    corrections = sorted(_corrections(board, cells, total, trust_flags), key=_distance)
    return Conflict(board, cells, total, least, tuple(corrections))


def _distance(correction: Correction) -> tuple[int, Cell, int]:
    if correction.instead is None or correction.shown is None:
        return 1, correction.cell or Cell(-1, -1), 0
    return abs(correction.instead - correction.shown), correction.cell or Cell(-1, -1), correction.instead


def _corrections(board: Board, cells: tuple[Cell, ...], total: bool, trust_flags: bool) -> Iterator[Correction]:
    """Every change of one of the clues that makes the board possible; of the total the nearest to either side."""
    for cell in cells:
        if board[cell] == FLAG:
            if _is_possible(board, cell, COVERED, trust_flags):
                yield Correction(cell)
            continue
        shown = board.number(cell) or 0
        for instead in range(board.clues.most(len(board.neighbours(cell))) + 1):
            if instead != shown and _is_possible(board, cell, NUMBERS[instead], trust_flags):
                yield Correction(cell, shown, instead)
    if total and board.mines is not None:
        for instead in _possible_totals(board, trust_flags):
            yield Correction(None, board.mines, instead)


def _is_possible(board: Board, cell: Cell, symbol: str, trust_flags: bool) -> bool:
    """Whether some layout agrees with the board once a cell shows another symbol."""
    rows = list(board.cells)
    rows[cell.row] = rows[cell.row][: cell.col] + symbol + rows[cell.row][cell.col + 1 :]
    changed = replace(board, cells=tuple(rows))
    said = trusted_constraints(changed, trust_flags=trust_flags)
    if changed.mines is not None:
        return with_total(changed, said).asking()(range(len(said)))
    with Numbers(said) as numbers:
        return numbers.asking()(range(len(said))).core is None


def _possible_totals(board: Board, trust_flags: bool) -> Iterator[int]:
    """The nearest mine total below the one that is given, and above it, with which the board is possible."""
    assert board.mines is not None
    said = trusted_constraints(board, trust_flags=trust_flags)
    totals = with_total(board, said).totals(range(len(said)))
    opened = board.symbols.count(MINE)
    below = [mines + opened for mines in totals if mines + opened < board.mines]
    above = [mines + opened for mines in totals if mines + opened > board.mines]
    yield from below[-1:]
    yield from above[:1]
