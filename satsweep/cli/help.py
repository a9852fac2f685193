"""Command ``help``: all commands, or one with all of its options."""

from typing import Annotated

import typer


def help(
    topic: Annotated[
        str | None, typer.Argument(metavar="all|COMMAND", help="All commands, or one command with all of its options.")
    ] = None,
) -> None:
    """Show the usual commands, all of them, or one with all of its options."""
    from satsweep.cli import app

    asked = {None: ["--help"], "all": ["--help-all"]}.get(topic, [str(topic), "--help-all"])
    app(asked, prog_name="satsweep")
