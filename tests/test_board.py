"""Boards: values that print as they look and read back as they print.

They are strict about everything else.
"""

import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import satsweep
from satsweep import Board, BoardError, Cell, Layout, Topology
from satsweep.topology import EIGHT, TOPOLOGIES
from tests.brute_force import cells_showing, touching
from tests.strategies import STRANGE, WRAPPED, arbitrary_boards, boards

any_board = st.one_of(boards(max_covered=30), arbitrary_boards(max_cells=30))


@given(any_board)
def test_text_reads_back(board: Board) -> None:
    assert Board.from_text(str(board)) == board


@given(any_board)
def test_repr_builds_the_board(board: Board) -> None:
    again = eval(repr(board), {"Board": Board})
    assert again == board and hash(again) == hash(board) and repr(again) == repr(board)


@pytest.mark.parametrize("topology", [*TOPOLOGIES, *WRAPPED, *STRANGE])
def test_neighbours_are_the_cells_one_step_away(topology: str) -> None:
    """Grids of every size that the topology can have, up to 4x5, and a large one."""
    seen = 0
    for rows, cols in (*product(range(1, 5), range(1, 6)), (12, 9)):
        try:
            board = Board(("#" * cols,) * rows, topology=topology)
        except BoardError as error:
            assert error.at == "topology"
            continue
        seen += 1
        for cell in board:
            assert board.neighbours(cell) == tuple(sorted(touching(board, cell)))
    assert seen > 10


@given(any_board)
def test_cells_by_what_they_show(board: Board) -> None:
    assert list(board) == [Cell(row, col) for row in range(board.rows) for col in range(board.cols)]
    assert board.covered == tuple(cells_showing(board, "#F"))
    for cell in board:
        symbol = board.cells[cell.row][cell.col]
        assert board[cell] == symbol
        assert board.is_covered(cell) == (symbol in "#F")
        shown = "0" if symbol == "." else symbol
        assert board.number(cell) == (int(shown) if shown.isdigit() else None)


@given(any_board, st.data())
def test_opening_exploding_and_flagging(board: Board, data: st.DataObject) -> None:
    """Exactly the named cells change, and only covered ones may."""
    cell = data.draw(st.sampled_from(list(board)))
    if not board.is_covered(cell):
        changes: list[Callable[[], Board]] = [
            lambda: board.with_opened({cell: 0}),
            lambda: board.with_exploded([cell]),
            lambda: board.with_flags([cell]),
        ]
        for change in changes:
            with pytest.raises(BoardError) as caught:
                change()
            assert caught.value.at == cell
        return
    opened = board.with_opened({cell: 0})
    blown = board.with_exploded([cell])
    marked = board.with_flags([cell])
    assert opened[cell] == "." and blown[cell] == "*" and marked[cell] == "F"
    for after in (opened, blown, marked):
        assert all(after[other] == board[other] for other in board if other != cell)
        assert (after.mines, after.density, after.topology) == (board.mines, board.density, board.topology)


@given(any_board)
def test_trusting_flags(board: Board) -> None:
    trusting = board.trusting_flags()
    assert cells_showing(trusting, "F") == []
    assert set(cells_showing(trusting, "*")) == set(cells_showing(board, "*F"))


@given(any_board)
def test_without_flags(board: Board) -> None:
    bare = board.without_flags()
    assert bare.covered == tuple(cells_showing(bare, "#")) == board.covered
    assert all(bare[cell] == board[cell] for cell in board if not board.is_covered(cell))
    assert (bare.mines, bare.density, bare.topology) == (board.mines, board.density, board.topology)
    assert board.with_flags(board.covered).without_flags() == bare


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_there_is_nothing_off_the_grid(cell: tuple[int, int]) -> None:
    board = Board(("#1.", "#1."))
    for ask in (board.__getitem__, board.number, board.is_covered):
        with pytest.raises(IndexError):
            ask(cell)


def test_a_zero_is_a_dot() -> None:
    assert Board(("10",)) == Board(("1.",)) and str(Board(("#10",))) == "#1."


def test_boards_are_values() -> None:
    board = Board(["##1.", "##21"], mines=2)
    assert board == Board(("##1.", "##21"), mines=2) and len({board, Board(("##1.", "##21"), mines=2)}) == 1
    assert board != Board(("##1.", "##21"), mines=3) and board != Board(("##1.", "##21"))
    with pytest.raises(AttributeError):
        board.mines = 3  # type: ignore[misc]


# --- topologies ------------------------------------------------------------------------------------------------


def test_a_torus_by_hand() -> None:
    """The corner touches all four corners' surroundings.

    On 2x2 and 1xN several ways lead to the same cell.
    """
    corner = Board(("#####",) * 4, topology="torus").neighbours((0, 0))
    assert corner == ((0, 1), (0, 4), (1, 0), (1, 1), (1, 4), (3, 0), (3, 1), (3, 4))
    assert Board(("##", "##"), topology="torus").neighbours((0, 0)) == ((0, 1), (1, 0), (1, 1))
    assert Board(("####",), topology="torus").neighbours((0, 0)) == ((0, 1), (0, 3))
    assert Board(("#",), topology="torus").neighbours((0, 0)) == ()


def test_a_topology_of_your_own() -> None:
    knight = Topology("knight", tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)))
    assert Board(("###",) * 3, topology=knight).neighbours((0, 0)) == ((1, 2), (2, 1))
    cylinder = Topology("cylinder", EIGHT, wraps_cols=True)
    assert Board(("###",) * 2, topology=cylinder).neighbours((0, 0)) == ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2))


# --- densities -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0.2", Fraction(1, 5)),
        (0.2, Fraction(1, 5)),
        ("1/3", Fraction(1, 3)),
        (Fraction(1, 3), Fraction(1, 3)),
        (".5", Fraction(1, 2)),
        ("25e-2", Fraction(1, 4)),
        (1e-07, Fraction(1, 10**7)),
    ],
)
def test_densities_are_exactly_what_is_written(written: str | float | Fraction, value: Fraction) -> None:
    board = Board(("#",), density=written)
    assert board.density == value
    assert Board.from_text(str(board)) == board


@pytest.mark.parametrize("written", ["0.000000000000000000000000000001", "1e-40", "1/123456789012345678901234567891"])
def test_tiny_densities_survive_text_and_moves(written: str) -> None:
    """Any density that a board accepts is printed, read back, and kept by moves."""
    board = Board(("##",), density=written)
    assert Board.from_text(str(board)) == board
    assert board.with_exploded([(0, 0)]).density == board.density


# --- the text form ---------------------------------------------------------------------------------------------


def test_a_text_with_everything() -> None:
    text = "\ufeff// from a game\n\n  mines\t 3 \ntopology torus\n// the rows\n  ##1.  \r\n##21\n####\n\n// the end\n"
    assert Board.from_text(text) == Board(("##1.", "##21", "####"), mines=3, topology="torus")


@pytest.mark.parametrize("value", [Board(("##1.",)), Layout((".*",)), Board(("##1.",), topology="torus")])
def test_the_text_form_survives_a_process(value: Board | Layout) -> None:
    """A topology from another process is equal, but not the same object."""
    assert str(pickle.loads(pickle.dumps(value))) == str(value)
    assert repr(pickle.loads(pickle.dumps(value))) == repr(value)


def test_rows_may_be_integers_arrays_or_text() -> None:
    """What a person would type; a string is text, not a row for each of its symbols."""
    board = Board(("##1.", "##2*", "?###"), mines=3)
    rows = [[-1, -1, 1, 0], [-1, -1, 2, 9], [-2, -1, -1, -1]]
    assert Board(rows, mines=3) == Board(np.array(rows, np.int8), mines=3) == board
    assert Board(str(board)) == board and Board("##1.") == Board(("##1.",))
    beyond = Board(("?9a", "###"), topology="square in 2 planes", clues="overestimate cap 10")
    assert Board([[-2, 109, 110], [-1, -1, -1]], topology=beyond.topology, clues=beyond.clues) == beyond
    header = "density 0.2\ntopology torus\nclues underestimate\n###\n#1#\n###\n"
    assert Board(header) == Board.from_text(header)
    other = Board(("###", "#1#", "###"), mines=2, clues="underestimate")
    assert Board(header, mines=2, topology="square") == other
    layout = Layout(("*..", ".*."), start=(0, 1))
    assert Layout([[1, 0, 0], [0, 1, 0]], start=(0, 1)) == Layout(str(layout)) == layout
    assert Layout(np.array([[True, False]])) == Layout(("*.",))


def test_boards_as_other_programs_have_them() -> None:
    board = Board(("##1.", "##2*"))
    rows = [list(row) for row in board.cells]
    array = np.array(rows)
    assert (
        Board(rows) == Board(array) == Board([np.array(row) for row in rows]) == Board(tuple(map(tuple, rows))) == board
    )
    assert Board(np.array(board.cells)) == Board(array.astype("S1")) == board
    assert Board([[None, "#", 1, "0"], [float("nan"), -1, 2.0, 9]]) == board
    assert Layout([list("*."), [".", "*"]]) == Layout(np.array([["*", "."], [".", "*"]])) == Layout(("*.", ".*"))


def test_booleans_are_no_numbers() -> None:
    """A mask of mines is a layout; a board of it would have the numbers 1 and 0."""
    mask = np.array([[True, False], [False, False]])
    assert Layout(mask) == Layout(mask.tolist()) == Layout(("*.", ".."))
    for cells in (mask, mask.tolist(), [[-1, True]]):
        with pytest.raises(BoardError, match=r"expected an integer from -1 \(covered\) to 9 .*, found True"):
            Board(cells)


def test_data_frames_are_boards() -> None:
    pandas = pytest.importorskip("pandas")
    board = Board(("##1.", "##2*"))
    assert Board(pandas.DataFrame([list(row) for row in board.cells])) == board
    assert Board(pandas.DataFrame([[None, -1, 1, 0], [None, float("nan"), 2, 9]])) == board
    nullable = pandas.DataFrame([[None, -1, 1, 0], [None, None, 2, 9]], dtype="Int64")
    assert Board(nullable) == board and Board(pandas.Series(board.cells)) == board
    assert Layout(pandas.DataFrame([[1, 0], [0, 1]])) == Layout(("*.", ".*"))


def test_a_board_of_a_board_is_equal() -> None:
    board = Board(("##1", "##1"), mines=2, clues="underestimate", topology="torus")
    assert Board(board) == board and Board(board, mines=1) == Board(board.cells, 1, None, "torus", "underestimate")
    layout = Layout(("*.", ".."), start=(1, 1), topology="hexagonal")
    assert Layout(layout) == layout and Layout(layout, start=(0, 1)).start == (0, 1)


def test_integers_of_numpy_are_integers() -> None:
    ones: tuple[Any, ...] = (np.int64(1), np.uint8(1), np.array([1])[0])
    for one in ones:
        board = Board(("##",), mines=one)
        assert (
            board == Board(("##",), mines=1) and type(board.mines) is int and repr(board) == "Board(('##',), mines=1)"
        )
        assert satsweep.random_layout(one + one, 3, one, seed=one) == satsweep.random_layout(2, 3, 1, seed=1)
        assert satsweep.Statement(one, ["a"]) == satsweep.Statement(1, ["a"])
        assert satsweep.risks([board.cells], mines=one)[0].tolist() == [[0.5, 0.5]]
        assert type(satsweep.Budget(states=one).states) is int
        assert type(satsweep.BoardSpec(9, 9, one).mines) is int
        assert satsweep.play("beginner", "basic", seed=one) == satsweep.play("beginner", "basic", seed=1)
    for truth in (True, np.bool_(True)):
        for call in (
            lambda truth=truth: Board(("##",), mines=truth),
            lambda truth=truth: satsweep.random_layout(2, truth, 1),
            lambda truth=truth: satsweep.Statement(truth, ["a"]),
            lambda truth=truth: satsweep.risks([("##",)], mines=truth),
            lambda truth=truth: satsweep.Budget(states=truth),
            lambda truth=truth: satsweep.random_layout("beginner", seed=truth),
        ):
            with pytest.raises((TypeError, BoardError), match="expected"):
                call()


def test_names_that_are_nearly_right() -> None:
    for name, meant in (("analyze", "analyse"), ("solve", "analyse"), ("Bord", "Board"), ("read_board", "Board.load")):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'; did you mean '{meant}'") as caught:
            getattr(satsweep, name)
        assert (caught.value.name, caught.value.obj) == (name, None), "Python adds no suggestion of its own"
    assert not hasattr(satsweep, "__wrapped__")


@pytest.mark.parametrize(
    "text", ["mines 3\n##1.\nF*2?\n####", "topology square in 2 planes\nclues overestimate cap 10\n?9a\n###"]
)
def test_arrays_and_boards_are_the_same(text: str) -> None:
    board = Board(text)
    array = board.to_array()
    assert array.shape == (board.rows, board.cols)
    assert Board(array, board.mines, topology=board.topology, clues=board.clues) == board
    assert Board.of(board) is board and Board.of(text) == board
    assert board.flags == tuple(cell for cell in board if board[cell] == "F")
