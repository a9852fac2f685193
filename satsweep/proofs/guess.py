"""Proofs that a board needs a guess from its start, and their check.

A proof is a position and some worlds. Every world agrees with the numbers of the position and with the mine total, and
every covered cell is a mine in one of them. A player who sees the position, or less of it, can therefore be sure
of no cell outside of it. Opening sure cells only never leads out of it, and safe cells are left. It does not matter how
the position came about.

``check`` imports no code that reasons. Both answers to "does this board need a guess?" have a proof that others can
check: this one, and the trace (``satsweep.proofs.trace``).
"""

from dataclasses import dataclass

from satsweep.board import COVERED, MINE, NUMBER_OF, Board
from satsweep.errors import BoardError
from satsweep.layout import Layout
from satsweep.proofs.certificate import Rejected


@dataclass(frozen=True, slots=True)
class GuessProof:
    """A layout with its start, a position of a game on it, and worlds.

    In the board of the position all cells that are not open are covered.
    """

    layout: Layout
    board: Board
    worlds: tuple[Layout, ...]


def check(proof: GuessProof) -> int:
    """Return the number of cells among which the player has to guess.

    Raises Rejected unless the proof is one, BoardError for a layout without a start.

    >>> check(GuessProof(Layout((".*",), start=(0, 0)), Board(("1#",), mines=1), ()))
    Traceback (most recent call last):
    satsweep.proofs.certificate.Rejected: the board is cleared
    >>> worlds = Layout(("..", ".*")), Layout(("..", "*.")), Layout((".*", ".."))
    >>> check(GuessProof(Layout(("..", ".*"), start=(0, 0)), Board(("1#", "##"), mines=1), worlds))
    3
    """
    layout, board = proof.layout, proof.board
    if layout.start is None:
        raise BoardError("expected a layout with a start", at="start")
    if (board.rows, board.cols, board.topology) != (layout.rows, layout.cols, layout.topology):
        raise Rejected("the position is one of another layout")
    if board.mines != layout.mines:
        raise Rejected(f"expected the mine total {layout.mines}, found {board.mines}")
    for cell in board:
        if board[cell] not in NUMBER_OF and board[cell] != COVERED:
            raise Rejected("expected covered and open cells only", cell=cell)
    numbers = _numbers(layout)
    seen = [(index, NUMBER_OF[symbol]) for index, symbol in enumerate(board.symbols) if symbol != COVERED]
    if board.is_covered(layout.start):
        raise Rejected("the start is not open", cell=layout.start)
    for index, number in seen:
        if numbers[index] != number:
            raise Rejected("the position is one of another layout", cell=layout.cell(index))
    if len(seen) == len(numbers) - layout.mines:
        raise Rejected("the board is cleared")
    mined = set()
    for place, world in enumerate(proof.worlds, 1):
        if (world.rows, world.cols, world.topology) != (layout.rows, layout.cols, layout.topology):
            raise Rejected(f"world {place}: expected a layout of the same grid")
        if world.mines != layout.mines:
            raise Rejected(f"world {place}: expected the mine total {layout.mines}, found {world.mines}")
        numbers = _numbers(world)
        for index, number in seen:
            if numbers[index] != number:
                raise Rejected(f"world {place} does not agree with the position", cell=layout.cell(index))
        mined |= {index for index, symbol in enumerate(world.symbols) if symbol == MINE}
    covered = [index for index, symbol in enumerate(board.symbols) if symbol == COVERED]
    for index in covered:
        if index not in mined:
            raise Rejected("expected a world with a mine there", cell=layout.cell(index))
    return len(covered)


def _numbers(layout: Layout) -> list[int | None]:
    """Number of every cell, None for a mine."""
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mined = [symbol == MINE for symbol in layout.symbols]
    return [None if mine else sum(mined[other] for other in table[cell]) for cell, mine in enumerate(mined)]
