"""Facts about a board as a whole, from its analysis: names and values for text."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from satsweep.board import Cell
from satsweep.render.advice_text import move_in_words, why_unavoidable
from satsweep.render.number_text import cell_list, count, fraction
from satsweep.render.variants import variant_fields
from satsweep.solver.analysis import Analysis
from satsweep.text import counted


def analysis_facts(analysis: Analysis, exact: bool = False) -> Iterator[tuple[str, str]]:
    """Facts about the board as a whole, as names and values."""
    yield from variant_fields(analysis.board.topology, analysis.board.clues).items()
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
        yield "expected mines", f"{number} in {len(analysis.odds):,} covered cells"
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
    """Risks as fractions, ascending, each with its cells."""
    cells: dict[Fraction, list[Cell]] = {}
    for row, risks in enumerate(analysis.risks):
        for col, risk in enumerate(risks):
            if risk is not None and 0 < risk < 1:
                cells.setdefault(risk, []).append(Cell(row, col))
    for risk in sorted(cells):
        yield "risk", f"{fraction(risk)} at {cell_list(cells[risk])}"
