"""SVG elements that all pictures share: heading, open cells, frames, styles.

A picture is one SVG file that needs nothing else, on a light background. It has a title and a description for screen
readers.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from satsweep.board import HIDDEN, MINE, NUMBER_OF, Cell
from satsweep.clues import Clues
from satsweep.render.board_geometry import LEFT, BoardGeometry, CellShape
from satsweep.render.cell_look import BEST_COLOUR
from satsweep.render.graph_layout import Point
from satsweep.render.variants import variant_remarks
from satsweep.topology import Topology

LINE = 18
"""Height of a line below the heading."""
STYLE = """\
    text { font-family: system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #1a1a1a }
    .cells text, .axis text { text-anchor: middle; dominant-baseline: central }
    .cells rect { stroke: #ffffff; stroke-width: 1 }
    .open rect { fill: #ececec }
    .open text { font-size: 14px; fill: #555555 }
    .covered text { font-size: 12px }
    .covered .forced { font-weight: bold; font-size: 10.5px }
    .axis text { font-size: 10px; fill: #666666 }
    .foot text { font-size: 12px }
"""


def svg_start(width: int, height: int, title: str, description: str, heading: str, style: str = STYLE) -> Iterator[str]:
    """Start of a picture with its heading; its end is ``</svg>``."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
    yield f'height="{height}" role="img" aria-labelledby="satsweep-title satsweep-description">\n'
    yield f'  <title id="satsweep-title">{title}</title>\n'
    yield f'  <desc id="satsweep-description">{description}</desc>\n'
    yield f"  <style>\n{style}  </style>\n"
    yield f'  <rect width="{width}" height="{height}" fill="#ffffff"/>\n'
    yield f'  <text x="{LEFT}" y="26" font-size="16" font-weight="bold">{heading}</text>\n'


def subheadings(lines: Iterable[str]) -> Iterator[str]:
    """Lines below the heading; each moves the rest of the picture down by ``LINE``."""
    for number, line in enumerate(lines):
        yield f'  <text x="{LEFT}" y="{46 + number * LINE}" font-size="12">{line}</text>\n'


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Lines wrapped to the width of a picture, and escaped."""
    fit = int((width - LEFT - 20) / 6.6)
    return [escaped(piece) for line in lines for piece in textwrap.wrap(line, fit)]


def variant_sentences(topology: Topology, clues: Clues) -> str:
    """Remarks on topology and clues as sentences of a description, escaped."""
    return escaped("".join(f"{line[0].upper()}{line[1:]}. " for line in variant_remarks(topology, clues)))


def open_cell(symbol: str, cell: Cell, geometry: BoardGeometry, *, clue: bool = False, zero: bool = False) -> str:
    """An open cell: its number, ``?`` if it shows nothing, a disc for a mine.

    A zero is written if ``zero`` says so, or if the cell is a ``clue``, which has larger type.
    """
    x, y = geometry.middle(cell)
    outline = geometry.outline(cell)
    if symbol == MINE:
        return f"    <g><title>{cell}: a revealed mine</title>{outline}{disc((x, y), geometry.shape.mine)}</g>\n"
    number = NUMBER_OF.get(symbol)
    label = symbol if number is None else str(number) if number or clue or zero else ""
    style = ' class="clue"' if clue else ""
    text = f'<text x="{x}" y="{y}"{style}>{label}</text>' if label else ""
    if symbol == HIDDEN:
        return f"    <g><title>{cell}: open, but it shows nothing</title>{outline}{text}</g>\n"
    return f"    {outline}{text}\n"


def disc(middle: Point, radius: int, colour: str = "#1a1a1a") -> str:
    """A disc, which stands for a mine."""
    return f'<circle cx="{middle[0]}" cy="{middle[1]}" r="{radius}" fill="{colour}"/>'


def frame(shape: CellShape, middle: Point, colour: str = BEST_COLOUR, inset: int = 0) -> str:
    """A frame around a cell, by default the mark of the best move."""
    # The white line below the frame keeps it visible beside every colour.
    strokes = (("#ffffff", 7), (colour, 4))
    drawn = (f' fill="none" stroke="{stroke}" stroke-width="{width}"' for stroke, width in strokes)
    return "".join(shape.drawn(middle, attributes, inset) for attributes in drawn)


def legend_frame(x: int, y: int, side: int, colour: str = BEST_COLOUR) -> str:
    """A small frame for a legend."""
    half = side // 2
    return frame(CellShape(side, side, half, half), (x + half, y + half), colour)


def escaped(text: str) -> str:
    """Text with the special characters of SVG escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
