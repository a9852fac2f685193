"""The answer painted over a picture: pixels, colours and words."""

import io
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from satsweep import analyse, read_picture
from satsweep.formats import Reading
from satsweep.render.colours import BEST_COLOUR, CLUE_COLOUR
from satsweep.render.painted_picture import LEAST_CELL, caption, painted_cells, to_png, to_svg
from tests.pictures.skins import SKINS, drawn
from tests.pictures.test_reading import BOARD

SKIN = next(skin for skin in SKINS if skin.name == "phone")
GUESS = ["######", "######", "##12##", "######", "######"]


BOARDS = {"safe": BOARD, "guess": GUESS}


@cache
def read(name: str) -> tuple[bytes, Reading]:
    """The file of a board, and its reading."""
    content = file_of(BOARDS[name])
    return content, read_picture(content)


def file_of(board: list[str]) -> bytes:
    stream = io.BytesIO()
    drawn(SKIN, board).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize("name", BOARDS)
def test_every_covered_cell_is_painted_where_it_is(name: str) -> None:
    board = BOARDS[name]
    content, reading = read(name)
    analysis = analyse(reading.board)
    painted = painted_cells(reading, analysis)
    before, after = (np.asarray(Image.open(io.BytesIO(one)).convert("RGB")).astype(int) for one in
                     (content, to_png(content, reading, analysis)))  # fmt: skip
    assert after.shape[0] > before.shape[0] and after.shape[1] >= before.shape[1]
    changed = np.abs(after[: before.shape[0], : before.shape[1]] - before).max(axis=2) > 0
    width, height = reading.grid.width, reading.grid.height
    for row, line in enumerate(board):
        for col, symbol in enumerate(line):
            y, x = reading.grid.top + (row + 0.5) * height, reading.grid.left + (col + 0.5) * width
            part = changed[round(y - 8) : round(y + 8), round(x - 8) : round(x + 8)]
            assert part.mean() > 0.9 if symbol in "#F" else not part.any()
    assert len(painted) == sum(symbol in "#F" for line in board for symbol in line)
    assert [cell.frame for cell in painted if cell.frame] == [BEST_COLOUR]
    labels = {cell.label for cell in painted}
    assert labels >= {"safe", "mine"} if board is BOARD else "safe" not in labels


def test_the_words_say_why_or_that_no_cell_is_safe() -> None:
    _, reading = read("safe")
    said = caption(reading, analyse(reading.board))
    assert said.startswith("Open ") and "it is safe" in said and ", so " in said
    _, reading = read("guess")
    said = caption(reading, analyse(reading.board))
    assert said.startswith("No cell is safe. The best guess is ") and "in some world, one that agrees" in said


def test_the_svg_has_the_picture_and_every_label() -> None:
    content, reading = read("safe")
    analysis = analyse(reading.board)
    drawn_svg = ElementTree.fromstring(to_svg(content, reading, analysis))
    space = "{http://www.w3.org/2000/svg}"
    (image,) = drawn_svg.findall(f"{space}image")
    assert image.get("href", "").startswith("data:image/png;base64,")
    texts = [one.text for one in drawn_svg.findall(f"{space}text")]
    assert [cell.label for cell in painted_cells(reading, analysis)] == texts[: sum(map("".join(BOARD).count, "#F"))]
    assert caption(reading, analysis) == drawn_svg.findtext(f"{space}desc")


def test_a_small_picture_is_enlarged_and_doubts_are_framed() -> None:
    small = drawn(SKINS[0], BOARD).resize((246, 286 * 246 // 276))
    pixels = np.asarray(small).copy()
    reading = read_picture(pixels)
    row, col = (
        round(reading.grid.top + 3.2 * reading.grid.height),
        round(reading.grid.left + 2.2 * reading.grid.width),
    )
    pixels[row : row + 13, col : col + 13] = np.random.default_rng(1).integers(0, 256, (13, 13, 3), np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    reading = read_picture(stream.getvalue())
    assert reading.grid.width < LEAST_CELL and reading.doubts
    analysis = analyse(reading.board)
    assert CLUE_COLOUR in [cell.frame for cell in painted_cells(reading, analysis)]
    assert Image.open(io.BytesIO(to_png(stream.getvalue(), reading, analysis))).width == 2 * small.width
    assert "In doubt, with an orange frame: 1 cell." in caption(reading, analysis)
