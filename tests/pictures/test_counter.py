"""The mine counter of a picture: read by its segments, a total only where no flags are."""

import io

import numpy as np
import pytest
from PIL import Image

from satsweep import read_picture
from satsweep.formats import Reading
from satsweep.formats.pictures.counter import counter_above, number_of
from satsweep.formats.pictures.grid import Lattice
from tests.pictures.skins import SKINS, drawn
from tests.pictures.surroundings import display
from tests.pictures.test_reading import BOARD

UNFLAGGED = [line.replace("F", "#") for line in BOARD]


def shown(number: str, board: list[str] = UNFLAGGED, quality: int = 0) -> Reading:
    """Reading of a board with a counter above it."""
    picture = drawn(SKINS[0], board, (70, 30, 30, 30))
    display(picture, number, (38, 24))
    if quality:
        stream = io.BytesIO()
        picture.save(stream, "JPEG", quality=quality)
        picture = Image.open(stream).convert("RGB")
    return read_picture(np.asarray(picture))


@pytest.mark.parametrize("high", [23, 46])
def test_every_digit_is_read(high: int) -> None:
    for number in ("012", "345", "678", "990", "0107"):
        picture = Image.new("RGB", (400, 300), (192, 192, 192))
        display(picture, number, (40, 20), high)
        counter = counter_above(np.asarray(picture).astype(np.float32), Lattice(30, 90, 20, 20, 9, 16))
        assert number_of(counter, 0.9) == int(number)
        assert all(abs(sum(digit.values()) - 1) < 0.05 for digit in counter)


@pytest.mark.parametrize("quality", [0, 85])
def test_a_counter_is_the_total_where_no_flags_are(quality: int) -> None:
    reading = shown("015", quality=quality)
    assert reading.board.mines == 15 and reading.board.cells == tuple(UNFLAGGED)
    assert "the counter shows 15, the mine total" in reading.remarks


@pytest.mark.parametrize(
    ("number", "board"),
    [("010", BOARD), ("002", UNFLAGGED), ("099", UNFLAGGED), ("-02", UNFLAGGED)],
    ids=["flags", "too-few", "too-many", "negative"],
)
def test_a_counter_that_may_be_no_total_is_only_told(number: str, board: list[str]) -> None:
    reading = shown(number, board)
    assert reading.board.mines is None and len(reading.counter) == 3
    told = any("which may leave out flags" in remark for remark in reading.remarks)
    assert told == number.isdigit()


def test_red_digits_of_a_font_are_no_counter() -> None:
    assert read_picture(np.asarray(drawn(SKINS[0], BOARD))).counter == ()
    picture = Image.new("RGB", (400, 300), (20, 20, 20))
    assert counter_above(np.asarray(picture).astype(np.float32), Lattice(30, 90, 20, 20, 9, 16)) == ()
