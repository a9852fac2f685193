"""Command ``satsweep``: parse options, make one call, print.

A command has the module of its name, or shares that of a related one. Standard output carries the answer and nothing
else; every other message is one line on standard error. A command's module is imported when the command runs, and
imports slow modules only when it needs them, so start-up time does not grow with the number of commands.
"""

import gc

try:
    # Imports make some 25,000 objects that stay, and Python would look through them for cycles every 700.
    gc.set_threshold(50_000)
    # Most of the start-up time passes here, and an interrupt needs no traceback.
    import typer
except KeyboardInterrupt:
    raise SystemExit(130) from None

import atexit
import sys
import warnings
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

from satsweep.cli.exits import INTERRUPTED, failing_on_errors
from satsweep.cli.help_panels import PanelledCommand, PanelledGroup

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Solve and explain": {
        "solve": ("solve", "Find the forced cells of a board, and the risk of every other cell."),
        "explain": ("explain", "Explain in words why a cell is a mine, or safe: the numbers that force it."),
        "rate": ("rate", "Say whether layouts need a guess, with proof, and how hard they are."),
        "clicks": ("clicks", "Find the fewest clicks that clear a layout, with a proof that no fewer do."),
        "verify": ("verify", "Check a certificate against its board, without a solver."),
    },
    "Play": {
        "play": ("play", "Play a game in the terminal, move by move, with the reason for each."),
        "serve": ("serve", "Serve the page: games of agents, positions solved with reasons, play with hints."),
        "static": ("serve", "Write the page as a folder that needs no server: Python runs in the browser."),
        "find-mines": ("play", "Find every mine, and open as few cells as possible."),
        "chains": ("chains", "Trace the chains of influence of a game."),
        "generate": ("generate", "Make random boards, or boards that need no guess, of a given difficulty."),
    },
    "Judge agents": {
        "review": ("review", "Say how well, and how luckily, games were played."),
        "audit": ("audit", "Audit every claim of an agent against the exact analysis."),
        "report": ("coursework", "Write a report on an agent, as courses ask for it."),
        "audit-keys": ("corpus", "Audit the answer keys of a data set: do they name exactly the cells that follow?"),
        "compare": ("compare", "Compare agents on the same boards, with confidence intervals and exact tests."),
        "results": ("results", "List the runs of a store, report on one of them, or merge stores."),
        "export": ("results", "Write a run game by game: one row for each game of each agent."),
        "ladder": ("results", "Rank the engines of all stores in a directory: one self-contained HTML page."),
        "agents": ("lists", "List the usual agents, or all, each with its source."),
        "plans": ("lists", "List the built-in plans: agents, settings, and the document of each experiment."),
        "umi": ("umi", "Play and answer questions in lines of text on standard input."),
        "umi-test": ("umi", "Examine an engine: what it does wrong in the protocol, level by level."),
    },
    "Language models": {
        "mcp": ("mcp", "Offer the engine to a language model: tools over the Model Context Protocol."),
        "bench": ("bench", "Ask a model the 1,000 tasks of the benchmark, and score answers."),
    },
    "Boards with proofs": {
        "corpus": ("corpus", "Make a corpus with proofs, or check one."),
    },
    "Files": {
        "convert": ("convert", "Write a board, a layout, rules or a game in another format."),
        "formats": ("lists", "List the formats: content, read and write support, file name endings."),
        "schema": ("lists", "Print the JSON Schema of an input or output format."),
    },
    "Installation": {
        "engines": ("lists", "List the counting engines, and the versions of the packages that they use."),
        "help": ("help", "Show the usual commands, all of them, or one with all of its options."),
    },
}
"""Commands in groups, in the order of the help: module and first line of help.

The helps have these lines, so no command is imported for them; ``usual`` names the commands on the first screen.
"""
COMMANDS = {name: module for group in GROUPS.values() for name, (module, _) in group.items()}
"""Module of every command."""


class LazyCommands(PanelledGroup):
    """Commands that are imported when they are used.

    typer alone would read the options of all commands at once. Here a list of commands, in help and in completions, has
    their names and first lines alone.
    """

    def __init__(self, **attributes: Any) -> None:
        listed = {
            name: PanelledCommand(name, help=line, rich_help_panel=title)
            for title, commands in GROUPS.items()
            for name, (_, line) in commands.items()
        }
        super().__init__(**{**attributes, "commands": listed})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else command_named(name), rest


@cache
def command_named(name: str) -> Any:
    """Command with its options, of a module that is imported now; made once."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    function = getattr(import_module(f"satsweep.cli.{COMMANDS[name]}"), name.replace("-", "_"))
    alone.command(name, cls=PanelledCommand, help=paragraphs(function.__doc__))(failing_on_errors()(function))
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
