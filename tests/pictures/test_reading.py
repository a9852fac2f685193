"""Pictures of our own skins are read as they were drawn."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from satsweep import BoardError, read_picture
from satsweep.board import Cell
from satsweep.formats import Reading
from satsweep.formats.pictures.grid import Lattice, Lines
from satsweep.formats.pictures.rim import with_rim
from tests import ROOT
from tests.pictures.skins import SKINS, Sample, Skin, drawn, sample
from tests.pictures.surroundings import desktop, panelled, phone, photographed

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


def some(number: int) -> tuple[pytest.MarkDecorator, ...]:
    """Every third skin is for the core tests, the others are extended."""
    return (pytest.mark.extended,) if number % 3 else ()


@pytest.mark.parametrize(
    "skin", [pytest.param(skin, id=skin.name, marks=some(number)) for number, skin in enumerate(SKINS)]
)
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


@pytest.mark.extended
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


def test_flags_are_not_taken_for_mines_of_a_lost_game() -> None:
    made = sample(41)
    assert wrong(made, read_picture(made.content)) == []


@pytest.mark.extended
def test_cells_in_uneven_light_are_right_or_in_doubt() -> None:
    """A photograph, on which dark open cells are as bright as light covered ones."""
    made = sample(168)
    reading = read_picture(made.content)
    assert set(wrong(made, reading)) <= {*reading.doubts, *reading.conflict}
    assert len(wrong(made, reading)) < 6


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


def test_covered_rows_with_a_line_at_one_side_are_no_frame() -> None:
    """They look like an area beyond the board, which ends with a line, too."""
    board = [*["........."] * 3, "111111111", *["#########"] * 9]
    skin = next(skin for skin in SKINS if skin.name == "night-lines")
    pixels = np.asarray(drawn(replace(skin, lines=None), board)).copy()
    top, left, size = 40, 30, skin.cell
    for row in range(len(board) + 1):
        pixels[top + row * size, left : left + 9 * size] = 110
    for col in range(10):
        pixels[top : top + len(board) * size, left + col * size] = 110
    assert wrong(board, read_picture(pixels)) == []
    picture = pixels.astype(np.float32)
    assert with_rim(picture, Lattice(left, top, size, size, 13, 9), Lines.of(picture)).rows == 13


@pytest.mark.extended
def test_a_small_board_is_found_in_a_large_picture() -> None:
    page = Image.new("RGB", (1600, 1000), "white")
    draw, rng = ImageDraw.Draw(page), Random(1)
    for _ in range(400):
        place = (rng.randrange(1500), rng.randrange(400, 1000))
        draw.text(place, "".join(rng.choices("eatinosrhld 0123456789", k=14)), fill=(30, 30, 30))
    for _ in range(30):
        x, y = rng.randrange(1300), rng.randrange(420, 950)
        draw.rectangle((x, y, x + rng.randrange(80, 300), y + rng.randrange(20, 40)), outline=(120, 120, 120))
    page.paste(drawn(SKINS[0], BOARD), (700, 60))
    assert wrong(BOARD, read_picture(np.asarray(page))) == []


@pytest.mark.parametrize(
    ("around", "name"),
    [
        pytest.param(desktop, "blue", marks=pytest.mark.extended),
        (panelled, "blue"),
        (panelled, "one-piece"),
        (phone, "blue"),
        (phone, "one-piece"),
        (phone, "midnight"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_a_board_is_found_among_other_things(around: Callable[..., Image.Image], name: str) -> None:
    """Windows, panels and bars have lines of their own; joined cells have none, or lie on their own ground."""
    skin = next(skin for skin in SKINS if skin.name == name)
    assert wrong(BOARD, read_picture(np.asarray(around(drawn(skin, BOARD), skin.cell, Random(4))))) == []


def test_a_photograph_is_read() -> None:
    reading = read_picture(np.asarray(photographed(drawn(SKINS[2], BOARD), Random(2))))
    assert wrong(BOARD, reading) == []


@pytest.mark.parametrize("name", ["nineties", "blue", "negative"])
def test_a_lost_game_shows_mines(name: str) -> None:
    """They look like flags of some skins, but a lost game shows all of them."""
    board = ["##*##1...", "##2#*2.11", "#*#2*311*", "###12*111", "###1211..", "###*1....", "##332....", "##**1....",
             "*###1...."]  # fmt: skip
    skin = next(skin for skin in SKINS if skin.name == name)
    assert wrong(board, read_picture(np.asarray(drawn(skin, board)))) == []
