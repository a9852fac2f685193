"""From numbers to groups, constraints and components, nothing lost; the frontier as a graph."""

from itertools import combinations

import pytest
from hypothesis import assume, given, strategies as st
from networkx import connected_components, is_bipartite

from satsweep import Board, Cell, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.render.stage_text import counted_components
from satsweep.solver.components import components, frontier_graph, merged_components
from satsweep.solver.constraints import Constraint, Frontier, cell_constraints, exactly, frontier, gather
from satsweep.solver.propagate import propagate
from tests.brute_force import cells_showing, touching, worlds
from tests.placements import frontier_worlds
from tests.strategies import arbitrary_boards, boards, unreliable_boards


def index(board: Board, cell: Cell) -> int:
    return cell.row * board.cols + cell.col


@given(st.one_of(boards(max_covered=10), arbitrary_boards(symbols="####F.1112223*")))
def test_a_frontier_has_the_worlds_of_its_board(board: Board) -> None:
    """All clues are exact, so every world weighs one."""
    expected = {frozenset(index(board, cell) for cell in world) for world in worlds(board, total=False)}
    assert frontier_worlds(frontier(board)) == dict.fromkeys(expected, 1)


@given(boards(max_covered=30))
def test_groups_are_the_cells_that_touch_the_same_numbers(board: Board) -> None:
    numbers = set(cells_showing(board, ".12345678"))
    seen_by = {index(board, cell): frozenset(touching(board, cell) & numbers) for cell in cells_showing(board, "#F")}
    found = frontier(board)
    groups = [{seen_by[cell] for cell in group} for group in found.groups]
    assert all(len(signatures) == 1 for signatures in groups), "cells of a group see the same"
    assert all(a.isdisjoint(b) for a, b in combinations(groups, 2)), "and no other group does"
    assert {cell for cell, seen in seen_by.items() if not seen} == set(found.sea)
    assert sorted([cell for group in found.groups for cell in group] + list(found.sea)) == sorted(seen_by)
    assert found.sizes == tuple(map(len, found.groups))


@given(boards(max_covered=30))
def test_statements_take_known_mines_off(board: Board) -> None:
    covered, known = set(cells_showing(board, "#F")), set(cells_showing(board, "*"))
    expected = {}
    for clue in cells_showing(board, ".12345678"):
        around = touching(board, clue)
        left = (board.number(clue) or 0) - len(around & known)
        if around & covered or left:
            expected[index(board, clue)] = (sorted(index(board, cell) for cell in around & covered), exactly(left))
    assert {one.clue: (sorted(one.cells), one.likelihood) for one in cell_constraints(board)} == expected


@given(boards(max_covered=30))
def test_components_split_a_frontier(board: Board) -> None:
    start = propagate(frontier(board)).frontier
    parts = components(start)
    assert sorted(group for part in parts for group in part.groups) == list(range(len(start.groups)))
    constraints = []
    for part in parts:
        assert part.component.sizes == tuple(len(start.groups[group]) for group in part.groups)
        constraints += [
            Constraint(tuple(part.groups[place] for place in constraint.groups), constraint.likelihood)
            for constraint in part.component.constraints
        ]
        assert hangs_together(part.component.constraints, len(part.groups))
    assert sorted(map(repr, constraints)) == sorted(map(repr, start.constraints))


def hangs_together(constraints: tuple[Constraint, ...], groups: int) -> bool:
    reached = {0}
    for _ in range(groups):
        for constraint in constraints:
            if reached & set(constraint.groups):
                reached |= set(constraint.groups)
    return reached == set(range(groups))


@given(boards(max_covered=10))
def test_components_are_independent(board: Board) -> None:
    """The worlds of a frontier are all combinations of the worlds of its components."""
    start = propagate(frontier(board)).frontier
    assume(start.groups)
    number = len(frontier_worlds(Frontier(start.groups, start.constraints, ())))
    product = 1
    for part in components(start):
        groups = tuple(start.groups[group] for group in part.groups)
        product *= len(frontier_worlds(Frontier(groups, part.component.constraints, ())))
    assert product == number


@pytest.mark.parametrize("count", range(9))
def test_an_ordinary_number_is_one_at_its_value(count: int) -> None:
    assert exactly(count) == (0,) * count + (1,)
    constraint = Constraint((0,), exactly(count))
    assert (constraint.low, constraint.high) == (count, count)


@pytest.mark.parametrize("likelihood", [(), (0, 0), exactly(-1)])
def test_a_constraint_that_allows_nothing(likelihood: tuple[int, ...]) -> None:
    constraint = Constraint((0,), likelihood)
    assert constraint.low > constraint.high


def test_the_bounds_of_a_likelihood() -> None:
    constraint = Constraint((0, 1), (0, 3, 0, 1, 0))
    assert (constraint.low, constraint.high) == (1, 3)


def test_nothing_said_is_all_sea() -> None:
    assert gather([], range(5)) == Frontier((), (), (0, 1, 2, 3, 4))
    assert components(gather([], range(5))) == ()


@given(boards())
def test_components_are_those_of_the_graph(board: Board) -> None:
    found = frontier(board)
    graph = frontier_graph(found)
    assert is_bipartite(graph) and len(graph) == len(found.groups) + len(found.constraints)
    split = components(found)
    assert sorted(group for part in split for group in part.groups) == list(range(len(found.groups)))
    for at, constraint in enumerate(found.constraints):
        node = "constraint", at
        assert sorted(graph[node]) == [("group", group) for group in constraint.groups]
        assert (graph.nodes[node]["low"], graph.nodes[node]["high"]) == (constraint.low, constraint.high)
    whole = connected_components(graph)
    assert [part.groups for part in split] == [
        groups for part in whole if (groups := tuple(sorted(at for kind, at in part if kind == "group")))
    ]


@given(boards())
def test_components_without_networkx_are_the_same(board: Board) -> None:
    found = frontier(board)
    assert list(map(frozenset, connected_components(frontier_graph(found)))) == [
        frozenset(part) for part in merged_components(found)
    ] + [{("constraint", at)} for at, constraint in enumerate(found.constraints) if not constraint.groups]


def stages_agree(analysis: Analysis) -> None:
    """Every covered cell that touches a number is forced by one stage, or in one component."""
    forced = [cell for cells in analysis.stages.values() for cell in cells]
    parts = [cell for component in counted_components(analysis) for cell in component.cells]
    assert len(parts) == len({*parts})
    assert {*forced} == {*analysis.safe, *analysis.mines} and len(forced) == len({*forced})
    by_total = analysis.stages["mine total"]
    assert {*parts}.isdisjoint({*forced} - {*by_total})
    frontier_cells = {cell for group in frontier(analysis.board).groups for cell in map(analysis.board.cell, group)}
    assert frontier_cells <= {*parts, *forced}


@given(boards())
def test_stages_and_components_have_every_cell_once(board: Board) -> None:
    stages_agree(analyse(board, engine="elimination"))


@given(unreliable_boards(max_covered=9))
def test_stages_of_unreliable_clues(board: Board) -> None:
    for component in counted_components(analyse(board)):
        assert component.ways and component.engine and component.groups and component.numbers
