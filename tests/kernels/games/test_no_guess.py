"""No-guess boards, compiled: games won without a guess, and repair of layouts."""

from typing import Any

import numpy as np
import pytest

from satsweep import Cell
from satsweep.generator.no_guess import unsolved
from satsweep.kernels import api as kernels
from satsweep.kernels.api import PAIRS, SINGLE, FoundLayout, find_no_guess, neighbour_table, play_games
from satsweep.kernels.shared.memory import COVERED, FINE
from satsweep.layout import Layout
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, WIDE, all_layouts, position, table

pytestmark = pytest.mark.extended


def cleared(
    near: np.ndarray, mines: int, seed: str, candidates: range, start: int, **options: Any
) -> list[FoundLayout]:
    """All candidates that need no guess, each the first one behind the one before."""
    found, at = [], candidates.start
    layouts = options.pop("layouts", None)
    while at < candidates.stop:
        if layouts is not None:
            options["layouts"] = layouts[at - candidates.start :]
        step = find_no_guess(near, mines, seed, range(at, candidates.stop), start, **options)
        at = step.candidate + 1
        if step.outcome == "cleared":
            found.append(step)
    return found


def won_without_a_guess(games: np.ndarray) -> list[int]:
    return [number for number, game in enumerate(games) if game["won"] and not game["guesses"]]


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize(("rows", "cols", "mines"), [(9, 9, 10), (16, 16, 40), (16, 30, 99)])
@pytest.mark.parametrize("zero", [True, False], ids=["zero", "safe"])
def test_games_won_without_a_guess(topology: Topology, rows: int, cols: int, mines: int, zero: bool) -> None:
    rows_of = table(topology, rows, cols)
    games = play_games(rows_of, mines, "won", range(200), first="zero" if zero else "safe", start=3)
    found = cleared(rows_of, mines, "won", range(200), 3, zero=zero)
    for step in found:
        assert step.mines.sum() == mines and not step.mines[3]
        again = play_games(rows_of, mines, "again", range(1), first="any", start=3, layouts=step.mines[None])
        assert won_without_a_guess(again)
    assert [step.candidate for step in found] == won_without_a_guess(games)


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
def test_pairs_of_numbers(topology: Topology) -> None:
    """They clear what the agent subset clears."""
    rows_of = table(topology, 9, 9)
    layouts = np.array([drawn_layout(rows_of, 14, number) for number in range(150)], np.int8)
    found = {step.candidate for step in cleared(rows_of, 14, "", range(150), 0, technique=PAIRS, layouts=layouts)}
    for number, mined in enumerate(layouts):
        layout = Layout.from_mines(9, 9, set(mined.nonzero()[0].tolist()), Cell(0, 0), topology)
        assert (unsolved(layout, "subset") is None) == (number in found)
    singles = cleared(rows_of, 14, "", range(150), 0, technique=SINGLE, layouts=layouts)
    assert {step.candidate for step in singles} <= found
    assert len(singles) < len(found) or topology is HEXAGONS


def drawn_layout(rows_of: np.ndarray, mines: int, number: int) -> np.ndarray:
    """A random layout whose first cell has no mine around."""
    found = find_no_guess(rows_of, mines, f"pairs/{number}", range(1), 0, changes=number % 3)
    return found.mines


@pytest.mark.parametrize("changes", [None, 20])
def test_candidates_at_the_limits(changes: int | None) -> None:
    """Two rings of neighbours: a candidate with too wide a component is handed over."""
    for seed in range(10, 20):
        found = find_no_guess(table(WIDE, 16, 16), 40, f"{seed}", range(9), 0, changes=changes)
        assert found.outcome == ("beyond" if seed == 14 else "cleared")


@pytest.mark.parametrize("at", [0, 700])
def test_layouts_may_be_given(at: int) -> None:
    layouts, rows_of = all_layouts(16, 4, first=1)[at:], table(SQUARE, 4, 4)
    games = play_games(rows_of, 4, "all", range(len(layouts)), first="any", start=0, layouts=layouts)
    found = cleared(rows_of, 4, "no matter", range(at, at + len(layouts)), 0, layouts=layouts)
    assert all((step.mines == layouts[step.candidate - at]).all() for step in found)
    assert [step.candidate - at for step in found] == won_without_a_guess(games)
    assert 100 < len(found) < len(layouts)


@pytest.mark.parametrize(("mines", "changes"), [(99, None), (99, 60), (130, 400), (170, 40)])
def test_however_much_is_done_in_one_go(mines: int, changes: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other searches may use the same record in between, and the board is the same."""
    rows_of, called = table(SQUARE, 16, 30), 0

    def between() -> None:
        nonlocal called
        called += 1
        find_no_guess(table(SQUARE, 5, 6), 8, f"other {called}", range(3), 0, changes=20)

    for seed in range(5):
        whole = find_no_guess(rows_of, mines, f"steps {seed}", range(4), 0, changes=changes)
        for most in (1, 3 * 480, 40 * 480):
            with monkeypatch.context() as patch:
                patch.setattr(kernels, "AT_ONCE", most)
                called = 0
                parts = find_no_guess(rows_of, mines, f"steps {seed}", range(4), 0, changes=changes, between=between)
            assert parts[:2] == whole[:2] and parts.changes == whole.changes
            assert whole.outcome == "stuck" or (parts.mines == whole.mines).all()
            steps = 1 if most == 1 else most // 480
            spent = whole.changes if changes is not None else whole.candidate
            assert called >= spent // steps, "not longer in one go than was said"


def test_it_may_be_ended_in_between() -> None:
    class Enough(Exception):
        pass

    calls = iter(range(3))

    def between() -> None:
        if next(calls, None) is None:
            raise Enough

    for changes in (None, 10_000):
        calls = iter(range(3))
        with pytest.raises(Enough):
            find_no_guess(table(SQUARE, 16, 30), 250, "ended", range(10**9), 0, changes=changes, between=between)


def test_no_room() -> None:
    rows_of = table(SQUARE, 3, 3)
    for changes in (None, 5):
        assert find_no_guess(rows_of, 6, "full", range(4), 0, changes=changes).outcome == "no room"
        assert find_no_guess(rows_of, 6, "full", range(4), 0, zero=False, changes=changes).outcome != "no room"
    large = find_no_guess(np.zeros((20_000, 8), np.int32), 100, "0", range(7, 9), 0)
    assert (large.candidate, large.outcome) == (7, "beyond")


def test_no_candidate() -> None:
    corner = neighbour_table([(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)])
    assert find_no_guess(corner, 1, "corner", range(5, 25), 0, zero=False)[:2] == (25, "stuck")
    assert find_no_guess(corner, 1, "corner", range(5, 7), 0, zero=False, changes=30)[:2] == (7, "stuck")


def test_positions_are_as_before() -> None:
    """The record is shared: a search leaves nothing behind."""
    rows_of = table(SQUARE, 3, 4)
    symbols = np.array([COVERED, COVERED, 1, 0, COVERED, COVERED, 2, 1, COVERED, COVERED, COVERED, COVERED], np.int8)
    before = position(symbols, rows_of, 3)
    find_no_guess(table(SQUARE, 9, 9), 10, "between", range(20), 0, changes=50)
    after = position(symbols, rows_of, 3)
    assert before.status == after.status == FINE
    assert np.array_equal(before.risks, after.risks, equal_nan=True)
