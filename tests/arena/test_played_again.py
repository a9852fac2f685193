"""Python plays games of the kernels again: which ones, by what means, and what becomes of a difference."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import networkx
import pysat.solvers
import pytest

from satsweep.arena import played_again
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, BlockResult, PlayedAgain
from satsweep.arena.packed_games import pack
from satsweep.arena.pages import page
from satsweep.arena.plan import Plan
from satsweep.arena.planfile import plan_named
from satsweep.arena.played_again import SHARE, Allowance
from satsweep.arena.result import Result
from satsweep.arena.run import report_on, run_plan
from satsweep.arena.store import Store
from satsweep.arena.tables import players
from satsweep.arena.terminal import to_text
from satsweep.arena.workers import Workers
from satsweep.board import Cell
from satsweep.cli.exits import MISMATCH
from satsweep.errors import KernelError
from satsweep.games.deal import random_layout
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.solver import compiled
from tests.arena.reports import Serial
from tests.cli import invoke

BOARDS = (Setting(9, 9, 10, Rules(start=Cell(0, 0))), Setting(8, 8, 12))
PLAN = Plan(("basic", "gem", "sat"), BOARDS, games=30, seed="again")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Numbers of calls of networkx and PySAT; counts of the kernels are refused."""
    found: Counter[str] = Counter()

    def counting(owner: Any, name: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            found[name] += 1
            return real(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)

    def refused(*args: Any) -> None:
        raise AssertionError("a count of the kernels")

    counting(networkx, "connected_components")
    counting(pysat.solvers.Solver, "solve")
    monkeypatch.setattr(compiled, "count_board", refused)
    monkeypatch.setattr("satsweep.solver.engines.compiled.count_component", refused)
    return found


def test_a_default_comparison_plays_games_again_by_networkx_and_pysat(calls: Counter[str]) -> None:
    plan = replace(plan_named("default"), games=5, seconds=None)
    assert plan.agents == ("basic", "gem", "sat")
    with Serial() as workers:
        report = run_plan(plan, workers)
    assert calls["connected_components"] > 10 and calls["solve"] > 10
    assert [summary.again for summary in report.summaries] == [None, None, 1]
    said = "sat: played by the compiled twin; 1 game again by networkx and PySAT, move for move the same.\n"
    assert said in to_text(report) and said in unescape(page(report))


def test_every_board_has_a_game_that_is_played_again(calls: Counter[str]) -> None:
    """Also where the first game of a board is in the store; finished games are not played again."""
    with Store() as store, Serial() as workers:
        for games in (4, 30):
            report = run_plan(replace(PLAN, games=games), workers, store)
            assert all((section.summaries[2].again or 0) >= 1 for section in report.sections)
            written = json.loads(report.to_json())["settings"]
            assert [section["agents"][2]["played_again"] for section in written] == [
                section.summaries[2].again for section in report.sections
            ]
        calls.clear()
        for finished in (run_plan(PLAN, workers, store), report_on(store.run())):
            assert not calls
            assert players(finished.summaries).startswith("sat: played by the compiled twin.\nTimes: by kernels sat;")


@pytest.mark.parametrize("played_by", ["python", "auto"])
def test_where_python_plays_nothing_is_played_again(monkeypatch: pytest.MonkeyPatch, played_by: Any) -> None:
    if played_by == "auto":
        monkeypatch.setattr(compiled, "is_there", lambda: False)
    with Serial() as workers:
        report = run_plan(replace(PLAN, games=2), workers, played_by=played_by)
    assert [summary.again for summary in report.summaries] == [None, None, 0] * 2
    assert players(report.summaries) == (
        "sat: played in Python by networkx and PySAT.\nTimes: in Python basic, gem, sat."
    )


def test_games_of_deep_have_no_twin() -> None:
    block = Block.of(replace(PLAN, agents=("deep", "sat")), 0, range(5), again=2)
    assert play_block(block).again.games == {1: 2}


def test_given_layouts_and_starts_are_played_again() -> None:
    layouts = [random_layout(7, 7, 8, seed=seed) for seed in range(6)]
    for rules in (Rules(), Rules(first=FirstClick.ANY, fatal=False, cascade=False)):
        block = Block.of(Plan(("sat",), settings_by_kind(layouts, rules)), 0, range(2, 6), again=4)
        found = play_block(block).again
        assert found.games == {0: 4} and found.difference is None


@pytest.mark.parametrize(
    ("column", "change", "said"),
    [
        (0, 1, "flag 4,3 in turn 2 (deduced) by kernels, flag 4,3 in turn 1 (deduced) in Python"),
        (0, -9, "flag 4,4 in turn 1 (deduced) by kernels, flag 4,3 in turn 1 (deduced) in Python"),
        (1, -1, "open 4,3 in turn 1 (deduced) by kernels, flag 4,3 in turn 1 (deduced) in Python"),
        (2, 1, "flag 4,4 in turn 1 (deduced) by kernels, flag 4,3 in turn 1 (deduced) in Python"),
        (3, 1, "flag 4,3 in turn 1 (guessed) by kernels, flag 4,3 in turn 1 (deduced) in Python"),
    ],
)
def test_a_wrong_move_is_an_error_that_names_the_game(
    monkeypatch: pytest.MonkeyPatch, column: int, change: int, said: str
) -> None:
    real = compiled.play_games

    def wrong(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        if kwargs["moves"] is not None:
            kwargs["moves"][2, column] += change
        return found

    monkeypatch.setattr(compiled, "play_games", wrong)
    with Store() as store, Serial() as workers:
        with pytest.raises(KernelError) as raised:
            run_plan(replace(PLAN, settings=BOARDS[:1]), workers, store)
        where = "sat, game 0 of 9x9, 10 mines, first cell safe at 0,0, seed again"
        assert str(raised.value) == f"{where}: kernels and Python differ in move 3: {said}"
        assert 0 not in {result.game for result in store.run().results()}, "a block with a difference is not stored"


def test_the_command_exits_with_a_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_again, "difference_of", lambda block, result: f"game {result.game} differs")
    monkeypatch.setattr("satsweep.arena.workers.processes", lambda jobs: Workers.of(Serial()))
    done = invoke("compare", "--agents", "sat", "--board", "5x5/4", "--games", 3)
    assert (done.exit_code, done.stdout, done.stderr) == (MISMATCH, "", "game 0 differs\n")


@pytest.mark.parametrize(("field", "value"), [("guesses", 77), ("outcome", compiled.OUTCOMES.index("played out"))])
def test_a_wrong_measure_is_an_error(monkeypatch: pytest.MonkeyPatch, field: str, value: int) -> None:
    real = compiled.play_games

    def wrong(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        found[field] = value
        return found

    monkeypatch.setattr(compiled, "play_games", wrong)
    found = play_block(Block.of(PLAN, 0, range(3), again=1)).again.difference
    assert found is not None and f"{field} " in found and "by kernels" in found


def test_more_games_are_played_again_within_their_share_of_the_time() -> None:
    allowance, block = Allowance(2), Block.of(PLAN, 0, range(1))
    (packed,) = pack([Result(0, 0, 2, "cleared")])

    def finish(again: int, games: int, seconds: float) -> None:
        played = BlockResult(packed, 1000.0, {}, PlayedAgain({2: games} if games else {}, seconds))
        allowance.complete(replace(block, again=again), played)

    assert [allowance.take(0), allowance.take(1), allowance.take(0)] == [1, 1, 0]
    finish(1, 0, 0.0)
    assert allowance.take(0) == 1, "the first game of the board was beyond the kernels"
    finish(1, 1, 2.0)
    assert SHARE * 2000 == 20 and allowance.take(0) == 9, "two seconds a game, of which one was played"
    finish(0, 0, 0.0)
    assert allowance.take(0) == 0, "nine are being played"
    finish(9, 9, 60.0)
    assert allowance.take(0) == 0, "they took longer than they should"
    allowance.complete(replace(block, again=1), None)
    assert allowance.take(0) == 1, "a block that is lost has played nothing again"
