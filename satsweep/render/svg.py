"""An analysis as a picture: one SVG file that needs nothing else, on a light background.

It has a title and a description for those who do not see it, and a tip on every covered cell for those who point
at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from satsweep.analysis import Analysis
from satsweep.render.facts import best_move, count, percent
from satsweep.render.squares import BEST_COLOUR, UNKNOWN_COLOUR, Square, heat, squares

SIDE = 36
LEFT, TOP, FOOT = 40, 66, 64
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


def to_svg(analysis: Analysis, *, exact: bool = False) -> Iterator[str]:
    """The heat map; ``exact`` writes fractions in the tips."""
    board = analysis.board
    width = max(LEFT + board.cols * SIDE + 20, 560)
    height = TOP + board.rows * SIDE + FOOT
    title = f"Minesweeper board, {board.rows} rows of {board.cols}: the risk of every covered cell"
    yield from opening(width, height, title, _description(analysis, exact), _heading(analysis))
    yield from axes(board.rows, board.cols)
    yield from _cells(analysis, exact)
    yield from _foot(TOP + board.rows * SIDE + 26, not analysis.complete)
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


def _heading(analysis: Analysis) -> str:
    worlds = "" if analysis.worlds is None else f", {count(analysis.worlds)} worlds"
    return f"Best move: {best_move(analysis)}{worlds}"


def _description(analysis: Analysis, exact: bool) -> str:
    prior = "not told" if analysis.board.mines is None else f"{analysis.board.mines}"
    known = f"{len(analysis.safe)} are safe, {len(analysis.mines)} are mines, {len(analysis.unknown)} are not counted"
    move = best_move(analysis, exact)
    covered = f"Of {len(analysis.odds)} covered cells {known}"
    return f"Mines: {prior}. {covered}. Best move: {move}. Cells are named row,column from 0 at the top left."


def axes(rows: int, cols: int, left: int = LEFT, top: int = TOP) -> Iterator[str]:
    """The numbers of rows and columns around a board that starts there."""
    yield '  <g class="axis">\n'
    for col in range(cols):
        yield f'    <text x="{_middle(left, col)}" y="{top - 12}">{col}</text>\n'
    for row in range(rows):
        yield f'    <text x="{left - 16}" y="{_middle(top, row)}">{row}</text>\n'
    yield "  </g>\n"


def _middle(start: int, number: int) -> int:
    return start + number * SIDE + SIDE // 2


def _cells(analysis: Analysis, exact: bool) -> Iterator[str]:
    rows = squares(analysis)
    for group in ("open", "covered"):
        yield f'  <g class="cells {group}">\n'
        for row, line in enumerate(rows):
            for col, square in enumerate(line):
                if square.covered == (group == "covered"):
                    yield _cell(square, row, col, exact)
        yield "  </g>\n"
    if analysis.best is not None:
        x, y = LEFT + analysis.best.col * SIDE, TOP + analysis.best.row * SIDE
        yield f"  {outline(x, y, SIDE)}\n"


def _cell(square: Square, row: int, col: int, exact: bool) -> str:
    x, y = LEFT + col * SIDE, TOP + row * SIDE
    rect = f'x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"'
    middle = f'x="{x + SIDE // 2}" y="{y + SIDE // 2}"'
    if square.kind == "revealed":
        disc = f'<circle cx="{x + SIDE // 2}" cy="{y + SIDE // 2}" r="{SIDE // 4}" fill="#1a1a1a"/>'
        return f"    <g><title>{row},{col}: a revealed mine</title><rect {rect}/>{disc}</g>\n"
    if square.kind == "open":
        number = "" if square.label == "." else f"<text {middle}>{square.label}</text>"
        return f"    <rect {rect}/>{number}\n"
    said = _LABELS.get(square.kind) or "not counted"
    if square.kind == "risk" and square.risk is not None:
        said = f"risk {percent(square.risk, exact)}"
    tip = f"<title>{row},{col}: {escaped(said)}</title>"
    forced = ' class="forced"' if square.kind in _LABELS else ""
    text = f"<text {middle}{forced}>{escaped(_label(square))}</text>"
    return f'    <g>{tip}<rect {rect} fill="{square.fill}"/>{text}</g>\n'


def _label(square: Square) -> str:
    label = _LABELS.get(square.kind, square.label)
    return f"{label.removeprefix('0')}%" if square.kind == "risk" else label


def outline(x: int, y: int, side: int, colour: str = BEST_COLOUR) -> str:
    """A mark around a cell, as of the best move; the white line below keeps it visible beside every colour."""
    rect = f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="none"'
    return f'{rect} stroke="#ffffff" stroke-width="7"/>{rect} stroke="{colour}" stroke-width="4"/>'


def _foot(y: int, unknown: bool) -> Iterator[str]:
    """What the colours mean."""
    yield '  <g class="foot">\n    <linearGradient id="satsweep-risk">\n'
    for tenth in range(0, 11, 5):
        yield f'      <stop offset="{tenth * 10}%" stop-color="{heat(Fraction(tenth, 10))}"/>\n'
    yield "    </linearGradient>\n"
    yield f'    <text x="{LEFT}" y="{y + 13}">0 % risk</text>\n'
    yield f'    <rect x="{LEFT + 56}" y="{y}" width="150" height="18" fill="url(#satsweep-risk)"/>\n'
    yield f'    <text x="{LEFT + 212}" y="{y + 13}">100 %</text>\n'
    yield f'    {outline(LEFT + 276, y - 1, 20)}<text x="{LEFT + 304}" y="{y + 13}">best move</text>\n'
    if unknown:
        yield f'    <rect x="{LEFT + 388}" y="{y}" width="18" height="18" fill="{UNKNOWN_COLOUR}"/>'
        yield f'<text x="{LEFT + 412}" y="{y + 13}">? not counted</text>\n'
    yield "  </g>\n"


def escaped(text: str) -> str:
    """Text as it stands in an SVG file."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
