"""The tree of best play of a position with few worlds.

A branch ends where the rest of the game is won for certain: from there on no guess is needed. Safe cells that show the
same number in every world are left out; they can be opened at any time, and tell nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from satsweep.board import Cell
from satsweep.solver.analysis import Analysis
from satsweep.solver.endgame import Endgame, SearchExhausted, endgame


@dataclass(frozen=True, slots=True)
class BestPlay:
    """Best play of a position: worlds, wins, the first cell, and what follows.

    It wins ``won`` of ``worlds`` layouts by opening ``cell`` first. ``numbers`` has what follows each number that the
    cell can show, ``lost`` the layouts in which it is a mine. The cell is None where all layouts are won.
    """

    worlds: int
    won: int
    cell: Cell | None = None
    lost: int = 0
    numbers: Mapping[int, BestPlay] = field(default_factory=dict)


def best_play(analysis: Analysis) -> BestPlay | None:
    """Return the tree of best play, which begins with the first cell of the advice.

    None where too many worlds are left, the search is given up, or no covered cell can be opened.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.analysis import analyse
    >>> tree = best_play(analyse(Board(("#1#", "1##", "###"), mines=2)))
    >>> tree.won, tree.worlds, str(tree.cell), tree.lost, {number: own.won for number, own in tree.numbers.items()}
    (4, 6, '0,0', 1, {0: 3, 1: 1})
    """
    found = endgame(analysis)
    if found is None or not found.cells:
        return None
    try:
        return _tree(found, analysis.best)
    except SearchExhausted:
        return None


def _tree(position: Endgame, first: Cell | None) -> BestPlay:
    won = int(position.win * position.size)
    if won == position.size:
        return BestPlay(won, won)
    telling = {cell: shown for cell in position.cells if _tells(position, shown := position.numbers(cell))}

    def key(cell: Cell) -> tuple[bool, Fraction, bool, int]:
        safe = _size(telling[cell])
        return safe == position.size, position.win_with(cell), len(telling[cell]) > 1, safe

    cell = first if first is not None and first in telling else max(telling, key=key)
    after = {number: _tree(own, None) for number, own in telling[cell].items()}
    return BestPlay(position.size, won, cell, position.size - _size(telling[cell]), after)


def _tells(position: Endgame, shown: Mapping[int, Endgame]) -> bool:
    """Return whether a cell is a guess, or can show more than one number."""
    return len(shown) > 1 or _size(shown) < position.size


def _size(shown: Mapping[int, Endgame]) -> int:
    """The number of worlds in which a cell is safe, from what it can show."""
    return sum(own.size for own in shown.values())
