"""Ways to see that a cell is safe, from easy to hard.

Single numbers, one after the other, are followed cell by cell during a game. Pairs are looked for among the numbers
near a cell, and the rest is asked of the stages of the solver.

Reasons of safe cells that a player has overlooked, in words.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum

from satsweep.assessment.positions import MINED, Symbols
from satsweep.board import Board
from satsweep.solver.constraints import CellConstraint, cell_constraints, covered_cells, exactly, gather
from satsweep.solver.pipeline import ComponentCache, forced
from satsweep.solver.propagate import propagate

STEPS = 3
"""Steps from number to number in which pairs are looked for first."""


class Technique(Enum):
    """The easiest way to see that a cell is safe, or a mine."""

    SINGLE = "single number"
    """A number that has all its mines, or needs all its cells; or several of these."""
    PAIR = "pair of numbers"
    """The cells of a number that all belong to another one: 1-1, 1-2, and their kin."""
    SEARCH = "several numbers"
    """Three numbers or more, which take a case distinction."""
    TOTAL = "mine total"
    """The number of mines on the board."""


ORDER = {technique: place for place, technique in enumerate(Technique)}
"""Place of each technique, the easiest first."""


class SingleNumbers:
    """Cells of one game that single numbers settle, one after the other.

    ``safe`` and ``mines`` are the cells that they settle. Numbers have to be right.
    """

    def __init__(self, near: Sequence[Sequence[int]]) -> None:
        self.near = near
        self.safe: set[int] = set()
        self.mines: set[int] = set()
        self._shown: dict[int, int] = {}

    def show(self, cells: Iterable[tuple[int, int]]) -> None:
        """Take in opened cells and their symbols (``positions.Symbols``)."""
        waiting: list[int] = []
        for cell, symbol in cells:
            if symbol >= 0:
                self._shown[cell] = symbol
                waiting.append(cell)
            else:
                (self.mines if symbol == MINED else self.safe).add(cell)
            waiting += (other for other in self.near[cell] if other in self._shown)
        while waiting:
            cell = waiting.pop()
            unknown, need = self.left(cell)
            if unknown and need in (0, len(unknown)):
                (self.mines if need else self.safe).update(unknown)
                waiting += {number for other in unknown for number in self.near[other] if number in self._shown}

    def left(self, cell: int) -> tuple[list[int], int]:
        """The cells around a number that nothing is known of, and the mines among them."""
        left = [other for other in self.near[cell] if other not in self._shown and other not in self.safe]
        unknown = [other for other in left if other not in self.mines]
        return unknown, self._shown[cell] - len(left) + len(unknown)

    def constraints_near(self, cell: int) -> list[CellConstraint]:
        """The numbers some steps around a cell, less all that single numbers settle."""
        numbers: dict[int, CellConstraint] = {}
        cells, edge = {cell}, [cell]
        for _ in range(STEPS):
            found = {number for cell in edge for number in self.near[cell] if number in self._shown} - numbers.keys()
            for number in found:
                unknown, need = self.left(number)
                numbers[number] = CellConstraint(number, tuple(unknown), exactly(need))
            edge = [other for number in found for other in numbers[number].cells if other not in cells]
            cells.update(edge)
        return [constraint for constraint in numbers.values() if constraint.cells]


class TechniqueFinder:
    """The easiest techniques for forced cells of one game, move by move."""

    def __init__(self, near: Sequence[Sequence[int]], *, exact: bool = True) -> None:
        self.single = SingleNumbers(near)
        self._exact = exact
        self._found: dict[int, Technique] = {}
        self._cache = ComponentCache()

    def show(self, symbols: Symbols, cells: Iterable[int]) -> None:
        """Take in cells that have been opened in a position."""
        if self._exact:
            self.single.show((cell, symbols[cell]) for cell in cells)

    def of(self, cells: Iterable[int], board: Callable[[], Board]) -> dict[int, Technique]:
        """The techniques for cells that are forced now.

        ``board`` draws the board as it is now, where that is needed.
        """
        found: dict[int, Technique] = {}
        rest = []
        for cell in cells:
            if cell in self.single.safe or cell in self.single.mines:
                found[cell] = Technique.SINGLE
            elif self._found.get(cell) is Technique.PAIR or (self._exact and self._is_pair(cell)):
                found[cell] = Technique.PAIR
            else:
                rest.append(cell)
        if rest:
            self._look(board())
            found.update((cell, self._found.get(cell, Technique.TOTAL)) for cell in rest)
        return found

    def _look(self, board: Board) -> None:
        """Find what the stages before the mine total settle; the last one overrides."""
        propagated = propagate(gather(cell_constraints(board), covered_cells(board)))
        proved, _ = forced(propagated, self._cache)
        self._found |= dict.fromkeys((*proved.safe, *proved.mines), Technique.SEARCH)
        self._found |= dict.fromkeys((*propagated.safe, *propagated.mines), Technique.PAIR)
        self._found |= dict.fromkeys(propagated.single, Technique.SINGLE)

    def _is_pair(self, cell: int) -> bool:
        """Return whether pairs of the numbers near a cell settle it; keep all of theirs."""
        constraints = self.single.constraints_near(cell)
        cells = {other for constraint in constraints for other in constraint.cells}
        settled = propagate(gather(constraints, sorted(cells)))
        self._found.update(dict.fromkeys((*settled.safe, *settled.mines), Technique.PAIR))
        return self._found.get(cell) is Technique.PAIR
