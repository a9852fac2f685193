"""The backbone is what counting shows as forced, with a mine total, too, and cores are conflicts."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Board, Cell
from satsweep.errors import Contradiction
from satsweep.solver.backbone import Backbone, backbone, forced_by_total, has_slack, unsat_core
from satsweep.solver.components import Component
from satsweep.solver.constraints import CellConstraint, Constraint, cell_constraints, exactly, frontier
from satsweep.solver.sat_solver import MAX_DIRECT_CLAUSES, encode
from tests.brute_force import worlds
from tests.placements import fillings, forced, frontier_worlds
from tests.solver.test_propagate import on_cells
from tests.strategies import arbitrary_boards, components


@given(st.one_of(components(), components(exact=True)))
def test_the_backbone_is_what_is_forced(component: Component) -> None:
    expected = forced(component)
    if expected is None:
        with pytest.raises(Contradiction):
            backbone(component)
        return
    found = backbone(component)
    assert (found.safe, found.mines) == expected
    counts = [{sum(filling[group]) for filling, _ in fillings(component)} for group in range(len(component.sizes))]
    certain = {group: min(held) for group, held in enumerate(counts) if len(held) == 1}
    assert dict(found.partial) == {group: held for group, held in certain.items() if 0 < held < component.sizes[group]}


def test_one_forced_end_forces_a_whole_chain() -> None:
    """Group after group is settled by the one before; the last one too."""
    links = [Constraint(pair, exactly(1)) for pair in pairwise(range(101))]
    found = backbone(Component((1,) * 101, (*links, Constraint((0,), exactly(1)))))
    assert found.mines == tuple(range(0, 101, 2)) and found.safe == tuple(range(1, 101, 2))


def test_what_no_rule_sees() -> None:
    """Three constraints, each two of which share a cell, force a cell only together.

    a b, b c, a c hold one mine or none each, and all three cells together two or three: impossible; with d as a way
    out, d is forced.
    """
    pairs = [Constraint(pair, (1, 1)) for pair in ((0, 1), (1, 2), (0, 2))]
    found = backbone(Component((1, 1, 1, 1), (*pairs, Constraint((0, 1, 2, 3), exactly(2)))))
    assert (found.safe, found.mines) == ((), (3,))


def test_a_model_that_strikes_the_first_candidate_leaves_the_others() -> None:
    """Eight cells, two by two with one mine, and a ninth that is forced to be safe.

    All numbers together leave no mine for it.
    """
    pairs = [Constraint((2 * pair, 2 * pair + 1), exactly(1)) for pair in range(4)]
    found = backbone(Component((1,) * 9, (*pairs, Constraint(tuple(range(9)), exactly(4)))))
    assert found == Backbone((8,), (), ())


def test_gaps_are_gaps_and_not_bounds() -> None:
    """None or both of a a', and two or three of a a' b: both a and a' are mines."""
    gap = Constraint((0,), (1, 0, 1))
    assert backbone(Component((2,), (gap,))) == Backbone((), (), ())
    assert backbone(Component((2, 1), (gap, Constraint((0, 1), (0, 0, 1, 1))))) == Backbone((), (0,), ())


@pytest.mark.parametrize("mines", [0, 1, 7, 14, 27, 28])
def test_wide_statements_are_encoded_by_totalizers(mines: int) -> None:
    """A constraint on more cells than direct clauses are good for.

    All or none of its cells are forced.
    """
    component = Component((4,) * 7, (Constraint(tuple(range(7)), exactly(mines)),))
    encoded = encode(component)
    assert (encoded.top > 28) == (0 < mines < 28), f"a totalizer exactly beyond {MAX_DIRECT_CLAUSES} clauses"
    found = backbone(component)
    assert found.safe == (tuple(range(7)) if mines == 0 else ())
    assert found.mines == (tuple(range(7)) if mines == 28 else ())


@given(arbitrary_boards(symbols="####.1112223*"))
def test_conflicts_are_contradictory_and_only_they(board: Board) -> None:
    constraints = cell_constraints(board)
    cells = [cell.row * board.cols + cell.col for cell in board.covered]
    clues = unsat_core(constraints, cells)
    if worlds(board, total=False):
        assert clues == ()
    else:
        assert clues == tuple(sorted(clues)) and set(clues) <= {constraint.clue for constraint in constraints}
        assert worlds(board, numbers=[divmod_cell(clue, board) for clue in clues], total=False) == {}


def divmod_cell(index: int, board: Board) -> Cell:
    return Cell(*divmod(index, board.cols))


def test_a_conflict_leaves_bystanders_out() -> None:
    """Two constraints on one cell differ; a hundred others have nothing to do with it."""
    others = [CellConstraint(100 + cell, (cell, cell + 1), exactly(1)) for cell in range(10, 110, 2)]
    constraints = [*others, CellConstraint(1, (0,), exactly(0)), CellConstraint(2, (0,), exactly(1))]
    assert unsat_core(constraints, range(120)) == (1, 2)


def test_a_statement_about_no_cell_at_all_conflicts_with_itself() -> None:
    """A positive number of mines among no cells is false by itself.

    Other cells make no difference.
    """
    assert unsat_core([CellConstraint(7, (), exactly(1))], range(3)) == (7,)
    assert unsat_core([CellConstraint(7, (), exactly(1))], ()) == (7,)
    assert unsat_core([CellConstraint(7, (), exactly(0))], ()) == ()


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
