"""A board as a map of risks, and below it what is known: plain, or in colour.

A number above 9 is a letter, as in a file: two digits are a risk.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from satsweep.board import NUMBER_OF
from satsweep.render.cell_look import BEST_COLOUR, Square, shade, squares
from satsweep.render.facts import facts
from satsweep.render.grid import Line, begins_plane, ruler, shift
from satsweep.solver.analysis import Analysis

_BEST = f"bold #ffffff on {BEST_COLOUR}"
_INDENT = 16
_MEANINGS = {
    "safe": "safe",
    "mine": "mine",
    "risk": "risk in percent",
    "unknown": "not counted",
    "hidden": "open, shows nothing",
    "revealed": "revealed mine",
}


def to_text(analysis: Analysis, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    """Plain text, a line at a time. A map wider than the width comes in several parts, side by side columns first."""
    for line in _lines(analysis, exact, width, _across(analysis)):
        yield "".join(piece for piece, _ in line).rstrip() + "\n"


def to_colour(analysis: Analysis, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    """The same in the colours of the terminal; where there is no room for blanks they also keep the cells apart."""
    from rich.console import Console
    from rich.text import Text

    across = _across(analysis)
    needed = _margin(analysis) + _most_shift(analysis, across) + across * analysis.board.cols
    narrow = width is not None and needed > width
    console = Console(force_terminal=True)
    for line in _lines(analysis, exact, width, 2 if narrow else across):
        with console.capture() as captured:
            console.print(Text.assemble(*line), soft_wrap=True)
        yield captured.get()


def _lines(analysis: Analysis, exact: bool, width: int | None, across: int) -> Iterator[Line]:
    rows = squares(analysis)
    margin = _margin(analysis)
    cols = analysis.board.cols
    fit = cols if width is None else max(1, (width - margin - _most_shift(analysis, across)) // across)
    for first in range(0, cols, fit):
        yield from _map(analysis, rows, range(first, min(first + fit, cols)), across)
        yield []
    yield _legend(rows, "" if analysis.best is None else ">" if across > 2 else " ")
    yield []
    for name, value in facts(analysis, exact):
        yield from _fact(name, value, width or 100)


def _map(analysis: Analysis, rows: Sequence[Sequence[Square]], columns: range, across: int) -> Iterator[Line]:
    margin, best, topology = _margin(analysis), analysis.best, analysis.board.topology
    yield [(ruler(columns, margin, across), "dim")]
    for row, line in enumerate(rows):
        if begins_plane(topology, len(rows), row):
            yield []
        cells = (_piece(line[col], (row, col) == best, across, across == 2 and (row + col) % 2 > 0) for col in columns)
        yield [(f"{row:>{margin}}" + " " * shift(topology, len(rows), row, across), "dim"), *cells]


def _across(analysis: Analysis) -> int:
    """How wide a cell is, blanks included; half of it is a whole number where every second row is shifted by that."""
    return 4 if analysis.board.topology.is_hexagonal else 3


def _most_shift(analysis: Analysis, across: int) -> int:
    return across // 2 if analysis.board.topology.is_hexagonal and analysis.board.rows > 1 else 0


def _margin(analysis: Analysis) -> int:
    return len(str(analysis.board.rows - 1))


def _piece(square: Square, best: bool, across: int, shaded: bool) -> tuple[str, str]:
    if best:
        return f"{'>' * (across > 2)}{square.label:>2}".rjust(across), _BEST
    return f"{square.label:>{across}}", _style(square, shaded)


def _style(square: Square, shaded: bool = False) -> str:
    if not square.covered:
        return "dim" if square.label == "." else ""
    return f"{'' if square.kind == 'risk' else 'bold '}#000000 on {shade(square.fill) if shaded else square.fill}"


def _legend(rows: Sequence[Sequence[Square]], best: str) -> Line:
    """What the labels that occur mean, and how the best move is marked."""
    samples = {square.kind: square for row in rows for square in row}
    line: Line = []
    for kind, meaning in _MEANINGS.items():
        if kind in samples:
            line += [(f" {samples[kind].label} ", _style(samples[kind])), (f" {meaning}   ", "")]
    greater = {square.label for row in rows for square in row if NUMBER_OF.get(square.label, 0) > 9}
    if greater:
        line += [(f" {' '.join(sorted(greater))} ", ""), (" numbers above 9: a is 10   ", "")]
    return [*line, (f" {best} ", _BEST), (" best move", "")] if best else line


def _fact(name: str, value: str, width: int) -> Iterator[Line]:
    """One number may be longer than any line; it stays in one piece, so that it can be copied."""
    room = max(width - _INDENT, 20)
    wrapped = textwrap.wrap(value, room, break_long_words=False, break_on_hyphens=False)
    for number, content in enumerate(wrapped):
        yield [(f"{'' if number else name:<{_INDENT}}", "bold"), (content, "")]
