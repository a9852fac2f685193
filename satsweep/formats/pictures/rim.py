"""The rim of a board: its outer rows and columns look like those inside.

Boards without a frame end with a faint line or none, and frames and panels around a board have lines where a further
row would have them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from satsweep.formats.pictures.cells import SIDE, patches
from satsweep.formats.pictures.grid import FEWEST, Box, Lattice, Lines
from satsweep.part import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

ALIKE = 10.0
"""Mean difference of two cells, of 255, that may be the same kind."""
STRANGE, RULED_STRANGE = 0.4, 0.8
"""Share of cells that look like none inside, above which a line is left out.

The second is for lines that have lines between their cells."""
KNOWN = 0.25
"""Share of cells, not plain and like one inside, with which a line stays."""
NEW, FEW_NEW = 0.1, 2
"""Share and number of known cells, not plain, that make a further line, at least."""
FURTHER, FURTHER_CELLS = 14, 2500
"""Lines on each side, and cells of all, that may belong to the board, too."""
UNLIKE = 20.0
"""Difference of colours, of 255, of plain cells of a board and of what is beyond."""
EDGE = 0.7
"""Share of a side on which plain cells that end there have an edge."""
NONE = 0.15
"""Share of lines below which there are none."""
RULED = 0.6
"""Share of the usual lines between cells that keeps a strange line."""
FULLY_RULED, DEEPEST = 0.9, 5
"""Share of lines between cells of most skins, and the most lines of a panel."""
FLUSH = 0.08
"""Share of a cell by which a picture may go on beyond a board that it cuts."""
LEAST_SEEN = 0.15
"""Share of a cell that has to be seen of a further line of cells."""
MOST_KNOWN = 400
"""Cells with which one is compared at most."""
FEW = 6
"""Pixels of a side of the coarse pictures that are compared."""


def with_rim(picture: Floats, lattice: Lattice, lines: Lines) -> Lattice:
    """The lattice without strange lines at its rim, and with those beyond that fit.

    ``lines`` are those of the picture.
    """
    outer, room = grown(picture, lattice, FURTHER)
    cells = _coarse(patches(picture, outer)).reshape(outer.rows, outer.cols, -1)
    drawn, ruled, ends = _drawn(cells), lines.sides(outer), _ends(picture, outer, cells)
    sides = [room[0], room[0] + lattice.rows, room[1], room[1] + lattice.cols]
    for _ in range(3):
        before = list(sides)
        for side, step in enumerate((1, -1, 1, -1)):
            # Inwards while the line at this side is strange, else outwards as far as lines are known.
            axis = side // 2 * 2
            sides[side] += step * _beside(cells, drawn, ruled, sides, side, step)
            while sides[axis + 1] - sides[axis] > FEWEST:
                line, inside = _parted(sides, side, step)
                if _open_ended(drawn, ruled, line, side):
                    sides[side] += step
                    continue
                strange = _strange(cells, line, inside)
                most = RULED_STRANGE if _ruled(ruled, line, inside, axis) else STRANGE
                known = float((~strange & drawn[line[0] : line[1], line[2] : line[3]].ravel()).mean())
                if (
                    known >= KNOWN
                    or strange.mean() <= most
                    and (most == RULED_STRANGE or not _beyond(cells, drawn, line, side))
                ):
                    break
                sides[side] += step
            sides[side] -= step * _further(cells, drawn, ruled, ends, sides, side, step)
        if sides == before:
            break
    top, bottom, left, right = sides
    return replace(
        outer,
        left=outer.left + left * outer.width,
        top=outer.top + top * outer.height,
        rows=bottom - top,
        cols=right - left,
    )


def grown(picture: Floats, lattice: Lattice, most: int) -> tuple[Lattice, tuple[int, int]]:
    """The lattice with ``most`` more lines on each side at most, and those before it."""
    slack_y, slack_x = 0.12 * lattice.height, 0.12 * lattice.width
    while most > 2 and (lattice.rows + 2 * most) * (lattice.cols + 2 * most) > FURTHER_CELLS:
        most -= 1
    above = min(most, int((lattice.top + slack_y) / lattice.height))
    before = min(most, int((lattice.left + slack_x) / lattice.width))
    below = min(most, int((len(picture) + slack_y - lattice.top - lattice.rows * lattice.height) / lattice.height))
    after = min(most, int((picture.shape[1] + slack_x - lattice.left - lattice.cols * lattice.width) / lattice.width))
    outer = replace(
        lattice,
        left=lattice.left - before * lattice.width,
        top=lattice.top - above * lattice.height,
        rows=lattice.rows + above + max(0, below),
        cols=lattice.cols + before + max(0, after),
    )
    return outer, (above, before)


def _ends(picture: Floats, outer: Lattice, cells: Floats) -> list[Floats]:
    """Colours of what is beyond a lattice on each side, else of its last line."""
    top, left = max(0, round(outer.top)), max(0, round(outer.left))
    bottom, right = round(outer.top + outer.rows * outer.height), round(outer.left + outer.cols * outer.width)
    strips = (
        picture[: max(0, top - 2), left:right],
        picture[bottom + 2 :, left:right],
        picture[top:bottom, : max(0, left - 2)],
        picture[top:bottom, right + 2 :],
    )
    rows, cols = cells.shape[:2]
    lasts = ((0, 1, 0, cols), (rows - 1, rows, 0, cols), (0, rows, 0, 1), (0, rows, cols - 1, cols))
    return [
        np.median(strip[::3, ::3], axis=(0, 1)) if strip.size else np.median(_colours(cells, last), axis=0)
        for strip, last in zip(strips, lasts, strict=True)
    ]


def _coarse(cells: Floats) -> Floats:
    part = SIDE // FEW
    found: Floats = cells.reshape(len(cells), FEW, part, FEW, part, 3).mean(axis=(2, 4)).reshape(len(cells), -1)
    return found


def _drawn(cells: Floats) -> NDArray[np.bool_]:
    """Cells with something in the middle, or with lines at most of their sides."""
    pictures = cells.reshape(*cells.shape[:2], FEW, FEW, 3)
    middle = pictures[:, :, 1:-1, 1:-1]
    spread = (middle.max(axis=(2, 3)) - middle.min(axis=(2, 3))).max(axis=2)
    colour = middle.mean(axis=(2, 3))
    # Without corners, which belong to the lines beside.
    strips = (pictures[:, :, 0, 1:-1], pictures[:, :, -1, 1:-1], pictures[:, :, 1:-1, 0], pictures[:, :, 1:-1, -1])
    lines = sum((np.abs(strip.mean(axis=2) - colour).max(axis=2) > 4).astype(int) for strip in strips)
    found: NDArray[np.bool_] = (spread > 20) | (lines >= 3)
    return found


def _parted(sides: list[int], side: int, step: int) -> tuple[Box, Box]:
    """The line at a side, and the rest."""
    line, rest = list(sides), list(sides)
    line[side ^ 1] = sides[side] + step
    rest[side] = sides[side] + step
    return (line[0], line[1], line[2], line[3]), (rest[0], rest[1], rest[2], rest[3])


def _share(marks: NDArray[np.bool_], box: Box) -> float:
    return float(marks[box[0] : box[1], box[2] : box[3]].mean())


def _beside(
    cells: Floats, drawn: NDArray[np.bool_], ruled: tuple[Floats, Floats], sides: list[int], side: int, step: int
) -> int:
    """How many lines at a side belong to a panel, whose last one is not like a board.

    Only where cells inside have lines all around.
    """
    axis = side // 2 * 2
    deepest, tried = 0, list(sides)
    for depth in range(1, min(DEEPEST, (sides[axis + 1] - sides[axis]) // 3) + 1):
        line, inside = _parted(tried, side, step)
        tried[side] += step
        there, usual = _between(ruled, line, inside, axis)
        if usual >= FULLY_RULED and there < RULED * usual:
            strange = _strange(cells, line, inside)
            known = float((~strange & drawn[line[0] : line[1], line[2] : line[3]].ravel()).mean())
            if strange.mean() > STRANGE and known < KNOWN:
                deepest = depth
    return deepest


def _further(
    cells: Floats,
    drawn: NDArray[np.bool_],
    ruled: tuple[Floats, Floats],
    ends: list[Floats],
    sides: list[int],
    side: int,
    step: int,
) -> int:
    """How many lines beyond a side belong to the board.

    Its cells look like some inside, and some of them are not plain, or end with an edge, of another colour than what
    comes after them: without lines between them, and with zeros as the ground, cells are known by what is further out.
    ``ends`` are the colours beyond all lines.
    """
    found, tried = 0, list(sides)
    inside: Box = (sides[0], sides[1], sides[2], sides[3])
    grounds = _grounds(cells, inside)
    plain: list[tuple[int, Floats]] = []
    for depth in range(1, FURTHER + 1):
        tried[side] -= step
        if not 0 <= tried[side] <= cells.shape[side // 2]:
            break
        line, _ = _parted(tried, side, step)
        strange = _strange(cells, line, inside, 1.0)
        marked = drawn[line[0] : line[1], line[2] : line[3]].ravel()
        colours = _colours(cells, line)
        strange &= marked | (np.abs(colours[:, None] - grounds).max(axis=2).min(axis=1) > ALIKE)
        least = max(FEW_NEW, NEW * len(strange))
        if strange.mean() > STRANGE / 2:
            ends = [*ends[:side], np.median(colours, axis=0), *ends[side + 1 :]]
            break
        known = (marked & ~strange).sum()
        if known >= least and (marked & strange).sum() * 3 <= known:
            found = depth
        if _outer(ruled, line, side) > EDGE:
            plain.append((depth, colours[~marked]))
    grounds = np.array(ends)
    return max(
        found,
        *(
            depth
            for depth, colours in plain
            if (np.abs(colours[:, None] - grounds).max(axis=2).min(axis=1) > UNLIKE).sum() >= least
        ),
        0,
    )


def _colours(cells: Floats, box: Box) -> Floats:
    """Colour of the middle of each cell."""
    pictures = cells[box[0] : box[1], box[2] : box[3]].reshape(-1, FEW, FEW, 3)
    found: Floats = pictures[:, 1:-1, 1:-1].mean(axis=(1, 2))
    return found


def _grounds(cells: Floats, box: Box) -> Floats:
    """Colours behind the glyphs of some cells."""
    pictures = cells[box[0] : box[1], box[2] : box[3]].reshape(-1, FEW, FEW, 3)[:MOST_KNOWN]
    found: Floats = np.median(pictures[:, [1, 1, -2, -2], [1, -2, 1, -2]], axis=1)
    return found


def _outer(ruled: tuple[Floats, Floats], line: Box, side: int) -> float:
    """Share of lines on the outer side of a line of cells."""
    beyond = ruled[1][line[side], line[2] : line[3]] if side < 2 else ruled[0][line[0] : line[1], line[side]]
    return float(beyond.mean())


def _open_ended(drawn: NDArray[np.bool_], ruled: tuple[Floats, Floats], line: Box, side: int) -> bool:
    """Return whether a line is plain, and goes over into what is beyond it."""
    between, _ = _between(ruled, line, line, side // 2 * 2)
    return _share(drawn, line) == 0 and between < NONE and _outer(ruled, line, side) < NONE


def _between(sides: tuple[Floats, Floats], line: Box, inside: Box, axis: int) -> tuple[float, float]:
    """Share of the lines between the cells of a line, and the usual one inside."""
    along = slice(line[2 - axis] + 1, line[3 - axis])
    there = sides[0][:, along] if axis == 0 else sides[1][along].T
    usual = float(np.median(there[slice(*inside[axis : axis + 2])].mean(axis=1)))
    return float(there[slice(*line[axis : axis + 2])].mean()), usual


def _ruled(sides: tuple[Floats, Floats], line: Box, inside: Box, axis: int) -> bool:
    """Return whether a line of cells has lines between them as those inside have."""
    there, usual = _between(sides, line, inside, axis)
    return usual > 0.5 and there > RULED * usual


def _beyond(cells: Floats, drawn: NDArray[np.bool_], line: Box, side: int) -> bool:
    """Return whether a line is plain, with an edge at its inner side alone."""
    if _share(drawn, line):
        return False
    pictures = cells[line[0] : line[1], line[2] : line[3]].reshape(-1, FEW, FEW, 3)
    strips = (pictures[:, 0], pictures[:, -1], pictures[:, :, 0], pictures[:, :, -1])
    colour = pictures[:, 1:-1, 1:-1].mean(axis=(1, 2))
    outer, inner = (
        float((np.abs(strips[one].mean(axis=1) - colour).max(axis=1) > 4).mean()) for one in (side, side ^ 1)
    )
    return outer < 0.1 and inner > 0.8


def _strange(cells: Floats, line: Box, inside: Box, rims: float = 2.5) -> NDArray[np.bool_]:
    """For each cell of a line, whether it looks like none inside."""
    part = cells[line[0] : line[1], line[2] : line[3]].reshape(-1, FEW, FEW, 3)
    known = cells[inside[0] : inside[1], inside[2] : inside[3]].reshape(-1, FEW, FEW, 3)
    if len(known) > MOST_KNOWN:
        known = known[:: len(known) // MOST_KNOWN + 1]
    strange = np.empty(len(part), bool)
    for index, one in enumerate(part):
        apart = np.abs(known - one)
        # Rims differ where cells are joined, or the board ends.
        strange[index] = not (
            (apart[:, 1:-1, 1:-1].mean(axis=(1, 2, 3)) < ALIKE) & (apart.mean(axis=(1, 2, 3)) < rims * ALIKE)
        ).any()
    return strange


def cut_sides(picture: Floats, lattice: Lattice) -> Part:
    """The sides on which the board goes on beyond the picture.

    A side at the rim of the picture is taken for one, too: what is certain on a part is certain on a whole board.
    """
    rows, cols = picture.shape[:2]
    ends = (
        lattice.top / lattice.height,
        (rows - lattice.top) / lattice.height - lattice.rows,
        lattice.left / lattice.width,
        (cols - lattice.left) / lattice.width - lattice.cols,
    )
    cut = []
    for side, beyond in enumerate(ends):
        if beyond > 1.02:
            cut.append(False)
        elif beyond < FLUSH:
            cut.append(True)
        else:
            cut.append(beyond > LEAST_SEEN and _goes_on(picture, lattice, side, beyond))
    return Part(top=cut[0], bottom=cut[1], left=cut[2], right=cut[3])


def _goes_on(picture: Floats, lattice: Lattice, side: int, beyond: float) -> bool:
    """Return whether the strip beside a side looks like parts of cells."""
    first = side % 2 == 0
    if side < 2:
        outer = replace(lattice, top=lattice.top - first * lattice.height, rows=lattice.rows + 1)
        cells = _coarse(patches(picture, outer)).reshape(outer.rows, outer.cols, FEW, FEW, 3)
        line, known = (cells[0], cells[1:]) if first else (cells[-1], cells[:-1])
    else:
        outer = replace(lattice, left=lattice.left - first * lattice.width, cols=lattice.cols + 1)
        cells = _coarse(patches(picture, outer)).reshape(outer.rows, outer.cols, FEW, FEW, 3).transpose(1, 0, 3, 2, 4)
        line, known = (cells[0], cells[1:]) if first else (cells[-1], cells[:-1])
    # The visible part is at the inner end.
    seen = max(1, min(FEW, int(beyond * FEW)))
    part = slice(FEW - seen, FEW) if first else slice(0, seen)
    others = known.reshape(-1, FEW, FEW, 3)[:, part]
    alike = [np.abs(others - one[part]).mean(axis=(1, 2, 3)).min() < ALIKE for one in line]
    middle = line[:, part, 2:-2].mean(axis=(1, 2))
    ruled = [np.abs(line[:, part, end].mean(axis=1) - middle).max(axis=1) > 4 for end in (0, FEW - 1)]
    drawn = float(np.std(line[:, part], axis=(0, 1, 2)).max())
    return drawn > 4 and (float(np.mean(alike)) > 1 - STRANGE or float(np.mean(ruled)) > 0.8)
