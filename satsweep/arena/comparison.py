"""Comparison in one call: agents by name or as functions, boards by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path

from satsweep.agents.isolated import rules_of
from satsweep.agents.load import load_agent
from satsweep.agents.pickled import pickled
from satsweep.arena.plan import Plan
from satsweep.arena.planfile import plan_named
from satsweep.arena.progress import RunProgress
from satsweep.arena.report import Report
from satsweep.arena.run import run_plan
from satsweep.arena.store import Store
from satsweep.arena.workers import Workers, processes
from satsweep.board import Board
from satsweep.checked import check_kind, check_number, check_seed, check_whole, several
from satsweep.games.deal import dimensions_named
from satsweep.games.rules import Rules
from satsweep.games.setting import Setting, settings_by_kind, shared_rules
from satsweep.layout import Layout, LayoutLike

SECONDS = 60.0
"""Time of a comparison without another limit."""


def compare(
    agents: Iterable[object],
    boards: str | Setting | Layout | Iterable[str | Setting | LayoutLike] = "expert",
    *,
    games: int | None = None,
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

    It ends after this number of ``games`` of each agent on each board, after ``seconds``, or when each win rate is
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
    names = _names(agents)
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
    plan = Plan(names, _settings(boards, rules, names), games, str(seed), seconds, until, plays=plays)
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
    """Settings of boards; layouts of one kind make one."""
    base = rules or shared_rules(map(rules_of, agents), plan_named("default").settings[0].rules)
    given = [boards] if isinstance(boards, str | Setting | Layout | Board) else boards
    if not isinstance(given, Iterable):
        raise TypeError(f"expected levels, sizes, settings or layouts, found {boards!r:.80}")
    given = list(given)
    settings, drawn = [], []
    for board in given:
        if isinstance(board, Setting):
            settings.append(board)
        elif isinstance(board, str) and "\n" not in board.strip():
            settings.append(Setting(*dimensions_named(board), base))
        else:
            drawn.append(Layout.of(board))
    return (*settings, *settings_by_kind(drawn, base, from_starts=rules is None))
