"""Layouts: the truth, what it shows, and its text form."""

from hypothesis import given, strategies as st

from satsweep import Board, Cell, Layout
from tests.brute_force import touching
from tests.strategies import layouts


def grid(layout: Layout) -> list[Cell]:
    return [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]


@given(layouts())
def test_text_and_repr_read_back(layout: Layout) -> None:
    assert Layout.from_text(str(layout)) == layout
    assert eval(repr(layout), {"Layout": Layout}) == layout


@given(layouts(), st.data())
def test_a_board_shows_naive_counts(layout: Layout, data: st.DataObject) -> None:
    opened = data.draw(st.sets(st.sampled_from(grid(layout))))
    tells_total = data.draw(st.booleans())
    board = layout.board(opened, tells_total=tells_total)
    blank = Board(("#" * layout.cols,) * layout.rows, topology=layout.topology)
    mines = {cell for cell in grid(layout) if layout.cells[cell.row][cell.col] == "*"}
    assert layout.mines == len(mines)
    assert board.mines == (len(mines) if tells_total else None)
    assert (board.density, board.topology) == (None, layout.topology)
    for cell in grid(layout):
        number = None if cell in mines else len(touching(blank, cell) & mines)
        assert layout.is_mine(cell) == (cell in mines)
        assert layout.number(cell) == number
        assert board.number(cell) == (number if cell in opened else None)
        assert (board[cell] == "*") == (cell in opened & mines)
        assert board.is_covered(cell) == (cell not in opened)


def test_layouts_are_values() -> None:
    assert Layout(["*."], start=(0, 1)) == Layout(("*.",), start=Cell(0, 1))
    assert Layout(("*.",)) != Layout(("*.",), start=(0, 1)) != Layout(("*.",), start=(0, 1), topology="torus")
