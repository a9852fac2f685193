"""An analysis painted over the picture of its board, as PNG and SVG.

Covered cells get the colour of their risk and a label; safe ones are green, mines are vermilion, the best move has a
blue frame and doubtful cells an orange one. Below the picture stands why the best cell is safe, or that none is. Small
pictures are enlarged, so that labels can be read. Needs Pillow.
"""

from __future__ import annotations

import io
import textwrap
from base64 import b64encode
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from satsweep.board import Cell
from satsweep.errors import BoardError, needing
from satsweep.formats import Reading
from satsweep.formats.pictures.decode import decoded
from satsweep.render.advice_text import sentence, why_candidate
from satsweep.render.analysis_text import ShownCell, shown_cells
from satsweep.render.board_geometry import add, element, svg_text
from satsweep.render.colours import BEST_COLOUR, CLUE_COLOUR
from satsweep.text import counted
from satsweep.why.explainer import Explainer
from satsweep.why.sentences import argument_in_words
from satsweep.why.values import Explanation

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis

LEAST_CELL = 26
"""Pixels of a cell below which a picture is enlarged."""
OPAQUE = 0.72
"""Opacity of the colour over a cell."""
LEAST_TYPE, LETTERS = 15, 60
"""Pixels of the letters of the caption at least, and how many sizes fill a line."""
LINE, EDGE = 1.4, 0.7
"""Height of the lines of the caption, and the room around, in sizes of letters."""
LEAST_WIDTH = 420
"""Pixels of the narrowest picture, so that the caption has room."""
LONGEST_REASON = 420
"""Letters of the longest argument that is told in full."""


@dataclass(frozen=True, slots=True)
class PaintedCell:
    """A box in pixels, with its label, and with the colours of its ground and frame."""

    left: float
    top: float
    width: float
    height: float
    fill: str | None
    label: str = ""
    frame: str | None = None


def caption(reading: Reading, analysis: Analysis) -> str:
    """Sentences on the cell to open, and why."""
    advice = analysis.advice
    said: list[str] = [sentence(advice, analysis.board)]
    if advice.best is not None and advice.best in analysis.safe:
        with Explainer(analysis.board, analysis=analysis) as explainer:
            found = explainer.of(advice.best)
        argument = str(argument_in_words(found)) if isinstance(found, Explanation) else ""
        said.append(argument if len(argument) <= LONGEST_REASON else why_candidate(advice.candidates[0]))
    elif advice.candidates and advice.candidates[0].risk:
        said.append("Each covered cell is a mine in some world, one that agrees with all numbers.")
    if analysis.board.mines is None and analysis.board.density is None:
        said.append("No mine total was given, so every layout counts alike.")
    said.append("Cells are named row,column, from 0 at the top left.")
    if reading.doubts:
        said.append(f"In doubt, with an orange frame: {counted(len(reading.doubts), 'cell')}.")
    return " ".join(said)


def painted_cells(reading: Reading, analysis: Analysis) -> list[PaintedCell]:
    """Boxes over cells, in pixels of the picture."""
    grid, found = reading.grid, []
    for row, line in enumerate(shown_cells(analysis.board, analysis.risks)):
        for col, shown in enumerate(line):
            cell = Cell(row, col)
            frame = BEST_COLOUR if cell == analysis.best else CLUE_COLOUR if cell in reading.doubts else None
            if shown.covered or frame:
                left, top = grid.left + col * grid.width, grid.top + row * grid.height
                fill = shown.fill if shown.covered else None
                found.append(PaintedCell(left, top, grid.width, grid.height, fill, _label(shown), frame))
    return found


def _label(shown: ShownCell) -> str:
    return {"safe": "safe", "mine": "mine", "unknown": "??", "risk": shown.label}.get(shown.kind, "")


def to_png(content: bytes, reading: Reading, analysis: Analysis) -> bytes:
    """The file of the picture with the answer."""
    with needing("PIL", "pictures need Pillow", "pictures", BoardError):
        from PIL import Image, ImageDraw, ImageFont

    picture, scale = Image.fromarray(decoded(content)), _scale(reading)
    width, height = picture.width * scale, picture.height * scale
    below = _Caption.of(caption(reading, analysis), max(width, LEAST_WIDTH))
    canvas = Image.new("RGB", (max(width, LEAST_WIDTH), height + below.height), "white")
    canvas.paste(picture.resize((width, height), Image.Resampling.NEAREST))
    draw = ImageDraw.Draw(canvas, "RGBA")
    for cell in painted_cells(reading, analysis):
        left, top = scale * cell.left, scale * cell.top
        right, bottom = left + scale * cell.width - 1, top + scale * cell.height - 1
        if cell.fill:
            draw.rectangle((left, top, right, bottom), fill=f"{cell.fill}{round(255 * OPAQUE):02x}")
        if cell.frame:
            draw.rectangle((left, top, right, bottom), outline=cell.frame, width=max(2, round(scale * cell.width / 9)))
        if cell.label:
            font = ImageFont.load_default(_size(cell, scale))
            draw.text(((left + right) / 2, (top + bottom) / 2), cell.label, fill="black", font=font, anchor="mm")
    font = ImageFont.load_default(below.size)
    for y, line in below.lines:
        draw.text((below.edge, height + y), line, fill="black", font=font, anchor="ls")
    stream = io.BytesIO()
    canvas.save(stream, "PNG")
    return stream.getvalue()


def to_svg(content: bytes, reading: Reading, analysis: Analysis) -> str:
    """The picture with the answer; it has the file of the picture inside."""
    pixels, scale = decoded(content), _scale(reading)
    width, height = pixels.shape[1] * scale, pixels.shape[0] * scale
    text = caption(reading, analysis)
    below = _Caption.of(text, max(width, LEAST_WIDTH))
    size = {"width": max(width, LEAST_WIDTH), "height": height + below.height}
    drawn = element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {size['width']} {size['height']}", role="img", **size
    )
    add(drawn, "title", f"Minesweeper board, {reading.board.rows} rows of {reading.board.cols}, with the answer")
    add(drawn, "desc", text)
    add(drawn, "rect", fill="#ffffff", **size)
    href = f"data:{_kind(content)};base64,{b64encode(content).decode()}"
    add(drawn, "image", href=href, width=width, height=height, style="image-rendering: pixelated")
    for cell in painted_cells(reading, analysis):
        _add_cell(drawn, cell, scale)
    for y, line in below.lines:
        add(drawn, "text", line, x=below.edge, y=height + y, font_size=below.size, font_family="sans-serif")
    return svg_text(drawn)


def _add_cell(drawn: Element, cell: PaintedCell, scale: int) -> None:
    left, top, width, height = (round(scale * length, 2) for length in (cell.left, cell.top, cell.width, cell.height))
    box = {"x": left, "y": top, "width": width, "height": height}
    if cell.fill:
        add(drawn, "rect", fill=cell.fill, fill_opacity=OPAQUE, **box)
    if cell.frame:
        line = max(2, round(width / 9))
        inner = {"x": left + line / 2, "y": top + line / 2, "width": width - line, "height": height - line}
        add(drawn, "rect", fill="none", stroke=cell.frame, stroke_width=line, **inner)
    if cell.label:
        middle = {"x": round(left + width / 2, 2), "y": round(top + height / 2, 2)}
        style = {"text_anchor": "middle", "dominant_baseline": "central", "font_family": "sans-serif"}
        add(drawn, "text", cell.label, font_size=_size(cell, scale), **style, **middle)


def _scale(reading: Reading) -> int:
    return max(1, ceil(LEAST_CELL / min(reading.grid.width, reading.grid.height)))


def _size(cell: PaintedCell, scale: int) -> float:
    """Size of the letters of a label, so that it fits into its cell."""
    return round(min(0.5 * cell.height, 1.5 * cell.width / max(len(cell.label), 2)) * scale, 1)


@dataclass(frozen=True, slots=True)
class _Caption:
    """Lines of text below a picture, with their baselines from its lower side."""

    size: int
    edge: int
    lines: tuple[tuple[int, str], ...]
    height: int

    @classmethod
    def of(cls, text: str, width: int) -> _Caption:
        size = max(LEAST_TYPE, width // LETTERS)
        edge, line = round(EDGE * size), round(LINE * size)
        wrapped = textwrap.wrap(text, max(20, int((width - 2 * edge) / (0.52 * size))))
        lines = tuple((edge + size + number * line, one) for number, one in enumerate(wrapped))
        return cls(size, edge, lines, 2 * edge + len(wrapped) * line)


def _kind(content: bytes) -> str:
    """The media type of a picture, by its first bytes."""
    starts = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp", b"BM": "bmp"}
    return f"image/{next(kind for start, kind in starts.items() if content.startswith(start))}"
