"""Command ``explain``: forced cells, undecided cells, ranked guesses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from satsweep.cli import contradiction, options
from satsweep.cli.interrupt import exiting_on_interrupt
from satsweep.cli.output import INCOMPLETE, check_outputs, display_name, fail, width, write
from satsweep.cli.solve import read_board_or_exit

if TYPE_CHECKING:
    from satsweep.board import Board, Cell
    from satsweep.solver.advice import Candidate
    from satsweep.solver.analysis import Analysis
    from satsweep.why.values import Explanation, Undecided

MAX_GUESSES = 10
"""Number of guesses that are ranked."""


def explain(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A board, as text or JSON; - is standard input.")],
    cell: Annotated[
        str | None,
        typer.Argument(metavar="R,C", callback=options.cell_at, help="A covered cell, row and column counted from 0."),
    ] = None,
    format: Annotated[
        Literal["text", "json", "svg"] | None,
        typer.Option(help="Output format; for json see `satsweep schema reason`. Default: text."),
    ] = None,
    json: options.Json = False,
    output: options.Output = None,
    flags: options.Flags = "ignore",
    budget: options.Budget = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions in full.")] = False,
) -> None:
    """Explain in words why a cell is a mine, or safe: the numbers that force it.

    A cell that is not forced is shown in two worlds: a mine in one, safe in the other. Without a cell, every forced
    cell is explained, and the guesses are ranked if no cell is safe.

    Exit codes: 0 explained, 1 no layout agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 130 interrupted.
    """
    chosen = options.chosen_format(format, json)
    check_outputs({"--output": output}, {"FILE": file})
    trust = flags == "trust"
    with exiting_on_interrupt():
        board = read_board_or_exit(file)
        place = _checked_cell(board, options.to_cell(cell), trust=trust)
        across = width() if output is None else None
        rendered = _rendered(board, place, trust, budget, chosen, exact, across)
    if isinstance(rendered, contradiction.ContradictionReport):
        contradiction.fail_with_report(file, rendered, output)
    write(rendered.pieces, output)
    if not rendered.complete:
        fail(f"{display_name(file)}: the budget was exhausted: not every risk is known", INCOMPLETE)


class RenderedExplanation(NamedTuple):
    """Pieces of the output; ``complete`` if every risk in them is known."""

    pieces: list[str]
    complete: bool


def _checked_cell(board: Board, cell: Cell | None, *, trust: bool) -> Cell | None:
    """Return the cell unchanged if it is covered. Raises BadParameter otherwise."""
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


def _rendered(
    board: Board, cell: Cell | None, trust: bool, budget: float | None, format: str, exact: bool, across: int | None
) -> RenderedExplanation | contradiction.ContradictionReport:
    """Whole output, rendered before a file is opened, so that interrupts are safe."""
    from satsweep.errors import Contradiction
    from satsweep.why.explainer import Explainer

    try:
        explainer = Explainer(board, trust_flags=trust, budget=budget)
    except Contradiction as error:
        return contradiction.contradiction_report(board, error, format, across, trust=trust)
    with explainer:
        analysis = explainer.analysis
        if cell is not None:
            pieces = list(_rendered_cell(explainer.of(cell), format, exact, across))
            return RenderedExplanation(pieces, complete=cell not in analysis.unknown)
        ranked = analysis.advice.guesses[:MAX_GUESSES]
        pieces = list(_rendered_board(analysis, list(explainer.all()), ranked, format, exact, across))
        return RenderedExplanation(pieces, complete=analysis.complete)


def _rendered_cell(answer: Explanation | Undecided, format: str, exact: bool, across: int | None) -> Iterator[str]:
    from satsweep.render import explanation_svg, explanation_text

    if format == "json":
        return explanation_text.to_json(answer)
    if format == "svg":
        return explanation_svg.to_svg(answer, exact=exact)
    return explanation_text.to_text(answer, exact=exact, width=across)


def _rendered_board(
    analysis: Analysis,
    forced: list[Explanation],
    ranked: tuple[tuple[Candidate, ...], ...],
    format: str,
    exact: bool,
    across: int | None,
) -> Iterator[str]:
    from satsweep.render import explanation_svg, explanation_text

    if format == "json":
        yield from explanation_text.forced_to_json(forced, ranked)
    elif format == "svg" and ranked:
        yield from explanation_svg.ranking_to_svg(analysis, ranked, exact=exact)
    elif format == "svg":
        yield from explanation_svg.forced_to_svg(analysis, forced)
    else:
        yield from explanation_text.explanation_paragraphs(forced, across)
        if ranked:
            yield "\n" if forced else ""
            yield "no cell is known to be safe; the best guesses:\n\n"
            yield from explanation_text.ranking_table(ranked, exact=exact)
        elif not forced:
            yield "no covered cell is left\n" if analysis.complete else "nothing is forced\n"
