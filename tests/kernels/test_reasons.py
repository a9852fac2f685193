"""Reasons of the C interface: as small as those of Python, minimal, and of the same technique."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

from satsweep import Board, Cell, random_layout
from satsweep.board import NUMBERS
from satsweep.questions.witness import find_world
from satsweep.techniques import TECHNIQUES
from satsweep.why import Conflict, Explainer, Explanation, argument_in_words, conflict
from tests import DATA
from tests.kernels.boards import symbols_of
from tests.kernels.test_c_interface import ARGUMENT, FINE, IMPOSSIBLE, TOO_LARGE, Room, boards, room_of

SAFE, MINE, EITHER, CONFLICT, POSSIBLE = range(5)
PLACE = {technique: place for place, technique in enumerate(TECHNIQUES)}


class Found(NamedTuple):
    code: int
    kind: int
    technique: int
    total: bool
    smallest: bool
    clues: tuple[Cell, ...]
    layouts: np.ndarray


def explained(room: Room, board: Board, cell: Cell, mines: int | None = None) -> Found:
    layouts = np.zeros((2, room.cells), np.int8)
    return _found(room, "explain", board, mines, board.index(cell), layouts)


def contradicted(room: Room, board: Board) -> Found:
    return _found(room, "conflict", board, None, None, np.zeros((0, 0), np.int8))


def _found(room: Room, name: str, board: Board, mines: int | None, cell: int | None, layouts: np.ndarray) -> Found:
    reason, clues, symbols = np.zeros(5, np.int32), np.zeros(room.cells, np.int32), symbols_of(board)
    asked = [symbols.ctypes.data, board.mines if mines is None else mines]
    if cell is None:
        code = room.call(name, *asked, reason.ctypes.data, clues.ctypes.data)
    else:
        code = room.call(name, *asked, cell, reason.ctypes.data, clues.ctypes.data, layouts.ctypes.data)
    kind, technique, total, smallest, count = reason.tolist()
    return Found(
        code, kind, technique, bool(total), bool(smallest), tuple(map(board.cell, clues[:count].tolist())), layouts
    )


def expert_boards(count: int | None = None) -> Iterator[Board]:
    lines = (DATA / "positions_expert.jsonl").read_text().splitlines()
    for one in map(json.loads, lines[:count]):
        yield Board(tuple(one["board"]), mines=one["mines"])


def compare_reasons(some: Iterator[Board]) -> tuple[int, set[int]]:
    """Compare all forced cells of boards; return how many there are, and their techniques."""
    seen, techniques = 0, set[int]()
    for board in some:
        room = room_of(board)
        with Explainer(board) as explainer:
            for own in explainer.all():
                found = explained(room, board, own.cell)
                assert (found.code, found.kind, found.total) == (FINE, int(own.mine), own.total)
                assert found.smallest >= own.smallest
                if own.smallest and found.smallest:
                    assert len(found.clues) == len(own.clues)
                # Python refuses clues that do not force the cell.
                argument = argument_in_words(replace(own, clues=found.clues))
                if argument.rule != "clue set":
                    assert found.technique == PLACE[argument.technique], (board, own.cell)
                seen += 1
                techniques.add(found.technique)
    return seen, techniques


def test_reasons_are_as_small_as_those_of_python() -> None:
    seen, techniques = compare_reasons(islice(expert_boards(), 16, 18))
    assert seen > 150 and techniques == {0, 1, 2, 3}


@pytest.mark.extended
def test_all_reasons_of_the_expert_boards_are_as_small_as_those_of_python() -> None:
    assert compare_reasons(expert_boards())[0] == 15_869


def uncovered(board: Board) -> Board:
    """The board with known mines covered: they are forced cells then."""
    return replace(board, cells=tuple(row.replace("*", "#") for row in board.cells))


def some_boards() -> Iterator[Board]:
    return islice(boards(), 0, None, 12)


def fewest_mines(board: Board) -> Board:
    """The board with the least mine total that is possible: many cells are safe by it."""
    changes = (replace(board, mines=mines) for mines in range(board.symbols.count("*"), len(board.symbols)))
    return next(one for one in changes if find_world(one) is not None)


def test_reasons_on_other_grids_are_minimal() -> None:
    """Without any number some layout has the opposite value."""
    seen = totals = 0
    for board in map(uncovered, [*some_boards(), *map(fewest_mines, islice(boards(), 5))]):
        room = room_of(board)
        with Explainer(board) as explainer:
            for own in islice(explainer.all(), 5):
                found = explained(room, board, own.cell)
                assert (found.code, found.kind, found.total) == (FINE, int(own.mine), own.total)
                assert len(found.clues) == len(own.clues) or not (own.smallest and found.smallest)
                hidden = board
                for cell in board:
                    if board.number(cell) is not None and cell not in found.clues:
                        hidden = changed(hidden, cell, "?")
                assert_forced(hidden, found, own)
                for clue in found.clues[:4]:
                    assert_forced(changed(hidden, clue, "?"), found, own, forced=False)
                seen += 1
                totals += found.total
    assert seen > 20 and totals > 5


def changed(board: Board, cell: Cell, symbol: str) -> Board:
    rows = list(board.cells)
    rows[cell.row] = rows[cell.row][: cell.col] + symbol + rows[cell.row][cell.col + 1 :]
    return replace(board, cells=tuple(rows))


def assert_forced(board: Board, found: Found, own: Explanation, *, forced: bool = True) -> None:
    """Assert whether what is left of a board forces a cell: no layout has the opposite value."""
    shown = board if found.total else replace(board, mines=None)
    assert (find_world(shown, {own.cell: not own.mine}) is None) is forced


def test_a_cell_that_may_be_either_has_two_layouts() -> None:
    seen = 0
    for board in boards():
        room, symbols = room_of(board), symbols_of(board)
        risks = np.array(room.risks(symbols, board.mines or 0)[1])
        for cell in np.flatnonzero((risks > 0) & (risks < 1))[:3].tolist():
            found = explained(room, board, board.cell(cell))
            assert (found.code, found.kind, found.clues) == (FINE, EITHER, ())
            assert found.layouts[:, cell].tolist() == [1, 0]
            for mined in found.layouts:
                assert mined.sum() == board.mines and (mined[symbols == -2] == 1).all()
                for at in np.flatnonzero(symbols >= 0).tolist():
                    near = board.neighbours(board.cell(at))
                    assert not mined[at] and sum(mined[board.index(one)] for one in near) == symbols[at]
            seen += 1
    assert seen > 50


def wrong(board: Board, turn: int) -> Board:
    """The board with one number changed."""
    numbers = [(cell, number) for cell in board if (number := board.number(cell))]
    if not numbers:
        return board
    cell, number = numbers[turn * 7919 % len(numbers)]
    return changed(board, cell, NUMBERS[number - 1])


def test_conflicts_are_as_small_as_those_of_python() -> None:
    seen = totals = 0
    for turn, board in enumerate([*expert_boards(3), *map(uncovered, some_boards())]):
        room = room_of(board)
        assert contradicted(room, board)[:2] == (FINE, POSSIBLE)
        for one in (wrong(board, turn), replace(board, mines=board.rows * board.cols), replace(board, mines=1)):
            own, found = conflict(one), contradicted(room, one)
            if own is None:
                assert found[:2] == (FINE, POSSIBLE)
                continue
            assert (found.code, found.kind, found.total) == (FINE, CONFLICT, own.total)
            if own.smallest and found.smallest:
                assert len(found.clues) == len(own.clues)
            assert_conflict(one, found)
            seen += 1
            totals += found.total
    assert seen > 10 and totals > 3


def assert_conflict(board: Board, found: Found) -> None:
    hidden = board
    for cell in board:
        if board.number(cell) is not None and cell not in found.clues:
            hidden = changed(hidden, cell, "?")
    shown = hidden if found.total else replace(hidden, mines=None)
    assert isinstance(conflict(shown), Conflict)
    for clue in found.clues[:4]:
        assert conflict(changed(shown, clue, "?")) is None


def test_a_mine_total_can_be_wrong_by_itself() -> None:
    board = Board(("####",), mines=4)
    for mines in (5, 2**31 - 1):
        reason, clues, symbols = np.zeros(5, np.int32), np.zeros(4, np.int32), symbols_of(board)
        room = room_of(board)
        assert room.call("conflict", symbols.ctypes.data, mines, reason.ctypes.data, clues.ctypes.data) == FINE
        assert reason.tolist() == [CONFLICT, PLACE[max(PLACE, key=PLACE.__getitem__)], 1, 1, 0]
    assert explained(room_of(board), board, Cell(0, 0)).kind == MINE
    assert explained(room_of(board), board, Cell(0, 0), mines=5).code == IMPOSSIBLE


def test_only_covered_cells_are_explained() -> None:
    board = Board(("##1.", "##21", "####"), mines=3)
    for cell in (Cell(0, 2), Cell(0, 3)):
        assert explained(room_of(board), board, cell).code == ARGUMENT
    found = explained(room_of(board), board, Cell(2, 1))
    assert found[:5] == (FINE, SAFE, 2, False, True)
    assert found.clues == (Cell(0, 2), Cell(1, 2), Cell(1, 3))


def test_a_search_that_takes_too_long_is_given_up() -> None:
    """Every third safe cell of a large board is open: its numbers hang together, and none of them is near another."""
    layout = random_layout(60, 60, 720, seed="torn")
    safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
    board = layout.board(safe[::3])
    room, begun = room_of(board), time.process_time()
    assert explained(room, board, next(iter(board.covered))).code == TOO_LARGE
    assert contradicted(room, board).code == TOO_LARGE
    assert time.process_time() - begun < 5
