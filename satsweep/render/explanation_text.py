"""Why, as text and as JSON: a board with the numbers that matter marked, and sentences; two worlds; ranked guesses.

A bracket is around the cell that is asked about, parentheses are around the numbers behind it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from satsweep.board import Board, Cell
from satsweep.render.audit import SAFE_IN_WORLD, beside, grid, header, world_rows
from satsweep.render.facts import fraction, named, percent
from satsweep.render.grid import begins_plane, ruler, shift
from satsweep.why.guesses import RankedGuess
from satsweep.why.sentences import Argument, argument_in_words, conflict_in_words, correction_in_words
from satsweep.why.values import Conflict, Explanation, Undecided
from satsweep.why.words import place

WIDTH = 100
MOST_CORRECTIONS = 10
AROUND = 2
"""So many rows and columns are shown around what is marked, where the board is too wide for the page."""

_ACROSS, _HEXAGONS = 3, 4
"""How wide a cell is in text; half of it is a whole number where every second row is shifted by that."""


def to_text(why: Explanation | Undecided | Conflict, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    """Why a cell is what it is, or why the board cannot be, a line at a time.

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
            lines = _reason(why, width or WIDTH)
        case Undecided():
            lines = _undecided(why, exact, width)
        case Conflict():
            lines = _conflict(why, width or WIDTH)
    for line in lines:
        yield f"{line}\n"


def _reason(reason: Explanation, width: int) -> Iterator[str]:
    told = argument_in_words(reason)
    yield f"{reason.cell} is {'a mine' if reason.mine else 'safe'}: {told.rule}"
    yield ""
    yield from marked(reason.board, [reason.cell], reason.clues, width)
    yield ""
    total = f", and the mine total, {reason.board.mines}" if reason.total else ""
    behind = "( ) the numbers behind it" if reason.clues else "no number is needed"
    yield f"[ ] the cell, {behind}{total}"
    yield ""
    yield from sentences(told, width)


def _undecided(undecided: Undecided, exact: bool, width: int | None) -> Iterator[str]:
    board, cell = undecided.board, undecided.cell
    yield undecided_sentence(undecided, exact)
    yield ""
    mined, safe = (grid(board, world_rows(board, world), [cell]) for world in (undecided.mined, undecided.safe))
    legend = f"{cell} is a mine (* mine, {SAFE_IN_WORLD} safe)"
    yield from beside([legend, *mined], [f"{cell} is safe", *safe], width)
    yield from header(board)


def undecided_sentence(undecided: Undecided, exact: bool = False) -> str:
    """That a cell is not forced, and its risk."""
    known = "" if undecided.risk is None else f" Its risk is {percent(undecided.risk, exact)}."
    where = place(undecided.cell)
    return f"{where.capitalize()} may be a mine or safe: each of these worlds agrees with the board.{known}"


def _conflict(conflict: Conflict, width: int) -> Iterator[str]:
    yield "no layout agrees with this board"
    yield ""
    yield from marked(conflict.board, (), conflict.clues, width)
    yield ""
    if conflict.clues:
        yield "( ) what cannot all be true"
        yield ""
    yield from sentences(conflict_in_words(conflict), width)
    yield ""
    yield from corrected(conflict)


def corrected(conflict: Conflict) -> Iterator[str]:
    """The corrections, the likeliest first, a line each."""
    found = conflict.corrections
    if not found:
        yield "No single change would make the board possible: more than one thing is wrong."
        return
    yield "The board would be possible with"
    for correction in found[:MOST_CORRECTIONS]:
        yield f"  {correction_in_words(conflict.board, correction)}"
    if len(found) > MOST_CORRECTIONS:
        yield f"  or one of {len(found) - MOST_CORRECTIONS:,} more corrections"


def briefly(reasons: Iterable[Explanation], width: int | None = None) -> Iterator[str]:
    """A paragraph for every forced cell, a line at a time."""
    for reason in reasons:
        told = argument_in_words(reason)
        first = f"{reason.cell} is {'a mine' if reason.mine else 'safe'} ({told.rule}): "
        for line in textwrap.wrap(first + str(told), width or WIDTH, subsequent_indent="    "):
            yield f"{line}\n"


def ranking(ranked: Sequence[RankedGuess], *, exact: bool = False) -> Iterator[str]:
    """Guesses in a table, the best first, a line at a time.

    >>> print(*ranking([RankedGuess((Cell(0, 0), Cell(0, 3)), Fraction(1, 8), Fraction(1, 2), Fraction(7, 4))]), sep="")
    rank  cell         risk  safe cell follows  expected  tied
       1  0,0        12.5 %               50 %      1.75     2
    <BLANKLINE>
    risk: of a mine. safe cell follows: how likely a covered cell is safe after that, if this one was. expected:
    how many cells are. tied: cells as good as this one.
    <BLANKLINE>
    as good as 0,0: 0,3
    <BLANKLINE>
    """
    table = [("rank", "cell", "risk", "safe cell follows", "expected", "tied")]
    for number, candidate in enumerate(ranked, 1):
        progress = "not known" if candidate.progress is None else percent(candidate.progress, exact)
        expected = "not known" if candidate.expected_safe is None else _average(candidate.expected_safe, exact)
        tied = f"{len(candidate.cells):,}"
        risk = percent(candidate.risk, exact)
        table.append((str(number), str(candidate.cells[0]), risk, progress, expected, tied))
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
        "risk: of a mine. safe cell follows: how likely a covered cell is safe after that, if this one was. "
        "expected: how many cells are. tied: cells as good as this one.",
        110,
    ):
        yield f"{line}\n"
    best = ranked[0].cells if ranked else ()
    if len(best) > 1:
        yield f"\nas good as {best[0]}: {named(best[1:])}\n"


def _average(number: Fraction, exact: bool) -> str:
    return fraction(number) if exact else f"{float(number):.2f}"


def marked(board: Board, cells: Collection[Cell], clues: Collection[Cell], width: int = WIDTH) -> Iterator[str]:
    """A board with brackets around cells and parentheses around clues; if it is too wide, only what is near them."""
    margin = len(str(board.rows - 1))
    rows, columns = range(board.rows), range(board.cols)
    across = _HEXAGONS if board.topology.is_hexagonal else _ACROSS
    if margin + across * board.cols > width:
        rows, columns = _window(board, [*cells, *clues])
    yield ruler(columns, margin + _ACROSS - across, across).rstrip()
    marks = dict.fromkeys(clues, "()") | dict.fromkeys(cells, "[]")
    for row in rows:
        if row > rows[0] and begins_plane(board.topology, board.rows, row):
            yield ""
        shown = (board[row, col].join(marks.get(Cell(row, col), "  ")).ljust(across) for col in columns)
        indent = " " * (1 + shift(board.topology, board.rows, row, across))
        yield f"{row:>{margin}}{indent}{''.join(shown)}".rstrip()


def _window(board: Board, cells: Sequence[Cell]) -> tuple[range, range]:
    """The rows and columns near some cells; of cells that are nowhere, the first."""
    places = cells or [Cell(0, 0)]
    rows, cols = [cell.row for cell in places], [cell.col for cell in places]
    return (
        range(max(0, min(rows) - AROUND), min(board.rows, max(rows) + AROUND + 1)),
        range(max(0, min(cols) - AROUND), min(board.cols, max(cols) + AROUND + 1)),
    )


def sentences(told: Argument, width: int = WIDTH) -> Iterator[str]:
    """The steps of an argument, each on lines of its own, further in by what is supposed."""
    for step in told.steps:
        deeper = len(step.supposing) - (step.rule == "suppose")
        indent = "  " * deeper
        yield from textwrap.wrap(step.text, max(width, 40), initial_indent=indent, subsequent_indent=indent)


def to_json(why: Explanation | Undecided | Conflict) -> Iterator[str]:
    """The same as JSON, in the form that ``schemas/reason.schema.json`` describes."""
    match why:
        case Explanation():
            key, value = "reason", reason_values(why)
        case Undecided():
            key, value = "undecided", undecided_values(why)
        case Conflict():
            key, value = "conflict", conflict_values(why)
    yield from _lines({key: value})


def forced_to_json(reasons: Iterable[Explanation], ranked: Sequence[RankedGuess]) -> Iterator[str]:
    """The reasons of all forced cells, and the ranked guesses where no cell is safe."""
    values: dict[str, object] = {"reasons": [reason_values(reason) for reason in reasons]}
    yield from _lines(values | {"candidates": [candidate_values(candidate) for candidate in ranked]})


def _lines(values: dict[str, object]) -> Iterator[str]:
    """Two levels of a value, a line for each member, so that a person can read it and a program can compare it."""
    outer, end = [], "\n  "
    for key, value in values.items():
        if isinstance(value, dict):
            inner = [f"    {json.dumps(name)}: {json.dumps(member)}" for name, member in value.items()]
            outer.append(f"  {json.dumps(key)}: {{\n" + ",\n".join(inner) + "\n  }")
        else:
            assert isinstance(value, list)
            members = ",".join(f"\n    {json.dumps(member)}" for member in value)
            outer.append(f"  {json.dumps(key)}: [{members}{end if members else ''}]")
    yield "{\n" + ",\n".join(outer) + "\n}\n"


def reason_values(reason: Explanation) -> dict[str, object]:
    """A reason, and its argument in words and step by step, as plain values."""
    told = argument_in_words(reason)
    return {
        "cell": reason.cell,
        "mine": reason.mine,
        "clues": reason.clues,
        "total": reason.total,
        "smallest": reason.smallest,
        **_told_values(told),
    }


def _told_values(told: Argument) -> dict[str, object]:
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
        for step in told.steps
    ]
    return {"rule": told.rule, "text": str(told), "steps": steps}


def undecided_values(undecided: Undecided) -> dict[str, object]:
    """A risk and two worlds, as plain values."""
    risk = undecided.risk
    return {
        "cell": undecided.cell,
        "risk": None if risk is None else float(risk),
        "risk_exact": None if risk is None else fraction(risk),
        "mined": undecided.mined.cells,
        "safe": undecided.safe.cells,
    }


def conflict_values(conflict: Conflict) -> dict[str, object]:
    """A conflict, its argument, and what would make the board possible, as plain values."""
    corrections = [
        {"cell": correction.cell, "shown": correction.shown, "instead": correction.instead}
        for correction in conflict.corrections
    ]
    return {
        "clues": conflict.clues,
        "total": conflict.total,
        "smallest": conflict.smallest,
        **_told_values(conflict_in_words(conflict)),
        "corrections": corrections,
    }


def candidate_values(candidate: RankedGuess) -> dict[str, object]:
    """A guess with every part of its score, as plain values."""
    values: dict[str, object] = {"cells": candidate.cells, "tied": len(candidate.cells)}
    parts = {"risk": candidate.risk, "progress": candidate.progress, "expected_safe": candidate.expected_safe}
    for name, part in parts.items():
        values |= {
            name: None if part is None else float(part),
            f"{name}_exact": None if part is None else fraction(part),
        }
    return values
