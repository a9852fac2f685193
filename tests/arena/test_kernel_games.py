"""Games of compiled agents in the arena: row by row those that Python plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from satsweep import Cell, FirstClick, Goal, Rules
from satsweep.arena.blocks import Block, play_block
from satsweep.arena.kernel_games import parts_for, played
from satsweep.arena.plan import Plan
from satsweep.arena.result import Result
from satsweep.clues import clues_named
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.solver.compiled import library
from satsweep.topology import topology_named

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def place() -> Path:
    """A directory that keeps all kernels."""
    for part in library.PARTS:
        library.require(part)
    found = library.keeper("games")
    assert found is not None
    return found


def rows(block: Block) -> list[Result]:
    return sorted(result._replace(seconds=0.0) for result in play_block(block).results)


def check(plan: Plan, games: int, place: Path, setting: int = 0, first: int = 0) -> None:
    block = Block.of(plan, setting, first, games)
    assert rows(replace(block, kernels=place)) == rows(block)


@pytest.mark.parametrize("topology", ["square", "hexagonal", "knight wrapping both"])
@pytest.mark.parametrize(
    ("first", "start"),
    [(FirstClick.SAFE, Cell(0, 0)), (FirstClick.ZERO, Cell(3, 3)), (FirstClick.ANY, None), (FirstClick.GIVEN, None)],
    ids=str,
)
def test_the_rows_are_those_of_python(first: FirstClick, start: Cell | None, topology: str, place: Path) -> None:
    for cascade, fatal in ((True, True), (False, False)):
        rules = Rules(first, start, cascade=cascade, fatal=fatal)
        setting = Setting(8, 9, 11, rules, topology_named(topology))
        check(Plan(("basic", "sat", "deep", "deep:1"), (setting,)), 12, place)


def test_given_layouts(place: Path) -> None:
    for first in (FirstClick.SAFE, FirstClick.GIVEN):
        layouts = [
            with_start(random_layout(7, 7, 8, game_rng("layouts", game)), game_rng("starts", game))
            for game in range(15)
        ]
        settings = settings_by_kind(layouts, Rules(first))
        check(Plan(("sat", "deep:3"), settings), 15, place)


def test_what_kernels_play(place: Path) -> None:
    setting = Setting(9, 9, 10)
    plan = Plan(("basic", "sat"), (setting,), games=1)
    assert parts_for(plan) == ("games",)
    assert parts_for(replace(plan, agents=("basic", "deep:4"))) == ("games", "deep")
    assert parts_for(replace(plan, agents=("basic", "sat:cpsat"))) == ()
    assert parts_for(replace(plan, chains=True)) == ()
    assert parts_for(replace(plan, agents=("deep", "sat"), chains=True)) == ("deep",), "asked for guesses"
    for rules in (Rules(goal=Goal.FIND), Rules(tells_total=False), Rules(clues=clues_named("underestimate"))):
        other = Setting(9, 9, 10, rules)
        assert parts_for(replace(plan, settings=(other,))) == ()
        assert played(other, "sat", "0", range(3)) is played(other, "deep", "0", range(3)) is None
        mixed = replace(plan, settings=(setting, other))
        assert parts_for(mixed) == ("games",)
        check(mixed, 3, place, setting=1)


def test_times_tell_kernels_from_python(place: Path) -> None:
    """Negative seconds: kernels would have played this game."""
    plan = Plan(("basic", "sat"), (Setting(9, 9, 10), Setting(9, 9, 10, Rules(tells_total=False))), games=4)

    def signs(setting: int, kernels: Path | None) -> set[tuple[int, bool]]:
        block = Block.of(plan, setting, 0, 4, kernels=kernels)
        return {(result.agent, result.seconds > 0) for result in play_block(block).results}

    assert signs(0, None) == {(0, True), (1, False)}
    assert signs(0, place) == signs(1, None) == signs(1, place) == {(0, True), (1, True)}


def test_without_kernels_python_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers load kernels, and compile none."""
    monkeypatch.setattr(library, "load", lambda *_: False)
    monkeypatch.setattr(library, "begin", lambda *_: pytest.fail("a worker compiles"))
    check(Plan(("basic", "sat"), (Setting(9, 9, 10),)), 3, tmp_path)


def test_games_beyond_the_limits_of_the_kernels(place: Path) -> None:
    """Knights: a component of the game that is handed over has too many placements."""
    setting = Setting(16, 30, 99, topology=topology_named("knight"))
    plan = Plan(("sat",), (setting,), seed="over")
    found = played(setting, "sat", "over", range(323, 326))
    assert found is not None and [outcome is None for outcome in found.outcomes] == [False, True, False]
    check(plan, 3, place, first=323)


def test_what_the_kernels_have_no_room_for_python_plays(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    setting = Setting(8, 8, 10)
    real = played(setting, "sat", "0", range(6))
    assert real is not None
    partly = real._replace(outcomes=(None, *real.outcomes[1:3], None, *real.outcomes[4:]))
    monkeypatch.setattr("satsweep.arena.blocks.played", lambda *_: partly)
    check(Plan(("sat",), (setting,)), 6, place)
    assert played(Setting(101, 120, 500), "sat", "0", range(1)) is None
