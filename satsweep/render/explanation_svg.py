"""Explanations as SVG pictures: a marked board, and the argument below it.

A thick frame is around the numbers that are the reason (or that cannot all be true), the covered cells that they touch
are shaded, and the cell that is explained has a frame of another colour and a label.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from satsweep.analysis.analysis import Analysis
from satsweep.analysis.candidates import Candidate
from satsweep.board import MINE, Board, Cell
from satsweep.layout import Layout
from satsweep.render import board_svg
from satsweep.render.advice_text import win_in_words
from satsweep.render.board_geometry import LEFT, TOP, add, svg_text
from satsweep.render.board_svg import CellLook
from satsweep.render.colours import BEST_COLOUR, CLUE_COLOUR, COVERED_COLOUR, WRONG_COLOUR, heat
from satsweep.render.explanation_text import correction_lines, depth_of, undecided_sentence
from satsweep.render.number_text import percent
from satsweep.text import counted
from satsweep.why.sentences import Argument, argument_in_words, conflict_in_words
from satsweep.why.values import Conflict, Explanation, Undecided

_GAP = 36
_SAFE, _MINE = heat(Fraction(0)), heat(Fraction(1))


def to_svg(why: Explanation | Undecided | Conflict, *, exact: bool = False) -> Iterator[str]:
    """Yield a picture that explains a cell, or a board that no world agrees with."""
    match why:
        case Explanation():
            return _explanation(why)
        case Undecided():
            return _undecided(why, exact)
        case Conflict():
            return _conflict(why)


def _explanation(explanation: Explanation) -> Iterator[str]:
    board, argument = explanation.board, argument_in_words(explanation)
    heading = f"{explanation.cell} is {'a mine' if explanation.mine else 'safe'}: {argument.rule}"
    scope = _scope(board, explanation.clues)

    def look_of(cell: Cell) -> CellLook:
        return _forced_look(explanation.mine) if cell == explanation.cell else board_svg.plain_look(board, cell, scope)

    marks = {**dict.fromkeys(explanation.clues, CLUE_COLOUR), explanation.cell: BEST_COLOUR}
    names = [(BEST_COLOUR, "the cell"), *([(CLUE_COLOUR, "the numbers behind it")] if explanation.clues else [])]
    yield from board_svg.picture(board, heading, str(argument), look_of, marks, names, scope, _argument_lines(argument))


def _conflict(conflict: Conflict) -> Iterator[str]:
    board, argument = conflict.board, conflict_in_words(conflict)
    scope = _scope(board, conflict.clues)
    lines = [*_argument_lines(argument), *((line, 0) for line in correction_lines(conflict))]
    marks = dict.fromkeys(conflict.clues, WRONG_COLOUR)
    names = [(WRONG_COLOUR, "cannot all be true")] if conflict.clues else []
    heading = "No world agrees with this board"

    def look_of(cell: Cell) -> CellLook:
        return board_svg.plain_look(board, cell, scope)

    yield from board_svg.picture(board, heading, str(argument), look_of, marks, names, scope, lines)


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
    yield from board_svg.picture(board, heading, heading, look_of, marks, names, lines=lines)


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

    heading = f"{counted(len(arguments), 'forced cell')}: point at one for its reason"
    yield from board_svg.picture(board, heading, heading, look_of, {})


def _argument_lines(argument: Argument) -> list[tuple[str, int]]:
    return [(step.text, depth_of(step)) for step in argument.steps]


def _guess_line(number: int, equals: Sequence[Candidate], exact: bool) -> str:
    candidate, cells = equals[0], len(equals)
    tied = f" and {cells - 1:,} as good as it" if cells > 1 else ""
    line = f"{number}. {candidate.cell}{tied}: risk {percent(candidate.risk, exact)}"
    if candidate.win is not None:
        line += f", {win_in_words(candidate.win, exact)}"
    if candidate.progress is None or candidate.expected_safe is None:
        return line
    safe = f"{float(candidate.expected_safe):.2f}"
    return f"{line}; then a safe cell follows with {percent(candidate.progress, exact)}, {safe} to be expected"


def _undecided(undecided: Undecided, exact: bool) -> Iterator[str]:
    """Picture of two worlds, side by side, or one below the other on wide boards."""
    board, cell = undecided.board, undecided.cell
    sheet = board_svg.Sheet(board, board.clues, board_svg.LEAST_WIDTH, room=board_svg.TEXT_LINE)
    first = sheet.geometry
    across, down = first.width, first.height
    side_by_side = 2 * across < 1400
    needed = LEFT + across * (2 if side_by_side else 1) + (LEFT + _GAP if side_by_side else 0) + 20
    sheet.width = max(needed, board_svg.LEAST_WIDTH)
    beside, below = replace(first, left=LEFT + across + LEFT + _GAP), replace(first, top=first.top + down + TOP)
    second = beside if side_by_side else below
    bottom = second.top + down
    sentence = undecided_sentence(undecided, exact)
    text = list(board_svg.wrapped_lines([(sentence, 0)], sheet.width))
    title = f"Two worlds of a Minesweeper board, {board.rows} rows of {board.cols}"
    height = bottom + 24 + board_svg.TEXT_LINE * len(text)
    heading = f"{cell} may be a mine or safe"
    drawn = sheet.begin(height, title, sentence, heading, board_svg.PICTURE_STYLE)
    for geometry, world, kind in ((first, undecided.mined, "a mine"), (second, undecided.safe, "safe")):
        caption = f"A world in which it is {kind}"
        add(drawn, "text", caption, x=geometry.left, y=geometry.top - 28, font_size=12)
        board_svg.board_cells(drawn, board, partial(_world_look, world), {cell: BEST_COLOUR}, geometry)
    board_svg.text_lines(drawn, text, bottom + 16)
    yield svg_text(drawn)


def _world_look(world: Layout, cell: Cell) -> CellLook:
    return CellLook(_MINE, MINE, "a mine") if world.is_mine(cell) else CellLook(board_svg.SCOPE_COLOUR, "", "safe")


def _forced_look(mine: bool) -> CellLook:
    return CellLook(_MINE, "mine", "mine") if mine else CellLook(_SAFE, "safe", "safe")


def _scope(board: Board, clues: Sequence[Cell]) -> frozenset[Cell]:
    """Covered cells that clues touch, and clues that are covered themselves: flags."""
    near = {cell for clue in clues for cell in (*board.neighbours(clue), clue)}
    return frozenset(cell for cell in near if board.is_covered(cell))
