"""Commands on boards: ``solve``, the ``engines`` that count, and each ``schema``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from satsweep.cli import contradiction, options, solve_deep, solve_proofs
from satsweep.cli.interrupt import exiting_on_interrupt
from satsweep.cli.output import (
    BAD_INPUT,
    INCOMPLETE,
    check_outputs,
    check_readable,
    display_name,
    fail,
    in_colour,
    width,
    write,
)
from satsweep.cli.solve_statements import solve_statements

if TYPE_CHECKING:
    from satsweep.board import Board
    from satsweep.formats import StatementSet
    from satsweep.solver.analysis import Analysis
    from satsweep.solver.recount import CrossCheck
    from satsweep.why.values import Explanation

_T = TypeVar("_T")

PACKAGES = ("python-sat", "ortools", "gmpy2", "networkx", "numpy", "rich", "typer")
"""Packages whose versions ``satsweep engines`` lists."""


def solve(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="A board or rules, in any of `satsweep formats`; - is standard input."),
    ],
    engine: options.Engine = "auto",
    budget: options.Budget = None,
    format: Annotated[
        Literal["text", "json", "svg"] | None,
        typer.Option(help="Output format; for json see `satsweep schema analysis`. Default: text."),
    ] = None,
    json: options.Json = False,
    output: options.Output = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions and whole numbers in full.")] = False,
    mines: options.MineTotal = None,
    density: Annotated[
        str | None,
        typer.Option(metavar="P", help="Mine probability of each covered cell, for example 0.2 or 1/5."),
    ] = None,
    flags: options.Flags = "ignore",
    explain: Annotated[bool, typer.Option("--explain", help="Explain each forced cell.")] = False,
    certify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a proof for each forced cell, for `satsweep verify`."),
    ] = None,
    drup: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Write the proofs for DRUP checkers: a formula and a refutation each."),
    ] = None,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Add the chances to win: exact near the end, with the tree of best play; else estimates."
        ),
    ] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="Show what each stage has forced, and the components that were counted.")
    ] = False,
    cross_check: Annotated[
        bool, typer.Option("--cross-check", help="Count everything once more by other methods.")
    ] = False,
) -> None:
    """Find the forced cells of a board, and the risk of every other cell.

    For a board that no layout agrees with, name the numbers that cannot all be true, and numbers that would be possible
    instead. With --deep the guesses are ranked by their chances to win. The deep player, which estimates them, is
    compiled at its first use: that takes about a minute.

    Exit codes: 0 solved, 1 no layout agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 5 the cross-check found two counts that differ, 130 interrupted.
    """
    if mines is not None and density is not None:
        raise typer.BadParameter("expected --mines or --density, found both", param_hint="'--density'")
    if (explain or stages) and format == "svg":
        option = "--explain" if explain else "--stages"
        raise typer.BadParameter(f"expected text or json with {option}, found svg", param_hint="'--format'")
    chosen = options.chosen_format(format, json)
    check_outputs({"--output": output, "--certify": certify, "--drup": drup}, {"FILE": file})
    trust = flags == "trust"
    report: contradiction.ContradictionReport | None = None
    with exiting_on_interrupt():
        from satsweep.errors import Contradiction
        from satsweep.formats import StatementSet

        content = _read_solvable(file)
        if isinstance(content, StatementSet):
            board_only = {
                "--explain": explain,
                "--certify": certify,
                "--drup": drup,
                "--deep": deep,
                "--stages": stages,
                "--cross-check": cross_check,
            }
            if unsuited := [option for option, given in board_only.items() if given]:
                message = f"expected a board with {unsuited[0]}, found rules"
                raise typer.BadParameter(message, param_hint=f"'{unsuited[0]}'")
            solve_statements(
                file,
                content,
                engine=engine,
                budget=budget,
                format=chosen,
                output=output,
                exact=exact,
                mines=mines,
                density=density,
            )
            return
        board = _with_prior(content, mines, density)
        across = width() if output is None else None
        try:
            analysis = _analysis(board, engine, budget, trust=trust)
        except Contradiction as error:
            report = contradiction.contradiction_report(board, error, chosen, across, trust=trust)
        else:
            proved = explain or certify or drup
            explanations = solve_proofs.explanations_of(board, analysis, trust=trust) if proved else []
            certificate = [solve_proofs.certificate_json(board, explanations)] if certify else []
            recount = solve_proofs.recounted(file, analysis, budget) if cross_check else None
            shown = explanations if explain else None
            if deep:
                solve_deep.prepare(analysis)
            pieces = _rendered(analysis, chosen, exact, stages, deep, shown, recount, to_stdout=output is None)
    if report is not None:
        contradiction.fail_with_report(file, report, output)
    if certify:
        write(certificate, certify)
    if drup:
        solve_proofs.write_refutations(drup, explanations)
    write(pieces, output)
    if recount is not None and not recount.complete:
        fail(f"{display_name(file)}: the budget was exhausted: not everything was counted again", INCOMPLETE)
    if not analysis.complete:
        cells = f"{len(analysis.unknown):,} of {len(analysis.odds):,} covered cells"
        fail(f"{display_name(file)}: the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def read_board_or_exit(file: str) -> Board:
    """Read the board of a file; exit if it holds none."""
    from satsweep.board import Board

    return _read(file, Board.load)


def _read_solvable(file: str) -> Board | StatementSet:
    """Read the board or the statements of a file; exit if it holds neither."""
    from satsweep.formats import read_board_or_statements

    return _read(file, read_board_or_statements)


def _read(file: str, read: Callable[[str], _T]) -> _T:
    from satsweep.errors import BoardError

    check_readable(file, "a board")
    try:
        return read(file)
    except BoardError as error:
        fail(str(error), BAD_INPUT)


def _with_prior(board: Board, mines: int | None, density: str | None) -> Board:
    """Board with the mine total or density of the command line, if it has one."""
    from dataclasses import replace

    if mines is None and density is None:
        return board
    with options.naming_options({"mines": "--mines", "density": "--density"}):
        # The constructor makes a Fraction of the text.
        return replace(board, mines=mines, density=density)  # type: ignore[arg-type]


def _analysis(board: Board, engine: str, budget: float | None, *, trust: bool) -> Analysis:
    from satsweep.solver.analysis import analyse

    return analyse(board.trusting_flags() if trust else board, engine=engine, budget=budget)


def _rendered(
    analysis: Analysis,
    format: str,
    exact: bool,
    stages: bool,
    deep: bool,
    explanations: list[Explanation] | None,
    recount: CrossCheck | None,
    *,
    to_stdout: bool,
) -> Iterator[str]:
    """Pieces of the output in a format, with all that was asked for."""
    from satsweep.render import RENDERINGS, to_colour, to_text
    from satsweep.render.analysis_text import stage_values

    across = width() if to_stdout else None
    if format == "json":
        more: dict[str, object] = {"stages": stage_values(analysis)} if stages else {}
        if explanations is not None:
            from satsweep.render.explanation_text import explanation_values

            more["reasons"] = [explanation_values(explanation) for explanation in explanations]
        if recount is not None:
            more["cross_check"] = solve_proofs.recount_values(recount)
        if deep:
            more["best_play"] = solve_deep.win_values(analysis)
        yield from RENDERINGS["json"](analysis, more=more)
    elif format == "svg":
        yield from RENDERINGS["svg"](analysis, exact=exact)
    else:
        yield from _total_missing(analysis.board)
        draw = to_colour if to_stdout and sys.stdout is not None and in_colour() else to_text
        yield from draw(analysis, exact=exact, width=across, stages=stages)
        yield from solve_deep.win_lines(analysis, exact=exact) if deep else ()
        yield from solve_proofs.recount_lines(recount) if recount is not None else ()
        if explanations:
            from satsweep.render.explanation_text import explanation_paragraphs

            yield "\n"
            yield from explanation_paragraphs(explanations, across)


def _total_missing(board: Board) -> Iterator[str]:
    """A line on a board without mine total and density, with the usual total."""
    from satsweep.games.deal import LEVELS
    from satsweep.topology import SQUARE

    if board.mines is None and board.density is None and board.covered:
        sizes = {(rows, cols): f"; --mines {mines} for {level}" for level, (rows, cols, mines) in LEVELS.items()}
        usual = sizes.get((board.rows, board.cols), "") if board.topology == SQUARE else ""
        yield f"no mine total given: every layout counts alike{usual or '; --mines N for a total'}\n\n"


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
    for package in PACKAGES:
        try:
            typer.echo(f"{package:<12} {version(package)}")
        except PackageNotFoundError:
            typer.echo(f"{package:<12} not installed")


def schema(
    name: Annotated[
        Literal[
            "analysis",
            "rules",
            "board",
            "reason",
            "certificate",
            "trace",
            "guess",
            "rating",
            "record",
            "review",
            "comparison",
            "ladder",
        ],
        typer.Argument(
            metavar="NAME",
            help="One of analysis (what solve answers for a board) and rules (for rules), board (its input), reason "
            "(explain), certificate, trace and guess (proofs), rating (of a layout), record (a game), review (of "
            "games), comparison (a report of games), ladder (engines by board).",
        ),
    ],
) -> None:
    """Print the JSON Schema of an input or output format."""
    from importlib.resources import files

    typer.echo(files("satsweep").joinpath("schemas", f"{name}.schema.json").read_text("utf-8"), nl=False)
