"""The eight symmetries of the square, and boards under them."""

from collections.abc import Callable
from dataclasses import replace

from satsweep.board import Board, Cell

SYMMETRIES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "identity": lambda r, c, rows, cols: (r, c),
    "upside down": lambda r, c, rows, cols: (rows - 1 - r, c),
    "mirrored": lambda r, c, rows, cols: (r, cols - 1 - c),
    "half turn": lambda r, c, rows, cols: (rows - 1 - r, cols - 1 - c),
    "transposed": lambda r, c, rows, cols: (c, r),
    "quarter turn": lambda r, c, rows, cols: (c, rows - 1 - r),
    "quarter turn back": lambda r, c, rows, cols: (cols - 1 - c, r),
    "transposed across": lambda r, c, rows, cols: (cols - 1 - c, rows - 1 - r),
}


def moved(board: Board, symmetry: str) -> tuple[Board, dict[Cell, Cell]]:
    """The board under a symmetry of the square, and where each cell went."""
    where = {cell: Cell(*SYMMETRIES[symmetry](*cell, board.rows, board.cols)) for cell in board}
    rows, cols = (max(part) + 1 for part in zip(*where.values(), strict=True))
    grid = [[""] * cols for _ in range(rows)]
    for cell, (row, col) in where.items():
        grid[row][col] = board[cell]
    cells = ("".join(row) for row in grid)
    return replace(board, cells=tuple(cells)), where
