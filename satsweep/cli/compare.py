"""Command ``compare``: agents play the same boards (the arena)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.arguments import short_repr
from satsweep.cli import options
from satsweep.cli.exits import INTERRUPTED, MISMATCH, NO, fail
from satsweep.cli.game_options import SPRT_OPTIONS, RuleChanges, Sizes, TestOptions
from satsweep.cli.option_groups import OptionGroup, naming_options_of, with_groups
from satsweep.cli.output import check_apart, progress_bar
from satsweep.cli.packages import check_packages
from satsweep.cli.report_files import ReportFiles, ReportFormat, show, store_files
from satsweep.errors import KernelError
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.arena.plan import Plan
    from satsweep.arena.progress import RunProgress
    from satsweep.arena.report import Report
    from satsweep.arena.sprt import Sprt
    from satsweep.arena.workers import Workers
    from satsweep.games.rules import Rules
    from satsweep.games.setting import Setting


def _games(text: str) -> range:
    """Numbers of games: the first N, or A to B - 1."""
    first, colon, end = text.rpartition(":")
    try:
        found = range(int(first) if colon else 0, int(end))
    except ValueError:
        found = range(0)
    if not found or found.start < 0:
        raise options.wrong("--games", f"expected a number from 1, or A:B with A below B, found {short_repr(text, 40)}")
    return found


@dataclass(frozen=True)
class RunLimits(OptionGroup):
    """How many games are played, and which; None for what the plan says."""

    games: Annotated[
        range | None,
        typer.Option(
            parser=_games,
            metavar="N|A:B",
            help="Number of games on each board; or a part of them, from game A to game B - 1, of which `satsweep "
            "results merge` makes a whole.",
        ),
    ] = None
    plays: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=1,
            help="Play each layout this many times, with other guesses each time; --games counts all. Default: 1.",
        ),
    ] = None
    seconds: Annotated[
        float | None, options.seconds_option("Time after which no game begins. Default: 60.", above_0=True)
    ] = None
    until: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS", help="End when the 95 % interval of every win rate is within this many percentage points."
        ),
    ] = None
    game_seconds: options.GameSeconds = None
    seed: options.FixedSeed = None

    def applied_to(self, plan: Plan, sprt: Sprt | None) -> Plan:
        """Plan with these limits in place of its own if any is given, this seed and plays."""
        if (self.games, self.seconds, self.until, sprt) != (None, None, None, None):
            with options.naming_options(SPRT_OPTIONS):
                games, first = (None, 0) if self.games is None else (self.games.stop, self.games.start)
                plan = replace(plan, games=games, first=first, seconds=self.seconds, until=self.until, sprt=sprt)
        if self.plays is not None:
            plan = replace(plan, plays=self.plays)
        return plan if self.seed is None else replace(plan, seed=self.seed)


@dataclass(frozen=True)
class Players(OptionGroup):
    """Where games are played, and by which code."""

    played_by: Annotated[
        Literal["auto", "kernels", "python"] | None,
        typer.Option(
            help="Players of sat and deep: compiled kernels, Python, or kernels where there are any (auto). "
            "The games are the same, and the report says who played. Default: as the plan says, or auto."
        ),
    ] = None
    jobs: options.Jobs = None
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:port.")
    ] = None
    cluster: Annotated[
        Literal["local"] | None, typer.Option(help="Play on a Dask cluster made for this run, on this machine.")
    ] = None

    @contextmanager
    def workers(self) -> Iterator[Workers]:
        """Workers of a Dask cluster, or processes of this machine."""
        from satsweep.arena import workers

        if self.scheduler or self.cluster:
            with workers.cluster(self.scheduler, self.jobs) as cluster:
                yield cluster
        else:
            yield workers.processes(self.jobs)


@with_groups
def compare(
    *,
    agents: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help=f"Agents, each {options.AGENT_HELP}; Mine=FILE.py is called Mine in tables and figures.",
        ),
    ] = None,
    plan: Annotated[
        str | None, typer.Option(metavar="NAME", help="Plan to run: one of `satsweep plans`, or a file FILE.toml.")
    ] = None,
    sizes: Sizes,
    layouts: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Play the layouts of a file, one as JSON a line.")
    ] = None,
    limits: RunLimits,
    test: TestOptions,
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration",
            help="Keep the risks and the chances to win that agents state with guesses, for `satsweep ladder`; "
            "Python plays.",
        ),
    ] = False,
    changes: RuleChanges,
    players: Players,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the results in a file; after an interrupt the same command resumes the run."
        ),
    ] = None,
    format: ReportFormat = None,
    json: options.Json = False,
    files: ReportFiles,
) -> None:
    """Compare agents on the same boards, with confidence intervals and exact tests.

    Without options basic, gem and sat play for a minute on expert boards, from a safe corner.

    Layout i depends on the seed and on i alone, not on the agents or the number of workers.

    Kernels play sat, and Python plays some of these games again: a move that differs is an error that names the game.

    Exit codes: 0 done, 1 done, but some games failed, 2 usage, 3 bad input, 5 a game played again differs, 130
    interrupted.
    """
    boards = sizes.given or bool(layouts)
    twice = players.scheduler is not None and (players.jobs is not None or players.cluster is not None)
    until = limits.until
    outside = until is not None and not 0 < until < 50
    options.refuse(
        (plan is not None and (boards or changes.given), "--plan", "expected a plan, or boards and rules, found both"),
        (sizes.given and bool(layouts), "--board", "expected boards or layouts, found both"),
        (twice, "--scheduler", "expected one of --jobs, --scheduler and --cluster"),
        (outside, "--until", f"expected points between 0 and 50, found {until or 0:g}"),
    )
    check_packages("scipy")
    sprt = test.test
    shown = options.chosen_format(format, json)
    inputs = _input_files(plan, agents, layouts)
    kept = store_files(store)
    check_apart({"--store": kept}, inputs)
    files.check({**inputs, "--store": kept})
    chosen = _plan(plan, agents, sizes, layouts, changes, limits.game_seconds)
    chosen = replace(chosen, calibration=chosen.calibration or calibration)
    chosen = files.with_figure(limits.applied_to(chosen, sprt), new=True)
    report, interrupted = _run(chosen, players, store)
    show(report, files, shown)
    if interrupted is not None:
        fail(interrupted, INTERRUPTED)
    if report.failures:
        raise typer.Exit(NO)


def _plan(
    name: str | None,
    agents: str | None,
    sizes: Sizes,
    layouts: list[str] | None,
    changes: RuleChanges,
    game_seconds: float | None,
) -> Plan:
    """Plan of a name or default plan, with the agents, boards and rules of options."""
    from satsweep.agents.load import called
    from satsweep.games.setting import shared_rules

    plan = _plan_named(name)
    if game_seconds is not None:
        plan = replace(plan, game_seconds=game_seconds or None)
    default = plan.settings[0].rules
    if agents is not None:
        given = {name: label for label, name in map(called, _agents(agents))}
        plan = replace(plan, agents=tuple(given), called=tuple(given.values()) if any(given.values()) else ())
        if plan.called:
            shown = replace(plan, called=()).labels
            plan = replace(plan, called=tuple(name or own for name, own in zip(plan.called, shown, strict=True)))
        made_for = []
        for agent in plan.agents:
            with options.loaded_agent(agent, "--agents", plan.game_seconds or 0) as loaded:
                made_for.append(loaded.rules)
        default = shared_rules(made_for, default)
    if name is None:
        with naming_options_of(changes, None if layouts else sizes):
            plan = replace(plan, settings=_settings(sizes, layouts, default, changes))
        if sizes.given or layouts or changes.given:
            plan = replace(plan, name="", title="")
    return plan


def _input_files(plan: str | None, agents: str | None, layouts: list[str] | None) -> dict[str, list[str]]:
    """Files that the options make a comparison read, by option."""
    from satsweep.agents.fingerprint import source_files
    from satsweep.agents.load import called
    from satsweep.arena.planfile import files_of

    named = [] if agents is None else [called(part)[1] for part in _agents(agents)]
    planned = [] if plan is None or not plan.endswith(".toml") else files_of(plan)
    return {
        "--agents": [str(file) for name in named for file in source_files(name)],
        "--plan": [str(file) for file in planned],
        "--layouts": layouts or [],
    }


def _agents(text: str) -> list[str]:
    """Agents of a list; commas within brackets are those of arguments.

    >>> _agents("gem, Mine=mine.py:Solver(2, 3)")
    ['gem', 'Mine=mine.py:Solver(2, 3)']
    """
    return [part.strip() for part in re.split(r",(?![^()]*\))", text)]


def _plan_named(name: str | None) -> Plan:
    """Built-in plan, or plan of a file ``NAME.toml``; for None the default plan."""
    from satsweep.arena.planfile import plan_named, read_plan

    if name is not None and name.endswith(".toml"):
        return read_plan(name)
    try:
        return plan_named("default" if name is None else name)
    except ValueError as error:
        raise options.wrong("--plan", str(error)) from None


def _settings(sizes: Sizes, layouts: list[str] | None, base: Rules, changes: RuleChanges) -> tuple[Setting, ...]:
    """Settings of boards by name or size, or of layouts from files.

    Games on layouts begin at the starts of the layouts, if every layout has one and no rule option is given.
    """
    from satsweep.formats import read_layouts
    from satsweep.games.deal import boards_named
    from satsweep.games.setting import Setting, settings_by_kind
    from satsweep.topology import topology_named

    if layouts:
        played = [layout for file in layouts for layout in read_layouts(file)]
        return settings_by_kind(played, changes.applied_to(base), from_starts=not changes.given)
    topology = topology_named(sizes.topology or "square")
    boards = [one for board in sizes.board or ["expert"] for one in boards_named(board)]
    return tuple(Setting(*sizes.over(board), changes.applied_to(base, sizes, board), topology) for board in boards)


def _run(plan: Plan, players: Players, file: Path | None) -> tuple[Report, str | None]:
    """Play a plan; return its report and, after an interrupt, an error line."""
    import numpy  # noqa: F401, ICN001  # sums blocks; if an interrupt came while it is imported, no report could be made

    from satsweep.arena.progress import games_line, win_rates_line
    from satsweep.arena.run import begun, report_on, run_plan
    from satsweep.arena.store import Store

    progress: RunProgress | None = None
    with Store(file) as store:
        try:
            with players.workers() as workers, progress_bar(text="starting") as bar:

                def watch(now: RunProgress) -> None:
                    nonlocal progress
                    progress = now
                    if bar.is_there:
                        total = None if now.share_done is None else 1.0
                        bar.show(now.share_done or 0.0, games_line(now), total=total, below=win_rates_line(now))

                return run_plan(plan, workers, store, watch, players.played_by), None
        except KernelError as error:
            fail(str(error), MISMATCH)
        except KeyboardInterrupt:
            if progress is None:
                raise
        return report_on(begun(store, plan), plan, progress.again), _interrupt_line(progress, file)


def _interrupt_line(progress: RunProgress, file: Path | None) -> str:
    done = f"interrupted after {counted(progress.played, 'game')}"
    if progress.total is not None:
        done = f"interrupted after {progress.played:,} of {counted(progress.total, 'game')}"
    if file is None:
        return f"{done}; with --store FILE they would be kept, and the same command would resume the run"
    return f"{done}, which are kept in {file}; the same command resumes the run"
