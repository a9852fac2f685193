"""Cells that the mine total forces, found by CP-SAT, against brute force."""

import pytest
from hypothesis import given, settings, strategies as st

from satsweep.board import Board
from satsweep.errors import Contradiction
from satsweep.solver.components import Component
from satsweep.solver.constraints import frontier
from satsweep.solver.forced_by_total import forced_by_total, has_slack
from tests.placements import frontier_worlds
from tests.solver.test_propagate import on_cells
from tests.strategies import components


@settings(max_examples=40)
@given(components(max_cells=8), st.integers(0, 3), st.data())
def test_forced_by_the_total(component: Component, sea: int, data: st.DataObject) -> None:
    frontier = on_cells(component, sea)
    total = data.draw(st.integers(0, sum(component.sizes) + sea))
    worlds = [world for world in frontier_worlds(frontier) if len(world) == total]
    if not worlds:
        with pytest.raises(Contradiction):
            forced_by_total(frontier, total)
        return
    found, sea_is_mine = forced_by_total(frontier, total)
    for number, group in enumerate(frontier.groups):
        assert (number in found.safe) == (not any(set(group) & world for world in worlds))
        assert (number in found.mines) == all(set(group) <= world for world in worlds)
    if frontier.sea and all(set(frontier.sea) <= world for world in worlds):
        assert sea_is_mine is True
    elif frontier.sea and not any(set(frontier.sea) & world for world in worlds):
        assert sea_is_mine is False
    else:
        assert sea_is_mine is None


@pytest.mark.extended
@settings(max_examples=40)
@given(components(max_cells=8), st.integers(0, 8), st.data())
def test_where_there_is_slack_the_total_forces_nothing(component: Component, sea: int, data: st.DataObject) -> None:
    """Groups keep every count that the constraints alone allow.

    The sea is neither all safe nor all mines.
    """
    frontier = on_cells(component, sea)
    total = data.draw(st.integers(0, sum(component.sizes) + sea))
    worlds = frontier_worlds(frontier)
    if not worlds or not has_slack(frontier, total):
        return
    fitting = [world for world in worlds if len(world) == total]
    for cell in (cell for group in frontier.groups for cell in group):
        assert {cell in world for world in fitting} == {cell in world for world in worlds}
    for cell in frontier.sea:
        assert {cell in world for world in fitting} == {True, False}


def test_slack() -> None:
    """Two numbers that need three mines, beside a sea of six.

    The sea takes any of the rest but one that fills or empties it.
    """
    scene = frontier(Board(("#2##1########",)))
    assert [has_slack(scene, mines) for mines in range(12)] == [False] * 4 + [True] * 6 + [False] * 2
