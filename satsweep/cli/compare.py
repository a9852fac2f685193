"""The arena: ``compare`` agents on the same boards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options, plan_options as planning, results
from satsweep.cli.interrupt import INTERRUPTED
from satsweep.cli.output import fail

if TYPE_CHECKING:
    from satsweep.compare.plan import Plan
    from satsweep.compare.progress import RunProgress
    from satsweep.compare.report import Report
    from satsweep.compare.workers import Workers

FAILED = 1


def compare(
    agents: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Who plays: names of `satsweep agents`, or your own as FILE.py:FUNCTION, whose code is then run.",
        ),
    ] = None,
    plan: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of `satsweep plans`, or a file of your own: FILE.toml.")
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOARD", help="beginner, intermediate, expert, or as 16x30/99 or 16x30/0.2. Default: expert."
        ),
    ] = None,
    topology: options.Topology = None,
    layouts: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Play these layouts, one as JSON a line.")
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", min=1, help="How many games on each board.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", callback=options.seconds, help="Begin no more games then. Default: 60."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="End when the 95 % interval of every win rate is within so many points."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="SEED", help="The same seed gives the same layouts. Default: 0.")
    ] = None,
    first: options.First = None,
    start: options.Start = None,
    cascade: options.Cascade = None,
    play_on: options.PlayOn = None,
    goal: options.Goal = None,
    clues: options.Clues = None,
    hide_total: options.HideTotal = False,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many processes. Default: all cores.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:port.")
    ] = None,
    cluster: Annotated[
        Literal["local"] | None, typer.Option(help="Play on a Dask cluster made for this run, on this machine.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep results here. The same command goes on where it was interrupted."),
    ] = None,
    json: results.Json = False,
    csv: results.Csv = None,
    html: results.Html = None,
    plot: results.Plot = None,
    measure: results.Measure = None,
) -> None:
    """Let agents play the same boards, and say who plays better, with intervals and exact tests.

    Without any option basic, gem and sat play for a minute on expert boards, from a safe corner.

    Layout i depends on the seed and on i alone, not on who plays or on how many workers.

    Exit codes: 0 done, 1 done, but some games failed, 2 usage, 3 bad input, 130 interrupted.
    """
    ruled = (first, start, cascade, play_on, goal, clues) != (None,) * 6 or hide_total
    if plan is not None and (board or topology or layouts or ruled):
        raise typer.BadParameter("expected a plan, or boards and rules, found both", param_hint="'--plan'")
    if (board or topology) and layouts:
        raise typer.BadParameter("expected boards or layouts, found both", param_hint="'--board'")
    if (scheduler or cluster) and (jobs is not None and scheduler or scheduler and cluster):
        raise typer.BadParameter("expected one of jobs here, a scheduler and a cluster", param_hint="'--scheduler'")
    if until is not None and not 0 < until < 50:
        raise typer.BadParameter(f"expected points between 0 and 50, found {until}", param_hint="'--until'")
    outputs = results.Outputs(csv, html, plot, measure)

    with results.complaining():
        wanted = planning.planned(
            plan,
            agents,
            board,
            topology,
            layouts,
            {
                "first": first,
                "start": start,
                "cascade": cascade,
                "play_on": play_on,
                "goal": goal,
                "clues": clues,
                "hide_total": hide_total,
            }
            if ruled
            else {},
        )
        wanted = outputs.drawn(planning.limited(wanted, games, seconds, until, seed))
        report, interrupted = _run(wanted, jobs, scheduler, cluster, store)
    results.show(report, outputs, json=json)
    if interrupted is not None:
        fail(interrupted, INTERRUPTED)
    if report.failures:
        raise typer.Exit(FAILED)


def _run(
    plan: Plan, jobs: int | None, scheduler: str | None, cluster: str | None, file: Path | None
) -> tuple[Report, str | None]:
    """Play a plan. If that is interrupted there is a report on what was finished, and a line that says how to go on."""
    from satsweep.compare.blocks import versions
    from satsweep.compare.kernel_games import compile_for
    from satsweep.compare.run import compare, report_on
    from satsweep.compare.store import Store

    standing: RunProgress | None = None
    with Store(file) as store:
        try:
            compile_for(plan, lambda line: typer.echo(line, err=True))
            with _workers(jobs, scheduler, cluster) as workers, _progress() as show:

                def watch(now: RunProgress) -> None:
                    nonlocal standing
                    standing = now
                    show(now)

                return compare(plan, workers, store, watch), None
        except KeyboardInterrupt:
            if standing is None:
                raise
        return report_on(store.begin(plan, versions()), plan), _how_to_go_on(standing, file)


def _how_to_go_on(standing: RunProgress, file: Path | None) -> str:
    total = "" if standing.total is None else f" of {standing.total:,}"
    done = f"interrupted after {standing.played:,}{total} games"
    if file is None:
        return f"{done}; with --store FILE they would be kept, and the same command would go on"
    return f"{done}, which are kept in {file}; the same command goes on"


@contextmanager
def _progress() -> Iterator[Callable[[RunProgress], None]]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda standing: None
        return
    from rich.console import Console

    from satsweep.compare.progress_bar import ProgressDisplay

    with ProgressDisplay(Console(stderr=True)) as watched:
        yield watched


@contextmanager
def _workers(jobs: int | None, scheduler: str | None, local: str | None) -> Iterator[Workers]:
    from satsweep.compare import workers

    if scheduler or local:
        with workers.cluster(scheduler, jobs) as found:
            yield found
    else:
        yield workers.processes(jobs)
