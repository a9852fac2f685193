"""The page of a reviewed game: its curve, its table and the step it opens at are those of the review."""

import json
import re
from functools import cache

import pytest

from satsweep import Cell, Record
from satsweep.agents import agent_named
from satsweep.assessment.review import review
from satsweep.assessment.verdicts import Review
from satsweep.clicks.made import GameClick
from satsweep.clicks.path import ClickKind
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import Rules
from satsweep.render.clicks import click_in_words
from satsweep.render.number_text import tenths
from satsweep.render.review_page import review_page


def lost_with_faults() -> Record:
    """A game of random guesses that gives chances away, found by its seed."""
    for seed in range(100):
        rng = game_rng("page", seed)
        record = play(random_layout(4, 4, 4, rng), agent_named("random"), Rules(), rng, name="random")
        if not record.won and len(record.moves) > 3:
            return record
    raise AssertionError("no such game")


@cache
def reviewed() -> tuple[Review, str]:
    found = review(lost_with_faults(), rolled=2)
    return found, review_page(found, "A game")


def test_the_curve_is_the_chance_to_win_after_each_move() -> None:
    found, page = reviewed()
    (path,) = re.findall(r'class="curve" d="([^"]+)"', page)
    heights = [100 - float(height) for height in re.findall(r"(?:V|M0 )([\d.]+)", path)]
    chances = [found.start]
    for move in found.moves:
        chances.append(chances[-1] if move.after is None else move.after)
    assert heights == pytest.approx([100 * float(chance or 0) for chance in chances], abs=0.01)
    assert len(set(heights)) > 2 and heights[-1] == 0


def test_the_table_has_the_risk_of_each_choice_beside_the_least() -> None:
    found, page = reviewed()
    rows = re.findall(
        r'<tr data-step="(\d+)"><td><button>\d+</button></td><td>[^<]*</td>\s*(.*?)</tr>', page, re.DOTALL
    )
    shown = {int(step): re.findall(r"<td>([^<]*)</td>", cells)[:2] for step, cells in rows}
    judged = {move.number - 1: judgement for move, judgement in found.judgements}
    assert shown == {step: [tenths(one.risk), tenths(one.least_risk)] for step, one in judged.items()}
    assert any(one.risk != one.least_risk for one in judged.values()), "else their order would not matter"


def test_the_page_opens_at_the_costliest_choice() -> None:
    found, page = reviewed()
    values = json.loads(re.findall(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)[0])
    losses = {move.number - 1: float(judgement.loss or 0) for move, judgement in found.judgements}
    assert losses[values["first"]] == max(losses.values()) > min(losses.values())


@pytest.mark.parametrize(("number", "solved", "throughput"), [(4, 3, "75.0 %"), (10, 12, "120.0 %"), (1, 0, "0.0 %")])
def test_the_throughput_of_a_click_is_that_of_all_so_far(number: int, solved: int, throughput: str) -> None:
    text = click_in_words(GameClick(number, ClickKind.CHORD, Cell(0, 0), solved, True), 24)
    assert text == f"Click {number}, a chord: {solved} of 24 3BV, throughput {throughput}."
