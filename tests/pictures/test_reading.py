"""Pictures of our own skins are read as they were drawn."""

import numpy as np
import pytest
from PIL import Image

from satsweep import BoardError, read_picture
from satsweep.board import Cell
from satsweep.formats import Reading
from tests import ROOT
from tests.pictures.skins import SKINS, Sample, Skin, drawn, sample

BOARD = [
    "#F1...1##",
    "##2...1##",
    "##1...1##",
    "#21.112##",
    "11.13####",
    "...1##F##",
    "...124FF#",
    "11...1221",
    "F1.......",
]


def wrong(made: Sample | list[str], reading: Reading) -> list[Cell]:
    """Cells that were read otherwise than they were drawn, in a reading of the right size."""
    board = made.board if isinstance(made, Sample) else made
    assert (reading.board.rows, reading.board.cols) == (len(board), len(board[0]))
    return [cell for cell in reading.board if board[cell.row][cell.col] not in ("?", reading.board[cell])]


@pytest.mark.parametrize("skin", SKINS, ids=lambda skin: skin.name)
def test_a_board_is_read_in_every_skin(skin: Skin) -> None:
    reading = read_picture(np.asarray(drawn(skin, BOARD)))
    assert wrong(BOARD, reading) == []
    assert not reading.board.part and reading.conflict == ()


def test_the_picture_of_the_examples_is_drawn_here() -> None:
    """`examples/screenshot.png`: the board above in the first skin, in few colours."""
    path = ROOT / "examples" / "screenshot.png"
    with Image.open(path) as saved:
        assert np.abs(np.asarray(saved.convert("RGB"), int) - np.asarray(drawn(SKINS[0], BOARD), int)).mean() < 1
    assert wrong(BOARD, read_picture(path)) == []


def test_most_pictures_of_a_random_kind_are_read_right() -> None:
    """A floor; the figures are in docs/ideas/pictures.md."""
    right = 0
    for number in range(12):
        made = sample(number)
        try:
            reading = read_picture(made.content)
        except BoardError:
            continue
        if (reading.board.rows, reading.board.cols) == (len(made.board), len(made.board[0])):
            right += not wrong(made, reading)
    assert right >= 9


def test_digits_that_the_reader_does_not_know_are_in_doubt() -> None:
    """Letters stand for digits: what the rules make of them is right, or bears a doubt."""
    letters = str.maketrans("123", "KMW")
    skin = next(skin for skin in SKINS if skin.name == "ink")
    pixels = np.asarray(drawn(skin, [line.translate(letters) for line in BOARD]))
    reading = read_picture(pixels)
    assert set(wrong(BOARD, reading)) <= {*reading.doubts, *reading.conflict}
    assert reading.doubts


def test_a_zero_beside_a_covered_cell_is_in_doubt() -> None:
    board = [line.replace("4", ".") for line in BOARD]
    reading = read_picture(np.asarray(drawn(SKINS[0], board)))
    assert wrong(board, reading) == []
    assert {Cell(6, 5), Cell(5, 6)} <= set(reading.doubts)
