"""The package for JavaScript: in Node, the results of Python bit for bit."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from satsweep import Board, Cell, __version__, analyse
from satsweep.games.deal import LEVELS, random_layout
from satsweep.games.rules import FirstClick
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec
from satsweep.kernels.api import FINE, advise, play_games, positions
from satsweep.kernels.toolchain.library import WASM
from satsweep.layout import Layout
from satsweep.solver import compiled
from satsweep.topology import SQUARE
from tests import DATA, ROOT
from tests.kernels.boards import HEXAGONS, stuck, symbols_of, table, table_of
from tests.kernels.test_c_interface import Room
from tests.kernels.test_large_grids import opened_zeros

NPM = ROOT / "npm"
TECHNIQUES = {"single": "basic", "pairs": "subset", "all": "sat"}


def command(name: str) -> str:
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


def write_games(folder: Path) -> None:
    runs = [
        ("sat", "expert", 2_000),
        ("deep:2", "beginner", 1_800),
        ("deep:2", "expert", 200),
        ("deep:5", "beginner", 20),
    ]
    asked = []
    for player, level, games in runs:
        rows, cols, mines = LEVELS[level]
        file, policy = f"{player[-1]}{level}.bin", player.partition(":")[0]
        moves = np.zeros((rows * cols, 4), np.int32)
        found = np.zeros((games, 12), np.int32)
        for game in range(games):
            row = play_games(
                *(table(SQUARE, rows, cols), mines, "npm", range(game, game + 1)),
                policy=policy, level=int(player[5:] or 2), moves=moves,
            )  # fmt: skip
            found[game] = [*row[0], (moves[:, 0] >= 0).sum()]
        (folder / file).write_bytes(found.tobytes())
        size = {"rows": rows, "cols": cols, "mines": mines}
        asked.append({"player": player, "size": size, "seed": "npm", "games": games, "file": file})
    (folder / "games.json").write_text(json.dumps(asked))


def write_positions(folder: Path) -> None:
    lines = (DATA / "positions_expert.jsonl").read_text().splitlines()
    boards = [Board(tuple(one["board"]), mines=one["mines"]) for one in map(json.loads, lines)]
    assert len(boards) == 200
    boards += [board for game in range(3) for board in stuck(9, 9, 10, HEXAGONS, game)]
    asked, risks, guesses = [], [], list[float]()
    for board in boards:
        assert board.mines is not None
        symbols, near = symbols_of(board), table_of(board)
        status, own = positions(symbols[None], near, [board.mines])
        assert status[0] == FINE
        risks.append(own.tobytes())
        near_of = None if board.topology is SQUARE else board.topology.neighbours(board.rows, board.cols)
        own_case = {"board": board.cells, "mines": board.mines, "worlds": str(analyse(board).worlds)}
        asked.append(own_case if near_of is None else {**own_case, "neighbours": near_of})
        if not (own == 0).any():
            found = advise(symbols, near, board.mines)
            guesses += [found.cell, found.value, found.exact, *found.scores]
    (folder / "positions.json").write_text(json.dumps(asked))
    (folder / "risks.bin").write_bytes(b"".join(risks))
    (folder / "guesses.bin").write_bytes(np.array(guesses, np.float64).tobytes())


def write_large(folder: Path) -> None:
    """The risks of a large board by the C interface, which others compare with those of Python."""
    board = opened_zeros(random_layout(110, 110, 2_178, seed="large"))
    code, risks = Room(110, 110, deep=False).risks(compiled.symbols_of(board), 2_178)
    assert code == FINE
    near = SQUARE.neighbours(110, 110)
    (folder / "large.json").write_text(json.dumps({"rows": board.cells, "mines": 2_178, "neighbours": near}))
    (folder / "large.bin").write_bytes(np.array(risks).tobytes())


def write_boards(folder: Path) -> None:
    """Boards by rejection, by repair, and of each technique."""
    made = []
    sizes = [(9, 9, 10, 120), (8, 8, 16, 40), (16, 30, 99, 4), (20, 20, 70, 20), (4, 5, 6, 16)]
    for number, (rows, cols, mines, count) in enumerate(sizes):
        for seed in range(count):
            technique = [*TECHNIQUES][(seed + number) % 3 if rows < 16 else 2]
            first = FirstClick.SAFE if seed % 2 else FirstClick.ZERO
            spec = BoardSpec(rows, cols, mines, Cell(1, 2), first, solvable_by=TECHNIQUES[technique])
            (board,) = generate(spec, seed=seed, traced=False)
            drawn = BoardSpec(rows, cols, mines, Cell(1, 2), first, no_guess=False)
            (dealt,) = generate(drawn, seed=seed)
            size = {"rows": rows, "cols": cols, "mines": mines, "start": [1, 2], "first": first.value}
            texts = {"layout": str(board.layout), "dealt": str(dealt.layout)}
            made.append({"size": {**size, "technique": technique}, "seed": seed, **texts})
    assert len(made) == 200
    (folder / "boards.json").write_text(json.dumps(made))


def write_layout(folder: Path) -> None:
    (board,) = generate(BoardSpec(16, 30, 99, Cell(5, 5), no_guess=False), seed="layout")
    layout: Layout = board.layout
    mined = np.array([[symbol == "*" for symbol in layout.symbols]], np.int8)
    moves = np.zeros((480, 4), np.int32)
    near = table(SQUARE, 16, 30)
    play_games(*(near, 99, "layout", range(1)), first="any", start=155, layouts=mined, moves=moves, policy="deep")
    (folder / "layout.json").write_text(json.dumps({"layout": str(layout), "moves": moves[moves[:, 0] >= 0].tolist()}))


def test_the_version_is_that_of_python() -> None:
    assert json.loads((NPM / "package.json").read_text())["version"] == __version__


@pytest.mark.extended
def test_in_node_it_says_what_python_says(tmp_path: Path) -> None:
    node = command("node")
    for write in (write_games, write_positions, write_large, write_boards, write_layout):
        write(tmp_path)
    environment = {**os.environ, "EXPECTED": str(tmp_path)}
    ran = subprocess.run([node, "--test"], cwd=NPM, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0 and "# skipped 0" in ran.stdout, ran.stdout


@pytest.mark.extended
def test_the_package_is_small_and_has_types() -> None:
    ran = subprocess.run([command("npm"), "pack", "--dry-run", "--json"], cwd=NPM, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    (packed,) = json.loads(ran.stdout[ran.stdout.index("[") :])
    names = {file["path"] for file in packed["files"]}
    modules = {
        f"{name}{end}"
        for name in ("engine", "arguments", "conclusions", "phrases", "templates")
        for end in (".js", ".d.ts")
    }
    assert names == modules | {"LICENSE", "README.md", "command.mjs", "package.json", "satsweep.wasm"}
    assert packed["size"] <= 150_000
    assert (NPM / "satsweep.wasm").read_bytes() == WASM.read_bytes()
    types = (NPM / "engine.d.ts").read_text()
    named = ("load", "risks", "advise", "analyse", "randomWorld", "noGuess", "play", "deal", "explain", "conflict")
    assert all(f"{name}(" in types for name in named)


SMALL = "mines 3\n##1.\n##21\n####\n"
ANSWER = """ 33 50  1  .
 33 50  2  1
 33 ok 50 50

worlds  12
safe    2,1
mines   none
"""


@pytest.mark.extended
def test_the_command_of_npx(tmp_path: Path) -> None:
    """It answers at once, and what is wrong is said in one line."""
    node = command("node")
    for file in (NPM / "command.mjs", NPM / "package.json", WASM.with_name("engine.js"), WASM):
        shutil.copy(file, tmp_path)
    (tmp_path / "small.txt").write_text(SMALL)

    def said(*words: str, asked: str = "") -> tuple[int, str, str]:
        ran = subprocess.run([node, "command.mjs", *words], cwd=tmp_path, input=asked, capture_output=True, text=True)
        return ran.returncode, ran.stdout, ran.stderr

    assert said("small.txt") == said(asked=SMALL) == (0, ANSWER, "")
    assert said("-", asked="mines 1\n##\n##\n")[1].endswith("best    0,0, chance to win 25.0 %\n")
    assert said("--help")[1].startswith("npx satsweep [FILE]\n")
    wrong = [
        said("no.txt"),
        said("-", asked="#?!"),
        said("-", asked="mines 3\n#####\n#131#\n#####\n"),
        said("a", "b"),
        said("--wrong"),
    ]
    assert [code for code, _, _ in wrong] == [3, 3, 1, 2, 2]
    assert all(out == "" and error.count("\n") == 1 for _, out, error in wrong), wrong
