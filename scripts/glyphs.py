#!/usr/bin/env python3
"""Learn the weights of the glyphs of pictures from renderings of our own.

    python scripts/glyphs.py DIRECTORY...

The directories are searched for fonts (matplotlib's are taken anyway). The weights in the repository are those of the
Debian packages in ``PACKAGES``: ``apt-get download`` them, and ``dpkg -x`` each into a directory. A fifth of the
families of fonts is not learnt: it says how sure the likelihoods may be, and how many are right. It takes ten minutes
of a processor, half of it for drawing. Needs Pillow and matplotlib.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from glyph_drawings import Fonts, rendering

from satsweep.formats.pictures.cells import GLYPH, LEAST_CONTRAST, contrasts, glyph
from satsweep.formats.pictures.glyphs import LAYERS, LEARNT, WEIGHTS, WINDOW, learnt_likelihoods, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

PACKAGES = (
    "3270 adf-gillius adf-switzera adf-universalis adf-verana aenigma agave amiga anonymous-pro arkpandora "
    "atarismall averia-sans-gwf b612 bebas-neue beteckna breip cabin cantarell cherrybomb clear-sans comfortaa "
    "comic-neue courier-prime creep2 croscore crosextra-caladea crosextra-carlito dkg-handwriting dosis "
    "dotgothic16 droid-fallback dseg dustin ecolier-court elusive-icons entypo eurofurence f500 fantasque-sans "
    "femkeklaver ferrite-core font-awesome fork-awesome freefont-ttf glasstty glyphicons-halflings gnutypewriter "
    "go hack hermit humor-sans inconsolata inter jetbrains-mono junction jura karla klee lato league-mono "
    "league-spartan liberation linuxlibertine lobstertwo manrope material-design-icons-iconfont "
    "materialdesignicons-webfont monofur monoid mononoki national-park noto-color-emoji noto-mono ocr-a ocr-b "
    "okolaks open-sans opendin opendyslexic opensymbol oxygen pc pc-extra play proggy quicksand radisnoir rampart "
    "roadgeek roboto-slab roboto-unhinted rocknroll routed-gothic rufscript sil-andika sixtyfour sjfonts sora "
    "staypuft symbola texgyre tiresias tomsontalks train tuffy ubuntu-title unifont urw-base35 wine "
    "yanone-kaffeesatz yusei-magic "
)
"""Names of the packages, without fonts- before them."""
PARTS, SAMPLES, MEASURED = 8, 30_000, 8_000
CHANNELS = 24, 48
HIDDEN = 64
PASSES, BATCH, RATE = 12, 256, 2e-3
SMOOTH = 0.02
"""Probability of other classes than the one that was drawn: some are unreadable."""


def samples(count: int, fonts: Fonts, held: bool, seed: int) -> tuple[Floats, NDArray[np.int64]]:
    """Glyphs and their classes, of the fonts that are held back or of the others."""
    rng, half = Random(seed), fonts.half(held)
    found: list[Floats] = []
    classes = []
    while len(found) < count:
        which = rng.choice(LEARNT + "xxx")
        drawn = rendering(which, half, rng)
        contrast = float(contrasts(drawn)[0])
        if contrast > LEAST_CONTRAST:
            found.append(glyph(drawn[0], contrast).ravel())
            classes.append(LEARNT.index(which))
    return np.array(found, np.float32), np.array(classes)


class Network:
    """Two layers of windows and two full ones, learnt by Adam on the cross-entropy."""

    def __init__(self, rng: np.random.Generator) -> None:
        last = (GLYPH // 4) ** 2 * CHANNELS[1]
        sizes = (
            (WINDOW**2, CHANNELS[0]),
            (WINDOW**2 * CHANNELS[0], CHANNELS[1]),
            (last, HIDDEN),
            (HIDDEN, len(LEARNT)),
        )
        self.rng = rng
        self.values: list[Floats] = []
        for size in sizes:
            self.values += [rng.normal(0, (2 / size[0]) ** 0.5, size).astype(np.float32), np.zeros(size[1], np.float32)]
        self._means = [np.zeros_like(value) for value in self.values]
        self._squares = [np.zeros_like(value) for value in self.values]
        self._step = 0

    def slopes(self, glyphs: Floats, classes: NDArray[np.int64]) -> list[Floats]:
        """Slopes of the cross-entropy by the values; hidden values are noisy."""
        w0, b0, w1, b1, w2, b2, w3, b3 = self.values
        count = len(glyphs)
        seen = windows(glyphs.reshape(count, GLYPH, GLYPH, 1))
        first = np.maximum(seen @ w0 + b0, 0)
        seen_again = windows(first)
        second = np.maximum(seen_again @ w1 + b1, 0)
        flat = second.reshape(count, -1)
        kept = (self.rng.random((count, HIDDEN), np.float32) < 0.8) / np.float32(0.8)
        hidden = np.maximum(flat @ w2 + b2, 0) * kept
        scores = hidden @ w3 + b3
        error = np.exp(scores - scores.max(axis=1, keepdims=True))
        error /= error.sum(axis=1, keepdims=True)
        error -= np.float32(SMOOTH / len(LEARNT))
        error[np.arange(count), classes] -= 1 - SMOOTH
        error /= count
        back = (error @ w3.T) * (hidden > 0) * kept
        wide = (back @ w2.T).reshape(second.shape) * (second > 0)
        fine = _spread(wide @ w1.T, first.shape) * (first > 0)
        return [
            _inner(seen, fine), fine.sum(axis=(0, 1, 2)), _inner(seen_again, wide), wide.sum(axis=(0, 1, 2)),
            flat.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0),
        ]  # fmt: skip

    def learn(self, glyphs: Floats, classes: NDArray[np.int64]) -> None:
        """Go through all glyphs PASSES times."""
        for turn in range(PASSES):
            for batch in np.array_split(self.rng.permutation(len(glyphs)), len(glyphs) // BATCH):
                noise = self.rng.standard_normal((len(batch), glyphs.shape[1]), np.float32)
                done = (turn + self._step * BATCH / len(glyphs) % 1) / PASSES
                self._move(self.slopes(glyphs[batch] + np.float32(0.05) * noise, classes[batch]),
                           RATE * 0.5 * (1 + np.cos(np.pi * min(done, 1.0))))  # fmt: skip
            print(f"pass {turn + 1}: {time.process_time():.0f} s", flush=True)

    def _move(self, slopes: list[Floats], rate: float) -> None:
        self._step += 1
        scale = np.float32(rate * (1 - 0.999**self._step) ** 0.5 / (1 - 0.9**self._step))
        for value, mean, square, slope in zip(self.values, self._means, self._squares, slopes, strict=True):
            slope = slope + np.float32(1e-5) * value
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            value -= scale * mean / (np.sqrt(square) + np.float32(1e-8))

    def store(self, sharpness: float) -> None:
        """Write the weights as bytes, those of the scores times ``sharpness``."""
        stored = {}
        for layer in range(LAYERS):
            weights, bias = self.values[2 * layer : 2 * layer + 2]
            factor = sharpness if layer == LAYERS - 1 else 1.0
            scale = np.abs(weights).max(axis=0) / 127
            stored[f"w{layer}"] = np.round(weights / np.maximum(scale, 1e-12)).astype(np.int8)
            stored[f"s{layer}"] = (factor * scale).astype(np.float32)
            stored[f"b{layer}"] = (factor * bias).astype(np.float32)
        np.savez_compressed(WEIGHTS, **stored)


def _inner(seen: Floats, slopes: Floats) -> Floats:
    """Slopes of weights, from what was seen and the slopes of what came of it."""
    result: Floats = seen.reshape(-1, seen.shape[-1]).T @ slopes.reshape(-1, slopes.shape[-1])
    return result


def _spread(slopes: Floats, shape: tuple[int, ...]) -> Floats:
    """Slopes of pictures from those of their windows."""
    count, rows, cols, depth = shape
    padded = np.zeros((count, rows + 2, cols + 2, depth), np.float32)
    parts = slopes.reshape(count, rows // 2, cols // 2, depth, WINDOW, WINDOW)
    for down in range(WINDOW):
        for across in range(WINDOW):
            padded[:, down : down + rows : 2, across : across + cols : 2] += parts[..., down, across]
    return padded[:, 1:-1, 1:-1]


def entropy(scores: Floats, classes: NDArray[np.int64], sharpness: float = 1.0) -> float:
    """Mean cross-entropy of logarithms of likelihoods, sharpened."""
    scores = scores * np.float32(sharpness)
    shares = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return float(-shares[np.arange(len(classes)), classes].mean())


def main() -> None:
    fonts = Fonts(sys.argv[1:])
    print(f"{len(fonts.digits)} fonts, signs: { {which: len(pairs) for which, pairs in fonts.signs.items()} }")
    network = Network(np.random.default_rng(1))
    with ProcessPoolExecutor() as pool:
        made = [pool.submit(samples, SAMPLES, fonts, False, seed) for seed in range(1, PARTS + 1)]
        glyphs, classes = (np.concatenate(parts) for parts in zip(*[one.result() for one in made], strict=True))
    print(f"{PARTS * SAMPLES} renderings", flush=True)
    network.learn(glyphs, classes)
    network.store(1.0)
    glyphs, classes = samples(MEASURED, fonts, True, 0)
    scores = learnt_likelihoods(glyphs)
    sharpness = min(np.linspace(0.5, 1.5, 41), key=lambda one: entropy(scores, classes, float(one)))
    network.store(float(sharpness))
    found = scores.argmax(axis=1)
    print(f"right on other fonts: {(found == classes).mean():.4f}, cross-entropy {entropy(scores, classes):.3f}, "
          f"{entropy(scores, classes, float(sharpness)):.3f} times {sharpness:.2f}")  # fmt: skip
    for index, which in enumerate(LEARNT):
        taken = np.bincount(found[classes == index], minlength=len(LEARNT))
        print(which, " ".join(f"{other}:{count}" for other, count in zip(LEARNT, taken, strict=True) if count))


if __name__ == "__main__":
    main()
