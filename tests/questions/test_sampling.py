"""Random worlds: each has its probability exactly, over every choice that can be drawn."""

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import scipy
from hypothesis import given, strategies as st

from satsweep import Board, BudgetExceeded, Cell, Layout, analyse, random_world
from satsweep.questions import sampling
from satsweep.solver.budget import Budget
from tests import brute_force as oracle, strategies
from tests.every_choice import EveryChoice
from tests.questions.test_witness import mined, seen
from tests.solver.test_corpora import corpus


def distribution(board: Board, assumptions: dict[tuple[int, int], bool]) -> dict[frozenset[Cell], Fraction]:
    """The probability of each world that can be drawn; none where there is no world."""
    found: dict[frozenset[Cell], Fraction] = {}
    for rng in EveryChoice.ways():
        world = random_world(board, assumptions, rng)
        if world is None:
            return {}
        assert world.topology == board.topology
        found[mined(world)] = found.get(mined(world), Fraction(0)) + rng.chance
    return found


def check_probabilities(board: Board, assumptions: dict[tuple[int, int], bool]) -> None:
    """Check that each world is drawn with its probability, by brute force."""
    known, p = frozenset(oracle.cells_showing(board, "*")), Fraction(1, 2) if board.density is None else board.density
    covered = len(oracle.covered_cells(board))
    weights: dict[frozenset[Cell], Fraction] = {}
    for mines, weight in oracle.worlds(board).items():
        if all(mine == (cell in mines | known) for cell, mine in assumptions.items()):
            on_board = mines.intersection(board) | known
            own = weight * p ** len(mines) * (1 - p) ** (covered - len(mines))
            weights[on_board] = weights.get(on_board, Fraction(0)) + own
    whole = sum(weights.values())
    expected = {mines: weight / whole for mines, weight in weights.items() if weight}
    assert distribution(board, assumptions) == expected


@given(st.data())
def test_every_world_has_its_probability(data: st.DataObject) -> None:
    kinds = [strategies.boards(7), strategies.unreliable_boards(6), strategies.arbitrary_boards(max_cells=6)]
    kinds.append(strategies.parts(7))
    board = data.draw(st.one_of(*kinds))
    places: list[tuple[int, int]] = list(board)
    assumptions = data.draw(st.dictionaries(st.sampled_from(places), st.booleans(), max_size=2))
    check_probabilities(board, assumptions)


def test_components_share_the_mines() -> None:
    """Three components of one mine or two, so that the mines of one depend on the ways of the others."""
    board = Board("mines 4\n#1#1#?#1#1#?#1#1#")
    check_probabilities(board, {})
    check_probabilities(board, {(0, 8): False})


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any))
def test_a_place_is_drawn_by_its_weight(weights: list[int]) -> None:
    class Given(Random):
        def randrange(self, *limits: Any) -> int:
            assert limits == (sum(weights),)
            return self.value

        value = 0

    found: Counter[int] = Counter()
    rng = Given()
    for rng.value in range(sum(weights)):
        found[sampling._drawn(weights, rng)] += 1
    assert [found[place] for place in range(len(weights))] == weights


@pytest.mark.parametrize(
    "text", ["mines 4\n##1#\n##21\n####", "mines 3\n#####\n#2#1#\n#####", "mines 3\n1###\n####\n##1#"]
)
def test_draws_are_uniform(text: str) -> None:
    """A chi-square test against all worlds."""
    board, rng = Board(text), Random(1)
    worlds = oracle.worlds(board)
    drawn = Counter(mined(random_world(board, rng=rng) or pytest.fail("no world")) for _ in range(12 * len(worlds)))
    assert drawn.keys() == worlds.keys()
    assert scipy.stats.chisquare(list(drawn.values())).pvalue > 0.001


def test_large_boards() -> None:
    """Worlds agree with the board, and their mean with the risks, within five deviations."""
    for board in list(corpus("positions_expert").values())[::300]:
        analysis, rng = analyse(board), Random(2)
        times: Counter[Cell] = Counter()
        for _ in range(100):
            world = random_world(board, rng=rng)
            assert world is not None and world.mines == board.mines
            assert seen(world, board).cells == tuple(row.replace("F", "#") for row in board.cells)
            times.update(mined(world))
        for cell in oracle.cells_showing(board, "#F"):
            risk = float(analysis.risk(cell))
            assert abs(times[cell] - 100 * risk) <= 5 * (100 * risk * (1 - risk)) ** 0.5


def test_a_world_depends_on_the_generator_alone() -> None:
    board = Board("mines 4\n##1#\n##21\n####")
    worlds = [random_world(board, {(0, 0): True}, Random(seed)) for seed in (1, 1, 2, 3, 4)]
    assert worlds[0] == worlds[1] and len(set(worlds)) > 1
    assert all(world is not None and world.is_mine((0, 0)) for world in worlds)


def test_what_cannot_be_drawn() -> None:
    assert random_world("mines 2\n1#\n##", {(0, 0): True}) is None
    assert random_world("mines 2\n1#\n##") is None
    assert random_world("mines 1\n*#") == Layout(("*.",))
    with pytest.raises(BudgetExceeded):
        random_world(next(iter(corpus("positions_hard").values())), budget=Budget(states=1))
    with pytest.raises(TypeError, match=r"expected a random.Random, found 5"):
        random_world("mines 1\n##", rng=5)  # type: ignore[arg-type]
