"""A number beside a flag is the mine counter, if it is surely one."""

from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from satsweep import read_picture
from satsweep.formats.pictures.counter import number_of
from satsweep.formats.pictures.flag_counter import counter_beside_flag
from satsweep.formats.pictures.grid import Lattice
from tests.pictures.skins import SKINS, drawn
from tests.pictures.test_counter import UNFLAGGED

FONTS = Path(matplotlib.get_data_path()) / "fonts/ttf"
LATTICE = Lattice(30, 90, 30, 30, 9, 9)
WHITE = (255, 255, 255)


def bar(
    *things: str | int,
    font: str = "DejaVuSans-Bold",
    high: int = 24,
    ground: tuple[int, int, int] = (60, 110, 60),
    picture: Image.Image | None = None,
) -> Image.Image:
    """A bar with texts, flags (``F``) and gaps in pixels, above a board."""
    picture = picture or Image.new("RGB", (330, 400), (230, 230, 230))
    draw, x, top = ImageDraw.Draw(picture), 50, 20
    draw.rectangle((0, top - 10, picture.width, top + high + 12), fill=ground)
    for thing in things:
        if isinstance(thing, int):
            x += thing
        elif thing == "F":
            draw.rectangle((x, top, x + high // 10, top + high), fill=WHITE)
            draw.polygon(((x, top), (x + high * 0.6, top + high * 0.25), (x, top + high // 2)), fill=(230, 40, 40))
            x += round(high * 0.6)
        else:
            face = ImageFont.truetype(str(FONTS / f"{font}.ttf"), high)
            draw.text((x, top - 2), thing, fill=WHITE, font=face)
            x = round(draw.textbbox((x, top - 2), thing, font=face)[2])
    return picture


def read(picture: Image.Image) -> int | None:
    return number_of(counter_beside_flag(np.asarray(picture).astype(np.float32), LATTICE), 0.9)


@pytest.mark.parametrize("font", ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif-Bold", "DejaVuSansMono-Bold"])
def test_no_digit_is_read_wrongly_and_most_are_read(font: str) -> None:
    found = {number: read(bar("F", 12, number, font=font)) for number in ("10", "23", "45", "67", "89", "99", "146")}
    assert all(value in (None, int(number)) for number, value in found.items()), found
    assert sum(value is not None for value in found.values()) >= 5, found


@pytest.mark.parametrize(
    ("things", "expected"),
    [
        (("F", 10, "10"), 10),
        (("10", 10, "F"), 10),
        (("F", 10, "10", 60, "F", 10, "25"), None),
        (("10", 10, "F", 12, "45"), None),
        (("10", 40, "F", 8, "45"), 45),
        (("F", 10, "7/10"), None),
        (("F", 10, "Level"), None),
        (("F", 90, "10"), None),
        (("10",), None),
    ],
    ids=["before", "behind", "two", "between", "nearer", "of", "word", "far", "alone"],
)
def test_it_is_read_only_where_it_is_surely_one(things: tuple[str | int, ...], expected: int | None) -> None:
    assert read(bar(*things)) == expected


def test_it_is_the_total_of_a_board_without_flags() -> None:
    picture = bar("F", 12, "15", picture=drawn(SKINS[2], UNFLAGGED, (80, 30, 30, 30)))
    reading = read_picture(np.asarray(picture))
    assert reading.board.mines == 15 and reading.board.cells == tuple(UNFLAGGED)
