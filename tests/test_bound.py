"""The upper bound of ``benchmarks/bound.py`` against best play on small boards, every layout tried."""

import importlib
import json
import sys
from collections import Counter, defaultdict
from functools import partial
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from satsweep.arena.stats import t_quantile
from satsweep.board import Cell
from satsweep.kernels.endgame.few import MINE as MINED
from tests import ROOT
from tests.kernels.endgame.problems import best_opening
from tests.optimal import SOLVED

pytestmark = pytest.mark.extended

sys.path.append(str(ROOT / "benchmarks"))
bound: Any = importlib.import_module("bound")
statistics: Any = importlib.import_module("bound_statistics")
told_boards: Any = importlib.import_module("windows")
guesses: Any = importlib.import_module("guesses")

Mined = NDArray[np.int8]
SIZES = [told_boards.Size(*size) for size in ((3, 3, 4), (2, 6, 5), (3, 4, 4))]
ALL = 10**9


def layouts(size: Any) -> Mined:
    cells = size.rows * size.cols
    mined = np.zeros((comb(cells, size.mines), cells), np.int8)
    for row, mines in zip(mined, combinations(range(cells), size.mines), strict=True):
        row[list(mines)] = 1
    return mined


def shown(size: Any, mined: Mined) -> Mined:
    symbols: Mined = told_boards.show(mined.reshape(-1, size.rows, size.cols)).reshape(mined.shape)
    return symbols


def agreeing(size: Any, symbols: Mined, count: int = 0, rng: Any = None) -> Mined:
    """All worlds of a position, in place of a sample."""
    mined = layouts(size)
    open_cells, mines = np.flatnonzero(symbols >= 0), np.flatnonzero(symbols == told_boards.MINE)
    truth = shown(size, mined)
    kept: Mined = mined[(truth[:, open_cells] == symbols[open_cells]).all(1) & (mined[:, mines] == 1).all(1)]
    return kept


def guided(size: Any, symbols: Mined, count: int = 0, rng: Any = None) -> Mined:
    """All worlds of a position, after a few drawn ones that guide."""
    every = agreeing(size, symbols)
    guides = every[rng.integers(len(every), size=max(count - ALL, 0))]
    return np.concatenate([guides, every])


def optimum(size: Any, mined: Mined) -> float:
    """The chance to win by best play on worlds, all of them equally likely."""
    code = shown(size, mined).astype(np.int16)
    code[code == told_boards.MINE] = MINED
    won = best_opening(code.astype(np.uint8))
    assert won.low == won.high
    return won.low / len(mined)


def positions_of(size: Any) -> list[Mined]:
    """Positions of a board in which a guess is due: after each first number in the corner, and one cell more."""
    found = {}
    truth = shown(size, layouts(size))
    for cells in ([0], [0, size.cols - 1]):
        for row in np.unique(truth[:, cells], axis=0):
            symbols = np.full(truth.shape[1], told_boards.COVERED, np.int8)
            symbols[cells] = row
            worlds = agreeing(size, symbols)
            if (row >= 0).all() and len(worlds) > 1:
                settled = (worlds == worlds[0]).all(0) & (symbols == told_boards.COVERED)
                if not (settled & (worlds[0] == 0)).any():
                    symbols[settled] = told_boards.MINE
                    found[symbols.tobytes()] = symbols
    return list(found.values())


def test_best_play_is_that_of_the_table() -> None:
    known = {board[:3]: board for board in SOLVED}
    for size in SIZES:
        board = known[size.rows, size.cols, size.mines]
        assert optimum(size, layouts(size)) == board.wins / board.layouts


WINDOWS = [
    [(0, 3, 0, 2), (0, 3, 3, 2)],
    [(0, 1, 0, 5), (2, 1, 0, 5)],
    [(0, 3, 1, 3)],
    [(0, 3, 0, 5)],
    [(1, 1, 1, 1)],
    [],
]


@pytest.mark.parametrize("windows", WINDOWS, ids=str)
@pytest.mark.parametrize("mines", [3])
def test_a_told_board_is_a_product_of_games(windows: list[Any], mines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Best play for each thing that can be told, of all windows at once, is what the parts multiply to."""
    monkeypatch.setattr(told_boards, "SEARCH", told_boards.SEARCH._replace(nodes=1_000_000))
    size = told_boards.Size(3, 5, mines)
    mined = layouts(size)
    grid = mined.reshape(-1, 3, 5)
    told = told_boards.tell(size, grid, np.zeros(grid.shape, bool), windows)
    groups = defaultdict(list)
    for world, board in enumerate(grid):
        own = np.zeros((len(windows), 5, 7), np.int8)
        outside = board.copy()
        for at, (top, high, left, wide) in enumerate(windows):
            inside = (slice(top, top + high), slice(left, left + wide))
            own[at, 1:4, 1:6][inside] = board[inside]
            outside[inside] = 2
        seen = [
            int(part[r : r + 3, c : c + 3].sum())
            for part in own
            for r in range(3)
            for c in range(5)
            if not outside[r, c]
        ]
        groups[(outside.tobytes(), tuple(own.sum((1, 2))), tuple(seen))].append(world)
    best = sum(len(some) * optimum(size, mined[some]) for some in groups.values()) / len(mined)
    assert told.value.prod(1).mean() == pytest.approx(best, abs=1e-12)
    assert best >= optimum(size, mined) - 1e-12
    if not windows:
        assert best == 1
    if windows == [(0, 3, 0, 5)]:
        assert best == pytest.approx(optimum(size, mined), abs=1e-12)


def test_a_patch_is_told_where_many_cells_are_covered() -> None:
    """The one nearest to the middle of which nothing is known, if there is one and more than ``MANY`` are covered."""
    covered = np.ones((3, 16, 30), bool)
    covered[1, 6:10, 14:17] = False
    covered[2, :, 10:20] = covered[2, ::2] = False
    window = (0, 16, 0, 30)
    found = {tuple(some): (told, pieces) for some, told, pieces in told_boards.tell_more(covered)}
    assert {world for some in found for world in some} == {0, 1, 2}
    for world, corner in ((0, (6, 13)), (1, (6, 11))):
        told, pieces = found[(world,)]
        assert pieces == [window]
        assert np.argwhere(told).tolist() == [
            [corner[0] + row, corner[1] + col] for row in range(3) for col in range(3)
        ]
        assert (covered[world] | ~told).all()
    told, pieces = found[(2,)]
    line = pieces[0][3]
    assert pieces == [(0, 16, 0, line), (0, 16, line + 1, 29 - line)]
    assert told[:, line].all() and told.sum() == 16 and not covered[2, :, line].any()


def test_a_window_is_cut_where_few_cells_are_covered() -> None:
    covered = np.ones((2, 9, 5), bool)
    covered[0, 5] = False
    covered[1, 0] = False
    ((first, told, pieces), (second, _, halves)) = sorted(
        told_boards.tell_more(covered), key=lambda found: int(found[0][0])
    )
    assert first.tolist() == [0] and second.tolist() == [1]
    assert np.argwhere(told)[:, 0].tolist() == [5] * 5
    assert pieces == [(0, 5, 0, 5), (6, 3, 0, 5)]
    assert halves == [(0, 4, 0, 5), (5, 4, 0, 5)]


def test_windows_are_cut_on_within_themselves() -> None:
    size = told_boards.Size(16, 30, 99)
    halves, tiles = told_boards.cut(size), told_boards.tiles(size)
    assert [max(high, wide) <= 8 for _, high, _, wide in tiles] == [True] * 8
    for top, high, left, wide in tiles:
        assert (
            sum(
                top >= up and top + high <= up + tall and left >= west and left + wide <= west + across
                for up, tall, west, across in halves
            )
            == 1
        )


def test_cells_looked_at_apart() -> None:
    """The safety of a cell is its frequency among the worlds that agree with what is told outside of its window."""
    size, windows = told_boards.Size(3, 5, 5), WINDOWS[0]
    mined = layouts(size)
    grid, truth = mined.reshape(-1, 3, 5), shown(size, mined).reshape(-1, 3, 5)
    known = np.zeros(grid.shape, bool)
    of = told_boards.tell(size, grid, known, windows, 0).of
    apart = told_boards.set_apart(size, mined, known, windows, of)
    for at, (top, high, left, wide) in enumerate(windows):
        inside = np.zeros((3, 5), bool)
        inside[top : top + high, left : left + wide] = True
        told = np.where(inside, 9, truth).reshape(len(mined), -1)
        _, group = np.unique(told, axis=0, return_inverse=True)
        for cell in np.flatnonzero(inside):
            safe = np.bincount(group.ravel(), 1 - mined[:, cell]) / np.bincount(group.ravel())
            assert apart.safety[:, cell] == pytest.approx(safe[group.ravel()], abs=1e-12)
            assert apart.rest[:, cell] == pytest.approx(of[:, 1 - at])
            assert apart.zone[cell] == at
    assert (apart.zone.reshape(3, 5)[:, 2] == -1).all()


def test_parts_hold_the_cells_that_are_undecided() -> None:
    size = told_boards.Size(3, 5, 5)
    grid = layouts(size).reshape(-1, 3, 5)
    told = told_boards.tell(size, grid, np.zeros(grid.shape, bool), WINDOWS[0])
    assert (told.part.reshape(grid.shape)[:, :, 2] == -1).all()
    inside = told.part >= 0
    assert (np.take_along_axis(told.value, told.part.clip(0).astype(int), 1)[inside] < 1).any()
    assert ((told.value == 1).all(1) | inside.any(1)).all()


PLANS = {
    "told after a guess": guesses.Plan(ALL, 1),
    "two guesses": guesses.Plan(ALL, 2),
    "large groups": guesses.Plan(ALL, 3, 30),
    "all guesses": guesses.Plan(ALL, 99),
}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize(("live", "many"), [(0, told_boards.MANY), (told_boards.LIVE, 0), (0, 3)])
def test_no_bound_is_below_best_play(plan: Any, live: int, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_boards, "MANY", many)
    monkeypatch.setattr(told_boards, "PATCH", 2)
    for size in SIZES[:1] if plan.guesses == 99 else SIZES[:2] if live else SIZES:
        for windows in (None, [], [(0, size.rows, 2, size.cols - 2)]):
            for symbols in positions_of(size):
                best = optimum(size, agreeing(size, symbols))
                arguments = (plan, np.random.default_rng(0), agreeing, windows, live)
                found = guesses.bound_position(size, symbols, *arguments)
                assert best - 1e-9 <= found <= 1 + 1e-9
                if plan.guesses == 99 and not windows and windows is not None:
                    assert found == pytest.approx(best, abs=1e-9)


AGAIN = guesses.Plan(ALL, 1)
GUIDED = {
    "cells within a margin": guesses.Plan(ALL, 2, guides=8, margins=(0.05,)),
    "the best cells go further": guesses.Plan(ALL, 3, 2, guides=12, margins=(1, 0.02)),
    "few of the best": guesses.Plan(ALL, 3, 2, guides=12, margins=(1, 1, 0.5), most=2),
    "few are forgiven": guesses.Plan(ALL, 3, 2, guides=8, forgive=-0.05),
    "zeros anew": guesses.Plan(ALL, 2, guides=8, opening=0.01, anew=ALL, again=AGAIN),
    "zeros of the best anew": guesses.Plan(ALL, 3, guides=8, opening=0.01, near=0.02, anew=9, again=AGAIN),
    "zeros anew, no guide": guesses.Plan(ALL, 2, opening=0, anew=ALL, again=AGAIN),
}


@pytest.mark.parametrize("plan", GUIDED.values(), ids=GUIDED)
@pytest.mark.parametrize("seed", range(3))
def test_guides_choose_and_the_bound_holds(plan: Any, seed: int) -> None:
    """Whichever cells a few drawn worlds choose, all worlds bound best play."""
    for size in SIZES[:2]:
        for symbols in positions_of(size):
            best = optimum(size, agreeing(size, symbols))
            found = guesses.bound_position(size, symbols, plan, np.random.default_rng(seed), guided, [], 0)
            assert best - 1e-9 <= found <= 1 + 1e-9


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ({}, 2),
        ({"margins": (-1,)}, 1),
        ({"forgive": -1}, 1),
        ({"opening": 0, "near": -1, "anew": ALL, "again": AGAIN}, 2),
    ],
    ids=["all cells", "no cell", "nothing is forgiven", "no cell is near"],
)
def test_guides_do_not_count(changes: dict[str, Any], count: int) -> None:
    """If they choose all cells or none the bound is that of two guesses, or of one, without them."""
    for size in SIZES[:2]:
        for symbols in positions_of(size):
            wanted, found = (
                guesses.bound_position(size, symbols, plan, np.random.default_rng(1), guided, [], 0)
                for plan in (guesses.Plan(ALL, count), guesses.Plan(ALL, 2, guides=50)._replace(**changes))
            )
            assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("side", [2, 8])
def test_cells_looked_at_apart_change_noise_only(count: int, side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all worlds the bound is what it is without them, whichever weights they have."""
    monkeypatch.setattr(told_boards, "SIDE", side)
    for size in (told_boards.Size(2, 6, 4), told_boards.Size(3, 5, 3))[: 2 if count < 3 else 1]:
        for symbols in positions_of(size):
            plain, *others = (
                guesses.bound_position(
                    size, symbols, plan._replace(steady=steady), np.random.default_rng(0), agreeing, live=0
                )
                for plan, steady in (
                    (guesses.Plan(ALL, count, thorough=False), 0.65),
                    (guesses.Plan(ALL, count), 0.65),
                    (guesses.Plan(ALL, count), 3.0),
                )
            )
            assert others == [pytest.approx(plain, abs=1e-9)] * 2


def test_zeros_bounded_anew_are_tighter() -> None:
    size = told_boards.Size(4, 4, 4)
    symbols = np.full(16, told_boards.COVERED, np.int8)
    symbols[0] = 1
    plan = guesses.Plan(ALL, 2, 30)
    told, anew = (
        guesses.bound_position(size, symbols, plan, np.random.default_rng(0), guided, [], 0)
        for plan in (plan, plan._replace(opening=0, anew=ALL, again=AGAIN))
    )
    assert told > anew >= optimum(size, agreeing(size, symbols)) - 1e-9


def test_any_first_cell_that_is_safe() -> None:
    """Best play from each first cell is that of the table, weighted by the worlds in which it is safe."""
    for size in SIZES:
        mined = layouts(size)
        truth, blank = shown(size, mined), np.full(mined.shape[1], told_boards.COVERED, np.int8)
        best = max(
            sum(
                (row := truth[:, cell] == number).sum() * optimum(size, mined[row])
                for number in set(truth[:, cell]) - {told_boards.MINE}
            )
            / (truth[:, cell] >= 0).sum()
            for cell in range(mined.shape[1])
        )
        every = range(mined.shape[1])
        for plan in (
            guesses.Plan(ALL, 1),
            guesses.Plan(ALL, 2),
            guesses.Plan(ALL, 1, anew=ALL, again=guesses.Plan(ALL, 1)),
        ):
            found = guesses.bound_position(
                size, blank, plan, np.random.default_rng(0), agreeing, [], live=0, promised=every
            )
            assert best - 1e-9 <= found <= 1 + 1e-9


def test_first_cells_are_one_of_each_class_but_the_corner() -> None:
    for rows, cols in ((3, 3), (4, 4), (4, 5), (3, 6)):
        rest = set(np.ndindex(rows, cols)) - {(0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1)}
        for cell in bound.first_cells(told_boards.Size(rows, cols, 2)):
            row, col = divmod(cell, cols)
            images = {(r, c) for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)}
            images |= {(c, r) for r, c in images} if rows == cols else set()
            assert images <= rest
            rest -= images
        assert not rest


def shuffled(size: Any, symbols: Mined, count: int, rng: Any) -> Mined:
    """All worlds of a position, in any order."""
    drawn: Mined = rng.permutation(agreeing(size, symbols))
    return drawn


def test_positions_bounded_anew_are_all_that_follows() -> None:
    """If all worlds are bounded anew, by best play, this is best play; if the first half are, it is so on average."""
    size = told_boards.Size(3, 4, 4)
    plan = guesses.Plan(ALL, 2, ALL, opening=0, anew=ALL, again=guesses.Plan(ALL, 99))
    for symbols in positions_of(size):
        worlds = agreeing(size, symbols)
        best = optimum(size, worlds)
        whole, *halves = (
            guesses.bound_position(size, symbols, some, np.random.default_rng(seed), shuffled, [], 0)
            for seed in range(40)
            for some in [plan if seed == 0 else plan._replace(anew=len(worlds) // 2)]
        )
        assert whole == pytest.approx(best, abs=1e-9)
        assert np.mean(halves) + 3 * np.std(halves) / len(halves) ** 0.5 >= best - 1e-9


def test_processes_find_the_same() -> None:
    """Positions that are bounded anew have samples of their own, whichever process comes upon them."""
    size = told_boards.Size(10, 13, 35)
    plan = guesses.Plan(40, 2, 99, guides=10, opening=0, anew=4, again=guesses.Plan(10, 1, thorough=False))
    symbols = np.full(130, told_boards.COVERED, np.int8)
    symbols[0] = 1
    one, two = (guesses.bound_position(size, symbols, plan, np.random.default_rng(3), jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_luck_of_a_sample_is_taken_off() -> None:
    """The mean of bounds stays what it is, their variance falls."""
    size, plan = told_boards.Size(5, 6, 8), guesses.Plan(40, 1)
    symbols = np.full(30, told_boards.COVERED, np.int8)
    symbols[0] = 1
    level = guesses.told_at_once(size, symbols, 20_000, np.random.default_rng(99))
    plain, less = (
        [
            guesses.bound_position(size, symbols, plan, np.random.default_rng(seed), told_mean=known)
            for seed in range(60)
        ]
        for known in (None, level)
    )
    assert np.std(less) < 0.8 * np.std(plain)
    assert np.mean(less) == pytest.approx(np.mean(plain), abs=4 * np.std(plain) / len(plain) ** 0.5)


def test_a_deeper_plan_is_tighter() -> None:
    """Told after one guess, after two, and never."""
    size = SIZES[0]
    looser, tighter, exact = (
        sum(
            guesses.bound_position(size, symbols, guesses.Plan(ALL, count), np.random.default_rng(0), agreeing, [], 0)
            for symbols in positions_of(size)
        )
        for count in (1, 2, 99)
    )
    assert looser > tighter > exact


def test_a_sample_raises_the_bound() -> None:
    """The mean over samples of 10 worlds, which agree with everything, is not below best play."""
    size = told_boards.Size(3, 4, 4)
    symbols = np.full(12, told_boards.COVERED, np.int8)
    symbols[0] = 1
    best = optimum(size, agreeing(size, symbols))
    deep = guesses.Plan(10, 3, 4, guides=6, margins=(0.2, 0.1), opening=0.3, anew=2, again=guesses.Plan(10, 1))
    for plan in (guesses.Plan(10, 1), guesses.Plan(10, 2, 4), deep):
        found = [
            guesses.bound_position(size, symbols, plan, np.random.default_rng(seed), live=0) for seed in range(100)
        ]
        assert np.mean(found) - 2 * np.std(found) / len(found) ** 0.5 > best


@pytest.mark.parametrize("shown_first", [[1], [1, 2], [2, 1, 1]], ids=str)
def test_worlds_are_drawn_uniformly(shown_first: list[int]) -> None:
    size = told_boards.Size(4, 4, 5)
    symbols = np.full(16, told_boards.COVERED, np.int8)
    symbols[[0, 7, 13][: len(shown_first)]] = shown_first
    every = {world.tobytes() for world in agreeing(size, symbols)}
    count = 60 * len(every)
    drawn = Counter(world.tobytes() for world in told_boards.draw(size, symbols, count, np.random.default_rng(7)))
    assert drawn.keys() == every
    chi = sum((drawn[world] - 60) ** 2 / 60 for world in every)
    assert abs(chi - len(every)) < 4 * (2 * len(every)) ** 0.5


def test_first_numbers() -> None:
    size = told_boards.Size(4, 5, 6)
    mined = layouts(size)
    corner = shown(size, mined)[:, 0]
    safe = corner[corner >= 0]
    assert bound.chances_of_first_numbers(size) == [pytest.approx(np.mean(safe == number)) for number in range(4)]
    for board in range(20):
        symbols, state = bound.deal_zero(size, np.random.default_rng(board))
        assert symbols[0] == 0 and (state == told_boards.STUCK) == (symbols == told_boards.COVERED).any()


def test_an_interval_of_the_bound_covers_as_often_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of a board whose optimum is known, drawn anew from many bounds of it: 8 samples of each first number."""
    size, cell = told_boards.Size(5, 5, 5), Cell(0, 0)
    (known,) = (board for board in SOLVED if board[:3] == (5, 5, 5))
    best = known.first[cell][0] / comb(24, 5)
    monkeypatch.setattr(bound, "bound_position", partial(guesses.bound_position, live=0))
    plans = [guesses.Plan(worlds, count, thorough=False) for worlds, count in ((8, 1), (12, 2), (20, 3))]
    zeros = [np.array([bound.bound_zero(board, size, [7], plan) for board in range(60)]) for plan in plans]
    first = {n: np.array([bound.bound_first(at, size, [7], n, plans[0]) for at in range(60)]) for n in (1, 2, 3)}
    chances = bound.chances_of_first_numbers(size)
    truth = chances[0] * zeros[-1].mean() + sum(chances[n] * first[n].mean() for n in first)
    assert best < truth
    rng, runs, covered, above = np.random.default_rng(5), 1_000, 0, 0
    for _ in range(runs):
        boards = rng.integers(60, size=60)
        levels = [zeros[0][boards], zeros[1][boards[:30]], zeros[2][boards[:15]]]
        done = {name: list(level) for name, level in zip(bound.LEVEL_NAMES, levels, strict=True)}
        done |= {f"first {n}": list(rng.choice(first[n], 8)) for n in first} | {bound.OTHERS: []}
        found = bound.summary(size, done)["bound"]
        covered += abs(found["percent"] - 100 * truth) <= found["95 %"]
        above += found["percent"] + found["95 %"] >= 100 * best
    assert above == runs and 0.93 < covered / runs < 0.97


def test_a_whole_board_is_the_mean_over_first_numbers() -> None:
    """Parts are weighted by the chance of each first number, and their variances by its square."""
    size = told_boards.Size(4, 4, 4)
    done = {
        "boards": [0.9, 0.7],
        "middle": [],
        "deeper": [],
        "first 1": [0.5],
        "first 2": [0.4],
        "first 3": [0.3],
        "other first cells": [0.6, 0.7],
    }
    chances = bound.chances_of_first_numbers(size)
    found = bound.summary(size, done)
    wanted = chances[0] * 0.8 + chances[1] * 0.5 + chances[2] * 0.4 + chances[3] * 0.3
    assert found["bound"] == {"percent": pytest.approx(100 * wanted, abs=0.01), "95 %": None}
    assert found["first 1"]["95 %"] is None  # one sample says nothing of its variance
    best = max(found["bound"]["percent"], 65.0)
    assert found["any first cell"] == {"percent": best, "95 %": None}  # the upper end of the corner is not known
    done |= {f"first {number}": [mean - 0.01, mean + 0.01] for number, mean in ((1, 0.5), (2, 0.4), (3, 0.3))}
    found = bound.summary(size, done)
    half = half_of([chances[0] * 0.1, *(chances[number] * 0.01 for number in (1, 2, 3))])
    assert found["bound"]["95 %"] == pytest.approx(half, abs=0.01)
    assert found["first 1"]["95 %"] == pytest.approx(12.706, abs=0.01)
    told = bound.summary(size, done | {"told 1": [0.6, 0.8]})["first 1"]
    assert told["95 %"] == pytest.approx(half_of([0.01, guesses.LUCK * 0.1]), abs=0.01)


def half_of(errors: list[float]) -> float:
    """Half of the interval of a sum of means of two samples, in percent, from their standard errors."""
    variances = [error**2 for error in errors]
    freedom = sum(variances) ** 2 / sum(variance**2 for variance in variances)
    return float(100 * t_quantile(freedom) * sum(variances) ** 0.5)


def test_means_of_few_samples_have_the_interval_of_student() -> None:
    """With normal samples; of two samples in each part 1.96 standard errors cover much less than they say."""
    rng, weights, deviations, runs = np.random.default_rng(3), (0.4, 0.1, 0.5), (1.0, 2.0, 0.5), 4_000
    for counts in ((8, 8, 8), (8, 8, 40), (2, 2, 2)):
        covered = normal = 0
        for _ in range(runs):
            parts = [statistics.part_of(rng.normal(0, sd, n)) for sd, n in zip(deviations, counts, strict=True)]
            total = statistics.total_of(zip(weights, parts, strict=True))
            covered += abs(total.mean) <= total.half
            normal += abs(total.mean) <= 1.96 * total.variance**0.5
        assert covered / runs > 0.94, counts
        assert counts != (2, 2, 2) or normal / runs < 0.88


def test_boards_and_samples_take_turns_with_the_seeds() -> None:
    size, plan = told_boards.Size(5, 5, 5), guesses.Plan(8, 1, thorough=False)
    assert [bound.seed_of((5, 6, 7), number) for number in range(5)] == [5, 6, 7, 5, 6]
    assert len(set(bound.SEEDS)) >= 8 and 19 not in bound.SEEDS
    assert bound.bound_zero(3, size, (5, 6), plan) == bound.bound_zero(3, size, (9, 6), plan)


def test_a_small_run_is_kept_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bound, "TOLD_PARTS", 2)
    monkeypatch.setattr(bound, "code_version", lambda: "same")
    words = f"bound.py --level 8x8 --boards 4 --middle 2 --deeper 0 --worlds 16 --to {tmp_path / 'b.json'} --repeats"
    monkeypatch.setattr(sys, "argv", [*words.split(), "1"])
    bound.main()
    first = json.loads((tmp_path / "b.json").read_text())
    monkeypatch.setattr(sys, "argv", [*words.split(), "2"])
    bound.main()
    second = json.loads((tmp_path / "b.json").read_text())
    assert first["bound"]["95 %"] is None and second["bound"]["95 %"] > 0
    assert second["values"]["first 1"][0] == first["values"]["first 1"][0]
    assert second["values"]["boards"] == first["values"]["boards"]
    monkeypatch.setattr(sys, "argv", [*words.replace("16", "17").split(), "2"])
    with pytest.raises(SystemExit):
        bound.main()
    assert "expected the plan" in capsys.readouterr().err


def test_a_run_goes_on_from_the_same_seeds_efforts_and_code_only(tmp_path: Path) -> None:
    kept, none = tmp_path / "bound.json", {"told 1": list[float](), "boards": list[float]()}
    setting = {"level": "8x8", "seeds": [1, 2], "code": "abc", "plan": bound.plan_text(bound.BOARD)}
    kept.write_text(json.dumps(setting | {"values": {"boards": [0.5]}, "cpu_seconds": 3}))
    assert bound.continued(kept, setting, none) == ({"told 1": [], "boards": [0.5]}, 3)
    deeper = bound.plan_text(bound.BOARD._replace(worlds=65))
    others: list[dict[str, Any]] = [
        {"level": "expert"}, {"seeds": [1, 3]}, {"code": "abd"}, {"code": "abc+"}, {"plan": deeper},
    ]  # fmt: skip
    for other in others:
        (name,) = other
        with pytest.raises(ValueError, match=f"expected the {name} .* to go on from, found"):
            bound.continued(kept, setting | other, none)


def test_deeper_bounds_of_some_boards_lower_the_mean_of_all() -> None:
    """The variance is that of the sum over boards, of which the first ones are bounded twice, or three times."""
    cheap, middle, deeper = [0.9, 0.7, 0.8, 0.6, 0.5, 0.4], [0.8, 0.7, 0.5, 0.6], [0.6, 0.7]
    mean, variance, freedom = statistics.levels_of(cheap, middle, [])
    assert mean == pytest.approx(0.65 - 0.1)
    first = np.var([0.9 / 6 - 0.1 / 4, 0.7 / 6, 0.8 / 6 - 0.3 / 4, 0.6 / 6], ddof=1)
    rest = np.var([0.5 / 6, 0.4 / 6], ddof=1)
    assert variance == pytest.approx(4 * first + 2 * rest)
    assert freedom == pytest.approx((4 * first + 2 * rest) ** 2 / ((4 * first) ** 2 / 3 + (2 * rest) ** 2))
    mean, variance, _ = statistics.levels_of(cheap, middle, deeper)
    assert mean == pytest.approx(0.65 - 0.1 - 0.1)
    three = np.var([0.9 / 6 - 0.1 / 4 - 0.2 / 2, 0.7 / 6], ddof=1)
    two = np.var([0.8 / 6 - 0.3 / 4, 0.6 / 6], ddof=1)
    assert variance == pytest.approx(2 * (three + two + rest))
    assert statistics.levels_of(cheap, [], []) == pytest.approx(statistics.part_of(cheap))
