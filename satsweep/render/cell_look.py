"""Label and colour of a cell in a map of risks.

Colour never stands alone: forced cells, the best cell and the other risks can be read without it. The
scale runs from bluish green (safe) over pale yellow to vermilion (mine), from the colour-blind-safe palette of
Okabe and Ito (2008); their blue marks the best move.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import COVERED, FLAG, HIDDEN, MINE
from satsweep.solver.analysis import Analysis

SAFE_COLOUR, EVEN_COLOUR, MINE_COLOUR = (0, 158, 115), (247, 241, 190), (213, 94, 0)
UNKNOWN_COLOUR = "#b8b8b8"
BEST_COLOUR, CLUE_COLOUR, WRONG_COLOUR, COVERED_COLOUR = "#0072b2", "#e69f00", "#d55e00", "#c8c8c8"


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as a map shows it: what is known about it, and a label.

    ``kind`` is safe, mine, risk or unknown for a covered cell, and else open, hidden or revealed. The label has at most
    two characters.
    """

    kind: str
    label: str
    risk: Fraction | None = None

    @property
    def covered(self) -> bool:
        """Return whether the cell is covered, and so has a colour."""
        return self.kind in ("safe", "mine", "risk", "unknown")

    @property
    def fill(self) -> str:
        """Background colour of a covered cell, light enough for black text."""
        return UNKNOWN_COLOUR if self.risk is None else heat(self.risk)


def heat(risk: Fraction) -> str:
    """Colour of a risk.

    >>> heat(Fraction(0)), heat(Fraction(1, 2)), heat(Fraction(1))
    ('#009e73', '#f7f1be', '#d55e00')
    """
    along = 2 * float(risk)
    low, high = (SAFE_COLOUR, EVEN_COLOUR) if along <= 1 else (EVEN_COLOUR, MINE_COLOUR)
    share = along if along <= 1 else along - 1
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))


def shade(colour: str) -> str:
    """A darker shade of a colour, to tell adjacent cells apart.

    >>> shade('#ffffff')
    '#e7e7e7'
    """
    return "#" + "".join(f"{int(colour[place : place + 2], 16) * 10 // 11:02x}" for place in (1, 3, 5))


def shown_cells(analysis: Analysis) -> list[list[ShownCell]]:
    """All cells of a map of risks, row by row."""
    return [
        [_shown_cell(symbol, risk) for symbol, risk in zip(symbols, risks, strict=True)]
        for symbols, risks in zip(analysis.board.cells, analysis.risks, strict=True)
    ]


def _shown_cell(symbol: str, risk: Fraction | None) -> ShownCell:
    """A cell with this symbol and, if it is covered, this risk (None: unknown)."""
    if symbol not in (COVERED, FLAG):
        return ShownCell({MINE: "revealed", HIDDEN: "hidden"}.get(symbol, "open"), symbol)
    if risk is None:
        # One question mark is an open cell that shows nothing.
        return ShownCell("unknown", "??")
    if risk in (0, 1):
        return ShownCell("mine", "XX", risk) if risk else ShownCell("safe", "ok", risk)
    return ShownCell("risk", percent_label(risk), risk)


def percent_label(risk: Fraction) -> str:
    """Two characters for the risk of a cell that is not forced.

    They never look like those of a forced cell, nor like the number of an open one.

    >>> [percent_label(risk) for risk in (Fraction(1, 3), Fraction(1, 20), Fraction(1, 1000), Fraction(999, 1000))]
    ['33', '5%', '<1', '99']
    """
    rounded = min(round(100 * float(risk)), 99)
    return "<1" if not rounded else f"{rounded}%" if rounded < 10 else str(rounded)
