"""An analysis as text, plain or in colour: a map of risks, and facts below it.

A number above 9 is a letter, as in a file; two digits, or one and a %, are a risk. The text is read back as its board:
mine total or density stand above the map, other variants among the facts.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from satsweep.board import NUMBER_OF
from satsweep.render.analysis_facts import analysis_facts
from satsweep.render.board_text import Line, column_numbers, numbered_rows, prior_lines
from satsweep.render.cell_look import BEST_COLOUR, ShownCell, shade, shown_cells
from satsweep.render.stages import stage_facts
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


def to_text(
    analysis: Analysis, *, exact: bool = False, width: int | None = None, stages: bool = False
) -> Iterator[str]:
    """Yield plain text, line by line.

    A map that is wider than ``width`` is split: its columns come in several maps, one below the other. ``stages`` adds
    what each stage has forced, and the components that were counted.
    """
    for line in _lines(analysis, exact, width, _across(analysis), stages):
        yield "".join(piece for piece, _ in line).rstrip() + "\n"


def to_colour(
    analysis: Analysis, *, exact: bool = False, width: int | None = None, stages: bool = False
) -> Iterator[str]:
    """Yield the same in the colours of a terminal, in ``width`` columns.

    If there is no room for blanks between cells, the colours keep them apart.
    """
    from rich.console import Console
    from rich.text import Text

    across = _across(analysis)
    needed = _margin(analysis) + _most_shift(analysis, across) + across * analysis.board.cols
    narrow = width is not None and needed > width
    console = Console(force_terminal=True)
    for line in _lines(analysis, exact, width, 2 if narrow else across, stages):
        with console.capture() as captured:
            console.print(Text.assemble(*line), soft_wrap=True)
        yield captured.get()


def _lines(analysis: Analysis, exact: bool, width: int | None, across: int, stages: bool) -> Iterator[Line]:
    """Maps, legend and facts, with styles."""
    yield from ([(line, "")] for line in prior_lines(analysis.board))
    rows = shown_cells(analysis)
    margin = _margin(analysis)
    cols = analysis.board.cols
    fit = cols if width is None else max(1, (width - margin - _most_shift(analysis, across)) // across)
    for first in range(0, cols, fit):
        yield from _map(analysis, rows, range(first, min(first + fit, cols)), across)
        yield []
    yield _legend(rows, "" if analysis.best is None else ">" if across > 2 else " ")
    yield []
    more = stage_facts(analysis, exact) if stages else ()
    for name, value in (*analysis_facts(analysis, exact), *more):
        yield from _fact(name, value, width or 100)


def _map(analysis: Analysis, rows: Sequence[Sequence[ShownCell]], columns: range, across: int) -> Iterator[Line]:
    """Some columns of the map, under their numbers."""
    best = analysis.best
    yield [(column_numbers(columns, _margin(analysis), across), "dim")]
    for row, head in numbered_rows(analysis.board.topology, len(rows), range(len(rows)), across):
        if row is None:
            yield []
            continue
        # Cells with no room for blanks between them are in two shades by turns.
        shaded = [across == 2 and (row + col) % 2 > 0 for col in columns]
        cells = (
            _piece(rows[row][col], (row, col) == best, across, dark) for col, dark in zip(columns, shaded, strict=True)
        )
        yield [(head, "dim"), *cells]


def _across(analysis: Analysis) -> int:
    """Width of a cell with its blanks; half of it shifts rows of hexagons."""
    return 4 if analysis.board.topology.is_hexagonal else 3


def _most_shift(analysis: Analysis, across: int) -> int:
    """Width by which some rows are shifted."""
    return across // 2 if analysis.board.topology.is_hexagonal and analysis.board.rows > 1 else 0


def _margin(analysis: Analysis) -> int:
    """Width of the row numbers."""
    return len(str(analysis.board.rows - 1))


def _piece(shown: ShownCell, best: bool, across: int, shaded: bool) -> tuple[str, str]:
    """A cell of the map with its style; ``shaded`` makes its colour darker."""
    if best:
        return f"{'>' * (across > 2)}{shown.label:>2}".rjust(across), _BEST
    return f"{shown.label:>{across}}", _style(shown, shaded)


def _style(shown: ShownCell, shaded: bool = False) -> str:
    """Style of a cell."""
    if not shown.covered:
        return "dim" if shown.label == "." else ""
    return f"{'' if shown.kind == 'risk' else 'bold '}#000000 on {shade(shown.fill) if shaded else shown.fill}"


def _legend(rows: Sequence[Sequence[ShownCell]], best: str) -> Line:
    """Meanings of the labels that occur, and the mark of the best move."""
    samples = {shown.kind: shown for row in rows for shown in row}
    line: Line = []
    for kind, meaning in _MEANINGS.items():
        if kind in samples:
            line += [(f" {samples[kind].label} ", _style(samples[kind])), (f" {meaning}   ", "")]
    greater = {shown.label for row in rows for shown in row if NUMBER_OF.get(shown.label, 0) > 9}
    if greater:
        line += [(f" {' '.join(sorted(greater))} ", ""), (" numbers above 9: a is 10   ", "")]
    return [*line, (f" {best} ", _BEST), (" best move", "")] if best else line


def _fact(name: str, value: str, width: int) -> Iterator[Line]:
    """A fact, wrapped. A number longer than the line stays in one piece, to be copied."""
    room = max(width - _INDENT, 20)
    wrapped = textwrap.wrap(value, room, break_long_words=False, break_on_hyphens=False)
    for number, content in enumerate(wrapped):
        yield [(f"{'' if number else name:<{_INDENT}}", "bold"), (content, "")]
