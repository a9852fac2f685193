"""Boards as people write them by hand: what each sign means there, first lines of numbers, finished boards."""

import re

import pytest
from hypothesis import assume, example, given, strategies as st

from satsweep import Board, BoardError, Layout
from satsweep.formats import FORMATS, format_named, read_content
from satsweep.text import TextForm
from tests.brute_force import touching
from tests.formats.test_conformance import plain_layouts
from tests.strategies import arbitrary_boards, boards, layouts

# --- signs of covered cells --------------------------------------------------------------------------------------

SIGNS = st.sampled_from("?xH")
SEPARATORS = st.sampled_from(["", " ", "\t", "  "])


@st.composite
def seen_boards(draw: st.DrawFn) -> Board:
    """Boards on the square grid with covered cells, known mines and flags."""
    layout = draw(plain_layouts(6))
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    board = layout.board(draw(st.sets(st.sampled_from(cells))), tells_total=False)
    return board.with_flags(filter(board.is_covered, draw(st.sets(st.sampled_from(cells), max_size=3))))


def by_hand(board: Board, covered: str, flag: str, mine: str, between: str) -> list[str]:
    """Rows of a board in these signs."""
    table = str.maketrans({"#": covered, "F": flag, "*": mine})
    return [between.join(row.translate(table)) for row in board.cells]


@given(seen_boards(), SIGNS, st.sampled_from("F!"), st.sampled_from("*M"), SEPARATORS, st.data())
def test_a_board_by_hand_reads_back(
    board: Board, covered: str, flag: str, mine: str, between: str, data: st.DataObject
) -> None:
    """In any signs, with blanks or without, below nothing, a total, a size, or both."""
    rows = by_hand(board, covered, flag, mine, between)
    total = data.draw(st.integers(2, board.rows * board.cols)) if board.rows * board.cols > 1 else 2
    assume(board.symbols.count("*") <= total <= board.rows * board.cols)
    heads = {"": None, f"{total}\n": total, f"{board.rows} {board.cols}\n": None}
    heads[f"{board.rows} {board.cols} {total}\n"] = total
    head = data.draw(st.sampled_from(list(heads)))
    if re.sub(r"\s", "", head):  # a line with as many signs as the rows have may be one of them
        assume(len(re.sub(r"\s", "", head)) != board.cols)
    text = head + "\n".join(rows)
    expected = Board(board.cells, mines=heads[head])
    assert Board.from_text(text) == expected
    assert "#" not in board.symbols or read_content(text.encode()) == ("text", expected)
    said = [f"read {covered} as covered cells"] if "#" in board.symbols else []
    parts = {"": "", f"{total}\n": "the mine total", f"{board.rows} {board.cols}\n": "rows and columns"}
    if head:
        said.append(f"read the first line as {parts.get(head, 'rows, columns and the mine total')}")
    assert TextForm.remarks_on(text) == tuple(said)


@given(seen_boards(), st.sampled_from(" \t"))
def test_rows_with_blanks_are_those_without(board: Board, blank: str) -> None:
    """In the texts of JSMinesweeper and .board, too."""
    board = Board(board.cells, mines=board.symbols.count("*"))
    for name in ("jsm", "board"):
        written = FORMATS[name].write(board)
        head, rows = written.split("\n")[: -board.rows - 1], written.split("\n")[-board.rows - 1 :]
        spread = "\n".join([*head, *(blank.join(row) for row in rows)])
        assert FORMATS[name].read_board(spread) == FORMATS[name].read_board(written)


@given(arbitrary_boards(max_cells=24) | boards())
@example(Board(("?1",)))
@example(Board(("?F",)))
def test_what_shows_nothing_keeps_a_sign(board: Board) -> None:
    """Its own text is read as it was, and a board with squares means what it meant."""
    text = str(board)
    assert Board.from_text(text) == board and TextForm.remarks_on(text) == ()
    assert ("~" in text) == ("?" in board.symbols and "#" not in board.symbols)


def test_the_board_decides() -> None:
    """Beside squares, in lists and in JSON ? shows nothing; flags are no squares."""
    assert Board.from_text("?1\n?1") == Board(("#1", "#1"))
    assert Board.from_text("F1\n?1") == Board(("F1", "#1"))
    assert Board.from_text("#1\n?1") == Board(("#1", "?1"))
    assert Board.from_text("~1\n?1") == Board(("?1", "#1"))
    assert Board(("?1", "?1")) == Board([["?", 1], [-2, 1]]) == Board.from_text("~1\n~1")
    assert read_content(b'{"board": ["?1", "?1"]}')[1] == Board(("?1", "?1"))
    assert read_content(b"   0 1\n0  ? 1\n1  ? 1\n")[1] == Board(("#1", "#1"))
    assert read_content(b"|?|1|\n|?|1|\n")[1] == Board(("#1", "#1"))
    assert read_content(b"2x1x1\n?1\n")[1] == Board(("*1",), mines=1), "in .mine it is a mine"


def test_letters_that_are_numbers_stay() -> None:
    """Where cells touch more than eight others, x is the number 33."""
    text = "topology offsets 0,1\nclues overestimate cap 35\n?x"
    assert Board.from_text(text).cells == ("#x",)
    assert format_named("text").remarks(text) == ("read ? as covered cells",)


# --- the first line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("6\n###\n1##", Board(("###", "1##"), mines=6)),
        ("\n// six\n6\n\n###\n1##", Board(("###", "1##"), mines=6)),
        ("2\n| # | 1 |\n| 1 | # |", Board(("#1", "1#"), mines=2)),
        ("2\n1 x\n1 x", Board(("1#", "1#"), mines=2)),
        ("2 3\nx x 1\nx x 1", Board(("##1", "##1"))),
        ("3 4 5\nx x x 1\n1 1 1 1\n1 1 1 1", Board(("###1", "1111", "1111"), mines=5)),
        ("2 2\n#1\n1#", Board(("#1", "1#"))),
        ("topology torus\n3 3 1\n###\n###\n###", Board(("###",) * 3, mines=1, topology="torus")),
        # These may be rows, and are.
        ("2 2\n# 1\n1 #", Board(("22", "#1", "1#"))),
        ("11\n##", Board(("11", "##"))),
        ("3 3 2\n# # #\n# # #\n# # #", Board(("332", "###", "###", "###"))),
        ("1\n#", Board(("1", "#"))),
        # A drawing with numbers keeps them.
        ("1\n1 #\n2 .", Board(("#", "."))),
    ],
)
def test_numbers_on_the_first_line(text: str, board: Board) -> None:
    assert Board.from_text(text) == board


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("9\n#1\n1#\n", "1:1: expected a mine total between 0 and the 4 cells, found 9"),
        ("2 3 9\nxxx\nxxx", "1:5: expected one of # . 0-8 * F ?, found '9'"),
        ("  2 4 9\n####\n####", "1:7: expected a mine total between 0 and the 8 cells, found 9"),
        ("3 4\n####\n####", "1:1: expected 4 cells as in the next row, or 2 4 for its rows and columns, found '3 4'"),
        ("2\nmines 2\n###", "2:1: expected 'mines' once, found it again"),
        ("2\ndensity 1/2\n###", "2:9: expected a mine total or a density, found both"),
        ("? x 1\n1 1 1", "1:3: expected '?' for every covered cell, found 'x'"),
        ("# x 1\n1 1 1", "1:3: expected one of # . 0-8 * F ?, found 'x'"),
    ],
)
def test_errors_name_their_place(text: str, error: str) -> None:
    with pytest.raises(BoardError, match=f"^{re.escape(error)}"):
        Board.from_text(text)


# --- finished boards ---------------------------------------------------------------------------------------------


def finished(layout: Layout, mine: str = "*") -> list[list[str]]:
    """Signs of a layout with all its numbers, counted by the tests' own brute force."""
    blank = Board(("#" * layout.cols,) * layout.rows, topology=layout.topology)
    numbers = "0123456789abcdefghijklmnopqrstuvwxyz"
    return [
        [
            mine if layout.is_mine((row, col)) else numbers[sum(map(layout.is_mine, touching(blank, (row, col))))]
            for col in range(layout.cols)
        ]
        for row in range(layout.rows)
    ]


@given(layouts(), st.sampled_from("*Mx"), SEPARATORS, st.booleans(), st.data())
def test_a_finished_board_is_a_layout(
    layout: Layout, mine: str, between: str, zeros: bool, data: st.DataObject
) -> None:
    """On every topology; one number that differs is named."""
    assume(mine != "x" or layout.topology.name == "square")
    rows = finished(layout, mine)
    signs = [[sign if zeros or sign != "0" else "." for sign in row] for row in rows]
    head = str(Layout(layout.cells, start=layout.start, topology=layout.topology)).split("\n")[: -layout.rows]
    text = "\n".join([*head, *map(between.join, signs)])
    assert Layout.from_text(text) == layout
    safe = [(row, col) for row, line in enumerate(rows) for col, sign in enumerate(line) if sign != mine]
    if safe:
        row, col = data.draw(st.sampled_from(safe))
        signs[row][col] = "1" if rows[row][col] != "1" else "2"
        place = f"{len(head) + row + 1}:{col * (1 + len(between)) + 1}: "
        with pytest.raises(BoardError, match=f"^{place}expected [0-9a-z.]+, as many mines as are around, found [12]"):
            Layout.from_text("\n".join([*head, *map(between.join, signs)]))


def test_a_layout_without_numbers_is_as_before() -> None:
    assert Layout.from_text("M..\n..x") == Layout(("*..", "..*"))
    assert Layout(("*.",)) == Layout([[1, 0]])
    for wrong in ("*1?\n111", "*1#\n111", "F1.\n11."):
        with pytest.raises(BoardError, match="expected one of"):
            Layout.from_text(wrong)
    with pytest.raises(BoardError, match="expected one of"):
        Layout(("*1",))  # rows of a list have their exact symbols


def test_a_position_of_x_is_no_layout() -> None:
    assert read_content(b"x*\n")[1] == Board(("#*",))
    assert read_content(b"M.\n..\n")[1] == Layout(("*.", ".."))
