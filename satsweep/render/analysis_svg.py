"""An analysis as a picture: one SVG file that needs nothing else, on a light background.

It has a title and a description for those who do not see it, and a tip on every covered cell for those who point
at it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction

from satsweep.board import HIDDEN, MINE, NUMBER_OF, Cell
from satsweep.clues import Clues
from satsweep.render.cell_look import BEST_COLOUR, UNKNOWN_COLOUR, Square, heat, squares
from satsweep.render.facts import best_move, count, percent, remarks
from satsweep.render.graph_layout import Point
from satsweep.render.shapes import LEFT, TOP, CellShape, Places
from satsweep.solver.analysis import Analysis
from satsweep.topology import Topology

FOOT = 64
LINE = 18
"""So high is a line below the heading."""
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
_LABELS = {"safe": "safe", "mine": "mine"}
_LEAST_WIDTH = 560


def to_svg(analysis: Analysis, *, exact: bool = False) -> Iterator[str]:
    """The heat map; ``exact`` writes fractions in the tips."""
    board = analysis.board
    said = wrapped(remarks(board.topology, board.clues), _LEAST_WIDTH)
    places = Places(board.rows, board.cols, board.topology, top=TOP + LINE * len(said))
    width = max(LEFT + places.width + 20, _LEAST_WIDTH)
    bottom = places.top + places.height
    title = f"Minesweeper board, {board.rows} rows of {board.cols}: the risk of every covered cell"
    description = special(board.topology, board.clues) + _description(analysis, exact)
    yield from opening(width, bottom + FOOT, title, description, _heading(analysis), places.styled(STYLE))
    yield from subheadings(said)
    yield from places.ground()
    yield from _cells(analysis, places, exact)
    yield from _foot(bottom + 26, not analysis.complete)
    yield "</svg>\n"


def opening(width: int, height: int, title: str, description: str, heading: str, style: str = STYLE) -> Iterator[str]:
    """The start of a picture, up to what is drawn; the end is ``</svg>``."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
    yield f'height="{height}" role="img" aria-labelledby="satsweep-title satsweep-description">\n'
    yield f'  <title id="satsweep-title">{title}</title>\n'
    yield f'  <desc id="satsweep-description">{description}</desc>\n'
    yield f"  <style>\n{style}  </style>\n"
    yield f'  <rect width="{width}" height="{height}" fill="#ffffff"/>\n'
    yield f'  <text x="{LEFT}" y="26" font-size="16" font-weight="bold">{heading}</text>\n'


def subheadings(lines: Iterable[str]) -> Iterator[str]:
    """Lines below the heading. What is drawn below them has to begin so many times ``LINE`` further down."""
    for number, line in enumerate(lines):
        yield f'  <text x="{LEFT}" y="{46 + number * LINE}" font-size="12">{line}</text>\n'


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Such lines so that they fit into a picture of this width, escaped."""
    fit = int((width - LEFT - 20) / 6.6)
    return [escaped(piece) for line in lines for piece in textwrap.wrap(line, fit)]


def special(topology: Topology, clues: Clues) -> str:
    """What is not as on other boards, in sentences of a description."""
    return escaped("".join(f"{line[0].upper()}{line[1:]}. " for line in remarks(topology, clues)))


def _heading(analysis: Analysis) -> str:
    worlds = "" if analysis.worlds is None else f", {count(analysis.worlds)} world{'s' * (analysis.worlds != 1)}"
    return f"Best move: {best_move(analysis)}{worlds}"


def _description(analysis: Analysis, exact: bool) -> str:
    prior = "not told" if analysis.board.mines is None else f"{analysis.board.mines}"
    known = f"{len(analysis.safe)} are safe, {len(analysis.mines)} are mines, {len(analysis.unknown)} are not counted"
    move = best_move(analysis, exact)
    covered = f"Of {len(analysis.odds)} covered cells {known}"
    return f"Mines: {prior}. {covered}. Best move: {move}. Cells are named row,column from 0 at the top left."


def _cells(analysis: Analysis, places: Places, exact: bool) -> Iterator[str]:
    rows, zeros = squares(analysis), not analysis.board.clues.proves_zero(0)
    for group in ("open", "covered"):
        yield f'  <g class="cells {group}">\n'
        for row, line in enumerate(rows):
            for col, square in enumerate(line):
                if square.covered == (group == "covered"):
                    yield _cell(square, Cell(row, col), places, exact, zeros)
        yield "  </g>\n"
    yield from places.names()
    if analysis.best is not None:
        yield f"  {frame(places.shape, places.middle(analysis.best))}\n"


def _cell(square: Square, cell: Cell, places: Places, exact: bool, zeros: bool) -> str:
    if not square.covered:
        return open_cell(square.label, cell, places, zero=zeros)
    x, y = places.middle(cell)
    said = _LABELS.get(square.kind) or "not counted"
    if square.kind == "risk" and square.risk is not None:
        said = f"risk {percent(square.risk, exact)}"
    tip = f"<title>{cell}: {escaped(said)}</title>"
    forced = ' class="forced"' if square.kind in _LABELS else ""
    text = f'<text x="{x}" y="{y}"{forced}>{escaped(_label(square))}</text>'
    return f"    <g>{tip}{places.cell(cell, square.fill)}{text}</g>\n"


def open_cell(symbol: str, cell: Cell, places: Places, *, clue: bool = False, zero: bool = False) -> str:
    """An open cell: its number, ``?`` if it shows nothing, a disc for a mine. Some zeros are written."""
    x, y = places.middle(cell)
    outline = places.cell(cell)
    if symbol == MINE:
        return f"    <g><title>{cell}: a revealed mine</title>{outline}{disc((x, y), places.shape.mine)}</g>\n"
    number = NUMBER_OF.get(symbol)
    label = symbol if number is None else str(number) if number or clue or zero else ""
    style = ' class="clue"' if clue else ""
    text = f'<text x="{x}" y="{y}"{style}>{label}</text>' if label else ""
    if symbol == HIDDEN:
        return f"    <g><title>{cell}: open, but it shows nothing</title>{outline}{text}</g>\n"
    return f"    {outline}{text}\n"


def disc(middle: Point, radius: int, colour: str = "#1a1a1a") -> str:
    """A mine."""
    return f'<circle cx="{middle[0]}" cy="{middle[1]}" r="{radius}" fill="{colour}"/>'


def _label(square: Square) -> str:
    label = _LABELS.get(square.kind, square.label)
    return f"{label.removeprefix('0')}%" if square.kind == "risk" else label


def frame(shape: CellShape, middle: Point, colour: str = BEST_COLOUR, inset: int = 0) -> str:
    """A mark around a cell, as of the best move; the white line below keeps it visible beside every colour."""
    strokes = (("#ffffff", 7), (colour, 4))
    drawn = (f' fill="none" stroke="{stroke}" stroke-width="{width}"' for stroke, width in strokes)
    return "".join(shape.drawn(middle, attributes, inset) for attributes in drawn)


def sample(x: int, y: int, side: int, colour: str = BEST_COLOUR) -> str:
    """Such a mark in a legend."""
    half = side // 2
    return frame(CellShape(side, side, half, half), (x + half, y + half), colour)


def _foot(y: int, unknown: bool) -> Iterator[str]:
    """What the colours mean."""
    yield '  <g class="foot">\n    <linearGradient id="satsweep-risk">\n'
    for tenth in range(0, 11, 5):
        yield f'      <stop offset="{tenth * 10}%" stop-color="{heat(Fraction(tenth, 10))}"/>\n'
    yield "    </linearGradient>\n"
    yield f'    <text x="{LEFT}" y="{y + 13}">0 % risk</text>\n'
    yield f'    <rect x="{LEFT + 56}" y="{y}" width="150" height="18" fill="url(#satsweep-risk)"/>\n'
    yield f'    <text x="{LEFT + 212}" y="{y + 13}">100 %</text>\n'
    yield f'    {sample(LEFT + 276, y - 1, 20)}<text x="{LEFT + 304}" y="{y + 13}">best move</text>\n'
    if unknown:
        yield f'    <rect x="{LEFT + 388}" y="{y}" width="18" height="18" fill="{UNKNOWN_COLOUR}"/>'
        yield f'<text x="{LEFT + 412}" y="{y + 13}">?? not counted</text>\n'
    yield "  </g>\n"


def escaped(text: str) -> str:
    """Text as it stands in an SVG file."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
