"""Samples of each format with their values, and broken texts with the places and words of their errors.

Files of .board and minesweepr are the examples of their specifications. ``test_conformance.py`` runs the suite.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

from satsweep import Board, Layout, Statement
from satsweep.formats import StatementSet, Value

LAYOUT = Layout(("..*", "..."))
BOARD = Board(("#1#", "111"), mines=1)

REPLAY, MINE_FILE, BOARD_FILE, EMOJI_FILE = (
    (Path(__file__).parent / "samples" / name).read_text("utf-8")
    for name in ("arbiter.rawvf", "position.mine", "ascii.board", "emoji.board")
)

VIEW = Board(("###21..", "#F1*1##", "#*#F111"), mines=9)
MINESWEEPR = "...2x\n.113x\n.2*xx\n13*xx\nxxxxx\n"
BOTH = "# MINESWEEPER-BOARD v0.1\nrows: 1\ncolumns: 3\nmines: 1\n[real]\n*10\n[view]\nU1U\n"
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
LINK = "?analysis=adacaaab"  # 3x2, one mine
H, F, SEVEN = ALPHABET[43:53], ALPHABET[53:61], ALPHABET[37]
ONE = '{"rules": [{"num_mines": 1, "cells": ["a", "b"]}]'


def search(dim: str, bombs: str, safe: str, board: str) -> str:
    return json.dumps({"dim": dim, "bombs": bombs, "safe": safe, "board": board})


LINKS: list[tuple[str, Value]] = [
    # 2x1, one mine: h is the first digit of H, SIZES put it after 10+7+5+5+4+3+3+1+1+4 = 43 others.
    (f"analysis=acabaaab{ALPHABET[44]}{ALPHABET[11]}", Board(("#1",), mines=1)),
    # A flag, and a number that was lowered by it from 1 to 0.
    (f"analysis=acabaaab{ALPHABET[54]}b", Board(("F1",), mines=1)),
    # A known mine lowers, too; a flag of the other kind does not.
    (f"analysis=adabaaab{ALPHABET[40]}b{ALPHABET[44]}", Board(("*1#",), mines=1)),
    (f"analysis=adabaaab{ALPHABET[61]}l{ALPHABET[44]}", Board(("F1#",), mines=1)),
    # 7 and 8 repeat; a run of 10 zeros takes two digits, and 12 hidden cells, too.
    ("analysis=akabaaaaba", Board(("." * 10,), mines=0)),
    (f"analysis=amabaaaa{ALPHABET[44]}{ALPHABET[45]}", Board(("#" * 12,), mines=0)),
    (f"analysis=adadaaai{ALPHABET[47]}{ALPHABET[38]}{ALPHABET[47]}", Board(("###", "#8#", "###"), mines=8)),
]

SAMPLES: dict[str, list[tuple[str, Value]]] = {
    "json": [
        ('{"board": ["#1"]}', Board(("#1",))),
        ('{"mines": null, "board": ["#1"]}', Board(("#1",))),
        ('{"board": [[-1, 1, 0], [-1, 2, 1], [9, -1, -1]], "mines": 2}', Board(("#1.", "#21", "*##"), mines=2)),
        ('{"board": ["#1"], "density": 0.1}', Board(("#1",), density="1/10")),
        ('{"board": ["#1"], "density": "1/3"}', Board(("#1",), density="1/3")),
        ('{"board": ["#1"], "density": 1e-3, "topology": "torus"}', Board(("#1",), density="1/1000", topology="torus")),
        ('{"id": 7, "comment": [1.5], "rows": 1, "cols": 2, "board": ["F1"]}', Board(("F1",))),
        (' \n{"board":\n["\\u0023\\u0031"]}\n', Board(("#1",))),
        ('{"layout": ["*."], "mines": 1, "start": [0, 1]}', Layout(("*.",), start=(0, 1))),
        ('{"board": ["*."], "topology": "torus", "rows": 1, "cols": 2}', Layout(("*.",), topology="torus")),
        ('{"layout": [[9, 0]]}', Layout(("*.",))),
    ],
    "mbf-hex": [
        ("03 02 00 01 02 00", LAYOUT),
        (" 03  02 00\n01 02 00\n", LAYOUT),
        ("1E 10 00 00", Layout(("." * 30,) * 16)),
    ],
    "ptta-link": [
        ("?b=0302&m=40", LAYOUT),
        ("b=0302&m=40", LAYOUT),
        ("https://example.org/x?z=1&m=40&zini&b=32", LAYOUT),
        ("?b=1&m=g0000000000000000", Layout(("*........", *["." * 9] * 8))),
        ("?b=211&m=g0008", Layout(("*.", *[".."] * 9, ".*"))),
        ("?b=110&m=00", Layout((".",) * 10)),
    ],
    "text": [("#1\n", Board(("#1",))), ("start 0,1\n*.\n", Layout(("*.",), start=(0, 1)))],
    "tatham": [
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
    ],
    "rawvf": [
        (REPLAY, LAYOUT),
        (REPLAY.replace("\n", "\r\n"), LAYOUT),
        ("WIDTH: 3\nheight : 2\nBoard:\n00*\n000", LAYOUT),
    ],
    "tatham-masked": [("7x4n12:m07fa650", Layout(("...*..*", "...**.*", "...*.*.", "**..***")))],
    "jsm": [
        ("3x2x1\nH1H\n111\n", BOARD),
        ("3x2x1\r\nH1H  \r\n111", BOARD),
        (MINE_FILE.replace("8", "3"), Board(("#1F.", "*1F*", "###3"), mines=3)),
    ],
    "jsm-link": LINKS,
    "board": [
        (BOARD_FILE, VIEW),
        (BOARD_FILE.replace("\n", "\r\n"), VIEW),
        (EMOJI_FILE, VIEW),
    ],
    "minesweepr": [
        (MINESWEEPR, Board(("...2#", ".113#", ".2*##", "13*##", "#####"))),
        ("\n  x0\n  11\n\n", Board(("#.", "11"))),
    ],
    "georgia-tech": [
        # The numbers decide where the grid is not square.
        (search("2,3", "1", "1,0", "011019"), Layout(("...", "..*"), start=(1, 0))),
        (search("3,2", "1", "0,1", "011019"), Layout(("...", "..*"), start=(1, 0))),
        # On a square the safe cell does, and where it says nothing the newer convention is meant.
        (search("2,2", "1", "0,1", "1191"), Layout(("..", "*."), start=(0, 1))),
        (search("2,2", "1", "1,0", "1191"), Layout(("..", "*."), start=(0, 1))),
        (search("2,2", "0", "1,0", "0000"), Layout(("..", ".."), start=(1, 0))),
        (search("2,3", "0", "1,2", "000000"), Layout(("...", "..."), start=(1, 2))),
        (search("1,1", "0", "0,0", "0"), Layout((".",), start=(0, 0))),
    ],
    "rules": [
        ('{"rules": []}', StatementSet(())),
        ('{"rules": [{"num_mines": 1, "cells": ["a", 2]}]}', StatementSet((Statement(1, ["a", 2]),))),
        ('{"total_cells": 3, "total_mines": null, "rules": []}', StatementSet((), total_cells=3)),
        ('{"rules": [], "mine_prob": 0.2}', StatementSet((), density=Fraction(1, 5))),
        ('{"rules": [], "mine_prob": 2e-1, "total_cells": 9}', StatementSet((), 9, None, Fraction(1, 5))),
    ],
    "graph": [
        (
            '{"edges": [["a", "b"], ["b", "c"], ["c", 4], ["4", "b"]], "open": {"b": 1, "4": null}, "total_mines": 1}',
            StatementSet((Statement(1, ["a", "c"]),), 2, 1, None, ("a", "c")),
        ),
    ],
}

BROKEN: dict[tuple[str, type], list[tuple[str, str]]] = {
    ("json", Board): [
        ("{", "1:2: expected JSON"),
        ('{"board": ["#1"]', "1:17: expected JSON"),
        # The place is the comma's from Python 3.13.
        ('{"board": ["#1"],}', f"1:{18 if sys.version_info < (3, 13) else 17}: expected JSON"),
        ('{"board": ["#1"]} x', "1:19: expected JSON: extra data"),
        ("[]", "1:1: expected a JSON object with 'board'"),
        ('"##"', "1:1: expected a JSON object with 'board'"),
        ("{}", "1:1: expected the key 'board'"),
        ('\n {"mines": 3}', "2:2: expected the key 'board'"),
        ('{"board": "##"}', "1:11: expected 'board' as a list of rows"),
        ('{"board": null}', "1:11: expected 'board' as a list of rows"),
        ('{"board": []}', "1:1: expected rows of one of # . 0-8 * F ?, found none"),
        ('{"board": [""]}', "1:1: expected rows of one of # . 0-8 * F ?, found none"),
        ('{"board": ["##",\n  "#x"]}', "2:5: expected one of # . 0-8 * F ?, found 'x'"),
        ('{"board": ["##",\n  "#"]}', "2:5: expected 2 cells as in the first row, found 1"),
        ('{"board": ["##",\n  3]}', "2:3: expected a row as a string or a list of integers"),
        ('{"board": ["##",\n  1.5]}', "2:3: expected a row as a string or a list of integers"),
        ('{"board": [[-1, 0],\n  [-1, 10]]}', "2:8: expected an integer from -1 (covered) to 9 (mine)"),
        ('{"board": [[-1, true]]}', "1:17: expected an integer from -1 (covered) to 9 (mine)"),
        ('{"board": [[-1, 1.0]]}', "1:17: expected an integer from -1 (covered) to 9 (mine)"),
        ('{"board": [[-1, [0]]]}', "1:17: expected an integer from -1 (covered) to 9 (mine)"),
        ('{"board": [[-1, -1],\n [-1, 4]]}', "2:7: expected at most 3, as many as the cell has neighbours, found 4"),
        ('{"board": ["##"], "mines": 3}', "1:28: expected a mine total between 0 and the 2 cells, found 3"),
        ('{"board": ["##"], "mines": "1"}', "1:28: expected the mine total as an integer, found '1'"),
        ('{"board": ["##"], "mines": 1.0}', "1:28: expected the mine total as an integer"),
        ('{"board": ["##"], "mines": true}', "1:28: expected the mine total as an integer, found True"),
        ('{"board": ["##"], "mines": NaN}', "1:28: expected a number, found NaN"),
        ('{"board": ["##"], "mines": ' + "1" * 5000 + "}", "1:28: expected a number of few digits"),
        ('{"board": ["##"], "density": 1.5}', "1:30: expected a density strictly between 0 and 1, found '1.5'"),
        ('{"board": ["##"], "density": true}', "1:30: expected a density as a number"),
        ('{"board": ["##"], "density": [1]}', "1:30: expected a density as a number"),
        ('{"board": ["##"], "density": 0.5, "mines": 1}', "1:30: expected a mine total or a density, found both"),
        (
            '{"board": ["##"], "topology": "cube"}',
            "1:31: expected a topology among square, torus, hexagonal, orthogonal, knight, or offsets or edges, "
            "found 'cube'",
        ),
        ('{"board": ["##"], "topology": 3}', "1:31: expected a topology as a string"),
        ('{"board": ["##"],\n "rows": 2}', "2:10: expected rows to be the 1 of the board"),
        ('{"board": ["##"], "cols": "2"}', "1:27: expected cols to be the 2 of the board"),
        ('{"board": ["##"], "rows": true}', "1:27: expected rows to be the 1 of the board"),
        ('{"board": ["##"], "size": 2}', "1:27: expected a key among board, mines,"),
        ('{"board": ["##"],\n "mines": 1, "mines": 2}', "2:14: expected the key 'mines' once, found it again"),
        (
            '{"board": ' + "[" * 100_000 + "]" * 100_000 + "}",
            "1:1: expected an object of board fields, found it nested too deeply",
        ),
    ],
    ("text", Board): [
        ("##\n#x\n", "2:2: expected one of # . 0-8 * F ?, found 'x'"),
    ],
    ("text", Layout): [
        ("*.\n.#\n", "2:2: expected one of . *, found '#'"),
    ],
    ("json", Layout): [
        ('{"layout": ["*."], "mines": 2}', "1:29: expected the total to be the 1 mine shown, found 2"),
        ('{"layout": ["*."], "mines": "1"}', "1:29: expected the mine total as an integer"),
        ('{"layout": ["*."], "start": [0, 2]}', "1:29: expected a start on the 1x2 grid, found 0,2"),
        ('{"layout": ["*."], "start": [0]}', "1:29: expected start as [row, col]"),
        ('{"layout": ["*."], "start": "0,1"}', "1:29: expected start as [row, col]"),
        ('{"layout": ["*."], "start": [0, true]}', "1:29: expected start as [row, col]"),
        ('{"layout": ["*#"]}', "1:15: expected one of . *, found '#'"),
        ('{"layout": ["*."], "density": 0.5}', "1:31: expected a key among layout, board, mines,"),
        ("{}", "1:1: expected the key"),
    ],
    ("georgia-tech", Layout): [
        (search("2", "1", "1,0", "011019"), "1:9: expected two numbers with a comma between, found '2'"),
        (search("2,3,1", "1", "1,0", "011019"), "1:9: expected two numbers with a comma between"),
        (search("0,3", "0", "1,0", ""), "1:9: expected from 1 to 1,000,000 cells, found 0,3"),
        (search("1001,1000", "0", "1,0", ""), "1:9: expected from 1 to 1,000,000 cells"),
        (search("2,3", "2", "1,0", "011019"), "1:25: expected the 1 mine of the board, found '2'"),
        (search("2,3", "x", "1,0", "011019"), "1:25: expected the 1 mine of the board, found 'x'"),
        (search("2,3", "1", "1", "011019"), "1:38: expected two numbers with a comma between, found '1'"),
        (search("2,3", "1", "1,2", "011019"), "1:38: expected a start on a safe cell, found a mine at 1,2"),
        (search("2,3", "1", "3,3", "011019"), "1:38: expected a start on the 2x3 grid, found 3,3"),
        (search("2,3", "1", "1,0", "01101"), "1:54: expected 6 digits, as many as there are cells, found 5 characters"),
        (search("2,3", "1", "1,0", "01101*"), "1:54: expected 6 digits"),
        (search("2,3", "1", "1,0", "111019"), "1:54: expected 0 at 0,0 as 0 of its neighbours are mines, found 1"),
        (search("2,2", "4", "0,0", "9999"), "1:38: expected a start on a safe cell, found a mine at 0,0"),
        ('{"dim": [2, 3], "bombs": "1", "safe": "1,0", "board": "011019"}', "1:9: expected 'dim' as a string"),
        ('{"dim": "2,3", "bombs": 1, "safe": "1,0", "board": "011019"}', "1:25: expected 'bombs' as a string"),
        ('{"dim": "2,3", "bombs": "1", "board": "011019"}', "1:1: expected the key 'safe'"),
        (
            '{"dim": "2,3", "size": "1"}',
            "1:24: expected a key among dim, bombs, safe, board, moves, rules, player, found 'size'",
        ),
    ],
    ("mbf-hex", Layout): [
        ("03 02 00 01 02 0", "1:16: expected two hexadecimal digits, found '0'"),
        ("03 02 00 01\n02 x0", "2:4: expected two hexadecimal digits, found 'x0'"),
    ],
    ("ptta-link", Layout): [
        ("?b=0302&m=4", "1:12: expected 2 characters for 3x2, found 1"),
        ("?b=0302&m=400", "1:13: expected 2 characters for 3x2, found 3"),
        ("?b=0302&m=4w", "1:12: expected one of 0-9 a-v, found 'w'"),
        ("?b=0302&m=41", "1:12: expected no mines after the last cell, found some"),
        ("?b=4&m=40", "1:4: expected 1, 2, 3, or width and height with as many digits each, found '4'"),
        ("?b=&m=40", "1:4: expected 1, 2, 3, or width and height"),
        ("?b=0000&m=40", "1:4: expected at least one row and one column, found 0x0"),
        ("\n?b=10011000&m=40", "2:4: expected at most 1,000,000 cells, found 1,000 rows of 1,001"),
        ("?b=0302&m=40 x", "1:14: expected nothing after the link"),
    ],
    ("tatham", Layout): [
        ("3x2n1:u2", "1:9: expected 2 digits for 6 cells, found 1"),
        ("3x2n1:u200", "1:10: expected 2 digits for 6 cells, found 3"),
        ("3x2n1:u2g", "1:9: expected a hexadecimal digit, found 'g'"),
        ("3x2n1:u21", "1:9: expected no mines after the last cell, found some"),
        ("3x2n2:u20", "1:5: expected the 1 mine of the layout, found 2"),
        ("0x2n0:u", "1:1: expected at least one row and one column, found 2x0"),
        ("1001x1000n1:u", "1:1: expected at most 1,000,000 cells"),
        ("3x2n1:3,0,u20", "1:7: expected a start within 3 columns and 2 rows, found 3,0"),
        ("3x2n1:0,2,u20", "1:7: expected a start within 3 columns and 2 rows, found 0,2"),
        ("3x2n1:2,0,u20", "1:7: expected a start on a safe cell, found a mine at 2,0"),
        ("3x2n1:u20 x", "1:11: expected nothing after the digits"),
        ("3x2n1:0,u20", "1:8: expected nothing after the digits"),
        ("9x9n10:r10,u,78e5e8ab", "1:8: expected an ID with a layout, found the seed of one"),
        ("9x9n10#78e5e8ab", "1:7: expected an ID with a layout, found the seed of one"),
        ("9x9n10aX4Y4#78e5e8ab", "1:12: expected an ID with a layout, found the seed of one"),
        ("mines.html#9x9n10#78e5e8ab", "1:18: expected an ID with a layout, found the seed of one"),
        ("mines.html#3x2:u2", "1:18: expected 2 digits for 6 cells, found 1"),
        ("mines.html#3x2n2:u20", "1:16: expected the 1 mine of the layout, found 2"),
    ],
    ("rawvf", Layout): [
        (REPLAY.replace("Width: 3", "Width: 4"), "12:4: expected a row of 4, found 3"),
        (REPLAY.replace("Height: 2", "Height: 3"), "14:1: expected 3 rows, found 2"),
        (REPLAY.replace("Width: 3\n", ""), "10:1: expected Width before the board, found none"),
        (REPLAY.replace("Height: 2\n", ""), "10:1: expected Height before the board, found none"),
        (REPLAY.replace("Height: 2", "Height: x"), "6:9: expected a whole number, found 'x'"),
        (REPLAY.replace("Height: 2", "Height: 0"), "5:8: expected at least one row and one column"),
        (REPLAY.replace("Width: 3", "Width: 999999"), "5:8: expected at most 1,000,000 cells"),
        (REPLAY.replace("Mines: 1", "Mines: 2"), "7:8: expected the 1 mine of the board, found 2"),
        (REPLAY.replace("Mines: 1", "Width: 3"), "7:1: expected Width once, found it again"),
        (REPLAY.replace("00*", "01*"), "12:2: expected one of * 0, found '1'"),
        (REPLAY.replace("Board:", "Bord"), "11:1: expected a key, a colon and a value, or Board:"),
        (REPLAY[: REPLAY.index("Board")], "11:1: expected a line Board: and the rows after it, found the end"),
    ],
    ("tatham-masked", Layout): [
        ("3x2n1:m9", "1:9: expected 2 digits for 6 cells, found 1"),
    ],
    ("jsm", Board): [
        (MINE_FILE, "4:4: expected at most 3, as many as the cell has neighbours, found 8"),
        ("3x2x7\nHHH\nHHH\n", "1:5: expected a mine total between 0 and the 6 cells, found 7"),
        ("3x0x1\n", "1:1: expected at least one row and one column, found 0x3"),
        ("99999x99999x1\n", "1:1: expected at most 1,000,000 cells"),
        ("3x2x1\nHHH\nHxH\n", "3:2: expected one of 0 1 2 3 4 5 6 7 8 H F O I ?, found 'x'"),
        ("3x2x1\nHHH\nHH\n", "3:3: expected a row of 3, found 2"),
        ("3x2x1\nHHHH\nHHH\n", "2:4: expected a row of 3, found 4"),
        ("3x2x1\nHHH\n", "3:1: expected a row of 3, found 0"),
        ("3x2x1\nHHH", "2:1: expected 2 rows, found 1"),
    ],
    ("jsm-link", Board): [
        ("?analysis=", "1:11: expected 8 characters for width, height and mines"),
        ("?analysis=adacaaa", "1:18: expected 8 characters for width, height and mines"),
        (f"{LINK}-", "1:19: expected a letter or a digit, found '-'"),
        (f"{LINK}\u00e4", "1:19: expected a letter or a digit, found '\u00e4'"),
        ("?analysis=aaacaaab", "1:11: expected at least one row and one column, found 2x0"),
        ("?analysis=9999aaab", "1:11: expected at most 1,000,000 cells"),
        ("?analysis=adacaaah", "1:15: expected a mine total between 0 and the 6 cells, found 7"),
        (LINK, "1:19: expected 6 cells, found 0"),
        (f"{LINK}{H[5]}", "1:20: expected 6 cells, found 5"),
        (f"{LINK}b{H[7]}", "1:20: expected 6 cells, found more"),
        (f"{LINK}b{H[1]}{H[0]}", "1:20: expected 6 cells, found more"),
        (f"{LINK}b{H[9] * 100_000}", "1:20: expected 6 cells, found more"),
        (f"{LINK}a{H[6]}", "1:19: expected a run of at least one cell, found none"),
        (
            f"\n{LINK}{H[4]}{SEVEN}{H[1]}",
            "2:20: expected at most 5, as many as the cell has neighbours, found 7, at 1,1",
        ),
        (f"{LINK}{F[4]}{SEVEN}{F[1]}", "1:20: expected at most 8 mines around a cell, found 12 with flags"),
        (f"{LINK}{H[6]} x", "1:21: expected nothing after the link"),
    ],
    ("board", Board): [
        ("# MINESWEEPER-BOARD v0.2\n", "1:1: expected '# MINESWEEPER-BOARD v0.1', found '# MINESWEEPER-BOARD v0.2'"),
        (BOARD_FILE.replace("ascii", "braille"), "2:11: expected ascii or emoji, found 'braille'"),
        (BOARD_FILE.replace("rows: 3\n", ""), "10:1: expected rows: before the board, found none"),
        (BOARD_FILE.replace("mines: 9\n", ""), "10:1: expected mines: before the board, found none"),
        (BOARD_FILE.replace("mines: 9", "mines: -9"), "8:8: expected a whole number, found '-9'"),
        (
            BOARD_FILE.replace("mines: 9", "mines: 22"),
            "8:1: expected a mine total between 0 and the 21 cells, found 22",
        ),
        (BOARD_FILE.replace("rows: 3", "rows: 0"), "6:1: expected at least one row and one column"),
        (BOARD_FILE.replace("rows: 3", "rows: 99999999"), "6:1: expected at most 1,000,000 cells"),
        (BOARD_FILE.replace("rows: 3", "rows: 4"), "15:1: expected a row of 7, found 0"),
        (BOARD_FILE.replace("rows: 3", "rows: 2"), "14:1: expected a section [real] or [view]"),
        (BOARD_FILE.replace("rows: 3", "rows"), "6:1: expected a key, a colon and a value, or a section"),
        (BOARD_FILE.replace("columns: 7", "columns: 6"), "12:7: expected a row of 6, found 7"),
        (BOARD_FILE.replace("UF1X", "UF1x"), "13:4: expected one of 0 1 2 3 4 5 6 7 8 U F ? X @ #, found 'x'"),
        (BOARD_FILE.replace("UUU21", "UUU29"), "12:5: expected one of 0 1 2 3 4 5 6 7 8 U F ? X @ #, found '9'"),
        (BOARD_FILE.replace("UUU2100", "UUU2107"), "12:7: expected at most 3, as many as the cell has neighbours"),
        (EMOJI_FILE.replace("\u2753", "Z"), "9:6: expected one of 0 1 2 3 4 5 6 7 8 U F ? X @ #, found 'Z'"),
        (BOARD_FILE[: BOARD_FILE.index("[view]")], "11:1: expected a section [real] or [view], found none"),
        (BOTH[: BOTH.index("[view]")], "7:1: expected a section [view], found none"),
        (BOTH + "[view]\nU1U\n", "9:1: expected [view] once, found it again"),
        (BOTH.replace("*10", "*20"), "6:2: expected 1, as many mines as are around, found 2"),
        (BOTH.replace("mines: 1", "mines: 2"), "4:1: expected the 1 mine of [real], found 2"),
        (BOTH.replace("U1U", "U2U"), "8:2: expected 1 as in [real], found 2"),
        (BOTH.replace("U1U", "1U0"), "8:1: expected * as in [real], found 1"),
        (BOTH.replace("U1U", "UUX"), "8:3: expected 0 as in [real], found X"),
    ],
    ("minesweepr", Board): [
        ("x1x\n1?1\n", "2:2: expected one of 0 1 2 3 4 5 6 7 8 . x *, found '?'"),
        ("x1x\n11\n", "2:3: expected a row of 3, found 2"),
        ("\nx1x\n\n111\n", "4:1: expected rows without a blank line between them"),
        ("x1x\n191\n", "2:2: expected one of 0 1 2 3 4 5 6 7 8 . x *, found '9'"),
        ("x1x\n161\n", "2:2: expected at most 5, as many as the cell has neighbours, found 6"),
    ],
    ("rules", StatementSet): [
        ('{"rules": 1}', "1:11: expected 'rules' as a list"),
        ('{"rules": [1]}', "1:12: expected a JSON object with num_mines, cells"),
        ('{"rules": [{"cells": []}]}', "1:12: expected the key 'num_mines'"),
        ('{"rules": [{"num_mines": -1, "cells": []}]}', "1:26: expected 'num_mines' as an integer from 0"),
        ('{"rules": [{"num_mines": 1, "cells": "ab"}]}', "1:38: expected 'cells' as a list"),
        ('{"rules": [{"num_mines": 1, "cells": [[1]]}]}', "1:39: expected an item of 'cells' as a string"),
        ('{"rules": [{"num_mines": 1, "cells": [true]}]}', "1:39: expected an item of 'cells' as a string"),
        ('{"rules": [{"num_mines": 1, "cells": ["a", "b", "a"]}]}', "1:49: expected each cell once, found 'a' again"),
        (ONE + ', "cells": 2}', "1:61: expected a key among rules, total_cells, total_mines, mine_prob, found 'cells'"),
        (ONE + ', "total_cells": 1}', "1:67: expected 2, as many as are named, to 1,000,000 cells, found 1"),
        (ONE + ', "total_cells": 1000001}', "1:67: expected 2, as many as are named, to 1,000,000 cells"),
        (ONE + ', "total_mines": 3}', "1:67: expected at most 2 mines, as many as there are cells, found 3"),
        (ONE + ', "total_mines": 4, "total_cells": 3}', "1:67: expected at most 3 mines"),
        (ONE + ', "mine_prob": 1}', "1:65: expected a probability strictly between 0 and 1"),
        (ONE + ', "mine_prob": "x"}', "1:65: expected 'mine_prob' as a number"),
        (ONE + ', "mine_prob": 0.1, "total_mines": 1}', "1:65: expected total_mines or mine_prob, found both"),
    ],
    ("graph", StatementSet): [
        ('{"edges": []}', "1:1: expected the key 'open'"),
        ('{"edges": [["a"]], "open": {}}', "1:12: expected an edge as a list of two nodes that differ"),
        ('{"edges": [["a", "a"]], "open": {}}', "1:12: expected an edge as a list of two nodes that differ"),
        ('{"edges": [["a", 1.5]], "open": {}}', "1:18: expected an item of 'edges' as a string"),
        ('{"edges": [], "open": []}', "1:23: expected 'open' as an object with the number of each open node"),
        ('{"edges": [], "open": {"a": -1}}', "1:29: expected 'a' as an integer from 0"),
        ('{"edges": [], "open": {"a": 1}, "known_mines": ["a"]}', "1:48: expected nodes that are not open, found 'a'"),
        ('{"edges": [["a", "b"]], "open": {"a": 0}, "known_mines": ["b"]}', "1:33: expected at least 1 at 'a'"),
        ('{"edges": [["a", "b"]], "open": {"a": 1}, "total_mines": 2}', "1:58: expected 0, as many as are known, to 1"),
        ('{"edges": [], "open": {}, "mine_prob": 1}', "1:40: expected a probability strictly between 0 and 1"),
        (
            '{"edges": [], "open": {}, "total_mines": 0, "mine_prob": 0.5}',
            "1:58: expected total_mines or mine_prob, found both",
        ),
    ],
}
