"""Command ``report``: all that a course asks about an agent, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import NO
from satsweep.cli.game_options import RuleChanges, Size
from satsweep.cli.option_groups import naming_options_of, with_groups
from satsweep.cli.output import check_apart, check_outputs, progress_bar, write
from satsweep.cli.packages import check_packages
from satsweep.cli.report_files import store_files

GAMES = 100


@with_groups
def report(
    *,
    agent: Annotated[
        str,
        typer.Option(metavar="NAME", autocompletion=options.agent_names, help=f"The agent: {options.AGENT_HELP}."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File of the report: FILE.html, or FILE.md with SVG beside it."
        ),
    ],
    games: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of games of the audit, and of each agent on each density.")
    ] = GAMES,
    size: Size,
    changes: RuleChanges,
    seed: options.FixedSeed = None,
    jobs: options.Jobs = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the games of the comparison; the same command goes on after an interrupt."
        ),
    ] = None,
) -> None:
    """Write a report on an agent, as courses ask for it.

    The agent plays games that are audited, and then games on boards of rising density, beside basic, gem and sat. The
    page has their plot and tables, how games were lost (to bad luck, or to a mistake), the most instructive cells that
    the agent missed, and answers to the questions that courses ask.

    Exit codes: 0 done, 1 a claim is false or the agent failed, 2 usage, 3 bad input.
    """
    options.refuse((output.suffix not in (".html", ".md"), "--output", "expected a name ending in .html or .md"))
    from satsweep.agents.fingerprint import source_files

    kept, sources = store_files(store), [str(file) for file in source_files(agent)]
    check_apart({"--store": kept}, {"--agent": sources})
    check_outputs({"--output": output}, {"--agent": sources, "--store": kept})
    from satsweep.arena.canvas import check_installed
    from satsweep.arena.coursework.report import report_markdown, report_page
    from satsweep.arena.coursework.study import Study, plan_of, played
    from satsweep.arena.progress import RunProgress, games_line
    from satsweep.arena.run import run_plan
    from satsweep.arena.store import Store
    from satsweep.arena.workers import processes
    from satsweep.games.setting import Setting
    from satsweep.topology import topology_named

    check_packages("scipy", "jinja2")
    check_installed()
    chosen = seed or "0"
    with progress_bar() as bar, options.loaded_agent(agent, move_seconds=options.MOVE_SECONDS) as loaded:
        rules = changes.applied_to(loaded.rules, size, size.board)
        with naming_options_of(changes, size):
            setting = Setting(*size.dimensions(), rules, topology_named(size.topology or "square"))
        audit, endings = played(
            loaded,
            setting,
            chosen,
            games,
            lambda number: bar.show(number, f"{number:,} of {games:,} games audited", total=games),
        )

    plan = plan_of(agent, setting, chosen, games)
    with Store(store) as results, progress_bar(text="starting") as bar:

        def watch(now: RunProgress) -> None:
            if bar.is_there:
                bar.show(now.share_done or 0.0, games_line(now), total=None if now.share_done is None else 1.0)

        comparison = run_plan(plan, processes(jobs), results, watch)
    study = Study(setting, chosen, audit, endings, comparison)
    if output.suffix == ".html":
        write([report_page(study)], output)
    else:
        text, pictures = report_markdown(study, output.stem)
        write([text], output)
        for name, picture in pictures.items():
            write([picture], output.with_name(name))
    if not audit.sound or audit.failures:
        raise typer.Exit(NO)
