"""One layout that agrees with a board, exactly when trying every layout finds one."""

import time

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Board, Cell
from satsweep.layout import Layout
from satsweep.questions.witness import find_world
from tests import brute_force as oracle, strategies
from tests.solver.test_corpora import corpus


def seen(layout: Layout, board: Board) -> Board:
    """The board of a layout, with the cells open that are open on the board."""
    opened = [cell for cell in board if not board.is_covered(cell)]
    return layout.board(opened, tells_total=board.mines is not None)


def mined(layout: Layout) -> frozenset[Cell]:
    """Where the mines are."""
    cells = (Cell(row, col) for row in range(layout.rows) for col in range(layout.cols))
    return frozenset(filter(layout.is_mine, cells))


def check(board: Board, assumptions: dict[tuple[int, int], bool], found: Layout | None) -> None:
    known = set(oracle.cells_showing(board, "*"))
    granted = [
        mines
        for mines in oracle.worlds(board)
        if all(mine == (cell in mines or cell in known) for cell, mine in assumptions.items())
    ]
    assert (found is not None) == bool(granted)
    if found is not None:
        assert mined(found) in {mines.intersection(board) | known for mines in granted}
        assert found.topology == board.topology
        assert all(found.is_mine(cell) == mine for cell, mine in assumptions.items())


@given(st.data())
def test_there_is_a_world_exactly_when_brute_force_finds_one(data: st.DataObject) -> None:
    kinds = [strategies.boards(10), strategies.unreliable_boards(10), strategies.arbitrary_boards(max_cells=10)]
    kinds.append(strategies.parts(10) | strategies.wrong_parts())
    board = data.draw(st.one_of(*kinds))
    places: list[tuple[int, int]] = list(board)
    assumptions = data.draw(st.dictionaries(st.sampled_from(places), st.booleans(), max_size=3))
    check(board, assumptions, find_world(board, assumptions))


@given(strategies.nearly_true_boards())
def test_boards_that_are_nearly_true(board: Board) -> None:
    check(board, {}, find_world(board))


@given(st.one_of(strategies.boards(), strategies.unreliable_boards()))
def test_the_same_question_has_the_same_answer(board: Board) -> None:
    assert find_world(board) == find_world(board) is not None


def test_a_wish_off_the_grid() -> None:
    for cell in ((1, 0), (0, 2), (-1, 0)):
        with pytest.raises(IndexError):
            find_world(Board(("##",)), {cell: True})


@pytest.mark.extended
@pytest.mark.parametrize("mine", [True, False])
def test_big_boards(mine: bool) -> None:
    """Expert positions take milliseconds, and none of the hard ones takes seconds."""
    slowest = 0.0
    for name, number in (("positions_expert", 20), ("positions_hard", 8)):
        for board in list(corpus(name).values())[:number]:
            cell = board.covered[len(board.covered) // 2]
            start = time.process_time()
            found = find_world(board, {cell: mine})
            slowest = max(slowest, time.process_time() - start)
            if found is not None:
                assert seen(found, board) == board and found.is_mine(cell) == mine
    assert slowest < 5
