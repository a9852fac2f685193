"""The same tasks in other clothes: eight symmetries, other symbols of cells.

A solver scores the same in all of them. A model that has seen a board before, and remembers it, does not recognise it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from satsweep.arguments import did_you_mean, short_repr
from satsweep.board import Cell
from satsweep.learn.envs.text import SYMBOL_SETS, SYMBOLS, symbols_named

SYMMETRIES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "none": lambda row, col, rows, cols: (row, col),
    "upside-down": lambda row, col, rows, cols: (rows - 1 - row, col),
    "mirrored": lambda row, col, rows, cols: (row, cols - 1 - col),
    "half-turn": lambda row, col, rows, cols: (rows - 1 - row, cols - 1 - col),
    "transposed": lambda row, col, rows, cols: (col, row),
    "quarter-turn": lambda row, col, rows, cols: (col, rows - 1 - row),
    "quarter-turn-back": lambda row, col, rows, cols: (cols - 1 - col, row),
    "transposed-across": lambda row, col, rows, cols: (cols - 1 - col, rows - 1 - row),
}
"""Where each symmetry of the square puts a cell of a board of some size."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A symmetry by name, and symbols of cells: a name of a set, or eleven of them.

    >>> Variant("quarter-turn").lines(["12", "34", "56"])
    ['531', '642']

    Raises ValueError for other names.
    """

    symmetry: str = "none"
    symbols: str = SYMBOLS

    def __post_init__(self) -> None:
        if self.symmetry not in SYMMETRIES:
            meant = did_you_mean(self.symmetry, SYMMETRIES)
            raise ValueError(
                f"expected a symmetry among {', '.join(SYMMETRIES)}, found {short_repr(self.symmetry, 40)}{meant}"
            )
        object.__setattr__(self, "symbols", symbols_named(self.symbols))

    def __str__(self) -> str:
        """The unusual in it by name, ``usual`` if there is none."""
        names = {symbols: name for name, symbols in SYMBOL_SETS.items()}
        unusual = [self.symmetry] * (self.symmetry != "none")
        unusual += [names.get(self.symbols, self.symbols)] * (self.symbols != SYMBOLS)
        return ", ".join(unusual) or "usual"

    def cell(self, cell: Sequence[int], rows: int, cols: int) -> Cell:
        """The place of a cell of a board of a size."""
        return Cell(*SYMMETRIES[self.symmetry](cell[0], cell[1], rows, cols))

    def lines(self, lines: Sequence[str]) -> list[str]:
        """The lines of a board or layout under the symmetry."""
        rows, cols = len(lines), len(lines[0])
        last = self.cell((rows - 1, cols - 1), rows, cols)
        first = self.cell((0, 0), rows, cols)
        grid = [[""] * (max(first.col, last.col) + 1) for _ in range(max(first.row, last.row) + 1)]
        for row, line in enumerate(lines):
            for col, symbol in enumerate(line):
                at = self.cell((row, col), rows, cols)
                grid[at.row][at.col] = symbol
        return ["".join(line) for line in grid]
