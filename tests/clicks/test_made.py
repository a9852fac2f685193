"""Clicks of a game: counts, the 3BV solved by each, and clicks that were not needed."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from satsweep import Layout, Record, Rules, fewest_clicks, play, random_layout
from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.clicks import game_clicks
from satsweep.clicks.path import Click, ClickKind, played
from satsweep.clues import clues_named
from satsweep.formats.clicks import ClickedGame
from satsweep.games.rules import Goal
from satsweep.generator.walkthrough import board_numbers
from tests.formats.replay_files import evf_replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from satsweep.clicks.made import GameClicks


def counted(record: Record) -> GameClicks:
    found = game_clicks(record)
    assert found is not None
    return found


def is_won(layout: Layout, clicks: Sequence[Click]) -> bool:
    outcome = played(layout, clicks).game.outcome
    return outcome is not None and outcome.won


def needed(layout: Layout, clicks: Sequence[Click], useful: Sequence[bool]) -> list[bool]:
    """The same by a game of its own for each click that is left out."""
    kept = list(range(len(clicks)))
    for place in sorted(kept, key=useful.__getitem__):
        if is_won(layout, [clicks[other] for other in kept if other != place]):
            kept.remove(place)
    return [place in kept for place in range(len(clicks))]


def solved(layout: Layout, shown: set[int]) -> int:
    """3BV that is open, by connected components."""
    table = layout.topology.neighbours(layout.rows, layout.cols)
    numbers = [layout.number(layout.cell(index)) for index in range(len(table))]
    openings: list[set[int]] = []
    for cell in (cell for cell, number in enumerate(numbers) if number == 0):
        touched = [opening for opening in openings if not opening.isdisjoint(table[cell])]
        openings = [*(opening for opening in openings if opening not in touched), {cell}.union(*touched)]
    empty = set().union(*openings)
    lonely = {cell for cell, number in enumerate(numbers) if number and empty.isdisjoint(table[cell])}
    return len(lonely & shown) + sum(not opening.isdisjoint(shown) for opening in openings)


def random_game(seed: int) -> ClickedGame:
    """A game of clicks at random, which is won in the end if no chord has opened a mine."""
    rng = Random(seed)
    rows, cols = rng.randint(2, 5), rng.randint(2, 6)
    layout = random_layout(rows, cols, rng.randint(1, rows * cols // 3), rng)
    game = ClickedGame(layout)
    cells = [Cell(row, col) for row in range(rows) for col in range(cols)]
    for _ in range(rng.randint(0, 60)):
        cell = rng.choice(cells)
        action = rng.choice(("open", "flag", "flag", "chord", "chord"))
        if action == "flag" and (rng.random() < 0.8) is layout.is_mine(cell):
            game.toggle(cell)
        elif action == "chord":
            game.chord(cell)
        elif not layout.is_mine(cell):
            game.open(cell)
    for cell in rng.sample(cells, len(cells)):
        if not layout.is_mine(cell):
            game.unflag(cell)
            game.open(cell)
    return game


@given(st.integers(0, 10**6))
def test_clicks_of_random_games(seed: int) -> None:
    game = random_game(seed)
    record = game.record()
    found = counted(record)
    clicks = [Click(click.kind, click.cell) for click in found.clicks]
    again = played(record.layout, clicks).record()
    assert [move[:3] for move in again.moves] == [move[:3] for move in record.moves]
    assert found.made == len({move.turn for move in record.moves}) == len(found.clicks)
    shown: set[int] = set()
    for click, move in zip(found.by_move, record.moves, strict=True):
        shown.update(record.layout.index(cell) for cell, number in move.revealed if number is not None)
        assert click is not None and click.number == move.turn
        if click is not found.by_move[-1] and click.kind is not ClickKind.CHORD:
            assert click.solved == solved(record.layout, shown)
    assert found.solved == solved(record.layout, shown)
    assert found.bv == board_numbers(record.layout).bv
    if record.won:
        assert found.solved == found.bv
        useful = [after > before for before, after in pairwise([0, *(click.solved for click in found.clicks)])]
        assert [click.is_needed for click in found.clicks] == needed(record.layout, clicks, useful)
        assert is_won(record.layout, [click for click, own in zip(clicks, found.clicks, strict=True) if own.is_needed])
        assert found.made - len(found.not_needed) >= fewest_clicks(record.layout, ()).upper
    else:
        assert found.not_needed == ()


def test_an_agent_clicks_once_for_each_move() -> None:
    layout = random_layout("beginner", seed=2)
    record = play(layout, agent_named("sat"), Rules(), Random(1), name="sat")
    found = counted(record)
    assert record.won and found.made == len(record.moves)
    flags = [click for click in found.clicks if click.kind is ClickKind.FLAG]
    assert flags and all(click in found.not_needed for click in flags)
    assert found.counts[ClickKind.DIG] + len(flags) == found.made and found.start is None
    given_start = play(layout, agent_named("sat"), Rules(start=Cell(0, 0)), Random(1), name="sat")
    assert counted(given_start).start == Cell(0, 0)
    assert counted(given_start).clicks[0][:4] == (1, ClickKind.DIG, Cell(0, 0), 1)
    on_a_border = play(Layout(("...*",)), agent_named("sat"), Rules(start=Cell(0, 2)), Random(1))
    assert [(click.solved, click.is_needed) for click in counted(on_a_border).clicks] == [(0, True), (1, True)]


def test_fewest_clicks_are_all_needed() -> None:
    for seed in range(20):
        best = fewest_clicks(random_layout("beginner", seed=seed), ())
        found = counted(best.record())
        assert (found.made, found.counts, found.not_needed) == (best.upper, best.counts, ())
        assert found.throughput == best.efficiency and found.solved == found.bv == best.bv


def test_a_flag_on_a_safe_cell_and_all_it_costs() -> None:
    """The opening stops at the flag: the flag, its removal and the dig of the cell are not needed."""
    layout = Layout(("...", "...", "..*"))
    (flag, dig, unflag, again) = clicks = [
        Click(ClickKind.FLAG, Cell(0, 0)),
        Click(ClickKind.DIG, Cell(0, 1)),
        Click(ClickKind.UNFLAG, Cell(0, 0)),
        Click(ClickKind.DIG, Cell(0, 0)),
    ]
    found = counted(played(layout, clicks).record())
    assert [click.kind for click in found.not_needed] == [flag.kind, unflag.kind, again.kind]
    assert [click.solved for click in found.clicks] == [0, 1, 1, 1] and dig.cell == found.clicks[1].cell


def test_games_without_3bv_have_none() -> None:
    layout = Layout(("..*", "...", "..."))
    for rules in (Rules(cascade=False), Rules(goal=Goal.FIND), Rules(clues=clues_named("random 1/2"))):
        assert game_clicks(play(layout, agent_named("sat"), rules, Random(1))) is None
    went_on = play(Layout((".*.*.*",)), agent_named("sat"), Rules(fatal=False), Random(1))
    assert went_on.measures.mines_hit and counted(went_on).not_needed == ()


@pytest.mark.parametrize("version", [0, 3, 4])
def test_3bv_solved_is_that_of_ms_toollib(version: int) -> None:
    record, video = evf_replay(version)
    for move, click in zip(record.moves, counted(record).by_move, strict=True):
        assert move.time is not None and click is not None
        video.current_time = move.time
        assert (click.number, click.solved) == (video.ce, video.bbbv_solved), move
