"""Boards as SVG pictures: cells, frames, a legend and lines of text.

Explanations, conflicts and single boards are drawn by ``picture``.
"""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.layout import Layout
from satsweep.render.board_geometry import BEST_COLOUR, COVERED_COLOUR, LEFT, TOP, BoardGeometry
from satsweep.render.board_text import variant_remarks
from satsweep.render.elements import add, svg_text
from satsweep.render.svg_parts import (
    LINE,
    STYLE,
    disc,
    frame,
    legend_box,
    legend_frame,
    open_cell,
    start,
    subheadings,
    variant_sentences,
    with_tip,
    wrapped,
)
from satsweep.text import counted

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
    remarks = board_remarks(board)
    geometry = BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarks))
    width = max(LEFT + geometry.width + 20, LEAST_WIDTH)
    text = list(wrapped_lines(lines, width))
    legend = TEXT_LINE + 14 if names else 0
    bottom = geometry.top + geometry.height
    title = f"Minesweeper board, {board.rows} rows of {board.cols}"
    height = bottom + 24 + legend + TEXT_LINE * len(text)
    described = variant_sentences(board.topology, board.clues) + description
    drawn = start(width, height, title, described, heading, geometry.adapt_style(PICTURE_STYLE))
    subheadings(drawn, remarks)
    board_cells(drawn, board, look_of, marks, geometry)
    _legend(drawn, names, bool(scope), bottom + 16)
    text_lines(drawn, text, bottom + 16 + legend)
    yield svg_text(drawn)


def board_remarks(board: Board) -> list[str]:
    return wrapped(variant_remarks(board.topology, board.clues), LEAST_WIDTH)


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
