"""The outlook of a move, against opening the cell in every world."""

from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import assume, given, strategies as st

from satsweep.analysis import outlook
from satsweep.analysis.analyse import analyse
from satsweep.analysis.outlook import Outlooks
from satsweep.board import Board, Cell
from tests.brute_force import NUMBERS, Mines, cells_showing, chance, touching, worlds
from tests.strategies import boards, unreliable_boards

worlds_of = lru_cache(maxsize=1)(worlds)

Seen = dict[int | None, tuple[Fraction, int]]
"""By the number shown: its probability in safe worlds, and the safe cells then."""


def seen(board: Board, cell: Cell) -> Seen:
    """From all worlds, and all that the cell may show in each."""
    known = set(cells_showing(board, "*"))
    around = touching(board, cell)
    symbols: dict[str, int | None] = {symbol: number for number, symbol in enumerate(NUMBERS)}
    if board.clues.kind == "random":
        symbols["?"] = None
    chances = [
        {n: p for symbol, n in symbols.items() if (p := chance(str(board.clues), symbol, count, len(around)))}
        for count in range(len(around) + 1)
    ]
    weight: dict[int | None, Fraction] = {}
    mined: dict[int | None, Mines] = {}
    for mines, likelihood in worlds_of(board).items():
        if cell not in mines:
            for shown, p in chances[len(around & (mines | known))].items():
                weight[shown] = weight.get(shown, Fraction(0)) + p * likelihood * weighed(board, mines)
                mined[shown] = mined.get(shown, frozenset()) | mines
    covered = set(cells_showing(board, "#F")) - {cell}
    whole = sum(weight.values())
    return {shown: (weight[shown] / whole, len(covered - mined[shown])) for shown in weight}


def weighed(board: Board, mines: Mines) -> Fraction:
    """A density weighs worlds by their mines."""
    if board.density is None:
        return Fraction(1)
    return board.density ** len(mines) * (1 - board.density) ** (len(cells_showing(board, "#F")) - len(mines))


def looking(board: Board, engine: str = "auto") -> Outlooks:
    """The outlooks on a board without safe cells."""
    return Outlooks.of(analyse(board, engine=engine))


def told(board: Board, engine: str, cells: list[Cell]) -> list[Seen]:
    """The same from the module."""
    outlooks = looking(board, engine)
    table = board.topology.neighbours(board.rows, board.cols)
    answers = []
    for cell in cells:
        index = cell.row * board.cols + cell.col
        numbers = outlooks.of_cell(index, table[index]).numbers
        out_of = sum(weight for weight, _ in numbers.values())
        answers.append({shown: (Fraction(weight, out_of), safe) for shown, (weight, safe) in numbers.items()})
    return answers


every_board = st.one_of(boards(), unreliable_boards(max_covered=9))


@pytest.mark.parametrize("few", [outlook.FEW, 0])
@given(board=every_board)
def test_outlook_is_what_opening_shows(few: int, board: Board) -> None:
    """Also where components have too many placements to be listed."""
    analysis = analyse(board)
    assume(not analysis.safe)
    cells = [cell for cell in analysis.board.covered if analysis.risk(cell) < 1]
    assume(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlook, "FEW", few)
        assert told(board, "auto", cells) == [seen(board, cell) for cell in cells]


@given(board=every_board)
def test_outlooks_of_all_cells_are_weighed_alike(board: Board) -> None:
    """The worlds in which a cell is safe, out of the same worlds for every cell."""
    analysis = analyse(board)
    assume(not analysis.safe)
    outlooks = looking(board)
    table = board.topology.neighbours(board.rows, board.cols)
    out_of = {
        Fraction(outlooks.of_cell(index, table[index]).worlds, 1) / (1 - analysis.risk(cell))
        for index, cell in enumerate(board)
        if board.is_covered(cell) and analysis.risk(cell) < 1
    }
    assert len(out_of) <= 1
