"""Command ``satsweep``: parse options, make one call, print.

A command has the module of its name, or shares that of a related one. Standard output carries the answer and nothing
else; every other message is one line on standard error. A command's module is imported when the command runs, and
imports slow modules only when it needs them, so start-up time does not grow with the number of commands.
"""

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
from typing import Annotated, Any, cast

from typer.core import TyperGroup

from satsweep.cli.exits import INTERRUPTED, failing_on_errors

GROUPS = {
    "Solve and explain": {
        "solve": "solve",
        "explain": "explain",
        "rate": "rate",
        "clicks": "clicks",
        "verify": "verify",
    },
    "Play": {
        "play": "play",
        "serve": "serve",
        "static": "serve",
        "find-mines": "play",
        "chains": "chains",
        "generate": "generate",
    },
    "Judge agents": {
        "review": "review",
        "audit": "audit",
        "report": "coursework",
        "audit-keys": "corpus",
        "compare": "compare",
        "results": "results",
        "export": "results",
        "ladder": "results",
        "agents": "lists",
        "plans": "lists",
        "umi": "umi",
        "umi-test": "umi",
    },
    "Language models": {"mcp": "mcp", "bench": "bench"},
    "Boards with proofs": {"corpus": "corpus"},
    "Files": {"convert": "convert", "formats": "lists", "schema": "lists"},
    "Installation": {"engines": "lists"},
}
"""Commands with their modules, in groups, in the order of the help."""
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}
"""Module of every command."""


class LazyCommands(TyperGroup):
    """Commands that are imported when they are used.

    typer alone would read the options of all commands at once.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # typer suggests these names in place of an unknown one.
        self.commands = cast("dict[str, Any]", dict.fromkeys(COMMANDS))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        function = getattr(import_module(f"satsweep.cli.{COMMANDS[cmd_name]}"), cmd_name.replace("-", "_"))
        (group,) = (title for title, commands in GROUPS.items() if cmd_name in commands)
        alone.command(cmd_name, help=paragraphs(function.__doc__), rich_help_panel=group)(failing_on_errors()(function))
        return typer.main.get_command(alone)


def paragraphs(docstring: str) -> str:
    """A docstring with each paragraph in one line.

    typer would keep the line breaks within all paragraphs but the first.

    >>> paragraphs("Write a board.\\n\\n    It is written\\n    to a file.\\n    ")
    'Write a board.\\n\\nIt is written to a file.'
    """
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in docstring.strip().split("\n\n"))


app = typer.Typer(
    name="satsweep",
    cls=LazyCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def main() -> None:
    # At exit Python would search all objects for cycles, which takes a seventh of the time of a short command.
    atexit.register(gc.freeze)
    warnings.formatwarning = _warning_line
    if isinstance(sys.stdout, TextIOWrapper):
        if sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="backslashreplace")  # names of files may have bytes that are no text
        if not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8", errors=sys.stdout.errors)  # as in files: pages say so, JSON has to
    try:
        app(prog_name="satsweep")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


_as_python_shows_it = warnings.formatwarning


def _warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
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
