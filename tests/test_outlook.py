"""What a move would tell, against opening the cell in every world."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given

from satsweep import outlook
from satsweep.analysis import analyse
from satsweep.board import Board, Cell
from satsweep.engines import ENGINES
from satsweep.outlook import Outlooks
from tests.oracle import Mines, cells_showing, touching, worlds
from tests.strategies import boards


def seen(board: Board, cell: Cell) -> dict[int, tuple[Fraction, int]]:
    """For each number its probability where the cell is safe, and how many cells are safe then, from all worlds."""
    known = set(cells_showing(board, "*"))
    around = touching(board, cell)
    found: dict[int, list[Mines]] = {}
    for mines in worlds(board):
        if cell not in mines:
            found.setdefault(len(around & (mines | known)), []).append(mines)
    # A density weighs worlds by their mines.
    weight = {number: sum((weighed(board, mines) for mines in those), Fraction(0)) for number, those in found.items()}
    covered = set(cells_showing(board, "#F")) - {cell}
    return {
        number: (weight[number] / sum(weight.values()), len(covered - frozenset().union(*those)))
        for number, those in found.items()
    }


def weighed(board: Board, mines: Mines) -> Fraction:
    if board.density is None:
        return Fraction(1)
    return board.density ** len(mines) * (1 - board.density) ** (len(cells_showing(board, "#F")) - len(mines))


def told(board: Board, engine: str, cells: list[Cell]) -> list[dict[int, tuple[Fraction, int]]]:
    """The same from the module, for boards without safe cells."""
    analysis = analyse(board, engine=engine)
    solution = analysis.solution
    outlooks = Outlooks(solution.tally, solution.mines, ENGINES[engine], {})
    table = board.topology.neighbours(board.rows, board.cols)
    answers = []
    for cell in cells:
        index = cell.row * board.cols + cell.col
        numbers = outlooks.outlook(outlooks.place(index, table[index])).numbers
        out_of = sum(weight for weight, _ in numbers.values())
        # The outlook counts numbers as they are shown, known mines that are open left out.
        open_mines = sum(board[other] == "*" for other in board.neighbours(cell))
        answers.append({
            number + open_mines: (Fraction(weight, out_of), safe) for number, (weight, safe) in numbers.items()
        })  # fmt: skip
    return answers


@pytest.mark.parametrize("few", [outlook.FEW, 0])
@given(board=boards())
def test_outlook_is_what_opening_shows(few: int, board: Board) -> None:
    """Also where components have too many placements to be listed."""
    analysis = analyse(board)
    assume(not analysis.safe)
    cells = [cell for cell in analysis.board.covered if analysis.risk(cell) < 1]
    assume(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlook, "FEW", few)
        assert told(board, "auto", cells) == [seen(board, cell) for cell in cells]


@given(board=boards())
def test_outlooks_of_all_cells_are_weighed_alike(board: Board) -> None:
    """The worlds in which a cell is safe, out of the same worlds for every cell."""
    analysis = analyse(board)
    assume(not analysis.safe)
    outlooks = Outlooks(analysis.solution.tally, analysis.solution.mines, ENGINES["auto"], {})
    table = board.topology.neighbours(board.rows, board.cols)
    out_of = {
        Fraction(outlooks.outlook(outlooks.place(index, table[index])).worlds, 1) / (1 - analysis.risk(cell))
        for index, cell in enumerate(board)
        if board.is_covered(cell) and analysis.risk(cell) < 1
    }
    assert len(out_of) <= 1
