"""An analysis as an SVG picture: a heat map with a tip on every covered cell."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from satsweep.board import Cell
from satsweep.render.advice_text import move_in_words
from satsweep.render.board_geometry import LEFT, TOP, BoardGeometry, CellShape
from satsweep.render.cell_look import UNKNOWN_COLOUR, ShownCell, heat, shown_cells
from satsweep.render.graph_layout import Point
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
from satsweep.solver.advice import MoveAdvice
from satsweep.solver.analysis import Analysis

FOOT = 64
_MARKS = 24
"""Height of a second line of the legend."""
_DEAD, _UNAVOIDABLE = "tells nothing", "a guess that cannot be avoided"
_LABELS = {"safe": "safe", "mine": "mine"}
_LEAST_WIDTH = 560
_TOSS_COLOUR = "#8a3ffc"
_HATCH = (
    '  <defs><pattern id="satsweep-dead" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="2" height="7" fill="#1a1a1a" fill-opacity="0.32"/></pattern></defs>\n'
)


def to_svg(analysis: Analysis, *, exact: bool = False) -> Iterator[str]:
    """Yield the heat map; ``exact`` writes fractions in the tips."""
    board = analysis.board
    move, _, wins = move_in_words(analysis.advice).partition("; ")
    remarks = wrapped([*variant_remarks(board.topology, board.clues), *([wins] if wins else [])], _LEAST_WIDTH)
    geometry = BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarks))
    width = max(LEFT + geometry.width + 20, _LEAST_WIDTH)
    bottom = geometry.top + geometry.height
    title = f"Minesweeper board, {board.rows} rows of {board.cols}: the risk of every covered cell"
    description = variant_sentences(board.topology, board.clues) + _description(analysis, exact)
    marked = bool(analysis.advice.dead or analysis.advice.unavoidable)
    yield from svg_start(
        width,
        bottom + FOOT + _MARKS * marked,
        title,
        description,
        _heading(analysis, move),
        geometry.adapt_style(STYLE),
    )
    yield _HATCH if analysis.advice.dead else ""
    yield from subheadings(remarks)
    yield from geometry.background()
    yield from _cells(analysis, geometry, exact)
    yield from _foot(bottom + 26, not analysis.complete)
    yield from _legend_of_marks(bottom + 26 + _MARKS, analysis.advice)
    yield "</svg>\n"


def _heading(analysis: Analysis, move: str) -> str:
    """Best move and number of worlds."""
    worlds = "" if analysis.worlds is None else f", {count(analysis.worlds)} world{'s' * (analysis.worlds != 1)}"
    return f"Best move: {move}{worlds}"


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
    remarks = _remarks(analysis.advice)
    for group in ("open", "covered"):
        yield f'  <g class="cells {group}">\n'
        for row, line in enumerate(rows):
            for col, shown in enumerate(line):
                if shown.covered == (group == "covered"):
                    yield _cell(shown, Cell(row, col), geometry, exact, zeros, remarks.get(Cell(row, col), ()))
        yield "  </g>\n"
    yield from geometry.cell_names()
    for cell, said in remarks.items():
        if _UNAVOIDABLE in said:
            yield f"  {_dashed(geometry.shape, geometry.middle(cell))}\n"
    if analysis.best is not None:
        yield f"  {frame(geometry.shape, geometry.middle(analysis.best))}\n"


def _remarks(advice: MoveAdvice) -> dict[Cell, tuple[str, ...]]:
    """Words for the marks of cells: dead ones, and unavoidable guesses."""
    found: dict[Cell, tuple[str, ...]] = dict.fromkeys(advice.dead, (_DEAD,))
    for cell in [cell for guess in advice.unavoidable for cell in guess.cells]:
        found[cell] = (*found.get(cell, ()), _UNAVOIDABLE)
    return found


def _dashed(shape: CellShape, middle: Point) -> str:
    """The dashed frame of an unavoidable guess, within that of the best move."""
    return shape.drawn(middle, f' fill="none" stroke="{_TOSS_COLOUR}" stroke-width="2" stroke-dasharray="5 3"', 4)


def _cell(
    shown: ShownCell, cell: Cell, geometry: BoardGeometry, exact: bool, zeros: bool, remarks: tuple[str, ...]
) -> str:
    """A cell with its tip."""
    if not shown.covered:
        return open_cell(shown.label, cell, geometry, zero=zeros)
    x, y = geometry.middle(cell)
    known = _LABELS.get(shown.kind) or "not counted"
    if shown.kind == "risk" and shown.risk is not None:
        known = f"risk {percent(shown.risk, exact)}"
    tip = f"<title>{cell}: {escaped(', '.join((known, *remarks)))}</title>"
    forced = ' class="forced"' if shown.kind in _LABELS else ""
    text = f'<text x="{x}" y="{y}"{forced}>{escaped(_label(shown))}</text>'
    hatch = geometry.outline(cell, "url(#satsweep-dead)") if _DEAD in remarks else ""
    return f"    <g>{tip}{geometry.outline(cell, shown.fill)}{hatch}{text}</g>\n"


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


def _legend_of_marks(y: int, advice: MoveAdvice) -> Iterator[str]:
    """Legend of the marks that occur, in a line of their own."""
    if not (advice.dead or advice.unavoidable):
        return
    x = LEFT
    yield '  <g class="foot marks">\n'
    if advice.dead:
        yield f'    <rect x="{x}" y="{y}" width="18" height="18" fill="#dddddd"/>'
        yield f'<rect x="{x}" y="{y}" width="18" height="18" fill="url(#satsweep-dead)"/>'
        yield f'<text x="{x + 28}" y="{y + 13}">{_DEAD}</text>\n'
        x += 140
    if advice.unavoidable:
        yield f"    {_dashed(CellShape(26, 26, 13, 13), (x + 9, y + 9))}"
        yield f'<text x="{x + 28}" y="{y + 13}">{_UNAVOIDABLE}</text>\n'
    yield "  </g>\n"
