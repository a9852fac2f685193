"""The cheap rules keep the set of worlds, and their certain cells are certain."""

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Board
from satsweep.errors import Contradiction
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint, Frontier, exactly, frontier
from satsweep.solver.propagate import Settled, propagate, settle
from tests import strategies
from tests.placements import frontier_worlds


def on_cells(component: Component, sea: int = 1) -> Frontier:
    """A component with its groups laid out on cells 0, 1, 2, ... and then a sea."""
    cells = iter(range(sum(component.sizes) + sea))
    groups = tuple(tuple(next(cells) for _ in range(size)) for size in component.sizes)
    return Frontier(groups, component.constraints, tuple(cells), weight=3)


def all_cells(frontier: Frontier) -> set[int]:
    return {cell for group in frontier.groups for cell in group} | set(frontier.sea)


def check_settled(before: dict[frozenset[int], int], start: Frontier, settled: Settled) -> None:
    """The worlds before are those of what is left, with the certain mines added.

    They agree weight for weight.
    """
    safe, mines, left = set(settled.safe), set(settled.mines), all_cells(settled.frontier)
    assert safe | mines | left == all_cells(start)
    assert len(safe) + len(mines) + len(left) == len(all_cells(start)), "no cell in two places"
    assert list(settled.safe) == sorted(safe) and list(settled.mines) == sorted(mines)
    after = frontier_worlds(settled.frontier)
    assert {world | mines: weight for world, weight in after.items()} == before


@given(st.one_of(strategies.components(max_cells=9), strategies.components(max_cells=9, exact=True)))
def test_propagation_keeps_the_worlds(component: Component) -> None:
    start = on_cells(component)
    before = frontier_worlds(start)
    try:
        settled = propagate(start)
    except Contradiction:
        assert before == {}
    else:
        check_settled(before, start, settled)
        assert propagate(settled.frontier) == Settled((), (), settled.frontier), "a fixed point"


@given(strategies.components(max_cells=9), st.data())
def test_settling_takes_the_worlds_that_agree(component: Component, data: st.DataObject) -> None:
    start = on_cells(component)
    groups = st.sets(st.sampled_from(range(len(component.sizes))), max_size=2)
    safe = data.draw(groups)
    mines = data.draw(groups) - safe
    blown = {cell for group in mines for cell in start.groups[group]}
    spared = {cell for group in safe for cell in start.groups[group]}
    before = {
        world: weight for world, weight in frontier_worlds(start).items() if blown <= world and not spared & world
    }
    try:
        settled = settle(start, safe, mines)
    except Contradiction:
        assert before == {}
    else:
        assert spared <= set(settled.safe) and blown <= set(settled.mines)
        check_settled(before, start, settled)


def test_a_group_cannot_be_both() -> None:
    with pytest.raises(Contradiction):
        settle(on_cells(Component((1,), (Constraint((0,), (1, 1)),))), safe=[0], mines=[0])


@given(strategies.boards(max_covered=10))
def test_propagation_of_boards(board: Board) -> None:
    start = frontier(board)
    check_settled(frontier_worlds(start), start, propagate(start))


# What each rule is for.


@pytest.mark.parametrize(
    ("rows", "safe", "mines"),
    [
        (("###", ".1#"), (0, 1), ()),  # no mine at all
        (("##", "3*"), (), (0, 1)),  # all of them, the known mine taken off
        (("####", "1221"), (0, 3), (1, 2)),  # the 1-2-2-1 of every guide to the game
        (("###", "121"), (1,), (0, 2)),  # and the 1-2-1
        (("####", "1111"), (1, 2), (0, 3)),  # subset from both ends
    ],
)
def test_boards_by_hand(rows: tuple[str, ...], safe: tuple[int, ...], mines: tuple[int, ...]) -> None:
    settled = propagate(frontier(Board(rows)))
    assert (settled.safe, settled.mines) == (safe, mines)


def bounded(sizes: tuple[int, ...], *ranges: tuple[tuple[int, ...], tuple[int, ...]]) -> Component:
    """A component of groups of these sizes, and the likelihoods of the mines among some of them."""
    return Component(sizes, tuple(Constraint(groups, likelihood) for groups, likelihood in ranges))


@pytest.mark.parametrize(
    ("component", "safe", "mines"),
    [
        # Single points.
        (bounded((2, 1), ((0,), exactly(0)), ((1,), exactly(1))), (0, 1), (2,)),
        # Subset: one mine among 0 1, and one among 0 1 2, so 2 is safe.
        (bounded((2, 1), ((0,), exactly(1)), ((0, 1), exactly(1))), (2,), ()),
        # Difference, the 1-2 pattern: two among b c d and one among a b c leave d a mine, one among b c, and a safe.
        (bounded((1, 2, 1), ((0, 1), exactly(1)), ((1, 2), exactly(2))), (0,), (3,)),
        # It needs all of them: two among b c c' against one among a b leave one of c c' a mine, but not both.
        (bounded((1, 1, 2), ((0, 1), exactly(1)), ((1, 2), exactly(2))), (), ()),
        # Between bounds: at most one among a b b', at least two among b b' c.
        (bounded((1, 2, 1), ((0, 1), (1, 1)), ((1, 2), (0, 0, 1, 1))), (0,), (3,)),
    ],
)
def test_groups_by_hand(component: Component, safe: tuple[int, ...], mines: tuple[int, ...]) -> None:
    start = on_cells(component)
    settled = propagate(start)
    assert (settled.safe, settled.mines) == (safe, mines)
    check_settled(frontier_worlds(start), start, settled)


def test_subset_splits_what_hangs_together() -> None:
    """One among 0 1 and two among 0 1 2 3 make one among 2 3.

    This has nothing to do with 0 1 any more.
    """
    pairs = (Constraint((0,), exactly(1)), Constraint((0, 1), exactly(2)))
    settled = propagate(on_cells(Component((2, 2), pairs)))
    assert {constraint.groups for constraint in settled.frontier.constraints} == {(0,), (1,)}


def test_at_most_is_not_anything() -> None:
    """Equal weights say nothing only if every count has one."""
    start = on_cells(Component((3,), (Constraint((0,), (5, 5, 5)),)))
    check_settled(frontier_worlds(start), start, propagate(start))
    assert propagate(start).frontier == start


def test_a_weight_left_behind() -> None:
    """An unreliable number whose cells are all safe is a factor of every world left."""
    constraints = (Constraint((0,), (5, 7)), Constraint((0,), exactly(0)))
    settled = propagate(on_cells(Component((1,), constraints)))
    assert settled.safe == (0,) and settled.frontier.weight == 3 * 5


def test_a_number_that_says_nothing_frees_its_cells() -> None:
    """Equal weight on every count: the cells join the sea, the weight stays."""
    settled = propagate(on_cells(Component((2,), (Constraint((0,), (4, 4, 4)),))))
    assert settled.frontier.groups == () and settled.frontier.weight == 12
    assert set(settled.frontier.sea) == {0, 1, 2}
