"""The mine counter of games that write it beside a flag, in digits of any font.

A wrong count is worse than none, and it is read only where it is surely one: digits of one height, each known well, and
a flag just before or behind them, above or below the board, nothing else as near, and no second such number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satsweep.formats.pictures.cells import GLYPH, LEAST_CONTRAST, contrasts, glyph, patches, strengths
from satsweep.formats.pictures.counter import Counter, runs
from satsweep.formats.pictures.edges import greatest
from satsweep.formats.pictures.glyphs import LEARNT, learnt_likelihoods
from satsweep.formats.pictures.grid import Lattice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

AWAY = 5.0
"""Heights of cells above and below a board in which its counter is looked for."""
GROUNDS, SHADES = 4, 16
"""Colours of bars that are looked at, and levels of each colour."""
BEHIND = 0.3
"""Share of a bar's rows that its colour fills, at least."""
DRAWN = 60.0
"""Difference from the ground, of 255, of what is drawn on it."""
LEAST_HIGH, MOST_HIGH = 9, 90
"""Pixels of the height of a digit."""
SAME_HIGH, APART, BESIDE = 0.15, 0.4, 2.5
"""Differences of digits, gaps between them, and that to their flag.

They are shares of their height."""
MOST_DIGITS = 3
SURE, LEAST_DIGIT, SURE_FLAG = 0.95, 0.7, 0.8
"""Least likelihoods: of a digit among digits, of any digit, of a flag."""
ROOM = 1.4
"""Side of the square around a glyph, as a share of its longer side."""


class Blob(NamedTuple):
    """Pixels of something that is drawn: past the last at bottom and right."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def high(self) -> int:
        return self.bottom - self.top


def counter_beside_flag(picture: Floats, lattice: Lattice) -> Counter:
    """Digits of the one number beside a flag; none if it is not sure."""
    top, bottom = round(lattice.top), round(lattice.top + lattice.rows * lattice.height)
    away = round(AWAY * lattice.height)
    first, past = round(lattice.left - lattice.width), round(lattice.left + (lattice.cols + 1) * lattice.width)
    found: dict[Blob, Counter] = {}
    for rows in (range(top - away, top), range(bottom, bottom + away)):
        above, below = max(0, rows.start), min(len(picture), rows.stop)
        area = picture[above:below, max(0, first) : max(0, past)]
        if min(area.shape[:2]) > LEAST_HIGH:
            found |= dict(_numbers(area, above))
    return next(iter(found.values())) if len(found) == 1 else ()


def _numbers(area: Floats, above: int) -> Iterator[tuple[Blob, Counter]]:
    """Numbers beside a flag, with where they are; ``above`` is where the area begins."""
    levels = (area // (256 // SHADES)).astype(np.int64) @ np.array([SHADES**2, SHADES, 1])
    for level in np.argsort(-np.bincount(levels.ravel()))[:GROUNDS]:
        here = levels == level
        if not here.any():
            break
        ground = np.median(area[here], axis=0).astype(np.float32)
        apart = greatest(np.abs(area - ground))
        for top, bottom in runs(np.asarray((apart < DRAWN).mean(axis=1) > BEHIND)):
            boxes = _boxes(apart[top:bottom] > DRAWN)
            glyphs = {box: _likelihoods(area[top:bottom], box, ground) for box in boxes}
            for box, counter in _beside_flags(boxes, glyphs):
                yield Blob(box.top + top + above, box.bottom + top + above, box.left, box.right), counter


def _boxes(drawn: NDArray[np.bool_]) -> list[Blob]:
    """Things that are drawn in a bar, parted by empty columns."""
    found = []
    for left, right in runs(np.asarray(drawn.any(axis=0))):
        rows = np.flatnonzero(drawn[:, left:right].any(axis=1))
        found.append(Blob(int(rows[0]), int(rows[-1]) + 1, left, right))
    return found


def _likelihoods(bar: Floats, box: Blob, ground: Floats) -> dict[str, float]:
    """Likelihoods of the classes of what is in a box, on a ground."""
    if not LEAST_HIGH <= box.high <= MOST_HIGH or box.right - box.left > 2 * box.high:
        return {}
    side = ROOM * max(box.high, box.right - box.left)
    canvas = np.empty((round(side), round(side), 3), np.float32)
    canvas[:] = ground
    top, left = (round(side) - box.high) // 2, (round(side) - box.right + box.left) // 2
    canvas[top : top + box.high, left : left + box.right - box.left] = bar[box.top : box.bottom, box.left : box.right]
    drawn = strengths(patches(canvas, Lattice(0, 0, len(canvas), len(canvas), 1, 1)), ground[None])
    contrast = float(contrasts(drawn)[0])
    if contrast < LEAST_CONTRAST:
        return {}
    shown = glyph(drawn[0], contrast).reshape(1, GLYPH**2)
    return dict(zip(LEARNT, map(float, np.exp(learnt_likelihoods(shown)[0])), strict=True))


def _beside_flags(boxes: list[Blob], glyphs: dict[Blob, dict[str, float]]) -> Iterator[tuple[Blob, Counter]]:
    """Numbers with a flag beside them, by their first digit."""
    groups: list[list[Blob]] = []
    for box in boxes:
        if groups and box.left - groups[-1][-1].right < APART * min(box.high, groups[-1][-1].high):
            groups[-1].append(box)
        else:
            groups.append([box])
    for at, flag in enumerate(groups):
        if len(flag) > 1 or glyphs[flag[0]].get("F", 0.0) < SURE_FLAG:
            continue
        near = []
        for group in groups[max(0, at - 1) : at] + groups[at + 1 : at + 2]:
            gap = max(group[0].left - flag[0].right, flag[0].left - group[-1].right)
            if (number := _number(group, glyphs)) and gap < BESIDE * group[0].high:
                near.append((gap, group[0], number))
        near.sort()
        # A flag between two numbers is that of the one that is much nearer.
        if near and (len(near) == 1 or 2 * near[0][0] < near[1][0]):
            yield near[0][1:]


def _number(group: list[Blob], glyphs: dict[Blob, dict[str, float]]) -> Counter:
    """Digits of a number; none if anything else is among them."""
    high = group[0].high
    if len(group) > MOST_DIGITS or any(
        max(abs(box.high - high), abs(box.bottom - group[0].bottom)) > max(1, SAME_HIGH * high) for box in group
    ):
        return ()
    digits = []
    for box in group:
        # Beside a flag a number is no other flag.
        likely = {one: glyphs[box].get(one, 0.0) for one in "0123456789x"}
        best = max(likely, key=lambda one: likely[one])
        share = likely[best] / max(sum(likely.values()), LEAST_DIGIT)
        if best == "x" or share < SURE:
            return ()
        digits.append({best: share})
    return tuple(digits)
