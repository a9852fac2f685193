"""Lattices of boards without lines between open cells, by the digits.

Digits and flags leave the sides of cells free. Strokes that are shorter than a cell, folded over the period, leave a
gap where the cells meet; the edges of covered areas, which are longer, tell where in the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from satsweep.formats.pictures.edges import lines
from satsweep.formats.pictures.grid import FEWEST, MOST_LINES, Lattice, Lines, folded, heaviest, periods, placed, region

if TYPE_CHECKING:
    from satsweep.formats.pictures.edges import Floats

PAIRS = 6
"""Pairs of width and height that are looked at."""
LONG = 0.85
"""Share of a cell from which on an edge is no stroke of a glyph."""
BINS = 32
"""Places of a cell that are told apart."""
DRAWN, CROSSED = 0.5, 0.1
"""Ink of a glyph, in sides of a cell, and that across its borders that is none."""
RULED = 0.5
"""Share of lines from which on they tell more than the ink."""
PLAIN, STRADDLES = -0.05, -0.5
"""Weights of a cell in which nothing is drawn, and of one that strokes go out of."""


def inked(found: Lines) -> Iterator[Lattice]:
    """Lattices of likely periods with glyphs in their cells, most glyphs first."""
    lattices = []
    for _, width, height in periods(found.down, found.across)[:PAIRS]:
        top, bottom, left, right = region(found, width, height) or (0, found.rows, 0, found.cols)
        wide, high, _, _ = placed(found, width, height, (top, bottom, left, right))
        long_down, long_across = lines(found.down, 0, round(LONG * high)), lines(found.across, 1, round(LONG * wide))
        ink = found.down - long_down, found.across - long_across
        both = (ink[0] + ink[1])[top:bottom, left:right]
        first_col = left + _border(both.sum(axis=0), long_down[top:bottom, left:right].sum(axis=0), wide)
        first_row = top + _border(both.sum(axis=1), long_across[top:bottom, left:right].sum(axis=1), high)
        lattices.append(_extent(found, ink, wide, high, first_col, first_row))
    found_ones = [one for one in lattices if one is not None]
    yield from (lattice for _, lattice in sorted(found_ones, key=lambda one: -one[0]))


def _border(ink: Floats, edges: Floats, period: float) -> float:
    """Where the cells of a period meet: at an edge where there is the least ink."""
    bins = min(BINS, int(period))
    drawn, ends = (folded(profile.astype(np.float64), np.array([period]), bins)[0] for profile in (ink, edges))
    ends = ends + (np.roll(ends, 1) + np.roll(ends, -1)) / 2
    at = int((ends * (1 - drawn / max(float(drawn.max()), 1e-9)) ** 2).argmax())
    return (at + 0.5) * period / bins - 0.5


def _extent(
    found: Lines, ink: tuple[Floats, Floats], width: float, height: float, left: float, top: float
) -> tuple[float, Lattice] | None:
    """Lattice of the cells among which there are glyphs, and how many these are."""
    xs = np.arange(left % width, found.cols + 1, width, dtype=np.float32)
    ys = np.arange(top % height, found.rows + 1, height, dtype=np.float32)
    if not (FEWEST < len(xs) <= MOST_LINES and FEWEST < len(ys) <= MOST_LINES):
        return None
    drawn = _sums(ink[0] + ink[1], ys, xs) / ((width + height) / 2)
    # Strokes along a border are as likely beside it, but none goes across.
    upright = _sums(ink[0][np.round(ys[:-1]).astype(int)], np.arange(len(ys), dtype=np.float32), xs)
    level = _sums(ink[1][:, np.round(xs[:-1]).astype(int)], ys, np.arange(len(xs), dtype=np.float32))
    crossed = _both_ends(upright) / width + _both_ends(level.T).T / height
    weights = np.where(crossed > CROSSED, STRADDLES, np.where(drawn > DRAWN, 1.0, PLAIN))
    top_row, bottom, first, past = heaviest(weights)
    rows, cols = bottom - top_row, past - first
    if min(rows, cols) < FEWEST:
        return None
    down, across = found.there(xs[first : past + 1], ys[top_row : bottom + 1], (1, 1))
    support = float((down.mean() + across.mean()) / 2)
    if support > RULED:
        return None
    glyphs = float(weights[top_row:bottom, first:past].sum())
    return glyphs, Lattice(float(xs[first]), float(ys[top_row]), width, height, rows, cols, support)


def _sums(values: Floats, ys: Floats, xs: Floats) -> Floats:
    """Sum of the values in each cell."""
    total = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    total[1:, 1:] = values.cumsum(axis=0, dtype=np.float64).cumsum(axis=1)
    rows, cols = (
        np.clip(np.round(places), 0, most).astype(int) for places, most in zip((ys, xs), values.shape, strict=True)
    )
    found: Floats = np.diff(np.diff(total[rows][:, cols], axis=0), axis=1).astype(np.float32)
    return found


def _both_ends(borders: Floats) -> Floats:
    """For each cell what is at its first border and at the next cell's."""
    found: Floats = borders + np.concatenate([borders[1:], borders[-1:]])
    return found
