"""Names of topologies, what they mean, and what is none."""

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardError, Layout
from satsweep.board import NUMBERS
from satsweep.topology import (
    HEXAGONAL,
    KNIGHT,
    SHAPES,
    SQUARE,
    TOPOLOGIES,
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


@pytest.mark.parametrize("name", (*TOPOLOGIES, *WRAPPED, *STRANGE, "square in 2 planes", "edges 0-3 1-2 3-11"))
def test_neighbours_of_many_rows(name: str) -> None:
    """Most rows are those of another one, moved."""
    topology = topology_named(name)
    for rows, cols in ((12, 1), (6, 2), (2, 6), (12, 5), (24, 3)):
        board = Board(("#" * cols,) * rows, topology=topology)
        near = topology.neighbours(rows, cols)
        assert near == tuple(tuple(sorted(board.index(other) for other in touching(board, cell))) for cell in board)
        assert list(topology.degrees(rows, cols)) == [*map(len, near)]
        padded = topology.padded_neighbours(rows, cols).tolist()
        assert padded == [[*others, *(-1,) * (len(padded[0]) - len(others))] for others in near]


@pytest.mark.parametrize("name", (*TOPOLOGIES, *WRAPPED, *STRANGE, "square in 2 planes"))
@pytest.mark.parametrize("clues", ["exact", "overestimate cap 4"])
def test_the_greatest_number_of_each_cell(name: str, clues: str) -> None:
    blank = Board(("#" * 4,) * 6, topology=name, clues=clues)
    for cell in blank:
        most = max(len(touching(blank, cell)), 4 if "cap" in clues else 0)
        rows = [list(row) for row in blank.cells]
        rows[cell.row][cell.col] = NUMBERS[most]
        assert Board(rows, topology=name, clues=clues).number(cell) in (most, None if most else 0)
        if most < blank.clues.most(blank.topology.most):
            rows[cell.row][cell.col] = NUMBERS[most + 1]
            with pytest.raises(BoardError, match=f"expected at most {most}, .* found {most + 1}") as caught:
                Board(rows, topology=name, clues=clues)
            assert caught.value.at == cell


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
