"""Files of reports of the arena, and of the stores that these come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import OptionGroup
from satsweep.cli.output import Files, check_outputs, fail_to_write, in_colour, width, write
from satsweep.cli.packages import check_packages
from satsweep.cli.renderers import format_option, rendered

if TYPE_CHECKING:
    from satsweep.arena.plan import Plan
    from satsweep.arena.report import Report

WIDTH = 100
"""Width of tables where standard output is no terminal."""

ReportFormat = Annotated[
    str | None,
    format_option(
        "comparison", help="Output format of the report; for json see `satsweep schema comparison`. Default: text."
    ),
]


def store_files(store: str | Path | None) -> list[str]:
    """File of a store, and those that SQLite keeps beside it."""
    return [] if store is None else [f"{store}{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]


@dataclass(frozen=True)
class ReportFiles(OptionGroup):
    """Files that a report is written to, and what its figures show."""

    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the estimates of all measures as CSV.")] = None
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained page, with figures.")] = (
        None
    )
    plot: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Draw the results: a name ending in .png, .svg or .pdf.")
    ] = None
    measure: Annotated[str | None, typer.Option(metavar="NAME", help="Measure that the figure shows.")] = None
    against: Annotated[
        Literal["density", "mines", "area"] | None, typer.Option(help="Axis that the figure shows it against.")
    ] = None

    def check(self, inputs: Mapping[str, Files]) -> None:
        """Exit unless all files can be written, and are none of the inputs."""
        check_outputs({"--csv": self.csv, "--html": self.html, "--plot": self.plot}, inputs)

    @property
    def are_wanted(self) -> bool:
        """True if a file is to be written."""
        return bool(self.csv or self.html or self.plot)

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
                raise options.wrong("--measure", message)
            plan = replace(plan, figure=shown)
            plan = with_measurements(plan) if new else plan
            if not MEASURES[shown.measure].is_measured(plan):
                key = MEASURES[shown.measure].asked_by
                message = f"expected a plan with {key} = true for {shown.measure}, found one without"
                raise options.wrong("--measure", message)
        if self.html or self.plot:
            from satsweep.arena.canvas import check_installed, suffix_of

            check_packages(*["jinja2"] * (self.html is not None))
            check_installed()
            for path in self.plot or ():
                try:
                    suffix_of(path)
                except ValueError as error:
                    raise options.wrong("--plot", str(error)) from None
        return plan

    def write(self, report: Report) -> None:
        """Write the report to every file.

        Times are in the CSV only where the figure shows them, since they differ from run to run.
        """
        from satsweep.arena.measures import measure_of_figure

        if self.csv is not None:
            shown = measure_of_figure(report.plan)
            write(report.csv(seconds=shown is not None and shown.timed), self.csv)
        for path in self.plot or ():
            from satsweep.arena.canvas import save
            from satsweep.arena.plot import figure

            try:
                save(figure(report), path)
            except OSError as error:
                fail_to_write(path, error)
        if self.html is not None:
            from satsweep.arena.pages import page

            write([page(report)], self.html)


def show(report: Report, files: ReportFiles, format: str) -> None:
    """Print a report, and write it to the files that are given."""
    write(rendered("comparison", format, report, width=width() or WIDTH, colour=in_colour()), None)
    files.write(report)
