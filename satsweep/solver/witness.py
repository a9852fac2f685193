"""One layout that agrees with a board, and with assumptions for some of its cells.

What refutes a claim is a world in which it is false: ``find_world(board, {cell: True})`` shows that a cell may well be
a mine, and None proves that it cannot be one. A wish is one more statement about one cell, so it goes the way of the
numbers: it splits the cell from its group, and what propagation settles needs no search. For what is left CP-SAT
finds a mine count for every group, and for the sea where the mine total ties all of them together. Cells of a group
are interchangeable, so any that make up its count will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import Contradiction
from satsweep.layout import Layout
from satsweep.solver.components import Component
from satsweep.solver.constraints import CellConstraint, Constraint, Frontier, cell_constraints, exactly, gather
from satsweep.solver.cp_solver import cp_model_of, cp_solution
from satsweep.solver.propagate import propagate


def find_world(board: Board, assumptions: Mapping[tuple[int, int], bool] | None = None) -> Layout | None:
    """A layout that looks like the board where it is open, and in which each cell wished for is a mine, or is none.

    None if there is no such layout. The mine total is met if the board tells it; otherwise no mine stands where no
    number is near, unless wished for. A flag is read as covered. The same question always has the same answer. Raises
    IndexError for a wish off the grid.

    >>> find_world(Board(("1#", "##"), mines=1), {(1, 1): True})
    Layout(('..', '.*'))
    >>> find_world(Board(("1#", "##"), mines=1), {(0, 1): True, (1, 1): True}) is None
    True
    """
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
    """The mines of one way to fill groups and sea, so many together if that is told; None if there is none."""
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
    """So many of the cells, evenly spread.

    >>> _spread((4, 5, 6, 7), 2)
    [4, 6]
    """
    return [cells[place * len(cells) // count] for place in range(count)]
