"""The extent of a board: the rectangle of cells that are explained best.

The lattice goes on in all directions. Cells with a digit or a flag speak for the board, cells with something drawn
that is nothing known against it, and so do plain cells without the lines that such cells have elsewhere on the board.
A panel whose rows are as high as those of the board has lines in the right places, but words in its cells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satsweep.formats.pictures.cells import patches
from satsweep.formats.pictures.edges import greatest
from satsweep.formats.pictures.grid import FEWEST, Box, Lattice, Lines, heaviest
from satsweep.formats.pictures.kinds import COMMON, FLAG, MINE, ZERO, Kinds, kinds_of
from satsweep.formats.pictures.rim import grown
from satsweep.part import WHOLE, Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

BEYOND, MOST_STEPS = 3, 4
"""Lines beyond each side that are looked at, and how often, while a lattice grows."""
SURE_DIGIT, SURE_FLAG = 0.7, 0.6
"""Likelihoods from which on a digit, and a flag or a mine, speak for the board."""
DIGIT, MARK, STRANGE, RULED_STRANGE, FEW_ALIKE = 1.0, 0.7, -0.3, -0.15, 3
"""Weights of a sure digit, a sure flag or mine, and something else.

The fourth is for something else with the usual lines around it. From the third alike on inside, something strange is a
game's own drawing."""
RULED, BARE = 0.1, -0.3
"""Weights of a plain cell with the usual lines around it, and without them.

The first is also that of a plain cell of another colour than all beyond the board, the second that of one that only
cells beyond the board's digits are like."""
UNLIKE = 20.0
"""Difference of colours, of 255, that makes another one."""
FEW_SURE = 0.05
"""Share of sure digits from which on strange cells with lines may be the board's."""
STAYS = 0.02
"""Weight of any other cell inside, and the opposite of one outside."""
LEAST_RULED, LACKING, JOINED = 0.6, 0.35, 0.2
"""Share of lines around cells of boards that have them, and the lack that tells.

The third is the share of cells with this lack from which on lines tell nothing."""
MOSTLY, HALF = 0.8, 0.5
"""Share of plain cells in a line that may be the board's, and of a line on a side."""
ENCLOSED = 0.7
"""Share of each of three sides on which plain cells end with a line."""
FEW_JOINED, MOST_JOINED, ALIKE = 2, 40, 8.0
"""Least cells among digits without lines that are joined, and the most to compare.

The third is the difference of colours, of 255, that is none."""


class Extent(NamedTuple):
    """A lattice, and the sides on which it may have more plain cells, or fewer."""

    lattice: Lattice
    unsure: Part = WHOLE


def by_cells(picture: Floats, lattice: Lattice, lines: Lines) -> Extent:
    """The lattice with the rows and columns whose cells are those of a board."""
    for _ in range(MOST_STEPS):
        outer, (above, before) = grown(picture, lattice, BEYOND)
        inside = np.zeros((outer.rows, outer.cols), bool)
        inside[above : above + lattice.rows, before : before + lattice.cols] = True
        kinds = kinds_of(patches(picture, outer))
        sides = lines.sides(outer)
        weights = _weights(kinds, inside, _around(*sides))
        box = heaviest(weights)
        if min(box[1] - box[0], box[3] - box[2]) < FEWEST:
            return Extent(lattice)
        plain = _plain(kinds, box, weights.shape)
        top, bottom, left, right = whole = _enclosed(plain, sides, box)
        found = replace(
            outer,
            left=outer.left + left * outer.width,
            top=outer.top + top * outer.height,
            rows=bottom - top,
            cols=right - left,
        )
        if whole != box or found.rows * found.cols <= lattice.rows * lattice.cols:
            return Extent(found, _unsure(plain & (np.abs(weights) <= STAYS), sides, whole))
        # A small part of a board fits periods that are a little wrong. Lines of glyphs are no better ones.
        ones = (found, lines.fitted(found)) if found.support > HALF else (found,)
        lattice = max(ones, key=lambda one: _around(*lines.sides(one)).mean())
    return Extent(lattice)


def _plain(kinds: Kinds, box: Box, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Plain cells on a ground of the board."""
    of = kinds.of.reshape(shape)
    top, bottom, left, right = box
    found: NDArray[np.bool_] = (kinds.blank & (_apart(kinds, of[top:bottom, left:right]) < ALIKE))[of]
    return found


def _enclosed(plain: NDArray[np.bool_], sides: tuple[Floats, Floats], box: Box) -> Box:
    """The box with the plain cells beyond it that lines on three sides enclose.

    Zeros without lines between them end where the ground of the board does, or at its frame.
    """
    found = list(box)
    for side, step in enumerate((-1, 1, -1, 1)):
        across = side < 2
        cells, ends, beside = (plain, sides[1], sides[0]) if across else (plain.T, sides[0].T, sides[1].T)
        first, past = found[2:] if across else found[:2]
        inner = found[side]
        if inner in (0, len(cells)) or float(ends[inner, first:past].mean()) > HALF:
            continue
        for end in range(inner + step, len(cells) + 1 if step > 0 else -1, step):
            lines = slice(min(inner, end), max(inner, end))
            if float(cells[lines, first:past].mean(axis=1).min()) <= MOSTLY:
                break
            around = ends[end, first:past], beside[lines, first], beside[lines, past]
            if min(float(line.mean()) for line in around) > ENCLOSED:
                found[side] = end
                break
    return found[0], found[1], found[2], found[3]


def _unsure(alike: NDArray[np.bool_], sides: tuple[Floats, Floats], box: Box) -> Part:
    """Sides beyond which plain cells go on, on the board's ground and without a line."""
    top, bottom, left, right = box
    down, across = sides
    beyond = {
        "top": alike[top - 1 : top, left:right] & (across[top, left:right] < HALF),
        "bottom": alike[bottom : bottom + 1, left:right] & (across[bottom, left:right] < HALF),
        "left": alike[top:bottom, left - 1 : left] & (down[top:bottom, left : left + 1] < HALF),
        "right": alike[top:bottom, right : right + 1] & (down[top:bottom, right : right + 1] < HALF),
    }
    return Part(**{side: bool(line.size) and float(line.mean()) > MOSTLY for side, line in beyond.items()})


def _around(down: Floats, across: Floats) -> Floats:
    """For each cell, on which share of its sides there is a line."""
    found: Floats = (down[:, :-1] + down[:, 1:] + across[:-1] + across[1:]) / np.float32(4)
    return found


def _weights(kinds: Kinds, inside: NDArray[np.bool_], ruled: Floats) -> Floats:
    """For each cell how much it speaks for the board."""
    of = kinds.of.reshape(inside.shape)
    many = np.bincount(of[inside], minlength=len(kinds.sizes))
    shares = np.exp(kinds.unary)
    drawn = np.where(many >= FEW_ALIKE, STAYS, STRANGE)
    drawn = np.where(many > COMMON * inside.sum(), MARK, drawn)
    drawn = np.where(shares[:, FLAG] + shares[:, MINE] > SURE_FLAG, MARK, drawn)
    drawn = np.where(shares[:, ZERO:FLAG].max(axis=1) > SURE_DIGIT, DIGIT, drawn)
    found: Floats = np.where(inside, STAYS, -STAYS).astype(np.float32)
    # Outside even faint strokes are those of something else.
    blank = np.where(inside, (kinds.blank | kinds.faint)[of], (kinds.blank & ~kinds.faint)[of])
    found[~blank] = drawn[of[~blank]]
    sure = inside & ~blank & (found >= MARK)
    core = _rectangle(sure, inside)
    if not inside.all():
        beyond, other = (_apart(kinds, of[cells])[of] > UNLIKE for cells in (~inside, core))
        found[inside & blank & beyond] = RULED
        found[inside & blank & ~beyond & other] = BARE
    usual = float(np.median(ruled[core]))
    lacking = ruled < usual - LACKING
    if usual > LEAST_RULED and lacking[core].mean() < JOINED:
        grounds = kinds.behind[of]
        # Joined cells lack lines beside digits, too; a gap beside a panel has no digits in its rows or its columns.
        joined = grounds[lacking & blank & core & sure.any(axis=1, keepdims=True) & sure.any(axis=0, keepdims=True)]
        if len(joined) >= FEW_JOINED:
            lacking &= ~blank | (np.abs(grounds[:, :, None] - joined[:MOST_JOINED]).max(axis=3).min(axis=2) > ALIKE)
        ruled_too = blank & (ruled >= usual - LACKING)
        found[ruled_too] = np.where((many > 0)[of], RULED, STAYS)[ruled_too]
        if (sure & (found >= DIGIT)).sum() > FEW_SURE * inside.sum():
            found[inside & ~blank & (ruled >= usual - LACKING) & (found < 0)] = RULED_STRANGE
        found[lacking & (found < DIGIT)] = BARE
    return found


def _apart(kinds: Kinds, others: NDArray[np.int64]) -> Floats:
    """For each kind, how far its ground is from those of some cells, of these kinds."""
    grounds = kinds.behind[np.unique(others)]
    found: Floats = greatest(np.abs(kinds.behind[:, None] - grounds)).min(axis=1)
    return found


def _rectangle(marks: NDArray[np.bool_], otherwise: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The smallest rectangle of all that is marked."""
    rows, cols = np.flatnonzero(marks.any(axis=1)), np.flatnonzero(marks.any(axis=0))
    if not len(rows):
        return otherwise
    found = np.zeros_like(marks)
    found[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1] = True
    return found
