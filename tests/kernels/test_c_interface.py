"""The C interface: the results of Python, bit for bit; threads with a room each; bad arguments are codes."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import (
    CDLL,
    POINTER,
    byref,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_void_p,
    create_string_buffer as text_room,
)
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satsweep import Board, Cell, analyse
from satsweep.analysis.endgame import endgame
from satsweep.games.deal import random_layout
from satsweep.games.rules import FirstClick
from satsweep.generator.run import generate, repair_changes
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.kernels.api import (
    ALL,
    DEEP,
    FIRST,
    OUTCOMES,
    PAIRS,
    SINGLE,
    advise,
    play_games,
    positions,
    roll_out,
    sample_worlds,
)
from satsweep.kernels.endgame import listed as listed  # the header declares their kernels
from satsweep.kernels.games.player import MEASURES
from satsweep.kernels.position import large_odds as large_odds, split as split
from satsweep.kernels.record import header
from satsweep.kernels.toolchain.library import KERNELS, PATH, load
from satsweep.topology import SQUARE, Topology
from tests import ROOT
from tests.kernels.boards import HEXAGONS, KNIGHTS, WIDE, stuck, symbols_of, table, table_of

HEADER = (KERNELS / "c" / "satsweep.h").read_text()
FINE, TOO_LARGE, IMPOSSIBLE, ARGUMENT, TOO_SMALL, PROCESSOR, NOT_FOUND, FAILED = range(8)
SIZES = {"beginner": (9, 9, 10), "expert": (16, 30, 99), "dense": (6, 6, 9), "whole": (4, 4, 4), "line": (1, 7, 2)}
INTERFACE: dict[str, list[object]] = {
    "message": [c_int32],
    "room": [c_int32],
    "room_of": [c_int32, c_int32, c_int32],
    "begin": [c_void_p, c_size_t, c_int32, c_int32],
    "begin_grid": [c_void_p, c_size_t, c_int32, c_int32, c_void_p],
    "risks": [c_void_p, c_void_p, c_int32, c_void_p],
    "worlds": [c_void_p, c_void_p, c_int32, c_void_p, c_char_p, c_size_t],
    "explain": [c_void_p, c_void_p, c_int32, c_int32, c_void_p, c_void_p, c_void_p],
    "conflict": [c_void_p, c_void_p, c_int32, c_void_p, c_void_p],
    "guess": [c_void_p, c_void_p, c_int32, c_int32, POINTER(c_int32), POINTER(c_double), POINTER(c_int32)],
    "candidates": [c_void_p, c_void_p, c_void_p, c_int32, POINTER(c_int32)],
    "roll_out": [
        *(c_void_p, c_void_p, c_int32, c_int32, c_int64),
        *(c_void_p, c_int32, c_int32, c_void_p),
    ],
    "endgame": [c_void_p, c_void_p, c_int32, c_int32],
    "endgame_value": [c_void_p, c_void_p, c_int32, POINTER(c_int32)],
    "chances": [c_void_p, c_int32, c_char_p, c_int32, c_int32, c_int32, c_int32, c_void_p],
    "play": [
        *(c_void_p, c_int32, c_char_p, c_int64, c_int32, c_int32, c_int32),
        *(c_void_p, c_void_p, c_void_p, c_int32),
    ],
    "play_layout": [
        *(c_void_p, c_void_p, c_char_p, c_int64, c_int32, c_int32, c_int32),
        *(c_void_p, c_void_p, c_int32),
    ],
    "draw": [c_void_p, c_void_p, c_int32, c_int64, c_int32, c_void_p],
    "deal": [c_void_p, c_int32, c_char_p, c_int64, c_int32, c_int32, c_void_p],
    "no_guess": [c_void_p, c_int32, c_char_p, c_int64, c_int32, c_int32, c_int64, c_int64, c_void_p],
    "no_guess_by": [
        *(c_void_p, c_int32, c_int32, c_char_p, c_int64, c_int32, c_int32),
        *(POINTER(c_int64), c_int64, c_int64, c_void_p),
    ],
}  # fmt: skip


def function(name: str) -> Callable[..., int]:
    called = CDLL(str(PATH))[f"satsweep_{name}"]
    called.argtypes = INTERFACE[name]  # type: ignore[assignment]
    called.restype = {"message": c_char_p, "room": c_size_t, "room_of": c_size_t}.get(name, c_int32)
    return called


CALL = {name: function(name) for name in INTERFACE}


class Room:
    """A room of the library, and calls with numbers and arrays of Python."""

    def __init__(self, rows: int, cols: int, topology: Topology = SQUARE, deep: bool = True) -> None:
        self.memory = np.zeros(CALL["room_of"](deep, rows * cols, topology.most), np.uint8)
        self.begin(rows, cols, topology)

    def begin(self, rows: int, cols: int, topology: Topology = SQUARE) -> None:
        self.cells = rows * cols
        if topology is SQUARE:
            assert self.call("begin", self.memory.size, rows, cols) == FINE
        else:
            near = table(topology, rows, cols)
            assert self.call("begin_grid", self.memory.size, *near.shape, near.ctypes.data) == FINE

    def call(self, name: str, *arguments: object) -> int:
        return CALL[name](self.memory.ctypes.data, *arguments)

    def risks(self, symbols: np.ndarray, mines: int) -> tuple[int, list[float]]:
        risks = np.zeros(self.cells)
        return self.call("risks", symbols.ctypes.data, mines, risks.ctypes.data), risks.tolist()

    def worlds(self, symbols: np.ndarray, mines: int) -> tuple[int, float, str]:
        worlds, digits = c_double(), text_room(3_100)
        status = self.call("worlds", symbols.ctypes.data, mines, byref(worlds), digits, len(digits))
        return status, worlds.value, digits.value.decode()

    def draw(self, symbols: np.ndarray, mines: int, salt: int, count: int = 1) -> tuple[int, np.ndarray]:
        mined = np.zeros((count, self.cells), np.int8)
        return self.call("draw", symbols.ctypes.data, mines, salt, count, mined.ctypes.data), mined

    def guess(self, symbols: np.ndarray, mines: int, level: int) -> tuple[int, int, float, bool]:
        cell, chance, exact = c_int32(), c_double(), c_int32()
        status = self.call("guess", symbols.ctypes.data, mines, level, byref(cell), byref(chance), byref(exact))
        return status, cell.value, chance.value, bool(exact.value)

    def roll_out(
        self, symbols: np.ndarray, mines: int, level: int, salt: int, cells: Sequence[int], worlds: int
    ) -> tuple[int, np.ndarray]:
        values, asked = np.zeros((max(worlds, 0), len(cells))), np.array(cells, np.int32)
        places = asked.ctypes.data, len(cells), worlds, values.ctypes.data
        return self.call("roll_out", symbols.ctypes.data, mines, level, salt, *places), values

    def chances(self, mines: int, seed: str, first: str, start: int, level: int, games: int) -> tuple[int, list[float]]:
        found = np.zeros(max(games, 0))
        status = self.call("chances", mines, seed.encode(), FIRST[first], start, level, games, found.ctypes.data)
        return status, found.tolist()

    def endgame_value(self, worlds: Sequence[int]) -> tuple[int, int]:
        value, asked = c_int32(), np.array(worlds, np.int32)
        return self.call("endgame_value", asked.ctypes.data, len(asked), byref(value)), value.value

    def play(
        self, mines: int, seed: str, game: int, first: str = "safe", start: int = -1, level: int = 0
    ) -> tuple[int, list[int], np.ndarray, list[list[int]]]:
        measures, mined = np.zeros(len(MEASURES) + 1, np.int32), np.zeros(self.cells, np.int8)
        moves = np.zeros((self.cells, 4), np.int32)
        places = measures.ctypes.data, mined.ctypes.data, moves.ctypes.data, len(moves)
        status = self.call("play", mines, seed.encode(), game, FIRST[first], start, level, *places)
        return status, measures[:-1].tolist(), mined, moves[: measures[-1]].tolist()

    def candidates(self, most: int) -> tuple[int, list[int], list[float]]:
        cells, scores, count = np.zeros(most, np.int32), np.zeros(most), c_int32()
        status = self.call("candidates", cells.ctypes.data, scores.ctypes.data, most, byref(count))
        return status, cells[: count.value].tolist(), scores[: count.value].tolist()

    def play_layout(
        self, layout: np.ndarray, seed: str, game: int, first: str = "any", start: int = -1, level: int = 0
    ) -> tuple[int, list[int], np.ndarray, list[list[int]]]:
        measures, mined = np.zeros(len(MEASURES) + 1, np.int32), np.array(layout, np.int8)
        moves = np.zeros((self.cells, 4), np.int32)
        places = measures.ctypes.data, moves.ctypes.data, len(moves)
        asked = mined.ctypes.data, seed.encode(), game, FIRST[first], start, level
        status = self.call("play_layout", *asked, *places)
        return status, measures[:-1].tolist(), mined, moves[: measures[-1]].tolist()

    def deal(self, mines: int, seed: str, number: int, start: int = -1, zero: bool = False) -> tuple[int, list[int]]:
        mined = np.zeros(self.cells, np.int8)
        return self.call("deal", mines, seed.encode(), number, start, zero, mined.ctypes.data), mined.tolist()

    def no_guess_by(
        self, technique: int, mines: int, seed: str, number: int, start: int, zero: bool, candidate: int,
        candidates: int, changes: int = 0,
    ) -> tuple[int, int, list[int]]:  # fmt: skip
        mined, at = np.zeros(self.cells, np.int8), c_int64(candidate)
        asked = technique, mines, seed.encode(), number, start, zero
        status = self.call("no_guess_by", *asked, byref(at), candidates, changes, mined.ctypes.data)
        return status, at.value, mined.tolist()

    def no_guess(
        self, mines: int, seed: str, number: int, start: int, zero: bool, candidates: int, changes: int
    ) -> tuple[int, np.ndarray]:
        mined = np.zeros(self.cells, np.int8)
        return self.call(
            "no_guess", mines, seed.encode(), number, start, zero, candidates, changes, mined.ctypes.data
        ), mined


def boards() -> Iterator[Board]:
    for name, topology in product(SIZES, (SQUARE, HEXAGONS, KNIGHTS)):
        for game in range(2):
            yield from stuck(*SIZES[name], topology, game)[:3]
    yield from stuck(*SIZES["dense"], WIDE, 1)[:3]


def room_of(board: Board) -> Room:
    return Room(board.rows, board.cols, board.topology)


def test_the_header_has_what_the_library_has() -> None:
    named = re.findall(r"SATSWEEP_API [\w ]+[ *]satsweep_(\w+)\(", HEADER)
    assert sorted(named) == sorted(INTERFACE)
    assert all(load()[f"satsweep_{name}"] for name in named)
    listed = re.search(r"typedef struct \{\s*int32_t ([^;]*);\s*\} satsweep_game", HEADER)
    assert listed and listed[1].split(", ") == [*MEASURES, "moves"]
    for name, outcome in re.findall(r"SATSWEEP_(CLEARED|EXPLODED|STUCK) = (\d)", HEADER):
        assert OUTCOMES[int(outcome)] == name.lower()
    messages = {CALL["message"](code) for code in range(8)}
    assert len(messages) == 8 and CALL["message"](8) == CALL["message"](-1) == b"no code of satsweep"


def test_risks_worlds_draws_and_guesses_are_those_of_python() -> None:
    seen = 0
    for board in islice(boards(), 0, None, 2):
        assert board.mines is not None
        symbols, near, room = symbols_of(board), table_of(board), room_of(board)
        status, risks = positions(symbols[None], near, [board.mines])
        assert room.risks(symbols, board.mines)[0] == status[0] == FINE
        assert np.array_equal(room.risks(symbols, board.mines)[1], risks[0], equal_nan=True)
        worlds = analyse(board).worlds
        assert worlds is not None
        assert room.worlds(symbols, board.mines) == (FINE, float(worlds), str(worlds))
        for count in (1, 3):
            drawn = sample_worlds(symbols, near, board.mines, count, salt=-5)
            code, own = room.draw(symbols, board.mines, -5, count)
            assert drawn is not None and code == FINE and np.array_equal(own, drawn)
        for level in DEEP if board.rows < 16 else (1, 2):
            found = advise(symbols, near, board.mines, level)
            assert room.guess(symbols, board.mines, level) == (FINE, found.cell, found.value, found.exact)
            assert room.candidates(480) == (FINE, found.cells.tolist(), found.scores.tolist())
        assert np.array_equal(room.risks(symbols, board.mines)[1], risks[0], equal_nan=True)
        seen += 1
    assert seen > 15


def test_roll_outs_are_those_of_python() -> None:
    """Whatever was rolled out before in the same room, with another player."""
    for board in islice((board for board in boards() if board.mines and board.rows < 16), 12):
        symbols, near, room, mines = symbols_of(board), table_of(board), room_of(board), board.mines or 0
        risks = np.array(room.risks(symbols, mines)[1])
        cells = np.flatnonzero((risks > 0) & (risks < 1))[:3].tolist()
        for level in (2, 1, 2):
            values = roll_out(symbols, near, mines, cells, 4, DEEP[level], 9)
            status, found = room.roll_out(symbols, mines, level, 9, cells, 4)
            assert status == FINE and np.array_equal(found, values)
        assert room.guess(symbols, mines, 5)[1:] == tuple(advise(symbols, near, mines, 5)[1:4])


def test_chances_of_a_start_are_those_of_python() -> None:
    for size, first in (("beginner", "safe"), ("dense", "zero"), ("whole", "any")):
        rows, cols, mines = SIZES[size]
        estimates = np.full((6, 2), -1.0)
        near = table(SQUARE, rows, cols)
        played = play_games(near, mines, "é", range(6), first=first, start=3, policy="deep", estimates=estimates)
        won = np.where(estimates[:, 0] >= 0, estimates[:, 0], played["won"])
        assert Room(rows, cols).chances(mines, "é", first, 3, 2, 6) == (FINE, (won - estimates[:, 1]).tolist())


def test_values_of_endgames_are_those_of_the_exact_search() -> None:
    """Of all worlds, and of those in which a cell is safe and shows one number."""
    seen = 0
    for board in boards():
        found = endgame(analyse(board), most=300)
        if found is None or found.size == 1:
            continue
        room, columns = room_of(board), [np.full(found.size, 255, np.uint8) for _ in found.search.cells]
        sets = [found.worlds]
        for column, played in zip(columns, found.search.cells.values(), strict=True):
            sets += played.shows.values()
            for number, same in played.shows.items():
                column[[world for world in range(found.size) if same >> world & 1]] = number
        rows = np.ascontiguousarray(np.stack(columns, axis=1))
        shown = rows.copy()
        assert room.call("endgame", shown.ctypes.data, *shown.shape) == FINE
        place = {row.tobytes(): at for at, row in enumerate(shown)}
        for same in sets:
            places = sorted(place[rows[world].tobytes()] for world in range(found.size) if same >> world & 1)
            assert room.endgame_value(places) == (FINE, found.search.value(same))
        seen += 1
        symbols = symbols_of(board)
        assert room.guess(symbols, board.mines or 0, 2)[:2] == (
            FINE,
            advise(symbols, table_of(board), board.mines or 0).cell,
        )
        assert room.endgame_value([0])[0] == ARGUMENT  # the guess has taken its place
    assert seen > 5


def test_bad_worlds_are_refused() -> None:
    board = Board.load(ROOT / "examples" / "small.txt")
    room, symbols = room_of(board), symbols_of(board)
    cells = [int(np.flatnonzero(symbols == -1)[0])]
    assert room.roll_out(symbols, 1, 2, 0, cells, 1)[0] == IMPOSSIBLE
    open_cell = int(np.flatnonzero(symbols >= 0)[0])
    for asked in ([], [12], [open_cell]):
        assert room.roll_out(symbols, 3, 2, 0, asked, 1)[0] == ARGUMENT
    assert room.endgame_value([0])[0] == ARGUMENT
    shown = np.array([[255, 1], [1, 255]], np.uint8)
    assert room.call("endgame", shown.ctypes.data, 2, 2) == FINE
    assert room.endgame_value([0, 1]) == (FINE, 1)
    for wrong in ([], [2], [-1], [1, 0], [0, 0]):
        assert room.endgame_value(wrong)[0] == ARGUMENT
    assert room.call("endgame", shown.ctypes.data, 1 << 20, 1) == TOO_LARGE
    assert Room(3, 4, deep=False).call("endgame", shown.ctypes.data, 2, 2) == TOO_SMALL


def test_counts_of_any_length() -> None:
    """From one world to 10**3080; beyond the greatest double the double is infinite."""
    for rows, cols, mines in [(1, 1, 1), (1, 64, 32), (8, 8, 33), (30, 30, 450), (32, 33, 500), (101, 101, 5_100)]:
        blank = Board(("#" * cols,) * rows, mines=mines)
        worlds = analyse(blank).worlds
        assert worlds is not None
        double = float(worlds) if worlds < 1 << 1023 else float("inf")
        assert Room(rows, cols, deep=False).worlds(symbols_of(blank), mines) == (FINE, double, str(worlds))


@pytest.mark.parametrize("size", SIZES)
def test_games_are_those_of_python(size: str) -> None:
    """One room plays them all, whatever was played in it before."""
    rows, cols, mines = SIZES[size]
    room, near = Room(rows, cols), table(SQUARE, rows, cols)
    for level, first, start, game in product((0, 2, 1), ("any", "safe", "zero", "given"), (-1, 3), range(3)):
        moves, seed = np.zeros((rows * cols, 4), np.int32), f"é{size}"
        (row,) = play_games(
            *(near, mines, seed, range(game, game + 1)),
            first=first, start=None if start < 0 else start, moves=moves,
            policy="deep" if level else "sat", level=level or 2,
        )  # fmt: skip
        status, measures, mined, own = room.play(mines, seed, game, first, start, level)
        if OUTCOMES[row["outcome"]] == "no room":
            assert status == IMPOSSIBLE
            continue
        assert (status, measures) == (FINE, [*row])
        assert own == moves[moves[:, 0] >= 0].tolist() and mined.sum() == mines
        exploded = OUTCOMES[measures[0]] == "exploded"
        assert mined[own[-1][2]] == exploded or own[-1][1] == 1


def test_the_layout_is_the_one_that_was_played() -> None:
    layout = random_layout("beginner", seed="one")
    _, _, mined, _ = Room(9, 9).play(10, "one", 0, first="any")
    assert mined.tolist() == [symbol == "*" for symbol in layout.symbols]


@pytest.mark.parametrize("size", ["expert", "whole"])
def test_games_on_given_layouts_are_those_of_python(size: str) -> None:
    rows, cols, mines = SIZES[size]
    room, near = Room(rows, cols), table(SQUARE, rows, cols)
    for level, first, number in product((0, 2), ("any", "safe", "given"), range(3)):
        _, layout = room.deal(mines, "given", number)
        moves = np.zeros((rows * cols, 4), np.int32)
        (row,) = play_games(
            *(near, mines, "given", range(number, number + 1)),
            first=first, layouts=np.array([layout], np.int8), moves=moves, policy="deep" if level else "sat",
        )  # fmt: skip
        status, measures, mined, own = room.play_layout(np.array(layout), "given", number, first, -1, level)
        assert (status, measures, own) == (FINE, [*row], moves[moves[:, 0] >= 0].tolist())
        assert mined.sum() == mines and (first == "safe" or mined.tolist() == layout)


def test_random_boards_are_those_of_python() -> None:
    room = Room(9, 9, deep=False)
    for number in range(3):
        assert room.deal(10, "one", number) == (FINE, list(room.play(10, "one", number, first="any")[2]))
        for first in FirstClick.SAFE, FirstClick.ZERO:
            spec = BoardSpec(9, 9, 10, Cell(4, 4), first, no_guess=False)
            *_, board = generate(spec, number + 1, seed="one", traced=False)
            expected = [symbol == "*" for symbol in board.layout.symbols]
            assert room.deal(10, "one", number, 40, first is FirstClick.ZERO) == (FINE, expected)


@pytest.mark.parametrize(("technique", "agent"), [(SINGLE, "basic"), (PAIRS, "subset"), (ALL, "sat")])
def test_boards_by_technique_are_those_of_python(technique: int, agent: str) -> None:
    room = Room(9, 9, deep=False)
    for method, changes in (GenerationMethod.REJECTION, 0), (GenerationMethod.REPAIR, 1_000):
        spec = BoardSpec(9, 9, 10, Cell(4, 4), solvable_by=agent, method=method)
        for number, board in enumerate(generate(spec, 3, seed="by", traced=False)):
            expected = board.candidates - 1, [symbol == "*" for symbol in board.layout.symbols]
            for candidate in {0, board.candidates - 1}:
                found = room.no_guess_by(technique, 10, "by", number, 40, True, candidate, 10_000, changes)
                assert found == (FINE, *expected)
    assert room.no_guess_by(technique, 10, "by", -1, 40, True, 0, 10_000)[0] == FINE


@pytest.mark.parametrize("method", [GenerationMethod.REJECTION, GenerationMethod.REPAIR])
@pytest.mark.parametrize(("size", "start", "first"), [((9, 9, 10), 0, "zero"), ((8, 8, 14), 27, "safe")])
def test_boards_without_a_guess_are_those_of_python(
    method: GenerationMethod, size: tuple[int, int, int], start: int, first: str
) -> None:
    rows, cols, mines = size
    spec = BoardSpec(*size, Cell(*divmod(start, cols)), FirstClick(first), method=method)
    changes = repair_changes(spec) if method is GenerationMethod.REPAIR else 0
    room = Room(rows, cols, deep=False)
    for number, board in enumerate(generate(spec, 3, seed="made", traced=False)):
        status, mined = room.no_guess(mines, "made", number, start, first == "zero", 1_000_000, changes)
        assert (status, mined.tolist()) == (FINE, [symbol == "*" for symbol in board.layout.symbols])
        tried = board.candidates - 1
        if tried:
            assert room.no_guess(mines, "made", number, start, first == "zero", tried, changes)[0] == NOT_FOUND


def test_two_threads_have_a_room_each() -> None:
    """Calls of ctypes let other threads run."""

    def play(level: int) -> list[object]:
        room = Room(16, 30)
        played: list[Any] = [list(room.play(99, "both", game, level=level)) for game in range(60)]
        return [[code, other, moves.tolist(), *rest] for code, other, moves, *rest in played]

    alone = [play(0), play(2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(play, (0, 2))) == alone


def test_a_room_may_change_its_grid_at_any_time() -> None:
    room, calls = Room(9, 9), []
    for _ in range(2):
        for rows, cols, mines in SIZES.values():
            room.begin(rows, cols)
            symbols = np.array([1] + [-1] * (rows * cols - 1), np.int8)
            expected = positions(symbols[None], table(SQUARE, rows, cols), [mines])[1][0]
            for _ in range(2):
                assert np.array_equal(room.risks(symbols, mines)[1], expected, equal_nan=True)
            for level in (0, 2):
                calls.append(room.play(mines, "again", 1, level=level)[1:2])
            room.no_guess(mines, "again", 0, 0, False, 3, 0)
    assert calls[: len(calls) // 2] == calls[len(calls) // 2 :]


def test_bad_rooms_are_refused() -> None:
    begin, room = CALL["begin"], np.zeros(CALL["room"](0), np.uint8)
    at, size = room.ctypes.data, room.size
    symbols, risks = np.full(81, -1, np.int8), np.zeros(81)
    assert CALL["risks"](None, symbols.ctypes.data, 1, risks.ctypes.data) == ARGUMENT
    assert CALL["risks"](at, symbols.ctypes.data, 1, risks.ctypes.data) == ARGUMENT  # not begun
    assert begin(None, size, 9, 9) == begin(at + 1, size, 9, 9) == ARGUMENT
    assert begin(at, size - 1, 9, 9) == begin(at, 0, 9, 9) == TOO_SMALL
    for rows, cols in [(0, 9), (9, 0), (-1, -1)]:
        assert begin(at, size, rows, cols) == ARGUMENT
    for rows, cols in [(1, 1 << 20), (1 << 11, 1 << 11)]:
        assert begin(at, size, rows, cols) == TOO_SMALL
    for rows, cols in [(1, (1 << 22) + 1), (1 << 16, 1 << 16), (2**31 - 1, 2**31 - 1)]:
        assert begin(at, size, rows, cols) == TOO_LARGE
    room[:64] = 1
    assert begin(at, size, 9, 9) == ARGUMENT  # memory that is not blank
    room[:64] = 0
    assert begin(at, size, 9, 9) == FINE
    moved = room.copy()
    assert CALL["risks"](moved.ctypes.data, symbols.ctypes.data, 1, risks.ctypes.data) == ARGUMENT
    assert begin(moved.ctypes.data, size, 9, 9) == ARGUMENT


def test_bad_grids_are_refused() -> None:
    room = np.zeros(CALL["room"](0), np.uint8)

    def begin(*rows: list[int], cells: int | None = None, degree: int | None = None) -> int:
        near = np.array(rows, np.int32)
        shape = len(rows) if cells is None else cells, near.shape[1] if degree is None else degree
        return CALL["begin_grid"](room.ctypes.data, room.size, *shape, near.ctypes.data)

    assert begin([1], [0]) == begin([-1], [-1]) == begin([1, -1], [0, 2], [1, -1]) == FINE
    assert CALL["begin_grid"](room.ctypes.data, room.size, 1, 1, None) == ARGUMENT
    assert begin([1], [0], cells=0) == begin([1], [0], degree=0) == begin([1], [0], cells=-5) == ARGUMENT
    assert begin([1], [0], cells=(1 << 22) + 1) == begin([1], [0], degree=27) == TOO_LARGE
    assert begin([1], [0], cells=1 << 20) == TOO_SMALL
    for rows in ([[1], [-1]], [[2], [0]], [[0]], [[-2], [0]], [[1, 1], [0, 0]], [[-1, 1], [0, -1]]):
        assert begin(*rows) == ARGUMENT


def test_bad_positions_are_refused() -> None:
    room = Room(3, 4)
    worlds, digits = c_double(), text_room(40)

    def codes(symbols: np.ndarray, mines: int) -> set[int]:
        return {
            room.risks(symbols, mines)[0],
            room.worlds(symbols, mines)[0],
            room.guess(symbols, mines, 2)[0],
            room.draw(symbols, mines, 1)[0],
        }

    board = Board.load(ROOT / "examples" / "small.txt")
    symbols = symbols_of(board)
    assert codes(symbols, 3) == {FINE}
    for mines in (0, 1, 8, 12, 13, 2**31 - 1):
        assert codes(symbols, mines) == {IMPOSSIBLE}
    for symbol in (-4, 27, 127, -128):
        assert codes(np.array([symbol, *symbols[1:]], np.int8), 3) == {ARGUMENT}
    for symbol in range(6, 27):
        assert codes(np.array([symbol, *symbols[1:]], np.int8), 3) == {IMPOSSIBLE}
    assert codes(np.full(12, -2, np.int8), 3) == {IMPOSSIBLE}
    at = symbols.ctypes.data
    assert room.call("worlds", at, 3, None, None, 0) == FINE
    for short in range(4):
        expected = FINE if short == 3 else TOO_SMALL
        assert room.call("worlds", at, 3, byref(worlds), digits, short) == expected
        assert worlds.value == 12
    assert digits.value == b"12"
    assert Room(3, 4, deep=False).guess(symbols, 3, 2)[0] == TOO_SMALL


def test_positions_that_are_too_much_are_said() -> None:
    lattice = Board.load(ROOT / "examples" / "lattice.txt")
    assert lattice.mines is not None
    room, symbols = room_of(lattice), symbols_of(lattice)
    status, _ = positions(symbols[None], table_of(lattice), [lattice.mines])
    assert status[0] == TOO_LARGE
    assert room.risks(symbols, lattice.mines)[0] == room.worlds(symbols, lattice.mines)[0] == TOO_LARGE
    assert room.guess(symbols, lattice.mines, 2)[0] == TOO_LARGE


def test_bad_games_are_refused() -> None:
    """What the ranges of arguments do not say (``test_c_ranges``)."""
    room = Room(9, 9, deep=False)
    assert room.play(10, "x" * 256, 2**63 - 1)[0] == FINE
    assert room.play(10, "", 0)[0] == FINE
    assert room.play(10, "s", 0, level=2)[0] == TOO_SMALL
    assert room.play(81, "s", 0)[0] == room.play(82, "s", 0)[0] == IMPOSSIBLE
    game = np.zeros(len(MEASURES) + 1, np.int32)
    assert room.call("play", 10, b"s", 0, 1, -1, 0, game.ctypes.data, None, None, 1) == ARGUMENT
    assert room.call("play", 10, b"s", 0, 1, -1, 0, game.ctypes.data, None, None, 0) == FINE and game[-1] > 0
    layout = np.zeros(81, np.int8)
    assert room.play_layout(layout + 2, "s", 0)[0] == room.play_layout(layout - 1, "s", 0)[0] == ARGUMENT
    assert room.deal(82, "s", 0)[0] == room.deal(73, "s", 0, 40, True)[0] == IMPOSSIBLE
    assert room.deal(72, "s", 0, 40, True)[0] == FINE
    assert room.candidates(1)[0] == ARGUMENT  # no guess was asked for
    assert room.no_guess(78, "s", 0, 0, True, 9, 0)[0] == room.no_guess(82, "s", 0, 0, True, 9, 9)[0] == IMPOSSIBLE


def test_gcc_compiles_the_c_files(tmp_path: Path) -> None:
    compiler = shutil.which("gcc") or pytest.skip("gcc is not installed")
    (tmp_path / "kernels.h").write_text(header())
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fPIC", f"-I{tmp_path}"]
    options.append('-DSATSWEEP_SOURCES="none"')
    for source in sorted((KERNELS / "c").glob("*.c")):
        command: list[str | Path] = [compiler, *options, "-c", source, "-o", tmp_path / "made.o"]
        subprocess.run(command, check=True)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, compiled as its README says, by the compiler at hand."""
    found = shutil.which("cc") or shutil.which("gcc")
    compiler = [found] if found else [sys.executable, "-m", "ziglang", "cc"]
    if not found:
        pytest.importorskip("ziglang")
    said = subprocess.run([sys.executable, "-m", "satsweep.kernels"], capture_output=True, text=True, check=True).stdout
    built = tmp_path_factory.mktemp("c") / "sweep"
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", *said.split()]
    subprocess.run([*compiler, ROOT / "examples" / "c" / "sweep.c", *options, "-o", built], check=True)
    return built


@pytest.mark.parametrize("seed", ["s1", "1"])
@pytest.mark.parametrize("file", ["small.txt", "expert.txt", "blank.txt"])
def test_the_example_says_what_python_says(program: Path, file: str, seed: str, tmp_path: Path) -> None:
    path = ROOT / "examples" / file
    if file == "expert.txt":
        path = tmp_path / file
        path.write_text(f"{stuck(16, 30, 99, SQUARE, 1)[1]}\n")
    if file == "blank.txt":
        path = tmp_path / file
        path.write_text("mines 4\n####\n####\n####\n####\n")
    board = Board.load(path)
    assert board.mines is not None
    analysis, symbols = analyse(board), symbols_of(board)
    risks = positions(symbols[None], table_of(board), [board.mines])[1][0].tolist()
    cells = [cell for cell in range(len(symbols)) if symbols[cell] == -1]
    guess = advise(symbols, table_of(board), board.mines)
    played = Room(16, 30).play(99, seed, 0, level=2)
    (game,) = play_games(table(SQUARE, 16, 30), 99, seed, range(1), policy="deep")
    (made,) = generate(BoardSpec(16, 30, 99, method=GenerationMethod.REPAIR), seed=seed, traced=False)
    expected = [
        f"worlds {analysis.worlds}",
        *(f"risk {cell // board.cols},{cell % board.cols} {risks[cell]:.17g}" for cell in cells),
        f"guess {guess.cell} chance {guess.value:.17g}" + " exact" * guess.exact,
        f"game {'won' if game['won'] else 'lost'} turns {game['turns']} guesses {game['guesses']}",
        *("".join(".*"[mine] for mine in row) for row in played[2].reshape(16, 30)),
        "no guess",
        *made.layout.cells,
    ]
    ran = subprocess.run([program, path, seed], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == expected


def test_the_example_reports_errors(program: Path, tmp_path: Path) -> None:
    asked = subprocess.run([program], capture_output=True, text=True)
    assert (asked.returncode, asked.stderr) == (2, f"usage: {program} BOARD SEED\n")
    asked = subprocess.run([program, ROOT / "examples" / "impossible.txt", "1"], capture_output=True, text=True)
    assert (asked.returncode, asked.stderr) == (1, "worlds: no world agrees with it\n")
