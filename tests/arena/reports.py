"""Real games of small boards, their reports, and an executor, for several test modules."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from functools import cache
from itertools import combinations, groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.plan import Figure, Plan
from satsweep.arena.report import Report
from satsweep.arena.result import (
    COUNTS,
    AgentSums,
    LayoutSums,
    PairLayoutSums,
    PairSums,
    Result,
    layout_and_play,
)
from satsweep.arena.run import run_plan
from satsweep.arena.store import Store
from satsweep.arena.workers import Workers, processes
from satsweep.board import Cell
from satsweep.games.rules import FIND_MINES_RULES, FirstClick, Rules
from satsweep.games.setting import Setting

GO_ON = Rules(fatal=False)
ZERO = Rules(first=FirstClick.ZERO)
SINGLE = Plan(("basic", "gem", "sat"), (Setting(9, 9, 10),), games=20, seed="report")
DENSITIES = Plan(
    ("basic", "gem"),
    tuple(Setting(6, 6, mines, GO_ON) for mines in range(0, 32, 4)),
    games=4,
    name="densities",
    title="Mines found",
    source="a document",
    figure=Figure("score"),
)
SIZES = Plan(
    ("basic", "gem"),
    tuple(Setting(side, side, side * side * tenths // 10) for side in (5, 6, 7, 8) for tenths in (1, 2, 3)),
    games=3,
    figure=Figure("won"),
)
AREAS = Plan(
    ("ai0", "ai1"),
    tuple(Setting(rows, 10, rows, FIND_MINES_RULES) for rows in (4, 6, 8)),
    games=3,
    figure=Figure("opened", "area"),
)
LEVELS = Plan(
    ("random", "basic", "tank", "gem", "bfs", "sat"),
    tuple(Setting(side, side, 10, rules) for rules in (Rules(), ZERO) for side in (8, 9)),
    games=4,
)

CHAINS = Plan(("basic", "gem", "sat"), (Setting(6, 6, 4, Rules(start=Cell(0, 0))),), games=20, chains=True)


class Serial(Executor):
    """Executor that runs each task at once."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def untimed(results: Iterable[Result]) -> list[Result]:
    return [result._replace(seconds=0.0) for result in results]


def single_games(block: Block) -> list[Block]:
    """Blocks of one game of one agent, which halves come to."""
    return [block] if block.units == 1 else [part for half in block.halves() for part in single_games(half)]


def run_results(plan: Plan, workers: Workers | Executor, store: Store | None = None) -> list[Result]:
    """Results of a run in a store, without their times."""
    with store or Store() as opened:
        run_plan(plan, workers, opened)
        return untimed(opened.run().results())


def by(results: Iterable[Result], key: Callable[[Result], Any]) -> dict[Any, list[Result]]:
    return {value: list(own) for value, own in groupby(sorted(sorted(results), key=key), key)}


def sum_results(results: Iterable[Result], plays: int = 1) -> tuple[list[AgentSums], list[PairSums]]:
    """Sums over games by agent and by pair, in plain Python: those that the store makes in SQL."""

    def layout_of(result: Result) -> int:
        return layout_and_play(result.game, plays)[0]

    def counts(games: Sequence[Result], power: int = 1) -> dict[str, int]:
        return {name: sum((getattr(one, name) or 0) ** power for one in games) for name in COUNTS}

    agents, pairs = [], []
    by_agent = by(results, lambda one: (one.setting, one.agent))
    for (setting, agent), games in by_agent.items():
        sums = AgentSums(setting, agent, len(games), sum(one.failed for one in games))
        sums.seconds = sum(max(one.seconds, 0.0) for one in games)
        sums.python_seconds = -sum(min(one.seconds, 0.0) for one in games)
        sums.timed = sum(one.seconds > 0 for one in games)
        sums.chain_games = sum(one.chain is not None for one in games)
        sums.evaluated_games = sum(one.evaluations is not None for one in games)
        sums.sums, sums.squares = counts(games), counts(games, 2)
        for own in by(games, layout_of).values() if plays > 1 else ():
            sums.layouts.append(LayoutSums(len(own), sum(not one.failed for one in own), counts(own)))
        agents.append(sums)
    for (setting, first), (other, second) in combinations(by_agent, 2):
        if setting == other:
            partners = {one.game: one for one in by_agent[setting, second]}
            both = [(one, partners[one.game]) for one in by_agent[setting, first] if one.game in partners]
            whole = _pair_sums(both)
            won = [(a.won, b.won) for a, b in both]
            squares = sum((b.right - a.right) ** 2 for a, b in both if not (a.failed or b.failed))
            only = won.count((1, 0)), won.count((0, 1))
            pair = PairSums(setting, first, second, whole.games, *only, whole.finished, whole.more_right, squares)
            for number in sorted({layout_of(a) for a, _ in both}) if plays > 1 else ():
                pair.layouts.append(_pair_sums([(a, b) for a, b in both if layout_of(a) == number]))
            pairs += [pair] if both else []
    return agents, pairs


def _pair_sums(both: Sequence[tuple[Result, Result]]) -> PairLayoutSums:
    finished = [b.right - a.right for a, b in both if not (a.failed or b.failed)]
    return PairLayoutSums(len(both), sum(b.won - a.won for a, b in both), len(finished), sum(finished))


@cache
def results_of(plan: Plan) -> tuple[Result, ...]:
    """Every game of a plan, played in Python."""
    assert plan.games is not None
    return tuple(
        result
        for at in range(len(plan.settings))
        for result in play_block(Block.of(plan, at, range(plan.games), in_python=True)).results
    )


@cache
def report_of(plan: Plan) -> Report:
    """The report on every game of a plan."""
    return reported(plan, results_of(plan))


def reported(plan: Plan, results: Sequence[Result]) -> Report:
    """The report on some games."""
    return Report.of(plan, *sum_results(results, plan.plays), [one for one in results if one.failed], versions())


class HostileRun(NamedTuple):
    """Run of agents between two good ones: basic as the first, and gem as the last."""

    plan: Plan
    path: Path
    report: Report
    results: list[Result]

    def check_good_agents(self, alone: Plan) -> None:
        """Compare the good agents with a plan that has nothing else; every game of the run has its row."""
        last = len(self.plan.agents) - 1
        found = [result for result in self.results if result.agent in (0, last)]
        assert [result._replace(agent=int(result.agent > 0)) for result in found] == untimed(
            play_block(Block.of(alone, 0, range(2))).results
        )
        assert len(self.results) == 2 * len(self.plan.agents)

    def failures_of(self, agent: str) -> list[Result]:
        """Reported failures of an agent; each has the layout of its game."""
        found = [one for one in self.report.failures if one.agent == self.plan.agents.index(agent)]
        assert all(one.layout == str(self.plan.settings[0].layout("0", one.game)[0]) for one in found)
        return found


def hostile_run(plan: Plan) -> Any:
    """Fixture of a module: the run of a plan, by two processes."""

    @pytest.fixture(scope="module")
    def run(tmp_path_factory: pytest.TempPathFactory) -> HostileRun:
        path = tmp_path_factory.mktemp("hostile") / "runs.sqlite"
        with Store(path) as store:
            report = run_plan(plan, processes(2), store)
            return HostileRun(plan, path, report, untimed(store.run().results()))

    return run
