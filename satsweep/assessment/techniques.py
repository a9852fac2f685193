"""Ways to see that a cell is safe, from easy to hard.

What single numbers say, one after the other, is followed cell by cell during a game; the rest is asked of the stages of
the solver, once for each position in which somebody needed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from satsweep.assessment.positions import COVERED, Symbols
from satsweep.board import Board
from satsweep.solver.board_solution import solve_board
from satsweep.solver.pipeline import ComponentCache


class Technique(Enum):
    """The easiest way to see that a cell is safe, or a mine."""

    SINGLE = "single number"
    """A number that has all its mines, or needs all its cells; several of these, one after the other."""
    PAIR = "pair of numbers"
    """The cells of a number that all belong to another one: 1-1, 1-2, and their kin."""
    SEARCH = "several numbers"
    """Three numbers or more, which take a case distinction."""
    TOTAL = "mine total"
    """The number of mines on the board."""


_STAGES = {
    "single point": Technique.SINGLE,
    "subset": Technique.PAIR,
    "SAT": Technique.SEARCH,
    "mine total": Technique.TOTAL,
}


class SingleNumbers:
    """What single numbers say of the cells of one game, one after the other.

    ``safe`` and ``mines`` are the cells that they settle.
    """

    def __init__(self, near: Sequence[Sequence[int]]) -> None:
        self.near = near
        self.safe: set[int] = set()
        self.mines: set[int] = set()
        self._shown: dict[int, int] = {}

    def show(self, cells: Iterable[tuple[int, int]]) -> None:
        """Take in cells and the numbers that they show."""
        waiting: list[int] = []
        for cell, number in cells:
            self._shown[cell] = number
            waiting += (cell, *(other for other in self.near[cell] if other in self._shown))
        while waiting:
            cell = waiting.pop()
            left = [other for other in self.near[cell] if other not in self._shown and other not in self.safe]
            unknown = [other for other in left if other not in self.mines]
            need = self._shown[cell] - len(left) + len(unknown)
            if unknown and need in (0, len(unknown)):
                (self.mines if need else self.safe).update(unknown)
                waiting += {number for other in unknown for number in self.near[other] if number in self._shown}


class TechniqueFinder:
    """The easiest technique for forced cells of one game, which is followed move by move."""

    def __init__(self, near: Sequence[Sequence[int]]) -> None:
        self.single = SingleNumbers(near)
        self._found: dict[int, Technique] = {}
        self._cache = ComponentCache()

    def show(self, symbols: Symbols, cells: Iterable[int]) -> None:
        """Take in cells that have been opened in a position."""
        self.single.show((cell, int(symbols[cell])) for cell in cells if symbols[cell] > COVERED)

    def of(self, board: Board, cells: Iterable[int]) -> dict[int, Technique]:
        """The techniques for cells that are forced on the board as it is now."""
        found: dict[int, Technique] = {}
        rest = []
        for cell in cells:
            if cell in self.single.safe or cell in self.single.mines:
                found[cell] = Technique.SINGLE
            elif self._found.get(cell) is Technique.PAIR:
                found[cell] = Technique.PAIR
            else:
                rest.append(cell)
        if rest:
            for stage, settled in solve_board(board, cache=self._cache).stages().items():
                self._found.update(dict.fromkeys(settled, _STAGES[stage]))
            found.update((cell, self._found[cell]) for cell in rest)
        return found
