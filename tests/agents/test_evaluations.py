"""Evaluations: each test of a rule on a number, a pair of numbers or a row is counted once."""

from random import Random
from typing import Any

import numpy
import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Board
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction
from satsweep.games.game import play
from satsweep.games.rules import Rules
from satsweep.games.setting import Setting
from tests.agents import CLAIM_NOTHING

PAIRS = Board(("####", "1221"))
"""Each number on its own proves nothing; the pairs of an outer and its inner number do."""
SETTING = Setting(8, 8, 10)


@pytest.mark.parametrize(
    ("agent", "evaluations"),
    [
        ("random", 0),
        # Four numbers.
        ("basic", 4),
        # Four numbers; three pairs of neighbours, both ways; of the numbers that shrank, the two with cells left.
        ("tank", 4 + 6 + 2),
        # Four numbers; each with those that touch its first cell: 1, 1, 2 and 2 others.
        ("subset", 4 + 6),
        # Four numbers; four rows, each by one rule, or by two.
        ("gem", 4 + 4),
        ("gem-select", 4 + 4),
        ("gem-full", 4 + 4 * 2),
        # Four numbers in the queue, each followed by the rule of flags on four open cells.
        ("bfs", 4 + 16),
        ("dfs", 4 + 16),
        # Four numbers that are open.
        ("ai0", 4),
        ("ai1", 4),
        # The search ahead is not counted.
        ("deep", None),
    ],
)
def test_a_position(agent: str, evaluations: int | None) -> None:
    deduction = agent_named(agent).deduce(PAIRS)
    assert isinstance(deduction, Deduction) and deduction.evaluations == evaluations


@pytest.mark.parametrize("name", sorted(set(AGENTS) - {"deep"}))
def test_a_game_has_those_of_all_its_deductions(name: str) -> None:
    layout, rng = SETTING.layout("0", 1)
    agent, counts = agent_named(name), list[int | None]()

    def deduce(board: Board) -> Any:
        deduction = agent.deduce(board)
        assert isinstance(deduction, Deduction)
        counts.append(deduction.evaluations)
        return deduction

    record = play(layout, Agent(deduce, agent.guess), Rules(fatal=False), rng)
    assert record.evaluations == record.measures.evaluations == sum(count or 0 for count in counts)
    assert None not in counts
    assert record.evaluations or name in CLAIM_NOTHING


def test_known_counts_are_not_evaluated_again() -> None:
    """The second look at a position costs sat its rules, but no count of a component."""
    agent = agent_named("sat")
    board = Board(("#####", "12321", "#####"), mines=3)
    again = Board(board.cells, mines=3)
    first, second = (agent.deduce(one).evaluations for one in (board, again))  # type: ignore[union-attr]
    assert first is not None and second is not None and 0 < second <= first
    assert agent_named("sat").deduce(again).evaluations == first  # type: ignore[union-attr]


def test_an_agent_may_leave_them_out() -> None:
    layout, rng = SETTING.layout("0", 1)
    reports = iter([3, None])
    sparing = Agent(lambda board: Deduction(evaluations=next(reports, 1)), agent_named("random").guess)
    assert play(layout, sparing, Rules(fatal=False), rng).measures.evaluations is None
    pair = Agent(lambda board: ((), ()), agent_named("random").guess)
    assert play(layout, pair, Rules(fatal=False), Random(0)).evaluations is None


@pytest.mark.parametrize("found", [-1, 1.0, "many", 10**9 + 1, numpy.int64(-1)])
def test_evaluations_that_are_no_count(found: Any) -> None:
    agent = Agent(lambda board: Deduction(evaluations=found), agent_named("random").guess)
    with pytest.raises(AgentError, match="expected evaluations from 0 to 1,000,000,000, found"):
        play(SETTING.layout("0", 1)[0], agent, Rules(), Random(0))


def test_a_count_of_numpy_is_one() -> None:
    agent = Agent(lambda board: Deduction(evaluations=numpy.int64(2)), lambda board, rng: None)  # type: ignore[arg-type]
    record = play(SETTING.layout("0", 1)[0], agent, Rules(), Random(0))
    assert (record.evaluations, type(record.evaluations)) == (2, int)
