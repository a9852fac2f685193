"""Tests of scorecards: every agent on every layout of tiny boards, and relations."""

import csv
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import pytest

from satsweep.agents import AGENTS
from satsweep.games.rules import FirstClick
from satsweep.layout import Layout
from tests import DATA
from tests.agents.scorecards import BOARDS, Score, layouts, read, score, wins

SCORES = read()
QUICK = 300  # layouts of a board that every run of the suite plays
OPTIMAL = DATA / "optimal_small_boards.csv"


def cost(card: Score) -> int:
    return card.layouts * (5 if card.agent in ("sat", "deep") else 1)


@pytest.mark.parametrize(
    "card",
    [pytest.param(card, marks=[] if cost(card) <= QUICK else pytest.mark.slow) for card in SCORES],
    ids=lambda card: f"{card.rows}x{card.cols}/{card.mines}-{card.agent}",
)
def test_scorecard(card: Score) -> None:
    assert score(card.rows, card.cols, card.mines, card.agent) == card


def test_every_agent_has_its_scorecards() -> None:
    assert {card[:4] for card in SCORES} == {(*board, agent) for board in BOARDS for agent in AGENTS}


def test_4x4_with_3_mines_from_the_corner() -> None:
    sat = next(card for card in SCORES if card[:4] == (4, 4, 3, "sat"))
    assert sat.layouts == 455 and sat.won >= 395


def best_from_the_corner() -> dict[tuple[int, int, int], int]:
    with OPTIMAL.open(newline="") as file:
        return {
            (int(row["rows"]), int(row["cols"]), int(row["mines"])): int(
                row["per_first_cell"].split()[0].split(":")[1].split(";")[0]
            )
            for row in csv.DictReader(file)
        }


def test_nobody_beats_the_best_possible_play() -> None:
    best = best_from_the_corner()
    known = [card for card in SCORES if card[:3] in best]
    assert len({card[:3] for card in known}) >= 6
    for card in known:
        assert card.won <= best[card[:3]], card


def test_deep_plays_as_well_as_anybody_can() -> None:
    best = best_from_the_corner()
    assert all(card.won == best[card[:3]] for card in SCORES if card.agent == "deep" and card[:3] in best)


def test_the_stronger_wins_more() -> None:
    """On all boards together; on one the first of equals may be right by luck (2x7/4)."""
    won = {agent: sum(card.won for card in SCORES if card.agent == agent) for agent in AGENTS}
    assert won["deep"] == max(won.values())
    assert won["random"] < won["basic"] < won["subset"] < won["gem"] <= won["gem-full"] <= won["gem-refute"]
    assert won["gem-refute"] < won["sat"] < won["deep"]


class Moving(Random):
    """Random generator that moves a mine to a given cell, else draws the first choice."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def randrange(self, *args: Any, **kwargs: Any) -> int:
        return 0

    def sample(self, population: Any, k: int, **kwargs: Any) -> list[Any]:
        assert k == 1
        return [population[self.place]]


def chance_if_safe(agent: str, layout: Layout) -> Fraction:
    """Return the chance to win a layout with a safe corner, over every moved mine."""
    if not layout.is_mine((0, 0)):
        return Fraction(wins(agent, layout, FirstClick.SAFE))
    free = layout.rows * layout.cols - layout.mines
    return Fraction(sum(wins(agent, layout, FirstClick.SAFE, Moving(place)) for place in range(free)), free)


@pytest.mark.parametrize("agent", ["basic", "sat", "deep"])
@pytest.mark.parametrize(("rows", "cols", "mines"), [(2, 4, 3), (3, 3, 2)])
def test_a_promise_is_worth_what_it_says(agent: str, rows: int, cols: int, mines: int) -> None:
    """P(win | any) = (1 - mines/cells) P(win | safe).

    Moving mines away leaves all layouts equally likely.
    """
    everything = list(layouts(rows, cols, mines))
    promised = sum((chance_if_safe(agent, layout) for layout in everything), Fraction(0)) / len(everything)
    anything = Fraction(sum(wins(agent, layout) for layout in everything), comb(rows * cols, mines))
    assert anything == (1 - Fraction(mines, rows * cols)) * promised
