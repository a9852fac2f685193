"""Results of the arena: reports; commands ``plans``, ``results``, ``export``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import SPRT_OPTIONS, TestOptions, with_groups
from satsweep.cli.output import BAD_INPUT, Files, check_outputs, fail, fail_to_write, in_colour, width, write
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.arena.plan import Plan
    from satsweep.arena.report import Report
    from satsweep.arena.store import Run, RunInfo, Store

WIDTH = 100
"""Width of tables where standard output is no terminal."""

Format = Annotated[
    Literal["text", "json"] | None,
    typer.Option(help="Output format of the report; for json see `satsweep schema comparison`. Default: text."),
]
Csv = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the estimates of all measures as CSV.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page, with figures.")]
Plot = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Draw the results: a name ending in .png, .svg or .pdf.")
]
Measure = Annotated[str | None, typer.Option(metavar="NAME", help="Measure that the figure shows.")]
Against = Annotated[
    Literal["density", "mines", "area"] | None, typer.Option(help="Axis that the figure shows it against.")
]
RunNumber = Annotated[int | None, typer.Option("--run", metavar="N", help="Number of the run, if there are several.")]
StoreFile = Annotated[str, typer.Argument(metavar="STORE", help="A file of results from `compare --store`.")]


def plans() -> None:
    """List the built-in plans: agents, settings, and the document of each experiment."""
    from satsweep.arena.planfile import plan_named, plan_names

    for name in plan_names():
        plan = plan_named(name)
        boards = len(plan.settings)
        limit = counted(plan.games, "game") if plan.games else f"{plan.seconds:g} s"
        typer.echo(f"{name:<20} {plan.title}")
        typer.echo(f"{'':<20} {plan.source}")
        plays = f", {plan.plays} plays of a layout" if plan.plays > 1 else ""
        typer.echo(f"{'':<20} {', '.join(plan.agents)}; {counted(boards, 'setting')}, {limit} each{plays}")


@with_groups
def results(
    *,
    store: StoreFile,
    run: RunNumber = None,
    test: TestOptions,
    format: Format = None,
    json: options.Json = False,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    measure: Measure = None,
    against: Against = None,
) -> None:
    """List the runs of a store, or report on one of them.

    Exit codes: 0 done, 2 usage, 3 bad input.
    """
    sprt = test.test
    shown = options.chosen_format(format, json)
    outputs = Outputs(csv, html, plot, measure, against, {"STORE": store_files(store)})
    with failing_on_errors():
        from satsweep.arena.run import report_on
        from satsweep.arena.store import Store

        with Store(store, writing=False) as database:
            if run is None and not (format or json or outputs or sprt):
                for stored in database.runs():
                    for line in _run_lines(stored):
                        typer.echo(line)
                return
            chosen = _run(database, run)
            plan = outputs.with_figure(chosen.info.plan)
            with options.naming_options(SPRT_OPTIONS):
                plan = replace(plan, sprt=sprt)
            report = report_on(chosen, plan)
    show(report, outputs, shown)


def _run(database: Store, number: int | None) -> Run:
    """Run of a store. Raises BadParameter where ``--run`` names none."""
    from satsweep.errors import StoreError

    try:
        return database.run(number)
    except StoreError as error:
        if number is None:
            raise
        raise typer.BadParameter(str(error), param_hint="'--run'") from None


def _run_lines(run: RunInfo) -> Iterator[str]:
    """Lines of the list of runs for one run."""
    plays = f"; {run.plan.plays} plays of a layout" if run.plan.plays > 1 else ""
    agents = ", ".join(run.plan.agents)
    yield f"{run.number:<4} {run.plan.name or 'boards as given'}: {agents}; seed {run.plan.seed}{plays}"
    for setting in run.plan.settings[:3]:
        yield f"{'':<4} {setting}"
    if len(run.plan.settings) > 3:
        yield f"{'':<4} and {counted(len(run.plan.settings) - 3, 'more setting')}"
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    yield f"{'':<4} {counted(run.games, 'game')} of single agents, begun {run.begun}, {versions}"


def export(
    store: StoreFile,
    format: Annotated[Literal["csv", "jsonl", "parquet"], typer.Option(help="Output format.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file. Default: standard output.")
    ] = None,
    run: RunNumber = None,
    seconds: Annotated[
        bool, typer.Option("--seconds", help="Add the time of each game, which differs from run to run.")
    ] = False,
) -> None:
    """Write a run game by game: one row for each game of each agent.

    Exit codes: 0 done, 2 usage, 3 bad input, or the output cannot be written.
    """
    check_outputs({"--output": output}, {"STORE": store_files(store)})
    if format == "parquet" and output is None:
        raise typer.BadParameter("expected --output with parquet", param_hint="'--format'")
    with failing_on_errors():
        from satsweep.arena.export import TEXT, columns, rows, write_parquet
        from satsweep.arena.store import Store

        with Store(store, writing=False) as database:
            chosen = _run(database, run)
            table = rows(chosen.info.plan, chosen.results(), seconds=seconds)
            names = columns(seconds=seconds, plays=chosen.plays)
            if format != "parquet":
                write(TEXT[format](table, names), output)
                return
            assert output is not None
            try:
                write_parquet(table, names, output)
            except OSError as error:
                fail_to_write(output, error)


def store_files(store: str | Path | None) -> list[str]:
    """File of a store, and those that SQLite keeps beside it."""
    return [] if store is None else [f"{store}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]


class Outputs:
    """Files that a report is written to."""

    def __init__(
        self,
        csv: Path | None,
        html: Path | None,
        plots: list[Path] | None,
        measure: str | None,
        against: str | None,
        inputs: Mapping[str, Files],
    ) -> None:
        self.csv, self.html, self.plots, self.measure, self.against = csv, html, plots or [], measure, against
        check_outputs({"--csv": csv, "--html": html, "--plot": plots}, inputs)

    def __bool__(self) -> bool:
        return bool(self.csv or self.html or self.plots)

    def with_figure(self, plan: Plan, *, new: bool = False) -> Plan:
        """Plan with the figure asked for; the games of a ``new`` run are measured so.

        Fails now, not after an hour of play, if the figure cannot be drawn.
        """
        from satsweep.arena.measures import MEASURES, with_measurements
        from satsweep.arena.plan import Figure

        if self.measure is not None or self.against is not None:
            given = plan.figure or Figure("won")
            shown = Figure(self.measure or given.measure, self.against or given.against)
            if shown.measure not in MEASURES:
                message = f"expected a measure among {', '.join(MEASURES)}, found {shown.measure!r}"
                raise typer.BadParameter(message, param_hint="'--measure'")
            plan = replace(plan, figure=shown)
            plan = with_measurements(plan) if new else plan
            if not MEASURES[shown.measure].is_measured(plan):
                key = MEASURES[shown.measure].asked_by
                message = f"expected a plan with {key} = true for {shown.measure}, found one without"
                raise typer.BadParameter(message, param_hint="'--measure'")
        if self.html or self.plots:
            from satsweep.arena.canvas import check_installed, suffix_of

            check_installed()
            for path in self.plots:
                try:
                    suffix_of(path)
                except ValueError as error:
                    raise typer.BadParameter(str(error), param_hint="'--plot'") from None
        return plan

    def write_report(self, report: Report) -> None:
        """Write the report to every file.

        Times are in the CSV only where the figure shows them, since they differ from run to run.
        """
        from satsweep.arena.measures import measure_of_figure

        if self.csv is not None:
            shown = measure_of_figure(report.plan)
            write(report.csv(seconds=shown is not None and shown.timed), self.csv)
        for path in self.plots:
            from satsweep.arena.canvas import save
            from satsweep.arena.plot import figure

            try:
                save(figure(report), path)
            except OSError as error:
                fail_to_write(path, error)
        if self.html is not None:
            from satsweep.arena.pages import page

            write([page(report)], self.html)


@contextmanager
def failing_on_errors() -> Iterator[None]:
    """Exit with 3 and one line at an error in files, agents, stores or workers."""
    from satsweep.errors import SatsweepError

    try:
        yield
    except SatsweepError as error:
        fail(str(error), BAD_INPUT)


def show(report: Report, outputs: Outputs, format: str) -> None:
    """Print a report, and write it to the files that are given."""
    if format == "json":
        write([report.to_json()], None)
    else:
        from satsweep.arena.terminal import to_text

        write([to_text(report, width=width() or WIDTH, colour=in_colour())], None)
    with failing_on_errors():
        outputs.write_report(report)
