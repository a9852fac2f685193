"""Edges of a picture, and the lines among them.

A board is a lattice of straight lines as long as a cell, or longer. Text, digits and icons have few of these, so an
opening (a minimum and then a maximum over a short run) leaves the lattice and little else. Steps of the colour are
capped: a faint line between two grey cells counts nearly like the black frame of a window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]

CAP = 9.0
"""Step of the colour, of 255, from which on an edge counts in full."""
FAINT = 2.0
"""Step of the colour that is taken for noise."""
RUN = 7
"""Pixels of the shortest line."""
GRAINS = 1.5
"""How much stronger than usual steps edges of a grainy picture are."""


def greatest(colours: Floats) -> Floats:
    """Greatest of the three colours of each pixel, faster than along an axis."""
    found: Floats = np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])
    return found


def steps(picture: Floats, axis: int) -> Floats:
    """Strength of the edge before each pixel along an axis, from 0 to 1.

    ``picture`` has rows, columns and three colours.
    """
    step = np.zeros(picture.shape[:2], np.float32)
    change = greatest(np.abs(np.diff(picture, axis=axis)))
    grain = GRAINS * float(np.median(change[::3, ::3]))
    change = np.clip((change - FAINT - grain) / (CAP - FAINT), 0, 1)
    if axis == 1:
        step[:, 1:] = change
    else:
        step[1:] = change
    return step


def lines(edges: Floats, axis: int, run: int = RUN) -> Floats:
    """Edges that go on for ``run`` pixels along an axis."""
    return _extreme(_extreme(edges, axis, run, np.minimum, -1), axis, run, np.maximum, 1)


def _extreme(values: Floats, axis: int, run: int, of: np.ufunc, sign: int) -> Floats:
    """Least or greatest of ``run`` values; forwards for the sign -1, backwards for 1."""
    done, result = 1, values
    while done < run:
        step = min(done, run - done)
        moved = np.zeros_like(result)
        ahead, behind = _halves(axis, step)
        if sign < 0:
            moved[behind] = result[ahead]
        else:
            moved[ahead] = result[behind]
        result = of(result, moved)
        done += step
    return result


def _halves(axis: int, step: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    rest, most = slice(step, None), slice(None, -step)
    return ((rest,), (most,)) if axis == 0 else ((slice(None), rest), (slice(None), most))


def likeness(edges: Floats, axis: int, most: int) -> Floats:
    """Autocorrelation of edges along an axis, for each lag up to ``most``.

    It is 1 at lag 0, and the lag's lack of overlap is made up for.
    """
    rows = edges if axis == 1 else edges.T
    length = rows.shape[1]
    size = 1 << int(np.ceil(np.log2(length + most + 1)))
    # Rows are averaged in groups of four: lines are longer than that.
    kept = rows.shape[0] // 4 * 4
    rows = rows[:kept].reshape(kept // 4, 4, length).mean(axis=1) if kept else rows
    spectrum = np.fft.rfft(rows - rows.mean(axis=1, keepdims=True), size, axis=1)
    power = (spectrum.real**2 + spectrum.imag**2).sum(axis=0)
    found = np.fft.irfft(power, size)[: most + 1]
    overlap = 1 - np.arange(most + 1) / length
    result: Floats = (found / max(found[0], 1e-9) / np.maximum(overlap, 0.2)).astype(np.float32)
    return result
