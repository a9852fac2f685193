"""Boards that need no guess, compiled: the games that are won without one, and what repair does to a layout."""

from __future__ import annotations

import numpy as np
import pytest

from satsweep import kernels
from satsweep.kernels import COVERED, MINE, find_unaided, neighbour_table, play_games, position
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, table


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize(("rows", "cols", "mines"), [(9, 9, 10), (16, 16, 40), (16, 30, 99)])
@pytest.mark.parametrize("zero", [True, False], ids=["zero", "safe"])
def test_games_won_without_a_guess(topology: Topology, rows: int, cols: int, mines: int, zero: bool) -> None:
    rows_of = table(topology, rows, cols)
    games = play_games(rows_of, mines, "won", range(200), first="zero" if zero else "safe", start=3)
    won = [number for number, game in enumerate(games) if game["won"] and not game["guesses"]]
    found, at = [], 0
    while at < 200:
        step = find_unaided(rows_of, mines, "won", range(at, 200), 3, zero=zero)
        at = step.candidate + 1
        if step.outcome == "cleared":
            found.append(step.candidate)
            assert step.mines.sum() == mines and not step.mines[3]
            again = play_games(rows_of, mines, "again", range(1), first="any", start=3, layouts=step.mines[None])
            assert again["won"][0] and not again["guesses"][0]
    assert found == won


def test_single_numbers_alone() -> None:
    """What single numbers clear takes no claim beyond them, and needs no guess anyway."""
    rows_of = table(SQUARE, 9, 9)
    games = play_games(rows_of, 10, "single", range(300), first="zero", start=0)
    exact = {number for number, game in enumerate(games) if game["won"] and not game["guesses"]}
    found, at = set(), 0
    while at < 300:
        step = find_unaided(rows_of, 10, "single", range(at, 300), 0, exact=False)
        at = step.candidate + 1
        if step.outcome == "cleared":
            found.add(step.candidate)
    assert {number for number in exact if not games[number]["beyond_basic"]} <= found < exact


def test_mended_layouts() -> None:
    rows_of = table(SQUARE, 16, 30)
    for seed in range(10):
        step = find_unaided(rows_of, 130, f"mended/{seed}", range(5), 31, changes=1_000)
        assert step.outcome == "cleared" and step.changes > 0
        assert step.mines.sum() == 130
        assert not step.mines[[0, 1, 2, 30, 31, 32, 60, 61, 62]].any()
        again = play_games(rows_of, 130, "again", range(1), first="any", start=31, layouts=step.mines[None])
        assert again["won"][0] and not again["guesses"][0]
    assert find_unaided(rows_of, 130, "mended/0", range(3), 31, changes=0).outcome == "stuck"


@pytest.mark.parametrize(("mines", "changes"), [(40, None), (60, 300)])
def test_however_components_are_counted(mines: int, changes: int | None) -> None:
    """What is forced does not depend on it, and so the board does not."""
    work = kernels._workspace()
    listed = int(work["most_listed"][0])
    for seed in range(8):
        found = []
        try:
            for most in (listed, 0):
                work["most_listed"] = most
                found.append(find_unaided(table(SQUARE, 16, 16), mines, f"{seed}", range(9), 0, changes=changes))
        finally:
            work["most_listed"] = listed
        assert found[0].outcome == "cleared"
        assert (found[0].mines == found[1].mines).all() and found[0].candidate == found[1].candidate
        assert found[0].changes == found[1].changes


def test_no_room() -> None:
    rows_of = table(SQUARE, 3, 3)
    for changes in (None, 5):
        assert find_unaided(rows_of, 6, "full", range(4), 0, changes=changes).outcome == "no room"
        assert find_unaided(rows_of, 6, "full", range(4), 0, zero=False, changes=changes).outcome != "no room"
    large = find_unaided(np.zeros((20_000, 8), np.int32), 100, "0", range(7, 9), 0)
    assert (large.candidate, large.outcome) == (7, "beyond")


def test_no_candidate() -> None:
    corner = neighbour_table([(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)])
    assert find_unaided(corner, 1, "corner", range(5, 25), 0, zero=False)[:2] == (25, "stuck")
    assert find_unaided(corner, 1, "corner", range(5, 7), 0, zero=False, changes=30)[:2] == (7, "stuck")


def test_positions_are_as_before() -> None:
    """The memory is shared: what was searched leaves nothing behind."""
    rows_of = table(SQUARE, 3, 4)
    symbols = np.array([COVERED, COVERED, 1, 0, COVERED, COVERED, 2, 1, COVERED, COVERED, COVERED, COVERED], np.int8)
    before = position(symbols, rows_of, 3)
    find_unaided(table(SQUARE, 9, 9), 10, "between", range(20), 0, changes=50)
    after = position(symbols, rows_of, 3)
    assert (before.forced == after.forced).all() and (before.risks == after.risks).all()
    assert MINE not in after.forced
