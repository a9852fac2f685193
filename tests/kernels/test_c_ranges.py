"""Every argument of the C interface out of the range that its header names is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from satsweep import Board
from satsweep.kernels.api import advise, roll_out
from satsweep.kernels.record import WORK
from satsweep.kernels.toolchain.library import PATH
from satsweep.topology import SQUARE
from tests import ROOT
from tests.kernels.boards import symbols_of, table, table_of
from tests.kernels.c_header import MAY_BE_NULL, RANGES, Parameter, functions, loaded, outside
from tests.kernels.test_c_interface import ARGUMENT, CALL, FINE, NOT_FOUND, Room

FUNCTIONS, CALLS = functions(), loaded(PATH)
BOARD = Board.load(ROOT / "examples" / "small.txt")
SYMBOLS = symbols_of(BOARD)
CELLS = len(SYMBOLS)
MINES = BOARD.mines
UNDECIDED = int(np.flatnonzero(SYMBOLS == -1)[0])
SHOWN = np.array([[255, 1], [1, 255]], np.uint8)
LENGTHS = {"cells": CELLS, "worlds": 2, "candidates": 5}


def written(dtype: Any, count: int) -> Callable[[], np.ndarray]:
    return lambda: np.zeros(count, dtype)


FINE_CALLS: dict[str, list[Any]] = {
    "begin": [None, BOARD.rows, BOARD.cols],
    "begin_grid": [None, *table_of(BOARD).shape, table_of(BOARD)],
    "risks": [SYMBOLS, MINES, written("f8", CELLS)],
    "worlds": [SYMBOLS, MINES, written("f8", 1), written("u1", 40), 40],
    "draw": [SYMBOLS, MINES, 1, 1, written("i1", CELLS)],
    "explain": [SYMBOLS, MINES, UNDECIDED, written("i4", 5), written("i4", CELLS), written("i1", 2 * CELLS)],
    "conflict": [SYMBOLS, MINES, written("i4", 5), written("i4", CELLS)],
    "guess": [SYMBOLS, MINES, 2, written("i4", 1), written("f8", 1), written("i4", 1)],
    "candidates": [written("i4", CELLS), written("f8", CELLS), CELLS, written("i4", 1)],
    "roll_out": [SYMBOLS, MINES, 2, 1, np.array([UNDECIDED], np.int32), 1, 2, written("f8", 2)],
    "endgame": [SHOWN, 2, 2],
    "endgame_value": [np.array([0, 1], np.int32), 2, written("i4", 1)],
    "play": [3, b"seed", 0, 1, -1, 0, written("i4", 12), written("i1", CELLS), written("i4", 4), 1],
    "play_layout": [np.zeros(CELLS, np.int8), b"seed", 0, 1, -1, 0, written("i4", 12), written("i4", 4), 1],
    "chances": [3, b"seed", 1, 0, 1, 2, written("f8", 2)],
    "deal": [3, b"seed", 0, 0, 1, written("i1", CELLS)],
    "no_guess": [1, b"seed", 0, 0, 1, 5, 5, written("i1", CELLS)],
    "no_guess_by": [1, 1, b"seed", 0, 0, 1, np.zeros(1, np.int64), 5, 5, written("i1", CELLS)],
}
"""Arguments of a call that is fine, on a board of 3 x 4."""


@pytest.fixture(scope="module")
def room() -> Room:
    return Room(BOARD.rows, BOARD.cols)


def code_of(room: Room, name: str, arguments: list[Any]) -> int:
    """The code of a call after those that it needs."""
    if name == "candidates":
        assert code_of(room, "guess", FINE_CALLS["guess"]) == FINE
    if name == "endgame_value":
        assert code_of(room, "endgame", FINE_CALLS["endgame"]) == FINE
    kept = [one() if callable(one) else one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    if name.startswith("begin") and kept[0] is None:
        kept[0] = room.memory.size
    values = [one.ctypes.data if isinstance(one, np.ndarray) else one for one in kept]
    return CALLS[name](room.memory.ctypes.data, *values)


def wrong_ones(name: str, parameter: Parameter, fine: Any) -> list[Any]:
    """Arguments of a parameter that are out of its range."""
    wrong: list[Any] = []
    if parameter.is_pointer and (name, parameter.name) not in MAY_BE_NULL:
        wrong.append(None)
    if parameter.name == "seed":
        return [*wrong, b"x" * 257]
    for number in outside(name, parameter, LENGTHS) if parameter.given or not parameter.is_pointer else ():
        if parameter.is_pointer:
            numbers = fine.copy()
            numbers.reshape(-1)[-1] = number
            wrong.append(numbers)
        else:
            wrong.append(number)
    return wrong


def test_every_function_and_every_number_has_its_range() -> None:
    assert set(FUNCTIONS) == set(FINE_CALLS)
    for name, parameters in FUNCTIONS.items():
        assert len(parameters) == len(FINE_CALLS[name])
        for one in parameters:
            assert one.name + "*" * one.is_pointer in RANGES or (one.is_pointer and not one.given), (name, one.name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_argument_out_of_its_range_is_refused(name: str, room: Room) -> None:
    fine = FINE_CALLS[name]
    tried = 0
    assert code_of(room, name, fine) == FINE
    for place, parameter in enumerate(FUNCTIONS[name]):
        for wrong in wrong_ones(name, parameter, fine[place]):
            code = code_of(room, name, [*fine[:place], wrong, *fine[place + 1 :]])
            assert code == ARGUMENT, (parameter.name, wrong)
            tried += 1
    assert tried >= len(FUNCTIONS[name]) // 2
    assert code_of(room, name, fine) == FINE  # the room is as it was


def test_the_last_candidate_is_no_overflow(room: Room) -> None:
    most = 2**63 - 1
    stuck = [0, 1, b"seed", 0, 0, 0, np.array([most - 1]), 1, 0, written("i1", CELLS)]
    assert code_of(room, "no_guess_by", stuck) in (FINE, NOT_FOUND)
    assert code_of(room, "no_guess_by", [*stuck[:7], 2, *stuck[8:]]) == ARGUMENT


def test_an_endgame_of_what_no_cell_shows_is_refused(room: Room) -> None:
    """Numbers from 32 on were read beyond an array."""
    for number in range(27, 255):
        assert code_of(room, "endgame", [np.array([[255, 1], [number, 255]], np.uint8), 2, 2]) == ARGUMENT
        assert room.endgame_value([0])[0] == ARGUMENT


def test_a_cell_that_is_forced_is_not_rolled_out() -> None:
    """It was rolled out in worlds in which it is safe, and there are none."""
    line = Room(1, 7)
    symbols = np.array([-1, 1, 0, 1, -1, -1, -1], np.int8)  # mines in 0 and 4, and in 5 or 6
    assert [line.roll_out(symbols, 3, 2, 1, [cell], 2)[0] for cell in (0, 4, 5)] == [ARGUMENT, ARGUMENT, FINE]
    with pytest.raises(ValueError, match="one that is forced"):
        roll_out(symbols, table(SQUARE, 1, 7), 3, [5, 4], 2)


def test_a_guess_where_all_is_decided_has_a_chance() -> None:
    for cells in (5, 70):  # searched from the first cell on, and not
        symbols = np.array([-1, 1, *[0] * (cells - 4), 1, -1], np.int8)
        assert Room(1, cells).guess(symbols, 2, 2) == (FINE, -1, 1.0, True)
        assert advise(symbols, table(SQUARE, 1, cells), 2)[:4] == (FINE, -1, 1.0, True)


def test_candidates_are_those_of_the_guess_before(room: Room) -> None:
    for between in ("endgame", "play", "roll_out"):
        assert code_of(room, "guess", FINE_CALLS["guess"]) == FINE
        assert room.candidates(CELLS)[0] == FINE
        assert code_of(room, between, FINE_CALLS[between]) == FINE
        assert room.candidates(CELLS)[0] == ARGUMENT


@pytest.mark.parametrize("deep", [False, True])
def test_memory_that_is_not_blank_is_refused(deep: bool) -> None:
    """The numbers of the working records are looked at, too."""
    memory, record = np.zeros(CALL["room"](deep), np.uint8), (WORK.itemsize + 63) // 64 * 64
    first, fields = CALL["room"](False) - record, dict(WORK.fields or {})
    for field in ("n_slots", "stamp", "used_ints"):
        for begin in (first, first + record)[: 1 + deep]:
            place = begin + fields[field][1]
            memory[place] = 1
            assert CALL["begin"](memory.ctypes.data, memory.size, 3, 3) == ARGUMENT
            memory[place] = 0
    assert CALL["begin"](memory.ctypes.data, memory.size, 3, 3) == FINE
