"""Boards and answers: ``solve``, the ``engines`` that count, and the ``schema`` of what goes in and out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.output import BAD_INPUT, CONTRADICTION, INCOMPLETE, check_writable, fail, in_colour, named, write
from satsweep.interrupt import ending_at_interrupt

if TYPE_CHECKING:
    from satsweep.analysis import Analysis
    from satsweep.board import Board

PACKAGES = ("python-sat", "ortools", "gmpy2", "networkx", "numpy", "rich", "typer")
"""What ``satsweep engines`` tells the version of."""


def solve(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A board, as text or JSON; - is standard input.")],
    engine: options.Engine = "auto",
    budget: options.Seconds = None,
    format: Annotated[
        Literal["text", "json", "svg"], typer.Option(help="What to print; for json see `satsweep schema analysis`.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Fractions and whole numbers in full.")] = False,
    mines: Annotated[
        int | None, typer.Option(metavar="N", help="The mine total, instead of what the file says.")
    ] = None,
    density: Annotated[
        str | None,
        typer.Option(metavar="P", help="Each covered cell is a mine with this probability, say 0.2 or 1/5."),
    ] = None,
) -> None:
    """Say which cells are forced, and how risky every other cell is.

    Exit codes: 0 solved, 1 no layout agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 130 interrupted.
    """
    if mines is not None and density is not None:
        raise typer.BadParameter("expected one of --mines and --density, found both")
    check_writable(output)
    with ending_at_interrupt():
        board = _with_prior(_board(file), mines, density)
        analysis = _analysis(file, board, engine, budget)
    write(_rendered(analysis, format, exact, to_stdout=output is None), output)
    if not analysis.complete:
        cells = f"{len(analysis.unknown):,} of {len(analysis.odds):,} covered cells"
        fail(f"{named(file)}: the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def _board(file: str) -> Board:
    from satsweep.errors import BoardError
    from satsweep.formats import read_board

    if file == "-" and sys.stdin is None:
        fail("<stdin>: expected a board, found it closed", BAD_INPUT)
    try:
        return read_board(file)
    except BoardError as error:
        fail(str(error), BAD_INPUT)


def _with_prior(board: Board, mines: int | None, density: str | None) -> Board:
    """The board with what the command line says about the mines instead of what the file says."""
    from dataclasses import replace

    from satsweep.errors import BoardError

    if mines is None and density is None:
        return board
    try:
        # The constructor makes a Fraction of the text.
        return replace(board, mines=mines, density=density)  # type: ignore[arg-type]
    except BoardError as error:
        raise typer.BadParameter(error.message, param_hint=f"'--{error.at}'") from None


def _analysis(file: str, board: Board, engine: str, budget: float | None) -> Analysis:
    from satsweep.analysis import analyse
    from satsweep.errors import Contradiction

    try:
        return analyse(board, engine=engine, budget=budget)
    except Contradiction as error:
        fail(f"{named(file)}: {error}", CONTRADICTION)


def _rendered(analysis: Analysis, format: str, exact: bool, *, to_stdout: bool) -> Iterator[str]:
    from satsweep.render import RENDERINGS, to_colour, to_text

    if format != "text" or not to_stdout or sys.stdout is None:
        return RENDERINGS[format](analysis, exact=exact)
    terminal = sys.stdout.isatty()
    width = None
    if terminal:
        from shutil import get_terminal_size

        width = get_terminal_size().columns
    draw = to_colour if in_colour(terminal=terminal) else to_text
    return draw(analysis, exact=exact, width=width)


def engines() -> None:
    """List the engines, and the versions of what they run on."""
    from importlib.metadata import PackageNotFoundError, entry_points, version

    from satsweep.engines import ENGINES

    for name, count in ENGINES.items():
        summary = (sys.modules[count.__module__].__doc__ or "").partition("\n")[0]
        typer.echo(f"{name:<12} {summary}")
    for entry in entry_points(group="satsweep.engines"):
        typer.echo(f"{entry.name:<12} {entry.value}")
    typer.echo(f"\n{'Python':<12} {sys.version.split()[0]}")
    for package in PACKAGES:
        try:
            typer.echo(f"{package:<12} {version(package)}")
        except PackageNotFoundError:
            typer.echo(f"{package:<12} not installed")


def schema(
    name: Annotated[
        Literal["analysis", "board", "record", "comparison"],
        typer.Argument(help="An answer, what is read, a game played, or a report of games."),
    ],
) -> None:
    """Print the JSON Schema of what `solve` prints or reads, `play --record` writes, or `compare --json` prints."""
    from importlib.resources import files

    typer.echo(files("satsweep").joinpath("schemas", f"{name}.schema.json").read_text("utf-8"), nl=False)
