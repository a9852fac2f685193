"""JSON of the mine search: telling the two conventions apart, and errors."""

import json
from pathlib import Path

import pytest
from hypothesis import assume, given

from satsweep import Board, BoardError, Layout
from satsweep.formats import FORMATS, georgia_tech, write
from satsweep.games.deal import game_rng, random_layout, with_start
from tests import EXAMPLES
from tests.strategies import layouts


def written(dim: str, bombs: str, safe: str, board: str) -> str:
    return json.dumps({"dim": dim, "bombs": bombs, "safe": safe, "board": board})


@given(layouts())
def test_both_conventions_are_read(layout: Layout) -> None:
    assume(layout.topology.name == "square" and layout.start is not None and not layout.is_mine(layout.start))
    assert layout.start is not None
    assert georgia_tech.read_layout(georgia_tech.write(layout)) == layout
    assert georgia_tech.read_older_layout(georgia_tech.write_older(layout)) == layout
    again = georgia_tech.read_layout(georgia_tech.write_older(layout))
    if again != layout:
        # Then both readings are right, and the newer convention is meant: rows and columns have changed places.
        assert (again.rows, again.cols, again.start) == (layout.cols, layout.rows, layout.start[::-1])
        assert digits(again) == digits(layout)


def digits(layout: Layout) -> str:
    """Every cell as it should be written, counted independently."""
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    return "".join("9" if layout.is_mine(cell) else str(layout.number(cell)) for cell in cells)


@given(layouts())
def test_the_numbers_are_those_of_the_layout(layout: Layout) -> None:
    assume(layout.topology.name == "square" and layout.start is not None and not layout.is_mine(layout.start))
    assert layout.start is not None
    fields = json.loads(georgia_tech.write(layout))
    row, col = layout.start
    assert fields["board"] == digits(layout)
    assert fields["bombs"] == str(layout.mines)
    assert (fields["dim"], fields["safe"]) == (f"{layout.rows},{layout.cols}", f"{row},{col}")
    older = json.loads(georgia_tech.write_older(layout))
    assert older == {**fields, "dim": f"{layout.cols},{layout.rows}", "safe": f"{col},{row}"}


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        # The numbers decide where the grid is not square.
        (written("2,3", "1", "1,0", "011019"), Layout(("...", "..*"), start=(1, 0))),
        (written("3,2", "1", "0,1", "011019"), Layout(("...", "..*"), start=(1, 0))),
        # On a square the safe cell does, and where it says nothing the newer convention is meant.
        (written("2,2", "1", "0,1", "1191"), Layout(("..", "*."), start=(0, 1))),
        (written("2,2", "1", "1,0", "1191"), Layout(("..", "*."), start=(0, 1))),
        (written("2,2", "0", "1,0", "0000"), Layout(("..", ".."), start=(1, 0))),
        (written("2,3", "0", "1,2", "000000"), Layout(("...", "..."), start=(1, 2))),
        (written("1,1", "0", "0,0", "0"), Layout((".",), start=(0, 0))),
    ],
)
def test_telling_the_conventions_apart(text: str, layout: Layout) -> None:
    assert georgia_tech.recognises(text) and georgia_tech.read_layout(text) == layout


WRONG = [
    (written("2", "1", "1,0", "011019"), 9, "expected two numbers with a comma between, found '2'"),
    (written("2,3,1", "1", "1,0", "011019"), 9, "expected two numbers with a comma between"),
    (written("0,3", "0", "1,0", ""), 9, "expected from 1 to 1,000,000 cells, found 0,3"),
    (written("1001,1000", "0", "1,0", ""), 9, "expected from 1 to 1,000,000 cells"),
    (written("2,3", "2", "1,0", "011019"), 25, "expected the 1 mine of the board, found '2'"),
    (written("2,3", "x", "1,0", "011019"), 25, "expected the 1 mine of the board, found 'x'"),
    (written("2,3", "1", "1", "011019"), 38, "expected two numbers with a comma between, found '1'"),
    (written("2,3", "1", "1,2", "011019"), 38, "expected a start on a safe cell, found a mine at 1,2"),
    (written("2,3", "1", "3,3", "011019"), 38, "expected a start on the 2x3 grid, found 3,3"),
    (written("2,3", "1", "1,0", "01101"), 54, "expected 6 digits, as many as there are cells, found 5 characters"),
    (written("2,3", "1", "1,0", "01101*"), 54, "expected 6 digits"),
    (written("2,3", "1", "1,0", "111019"), 54, "expected 0 at 0,0 as 0 of its neighbours are mines, found 1"),
    (written("2,2", "4", "0,0", "9999"), 38, "expected a start on a safe cell, found a mine at 0,0"),
    ('{"dim": [2, 3], "bombs": "1", "safe": "1,0", "board": "011019"}', 9, "expected 'dim' as a string"),
    ('{"dim": "2,3", "bombs": 1, "safe": "1,0", "board": "011019"}', 25, "expected 'bombs' as a string"),
    ('{"dim": "2,3", "bombs": "1", "board": "011019"}', 1, "expected the key 'safe'"),
    (
        '{"dim": "2,3", "size": "1"}',
        24,
        "expected a key among dim, bombs, safe, board, moves, rules, player, found 'size'",
    ),
]


@pytest.mark.parametrize(("text", "column", "message"), WRONG, ids=[message[:50] for _, _, message in WRONG])
def test_what_is_wrong_is_named(text: str, column: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "layout.json"
    path.write_text(text)
    with pytest.raises(BoardError) as caught:
        Layout.load(path)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (1, column)


def test_the_older_convention_by_name(tmp_path: Path) -> None:
    """With as many rows as columns nothing tells them apart but the name."""
    path = tmp_path / "layout.json"
    layout = Layout(("..", ".."), start=(0, 1))
    write(layout, path, format="georgia-tech-old")
    assert Layout.load(path) == Layout(("..", ".."), start=(1, 0))
    assert Layout.load(path, format="georgia-tech-old") == layout
    path.write_text(written("2,3", "1", "1,0", "011019"))
    with pytest.raises(BoardError, match="expected 0 at 0,1 as 0 of its neighbours are mines, found 1"):
        Layout.load(path, format="georgia-tech-old")


def test_it_is_a_layout_and_no_board() -> None:
    with pytest.raises(BoardError, match="expected a board as a player sees it, found a layout"):
        Board.load(EXAMPLES / "search_10x10.json")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Board(("1#",)), "expected a layout, with all its mines, found a board as a player sees it"),
        (Layout(("*.",)), "expected a layout with a safe cell to start"),
        (Layout(("*.",), start=(0, 0)), "expected a layout with a safe cell to start"),
        (Layout(("*.",), start=(0, 1), topology="torus"), "expected a square grid, found torus"),
    ],
)
@pytest.mark.parametrize("name", ["georgia-tech", "georgia-tech-old"])
def test_what_it_cannot_hold(name: str, value: Board | Layout, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        FORMATS[name].write(value)


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("search_10x10.json", with_start(random_layout(10, 10, 10, game_rng("search", 0)), game_rng("search", 1))),
        ("search_6x12_old.json", with_start(random_layout(6, 12, 7, game_rng("search", 2)), game_rng("search", 3))),
    ],
)
def test_examples(name: str, layout: Layout) -> None:
    assert Layout.load(EXAMPLES / name) == layout
