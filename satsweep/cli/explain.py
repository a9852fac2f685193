"""Why: what forces a cell, or two worlds if nothing does; and where nothing is safe, the best guesses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from satsweep.cli import evidence, options
from satsweep.cli.interrupt import ending_at_interrupt
from satsweep.cli.output import INCOMPLETE, check_writable, fail, named, width, write
from satsweep.cli.solve import board_in

if TYPE_CHECKING:
    from satsweep.board import Board, Cell
    from satsweep.solver.analysis import Analysis
    from satsweep.why.guesses import RankedGuess
    from satsweep.why.values import Explanation, Undecided

GUESSES = 10
"""So many guesses are ranked."""


def explain(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A board, as text or JSON; - is standard input.")],
    cell: Annotated[
        str | None,
        typer.Argument(metavar="R,C", callback=options.cell_at, help="A covered cell, row and column counted from 0."),
    ] = None,
    format: Annotated[
        Literal["text", "json", "svg"], typer.Option(help="What to print; for json see `satsweep schema reason`.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
    flags: options.Flags = "ignore",
    budget: options.Seconds = None,
    exact: Annotated[bool, typer.Option("--exact", help="Fractions in full.")] = False,
) -> None:
    """Say why a cell is a mine, or safe: the numbers that force it, in words.

    For a cell that is not forced, two worlds: one in which it is a mine, one in which it is safe. Without a cell, the
    reason of every forced cell, and if none is safe, the guesses, ranked.

    Exit codes: 0 explained, 1 no layout agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 130 interrupted.
    """
    check_writable(output)
    trust = flags == "trust"
    with ending_at_interrupt():
        board = board_in(file)
        place = _covered(board, options.to_cell(cell), trust=trust)
        across = width() if output is None else None
        found = _explained(board, place, trust, budget, format, exact, across)
    if isinstance(found, evidence.Impossible):
        evidence.end(file, found, output)
    write(found.pieces, output)
    if not found.complete:
        fail(f"{named(file)}: the budget was exhausted: not every risk is known", INCOMPLETE)


class Explained(NamedTuple):
    """What is printed, and whether every risk that was asked for is known."""

    pieces: list[str]
    complete: bool


def _covered(board: Board, cell: Cell | None, *, trust: bool) -> Cell | None:
    """The cell, if there can be a question about it."""
    if cell is None:
        return None
    if cell.row >= board.rows or cell.col >= board.cols:
        found = f"found {cell} on a board of {board.rows}x{board.cols}"
    elif board[cell] == "F" and trust:
        found = f"found a flag at {cell}, which is trusted"
    elif not board.is_covered(cell):
        number = board.number(cell)
        found = f"found {board[cell] if number is None else number} at {cell}"
    else:
        return cell
    raise typer.BadParameter(f"expected a covered cell, {found}", param_hint="'R,C'")


def _explained(
    board: Board, cell: Cell | None, trust: bool, budget: float | None, format: str, exact: bool, across: int | None
) -> Explained | evidence.Impossible:
    """What is to be printed: all of it, so that nothing is left to do when it is written."""
    from satsweep.errors import Contradiction
    from satsweep.why.explainer import Explainer
    from satsweep.why.guesses import ranked_guesses

    try:
        reasons = Explainer(board, trust_flags=trust, budget=budget)
    except Contradiction as error:
        return evidence.impossible(board, error, format, across, trust=trust)
    with reasons:
        analysis = reasons.analysis
        if cell is not None:
            pieces = list(_one(reasons.of(cell), format, exact, across))
            return Explained(pieces, complete=cell not in analysis.unknown)
        ranked = ranked_guesses(analysis, GUESSES)
        pieces = list(_all(analysis, list(reasons.all()), ranked, format, exact, across))
        return Explained(pieces, complete=analysis.complete)


def _one(why: Explanation | Undecided, format: str, exact: bool, across: int | None) -> Iterator[str]:
    from satsweep.render import explanation_svg as pictures, explanation_text as reasons

    if format == "json":
        return reasons.to_json(why)
    if format == "svg":
        return pictures.to_svg(why, exact=exact)
    return reasons.to_text(why, exact=exact, width=across)


def _all(
    analysis: Analysis,
    forced: list[Explanation],
    ranked: tuple[RankedGuess, ...],
    format: str,
    exact: bool,
    across: int | None,
) -> Iterator[str]:
    from satsweep.render import explanation_svg as pictures, explanation_text as reasons

    if format == "json":
        yield from reasons.forced_to_json(forced, ranked)
    elif format == "svg" and ranked:
        yield from pictures.ranking_to_svg(analysis, ranked, exact=exact)
    elif format == "svg":
        yield from pictures.forced_to_svg(analysis, forced)
    else:
        yield from reasons.explanation_paragraphs(forced, across)
        if ranked:
            yield "\n" if forced else ""
            yield "no cell is known to be safe; the best guesses:\n\n"
            yield from reasons.ranking_table(ranked, exact=exact)
        elif not forced:
            yield "no covered cell is left\n" if analysis.complete else "nothing is forced\n"
