"""Explanations as text and JSON: marked boards, arguments, ranked guesses.

Brackets are around the cell that is explained, parentheses around the numbers behind it.
"""

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from satsweep.analysis.candidates import Candidate
from satsweep.board import Board, Cell
from satsweep.formats.strict import JsonText, json_text, lines
from satsweep.handwritten import unambiguous
from satsweep.render.board_text import (
    SAFE_IN_WORLD,
    bracketed_lines,
    column_numbers,
    header_lines,
    numbered_rows,
    rows_of_world,
    side_by_side,
)
from satsweep.render.number_text import about_percent, cell_list, fraction, percent, rounded_and_exact
from satsweep.why.phrases import place
from satsweep.why.sentences import Argument, ArgumentStep, argument_in_words, conflict_in_words, correction_in_words
from satsweep.why.values import Conflict, Explanation, Undecided

WIDTH = 100
"""Default width of text."""

MOST_CORRECTIONS = 10
"""Most corrections of a conflict that are listed."""

AROUND = 2
"""Rows and columns shown around marked cells of a board that is too wide."""

_WINS = "wins: the chance to win with best play after it. "
_ACROSS, _HEXAGONS = 3, 4
"""Width of a cell: even for hexagons, which are shifted by half of it."""


def to_text(why: Explanation | Undecided | Conflict, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    """Yield an explanation of a cell or of an impossible board, line by line.

    >>> print(*to_text(Explanation(Board(("#1.", "11.")), Cell(0, 0), True, (Cell(0, 1),))), sep="")
    0,0 is a mine: single point
    <BLANKLINE>
       0  1  2
    0 [#](1) .
    1  1  1  .
    <BLANKLINE>
    [ ] the cell, ( ) the numbers behind it
    <BLANKLINE>
    The 1 at row 0, column 1 needs one mine and has only one cell for it, so row 0, column 0 is a mine.
    <BLANKLINE>
    """
    match why:
        case Explanation():
            lines = _explanation(why, width or WIDTH)
        case Undecided():
            lines = _undecided(why, exact, width)
        case Conflict():
            lines = _conflict(why, width or WIDTH)
    for line in lines:
        yield f"{line}\n"


def _explanation(explanation: Explanation, width: int) -> Iterator[str]:
    argument = argument_in_words(explanation)
    yield f"{explanation.cell} is {'a mine' if explanation.mine else 'safe'}: {argument.rule}"
    yield ""
    yield from marked_board(explanation.board, [explanation.cell], explanation.clues, width)
    yield ""
    total = f", and the mine total, {explanation.board.mines}" if explanation.total else ""
    numbers = "( ) the numbers behind it" if explanation.clues else "no number is needed"
    yield f"[ ] the cell, {numbers}{total}"
    yield ""
    yield from argument_lines(argument, width)


def _undecided(undecided: Undecided, exact: bool, width: int | None) -> Iterator[str]:
    board, cell = undecided.board, undecided.cell
    yield undecided_sentence(undecided, exact)
    yield ""
    worlds = (undecided.mined, undecided.safe)
    mined, safe = (bracketed_lines(board, rows_of_world(board, world), [cell]) for world in worlds)
    legend = f"{cell} is a mine (* mine, {SAFE_IN_WORLD} safe)"
    yield from side_by_side([legend, *mined], [f"{cell} is safe", *safe], width)
    yield from header_lines(board)


def undecided_sentence(undecided: Undecided, exact: bool = False) -> str:
    known = "" if undecided.risk is None else f" Its risk is {percent(undecided.risk, exact)}."
    where = place(undecided.cell)
    return f"{where.capitalize()} may be a mine or safe: each of these worlds agrees with the board.{known}"


def _conflict(conflict: Conflict, width: int) -> Iterator[str]:
    yield "no world agrees with this board"
    yield ""
    yield from marked_board(conflict.board, (), conflict.clues, width)
    yield ""
    if conflict.clues:
        yield "( ) what cannot all be true"
        yield ""
    yield from argument_lines(conflict_in_words(conflict), width)
    yield ""
    yield from correction_lines(conflict)


def correction_lines(conflict: Conflict) -> Iterator[str]:
    """Corrections of a conflict, the likeliest first, a line each."""
    if conflict.as_part:
        yield f"Is this a part of a larger board? As one it is possible: part {conflict.as_part}."
        yield ""
    found = conflict.corrections
    if not found:
        yield "No single change would make the board possible: more than one thing is wrong."
        return
    yield "The board would be possible with"
    for correction in found[:MOST_CORRECTIONS]:
        yield f"  {correction_in_words(conflict.board, correction)}"
    if left := found[MOST_CORRECTIONS:]:
        yield f"  or one of {len(left):,} more corrections" if len(left) > 1 else "  or one more correction"


def explanation_paragraphs(explanations: Iterable[Explanation], width: int | None = None) -> Iterator[str]:
    for explanation in explanations:
        argument = argument_in_words(explanation)
        first = f"{explanation.cell} is {'a mine' if explanation.mine else 'safe'} ({argument.rule}): "
        for line in textwrap.wrap(first + str(argument), width or WIDTH, subsequent_indent="    "):
            yield f"{line}\n"


def ranking_table(ranked: Sequence[Sequence[Candidate]], *, exact: bool = False) -> Iterator[str]:
    """Yield a table of guesses, the best first, line by line.

    >>> from satsweep.analysis.analyse import analyse
    >>> guesses = analyse(Board(("#1#", "1##", "###"), mines=2)).advice.guesses
    >>> print(*ranking_table(guesses[:2]), sep="")
    rank  cell         wins     risk  safe cell follows  expected  tied
       1  0,0       66.67 %  16.67 %              100 %      2.40     1
       2  0,2       66.67 %  33.33 %              100 %      1.75     2
    <BLANKLINE>
    wins: the chance to win with best play after it. risk: of a mine. safe cell follows: how likely a covered cell
    is safe after that, if this one was. expected: how many cells are. tied: cells as good as this one.
    <BLANKLINE>
    """
    table: list[tuple[str, ...]] = [("rank", "cell", "wins", "risk", "safe cell follows", "expected", "tied")]
    for number, equals in enumerate(ranked, 1):
        candidate = equals[0]
        wins = "not known" if candidate.win is None else _chance(candidate.win, exact)
        progress = "not known" if candidate.progress is None else percent(candidate.progress, exact)
        expected = "not known" if candidate.expected_safe is None else _average(candidate.expected_safe, exact)
        tied = f"{len(equals):,}"
        risk = percent(candidate.risk, exact)
        table.append((str(number), str(candidate.cell), wins, risk, progress, expected, tied))
    known = any(own.win is not None for equals in ranked for own in equals)
    if not known:
        table = [row[:2] + row[3:] for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    widths[1], widths[2] = max(widths[1], 7), max(widths[2], 8)
    for row in table:
        cells = (
            f"{text:<{wide}}" if at == 1 else f"{text:>{wide}}"
            for at, (text, wide) in enumerate(zip(row, widths, strict=True))
        )
        yield f"{'  '.join(cells).rstrip()}\n"
    yield "\n"
    for line in textwrap.wrap(
        f"{_WINS if known else ''}risk: of a mine. safe cell follows: how likely a covered cell is safe after that, if "
        "this one was. "
        "expected: how many cells are. tied: cells as good as this one.",
        110,
    ):
        yield f"{line}\n"
    best = [own.cell for own in ranked[0]] if ranked else []
    if len(best) > 1:
        yield f"\nas good as {best[0]}: {cell_list(best[1:])}\n"


def _chance(win: Fraction | float, exact: bool) -> str:
    return percent(win, exact) if isinstance(win, Fraction) else about_percent(win)


def _average(number: Fraction, exact: bool) -> str:
    return fraction(number) if exact else f"{float(number):.2f}"


def marked_board(board: Board, cells: Collection[Cell], clues: Collection[Cell], width: int = WIDTH) -> Iterator[str]:
    """A board with brackets around cells and parentheses around clues.

    Of a board that is too wide, only rows and columns near these are shown.
    """
    margin = len(str(board.rows - 1))
    rows, columns = range(board.rows), range(board.cols)
    across = _HEXAGONS if board.topology.is_hexagonal else _ACROSS
    if margin + across * board.cols > width:
        rows, columns = _window(board, [*cells, *clues])
    yield column_numbers(columns, margin + _ACROSS - across, across).rstrip()
    symbols = unambiguous(board.cells)
    marks = dict.fromkeys(clues, "()") | dict.fromkeys(cells, "[]")
    for row, head in numbered_rows(board.topology, board.rows, rows, across):
        if row is None:
            yield ""
            continue
        shown = (symbols[row][col].join(marks.get(Cell(row, col), "  ")).ljust(across) for col in columns)
        yield f"{head} {''.join(shown)}".rstrip()


def _window(board: Board, cells: Sequence[Cell]) -> tuple[range, range]:
    """Rows and columns near some cells; without any cell, those near the first one."""
    places = cells or [Cell(0, 0)]
    rows, cols = [cell.row for cell in places], [cell.col for cell in places]
    return (
        range(max(0, min(rows) - AROUND), min(board.rows, max(rows) + AROUND + 1)),
        range(max(0, min(cols) - AROUND), min(board.cols, max(cols) + AROUND + 1)),
    )


def argument_lines(argument: Argument, width: int = WIDTH) -> Iterator[str]:
    """Steps of an argument, wrapped, and indented by the number of suppositions."""
    for step in argument.steps:
        indent = "  " * depth_of(step)
        yield from textwrap.wrap(step.text, max(width, 40), initial_indent=indent, subsequent_indent=indent)


def depth_of(step: ArgumentStep) -> int:
    """Number of suppositions that a step of an argument stands under."""
    return len(step.supposing) - (step.rule == "suppose")


def to_json(why: Explanation | Undecided | Conflict, *, remarks: Sequence[str] = ()) -> Iterator[str]:
    """Yield JSON, as ``schemas/reason.schema.json`` describes it.

    ``remarks`` are on how the board was read.
    """
    match why:
        case Explanation():
            key, value = "reason", explanation_values(why)
        case Undecided():
            key, value = "undecided", undecided_values(why)
        case Conflict():
            key, value = "conflict", conflict_values(why)
    yield from _lines({key: value}, remarks)


def forced_to_json(
    explanations: Iterable[Explanation], ranked: Sequence[Sequence[Candidate]], *, remarks: Sequence[str] = ()
) -> Iterator[str]:
    values: dict[str, object] = {"reasons": [explanation_values(explanation) for explanation in explanations]}
    yield from _lines(values | {"candidates": [candidate_values(candidate) for candidate in ranked]}, remarks)


def _lines(values: dict[str, object], remarks: Sequence[str]) -> Iterator[str]:
    """JSON in which each member of each field has a line of its own."""
    fields = {}
    for key, value in (values | ({"remarks": list(remarks)} if remarks else {})).items():
        if isinstance(value, dict):
            fields[key] = JsonText(textwrap.indent(json_text(value), "  ").strip())
        else:
            assert isinstance(value, list)
            fields[key] = lines(value)
    yield json_text(fields)


def explanation_values(explanation: Explanation) -> dict[str, object]:
    return {
        "cell": explanation.cell,
        "mine": explanation.mine,
        "clues": explanation.clues,
        "total": explanation.total,
        "smallest": explanation.smallest,
        **_argument_values(argument_in_words(explanation)),
    }


def _argument_values(argument: Argument) -> dict[str, object]:
    steps = [
        {
            "said": step.text,
            "rule": step.rule,
            "clues": step.clues,
            "total": step.total,
            "supposing": [{"cell": cell, "mine": mine} for cell, mine in step.supposing],
            "cells": step.cells,
            "mine": step.mine if step.cells else None,
        }
        for step in argument.steps
    ]
    return {"rule": argument.rule, "text": argument.text, "steps": steps}


def undecided_values(undecided: Undecided) -> dict[str, object]:
    return {
        "cell": undecided.cell,
        **rounded_and_exact("risk", undecided.risk),
        "mined": undecided.mined.cells,
        "safe": undecided.safe.cells,
    }


def conflict_values(conflict: Conflict) -> dict[str, object]:
    corrections = [
        {"cell": correction.cell, "shown": correction.shown, "instead": correction.instead}
        for correction in conflict.corrections
    ]
    return {
        "clues": conflict.clues,
        "total": conflict.total,
        "smallest": conflict.smallest,
        **_argument_values(conflict_in_words(conflict)),
        "corrections": corrections,
        "as_part": str(conflict.as_part) if conflict.as_part else None,
    }


def candidate_values(equals: Sequence[Candidate]) -> dict[str, object]:
    candidate = equals[0]
    win = candidate.win
    return {
        "cells": [own.cell for own in equals],
        "tied": len(equals),
        "win": None if win is None else float(win),
        "win_exact": fraction(win) if isinstance(win, Fraction) else None,
        "dead": candidate.dead,
        **rounded_and_exact("risk", candidate.risk),
        **rounded_and_exact("progress", candidate.progress),
        **rounded_and_exact("expected_safe", candidate.expected_safe),
    }
