"""Names of topologies, what they mean, and what is none."""

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, Layout
from satsweep.topology import (
    HEXAGONAL,
    KNIGHT,
    SHAPES,
    SQUARE,
    TORUS,
    graph_topology,
    offset_topology,
    topology_named,
)
from tests import ROOT
from tests.brute_force import touching
from tests.strategies import STRANGE, WRAPPED, graphs


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("square", "square"),
        ("square wrapping both", "torus"),
        ("torus wrapping cols", "torus"),
        ("torus in 1 planes", "torus"),
        ("torus in 3 planes", "square in 3 planes wrapping both"),
        ("  hexagonal   wrapping  cols ", "hexagonal wrapping cols"),
        ("knight in 2 planes wrapping rows", "knight in 2 planes wrapping rows"),
        ("offsets 0,1 0,-1 -1,0", "offsets 0,1 1,0"),
        ("offsets 2,-1 in 2 planes wrapping both", "offsets 2,-1 in 2 planes wrapping both"),
        ("edges 2-1 1-2 0-1", "edges 0-1 1-2"),
    ],
)
def test_names(written: str, name: str) -> None:
    found = topology_named(written)
    assert found.name == str(found) == name
    assert topology_named(name) == found == topology_named(found)


def test_every_shape_is_known_everywhere(subtests: pytest.Subtests) -> None:
    """The schemas are compared with the table in ``test_schemas``."""
    for name, shape in SHAPES.items():
        topology = topology_named(shape.example)
        with subtests.test("the example is a name of the shape", shape=name):
            assert topology.name == shape.example and shape.example.split()[0] == name
            assert (shape.topology or topology) == topology and (shape.topology is None) == bool(
                shape.pair and shape.made
            )
        with subtests.test("tests.brute_force.touching", shape=name):
            board = Board(("####",) * 4, topology=topology)
            assert all(set(board.neighbours(cell)) == touching(board, cell) for cell in board)
        for document in ("guides/variants.md", "umi.md"):
            with subtests.test(f"docs/{document}", shape=name):
                assert f"`{name}" in (ROOT / "docs" / document).read_text()


@given(st.one_of(st.sampled_from((*WRAPPED, *STRANGE)), graphs(8)))
def test_names_read_back(name: str) -> None:
    assert topology_named(str(topology_named(name))) == topology_named(name)


def test_hexagons_by_hand() -> None:
    """Neighbours above and below are to the left in even rows, else to the right."""
    board = Board(("####",) * 4, topology=HEXAGONAL)
    assert board.neighbours((1, 1)) == ((0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (2, 2))
    assert board.neighbours((2, 1)) == ((1, 0), (1, 1), (2, 0), (2, 2), (3, 0), (3, 1))
    assert board.neighbours((0, 0)) == ((0, 1), (1, 0))


def test_planes_by_hand() -> None:
    board = Board(("###",) * 9, topology="square in 3 planes")
    assert len(board.neighbours((4, 1))) == 26
    assert board.neighbours((0, 0)) == ((0, 1), (1, 0), (1, 1), (3, 0), (3, 1), (4, 0), (4, 1))


def test_how_many_cells_touch_at_most() -> None:
    assert [topology.most for topology in (SQUARE, TORUS, HEXAGONAL, KNIGHT)] == [8, 8, 6, 8]
    assert topology_named("square in 3 planes").most == 26
    assert graph_topology([(0, 1), (1, 2), (1, 3)]).most == 3
    assert offset_topology([(0, 1), (5, 5)]).most == 4


def test_numbers_beyond_nine_are_letters() -> None:
    rows = ["*" * 3] * 9
    rows[4] = "*.*"
    board = Layout(rows, topology="square in 3 planes").board([(4, 1)])
    assert board[4, 1] == "q" and board.number((4, 1)) == 26
    assert Board.from_text(str(board)) == board
