"""Agents of files and functions: the same in a process of their own as here, and by names that have their code."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import pytest

import satsweep
from satsweep.agents.isolated import isolated
from satsweep.agents.load import LoadedAgent, label_of, load_agent, pickled
from satsweep.board import Board
from satsweep.errors import AgentError
from satsweep.games import game
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.record import Action
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.oracle.audit import audits_of_boards
from tests.cli import invoke

OWN = """from fractions import Fraction
from satsweep import Cell, Deduction, Guess
from satsweep.errors import AgentError

class complete:
    said = ''

    def begin(self, rules, rng):
        self.said = f"{rules.goal.value} {rules.fatal} {rng.random()}"

    def deduce(self, board):
        return Deduction(flags=() if board.flags else board.covered[:1])

    def guess(self, board, rng):
        return Guess(board.covered[-1], f"{self.said} {rng.random()}")

    def rates(self, board):
        return {cell: 1 / 8 for cell in board.covered}

class lying(complete):
    def deduce(self, board):
        return [(0, 0)], []

    def lie(self, cell, mine):
        return AgentError(f"caught at {cell}, mine: {mine}")

class failing(complete):
    def begin(self, rules, rng):
        raise ValueError("no such rules")

class rating_open_cells(complete):
    def rates(self, board):
        return {Cell(0, 1): 1}
"""
LAYOUT = Layout(("*.*", "...", "..."))


@pytest.fixture(params=["here", "in a process"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], LoadedAgent]]:
    (tmp_path / "own.py").write_text(OWN)
    with ExitStack() as held:
        load = isolated if request.param == "in a process" else lambda name: nullcontext(load_agent(name))
        yield lambda name: held.enter_context(load(f"{tmp_path}/own.py:{name}"))


def test_begin_has_the_rules_and_the_random_numbers_of_the_game(own: Callable[[str], LoadedAgent]) -> None:
    draws = Random(5)
    record = play(LAYOUT, own("complete").fresh(), Rules(FirstClick.ANY, fatal=False, goal=Goal.FIND), Random(5))
    assert record.moves[1].why == f"find False {draws.random()} {draws.random()}"


def test_flags_that_are_no_claims_arrive(own: Callable[[str], LoadedAgent]) -> None:
    first = play(LAYOUT, own("complete").fresh(), Rules(FirstClick.ANY)).moves[0]
    assert (first.action, first.cell) == (Action.FLAG, (0, 0))


def test_risks_are_audited(own: Callable[[str], LoadedAgent]) -> None:
    boards = [Board(("####", "####"), mines=1), Board(("####",), mines=1)]
    right, wrong = audits_of_boards(own("complete"), boards)
    assert (right.risks, right.wrong_risk_cells) == (8, 0)
    assert (wrong.risks, wrong.wrong_risk_cells, wrong.greatest_risk_error) == (4, 4, Fraction(1, 8))


def test_a_false_claim_ends_the_game(own: Callable[[str], LoadedAgent]) -> None:
    with pytest.raises(AgentError, match=r"^caught at 0,0, mine: False$"):
        play(LAYOUT, own("lying").fresh(), Rules(FirstClick.ANY))


def test_errors_of_all_functions_are_errors_of_the_agent(own: Callable[[str], LoadedAgent]) -> None:
    with pytest.raises(AgentError, match=r"^begin raised ValueError at own.py:\d+: no such rules$"):
        play(LAYOUT, own("failing").fresh(), Rules(FirstClick.ANY))
    (audit,) = audits_of_boards(own("rating_open_cells"), [Board(("#1",), mines=1)], keep_failures=True)
    assert [failure.message for failure in audit.failures] == ["the agent names 0,1, which is no covered cell"]


def test_wrong_risks_of_an_own_agent_are_reported(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    result = invoke("audit", "--agent", f"{tmp_path}/own.py:complete", "--board", "4x4/3", "--games", 3)
    assert "risks" in result.stdout and result.exit_code == 1


CORNER = Layout("*..\n...\n...")


def test_a_function_plays_by_its_name_as_it_does_itself() -> None:
    single = satsweep.agent_named("basic").deduce

    def single_point(board: Any) -> Any:
        return single(board)

    name = pickled(single_point)
    assert label_of(name) == "single_point"
    for seed in range(3):
        with isolated(name) as agent:
            assert satsweep.play("beginner", agent, seed=seed) == satsweep.play("beginner", single_point, seed=seed)


def test_a_policy_is_a_function_of_two_or_three_parameters() -> None:
    def first(observation: Any, mask: Any) -> Any:
        return mask.argmax()

    def drawn(observation: Any, mask: Any, rng: Random) -> Any:
        return rng.choice(mask.nonzero()[0])

    record = satsweep.play(CORNER, first, Rules(start=(2, 2)))  # type: ignore[arg-type]
    assert record.won
    record = satsweep.play(CORNER, first, satsweep.Rules(first=satsweep.games.FirstClick.ANY), seed=0)
    assert record.moves[0].cell == (0, 0) and not record.won
    assert satsweep.play("beginner", drawn, seed=2) == satsweep.play("beginner", drawn, seed=2)
    with isolated(pickled(drawn)) as agent:
        assert satsweep.play("beginner", agent, seed=2) == satsweep.play("beginner", drawn, seed=2)


def test_pickled_code_that_does_not_load() -> None:
    with pytest.raises(AgentError, match="^mine: expected code that loads"):
        load_agent("pickled:mine:AAAA")
    with pytest.raises(TypeError, match="expected an agent that can be pickled, found lock"):
        pickled(Lock())


def test_a_game_of_names_is_that_of_values() -> None:
    rng = game_rng(5, 0)
    layout = random_layout(16, 16, 40, rng)
    expected = game.play(layout, satsweep.agent_named("gem"), rng=rng, name="gem")
    assert satsweep.play("intermediate", "gem", seed=5) == expected
    assert satsweep.play("16x16/40", "gem", rng=5) == expected
    assert satsweep.play("intermediate", "gem", seed=5).agent == "gem"
    assert satsweep.play("9x9/10", "ai0", seed=1).rules == satsweep.games.FIND_MINES_RULES
    text = str(CORNER)
    assert (
        satsweep.play(text, "sat") == satsweep.play(CORNER, "sat") == satsweep.play([[1, 0, 0], *[[0] * 3] * 2], "sat")
    )


def test_arguments_that_make_no_game() -> None:
    with pytest.raises(ValueError, match="expected an agent among"):
        satsweep.play("beginner", "gen")
