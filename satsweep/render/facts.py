"""What is said about a board as a whole, and how numbers are written.

Whole numbers become digits through ``Decimal``, because ``str`` refuses an integer of more than 4,300 digits, and a
big board has more worlds than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from satsweep.board import Cell
from satsweep.clues import EXACT, ClueKind, Clues
from satsweep.solver.analysis import Analysis
from satsweep.topology import SQUARE, Topology


def digits(number: int) -> str:
    """A whole number in full, however long."""
    return str(Decimal(number))


def fraction(value: Fraction) -> str:
    """A fraction in full, as ``Fraction`` reads it."""
    whole = digits(value.numerator)
    return whole if value.denominator == 1 else f"{whole}/{digits(value.denominator)}"


def count(number: int, exact: bool = False) -> str:
    """A count for people: in full when it is short or asked for, else its size.

    >>> count(1234567), count(10**30)
    ('1,234,567', '1.000e+30 (31 digits)')
    """
    if exact:
        return digits(number)
    if number < 10**15:
        return f"{number:,}"
    return f"{Decimal(number):.3e} ({Decimal(number).adjusted() + 1:,} digits)"


def percent(risk: Fraction, exact: bool = False) -> str:
    """A risk for people, which says 0 and 100 only where that is certain.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 3), exact=True), percent(Fraction(10**9 - 1, 10**9))
    ('33.33 %', '1/3', '>99.99 %')
    """
    if exact:
        return fraction(risk)
    return f"{100 * float(risk):.4g} %" if risk == 1 or float(risk) < 0.9999 else ">99.99 %"


def facts(analysis: Analysis, exact: bool = False) -> Iterator[tuple[str, str]]:
    """What is known about the board as a whole: names and values."""
    yield from specials(analysis.board.topology, analysis.board.clues).items()
    yield "worlds", "not known" if analysis.worlds is None else count(analysis.worlds, exact)
    if analysis.weight is not None:
        yield "weight", fraction(analysis.weight) if exact else _size(analysis.weight)
    yield "safe", named(analysis.safe)
    yield "mines", named(analysis.mines)
    if analysis.unknown:
        yield "not counted", named(analysis.unknown)
    yield "best move", best_move(analysis, exact)
    if (mines := analysis.expected_mines) is not None:
        number = fraction(mines) if exact or mines.denominator == 1 else f"{float(mines):.2f}"
        yield "expected mines", f"{number} in {len(analysis.odds):,} covered cells"
    yield "counted by", _work(analysis)
    if exact:
        yield from _exact_risks(analysis)


def specials(topology: Topology, clues: Clues = EXACT) -> dict[str, str]:
    """What is not as on other boards: names and values, as board files have them.

    >>> from satsweep.topology import TORUS
    >>> specials(TORUS)
    {'topology': 'torus'}
    """
    found = {} if topology == SQUARE else {"topology": topology.name}
    return found if clues == EXACT else found | {"clues": str(clues)}


def remarks(topology: Topology, clues: Clues = EXACT) -> Iterator[str]:
    """The same in sentences, for pictures.

    >>> from satsweep.topology import TORUS
    >>> print(*remarks(TORUS))
    torus: cells on the dashed edges touch those on the opposite edge
    """
    if topology != SQUARE:
        wraps = topology.wraps_rows or topology.wraps_cols
        touching = _TOUCHING.get(topology.name.split()[0], "")
        parts = [
            touching,
            "each plane touches the next" if topology.planes > 1 else "",
            "cells on the dashed edges touch those on the opposite edge" if wraps else "",
        ]
        said = "; ".join(part for part in parts if part)
        name = f"graph of {len(topology.edges):,} edges" if topology.edges else topology.name
        yield f"{name}: {said}"
    if clues != EXACT:
        yield f"{clues} clues: {_TELLING[clues.kind]}"


_TOUCHING = {
    "hexagonal": "six cells around",
    "orthogonal": "cells touch that share an edge",
    "knight": "cells touch that are a knight's move apart",
    "offsets": "cells touch that are so many rows and columns apart",
    "edges": "cells touch that a line joins",
}
_TELLING = {
    ClueKind.RANDOM: "a number is shown with this probability, else ?",
    ClueKind.UNDERESTIMATE: "numbers may be too low",
    ClueKind.OVERESTIMATE: "numbers may be too high",
}


def best_move(analysis: Analysis, exact: bool = False) -> str:
    """The cell to open, and what it risks."""
    if (best := analysis.best) is None:
        return "none"
    risk = analysis.risk(best)
    return f"{best} " + (f"with risk {percent(risk, exact)}" if risk else "is safe")


def _size(weight: Fraction) -> str:
    """A probability that may be far too small for a float."""
    return f"{Decimal(weight.numerator) / Decimal(weight.denominator):.4g}"


def _work(analysis: Analysis) -> str:
    work = analysis.work
    engines = " and ".join(sorted({part.engine for part in work})) or "nobody: nothing was left to count"
    amounts = [(len(work), "component"), (sum(part.states for part in work), "state")]
    amounts.append((sum(part.placements for part in work), "placement"))
    parts = [f"{amount:,} {name}{'s' * (amount != 1)}" for amount, name in amounts if amount]
    return ", ".join([engines, *parts, f"{1000 * sum(analysis.seconds.values()):,.0f} ms"])


def _exact_risks(analysis: Analysis) -> Iterator[tuple[str, str]]:
    cells: dict[Fraction, list[Cell]] = {}
    for row, risks in enumerate(analysis.risks):
        for col, risk in enumerate(risks):
            if risk is not None and 0 < risk < 1:
                cells.setdefault(risk, []).append(Cell(row, col))
    for risk in sorted(cells):
        yield "risk", f"{fraction(risk)} at {named(cells[risk])}"


def named(cells: Sequence[Cell], most: int = 40) -> str:
    """Cells as they are written, and how many more there are."""
    places = " ".join(map(str, cells[:most])) or "none"
    return f"{places} and {len(cells) - most:,} more" if len(cells) > most else places
