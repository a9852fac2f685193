"""Lists: ``agents``, ``engines``, ``formats``, ``plans``, and each ``schema``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli.usual import USUAL_AGENTS
from satsweep.text import counted

REPORTED_PACKAGES = ("python-sat", "ortools", "gmpy2", "networkx", "numpy", "rich", "typer")
"""Packages whose versions ``satsweep engines`` lists."""
SCHEMAS = {
    file.name.removesuffix(".schema.json"): file
    for file in (Path(__file__).parent.parent / "formats" / "schemas").glob("*.schema.json")
}
"""Files of all schemas by name."""
if TYPE_CHECKING:
    SchemaName = str
else:
    SchemaName = Literal[tuple(sorted(SCHEMAS))]


def agents(*, all: Annotated[bool, typer.Option("--all", help="List every agent.")] = False) -> None:
    """List the usual agents, or all, each with its source.

    A source is the document that the agent follows.
    """
    from satsweep.agents import AGENTS, installed_agents

    for name, entry in AGENTS.items():
        if all or name in USUAL_AGENTS:
            typer.echo(f"{name:<12} {entry.summary}\n{'':<12} {entry.source}")
    for name, entry_point in installed_agents().items():
        typer.echo(f"{name:<12} installed: {entry_point.value}")
    if not all:
        typer.echo(f"\n{len(AGENTS) - len(USUAL_AGENTS)} more: satsweep agents --all")


def engines() -> None:
    """List the counting engines, and the versions of the packages that they use."""
    from importlib.metadata import PackageNotFoundError, entry_points, version

    from satsweep.solver.engines import ENGINES

    for name, count in ENGINES.items():
        summary = (sys.modules[count.__module__].__doc__ or "").partition("\n")[0]
        typer.echo(f"{name:<12} {summary}")
    for entry in entry_points(group="satsweep.engines"):
        typer.echo(f"{entry.name:<12} {entry.value}")
    typer.echo(f"\n{'Python':<12} {sys.version.split()[0]}")
    for package in REPORTED_PACKAGES:
        try:
            typer.echo(f"{package:<12} {version(package)}")
        except PackageNotFoundError:
            typer.echo(f"{package:<12} not installed")


def formats() -> None:
    """List the formats: content, read and write support, file name endings."""
    from satsweep.formats import all_formats
    from satsweep.formats.format import CONTENT_KINDS

    for name, form in all_formats().items():
        held = " ".join(CONTENT_KINDS[kind].listed for kind in form.holds)
        how = "write only" if not form.is_read else "read only" if form.writer is None else "read and write"
        typer.echo(f"{name:<17} {held:<13} {how:<15} {', '.join(form.suffixes)}".rstrip())
        typer.echo(f"{'':<17} {form.summary}")


def plans() -> None:
    """List the built-in plans: agents, settings, and the document of each experiment."""
    from satsweep.arena.planfile import plan_named, plan_names

    for name in plan_names():
        plan = plan_named(name)
        limit = counted(plan.games, "game") if plan.games else f"{plan.seconds:g} s"
        plays = f", {plan.plays} plays of a layout" if plan.plays > 1 else ""
        settings = counted(len(plan.settings), "setting")
        typer.echo(f"{name:<20} {plan.title}\n{'':<20} {plan.source}")
        typer.echo(f"{'':<20} {', '.join(plan.agents)}; {settings}, {limit} each{plays}")


def schema(
    name: Annotated[
        SchemaName,
        typer.Argument(metavar="NAME", help="Schema to print; its title says what it describes."),
    ],
) -> None:
    """Print the JSON Schema of an input or output format."""
    typer.echo(SCHEMAS[name].read_text("utf-8"), nl=False)
