"""Comparisons that begin in Python and go over to kernels: same games, and no time lost."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from satsweep.arena.block_queue import BlockQueue
from satsweep.arena.blocks import Block, BlockResult, play_block, versions
from satsweep.arena.kernel_games import parts_for
from satsweep.arena.measures import MEASURES
from satsweep.arena.plan import Plan
from satsweep.arena.progress import RunProgress
from satsweep.arena.progress_bar import games_line
from satsweep.arena.result import Result
from satsweep.arena.run import play_missing
from satsweep.arena.store import Store
from satsweep.arena.sums import AgentSums, sum_results
from satsweep.arena.workers import Workers
from satsweep.errors import AgentError
from satsweep.games.setting import Setting
from satsweep.solver.background import Kernels
from satsweep.solver.compiled import Part

PLAN = Plan(("basic", "sat"), (Setting(9, 9, 10),), games=100)
LINE = "compiling the kernels in the background, about 15 s; `satsweep warm` does it ahead"


class Compiling(Kernels):
    """Kernels that a test compiles: ``there`` are done, and ``left`` are the seconds for the others."""

    def __init__(self, *parts: Part, left: float = 15.0, place: Path = Path("/kernels")) -> None:
        super().__init__(*parts)
        self.left = left
        self.there: set[Part] = set()
        self.state = "waiting"
        self.at = place
        self.end: Future[None] = Future()

    def place(self, part: Part) -> Path | None:
        return self.at if part in self.there else None

    have_failed = property(lambda self: self.state == "failed")
    are_compiling = property(lambda self: self.state in ("compiling", "polite"))
    have_begun = property(lambda self: self.state != "waiting" or not self.missing)
    seconds_left = property(lambda self: self.left)
    ended = property(lambda self: self.end if self.are_compiling else None)

    def begin(self, *, polite: bool = False) -> None:
        self.state = "polite" if polite else "compiling"

    def make_polite(self) -> None:
        self.state = "polite"

    def finish(self, *parts: Part) -> None:
        """Have parts compiled, or fail without any."""
        self.there |= set(parts)
        self.state = "done" if parts else "failed"
        self.end.set_result(None)


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.arena.block_queue.processors", lambda: 2)


def queue_of(plan: Plan, kernels: Kernels, jobs: int = 2) -> BlockQueue:
    return BlockQueue(plan, {}, RunProgress(plan, None), jobs, kernels)


def play(queue: BlockQueue, seconds: float, blocks: int = 6) -> None:
    """Have blocks played in which each game takes ``seconds``, half of them for sat."""
    for _ in range(blocks):
        block = queue.next_block()
        assert block is not None and block.kernels is None
        results = [
            Result(0, game, agent, "cleared", seconds=(-1 if agent else 1) * seconds / 2)
            for game in range(block.first, block.first + block.games)
            for agent, _ in block.agents
        ]
        queue.complete(block, BlockResult(results, block.games * seconds, {}))


def test_short_runs_compile_nothing() -> None:
    kernels = Compiling("games")
    queue = queue_of(PLAN, kernels)
    assert not queue.steer()
    play(queue, 0.02)
    assert not queue.steer() and kernels.state == "waiting"


def test_runs_that_python_ends_sooner_compile_for_the_next_one() -> None:
    kernels = Compiling("games")
    queue = queue_of(PLAN, kernels)
    play(queue, 0.3, blocks=9)
    assert not queue.steer() and kernels.state == "polite"


def test_long_runs_leave_a_processor_to_the_compiler() -> None:
    kernels = Compiling("games")
    queue, wide = queue_of(replace(PLAN, games=100_000), kernels), queue_of(replace(PLAN, games=100_000), kernels, 1)
    play(queue, 0.02)
    assert queue.steer() and kernels.state == "compiling"
    meanwhile, block = queue.next_block(), wide.next_block()
    assert meanwhile is not None and meanwhile.polite and block is not None and not block.polite
    assert not wide.steer(), "another processor is idle"
    kernels.left = 10_000
    assert not queue.steer() and kernels.state == "polite", "the compiler is slower than was thought"
    block = queue.next_block()
    assert block is not None and not block.polite


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities on Linux")
def test_a_polite_block_is_played_at_the_lowest_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    priorities: list[int] = []

    def priority(*_: object) -> None:
        priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    block = Block.of(PLAN, 0, 0, 2)
    monkeypatch.setattr("satsweep.arena.blocks.versions", priority)
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    found = [
        [result._replace(seconds=0.0) for result in play_block(replace(block, polite=polite)).results]
        for polite in (True, False)
    ]
    assert found[0] == found[1] and priorities == [19, before]


@pytest.mark.parametrize(("seconds", "state"), [(3.0, "waiting"), (10.0, "polite"), (60.0, "compiling")])
def test_runs_with_a_time_limit(seconds: float, state: str) -> None:
    kernels = Compiling("games")
    queue = queue_of(replace(PLAN, games=None, seconds=seconds), kernels)
    play(queue, 0.01)
    queue.steer()
    assert kernels.state == state


def test_only_time_that_kernels_save_counts() -> None:
    """Agents without kernels take the same time either way."""
    kernels = Compiling("games")
    queue = queue_of(replace(PLAN, agents=("basic", "gem")), kernels)
    for _ in range(6):
        block = queue.next_block()
        assert block is not None
        results = [Result(0, block.first, agent, "cleared", seconds=9.0) for agent in range(2)]
        queue.complete(block, BlockResult(results, 18.0, {}))
    assert not queue.steer() and kernels.state == "waiting"


def test_later_blocks_go_to_the_kernels() -> None:
    kernels = Compiling("games")
    queue = queue_of(replace(PLAN, games=10_000), kernels)
    play(queue, 0.01, blocks=5)
    begun = queue.next_block()
    assert begun is not None and begun.games * 0.01 <= 0.3, "blocks in Python are small"
    queue.steer()
    kernels.finish("games")
    block = queue.next_block()
    assert block is not None and block.kernels == kernels.at
    assert (begun.first + begun.games, block.games) == (block.first, begun.games)
    queue.complete(begun, BlockResult([], 99.0, {}))
    queue.complete(block, BlockResult([], 1e-4, {}))
    after = queue.next_block()
    assert after is not None and after.games == 8 * block.games, "the size is that of blocks of kernels"


def test_deep_waits_and_others_play() -> None:
    kernels = Compiling("games", "deep")
    queue = queue_of(replace(PLAN, agents=("deep", "sat", "basic")), kernels)
    queue.steer()
    assert queue.steer() and kernels.state == "compiling", "at once"
    first = queue.next_block()
    assert first is not None and first.agents == ((1, "sat"), (2, "basic")) and first.kernels is None
    kernels.there.add("games")
    second = queue.next_block()
    assert second is not None and second.agents == first.agents and second.kernels == kernels.at
    kernels.finish("deep")
    for earlier in (first, second):
        block = queue.next_block()
        assert block is not None and block.agents == ((0, "deep"),) and block.kernels == kernels.at
        assert (block.first, block.games) == (earlier.first, earlier.games)
    block = queue.next_block()
    assert block is not None and len(block.agents) == 3


def test_sat_waits_where_kernels_are_asked_for() -> None:
    kernels = Compiling("games")
    queue = BlockQueue(PLAN, {}, RunProgress(PLAN, None), 2, kernels, "kernels")
    queue.steer()
    first = queue.next_block()
    assert kernels.state == "compiling" and first is not None and first.agents == ((0, "basic"),)
    kernels.finish("games")
    block = queue.next_block()
    assert block is not None and block.agents == ((1, "sat"),) and block.kernels == kernels.at
    block = queue.next_block()
    assert block is not None and len(block.agents) == 2 and block.kernels == kernels.at


def test_sat_waits_in_vain() -> None:
    kernels = Compiling("games")
    plan = replace(PLAN, agents=("sat",), games=8)
    queue = BlockQueue(plan, {}, RunProgress(plan, None), 2, kernels, "kernels")
    queue.steer()
    assert queue.next_block() is None
    kernels.finish()
    with pytest.raises(AgentError, match="this way of playing needs kernels, which could not be compiled"):
        queue.next_block()


def test_python_alone_asks_kernels_for_no_game() -> None:
    assert parts_for(replace(PLAN, agents=("sat", "gem")), "python") == ()
    assert parts_for(replace(PLAN, agents=("sat", "deep")), "python") == ("deep",), "for its guesses"
    kernels = Compiling("deep")
    kernels.there.add("deep")
    queue = BlockQueue(PLAN, {}, RunProgress(PLAN, None), 2, kernels, "python")
    block = queue.next_block()
    assert block is not None and block.in_python
    results = play_block(block).results
    assert [result.seconds > 0 for result in results] == [True, False] * block.games, "in the place of kernels"


def test_deep_waits_in_vain() -> None:
    kernels = Compiling("games", "deep")
    queue = queue_of(replace(PLAN, agents=("deep",), games=8), kernels)
    queue.steer()
    assert queue.next_block() is None and not queue.is_empty()
    kernels.finish()
    with pytest.raises(AgentError, match="deep needs kernels, which could not be compiled"):
        queue.next_block()


def test_others_play_to_the_end_before_that_is_said() -> None:
    kernels = Compiling("games", "deep")
    queue = queue_of(replace(PLAN, agents=("deep", "sat"), games=3), kernels)
    kernels.finish()
    for _ in range(3):
        block = queue.next_block()
        assert block is not None and block.agents == ((1, "sat"),)
    with pytest.raises(AgentError):
        queue.next_block()


def test_sat_goes_on_in_python_without_kernels() -> None:
    kernels = Compiling("games")
    queue = queue_of(replace(PLAN, games=100_000), kernels)
    play(queue, 0.01)
    queue.steer()
    kernels.finish()
    assert not queue.steer()
    block = queue.next_block()
    assert block is not None and block.kernels is None


# --- whole runs ------------------------------------------------------------------------------------------------------


def played(plan: Plan, kernels: Kernels, jobs: int = 1) -> list[Result]:
    with Store() as store, ThreadPoolExecutor(jobs) as executor:
        run = store.begin(plan, versions())
        play_missing(plan, Workers.of(executor), run, lambda progress: None, kernels)
        return [result._replace(seconds=0.0) for result in run.results()]


@pytest.fixture
def fails() -> Iterator[Compiling]:
    yield Compiling("games", left=0.1)


def test_python_plays_to_the_end_where_nothing_compiles(fails: Compiling) -> None:
    plan = replace(PLAN, games=40)
    expected = played(plan, Kernels())

    def fail(**_: Any) -> None:
        fails.finish()

    fails.begin = fail  # type: ignore[method-assign]
    assert played(plan, fails) == expected and fails.state == "failed"


@pytest.mark.extended
def test_the_games_are_the_same_whoever_plays_them() -> None:
    from satsweep.solver.compiled import library

    for part in library.PARTS:
        library.require(part)
    place = library.keeper()
    assert place is not None
    plan = replace(PLAN, agents=("sat", "deep:1", "basic"), games=60)
    expected = played(plan, Kernels(*library.PARTS))
    kernels = Compiling(*library.PARTS, left=0.1, place=place)
    queue_next = BlockQueue.next_block
    asked = 0

    def next_block(self: BlockQueue) -> Any:
        nonlocal asked
        asked += 1
        if asked == 12:
            kernels.finish(*library.PARTS)
        return queue_next(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BlockQueue, "next_block", next_block)
        assert played(plan, kernels) == expected
    assert kernels.state == "done"


# --- what is reported ------------------------------------------------------------------------------------------------


def test_times_are_those_of_kernels_or_of_python() -> None:
    """The mean never has both."""

    def milliseconds(*seconds: float) -> float:
        (sums,), _ = sum_results(Result(0, game, 0, "cleared", seconds=one) for game, one in enumerate(seconds))
        found = MEASURES["ms"].estimate(sums, PLAN.settings[0])
        assert found is not None
        return found.mean

    assert milliseconds(0.002, 0.004) == pytest.approx(3)
    assert milliseconds(-0.02, -0.04) == pytest.approx(30)
    assert milliseconds(-0.02, 0.002, -0.03, 0.004) == pytest.approx(3)
    assert MEASURES["ms"].estimate(AgentSums(0, 0, games=1, failed=1), PLAN.settings[0]) is None


def test_the_bar_shows_what_is_compiled() -> None:
    progress = RunProgress(PLAN, 200)
    assert "kernels" not in games_line(progress)
    progress.compiled = 0.42
    assert "kernels 42% compiled" in games_line(progress)
