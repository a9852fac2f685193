"""Likelihoods of the classes of a glyph, by a small network.

It is learnt by ``scripts/glyphs.py``.

It has seen renderings of our own alone: digits of many fonts, drawn flags, mines and other things, in many sizes and
qualities. It has two layers, and its weights are bytes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from satsweep.formats.pictures.edges import Floats

CLASSES = "123456780F*?x"
"""Classes of glyphs: a digit, a flag, a mine, a question mark, anything else."""
WEIGHTS = Path(__file__).with_name("glyphs.npz")


@cache
def _layers() -> tuple[tuple[Floats, Floats], ...]:
    with np.load(WEIGHTS) as stored:
        return tuple(
            ((stored[f"w{layer}"].astype(np.float32) * stored[f"s{layer}"]), stored[f"b{layer}"]) for layer in (0, 1)
        )


def likelihoods(glyphs: Floats) -> Floats:
    """Logarithm of the likelihood of each class, for each glyph."""
    (first, shift), (second, bias) = _layers()
    hidden = np.maximum(glyphs.reshape(len(glyphs), -1) @ first + shift, 0)
    scores = hidden @ second + bias
    scores = scores - scores.max(axis=1, keepdims=True)
    result: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return result
