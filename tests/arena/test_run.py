"""A run plays every game once, even if agents fail, workers die, or it is stopped."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count, islice
from multiprocessing import forkserver
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from satsweep.agents import agent_named
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.packed_games import pack
from satsweep.arena.pages import page
from satsweep.arena.plan import Plan
from satsweep.arena.progress import RunProgress
from satsweep.arena.result import FAILED, Dropouts, Result
from satsweep.arena.run import run_plan
from satsweep.arena.shared_work import SharedWork
from satsweep.arena.sprt import Sprt
from satsweep.arena.store import Store
from satsweep.arena.terminal import to_text
from satsweep.arena.workers import Workers, processes
from satsweep.board import Cell
from satsweep.errors import StoreError, WorkersError
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.why.influence import chains
from tests import PATIENCE
from tests.arena.reports import Serial, run_results as results_of, single_games, untimed
from tests.schemas import COMPARISON as SCHEMA

AGENTS = Path(__file__).with_name("troubled_agents.py")
PLAN = Plan(("basic", "gem"), (Setting(5, 5, 4), Setting(6, 6, 7, Rules(start=Cell(0, 0)))), games=25)


@pytest.fixture(scope="module")
def expected() -> list[Result]:
    return untimed([result for index in range(2) for result in play_block(Block.of(PLAN, index, range(25))).results])


@pytest.mark.parametrize("with_chains", [pytest.param(False, marks=pytest.mark.extended), True])
def test_a_row_says_what_the_record_says(with_chains: bool) -> None:
    """Chains are there where they are asked for, and where an agent names the clues of its claims."""
    setting = Setting(9, 9, 10, Rules(start=Cell(0, 0)))
    plan = Plan(("gem", "sat"), (setting,), seed="x", chains=with_chains)
    for result in play_block(Block.of(plan, 0, range(3, 8))).results:
        rng = game_rng("x", result.game)
        layout = random_layout(9, 9, 10, rng)
        record = play(layout, agent_named(plan.agents[result.agent]), setting.rules, rng)
        measures = record.measures
        assert (result.outcome, result.won) == (record.outcome.value, record.won)
        assert (result.opened, result.turns, result.mines_hit) == (measures.opened, measures.turns, measures.mines_hit)
        assert (result.right, result.wrong) == (measures.flagged - measures.wrong_flags, measures.wrong_flags)
        assert (result.guesses, result.guesses_lost) == (measures.guesses, measures.guesses_lost)
        assert (result.claims, result.beyond_basic) == (measures.claims, measures.beyond_basic)
        found = chains(record) if with_chains and result.agent == 0 else None
        expected = (found.length, found.reach, found.breadth) if found else (None, None, None)
        assert (result.chain, result.reach, result.breadth) == expected or with_chains and not measures.claims
    halves = Block.of(plan, 0, range(2)).halves()
    assert [half.plan.chains for half in (*halves, *halves[0].halves())] == [with_chains] * 4


@pytest.mark.parametrize("plays", [1, 3])
@pytest.mark.parametrize("size", [3, *(pytest.param(size, marks=pytest.mark.extended) for size in (1, 2, 25))])
def test_games_do_not_depend_on_blocks(size: int, plays: int) -> None:
    """Not even where a block cuts the plays of a layout, nor where it is bisected down to single games."""
    plan = replace(PLAN, plays=plays)
    for index in range(2):
        whole = Block.of(plan, index, range(25))
        blocks = [Block.of(plan, index, range(first, min(first + size, 25))) for first in range(0, 25, size)]
        found = [
            untimed(result for block in some for result in play_block(block).results) for some in (blocks, [whole])
        ]
        assert found[0] == found[1] == sorted(untimed(play_block(one).results[0] for one in single_games(whole)))


def test_halves_of_given_layouts() -> None:
    layouts = tuple(random_layout(4, 4, 3, Random(seed)) for seed in range(7))
    plan = Plan(("basic", "gem", "sat"), settings_by_kind(layouts, Rules()))
    whole = Block.of(plan, 0, range(2, 6))
    found = [block.layout(block.games.start)[0] for half in whole.halves() for block in half.halves()]
    assert found == list(layouts[2:6])


@pytest.mark.parametrize("executor", [Serial, lambda: ThreadPoolExecutor(3)])
def test_any_executor_will_do(expected: list[Result], executor: Any) -> None:
    with executor() as workers:
        assert results_of(PLAN, workers) == expected


@pytest.mark.parametrize("jobs", [1, 3])
def test_processes(expected: list[Result], jobs: int) -> None:
    assert results_of(PLAN, processes(jobs)) == expected


def _number(batch: int) -> tuple[int, int]:
    return os.getpid(), batch


def _slow_first(flag: Path, batch: str) -> bool:
    """Batch "first" ends once the flag is there."""
    ends = time.monotonic() + PATIENCE
    while batch == "first" and not flag.exists() and time.monotonic() < ends:
        time.sleep(0.01)
    return flag.exists()


@pytest.mark.parametrize(("jobs", "batches", "here"), [(1, 20, True), (2, 1, True), (2, 20, False)])
def test_shared_work_in_order(jobs: int, batches: int, here: bool) -> None:
    """One job, and few batches, are done in this process; batches need not end."""
    with SharedWork(_number, jobs, in_order=True) as shared:
        endless = count() if batches > 1 else range(1)
        found = list(islice(shared.of(endless), batches))
    assert found == [(number, (process, number)) for number, (_, (process, _)) in enumerate(found)]
    assert {process for _, (process, _) in found} == {os.getpid()} or not here
    assert here or os.getpid() not in {process for _, (process, _) in found}


def test_shared_work_as_it_is_done(tmp_path: Path) -> None:
    flag = tmp_path / "second is done"
    with SharedWork(partial(_slow_first, flag), 2) as shared:
        outcomes = shared.of(["first", "second"])
        assert next(outcomes) == ("second", False)
        flag.touch()
        assert list(outcomes) == [("first", True)]


def test_given_layouts_are_played_in_their_order() -> None:
    layouts = [random_layout(4, 4, 3 + seed % 2, Random(seed), start=(0, 0)) for seed in range(10)]
    plan = Plan(("basic",), settings_by_kind(layouts, Rules(FirstClick.ANY, start=Cell(0, 0))), games=4)
    assert [setting.mines for setting in plan.settings] == [3, 4]
    found = results_of(plan, Serial())
    assert [(result.setting, result.game) for result in found] == [(s, g) for s in range(2) for g in range(4)]
    for result in found:
        layout = layouts[2 * result.game + result.setting]
        assert result.won == play(layout, agent_named("basic"), plan.settings[0].rules, game_rng("0", result.game)).won


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, expected: list[Result]) -> None:
    path = tmp_path / "runs.sqlite"
    few = replace(PLAN, games=3)
    assert len(results_of(few, Serial(), Store(path))) == 12

    sent: list[int] = []

    class Counting(Serial):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            sent.extend(block.units for block in args)
            return super().submit(fn, *args, **kwargs)

    assert results_of(PLAN, Counting(), Store(path)) == expected
    assert sum(sent) == 100 - 12
    sent.clear()
    assert results_of(PLAN, Counting(), Store(path)) == expected
    assert sent == []


@pytest.mark.parametrize("seed", range(3))
def test_holes_are_filled(seed: int, expected: list[Result]) -> None:
    """Exactly the games that the store lacks are played, for any set of games in it."""
    rng = Random(seed)
    with Store() as store:
        store.begin(PLAN, versions()).add(pack(result for result in expected if rng.random() < 0.7))
        run_plan(PLAN, Serial(), store)
        assert untimed(store.run().results()) == expected


def test_a_report_on_fewer_games_than_there_are(expected: list[Result]) -> None:
    with Store() as store:
        run_plan(PLAN, Serial(), store)
        report = run_plan(replace(PLAN, games=10), Serial(), store)
    assert [row.games for section in report.sections for row in section.summaries] == [10] * 4
    assert report == replace(run_plan(replace(PLAN, games=10), Serial()), sections=report.sections)


@pytest.mark.extended
def test_time_ends_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still while the processor has other work."""
    begun: dict[int, tuple[RunProgress, float]] = {}

    def seconds(run: RunProgress) -> float:
        return time.process_time() - begun.setdefault(id(run), (run, time.process_time()))[1]

    monkeypatch.setattr(RunProgress, "seconds", property(seconds))
    plan = replace(PLAN, games=None, seconds=1.0)
    with Store() as store:
        run_plan(plan, Serial(), store)
        first = store.run().finished()
        run_plan(plan, Serial(), store)
        second = store.run().finished()
    assert all(len(first[index]) == 1 and first[index][0].start == 0 for index in range(2))
    assert all(second[index][0].stop > first[index][0].stop for index in range(2)), "it goes on for that long again"
    assert abs(first[0][0].stop - first[1][0].stop) < first[0][0].stop, "settings take turns"


@pytest.mark.extended
def test_precision_ends_a_run() -> None:
    plan = Plan(("basic", "random"), (Setting(4, 4, 3), Setting(5, 5, 5)), until=4.0)
    report = run_plan(plan, Serial())
    estimates = [row.measured["won"] for section in report.sections for row in section.summaries]
    assert all(estimate is not None and estimate.half <= 0.04 for estimate in estimates)
    assert all(100 < row.games < 20_000 for section in report.sections for row in section.summaries)


def test_games_end_a_run_that_is_not_precise_yet() -> None:
    report = run_plan(replace(PLAN, until=0.01), Serial())
    assert [row.games for section in report.sections for row in section.summaries] == [25] * 4


def test_an_agent_that_raises_loses_its_game() -> None:
    plan = replace(PLAN, agents=("basic", f"{AGENTS}:raises"))
    report = run_plan(plan, Serial())
    for section in report.sections:
        basic, raising = section.summaries
        assert basic.failed == 0 < raising.failed
        assert basic.games == raising.games == 25
    failure = report.failures[0]
    assert failure.message == "raises raised ValueError at troubled_agents.py:18: a three"
    assert failure.layout == str(plan.settings[0].layout("0", failure.game)[0])


def test_an_agent_that_dies_once_loses_no_game(expected: list[Result], tmp_path: Path) -> None:
    """It may have died for a reason outside of the agent."""
    copied = shutil.copy(AGENTS, tmp_path)
    plan = replace(PLAN, agents=("basic", f"{copied}:dies_once"))
    found = results_of(plan, processes(2))
    assert Path(f"{copied}.died").exists()
    assert [result for result in found if result.agent == 0] == [result for result in expected if result.agent == 0]
    assert [result._replace(agent=0) for result in found if result.agent == 1] == [
        result for result in expected if result.agent == 0
    ]


def test_a_single_game_whose_worker_died_is_played_again(expected: list[Result]) -> None:
    for games in (1, 25):
        plan = replace(PLAN, agents=("basic",), games=games)
        with Deadly({(0, 0, 0)}, times=1) as workers:
            assert results_of(plan, workers) == [one for one in expected if one.agent == 0 and one.game < games]
            assert not workers.times


def test_a_game_that_kills_is_found_and_left_behind(expected: list[Result]) -> None:
    deadly = {(0, 3, 1), (0, 4, 1), (1, 20, 0)}
    with Store() as store, Deadly(deadly) as workers:
        report = run_plan(PLAN, workers, store)
        found = untimed(store.run().results())
    assert {result[:3] for result in found if result.failed} == deadly
    assert {result.message for result in report.failures} == {"the worker that played it died"}
    assert [result for result in found if not result.failed] == [one for one in expected if one[:3] not in deadly]


class Deadly(Serial):
    """Executor of which some games, as (setting, game, agent), kill the worker, at most some times."""

    def __init__(self, games: set[tuple[int, int, int]], times: int = 1000) -> None:
        self.games, self.times = games, times

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        for block in args:
            played = {(block.index, game, agent) for game in block.games for agent in block.agents}
            if self.times and self.games & played:
                self.times -= 1
                future: Future[Any] = Future()
                future.set_exception(BrokenExecutor())
                return future
        return super().submit(fn, *args, **kwargs)


def test_games_that_always_kill_end_the_run() -> None:
    deadly = {(0, game, 1) for game in range(25) if game % 5}
    with Store() as store, Deadly(deadly) as workers:
        with pytest.raises(WorkersError, match="10 games killed their workers, the last one of gem; giving up"):
            run_plan(PLAN, workers, store)
        failed = [result[:3] for result in store.run().results() if result.failed]
        assert len(failed) == 9 and set(failed) < deadly, "results before are kept"


def test_an_agent_is_out_after_five_failures_in_a_row(tmp_path: Path) -> None:
    """Others go on; the next run of the plan does not call it again, and goes on where they are."""
    broken = tmp_path / "broken.py"
    broken.write_text("def deduce(board):\n    return 1 / 0, ()\n")
    plan = Plan(("basic", f"{broken}:deduce", "gem"), (PLAN.settings[0],), games=25)
    with Store() as store:
        report = run_plan(plan, Serial(), store)
        assert store.run().finished() == {0: [range(25)]}
        rows = [result for result in store.run().results() if result.agent == 1]
        assert 5 <= len(rows) < 25 and all(row.failed for row in rows)
        again = run_plan(replace(plan, games=30), Serial(), store)
        assert len([result for result in store.run().results() if result.agent == 1]) == len(rows)
    assert [(row.agent, row.games) for row in report.summaries] == [("basic", 25), ("gem", 25)]
    assert [row.games for row in again.summaries] == [30, 30]
    assert [(pair.first, pair.second) for pair in report.sections[0].comparisons] == [("basic", "gem")]
    assert report.failures == () and [(one.agent, one.game) for one in report.out] == [(1, 0)]
    assert report.out[0].layout == str(PLAN.settings[0].layout("0", 0)[0])
    values = report.as_values()
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    said = "broken.py:deduce is out of 5x5, 4 mines, first cell safe: 5 games in a row failed, from game 0 on: "
    assert to_text(report).startswith(f"{said}deduce raised ZeroDivisionError at broken.py:2: division by zero")
    assert page(report).index(f"<strong>{said}") < page(report).index("<figure>")


@pytest.mark.parametrize("agents", [("basic", "broken"), ("broken", "basic"), ("broken",)])
@pytest.mark.parametrize("test", [None, Sprt(0, 5)])
def test_a_run_ends_when_nothing_is_left_to_compare(tmp_path: Path, agents: tuple[str, ...], test: Sprt | None) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def deduce(board):\n    raise ValueError\n")
    if test is not None and len(agents) == 1:
        return
    names = tuple(f"{broken}:deduce" if name == "broken" else name for name in agents)
    with Store() as store:
        report = run_plan(Plan(names, PLAN.settings[:1], games=4000, sprt=test), Serial(), store)
        assert len(list(store.run().results())) < 100
    assert report.decision is None and len(report.out) == 1
    assert [row.agent for row in report.summaries] == [name for name in agents if name != "broken"]
    assert not any(section.comparisons for section in report.sections)


def test_failures_count_in_a_row_only() -> None:
    """They may come in any order, and count for their agent and setting alone."""
    failed = [Result(0, game, 0, FAILED) for game in (6, 2, 4, 3, 7, 8, 9)]
    assert Dropouts(failed).out == {}
    assert Dropouts([*failed, Result(0, 5, 1, FAILED), Result(1, 5, 0, FAILED)]).out == {}
    assert Dropouts([*failed, Result(0, 5, 0, FAILED)]).out == {(0, 0): failed[1]}


@pytest.mark.extended
@pytest.mark.skipif(sys.platform != "linux", reason="there is a fork server on Linux")
def test_a_fork_server_that_is_killed(expected: list[Result]) -> None:
    killed: list[int] = []

    def watch(progress: RunProgress) -> None:
        server = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
        if server and server not in killed and len(killed) < 2:
            killed.append(server)
            os.kill(server, signal.SIGKILL)

    with Store() as store:
        run_plan(PLAN, processes(2), store, watch)
        assert untimed(store.run().results()) == expected
    assert len(killed) == 2


def test_workers_that_do_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.arena.pool.PAUSE", 0.0)

    class Broken(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise OSError("no more processes")

    with pytest.raises(WorkersError, match="no worker starts: OSError: no more processes"):
        run_plan(PLAN, Broken())


def test_workers_of_another_version() -> None:
    class Other(Serial):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            if fn is versions:
                future = Future()
                future.set_result({**versions(), "satsweep": "0.0.9"})
            return future

    with pytest.raises(WorkersError, match="expected workers with satsweep .*, found 0.0.9"):
        run_plan(PLAN, Other())


@pytest.mark.extended
def test_a_full_store_ends_the_run() -> None:
    with Store() as store:
        store._db.execute("PRAGMA max_page_count = 30")
        with pytest.raises(StoreError, match="full"):
            run_plan(replace(PLAN, games=5000), Serial(), store)


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int | None, float | None]] = []

    def watch(progress: RunProgress) -> None:
        seen.append((progress.played, progress.total, progress.share_done))

    run_plan(PLAN, Serial(), watch=watch)
    assert seen[0] == (0, 100, 0.0) and seen[-1] == (100, 100, 1.0)
    assert [played for played, _, _ in seen] == sorted({played for played, _, _ in seen})


class Vanishing(Serial):
    """Executor that starts, and then answers every block in a given way."""

    def __init__(self, answer: Callable[[], Future[Any]]) -> None:
        self.answer = answer

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(fn, *args, **kwargs) if fn is versions else self.answer()


def test_workers_that_never_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.arena.pool.CHECK_SECONDS", 0.01)
    executor = Vanishing(Future)
    workers = Workers(lambda: executor, 1, lambda executor, busy: None, lambda: False)
    with pytest.raises(WorkersError, match="the workers are gone"):
        run_plan(PLAN, workers)


def test_workers_that_take_no_games() -> None:
    def closed() -> Future[Any]:
        raise RuntimeError("closed")

    with pytest.raises(WorkersError, match="no worker takes a game: RuntimeError: closed"):
        run_plan(PLAN, Vanishing(closed))


def test_blocks_that_are_cancelled_count_as_lost() -> None:
    def cancelled() -> Future[Any]:
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future

    with pytest.raises(WorkersError, match="10 games killed their workers"):
        run_plan(PLAN, Vanishing(cancelled))
