"""Boards of which a player is told all but a few windows, and what these are worth (docs/optimal.md).

A window is a game of its own: with its mines told, and all that lies outside, nothing ties it to other windows. The
chance to win is the product of their values, which the endgame search computes exactly. Of a window that is too large
for the search more is told: first patches of it, then a line that cuts it in two.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from satsweep.kernels.api import DEEP, Depth, NeighbourTable, advise, neighbour_table, positions, sample_worlds
from satsweep.kernels.shared.memory import COVERED, FINE, IMPOSSIBLE, MINE, SAFE
from satsweep.topology import SQUARE

Cells = NDArray[np.int8]
"""Symbols of cells, or 1 for a mine and 0 for none; a row for each world."""
Window = tuple[int, int, int, int]
"""First row, rows, first column, columns."""
SEARCH = DEEP[4]._replace(worlds=3_000, nodes=20_000)
"""Limits of the exact search of a window where a bound has to be fast."""
THOROUGH = SEARCH._replace(worlds=30_000, nodes=300_000)
"""The same where it has not: two points less before any guess, at four times the time."""
LIVE = 80
"""Most covered cells of a window that is searched, and half again as many of a board."""
MANY = 150
"""Covered cells of a window beyond which a patch of them is told, in place of a line."""
PATCH = 3
"""Side of a patch."""
MIDDLE = 0.15
"""How far from the middle of a window, in parts of its length, a line may be that cuts it."""
SMALL = 20
"""Cells of a window that is not cut any more."""
SIDE = 8
"""Most lines of a window in which a cell is looked at apart."""
NARROW = 64
"""Boards of more cells are never solved from the root by ``advise``."""


class Size(NamedTuple):
    """Rows, columns and mines of a board."""

    rows: int
    cols: int
    mines: int


class Told(NamedTuple):
    """Values of the parts of told boards.

    ``value[i, p]`` is the value of part p of world i, 1 where there is none; ``part[i, cell]`` is the part in which a
    cell is still undecided, or -1; ``safety[i, cell]`` is the chance that it is safe, 1 or 0 where it is decided.
    ``of[i, w]`` is the value of window w: the product of those of its parts.
    """

    value: NDArray[np.float64]
    part: NDArray[np.int16]
    safety: NDArray[np.floating[Any]]
    of: NDArray[np.float64]


class Apart(NamedTuple):
    """What is known of a cell if all is told outside of the window in which it lies (docs/optimal.md, step 7).

    ``rest[i, cell]`` is the value of the other windows in world i, and ``safety[i, cell]`` the chance that the cell is
    safe; ``zone[cell]`` is the window, -1 outside of all: there the cell itself is told.
    """

    rest: NDArray[np.float64]
    safety: NDArray[np.floating[Any]]
    zone: NDArray[np.int64]


@lru_cache(64)
def table_of(rows: int, cols: int) -> NeighbourTable:
    return neighbour_table(SQUARE.neighbours(rows, cols))


def show(mined: Cells) -> Cells:
    """Symbols of all cells when everything is open; ``mined`` has shape (worlds, rows, columns)."""
    rows, cols = mined.shape[1:]
    wide = np.pad(mined, [(0, 0), (1, 1), (1, 1)])
    around = sum(
        wide[:, 1 + down : 1 + down + rows, 1 + right : 1 + right + cols]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if down or right
    )
    return np.where(mined == 1, MINE, around).astype(np.int8)


def cut(size: Size, line: int | None = None) -> list[Window]:
    """The windows on both sides of a line across the longer side of a board, by default that in the middle."""
    rows, cols, _ = size
    at = max(rows, cols) // 2 if line is None else line
    if cols >= rows:
        return [(0, rows, 0, at), (0, rows, at + 1, cols - at - 1)]
    return [(0, at, 0, cols), (at + 1, rows - at - 1, 0, cols)]


def tiles(size: Size) -> list[Window]:
    """The windows of ``cut``, cut on at lines of the whole board until no side has more than ``SIDE`` lines."""

    def spans(first: int, length: int, most: int) -> list[tuple[int, int]]:
        half = length // 2
        if length <= most:
            return [(first, length)] if length else []
        return spans(first, half, SIDE) + spans(first + half + 1, length - half - 1, SIDE)

    wide = size.cols >= size.rows
    rows, columns = spans(0, size.rows, SIDE if wide else 1), spans(0, size.cols, 1 if wide else SIDE)
    return [(top, high, left, across) for top, high in rows for left, across in columns]


CLEARED, STUCK, WIDE = range(3)
"""State of a position after all forced moves; wide if it is beyond the kernels."""


def open_forced(
    symbols: Cells, truth: Cells, table: NeighbourTable, mines: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Open the forced cells of many positions, in place, until none is left. Returns risks and states."""
    state = np.full(len(symbols), CLEARED)
    risks = np.full(symbols.shape, np.nan)
    live = np.arange(len(symbols))
    while len(live):
        now = symbols[live]
        status, found = positions(now, table, mines[live].tolist())
        assert (status != IMPOSSIBLE).all()
        found[status != FINE] = np.nan
        sure = (found == 0) | (found == 1)
        symbols[live] = np.where(sure, truth[live], now)
        rest = ((now == COVERED) & ~sure).any(1)
        on = (found == 0).any(1)
        state[live] = np.where(status != FINE, WIDE, np.where(rest, STUCK, CLEARED))
        risks[live[~on]] = found[~on]
        live = live[on]
    return risks, state


def search(symbols: Cells, table: NeighbourTable, mines: int, limits: Depth) -> float | None:
    """Exact chance to win of a position by best play, None if it takes too long."""
    found = advise(symbols, table, int(mines), limits)
    return found.value if found.exact else None


def outside_of(rows: int, cols: int, windows: Sequence[Window]) -> NDArray[np.bool_]:
    """Which cells of a board lie outside of its windows."""
    outside = np.ones((rows, cols), bool)
    for top, high, left, wide in windows:
        outside[top : top + high, left : left + wide] = False
    return outside


def nearest_patches(covered: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each world the patch of covered cells nearest to the middle, as a number of its place; -1 for none."""
    worlds, high, wide = covered.shape
    if min(high, wide) < PATCH:
        return np.full(worlds, -1)
    down, right = ((np.arange(side - PATCH + 1) - (side - PATCH) / 2) ** 2 for side in (high, wide))
    there = sliding_window_view(covered, (PATCH, PATCH), (1, 2)).all((3, 4))
    away = np.where(there, np.add.outer(down, right), np.inf).reshape(worlds, -1)
    return np.where(away.min(1) < np.inf, away.argmin(1), -1)


def tell_more(covered: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_], list[Window]]]:
    """Yield what is told of a window that is too large for the search: to which worlds, which cells, and what is left.

    ``covered`` has shape (worlds, rows, columns). Where more than ``MANY`` cells are covered it is the patch of them
    nearest to the middle, if there is one. Else it is a line near the middle, of which the fewest cells are covered.
    """
    _, high, wide = covered.shape
    patches = np.where(covered.sum((1, 2)) > MANY, nearest_patches(covered), -1)
    for patch in np.unique(patches[patches >= 0]).tolist():
        row, col = divmod(patch, wide - PATCH + 1)
        told = ~outside_of(high, wide, [(row, PATCH, col, PATCH)])
        yield np.flatnonzero(patches == patch), told, [(0, high, 0, wide)]
    length = max(high, wide)
    lines = np.arange(max(1, int(length * (0.5 - MIDDLE))), min(length - 2, ceil(length * (0.5 + MIDDLE))) + 1)
    count = covered.sum(2 if high > wide else 1)[:, lines] + abs(lines - length // 2) / length
    chosen = np.where(patches >= 0, -1, lines[count.argmin(1)])
    for line in np.unique(chosen[chosen >= 0]).tolist():
        pieces = cut(Size(high, wide, 0), line)
        yield np.flatnonzero(chosen == line), outside_of(high, wide, pieces), pieces


def tell(
    size: Size,
    mined: Cells,
    known: NDArray[np.bool_],
    windows: Sequence[Window],
    live: int = LIVE,
    limits: Depth = SEARCH,
) -> Told:
    """Tell the player of each world all cells outside of the windows, and the mines of each window.

    ``mined`` and ``known`` (open, or known as a mine) have shape (worlds, rows, columns). A window in which a guess is
    due is a part: its value is exact, or, if it cannot be searched, more of it is told; the smallest ones count as the
    safety of their safest cell.
    """
    worlds, (rows, cols, _) = len(mined), size
    known = known | outside_of(rows, cols, windows)
    parts: list[list[float]] = [[] for _ in range(worlds)]
    part = np.full((worlds, rows, cols), -1, np.int16)
    safety = 1.0 - mined
    of = np.ones((worlds, len(windows)))
    jobs = [(window, np.arange(worlds), at) for at, window in enumerate(windows)]
    while jobs:
        (top, high, left, wide), some, origin = jobs.pop()
        inside = (slice(top, top + high), slice(left, left + wide))
        some = some[~known[(some, *inside)].all((1, 2))]
        if not len(some):
            continue
        symbols, truth, total, table = pose(size, mined[some], known[some], (top, high, left, wide))
        risks, state = open_forced(symbols, truth, table, total)
        covered = (symbols == COVERED).reshape(len(some), high + 2, -1)[:, 1 : high + 1, 1 : wide + 1]
        known[(some, *inside)] = ~covered
        rest = []
        # The search prepares itself anew for each number of mines.
        for at in sorted(np.flatnonzero(state != CLEARED), key=total.__getitem__):
            world, open_cells = some[at], np.count_nonzero(covered[at])
            value: float | None = None
            if state[at] == STUCK and open_cells <= live:
                value = search(symbols[at], table, total[at], limits)
            if value is None and high * wide > SMALL and max(high, wide) > 3:
                rest.append(at)
                continue
            if value is None:
                value = 1.0 if state[at] == WIDE else 1 - float(np.nanmin(risks[at]))
            part[(world, *inside)][covered[at]] = len(parts[world])
            if state[at] == STUCK:
                safety[(world, *inside)][covered[at]] = 1 - risks[at, symbols[at] == COVERED]
            parts[world].append(value)
            of[world, origin] *= value
        if rest:
            for among, told, pieces in tell_more(covered[rest]):
                worlds_left = some[np.array(rest)[among]]
                known[(worlds_left, *inside)] |= told
                for down, tall, right, across in pieces:
                    jobs.append(((top + down, tall, left + right, across), worlds_left, origin))
    values = np.ones((worlds, max(1, *map(len, parts))))
    for row, found in zip(values, parts, strict=True):
        row[: len(found)] = found
    return Told(values, part.reshape(worlds, -1), safety.reshape(worlds, -1), of)


def set_apart(
    size: Size, mined: Cells, known: NDArray[np.bool_], windows: Sequence[Window], of: NDArray[np.float64]
) -> Apart:
    """Look at each window of told boards by itself; ``of`` are the values of windows, as ``tell`` returns them."""
    outside = outside_of(size.rows, size.cols, windows)
    safety, zone = 1.0 - mined.reshape(known.shape), np.full((size.rows, size.cols), -1)
    for at, (top, high, left, wide) in enumerate(windows):
        inside = (slice(None), slice(top, top + high), slice(left, left + wide))
        symbols, _, total, table = pose(size, mined.reshape(known.shape), known | outside, windows[at])
        status, risks = positions(symbols, table, total.tolist())
        risks = risks.reshape(len(mined), high + 2, -1)[:, 1 : high + 1, 1 : wide + 1]
        plain = known[inside] | (status != FINE)[:, None, None]
        safety[inside] = np.where(plain, safety[inside], 1 - risks)
        zone[inside[1:]] = at
    zones = zone.reshape(-1)
    rest = [np.delete(of, at, 1).prod(1) for at in range(len(windows))] + [of.prod(1)]
    return Apart(np.stack(rest, 1)[:, zones], safety.reshape(len(mined), -1), zones)


def pose(
    size: Size, mined: Cells, known: NDArray[np.bool_], window: Window
) -> tuple[Cells, Cells, NDArray[np.int64], NeighbourTable]:
    """A window with the ring around it as boards of their own: symbols, truth, mines, neighbours.

    Numbers count the mines of this board only, as all others are told. Beyond the ring, and beyond the edge, all is
    open and shows no number. There are more than ``NARROW`` cells.
    """
    top, high, left, wide = window
    shape = (len(mined), high + 2, max(wide + 2, NARROW // (high + 2) + 1))
    first, last = max(top - 1, 0), min(top + high + 1, size.rows)
    begin, end = max(left - 1, 0), min(left + wide + 1, size.cols)
    place = (slice(None), slice(first - top + 1, last - top + 1), slice(begin - left + 1, end - left + 1))
    own = np.zeros(shape, np.int8)
    own[place] = mined[:, first:last, begin:end]
    seen = np.ones(shape, bool)
    seen[:, 1 : high + 1, 1 : wide + 1] = known[:, top : top + high, left : left + wide]
    truth = np.full(shape, SAFE, np.int8)
    truth[place] = show(own)[place]
    flat = (len(mined), -1)
    symbols = np.where(seen, truth, COVERED).astype(np.int8).reshape(flat)
    return symbols, truth.reshape(flat), own.reshape(flat).sum(1).astype(np.int64), table_of(*shape[1:])


def draw(size: Size, symbols: Cells, count: int, rng: np.random.Generator) -> Cells | None:
    """Draw worlds uniformly among all that agree with a position; None if it is beyond the kernels."""
    return sample_worlds(symbols, table_of(size.rows, size.cols), size.mines, count, int(rng.integers(2**31)))
