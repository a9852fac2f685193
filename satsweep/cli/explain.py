"""Command ``explain``: why a cell is a mine, or safe, and the best guesses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.answers import MAX_GUESSES, RenderedAnswer, rendered_conflict, total_missing
from satsweep.cli.exits import INCOMPLETE, exiting_on_interrupt
from satsweep.cli.output import check_outputs, check_readable, width

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.analysis.candidates import Candidate
    from satsweep.board import Board, Cell
    from satsweep.why.values import Explanation, Undecided


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
    check_readable(file, "a board")
    trust = flags == "trust"
    with exiting_on_interrupt():
        from satsweep.board import Board

        board = Board.load(file)
        place = _checked_cell(board, options.to_cell(cell), trust=trust)
        rendered = _rendered(board, place, trust, budget, chosen, exact, width() if output is None else None)
    rendered.write(file, output)


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
    raise options.wrong("R,C", f"expected a covered cell, {found}")


def _rendered(
    board: Board, cell: Cell | None, trust: bool, budget: float | None, format: str, exact: bool, across: int | None
) -> RenderedAnswer:
    """Whole output, rendered before a file is opened, so that interrupts are safe."""
    from satsweep.errors import Contradiction
    from satsweep.why.explainer import Explainer

    try:
        explainer = Explainer(board, trust_flags=trust, budget=budget)
    except Contradiction as error:
        return rendered_conflict(board, error, format, across, trust=trust)
    with explainer:
        analysis = explainer.analysis
        if cell is not None:
            pieces = list(_rendered_cell(board, explainer.of(cell), format, exact, across))
            complete = cell not in analysis.unknown
        else:
            ranked = analysis.advice.guesses[:MAX_GUESSES]
            pieces = list(_rendered_board(analysis, list(explainer.all()), ranked, format, exact, across))
            complete = analysis.complete
    if complete:
        return RenderedAnswer(pieces)
    return RenderedAnswer(pieces, "the budget was exhausted: not every risk is known", INCOMPLETE)


def _rendered_cell(
    board: Board, answer: Explanation | Undecided, format: str, exact: bool, across: int | None
) -> Iterator[str]:
    from satsweep.render import explanation_svg, explanation_text
    from satsweep.why.values import Undecided

    if format == "json":
        yield from explanation_text.to_json(answer)
    elif format == "svg":
        yield from explanation_svg.to_svg(answer, exact=exact)
    else:
        if isinstance(answer, Undecided):
            yield from total_missing(board)
        yield from explanation_text.to_text(answer, exact=exact, width=across)


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
            yield from total_missing(analysis.board)
            yield "no cell is known to be safe; the best guesses:\n\n"
            yield from explanation_text.ranking_table(ranked, exact=exact)
        elif not forced:
            yield "no covered cell is left\n" if analysis.complete else "nothing is forced\n"
