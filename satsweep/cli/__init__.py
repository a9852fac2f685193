"""The command: words in, one call, print. One module per family of commands.

Standard output carries the answer and nothing else; whatever else there is to say is one line on standard error.
A command is imported when it is asked for, and it imports what is heavy itself, so that starting takes no longer the
more commands there are.
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
from importlib import import_module
from typing import Annotated, Any

from typer.core import TyperGroup

from satsweep.cli.interrupt import INTERRUPTED

COMMANDS = {
    "solve": "solve",
    "explain": "explain",
    "play": "play",
    "serve": "serve",
    "find-mines": "find_mines",
    "chains": "chains",
    "generate": "generate",
    "verify": "verify",
    "check": "check",
    "compare": "compare",
    "plans": "results",
    "results": "results",
    "export": "results",
    "convert": "convert",
    "formats": "convert",
    "agents": "play",
    "engines": "solve",
    "schema": "solve",
}
"""Every command, in the order of the help, and the module that it is in."""


class Commands(TyperGroup):
    """The commands, each imported when it is asked for: typer alone would take apart all of their options at once."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name; None for a name that no command has."""
        if cmd_name not in COMMANDS:
            return None
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        module = import_module(f"satsweep.cli.{COMMANDS[cmd_name]}")
        alone.command(cmd_name)(getattr(module, cmd_name.replace("-", "_")))
        return typer.main.get_command(alone)


app = typer.Typer(name="satsweep", cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


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
