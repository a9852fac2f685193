"""Names of topologies, what they mean, and what is none."""

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardError, Layout
from satsweep.topology import HEXAGONAL, KNIGHT, SQUARE, TORUS, graph_topology, offset_topology, topology_named
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


@given(st.one_of(st.sampled_from((*WRAPPED, *STRANGE)), graphs(8)))
def test_names_read_back(name: str) -> None:
    assert topology_named(str(topology_named(name))) == topology_named(name)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "expected a topology among square, torus, hexagonal, orthogonal, knight, or offsets or edges, found ''"),
        ("cube", "expected a topology among"),
        ("hexagonal wrapping diagonals", "expected a topology among"),
        ("square 0,1", "expected nothing but planes and edges that wrap after 'square'"),
        ("square 0-1", "expected nothing but planes and edges that wrap after 'square'"),
        ("offsets", "expected offsets like 0,1, separated by blanks, found ''"),
        ("offsets 0-1", "expected offsets like 0,1, separated by blanks, found '0-1'"),
        ("offsets 0,0", "expected offsets, and none of a cell to itself"),
        ("edges 0,1", "expected edges like 0-1, separated by blanks, found '0,1'"),
        ("edges 3-3", "expected edges, and none of a cell to itself"),
        ("edges 0-1 wrapping both", "expected nothing after the edges of a graph"),
        ("edges 0-1 in 2 planes", "expected nothing after the edges of a graph"),
        ("square in 0 planes", "expected at least one plane"),
        (
            "offsets " + " ".join(f"0,{right}" for right in range(1, 19)),
            "expected at most 35 neighbours of a cell",
        ),
        ("offsets 0,1 0,2 0,3 0,4 0,5 0,6 in 2 planes", "expected at most 35 neighbours of a cell, found 38"),
        (
            "edges " + " ".join(f"0-{other}" for other in range(1, 37)),
            "expected at most 35 neighbours of a cell",
        ),
    ],
)
def test_what_is_no_topology(written: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        topology_named(written)
    assert caught.value.message.startswith(message) and caught.value.at == "topology"


@pytest.mark.parametrize(
    ("name", "rows", "cols", "message"),
    [
        ("hexagonal wrapping rows", 3, 4, "expected an even number of rows to wrap hexagons, found 3"),
        ("hexagonal in 2 planes wrapping both", 6, 4, "expected an even number of rows to wrap hexagons, found 6"),
        ("square in 3 planes", 4, 4, "expected rows for 3 equal planes, found 4"),
        ("edges 0-4", 2, 2, "expected edges between the 4 cells, found one to 4"),
    ],
)
def test_grids_that_cannot_have_a_topology(name: str, rows: int, cols: int, message: str) -> None:
    for build in (Board, Layout):
        with pytest.raises(BoardError) as caught:
            build(("." * cols,) * rows, topology=name)
        assert (caught.value.message, caught.value.at) == (message, "topology")


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
    with pytest.raises(BoardError, match="expected one of # . 0-9 a-z [*] F [?], found '!'"):
        Board(("!",), topology="square in 3 planes", mines=None)
    with pytest.raises(BoardError, match="expected at most 7, as many as the cell has neighbours, found 10"):
        Board(("a##",) + ("###",) * 8, topology="square in 3 planes")
