"""Anchors: published win rates under the usual rules, to show beside one's own.

Rates differ with the promise about the first cell and with the start, so anchors state both. ``plus_minus`` is the
half-width of a 95 % interval; it is None where the source gives none.
"""

from dataclasses import dataclass, replace

from satsweep.games.rules import STANDARD_RULES, FirstClick
from satsweep.games.setting import Setting
from satsweep.topology import SQUARE


@dataclass(frozen=True, slots=True)
class Anchor:
    """A published win rate in percent, the program that reached it, and the source."""

    rows: int
    cols: int
    mines: int
    first: FirstClick
    rate: float
    plus_minus: float | None
    program: str
    source: str


TU = "Tu et al. 2017, Exploring efficient strategies for Minesweeper"
PROGRAM = "the program of Tu et al. 2017 (b1f6c1c4)"
HILL = "D. Hill, his solver's own figure, 1e7 games"
MINESOLVE = "minesolve's own figure"
MEASURED = "measured for this project, 2,000 games, start in the corner"
PYTHON = "gamescomputersplay, the solver's own figure"
BUFFET = "Buffet et al. 2012, Optimistic heuristics for MineSweeper"
LEGENDRE = "Legendre et al. 2012, MineSweeper: where to probe?"
STUDHOLME = "Studholme 2000, Minesweeper as a constraint satisfaction problem"
BECERRA = "Becerra 2015, Algorithmic approaches to playing Minesweeper"
PEDERSEN = "Pedersen 2004, The complexity of Minesweeper and strategies for game playing"

_SAFE, _ZERO = FirstClick.SAFE, FirstClick.ZERO

ANCHORS = (
    Anchor(8, 8, 10, _SAFE, 81.7711, 0.0076, "PSEQ-D256", f"{PROGRAM}, 1e8 games"),
    Anchor(8, 8, 10, _ZERO, 90.3448, 0.0058, "PSEQ-D256", f"{PROGRAM}, 1e8 games"),
    Anchor(9, 9, 10, _SAFE, 91.6949, 0.0054, "PSEQ-D256", f"{PROGRAM}, 1e8 games"),
    Anchor(9, 9, 10, _ZERO, 97.1669, 0.0033, "PSEQ-D256", f"{PROGRAM}, 1e8 games"),
    # The half-widths of what was measured follow from rate and games: 1.96 sqrt(rate (1 - rate) / 2000).
    Anchor(9, 9, 10, _SAFE, 91.3, 1.2, "JSMinesweeper", MEASURED),
    Anchor(16, 16, 40, _SAFE, 78.2295, 0.0081, "PSEQ-D256", f"{PROGRAM}, 1e8 games"),
    Anchor(16, 16, 40, _ZERO, 89.0757, 0.0061, "PSEQ-D256", f"{PROGRAM}, 1e8 games"),
    Anchor(16, 16, 40, _SAFE, 77.6, 1.8, "JSMinesweeper", MEASURED),
    Anchor(16, 30, 99, _SAFE, 41.132, 0.03, "Hill's solver", f"{HILL}, start in the corner"),
    Anchor(16, 30, 99, _ZERO, 54.3, None, "Hill's solver", "D. Hill, his solver's own figure, start at 3,3"),
    Anchor(16, 30, 99, _SAFE, 40.047, None, "PSEQ-D256", PROGRAM),
    Anchor(16, 30, 99, _ZERO, 53.45, None, "PSEQ-D256", PROGRAM),
    Anchor(16, 30, 99, _SAFE, 40.80, None, "minesolve, depth 4", f"{MINESOLVE}, 830 ms a game"),
    Anchor(16, 30, 99, _SAFE, 40.68, None, "minesolve, depth 3", MINESOLVE),
    Anchor(16, 30, 99, _SAFE, 40.27, None, "minesolve, depth 2", MINESOLVE),
    Anchor(16, 30, 99, _SAFE, 39.00, None, "minesolve, depth 1", f"{MINESOLVE}, 2.2 ms a game"),
    Anchor(16, 30, 99, _SAFE, 39.616, None, "PSEQ", TU),
    Anchor(16, 30, 99, _ZERO, 52.78, None, "PSEQ", TU),
    Anchor(16, 30, 99, _SAFE, 41.5, 2.2, "JSMinesweeper", MEASURED),
    Anchor(16, 30, 99, _ZERO, 49.1, 2.2, "JSMinesweeper", MEASURED),
    Anchor(16, 30, 99, _SAFE, 34.7, 2.1, "ms_toollib", f"{MEASURED}, least risk, ties at random"),
    Anchor(16, 30, 99, _SAFE, 38.6, 0.3, "gamescomputersplay", PYTHON),
    Anchor(16, 30, 99, _SAFE, 38.7, None, "Buffet et al.", BUFFET),
    Anchor(16, 30, 99, _SAFE, 37.5, None, "Legendre et al.", LEGENDRE),
    Anchor(16, 30, 99, _SAFE, 33.9, None, "Studholme", STUDHOLME),
    Anchor(16, 30, 99, _SAFE, 32.9, None, "Becerra", BECERRA),
    Anchor(16, 30, 99, _SAFE, 25.0, None, "Pedersen", PEDERSEN),
)


def anchors_of(setting: Setting) -> list[Anchor]:
    """Anchors of a setting, the highest low end of an interval first.

    Only settings with the usual rules have any; the start makes no difference.

    >>> [anchor.rate for anchor in anchors_of(Setting(9, 9, 10))]
    [91.6949, 91.3]
    """
    rules = setting.rules
    if setting.topology != SQUARE or replace(rules, first=FirstClick.SAFE, start=None) != STANDARD_RULES:
        return []
    kind = (setting.rows, setting.cols, setting.mines, rules.first)
    found = [anchor for anchor in ANCHORS if (anchor.rows, anchor.cols, anchor.mines, anchor.first) == kind]
    return sorted(found, key=lambda anchor: (anchor.plus_minus or 0.0) - anchor.rate)
