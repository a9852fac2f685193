"""Reports of the arena: commands ``results``, ``export``, ``ladder``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.game_options import SPRT_OPTIONS, TestOptions
from satsweep.cli.option_groups import with_groups
from satsweep.cli.output import check_apart, check_outputs, fail_to_write, is_terminal, write
from satsweep.cli.renderers import format_option, rendered
from satsweep.cli.report_files import ReportFiles, ReportFormat, show, store_files
from satsweep.text import counted, printable

if TYPE_CHECKING:
    from satsweep.arena.store import Run, RunInfo, Store

RunNumber = Annotated[int | None, typer.Option("--run", metavar="N", help="Number of the run, if there are several.")]
StoreFile = Annotated[str, typer.Argument(metavar="STORE", help="A file of results from `compare --store`.")]


@with_groups
def results(
    *,
    stores: Annotated[
        list[str], typer.Argument(metavar="STORE|merge STORE PART...", help="A file of results from `compare --store`.")
    ],
    run: RunNumber = None,
    test: TestOptions,
    format: ReportFormat = None,
    json: options.Json = False,
    files: ReportFiles,
) -> None:
    """List the runs of a store, report on one of them, or merge stores.

    With merge the games of all PARTs go into STORE, which may be new. Runs of the same agents, boards and seed become
    one. A game that is in several of them counts once, so a merge may be repeated; parts that other versions played are
    refused, and so is one in which a game came out otherwise.

    Exit codes: 0 done, 2 usage, 3 bad input.
    """
    if stores[0] == "merge" and len(stores) > 1:
        return _merge(stores[1], stores[2:])
    options.refuse((len(stores) > 1, "STORE", "expected one store, or `merge STORE PART...`"))
    (store,), sprt = stores, test.test
    shown = options.chosen_format(format, json)
    files.check({"STORE": store_files(store)})

    from satsweep.arena.run import report_on
    from satsweep.arena.store import Store

    with Store(store, writing=False) as database:
        if run is None and not (format or json or files.are_wanted or sprt):
            for stored in database.runs():
                for line in _run_lines(stored):
                    typer.echo(printable(line))
            return
        chosen = _run(database, run)
        plan = files.with_figure(chosen.info.plan)
        with options.naming_options(SPRT_OPTIONS):
            plan = replace(plan, sprt=sprt)
        report = report_on(chosen, plan)
    show(report, files, shown)


def _merge(into: str, parts: list[str]) -> None:
    """Put the games of stores into a store; print what came of each."""
    from satsweep.arena.run import merge
    from satsweep.arena.store import Store

    options.refuse((not parts, "PART", "expected stores to merge, found none"))
    check_apart({"STORE": [into]}, {"PART": parts})
    with ExitStack() as opened:
        stores = [opened.enter_context(Store(part, writing=False)) for part in parts]
        store = opened.enter_context(Store(into))
        for part, source in zip(parts, stores, strict=True):
            for run, games, new in merge(store, [source]):
                there = f", {games - new:,} of them there already" if games > new else ""
                typer.echo(f"{part}: {counted(games, 'game')} of single agents{there}, in run {run.number}")


def _run(database: Store, number: int | None) -> Run:
    """Run of a store. Raises BadParameter where ``--run`` names none."""
    from satsweep.errors import StoreError

    try:
        return database.run(number)
    except StoreError as error:
        if number is None:
            raise
        raise options.wrong("--run", str(error)) from None


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
    output: options.Output = None,
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
        raise options.wrong("--format", "expected --output with parquet")

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


def ladder(
    directory: Annotated[str, typer.Argument(metavar="DIRECTORY", help="Stores of `compare --store`, all of them.")],
    output: options.Output = None,
    format: Annotated[
        str | None,
        format_option(
            "ladder", help="Output format; for json see `satsweep schema ladder`. Default: html; text on a terminal."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Rank the engines of all stores in a directory: one self-contained HTML page.

    Each board has the engines by win rate, with paired differences on the same layouts, speed, calibration of stated
    risks, wrong claims, and the command that plays the same layouts again.

    Exit codes: 0 done, 2 usage, 3 bad input, or the output cannot be written.
    """
    default = "text" if output is None and is_terminal(sys.stdout) else "html"
    shown = options.chosen_format(format or (None if json else default), json)
    folder = Path(directory)
    stores = [file for path in folder.glob("*") for file in store_files(path)] if folder.is_dir() else []
    check_outputs({"--output": output}, {"DIRECTORY": [file for file in stores if Path(file).suffix != ".html"]})

    from satsweep.arena.ladder import read_ladder
    from satsweep.cli.ladder_commands import commands

    write(rendered("ladder", shown, read_ladder(folder), commands=commands), output)
