"""Drawings of cells of boards: digits of many fonts, flags, mines and more.

Everything about a drawing is random: colours, sizes, weights, grounds, outlines, shadows, qualities. ``rendering`` cuts
it out as a reader of pictures cuts it out.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from zlib import crc32

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from satsweep.formats.pictures.cells import MARGIN, backgrounds, inner, patches, strengths
from satsweep.formats.pictures.grid import Lattice

if TYPE_CHECKING:
    from satsweep.formats.pictures.edges import Floats

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
SIGNS = {
    "F": "\u2690\u2691\u26f3\U0001f3c1\U0001f3f1\U0001f3f3\U0001f3f4\U0001f6a9",
    "*": "\u2600\u2620\u2622\u2699\u2738\u2739\u273a\U0001f4a3\U0001f4a5",
    "x": "\u25a0\u25cb\u25cf\u2605\u2665\u26a0\u270e\u2714\u2716\U0001f600\U0001f642\U0001f60e\U0001f635",
}
"""Signs of Unicode for a flag, a mine and something else."""
ICONS = {
    "fontawesome-webfont": {"F": "\uf024\uf11d\uf11e", "*": "\uf1e2"},
    "forkawesome-webfont": {"F": "\uf024\uf11d\uf11e", "*": "\uf1e2"},
    "materialdesignicons-webfont": {"F": "\uf23b\uf23c\uf240\uf241\uf242", "*": "\uf691"},
    "MaterialIcons-Regular": {"F": "\ue153\ue16e\ue255"},
    "glyphicons-halflings-regular": {"F": "\ue034"},
}
"""Places of the same in fonts of icons."""
LETTERS = "ABCDEHJKLMNPRTUVWXY!+-#@&abdehkmnrtuwX"
WORDS = "aabcdeeeefghiiklmnooprrssttuvwyABCEGHMNPRST  "
UNUSABLE = ("STIXSiz", "STIXNonUni", "cmex", "cmsy", "cmmi", "LastResort", "Barcode", "14Seg")
LEAST_READABLE = 5
"""Digits of a font, of 8, that look like those of most fonts, at least."""
HELD = 5
"""Families of fonts of which one is kept to measure with."""

Colour = tuple[int, int, int]
Draw = ImageDraw.ImageDraw
Signs = list[tuple[str, str]]
"""Pairs of a font and a sign that it has."""
Half = tuple[list[list[str]], dict[str, list[Signs]]]
"""Fonts by their folders, and signs by what they are: of some there are hundreds."""


class Fonts:
    """Fonts with digits, and fonts that have some signs."""

    def __init__(self, directories: Iterable[str]) -> None:
        places = [Path(matplotlib.get_data_path()) / "fonts/ttf", *map(Path, directories)]
        files = [
            path for place in places for path in sorted(place.rglob("*")) if path.suffix in (".ttf", ".otf", ".TTF")
        ]
        names = {path.name: str(path) for path in files if not any(word in path.name for word in UNUSABLE)}
        shapes = {path: shape for path in names.values() if (shape := _shape_of_digits(path)) is not None}
        usual = np.mean(list(shapes.values()), axis=0)
        unlike = {path: np.abs(shape[:, None] - usual).mean(axis=2) for path, shape in shapes.items()}
        self.digits = [
            path for path, apart in unlike.items() if (apart.argmin(axis=1) == np.arange(8)).sum() >= LEAST_READABLE
        ]
        self.signs = {which: _with_signs(names.values(), which) for which in SIGNS}

    def half(self, held: bool) -> Half:
        """Fonts and signs of the families kept to measure with, or of the others."""
        folders = defaultdict(list)
        for path in self.digits:
            if _is_held(path) == held:
                folders[Path(path).parent].append(path)
        signs: dict[str, dict[str, Signs]] = {which: defaultdict(list) for which in SIGNS}
        for which, pairs in self.signs.items():
            for path, sign in pairs:
                if _is_held(path) == held:
                    signs[which][sign].append((path, sign))
        return list(folders.values()), {which: list(found.values()) for which, found in signs.items()}


def _is_held(path: str) -> bool:
    return crc32(Path(path).stem.split("-")[0].lower()[:5].encode()) % HELD == 0


@lru_cache(1000)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, 109 if "ColorEmoji" in path else size)


def _mask(path: str, text: str, size: int = 40) -> Image.Image | None:
    """Drawing of a text, cut out; None if the font draws nothing."""
    canvas = Image.new("RGB", (5 * size, 5 * size))
    try:
        draw = ImageDraw.Draw(canvas)
        draw.text((size, size), text, font=_font(path, size), embedded_color="ColorEmoji" in path)
    except (OSError, ValueError):
        return None
    box = canvas.getbbox()
    return canvas.crop(box) if box else None


def _shape_of_digits(path: str) -> Floats | None:
    """Digits of a font as small pictures; None if it lacks one, or two are the same."""
    masks = [_mask(path, digit) for digit in "12345678?0\U0010fffe"]
    shapes = [np.asarray(mask.convert("L").resize((12, 12)), np.float32).ravel() / 255 for mask in masks if mask]
    if None in masks[:-1] or len({shape.tobytes() for shape in shapes}) < len(shapes):
        return None
    return np.array(shapes[:8])


def _with_signs(paths: Iterable[str], which: str) -> Signs:
    """Pairs of a font and a sign that it does not draw as an unknown one."""
    found = []
    for path in paths:
        none = _mask(path, "\U0010fffe")
        for sign in ICONS.get(Path(path).stem, SIGNS).get(which, ""):
            mask = _mask(path, sign)
            if mask is not None and (none is None or mask.tobytes() != none.tobytes()):
                found.append((path, sign))
    return found


def colour(rng: Random) -> Colour:
    red, green, blue = (rng.choice((0, 255, rng.randrange(256), rng.randrange(256))) for _ in range(3))
    return red, green, blue


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def apart(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def flag(draw: Draw, size: int, rng: Random, ink: Colour) -> None:
    """A flag on a pole, mostly with a base."""
    pole = rng.choice((ink, ink, (0, 0, 0), (255, 255, 255), mixed(ink, (0, 0, 0), 0.5)))
    edge = rng.choice((None, None, None, (0, 0, 0), pole))
    x = size * rng.uniform(0.28, 0.72)
    top, bottom = size * rng.uniform(0.1, 0.3), size * rng.uniform(0.7, 0.9)
    thick = size * rng.uniform(0.03, 0.12)
    reach = size * rng.uniform(0.24, 0.5) * rng.choice((-1, 1))
    low = top + (bottom - top) * rng.uniform(0.35, 0.7)
    lean = size * rng.uniform(-0.1, 0.1) * (rng.random() < 0.25)
    if rng.random() < 0.92:
        draw.polygon(
            (
                (x - thick / 2, top),
                (x + thick / 2, top),
                (x + thick / 2 + lean, bottom),
                (x - thick / 2 + lean, bottom),
            ),
            fill=pole,
        )
    if rng.random() < 0.1:
        draw.ellipse((x - thick, top - thick, x + thick, top + thick), fill=pole)
    kind, end, high = rng.randrange(7), x + reach, low - top
    if kind < 2:
        cloth = [(x, top), (end, (top + low) / 2 + high * rng.uniform(-0.3, 0.3)), (x, low)]
    elif kind == 2:
        cloth = [(x, top), (end, top), (end, low), (x, low)]
    elif kind == 3:
        dip = high * rng.uniform(-0.3, 0.3)
        cloth = [(x, top), (end, top + dip), (end, low + dip), (x, low)]
    elif kind == 4:  # swallow-tailed
        cloth = [(x, top), (end, top), (end - reach * 0.3, (top + low) / 2), (end, low), (x, low)]
    else:  # waving
        wave, turn = high * rng.uniform(0.08, 0.25), rng.uniform(0, 6.28)
        upper = [(x + reach * step / 8, top + wave * float(np.sin(turn + step * 0.8))) for step in range(9)]
        cloth = [*upper, *((across, down + high * 0.8) for across, down in reversed(upper))]
    draw.polygon(cloth, fill=ink, outline=edge)
    if kind in (2, 4) and rng.random() < 0.3:
        draw.rectangle((min(x, end), top, max(x, end), top + high / 2), fill=colour(rng))
    wide, high = size * rng.uniform(0.12, 0.38), size * rng.uniform(0.04, 0.14)
    base, foot = rng.random(), x + lean
    if base < 0.4:
        draw.rectangle((foot - wide, bottom, foot + wide, bottom + high), fill=pole)
    elif base < 0.6:  # steps
        draw.rectangle((foot - wide * 0.6, bottom - high, foot + wide * 0.6, bottom), fill=pole)
        draw.rectangle((foot - wide, bottom, foot + wide, bottom + high), fill=pole)
    elif base < 0.75:
        draw.polygon(((foot, bottom - high), (foot + wide, bottom + high), (foot - wide, bottom + high)), fill=pole)


def mine(draw: Draw, size: int, rng: Random, ink: Colour) -> None:
    """A disc, mostly with spikes and a light, or a bomb with a fuse."""
    x, y, radius = size / 2, size / 2, size * rng.uniform(0.16, 0.36)
    bomb = rng.random() < 0.25
    if bomb:
        y += size * rng.uniform(0, 0.1)
        angle = rng.uniform(-2.4, -0.7)
        end = (x + radius * 1.5 * float(np.cos(angle)), y + radius * 1.5 * float(np.sin(angle)))
        draw.line(
            (x, y, *end), fill=rng.choice((ink, colour(rng))), width=max(1, round(radius * rng.uniform(0.15, 0.5)))
        )
        if rng.random() < 0.6:
            spark = size * rng.uniform(0.03, 0.1)
            draw.ellipse(
                (end[0] - spark, end[1] - spark, end[0] + spark, end[1] + spark), fill=(250, rng.randrange(256), 0)
            )
    spikes = 0 if bomb else rng.choice((0, 4, 6, 8, 8, 8, 8, 12, 16))
    reach, thick = radius * rng.uniform(1.15, 1.6), max(1, round(size * rng.uniform(0.03, 0.1)))
    turn = rng.choice((0.0, 0.0, np.pi / 8, rng.uniform(0, 3)))
    for spike in range(spikes):
        angle = 2 * np.pi * spike / spikes + turn
        end = (x + reach * float(np.cos(angle)), y + reach * float(np.sin(angle)))
        draw.line((x, y, *end), fill=ink, width=thick)
        if thick > 2 and rng.random() < 0.3:
            draw.ellipse((end[0] - thick, end[1] - thick, end[0] + thick, end[1] + thick), fill=ink)
    edge = rng.choice((None, None, None, (0, 0, 0), (255, 255, 255)))
    if rng.random() < 0.1:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=ink, width=thick)
    else:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink, outline=edge)
    if rng.random() < 0.55:
        spot = radius * rng.uniform(0.15, 0.45)
        left, up = x - radius * rng.uniform(-0.1, 0.5), y - radius * rng.uniform(0, 0.5)
        draw.ellipse((left - spot, up - spot, left + spot, up + spot), fill=colour(rng))
    if rng.random() < 0.08:
        ends, wide, crossed = (size * 0.15, size * 0.85), max(1, round(size * rng.uniform(0.04, 0.1))), colour(rng)
        draw.line((ends[0], ends[0], ends[1], ends[1]), fill=crossed, width=wide)
        draw.line((ends[0], ends[1], ends[1], ends[0]), fill=crossed, width=wide)


def other(draw: Draw, size: int, rng: Random, ink: Colour) -> None:
    """Strokes, crosses, frames and blobs."""
    thick = max(1, round(size * rng.uniform(0.04, 0.15)))
    if rng.random() < 0.1:
        one, far = size * rng.uniform(0.15, 0.3), size * rng.uniform(0.7, 0.85)
        draw.line((one, one, far, far), fill=ink, width=thick)
        draw.line((one, far, far, one), fill=ink, width=thick)
        return
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


def blocks(canvas: Image.Image, which: str, rng: Random, ink: Colour) -> None:
    lines = rng.choice(BLOCKS[which]).split()
    mask = Image.new("L", (len(lines[0]), len(lines)))
    mask.putdata([255 * (pixel == "#") for line in lines for pixel in line])
    size = canvas.size[0]
    high = size * rng.uniform(0.5, 0.72)
    wide = high * rng.uniform(0.75, 1.1) * (0.85 if which == "1" else 1)
    mask = mask.resize((max(3, round(wide)), max(4, round(high))), rng.choice((0, 2)))
    place = (round((size - mask.size[0]) / 2), round((size - mask.size[1]) / 2))
    canvas.paste(ink, (*place, place[0] + mask.size[0], place[1] + mask.size[1]), mask)


def written(
    canvas: Image.Image, text: str, path: str, rng: Random, colours: tuple[Colour, Colour], least: float
) -> None:
    """A text of a font at least so large, some with an outline or a shadow."""
    size, (ink, ground) = canvas.size[0], colours
    draw = ImageDraw.Draw(canvas)
    draw.fontmode = "1" if size < 40 and rng.random() < 0.4 else "L"
    font = _font(path, round(size * rng.uniform(least, 0.9)))
    thick = rng.choice((0, 0, 0, 0, 1, 2, 3)) if size > 40 else rng.choice((0, 0, 0, 1))
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font, stroke_width=thick)
    drift = [size * rng.uniform(-0.05, 0.05) for _ in range(2)]
    x, y = (size - left - right) / 2 + drift[0], (size - top - bottom) / 2 + drift[1]
    style = rng.random()
    if style < 0.08 and size > 40:  # an outline
        inside = rng.choice((ground, ground, colour(rng)))
        draw.text((x, y), text, fill=inside, font=font, stroke_width=max(1, thick), stroke_fill=ink)
        return
    if style < 0.18:  # a shadow
        far = max(1, round(size * rng.uniform(0.02, 0.07)))
        shade = mixed(ground, rng.choice(((0, 0, 0), (255, 255, 255))), rng.uniform(0.2, 0.8))
        draw.text((x + far, y + far), text, fill=shade, font=font, stroke_width=thick)
    draw.text((x, y), text, fill=ink, font=font, stroke_width=thick)


def words(canvas: Image.Image, path: str, rng: Random, ink: Colour) -> None:
    """A part of a word or a number of several digits, of a panel or a menu."""
    size = canvas.size[0]
    text = "".join(rng.choices(rng.choice((WORDS, WORDS, "0123456789:/,.")), k=rng.randrange(2, 9)))
    font = _font(path, max(6, round(size * rng.uniform(0.25, 0.7))))
    draw = ImageDraw.Draw(canvas)
    draw.fontmode = "1" if size < 40 and rng.random() < 0.4 else "L"
    draw.text((size * rng.uniform(-0.6, 0.3), size * rng.uniform(-0.1, 0.5)), text, fill=ink, font=font)


def sign(canvas: Image.Image, path: str, text: str, rng: Random, ink: Colour) -> None:
    """A sign of a font, scaled to the cell."""
    size = canvas.size[0]
    font = _font(path, 96)
    shown = Image.new("RGBA", (400, 400), (*ink, 0))
    ImageDraw.Draw(shown).text((100, 100), text, fill=(*ink, 255), font=font, embedded_color="ColorEmoji" in path)
    box = shown.getbbox()
    if box is None:
        return
    shown = shown.crop(box)
    scale = size * rng.uniform(0.5, 0.85) / max(shown.size)
    shown = shown.resize((max(3, round(shown.width * scale)), max(3, round(shown.height * scale))))
    place = [(size - side) // 2 + round(size * rng.uniform(-0.05, 0.05)) for side in shown.size]
    canvas.paste(shown, (place[0], place[1]), shown)


def textured(size: int, rng: Random, ground: Colour, most: float) -> Image.Image:
    """An empty cell like grass, sand or stone: spots, fine or coarse, sharp or soft."""
    values, coarse = np.random.default_rng(rng.randrange(2**32)), rng.randrange(3, 20)
    spots = values.normal(0, 1, (coarse, rng.choice((coarse, coarse, 2 * coarse)), 1))
    if rng.random() < 0.5:  # a few of one colour
        spots = (spots > rng.uniform(0.3, 1.5)).astype(np.float32)
    strength = np.array(colour(rng)) - 127 if rng.random() < 0.4 else np.full(3, rng.choice((-127, 127)))
    spots = np.asarray(ground) + spots * strength * rng.uniform(0.03, most)
    picture = Image.fromarray(np.clip(spots, 0, 255).astype(np.uint8))
    return picture.resize((size, size), rng.choice((0, 2, 3)))


def ground_of(size: int, rng: Random, ground: Colour) -> Image.Image:
    """An empty cell: mostly plain, some with a bevel, a frame, shades or grain."""
    canvas = Image.new("RGB", (size, size), ground) if rng.random() < 0.93 else textured(size, rng, ground, 0.1)
    draw, style = ImageDraw.Draw(canvas), rng.random()
    if style < 0.15:
        wide = max(1, round(size * rng.uniform(0.04, 0.13)))
        light, dark = (mixed(ground, end, rng.uniform(0.2, 0.9)) for end in ((255, 255, 255), (0, 0, 0)))
        for step in range(wide):
            far = size - 1 - step
            draw.line((step, far, step, step, far, step), fill=light)
            draw.line((step, far, far, far, far, step), fill=dark)
    elif style < 0.2:
        draw.rectangle(
            (0, 0, size - 1, size - 1), outline=colour(rng), width=max(1, round(size * rng.uniform(0.02, 0.07)))
        )
    elif style < 0.3:
        other_end, upright = mixed(ground, colour(rng), rng.uniform(0.05, 0.3)), rng.random() < 0.7
        for step in range(size):
            ends = (0, step, size, step) if upright else (step, 0, step, size)
            draw.line(ends, fill=mixed(ground, other_end, step / size))
    if rng.random() < 0.12:
        noise = np.random.default_rng(rng.randrange(2**32)).normal(0, rng.uniform(2, 12), (size, size, 1))
        canvas = Image.fromarray(np.clip(np.asarray(canvas) + noise, 0, 255).astype(np.uint8))
    return canvas


def _drawn(which: str, size: int, fonts: Half, rng: Random, least: float) -> Image.Image:
    """A cell with a glyph of a class."""
    paths, signs = fonts
    while True:
        ground, ink = colour(rng), colour(rng)
        if apart(ground, ink) > 25:
            break
    if rng.random() < 0.3:
        ink = mixed(ground, ink, rng.uniform(0.2, 0.6))
    canvas = ground_of(size, rng, ground)
    if which == "x" and rng.random() < 0.25:
        return textured(size, rng, ground, 0.4) if rng.random() < 0.6 else canvas
    if which == "x" and rng.random() < 0.25:
        words(canvas, rng.choice(rng.choice(paths)), rng, ink)
        return canvas
    text = which if which in "1234567890?" else "F" if which == "F" and rng.random() < 0.07 else ""
    if which == "x" and rng.random() < 0.4:
        text = rng.choice(LETTERS) if rng.random() < 0.8 else f"{rng.randrange(10)}{rng.randrange(10)}"
    if which in BLOCKS and rng.random() < 0.15:
        blocks(canvas, which, rng, ink)
    elif text:
        written(canvas, text, rng.choice(rng.choice(paths)), rng, (ink, ground), least)
    elif rng.random() < (0.3 if which != "x" else 0.1) and signs[which]:
        sign(canvas, *rng.choice(rng.choice(signs[which])), rng, ink)
    else:
        {"F": flag, "*": mine, "x": other}[which](ImageDraw.Draw(canvas), size, rng, ink)
    return canvas


def rendering(which: str, fonts: Half, rng: Random) -> Floats:
    """A cell with a glyph of a class, as a reader sees it."""
    pixels = rng.choice((8, 10, 11, 12, 13, 14, 16, 16, 18, 20, 22, 24, 28, 32, 40, 40, 56, 56))
    size = pixels if pixels > 11 and rng.random() < 0.35 else rng.choice((64, 80, 96))
    least = 0.42 if pixels > 15 else 0.65
    if which == "x" and rng.random() < 0.25:  # parts of two cells
        cells = [_drawn(rng.choice("12345678F*"), size, fonts, rng, least) for _ in range(2)]
        canvas, part = cells[0], round(size * rng.uniform(0.3, 0.7))
        upright = rng.random() < 0.5
        canvas.paste(cells[0].crop((0, part, size, size) if upright else (part, 0, size, size)), (0, 0))
        canvas.paste(cells[1], (0, size - part) if upright else (size - part, 0))
    else:
        canvas = _drawn(which, size, fonts, rng, least)
    if rng.random() < 0.35:
        wide, shear, turn = rng.uniform(0.8, 1.25), rng.uniform(-0.15, 0.15), rng.uniform(-0.12, 0.12)
        across, down = size / 2 * (1 - wide - shear), size / 2 * -turn
        ground = canvas.getpixel((size // 2, 1 + size // 12))
        canvas = canvas.transform(
            canvas.size, Image.Transform.AFFINE, (wide, shear, across, turn, 1, down), 2, fillcolor=ground
        )
    if size != pixels:
        canvas = canvas.resize((pixels, pixels), rng.choice((1, 2, 3, 4, 5)))
    if rng.random() < 0.25:
        canvas = canvas.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.05 * pixels)))
    if rng.random() < 0.3:
        stream = io.BytesIO()
        canvas.save(stream, "JPEG", quality=rng.randrange(35, 95))
        canvas = Image.open(stream)
    picture = np.asarray(canvas.convert("RGB")).astype(np.float32)
    left, top = (rng.uniform(-0.05, 0.05) * pixels for _ in range(2))
    inside = inner(patches(picture, Lattice(left, top, pixels, pixels, 1, 1)), rng.randrange(MARGIN - 1, 6))
    return strengths(inside, backgrounds(inside))
