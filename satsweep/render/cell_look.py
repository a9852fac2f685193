"""How one cell is shown, and in which colour.

Colour never stands alone: what is forced, what is best and how likely the rest is can be read without it. The
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
BEST_COLOUR = "#0072b2"


@dataclass(frozen=True, slots=True)
class Square:
    """A cell as it is shown: what kind of thing is known about it, and a label of at most two characters."""

    kind: str
    label: str
    risk: Fraction | None = None

    @property
    def covered(self) -> bool:
        """Whether the cell is covered, and so has a colour."""
        return self.kind in ("safe", "mine", "risk", "unknown")

    @property
    def fill(self) -> str:
        """The background colour of a covered cell. Black can be read on all of them."""
        return UNKNOWN_COLOUR if self.risk is None else heat(self.risk)


def heat(risk: Fraction) -> str:
    """The colour of a risk.

    >>> heat(Fraction(0)), heat(Fraction(1, 2)), heat(Fraction(1))
    ('#009e73', '#f7f1be', '#d55e00')
    """
    along = 2 * float(risk)
    low, high = (SAFE_COLOUR, EVEN_COLOUR) if along <= 1 else (EVEN_COLOUR, MINE_COLOUR)
    share = along if along <= 1 else along - 1
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))


def shade(colour: str) -> str:
    """A little darker, to tell a cell from the next.

    >>> shade('#ffffff')
    '#e7e7e7'
    """
    return "#" + "".join(f"{int(colour[place : place + 2], 16) * 10 // 11:02x}" for place in (1, 3, 5))


def squares(analysis: Analysis) -> list[list[Square]]:
    """Row by row how every cell is shown."""
    return [
        [_square(symbol, risk) for symbol, risk in zip(symbols, risks, strict=True)]
        for symbols, risks in zip(analysis.board.cells, analysis.risks, strict=True)
    ]


def _square(symbol: str, risk: Fraction | None) -> Square:
    if symbol not in (COVERED, FLAG):
        return Square({MINE: "revealed", HIDDEN: "hidden"}.get(symbol, "open"), symbol)
    if risk is None:
        # An open cell that shows nothing is one question mark.
        return Square("unknown", "??")
    if risk in (0, 1):
        return Square("mine", "XX", risk) if risk else Square("safe", "ok", risk)
    return Square("risk", in_percent(risk), risk)


def in_percent(risk: Fraction) -> str:
    """Two characters for the risk of a cell that is not forced: it never looks forced, nor like an open number.

    >>> [in_percent(risk) for risk in (Fraction(1, 3), Fraction(1, 20), Fraction(1, 1000), Fraction(999, 1000))]
    ['33', '05', '<1', '99']
    """
    rounded = min(round(100 * float(risk)), 99)
    return f"{rounded:02}" if rounded else "<1"
