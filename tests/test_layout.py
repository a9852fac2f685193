"""Layouts: the truth, what it shows, and its text form."""

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardError, Cell, Layout
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


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expected rows of one of . *, found none"),
        ("*.\n*#\n", 2, 2, "expected one of . *, found '#'"),
        ("*.\n*\n", 2, 2, "expected 2 cells as in the first row, found 1"),
        ("mines 2\n*.\n", 1, 7, "expected the total to be the 1 mine shown, found 2"),
        ("mines x\n*.\n", 1, 7, "expected the mine total as an integer, found 'x'"),
        ("start 0,2\n*.\n", 1, 7, "expected a start on the 1x2 grid, found 0,2"),
        ("start here\n*.\n", 1, 7, "expected a cell as row,col, found 'here'"),
        ("start -1,0\n*.\n", 1, 7, "expected a cell as row,col, found '-1,0'"),
        ("density 0.5\n*.\n", 1, 1, "expected a key among mines, start, topology, found 'density'"),
        (
            "topology moon\n*.\n",
            1,
            10,
            "expected a topology among square, torus, hexagonal, orthogonal, knight, or offsets or edges, found 'moon'",
        ),
    ],
)
def test_texts_that_are_no_layout(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Layout.from_text(text)
    assert caught.value.message == message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("start", [(1, 0), (0, 2), (-1, 0), (0, -1)])
def test_a_start_is_on_the_grid(start: tuple[int, int]) -> None:
    with pytest.raises(BoardError) as caught:
        Layout(("*.",), start=start)
    assert caught.value.at == "start"


def test_layouts_are_values() -> None:
    assert Layout(["*."], start=(0, 1)) == Layout(("*.",), start=Cell(0, 1))
    assert Layout(("*.",)) != Layout(("*.",), start=(0, 1)) != Layout(("*.",), start=(0, 1), topology="torus")
