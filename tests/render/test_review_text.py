"""Verdicts of a review in words."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from satsweep import Board, Cell, Layout, Rules, play
from satsweep.agents import agent_named
from satsweep.assessment.verdicts import Judgement, Known, MoveClass, Review, ReviewedMove
from satsweep.games.record import Action, Move, MoveReason
from satsweep.render.review_text import about_points, move_in_words, review_facts, summary_in_words
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
            "Chance to win: about 50.0 %.",
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


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        (Fraction(4, 10**4), "under 0.1 % more wins"),
        (Fraction(5, 10**4) + Fraction(1, 10**6), "0.1 % more wins"),
        (Fraction(296, 10**4), "2.9 % more wins"),
        (Fraction(300, 10**4), "3 % more wins"),
        (Fraction(9999, 10**5), "9.9 % more wins"),
        (Fraction(304, 10**4), "3 % more wins"),
        (Fraction(36, 1000), "3.6 % more wins"),
    ],
)
def test_a_loss_is_not_rounded_into_another_class(loss: Fraction, told: str) -> None:
    """2.96 % was an inaccuracy with 3 % more wins, where a mistake begins."""
    judgement = replace(GUESS, best_risk=HALF, chosen=HALF, possible=HALF + loss)
    if judgement.kind is not MoveClass.BEST:
        assert f": {told}." in said(judgement)


def reviewed(*choices: tuple[float, float], start: str = "1/2", known: Known = "estimate") -> Review:
    """A review of guesses, each with the chances of the chosen cell and of the best one."""
    record = play(Layout(("*.", "..")), agent_named("random"), Rules(start=Cell(1, 1)), Random(1))
    move = Move(1, Action.OPEN, CELL, MoveReason.CHOSEN, revealed=((CELL, 1),))
    moves = []
    for number, (chosen, possible) in enumerate(choices, 1):
        own, best = (Fraction(chance).limit_denominator(10**6) for chance in (chosen, possible))
        judgement = replace(GUESS, chosen=own, possible=best, exact=known == "exact")
        moves.append(ReviewedMove(number, move, judgement.kind, judgement=judgement, skill=own - best))
    return Review(record, known, tuple(moves), Fraction(start), Fraction(1))


@pytest.mark.parametrize(
    ("choices", "start", "known", "summary"),
    [
        (
            [(0.491, 0.5)], "1/2", "exact",
            "One guess, nearly as good as the best. Choices like these win 49.1 % of such games, the best ones 50.0 %.",
        ),
        (
            [(0.5, 0.5), (0.4, 0.4)], "1/2", "exact",
            "2 guesses, as good as any. The best choices win 50.0 % of such games, and these were the best.",
        ),
        (
            [(0.4999, 0.5)], "1/2", "exact",
            "One guess, nearly as good as the best. The best choices win 50.0 % of such games, and these less than "
            "0.1 % fewer.",
        ),
        (
            [(0.5, 0.5)], "2999/3000", "exact",
            "One guess, as good as any. The best choices win >99.9 % of such games, and these were the best.",
        ),
        (
            [(0.5, 0.5)], "1/5000", "estimate",
            "One guess, as good as any. The best choices win under 0.1 % of such games, and these were the best.",
        ),
        (
            [(0.4, 0.5), (0.5, 0.5)], "3/10", "estimate",
            "2 guesses, a better move for 1 of them. Choices like these win about 20.0 % of such games, the best ones "
            "about 30.0 %.",
        ),
        (
            [(0.1, 0.5)], "3/10", "estimate",
            "One guess, and there was a better move. Choices like these win hardly any of such games, the best ones "
            "about 30.0 %.",
        ),
    ],
)  # fmt: skip
def test_summaries_agree_with_themselves(
    choices: list[tuple[float, float]], start: str, known: Known, summary: str
) -> None:
    """Sentences on guesses follow from numbers, not from rounded texts."""
    assert summary_in_words(reviewed(*choices, start=start, known=known)) == summary


def test_estimates_have_one_decimal_and_exact_parts_two() -> None:
    found = dict(review_facts(reviewed((0.4, 0.5), known="estimate")))
    assert (found["start"], found["skill"], found["end"]) == ("about 50.0 %", "about -10.0 %", "100 %")
    found = dict(review_facts(reviewed((0.4, 0.5), known="exact")))
    assert (found["start"], found["skill"]) == ("50 %", "-10.00 %")
    assert about_points(Fraction(-1376, 10**4), Fraction(21, 1000)) == "about -13.8 ± 2.1 %"


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
