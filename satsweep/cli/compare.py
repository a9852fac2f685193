"""Command ``compare``: agents play the same boards (the arena)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options, results
from satsweep.cli.interrupt import INTERRUPTED
from satsweep.cli.option_groups import RuleChanges, Sizes, TestOptions, with_groups
from satsweep.cli.output import check_apart, fail
from satsweep.cli.plan_options import input_files, plan_of_options, with_limits
from satsweep.cli.progress import progress_bar
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.arena.plan import Plan, PlayedBy
    from satsweep.arena.progress import RunProgress
    from satsweep.arena.report import Report
    from satsweep.arena.workers import Workers

FAILED = 1


@with_groups
def compare(
    *,
    agents: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help=f"Agents, each {options.AGENT_HELP}.",
        ),
    ] = None,
    plan: Annotated[
        str | None, typer.Option(metavar="NAME", help="Plan to run: one of `satsweep plans`, or a file FILE.toml.")
    ] = None,
    sizes: Sizes,
    layouts: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Play the layouts of a file, one as JSON a line.")
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of games on each board.")] = None,
    plays: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            min=1,
            help="Play each layout this many times, with other guesses each time; --games counts all. Default: 1.",
        ),
    ] = None,
    seconds: Annotated[
        float | None, options.seconds_option("Time after which no game begins. Default: 60.", above_0=True)
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS", help="End when the 95 % interval of every win rate is within this many percentage points."
        ),
    ] = None,
    test: TestOptions,
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration",
            help="Keep the risks and the chances to win that agents state with guesses, for `satsweep ladder`; "
            "Python plays.",
        ),
    ] = False,
    game_seconds: options.GameSeconds = None,
    seed: options.FixedSeed = None,
    changes: RuleChanges,
    played_by: Annotated[
        Literal["auto", "kernels", "python"] | None,
        typer.Option(
            help="Players of sat and deep: compiled kernels, Python, or kernels where there are any (auto). "
            "The games are the same. Default: as the plan says, or auto."
        ),
    ] = None,
    jobs: options.Jobs = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:port.")
    ] = None,
    cluster: Annotated[
        Literal["local"] | None, typer.Option(help="Play on a Dask cluster made for this run, on this machine.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the results in a file; after an interrupt the same command resumes the run."
        ),
    ] = None,
    format: results.Format = None,
    json: options.Json = False,
    csv: results.Csv = None,
    html: results.Html = None,
    plot: results.Plot = None,
    measure: results.Measure = None,
    against: results.Against = None,
) -> None:
    """Compare agents on the same boards, with confidence intervals and exact tests.

    Without options basic, gem and sat play for a minute on expert boards, from a safe corner.

    Layout i depends on the seed and on i alone, not on the agents or the number of workers.

    Exit codes: 0 done, 1 done, but some games failed, 2 usage, 3 bad input, 130 interrupted.
    """
    if plan is not None and (sizes.given or layouts or changes.given):
        raise typer.BadParameter("expected a plan, or boards and rules, found both", param_hint="'--plan'")
    if sizes.given and layouts:
        raise typer.BadParameter("expected boards or layouts, found both", param_hint="'--board'")
    if (scheduler or cluster) and (jobs is not None and scheduler or scheduler and cluster):
        raise typer.BadParameter("expected one of --jobs, --scheduler and --cluster", param_hint="'--scheduler'")
    if until is not None and not 0 < until < 50:
        raise typer.BadParameter(f"expected points between 0 and 50, found {until}", param_hint="'--until'")
    sprt = test.test
    shown = options.chosen_format(format, json)
    inputs = input_files(plan, agents, layouts)
    files = results.store_files(store)
    check_apart({"--store": files}, inputs)
    outputs = results.Outputs(csv, html, plot, measure, against, {**inputs, "--store": files})

    with results.failing_on_errors():
        chosen = plan_of_options(plan, agents, sizes, layouts, changes, game_seconds)
        chosen = replace(chosen, calibration=chosen.calibration or calibration)
        chosen = outputs.with_figure(with_limits(chosen, games, seconds, until, sprt, seed, plays), new=True)
        report, interrupted = _run(chosen, jobs, scheduler, cluster, store, played_by)
    results.show(report, outputs, shown)
    if interrupted is not None:
        fail(interrupted, INTERRUPTED)
    if report.failures:
        raise typer.Exit(FAILED)


def _run(
    plan: Plan,
    jobs: int | None,
    scheduler: str | None,
    cluster: str | None,
    file: Path | None,
    played_by: PlayedBy | None,
) -> tuple[Report, str | None]:
    """Play a plan; return its report and, after an interrupt, an error line."""
    from satsweep.arena.blocks import versions
    from satsweep.arena.progress import games_line, win_rates_line
    from satsweep.arena.run import report_on, run_plan
    from satsweep.arena.store import Store

    progress: RunProgress | None = None
    with Store(file) as store:
        try:
            with _workers(jobs, scheduler, cluster) as workers, progress_bar(text="starting") as bar:

                def watch(now: RunProgress) -> None:
                    nonlocal progress
                    progress = now
                    if bar.is_there:
                        total = None if now.share_done is None else 1.0
                        bar.show(now.share_done or 0.0, games_line(now), total=total, below=win_rates_line(now))

                return run_plan(plan, workers, store, watch, played_by), None
        except KeyboardInterrupt:
            if progress is None:
                raise
        return report_on(store.begin(plan, versions()), plan), _interrupt_line(progress, file)


def _interrupt_line(progress: RunProgress, file: Path | None) -> str:
    done = f"interrupted after {counted(progress.played, 'game')}"
    if progress.total is not None:
        done = f"interrupted after {progress.played:,} of {counted(progress.total, 'game')}"
    if file is None:
        return f"{done}; with --store FILE they would be kept, and the same command would resume the run"
    return f"{done}, which are kept in {file}; the same command resumes the run"


@contextmanager
def _workers(jobs: int | None, scheduler: str | None, local: str | None) -> Iterator[Workers]:
    """Workers of a Dask cluster, or processes of this machine."""
    from satsweep.arena import workers

    if scheduler or local:
        with workers.cluster(scheduler, jobs) as cluster:
            yield cluster
    else:
        yield workers.processes(jobs)
