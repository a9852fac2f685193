"""Best play on whole boards (``benchmarks/optimal.py``) against known results and against itself."""

import json
import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satsweep.kernels.endgame.few import MINE
from tests import PATIENCE, ROOT
from tests.kernels.endgame.test_best import table_of
from tests.optimal import SOLVED, Solved

pytestmark = pytest.mark.extended

SCRIPT = ROOT / "benchmarks" / "optimal.py"
RESULTS = ROOT / "benchmarks" / "results" / "optimal.jsonl"
KNOWN = {str(board): board for board in SOLVED}


@pytest.fixture(scope="module")
def optimal() -> Any:
    """The script as a module; it imports others from its folder."""
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        import optimal
    finally:
        sys.path.remove(str(SCRIPT.parent))
    return optimal


def agrees_with_known(line: dict[str, Any], board: Solved) -> None:
    """Check the results of a board: the best of each rule, and the bounds of every first cell."""
    safe, zero = line["safe"], line["zero"]
    assert (safe["won"], safe["boards"]) == (board.wins, board.safe)
    assert (zero is None) == (board.zero_best in ("", "0"))
    if zero:
        assert Fraction(zero["won"], zero["boards"]) == Fraction(board.zero_best)
    for (row, col), (wins, zero_wins, zeros) in board.first.items():
        low, high, boards = safe["cells"][f"{row},{col}"]
        assert low <= wins <= high <= boards
        if zeros:
            low, high, boards = zero["cells"][f"{row},{col}"]
            assert low <= zero_wins <= high <= boards == zeros


@pytest.mark.parametrize("board", [
    *("1x5/2", "2x3/2", "2x7/6", "3x3/4", "3x4/4", "3x5/13", "4x4/4", "5x5/3", "6x6/2"),
    *(pytest.param(board, marks=pytest.mark.slow) for board in ("4x5/7", "5x5/5", "6x6/4")),
])  # fmt: skip
def test_small_boards(optimal: Any, board: str) -> None:
    line = optimal.solve(optimal.Grid.read(board))
    agrees_with_known(line, KNOWN[board])
    answers = line["answers"].values()
    assert sum(won for won, _ in answers) == line["safe"]["won"]
    assert sum(boards for _, boards in answers) == line["safe"]["boards"]


@pytest.mark.parametrize("number, won, boards", [
    *((2, 39_257, 42_570), (3, 942, 990)),
    *(pytest.param(*case, marks=pytest.mark.slow) for case in ((0, 1_207_668, 1_221_759), (1, 397_099, 446_985))),
])  # fmt: skip
def test_answers_of_a_corner(optimal: Any, number: int, won: int, boards: int) -> None:
    grid = optimal.Grid(7, 7, 5)
    worlds = grid.worlds()
    worlds = worlds[:, worlds[0] == number]
    assert worlds.shape[1] == boards
    assert optimal.Search(grid).value(worlds, 0) == (won, won)


def test_committed_results() -> None:
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    solved = {line["board"]: line for line in lines if "player" not in line}
    assert len(solved) == len([line for line in lines if "player" not in line])
    for board, line in solved.items():
        if board in KNOWN:
            agrees_with_known(line, KNOWN[board])
        for rule in "safe", "zero":
            if line[rule]:
                assert 0 <= line[rule]["won"] <= line[rule]["boards"]
                others = line[rule]["cells"].values()
                best = Fraction(line[rule]["won"], line[rule]["boards"])
                assert all(low <= high and low <= best * boards for low, high, boards in others)
                # A first cell is left when its bound is no more than what the best one wins.
                assert all(low == high or high <= best * boards for low, high, boards in others)
    for line in lines:
        if "player" in line:
            grid, _, mines = line["board"].partition("/")
            rows, _, cols = grid.partition("x")
            assert line["won"] <= line["best"] == solved[line["board"]][line["rule"]]["won"]
            # Where deep searches from the first cell on it plays optimally.
            assert line["won"] == line["best"] or comb(int(rows) * int(cols), int(mines)) > 60_000


def test_worlds_are_all_layouts(optimal: Any) -> None:
    grid = optimal.Grid(3, 4, 5)
    listed = table_of(list(combinations(range(12), 5)), optimal.SQUARE.neighbours(3, 4))
    assert sorted(map(bytes, grid.worlds().T)) == sorted(map(bytes, listed))


@pytest.mark.parametrize("board", ["3x4/4", "4x4/4", "1x7/3"])
def test_images_of_a_first_cell_are_worth_the_same(optimal: Any, board: str) -> None:
    grid = optimal.Grid.read(board)
    everything = grid.worlds()
    opened = {}
    for cell in range(grid.cells):
        worlds = everything[:, everything[cell] != MINE]
        opened[cell] = optimal.Search(grid).opened(worlds, [cell], 0)  # a search of its own: nothing is known
    images = grid.symmetries()
    assert all(opened[cell] == opened[image[cell]] for cell in opened for image in images)
    assert len(grid.first_cells()) == len({min(image[cell] for image in images) for cell in opened})


@pytest.mark.parametrize("board", ["3x4/4", "3x5/3"])
def test_where_the_search_is_done_makes_no_difference(optimal: Any, board: str) -> None:
    """Large sets are searched in Python, small ones by the kernel; the value is the same, with any window."""
    grid = optimal.Grid.read(board)
    everything = grid.worlds()
    for cell in grid.first_cells():
        worlds = everything[:, everything[cell] != MINE]
        exact = optimal.Search(grid).opened(worlds, [cell], 0)
        assert exact.low == exact.high
        assert optimal.Search(grid, few=20).opened(worlds, [cell], 0) == exact
        for above in exact.high - 1, exact.high, exact.high + 20:
            found = optimal.Search(grid, few=60).opened(worlds, [cell], above)
            assert found.low <= exact.low and found.high >= exact.high
            assert found == exact if above < exact.high else found.high <= above


@pytest.mark.parametrize("seed", range(3))
def test_knowing_more_never_hurts(optimal: Any, seed: int) -> None:
    """A player who is told what a cell looks like, mine or number, wins as much or more."""
    rng = np.random.default_rng(seed)
    grid = optimal.Grid(4, 4, 4)
    everything, search = grid.worlds(), optimal.Search(grid)
    for _ in range(20):
        world = everything[:, rng.integers(everything.shape[1])]
        seen = rng.choice(np.flatnonzero(world != MINE), 2, replace=False)
        worlds = everything[:, (everything[seen] == world[seen, None]).all(0)]
        value = search.value(worlds, 0).low
        for cell in range(grid.cells):
            parts = [worlds[:, worlds[cell] == look] for look in np.unique(worlds[cell])]
            told = [search.value(part, 0).low for part in parts]
            safe = [won for part, won in zip(parts, told, strict=True) if part[cell, 0] != MINE]
            assert sum(safe) <= value <= sum(told), "opening a cell is one way to play, being told is a gift"


def test_a_mirrored_position_has_the_same_key(optimal: Any) -> None:
    grid = optimal.Grid(4, 4, 4)
    everything, search = grid.worlds(), optimal.Search(grid)
    worlds = everything[:, (everything[1] == 2) & (everything[6] == 1)]
    for image in grid.symmetries():
        assert search.key(worlds[image]) == search.key(worlds)
        assert optimal.Search(grid).value(worlds[image], 0) == search.value(worlds, 0)


def run(*options: str) -> str:
    command = [sys.executable, str(SCRIPT), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


def test_results_are_kept(tmp_path: Path) -> None:
    """A board that is solved is not solved again; one that takes too long is given up."""
    path = tmp_path / "results.jsonl"
    run("--boards", "2x3/2", "3x3/2", "--output", str(path))
    before = path.read_text()
    assert [json.loads(line)["board"] for line in before.splitlines()] == ["2x3/2", "3x3/2"]
    said = run("--boards", "3x3/2", "5x5/10", "2x4/3", "--seconds", "3", "--output", str(path))
    assert path.read_text().startswith(before)
    assert "5x5/10: not solved in 3 s" in said
    assert [json.loads(line)["board"] for line in path.read_text().splitlines()] == ["2x3/2", "3x3/2", "2x4/3"]
    run("--play", "deep:2", "--output", str(path))
    lines = [json.loads(line) for line in path.read_text().splitlines()][3:]
    assert {line["board"] for line in lines} == {"2x3/2", "3x3/2", "2x4/3"}
    assert all(line["won"] == line["best"] for line in lines)
