"""The extent of boards: no line of cells more or less than there are."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from satsweep import read_picture
from satsweep.formats.pictures.extent import by_cells
from satsweep.formats.pictures.grid import Lattice, Lines
from tests.pictures.skins import SKINS, drawn, sample
from tests.pictures.surroundings import panelled
from tests.pictures.test_reading import BOARD


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(7, id="columns of a panel beside the board", marks=pytest.mark.extended),
        pytest.param(17, id="rows between the board and the title of its window", marks=pytest.mark.extended),
        pytest.param(63, id="a row above buttons"),
        pytest.param(97, id="open cells without lines"),
        pytest.param(105, id="a margin as wide as a cell", marks=pytest.mark.extended),
        pytest.param(121, id="zeros that are drawn", marks=pytest.mark.extended),
        pytest.param(151, id="a plain column at the rim of the picture", marks=pytest.mark.extended),
        pytest.param(179, id="columns between a panel and the board"),
    ],
)
def test_the_extent_of_a_board_is_right(number: int) -> None:
    made = sample(number)
    board = read_picture(made.content).board
    assert (board.rows, board.cols) == (len(made.board), len(made.board[0]))


@pytest.mark.parametrize("first", [(0, 0), (3, 2), (5, 5)], ids=str)
def test_a_part_of_a_board_becomes_the_whole(first: tuple[int, int]) -> None:
    skin, (top, left) = next(skin for skin in SKINS if skin.name == "blue"), (40, 30)
    picture = np.asarray(drawn(skin, BOARD)).astype(np.float32)
    size = skin.cell
    part = Lattice(left + first[1] * size, top + first[0] * size, size, size, 4, 4)
    found = by_cells(picture, part, Lines.of(picture)).lattice
    assert (found.rows, found.cols) == (9, 9)
    assert abs(found.left - left) < 1 and abs(found.top - top) < 1


def test_words_of_a_panel_are_no_cells() -> None:
    skin = next(skin for skin in SKINS if skin.name == "blue")
    whole = panelled(drawn(skin, BOARD), skin.cell, Random(4))
    picture, size = np.asarray(whole).astype(np.float32), skin.cell
    plain = drawn(skin, BOARD)
    left = 30 + (whole.width - plain.width if whole.getpixel((35, 45)) != plain.getpixel((35, 45)) else 0)
    for more in (-3, 3):
        first = left + min(more, 0) * size
        found = by_cells(picture, Lattice(first, 40, size, size, 9, 9 + abs(more)), Lines.of(picture)).lattice
        assert (found.rows, found.cols) == (9, 9)


@pytest.mark.parametrize(("name", "sides"), [("islands", ["bottom"]), ("blue", [])])
def test_zeros_on_the_ground_leave_a_doubt_of_the_extent(name: str, sides: list[str]) -> None:
    """Below the last digits open cells have the colour of the ground, and no line."""
    board = [*["#" * 8] * 4, "1" * 8, "." * 8]
    skin = next(skin for skin in SKINS if skin.name == name)
    reading = read_picture(np.asarray(drawn(skin, board)))
    assert [side for side in ("top", "bottom", "left", "right") if getattr(reading.unsure, side)] == sides
    assert any("nothing shows" in remark for remark in reading.remarks) == bool(sides)


@pytest.mark.parametrize("side", ["bottom", "right"])
def test_zeros_that_a_frame_encloses_are_cells(side: str) -> None:
    """They have no lines between them, and the colour of the ground."""
    board = [*["#" * 8] * 4, "1" * 8, "." * 8, "." * 8]
    if side == "right":
        board = ["".join(column) for column in zip(*board, strict=True)]
    skin = replace(next(skin for skin in SKINS if skin.name == "islands"), frame=True)
    reading = read_picture(np.asarray(drawn(skin, board)))
    assert (reading.board.rows, reading.board.cols) == (len(board), len(board[0]))
    assert not reading.unsure
