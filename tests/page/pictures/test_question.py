"""The question about a picture: the reading of Python, from pixels as a browser decodes them."""

import base64
import json
import zlib
from functools import cache

import numpy as np
import pytest

from satsweep import BoardError, read_picture
from satsweep.formats import Reading
from satsweep.page.offline import reply
from satsweep.page.questions import LIMITS
from tests.page.pages import ask, packed_pixels
from tests.pictures.skins import sample

SAMPLES = (0, 3, 24)
"""Pictures of our own: one with a conflict and doubts, one with a doubt, one that is cut."""
every_sample = pytest.mark.parametrize(
    "number", [pytest.param(number, marks=[pytest.mark.extended] if number else []) for number in SAMPLES]
)


@cache
def reading_of(number: int) -> Reading:
    return read_picture(sample(number).content)


def told(reading: Reading) -> dict[str, object]:
    """A reading as the page's question tells it, but for the lattice."""
    return {
        "board": str(reading.board),
        "doubts": [
            {"cell": list(cell), "symbols": [list(one) for one in symbols.items()]}
            for cell, symbols in reading.doubts.items()
        ],
        "conflict": [list(cell) for cell in reading.conflict],
        "part": str(reading.board.part) if reading.board.part else None,
    }


@every_sample
def test_the_question_reads_what_python_reads(number: int) -> None:
    made = sample(number)
    reading = reading_of(number)
    answer = json.loads(json.dumps(ask("picture", **packed_pixels(made.pixels))))
    grid = answer.pop("grid")
    assert answer == told(reading)
    assert grid == {side: getattr(reading.grid, side) for side in ("left", "top", "width", "height")}


@every_sample
def test_the_folder_reads_what_python_reads(number: int) -> None:
    """The worker's function, here in CPython: NumPy and the kernels' twins in Python are the same there."""
    made = sample(number)
    text = json.dumps({"id": 5, "ask": "picture", **packed_pixels(made.pixels)})
    answer = json.loads(reply(text, lambda message: None, lambda id: False))["answer"]
    del answer["grid"]
    assert answer == told(reading_of(number))


WHITE = packed_pixels(np.full((40, 60, 3), 255, np.uint8))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({}, "expected a picture of a board, found no grid of cells in it"),
        ({"width": 0}, "expected 1 to 4,000,000 pixels, found 0x40"),
        ({"width": 4_000_001}, "expected 1 to 4,000,000 pixels, found 4,000,001x40"),
        ({"width": 61}, "expected 7,320 bytes of pixels, found 7,200"),
        ({"width": 59}, "expected 7,080 bytes of pixels, found more"),
        ({"pixels": "%"}, "expected pixels that are compressed by zlib, in base64"),
        ({"pixels": "AAAA"}, "expected pixels that are compressed by zlib, in base64"),
    ],
)
def test_what_is_no_picture_is_refused(change: dict[str, object], problem: str) -> None:
    with pytest.raises(BoardError) as refused:
        ask("picture", **(WHITE | change))
    assert refused.value.message == problem


def test_a_bomb_takes_no_more_memory_than_its_picture() -> None:
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000), 9)).decode()
    assert len(bomb) < LIMITS.message
    with pytest.raises(BoardError, match=r"^expected 7,200 bytes of pixels, found more$"):
        ask("picture", **(WHITE | {"pixels": bomb}))
