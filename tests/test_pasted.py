"""Drawings of boards: what satsweep prints reads back, and what people paste reads."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardError, Layout, analyse
from satsweep.formats import read_content
from satsweep.render.analysis_text import to_colour, to_text
from satsweep.render.board_text import styled_lines
from satsweep.render.explanation_text import marked_board
from tests.cli import invoke
from tests.strategies import arbitrary_boards, boards

BOARD = Board(("##1.", "##21", "####"), mines=3)


def plain(board: Board, across: int = 2) -> str:
    """A board as ``play`` prints it, without colours."""
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in styled_lines(board, across=across))


# --- what satsweep prints ----------------------------------------------------------------------------------------


@given(st.one_of(boards(), arbitrary_boards()), st.sampled_from(["", "  ", "\t"]))
def test_boards_of_games_read_back(board: Board, indent: str) -> None:
    """Of any topology, with flags, known mines and cells that show nothing."""
    text = "\n".join(indent + line for line in plain(board).split("\n"))
    head = "\n".join([*str(board).split("\n")[: -board.rows], ""])
    assert Board.from_text(head + text) == board
    assert Board.from_text(head + text.lstrip()) == board
    if board.cols > 5:  # narrower ones always have room for blanks
        assert Board.from_text(head + plain(board, across=1)) == board


@given(boards(max_covered=12), st.integers(12, 40) | st.none())
def test_maps_of_risks_read_back(board: Board, width: int | None) -> None:
    """Wide ones are printed in parts; risks and forced cells are covered, flags are not printed."""
    analysis = analyse(board)
    assert Board.from_text("".join(to_text(analysis, width=width))) == board.without_flags()


def test_a_narrow_map_has_no_blanks_between_risks() -> None:
    board = Board(("####1.1#######", "11211.1#######"))
    lines = "".join(to_colour(analyse(board), width=32))
    for code in set(part.partition("m")[0] for part in lines.split("\x1b[")[1:]):
        lines = lines.replace(f"\x1b[{code}m", "")
    assert any(len(word) > 3 and word.isdigit() for word in lines.split())
    assert Board.from_text(lines).cells == board.cells


@given(boards(), st.data())
def test_marked_boards_read_back(board: Board, data: st.DataObject) -> None:
    marked, clues = (data.draw(st.lists(st.sampled_from(list(board)), max_size=9)) for _ in range(2))
    text = "\n".join((f"topology {board.topology}", *marked_board(board, marked, clues, 10**6)))
    assert Board.from_text(text).cells == board.cells


@pytest.mark.parametrize("command", [("solve",), ("explain",), ("explain", "2,1"), ("explain", "0,0")])
def test_what_the_commands_print(command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(f"{BOARD}\n")
    printed = invoke(command[0], path, *command[1:]).stdout
    if command in [("solve",), ("explain", "2,1")]:
        path.write_text(printed)
        assert Board.load(path).cells == BOARD.cells
    else:
        with pytest.raises(BoardError):
            Board.from_text(printed)


def test_of_a_game_the_last_board_counts(tmp_path: Path) -> None:
    printed = invoke("play", "--agent", "basic", "--rows", 5, "--cols", 12, "--mines", 9, "--seed", 3).stdout
    assert printed.count("0         5        10") > 1
    last = printed.rpartition("0         5        10\n")[2].split("\n")[:5]
    assert Board.from_text(printed).cells == tuple("".join(line.split()[1:]) for line in last)


def test_a_part_of_a_board_is_refused() -> None:
    board = Board(("#" * 60,) * 20)
    part = "\n".join(marked_board(board, [board.cell(11 * 60 + 30)], (), 80))
    with pytest.raises(BoardError, match="1:1: expected a whole board, found its columns from 28 on"):
        Board.from_text(part)
    rows = "\n".join(plain(BOARD).split("\n")[:1] + plain(BOARD).split("\n")[2:])
    with pytest.raises(BoardError, match="2:1: expected a whole board, found its rows from 1 on"):
        Board.from_text(rows)


# --- what people paste -------------------------------------------------------------------------------------------

PASTED = {
    "blanks between cells": "mines 3\n# # 1 .\n# # 2 1\n# # # #\n",
    "tabs between cells": "mines 3\n#\t#\t1\t0\n#\t#\t2\t1\n#\t#\t#\t#\n",
    "blanks in groups": "mines 3\n## 1.\n## 21\n## ##\n",
    "white squares and keycaps": "mines 3\n⬜⬜1️⃣0️⃣\n⬜⬜2️⃣1️⃣\n⬜⬜⬜⬜\n",
    "squares with a selector": "mines 3\n◻️◻️1·\n◻️◻️21\n◻️◻️◻️◻️\n",
    "blue squares with blanks": "mines 3\n🟦 🟦 1️⃣ ·\n🟦 🟦 2️⃣ 1️⃣\n🟦 🟦 🟦 🟦\n",
    "black squares": "mines 3\n■■1·\n■■21\n■■■■\n",
    "wide digits": "mines 3\n□□１０\n□□２１\n□□□□\n",
    "circled digits": "mines 3\n▢▢①⓪\n▢▢②①\n▢▢▢▢\n",
    "question marks": "mines 3\n⬛❓1.\n⬛⬛21\n❓⬛⬛⬛\n",
    "a box": "mines 3\n+---+---+---+---+\n| # | # | 1 | . |\n| # | # | 2 | 1 |\n| # | # | # | # |\n+---+---+---+---+\n",
    "a box of one line": "mines 3\n┌─────────┐\n│ # # 1 . │\n│ # # 2 1 │\n│ # # # # │\n└─────────┘\n",
    "a box for each cell": "mines 3\n┌─┬─┬─┬─┐\n│#│#│1│.│\n├─┼─┼─┼─┤\n│#│#│2│1│\n├─┼─┼─┼─┤\n│#│#│#│#│\n└─┴─┴─┴─┘\n",
    "a table of Markdown": "mines 3\n|#|#|1|.|\n|---|---|---|---|\n|#|#|2|1|\n|#|#|#|#|\n",
    "letters above the columns": "mines 3\n   A B C D\n1  # # 1 .\n2  # # 2 1\n3  # # # #\n",
    "numbers from 1": "mines 3\n   1 2 3 4\n ┌─────────┐\n1│ # # 1 . │\n2│ # # 2 1 │\n3│ # # # # │\n └─────────┘\n",
    "numbers beside emoji": "mines 3\n  0 1 2 3\n0 ⬜ ⬜ 1️⃣ ·\n1 ⬜ ⬜ 2️⃣ 1️⃣\n2 ⬜ ⬜ ⬜ ⬜\n",
    "the first line without its indent": "0 1 2 3\n  0 # # 1 .\n  1 # # 2 1\n  2 # # # #\nmines 3\n",
}


@pytest.mark.parametrize("name", PASTED)
def test_pasted_boards(name: str) -> None:
    assert Board.from_text(PASTED[name]) == BOARD
    assert read_content(PASTED[name].encode()) == ("text", BOARD)


def test_signs_of_flags_and_mines() -> None:
    assert Board.from_text("🚩 💣 1\n⚑ 💥 1\n❌ * 1\nF ☠ 1") == Board(("F*1", "F*1", "F*1", "F*1"))
    assert Board.from_text("F 1\n1 1") == Board(("F1", "11"))
    assert Board.from_text("FF 1\nFF 1") == Board(("FF1", "FF1"))
    assert Layout.from_text("💣 .\n. .") == Layout(("*.", ".."))
    assert read_content("💣·\n··\n".encode())[1] == Layout(("*.", ".."))


def test_numbers_that_are_no_labels() -> None:
    """Rows whose numbers rise are a board, unless the next line begins with a label."""
    assert Board.from_text("0 1 1\n0 2 #\n0 2 #") == Board((".11", ".2#", ".2#"))
    assert Board.from_text("1 2 1\n2 # #") == Board(("121", "2##"))
    assert Board.from_text("1\n2\n#") == Board(("1", "2", "#"))
    assert Board.from_text("12\n##") == Board(("12", "##"))


# --- the likeliest reading ---------------------------------------------------------------------------------------
