"""Why, as a picture: the board with the numbers that matter marked, and the argument below it.

A thick frame is around the numbers that are the reason (or that cannot all be true), the cells they speak about are
shaded, and the cell that is asked about has a frame of another colour and says what it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.layout import Layout
from satsweep.render.analysis_svg import (
    LINE,
    STYLE,
    disc,
    escaped,
    frame,
    open_cell,
    opening,
    sample,
    special,
    subheadings,
    wrapped,
)
from satsweep.render.cell_look import BEST_COLOUR, heat
from satsweep.render.explanation_text import corrected, undecided_sentence
from satsweep.render.facts import count, percent, remarks
from satsweep.render.shapes import LEFT, TOP, Places
from satsweep.solver.analysis import Analysis
from satsweep.why.guesses import RankedGuess
from satsweep.why.sentences import argument_in_words, conflict_in_words
from satsweep.why.values import Conflict, Explanation, Undecided

CLUE_COLOUR, SCOPE_COLOUR, COVERED_COLOUR, WRONG_COLOUR = "#e69f00", "#bfe0f5", "#c8c8c8", "#d55e00"
_SAFE, _MINE = heat(Fraction(0)), heat(Fraction(1))
_LINE, _TEXT = 19, 13
_LEAST_WIDTH, _GAP = 660, 36
_STYLE = f"""{STYLE}\
    .open .clue {{ font-weight: bold; font-size: 16px; fill: #1a1a1a }}
    .said text {{ font-size: {_TEXT}px }}
"""

Drawn = tuple[str, str, str]
"""How a covered cell is drawn: its colour, its label and what is said when one points at it."""


def to_svg(why: Explanation | Undecided | Conflict, *, exact: bool = False) -> Iterator[str]:
    """Why a cell is what it is, or why the board cannot be, as one SVG file."""
    match why:
        case Explanation():
            return _reason(why)
        case Undecided():
            return _undecided(why, exact)
        case Conflict():
            return _conflict(why)


def _reason(reason: Explanation) -> Iterator[str]:
    board, told = reason.board, argument_in_words(reason)
    heading = f"{reason.cell} is {'a mine' if reason.mine else 'safe'}: {told.rule}"
    scope = _scope(board, reason.clues)
    kind = "mine" if reason.mine else "safe"

    def drawn(cell: Cell) -> Drawn:
        if cell == reason.cell:
            return _MINE if reason.mine else _SAFE, kind, kind
        return _plain(board, cell, scope)

    lines = [(step.text, len(step.supposing) - (step.rule == "suppose")) for step in told.steps]
    marks = {**dict.fromkeys(reason.clues, CLUE_COLOUR), reason.cell: BEST_COLOUR}
    names = [(BEST_COLOUR, "the cell"), *([(CLUE_COLOUR, "the numbers behind it")] if reason.clues else [])]
    yield from _page(board, heading, str(told), drawn, marks, names, scope, lines)


def _conflict(conflict: Conflict) -> Iterator[str]:
    board, told = conflict.board, conflict_in_words(conflict)
    scope = _scope(board, conflict.clues)
    lines = [(step.text, len(step.supposing) - (step.rule == "suppose")) for step in told.steps]
    lines += [(line, 0) for line in corrected(conflict)]
    marks = dict.fromkeys(conflict.clues, WRONG_COLOUR)
    names = [(WRONG_COLOUR, "cannot all be true")] if conflict.clues else []
    heading = "No layout agrees with this board"
    yield from _page(board, heading, str(told), lambda cell: _plain(board, cell, scope), marks, names, scope, lines)


def ranking_to_svg(analysis: Analysis, ranked: Sequence[RankedGuess], *, exact: bool = False) -> Iterator[str]:
    """The guesses on the board, each with its rank in the colour of its risk."""
    board = analysis.board
    ranks = {cell: number for number, candidate in enumerate(ranked, 1) for cell in candidate.cells}

    def drawn(cell: Cell) -> Drawn:
        if cell in ranks:
            risk = ranked[ranks[cell] - 1].risk
            return heat(risk), str(ranks[cell]), f"rank {ranks[cell]}, risk {percent(risk, exact)}"
        return COVERED_COLOUR, "", "covered"

    lines = [(_candidate(number, candidate, exact), 0) for number, candidate in enumerate(ranked, 1)]
    marks = dict.fromkeys(ranked[0].cells, BEST_COLOUR) if ranked else {}
    heading = "No cell is known to be safe: the best guesses"
    yield from _page(board, heading, heading, drawn, marks, [(BEST_COLOUR, "the best guess")], frozenset(), lines)


def forced_to_svg(analysis: Analysis, reasons: Sequence[Explanation]) -> Iterator[str]:
    """All forced cells on the board; the reason of each is said when one points at it."""
    board = analysis.board
    told = {reason.cell: (reason.mine, argument_in_words(reason)) for reason in reasons}

    def drawn(cell: Cell) -> Drawn:
        if cell in told:
            mine, why = told[cell]
            return _MINE if mine else _SAFE, "mine" if mine else "safe", f"{'mine' if mine else 'safe'}. {why}"
        return COVERED_COLOUR, "", "not forced"

    heading = f"{count(len(told))} forced cells: point at one for its reason"
    yield from _page(board, heading, heading, drawn, {}, [], frozenset(), [])


def _candidate(number: int, candidate: RankedGuess, exact: bool) -> str:
    cells = len(candidate.cells)
    tied = f" and {cells - 1:,} as good as it" if cells > 1 else ""
    said = f"{number}. {candidate.cells[0]}{tied}: risk {percent(candidate.risk, exact)}"
    if candidate.progress is None or candidate.expected_safe is None:
        return said
    safe = f"{float(candidate.expected_safe):.2f}"
    return f"{said}; then a safe cell follows with {percent(candidate.progress, exact)}, {safe} to be expected"


def _page(
    board: Board,
    heading: str,
    description: str,
    drawn: Callable[[Cell], Drawn],
    marks: Mapping[Cell, str],
    names: Sequence[tuple[str, str]],
    scope: frozenset[Cell],
    lines: Sequence[tuple[str, int]],
) -> Iterator[str]:
    """One board, what its colours mean, and sentences, each so far in."""
    remarked = _remarks(board)
    places = Places(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarked))
    width = max(LEFT + places.width + 20, _LEAST_WIDTH)
    said = list(_wrapped(lines, width))
    legend = _LINE + 14 if names else 0
    bottom = places.top + places.height
    title = f"Minesweeper board, {board.rows} rows of {board.cols}"
    height = bottom + 24 + legend + _LINE * len(said)
    described = special(board.topology, board.clues) + escaped(description)
    yield from opening(width, height, title, described, escaped(heading), places.styled(_STYLE))
    yield from subheadings(remarked)
    yield from _board(board, drawn, marks, places)
    yield from _legend(names, bool(scope), bottom + 16)
    yield from _said(said, bottom + 16 + legend)
    yield "</svg>\n"


def _remarks(board: Board) -> list[str]:
    return wrapped(remarks(board.topology, board.clues), _LEAST_WIDTH)


def _undecided(undecided: Undecided, exact: bool) -> Iterator[str]:
    """Two worlds side by side, or one below the other where the board is wide."""
    board, cell = undecided.board, undecided.cell
    remarked = _remarks(board)
    first = Places(board.rows, board.cols, board.topology, top=TOP + LINE * len(remarked) + _LINE)
    across, down = first.width, first.height
    side_by_side = 2 * across < 1400
    width = max(LEFT + across * (2 if side_by_side else 1) + (LEFT + _GAP if side_by_side else 0) + 20, _LEAST_WIDTH)
    beside = replace(first, left=LEFT + across + LEFT + _GAP)
    second = beside if side_by_side else replace(first, top=first.top + down + TOP)
    bottom = second.top + down
    said = list(_wrapped([(undecided_sentence(undecided, exact), 0)], width))
    title = f"Two worlds of a Minesweeper board, {board.rows} rows of {board.cols}"
    height = bottom + 24 + _LINE * len(said)
    heading = f"{cell} may be a mine or safe"
    described = special(board.topology, board.clues) + escaped(undecided_sentence(undecided, exact))
    yield from opening(width, height, title, described, heading, first.styled(_STYLE))
    yield from subheadings(remarked)
    for places, world, kind in ((first, undecided.mined, "a mine"), (second, undecided.safe, "safe")):
        text = f"A world in which it is {kind}"
        yield f'  <text x="{places.left}" y="{places.top - 28}" font-size="12">{text}</text>\n'
        yield from _board(board, _in_world(world), {cell: BEST_COLOUR}, places)
    yield from _said(said, bottom + 16)
    yield "</svg>\n"


def _in_world(world: Layout) -> Callable[[Cell], Drawn]:
    def drawn(cell: Cell) -> Drawn:
        return (_MINE, MINE, "a mine") if world.is_mine(cell) else (SCOPE_COLOUR, "", "safe")

    return drawn


def _scope(board: Board, clues: Sequence[Cell]) -> frozenset[Cell]:
    """The covered cells that clues speak about."""
    near = {cell for clue in clues for cell in (*board.neighbours(clue), clue)}
    return frozenset(cell for cell in near if board.is_covered(cell))


def _plain(board: Board, cell: Cell, scope: frozenset[Cell]) -> Drawn:
    label = "F" if board[cell] == FLAG else ""
    return SCOPE_COLOUR if cell in scope else COVERED_COLOUR, label, "a flag" if label else "covered"


def _board(board: Board, drawn: Callable[[Cell], Drawn], marks: Mapping[Cell, str], places: Places) -> Iterator[str]:
    yield from places.ground()
    for covered in (False, True):
        yield f'  <g class="cells {"covered" if covered else "open"}">\n'
        for cell in board:
            if (board[cell] in (COVERED, FLAG)) == covered:
                if covered:
                    yield _covered(cell, drawn(cell), places)
                else:
                    zero = not board.clues.proves_zero(0)
                    yield open_cell(board[cell], cell, places, clue=cell in marks, zero=zero)
        yield "  </g>\n"
    yield from places.names()
    for cell, colour in marks.items():
        # Frames around neighbours stay apart; that of the cell in question leaves room for a word.
        inset = 1 if board.is_covered(cell) else 3
        yield f"  {frame(places.shape, places.middle(cell), colour, inset)}\n"


def _covered(cell: Cell, drawn: Drawn, places: Places) -> str:
    colour, label, said = drawn
    x, y = places.middle(cell)
    forced = ' class="forced"' if label in ("safe", "mine") else ""
    text = f'<text x="{x}" y="{y}"{forced}>{label}</text>' if label else ""
    mark = disc((x, y), places.shape.mine) if label == MINE else text
    return f"    <g><title>{cell}: {escaped(said)}</title>{places.cell(cell, colour)}{mark}</g>\n"


def _legend(names: Sequence[tuple[str, str]], scope: bool, y: int) -> Iterator[str]:
    if not names:
        return
    yield '  <g class="foot">\n'
    x = LEFT
    for colour, name in names:
        yield f'    {sample(x + 2, y, 16, colour)}<text x="{x + 28}" y="{y + 13}">{name}</text>\n'
        x += 52 + 7 * len(name)
    if scope:
        yield f'    <rect x="{x}" y="{y - 1}" width="18" height="18" fill="{SCOPE_COLOUR}"/>'
        yield f'<text x="{x + 26}" y="{y + 13}">covered cells that they touch</text>\n'
    yield "  </g>\n"


def _wrapped(lines: Sequence[tuple[str, int]], width: int) -> Iterator[tuple[str, int]]:
    """Lines that fit, by an average width of a letter that leaves room for wide ones."""
    for line, deeper in lines:
        fit = int((width - LEFT - 20) / (0.54 * _TEXT)) - 3 * deeper
        for piece in textwrap.wrap(line.strip(), max(fit, 30)):
            yield piece, deeper + line.startswith(" ")


def _said(lines: Sequence[tuple[str, int]], y: int) -> Iterator[str]:
    if not lines:
        return
    yield '  <g class="said">\n'
    for number, (line, deeper) in enumerate(lines):
        yield f'    <text x="{LEFT + 18 * deeper}" y="{y + 13 + number * _LINE}">{escaped(line)}</text>\n'
    yield "  </g>\n"
