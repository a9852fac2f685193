"""Audits of risks: those that are wrong are found, with their distance from the exact ones."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest

from satsweep.agents import agent_named
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.deal import game_rng, random_layout
from satsweep.oracle.audit import RISK_TOLERANCE, audit, audit_games
from satsweep.oracle.report import merged_audits
from satsweep.render.audit import audit_to_json, audit_to_text

BOARD = Board(("##1", "###", "###"), mines=3)


def rating(risks: Mapping[Cell, Fraction], guess: Fraction | None = None) -> Agent:
    """An agent that claims nothing, guesses the first cell, and says these risks."""
    return Agent(
        lambda board: Deduction(),
        lambda board, rng: Guess(Cell(0, 0), "", guess),
        rates=lambda board: risks,
    )


def exact(cell: tuple[int, int]) -> Fraction:
    return analyse(BOARD).risk(cell)


def test_exact_risks_are_right() -> None:
    risks = {cell: exact(cell) for cell in BOARD.covered}
    report = audit(rating(risks, exact((0, 0))), [BOARD])
    assert (report.risks, report.wrong_risks, report.greatest_risk_error) == (8, (), 0)
    assert "8 reported, all of them right" in "".join(audit_to_text(report))


def test_the_worst_is_reported_with_its_distance() -> None:
    risks = {cell: exact(cell) for cell in BOARD.covered}
    risks[Cell(0, 1)] += Fraction(1, 100)
    risks[Cell(2, 2)] -= Fraction(1, 10)
    report = audit(rating(risks), [BOARD])
    (worst,) = report.wrong_risks
    assert (worst.cell, worst.cells, worst.error) == (Cell(2, 2), 2, Fraction(1, 10))
    assert worst.exact == exact((2, 2)) and report.greatest_risk_error == Fraction(1, 10)
    assert report.wrong_risk_cells == 2 and report.sound
    text = "".join(audit_to_text(report))
    assert "8 reported, 2 of them wrong, by up to 10 %" in text and "and 1 other here are wrong" in text
    assert '"wrong_risk_cells": 2' in "".join(audit_to_json(report))
    assert merged_audits("both", [report, report]).wrong_risk_cells == 4


@pytest.mark.parametrize(("off", "wrong"), [(RISK_TOLERANCE, 0), (2 * RISK_TOLERANCE, 1), (-2 * RISK_TOLERANCE, 1)])
def test_floats_are_right_within_the_tolerance(off: Fraction, wrong: int) -> None:
    report = audit(rating({Cell(0, 0): exact((0, 0)) + off}), [BOARD])
    assert (report.risks, len(report.wrong_risks)) == (1, wrong)


def test_the_risk_of_a_guess_is_judged() -> None:
    report = audit(rating({}, Fraction(1, 2)), [BOARD])
    (worst,) = report.wrong_risks
    assert (report.risks, worst.cell, worst.reported) == (1, Cell(0, 0), Fraction(1, 2))


def test_the_own_agents_say_exact_risks() -> None:
    layouts = [random_layout(6, 6, 8, game_rng("risks", number)) for number in range(4)]
    report = audit_games("sat", layouts)
    assert report.risks > 0 and not report.wrong_risks


def test_a_wrong_risk_of_a_game_is_found() -> None:
    basic = agent_named("basic")

    def guess(board: Board, rng: Random) -> Guess:
        found = basic.guess(board, rng)
        assert isinstance(found, Guess)
        return found._replace(risk=Fraction(0))

    report = audit_games(Agent(basic.deduce, guess), [random_layout(6, 6, 9, game_rng("risks", 1))])
    assert report.risks > 0 and report.wrong_risks
