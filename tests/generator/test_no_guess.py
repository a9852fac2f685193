"""Boards that need no guess: who clears them, kernels and Python alike, and what repair leaves as it is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, strategies as st

from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.errors import BudgetExceeded
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.record import Outcome
from satsweep.games.rules import FirstClick
from satsweep.generator.no_guess import (
    CandidateLayout,
    drawn,
    first_mended,
    first_suiting,
    mended,
    suits,
    unsolved,
)
from satsweep.generator.spec import BoardSpec
from satsweep.generator.walkthrough import GIVEN
from satsweep.layout import Layout
from satsweep.solver.budget import Budget, Meter
from satsweep.solver.compiled import fits
from satsweep.topology import SQUARE, topology_named
from tests.no_guess import every_layout, has_zero_start, needs_no_guess
from tests.strategies import layouts

METER = Budget().meter()
ORDERS = {
    "beginner": BoardSpec(9, 9, 10),
    "dense": BoardSpec(8, 8, 18, start=Cell(3, 3)),
    "single numbers": BoardSpec(9, 9, 13, solvable_by="basic"),
    "safe start": BoardSpec(6, 7, 6, start=Cell(2, 2), first=FirstClick.SAFE),
    "torus": BoardSpec(7, 9, 12, first=FirstClick.SAFE, topology=topology_named("torus")),
    "hexagonal": BoardSpec(8, 8, 15, topology=topology_named("hexagonal")),
    "knight": BoardSpec(6, 6, 5, start=Cell(2, 2), topology=topology_named("knight")),
    "planes": BoardSpec(12, 6, 4, topology=topology_named("square in 2 planes")),
    "by gem": BoardSpec(9, 9, 12, solvable_by="gem", beyond="basic"),
    "beyond": BoardSpec(9, 9, 12, beyond="subset"),
    "tiny": BoardSpec(3, 3, 2),
    "no mines": BoardSpec(2, 3, 0),
}
every_order = pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)


# --- one by one ------------------------------------------------------------------------------------------------------


def starts(layout: Layout) -> list[Cell]:
    cells = (Cell(row, col) for row in range(layout.rows) for col in range(layout.cols))
    return [cell for cell in cells if not layout.is_mine(cell)]


@cache
def small(rows: int, cols: int, mines: int, start: Cell) -> list[Layout]:
    return every_layout(rows, cols, mines, start)


@given(layouts(max_cells=12), st.data())
def test_the_exact_agent_clears_what_needs_no_guess(layout: Layout, data: st.DataObject) -> None:
    if not (free := starts(layout)):
        return
    start = data.draw(st.sampled_from(free))
    given_start = Layout(layout.cells, start=start, topology=layout.topology)
    every = every_layout(layout.rows, layout.cols, layout.mines, start, layout.topology)
    assert (unsolved(given_start, "sat") is None) is needs_no_guess(given_start, every)


@pytest.mark.parametrize("name", ["basic", "tank", "subset", "gem", "gem-full", "sat"])
def test_unsolved_is_where_the_agent_would_have_to_guess(name: str) -> None:
    solved = 0
    for game in range(30):
        layout, _ = drawn(BoardSpec(6, 6, 6), "stuck", game)
        board = unsolved(layout, name)
        played = play(layout, agent_named(name), GIVEN)
        if board is None:
            assert played.outcome is Outcome.CLEARED and not played.measures.guesses
            solved += 1
            continue
        assert played.measures.guesses
        assert not agent_named(name).deduce(board)
        for row, col in board:
            if board[row, col] == "F":
                assert layout.is_mine((row, col))
            elif not board.is_covered((row, col)):
                assert board.number((row, col)) == layout.number((row, col))
    assert 0 < solved < 30


def test_suits() -> None:
    """Of all layouts of 4x4 with three mines those, and no others, that the agents solve, or do not."""
    every = small(4, 4, 3, Cell(0, 0))
    exact = {layout for layout in every if suits(BoardSpec(4, 4, 3, first=FirstClick.SAFE), layout)}
    assert exact == {layout for layout in every if needs_no_guess(layout, every)}
    basic = {
        layout for layout in every if suits(BoardSpec(4, 4, 3, first=FirstClick.SAFE, solvable_by="basic"), layout)
    }
    beyond = {layout for layout in every if suits(BoardSpec(4, 4, 3, first=FirstClick.SAFE, beyond="basic"), layout)}
    assert basic < exact and beyond == exact - basic


# --- candidates ------------------------------------------------------------------------------------------------------


@every_order
def test_candidates_are_games_of_a_run(order: BoardSpec) -> None:
    """The layout after the first cell was opened under the same promise."""
    for number in range(5):
        layout, _ = drawn(order, "run", number)
        rng = game_rng("run", number)
        laid = random_layout(order.rows, order.cols, order.mines, rng, topology=order.topology)
        played = play(laid, agent_named("random"), order.rules, rng)
        assert layout.cells == played.layout.cells
        assert layout.start == order.start and layout.mines == order.mines and layout.topology == order.topology
        assert order.first is FirstClick.SAFE or has_zero_start(layout)


def test_without_a_start_nothing_moves() -> None:
    order = BoardSpec(4, 5, 20, start=None, no_guess=False)
    assert drawn(order, "any", 3)[0] == Layout(["*****"] * 4)
    order = BoardSpec(9, 9, 10, start=None, no_guess=False)
    assert drawn(order, "any", 3)[0] == random_layout(9, 9, 10, game_rng("any", 3))


# --- search and repair, twice ----------------------------------------------------------------------------------------


def searched(order: BoardSpec, run: str, most: int) -> CandidateLayout | None:
    found = first_suiting(order, run, range(most), METER, compiled=True)
    assert found == first_suiting(order, run, range(most), METER, compiled=False)
    return found


@every_order
def test_search_is_the_same_in_python(order: BoardSpec) -> None:
    found = [searched(order, f"search/{run}", 40) for run in range(6)]
    assert any(found)
    for candidate in found:
        if candidate is not None:
            assert candidate.layout.mines == order.mines and suits(order, candidate.layout)


def test_search_begins_where_it_should() -> None:
    order = ORDERS["beginner"]
    numbers = []
    at = 0
    while at < 60:
        found = first_suiting(order, "more", range(at, 60), METER, compiled=True)
        if found is None:
            break
        numbers.append(found.number)
        at = found.number + 1
    assert numbers == [number for number in range(60) if suits(order, drawn(order, "more", number)[0])]


def repaired(order: BoardSpec, run: str, changes: int) -> CandidateLayout | None:
    found = first_mended(order, run, range(3), changes, METER, compiled=True)
    assert found == first_mended(order, run, range(3), changes, METER, compiled=False)
    return found


@every_order
def test_repair_is_the_same_in_python(order: BoardSpec) -> None:
    found = [repaired(order, f"mend/{run}", 40) for run in range(6)]
    assert any(found)
    for candidate in found:
        if candidate is not None:
            assert candidate.layout.mines == order.mines and suits(order, candidate.layout)
            fixed = {divmod(cell, order.cols) for cell in order.fixed}
            assert not any(map(candidate.layout.is_mine, fixed))
            assert candidate.layout.start == order.start


def test_repair_changes_something() -> None:
    order = ORDERS["dense"]
    tried = [found.changes for run in range(12) if (found := repaired(order, f"hard/{run}", 300))]
    assert len(tried) == 12 and sum(change > 3 for change in tried) >= 3


def test_repair_of_what_needs_none() -> None:
    order = ORDERS["no mines"]
    assert repaired(order, "none", 1) == CandidateLayout(Layout(["...", "..."], start=(0, 0)), 0)


def test_only_one_layout_will_do() -> None:
    """In a row of five the two mines have to be the last two cells: else nobody knows where the second one is."""
    for found in (searched(BoardSpec(1, 5, 2), "row", 50), repaired(BoardSpec(1, 5, 2), "row", 50)):
        assert found is not None and found.layout == Layout(["...**"], start=(0, 0))


def test_repair_gives_up() -> None:
    """All cells of a square touch each other, so nothing tells where its only mine is."""
    hopeless = BoardSpec(2, 2, 1, first=FirstClick.SAFE)
    assert searched(hopeless, "square", 50) is None
    assert repaired(hopeless, "square", 20) is None


def test_repair_tries_no_more_than_it_may() -> None:
    order = BoardSpec(1, 5, 2)
    stuck = Layout(["..*.*"], start=(0, 0))
    assert mended(order, stuck, game_rng("few", 0), 0, METER) is None
    tried = [found.changes for seed in range(20) if (found := mended(order, stuck, game_rng("few", seed), 3, METER))]
    assert tried and set(tried) <= {1, 2, 3}


def test_the_budget_ends_it() -> None:
    meter = Budget(seconds=0).meter()
    for compiled in (True, False):
        with pytest.raises(BudgetExceeded):
            first_suiting(ORDERS["dense"], "late", range(1000), meter, compiled=compiled)
        with pytest.raises(BudgetExceeded):
            first_mended(BoardSpec(2, 2, 1, first=FirstClick.SAFE), "late", range(9), 100, meter, compiled=compiled)


def test_the_budget_ends_a_single_game() -> None:
    """A game on a large board may take longer than there is time."""
    layout, _ = drawn(ORDERS["dense"], "game", 0)
    for name in ("basic", "sat"):
        with pytest.raises(BudgetExceeded):
            unsolved(layout, name, Budget(seconds=0).meter())
        assert unsolved(layout, name, Budget(seconds=60).meter()) == unsolved(layout, name)


def test_what_the_kernels_have_no_room_for() -> None:
    assert fits(100 * 100, SQUARE) and not fits(200 * 60, SQUARE)
    wide = "offsets " + " ".join(f"{row},{col}" for row in range(3) for col in range(-2, 4) if (row, col) > (0, 0))
    order = BoardSpec(6, 8, 4, topology=topology_named(wide))
    assert not fits(order.cells, order.topology)
    with_room = first_suiting(replace(order, mines=1), "wide", range(5), METER, compiled=False)
    assert with_room is not None and suits(replace(order, mines=1), with_room.layout)


def test_what_is_beyond_the_kernels_python_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate that the kernels give up is looked at by itself, and the search goes on after it."""
    from satsweep.kernels import api as kernels

    asked: list[range] = []

    def beyond(
        table: object, mines: int, seed: str, candidates: range, start: int, **kind: object
    ) -> kernels.FoundLayout:
        import numpy as np

        asked.append(candidates)
        return kernels.FoundLayout(candidates.start, "beyond", np.zeros(81, np.int8))

    monkeypatch.setattr(kernels, "find_no_guess", beyond)

    def mended_in_30(
        spec: BoardSpec, run: str, candidates: range, meter: Meter, *, compiled: bool
    ) -> CandidateLayout | None:
        return first_mended(spec, run, candidates, 30, meter, compiled=compiled)

    for run in ("given up", "given up again"):
        for finder in (first_suiting, mended_in_30):
            asked.clear()
            found = finder(ORDERS["beginner"], run, range(20), METER, compiled=True)
            count = len(asked)
            assert found == finder(ORDERS["beginner"], run, range(20), METER, compiled=False)
            assert found is not None and count == found.number + 1
