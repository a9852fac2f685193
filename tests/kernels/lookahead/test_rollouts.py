"""Roll-outs: worlds drawn evenly, chances to win as those of the player, gains without bias."""

import runpy
import sys
from collections import Counter
from functools import partial
from itertools import permutations, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from satsweep.board import Board, Cell
from satsweep.kernels.api import DEEP, ROLLING, Depth, _inner, advise, play_games, roll_out, sample_worlds
from satsweep.kernels.lookahead.rollouts import ERRORS, SLOPE, compare_rolled, drop_candidates
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, all_layouts, stuck, symbols_of, table, table_of, worlds_of

pytestmark = pytest.mark.extended

ROOT = Path(__file__).parents[3]
BOARD = (5, 13)
"""A board of more than 64 cells, which no player searches from the first cell on."""


def known_mines(board: Board) -> set[Cell]:
    return {cell for cell in board if board[cell] == "*"}


def wins(board: Board, worlds: list[frozenset[Cell]], player: Depth, cell: Cell | None = None) -> int:
    """The worlds that a player wins from a position on, or after opening a cell there."""
    board = board.with_exploded(frozenset.intersection(*worlds) - known_mines(board))
    cells = [cell] if cell else [other for other in board.covered if not any(other in world for world in worlds)]
    if not board.covered:
        return len(worlds)
    if not cells:
        advice = advise(symbols_of(board), table_of(board), 14, player)
        cells = [board.cell(advice.cell)]
    known = known_mines(board)
    seen: dict[tuple[int, ...], list[frozenset[Cell]]] = {}
    for world in worlds:
        if not world.intersection(cells):
            shown = tuple(sum(other in world or other in known for other in board.neighbours(one)) for one in cells)
            seen.setdefault(shown, []).append(world)
    return sum(
        wins(board.with_opened(dict(zip(cells, shown, strict=True))), left, player) for shown, left in seen.items()
    )


def positions(topology: Topology, most: int) -> list[tuple[Board, list[frozenset[Cell]]]]:
    """Positions in which a guess is due, with their worlds."""
    found = []
    for game in range(40):
        for board in stuck(*BOARD, 14, topology, game):
            if len(board.covered) <= 17 and 1 < len(worlds := worlds_of(board)) <= most:
                found.append((board, [frozenset(map(board.cell, world)) for world in worlds]))
    return found


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
def test_worlds_are_drawn_evenly(topology: Topology) -> None:
    for board, worlds in [pair for pair in positions(topology, 60) if len(pair[1]) > 5][:4]:
        rounds = 200 * len(worlds)
        mined = sample_worlds(symbols_of(board), table_of(board), 14, rounds)
        assert mined is not None and (mined.sum(axis=1) == 14).all()
        drawn = Counter(frozenset(cell for cell in board.covered if world[board.index(cell)]) for world in mined)
        assert set(drawn) == set(worlds)
        off = sum((drawn[world] - 200) ** 2 for world in worlds) / 200
        assert off < len(worlds) + 5 * (2 * len(worlds)) ** 0.5, "chi squared is too large"


@pytest.mark.parametrize("player", [Depth(worlds=0), Depth(worlds=12)], ids=["two plies", "exact end"])
@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
def test_roll_outs_are_worth_what_the_player_wins(topology: Topology, player: Depth) -> None:
    """The mean over worlds is the part of all worlds that the player wins after opening the cell."""
    tried = 0
    for board, worlds in positions(topology, 400)[:12]:
        risk = Counter(cell for world in worlds for cell in world)
        cells = [cell for cell in board.covered if risk[cell] < len(worlds)][:3]
        asked = [board.index(cell) for cell in cells]
        values = roll_out(symbols_of(board), table_of(board), 14, asked, 2_000, player)
        for cell, column in zip(cells, values.T, strict=True):
            exact = wins(board, worlds, player, cell) / len(worlds)
            assert abs(column.mean() - exact) <= 4.5 * column.std() / len(column) ** 0.5 + 1e-9, (board, cell)
            assert (column <= 1 - risk[cell] / len(worlds) + 1e-9).all()
            tried += 1
    assert tried >= 3


def test_answers_that_are_known_are_those_that_were_found() -> None:
    """A roll-out in the same world comes upon the same guesses, and its chance to win is the same."""
    for topology in (SQUARE, TORUS, HEXAGONS):
        tried = 0
        for board, worlds in positions(topology, 400)[:12]:
            asked = symbols_of(board), table_of(board), 14
            cells = [board.index(cell) for cell in board.covered if not all(cell in world for world in worlds)]
            for salt, cell in product(range(6), cells[:3]):
                drawn = sample_worlds(*asked, 1, salt)
                if drawn is not None and not drawn[0, cell]:  # no other world is drawn for it
                    for player in (Depth(worlds=0), ROLLING):
                        values = roll_out(*asked, [cell, cell], 1, player, salt)[0]
                        assert values[1] == pytest.approx(values[0], rel=1e-9, abs=0)
                    tried += values[0] < 1
        assert tried > 10, topology


def test_differences_are_weighed_by_bayes() -> None:
    """Prior by two kinds of errors times likelihood, integrated by a sum over a fine grid."""
    grid = np.linspace(-1, 1, 200_001)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values, score = rng.uniform(0.3, 0.5, (2, 40)), rng.uniform(0.9, 1.1)
        values[1] += rng.normal(0, 0.03)
        record = SimpleNamespace(rolled=values, rolled_score=np.array([score, 1.0]))
        differences = (values[0] - values[1]) / values[1].mean()
        noise = differences.var(ddof=1) / 40
        prior = sum(
            share / spread * np.exp(-0.5 * ((grid - SLOPE * np.log(score)) / spread) ** 2) for share, spread in ERRORS
        )
        posterior = prior * np.exp(-0.5 * (grid - differences.mean()) ** 2 / noise)
        posterior /= posterior.sum()
        expected = (posterior * grid).sum(), (posterior * grid.clip(0)).sum()
        assert np.allclose(compare_rolled(record, 0, 1, 40), expected, rtol=1e-6, atol=1e-9)


def test_candidates_that_are_left_do_not_depend_on_their_order() -> None:
    """A candidate is compared with the best one wherever that lies, also once it has moved."""
    worlds, cells = 24, range(4)
    counts = set()
    for seed in range(40):
        values = np.random.default_rng(seed).uniform(0.3, 0.5, (len(cells), worlds))
        values += np.array([[0], [0.02], [0], [0.04]])
        left = set()
        for order in permutations(cells):
            record = SimpleNamespace(
                rolled=values[[*order]], rolled_cell=np.array(order), rolled_score=np.ones(len(cells)),
                n_rolled=len(cells), param=SimpleNamespace(least_gain=0.0015),
            )  # fmt: skip
            leader = drop_candidates(record, worlds)
            kept = record.rolled_cell[: record.n_rolled]
            assert (record.rolled[: record.n_rolled] == values[kept]).all()
            left.add((int(kept[leader]), frozenset(kept.tolist())))
        assert len(left) == 1, (seed, left)
        counts.add(len(next(iter(left))[1]))
    assert counts >= {1, 2, 3}


def advantage() -> dict[str, Any]:
    """The names of the script that measures gains."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return runpy.run_path(str(ROOT / "benchmarks" / "advantage.py"))
    finally:
        sys.path.pop(0)


def test_luck_is_nothing_on_average() -> None:
    """Over all layouts of a board, luck adds up to 0, and the exact chances to as many games as are won."""
    asked = all_layouts(5 * 13, 3, first=1)
    for player in (Depth(worlds=0), Depth(worlds=9, margin=0.5)):
        estimates = np.full((len(asked), 2), -1.0)
        results = play_games(
            table(SQUARE, *BOARD), 3, "", range(len(asked)), start=0, layouts=asked, policy="deep", level=player,
            estimates=estimates,
        )  # fmt: skip
        exact, luck = estimates.T
        known = exact >= 0
        assert known.any() == (player.worlds > 0) and np.abs(luck).max() > 0.1
        assert abs(luck.sum()) < 1e-6
        assert abs(exact[known].sum() - results["won"][known].sum()) < 1e-6


def test_gains_are_those_of_all_layouts() -> None:
    """The gain that decisions tell is the difference of the games won in all layouts of a board."""
    script = advantage()
    size = 2, 33, 3
    asked, near = all_layouts(2 * 33, 3, first=1), table(SQUARE, 2, 33)
    names = ["deep:1,worlds=200", "deep:1,margin=0.1,slack=0.99,two_safe=-9,clearer=-3"]
    play = partial(play_games, near, 3, "", range(len(asked)), start=0, layouts=asked, policy="deep")
    better, worse = (int(play(level=script["read_policy"](name)[1])["won"].sum()) for name in names)
    played = script["measure"](*names, script["Setting"](*size), "gain", 40, range(600))
    told = script["gains_of"]([played])
    assert told.mean() > 3 * told.std() / 600**0.5
    assert abs(told.mean() - (better - worse) / len(asked)) < 4 * told.std() / 600**0.5


def test_level_5_mends_what_two_plies_get_wrong() -> None:
    """Where other worlds than those that it draws show a much better cell late in the game, it opens that."""
    script = advantage()
    setting, near = script["Setting"](16, 30, 99), table(SQUARE, 16, 30)
    moves = np.full((960, 4), -1, np.int32)
    mistakes, lost, mended = 0, 0.0, 0.0
    for layout in script["layouts"](setting, "mistakes", range(700)):
        moves[:] = -1
        play_games(near, 99, "", range(1), start=0, layouts=layout, moves=moves, policy="deep", level=2)
        for symbols, _ in script["guesses"](moves[: (moves[:, 0] >= 0).sum()], layout[0], SQUARE.neighbours(16, 30)):
            if (symbols == -1).mean() > 0.15:
                continue
            before = advise(symbols, near, 99, 4)
            cells = before.cells[before.scores >= 0.95 * before.scores.max(initial=0)].tolist()
            if before.exact or len(cells) < 2:
                continue
            values = roll_out(symbols, near, 99, cells, 300).mean(axis=0)
            short = dict(zip(cells, values.max() - values, strict=True))
            if short[before.cell] > 0.02:
                after = advise(symbols, near, 99, 5)
                mistakes += 1
                lost += short[before.cell]
                mended += short[before.cell] - short[after.cell]
                assert abs(after.value - values[cells.index(after.cell)]) < 0.1
    assert mistakes >= 5 and mended > 0.4 * lost, (mistakes, lost, mended)


def test_level_5_rolls_out_late_only() -> None:
    for game in range(3):
        for board in stuck(16, 30, 99, SQUARE, game):
            symbols, near = symbols_of(board), table_of(board)
            if (symbols == -1).mean() > DEEP[5].late:
                before, after = (advise(symbols, near, 99, level) for level in (4, 5))
                assert (after.cell, after.value) == (before.cell, before.value)


def test_players_without_roll_outs_roll_out() -> None:
    assert all(DEEP[level].rollouts == 0 for level in (1, 2, 3, 4)) and DEEP[5].rollouts > 0


def test_a_roll_out_that_is_refused_leaves_the_player_of_others() -> None:
    """Other calls roll out with ``ROLLING``."""
    for cells in ([9], [0]):  # beyond the board, and a mine
        with pytest.raises(ValueError, match="expected"):
            roll_out(np.array([-1, 1, 0, 1, -1], np.int8), table(SQUARE, 1, 5), 2, cells, 1, Depth(worlds=0))
        assert tuple(_inner().fields["param"]) == tuple(ROLLING)
