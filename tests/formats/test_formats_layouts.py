"""Formats of other programs for layouts: MBF, PTTA links, Tatham's IDs, RAWVF."""

import hashlib
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st

from satsweep import FORMATS, Board, BoardError, Layout
from satsweep.formats import BINARY_FORMATS, all_formats, mbf, ptta, rawvf, read_layouts, tatham, write
from satsweep.text import MAX_CELLS

WITHOUT_START = ("ptta-link", "rawvf", "mbf-hex")
WITH_START = ("tatham", "tatham-masked")
LAYOUT = Layout(("..*", "..."))


@st.composite
def plain_layouts(draw: st.DrawFn, max_side: int = 20) -> Layout:
    """Layouts on the square grid without a start, with sides of one or two digits."""
    rows, cols = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    bits = draw(st.integers(0, 2 ** (rows * cols) - 1))
    signs = f"{bits:0{rows * cols}b}".translate({48: ".", 49: "*"})
    return Layout(signs[first : first + cols] for first in range(0, rows * cols, cols))


@st.composite
def layouts_with_a_safe_start(draw: st.DrawFn) -> Layout:
    layout = draw(plain_layouts())
    safe = [(row, col) for row, line in enumerate(layout.cells) for col, sign in enumerate(line) if sign == "."]
    start = draw(st.none() | st.sampled_from(safe)) if safe else None
    return Layout(layout.cells, start=start)


def recognised(text: str) -> str:
    """Name of the format that recognises a text."""
    return next(name for name, format in FORMATS.items() if format.recognises(text))


# --- round trips -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHOUT_START)
@given(layout=plain_layouts())
def test_layouts_read_back(name: str, layout: Layout) -> None:
    text = FORMATS[name].write(layout)
    assert recognised(text) == name and FORMATS[name].read_layout(text) == layout
    assert text.endswith("\n") and not text.endswith("\n\n")


@pytest.mark.parametrize("name", WITH_START)
@given(layout=layouts_with_a_safe_start())
def test_layouts_with_a_start_read_back(name: str, layout: Layout) -> None:
    text = FORMATS[name].write(layout)
    assert recognised(text) == name and FORMATS[name].read_layout(text) == layout


@given(layout=plain_layouts())
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


# --- what others have written ----------------------------------------------------------------------------------------


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


REPLAY = """RawVF_Version: Rev5
Program: Minesweeper Arbiter
Player: A: B
Level: Custom
Width: 3
Height: 2
Mines: 1
Marks: Off
Time: 1.234

Board:
00*
000
Events:
0.00 start
0.00 mv 1 1 (5 5)
"""


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("03 02 00 01 02 00", LAYOUT),
        (" 03  02 00\n01 02 00\n", LAYOUT),
        ("1E 10 00 00", Layout(("." * 30,) * 16)),
        ("?b=0302&m=40", LAYOUT),
        ("b=0302&m=40", LAYOUT),
        ("https://example.org/x?z=1&m=40&zini&b=32", LAYOUT),
        ("?b=1&m=g0000000000000000", Layout(("*........", *["." * 9] * 8))),
        ("?b=211&m=g0008", Layout(("*.", *[".."] * 9, ".*"))),
        ("?b=110&m=00", Layout((".",) * 10)),
        ("3x2n1:u20", LAYOUT),
        ("3x2n1:20\n", LAYOUT),
        ("3x2n1a:0,1,u20", Layout(LAYOUT.cells, start=(1, 0))),
        ("3x2n6:uFC", Layout(("***", "***"))),
        ("3x2:u20", LAYOUT),
        ("3x2:0,1,20", Layout(LAYOUT.cells, start=(1, 0))),
        ("3x2n1X0Y1:u20", LAYOUT),
        ("3x2n1aX0Y1:0,1,u20", Layout(LAYOUT.cells, start=(1, 0))),
        ("https://example.org/js/mines.html#3x2:u20", LAYOUT),
        ("https://example.org/#/mines?x=1#3x2n1a:0,1,u20\n", Layout(LAYOUT.cells, start=(1, 0))),
        ("mines.html#3x2:u20", LAYOUT),
        (REPLAY, LAYOUT),
        (REPLAY.replace("\n", "\r\n"), LAYOUT),
        ("WIDTH: 3\nheight : 2\nBoard:\n00*\n000", LAYOUT),
    ],
)
def test_forms_that_are_read(text: str, layout: Layout) -> None:
    """Also sizes in which the height has more digits than the width."""
    assert FORMATS[recognised(text)].read_layout(text) == layout


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


def test_a_link_or_an_id_stands_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Layout.load("3x2n1:u20") == LAYOUT
    with pytest.raises(BoardError, match=r"^<argument>:1:8: expected a hexadecimal digit, found 'g'"):
        Layout.load("3x2n1:ug0")
    (tmp_path / "3x2n1:ug0").write_text("3x2n1:u20")
    assert Layout.load("3x2n1:ug0") == LAYOUT, "a file of that name goes first"
    with pytest.raises(BoardError, match="expected a readable file: No such file"):
        Layout.load("03 02 00 01 02 00")
    with pytest.raises(BoardError, match="expected a readable file: No such file"):
        Layout.load(Path("3x2n1:u20"))
    path = tmp_path / "link"
    path.write_text("\n  3x2n1:u20\n\n")
    assert Layout.load(path) == LAYOUT


# --- what is wrong ---------------------------------------------------------------------------------------------------


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


WRONG = {
    "mbf-hex": [
        ("03 02 00 01 02 0", 1, 16, "expected two hexadecimal digits, found '0'"),
        ("03 02 00 01\n02 x0", 2, 4, "expected two hexadecimal digits, found 'x0'"),
    ],
    "ptta-link": [
        ("?b=0302&m=4", 1, 12, "expected 2 characters for 3x2, found 1"),
        ("?b=0302&m=400", 1, 13, "expected 2 characters for 3x2, found 3"),
        ("?b=0302&m=4w", 1, 12, "expected one of 0-9 a-v, found 'w'"),
        ("?b=0302&m=41", 1, 12, "expected no mines after the last cell, found some"),
        ("?b=4&m=40", 1, 4, "expected 1, 2, 3, or width and height with as many digits each, found '4'"),
        ("?b=&m=40", 1, 4, "expected 1, 2, 3, or width and height"),
        ("?b=0000&m=40", 1, 4, "expected at least one row and one column, found 0x0"),
        ("\n?b=10011000&m=40", 2, 4, "expected at most 1,000,000 cells, found 1,000 rows of 1,001"),
        ("?b=0302&m=40 x", 1, 14, "expected nothing after the link"),
    ],
    "tatham": [
        ("3x2n1:u2", 1, 9, "expected 2 digits for 6 cells, found 1"),
        ("3x2n1:u200", 1, 10, "expected 2 digits for 6 cells, found 3"),
        ("3x2n1:u2g", 1, 9, "expected a hexadecimal digit, found 'g'"),
        ("3x2n1:u21", 1, 9, "expected no mines after the last cell, found some"),
        ("3x2n2:u20", 1, 5, "expected the 1 mine of the layout, found 2"),
        ("0x2n0:u", 1, 1, "expected at least one row and one column, found 2x0"),
        ("1001x1000n1:u", 1, 1, "expected at most 1,000,000 cells"),
        ("3x2n1:3,0,u20", 1, 7, "expected a start within 3 columns and 2 rows, found 3,0"),
        ("3x2n1:0,2,u20", 1, 7, "expected a start within 3 columns and 2 rows, found 0,2"),
        ("3x2n1:2,0,u20", 1, 7, "expected a start on a safe cell, found a mine at 2,0"),
        ("3x2n1:u20 x", 1, 11, "expected nothing after the digits"),
        ("3x2n1:0,u20", 1, 8, "expected nothing after the digits"),
        ("9x9n10:r10,u,78e5e8ab", 1, 8, "expected an ID with a layout, found the seed of one"),
        ("9x9n10#78e5e8ab", 1, 7, "expected an ID with a layout, found the seed of one"),
        ("9x9n10aX4Y4#78e5e8ab", 1, 12, "expected an ID with a layout, found the seed of one"),
        ("mines.html#9x9n10#78e5e8ab", 1, 18, "expected an ID with a layout, found the seed of one"),
        ("mines.html#3x2:u2", 1, 18, "expected 2 digits for 6 cells, found 1"),
        ("mines.html#3x2n2:u20", 1, 16, "expected the 1 mine of the layout, found 2"),
    ],
    "tatham-masked": [("3x2n1:m9", 1, 9, "expected 2 digits for 6 cells, found 1")],
    "rawvf": [
        (REPLAY.replace("Width: 3", "Width: 4"), 12, 4, "expected a row of 4, found 3"),
        (REPLAY.replace("Height: 2", "Height: 3"), 14, 1, "expected 3 rows, found 2"),
        (REPLAY.replace("Width: 3\n", ""), 10, 1, "expected Width before the board, found none"),
        (REPLAY.replace("Height: 2\n", ""), 10, 1, "expected Height before the board, found none"),
        (REPLAY.replace("Height: 2", "Height: x"), 6, 9, "expected a whole number, found 'x'"),
        (REPLAY.replace("Height: 2", "Height: 0"), 5, 8, "expected at least one row and one column"),
        (REPLAY.replace("Width: 3", "Width: 999999"), 5, 8, "expected at most 1,000,000 cells"),
        (REPLAY.replace("Mines: 1", "Mines: 2"), 7, 8, "expected the 1 mine of the board, found 2"),
        (REPLAY.replace("Mines: 1", "Width: 3"), 7, 1, "expected Width once, found it again"),
        (REPLAY.replace("00*", "01*"), 12, 2, "expected one of * 0, found '1'"),
        (REPLAY.replace("Board:", "Bord"), 11, 1, "expected a key, a colon and a value, or Board:"),
        (REPLAY[: REPLAY.index("Board")], 11, 1, "expected a line Board: and the rows after it, found the end"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "line", "column", "message"),
    [(name, *wrong) for name, wrongs in WRONG.items() for wrong in wrongs],
    ids=lambda part: str(part)[:30],
)
def test_what_is_wrong_is_named(name: str, text: str, line: int, column: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "layout"
    path.write_text(text)
    with pytest.raises(BoardError) as caught:
        Layout.load(path)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)
    assert recognised(text) == name


@pytest.mark.parametrize("name", [*WITHOUT_START, *WITH_START, "mbf"])
def test_what_a_format_cannot_hold(name: str) -> None:
    format = all_formats()[name]
    with pytest.raises(
        BoardError,
        match="expected a layout, with all its mines, found a board as a player sees it",
    ):
        format.write(Board(("#1",)))
    with pytest.raises(BoardError, match="expected a square grid, found torus: this format cannot hold it"):
        format.write(Layout(("*.",), topology="torus"))
    message = "expected a start on a safe cell" if name in WITH_START else "expected no start, found 0,0"
    with pytest.raises(BoardError, match=message):
        format.write(Layout(("*.",), start=(0, 0)))


def test_sides_that_one_byte_cannot_hold() -> None:
    assert mbf.read_layout(mbf.write(Layout(("." * 255,)))).cols == 255
    for layout in (Layout(("." * 256,)), Layout((".",) * 256)):
        with pytest.raises(BoardError, match="expected at most 255 rows and columns, found"):
            mbf.write(layout)


def test_the_greatest_layouts() -> None:
    layout = Layout(("*." * 500,) * (MAX_CELLS // 1000))
    for name in ("ptta-link", "rawvf", "tatham-masked"):
        assert FORMATS[name].read_layout(FORMATS[name].write(layout)) == layout


# --- anything at all -------------------------------------------------------------------------------------------------


@st.composite
def mangled(draw: st.DrawFn, names: tuple[str, ...] = (*WITHOUT_START, *WITH_START)) -> tuple[str, str]:
    """Name of a format, and a text in it with a few characters changed."""
    name = draw(st.sampled_from(names))
    text = FORMATS[name].write(draw(plain_layouts(6)))
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(text))), draw(st.integers(0, 3))
        extra = draw(
            st.text(max_size=3) | st.sampled_from(["0", "9", "m", "\n", ",", ":", "99999999", "&b=", "=", "*"])
        )
        text = text[:place] + extra + text[place + length :]
    return name, text


@given(mangled())
def test_mangled_texts_raise_board_errors_and_nothing_else(mangled: tuple[str, str]) -> None:
    name, text = mangled
    for format in FORMATS.values():
        format.recognises(text)
    try:
        assert isinstance(FORMATS[name].read_layout(text), Layout)
    except BoardError as error:
        assert error.message and (error.line or 0) >= 1 and (error.column or 0) >= 1
        assert "\n" not in str(error)


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


@given(content=st.binary(max_size=40))
def test_random_bytes_raise_board_errors_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    assume(not any(format.recognises(content) for name, format in BINARY_FORMATS.items() if name != "mbf"))
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(content)
    try:
        assert isinstance(Layout.load(path), Layout)
    except BoardError as error:
        assert error.file == str(path)


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


def test_rawvf_is_told_by_its_version_or_its_board() -> None:
    assert rawvf.recognises("RawVF_Version: x") and rawvf.recognises("A: b\nBoard:\n")
    assert not rawvf.recognises("Board\n") and not rawvf.recognises("mines 3\n##\n")
