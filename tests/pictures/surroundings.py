"""What lies around a board in a picture: other windows, panels, the bars of a phone, the grain of a photograph."""

from random import Random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from satsweep.formats.pictures.counter import LIT_SEGMENTS

Colour = tuple[int, ...]
Box = tuple[int, int, int, int]
LETTERS = "etaoinshrdlu 0123456789"


def _grey(rng: Random, dark: bool) -> Colour:
    value = rng.randrange(20, 70) if dark else rng.randrange(190, 256)
    red, green, blue = (min(255, max(0, value + rng.randrange(-12, 13))) for _ in range(3))
    return red, green, blue


def _ink(ground: Colour) -> Colour:
    return (30, 30, 34) if sum(ground) > 380 else (220, 220, 224)


def _between(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _words(rng: Random, letters: int) -> str:
    return "".join(rng.choices(LETTERS, k=letters))


def _text(draw: ImageDraw.ImageDraw, box: Box, ground: Colour, rng: Random) -> None:
    """Lines of text."""
    for y in range(box[1] + 6, box[3] - 12, 15):
        draw.text((box[0] + 8, y), _words(rng, max(1, (box[2] - box[0] - 20) // 8)), fill=_ink(ground))


def _table(draw: ImageDraw.ImageDraw, box: Box, ground: Colour, rng: Random) -> None:
    """A table with lines and a word in each of its fields."""
    high, wide = rng.randrange(18, 34), rng.randrange(40, 110)
    line = _between(ground, _ink(ground), rng.uniform(0.12, 0.5))
    for y in range(box[1], box[3], high):
        draw.line((box[0], y, box[2], y), fill=line)
        for x in range(box[0], box[2], wide):
            draw.line((x, y, x, min(y + high, box[3])), fill=line)
            if rng.random() < 0.7 and y + 14 < box[3]:
                draw.text((x + 4, y + 3), _words(rng, min(5, wide // 9)), fill=_ink(ground))


def _buttons(draw: ImageDraw.ImageDraw, box: Box, ground: Colour, rng: Random) -> None:
    """A keypad: a few rows of buttons with a sign each."""
    size, gap = rng.randrange(28, 60), rng.randrange(3, 9)
    fill = _between(ground, _ink(ground), rng.uniform(0.1, 0.3))
    for y in range(box[1] + gap, box[3] - size, size + gap):
        for x in range(box[0] + gap, box[2] - size, size + gap):
            draw.rectangle((x, y, x + size, y + size), fill=fill, outline=_between(fill, _ink(ground), 0.3))
            draw.text((x + size // 2 - 3, y + size // 2 - 6), rng.choice("789456123+-=AC%"), fill=_ink(ground))


def _window(draw: ImageDraw.ImageDraw, box: Box, rng: Random) -> None:
    """A window with a title bar and something in it."""
    dark = rng.random() < 0.35
    ground = _grey(rng, dark)
    draw.rectangle(box, fill=ground, outline=_between(ground, _ink(ground), 0.4))
    draw.rectangle((box[0], box[1], box[2], box[1] + 22), fill=_between(ground, (60, 90, 160), rng.random()))
    draw.text((box[0] + 6, box[1] + 6), _words(rng, 12), fill=_ink(ground))
    inside = (box[0] + 4, box[1] + 28, box[2] - 4, box[3] - 4)
    rng.choice((_text, _table, _table, _buttons))(draw, inside, ground, rng)


def display(picture: Image.Image, number: str, place: tuple[int, int], high: int = 23) -> None:
    """Draw a counter of red segments on black, as games of the nineties had it."""
    wide = round(high * 0.57)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((*place, place[0] + wide * len(number), place[1] + high), fill=(0, 0, 0))
    thick = max(1, round(high * 0.12) - 1)
    for index, symbol in enumerate(number):
        left, top = place[0] + index * wide + 2, place[1] + 1
        right, bottom, middle = left + wide - 4, place[1] + high - 1, place[1] + high // 2
        bars = (
            (left + 1, top, right - 1, top + thick),
            (left, top + 1, left + thick, middle - 1),
            (right - thick, top + 1, right, middle - 1),
            (left + 1, middle - thick // 2, right - 1, middle + thick // 2),
            (left, middle + 1, left + thick, bottom - 1),
            (right - thick, middle + 1, right, bottom - 1),
            (left + 1, bottom - thick, right - 1, bottom),
        )
        for bar, lit in zip(bars, LIT_SEGMENTS[symbol], strict=True):
            draw.rectangle(bar, fill=(255, 0, 0) if lit == "1" else (90, 0, 0))


def desktop(image: Image.Image, cell: int, rng: Random) -> Image.Image:
    """The picture of a game among other windows on a screen."""
    wide = max(rng.choice((1280, 1440, 1920)), image.width + 200)
    high = max(rng.choice((720, 800, 1080)), image.height + 120)
    first = _grey(rng, rng.random() < 0.5)
    screen = Image.new("RGB", (wide, high), first)
    draw = ImageDraw.Draw(screen)
    if rng.random() < 0.4:
        other = _between(first, (60, 120, 200), 0.5)
        for y in range(high):
            draw.line((0, y, wide, y), fill=_between(first, other, y / high))
    for _ in range(rng.randrange(2, 6)):
        x, y = rng.randrange(0, wide - 260), rng.randrange(0, high - 240)
        _window(
            draw, (x, y, min(wide - 1, x + rng.randrange(220, 700)), min(high - 1, y + rng.randrange(160, 500))), rng
        )
    x, y = rng.randrange(wide - image.width), rng.randrange(high - image.height)
    draw.rectangle((x - 1, y - 27, x + image.width, y + image.height), fill=(90, 110, 150), outline=(60, 70, 90))
    screen.paste(image, (x, y))
    draw.rectangle((0, high - 36, wide, high), fill=_between(first, (0, 0, 0), 0.6))
    return screen


def panelled(image: Image.Image, cell: int, rng: Random) -> Image.Image:
    """The picture with a panel at a side whose rows are as high as the cells."""
    wide = cell * rng.randrange(4, 9)
    ground = image.getpixel((0, 0))
    assert isinstance(ground, tuple)
    whole = Image.new("RGB", (image.width + wide, image.height), ground)
    draw = ImageDraw.Draw(whole)
    left = rng.random() < 0.5
    whole.paste(image, (wide if left else 0, 0))
    x = 0 if left else image.width
    line = _between(ground, _ink(ground), 0.3)
    for y in range(rng.randrange(cell), image.height - cell, cell):
        draw.rectangle((x + 6, y, x + wide - 7, y + cell), outline=line)
        draw.line((x + wide // 2, y, x + wide // 2, y + cell), fill=line)
        draw.text((x + 12, y + cell // 2 - 6), _words(rng, 6), fill=_ink(ground))
        draw.text((x + wide // 2 + 6, y + cell // 2 - 6), str(rng.randrange(1000)), fill=_ink(ground))
    return whole


def phone(image: Image.Image, cell: int, rng: Random) -> Image.Image:
    """The picture as a phone shows it: between bars, buttons and an advertisement."""
    ground = image.getpixel((0, 0))
    assert isinstance(ground, tuple)
    above, below = rng.randrange(90, 260), rng.randrange(120, 360)
    whole = Image.new("RGB", (image.width, image.height + above + below), ground)
    draw = ImageDraw.Draw(whole)
    whole.paste(image, (0, above))
    bar = _between(ground, (0, 120, 140), 0.6)
    draw.rectangle((0, 0, image.width, above // 2), fill=bar)
    draw.text((image.width // 3, above // 4), _words(rng, 10), fill=_ink(bar))
    foot = above + image.height
    count = rng.randrange(3, 6)
    for part in range(count):
        x = part * image.width // count
        draw.rounded_rectangle(
            (x + 6, foot + 10, x + image.width // count - 6, foot + 70), radius=10, outline=_ink(ground)
        )
        draw.text((x + 16, foot + 32), _words(rng, 4), fill=_ink(ground))
    draw.rectangle((0, foot + below - 40, image.width, foot + below), fill=_between(ground, _ink(ground), 0.5))
    return whole


def photographed(image: Image.Image, rng: Random) -> Image.Image:
    """The picture as a photograph of a screen: soft, unevenly lit, grainy."""
    soft = image.resize((round(image.width * 1.3), round(image.height * 1.3)), Image.Resampling.BICUBIC)
    pixels = np.asarray(soft.filter(ImageFilter.GaussianBlur(rng.uniform(0.5, 1.1)))).astype(np.float32)
    grain = np.random.default_rng(rng.randrange(2**32)).normal(0, rng.uniform(1, 4), pixels.shape)
    light = np.linspace(1, rng.uniform(0.75, 1), pixels.shape[1])[None, :, None]
    light = light * np.linspace(rng.uniform(0.85, 1), 1, pixels.shape[0])[:, None, None]
    return Image.fromarray(np.clip(pixels * light + grain, 0, 255).astype(np.uint8))
