"""Overlooked cells: certainly safe beside a guess, with an argument for it.

The stages of the solver tell the techniques of all cells at once, but compare what is left of numbers with each other,
too, which takes more than two numbers in an argument. The easiest cell, whose argument is shown, is therefore named by
its argument.
"""

from collections.abc import Mapping
from typing import NamedTuple

from satsweep.assessment.verdicts import Judgement
from satsweep.board import Board, Cell
from satsweep.techniques import ORDER, Technique
from satsweep.why.explainer import explain
from satsweep.why.sentences import Argument, argument_by, argument_in_words
from satsweep.why.values import Explanation


class OverlookedCell(NamedTuple):
    """A cell that was certainly safe, and the argument that says it.

    ``technique`` is the hardest of the argument's steps.
    """

    cell: Cell
    technique: Technique
    argument: Argument


def overlooked(judgement: Judgement) -> OverlookedCell | None:
    """The easiest safe cell beside a guess, with its argument; None without one.

    >>> from fractions import Fraction
    >>> board = Board(("##1", "##1", "111"), mines=1)
    >>> guess = Judgement(board, (Cell(1, 1),), Fraction(1), Fraction(0), missed=((Cell(0, 1), Technique.SINGLE),))
    >>> overlooked(guess).argument.clues
    (Cell(row=0, col=2), Cell(row=2, col=2))
    """
    if not judgement.missed:
        return None
    cell, technique = judgement.missed[0]
    argument = argument_by(technique, judgement.board, cell) or _shortest(judgement.board, cell)
    return OverlookedCell(cell, argument.technique, argument)


def _shortest(board: Board, cell: Cell) -> Argument:
    found = explain(board, cell)
    assert isinstance(found, Explanation)
    return argument_in_words(found)


def easiest_first(board: Board, techniques: Mapping[Cell, Technique]) -> tuple[tuple[Cell, Technique], ...]:
    """Safe cells with their techniques, the easiest first.

    The first has an argument by its technique. ``techniques`` are those of the solver's stages.
    """
    found = dict(techniques)

    def rank(cell: Cell) -> tuple[int, Cell]:
        return ORDER[found[cell]], cell

    unsure = {cell for cell, technique in found.items() if technique in (Technique.PAIR, Technique.SEARCH)}
    while found and (easiest := min(found, key=rank)) in unsure:
        found[easiest] = Technique.SEARCH if argument_by(Technique.PAIR, board, easiest) is None else Technique.PAIR
        unsure.discard(easiest)
    return tuple((cell, found[cell]) for cell in sorted(found, key=rank))
