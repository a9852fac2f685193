"""Boards as SVG pictures: cells, frames, a legend and lines of text.

Explanations, conflicts and single boards are drawn by ``picture``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.layout import Layout
from satsweep.render.board_geometry import LEFT, TOP, BoardGeometry
from satsweep.render.cell_look import BEST_COLOUR, COVERED_COLOUR
from satsweep.render.svg_parts import (
    LINE,
    STYLE,
    disc,
    escaped,
    frame,
    legend_frame,
    open_cell,
    subheadings,
    svg_start,
    variant_sentences,
    wrapped,
)
from satsweep.render.variants import variant_remarks
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
    """Yield the picture of a board as a player sees it."""
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
    described = variant_sentences(board.topology, board.clues) + escaped(description)
    yield from svg_start(width, height, title, described, escaped(heading), geometry.adapt_style(PICTURE_STYLE))
    yield from subheadings(remarks)
    yield from board_cells(board, look_of, marks, geometry)
    yield from _legend(names, bool(scope), bottom + 16)
    yield from text_lines(text, bottom + 16 + legend)
    yield "</svg>\n"


def board_remarks(board: Board) -> list[str]:
    """Remarks on topology and clues, wrapped."""
    return wrapped(variant_remarks(board.topology, board.clues), LEAST_WIDTH)


def plain_look(board: Board, cell: Cell, scope: frozenset[Cell] = frozenset()) -> CellLook:
    """Look of a covered cell that is not explained."""
    label = "F" if board[cell] == FLAG else ""
    return CellLook(SCOPE_COLOUR if cell in scope else COVERED_COLOUR, label, "a flag" if label else "covered")


def board_cells(
    board: Board, look_of: Callable[[Cell], CellLook], marks: Mapping[Cell, str], geometry: BoardGeometry
) -> Iterator[str]:
    """All cells, with frames in the colours of ``marks``."""
    yield from geometry.background()
    for covered in (False, True):
        yield f'  <g class="cells {"covered" if covered else "open"}">\n'
        for cell in board:
            if (board[cell] in (COVERED, FLAG)) == covered:
                if covered:
                    yield _covered(cell, look_of(cell), geometry)
                else:
                    zero = not board.clues.proves_zero(0)
                    yield open_cell(board[cell], cell, geometry, clue=cell in marks, zero=zero)
        yield "  </g>\n"
    yield from geometry.cell_names()
    for cell, colour in marks.items():
        # Frames of neighbours stay apart; that of the explained cell leaves room for its label.
        inset = 1 if board.is_covered(cell) else 3
        yield f"  {frame(geometry.shape, geometry.middle(cell), colour, inset)}\n"


def _covered(cell: Cell, look: CellLook, geometry: BoardGeometry) -> str:
    """A covered cell with its tip."""
    x, y = geometry.middle(cell)
    forced = ' class="forced"' if look.label in ("safe", "mine") else ""
    text = f'<text x="{x}" y="{y}"{forced}>{look.label}</text>' if look.label else ""
    mark = disc((x, y), geometry.shape.mine) if look.label == MINE else text
    return f"    <g><title>{cell}: {escaped(look.tip)}</title>{geometry.outline(cell, look.colour)}{mark}</g>\n"


def _legend(names: Sequence[tuple[str, str]], scope: bool, y: int) -> Iterator[str]:
    """Legend of the frames, and of shaded cells if there are any."""
    if not names:
        return
    yield '  <g class="foot">\n'
    x = LEFT
    for colour, name in names:
        yield f'    {legend_frame(x + 2, y, 16, colour)}<text x="{x + 28}" y="{y + 13}">{name}</text>\n'
        x += 52 + 7 * len(name)
    if scope:
        yield f'    <rect x="{x}" y="{y - 1}" width="18" height="18" fill="{SCOPE_COLOUR}"/>'
        yield f'<text x="{x + 26}" y="{y + 13}">covered cells that they touch</text>\n'
    yield "  </g>\n"


def wrapped_lines(lines: Sequence[tuple[str, int]], width: int) -> Iterator[tuple[str, int]]:
    """Wrap lines to the width of the picture, indented by their depth."""
    for line, depth in lines:
        # 0.54 of the type size is an average width of letters that leaves room for wide ones.
        fit = int((width - LEFT - 20) / (0.54 * _TEXT)) - 3 * depth
        for piece in textwrap.wrap(line.strip(), max(fit, 30)):
            yield piece, depth + line.startswith(" ")


def text_lines(lines: Sequence[tuple[str, int]], y: int) -> Iterator[str]:
    """Lines of text below the board, indented by their depth."""
    if not lines:
        return
    yield '  <g class="said">\n'
    for number, (line, depth) in enumerate(lines):
        yield f'    <text x="{LEFT + 18 * depth}" y="{y + 13 + number * TEXT_LINE}">{escaped(line)}</text>\n'
    yield "  </g>\n"
