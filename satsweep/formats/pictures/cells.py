"""Cells of a lattice as small pictures of one size, and what is drawn in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from satsweep.formats.pictures.edges import greatest
from satsweep.formats.pictures.grid import Lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

SIDE = 24
"""Pixels of a side of a cell's picture."""
MARGIN = 3
"""Pixels of it at each side that hold lines and bevels, not glyphs, at least."""
MOST_MARGIN = 5
"""Pixels of it at each side in which lines, bevels and gaps are looked for."""
LEAST_LINE = 2.5
"""Step of the colour, of 255, that makes a line along the side of a cell."""
DARKEST = 0.97
"""Share of a cell's pixels that differ less from the background than its contrast."""
THIN = 0.985
"""The same for thin glyphs."""
GLYPH = 16
"""Pixels of a side of a glyph."""
OFF_CENTRE = 0.22
"""Share of a cell by which a glyph is away from its middle, at most."""
NEAR = 12.0
"""Difference, of 255, below which two colours of grounds are one."""
RUN_NEAR = 50.0
"""The same, if colours have run."""
BRIGHTNESS = np.array([0.3, 0.59, 0.11], np.float32)
"""Shares of red, green and blue in the brightness."""
LEAST_AROUND, LEAST_WITHIN = 0.25, 0.3
"""Shares of the ring and of the cell that have the colour of the ground, at least."""
MOST_PLAIN = 6
"""Colours of plain cells that are told apart."""
GRAIN = 1.5
"""How far a glyph is above half the pixels of its cell."""
MOST_GRAIN = 12.0
"""Difference of half the pixels, of 255, above which a glyph covers them."""
LEAST_CONTRAST = 9.0
"""Difference from the background, of 255, below which nothing is drawn."""


def patches(picture: Floats, lattice: Lattice) -> Floats:
    """Pictures of all cells, in row-major order: cells, SIDE, SIDE, three colours."""
    first = max(0, int(lattice.left) - 2)
    picture = picture[:, first : max(first, int(lattice.left + lattice.cols * lattice.width)) + 3]
    rows = _sampled(picture, lattice.top, lattice.height, lattice.rows)
    both = _sampled(rows.transpose(1, 0, 2), lattice.left - first, lattice.width, lattice.cols).transpose(1, 0, 2)
    cut = both.reshape(lattice.rows, SIDE, lattice.cols, SIDE, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(cut).reshape(lattice.rows * lattice.cols, SIDE, SIDE, 3)


def _sampled(picture: Floats, first: float, period: float, count: int) -> Floats:
    """Rows of a picture at SIDE places of each period, averaged over what they cover."""
    parts = max(1, min(4, round(period / SIDE)))
    places = first + (np.arange(count * SIDE * parts) + 0.5) * (period / (SIDE * parts)) - 0.5
    places = np.clip(places, 0, len(picture) - 1)
    low = np.minimum(places.astype(np.int64), max(len(picture) - 2, 0))
    share = (places - low).astype(np.float32)[:, None, None]
    high = np.minimum(low + 1, len(picture) - 1)
    # One part after the other, for all together take much memory.
    found = np.zeros((count * SIDE, *picture.shape[1:]), np.float32)
    for part in range(parts):
        some = slice(part, None, parts)
        found += picture[low[some]] * (1 - share[some])
        found += picture[high[some]] * share[some]
    found /= np.float32(parts)
    return found


def margins(cells: Floats) -> NDArray[np.int64]:
    """For each cell the pixels at its sides that hold lines, bevels and gaps."""
    left, right, top, bottom = _last_lines(cells)
    across, down = np.maximum(left, right), np.maximum(top, bottom)
    # A glyph may have lines as long as a cell, but none goes all around it, and no two are upright.
    framed = (np.minimum(across, down) >= MARGIN) | (np.minimum(left, right) >= MARGIN)
    found: NDArray[np.int64] = np.where(framed, np.maximum(across, down) + 1, MARGIN)
    return np.minimum(found, MOST_MARGIN + 1)


def centred(picture: Floats, lattice: Lattice) -> Lattice:
    """The lattice with the gaps between its cells shared out to both sides."""
    left, right, top, bottom = (np.median(last) for last in _last_lines(patches(picture, lattice)))
    across, down = ((one - other) / 2 if abs(one - other) > 2 else 0.0 for one, other in ((left, right), (top, bottom)))
    if not across and not down:
        return lattice
    return replace(
        lattice,
        left=lattice.left + across / SIDE * lattice.width,
        top=lattice.top + down / SIDE * lattice.height,
    )


def _last_lines(cells: Floats) -> list[NDArray[np.int64]]:
    """For each cell and side, from where on there is no line along the side."""
    middle = slice(MARGIN, SIDE - MARGIN)
    across = np.quantile(greatest(np.abs(np.diff(cells[:, middle], axis=2))), 0.15, axis=1)
    down = np.quantile(greatest(np.abs(np.diff(cells[:, :, middle], axis=1))), 0.15, axis=2)
    found = []
    for profile in (across, across[:, ::-1], down, down[:, ::-1]):
        near = profile[:, : MOST_MARGIN + 1]
        strong = near > np.maximum(LEAST_LINE, 0.4 * near.max(axis=1))[:, None]
        found.append(np.where(strong.any(axis=1), MOST_MARGIN - strong[:, ::-1].argmax(axis=1) + 1, 0))
    return found


def inner(cells: Floats, beside: int) -> Floats:
    """The cells without a margin."""
    return cells[:, beside : SIDE - beside, beside : SIDE - beside]


def backgrounds(inside: Floats, plain: Floats | None = None) -> Floats:
    """Colour behind what is drawn in each cell.

    It is the median of the ring around it, or one of the colours of ``plain`` cells, if much of the cell and of the
    ring has it: large digits touch the ring.
    """
    ring = np.concatenate([inside[:, 0], inside[:, -1], inside[:, 1:-1, 0], inside[:, 1:-1, -1]], axis=1)
    found: Floats = np.median(ring, axis=1).astype(np.float32)
    for ground in () if plain is None else plain:
        cells = np.flatnonzero(np.abs(found - ground).max(axis=1) > NEAR)
        around, within = _near(ring[cells], ground).mean(axis=1), _near(inside[cells], ground).mean(axis=(1, 2))
        found[cells[(around > LEAST_AROUND) & (within > LEAST_WITHIN)]] = ground
    return found


def _near(pixels: Floats, ground: Floats) -> NDArray[np.bool_]:
    """For each pixel, whether it has the brightness of a ground, and about its colour.

    JPEG keeps brightness sharp and lets colours run.
    """
    apart = pixels - ground
    found: NDArray[np.bool_] = (np.abs(apart @ BRIGHTNESS) < NEAR) & (greatest(np.abs(apart)) < RUN_NEAR)
    return found


def plain_colours(inside: Floats) -> Floats:
    """Colours of the cells on which nothing is drawn, of all that differ much one."""
    behind = backgrounds(inside)
    blank = behind[contrasts(strengths(inside, behind)) < LEAST_CONTRAST]
    found: list[Floats] = []
    while len(blank) and len(found) < MOST_PLAIN:
        ground = np.median(blank[np.abs(blank - blank[0]).max(axis=1) < NEAR], axis=0)
        found.append(ground.astype(np.float32))
        blank = blank[1:][np.abs(blank[1:] - blank[0]).max(axis=1) >= NEAR]
    return np.array(found, np.float32).reshape(-1, 3)


def strengths(inside: Floats, behind: Floats) -> Floats:
    """Difference of the inner pixels of each cell from its background."""
    return greatest(np.abs(inside - behind[:, None, None]))


def contrasts(drawn: Floats) -> Floats:
    """Contrast of what is drawn in each cell: near the greatest of its differences.

    A thin 1 has few pixels; they count if they differ much. In a grainy cell most pixels differ.
    """
    half, usual, few = np.quantile(drawn.reshape(len(drawn), -1), (0.5, DARKEST, THIN), axis=1).astype(np.float32)
    grain = GRAIN * np.minimum(half, MOST_GRAIN)
    usual = np.where(usual < LEAST_CONTRAST + grain, np.maximum(usual - grain, 0), usual)
    found: Floats = np.where((usual < LEAST_CONTRAST) & (few > 2 * LEAST_CONTRAST + grain), few, usual)
    return found


def inks(inside: Floats, drawn: Floats, contrast: Floats) -> Floats:
    """Colour of what is drawn in each cell."""
    weights = np.clip(drawn / np.maximum(contrast, 1.0)[:, None, None] - 0.6, 0, 0.4)
    total = np.maximum(weights.sum(axis=(1, 2)), 1e-6)
    found: Floats = (inside * weights[..., None]).sum(axis=(1, 2)) / total[:, None]
    return found


def glyph(drawn: Floats, contrast: float) -> Floats:
    """The glyph in one cell, cut out and scaled to GLYPH pixels.

    It keeps its proportions, and its values are from 0, the background, to 1. Letters of a panel,
    which are far from the middle, stay so.
    """
    ink = np.minimum(drawn / contrast, 1.0)
    solid = ink > 0.4
    rows, cols = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    top, bottom, left, right = rows[0], rows[-1] + 1, cols[0], cols[-1] + 1
    side = max(bottom - top, right - left, 3)
    down, across = (top + bottom) / 2, (left + right) / 2
    middle = len(ink) / 2
    if max(abs(down - middle), abs(across - middle)) > OFF_CENTRE * len(ink):
        side = 2 * max(middle - top, bottom - middle, middle - left, right - middle)
        down = across = middle
    row, col = down - side / 2, across - side / 2
    places = (np.arange(GLYPH) + 0.5) * side / GLYPH - 0.5
    return _bilinear(ink, row + places, col + places)


def _bilinear(values: Floats, ys: Floats, xs: Floats) -> Floats:
    padded = np.pad(values, 1)
    ys, xs = np.clip(ys + 1, 0, len(padded) - 1.001), np.clip(xs + 1, 0, padded.shape[1] - 1.001)
    low_y, low_x = ys.astype(np.int64), xs.astype(np.int64)
    down, right = (ys - low_y).astype(np.float32)[:, None], (xs - low_x).astype(np.float32)
    upper = padded[low_y][:, low_x] * (1 - right) + padded[low_y][:, low_x + 1] * right
    lower = padded[low_y + 1][:, low_x] * (1 - right) + padded[low_y + 1][:, low_x + 1] * right
    result: Floats = (upper * (1 - down) + lower * down).astype(np.float32)
    return result
