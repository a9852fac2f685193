"""An analysis as an SVG picture: a heat map with a tip on every covered cell."""

from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from satsweep.analysis.analysis import Analysis
from satsweep.analysis.candidates import MoveAdvice
from satsweep.board import Cell
from satsweep.render import board_svg
from satsweep.render.advice_text import move_in_words
from satsweep.render.analysis_text import ShownCell, shown_cells
from satsweep.render.board_geometry import LEFT, BoardGeometry, CellShape, Point, add, svg_text
from satsweep.render.colours import UNKNOWN_COLOUR, heat
from satsweep.render.number_text import count, percent

FOOT = 64
_MARKS = 24
"""Height of a second line of the legend."""
_DEAD, _UNAVOIDABLE = "tells nothing", "a guess that cannot be avoided"
_LABELS = {"safe": "safe", "mine": "mine"}
_LEAST_WIDTH = 560
_TOSS_COLOUR = "#8a3ffc"


def to_svg(analysis: Analysis, *, exact: bool = False) -> Iterator[str]:
    """Yield the heat map; ``exact`` writes fractions in the tips."""
    board = analysis.board
    move, _, wins = move_in_words(analysis.advice).partition("; ")
    sheet = board_svg.Sheet(board, board.clues, _LEAST_WIDTH, last=filter(None, [wins]))
    title = f"Minesweeper board, {board.rows} rows of {board.cols}: the risk of every covered cell"
    height = sheet.bottom + FOOT + _MARKS * bool(analysis.advice.dead or analysis.advice.unavoidable)
    heading = _heading(analysis, move)
    drawn = sheet.begin(height, title, _description(analysis, exact), heading, board_svg.STYLE)
    if analysis.advice.dead:
        turned = {"width": 7, "height": 7, "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
        hatch = add(add(drawn, "defs"), "pattern", id="satsweep-dead", **turned)
        add(hatch, "rect", width=2, height=7, fill="#1a1a1a", fill_opacity=0.32)
    sheet.geometry.background(drawn)
    _cells(drawn, analysis, sheet.geometry, exact)
    _foot(drawn, sheet.bottom + 26, not analysis.complete)
    _legend_of_marks(drawn, sheet.bottom + 26 + _MARKS, analysis.advice)
    yield svg_text(drawn)


def _heading(analysis: Analysis, move: str) -> str:
    worlds = "" if analysis.worlds is None else f", {count(analysis.worlds)} world{'s' * (analysis.worlds != 1)}"
    return f"Best move: {move}{worlds}"


def _description(analysis: Analysis, exact: bool) -> str:
    prior = "not told" if analysis.board.mines is None else f"{analysis.board.mines}"
    known = f"{len(analysis.safe)} are safe, {len(analysis.mines)} are mines, {len(analysis.unknown)} are not counted"
    move = move_in_words(analysis.advice, exact)
    covered = f"Of {len(analysis.odds)} covered cells {known}"
    return f"Mines: {prior}. {covered}. Best move: {move}. Cells are named row,column from 0 at the top left."


def _cells(drawn: Element, analysis: Analysis, geometry: BoardGeometry, exact: bool) -> None:
    rows, zeros = shown_cells(analysis.board, analysis.risks), not analysis.board.clues.proves_zero(0)
    remarks = _remarks(analysis.advice)
    for kind in ("open", "covered"):
        group = add(drawn, "g", class_=f"cells {kind}")
        for row, line in enumerate(rows):
            for col, shown in enumerate(line):
                cell = Cell(row, col)
                if shown.covered != (kind == "covered"):
                    continue
                if shown.covered:
                    _covered(group, shown, cell, geometry, exact, remarks.get(cell, ()))
                else:
                    board_svg.open_cell(group, shown.label, cell, geometry, zero=zeros)
    geometry.cell_names(drawn)
    for cell, said in remarks.items():
        if _UNAVOIDABLE in said:
            _dashed(drawn, geometry.shape, geometry.middle(cell))
    if analysis.best is not None:
        board_svg.frame(drawn, geometry.shape, geometry.middle(analysis.best))


def _remarks(advice: MoveAdvice) -> dict[Cell, tuple[str, ...]]:
    found: dict[Cell, tuple[str, ...]] = dict.fromkeys(advice.dead, (_DEAD,))
    for cell in [cell for guess in advice.unavoidable for cell in guess.cells]:
        found[cell] = (*found.get(cell, ()), _UNAVOIDABLE)
    return found


def _dashed(parent: Element, shape: CellShape, middle: Point) -> None:
    """The dashed frame of an unavoidable guess, within that of the best move."""
    shape.draw(parent, middle, 4, fill="none", stroke=_TOSS_COLOUR, stroke_width=2, stroke_dasharray="5 3")


def _covered(
    parent: Element, shown: ShownCell, cell: Cell, geometry: BoardGeometry, exact: bool, remarks: tuple[str, ...]
) -> None:
    x, y = geometry.middle(cell)
    known = _LABELS.get(shown.kind) or "not counted"
    if shown.kind == "risk" and shown.risk is not None:
        known = f"risk {percent(Fraction(shown.risk), exact)}"
    group = board_svg.with_tip(parent, f"{cell}: {', '.join((known, *remarks))}")
    geometry.outline(group, cell, shown.fill)
    if _DEAD in remarks:
        geometry.outline(group, cell, "url(#satsweep-dead)")
    add(group, "text", _label(shown), x=x, y=y, class_="forced" if shown.kind in _LABELS else None)


def _label(shown: ShownCell) -> str:
    label = _LABELS.get(shown.kind, shown.label)
    return f"{label.removesuffix('%')}%" if shown.kind == "risk" else label


def _foot(drawn: Element, y: int, unknown: bool) -> None:
    foot = add(drawn, "g", class_="foot")
    colours = add(foot, "linearGradient", id="satsweep-risk")
    for tenth in range(0, 11, 5):
        add(colours, "stop", offset=f"{tenth * 10}%", stop_color=heat(Fraction(tenth, 10)))
    add(foot, "text", "0 % risk", x=LEFT, y=y + 13)
    board_svg.legend_box(foot, LEFT + 56, y, "url(#satsweep-risk)", 150)
    add(foot, "text", "100 %", x=LEFT + 212, y=y + 13)
    board_svg.legend_frame(foot, LEFT + 276, y - 1, 20)
    add(foot, "text", "best move", x=LEFT + 304, y=y + 13)
    if unknown:
        board_svg.legend_box(foot, LEFT + 388, y, UNKNOWN_COLOUR)
        add(foot, "text", "?? not counted", x=LEFT + 412, y=y + 13)


def _legend_of_marks(drawn: Element, y: int, advice: MoveAdvice) -> None:
    if not (advice.dead or advice.unavoidable):
        return
    foot, x = add(drawn, "g", class_="foot marks"), LEFT
    if advice.dead:
        board_svg.legend_box(foot, x, y, "#dddddd")
        board_svg.legend_box(foot, x, y, "url(#satsweep-dead)")
        add(foot, "text", _DEAD, x=x + 28, y=y + 13)
        x += 140
    if advice.unavoidable:
        _dashed(foot, CellShape(26, 26, 13, 13), (x + 9, y + 9))
        add(foot, "text", _UNAVOIDABLE, x=x + 28, y=y + 13)
