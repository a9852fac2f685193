#!/usr/bin/env python3
"""Learn the weights of the glyphs of pictures from renderings of our own.

    python scripts/glyphs.py DIRECTORY...

The directories are searched for fonts (matplotlib's are taken anyway). Every rendering is a cell with a digit, a flag,
a mine or something else, in random colours, sizes, weights and qualities; it is cut out as a reader cuts it out. Needs
Pillow and matplotlib.
"""

import io
import sys
from pathlib import Path
from random import Random

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from satsweep.formats.pictures.cells import (
    GLYPH,
    LEAST_CONTRAST,
    MARGIN,
    backgrounds,
    contrasts,
    glyph,
    inner,
    patches,
    strengths,
)
from satsweep.formats.pictures.glyphs import CLASSES, WEIGHTS
from satsweep.formats.pictures.grid import Lattice

SAMPLES = 150_000
HIDDEN = 128
BLOCKS = {
    "1": ("..##.. .###.. ####.. ..##.. ..##.. ..##.. ..##.. ######", "..##. .###. ####. ..##. ..##. ..##. #####"),
    "2": (
        "######. ##...## .....## ...###. .###... ##..... ####### #######",
        ".#####. ##...## .....## ....##. ..###.. .##.... #######",
    ),
    "3": (
        "######. .....## .....## ..####. ..####. .....## .....## ######.",
        "######. .....## .....## .#####. .....## .....## ######.",
    ),
    "4": (
        "..##.## ..##.## .##..## .##..## ####### ####### .....## .....##",
        "..##.##. ..##.##. .##..##. .##..##. ##...##. ######## ######## .....##. .....##. .....##.",
        "..####. .##.##. ##..##. ####### ####### ....##. ....##.",
        "....##. ...###. ..####. .##.##. ##..##. ####### ....##. ....##.",
    ),
    "5": (
        "####### ##..... ##..... ######. .....## .....## ##...## ######.",
        "####### ##..... ##..... ######. .....## .....## ######.",
    ),
    "6": (
        ".#####. ##..... ##..... ######. ##...## ##...## ##...## .#####.",
        ".#####. ##..... ######. ##...## ##...## .#####.",
    ),
    "7": (
        "####### ####### .....## .....## ....##. ....##. ...##.. ...##..",
        "####### .....## ....##. ....##. ...##.. ...##.. ..##...",
    ),
    "8": (
        ".#####. ##...## ##...## .#####. .#####. ##...## ##...## .#####.",
        ".#####. ##...## ##...## .#####. ##...## ##...## .#####.",
    ),
}
"""Digits of blocks, as games of the nineties drew them."""
UNUSABLE = ("Sym", "cmex", "cmsy", "cmmi", "NonUni", "LastResort", "Italic-", "Barcode")


def fonts(directories: list[str]) -> list[str]:
    """Paths of all fonts with digits."""
    places = [Path(matplotlib.get_data_path()) / "fonts/ttf", *map(Path, directories)]
    found = [path for place in places for path in sorted(place.rglob("*")) if path.suffix.lower() in (".ttf", ".otf")]
    return [str(path) for path in found if not any(word in path.name for word in UNUSABLE)]


Colour = tuple[int, int, int]


def colour(rng: Random) -> tuple[int, int, int]:
    return tuple(rng.choice((0, 255, rng.randrange(256), rng.randrange(256))) for _ in range(3))  # type: ignore[return-value]


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def flag(draw: ImageDraw.ImageDraw, size: int, rng: Random, ink: tuple[int, int, int]) -> None:
    """A flag on a pole, mostly with a base."""
    pole = rng.choice((ink, ink, (0, 0, 0), (255, 255, 255), tuple(value // 2 for value in ink)))
    x = size * rng.uniform(0.3, 0.7)
    top, bottom = size * rng.uniform(0.1, 0.3), size * rng.uniform(0.7, 0.88)
    thick = size * rng.uniform(0.04, 0.12)
    reach = size * rng.uniform(0.26, 0.48) * rng.choice((-1, 1))
    low = top + (bottom - top) * rng.uniform(0.35, 0.65)
    if rng.random() < 0.9:
        draw.rectangle((x - thick / 2, top, x + thick / 2, bottom), fill=pole)
    kind = rng.randrange(4)
    end = x + reach
    if kind < 2:
        draw.polygon(((x, top), (end, (top + low) / 2), (x, low)), fill=ink)
    elif kind == 2:
        draw.rectangle((min(x, end), top, max(x, end), low), fill=ink)
    else:
        dip = (low - top) * 0.2
        draw.polygon(((x, top), (end, top + dip), (end, low + dip), (x, low)), fill=ink)
    if rng.random() < 0.6:
        wide = size * rng.uniform(0.12, 0.35)
        draw.rectangle((x - wide, bottom, x + wide, bottom + size * rng.uniform(0.04, 0.12)), fill=pole)


def mine(draw: ImageDraw.ImageDraw, size: int, rng: Random, ink: tuple[int, int, int]) -> None:
    """A disc, mostly with spikes and a light."""
    middle, radius = size / 2, size * rng.uniform(0.18, 0.34)
    draw.ellipse((middle - radius, middle - radius, middle + radius, middle + radius), fill=ink)
    spikes = rng.choice((0, 4, 8, 8, 8, 12))
    reach, thick = radius * rng.uniform(1.15, 1.5), max(1, round(size * rng.uniform(0.03, 0.09)))
    turn = rng.choice((0.0, np.pi / 8))
    for spike in range(spikes):
        angle = 2 * np.pi * spike / spikes + turn
        end = (middle + reach * np.cos(angle), middle + reach * np.sin(angle))
        draw.line((middle, middle, *end), fill=ink, width=thick)
    if rng.random() < 0.5:
        spot = radius * rng.uniform(0.2, 0.4)
        x = middle - radius * rng.uniform(0.1, 0.5)
        draw.ellipse((x - spot, x - spot, x + spot, x + spot), fill=colour(rng))


def other(draw: ImageDraw.ImageDraw, size: int, rng: Random, ink: tuple[int, int, int]) -> None:
    """Strokes, crosses, frames and blobs."""
    thick = max(1, round(size * rng.uniform(0.04, 0.15)))
    for _ in range(rng.randrange(1, 5)):
        ends = [size * rng.uniform(-0.1, 1.1) for _ in range(4)]
        box = (min(ends[0], ends[2]), min(ends[1], ends[3]), max(ends[0], ends[2]), max(ends[1], ends[3]))
        kind = rng.randrange(5)
        if kind == 0:
            draw.line(ends, fill=ink, width=thick)
        elif kind == 1:
            draw.ellipse(box, outline=ink, width=thick)
        elif kind == 2:
            draw.rectangle(box, fill=colour(rng))
        elif kind == 3:
            draw.arc(box, rng.randrange(360), rng.randrange(360), fill=ink, width=thick)
        else:
            draw.ellipse(box, fill=ink)


def blocks(canvas: Image.Image, which: str, rng: Random, ink: tuple[int, int, int]) -> None:
    lines = rng.choice(BLOCKS[which]).split()
    mask = Image.new("L", (len(lines[0]), len(lines)))
    mask.putdata([255 * (pixel == "#") for line in lines for pixel in line])
    size = canvas.size[0]
    high = size * rng.uniform(0.5, 0.7)
    wide = high * rng.uniform(0.75, 1.1) * (0.85 if which == "1" else 1)
    mask = mask.resize((max(3, round(wide)), max(4, round(high))), rng.choice((0, 2)))
    place = (round((size - mask.size[0]) / 2), round((size - mask.size[1]) / 2))
    canvas.paste(ink, (*place, place[0] + mask.size[0], place[1] + mask.size[1]), mask)


def rendering(which: str, known: list[str], rng: Random) -> np.ndarray:
    """A cell with a glyph of a class, as a reader sees it."""
    size = rng.choice((64, 80, 96))
    while True:
        ground, ink = colour(rng), colour(rng)
        if max(abs(a - b) for a, b in zip(ground, ink, strict=True)) > 25:
            break
    if rng.random() < 0.25:
        ink = mixed(ground, ink, rng.uniform(0.25, 0.6))
    canvas = Image.new("RGB", (size, size), ground)
    draw = ImageDraw.Draw(canvas)
    letters = which if which in "123456780?" else "F" if which == "F" and rng.random() < 0.1 else ""
    if which == "x" and rng.random() < 0.6:
        letters = rng.choice("9ABCDEHJKLMNOPRSTUVWXYZ!+-#@&abdeghkmnqrtuwz" + "9X")
    if which == "x" and rng.random() < 0.1:
        letters = f"{rng.randrange(10)}{rng.randrange(10)}"
    if which in BLOCKS and rng.random() < 0.22:
        blocks(canvas, which, rng, ink)
    elif letters:
        font = ImageFont.truetype(rng.choice(known), round(size * rng.uniform(0.4, 0.85)))
        stroke = rng.choice((0, 0, 0, 0, 1, 2, 3))
        left, top, right, bottom = draw.textbbox((0, 0), letters, font=font, stroke_width=stroke)
        drift = [size * rng.uniform(-0.05, 0.05) for _ in range(2)]
        place = ((size - left - right) / 2 + drift[0], (size - top - bottom) / 2 + drift[1])
        draw.text(place, letters, fill=ink, font=font, stroke_width=stroke)
    else:
        {"F": flag, "*": mine, "x": other}[which](draw, size, rng, ink)
    if rng.random() < 0.3:
        wide, shear = rng.uniform(0.8, 1.25), rng.uniform(-0.12, 0.12)
        shift = size / 2 * (1 - wide - shear)
        canvas = canvas.transform(
            canvas.size, Image.Transform.AFFINE, (wide, shear, shift, 0, 1, 0), 2, fillcolor=ground
        )
    pixels = rng.choice((12, 14, 16, 16, 18, 20, 24, 28, 32, 40, 56))
    canvas = canvas.resize((pixels, pixels), rng.choice((1, 2, 4, 5)))
    if rng.random() < 0.3:
        canvas = canvas.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.04 * pixels)))
    if rng.random() < 0.25:
        stream = io.BytesIO()
        canvas.save(stream, "JPEG", quality=rng.randrange(40, 95))
        canvas = Image.open(stream)
    picture = np.asarray(canvas.convert("RGB")).astype(np.float32)
    left, top = (rng.uniform(-0.04, 0.04) * pixels for _ in range(2))
    inside = inner(patches(picture, Lattice(left, top, pixels, pixels, 1, 1)), rng.randrange(MARGIN, 5))
    return strengths(inside, backgrounds(inside))


def samples(count: int, known: list[str], seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = Random(seed)
    found: list[np.ndarray] = []
    classes = []
    while len(found) < count:
        which = rng.choice(CLASSES + "xx")
        drawn = rendering(which, known, rng)
        contrast = float(contrasts(drawn)[0])
        if contrast > LEAST_CONTRAST:
            found.append(glyph(drawn[0], contrast).ravel())
            classes.append(CLASSES.index(which))
    return np.array(found, np.float32), np.array(classes)


def learnt(x: np.ndarray, y: np.ndarray, passes: int = 40) -> list[np.ndarray]:
    """Weights of the two layers, by Adam on the cross-entropy, with some noise."""
    rng = np.random.default_rng(1)
    sizes = (GLYPH * GLYPH, HIDDEN, len(CLASSES))
    values = [rng.normal(0, (2 / sizes[0]) ** 0.5, sizes[:2]), np.zeros(sizes[1])]
    values += [rng.normal(0, (2 / sizes[1]) ** 0.5, sizes[1:]), np.zeros(sizes[2])]
    values = [value.astype(np.float32) for value in values]
    first, second = [np.zeros_like(v) for v in values], [np.zeros_like(v) for v in values]
    step = 0
    for turn in range(passes):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * turn / passes))
        for batch in np.array_split(rng.permutation(len(x)), len(x) // 256):
            step += 1
            given = x[batch] + rng.normal(0, 0.05, (len(batch), sizes[0])).astype(np.float32)
            before = given @ values[0] + values[1]
            kept = rng.random(before.shape) < 0.8
            hidden = np.maximum(before, 0) * kept / 0.8
            scores = hidden @ values[2] + values[3]
            scores = np.exp(scores - scores.max(axis=1, keepdims=True))
            error = scores / scores.sum(axis=1, keepdims=True)
            error = error * 1.0
            error -= 0.02 / len(CLASSES)
            error[np.arange(len(batch)), y[batch]] -= 0.98
            error /= len(batch)
            back = (error @ values[2].T) * (before > 0) * kept / 0.8
            slopes = [given.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
            for index, slope in enumerate(slopes):
                slope = slope + 1e-5 * values[index]
                first[index] = 0.9 * first[index] + 0.1 * slope
                second[index] = 0.999 * second[index] + 0.001 * slope**2
                scale = rate * (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
                values[index] -= (scale * first[index] / (second[index] ** 0.5 + 1e-8)).astype(np.float32)
    return values


def main() -> None:
    known = fonts(sys.argv[1:])
    print(f"{len(known)} fonts")
    x, y = samples(SAMPLES, known, 1)
    values = learnt(x, y)
    stored = {}
    for layer in (0, 1):
        scale = np.abs(values[2 * layer]).max(axis=0) / 127
        stored[f"w{layer}"] = np.round(values[2 * layer] / scale).astype(np.int8)
        stored[f"s{layer}"], stored[f"b{layer}"] = scale.astype(np.float32), values[2 * layer + 1]
    np.savez_compressed(WEIGHTS, **stored)
    from satsweep.formats.pictures.glyphs import likelihoods

    x, y = samples(4000, known, 2)
    found = likelihoods(x).argmax(axis=1)
    print(f"right on renderings of another seed: {(found == y).mean():.4f}")
    for index, which in enumerate(CLASSES):
        print(which, f"{(found[y == index] == index).mean():.3f}")


if __name__ == "__main__":
    main()
