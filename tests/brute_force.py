"""The truth about small boards, by trying every layout.

It is slow, short, and obviously right. The package is compared with it, so it uses nothing of it but ``Board`` as a
container of symbols: it even finds neighbours and likelihoods itself. It is good for about 16 covered cells.
"""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from satsweep.board import Board, Cell

Mines = frozenset[Cell]
"""A world: the covered cells that are mines, all of them and no others."""


NUMBERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def touching(board: Board, cell: tuple[int, int]) -> set[Cell]:
    """Every other cell that a cell touches, as the name of the topology says.

    Each of all cells is tried, and so is each near a side that is cut.
    """
    return set(_touching(board.topology.name, board.rows, board.cols, str(board.part), *cell))


REACH = 2
"""The farthest that an offset of the tests' topologies goes."""


def unseen_cells(board: Board) -> list[Cell]:
    """Cells beyond the sides that are cut which some cell of the board touches."""
    on_grid = set(product(range(board.rows), range(board.cols)))
    return sorted({other for cell in on_grid for other in touching(board, cell) if other not in on_grid})


def covered_cells(board: Board) -> list[Cell]:
    """The covered cells of a board, and the unseen ones around it."""
    return cells_showing(board, "#F") + unseen_cells(board)


@cache
def _touching(name: str, rows: int, cols: int, part: str, here: int, there: int) -> frozenset[Cell]:
    top, left, bottom, right = (REACH * (part == "all" or side in part) for side in ("top", "left", "bottom", "right"))
    shape, _, wrapping = name.partition(" wrapping ")
    shape, _, planes = shape.partition(" in ")
    height = rows // int(planes.split()[0]) if planes else rows
    if shape == "torus":
        shape, wrapping = "square", "both"
    downs = range(-2 * height, 3 * height, height) if wrapping in ("rows", "both") else (0,)
    rights = range(-2 * cols, 3 * cols, cols) if wrapping in ("cols", "both") else (0,)
    around = set()
    for row, col in product(range(-top, rows + bottom), range(-left, cols + right)):
        plane, own_plane = (row // height, here // height) if planes else (0, 0)
        levels = abs(plane - own_plane)
        for more_down, more_right in product(downs, rights):
            down = row - plane * height + more_down - (here - own_plane * height)
            right = col + more_right - there
            touch = _touch(shape, (here, there), (row, col), down, right, cols)
            if levels <= 1 and (touch or (levels == 1 and down == right == 0)):
                around.add(Cell(row, col))
    return frozenset(around - {Cell(here, there)})


def _touch(shape: str, one: tuple[int, int], other: tuple[int, int], down: int, right: int, cols: int) -> bool:
    kind, *pairs = shape.split()
    if kind == "square":
        return abs(down) <= 1 and abs(right) <= 1
    if kind == "orthogonal":
        return abs(down) + abs(right) == 1
    if kind == "knight":
        return abs(down * right) == 2
    if kind == "hexagonal":
        # Centres one apart: half a cell counts 1 across, and rows are as far apart as hexagons are packed.
        across = 2 * right + other[0] % 2 - one[0] % 2
        return across * across + 3 * down * down == 4
    if kind == "offsets":
        offsets = [tuple(map(int, pair.split(","))) for pair in pairs]
        return (down, right) in offsets or (-down, -right) in offsets
    assert kind == "edges"
    ends = {one[0] * cols + one[1], other[0] * cols + other[1]}
    return any(set(map(int, pair.split("-"))) == ends for pair in pairs)


def chance(clues: str, shown: str, mines: int, around: int) -> Fraction:
    """The probability that an open cell shows a symbol, given the mines around it."""
    kind, *parameters = clues.split()
    if shown == "?":
        return 1 - Fraction(parameters[0]) if kind == "random" else Fraction(1)
    number = NUMBERS.index(shown.replace(".", "0"))
    cap = around
    if "cap" in parameters:
        cap = max(around, int(parameters.pop()))
        parameters.pop()
    level = Fraction(parameters[0]) if parameters else Fraction(1)
    right = Fraction(number == mines)
    if kind == "underestimate":
        return level * Fraction(number <= mines, mines + 1) + (1 - level) * right
    if kind == "overestimate":
        return level * Fraction(mines <= number <= cap, cap - mines + 1) + (1 - level) * right
    assert kind in ("exact", "random"), f"the brute force knows no {kind} clues"
    return level * right


def cells_showing(board: Board, symbols: str) -> list[Cell]:
    """The cells with one of these symbols, in row-major order."""
    grid = product(range(board.rows), range(board.cols))
    return [Cell(row, col) for row, col in grid if board.cells[row][col] in symbols]


def worlds(board: Board, *, numbers: Collection[Cell] | None = None, total: bool = True) -> dict[Mines, Fraction]:
    """Every world that agrees with the numbers, with its probability to show them.

    Worlds of a part have its unseen cells, and at most as many mines as the larger board. With ``numbers`` only these
    have to agree, without ``total`` the mine total need not.
    """
    covered = covered_cells(board)
    known = set(cells_showing(board, "*"))
    scopes = []
    for clue in cells_showing(board, "." + NUMBERS + "?") if numbers is None else numbers:
        around = touching(board, clue)
        chances = [chance(str(board.clues), board[clue], mines, len(around)) for mines in range(len(around) + 1)]
        # A set of covered cells is a set of bits, so that counting mines is counting bits.
        scope = sum(1 << covered.index(cell) for cell in around & set(covered))
        scopes.append((scope, chances[len(around & known) :]))
    everything = (1 << len(covered)) - 1
    left = None if board.mines is None or not total else board.mines - len(known)
    found = {}
    for bits in range(1 << len(covered)):
        mines = (bits & everything).bit_count()
        if left is None or mines == left or (board.part and mines < left):
            weight = Fraction(1)
            for scope, chances in scopes:
                if not chances[(bits & scope).bit_count()]:
                    break
                weight *= chances[(bits & scope).bit_count()]
            else:
                found[frozenset(cell for position, cell in enumerate(covered) if bits >> position & 1)] = weight
    return found


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
    covered, unknown = cells_showing(board, "#F"), covered_cells(board)
    p = Fraction(1, 2) if board.density is None else board.density
    weights = {
        world: likelihood * p ** len(world) * (1 - p) ** (len(unknown) - len(world))
        for world, likelihood in worlds(board).items()
    }
    if not weights:
        return None
    whole = sum(weights.values(), Fraction(0))
    risk = {
        cell: Fraction(sum(weight for world, weight in weights.items() if cell in world), whole) for cell in covered
    }
    # Of equal risks min takes the first, and covered cells are in row-major order.
    best = min((cell for cell in covered if risk[cell] < 1), key=lambda cell: risk[cell], default=None)
    frontier = {cell for clue in cells_showing(board, "." + NUMBERS) for cell in touching(board, clue)}
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
        expected_mines=sum(risk.values(), Fraction(0)),
        frontier_mines=spread,
    )
