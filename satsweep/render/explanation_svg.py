"""Explanations as SVG pictures: a marked board, and the argument below it.

A thick frame is around the numbers that are the reason (or that cannot all be true), the covered cells that they touch
are shaded, and the cell that is explained has a frame of another colour and a label.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.layout import Layout
from satsweep.render.advice_text import win_in_words
from satsweep.render.board_geometry import LEFT, TOP, BoardGeometry
from satsweep.render.cell_look import BEST_COLOUR, CLUE_COLOUR, COVERED_COLOUR, WRONG_COLOUR, heat
from satsweep.render.explanation_text import correction_lines, depth_of, undecided_sentence
from satsweep.render.number_text import count, percent
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
from satsweep.solver.advice import Candidate
from satsweep.solver.analysis import Analysis
from satsweep.why.sentences import Argument, argument_in_words, conflict_in_words
from satsweep.why.values import Conflict, Explanation, Undecided

SCOPE_COLOUR = "#bfe0f5"
_SAFE, _MINE = heat(Fraction(0)), heat(Fraction(1))
_LINE, _TEXT = 19, 13
_LEAST_WIDTH, _GAP = 660, 36
_STYLE = f"""{STYLE}\
    .open .clue {{ font-weight: bold; font-size: 16px; fill: #1a1a1a }}
    .said text {{ font-size: {_TEXT}px }}
"""


class CellLook(NamedTuple):
    """Look of a covered cell: its colour, its label, and the text of its tip."""

    colour: str
    label: str
    tip: str


def to_svg(why: Explanation | Undecided | Conflict, *, exact: bool = False) -> Iterator[str]:
    """Yield a picture that explains a cell, or a board that no layout agrees with."""
    match why:
        case Explanation():
            return _explanation(why)
        case Undecided():
            return _undecided(why, exact)
        case Conflict():
            return _conflict(why)


def _explanation(explanation: Explanation) -> Iterator[str]:
    """Picture of the reason of a forced cell."""
    board, argument = explanation.board, argument_in_words(explanation)
    heading = f"{explanation.cell} is {'a mine' if explanation.mine else 'safe'}: {argument.rule}"
    scope = _scope(board, explanation.clues)

    def look_of(cell: Cell) -> CellLook:
        return _forced_look(explanation.mine) if cell == explanation.cell else _plain_look(board, cell, scope)

    marks = {**dict.fromkeys(explanation.clues, CLUE_COLOUR), explanation.cell: BEST_COLOUR}
    names = [(BEST_COLOUR, "the cell"), *([(CLUE_COLOUR, "the numbers behind it")] if explanation.clues else [])]
    yield from _picture(board, heading, str(argument), look_of, marks, names, scope, _argument_lines(argument))


def _conflict(conflict: Conflict) -> Iterator[str]:
    """Picture of a conflict."""
    board, argument = conflict.board, conflict_in_words(conflict)
    scope = _scope(board, conflict.clues)
    lines = [*_argument_lines(argument), *((line, 0) for line in correction_lines(conflict))]
    marks = dict.fromkeys(conflict.clues, WRONG_COLOUR)
    names = [(WRONG_COLOUR, "cannot all be true")] if conflict.clues else []
    heading = "No layout agrees with this board"

    def look_of(cell: Cell) -> CellLook:
        return _plain_look(board, cell, scope)

    yield from _picture(board, heading, str(argument), look_of, marks, names, scope, lines)


def ranking_to_svg(analysis: Analysis, ranked: Sequence[Sequence[Candidate]], *, exact: bool = False) -> Iterator[str]:
    """Yield a picture of the best guesses: their ranks, in the colours of risks."""
    board = analysis.board
    ranks = {own.cell: number for number, equals in enumerate(ranked, 1) for own in equals}

    def look_of(cell: Cell) -> CellLook:
        if cell in ranks:
            risk = ranked[ranks[cell] - 1][0].risk
            return CellLook(heat(risk), str(ranks[cell]), f"rank {ranks[cell]}, risk {percent(risk, exact)}")
        return CellLook(COVERED_COLOUR, "", "covered")

    lines = [(_guess_line(number, equals, exact), 0) for number, equals in enumerate(ranked, 1)]
    marks = {own.cell: BEST_COLOUR for own in ranked[0]} if ranked else {}
    heading = "No cell is known to be safe: the best guesses"
    names = [(BEST_COLOUR, "the best guess")]
    yield from _picture(board, heading, heading, look_of, marks, names, frozenset(), lines)


def forced_to_svg(analysis: Analysis, explanations: Sequence[Explanation]) -> Iterator[str]:
    """Yield a picture of all forced cells; the reason of each is in its tip."""
    board = analysis.board
    arguments = {explanation.cell: (explanation.mine, argument_in_words(explanation)) for explanation in explanations}

    def look_of(cell: Cell) -> CellLook:
        if cell not in arguments:
            return CellLook(COVERED_COLOUR, "", "not forced")
        mine, argument = arguments[cell]
        look = _forced_look(mine)
        return look._replace(tip=f"{look.tip}. {argument}")

    heading = f"{count(len(arguments))} forced cells: point at one for its reason"
    yield from _picture(board, heading, heading, look_of, {}, [], frozenset(), [])


def _argument_lines(argument: Argument) -> list[tuple[str, int]]:
    """Steps of an argument, each with its depth."""
    return [(step.text, depth_of(step)) for step in argument.steps]


def _guess_line(number: int, equals: Sequence[Candidate], exact: bool) -> str:
    """Equally good guesses in words."""
    candidate, cells = equals[0], len(equals)
    tied = f" and {cells - 1:,} as good as it" if cells > 1 else ""
    line = f"{number}. {candidate.cell}{tied}: risk {percent(candidate.risk, exact)}"
    if candidate.win is not None:
        line += f", {win_in_words(candidate.win, exact)}"
    if candidate.progress is None or candidate.expected_safe is None:
        return line
    safe = f"{float(candidate.expected_safe):.2f}"
    return f"{line}; then a safe cell follows with {percent(candidate.progress, exact)}, {safe} to be expected"


def _picture(
    board: Board,
    heading: str,
    description: str,
    look_of: Callable[[Cell], CellLook],
    marks: Mapping[Cell, str],
    names: Sequence[tuple[str, str]],
    scope: frozenset[Cell],
    lines: Sequence[tuple[str, int]],
) -> Iterator[str]:
    """A picture of one board, with a legend, and lines of text, each with its depth."""
    remarks = _remarks(board)
    geometry = BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarks))
    width = max(LEFT + geometry.width + 20, _LEAST_WIDTH)
    text = list(_wrapped(lines, width))
    legend = _LINE + 14 if names else 0
    bottom = geometry.top + geometry.height
    title = f"Minesweeper board, {board.rows} rows of {board.cols}"
    height = bottom + 24 + legend + _LINE * len(text)
    described = variant_sentences(board.topology, board.clues) + escaped(description)
    yield from svg_start(width, height, title, described, escaped(heading), geometry.adapt_style(_STYLE))
    yield from subheadings(remarks)
    yield from _board(board, look_of, marks, geometry)
    yield from _legend(names, bool(scope), bottom + 16)
    yield from _text(text, bottom + 16 + legend)
    yield "</svg>\n"


def _remarks(board: Board) -> list[str]:
    """Remarks on topology and clues, wrapped."""
    return wrapped(variant_remarks(board.topology, board.clues), _LEAST_WIDTH)


def _undecided(undecided: Undecided, exact: bool) -> Iterator[str]:
    """Picture of two worlds, side by side, or one below the other on wide boards."""
    board, cell = undecided.board, undecided.cell
    remarks = _remarks(board)
    first = BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarks) + _LINE)
    across, down = first.width, first.height
    side_by_side = 2 * across < 1400
    width = max(LEFT + across * (2 if side_by_side else 1) + (LEFT + _GAP if side_by_side else 0) + 20, _LEAST_WIDTH)
    beside, below = replace(first, left=LEFT + across + LEFT + _GAP), replace(first, top=first.top + down + TOP)
    second = beside if side_by_side else below
    bottom = second.top + down
    sentence = undecided_sentence(undecided, exact)
    text = list(_wrapped([(sentence, 0)], width))
    title = f"Two worlds of a Minesweeper board, {board.rows} rows of {board.cols}"
    height = bottom + 24 + _LINE * len(text)
    heading = f"{cell} may be a mine or safe"
    described = variant_sentences(board.topology, board.clues) + escaped(sentence)
    yield from svg_start(width, height, title, described, heading, first.adapt_style(_STYLE))
    yield from subheadings(remarks)
    for geometry, world, kind in ((first, undecided.mined, "a mine"), (second, undecided.safe, "safe")):
        caption = f"A world in which it is {kind}"
        yield f'  <text x="{geometry.left}" y="{geometry.top - 28}" font-size="12">{caption}</text>\n'
        yield from _board(board, partial(_world_look, world), {cell: BEST_COLOUR}, geometry)
    yield from _text(text, bottom + 16)
    yield "</svg>\n"


def _world_look(world: Layout, cell: Cell) -> CellLook:
    """Look of a covered cell in a world."""
    return CellLook(_MINE, MINE, "a mine") if world.is_mine(cell) else CellLook(SCOPE_COLOUR, "", "safe")


def _forced_look(mine: bool) -> CellLook:
    """Look of a forced cell."""
    return CellLook(_MINE, "mine", "mine") if mine else CellLook(_SAFE, "safe", "safe")


def _scope(board: Board, clues: Sequence[Cell]) -> frozenset[Cell]:
    """Covered cells that clues touch, and clues that are covered themselves: flags."""
    near = {cell for clue in clues for cell in (*board.neighbours(clue), clue)}
    return frozenset(cell for cell in near if board.is_covered(cell))


def _plain_look(board: Board, cell: Cell, scope: frozenset[Cell]) -> CellLook:
    """Look of a covered cell that is not explained."""
    label = "F" if board[cell] == FLAG else ""
    return CellLook(SCOPE_COLOUR if cell in scope else COVERED_COLOUR, label, "a flag" if label else "covered")


def _board(
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


def _wrapped(lines: Sequence[tuple[str, int]], width: int) -> Iterator[tuple[str, int]]:
    """Wrap lines to the width of the picture, indented by their depth."""
    for line, depth in lines:
        # 0.54 of the type size is an average width of letters that leaves room for wide ones.
        fit = int((width - LEFT - 20) / (0.54 * _TEXT)) - 3 * depth
        for piece in textwrap.wrap(line.strip(), max(fit, 30)):
            yield piece, depth + line.startswith(" ")


def _text(lines: Sequence[tuple[str, int]], y: int) -> Iterator[str]:
    """Lines of text below the board, indented by their depth."""
    if not lines:
        return
    yield '  <g class="said">\n'
    for number, (line, depth) in enumerate(lines):
        yield f'    <text x="{LEFT + 18 * depth}" y="{y + 13 + number * _LINE}">{escaped(line)}</text>\n'
    yield "  </g>\n"
