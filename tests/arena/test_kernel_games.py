"""Games of compiled agents in the arena: row by row those that Python plays."""

from dataclasses import replace

import pytest

from satsweep import Cell, Rules
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.kernel_games import may_play, played
from satsweep.arena.plan import Plan
from satsweep.arena.result import Result
from satsweep.arena.run import run_plan
from satsweep.clues import clues_named
from satsweep.errors import AgentError, KernelError
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.rules import FirstClick, Goal
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.solver import compiled
from satsweep.topology import topology_named


def rows(block: Block) -> list[Result]:
    return sorted(result._replace(seconds=0.0) for result in play_block(block).results)


def check(plan: Plan, games: int, setting: int = 0, first: int = 0) -> None:
    block = Block.of(plan, setting, range(first, first + games))
    assert rows(block) == rows(replace(block, in_python=True))


@pytest.mark.parametrize(
    "topology", ["square", pytest.param("hexagonal", marks=pytest.mark.extended), "knight wrapping both"]
)
@pytest.mark.parametrize(
    ("first", "start"),
    [(FirstClick.SAFE, Cell(0, 0)), (FirstClick.ZERO, Cell(3, 3)), (FirstClick.ANY, None), (FirstClick.GIVEN, None)],
    ids=str,
)
def test_the_rows_are_those_of_python(first: FirstClick, start: Cell | None, topology: str) -> None:
    for cascade, fatal in ((True, True), (False, False)):
        rules = Rules(first, start, cascade=cascade, fatal=fatal)
        setting = Setting(8, 9, 11, rules, topology_named(topology))
        check(Plan(("basic", "sat", "deep", "deep:1"), (setting,)), 4)


def test_given_layouts() -> None:
    for first in (FirstClick.SAFE, FirstClick.GIVEN):
        layouts = [
            with_start(random_layout(7, 7, 8, game_rng("layouts", game)), game_rng("starts", game)) for game in range(8)
        ]
        settings = settings_by_kind(layouts, Rules(first))
        check(Plan(("sat", "deep:3"), settings), 8)


def test_what_kernels_play() -> None:
    setting = Setting(9, 9, 10)
    plan = Plan(("basic", "sat"), (setting,), games=1)
    assert not may_play(plan, 0, 0) and may_play(plan, 0, 1)
    assert may_play(replace(plan, agents=("deep:4",)), 0, 0) and not may_play(
        replace(plan, agents=("sat:cpsat",)), 0, 0
    )
    assert not may_play(replace(plan, chains=True), 0, 1)
    for rules in (Rules(goal=Goal.FIND), Rules(tells_total=False), Rules(clues=clues_named("underestimate"))):
        other = Setting(6, 6, 5, rules)
        assert not may_play(replace(plan, settings=(other,)), 0, 1)
        assert played(other, "sat", "0", range(3)) is played(other, "deep", "0", range(3)) is None
        mixed = replace(plan, settings=(setting, other))
        check(mixed, 3, setting=1)


def test_times_tell_kernels_from_python() -> None:
    """Negative seconds: kernels would have played this game."""
    plan = Plan(("basic", "sat"), (Setting(9, 9, 10), Setting(9, 9, 10, Rules(tells_total=False))), games=4)

    def signs(setting: int, in_python: bool) -> set[tuple[int, bool]]:
        block = Block.of(plan, setting, range(4), in_python=in_python)
        return {(result.agent, result.seconds > 0) for result in play_block(block).results}

    assert signs(0, True) == {(0, True), (1, False)}
    assert signs(0, False) == signs(1, True) == signs(1, False) == {(0, True), (1, True)}


def test_without_the_library_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(("basic", "sat"), (Setting(9, 9, 10),), games=3)
    expected = rows(Block.of(plan, 0, range(3)))
    monkeypatch.setattr(compiled, "is_there", lambda: False)
    block = Block.of(plan, 0, range(3))
    assert rows(block) == expected and {result.seconds > 0 for result in play_block(block).results if result.agent} == {
        False
    }


def test_kernels_that_are_asked_for_have_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise KernelError("no library")

    monkeypatch.setattr(compiled, "load", fail)
    with pytest.raises(AgentError, match="no library"):
        run_plan(Plan(("sat",), (Setting(5, 5, 3),), games=1), played_by="kernels")


def test_games_beyond_the_limits_of_the_kernels() -> None:
    """Knights: a component of the game that is handed over has too many placements."""
    setting = Setting(16, 30, 99, topology=topology_named("knight"))
    plan = Plan(("sat",), (setting,), seed="over")
    found = played(setting, "sat", "over", range(323, 326))
    assert found is not None and [outcome is None for outcome in found.outcomes] == [False, True, False]
    check(plan, 3, first=323)


def test_what_the_kernels_have_no_room_for_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(8, 8, 10)
    real = played(setting, "sat", "0", range(6))
    assert real is not None
    partly = real._replace(outcomes=(None, *real.outcomes[1:3], None, *real.outcomes[4:]))
    monkeypatch.setattr("satsweep.arena.kernel_games.played", lambda *_: partly)
    check(Plan(("sat",), (setting,)), 6)
    assert played(Setting(101, 120, 500), "sat", "0", range(1)) is None
