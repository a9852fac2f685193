"""Formats of other programs, by their rules: second readers, texts as people post them, layouts and positions.

MBF, PTTA links, Tatham's IDs, JSMinesweeper, .board, minesweepr, and the two conventions of the mine search.
"""

import hashlib
import json
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, example, given, strategies as st

from satsweep import FORMATS, Board, BoardError, Layout
from satsweep.formats import (
    BINARY_FORMATS,
    georgia_tech,
    jsm,
    mbf,
    ptta,
    read_layouts,
    tatham,
    write,
)
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.text import MAX_CELLS
from tests import EXAMPLES
from tests.formats.conformance import ALPHABET, LAYOUT, SAMPLES, Sample, search
from tests.formats.test_conformance import (
    arbitrary_positions,
    game_positions,
    layouts_with_a_safe_start,
    plain_layouts,
    recognised,
)

# --- links and IDs ----------------------------------------------------------------------------------------------------


def test_a_link_to_the_zini_calculator() -> None:
    """A 40x5 board from the notes of an author of the calculator.

    Its first and last rows are full of mines, which shows that the size was read the right way round.
    """
    link = "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/?b=4005&m=vvvvvvvv000000010000000194i94i95vvvvvvvv"
    fence = "*..".join([""] * 14)
    assert Layout.load(link) == Layout(("*" * 40, "." * 39 + "*", "." * 39 + "*", "." + fence[:38] + "*", "*" * 40))
    assert ptta.write(Layout.load(link)) == f"{link}\n"


def test_a_link_to_llamasweeper() -> None:
    """From the manual of a solver; an intermediate board has 40 mines."""
    mines = "000g14s0010421g080414h4540a0g8880kg200800080o5400c00"
    layout = Layout.load(f"https://llamasweeper.com/#/game/board-editor?b=2&m={mines}&seed=5#top")
    assert (layout.rows, layout.cols, layout.mines) == (16, 16, 40)


def test_the_mask_of_its_author() -> None:
    """Both test vectors in the source of the puzzles: 28 bits, and 50 zero bytes."""
    layout = Layout.load("7x4n12:m07fa650")
    assert layout == Layout(("...*..*", "...**.*", "...*.*.", "**..***"))
    assert tatham.write_masked(layout) == "7x4:m07fa650\n"
    zeros = "b202c07b990c01f6ff2d544707f60e506019b671fcb1d8b5a210b0af913db85d37ca27f52a9f78bba3a80030db3d01d8df78"
    assert Layout.load(f"20x20n0:3,4,m{zeros}") == Layout(("." * 20,) * 20, start=(4, 3))


@given(content=st.binary(min_size=1, max_size=120), unused=st.integers(0, 7))
def test_the_mask_against_a_second_implementation(content: bytes, unused: int) -> None:
    """The second implementation works on integers, not byte by byte."""
    bits = 8 * len(content) - unused
    number = int.from_bytes(content, "big") >> unused << unused
    content = number.to_bytes(len(content), "big")
    half = len(content) // 2

    def stream(seed: bytes, length: int) -> int:
        blocks = b"".join(hashlib.sha1(seed + str(block).encode()).digest() for block in range(length // 20 + 1))
        return int.from_bytes(blocks[:length], "big")

    first, second = int.from_bytes(content[:half], "big"), int.from_bytes(content[half:], "big")
    first ^= stream(content[half:], half)
    second ^= stream(first.to_bytes(half, "big"), len(content) - half)
    second = second >> unused << unused
    expected = first.to_bytes(half, "big") + second.to_bytes(len(content) - half, "big")
    assert tatham.mask(content, bits) == expected
    assert tatham.unmask(expected, bits) == content


WIDE = (
    "5141a7b0615643db1b461184eb1f52ef59a7de6edaea3c5cec7d4f84b8e694d1f4969d86c6b84570d106192ce297d73357451b54e18c4ab254"
    "eb79a4ba876ebdf50f4e00a91f90587b22038679ca036af88871ace4351c3e0472db9bc6421098a6343c1560e5e0e2df9a06cf070f21ee81d3"
    "7791a65a89681d88a27fc97d0ef97c8dd5589b2c24"
)


@pytest.mark.parametrize(
    ("text", "rows", "mines"),
    [
        ("https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/mines.html#9x9:4,4,m00b7d48a3e0231c419200", 9, 35),
        ("9x9n35aX4Y4:4,4,m00b7d48a3e0231c419200", 9, 35),
        (f"49x22:9,12,m{WIDE}", 22, 220),
    ],
)
def test_ids_as_people_post_them(text: str, rows: int, mines: int) -> None:
    """From two reports of boards that seemed to need a guess; the first cell shows 0."""
    layout = Layout.load(text)
    assert (layout.rows, layout.mines) == (rows, mines)
    assert layout.start is not None and layout.number(layout.start) == 0
    size = f"{layout.cols}x{rows}:{layout.start.col},{layout.start.row},m"
    assert tatham.write_masked(layout) == f"{size}{text.rpartition('m')[2]}\n"


def test_the_greatest_layouts() -> None:
    layout = Layout(("*." * 500,) * (MAX_CELLS // 1000))
    for name in ("ptta-link", "rawvf", "tatham-masked"):
        assert FORMATS[name].read_layout(FORMATS[name].write(layout)) == layout


# --- MBF --------------------------------------------------------------------------------------------------------------


@given(layout=plain_layouts())
@example(layout=Layout(("." * 255,)))
def test_bytes_read_back(layout: Layout) -> None:
    content = mbf.write(layout)
    assert len(content) == 4 + 2 * layout.mines
    assert mbf.read_layout(content) == layout == mbf.read_hex(mbf.write_hex(layout))
    assert next(name for name, format in BINARY_FORMATS.items() if format.recognises(content)) == "mbf"


def test_a_file_of_bytes_is_told_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    write(LAYOUT, path, format="mbf")
    assert path.read_bytes() == bytes([3, 2, 0, 1, 2, 0])
    assert Layout.load(path) == Layout.load(path, format="mbf") == LAYOUT
    assert read_layouts(path) == [LAYOUT]
    with pytest.raises(BoardError, match="expected a board as a player sees it, found a layout") as caught:
        Board.load(path)
    assert (caught.value.file, caught.value.line) == (str(path), None)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected 4 bytes with the size and the number of mines, found the end at byte 0"),
        (b"\3\2\0", "expected 4 bytes with the size and the number of mines, found the end at byte 3"),
        (b"\0\2\0\0", "expected at least one row and one column, found 0 at byte 0"),
        (b"\3\0\0\0", "expected at least one row and one column, found 0 at byte 1"),
        (b"\3\2\0\7", "expected at most 6 mines, found 7 at byte 2"),
        (b"\3\2\0\1\0", "expected 6 bytes for 1 mine, found 5 at byte 5"),
        (b"\3\2\0\1\0\0\0", "expected 6 bytes for 1 mine, found 7 at byte 6"),
        (b"\3\2\0\2\0\0\3\0", "expected a column below 3, found 3 at byte 6"),
        (b"\3\2\0\2\0\0\2\2", "expected a row below 2, found 2 at byte 7"),
        (b"\3\2\0\2\2\1\2\1", "expected each mine once, found 1,2 again at byte 6"),
    ],
)
def test_bytes_that_are_wrong(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "board.mbf"
    path.write_bytes(content)
    with pytest.raises(BoardError) as caught:
        Layout.load(path, format="mbf")
    assert str(caught.value) == f"{path}: {message}"
    if mbf.may_be_mbf(content):
        with pytest.raises(BoardError, match=message):
            Layout.load(path)
    text = content.hex(" ")
    with pytest.raises(BoardError) as caught:
        mbf.read_hex(text)
    text_message, _, offset = message.rpartition(" at byte ")
    assert caught.value.message == text_message
    assert caught.value.column == (3 * int(offset) + 1 if int(offset) < len(content) else len(text) + 1)


@given(layout=plain_layouts(6), place=st.integers(0, 80), cut=st.integers(0, 3), extra=st.binary(max_size=3))
def test_mangled_bytes_raise_board_errors_and_nothing_else(layout: Layout, place: int, cut: int, extra: bytes) -> None:
    content = mbf.write(layout)
    place %= len(content) + 1
    content = content[:place] + extra + content[place + cut :]
    whole = mbf.is_valid(content)
    try:
        read = mbf.read_layout(content)
    except BoardError as error:
        assert not whole and "at byte " in error.message
    else:
        assert whole and len(mbf.write(read)) == len(content)


def test_text_is_never_taken_for_bytes() -> None:
    """As bytes, any four symbols of a text announce too many mines.

    They are more than the cells, or more than the pairs of symbols that could follow.
    """
    symbols = "#.12345678*F0\nx"
    for first, second, third, fourth in product(symbols, repeat=4):
        content = f"{first}{second}{third}{fourth}".encode()
        mines = content[2] * 256 + content[3]
        assert not mbf.may_be_mbf(content)
        assert mines > content[0] * content[1] or mines > len(symbols) ** 2


# --- JSMinesweeper ----------------------------------------------------------------------------------------------------


SIZES = {"0": 10, "1": 7, "2": 5, "3": 5, "4": 4, "5": 3, "6": 3, "7": 1, "8": 1, "I": 4, "H": 10, "F": 8, "O": 1}


def decode_link(link: str) -> tuple[int, int, int, str]:
    """A second reader of links: size, mines, kinds of cells with numbers as written."""
    code = re.search("analysis=(.*)", link)[1]  # type: ignore[index]
    kinds = [kind for kind, size in SIZES.items() for _ in range(size)]
    kind_of = dict(zip(ALPHABET, kinds, strict=True))
    first_of = {kind: kinds.index(kind) for kind in SIZES}
    head = [ALPHABET.index(digit) for digit in code[:8]]
    width, height = head[0] * 62 + head[1], head[2] * 62 + head[3]
    mines = ((head[4] * 62 + head[5]) * 62 + head[6]) * 62 + head[7]
    cells = ""
    for run in re.finditer(
        "|".join(f"[{''.join(d for d in ALPHABET if kind_of[d] == kind)}]+" for kind in SIZES), code[8:]
    ):
        kind = kind_of[run[0][0]]
        digits = [ALPHABET.index(digit) - first_of[kind] for digit in run[0]]
        length = len(digits) if SIZES[kind] == 1 else sum(d * SIZES[kind] ** p for p, d in enumerate(reversed(digits)))
        cells += kind * length
    return width, height, mines, cells


@given(board=st.one_of(game_positions(), arbitrary_positions()))
def test_links_against_a_second_reader(board: Board) -> None:
    link = jsm.write_link(board)
    assert link.startswith(
        f"https://davidnhill.github.io/JSMinesweeper/index.html?board={board.cols}x{board.rows}x{board.mines}&analysis="
    )
    width, height, mines, cells = decode_link(link)
    assert (width, height, mines, len(cells)) == (board.cols, board.rows, board.mines, board.rows * board.cols)
    for index, cell in enumerate(board):
        symbol, kind = board[cell], cells[index]
        if symbol in "#*F":
            assert kind in {"#": "H", "*": "I", "F": "FO"}[symbol]
        else:
            marks = [cells[near.row * width + near.col] for near in board.neighbours(cell)]
            assert int(kind) + marks.count("F") + marks.count("I") == board.number(cell)
        if kind == "O":  # it lowered none, because one of them is zero
            numbers = [cells[near.row * width + near.col] for near in board.neighbours(cell)]
            assert "0" in numbers


@pytest.mark.parametrize("sample", [sample for sample in SAMPLES if sample.form == "jsm-link"], ids=str)
def test_links_written_by_hand(sample: Sample) -> None:
    assert [ALPHABET.index(digit) for digit in "aZ9"] == [0, 51, 61]
    _, link, board = sample
    for whole in (f"https://x.org/?board=9x9x9&{link}", f"?{link}#x", f"{link}&more"):
        assert recognised(whole) == "jsm-link" and jsm.read_link(whole) == board
    assert jsm.write_link(board).rstrip().endswith(link) or "F1#" in board.cells


@pytest.mark.extended
def test_great_positions() -> None:
    board = Board(("#.F3*" * 200,) * 100, mines=5)
    for name in ("jsm", "board"):
        assert FORMATS[name].read_board(FORMATS[name].write(board)) == board
    board = Board(("#1F2" * 250,) * 100, mines=5)
    assert jsm.read_link(jsm.write_link(board)) == board


# --- .board -----------------------------------------------------------------------------------------------------------


@given(layout=plain_layouts(8), cells=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_layouts_and_what_is_seen_of_them_in_one_file(layout: Layout, cells: set[tuple[int, int]]) -> None:
    format = FORMATS["board"]
    text = format.write(layout)
    assert recognised(text) == "board" and format.read_layout(text) == layout == format.read(text)
    board = layout.board((row, col) for row, col in cells if row < layout.rows and col < layout.cols)
    both = text + "\n" + format.write(board).partition("classic\n\n")[2]
    assert format.read_layout(both) == layout and format.read_board(both) == board == format.read(both)


# --- the mine search --------------------------------------------------------------------------------------------------


def digits(layout: Layout) -> str:
    """Every cell as it should be written, counted independently."""
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    return "".join("9" if layout.is_mine(cell) else str(layout.number(cell)) for cell in cells)


@given(layouts_with_a_safe_start())
def test_both_conventions_hold_the_numbers_of_the_layout(layout: Layout) -> None:
    assume(layout.start is not None)
    assert layout.start is not None
    row, col = layout.start
    fields = {"bombs": str(layout.mines), "board": digits(layout)}
    text, older = georgia_tech.write(layout), georgia_tech.write_older(layout)
    assert json.loads(text) == {"dim": f"{layout.rows},{layout.cols}", "safe": f"{row},{col}", **fields}
    assert json.loads(older) == {"dim": f"{layout.cols},{layout.rows}", "safe": f"{col},{row}", **fields}
    again = georgia_tech.read_layout(older)
    if again != layout:
        # Then both readings are right, and the newer convention is meant: rows and columns have changed places.
        assert (again.rows, again.cols, again.start) == (layout.cols, layout.rows, (col, row))
        assert digits(again) == digits(layout)


def test_the_older_convention_by_name(tmp_path: Path) -> None:
    """With as many rows as columns nothing tells them apart but the name."""
    path = tmp_path / "layout.json"
    layout = Layout(("..", ".."), start=(0, 1))
    write(layout, path, format="georgia-tech-old")
    assert Layout.load(path) == Layout(("..", ".."), start=(1, 0))
    assert Layout.load(path, format="georgia-tech-old") == layout
    path.write_text(search("2,3", "1", "1,0", "011019"))
    with pytest.raises(BoardError, match="expected 0 at 0,1 as 0 of its neighbours are mines, found 1"):
        Layout.load(path, format="georgia-tech-old")


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("search_10x10.json", with_start(random_layout(10, 10, 10, game_rng("search", 0)), game_rng("search", 1))),
        ("search_6x12_old.json", with_start(random_layout(6, 12, 7, game_rng("search", 2)), game_rng("search", 3))),
    ],
)
def test_examples(name: str, layout: Layout) -> None:
    assert Layout.load(EXAMPLES / name) == layout
