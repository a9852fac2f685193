"""Frames of games: an observation as text, or as pixels.

A cell is a square of 16 by 16 pixels. Any observation of ``satsweep.agents.policy`` can be drawn: numbers up to 35 as a
digit or a letter, covered cells raised, mines as a disc.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satsweep.agents.policy import AS_COVERED, AS_HIDDEN, AS_MINE, Observation
from satsweep.board import COVERED, HIDDEN, MINE, NUMBERS

RENDER_MODES = ("ansi", "rgb_array")
SIDE = 16
"""Pixels along a side of a cell."""
GLYPHS = {
    "0": "757557", "1": "262227", "2": "717447", "3": "717117", "4": "557111", "5": "747117", "6": "747557",
    "7": "711222", "8": "757557", "9": "757117", "a": "025755", "b": "656556", "c": "344443", "d": "655556",
    "e": "746447", "f": "746444", "g": "345553", "h": "557555", "i": "722227", "j": "111153", "k": "556655",
    "l": "444447", "m": "577555", "n": "657555", "o": "255552", "p": "656444", "q": "255563", "r": "656655",
    "s": "342116", "t": "722222", "u": "555557", "v": "555552", "w": "555775", "x": "552255", "y": "552222",
    "z": "712447", "?": "712202",
}  # fmt: skip
"""Rows of each symbol, three bits a row."""
INK = ((120, 120, 120), (25, 70, 200), (20, 120, 40), (200, 40, 40), (70, 20, 130), (130, 60, 20), (0, 120, 130))
"""Colours of the numbers from 0; greater ones are black."""


@cache
def _square(code: int) -> NDArray[np.uint8]:
    """Pixels of a cell, shape (SIDE, SIDE, 3)."""
    square = np.full((SIDE, SIDE, 3), 230, np.uint8)
    square[0], square[:, 0] = 180, 180
    if code == AS_COVERED:
        square[:] = 170
        square[:2], square[:, :2] = 215, 215
        square[-2:], square[:, -2:] = 110, 110
    elif code == AS_MINE:
        down, right = np.ogrid[:SIDE, :SIDE]
        square[(down - SIDE / 2) ** 2 + (right - SIDE / 2) ** 2 < (SIDE / 3) ** 2] = 20
    elif code != 0:
        symbol = "?" if code == AS_HIDDEN else NUMBERS[code]
        bits = np.array([[int(row) >> place & 1 for place in (2, 1, 0)] for row in GLYPHS[symbol]], bool)
        large = bits.repeat(2, axis=0).repeat(2, axis=1)
        square[2 : 2 + large.shape[0], 5 : 5 + large.shape[1]][large] = INK[code] if 0 < code < len(INK) else (0, 0, 0)
    return square


def frame_of(observation: Observation, mode: str) -> Any:
    """Draw an observation in a render mode."""
    if mode == "ansi":
        symbols = MINE + HIDDEN + COVERED + NUMBERS
        return "\n".join("".join(symbols[code - AS_MINE] for code in row) for row in observation.tolist())
    return board_pixels(observation)


def board_pixels(observation: Observation) -> NDArray[np.uint8]:
    """Draw a board; return an array of shape (height, width, 3), uint8.

    >>> board_pixels(np.array([[-1, 1], [0, -3]], np.int8)).shape
    (32, 32, 3)
    """
    codes, place = np.unique(observation, return_inverse=True)
    squares = np.stack([_square(int(code)) for code in codes])
    rows, cols = observation.shape
    pixels = squares[place.reshape(rows, cols)].transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(pixels.reshape(rows * SIDE, cols * SIDE, 3))
