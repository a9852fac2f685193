"""The truth about small boards, by trying every layout. Slow, short, and obviously right.

This is what the package is held against, so it uses nothing of it but ``Board`` as a container of symbols: it
even finds neighbours itself. Up to about 16 covered cells.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from satsweep.board import Board, Cell

Mines = frozenset[Cell]
"""A world: the covered cells that are mines, all of them and no others."""


def touching(board: Board, cell: tuple[int, int]) -> set[Cell]:
    """Every other cell at most one step away; on a torus also around the edges."""
    around = set()
    for down, right in product((-1, 0, 1), repeat=2):
        row, col = cell[0] + down, cell[1] + right
        if board.topology.name == "torus":
            row, col = row % board.rows, col % board.cols
        if 0 <= row < board.rows and 0 <= col < board.cols:
            around.add(Cell(row, col))
    return around - {Cell(*cell)}


def cells_showing(board: Board, symbols: str) -> list[Cell]:
    """The cells with one of these symbols, in row-major order."""
    grid = product(range(board.rows), range(board.cols))
    return [Cell(row, col) for row, col in grid if board.cells[row][col] in symbols]


def worlds(board: Board, *, numbers: Collection[Cell] | None = None, total: bool = True) -> list[Mines]:
    """Every world that agrees with the numbers (all of them, or just these) and, if asked, with the mine total."""
    covered = cells_showing(board, "#F")
    known = set(cells_showing(board, "*"))
    said = []
    for clue in cells_showing(board, ".12345678") if numbers is None else numbers:
        around = touching(board, clue)
        value = int(board.cells[clue.row][clue.col].replace(".", "0"))
        # A set of covered cells is a set of bits, so that counting mines is counting bits.
        said.append((sum(1 << covered.index(cell) for cell in around & set(covered)), value - len(around & known)))
    if total and board.mines is not None:
        said.append(((1 << len(covered)) - 1, board.mines - len(known)))
    return [
        frozenset(cell for position, cell in enumerate(covered) if bits >> position & 1)
        for bits in range(1 << len(covered))
        if all((bits & scope).bit_count() == count for scope, count in said)
    ]


@dataclass(frozen=True)
class Truth:
    """Everything there is to say about a board that some layout agrees with."""

    worlds: int
    weight: Fraction | None
    risk: dict[Cell, Fraction]
    safe: tuple[Cell, ...]
    mines: tuple[Cell, ...]
    best: Cell | None
    expected_mines: Fraction
    frontier_mines: dict[int, Fraction]


def truth(board: Board) -> Truth | None:
    """Weigh every world of a board; None if there is none."""
    covered = cells_showing(board, "#F")
    p = Fraction(1, 2) if board.density is None else board.density
    weights = {world: p ** len(world) * (1 - p) ** (len(covered) - len(world)) for world in worlds(board)}
    if not weights:
        return None
    whole = sum(weights.values())
    risk = {
        cell: Fraction(sum(weight for world, weight in weights.items() if cell in world), whole) for cell in covered
    }
    # Of equal risks min takes the first, and covered cells are in row-major order.
    best = min((cell for cell in covered if risk[cell] < 1), key=lambda cell: risk[cell], default=None)
    frontier = {cell for clue in cells_showing(board, ".12345678") for cell in touching(board, clue)}
    spread: dict[int, Fraction] = {}
    for world, weight in weights.items():
        mines = len(world & frontier)
        spread[mines] = spread.get(mines, Fraction(0)) + Fraction(weight, whole)
    return Truth(
        worlds=len(weights),
        weight=None if board.density is None else whole,
        risk=risk,
        safe=tuple(cell for cell in covered if risk[cell] == 0),
        mines=tuple(cell for cell in covered if risk[cell] == 1),
        best=best,
        expected_mines=Fraction(sum(weight * len(world) for world, weight in weights.items()), whole),
        frontier_mines=spread,
    )
