"""An analysis as an SVG picture: a heat map with a tip on every covered cell."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from satsweep.board import Cell
from satsweep.render.advice_text import move_in_words
from satsweep.render.board_geometry import LEFT, TOP, BoardGeometry
from satsweep.render.cell_look import UNKNOWN_COLOUR, ShownCell, heat, shown_cells
from satsweep.render.number_text import count, percent
from satsweep.render.svg_parts import (
    LINE,
    STYLE,
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
from satsweep.solver.analysis import Analysis

FOOT = 64
_LABELS = {"safe": "safe", "mine": "mine"}
_LEAST_WIDTH = 560


def to_svg(analysis: Analysis, *, exact: bool = False) -> Iterator[str]:
    """Yield the heat map; ``exact`` writes fractions in the tips."""
    board = analysis.board
    remarks = wrapped(variant_remarks(board.topology, board.clues), _LEAST_WIDTH)
    geometry = BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarks))
    width = max(LEFT + geometry.width + 20, _LEAST_WIDTH)
    bottom = geometry.top + geometry.height
    title = f"Minesweeper board, {board.rows} rows of {board.cols}: the risk of every covered cell"
    description = variant_sentences(board.topology, board.clues) + _description(analysis, exact)
    yield from svg_start(width, bottom + FOOT, title, description, _heading(analysis), geometry.adapt_style(STYLE))
    yield from subheadings(remarks)
    yield from geometry.background()
    yield from _cells(analysis, geometry, exact)
    yield from _foot(bottom + 26, not analysis.complete)
    yield "</svg>\n"


def _heading(analysis: Analysis) -> str:
    """Best move and number of worlds."""
    worlds = "" if analysis.worlds is None else f", {count(analysis.worlds)} world{'s' * (analysis.worlds != 1)}"
    return f"Best move: {move_in_words(analysis.advice)}{worlds}"


def _description(analysis: Analysis, exact: bool) -> str:
    """Description for screen readers."""
    prior = "not told" if analysis.board.mines is None else f"{analysis.board.mines}"
    known = f"{len(analysis.safe)} are safe, {len(analysis.mines)} are mines, {len(analysis.unknown)} are not counted"
    move = move_in_words(analysis.advice, exact)
    covered = f"Of {len(analysis.odds)} covered cells {known}"
    return f"Mines: {prior}. {covered}. Best move: {move}. Cells are named row,column from 0 at the top left."


def _cells(analysis: Analysis, geometry: BoardGeometry, exact: bool) -> Iterator[str]:
    """All cells, their names, and the frame of the best move."""
    rows, zeros = shown_cells(analysis), not analysis.board.clues.proves_zero(0)
    for group in ("open", "covered"):
        yield f'  <g class="cells {group}">\n'
        for row, line in enumerate(rows):
            for col, shown in enumerate(line):
                if shown.covered == (group == "covered"):
                    yield _cell(shown, Cell(row, col), geometry, exact, zeros)
        yield "  </g>\n"
    yield from geometry.cell_names()
    if analysis.best is not None:
        yield f"  {frame(geometry.shape, geometry.middle(analysis.best))}\n"


def _cell(shown: ShownCell, cell: Cell, geometry: BoardGeometry, exact: bool, zeros: bool) -> str:
    """A cell with its tip."""
    if not shown.covered:
        return open_cell(shown.label, cell, geometry, zero=zeros)
    x, y = geometry.middle(cell)
    known = _LABELS.get(shown.kind) or "not counted"
    if shown.kind == "risk" and shown.risk is not None:
        known = f"risk {percent(shown.risk, exact)}"
    tip = f"<title>{cell}: {escaped(known)}</title>"
    forced = ' class="forced"' if shown.kind in _LABELS else ""
    text = f'<text x="{x}" y="{y}"{forced}>{escaped(_label(shown))}</text>'
    return f"    <g>{tip}{geometry.outline(cell, shown.fill)}{text}</g>\n"


def _label(shown: ShownCell) -> str:
    """Label of a covered cell."""
    label = _LABELS.get(shown.kind, shown.label)
    return f"{label.removeprefix('0')}%" if shown.kind == "risk" else label


def _foot(y: int, unknown: bool) -> Iterator[str]:
    """Legend of the colours."""
    yield '  <g class="foot">\n    <linearGradient id="satsweep-risk">\n'
    for tenth in range(0, 11, 5):
        yield f'      <stop offset="{tenth * 10}%" stop-color="{heat(Fraction(tenth, 10))}"/>\n'
    yield "    </linearGradient>\n"
    yield f'    <text x="{LEFT}" y="{y + 13}">0 % risk</text>\n'
    yield f'    <rect x="{LEFT + 56}" y="{y}" width="150" height="18" fill="url(#satsweep-risk)"/>\n'
    yield f'    <text x="{LEFT + 212}" y="{y + 13}">100 %</text>\n'
    yield f'    {legend_frame(LEFT + 276, y - 1, 20)}<text x="{LEFT + 304}" y="{y + 13}">best move</text>\n'
    if unknown:
        yield f'    <rect x="{LEFT + 388}" y="{y}" width="18" height="18" fill="{UNKNOWN_COLOUR}"/>'
        yield f'<text x="{LEFT + 412}" y="{y + 13}">?? not counted</text>\n'
    yield "  </g>\n"
