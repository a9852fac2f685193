"""What the arena has found: how a report leaves the command, and ``plans``, ``results`` and ``export``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli.output import BAD_INPUT, check_writable, fail, in_colour, write

if TYPE_CHECKING:
    from satsweep.compare.plan import Plan
    from satsweep.compare.report import Report

WIDTH = 100
"""How wide a table may be where there is no terminal."""

Json = Annotated[bool, typer.Option("--json", help="Print the report as JSON; see `satsweep schema comparison`.")]
Csv = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the estimates of all measures as CSV.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page, with figures.")]
Plot = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Draw the results: a name ending in .png, .svg or .pdf.")
]
Measure = Annotated[str | None, typer.Option(metavar="NAME", help="What the figure is to show.")]
RunNumber = Annotated[int | None, typer.Option("--run", metavar="N", help="Which run, if there are several.")]
StoreFile = Annotated[str, typer.Argument(metavar="STORE", help="A file of results, as `compare --store` makes it.")]


def plans() -> None:
    """List the plans that come with satsweep: who plays, where, and the document whose experiment it is."""
    from satsweep.compare.planfile import plan_named, plan_names

    for name in plan_names():
        found = plan_named(name)
        boards = len(found.settings)
        limit = f"{found.games:,} games" if found.games else f"{found.seconds:g} s"
        typer.echo(f"{name:<20} {found.title}")
        typer.echo(f"{'':<20} {found.source}")
        typer.echo(f"{'':<20} {', '.join(found.agents)}; {boards} settings, {limit} each")


def results(
    store: StoreFile,
    run: RunNumber = None,
    json: Json = False,
    csv: Csv = None,
    html: Html = None,
    plot: Plot = None,
    measure: Measure = None,
) -> None:
    """List the runs that are kept in a file, or report on one of them.

    Exit codes: 0 done, 2 usage, 3 bad input.
    """
    outputs = Outputs(csv, html, plot, measure)
    with complaining():
        from satsweep.compare.run import report_on
        from satsweep.compare.store import Store

        with Store(store, writing=False) as kept:
            if run is None and not (json or outputs):
                for found in kept.runs():
                    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
                    name = found.plan.name or "boards as given"
                    typer.echo(f"{found.number:<4} {name}: {', '.join(found.plan.agents)}; seed {found.plan.seed}")
                    for setting in found.plan.settings[:3]:
                        typer.echo(f"{'':<4} {setting}")
                    if len(found.plan.settings) > 3:
                        typer.echo(f"{'':<4} and {len(found.plan.settings) - 3} more settings")
                    typer.echo(f"{'':<4} {found.games:,} games of single agents, begun {found.begun}, {versions}")
                return
            chosen = kept.run(run)
            report = report_on(chosen, outputs.drawn(chosen.info.plan))
    show(report, outputs, json=json)


def export(
    store: StoreFile,
    format: Annotated[Literal["csv", "jsonl", "parquet"], typer.Option(help="How to write it down.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to. Default: standard output.")
    ] = None,
    run: RunNumber = None,
    seconds: Annotated[
        bool, typer.Option("--seconds", help="With the time that each game took, which is never the same twice.")
    ] = False,
) -> None:
    """Write down a run game by game: one row for each game of each agent.

    Exit codes: 0 done, 2 usage, 3 bad input, or the output cannot be written.
    """
    check_writable(output)
    if format == "parquet" and output is None:
        raise typer.BadParameter("expected --output with parquet", param_hint="'--format'")
    with complaining():
        from satsweep.compare.export import TEXT, columns, rows, write_parquet
        from satsweep.compare.store import Store

        with Store(store, writing=False) as kept:
            chosen = kept.run(run)
            found = rows(chosen.info.plan, chosen.results(), seconds=seconds)
            names = columns(seconds=seconds)
            if format != "parquet":
                write(TEXT[format](found, names), output)
                return
            assert output is not None
            try:
                write_parquet(found, names, output)
            except OSError as error:
                fail(f"{output}: cannot write: {error.strerror or error}", BAD_INPUT)


class Outputs:
    """Files that a report is written to."""

    def __init__(self, csv: Path | None, html: Path | None, plots: list[Path] | None, measure: str | None) -> None:
        self.csv, self.html, self.plots, self.measure = csv, html, plots or [], measure
        check_writable(csv, html, *self.plots)

    def __bool__(self) -> bool:
        return bool(self.csv or self.html or self.plots)

    def drawn(self, plan: Plan) -> Plan:
        """The plan with the figure that is wanted. Fails now, not after an hour, if that cannot be drawn."""
        from dataclasses import replace

        from satsweep.compare.measures import MEASURES
        from satsweep.compare.plan import Figure

        if self.measure is not None:
            if self.measure not in MEASURES:
                expected = ", ".join(MEASURES)
                message = f"expected a measure among {expected}, found {self.measure!r}"
                raise typer.BadParameter(message, param_hint="'--measure'")
            if MEASURES[self.measure].of_chains and not plan.chains:
                message = f"expected a plan with chains = true for {self.measure}, found one without"
                raise typer.BadParameter(message, param_hint="'--measure'")
            plan = replace(plan, figure=Figure(self.measure, plan.figure.against if plan.figure else "density"))
        if self.html or self.plots:
            from satsweep.compare.canvas import check_installed, suffix_of

            check_installed()
            for path in self.plots:
                try:
                    suffix_of(path)
                except ValueError as error:
                    raise typer.BadParameter(str(error), param_hint="'--plot'") from None
        return plan

    def written(self, report: Report) -> None:
        """Write them all."""
        if self.csv is not None:
            write(report.csv(), self.csv)
        for path in self.plots:
            from satsweep.compare.canvas import save
            from satsweep.compare.plot import figure

            try:
                save(figure(report), path)
            except OSError as error:
                fail(f"{path}: cannot write: {error.strerror or error}", BAD_INPUT)
        if self.html is not None:
            from satsweep.compare.html import page

            write([page(report)], self.html)


@contextmanager
def complaining() -> Iterator[None]:
    """Within, what is wrong with files, agents, stores and workers is one line and exit code 3."""
    from satsweep.errors import SatsweepError

    try:
        yield
    except SatsweepError as error:
        fail(str(error), BAD_INPUT)


def show(report: Report, outputs: Outputs, *, json: bool) -> None:
    """Print a report, and write what is to be written."""
    outputs.written(report)
    if json:
        write([report.as_json()], None)
        return
    from shutil import get_terminal_size

    from satsweep.compare.terminal import to_text

    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = get_terminal_size().columns if terminal else WIDTH
    write([to_text(report, width=width, colour=in_colour(terminal=terminal))], None)
