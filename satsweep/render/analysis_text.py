"""An analysis as text, plain or in colour, and as JSON: a map of risks, and facts.

A number above 9 is a letter, as in a file; two digits, or one and a %, are a risk. The text is read back as its board:
mine total or density stand above the map, other variants among the facts.

JSON is complete, as ``schemas/analysis.schema.json`` describes it. An analysis of named cells, which have no grid, has
texts of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from satsweep.board import COVERED, FLAG, HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.formats.strict import json_text, lines
from satsweep.handwritten import unambiguous
from satsweep.render.advice_text import advice_values, move_in_words, why_unavoidable
from satsweep.render.board_text import (
    Line,
    column_numbers,
    nothing_covered,
    numbered_rows,
    part_in_words,
    prior_lines,
    variant_fields,
)
from satsweep.render.colours import BEST_COLOUR, UNKNOWN_COLOUR, heat, percent_label
from satsweep.render.number_text import cell_list, count, digits, fraction, percent
from satsweep.text import counted, printable

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.questions.statements import NamedCellsAnalysis


Risk = Fraction | float
"""A risk; a map needs no more than a float."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as a map shows it: what is known about it, and a label.

    ``kind`` is safe, mine, risk or unknown for a covered cell, and else open, hidden or revealed. The label has at most
    two characters.
    """

    kind: str
    label: str
    risk: Risk | None = None

    @property
    def covered(self) -> bool:
        return self.kind in ("safe", "mine", "risk", "unknown")

    @property
    def fill(self) -> str:
        """Background colour of a covered cell, light enough for black text."""
        return UNKNOWN_COLOUR if self.risk is None else heat(self.risk)


def shade(colour: str) -> str:
    """A darker shade of a colour, to tell adjacent cells apart.

    >>> shade('#ffffff')
    '#e7e7e7'
    """
    return "#" + "".join(f"{int(colour[place : place + 2], 16) * 10 // 11:02x}" for place in (1, 3, 5))


def shown_cells(board: Board, risks: Iterable[Iterable[Risk | None]]) -> list[list[ShownCell]]:
    return [
        [_shown_cell(symbol, risk) for symbol, risk in zip(symbols, own, strict=True)]
        for symbols, own in zip(board.cells, risks, strict=True)
    ]


def _shown_cell(symbol: str, risk: Risk | None) -> ShownCell:
    """A cell with this symbol and, if it is covered, this risk (None: unknown)."""
    if symbol not in (COVERED, FLAG):
        return ShownCell({MINE: "revealed", HIDDEN: "hidden"}.get(symbol, "open"), symbol)
    if risk is None:
        # One question mark is an open cell that shows nothing.
        return ShownCell("unknown", "??")
    if risk in (0, 1):
        return ShownCell("mine", "XX", risk) if risk else ShownCell("safe", "ok", risk)
    return ShownCell("risk", percent_label(risk), risk)


def analysis_facts(analysis: Analysis, exact: bool = False) -> Iterator[tuple[str, str]]:
    yield from variant_fields(analysis.board.topology, analysis.board.clues).items()
    if part := analysis.board.part:
        yield "part", part_in_words(part)
    yield "worlds", "not known" if analysis.worlds is None else count(analysis.worlds, exact)
    if analysis.weight is not None:
        yield "weight", fraction(analysis.weight) if exact else _small_number(analysis.weight)
    yield "safe", cell_list(analysis.safe)
    yield "mines", cell_list(analysis.mines)
    if analysis.unknown:
        yield "not counted", cell_list(analysis.unknown)
    yield "best move", move_in_words(analysis.advice, exact)
    if analysis.advice.dead:
        yield "telling nothing", cell_list(analysis.advice.dead)
    for guess in analysis.advice.unavoidable:
        yield "unavoidable", why_unavoidable(guess)
    if (mines := analysis.expected_mines) is not None:
        number = fraction(mines) if exact or mines.denominator == 1 else f"{float(mines):.2f}"
        yield "expected mines", f"{number} in {counted(len(analysis.odds), 'covered cell')}"
    yield "counted by", _work(analysis)
    if exact:
        yield from _exact_risks(analysis)


def _small_number(weight: Fraction) -> str:
    """A probability that may be far too small for a float."""
    return f"{Decimal(weight.numerator) / Decimal(weight.denominator):.4g}"


def _work(analysis: Analysis) -> str:
    """Engines that have counted, the size of their work, and the time taken."""
    work = analysis.work
    engines = " and ".join(sorted({part.engine for part in work})) or "no engine: nothing was left to count"
    amounts = [(len(work), "component"), (sum(part.states for part in work), "state")]
    amounts.append((sum(part.placements for part in work), "placement"))
    parts = [counted(amount, name) for amount, name in amounts if amount]
    return ", ".join([engines, *parts, f"{1000 * sum(analysis.seconds.values()):,.0f} ms"])


def _exact_risks(analysis: Analysis) -> Iterator[tuple[str, str]]:
    cells: dict[Fraction, list[Cell]] = {}
    for row, risks in enumerate(analysis.risks):
        for col, risk in enumerate(risks):
            if risk is not None and 0 < risk < 1:
                cells.setdefault(risk, []).append(Cell(row, col))
    for risk in sorted(cells):
        yield "risk", f"{fraction(risk)} at {cell_list(cells[risk])}"


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
    yield from ([(line, "")] for line in prior_lines(analysis.board))
    rows = [
        [replace(cell, label=sign) if cell.kind == "hidden" else cell for cell, sign in zip(row, signs, strict=True)]
        for row, signs in zip(
            shown_cells(analysis.board, analysis.float_risks), unambiguous(analysis.board.cells), strict=True
        )
    ]
    margin = _margin(analysis)
    cols = analysis.board.cols
    fit = cols if width is None else max(1, (width - margin - _most_shift(analysis, across)) // across)
    for first in range(0, cols, fit):
        yield from _map(analysis, rows, range(first, min(first + fit, cols)), across)
        yield []
    yield _legend(rows, "" if analysis.best is None else ">" if across > 2 else " ")
    yield []
    if sentence := nothing_covered(analysis.board):
        yield [(sentence, "")]
        facts = iter(variant_fields(analysis.board.topology, analysis.board.clues).items())
    else:
        facts = analysis_facts(analysis, exact)
    if stages:
        from satsweep.render.stage_text import stage_facts

        facts = chain(facts, stage_facts(analysis, exact))
    for name, value in facts:
        yield from _fact(name, value, width or 100)


def _map(analysis: Analysis, rows: Sequence[Sequence[ShownCell]], columns: range, across: int) -> Iterator[Line]:
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
    return across // 2 if analysis.board.topology.is_hexagonal and analysis.board.rows > 1 else 0


def _margin(analysis: Analysis) -> int:
    return len(str(analysis.board.rows - 1))


def _piece(shown: ShownCell, best: bool, across: int, shaded: bool) -> tuple[str, str]:
    """A cell of the map with its style; ``shaded`` makes its colour darker."""
    if best:
        return f"{'>' * (across > 2)}{shown.label:>2}".rjust(across), _BEST
    return f"{shown.label:>{across}}", _style(shown, shaded)


def _style(shown: ShownCell, shaded: bool = False) -> str:
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
    room = max(width - _INDENT, 20)
    wrapped = textwrap.wrap(value, room, break_long_words=False, break_on_hyphens=False)
    for number, content in enumerate(wrapped):
        yield [(f"{'' if number else name:<{_INDENT}}", "bold"), (content, "")]


def to_json(analysis: Analysis, *, exact: bool = True, more: Mapping[str, object] | None = None) -> Iterator[str]:
    """Yield JSON, a row of the board on each line, with the fields ``more`` last.

    It always has fractions; ``exact`` makes no difference.
    """
    board, best, risks = analysis.board, analysis.best, analysis.risks
    written = cache(fraction)
    exactly = [[None if risk is None else written(risk) for risk in row] for row in risks]
    for row, col in analysis.unknown:
        exactly[row][col] = "?"
    fields: dict[str, object] = {"rows": board.rows, "cols": board.cols, "mines": board.mines}
    fields |= variant_fields(board.topology, board.clues, board.part)
    fields["worlds"] = None if analysis.worlds is None else digits(analysis.worlds)
    if analysis.weight is not None:
        fields["weight"] = fraction(analysis.weight)
    fields |= {"safe": analysis.safe, "forced_mines": analysis.mines}
    fields["risk"] = lines([_rounded(risk) for risk in row] for row in risks)
    fields["risk_exact"] = lines(exactly)
    fields["best"] = None if best is None else _move_values(analysis, best)
    fields["advice"] = advice_values(analysis.advice, board)
    fields |= {"complete": analysis.complete, "engine": analysis.engine, **(more or {})}
    yield json_text(fields)


def _move_values(analysis: Analysis, cell: Cell) -> dict[str, object]:
    return {"cell": cell, "risk": _rounded(analysis.risk(cell))}


def _rounded(risk: Fraction | None) -> float | None:
    """A risk rounded to a float; an integer where it is certain."""
    return None if risk is None else int(risk) if risk.denominator == 1 else float(risk)


def named_to_text(analysis: NamedCellsAnalysis, *, exact: bool = False) -> Iterator[str]:
    """Yield plain text, line by line: forced cells, then all risks, ascending."""
    risks = analysis.risks
    yield _named_line("worlds", "not known" if analysis.worlds is None else count(analysis.worlds, exact))
    if analysis.weight is not None:
        yield _named_line("weight", fraction(analysis.weight) if exact else _small_number(analysis.weight))
    yield _named_line("safe", _name_list(analysis.safe))
    yield _named_line("mines", _name_list(analysis.mines))
    unknown = [name for name, risk in risks.items() if risk is None]
    if unknown:
        yield _named_line("not counted", _name_list(unknown))
    by_risk: dict[Fraction, list[Hashable]] = {}
    for name, risk in risks.items():
        if risk is not None and 0 < risk < 1:
            by_risk.setdefault(risk, []).append(name)
    for risk in sorted(by_risk):
        yield _named_line("risk", f"{percent(risk, exact)} at {_name_list(by_risk[risk])}")
    if analysis.elsewhere is not None:
        yield _named_line("elsewhere", f"{percent(analysis.elsewhere, exact)} at every cell without a name")


def named_to_json(analysis: NamedCellsAnalysis) -> Iterator[str]:
    """Yield JSON; ``risk`` is rounded, ``risk_exact`` exact, both null if unknown."""
    risks = analysis.risks
    fields: dict[str, object] = {"worlds": None if analysis.worlds is None else digits(analysis.worlds)}
    if analysis.weight is not None:
        fields["weight"] = fraction(analysis.weight)
    fields |= {"safe": list(analysis.safe), "forced_mines": list(analysis.mines)}
    fields["risk"] = [[name, None if risk is None else float(risk)] for name, risk in risks.items()]
    fields["risk_exact"] = [[name, None if risk is None else fraction(risk)] for name, risk in risks.items()]
    fields["elsewhere"] = None if analysis.elsewhere is None else fraction(analysis.elsewhere)
    fields["complete"] = analysis.complete
    yield json_text(fields)


def _name_list(names: Iterable[Hashable]) -> str:
    return " ".join(printable(str(name)) for name in names) or "none"


def _named_line(name: str, value: str) -> str:
    return f"{name:<{_INDENT}}{value}\n"
