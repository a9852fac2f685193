"""What the mine total forces, found by CP-SAT without counting, against brute force with the total."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweep.components import Component
from satsweep.errors import Contradiction
from satsweep.totals import forced_by_total
from tests.placements import frontier_worlds
from tests.strategies import components
from tests.test_propagate import on_cells


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
