"""The eight symmetries of the square, and boards under them."""

from collections.abc import Callable
from dataclasses import replace

from satsweep.board import Board, Cell
from satsweep.part import Part

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
    cells = tuple("".join(row) for row in grid)
    beyond = {"top": (-1, 0), "left": (0, -1), "bottom": (board.rows, 0), "right": (0, board.cols)}
    sides = []
    for side, place in beyond.items():
        row, col = SYMMETRIES[symmetry](*place, board.rows, board.cols)
        if getattr(board.part, side):
            sides.append("top" if row < 0 else "bottom" if row == rows else "left" if col < 0 else "right")
    return replace(board, cells=cells, part=Part(**dict.fromkeys(sides, True))), where
