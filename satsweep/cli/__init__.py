"""Command ``satsweep``: parse options, make one call, print.

One module for each family of commands. Standard output carries the answer and nothing else; every other message is one
line on standard error. A command's module is imported when the command runs, and imports slow modules only when it
needs them, so start-up time does not grow with the number of commands.
"""

from __future__ import annotations

try:
    # Most of the start-up time passes here, and an interrupt needs no traceback.
    import typer
except KeyboardInterrupt:
    raise SystemExit(130) from None

import atexit
import gc
import sys
import warnings
from importlib import import_module
from io import TextIOWrapper
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
    "warm": "warm",
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
"""Module of every command, in the order of the help."""


class LazyCommands(TyperGroup):
    """Commands that are imported when they are used.

    typer alone would read the options of all commands at once.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Command of a name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        module = import_module(f"satsweep.cli.{COMMANDS[cmd_name]}")
        alone.command(cmd_name)(getattr(module, cmd_name.replace("-", "_")))
        return typer.main.get_command(alone)


app = typer.Typer(name="satsweep", cls=LazyCommands, no_args_is_help=True, pretty_exceptions_enable=False)


def main() -> None:
    """Run the command."""
    # At exit Python would search all objects for cycles, which takes a seventh of the time of a short command.
    atexit.register(gc.freeze)
    warnings.formatwarning = _warning_line
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files may have bytes that are no text
    try:
        app(prog_name="satsweep")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


_as_python_shows_it = warnings.formatwarning


def _warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning of this package as a line; another one as Python shows it."""
    if category.__module__.startswith("satsweep."):
        return f"{message}\n"
    return _as_python_shows_it(message, category, filename, lineno, line)


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
    """Exact Minesweeper engine: forced cells, and mine probabilities of the others."""
