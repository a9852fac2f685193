"""Examples of games in other languages: built, run, and the same hints as Python's."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from satsweep import Board, Cell
from satsweep.board import NUMBERS
from satsweep.kernels.toolchain.library import PATH, WASM
from tests import ROOT
from tests.kernels.test_c_interface import FINE, PAIRS, SINGLE, Room
from tests.kernels.test_reasons import explained

EXAMPLES = ROOT / "examples"
ROWS, COLS, MINES, START = 9, 9, 10, 40
TECHNIQUES = ("single numbers", "pairs", "several numbers", "the mine total")


def expected(seed: str, technique: int) -> list[str]:
    """The hints of a game, each about the first cell that is safe."""
    room = Room(ROWS, COLS, deep=False)
    status, _, mined = room.no_guess_by(technique, MINES, seed, 0, START, True, 0, 100_000)
    assert status == FINE
    board = Board(("#" * COLS,) * ROWS, mines=MINES)

    def opened(board: Board, index: int) -> Board:
        cell = board.cell(index)
        number = sum(mined[board.index(near)] for near in board.neighbours(cell))
        return Board(replaced(board.cells, cell, NUMBERS[number]), mines=MINES)

    board, lines = opened(board, START), list[str]()
    while board.symbols.count("#") > MINES:
        symbols = np.array([-1 if symbol == "#" else NUMBERS.index(symbol) for symbol in board.symbols], np.int8)
        safe = room.risks(symbols, MINES)[1].index(0)
        found = explained(room, board, board.cell(safe))
        numbers = " ".join(str(board.index(clue)) for clue in found.clues)
        lines.append(f"{safe} is safe by {TECHNIQUES[found.technique]}: {numbers}")
        board = opened(board, safe)
    return lines


def replaced(rows: tuple[str, ...], cell: Cell, symbol: str) -> tuple[str, ...]:
    row = rows[cell.row]
    return (*rows[: cell.row], row[: cell.col] + symbol + row[cell.col + 1 :], *rows[cell.row + 1 :])


def run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "LD_LIBRARY_PATH": str(PATH.parent)}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def java(least: int) -> str:
    """A Java of this version or a later one."""
    places = [shutil.which("java"), *map(str, Path("/usr/lib/jvm").glob("*/bin/java"))]
    for place in filter(None, places):
        told = subprocess.run([place, "-version"], capture_output=True, text=True, check=False).stderr
        version = re.search(r'version "(\d+)', told)
        if version and int(version[1]) >= least:
            return place
    return pytest.skip(f"needs Java {least} or later")


@pytest.mark.extended
@pytest.mark.parametrize("technique", [SINGLE, PAIRS])
def test_a_game_in_java(tmp_path: Path, technique: int) -> None:
    source = EXAMPLES / "java" / "Sweep.java"
    command = [java(22), "--enable-native-access=ALL-UNNAMED", str(source), str(PATH), "a game", str(technique)]
    assert run(command, tmp_path).splitlines() == expected("a game", technique)


@pytest.mark.extended
@pytest.mark.parametrize("technique", [SINGLE, PAIRS])
def test_a_game_in_java_by_web_assembly(tmp_path: Path, technique: int) -> None:
    """Chicory runs the library; its jars are where Maven keeps them, or in the folder ``CHICORY``."""
    folder = Path(os.environ.get("CHICORY", Path.home() / ".m2" / "repository" / "com" / "dylibso" / "chicory"))
    jars = os.pathsep.join(map(str, folder.rglob("*.jar")))
    if not jars:
        pytest.skip("needs Chicory: mvn dependency:get -Dartifact=com.dylibso.chicory:runtime:1.7.5")
    source = EXAMPLES / "java" / "WasmSweep.java"
    command = [java(11), "-classpath", jars, str(source), str(WASM), "a game", str(technique)]
    assert run(command, tmp_path).splitlines() == expected("a game", technique)


@pytest.mark.extended
def test_a_game_in_c_sharp(tmp_path: Path) -> None:
    compiler, mono = shutil.which("mcs"), shutil.which("mono")
    if compiler is None or mono is None:
        pytest.skip("needs Mono: apt-get install mono-mcs mono-runtime")
    program = tmp_path / "sweep.exe"
    run([compiler, f"-out:{program}", str(EXAMPLES / "csharp" / "Sweep.cs")], tmp_path)
    for technique in (SINGLE, PAIRS):
        assert run([mono, str(program), "a game", str(technique)], tmp_path).splitlines() == expected(
            "a game", technique
        )


def test_hints_of_an_easy_game_take_single_numbers() -> None:
    """What the examples print, in Python: no hint about a board of single numbers takes a case distinction."""
    lines = expected("a game", SINGLE)
    assert len(lines) == ROWS * COLS - MINES - 1
    assert not any("several" in line for line in lines)
