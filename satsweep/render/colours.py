"""Colours and labels of risks, the same in pictures and in a terminal.

Colour never stands alone: forced cells, the best cell and the other risks can be read without it. The scale runs from
bluish green (safe) over pale yellow to vermilion (mine), from the colour-blind-safe palette of Okabe and Ito (2008);
their blue marks the best move.
"""

from fractions import Fraction
from functools import lru_cache

SAFE_COLOUR, EVEN_COLOUR, MINE_COLOUR = (0, 158, 115), (247, 241, 190), (213, 94, 0)
UNKNOWN_COLOUR = "#b8b8b8"
BEST_COLOUR, CLUE_COLOUR, WRONG_COLOUR, COVERED_COLOUR = "#0072b2", "#e69f00", "#d55e00", "#c8c8c8"


@lru_cache(maxsize=1024)
def heat(risk: Fraction | float) -> str:
    """Colour of a risk.

    >>> heat(Fraction(0)), heat(Fraction(1, 2)), heat(Fraction(1))
    ('#009e73', '#f7f1be', '#d55e00')
    """
    along = 2 * float(risk)
    low, high = (SAFE_COLOUR, EVEN_COLOUR) if along <= 1 else (EVEN_COLOUR, MINE_COLOUR)
    share = along if along <= 1 else along - 1
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))


def percent_label(risk: Fraction | float) -> str:
    """Two characters for the risk of a cell that is not forced.

    They never look like those of a forced cell, nor like the number of an open one.

    >>> [percent_label(risk) for risk in (Fraction(1, 3), Fraction(1, 20), Fraction(1, 1000), Fraction(999, 1000))]
    ['33', '5%', '<1', '99']
    """
    rounded = min(round(100 * float(risk)), 99)
    return "<1" if not rounded else f"{rounded}%" if rounded < 10 else str(rounded)
