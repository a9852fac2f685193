"""Reasons of safe cells that a player has overlooked, in words."""

from typing import NamedTuple

from satsweep.assessment.verdicts import Judgement
from satsweep.board import Cell
from satsweep.why.explainer import explain
from satsweep.why.sentences import argument_in_words
from satsweep.why.values import Explanation


class OverlookedCell(NamedTuple):
    """A cell that was certainly safe, the numbers that say it, and why in words.

    ``total``: the mine total is needed, too.
    """

    cell: Cell
    clues: tuple[Cell, ...]
    total: bool
    sentences: tuple[str, ...]


def overlooked(judgement: Judgement) -> OverlookedCell | None:
    """The easiest of the safe cells beside a guess, with its reason; None without one.

    >>> from fractions import Fraction
    >>> from satsweep.assessment.techniques import Technique
    >>> from satsweep.board import Board
    >>> board = Board(("##1", "##1", "111"), mines=1)
    >>> guess = Judgement(board, (Cell(1, 1),), Fraction(1), Fraction(0), missed=((Cell(0, 1), Technique.SINGLE),))
    >>> overlooked(guess).clues
    (Cell(row=0, col=2), Cell(row=2, col=2))
    """
    if not judgement.missed:
        return None
    cell = judgement.missed[0][0]
    found = explain(judgement.board, cell)
    assert isinstance(found, Explanation)
    return OverlookedCell(cell, found.clues, found.total, argument_in_words(found).sentences)
