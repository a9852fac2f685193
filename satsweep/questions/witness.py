"""One layout that agrees with a board, and with assumptions about some cells.

A world in which a claim is false refutes it: ``find_world(board, {cell: True})`` shows that a cell may well be a mine,
and None proves that it cannot be one. An assumption is one more constraint on one cell, so it goes the way of the
numbers: it splits the cell from its group, and what propagation settles needs no search. For the rest PySAT finds a
mine count for every group, component by component, and where the mine total ties all of them together one for each
possible sum (``sums``). Cells of a group are interchangeable, so any that make up its count will do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from satsweep.arguments import short_repr
from satsweep.board import MINE, Board, BoardLike
from satsweep.errors import Contradiction
from satsweep.layout import Layout
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import CellConstraint, Frontier, cell_constraints, covered_cells, exactly, gather
from satsweep.solver.propagate import propagate
from satsweep.solver.sat_solver import raising_interrupts
from satsweep.solver.sums import Placement, SumSolver, first_sums, placements_by_sum


def find_world(board: BoardLike, assumptions: Mapping[tuple[int, int], bool] | None = None) -> Layout | None:
    """A layout that agrees with a board and with assumptions; None if there is none.

    ``assumptions`` says of some cells whether they are mines. The mine total is met if the board gives it; otherwise no
    mine stands where no number is near, unless assumed. The layout of a part is that of its own cells. A flag is read
    as covered. The same question always has the same answer. Raises IndexError for an assumption off the grid.

    >>> find_world(Board(("1#", "##"), mines=1), {(1, 1): True})
    Layout(('..', '.*'))
    >>> find_world(Board(("1#", "##"), mines=1), {(0, 1): True, (1, 1): True}) is None
    True
    """
    board = Board.of(board)
    constraints = assumed_constraints(board, assumptions)
    if constraints is None:
        return None
    try:
        settled = propagate(gather(constraints, covered_cells(board)))
    except Contradiction:
        return None
    mined = known_mines(board).union(settled.mines)
    left = _filled(settled.frontier, None if board.mines is None else board.mines - len(mined), bool(board.part))
    return None if left is None else world_of(board, mined.union(left))


def assumed_constraints(
    board: Board, assumptions: Mapping[tuple[int, int], bool] | None
) -> list[CellConstraint] | None:
    """Constraints of a board and of assumptions; None if an open cell refutes one."""
    if not isinstance(assumptions, Mapping | None):
        raise TypeError(
            f"expected a mapping from cells to True for a mine, False for none, found {short_repr(assumptions)}"
        )
    constraints = cell_constraints(board)
    for cell, mine in (assumptions or {}).items():
        if board.is_covered(cell):
            index = board.index(cell)
            constraints.append(CellConstraint(index, (index,), exactly(int(mine))))
        elif mine != (board[cell] == MINE):
            return None
    return constraints


def known_mines(board: Board) -> set[int]:
    return {index for index, symbol in enumerate(board.symbols) if symbol == MINE}


def world_of(board: Board, mines: Collection[int]) -> Layout:
    """The layout of the board's grid with mines at these cells, as far as on it."""
    return Layout.from_mines(board.rows, board.cols, mines, topology=board.topology)


def _filled(frontier: Frontier, mines: int | None, at_most: bool = False) -> list[int] | None:
    """The mines of one way to fill groups and sea with a number of mines, if known."""
    parts = components(frontier)
    chosen = _placements([part.component for part in parts], mines, mines or 0 if at_most else len(frontier.sea))
    if chosen is None:
        return None
    cells = [frontier.groups[group] for part in parts for group in part.groups]
    counts = [count for placement in chosen for count in placement]
    if mines is not None and not at_most:
        # The sea takes what is left.
        cells, counts = [*cells, frontier.sea], [*counts, mines - sum(counts)]
    return [mine for group, count in zip(cells, counts, strict=True) for mine in _spread(group, count)]


def _placements(parts: Sequence[Component], mines: int | None, sea: int) -> list[Placement] | None:
    chosen: list[Placement] = []
    for part in parts:
        with SumSolver(part) as solver, raising_interrupts():
            found = solver.placement()
        if found is None:
            return None
        chosen.append(found)
    if mines is None or mines - sea <= sum(map(sum, chosen)) <= mines:
        return chosen
    # These placements happen to have too few or too many mines: let one have what the others leave.
    for number, part in enumerate(parts):
        others = sum(map(sum, chosen)) - sum(chosen[number])
        with SumSolver(part) as solver, raising_interrupts():
            found = solver.placement(mines - sea - others, mines - others)
        if found is not None:
            return [*chosen[:number], found, *chosen[number + 1 :]]
    if len(parts) == 1:
        return None
    # Choose among all sums, one component after another.
    sums = [placements_by_sum(part) for part in parts]
    fitting = first_sums(sums, mines - sea, mines)
    return None if fitting is None else [part[count] for part, count in zip(sums, fitting, strict=True)]


def _spread(cells: Sequence[int], count: int) -> list[int]:
    """``count`` of the cells, evenly spread.

    >>> _spread((4, 5, 6, 7), 2)
    [4, 6]
    """
    return [cells[place * len(cells) // count] for place in range(count)]
