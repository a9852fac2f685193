"""The frontier as a graph, and its components."""

from typing import Any

from hypothesis import given
from networkx import Graph, connected_components, is_bipartite

from satsweep import Board, Cell, analyse
from satsweep.render.analysis_text import counted_components
from satsweep.solver.analysis import Analysis
from satsweep.solver.components import components, frontier_graph
from satsweep.solver.constraints import frontier
from tests.strategies import boards, unreliable_boards


def groups_of(board: Board, part: Any) -> set[Cell]:
    """The cells of the groups among some nodes."""
    return {cell for node in part if not isinstance(node, Cell) for cell in node}


@given(boards())
def test_components_are_those_of_the_graph(board: Board) -> None:
    graph: Graph[Any] = frontier_graph(board)
    found = frontier(board)
    cells = {cell for group in found.groups for cell in map(board.cell, group)}
    assert is_bipartite(graph)
    assert {*graph.graph["sea"]} == set(board.covered) - cells
    parts = [groups_of(board, part) for part in connected_components(graph)]
    assert [part for part in parts if part] == [
        {board.cell(cell) for group in part.groups for cell in found.groups[group]} for part in components(found)
    ]
    numbers = [node for node, kind in graph.nodes(data="kind") if kind == "number"]
    for number in numbers:
        touched = groups_of(board, graph.neighbors(number))
        assert touched == {cell for cell in board.neighbours(number) if board[cell] in "#F"}
        assert graph.nodes[number]["low"] <= graph.nodes[number]["high"]


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
