"""Functions as agents: in games, in processes of their own, and by names that have their code."""

from random import Random
from threading import Lock
from typing import Any

import pytest

import satsweep
from satsweep import AgentError, BoardError, Layout, Rules
from satsweep.agents.isolated import isolated
from satsweep.agents.load import label_of, load_agent, pickled
from satsweep.games import game
from satsweep.games.deal import game_rng, random_layout, rng_of

LAYOUT = Layout("*..\n...\n...")


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

    record = satsweep.play(LAYOUT, first, Rules(start=(2, 2)))  # type: ignore[arg-type]
    assert record.won
    record = satsweep.play(LAYOUT, first, satsweep.Rules(first=satsweep.games.FirstClick.ANY), seed=0)
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
    text = str(LAYOUT)
    assert (
        satsweep.play(text, "sat") == satsweep.play(LAYOUT, "sat") == satsweep.play([[1, 0, 0], *[[0] * 3] * 2], "sat")
    )


def test_arguments_that_make_no_game() -> None:
    with pytest.raises(ValueError, match="expected an agent among"):
        satsweep.play("beginner", "gen")
    with pytest.raises(BoardError, match="expected beginner, intermediate, expert, or rows x cols"):
        random_layout("beginer")
    with pytest.raises(TypeError, match="expected rows, columns and mines"):
        random_layout(9, 9)
    with pytest.raises(TypeError, match="without columns and mines"):
        random_layout("expert", 9, 9)
    with pytest.raises(TypeError, match="expected rng or seed, found both"):
        random_layout("expert", rng=Random(1), seed=1)
    with pytest.raises(TypeError, match="expected a seed or a random.Random, found 1.5"):
        random_layout("expert", seed=1.5)  # type: ignore[arg-type]
    assert random_layout("expert") != random_layout("expert")
    assert rng_of(3).random() == rng_of(seed=3).random() == game_rng(3, 0).random()
