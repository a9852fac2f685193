"""A run: blocks of games go out to workers, and their results into the store.

Results are stored before anything else happens, so a run that is interrupted can be continued. A worker that dies is
replaced, and its games are played again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

from satsweep.agents.isolated import versions_of
from satsweep.arena.block_queue import BlockQueue
from satsweep.arena.blocks import versions
from satsweep.arena.plan import Plan, PlayedBy
from satsweep.arena.progress import RunProgress
from satsweep.arena.report import Report
from satsweep.arena.sequential import SequentialTest
from satsweep.arena.store import Run, Store
from satsweep.arena.workers import WorkerPool, Workers, processes
from satsweep.errors import AgentError, KernelError
from satsweep.solver import compiled


def run_plan(
    plan: Plan,
    workers: Workers | Executor | None = None,
    store: Store | None = None,
    watch: Callable[[RunProgress], None] = lambda progress: None,
    played_by: PlayedBy | None = None,
) -> Report:
    """Play the games of a plan that the store lacks; return the report on all of them.

    ``workers`` are processes of this machine unless given; any executor will do. ``store`` keeps the results, and may
    have results of an earlier run of the plan. ``watch`` is called with the progress whenever results come in.
    ``played_by`` chooses who plays compiled agents, unless the plan does: ``"python"``, ``"kernels"``, or kernels where
    there are any (``"auto"``); the games are the same. Raises AgentError where kernels are asked for and there are
    none, StoreError when results cannot be stored or must not be mixed, WorkersError when no workers can be started or
    too many die.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from satsweep.arena.plan import Setting
    >>> with ThreadPoolExecutor(1) as executor:
    ...     report = run_plan(Plan(("basic", "sat"), (Setting(5, 5, 3),), games=4), executor)
    >>> [row.games for row in report.summaries]
    [4, 4]
    """
    played_by = played_by or plan.played_by
    if isinstance(workers, Executor):
        workers = Workers.of(workers)
    if store is not None:
        return _run(plan, workers or processes(), store, watch, played_by)
    with Store() as store:
        return _run(plan, workers or processes(), store, watch, played_by)


def _run(
    plan: Plan,
    workers: Workers,
    store: Store,
    watch: Callable[[RunProgress], None],
    played_by: PlayedBy,
) -> Report:
    if played_by == "kernels":
        try:
            compiled.load()
        except KernelError as error:
            raise AgentError(str(error)) from None
    run = store.begin(plan, versions() | versions_of(plan.agents))
    play_missing(plan, workers, run, watch, played_by)
    return report_on(run, plan)


def report_on(run: Run, plan: Plan | None = None) -> Report:
    """The report on the stored games of a run, up to the decision of its test."""
    info = run.info
    plan = plan or info.plan
    decision = run.decision(plan)
    limit = decision.games if decision and decision.verdict else plan.games
    sums = run.agent_sums(limit), run.pair_sums(limit), run.failures(limit)
    return Report.of(plan, *sums, info.versions, decision)


def play_missing(
    plan: Plan,
    workers: Workers,
    run: Run,
    watch: Callable[[RunProgress], None],
    played_by: PlayedBy = "auto",
) -> RunProgress:
    """Play the games of a plan that a run lacks, and store them."""
    finished = run.finished()
    progress = RunProgress(plan, _total(plan))
    for sums in run.agent_sums(plan.games):
        progress.add(sums.setting, sums.agent, sums.games, sums.sums["won"], sums.failed)
    progress.before = progress.played
    progress.dropouts.add(run.failures())
    if plan.sprt is not None:
        progress.test = SequentialTest(plan.sprt, plan.plays)
        progress.test.add_layouts(run.layout_changes(plan.games))
    watch(progress)
    queue = BlockQueue(plan, finished, progress, workers.jobs, played_by)
    if queue.is_empty():
        return progress
    pool = WorkerPool(workers)
    try:
        while True:
            while pool.has_room(alone=queue.has_suspects) and (block := queue.next_block()) is not None:
                pool.submit(block)
            if not pool.in_flight and queue.is_empty():
                return progress
            for block, played in pool.completed():
                results = queue.complete(block, played)
                if results:
                    run.add(results)
                    watch(progress)
    finally:
        pool.shutdown()


def _total(plan: Plan) -> int | None:
    """Number of games of single agents to play; None where it is not fixed."""
    limits = [plan.limit(setting) for setting in range(len(plan.settings))]
    if plan.until is not None or plan.sprt is not None or None in limits:
        return None
    return len(plan.agents) * sum(limit for limit in limits if limit is not None)
