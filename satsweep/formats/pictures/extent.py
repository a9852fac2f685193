"""The extent of a board: the rectangle of a lattice whose cells are explained best.

The lattice goes on in all directions. Cells with a digit or a flag speak for the board, cells with something drawn
that is nothing known against it, and so do plain cells without the lines that such cells have elsewhere on the board.
A panel whose rows are as high as those of the board has lines in the right places, but words in its cells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from satsweep.formats.pictures.cells import patches
from satsweep.formats.pictures.grid import FEWEST, Lattice, Lines, heaviest
from satsweep.formats.pictures.kinds import FLAG, MINE, ZERO, Kinds, kinds_of
from satsweep.formats.pictures.rim import grown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

BEYOND, MOST_STEPS, FAR = 3, 4, 1.3
"""Lines beyond each side of a lattice that are looked at, how often, and the growth from which on again."""
SURE_DIGIT, SURE_FLAG = 0.7, 0.6
"""Likelihoods from which on a digit, and a flag or a mine, speak for the board."""
DIGIT, MARK, STRANGE, FEW_ALIKE = 1.0, 0.7, -0.5, 3
"""Weights of a sure digit, of a sure flag or mine, of a cell with something that is nothing known.

From the third alike on inside, something strange is a game's own drawing."""
RULED, BARE = 0.1, -0.3
"""Weights of a plain cell with the usual lines around it, and without them."""
STAYS = 0.02
"""Weight of any other cell inside, and the opposite of one outside: nothing is known of it."""
LEAST_RULED, LACKING, JOINED = 0.6, 0.35, 0.2
"""Share of lines around cells of boards that have them, the lack of them that tells, and the share of cells with this
lack from which on lines tell nothing."""
FEW_JOINED, MOST_JOINED, ALIKE = 2, 40, 8.0
"""Cells among digits that lack lines, from which on cells are joined, of how many the colours are known, and the
difference of colours, of 255, that is none."""


def by_cells(picture: Floats, lattice: Lattice, lines: Lines) -> Lattice:
    """The lattice with the rows and columns whose cells are those of a board."""
    for _ in range(MOST_STEPS):
        outer, (above, before) = grown(picture, lattice, BEYOND)
        inside = np.zeros((outer.rows, outer.cols), bool)
        inside[above : above + lattice.rows, before : before + lattice.cols] = True
        weights = _weights(kinds_of(patches(picture, outer)), inside, _around(*lines.sides(outer)))
        top, bottom, left, right = heaviest(weights)
        if min(bottom - top, right - left) < FEWEST:
            return lattice
        found = replace(
            outer,
            left=outer.left + left * outer.width,
            top=outer.top + top * outer.height,
            rows=bottom - top,
            cols=right - left,
        )
        if found.rows * found.cols < FAR * lattice.rows * lattice.cols:
            return found
        # A small part of a board fits periods that are a little wrong.
        lattice = max(found, lines.fitted(found), key=lambda one: _around(*lines.sides(one)).mean())
    return lattice


def _around(down: Floats, across: Floats) -> Floats:
    """For each cell, on which share of its sides there is a line."""
    found: Floats = (down[:, :-1] + down[:, 1:] + across[:-1] + across[1:]) / 4
    return found


def _weights(kinds: Kinds, inside: NDArray[np.bool_], ruled: Floats) -> Floats:
    """For each cell how much it speaks for the board."""
    of = kinds.of.reshape(inside.shape)
    many = np.bincount(of[inside], minlength=len(kinds.sizes))
    shares = np.exp(kinds.unary)
    drawn = np.where(many >= FEW_ALIKE, STAYS, STRANGE)
    drawn = np.where(shares[:, FLAG] + shares[:, MINE] > SURE_FLAG, MARK, drawn)
    drawn = np.where(shares[:, ZERO:FLAG].max(axis=1) > SURE_DIGIT, DIGIT, drawn)
    found: Floats = np.where(inside, STAYS, -STAYS).astype(np.float32)
    blank = kinds.blank[of]
    found[~blank] = drawn[of[~blank]]
    sure = inside & ~blank & (found >= MARK)
    core = _rectangle(sure, inside)
    usual = float(np.median(ruled[core]))
    lacking = ruled < usual - LACKING
    if usual > LEAST_RULED and lacking[core].mean() < JOINED:
        grounds = kinds.behind[of]
        # Joined cells lack lines beside digits, too; a gap beside a panel has no digits in its rows or its columns.
        joined = grounds[lacking & blank & core & sure.any(axis=1)[:, None] & sure.any(axis=0)]
        if len(joined) >= FEW_JOINED:
            lacking &= ~blank | (np.abs(grounds[:, :, None] - joined[:MOST_JOINED]).max(axis=3).min(axis=2) > ALIKE)
        ruled_too = blank & (ruled >= usual - LACKING)
        found[ruled_too] = np.where((many > 0)[of], RULED, STAYS)[ruled_too]
        found[lacking & (~inside | (found < DIGIT))] = BARE
    return found


def _rectangle(marks: NDArray[np.bool_], otherwise: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The smallest rectangle of all that is marked."""
    rows, cols = np.flatnonzero(marks.any(axis=1)), np.flatnonzero(marks.any(axis=0))
    if not len(rows):
        return otherwise
    found = np.zeros_like(marks)
    found[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1] = True
    return found
