"""SVG elements that all pictures share: heading, open cells, frames, styles.

A picture is one SVG file that needs nothing else, on a light background. It has a title and a description for screen
readers.
"""

import textwrap
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from satsweep.board import HIDDEN, MINE, NUMBER_OF, Cell
from satsweep.clues import Clues
from satsweep.render.board_geometry import BEST_COLOUR, LEFT, BoardGeometry, CellShape
from satsweep.render.board_text import variant_remarks
from satsweep.render.elements import add, element
from satsweep.render.graph_layout import Point
from satsweep.topology import Topology

LINE = 18
"""Height of a line below the heading."""
STYLE = """
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


def start(width: int, height: int, title: str, description: str, heading: str, style: str = STYLE) -> Element:
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    labels = "satsweep-title satsweep-description"
    picture = element("svg", xmlns="http://www.w3.org/2000/svg", **size, role="img", aria_labelledby=labels)
    add(picture, "title", title, id="satsweep-title")
    add(picture, "desc", description, id="satsweep-description")
    add(picture, "style", style)
    add(picture, "rect", width=width, height=height, fill="#ffffff")
    add(picture, "text", heading, x=LEFT, y=26, font_size=16, font_weight="bold")
    return picture


def subheadings(picture: Element, lines: Iterable[str]) -> None:
    """Append lines below the heading.

    Each moves the rest of the picture down by ``LINE``.
    """
    for number, line in enumerate(lines):
        add(picture, "text", line, x=LEFT, y=46 + number * LINE, font_size=12)


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Lines wrapped to the width of a picture."""
    fit = int((width - LEFT - 20) / 6.6)
    return [piece for line in lines for piece in textwrap.wrap(line, fit)]


def variant_sentences(topology: Topology, clues: Clues) -> str:
    """Remarks on topology and clues as sentences of a description."""
    return "".join(f"{line[0].upper()}{line[1:]}. " for line in variant_remarks(topology, clues))


def open_cell(
    parent: Element, symbol: str, cell: Cell, geometry: BoardGeometry, *, clue: bool = False, zero: bool = False
) -> None:
    """Append an open cell: its number, ``?`` if it shows nothing, a disc for a mine.

    A zero is written if ``zero`` says so, or if the cell is a ``clue``, which has larger type.
    """
    number = NUMBER_OF.get(symbol)
    tip = {MINE: "a revealed mine", HIDDEN: "open, but it shows nothing"}.get(symbol)
    group = with_tip(parent, f"{cell}: {tip}") if tip else parent
    geometry.outline(group, cell)
    x, y = geometry.middle(cell)
    if symbol == MINE:
        disc(group, (x, y), geometry.shape.mine)
    elif label := symbol if number is None else str(number) if number or clue or zero else "":
        add(group, "text", label, x=x, y=y, class_="clue" if clue else None)


def with_tip(parent: Element, tip: str) -> Element:
    group = add(parent, "g")
    add(group, "title", tip)
    return group


def disc(parent: Element, middle: Point, radius: int, colour: str = "#1a1a1a") -> None:
    """Append a disc, which stands for a mine."""
    add(parent, "circle", cx=middle[0], cy=middle[1], r=radius, fill=colour)


def frame(parent: Element, shape: CellShape, middle: Point, colour: str = BEST_COLOUR, inset: int = 0) -> None:
    """Append a frame around a cell, by default the mark of the best move."""
    # The white line below the frame keeps it visible beside every colour.
    for stroke, width in (("#ffffff", 7), (colour, 4)):
        shape.draw(parent, middle, inset, fill="none", stroke=stroke, stroke_width=width)


def legend_frame(parent: Element, x: int, y: int, side: int, colour: str = BEST_COLOUR) -> None:
    """Append a small frame for a legend."""
    half = side // 2
    frame(parent, CellShape(side, side, half, half), (x + half, y + half), colour)


def legend_box(parent: Element, x: int, y: int, colour: str, width: int = 18, height: int = 18) -> None:
    add(parent, "rect", x=x, y=y, width=width, height=height, fill=colour)
