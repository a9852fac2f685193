"""Positions of one board: risks, deduction, and ways to see that a cell is safe.

A position is an array of one signed byte a cell, as the kernels read them: a number, ``COVERED``, or ``MINED`` for a
mine that was opened. Flags are opinions, so flagged cells are covered. Where there are no kernels the exact path
answers, as exactly.

For the easiest way to see that a cell is safe, single numbers, one after the other, are followed cell by cell during a
game. Pairs are looked for among the numbers near a cell, and the rest is asked of the stages of the solver.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from math import nan
from typing import TypeAlias

from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import NUMBERS, Board
from satsweep.kernels import board_engine
from satsweep.kernels.board_engine import BoardEngine
from satsweep.layout import Layout
from satsweep.solver import compiled
from satsweep.solver.components import components
from satsweep.solver.constraints import CellConstraint, cell_constraints, covered_cells, exactly, gather
from satsweep.solver.pipeline import ComponentCache, prove_forced
from satsweep.solver.propagate import propagate
from satsweep.techniques import Technique as Technique

Symbols: TypeAlias = "array[int]"
"""A position."""
COVERED, MINED, OPEN = -1, -2, -3
"""Codes of the kernels: covered, a mine, open without a number."""
_TEXT = (NUMBERS + "?*#".rjust(256 - len(NUMBERS))).encode("ascii")
"""Symbols of all codes, as unsigned bytes."""
_CODES = bytes(
    255 & {"?": OPEN, "*": MINED, **{number: code for code, number in enumerate(NUMBERS)}}.get(chr(symbol), COVERED)
    for symbol in range(256)
)
"""Codes of all symbols, as unsigned bytes."""
STEPS = 3
"""Steps from number to number in which pairs are looked for first."""


class Positions:
    """Positions of a board of one size, topology, mine total and clue model.

    ``blank`` is the board with all cells covered. ``deep`` is True if the compiled deep player can be asked.
    """

    def __init__(self, blank: Board, *, kernels: bool = True) -> None:
        self.blank = blank
        self.near = blank.topology.neighbours(blank.rows, blank.cols)
        self.engine: BoardEngine | None = None
        if kernels and board_engine.is_there() and blank.mines is not None and compiled.supports(blank):
            self.engine = BoardEngine(self.near, blank.mines)
        self.fast = self.engine is not None
        self.deep = self.fast and blank.clues.is_exact
        self._cache = ComponentCache()
        self._last: tuple[bytes, Analysis] | None = None
        self._rated: tuple[bytes, list[float]] | None = None

    @property
    def covered(self) -> Symbols:
        return array("b", [COVERED]) * len(self.near)

    def board(self, symbols: Symbols) -> Board:
        blank = self.blank
        text = symbols.tobytes().translate(_TEXT).decode("ascii")
        rows = tuple(text[first : first + blank.cols] for first in range(0, len(text), blank.cols))
        return Board.trusted(rows, blank.mines, blank.density, blank.topology, blank.clues)

    def symbols(self, board: Board) -> Symbols:
        """The position of a board of this kind; flags are opinions."""
        return array("b", board.symbols.encode("ascii").translate(_CODES))

    def analysis(self, symbols: Symbols) -> Analysis:
        key = symbols.tobytes()
        if self._last is None or self._last[0] != key:
            board = self.board(symbols)
            by_kernels = self.fast and compiled.is_there()
            found = analyse(board, engine=compiled.NAME) if by_kernels else analyse(board, cache=self._cache)
            self._last = key, found
        return self._last[1]

    def risks(self, symbols: Symbols) -> list[float]:
        """The risks of a position, exactly 0 or 1 where forced; the last ones are kept.

        NaN for cells that are not covered, and for those whose risk is not known.
        """
        key = symbols.tobytes()
        if self._rated is None or self._rated[0] != key:
            self._rated = key, self._new_risks(symbols)
        return self._rated[1]

    def _new_risks(self, symbols: Symbols) -> list[float]:
        found = None if self.engine is None else self.engine.risks(symbols.tobytes())
        if found is not None:
            return found
        return [nan if risk is None else float(risk) for row in self.analysis(symbols).risks for risk in row]

    def settled(self, symbols: Symbols, shown: Symbols) -> Symbols:
        """A position after all deduction: with all safe cells open, which show ``shown``.

        Deduction comes to the same end in any order, because forced cells stay forced when more is seen.
        """
        now = symbols[:]
        while safe := [cell for cell, risk in enumerate(self.risks(now)) if risk == 0]:
            for cell in safe:
                now[cell] = shown[cell]
        return now


def numbers_of(layout: Layout) -> Symbols:
    """The numbers of all cells of a layout, ``MINED`` for a mine."""
    mined = [symbol == "*" for symbol in layout.symbols]
    near = layout.topology.neighbours(layout.rows, layout.cols)
    shown = (MINED if own else sum(mined[other] for other in around) for own, around in zip(mined, near, strict=True))
    return array("b", shown)


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
        proved = prove_forced(propagated, components(propagated.frontier), self._cache).settled
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
