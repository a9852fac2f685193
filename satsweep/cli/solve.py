"""Boards and answers: ``solve``, the ``engines`` that count, and the ``schema`` of what goes in and out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from satsweep.cli import evidence, named_cells as ruleset, options
from satsweep.cli.interrupt import ending_at_interrupt
from satsweep.cli.output import (
    BAD_INPUT,
    INCOMPLETE,
    check_writable,
    fail,
    in_colour,
    named,
    width,
    write,
)

if TYPE_CHECKING:
    from satsweep.board import Board
    from satsweep.errors import Contradiction
    from satsweep.formats import StatementSet
    from satsweep.solver.analysis import Analysis
    from satsweep.solver.recount import CrossCheck
    from satsweep.why.values import Explanation

_T = TypeVar("_T")

PACKAGES = ("python-sat", "ortools", "gmpy2", "networkx", "numpy", "rich", "typer")
"""What ``satsweep engines`` tells the version of."""


def solve(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="A board or rules, in any of `satsweep formats`; - is standard input."),
    ],
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
    flags: options.Flags = "ignore",
    explain: Annotated[bool, typer.Option("--explain", help="Say why each forced cell is forced.")] = False,
    certify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Prove for each forced cell that it is; `satsweep verify` checks that."),
    ] = None,
    drup: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Write the proofs for DRUP checkers: a formula and a refutation each."),
    ] = None,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Count everything once more in another way.")
    ] = False,
) -> None:
    """Say which cells are forced, and how risky every other cell is.

    If no layout agrees with the board, say which numbers cannot all be true, and which other number would do.

    Exit codes: 0 solved, 1 no layout agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 5 the cross-check found two counts that differ, 130 interrupted.
    """
    if mines is not None and density is not None:
        raise typer.BadParameter("expected one of --mines and --density, found both")
    if explain and format == "svg":
        raise typer.BadParameter("expected --format text or json with --explain, found svg")
    check_writable(output, certify, drup)
    trust = flags == "trust"
    impossible: evidence.Impossible | None = None
    with ending_at_interrupt():
        from satsweep.formats import StatementSet

        found = _solvable_in(file)
        if isinstance(found, StatementSet):
            wanted = {"--explain": explain, "--certify": certify, "--drup": drup, "--cross-check": cross_check}
            for option in (option for option, given in wanted.items() if given):
                raise typer.BadParameter(f"expected a board with {option}, found rules")
            ruleset.solve(
                file,
                found,
                engine=engine,
                budget=budget,
                format=format,
                output=output,
                exact=exact,
                mines=mines,
                density=density,
            )
            return
        board = _with_prior(found, mines, density)
        across = width() if output is None else None
        try:
            analysis = _analysis(board, engine, budget, trust=trust)
        except _contradiction() as error:
            impossible = evidence.impossible(board, error, format, across, trust=trust)
        else:
            reasons = evidence.reasons_of(board, analysis, trust=trust) if explain or certify or drup else []
            proofs = [evidence.certificate(board, reasons)] if certify else []
            checked = evidence.counted_again(file, analysis, budget) if cross_check else None
            said = reasons if explain else None
            pieces = _rendered(analysis, format, exact, said, checked, to_stdout=output is None)
    if impossible is not None:
        evidence.end(file, impossible, output)
    if certify:
        write(proofs, certify)
    if drup:
        evidence.write_refutations(drup, reasons)
    write(pieces, output)
    if checked is not None and not checked.complete:
        fail(f"{named(file)}: the budget was exhausted: not everything was counted again", INCOMPLETE)
    if not analysis.complete:
        cells = f"{len(analysis.unknown):,} of {len(analysis.odds):,} covered cells"
        fail(f"{named(file)}: the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def board_in(file: str) -> Board:
    """The board that a file holds; if it holds none, the end of the command."""
    from satsweep.formats import read_board

    return _read(file, read_board)


def _solvable_in(file: str) -> Board | StatementSet:
    """The board or the rules that a file holds; if it holds neither, the end of the command."""
    from satsweep.formats import read_board_or_statements

    return _read(file, read_board_or_statements)


def _read(file: str, read: Callable[[str], _T]) -> _T:
    from satsweep.errors import BoardError

    if file == "-" and sys.stdin is None:
        fail("<stdin>: expected a board, found it closed", BAD_INPUT)
    try:
        return read(file)
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


def _contradiction() -> type[Contradiction]:
    """The error, imported when it is needed."""
    from satsweep.errors import Contradiction

    return Contradiction


def _analysis(board: Board, engine: str, budget: float | None, *, trust: bool) -> Analysis:
    from satsweep.solver.analysis import analyse

    return analyse(board.trusting_flags() if trust else board, engine=engine, budget=budget)


def _rendered(
    analysis: Analysis,
    format: str,
    exact: bool,
    reasons: list[Explanation] | None,
    checked: CrossCheck | None,
    *,
    to_stdout: bool,
) -> Iterator[str]:
    from satsweep.render import RENDERINGS, to_colour, to_json, to_text

    across = width() if to_stdout else None
    if format == "json":
        more: dict[str, object] = {}
        if reasons is not None:
            from satsweep.render.explanation_text import explanation_values

            more["reasons"] = [explanation_values(reason) for reason in reasons]
        if checked is not None:
            more["cross_check"] = evidence.cross_check_values(checked)
        yield from to_json(analysis, more=more) if more else RENDERINGS[format](analysis, exact=exact)
    elif format == "svg" or not to_stdout or sys.stdout is None:
        yield from RENDERINGS[format](analysis, exact=exact)
    else:
        draw = to_colour if in_colour(terminal=sys.stdout.isatty()) else to_text
        yield from draw(analysis, exact=exact, width=across)
    if format == "text":
        yield from evidence.cross_check_lines(checked) if checked is not None else ()
        if reasons:
            from satsweep.render.explanation_text import explanation_paragraphs

            yield "\n"
            yield from explanation_paragraphs(reasons, across)


def engines() -> None:
    """List the engines, and the versions of what they run on."""
    from importlib.metadata import PackageNotFoundError, entry_points, version

    from satsweep.solver.engines import ENGINES

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
        Literal["analysis", "board", "reason", "certificate", "trace", "record", "comparison"],
        typer.Argument(
            help="An answer, what is read, a reason, proofs, all proofs of a board that needs no guess, a "
            "game played, or a report of games."
        ),
    ],
) -> None:
    """Print the JSON Schema of what `solve` prints or reads, or of what other commands print or write."""
    from importlib.resources import files

    typer.echo(files("satsweep").joinpath("schemas", f"{name}.schema.json").read_text("utf-8"), nl=False)
