"""The C interface: each answer is that of Python, and bad arguments get a code."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ctypes import byref, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from satsweep import Board, BoardSpec, Cell, FirstClick, analyse, generate_boards, random_layout
from satsweep.games.game import Game
from satsweep.generator.spec import GenerationMethod
from satsweep.kernels.api import advise, play_games, position
from satsweep.kernels.toolchain.library import KERNELS, PATH, load
from satsweep.solver import compiled
from satsweep.topology import SQUARE, topology_named
from tests import ROOT

OK, INVALID, IMPOSSIBLE, TOO_LARGE, TOO_SMALL, NONE = range(6)
EXPERT = SQUARE, 16, 30, 99


class Grid(ctypes.Structure):
    _fields_ = [(name, c_int32) for name in ("rows", "cols", "mines", "degree")] + [("neighbours", c_void_p)]


class Engine:
    """The C functions with memory of their own; each call returns its code, then what it wrote."""

    def __init__(self, *, deep: bool = True) -> None:
        self._library = ctypes.CDLL(str(PATH))
        self._library.satsweep_bytes.restype = c_size_t
        size = self._library.satsweep_bytes(int(deep))
        self._memory = np.zeros(size + 16, np.int8)
        self.memory = c_void_p(-(-self._memory.ctypes.data // 16) * 16)
        assert self.call("begin", c_size_t(size)) == OK

    def call(self, name: str, *arguments: Any) -> int:
        return int(self._library[f"satsweep_{name}"](self.memory, *arguments))

    def grid(self, topology: Any, rows: int, cols: int, mines: int) -> Any:
        if topology is SQUARE:
            return byref(Grid(rows, cols, mines, 0, None))
        self._table = compiled.table_of(topology, rows, cols)
        return byref(Grid(rows, cols, mines, self._table.shape[1], self._table.ctypes.data))

    def of(self, board: Board) -> tuple[Any, Any]:
        assert board.mines is not None
        self._symbols = compiled.symbols_of(board)
        return self.grid(board.topology, board.rows, board.cols, board.mines), c_void_p(self._symbols.ctypes.data)

    def risks(self, board: Board) -> tuple[int, NDArray[np.float64]]:
        found = np.zeros(board.rows * board.cols)
        return self.call("risks", *self.of(board), c_void_p(found.ctypes.data)), found

    def worlds(self, board: Board, size: int = 4_000) -> tuple[int, str]:
        text = ctypes.create_string_buffer(size)
        return self.call("worlds", *self.of(board), text, c_size_t(size)), text.value.decode()

    def guess(self, board: Board, level: int) -> tuple[int, int, float, float]:
        cell, risk, win = c_int32(-7), c_double(), c_double()
        code = self.call("guess", *self.of(board), level, byref(cell), byref(risk), byref(win))
        return code, cell.value, risk.value, win.value

    def play(self, grid: Any, seed: bytes, game: int, level: int, first: int = 1, start: int = -1) -> tuple[Any, ...]:
        result, moves = (c_int32 * 12)(), np.full((2_000, 4), -1, np.int32)
        asked = grid, seed, c_int64(game), level, first, start
        return self.call("play", *asked, result, c_void_p(moves.ctypes.data), 2_000), tuple(result), moves


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def positions(count: int, seed: int) -> Iterator[Board]:
    """Positions of games in progress, on several grids."""
    rng = Random(seed)
    for _ in range(count):
        topology = topology_named(rng.choice(["square", "hexagonal", "torus"]))
        rows, cols = rng.randint(4, 9), rng.randint(4, 9)
        layout = random_layout(rows, cols, rng.randint(2, rows * cols // 5), rng, topology=topology)
        game = Game(layout)
        for cell in rng.sample([Cell(row, col) for row in range(rows) for col in range(cols)], 6):
            covered = game.board.cells[cell.row][cell.col] == "#"
            if game.outcome is None and covered and layout.cells[cell.row][cell.col] != "*":
                game.open(cell)
        yield Board(game.board.cells, mines=layout.mines, topology=topology)


def test_positions(engine: Engine) -> None:
    for board in positions(60, 1):
        exact = analyse(board, engine="elimination")
        assert engine.worlds(board) == (OK, str(exact.worlds))
        table = compiled.table_of(board.topology, board.rows, board.cols)
        assert board.mines is not None
        expected = position(compiled.symbols_of(board), table, board.mines)
        code, risks = engine.risks(board)
        assert code == OK and np.array_equal(risks, expected.risks, equal_nan=True)


def test_worlds_of_large_boards(engine: Engine) -> None:
    for rows, cols, mines in ((16, 30, 99), (100, 100, 2_000), (10, 10, 0), (10, 10, 100)):
        board = Board(["#" * cols] * rows, mines=mines)
        assert engine.worlds(board) == (OK, str(analyse(board).worlds))


def test_guesses(engine: Engine) -> None:
    kinds = set()
    for board in positions(60, 2):
        code, cell, risk, win = engine.guess(board, 2)
        assert board.mines is not None and code in (OK, NONE)
        table = compiled.table_of(board.topology, board.rows, board.cols)
        risks = position(compiled.symbols_of(board), table, board.mines).risks
        if code == NONE:
            assert not (risks < 1).any()
        elif (risks == 0).any():
            assert (cell, risk, win) == (int(np.flatnonzero(risks == 0)[0]), 0, -1)
        else:
            expected = advise(compiled.symbols_of(board), table, board.mines, 2)
            assert (cell, risk, win) == (expected.cell, risks[expected.cell], expected.value)
        kinds.add((code, win == -1))
    assert len(kinds) >= 2


@pytest.mark.parametrize("level", range(6))
def test_games(engine: Engine, level: int) -> None:
    """Move for move those of Python, on boards of any size; the smallest are searched whole."""
    torus = topology_named("torus")
    for topology, rows, cols, mines in ((SQUARE, 9, 9, 10), (SQUARE, 4, 4, 4), (torus, 6, 7, 8), EXPERT):
        table, count = compiled.table_of(topology, rows, cols), 1 if level == 5 else 12
        grid = engine.grid(topology, rows, cols, mines)
        policy: dict[str, Any] = {"policy": "deep", "level": level} if level else {}
        for game in range(count):
            moves = np.full((2_000, 4), -1, np.int32)
            row = play_games(table, mines, "run ü", range(game, game + 1), moves=moves, **policy)
            code, result, found = engine.play(grid, "run ü".encode(), game, level)
            assert (code, result[:-1]) == (OK, tuple(row[0].item()))
            assert (moves == found).all() and result[-1] == (moves[:, 0] >= 0).sum()


def test_promises(engine: Engine) -> None:
    table = compiled.table_of(SQUARE, 9, 9)
    for first, name in enumerate(("any", "safe", "zero")):
        rows = play_games(table, 10, "s", range(20), first=name, start=40)
        grid = engine.grid(SQUARE, 9, 9, 10)
        found = [engine.play(grid, b"s", game, 0, first, 40)[1][:-1] for game in range(20)]
        assert found == [tuple(row.item()) for row in rows]
    assert engine.play(engine.grid(SQUARE, 3, 3, 5), b"s", 0, 0, 2, 4)[0] == NONE


@pytest.mark.parametrize("method", [GenerationMethod.REJECTION, GenerationMethod.REPAIR])
def test_boards_that_need_no_guess(engine: Engine, method: GenerationMethod) -> None:
    for first, code in ((FirstClick.SAFE, 1), (FirstClick.ZERO, 2)):
        spec = BoardSpec(8, 9, 12, first=first, start=Cell(2, 3), no_guess=True, method=method)
        (made,) = generate_boards(spec, seed="c")
        layout, tried = np.zeros(72, np.int8), c_int64()
        changes = 1_000 if method is GenerationMethod.REPAIR else 0
        asked = b"c", 2 * 9 + 3, code, changes, c_int64(10_000), c_void_p(layout.ctypes.data), byref(tried)
        assert engine.call("no_guess", engine.grid(SQUARE, 8, 9, 12), *asked) == OK
        assert "".join(made.layout.cells).replace("*", "1").replace(".", "0") == "".join(map(str, layout))
        assert tried.value == made.candidates


def test_two_threads_have_nothing_in_common() -> None:
    def games(seed: int) -> list[tuple[Any, ...]]:
        own = Engine()
        return [own.play(own.grid(*EXPERT), str(seed).encode(), game, 2)[:2] for game in range(40)]

    alone = [games(seed) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(games, (1, 2))) == alone


def test_bad_arguments_get_a_code(engine: Engine) -> None:
    plain = Engine(deep=False)
    board = Board(["##1.", "##21", "####"], mines=3)
    grid, symbols = plain.of(board)
    found = c_void_p(np.zeros(12).ctypes.data)
    assert plain.call("begin", c_size_t(1 << 40)) == INVALID
    assert Engine.call(plain, "risks", None, symbols, found) == INVALID
    assert plain.call("risks", grid, None, found) == plain.call("risks", grid, symbols, None) == INVALID
    for rows, cols, mines in ((0, 5, 1), (5, -1, 1), (5, 5, 26), (5, 5, -1)):
        assert plain.call("risks", plain.grid(SQUARE, rows, cols, mines), symbols, found) == INVALID
    assert plain.call("risks", plain.grid(SQUARE, 200, 200, 5), symbols, found) == TOO_LARGE
    assert plain.call("risks", plain.grid(SQUARE, 1 << 30, 1 << 30, 5), symbols, found) == TOO_LARGE
    for wrong in (-4, 9, 4):
        strange = np.array([wrong, *[-1] * 11], np.int8)
        assert plain.call("risks", plain.grid(SQUARE, 3, 4, 3), c_void_p(strange.ctypes.data), found) == INVALID
    none = [-1, -1]
    for table in ([[1], [2], [0]], [[0], [2], [1]], [[3], [0], [1]], [[1, 1], [0, 0], none], [[-1, 1], [-1, 0], none]):
        edges = np.array(table, np.int32)
        odd = byref(Grid(1, 3, 1, edges.shape[1], edges.ctypes.data))
        assert plain.call("risks", odd, symbols, found) == INVALID
    assert plain.risks(Board(["1#", "##"], mines=0))[0] == plain.worlds(Board(["1#", "##"], mines=0))[0] == IMPOSSIBLE
    assert plain.worlds(Board(["##"], mines=1), size=1)[0] == TOO_SMALL
    assert plain.worlds(Board(["##"], mines=1), size=2) == (OK, "2")
    assert plain.guess(board, 2)[0] == TOO_SMALL and engine.guess(board, 0)[0] == engine.guess(board, 6)[0] == INVALID
    assert engine.guess(Board(["##"], mines=2), 2)[0] == NONE
    nine = engine.grid(SQUARE, 9, 9, 10)
    assert engine.play(nine, None, 0, 0)[0] == engine.play(nine, b"s", -1, 0)[0] == INVALID  # type: ignore[arg-type]
    assert engine.play(nine, b"s" * 300, 0, 0)[0] == TOO_LARGE
    assert engine.play(nine, b"s", 0, 0, 3)[0] == engine.play(nine, b"s", 0, 0, 1, 81)[0] == INVALID
    unprepared = np.zeros(1 << 16, np.int8)
    assert load().satsweep_risks(c_void_p(unprepared.ctypes.data), grid, symbols, found) == INVALID


def test_the_example(tmp_path: Path) -> None:
    compiler = [shutil.which("cc")] if shutil.which("cc") else [sys.executable, "-m", "ziglang", "cc"]
    program = tmp_path / "engine"
    command = [*compiler, "-Wall", "-Wextra", "-Werror", ROOT / "examples" / "c" / "engine.c", f"-I{KERNELS / 'c'}"]
    caches = {name: str(tmp_path / "zig") for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}
    linked = [PATH, f"-Wl,-rpath,{PATH.parent}", "-o", program]
    subprocess.run([*map(str, [*command, *linked])], check=True, env={**os.environ, **caches})
    board = Board("mines 3\n##1.\n##21\n####")
    ran = subprocess.run([program], input="mines 3\n##1.\n##21\n####\n", capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    assert lines[0] == f"worlds {analyse(board).worlds}"
    risks = [float(word) for line in lines[1:4] for word in line.split()]
    expected = position(compiled.symbols_of(board), compiled.table_of(SQUARE, 3, 4), 3).risks
    assert np.array_equal(risks, expected, equal_nan=True)
    assert lines[4] == "best 9 0 -1"
    row = play_games(compiled.table_of(SQUARE, 16, 30), 99, "c", range(1), policy="deep", level=2)[0]
    assert lines[5] == f"game {row['won']} {row['opened']} {row['guesses']}"
    spec = BoardSpec(16, 30, 99, no_guess=True, method=GenerationMethod.REPAIR, start=Cell(0, 0), first=FirstClick.ZERO)
    (made,) = generate_boards(spec, seed="c")
    assert lines[6:] == list(made.layout.cells)
    for wrong in ("", "mines x\n##\n", "mines 1\n##\n#\n", "mines 1\n#?\n", "mines 9\n##\n"):
        assert subprocess.run([program], input=wrong, capture_output=True, text=True).returncode == 3


def test_the_command_prints_header_and_library() -> None:
    said = subprocess.run([sys.executable, "-m", "satsweep.kernels"], capture_output=True, text=True, check=True).stdout
    assert said == f"{KERNELS / 'c'} {PATH}\n"
