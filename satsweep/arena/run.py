"""Runs: blocks of games go out to workers, and their results into the store.

Results are stored before anything else happens, so a run that is interrupted can be continued. A worker that dies is
replaced, and its games are played again.

``compare`` is a run in one call, agents by name or as functions, boards by name; ``play`` is a single game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from random import Random

from satsweep.agents.isolated import rules_of, versions_of
from satsweep.agents.load import called, label_of, load_agent, pickled
from satsweep.arena.blocks import versions
from satsweep.arena.plan import Plan, PlayedBy
from satsweep.arena.planfile import plan_named
from satsweep.arena.pool import WorkerPool
from satsweep.arena.progress import BlockQueue, RunProgress
from satsweep.arena.report import Report
from satsweep.arena.store import Run, Store
from satsweep.arena.workers import Workers, processes
from satsweep.arguments import check_kind, check_number, check_seed, check_whole, several, short_repr
from satsweep.board import Board
from satsweep.errors import AgentError, KernelError
from satsweep.games import game
from satsweep.games.agent import Agent
from satsweep.games.deal import boards_named, dimensions_named, random_layout, rng_of, rules_named, with_start
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting, settings_by_kind, shared_rules
from satsweep.layout import Layout, LayoutLike
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
    none, KernelError where Python plays a game otherwise than the kernels, StoreError when results cannot be stored or
    must not be mixed, WorkersError when no workers can be started or too many die.

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
    run = begun(store, plan)
    progress = play_missing(plan, workers, run, watch, played_by)
    return report_on(run, plan, progress.again)


def begun(store: Store, plan: Plan) -> Run:
    """The run of a plan in a store, by the versions that play now.

    Raises as ``Store.begin`` does.
    """
    return store.begin(plan, versions() | versions_of(plan.agents))


def report_on(run: Run, plan: Plan | None = None, again: Mapping[tuple[int, int], int] | None = None) -> Report:
    """The report on the stored games of a plan, up to the decision of its test.

    ``again`` has the number of games that Python has just played again, by setting and agent.
    """
    info = run.info
    plan = plan or info.plan
    test = run.test_of(plan)
    decision = test.decision if test else None
    limit = decision.games if decision and decision.verdict else plan.games
    sums = run.agent_sums(limit, plan.first), run.pair_sums(limit, plan.first), run.failures(limit, plan.first)
    return Report.of(plan, *sums, info.versions, decision, again)


def play_missing(
    plan: Plan,
    workers: Workers,
    run: Run,
    watch: Callable[[RunProgress], None],
    played_by: PlayedBy = "auto",
) -> RunProgress:
    finished = run.finished()
    progress = RunProgress(plan, _total(plan))
    for sums in run.agent_sums(plan.games, plan.first):
        progress.add(sums.setting, sums.agent, sums.games, sums.sums["won"], sums.failed)
    progress.before = progress.played
    progress.dropouts.add(run.failures())
    progress.test = run.test_of(plan)
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
                games = queue.complete(block, played)
                if games:
                    run.add(games)
                    watch(progress)
    finally:
        pool.shutdown()


def merge(into: Store, parts: Iterable[Store]) -> Iterator[tuple[Run, int, int]]:
    """Put the games of other stores into a store.

    Yields each run there with the number of games of the part, and of those that are new. Runs of the same identity
    become one. A game that is there already stays as it is, so parts may overlap, and a merge that was interrupted may
    be repeated. Raises StoreError when other versions played a run, or when a game came out otherwise in a part, before
    any game of the run; a game that failed in one part alone is as in the first.
    """
    for part in parts:
        for info in part.runs():
            source = part.run(info.number)
            run = into.adopt(source)
            run.check_agrees(source)
            before = run.info.games
            for block in source.blocks():
                run.add([block])
            yield run, info.games, run.info.games - before


def _total(plan: Plan) -> int | None:
    """Number of games of single agents to play; None where it is not fixed."""
    limits = [plan.limit(setting) for setting in range(len(plan.settings))]
    if plan.until is not None or plan.sprt is not None or None in limits:
        return None
    return len(plan.agents) * sum(len(range(plan.first, limit)) for limit in limits if limit is not None)


SECONDS = 60.0
"""Time of a comparison without another limit."""


def compare(
    agents: Iterable[object],
    boards: str | Setting | Layout | Iterable[str | Setting | LayoutLike] = "expert",
    *,
    games: int | range | None = None,
    seconds: float | None = None,
    until: float | None = None,
    seed: int | str = 0,
    rules: Rules | None = None,
    plays: int = 1,
    jobs: int | None = None,
    workers: Workers | Executor | None = None,
    store: str | Path | Store | None = None,
    watch: Callable[[RunProgress], None] = lambda progress: None,
) -> Report:
    """Let agents play the same boards, and return the report.

    ``agents`` are names, ``Agent`` objects, functions ``board -> (safe, mines)`` or policies (see
    ``satsweep.agents.load``). ``boards`` are levels (``beginner``), sizes (``16x30/99``), settings, or layouts (text,
    rows, arrays, too), those of one size together. ``rules`` are by default those of the command: what all the agents
    are made for, else the first cell is a safe corner, or the starts of the layouts if all have one.

    It ends after this number of ``games`` of each agent on each board (or a range of their numbers, for a part of a run
    whose stores ``satsweep results merge`` puts together), after ``seconds``, or when each win rate is
    known within ``until`` points, whichever comes first; after a minute without any. The same seed gives the same
    layouts.
    Games are played by ``jobs`` processes of this machine (by default one a core), or by ``workers``; the script that
    calls this needs no guard for them. ``store`` keeps the results in a file, and a second call goes on from there.

    Raises ValueError for an unknown agent, TypeError for an agent that is none or cannot be sent to another process,
    BoardError for a board or rules that do not exist, and what ``run_plan`` raises.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as one:
    ...     report = compare(["basic", "sat"], "5x5/3", games=4, workers=one)
    >>> [(row["agent"], row["games"]) for row in report.rows()]
    [('basic', 4), ('sat', 4)]
    """
    agents = list(several(agents, "agents", one=str))
    parts = [called(agent) if isinstance(agent, str) else ("", agent) for agent in agents]
    names = _names([agent for _, agent in parts])
    given_names = (
        tuple(name or label_of(own) for (name, _), own in zip(parts, names, strict=True))
        if any(name for name, _ in parts)
        else ()
    )
    first = 0
    if isinstance(games, range):
        if games.step != 1 or games.start < 0:
            raise ValueError(f"expected a range of numbers of games, found {games}")
        first, games = games.start, len(games) and games.stop
    for limit, value in {"games": games, "seconds": seconds, "until": until, "plays": plays, "jobs": jobs}.items():
        if value is None and limit != "plays":
            continue
        if limit in ("seconds", "until"):
            check_number(value, limit)
        else:
            check_whole(value, limit, least=1)
        if value is not None and value <= 0:
            raise ValueError(f"expected more than 0 for {limit}, found {value}")
    check_seed(seed)
    check_kind(rules, Rules | None, "Rules")
    if games is seconds is until is None:
        seconds = SECONDS
    settings = _settings(boards, rules, names)
    plan = Plan(names, settings, games, str(seed), seconds, until, plays=plays, first=first, called=given_names)
    if workers is None:
        workers = processes(jobs)
    if store is None or isinstance(store, Store):
        return run_plan(plan, workers, store, watch)
    with Store(Path(store)) as opened:
        return run_plan(plan, workers, opened, watch)


def _names(agents: Iterable[object]) -> tuple[str, ...]:
    """Names of agents, those of objects with their code."""
    given = list(several(agents, "agents", one=str))
    if not given:
        raise ValueError("expected agents, found none")
    for agent in given:
        if not isinstance(agent, str):
            load_agent(agent)
    return tuple(agent if isinstance(agent, str) else pickled(agent) for agent in given)


def _settings(
    boards: str | Setting | Layout | Iterable[str | Setting | LayoutLike], rules: Rules | None, agents: tuple[str, ...]
) -> tuple[Setting, ...]:
    base = rules or shared_rules(map(rules_of, agents), plan_named("default").settings[0].rules)
    given = [boards] if isinstance(boards, str | Setting | Layout | Board) else boards
    if not isinstance(given, Iterable):
        raise TypeError(f"expected levels, sizes, settings or layouts, found {short_repr(boards)}")
    given = list(given)
    settings, drawn = [], []
    for board in given:
        if isinstance(board, Setting):
            settings.append(board)
        elif isinstance(board, str) and "\n" not in board.strip():
            settings += [
                Setting(*dimensions_named(one), rules or rules_named(one) or base) for one in boards_named(board)
            ]
        else:
            drawn.append(Layout.of(board))
    return (*settings, *settings_by_kind(drawn, base, from_starts=rules is None))


def play(
    layout: LayoutLike,
    agent: object,
    rules: Rules | None = None,
    rng: Random | int | str | None = None,
    *,
    seed: int | str | None = None,
    name: str | None = None,
) -> Record:
    """Let an agent play a game to its end, and return the record.

    ``layout`` is a layout, its text or rows, or a size such as ``expert`` or ``16x30/99``, and then it is drawn.
    ``agent`` is the name of one, an ``Agent``, a function ``board -> (safe, mines)``, or a policy (see
    ``satsweep.agents.load``). ``rules`` are by default those that the agent is made for. ``rng`` is the only source of
    randomness, or ``seed`` is: the same seed gives the same game, which is that of the command ``satsweep play``. With
    neither it is the same game each time on a given layout, and another one on a drawn layout. Raises BoardError when
    the layout cannot be played under the rules, AgentError when the agent breaks them, ValueError for an unknown agent.

    >>> record = play("beginner", "sat", seed=1)
    >>> record.outcome, record.measures.guesses
    (<Outcome.CLEARED: 'cleared'>, 1)
    >>> play(["*..", "...", "..."], lambda board: ([], []), Rules(start=(2, 2))).won
    True
    """
    check_kind(rules, Rules | None, "Rules")
    check_kind(name, str | None, "text for name")
    loaded = load_agent(agent)
    drawn = isinstance(layout, str) and (layout.isalnum() or "/" in layout.partition("\n")[0])
    draws = Random(0) if rng is None and seed is None and not drawn else rng_of(rng, seed)
    own = random_layout(str(layout), rng=draws) if drawn else Layout.of(layout)
    rules = rules or (rules_named(layout) if isinstance(layout, str) else None) or loaded.rules
    if drawn and rules.first is FirstClick.GIVEN and rules.start is None:
        own = with_start(own, draws)
    return game.play(
        own, loaded.fresh(), rules, draws, name=name or ("agent" if isinstance(agent, Agent) else loaded.label)
    )
