"""Verdicts of a review in words."""

from dataclasses import replace
from fractions import Fraction

import pytest

from satsweep import Board, Cell
from satsweep.assessment.verdicts import Judgement, MoveClass, ReviewedMove
from satsweep.games.record import Action, Move, MoveReason
from satsweep.render.review_text import move_in_words
from satsweep.techniques import Technique

BOARD = Board(("##1", "##1", "111"), mines=1)
CELL, BEST = Cell(1, 1), Cell(0, 0)
GUESS = Judgement(BOARD, (CELL,), Fraction(1, 4), Fraction(1, 4), BEST, exact=True, best_risk=Fraction(1, 4))
LOST = {"chosen": Fraction(1, 2), "possible": Fraction(568, 1000)}
HALF = Fraction(1, 2)


def said(judgement: Judgement, *, after: Fraction | None = None) -> str:
    move = Move(1, Action.OPEN, CELL, MoveReason.CHOSEN, revealed=((CELL, 1),))
    return move_in_words(ReviewedMove(1, move, judgement.kind, judgement=judgement, after=after))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, "Best guess: 1,1 had 25 % risk, and no cell had less."),
        ({"risk": HALF}, "Blunder: 0,0 was safer, 25 % risk instead of 50 %."),
        (LOST, "Mistake: 0,0 was as safe (25 % risk) and opens more: 6.8 % more wins. Chance to win: 50 %."),
        (
            LOST | {"risk": HALF},
            "Mistake: 0,0 was safer, 25 % risk instead of 50 %: 6.8 % more wins. Chance to win: 50 %.",
        ),
        (
            LOST | {"best_risk": HALF},
            "Mistake: 0,0 had more risk, 50 % instead of 25 %, but opens more: 6.8 % more wins. Chance to win: 50 %.",
        ),
        (
            LOST | {"exact": False, "error": Fraction(1, 100)},
            "Mistake: 0,0 was as safe (25 % risk) and opens more: about 6.8 ± 1.0 % more wins. "
            "Chance to win: about 50 %.",
        ),
        (
            {"risk": HALF, "chosen": HALF, "possible": HALF},
            "Best guess: 1,1 had 50 % risk. The least was 25 %, which wins no more often. Chance to win: 50 %.",
        ),
        ({"risk": Fraction(1)}, "Blunder: 1,1 had to be a mine; 0,0 had 25 % risk."),
        (
            {"risk": Fraction(1), "least_risk": Fraction(0), "missed": ((Cell(0, 1), Technique.SINGLE),)},
            "Blunder: 0,1 was safe, and 1,1 had to be a mine. 0,1 is safe by a single number: ",
        ),
        (
            {"risk": Fraction(0), "least_risk": Fraction(0), "chosen": HALF, "possible": Fraction(51, 100)},
            "Inaccuracy: 0,0 is a better first cell: 1 % more wins. Chance to win: 50 %.",
        ),
    ],
)  # fmt: skip
def test_what_was_better_and_by_how_much(change: dict[str, object], expected: str) -> None:
    found = said(replace(GUESS, **change))  # type: ignore[arg-type]
    assert found.startswith(expected) if expected.endswith(" ") else found == expected


def test_the_chance_after_a_choice() -> None:
    judgement = replace(GUESS, chosen=HALF, possible=HALF)
    assert said(judgement, after=Fraction(2, 3)).endswith(" Chance to win: 50 %, 66.67 % once it was open.")


def test_moves_without_a_choice() -> None:
    opened = Move(1, Action.OPEN, CELL, MoveReason.CHOSEN, revealed=((CELL, 1),))
    assert move_in_words(ReviewedMove(1, opened, MoveClass.SAFE, Technique.TOTAL)) == "Safe, by the mine total."
    assert move_in_words(ReviewedMove(1, opened, MoveClass.START)) == "The first cell."
    flag = Move(1, Action.FLAG, CELL, MoveReason.CHOSEN)
    assert move_in_words(ReviewedMove(1, flag)) == ""
    assert move_in_words(ReviewedMove(1, flag, wrong_flag=True)) == "This flag was wrong: the cell is no mine."
