"""The command: words in, one call, print.

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
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

from satsweep.interrupt import INTERRUPTED, ending_at_interrupt

if TYPE_CHECKING:
    from satsweep.analysis import Analysis
    from satsweep.board import Board

CONTRADICTION, BAD_INPUT, INCOMPLETE = 1, 3, 4
"""Exit codes; 0 is solved, 2, wrong usage, is typer's, and 130 is INTERRUPTED."""

PACKAGES = ("python-sat", "ortools", "gmpy2", "networkx", "numpy", "rich", "typer")
"""What ``satsweep engines`` tells the version of."""

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


def _engine_names(incomplete: str) -> list[str]:
    from satsweep.engines import ENGINES

    return [name for name in ENGINES if name.startswith(incomplete)]


def _engine(name: str) -> str:
    from satsweep.engines import engine_named

    try:
        engine_named(name)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return name


def _seconds(seconds: float | None) -> float | None:
    if seconds is not None and not 0 <= seconds < float("inf"):
        raise typer.BadParameter(f"expected seconds, at least 0, found {seconds}")
    return seconds


@app.command()
def solve(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A board, as text or JSON; - is standard input.")],
    engine: Annotated[
        str,
        typer.Option(callback=_engine, autocompletion=_engine_names, help="Who counts; see `satsweep engines`."),
    ] = "auto",
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", callback=_seconds, help="Stop counting then; what is forced is still found."),
    ] = None,
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
    if output is not None and not output.absolute().parent.is_dir():
        _fail(f"{output}: cannot write: No such directory", BAD_INPUT)
    with ending_at_interrupt():
        board = _with_prior(_board(file), mines, density)
        analysis = _analysis(file, board, engine, budget)
    _write(_rendered(analysis, format, exact, to_stdout=output is None), output)
    if not analysis.complete:
        cells = f"{len(analysis.unknown):,} of {len(analysis.odds):,} covered cells"
        _fail(f"{_name(file)}: the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def _board(file: str) -> Board:
    from satsweep.errors import BoardError
    from satsweep.formats import read_board

    if file == "-" and sys.stdin is None:
        _fail("<stdin>: expected a board, found it closed", BAD_INPUT)
    try:
        return read_board(file)
    except BoardError as error:
        _fail(str(error), BAD_INPUT)


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
        _fail(f"{_name(file)}: {error}", CONTRADICTION)


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _rendered(analysis: Analysis, format: str, exact: bool, *, to_stdout: bool) -> Iterator[str]:
    from satsweep.render import RENDERINGS, to_colour, to_text

    if format != "text" or not to_stdout or sys.stdout is None:
        return RENDERINGS[format](analysis, exact=exact)
    terminal = sys.stdout.isatty()
    width = None
    if terminal:
        from shutil import get_terminal_size

        width = get_terminal_size().columns
    # https://no-color.org and https://force-color.org: set, and not to nothing.
    colour = terminal and os.environ.get("TERM") != "dumb" or os.environ.get("FORCE_COLOR")
    draw = to_colour if colour and not os.environ.get("NO_COLOR") else to_text
    return draw(analysis, exact=exact, width=width)


def _write(pieces: Iterable[str], output: Path | None) -> None:
    try:
        if output is None:
            _print(pieces)
        else:
            _replace(output, pieces)
    except OSError as error:
        _fail(f"{output or '<stdout>'}: cannot write: {error.strerror or error}", BAD_INPUT)


def _print(pieces: Iterable[str]) -> None:
    """Print. That nobody reads on (``| head``) is no error; that the disk is full is."""
    if sys.stdout is None:
        raise OSError("standard output is closed")
    try:
        sys.stdout.writelines(pieces)
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered must not fail again when Python ends, as the documentation of SIGPIPE advises.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def _replace(output: Path, pieces: Iterable[str]) -> None:
    """Write a file so that it is at any time either as before or complete."""
    path = output.resolve()
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        # A device or a pipe takes it as it comes; a directory or a protected file says why not.
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(pieces)
        return
    temporary = path.with_name(f".satsweep-{os.urandom(8).hex()}")
    try:
        with open(temporary, "x", encoding="utf-8") as file:
            file.writelines(pieces)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o7777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@app.command()
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


@app.command()
def schema(name: Annotated[Literal["analysis", "board"], typer.Argument(help="The answer, or the input.")]) -> None:
    """Print the JSON Schema of what `solve` prints, or of what it reads."""
    from importlib.resources import files

    typer.echo(files("satsweep").joinpath("schemas", f"{name}.schema.json").read_text("utf-8"), nl=False)


def _fail(message: str, code: int) -> NoReturn:
    """End with a code and one line, whatever the message holds."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    typer.echo(line, err=True)
    raise typer.Exit(code)
