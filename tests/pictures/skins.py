"""Pictures of boards in skins of our own, with truth: ``python -m tests.pictures.skins DIRECTORY [PICTURES]``.

A skin is how a game draws cells; a picture takes a random position in play, and may be scaled by a fraction, saved as
JPEG, cut at some sides, put beside other windows (``surroundings``), or have a cursor over a cell. Each has its board
beside it, a character a cell, ``?`` where something covers it. The same seed gives the same pictures.
"""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from satsweep.games.deal import random_layout
from satsweep.layout import Layout
from tests.pictures.surroundings import desktop, panelled, phone, photographed

Colour = tuple[int, int, int]
GREY, WHITE, BLACK = (192, 192, 192), (255, 255, 255), (0, 0, 0)
CLASSIC = ((0, 0, 255), (0, 128, 0), (255, 0, 0), (0, 0, 128), (128, 0, 0), (0, 128, 128), (0, 0, 0), (128, 128, 128))
PASTEL = ((80, 130, 240), (60, 170, 90), (230, 90, 90), (140, 90, 220), (220, 160, 40), (60, 190, 190), (90, 90, 90),
          (160, 160, 160))  # fmt: skip
DARK = ((110, 170, 255), (120, 220, 120), (255, 120, 120), (190, 140, 255), (255, 180, 90), (100, 220, 220),
        (230, 230, 230), (170, 170, 170))  # fmt: skip


@dataclass(frozen=True)
class Skin:
    """How cells are drawn; lengths are shares of a cell.

    With two colours covered or open cells are a checkerboard. ``bevel`` is that of covered cells, ``lines`` are around
    all, and ``gap`` shows the ground between cells. Cells that are ``joined`` (of the symbols) have neither. ``grain``
    is the roughness of covered cells, ``faint`` how near the colours of digits are to the ground. ``stud`` is the size
    of a disc on each covered cell, ``mine`` that of a mine.
    """

    name: str
    covered: tuple[Colour, ...] = (GREY,)
    open: tuple[Colour, ...] = (GREY,)
    ground: Colour = (236, 236, 236)
    digits: tuple[Colour, ...] = CLASSIC
    font: str = "DejaVuSans-Bold"
    size: float = 0.7
    bevel: float = 0.0
    lines: Colour | None = None
    gap: float = 0.0
    corner: float = 0.0
    zero: str = ""
    flag: Colour = (230, 30, 30)
    letters: bool = False
    frame: bool = False
    tall: float = 1.0
    cell: int = 28
    joined: str = ""
    grain: int = 0
    faint: float = 0.0
    stud: float = 0.0
    mine: float = 0.25


SKINS = (
    Skin("nineties", bevel=0.13, lines=(128, 128, 128), frame=True, cell=24),
    Skin("nineties-small", bevel=0.13, lines=(128, 128, 128), frame=True, cell=16, size=0.75),
    Skin("blue", covered=((80, 120, 200),), open=((225, 232, 245),), lines=(120, 140, 180), cell=22),
    Skin("meadow", covered=((170, 215, 81), (162, 209, 73)), open=((229, 194, 159), (215, 184, 153)), digits=PASTEL,
         font="DejaVuSans-Bold", cell=36),
    Skin("night", covered=((60, 64, 72),), open=((32, 34, 38),), ground=(18, 18, 20), digits=DARK, gap=0.06),
    Skin("night-lines", covered=((70, 80, 95),), open=((40, 44, 52),), ground=(24, 26, 30), digits=DARK,
         lines=(20, 22, 26), font="DejaVuSansMono-Bold"),
    Skin("paper", covered=((205, 205, 195),), open=((250, 250, 245),), lines=(150, 150, 150), font="DejaVuSerif-Bold",
         digits=(BLACK,) * 8),
    Skin("ink", covered=((70, 70, 70),), open=(WHITE,), lines=(30, 30, 30), digits=(BLACK,) * 8, font="DejaVuSans"),
    Skin("negative", covered=(WHITE,), open=((20, 20, 20),), ground=(60, 60, 60), gap=0.08, digits=DARK),
    Skin("tiles", covered=((90, 140, 190),), open=((220, 225, 230),), ground=WHITE, gap=0.1, corner=0.15,
         digits=PASTEL, cell=40),
    Skin("round", covered=((140, 120, 200),), open=((240, 236, 250),), ground=(250, 250, 255), gap=0.08, corner=0.3,
         cell=34, font="DejaVuSans"),
    Skin("phone", covered=((0, 116, 178),), open=((138, 165, 206),), ground=(250, 250, 250), gap=0.12, tall=0.85,
         cell=44, font="DejaVuSans"),
    Skin("letters", covered=((200, 180, 140),), open=((245, 240, 225),), lines=(160, 140, 100), letters=True, cell=26),
    Skin("zeros", covered=((150, 170, 150),), open=((235, 240, 235),), lines=(110, 130, 110), zero="0", cell=30),
    Skin("serif", covered=((180, 180, 210),), open=((245, 245, 255),), lines=(140, 140, 170), font="STIXGeneralBol",
         size=0.8, cell=32),
    Skin("typewriter", covered=((190, 190, 190),), open=((240, 240, 240),), lines=(120, 120, 120), font="cmtt10",
         size=0.85, cell=30),
    Skin("raised", covered=((160, 190, 220),), open=((225, 225, 225),), bevel=0.09, lines=(180, 180, 180), cell=30,
         digits=PASTEL),
    Skin("pale", covered=((214, 214, 222),), open=((240, 240, 244),), lines=(200, 200, 206), digits=PASTEL, cell=32),
    Skin("wide", covered=((110, 160, 120),), open=((235, 240, 230),), lines=(90, 120, 95), tall=0.9, cell=34),
    Skin("tiny", covered=((150, 150, 170),), open=((240, 240, 240),), lines=(110, 110, 130), cell=14, size=0.85),
    Skin("huge", covered=((100, 110, 130),), open=((230, 230, 225),), lines=(70, 70, 80), cell=64, digits=PASTEL),
    Skin("purple", covered=((130, 70, 160),), open=((190, 160, 210),), ground=(90, 50, 110), gap=0.06,
         digits=((40, 20, 60),) * 8, flag=(250, 220, 60)),
    Skin("slanted", covered=((205, 170, 120),), open=((250, 240, 220),), lines=(170, 130, 80),
         font="DejaVuSans-BoldOblique", cell=30),
    Skin("thin", covered=((120, 120, 130),), open=((230, 230, 235),), lines=(90, 90, 100), font="cmss10", size=0.85,
         cell=34),
    Skin("one-piece", covered=((200, 200, 205),), open=((245, 245, 245),), ground=WHITE, lines=(150, 150, 155),
         joined="#", cell=36),
    Skin("islands", covered=((0, 140, 125),), open=((238, 238, 238),), ground=(238, 238, 238), gap=0.05,
         joined=".12345678", digits=((0, 110, 100),) * 8, cell=48, font="DejaVuSans"),
    Skin("midnight", covered=(WHITE,), open=((22, 22, 24),), ground=(22, 22, 24), gap=0.08, joined=".12345678",
         digits=DARK, corner=0.06, cell=40, font="DejaVuSansMono-Bold"),
    Skin("slate", covered=((44, 47, 54),), open=((36, 38, 44),), ground=(28, 29, 33), lines=(30, 31, 36), digits=DARK,
         faint=0.35, cell=32),
    Skin("stone", covered=((140, 150, 120),), open=((222, 214, 196),), lines=(100, 105, 88), grain=14, cell=34),
    Skin("faded", covered=((176, 190, 197),), open=((236, 239, 241),), ground=(250, 250, 250), gap=0.05,
         digits=PASTEL, faint=0.45, cell=38, font="DejaVuSans"),
    Skin("hairline", covered=((225, 225, 228),), open=((232, 232, 232),), lines=(214, 214, 217), cell=30,
         font="DejaVuSans"),
    Skin("poster", covered=((250, 210, 70),), open=((255, 245, 215),), ground=(240, 120, 80), gap=0.04,
         digits=((200, 60, 40),) * 8, flag=(60, 60, 160), cell=72),
    Skin("micro", covered=((192, 192, 192),), open=((215, 215, 215),), bevel=0.13, lines=(140, 140, 140), cell=11,
         size=0.9),
    Skin("wall", covered=((96, 125, 139), (90, 118, 132)), open=((207, 216, 220), (200, 210, 214)),
         joined="#.12345678F", cell=36),
    Skin("sheet", covered=((230, 236, 245),), open=(WHITE,), ground=WHITE, lines=(190, 205, 225), font="DejaVuSerif",
         digits=PASTEL, cell=30),
    Skin("berry", covered=((173, 20, 87),), open=((248, 187, 208),), ground=(74, 20, 60), gap=0.07, corner=0.2,
         digits=((74, 20, 60),) * 8, flag=(255, 240, 120), cell=34),
)  # fmt: skip
LATER_SKINS = (
    Skin("studs", covered=((104, 104, 104),), open=((76, 76, 76),), ground=(40, 42, 48), lines=(150, 150, 150),
         stud=0.3, digits=DARK, cell=34),
    Skin("pillows", covered=((198, 198, 198),), bevel=0.2, lines=(128, 128, 128), cell=26, ground=(192, 192, 192)),
    Skin("ponds", covered=((150, 215, 235),), open=((196, 196, 196),), ground=(60, 90, 60), cell=32),
    Skin("blots", covered=((128, 128, 128),), open=((190, 190, 190),), lines=(110, 110, 110), mine=0.34, cell=36),
)  # fmt: skip
"""Skins of the pictures from number LATER on."""
LATER = 7 * len(SKINS)
SIZES = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (12, 12, 25), (8, 10, 10), (14, 9, 20), (5, 9, 6), (6, 6, 5))


def position(layout: Layout, rng: Random, share: float, *, over: bool = False) -> list[str]:
    """Rows of a position in play: opened from a start and along the frontier, with flags on some mines.

    When the game is over, mines without flags are shown.
    """
    rows, cols = layout.rows, layout.cols

    def beside(row: int, col: int) -> list[tuple[int, int]]:
        return [(r, c) for r in range(max(0, row - 1), min(rows, row + 2))
                for c in range(max(0, col - 1), min(cols, col + 2)) if (r, c) != (row, col)]  # fmt: skip

    opened: set[tuple[int, int]] = set()
    free = [(r, c) for r in range(rows) for c in range(cols) if not layout.is_mine((r, c))]
    zeros = [cell for cell in free if layout.number(cell) == 0]
    waiting = [rng.choice(zeros or free)]
    while len(opened) < share * len(free):
        if not waiting:
            edge = [cell for cell in free if cell not in opened and any(other in opened for other in beside(*cell))]
            waiting = [rng.choice(edge or [cell for cell in free if cell not in opened])]
        cell = waiting.pop()
        if cell not in opened:
            opened.add(cell)
            if layout.number(cell) == 0:
                waiting += [other for other in beside(*cell) if other not in opened]
    while waiting:  # zeros have opened all around them
        cell = waiting.pop()
        if cell not in opened:
            opened.add(cell)
            if layout.number(cell) == 0:
                waiting += [other for other in beside(*cell) if other not in opened]
    flags = rng.choice((0.0, 0.3, 0.8))
    found = []
    for r in range(rows):
        line = ""
        for c in range(cols):
            if (r, c) in opened:
                number = layout.number((r, c))
                line += str(number) if number else "."
            else:
                known = layout.is_mine((r, c)) and any(other in opened for other in beside(r, c))
                flagged = known and rng.random() < flags
                line += "F" if flagged else "*" if over and layout.is_mine((r, c)) else "#"
        found.append(line)
    return found


def _font(skin: Skin, high: float) -> ImageFont.FreeTypeFont:
    path = Path(matplotlib.get_data_path()) / "fonts/ttf" / f"{skin.font}.ttf"
    return ImageFont.truetype(str(path), max(6, round(high * skin.size)))


def _cell(draw: ImageDraw.ImageDraw, skin: Skin, symbol: str, box: tuple[float, ...], shade: int) -> None:
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    shown = symbol in "#F"
    fills = skin.covered if shown else skin.open
    fill = fills[shade % len(fills)]
    single = symbol not in skin.joined
    gap = skin.gap * wide / 2 * single
    inner = (left + gap, top + gap, right - gap - 1, bottom - gap - 1)
    if skin.corner and single:
        draw.rounded_rectangle(inner, radius=skin.corner * wide, fill=fill)
    else:
        draw.rectangle(inner, fill=fill, outline=skin.lines if single else None)
    if shown and skin.grain:
        rng = Random(repr(box))
        for down in range(round(inner[1]) + 1, round(inner[3])):
            for across in range(round(inner[0]) + 1, round(inner[2])):
                draw.point((across, down), fill=tuple(value + rng.randrange(-skin.grain, skin.grain) for value in fill))
    if shown and skin.stud:
        x, y, radius = left + wide / 2, top + high / 2, wide * skin.stud
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tuple(value // 4 for value in fill))
    if shown and skin.bevel:
        for step in range(max(1, round(skin.bevel * wide))):
            one = (inner[0] + step, inner[1] + step, inner[2] - step, inner[3] - step)
            light, shadow = (tuple(min(255, value + 50) for value in fill), tuple(value * 2 // 3 for value in fill))
            draw.line((one[0], one[3], one[0], one[1], one[2], one[1]), fill=light)
            draw.line((one[0], one[3], one[2], one[3], one[2], one[1]), fill=shadow)
    text = (
        skin.zero
        if symbol == "."
        else symbol
        if symbol in "12345678KMW"
        else "F"
        if skin.letters and symbol == "F"
        else ""
    )
    if text:
        full = skin.digits[int(text) - 1] if text in "12345678" else skin.flag if text == "F" else skin.digits[0]
        ink = tuple(round(value + (behind - value) * skin.faint) for value, behind in zip(full, fill, strict=True))
        font = _font(skin, high)
        x1, y1, x2, y2 = draw.textbbox((0, 0), text, font=font)
        draw.text((left + (wide - x1 - x2) / 2, top + (high - y1 - y2) / 2), text, fill=ink, font=font)
    elif symbol == "*":
        x, y, radius = left + wide / 2, top + high / 2, wide * skin.mine
        dark = (20, 20, 20) if sum(fill) > 300 else (225, 225, 225)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=dark)
        for dx, dy in ((1.5, 0), (0, 1.5), (1.05, 1.05), (1.05, -1.05)):
            ends = (x - dx * radius, y - dy * radius, x + dx * radius, y + dy * radius)
            draw.line(ends, fill=dark, width=max(1, round(wide * 0.06)))
        draw.ellipse((x - radius * 0.6, y - radius * 0.6, x - radius * 0.2, y - radius * 0.2), fill=fill)
    elif symbol == "F":
        x, y = left + wide * 0.4, top + high * 0.2
        draw.rectangle((x, y, x + max(1, wide * 0.07), top + high * 0.78), fill=(40, 40, 40))
        draw.polygon(((x, y), (x + wide * 0.4, y + high * 0.17), (x, y + high * 0.34)), fill=skin.flag)
        draw.rectangle((x - wide * 0.15, top + high * 0.74, x + wide * 0.22, top + high * 0.8), fill=(40, 40, 40))


def drawn(skin: Skin, board: list[str], border: tuple[int, int, int, int] = (40, 30, 30, 30)) -> Image.Image:
    """A board in a skin, with a border: top, right, bottom, left."""
    wide, high = skin.cell, round(skin.cell * skin.tall)
    rows, cols = len(board), len(board[0])
    top, right, bottom, left = border
    picture = Image.new("RGB", (cols * wide + left + right, rows * high + top + bottom), skin.ground)
    draw = ImageDraw.Draw(picture)
    if skin.frame:
        draw.rectangle((left - 4, top - 4, left + cols * wide + 3, top + rows * high + 3), fill=(128, 128, 128))
    for row, line in enumerate(board):
        for col, symbol in enumerate(line):
            box = (left + col * wide, top + row * high, left + (col + 1) * wide, top + (row + 1) * high)
            _cell(draw, skin, symbol, box, row + col)
    return picture


@dataclass(frozen=True)
class Sample:
    """A picture, the board that it shows, its quality as JPEG (0 is PNG) and the sides on which it is cut."""

    name: str
    image: Image.Image
    board: tuple[str, ...]
    quality: int
    cut: str = ""

    @property
    def content(self) -> bytes:
        """The file."""
        stream = io.BytesIO()
        if self.quality:
            self.image.save(stream, "JPEG", quality=self.quality)
        else:
            self.image.save(stream, "PNG")
        return stream.getvalue()

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """The picture as it comes out of its file."""
        return np.asarray(Image.open(io.BytesIO(self.content)).convert("RGB"))


def sample(number: int) -> Sample:
    """The picture of a number: skins come in turns, everything else by its seed."""
    rng = Random(f"picture {number}")
    skin = SKINS[number % len(SKINS)] if number < LATER else LATER_SKINS[number % len(LATER_SKINS)]
    rows, cols, mines = rng.choice(SIZES)
    over = rng.random() < 0.1
    board = position(random_layout(rows, cols, mines, seed=number), rng, rng.uniform(0.3, 0.9), over=over)
    skin = replace(skin, cell=max(10, round(skin.cell * rng.uniform(0.85, 1.25))))
    if rng.random() < 0.08 and cols < 12:
        skin = replace(skin, cell=rng.randrange(60, 110))
    border = (rng.randrange(30, 90), rng.randrange(12, 60), rng.randrange(12, 60), rng.randrange(12, 60))
    image = drawn(skin, board, border)
    board, cut = list(board), ""
    how = rng.randrange(9)
    if how < 2:
        scale = rng.uniform(0.9, 1.4)
        image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.BICUBIC)
    elif how == 2:
        image, board, cut = _cropped(image, board, skin, border, rng)
    elif how == 3:
        image, board = _with_cursor(image, board, skin, border, rng)
    elif how < 7:
        image = (desktop, panelled, phone)[how - 4](image, skin.cell, rng)
    elif how == 7:
        image = photographed(image, rng)
    quality = rng.choice((0, 0, 0, 95, 85, 75))
    return Sample(f"{number:03}-{skin.name}", image, tuple(board), quality, cut)


def _cropped(
    image: Image.Image, board: list[str], skin: Skin, border: tuple[int, int, int, int], rng: Random
) -> tuple[Image.Image, list[str], str]:
    """The picture without some rows at the top and columns at the right, cut in the middle of a cell."""
    wide, high = skin.cell, round(skin.cell * skin.tall)
    rows, cols = (rng.randrange(1, max(2, side // 3)) for side in (len(board), len(board[0])))
    y = border[0] + (rows - 0.5) * high
    x = border[3] + (len(board[0]) - cols + 0.5) * wide
    part = image.crop((0, round(y), round(x), image.height))
    return part, [line[: len(line) - cols] for line in board[rows:]], "top,right"


def _with_cursor(
    image: Image.Image, board: list[str], skin: Skin, border: tuple[int, int, int, int], rng: Random
) -> tuple[Image.Image, list[str]]:
    """The picture with a large arrow over a cell."""
    row, col = rng.randrange(len(board)), rng.randrange(len(board[0]))
    size, high = skin.cell * 0.8, skin.cell * skin.tall
    x, y = border[3] + (col + 0.25) * skin.cell, border[0] + (row + 0.12) * high
    arrow = ((x, y), (x, y + size), (x + size * 0.25, y + size * 0.75), (x + size * 0.65, y + size * 0.7))
    ImageDraw.Draw(image).polygon(arrow, fill=WHITE, outline=BLACK)
    lines = [list(line) for line in board]
    for r in (row, row + 1):
        if r < len(board):
            lines[r][col] = "?"
    return image, ["".join(line) for line in lines]


def main(arguments: list[str], say: Callable[[str], None] = print) -> None:
    directory, count = Path(arguments[0]), int(arguments[1]) if len(arguments) > 1 else LATER + 7 * len(LATER_SKINS)
    directory.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        made = sample(number)
        (directory / f"{made.name}.{'jpg' if made.quality else 'png'}").write_bytes(made.content)
        (directory / f"{made.name}.txt").write_text("\n".join(made.board) + "\n")
    say(f"{count} pictures in {directory}")


if __name__ == "__main__":
    main(sys.argv[1:])
