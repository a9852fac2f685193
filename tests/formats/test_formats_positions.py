"""Formats of other programs for positions: JSMinesweeper, .board, minesweepr."""

import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from satsweep import FORMATS, Board, BoardError, Layout, analyse
from satsweep.formats import board_file, jsm, read, write
from tests.formats.test_formats_layouts import plain_layouts, recognised
from tests.strategies import written

WITH_TOTAL = ("jsm", "jsm-link", "board")
NAMES = (*WITH_TOTAL, "minesweepr")
BOARD = Board(("#1#", "111"), mines=1)


@st.composite
def game_positions(draw: st.DrawFn, flags: bool = True, total: bool = True) -> Board:
    """Positions of games on the square grid, with right and wrong flags."""
    layout = draw(plain_layouts(8))
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    board = layout.board(draw(st.sets(st.sampled_from(cells))), tells_total=total)
    if flags:
        board = board.with_flags(filter(board.is_covered, draw(st.sets(st.sampled_from(cells), max_size=9))))
    return board


@st.composite
def arbitrary_positions(draw: st.DrawFn) -> Board:
    """Boards of any symbols, most of them impossible."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    grid = []
    for row in range(rows):
        line = ""
        for col in range(cols):
            near = (min(row + 1, rows - 1) - max(row - 1, 0) + 1) * (min(col + 1, cols - 1) - max(col - 1, 0) + 1) - 1
            line += draw(st.sampled_from("##F" + ".12345678"[: near + 1]))
        grid.append(line)
    return Board(grid, mines=draw(st.integers(0, rows * cols)))


# --- round trips -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_TOTAL)
@given(board=st.one_of(game_positions(), arbitrary_positions()))
def test_positions_read_back(name: str, board: Board) -> None:
    text = FORMATS[name].write(board)
    assert recognised(text) == name and FORMATS[name].read_board(text) == board == FORMATS[name].read(text)
    assert text.endswith("\n") and not text.endswith("\n\n")


@given(board=game_positions(flags=False, total=False))
def test_positions_without_total_and_flags_read_back(board: Board) -> None:
    text = FORMATS["minesweepr"].write(board)
    assert FORMATS["minesweepr"].read_board(text) == board
    if board.covered:
        assert recognised(text) == "minesweepr"
    else:
        assert FORMATS[recognised(text)].read_board(text) == board, (
            "without an unknown cell it reads the same as our text"
        )


@given(layout=plain_layouts(8), cells=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_layouts_and_what_is_seen_of_them_in_one_file(layout: Layout, cells: set[tuple[int, int]]) -> None:
    format = FORMATS["board"]
    text = format.write(layout)
    assert recognised(text) == "board" and format.read_layout(text) == layout == format.read(text)
    board = layout.board((row, col) for row, col in cells if row < layout.rows and col < layout.cols)
    both = text + "\n" + format.write(board).partition("classic\n\n")[2]
    assert format.read_layout(both) == layout and format.read_board(both) == board == format.read(both)


def test_a_file_with_both_gives_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "both.board"
    path.write_text(FORMATS["board"].write(Layout(("*..",))) + "\n[view]\nU1U\n")
    assert read(path) == Board.load(path) == Board(("#1#",), mines=1)
    assert read(path, layout=True) == Layout.load(path) == Layout(("*..",))


# --- the link, by its rules ------------------------------------------------------------------------------------------

SIZES = {"0": 10, "1": 7, "2": 5, "3": 5, "4": 4, "5": 3, "6": 3, "7": 1, "8": 1, "I": 4, "H": 10, "F": 8, "O": 1}
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


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


@pytest.mark.parametrize(
    ("code", "board"),
    [
        # 2x1, one mine: h is the first digit of H, SIZES put it after 10+7+5+5+4+3+3+1+1+4 = 43 others.
        (f"acab aaab {ALPHABET[44]}{ALPHABET[11]}", Board(("#1",), mines=1)),
        # A flag, and a number that was lowered by it from 1 to 0.
        (f"acab aaab {ALPHABET[54]}b", Board(("F1",), mines=1)),
        # A known mine lowers, too; a flag of the other kind does not.
        (f"adab aaab {ALPHABET[40]}b{ALPHABET[44]}", Board(("*1#",), mines=1)),
        (f"adab aaab {ALPHABET[61]}l{ALPHABET[44]}", Board(("F1#",), mines=1)),
        # 7 and 8 repeat; a run of 10 zeros takes two digits, and 12 hidden cells, too.
        ("akab aaaa ba", Board(("." * 10,), mines=0)),
        (f"amab aaaa {ALPHABET[44]}{ALPHABET[45]}", Board(("#" * 12,), mines=0)),
        (f"adad aaai {ALPHABET[47]}{ALPHABET[38]}{ALPHABET[47]}", Board(("###", "#8#", "###"), mines=8)),
    ],
)
def test_links_written_by_hand(code: str, board: Board) -> None:
    code = code.replace(" ", "")
    assert [ALPHABET.index(digit) for digit in "aZ9"] == [0, 51, 61]
    for link in (f"https://x.org/?board=9x9x9&analysis={code}", f"?analysis={code}#x", f"analysis={code}&more"):
        assert recognised(link) == "jsm-link" and jsm.read_link(link) == board
    assert jsm.write_link(board).rstrip().endswith(code) or "F1#" in board.cells


def test_a_link_stands_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    link = jsm.write_link(BOARD).rstrip()
    assert Board.load(link) == BOARD
    path = tmp_path / "a link.txt"
    path.write_text(f"\n{link}\n")
    assert Board.load(path) == BOARD
    long = jsm.write_link(Board(("#.F." * 300,) * 9, mines=9)).rstrip()
    assert len(long) > 4096, "longer than any name of a file"
    assert Board.load(long).cols == 1200
    with pytest.raises(BoardError, match=r"^<argument>:1:\d+: expected 6 cells, found 5"):
        Board.load(link[:-1] + ALPHABET[12])


# --- what others have written ----------------------------------------------------------------------------------------

MINE_FILE = """4x3x3
H1F0
?1OI
HHH8
This line is no row.
"""
BOARD_FILE = """# MINESWEEPER-BOARD v0.1
# Render: ascii
# a comment

author: somebody: else
rows: 3
columns: 7
mines: 9
game_mode: classic

[view]
UUU2100
UF1X1?U
U@U#111
"""
EMOJI_FILE = """# MINESWEEPER-BOARD v0.1
# Render: emoji
rows: 3
columns: 7
mines: 9

[view]
\u2b1c\u2b1c\u2b1c2\ufe0f\u20e31\ufe0f\u20e30\ufe0f\u20e30\u20e3
\u2b1c\U0001f6a91\ufe0f\u20e3\U0001f4a51\ufe0f\u20e3\u2753\u2b1c\ufe0f
\u2b1c\U0001f4a3\u2b1c\u274c1\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e3
"""
VIEW = Board(("###21..", "#F1*1##", "#*#F111"), mines=9)
MINESWEEPR = "...2x\n.113x\n.2*xx\n13*xx\nxxxxx\n"


@pytest.mark.parametrize(
    ("name", "text", "board"),
    [
        ("jsm", "3x2x1\nH1H\n111\n", BOARD),
        ("jsm", "3x2x1\r\nH1H  \r\n111", BOARD),
        ("jsm", MINE_FILE.replace("8", "3"), Board(("#1F.", "*1F*", "###3"), mines=3)),
        ("board", BOARD_FILE, VIEW),
        ("board", BOARD_FILE.replace("\n", "\r\n"), VIEW),
        ("board", EMOJI_FILE, VIEW),
        ("minesweepr", MINESWEEPR, Board(("...2#", ".113#", ".2*##", "13*##", "#####"))),
        ("minesweepr", "\n  x0\n  11\n\n", Board(("#.", "11"))),
    ],
)
def test_forms_that_are_read(name: str, text: str, board: Board) -> None:
    """Files of .board and minesweepr are the examples of their specifications."""
    assert recognised(text) == name and FORMATS[name].read_board(text) == board


def test_a_position_that_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write(Board(("##1.", "##21", "####"), mines=3), path, format="jsm-link")
    assert analyse(Board.load(path)).worlds == 12


def test_both_sections_as_emoji() -> None:
    text = "# MINESWEEPER-BOARD v0.1\n# Render: emoji\nrows: 1\ncolumns: 2\nmines: 1\n[real]\n\U0001f4a31\u20e3\n"
    text += "[view]\n\U0001f4a31\ufe0f\u20e3\n"
    assert board_file.read_layout(text) == Layout(("*.",)) and board_file.read_board(text) == Board(("*1",), mines=1)


# --- what is wrong ---------------------------------------------------------------------------------------------------

BOTH = "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: 3\nmines: 1\n[real]\n*10\n[view]\nU1U\n"
LINK = "?analysis=adacaaab"  # 3x2, one mine
H, F, SEVEN = ALPHABET[43:53], ALPHABET[53:61], ALPHABET[37]

WRONG = {
    "jsm": [
        (MINE_FILE, 4, 4, "expected at most 3, as many as the cell has neighbours, found 8"),
        ("3x2x7\nHHH\nHHH\n", 1, 5, "expected a mine total between 0 and the 6 cells, found 7"),
        ("3x0x1\n", 1, 1, "expected at least one row and one column, found 0x3"),
        ("99999x99999x1\n", 1, 1, "expected at most 1,000,000 cells"),
        ("3x2x1\nHHH\nHxH\n", 3, 2, "expected one of 0 1 2 3 4 5 6 7 8 H F O I ?, found 'x'"),
        ("3x2x1\nHHH\nHH\n", 3, 3, "expected a row of 3, found 2"),
        ("3x2x1\nHHHH\nHHH\n", 2, 4, "expected a row of 3, found 4"),
        ("3x2x1\nHHH\n", 3, 1, "expected a row of 3, found 0"),
        ("3x2x1\nHHH", 2, 1, "expected 2 rows, found 1"),
    ],
    "jsm-link": [
        ("?analysis=", 1, 11, "expected 8 characters for width, height and mines"),
        ("?analysis=adacaaa", 1, 18, "expected 8 characters for width, height and mines"),
        (f"{LINK}-", 1, 19, "expected a letter or a digit, found '-'"),
        (f"{LINK}\u00e4", 1, 19, "expected a letter or a digit, found '\u00e4'"),
        ("?analysis=aaacaaab", 1, 11, "expected at least one row and one column, found 2x0"),
        ("?analysis=9999aaab", 1, 11, "expected at most 1,000,000 cells"),
        ("?analysis=adacaaah", 1, 15, "expected a mine total between 0 and the 6 cells, found 7"),
        (LINK, 1, 19, "expected 6 cells, found 0"),
        (f"{LINK}{H[5]}", 1, 20, "expected 6 cells, found 5"),
        (f"{LINK}b{H[7]}", 1, 20, "expected 6 cells, found more"),
        (f"{LINK}b{H[1]}{H[0]}", 1, 20, "expected 6 cells, found more"),
        (f"{LINK}b{H[9] * 100_000}", 1, 20, "expected 6 cells, found more"),
        (f"{LINK}a{H[6]}", 1, 19, "expected a run of at least one cell, found none"),
        (
            f"\n{LINK}{H[4]}{SEVEN}{H[1]}",
            2,
            20,
            "expected at most 5, as many as the cell has neighbours, found 7, at 1,1",
        ),
        (f"{LINK}{F[4]}{SEVEN}{F[1]}", 1, 20, "expected at most 8 mines around a cell, found 12 with flags"),
        (f"{LINK}{H[6]} x", 1, 21, "expected nothing after the link"),
    ],
    "board": [
        ("# MINESWEEPER-BOARD v0.2\n", 1, 1, "expected '# MINESWEEPER-BOARD v0.1', found '# MINESWEEPER-BOARD v0.2'"),
        (BOARD_FILE.replace("ascii", "braille"), 2, 11, "expected ascii or emoji, found 'braille'"),
        (BOARD_FILE.replace("rows: 3\n", ""), 10, 1, "expected rows: before the board, found none"),
        (BOARD_FILE.replace("mines: 9\n", ""), 10, 1, "expected mines: before the board, found none"),
        (BOARD_FILE.replace("mines: 9", "mines: -9"), 8, 8, "expected a whole number, found '-9'"),
        (
            BOARD_FILE.replace("mines: 9", "mines: 22"),
            8,
            1,
            "expected a mine total between 0 and the 21 cells, found 22",
        ),
        (BOARD_FILE.replace("rows: 3", "rows: 0"), 6, 1, "expected at least one row and one column"),
        (BOARD_FILE.replace("rows: 3", "rows: 99999999"), 6, 1, "expected at most 1,000,000 cells"),
        (BOARD_FILE.replace("rows: 3", "rows: 4"), 15, 1, "expected a row of 7, found 0"),
        (BOARD_FILE.replace("rows: 3", "rows: 2"), 14, 1, "expected a section [real] or [view]"),
        (BOARD_FILE.replace("rows: 3", "rows"), 6, 1, "expected a key, a colon and a value, or a section"),
        (BOARD_FILE.replace("columns: 7", "columns: 6"), 12, 7, "expected a row of 6, found 7"),
        (BOARD_FILE.replace("UF1X", "UF1x"), 13, 4, "expected one of 0 1 2 3 4 5 6 7 8 U F ? X @ #, found 'x'"),
        (BOARD_FILE.replace("UUU21", "UUU29"), 12, 5, "found '9'"),
        (BOARD_FILE.replace("UUU2100", "UUU2107"), 12, 7, "expected at most 3, as many as the cell has neighbours"),
        (EMOJI_FILE.replace("\u2753", "Z"), 9, 6, "found 'Z'"),
        (BOARD_FILE[: BOARD_FILE.index("[view]")], 11, 1, "expected a section [real] or [view], found none"),
        (BOTH[: BOTH.index("[view]")], 7, 1, "expected a section [view], found none"),
        (BOTH + "[view]\nU1U\n", 9, 1, "expected [view] once, found it again"),
        (BOTH.replace("*10", "*20"), 6, 2, "expected 1, as many mines as are around, found 2"),
        (BOTH.replace("mines: 1", "mines: 2"), 4, 1, "expected the 1 mine of [real], found 2"),
        (BOTH.replace("U1U", "U2U"), 8, 2, "expected 1 as in [real], found 2"),
        (BOTH.replace("U1U", "1U0"), 8, 1, "expected * as in [real], found 1"),
        (BOTH.replace("U1U", "UUX"), 8, 3, "expected 0 as in [real], found X"),
    ],
    "minesweepr": [
        ("x1x\n1?1\n", 2, 2, "expected one of 0 1 2 3 4 5 6 7 8 . x *, found '?'"),
        ("x1x\n11\n", 2, 3, "expected a row of 3, found 2"),
        ("\nx1x\n\n111\n", 4, 1, "expected rows without a blank line between them"),
        ("x1x\n191\n", 2, 2, "found '9'"),
        ("x1x\n161\n", 2, 2, "expected at most 5, as many as the cell has neighbours, found 6"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "line", "column", "message"),
    [(name, *wrong) for name, wrongs in WRONG.items() for wrong in wrongs],
    ids=lambda part: str(part)[-30:],
)
def test_what_is_wrong_is_named(name: str, text: str, line: int, column: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "position"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        Board.load(path)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)
    assert recognised(text) == name


def test_a_layout_that_is_not_there() -> None:
    with pytest.raises(BoardError, match=r"^15:1: expected a section \[real\], found none"):
        board_file.read_layout(BOARD_FILE)
    with pytest.raises(BoardError, match="expected a layout, with all its mines, found a board as a player sees it"):
        FORMATS["jsm"].read_layout(MINE_FILE)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_format_cannot_hold(name: str) -> None:
    format = FORMATS[name]
    with pytest.raises(BoardError, match="expected a square grid, found torus: this format cannot hold it"):
        format.write(Board(("#1",), mines=1 if name in WITH_TOTAL else None, topology="torus"))
    with pytest.raises(BoardError, match="expected no density, found 1/5: this format cannot hold it"):
        format.write(Board(("#1",), density="0.2"))
    if name in WITH_TOTAL:
        with pytest.raises(BoardError, match="expected a mine total, found none: this format needs one"):
            format.write(Board(("#1",)))
    else:
        with pytest.raises(BoardError, match="expected no mine total, found 1: this format cannot hold it"):
            format.write(Board(("#1",), mines=1))
        with pytest.raises(BoardError, match="expected no flag, found one at 0,1: this format has no sign for it"):
            format.write(Board(("#F",)))
    if name != "board":
        with pytest.raises(
            BoardError,
            match="expected a board as a player sees it, found a layout, with all its mines",
        ):
            format.write(Layout(("*.",)))


def test_links_need_numbers_that_count_known_mines() -> None:
    """Each known mine lowers the numbers around it, so every number has to count it."""
    with pytest.raises(BoardError, match="expected numbers that count the known mine at 0,0, found one that does not"):
        jsm.write_link(Board(("*.",), mines=1))
    assert jsm.read_link(jsm.write_link(Board(("F.",), mines=1))) == Board(("F.",), mines=1)
    with pytest.raises(BoardError, match="expected fewer than 3,844 columns, found 3,844"):
        jsm.write_link(Board(("#" * 3844,), mines=0))


@pytest.mark.extended
def test_great_positions() -> None:
    board = Board(("#.F3*" * 200,) * 100, mines=5)
    for name in ("jsm", "board"):
        assert FORMATS[name].read_board(FORMATS[name].write(board)) == board
    board = Board(("#1F2" * 250,) * 100, mines=5)
    assert jsm.read_link(jsm.write_link(board)) == board


# --- anything at all -------------------------------------------------------------------------------------------------


@given(
    board=game_positions(),
    flagless=game_positions(flags=False, total=False),
    changes=st.lists(
        st.tuples(
            st.integers(0, 400),
            st.integers(0, 3),
            st.text(max_size=3)
            | st.sampled_from(["0", "9", "H", "a", "\n", "[real]\n", "x99999", "99999999", "#", ":"]),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_mangled_texts_raise_board_errors_and_nothing_else(
    board: Board, flagless: Board, changes: list[tuple[int, int, str]]
) -> None:
    for name, text in {**written(board), **written(flagless)}.items():
        for place, cut, extra in changes:
            place %= len(text) + 1
            text = text[:place] + extra + text[place + cut :]
        for format in FORMATS.values():
            format.recognises(text)
        for read_one in (FORMATS[name].read_board, FORMATS[name].read_layout, FORMATS[recognised(text)].read):
            try:
                read_one(text)
            except BoardError as error:
                assert error.message and (error.line or 0) >= 1 and (error.column or 0) >= 1
                assert "\n" not in str(error)
