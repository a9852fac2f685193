"""Boards that need no guess: agents that clear them, and search, compiled and not."""

from __future__ import annotations

from collections.abc import Callable
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
from satsweep.generator.walkthrough import GIVEN_START_RULES
from satsweep.layout import Layout
from satsweep.solver.budget import Budget, Meter
from satsweep.solver.compiled import fits
from satsweep.topology import SQUARE, topology_named
from tests.no_guess import every_layout, has_zero_start, needs_no_guess
from tests.strategies import layouts

METER = Budget().meter()
SPECS = {
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
every_spec = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)


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
def test_unsolved_is_where_the_agent_would_guess(name: str) -> None:
    solved = 0
    for game in range(30):
        layout, _ = drawn(BoardSpec(6, 6, 6), "stuck", game)
        board = unsolved(layout, name)
        played = play(layout, agent_named(name), GIVEN_START_RULES)
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


@pytest.mark.extended
def test_suits() -> None:
    """``suits`` finds exactly the 4x4 layouts that agents solve, or do not."""
    every = small(4, 4, 3, Cell(0, 0))
    exact = {layout for layout in every if suits(BoardSpec(4, 4, 3, first=FirstClick.SAFE), layout)}
    assert exact == {layout for layout in every if needs_no_guess(layout, every)}
    basic = {
        layout for layout in every if suits(BoardSpec(4, 4, 3, first=FirstClick.SAFE, solvable_by="basic"), layout)
    }
    beyond = {layout for layout in every if suits(BoardSpec(4, 4, 3, first=FirstClick.SAFE, beyond="basic"), layout)}
    assert basic < exact and beyond == exact - basic


# --- candidates ------------------------------------------------------------------------------------------------------


@every_spec
def test_candidates_are_games_of_a_run(spec: BoardSpec) -> None:
    """The layout after the first cell was opened under the same promise."""
    for number in range(5):
        layout, _ = drawn(spec, "run", number)
        rng = game_rng("run", number)
        laid = random_layout(spec.rows, spec.cols, spec.mines, rng, topology=spec.topology)
        played = play(laid, agent_named("random"), spec.rules, rng)
        assert layout.cells == played.layout.cells
        assert layout.start == spec.start and layout.mines == spec.mines and layout.topology == spec.topology
        assert spec.first is FirstClick.SAFE or has_zero_start(layout)


def test_without_a_start_nothing_moves() -> None:
    spec = BoardSpec(4, 5, 20, start=None, no_guess=False)
    assert drawn(spec, "any", 3)[0] == Layout(["*****"] * 4)
    spec = BoardSpec(9, 9, 10, start=None, no_guess=False)
    assert drawn(spec, "any", 3)[0] == random_layout(9, 9, 10, game_rng("any", 3))


# --- search and repair, compiled and in Python -----------------------------------------------------------------------


def searched(spec: BoardSpec, run: str, most: int) -> CandidateLayout | None:
    found = first_suiting(spec, run, range(most), METER, compiled=True)
    assert found == first_suiting(spec, run, range(most), METER, compiled=False)
    return found


@pytest.mark.extended
def test_search_begins_where_it_should() -> None:
    spec = SPECS["beginner"]
    numbers = []
    at = 0
    while at < 60:
        found = first_suiting(spec, "more", range(at, 60), METER, compiled=True)
        if found is None:
            break
        numbers.append(found.number)
        at = found.number + 1
    assert numbers == [number for number in range(60) if suits(spec, drawn(spec, "more", number)[0])]


def repaired(spec: BoardSpec, run: str, changes: int) -> CandidateLayout | None:
    found = first_mended(spec, run, range(3), changes, METER, compiled=True)
    assert found == first_mended(spec, run, range(3), changes, METER, compiled=False)
    return found


@pytest.mark.extended
@pytest.mark.parametrize(("find", "run"), [(searched, "search"), (repaired, "mend")])
@every_spec
def test_what_is_found_is_the_same_in_python(
    spec: BoardSpec, find: Callable[[BoardSpec, str, int], CandidateLayout | None], run: str
) -> None:
    found = [one for number in range(6) if (one := find(spec, f"{run}/{number}", 40))]
    assert found
    fixed = [divmod(cell, spec.cols) for cell in spec.fixed]
    for candidate in found:
        layout = candidate.layout
        assert layout.mines == spec.mines and layout.start == spec.start and suits(spec, layout)
        assert not any(map(layout.is_mine, fixed))


@pytest.mark.extended
def test_repair_changes_something() -> None:
    spec = SPECS["dense"]
    tried = [found.changes for run in range(12) if (found := repaired(spec, f"hard/{run}", 300))]
    assert len(tried) == 12 and sum(change > 3 for change in tried) >= 3


@pytest.mark.extended
def test_only_one_layout_will_do() -> None:
    """In a row of five the two mines must be the last two cells: no other is solvable."""
    for found in (searched(BoardSpec(1, 5, 2), "row", 50), repaired(BoardSpec(1, 5, 2), "row", 50)):
        assert found is not None and found.layout == Layout(["...**"], start=(0, 0))


@pytest.mark.extended
def test_repair_gives_up() -> None:
    """All cells of a square touch each other, so nothing tells where its only mine is."""
    hopeless = BoardSpec(2, 2, 1, first=FirstClick.SAFE)
    assert searched(hopeless, "square", 50) is None
    assert repaired(hopeless, "square", 20) is None


def test_repair_tries_no_more_than_it_may() -> None:
    spec = BoardSpec(1, 5, 2)
    stuck = Layout(["..*.*"], start=(0, 0))
    assert mended(spec, stuck, game_rng("few", 0), 0, METER) is None
    tried = [found.changes for seed in range(20) if (found := mended(spec, stuck, game_rng("few", seed), 3, METER))]
    assert tried and set(tried) <= {1, 2, 3}


def test_the_budget_ends_it() -> None:
    meter = Budget(seconds=0).meter()
    for compiled in (True, False):
        with pytest.raises(BudgetExceeded):
            first_suiting(SPECS["dense"], "late", range(1000), meter, compiled=compiled)
        with pytest.raises(BudgetExceeded):
            first_mended(BoardSpec(2, 2, 1, first=FirstClick.SAFE), "late", range(9), 100, meter, compiled=compiled)


def test_the_budget_ends_a_single_game() -> None:
    """A game on a large board may take longer than there is time."""
    layout, _ = drawn(SPECS["dense"], "game", 0)
    for name in ("basic", "sat"):
        with pytest.raises(BudgetExceeded):
            unsolved(layout, name, Budget(seconds=0).meter())
        assert unsolved(layout, name, Budget(seconds=60).meter()) == unsolved(layout, name)


def test_boards_that_do_not_fit_the_kernels() -> None:
    assert fits(100 * 100, SQUARE) and not fits(200 * 60, SQUARE)
    wide = "offsets " + " ".join(f"{row},{col}" for row in range(3) for col in range(-2, 4) if (row, col) > (0, 0))
    spec = BoardSpec(6, 8, 4, topology=topology_named(wide))
    assert not fits(spec.cells, spec.topology)
    with_room = first_suiting(replace(spec, mines=1), "wide", range(5), METER, compiled=False)
    assert with_room is not None and suits(replace(spec, mines=1), with_room.layout)


def test_python_decides_candidates_beyond_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python examines a candidate that the kernels give up; then the search goes on."""
    from satsweep.solver import compiled

    asked: list[range] = []

    def beyond(
        table: object, mines: int, seed: str, candidates: range, start: int, **kind: object
    ) -> compiled.FoundLayout:
        import numpy as np

        asked.append(candidates)
        return compiled.FoundLayout(candidates.start, "beyond", np.zeros(81, np.int8))

    monkeypatch.setattr(compiled, "find_no_guess", beyond)
    spec = SPECS["beginner"]

    def mended_in_30(
        spec: BoardSpec, run: str, candidates: range, meter: Meter, *, compiled: bool
    ) -> CandidateLayout | None:
        return first_mended(spec, run, candidates, 30, meter, compiled=compiled)

    for run in ("given up", "given up again"):
        for finder in (first_suiting, mended_in_30):
            asked.clear()
            found = finder(spec, run, range(20), METER, compiled=True)
            count = len(asked)
            assert found == finder(spec, run, range(20), METER, compiled=False)
            assert found is not None and count == found.number + 1
