"""One layout that agrees with a board, and with assumptions about some cells.

A world in which a claim is false refutes it: ``find_world(board, {cell: True})`` shows that a cell may well be a mine,
and None proves that it cannot be one. An assumption is one more constraint on one cell, so it goes the way of the
numbers: it splits the cell from its group, and what propagation settles needs no search. For the rest CP-SAT finds a
mine count for every group, and for the sea where the mine total ties all of them together. Cells of a group are
interchangeable, so any that make up its count will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satsweep.board import COVERED, FLAG, MINE, Board, BoardLike
from satsweep.errors import Contradiction
from satsweep.layout import Layout
from satsweep.solver.components import Component
from satsweep.solver.constraints import CellConstraint, Constraint, Frontier, cell_constraints, exactly, gather
from satsweep.solver.cp_solver import cp_model_of, cp_solution
from satsweep.solver.propagate import propagate


def find_world(board: BoardLike, assumptions: Mapping[tuple[int, int], bool] | None = None) -> Layout | None:
    """A layout that agrees with a board and with assumptions; None if there is none.

    ``assumptions`` says of some cells whether they are mines. The mine total is met if the board gives it; otherwise no
    mine stands where no number is near, unless assumed. A flag is read as covered. The same question always has the
    same answer. Raises IndexError for an assumption off the grid.

    >>> find_world(Board(("1#", "##"), mines=1), {(1, 1): True})
    Layout(('..', '.*'))
    >>> find_world(Board(("1#", "##"), mines=1), {(0, 1): True, (1, 1): True}) is None
    True
    """
    board = Board.of(board)
    symbols = board.symbols
    covered = [index for index, symbol in enumerate(symbols) if symbol in (COVERED, FLAG)]
    known = {index for index, symbol in enumerate(symbols) if symbol == MINE}
    constraints = cell_constraints(board)
    for cell, mine in (assumptions or {}).items():
        if board.is_covered(cell):
            index = cell[0] * board.cols + cell[1]
            constraints.append(CellConstraint(index, (index,), exactly(int(mine))))
        elif mine != (board[cell] == MINE):
            return None
    try:
        settled = propagate(gather(constraints, covered))
    except Contradiction:
        return None
    mined = known.union(settled.mines)
    left = _filled(settled.frontier, None if board.mines is None else board.mines - len(mined))
    if left is None:
        return None
    blank = Layout(("." * board.cols,) * board.rows, topology=board.topology)
    return blank.with_mines(mined.union(left))


def _filled(frontier: Frontier, mines: int | None) -> list[int] | None:
    """The mines of one way to fill groups and sea; None if there is none.

    ``mines`` is their number, if it is known.
    """
    cells, constraints = list(frontier.groups), list(frontier.constraints)
    if mines is not None:
        # The sea becomes one more group, and the total one more constraint, on all of them.
        cells.append(frontier.sea)
        constraints.append(Constraint(tuple(range(len(cells))), exactly(mines)))
    counts = _placement(Component(tuple(map(len, cells)), tuple(constraints)))
    if counts is None:
        return None
    return [mine for group, count in zip(cells, counts, strict=True) for mine in _spread(group, count)]


def _placement(component: Component) -> list[int] | None:
    """A mine count for every group, such that every constraint is met."""
    return cp_solution(*cp_model_of(component))


def _spread(cells: Sequence[int], count: int) -> list[int]:
    """``count`` of the cells, evenly spread.

    >>> _spread((4, 5, 6, 7), 2)
    [4, 6]
    """
    return [cells[place * len(cells) // count] for place in range(count)]
