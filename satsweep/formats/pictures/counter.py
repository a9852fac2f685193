"""The mine counter above a board: red digits of seven segments on a dark display.

Each digit is known by the segments that are lit. Most games subtract flags from the mine total, some do not,
so the number is the total only where there are no flags.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats
    from satsweep.formats.pictures.grid import Lattice

ABOVE = 6.0
"""Heights of cells above a board in which its counter is looked for."""
LIT, REDDER = 150.0, 90.0
"""Red of a lit segment, of 255, and how much more it is than green and blue."""
DARK = 90.0
"""Green and blue of the pixels of a display, of 255, at most."""
FILLED = 0.85
"""Share of a display's pixels that are dark or lit, at least."""
GAP = 0.2
"""Share of a digit's height that is a gap between its segments, at most."""
SHAPE = 0.57
"""Width of a digit of most displays, as a share of its height."""
FEWEST, MOST = 2, 4
"""Digits of a counter."""
LEAST_HIGH = 9
"""Pixels of the height of a display."""
SEGMENTS = {
    "top": (0.0, 0.2, 0.35, 0.65),
    "upper left": (0.2, 0.42, 0.05, 0.32),
    "upper right": (0.2, 0.42, 0.68, 0.95),
    "middle": (0.4, 0.6, 0.35, 0.65),
    "lower left": (0.58, 0.8, 0.05, 0.32),
    "lower right": (0.58, 0.8, 0.68, 0.95),
    "bottom": (0.8, 1.0, 0.35, 0.65),
}
"""Rows and columns of a digit in which each segment lies, as shares."""
HOLES = ((0.25, 0.38, 0.42, 0.58), (0.62, 0.75, 0.42, 0.58))
"""Parts of a digit in which nothing is lit."""
LIT_SEGMENTS = {
    "0": "1110111",
    "1": "0010010",
    "2": "1011101",
    "3": "1011011",
    "4": "0111010",
    "5": "1101011",
    "6": "1101111",
    "7": "1010010",
    "8": "1111111",
    "9": "1111011",
    "-": "0001000",
}
"""Segments of each symbol that are lit, in the order of SEGMENTS."""
FULLY = 0.3
"""Share of pixels that are lit, at least, in the part that holds a lit segment."""
LEAST_SHARE = 0.005
"""Probability of a symbol from which on it is told."""

Counter = tuple[Mapping[str, float], ...]
"""For each digit its symbols with their probabilities, the likeliest first."""


def counter_above(picture: Floats, lattice: Lattice) -> Counter:
    """Digits of the counter above the left half of a board; none where there is none."""
    top = max(0, round(lattice.top))
    rows = slice(max(0, round(lattice.top - ABOVE * lattice.height)), top)
    middle = lattice.left + lattice.cols * lattice.width / 2
    area = picture[rows, max(0, round(lattice.left - lattice.width)) : max(0, round(middle))]
    if area.size == 0:
        return ()
    red, others = area[..., 0], area[..., 1:].max(axis=2)
    lit = (red > LIT) & (red - others > REDDER)
    display = _display(lit, others < DARK)
    if display is None:
        return ()
    # The digits touch the rim of what is lit, above and below; "-" and "1" lie elsewhere in theirs.
    first, past, left, right = display
    high = past - first
    count = round((right - left) / (SHAPE * high))
    if high < LEAST_HIGH or not FEWEST <= count <= MOST:
        return ()
    ends = np.linspace(left, right, count + 1).round().astype(int)
    digits = [lit[first:past, one:other] for one, other in zip(ends[:-1], ends[1:], strict=True)]
    if any(_part(digit, hole) > FULLY for digit in digits for hole in HOLES):
        return ()
    return tuple(_digit(digit) for digit in digits)


def _display(lit: NDArray[np.bool_], filled: NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """Rows and columns of the first display: lit rows, and dark columns around."""
    for first, past in _joined(runs(np.asarray(lit.any(axis=1)))):
        if past - first < LEAST_HIGH:
            continue
        shown = lit[first:past]
        for left, right in runs(filled[first:past].mean(axis=0) > FILLED):
            if shown[:, left:right].any() and right - left > FEWEST * SHAPE * 0.8 * (past - first):
                return first, past, left, right
    return None


def runs(marks: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Beginnings and ends of what is marked without a gap."""
    padded = np.concatenate([[False], marks, [False]])
    changes = np.flatnonzero(padded[1:] != padded[:-1])
    return [(int(first), int(past)) for first, past in zip(changes[::2], changes[1::2], strict=True)]


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs without small gaps: no segment is lit in the middle of a 0."""
    found: list[tuple[int, int]] = []
    for first, past in runs:
        if found and first - found[-1][1] <= max(2, GAP * (past - found[-1][0])):
            found[-1] = (found[-1][0], past)
        else:
            found.append((first, past))
    return found


def _part(lit: NDArray[np.bool_], place: tuple[float, float, float, float]) -> float:
    """Share of lit pixels in a part of a digit."""
    high, wide = lit.shape
    top, bottom, left, right = place
    part = lit[round(top * high) : round(bottom * high), round(left * wide) : round(right * wide)]
    return float(part.mean()) if part.size else FULLY


def _digit(lit: NDArray[np.bool_]) -> Mapping[str, float]:
    """Symbols of a digit with their probabilities, by its segments."""
    on = [float(np.clip(_part(lit, place) / (2 * FULLY), 0.01, 0.99)) for place in SEGMENTS.values()]
    weights = {
        symbol: float(np.prod([share if one == "1" else 1 - share for one, share in zip(segments, on, strict=True)]))
        for symbol, segments in LIT_SEGMENTS.items()
    }
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda one: -one[1])
    return {symbol: weight / total for symbol, weight in ranked if weight / total >= LEAST_SHARE}


def number_of(counter: Counter, sure: float) -> int | None:
    """The number that a counter shows, if each of its digits is that sure."""
    best = [max(digit.items(), key=lambda one: one[1]) for digit in counter]
    if not best or any(share < sure for _, share in best):
        return None
    shown = "".join(symbol for symbol, _ in best)
    return int(shown) if shown.isdigit() else None
