"""Tests of the brute-force oracle, on boards counted by hand."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given

from satsweep.board import Board, Cell
from satsweep.layout import Layout
from tests.brute_force import cells_showing, touching, truth, worlds
from tests.strategies import arbitrary_boards, layouts


def test_the_readme_board_by_hand() -> None:
    """mines 3 / ##1. / ##21 / ####: counted by hand.

    The 1 at 1,3 has one mine among 2,2 2,3; the 1 at 0,2 one among 0,1 1,1; the 2 at 1,2 two among 0,1 1,1 2,1 2,2
    2,3, and the two statements before take both, so 2,1 is safe. The third mine is one of 0,0 1,0 2,0:
    2 * 2 * 3 = 12 worlds.
    """
    board = Board(("##1.", "##21", "####"), mines=3)
    answer = truth(board)
    assert answer is not None
    assert answer.worlds == 2 * 2 * 3
    assert answer.safe == (Cell(2, 1),) and answer.mines == () and answer.best == Cell(2, 1)
    assert answer.risk[Cell(0, 0)] == Fraction(1, 3) and answer.risk[Cell(0, 1)] == Fraction(1, 2)
    assert answer.frontier_mines == {2: 1}


@pytest.mark.parametrize("mines", range(7))
def test_a_fresh_board(mines: int) -> None:
    answer = truth(Board(("###", "###"), mines=mines))
    assert answer is not None
    assert answer.worlds == comb(6, mines)
    assert set(answer.risk.values()) == {Fraction(mines, 6)}


def test_worlds_are_sets_of_mines() -> None:
    board = Board(("#2#", "###"), mines=2)
    assert set(worlds(board)) == set(map(frozenset, combinations(board.covered, 2)))


def test_a_density_weighs_worlds() -> None:
    """One of two cells is a mine, so their prior cancels; the third has the density."""
    answer = truth(Board(("#1#*#",), density="1/5"))
    assert answer is not None
    assert answer.worlds == 4 and answer.weight == 2 * Fraction(1, 5) * Fraction(4, 5)
    assert list(answer.risk.values()) == [Fraction(1, 2), Fraction(1, 2), Fraction(1, 5)]


@given(layouts(max_cells=20))
def test_a_layout_is_a_world_of_its_own_board(layout: Layout) -> None:
    cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    mines = frozenset(filter(layout.is_mine, cells))
    assert list(worlds(layout.board(cell for cell in cells if cell not in mines))) == [mines]


@given(arbitrary_boards())
def test_touching_is_mutual(board: Board) -> None:
    cells = cells_showing(board, "#F*.12345678")
    assert all(cell not in touching(board, cell) for cell in cells)
    assert all((a in touching(board, b)) == (b in touching(board, a)) for a in cells for b in cells)
