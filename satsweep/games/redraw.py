"""Mines that are redrawn as a game is played, to be fair or cruel to guesses.

The rules decide about a guess by the exact analysis of the player's view: whether some covered cell is certainly safe,
and whether the opened one is among those of least risk. Where they say that the cell is safe, or that it is a mine, the
mines under all covered cells are drawn uniformly among the layouts that agree with everything shown, mine total
included, and with that.

*The mines stand as long as they are as the rules say.* That is no different from drawing them at every opening: a
layout that is uniform among those that agree with the view is, if it happens to have no mine at the opened cell,
uniform among those that have none there, and these are what a new draw would be among. A fair game therefore draws only
where a mine is forgiven, and a cruel one only where a safe cell is punished.

*A record proves that the rules were kept.* Its layout is the last one, and agrees with everything shown from first to
last. Replayed on it a game sees the same views, so the rules decide the same, and find each cell as they want it;
``satsweep.games.game.replay`` refuses a record in which a mine would have to move.

Games such as Kaboom excuse guesses by looking at numbers nearby. A cell may be safe by the mine total alone, or by
numbers far away, so it takes an exact analysis to be fair.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from satsweep.analysis.analysis import Analysis
from satsweep.board import Cell
from satsweep.games.rules import Redraw
from satsweep.layout import Layout
from satsweep.questions.sampling import random_world


def decision(redraw: Redraw, risk: Fraction, least_risk: Fraction) -> bool | None:
    """Decision of rules about an opened cell: a mine, safe, or (None) what it is.

    ``risk`` is that of the cell, ``least_risk`` that of the safest covered cell: 0 if a guess is needless.

    >>> decision(Redraw.FAIR, Fraction(1, 3), Fraction(1, 3)), decision(Redraw.CRUEL, Fraction(1, 3), Fraction(0))
    (False, True)
    >>> decision(Redraw.FAIR, Fraction(1, 2), Fraction(1, 3)) is None
    True
    """
    if redraw is Redraw.NEVER or risk in (0, 1):
        return None
    if redraw.is_cruel:
        return True if redraw is Redraw.CRUEL_ALL or not least_risk else None
    fair = least_risk and (redraw is Redraw.FAIR_ANY or risk == least_risk)
    return False if fair else None


def redrawn(analysis: Analysis, cell: Cell, mined: bool, redraw: Redraw, rng: Random) -> Layout | None:
    """A layout in which a cell is as the rules decide; None if it is so already.

    ``analysis`` is that of the player's view, and ``mined`` says what the cell is now.
    """
    least_risk = analysis.least_risk
    assert least_risk is not None, "all is counted"
    decided = decision(redraw, analysis.risk(cell), least_risk)
    return None if decided in (None, mined) else random_world(analysis.board, {cell: bool(decided)}, rng)
