"""The lattice of a board in a picture: candidates, the likeliest first.

The autocorrelation of the lines has peaks at the width and the height of a cell and at their multiples. Each pair of
peaks gives a candidate: blocks where lines come again one cell further are a rough region, the lines of that region
give period and phase to a fraction of a pixel, and cells with lines on most of their sides make up the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from satsweep.formats.pictures.edges import likeness, lines, steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

SMALLEST = 8
"""Pixels of the smallest cell."""
FEWEST = 3
"""Fewest rows and columns of a board."""
MOST_LINES = 150
"""Most rows or columns of a board in a picture."""
MOST_PEAKS, PAIRS, PAIRS_OF_PART, SQUARES = 5, 10, 3, 2
"""Peaks, pairs of width and height of all and of a part, and pairs made square."""
SLACK = 0.09
"""Share of a cell by which a line may be beside the lattice."""
BEVEL = 0.15
"""Share of a cell that the bevel or the gap at one of its sides takes at most."""
SIDES = (2.3, 1.5)
"""Least lines around a cell on average: in most skins, and with joined cells."""
ALIKE_PERIOD = 0.01
"""Share of a cell by which the periods of lattices that are one may differ."""
NEAR = 0.8
"""Pixels by which a peak, a whole number, may be beside its period."""
HARMONICS = 5
"""Waves by which a period is fitted: its own, of twice its frequency, and so on."""
WHOLE_PIXELS = 1.03
"""How much likelier cells of whole pixels are than each other size."""
BARE = 0.85
"""Share of an area that has to have no lines, if it is to be joined cells."""
ENCLOSED = 0.7
"""Share of an area's rim on which joined cells have a line."""


Box: TypeAlias = tuple[int, int, int, int]
"""First row, the one past the last, first column, and the one past the last."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Rows and columns of cells in a picture, in pixels.

    ``left`` and ``top`` are those of the first cell, which may be a fraction. ``support`` is the share of the sides of
    cells on which there is a line.
    """

    left: float
    top: float
    width: float
    height: float
    rows: int
    cols: int
    support: float = 0.0

    def box(self, rows: int, cols: int) -> Box:
        """Its first row of pixels, the one past the last, and columns, with its rim."""
        bottom, right = self.top + self.rows * self.height, self.left + self.cols * self.width
        first = (max(0, round(self.top - 0.2 * self.height)), max(0, round(self.left - 0.2 * self.width)))
        past = (min(rows, round(bottom + 0.2 * self.height)), min(cols, round(right + 0.2 * self.width)))
        return first[0], past[0], first[1], past[1]

    def within(self, other: Lattice) -> bool:
        """Return whether a lattice is a part of another one, about."""
        if max(abs(self.width - other.width), abs(self.height - other.height)) > ALIKE_PERIOD * self.width:
            return False
        cols, rows = (self.left - other.left) / other.width, (self.top - other.top) / other.height
        off = max(abs(cols - round(cols)), abs(rows - round(rows)))
        last = other.rows - self.rows, other.cols - self.cols
        return off < 2 * SLACK and 0 <= round(rows) <= last[0] and 0 <= round(cols) <= last[1]

    def scaled(self, factor: float) -> Lattice:
        """The lattice in a picture that is larger by a factor."""
        return replace(
            self,
            left=factor * self.left,
            top=factor * self.top,
            width=factor * self.width,
            height=factor * self.height,
        )


class Lines:
    """Vertical and horizontal lines of a picture.

    The picture is smaller than the original by ``factor``.
    """

    def __init__(self, down: Floats, across: Floats, factor: int) -> None:
        self.down, self.across, self.factor = down, across, factor
        self.rows, self.cols = down.shape

    @classmethod
    def of(cls, picture: Floats, factor: int = 1) -> Lines:
        """Lines of a picture."""
        return cls(lines(steps(picture, 1), 0), lines(steps(picture, 0), 1), factor)

    def part(self, top: int, left: int, rows: int, cols: int) -> Lines:
        """Lines of a part of the picture."""
        where = slice(top, top + rows), slice(left, left + cols)
        return Lines(self.down[where], self.across[where], self.factor)

    @cached_property
    def again(self) -> tuple[Floats, Floats]:
        """Vertical and horizontal lines, wider by a pixel on each side."""
        return _wide(self.down.T).T, _wide(self.across)

    @cached_property
    def _upright(self) -> Floats:
        return np.ascontiguousarray(self.down.T)

    def there(self, xs: Floats, ys: Floats, reach: tuple[int, int]) -> tuple[Floats, Floats]:
        """How far there are lines between places, by ``reach`` beside them at most.

        Vertical ones are stretches between ``ys`` and ``xs``, horizontal ones ``ys`` and stretches between ``xs``.
        """
        return _sides(self._upright, xs, ys, reach[0]).T, _sides(self.across, ys, xs, reach[1])

    @cached_property
    def total(self) -> NDArray[np.float64]:
        """Sum of all lines above and to the left of each pixel."""
        found = np.zeros((self.rows + 1, self.cols + 1))
        found[1:, 1:] = (self.down + self.across).cumsum(axis=0, dtype=np.float64).cumsum(axis=1)
        return found

    def fitted(self, lattice: Lattice) -> Lattice:
        """A lattice, moved and scaled a little to where the lines of its area are."""
        one = lattice.scaled(1 / self.factor)
        width, height, first_col, first_row = placed(self, one.width, one.height, one.box(self.rows, self.cols))
        middle_x, middle_y = one.left + one.cols * one.width / 2, one.top + one.rows * one.height / 2
        first = middle_x - one.cols * width / 2, middle_y - one.rows * height / 2
        return replace(
            one,
            left=first_col + width * round((first[0] - first_col) / width),
            top=first_row + height * round((first[1] - first_row) / height),
            width=width,
            height=height,
        ).scaled(self.factor)

    def sides(self, lattice: Lattice) -> tuple[Floats, Floats]:
        """How far there are lines around the cells of a lattice in the original.

        Vertical ones are rows and columns + 1, horizontal ones rows + 1 and columns.
        """
        one = lattice.scaled(1 / self.factor)
        xs = one.left + one.width * np.arange(one.cols + 1, dtype=np.float32)
        ys = one.top + one.height * np.arange(one.rows + 1, dtype=np.float32)
        return self.there(xs, ys, (_reach(one.width), _reach(one.height)))


def lattices(found: Lines, size: int = 1) -> Iterator[Lattice]:
    """Candidates for the lattice of the board, the likeliest first.

    They are looked for in parts of the picture, each a share of one in ``size`` of its width and height: the lines
    of a small board are lost among those of all else.
    """
    seen: list[Lattice] = []
    for part, top, left, most in _parts(found, size):
        for _, width, height in periods(part.down, part.across)[:most]:
            for fitted in _fitted(part, width, height):
                moved = replace(fitted, left=fitted.left + left, top=fitted.top + top)
                if not any(_same(moved, other) for other in seen):
                    seen.append(moved)
    # Of few of the periods that are found by chance most lines are there.
    seen.sort(key=lambda one: -(one.support**2) * np.sqrt(one.rows * one.width * one.cols * one.height))
    yield from seen


def _parts(found: Lines, size: int) -> Iterator[tuple[Lines, int, int, int]]:
    """Parts that overlap by half, where they begin, and how many pairs to look at."""
    if size == 1:
        yield found, 0, 0, PAIRS
        return
    rows, cols = found.rows // size, found.cols // size
    for row in range(2 * size - 1):
        for col in range(2 * size - 1):
            top, left = row * rows // 2, col * cols // 2
            yield found.part(top, left, rows, cols), top, left, PAIRS_OF_PART


def periods(down: Floats, across: Floats) -> list[tuple[float, int, int]]:
    """Widths and heights of cells with their scores, the likeliest first."""
    widths = _peaks(likeness(down, 1, down.shape[1] // 2))
    heights = _peaks(likeness(across, 0, across.shape[0] // 2))
    pairs = []
    for width, one in widths:
        for height, other in heights:
            ratio = max(width / height, height / width)
            if ratio < 1.25:
                pairs.append((one + other + min(one, other) - 1.5 * (ratio - 1), width, height))
    pairs.sort(reverse=True)
    known = {(width, height) for _, width, height in pairs}
    # Cells are square in most skins, also where there are few lines in one direction.
    squares = []
    for score, width, height in pairs[:SQUARES]:
        for side in (width, height):
            if not any(abs(side - one) + abs(side - other) <= 1 for one, other in known):
                known.add((side, side))
                squares.append((score, side, side))
    return squares + pairs


def _same(one: Lattice, other: Lattice) -> bool:
    return (
        (one.rows, one.cols) == (other.rows, other.cols)
        and max(abs(one.width - other.width), abs(one.height - other.height)) < 0.5
        and max(abs(one.left - other.left), abs(one.top - other.top)) < 0.5 * one.width
    )


def _peaks(values: Floats) -> list[tuple[int, float]]:
    """Lags of local maxima, and half of them, with their values."""
    inner = values[SMALLEST:-1]
    best = (inner >= values[SMALLEST - 1 : -2]) & (inner > values[SMALLEST + 1 :])
    lags = np.flatnonzero(best) + SMALLEST
    found = sorted(((int(lag), float(values[lag])) for lag in lags), key=lambda one: -one[1])[:MOST_PEAKS]
    known = dict(found)
    for lag, value in found:
        for parts in (2, 3):
            part = round(lag / parts)
            if part >= SMALLEST and not any(abs(part - other) <= 1 for other in known):
                known[part] = max(float(values[part - 1 : part + 2].max()), 0.25 * value / parts)
    return list(known.items())


def _fitted(found: Lines, width: float, height: float) -> list[Lattice]:
    """Lattices of about a width and height of cells, for each of SIDES."""
    around = region(found, round(width), round(height))
    if around is None:
        return []
    first = placed(found, width, height, around)
    places: dict[Box, tuple[float, float, float, float]] = {}
    lattices = []
    for fewest in SIDES:
        rough = _extent(found, *first, fewest)
        if rough is not None:
            area = rough.box(found.rows, found.cols)
            if area not in places:
                places[area] = placed(found, width, height, area)
            lattices.append(_extent(found, *places[area], fewest))
    return [lattice for lattice in lattices if lattice is not None]


def placed(found: Lines, width: float, height: float, area: Box) -> tuple[float, float, float, float]:
    """Width, height and place of cells near given ones, by the lines of an area."""
    top, bottom, left, right = area
    width, first_col = _phase(found.down[top:bottom, left:right].sum(axis=0), width)
    height, first_row = _phase(found.across[top:bottom, left:right].sum(axis=1), height)
    return width, height, first_col + left, first_row + top


def region(found: Lines, width: int, height: int) -> Box | None:
    """Rows and columns in which lines come again one cell further."""
    if found.rows < 2 * height or found.cols < 2 * width:
        return None
    again = np.zeros_like(found.down)
    down, across = found.again
    again[:, :-width] = np.minimum(found.down[:, :-width], down[:, width:])
    again[:-height] += np.minimum(found.across[:-height], across[height:])
    rows, cols = -(-found.rows // height), -(-found.cols // width)
    padded = np.zeros((rows * height, cols * width), np.float32)
    padded[: found.rows, : found.cols] = again
    blocks = padded.reshape(rows, height, cols, width).sum(axis=(1, 3)) / (width + height)
    top, bottom, left, right = heaviest(np.minimum(blocks, 1.0) - 0.35)
    if bottom - top < 2 or right - left < 2:
        return None
    return (
        max(0, (top - 1) * height),
        min(found.rows, (bottom + 1) * height),
        max(0, (left - 1) * width),
        min(found.cols, (right + 1) * width),
    )


def _wide(values: Floats) -> Floats:
    """Greatest of each row and the ones before and after it."""
    result = values.copy()
    result[1:] = np.maximum(result[1:], values[:-1])
    result[:-1] = np.maximum(result[:-1], values[1:])
    return result


def _phase(profile: Floats, period: float) -> tuple[float, float]:
    """Period near a given one, and phase, that fit a profile best."""
    length = len(profile)
    count = max(length / period, 2.0)
    # No line counts for more than most lines of the lattice would.
    cap = float(np.sort(profile)[-max(1, round(count / 2))])
    capped = np.minimum(profile, cap + 1e-6).astype(np.float64)
    tried = np.arange(period - NEAR, period + NEAR, min(0.25, 0.4 / count))
    whole = round(period) + np.arange(-1.0, 2.0)
    whole = whole[np.abs(whole - period) < NEAR]
    tried = np.concatenate([whole, tried])
    waved = folded(capped, tried, max(8, round(period * 2)))
    sharpest = (waved + 0.5 * (np.roll(waved, 1, axis=1) + np.roll(waved, -1, axis=1))).max(axis=1)
    waves = (np.abs(np.fft.rfft(waved, axis=1)[:, 1 : HARMONICS + 1]) ** 2).sum(axis=1)
    # Lines of glyphs are sharp for a period that is wrong, too, and waves of the right one are not very.
    score = sharpest * waves**0.5
    score[: len(whole)] *= WHOLE_PIXELS
    fitted = float(tried[score.argmax()])
    # The middle of the lines of a gap, or of two bevels.
    bins = max(16, round(fitted * 2))
    reach = max(1, round(BEVEL * bins))
    once = folded(capped, np.array([fitted]), bins)[0]
    around = np.concatenate([once[-reach:], once, once[:reach]])
    weights = np.convolve(around, 1 - np.abs(np.arange(-reach, reach + 1)) / (reach + 1), "valid")
    at = int(weights.argmax())
    nearby = around[at : at + 2 * reach + 1]
    shift = float((nearby * np.arange(-reach, reach + 1)).sum() / max(nearby.sum(), 1e-9))
    return fitted, (at + 0.5 + shift) * fitted / bins - 0.5


def folded(profile: NDArray[np.float64], periods: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    """Sums of a profile over all periods, for each of some periods."""
    at = (np.arange(len(profile)) % periods[:, None] * (bins / periods[:, None])).astype(np.int64)
    at = np.minimum(at, bins - 1) + bins * np.arange(len(periods))[:, None]
    weights = np.broadcast_to(profile, at.shape).ravel()
    found = np.bincount(at.ravel(), weights, bins * len(periods)).astype(np.float64)
    return found.reshape(len(periods), bins)


def _extent(found: Lines, width: float, height: float, left: float, top: float, fewest: float) -> Lattice | None:
    """Lattice of the cells that have lines on their sides."""
    xs = _places(left, width, found.cols)
    ys = _places(top, height, found.rows)
    if not (FEWEST < len(xs) <= MOST_LINES and FEWEST < len(ys) <= MOST_LINES):
        return None
    near = _reach(width), _reach(height)
    sides = _around(*found.there(xs, ys, near))
    box = heaviest(sides - fewest)
    if min(box[1] - box[0], box[3] - box[2]) < 2:
        return None
    within = xs[box[2] : box[3] + 1], ys[box[0] : box[1] + 1]
    off = np.mean(
        [
            _around(
                found.there(within[0] + width * part, within[1], near)[0],
                found.there(within[0], within[1] + height * part, near)[1],
            ).mean()
            for part in (0.35, 0.5, 0.65)
        ]
    )
    bare = _plain(found.total, xs, ys)
    # Joined cells end at the far side of a gap.
    down, across = found.there(xs, ys, (round(BEVEL * width), round(BEVEL * height)))
    top, bottom, left, right = _with_joined(box, down, across, bare)
    rows, cols = bottom - top, right - left
    if rows < FEWEST or cols < FEWEST:
        return None
    support = float(sides[box[0] : box[1], box[2] : box[3]].mean() - 0.5 * off) / 4
    return Lattice(float(xs[left]), float(ys[top]), width, height, rows, cols, support)


def _plain(total: NDArray[np.float64], xs: Floats, ys: Floats) -> NDArray[np.bool_]:
    """For each cell, whether there are no edges in its middle, by sums of edges."""

    def ends(places: Floats, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        beside = 0.2 * float(places[1] - places[0])
        first, past = (np.clip(np.round(side), 0, most) for side in (places[:-1] + beside, places[1:] - beside))
        return first.astype(np.int64), past.astype(np.int64)

    (top, bottom), (left, right) = ends(ys, total.shape[0] - 1), ends(xs, total.shape[1] - 1)
    sums = total[bottom][:, right] - total[top][:, right] - total[bottom][:, left] + total[top][:, left]
    area = (bottom - top)[:, None] * (right - left)
    found: NDArray[np.bool_] = (area > 0) & (sums < 0.01 * area)
    return found


def _reach(period: float) -> int:
    """Pixels by which a line may be beside the lattice."""
    return max(1 if period < 14 else 2, round(SLACK * period))


def _around(down: Floats, across: Floats) -> Floats:
    """For each cell, on how many of its sides there is a line."""
    return down[:, :-1] + down[:, 1:] + across[:-1] + across[1:]


def _with_joined(box: Box, down: Floats, across: Floats, bare: NDArray[np.bool_]) -> Box:
    """The box and the bare areas beside it that lines on the lattice enclose.

    Some games draw covered cells without lines between them.
    """
    top, bottom, left, right = box
    for _ in range(2):
        for end in range(down.shape[0], bottom, -1):
            if _is_bare(bare[bottom:end, left:right]) and _encloses(
                across[end, left:right], down[bottom:end, left], down[bottom:end, right]
            ):
                bottom = end
        for end in range(top):
            if _is_bare(bare[end:top, left:right]) and _encloses(
                across[end, left:right], down[end:top, left], down[end:top, right]
            ):
                top = end
        for end in range(across.shape[1], right, -1):
            if _is_bare(bare[top:bottom, right:end]) and _encloses(
                down[top:bottom, end], across[top, right:end], across[bottom, right:end]
            ):
                right = end
        for end in range(left):
            if _is_bare(bare[top:bottom, end:left]) and _encloses(
                down[top:bottom, end], across[top, end:left], across[bottom, end:left]
            ):
                left = end
    return top, bottom, left, right


def _is_bare(bare: NDArray[np.bool_]) -> bool:
    return bare.size > 0 and float(bare.mean()) > BARE


def _encloses(end: Floats, *beside: Floats) -> bool:
    """Return whether there is a line at the end of an area, and at both its sides."""
    return float(end.mean()) > ENCLOSED and all(len(line) > 0 and float(line.min()) > 0.4 for line in beside)


def _places(first: float, period: float, length: int) -> Floats:
    start = first % period
    if start > period - 1.5:
        start -= period
    places: Floats = np.arange(start, length + 1.5, period, dtype=np.float32)
    return places


def _sides(edges: Floats, lines: Floats, ends: Floats, reach: int) -> Floats:
    """Share of each line of a lattice that has edges, between each two ends.

    ``edges`` go along their rows, and may be beside a line by ``reach``. A line at the rim of the picture counts as
    there in part.
    """
    beside = np.arange(-reach, reach + 1)[:, None]
    places = np.clip(np.round(lines).astype(int) + beside, 0, len(edges) - 1)
    there = edges[places[0]]
    for place in places[1:]:
        np.maximum(there, edges[place], out=there)
    stops = np.clip(np.round(ends).astype(int), 0, edges.shape[1])
    total = np.concatenate([np.zeros((len(lines), 1), np.float32), there.cumsum(axis=1, dtype=np.float32)], axis=1)
    share = (total[:, stops[1:]] - total[:, stops[:-1]]) / np.maximum(stops[1:] - stops[:-1], 1)
    share[(lines < 1.5) | (lines > len(edges) - 1.5)] = 0.3
    result: Floats = np.minimum(share / 0.75, 1.0)
    return result


def heaviest(weights: Floats) -> Box:
    """The rectangle of greatest sum: first row, past the last, first column, past."""
    rows, cols = weights.shape
    total = np.concatenate([np.zeros((1, cols)), weights.cumsum(axis=0)])
    best, found = -np.inf, (0, 0, 0, 0)
    for first in range(rows):
        sums = np.concatenate([np.zeros((rows - first, 1)), (total[first + 1 :] - total[first]).cumsum(axis=1)], axis=1)
        lowest = np.minimum.accumulate(sums, axis=1)
        gains = sums[:, 1:] - lowest[:, :-1]
        at = int(gains.argmax())
        height, last = divmod(at, cols)
        if gains[height, last] > best:
            best = float(gains[height, last])
            start = int(sums[height, : last + 1].argmin())
            found = (first, first + height + 1, start, last + 1)
    return found
