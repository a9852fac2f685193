"""Likelihoods of the classes of a glyph, by a small network.

It is learnt by ``scripts/glyphs.py``.

It has seen renderings of our own alone: digits of many fonts, drawn flags, mines and other things, in many sizes and
qualities. Two layers look at small windows of the glyph, two at all of it, and the weights are bytes. Its likelihoods
are as sure as it is often right on fonts that it has not learnt.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from satsweep.formats.pictures.cells import GLYPH

if TYPE_CHECKING:
    from satsweep.formats.pictures.edges import Floats

LEARNT = "123456780F*?9x"
"""Classes that the network tells apart: a 9 is on counters, but on no board."""
CLASSES = LEARNT.replace("9", "")
"""Classes of glyphs: a digit, a flag, a mine, a question mark, anything else."""
WEIGHTS = Path(__file__).with_name("glyphs.npz")
WINDOW = 4
"""Pixels of a side of a window; each second place has one."""
LAYERS = 4


@cache
def _layers() -> list[tuple[Floats, Floats]]:
    with np.load(WEIGHTS) as stored:
        return [
            (stored[f"w{layer}"].astype(np.float32) * stored[f"s{layer}"], stored[f"b{layer}"])
            for layer in range(LAYERS)
        ]


def windows(pictures: Floats) -> Floats:
    """Values in the windows of pictures: pictures, rows, columns, values."""
    padded = np.pad(pictures, ((0, 0), (1, 1), (1, 1), (0, 0)))
    views = np.lib.stride_tricks.sliding_window_view(padded, (WINDOW, WINDOW), axis=(1, 2))[:, ::2, ::2]
    return np.ascontiguousarray(views).reshape(*views.shape[:3], -1)


def likelihoods(glyphs: Floats) -> Floats:
    """Logarithm of the likelihood of each of CLASSES, for each glyph."""
    scores = learnt_likelihoods(glyphs)
    scores[:, -2] = np.logaddexp(scores[:, -2], scores[:, -1])
    return scores[:, :-1]


def learnt_likelihoods(glyphs: Floats) -> Floats:
    """Logarithm of the likelihood of each of LEARNT, for each glyph."""
    first, second, third, last = _layers()
    values = glyphs.reshape(len(glyphs), GLYPH, GLYPH, 1)
    for weights, bias in (first, second):
        values = np.maximum(windows(values) @ weights + bias, 0)
    hidden = np.maximum(values.reshape(len(glyphs), -1) @ third[0] + third[1], 0)
    scores = hidden @ last[0] + last[1]
    scores = scores - scores.max(axis=1, keepdims=True)
    result: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return result
