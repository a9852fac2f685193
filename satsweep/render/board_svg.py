"""Boards as SVG pictures, and what all pictures share: cells, frames, legends.

A picture is one SVG file that needs nothing else, on a light background. It has a title and a description for screen
readers. Explanations, conflicts and single boards are drawn by ``picture``.
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satsweep.board import COVERED, FLAG, HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.clues import Clues
from satsweep.layout import Layout
from satsweep.part import WHOLE
from satsweep.render.board_geometry import LEFT, TOP, BoardGeometry, CellShape, Point, add, element, svg_text
from satsweep.render.board_text import variant_remarks
from satsweep.render.colours import BEST_COLOUR, COVERED_COLOUR
from satsweep.text import counted

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


def start(width: int, height: int, title: str, description: str, heading: str, style: str) -> Element:
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    labels = "satsweep-title satsweep-description"
    picture = element("svg", xmlns="http://www.w3.org/2000/svg", **size, role="img", aria_labelledby=labels)
    add(picture, "title", title, id="satsweep-title")
    add(picture, "desc", description, id="satsweep-description")
    add(picture, "style", style)
    add(picture, "rect", width=width, height=height, fill="#ffffff")
    add(picture, "text", heading, x=LEFT, y=26, font_size=16, font_weight="bold")
    return picture


class Sheet:
    """Place of a board on a picture: below its heading and the lines of remarks.

    Remarks are those on topology and clues. ``first`` are lines before the remarks, ``last`` lines after them; ``room``
    is left between them and the board.
    """

    def __init__(
        self,
        value: Board | Layout,
        clues: Clues,
        least_width: int,
        first: Iterable[str] = (),
        last: Iterable[str] = (),
        room: int = 0,
    ) -> None:
        remarks = list(variant_remarks(value.topology, clues, value.part if isinstance(value, Board) else WHOLE))
        fit = int((least_width - LEFT - 20) / 6.6)
        self.lines = [*first, *(piece for line in (*remarks, *last) for piece in textwrap.wrap(line, fit))]
        self.said = "".join(f"{line[0].upper()}{line[1:]}. " for line in remarks)
        top = TOP + LINE * len(self.lines) + room
        self.geometry = BoardGeometry(value.rows, value.cols, value.topology, top=top)
        self.width = max(LEFT + self.geometry.width + 20, least_width)
        self.bottom = self.geometry.top + self.geometry.height

    def begin(self, height: int, title: str, description: str, heading: str, style: str) -> Element:
        """A picture with its heading and lines; the description begins with the remarks."""
        described = self.said + description
        picture = start(self.width, height, title, described, heading, self.geometry.adapt_style(style))
        for number, line in enumerate(self.lines):
            add(picture, "text", line, x=LEFT, y=46 + number * LINE, font_size=12)
        return picture


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
    half = side // 2
    frame(parent, CellShape(side, side, half, half), (x + half, y + half), colour)


def legend_box(parent: Element, x: int, y: int, colour: str, width: int = 18, height: int = 18) -> None:
    add(parent, "rect", x=x, y=y, width=width, height=height, fill=colour)


SCOPE_COLOUR = "#bfe0f5"
TEXT_LINE, _TEXT = 19, 13
LEAST_WIDTH = 660
PICTURE_STYLE = f"""{STYLE}\
    .open .clue {{ font-weight: bold; font-size: 16px; fill: #1a1a1a }}
    .said text {{ font-size: {_TEXT}px }}
"""


class CellLook(NamedTuple):
    """Look of a covered cell: its colour, its label, and the text of its tip."""

    colour: str
    label: str
    tip: str


def board_svg(board: Board) -> Iterator[str]:
    prior = "" if board.mines is None else f", {counted(board.mines, 'mine')}"
    heading = f"{board.rows} x {board.cols}{prior}"
    yield from picture(board, heading, "", lambda cell: plain_look(board, cell), {})


def layout_svg(layout: Layout) -> Iterator[str]:
    """Yield the picture of a layout: all mines and numbers, the start framed."""
    board = layout.board([layout.cell(index) for index in range(layout.rows * layout.cols)])
    marks = {} if layout.start is None else {layout.start: BEST_COLOUR}
    names = [(BEST_COLOUR, "start")] if marks else []
    heading = f"{layout.rows} x {layout.cols}, {counted(layout.mines, 'mine')}"
    yield from picture(board, heading, "", lambda cell: plain_look(board, cell), marks, names)


def picture(
    board: Board,
    heading: str,
    description: str,
    look_of: Callable[[Cell], CellLook],
    marks: Mapping[Cell, str],
    names: Sequence[tuple[str, str]] = (),
    scope: frozenset[Cell] = frozenset(),
    lines: Sequence[tuple[str, int]] = (),
) -> Iterator[str]:
    """A picture of one board, with a legend, and lines of text, each with its depth."""
    sheet = Sheet(board, board.clues, LEAST_WIDTH)
    text = list(wrapped_lines(lines, sheet.width))
    legend = TEXT_LINE + 14 if names else 0
    title = f"Minesweeper board, {board.rows} rows of {board.cols}"
    height = sheet.bottom + 24 + legend + TEXT_LINE * len(text)
    drawn = sheet.begin(height, title, description, heading, PICTURE_STYLE)
    board_cells(drawn, board, look_of, marks, sheet.geometry)
    _legend(drawn, names, bool(scope), sheet.bottom + 16)
    text_lines(drawn, text, sheet.bottom + 16 + legend)
    yield svg_text(drawn)


def plain_look(board: Board, cell: Cell, scope: frozenset[Cell] = frozenset()) -> CellLook:
    label = "F" if board[cell] == FLAG else ""
    return CellLook(SCOPE_COLOUR if cell in scope else COVERED_COLOUR, label, "a flag" if label else "covered")


def board_cells(
    drawn: Element,
    board: Board,
    look_of: Callable[[Cell], CellLook],
    marks: Mapping[Cell, str],
    geometry: BoardGeometry,
) -> None:
    geometry.background(drawn)
    zero = not board.clues.proves_zero(0)
    for covered in (False, True):
        group = add(drawn, "g", class_=f"cells {'covered' if covered else 'open'}")
        for cell in board:
            if (board[cell] in (COVERED, FLAG)) == covered:
                if covered:
                    _covered(group, cell, look_of(cell), geometry)
                else:
                    open_cell(group, board[cell], cell, geometry, clue=cell in marks, zero=zero)
    geometry.cell_names(drawn)
    for cell, colour in marks.items():
        # Frames of neighbours stay apart; that of the explained cell leaves room for its label.
        inset = 1 if board.is_covered(cell) else 3
        frame(drawn, geometry.shape, geometry.middle(cell), colour, inset)


def _covered(parent: Element, cell: Cell, look: CellLook, geometry: BoardGeometry) -> None:
    x, y = geometry.middle(cell)
    group = with_tip(parent, f"{cell}: {look.tip}")
    geometry.outline(group, cell, look.colour)
    if look.label == MINE:
        disc(group, (x, y), geometry.shape.mine)
    elif look.label:
        add(group, "text", look.label, x=x, y=y, class_="forced" if look.label in ("safe", "mine") else None)


def _legend(drawn: Element, names: Sequence[tuple[str, str]], scope: bool, y: int) -> None:
    if not names:
        return
    group, x = add(drawn, "g", class_="foot"), LEFT
    for colour, name in names:
        legend_frame(group, x + 2, y, 16, colour)
        add(group, "text", name, x=x + 28, y=y + 13)
        x += 52 + 7 * len(name)
    if scope:
        legend_box(group, x, y - 1, SCOPE_COLOUR)
        add(group, "text", "covered cells that they touch", x=x + 26, y=y + 13)


def wrapped_lines(lines: Sequence[tuple[str, int]], width: int) -> Iterator[tuple[str, int]]:
    """Wrap lines to the width of the picture, indented by their depth."""
    for line, depth in lines:
        # 0.54 of the type size is an average width of letters that leaves room for wide ones.
        fit = int((width - LEFT - 20) / (0.54 * _TEXT)) - 3 * depth
        for piece in textwrap.wrap(line.strip(), max(fit, 30)):
            yield piece, depth + line.startswith(" ")


def text_lines(drawn: Element, lines: Sequence[tuple[str, int]], y: int) -> None:
    if not lines:
        return
    group = add(drawn, "g", class_="said")
    for number, (line, depth) in enumerate(lines):
        add(group, "text", line, x=LEFT + 18 * depth, y=y + 13 + number * TEXT_LINE)
