"""Risks of large grids by the C interface: the exact ones of Python, as floats; forced cells with ==."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from pytest import approx

from satsweep import Board, BoardError, Contradiction, Layout, analyse, random_layout
from satsweep.kernels.api import positions
from satsweep.kernels.shared.memory import CELLS
from satsweep.solver.compiled import symbols_of
from satsweep.topology import SQUARE
from tests import ROOT
from tests.kernels.boards import stuck, table_of
from tests.kernels.test_c_interface import ARGUMENT, CALL, FINE, IMPOSSIBLE, TOO_LARGE, TOO_SMALL, Room
from tests.solver.test_large_boards import TOPOLOGIES


class LargeRoom(Room):
    """A room for a grid of any size; neighbours as a table."""

    def __init__(self, near: np.ndarray, deep: bool = False) -> None:
        cells, degree = near.shape
        self.memory = np.zeros(CALL["room_of"](deep, cells, degree), np.uint8)
        self.begin_table(near)

    def begin_table(self, near: np.ndarray) -> None:
        self.cells = len(near)
        assert self.call("begin_grid", self.memory.size, *near.shape, near.ctypes.data) == FINE


def opened_zeros(layout: Layout) -> Board:
    """The board with all zeros open, and the cells around them."""
    blank = layout.board(())
    zeros = [cell for cell in blank if not layout.is_mine(cell) and not layout.number(cell)]
    return layout.board({near for cell in zeros for near in (cell, *blank.neighbours(cell))})


def some_boards(rng: Random, count: int) -> Iterator[Board]:
    """Boards early and late in a game; of some the total leaves the sea all mines, or none."""
    for _ in range(count):
        rows, cols = 2 * rng.randint(2, 7), rng.randint(3, 14)
        mines = int(rows * cols * rng.choice((0.1, 0.15, 0.2, 0.3)))
        layout = random_layout(rows, cols, mines, rng=rng, topology=rng.choice(TOPOLOGIES))
        safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
        yield layout.board(rng.sample(safe, int(len(safe) * rng.choice((0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1)))))


def beside_zeros(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """Symbols and neighbours of a board, and so many lonely zeros beside it that it is large."""
    near, symbols = table_of(board), symbols_of(board)
    more = CELLS + 1 - len(symbols)
    lonely = np.full((more, near.shape[1]), -1, np.int32)
    return np.append(symbols, np.zeros(more, np.int8)), np.append(near, lonely, 0)


def assert_risks(found: list[float], board: Board) -> None:
    """Floats are near the exact risks, and 0 or 1 only where these are."""
    for own, risk in zip(found, (risk for row in analyse(board).risks for risk in row), strict=True):
        if risk is None or risk in (0, 1):
            assert np.isnan(own) if risk is None else own == risk
        else:
            assert 0 < own < 1 and abs(own - float(risk)) < 1e-12


def test_a_small_board_on_a_large_grid() -> None:
    """Every topology; totals that force cells, and some that are impossible."""
    rng, fine, by_total = Random(5), 0, 0
    for board in some_boards(rng, 60):
        assert board.mines is not None
        symbols, near = beside_zeros(board)
        total = max(0, board.mines + rng.choice((0, 0, 0, 1, -1, -2)))
        code, found = LargeRoom(near).risks(symbols, total)
        try:
            asked = Board(board.cells, mines=total, topology=board.topology)
            expected = analyse(asked)
        except (BoardError, Contradiction):
            assert code == IMPOSSIBLE
            continue
        assert code in (FINE, TOO_LARGE)
        if code == FINE:
            assert_risks(found[: board.rows * board.cols], asked)
            fine += 1
            without = analyse(Board(board.cells, topology=board.topology))
            by_total += len(expected.safe) + len(expected.mines) > len(without.safe) + len(without.mines)
    assert fine > 30 and by_total > 4


def test_a_large_board() -> None:
    layout = random_layout(104, 104, 2000, seed="large")
    board = opened_zeros(layout)
    room = Room(104, 104, deep=False)
    code, found = room.risks(symbols_of(board), 2000)
    assert code == FINE and 0 in found and 1 in found
    assert_risks(found, board)
    again = LargeRoom(table_of(board)).risks(symbols_of(board), 2000)
    assert np.array_equal(again[1], found, equal_nan=True)


def test_contradictions() -> None:
    """A 2 with one covered cell, a 1 with none, totals, three numbers on three cells."""
    cases = [
        ([1, -1, 2], 1), ([1, 0, 1], 0), ([-1, 1, -1, 1, -1], 3), ([-1, 1, -1, 1, -1], 0),
    ]  # fmt: skip
    for row, mines in cases:
        symbols, near = beside_zeros(Board(("#" * len(row),)))
        symbols[: len(row)] = row
        assert LargeRoom(near).risks(symbols, mines)[0] == IMPOSSIBLE
    near[:6, :2] = [[3, 5], [3, 4], [4, 5], [0, 1], [1, 2], [0, 2]]
    symbols[:6] = [-1, -1, -1, 1, 1, 1]
    assert LargeRoom(near).risks(symbols, 1)[0] == IMPOSSIBLE
    symbols, near = beside_zeros(Board(("#1#1#",)))
    assert LargeRoom(near).risks(symbols, 1)[1][:5] == approx([0, np.nan, 1, np.nan, 0], nan_ok=True)


def test_components_that_the_record_has_no_room_for() -> None:
    """A board of few cells whose components together are beyond the record."""
    board = Board(("#1#1#?" * 700,), mines=1_000)
    symbols, near = symbols_of(board), table_of(board)
    assert positions(symbols[None], near, [1_000])[0][0] == TOO_LARGE
    code, found = Room(board.rows, board.cols, deep=False).risks(symbols, 1_000)
    assert code == FINE
    assert_risks(found, board)


def test_a_component_beyond_the_limits() -> None:
    board = Board.load(ROOT / "examples" / "lattice.txt")
    symbols, near = beside_zeros(board)
    assert LargeRoom(near).risks(symbols, board.mines or 0)[0] == TOO_LARGE


@pytest.mark.parametrize("side", [160, pytest.param(400, marks=pytest.mark.extended)])
def test_a_room_for_grids_of_any_size(side: int) -> None:
    """What is laid over memory of the deep player leaves no trace in its answers."""
    board = stuck(9, 9, 10, SQUARE, 0)[0]
    assert board.mines is not None
    symbols = symbols_of(board)
    expected = Room(9, 9).guess(symbols, board.mines, 3)
    assert expected[0] == FINE
    small = opened_zeros(random_layout(110, 110, 2_000, seed=2))
    large = opened_zeros(random_layout(side, side, side**2 // 5, seed=3))
    told = {board.rows: symbols_of(board) for board in (small, large)}
    for bytes_ in (CALL["room"](True), CALL["room_of"](True, side**2, 8)):
        room = Room(9, 9)
        room.memory = np.zeros(bytes_, np.uint8)
        for other in (large, None, small, None):
            if other is None:
                room.begin(9, 9)
                assert room.guess(symbols, board.mines, 3) == expected
            else:
                room.begin(other.rows, other.cols)
                code, found = room.risks(told[other.rows], other.mines or 0)
                assert code == FINE and np.isfinite(found).any()
                assert np.nansum(found) == approx(other.mines, rel=1e-9)


def test_the_deep_player_begins_with_blank_memory_after_a_large_grid() -> None:
    """All words of its part are those of a fresh room, but addresses in the room."""
    fresh, used = Room(9, 9), Room(9, 9)
    used.memory = np.zeros(CALL["room"](True), np.uint8)
    large = opened_zeros(random_layout(110, 110, 2_000, seed=2))
    used.begin(large.rows, large.cols)
    assert used.risks(symbols_of(large), large.mines or 0)[0] == FINE
    first, last = CALL["room"](False) // 8, CALL["room"](True) // 8
    assert used.memory.view(np.int64)[first:last].any()
    used.begin(9, 9)
    apart = used.memory.view(np.int64)[first:last] - fresh.memory.view(np.int64)[first:last]
    assert {*np.unique(apart).tolist()} == {0, used.memory.ctypes.data - fresh.memory.ctypes.data}


def test_what_a_large_grid_has_no_answer_for() -> None:
    room = Room(3, 4)
    assert room.call("begin", room.memory.size, 103, 100) == FINE
    room.cells = 10_300
    symbols = np.full(10_300, -1, np.int8)
    assert room.risks(symbols, 103)[1] == approx([0.01] * 10_300)
    codes = [
        room.worlds(symbols, 5)[0], room.draw(symbols, 5, 1)[0], room.guess(symbols, 5, 2)[0],
        room.roll_out(symbols, 5, 2, 1, [0], 1)[0], room.play(5, "one", 0)[0], room.deal(5, "one", 0)[0],
        room.no_guess(5, "one", 0, 0, True, 1, 0)[0], room.chances(5, "one", "safe", -1, 2, 1)[0],
    ]  # fmt: skip
    assert codes == [TOO_LARGE] * 8
    assert room.risks(symbols, 10_301)[0] == IMPOSSIBLE and room.risks(symbols, -1)[0] == ARGUMENT
    few = np.zeros(CALL["room"](False), np.uint8)
    assert CALL["begin"](few.ctypes.data, few.size, 1_000, 1_000) == TOO_SMALL
    assert CALL["begin"](few.ctypes.data, few.size, 2_049, 2_048) == TOO_LARGE
    assert CALL["room_of"](0, 1 << 22, 26) > 0
    refused = [(0, 8), (1, 0), ((1 << 22) + 1, 8), (1, 27), (-1, 8)]
    assert [CALL["room_of"](0, cells, degree) for cells, degree in refused] == [0] * 5
