"""The command: words in, one call, print. One module per family of commands.

Standard output carries the answer and nothing else; whatever else there is to say is one line on standard error.
Everything heavy is imported by the command that needs it, so that help, version and completion are quick.
"""

from __future__ import annotations

try:
    # Most of the time that it takes to start passes here, and an interrupt needs no traceback.
    import typer
except KeyboardInterrupt:
    raise SystemExit(130) from None

import atexit
import gc
import sys
from typing import Annotated

from satsweep.cli.check import check
from satsweep.cli.find_mines import find_mines
from satsweep.cli.play import agents, play
from satsweep.cli.solve import engines, schema, solve
from satsweep.interrupt import INTERRUPTED

app = typer.Typer(name="satsweep", no_args_is_help=True, pretty_exceptions_enable=False)


def main() -> None:
    """Run the command."""
    # Python would search everything for cycles before it ends, which takes a seventh of the time of a short command.
    atexit.register(gc.freeze)
    try:
        app(prog_name="satsweep")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _print_version(wanted: bool) -> None:
    if wanted:
        from satsweep import __version__

        typer.echo(f"satsweep {__version__}")
        raise typer.Exit


@app.callback()
def satsweep(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The exact Minesweeper engine: which cells are forced, and how likely every other cell is to be a mine."""


for command in (solve, play, find_mines, check, agents, engines, schema):
    app.command()(command)
