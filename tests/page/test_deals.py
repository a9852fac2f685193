"""Boards that the page deals: no guess needed, no harder than a technique, rated."""

import json

import pytest
from hypothesis import given, strategies as st

from satsweep.agents import agent_named
from satsweep.errors import BoardError, BudgetExceeded, ImpossibleSpec
from satsweep.games.agent import Agent
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.generator.walkthrough import no_guess
from satsweep.layout import Layout
from satsweep.page import deals
from satsweep.page.answers import answer_to
from satsweep.page.questions import LIMITS, Cancelled, Question, Values
from tests.page.pages import ask, pieces
from tests.strategies import examples


def layout_of(dealt: Values) -> Layout:
    return Layout(tuple(dealt["layout"]), start=tuple(dealt["start"]))  # type: ignore[arg-type]


def clears(name: str, layout: Layout) -> bool:
    """Whether an agent clears a layout from its start without a guess."""
    return play(layout, Agent(agent_named(name).deduce, no_guess), Rules(first=FirstClick.GIVEN)).won


TINY = {"rows": 5, "cols": 6, "mines": 6}


@examples(15)
@given(st.integers(0, 4), st.integers(0, 5), st.sampled_from(sorted(deals.TECHNIQUES)), st.integers(0, 10**6))
def test_a_board_that_needs_no_guess_is_cleared_by_its_technique(
    row: int, col: int, technique: deals.Technique, seed: int
) -> None:
    asked = {**TINY, "start": [row, col], "technique": technique, "seed": seed}
    dealt = ask("deal_no_guess", **asked)
    layout = layout_of(dealt)
    assert layout.mines == 6 and layout.number((row, col)) == 0
    assert clears(deals.TECHNIQUES[technique], layout)
    assert ask("deal_no_guess", **asked) == dealt, "a seed always deals the same board"
    order = list(deals.TECHNIQUES)
    needs = ask("rate", layout=str(layout))["needs"]
    assert needs in order[: order.index(technique) + 1]


def test_dealt_boards_are_shown_as_random_ones_are() -> None:
    dealt = ask("deal_no_guess", **TINY, start=[0, 0], technique="single", seed=1)
    layout = layout_of(dealt)
    again = ask("deal", layout=str(layout), first="any", start=[0, 0])
    assert again == dealt


def test_a_rating_names_the_easiest_technique_that_clears_a_board() -> None:
    """Boards of a seed range need each of the techniques, and some a guess."""
    rated = set()
    for seed in range(60):
        layout = layout_of(ask("deal", rows=8, cols=8, mines=14, first="zero", start=[4, 4], seed=seed))
        needs = ask("rate", layout=str(layout))["needs"]
        found = [name for name, agent in deals.TECHNIQUES.items() if clears(agent, layout)]
        assert needs == (found[0] if found else "guess")
        rated.add(needs)
    assert rated == {*deals.TECHNIQUES, "guess"}
    assert ask("rate", layout="start 0,0\n..*.\n....")["needs"] == "guess", "two cells, one of them mined"


def test_a_search_reports_and_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "PROGRESS_SECONDS", 0.0)
    hard = {"rows": 9, "cols": 9, "mines": 20, "start": [4, 4], "technique": "single", "seed": 1}
    parts, _ = pieces("deal_no_guess", **hard)
    steps = [part["steps"] for part in parts]
    assert steps and steps == sorted(steps)

    def gone(part: Values) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        answer_to(Question.of(json.dumps({"id": 1, "ask": "deal_no_guess", **hard})), LIMITS, gone)


def test_a_search_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "SEARCH_SECONDS", 0.0)
    with pytest.raises(BudgetExceeded, match="try fewer mines"):
        ask("deal_no_guess", **TINY, start=[0, 0], technique="all")
    monkeypatch.setattr(deals, "RATE_SECONDS", 0.0)
    assert ask("rate", layout="start 0,0\n...\n...\n..*") == {"bv": 1, "openings": 1, "needs": None}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"technique": "magic"}, "single, pairs, all"),
        ({"technique": "all", "clues": "random 1/2"}, "true numbers"),
        ({"technique": "all", "first": "any"}, "safe cell"),
        ({"technique": "all", "start": [5, 0]}, "start"),
        ({"technique": "all", "rows": 200, "cols": 200}, "1 to 10,000 cells"),
        ({}, "'technique'"),
    ],
)
def test_odd_orders_are_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(BoardError, match=said):
        ask("deal_no_guess", **{**TINY, "start": [0, 0], **fields})


def test_what_cannot_be_rated_or_dealt() -> None:
    with pytest.raises(ImpossibleSpec):
        ask("deal_no_guess", rows=3, cols=3, mines=3, start=[1, 1], technique="all")
    with pytest.raises(BoardError, match="where play starts"):
        ask("rate", layout="..\n.*")
    with pytest.raises(BoardError, match="where play starts"):
        ask("rate", layout="start 1,1\n..\n.*")
