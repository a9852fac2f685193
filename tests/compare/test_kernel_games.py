"""Games of compiled agents in the arena: row by row those that Python plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from satsweep import Cell, FirstClick, Goal, Rules
from satsweep.clues import clues_named
from satsweep.compare.blocks import Block, play_block
from satsweep.compare.kernel_games import MANY, compile_for, played, worth_compiling
from satsweep.compare.plan import Plan
from satsweep.compare.result import Result
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.topology import topology_named

pytestmark = pytest.mark.extended


def rows(block: Block) -> list[Result]:
    return sorted(result._replace(seconds=0.0) for result in play_block(block).results)


def check(plan: Plan, games: int) -> None:
    block = Block.of(plan, 0, 0, games)
    assert block.compiled
    assert rows(block) == rows(replace(block, compiled=False))


@pytest.mark.parametrize("topology", ["square", "hexagonal", "knight wrapping both"])
@pytest.mark.parametrize(
    ("first", "start"),
    [(FirstClick.SAFE, Cell(0, 0)), (FirstClick.ZERO, Cell(3, 3)), (FirstClick.ANY, None), (FirstClick.GIVEN, None)],
    ids=str,
)
def test_the_rows_are_those_of_python(first: FirstClick, start: Cell | None, topology: str) -> None:
    for cascade, fatal in ((True, True), (False, False)):
        rules = Rules(first, start, cascade=cascade, fatal=fatal)
        setting = Setting(8, 9, 11, rules, topology_named(topology))
        check(Plan(("basic", "sat", "deep", "deep:1"), (setting,), games=MANY), 12)


def test_given_layouts() -> None:
    for first in (FirstClick.SAFE, FirstClick.GIVEN):
        layouts = [
            with_start(random_layout(7, 7, 8, game_rng("layouts", game)), game_rng("starts", game))
            for game in range(15)
        ]
        settings = settings_by_kind(layouts * (MANY // 10), Rules(first))
        check(Plan(("sat", "deep:3"), settings), 15)


def test_plans_that_are_worth_compiling() -> None:
    setting = Setting(9, 9, 10)
    plan = Plan(("basic", "sat"), (setting,), games=MANY)
    assert worth_compiling(plan) and worth_compiling(replace(plan, games=None, until=1.0))
    assert not worth_compiling(replace(plan, games=MANY - 1))
    assert worth_compiling(replace(plan, games=1, agents=("basic", "deep:4"))), "it asks the kernels anyway"
    assert not worth_compiling(replace(plan, agents=("basic", "sat:cpsat")))
    assert not worth_compiling(replace(plan, chains=True))
    for rules in (Rules(goal=Goal.FIND), Rules(tells_total=False), Rules(clues=clues_named("underestimate"))):
        other = Setting(9, 9, 10, rules)
        assert not worth_compiling(replace(plan, settings=(other,)))
        assert played(other, "sat", "0", range(3)) is played(other, "deep", "0", range(3)) is None
        mixed = replace(plan, settings=(setting, other))
        assert worth_compiling(mixed)
        assert rows(Block.of(mixed, 1, 0, 3)) == rows(replace(Block.of(mixed, 1, 0, 3), compiled=False))


def test_games_beyond_the_limits_of_the_kernels() -> None:
    """Knights: a component of the game that is handed over has too many placements."""
    setting = Setting(16, 30, 99, topology=topology_named("knight"))
    plan = Plan(("sat",), (setting,), games=MANY, seed="over")
    found = played(setting, "sat", "over", range(323, 326))
    assert found is not None and [outcome is None for outcome in found.outcomes] == [False, True, False]
    block = Block.of(plan, 0, 323, 3)
    assert rows(block) == rows(replace(block, compiled=False))


def test_what_the_kernels_have_no_room_for_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(8, 8, 10)
    real = played(setting, "sat", "0", range(6))
    assert real is not None
    partly = real._replace(outcomes=(None, *real.outcomes[1:3], None, *real.outcomes[4:]))
    monkeypatch.setattr("satsweep.compare.blocks.played", lambda *_: partly)
    check(Plan(("sat",), (setting,), games=MANY), 6)
    assert played(Setting(101, 120, 500), "sat", "0", range(1)) is None


def test_workers_are_told_before_they_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from satsweep.kernels import api as kernels

    lines: list[str] = []
    monkeypatch.setattr(kernels, "is_ready", lambda part="games": False)
    plan = Plan(("basic", "sat"), (Setting(9, 9, 10),), games=MANY)
    compile_for(plan, lines.append)
    assert lines == ["compiling the kernels, which takes about half a minute, once"]
    deeper = replace(plan, agents=("deep", "sat"), games=3)
    compile_for(deeper, lines.append)
    assert lines[1:] == ["compiling the kernels, which takes about a minute, once"]
    monkeypatch.setattr(kernels, "is_ready", lambda part="games": part != "deep")
    compile_for(deeper, lines.append)
    assert lines[2:] == lines[:1], "half of it is there"
    compile_for(replace(plan, games=3), lines.append)
    monkeypatch.undo()
    compile_for(plan, lines.append)
    compile_for(deeper, lines.append)
    assert len(lines) == 3 and kernels.is_ready() and kernels.is_ready("deep")
