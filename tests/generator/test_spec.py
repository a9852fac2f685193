"""Specifications: valid ones, and those that are impossible at once."""

import math
from fractions import Fraction
from itertools import product

import pytest

from satsweep.board import Cell
from satsweep.errors import BoardError, ImpossibleSpec
from satsweep.games.rules import FirstClick
from satsweep.generator.spec import WEAKER_AGENTS, BoardSpec, GenerationMethod
from satsweep.topology import TORUS
from tests.no_guess import every_layout, has_zero_start


@pytest.mark.parametrize("start", [(0, 0), (1, 1), (0, 2)])
@pytest.mark.parametrize("topology", ["square", "torus", "hexagonal", "knight"])
def test_layouts_are_counted(start: tuple[int, int], topology: str) -> None:
    from satsweep.topology import topology_named

    kind = topology_named(topology)
    every = every_layout(3, 4, 3, start, kind)
    safe = BoardSpec(3, 4, 3, start=Cell(*start), first=FirstClick.SAFE, topology=kind)
    assert safe.layouts == len(every)
    assert safe.fixed == {start[0] * 4 + start[1]}
    free = [layout for layout in every if has_zero_start(layout)]
    if len(free) or kind != TORUS:
        zero = BoardSpec(3, 4, 3, start=Cell(*start), topology=kind)
        assert zero.layouts == len(free)
        assert zero.free == zero.cells - len(zero.fixed)


def test_mines_need_room() -> None:
    assert BoardSpec(3, 3, 5).layouts == 1
    with pytest.raises(ImpossibleSpec, match="no 3x3 board has 6 mines and a start at 0,0 without a mine around it"):
        BoardSpec(3, 3, 6)
    assert BoardSpec(3, 3, 8, first=FirstClick.SAFE).layouts == 1
    with pytest.raises(ImpossibleSpec, match="9 mines and a start at 0,0 without a mine in it"):
        BoardSpec(3, 3, 9, first=FirstClick.SAFE)
    assert BoardSpec(3, 3, 9, start=None, no_guess=False).layouts == 1


@pytest.mark.parametrize(
    "arguments",
    [(0, 4, 1), (4, 4, 17), (4, 4, -1), (4, 4, 1, Cell(4, 0)), (2000, 2000, 5)],
)
def test_sizes_that_no_board_has(arguments: tuple[int, int, int]) -> None:
    with pytest.raises(BoardError):
        BoardSpec(*arguments)


def test_only_agents_that_deduce() -> None:
    for wrong in ({"solvable_by": "random"}, {"beyond": "dfs"}, {"first": FirstClick.ANY}, {"start": None}):
        with pytest.raises(ValueError, match="expected a"):
            BoardSpec(4, 4, 3, **wrong)


def test_contradictory_specifications() -> None:
    """No board is beyond sat, beyond its solver, or beyond an agent that includes it."""
    for agent in (*WEAKER_AGENTS, "sat"):
        with pytest.raises(ImpossibleSpec, match="beyond sat"):
            BoardSpec(9, 9, 10, solvable_by=agent, beyond="sat")
        with pytest.raises(ImpossibleSpec, match="beyond"):
            BoardSpec(9, 9, 10, solvable_by=agent, beyond=agent)
    refused = set()
    for solvable, beyond in product(WEAKER_AGENTS, WEAKER_AGENTS):
        try:
            BoardSpec(9, 9, 10, solvable_by=solvable, beyond=beyond)
        except ImpossibleSpec:
            refused.add((solvable, beyond))
    weaker = (
        {("basic", other) for other in WEAKER_AGENTS} | {("gem", "gem-full")} | {(name, name) for name in WEAKER_AGENTS}
    )
    assert refused == weaker


def test_methods() -> None:
    assert [
        method.uniform for method in (GenerationMethod.RANDOM, GenerationMethod.REJECTION, GenerationMethod.REPAIR)
    ] == [True, True, False]


def test_orders_of_few_clicks() -> None:
    spec = BoardSpec(4, 4, 3, clicks=5, efficiency=1.1)
    assert (spec.clicks, spec.efficiency, spec.limits_clicks) == (5, Fraction(11, 10), True)
    assert (spec.most_clicks(5), spec.most_clicks(11), spec.most_clicks(4)) == (4, 5, 3)
    assert BoardSpec(4, 4, 3, clicks=5).most_clicks(3) == 5, "a first dig may be one too many"
    assert not BoardSpec(4, 4, 3).limits_clicks
    assert repr(spec) == "<BoardSpec 4x4/3 from 0,0: cleared by sat, at most 5 clicks, efficiency at least 1.10>"
    for wrong in ({"clicks": 0}, {"efficiency": 0}, {"efficiency": math.nan}, {"efficiency": math.inf}):
        with pytest.raises(ValueError, match="expected"):
            BoardSpec(4, 4, 3, **wrong)
    for kind in ({"clicks": 1.5}, {"efficiency": "much"}):
        with pytest.raises(TypeError, match="expected"):
            BoardSpec(4, 4, 3, **kind)
