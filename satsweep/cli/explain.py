"""Command ``explain``: why a cell is a mine, or safe, and the best guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.answers import RenderedAnswer, remarked, rendered_conflict
from satsweep.cli.board_answers import ExplainedBoard
from satsweep.cli.exits import INCOMPLETE, exiting_on_interrupt
from satsweep.cli.output import check_outputs, check_readable, width
from satsweep.cli.renderers import format_option, rendered

if TYPE_CHECKING:
    from satsweep.board import Board, Cell


def explain(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A board, as text or JSON; - is standard input.")],
    cell: Annotated[
        str | None,
        typer.Argument(metavar="R,C", callback=options.cell_at, help="A covered cell, row and column counted from 0."),
    ] = None,
    format: Annotated[
        str | None,
        format_option(
            *("explanation", "explanations", "impossible boards"),
            help="Output format; for json see `satsweep schema reason`. Default: text.",
        ),
    ] = None,
    json: options.Json = False,
    output: options.Output = None,
    part: options.Part = None,
    flags: options.Flags = "ignore",
    budget: options.Budget = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions in full.")] = False,
) -> None:
    """Explain in words why a cell is a mine, or safe: the numbers that force it.

    A cell that is not forced is shown in two worlds: a mine in one, safe in the other. Without a cell, every forced
    cell is explained, and the guesses are ranked if no cell is safe.

    Exit codes: 0 explained, 1 no world agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 130 interrupted.
    """
    chosen = options.chosen_format(format, json)
    check_outputs({"--output": output}, {"FILE": file})
    check_readable(file, "a board")
    trust = flags == "trust"
    with exiting_on_interrupt():
        from satsweep.formats import read_board_with_remarks

        with options.reading_part(part):
            board, remarks = read_board_with_remarks(file)
        board = options.as_part(board, part)
        place = _checked_cell(board, options.to_cell(cell), trust=trust)
        answer = _answer(board, remarks, place, trust, budget, chosen, exact, width() if output is None else None)
    answer.write(file, output)


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


def _answer(
    board: Board,
    remarks: Sequence[str],
    cell: Cell | None,
    trust: bool,
    budget: float | None,
    format: str,
    exact: bool,
    across: int | None,
) -> RenderedAnswer:
    """Whole output, rendered before a file is opened, so that interrupts are safe."""
    from satsweep.errors import Contradiction
    from satsweep.why.explainer import Explainer

    try:
        explainer = Explainer(board, trust_flags=trust, budget=budget)
    except Contradiction as error:
        return rendered_conflict(board, error, format, across, remarks, trust=trust)
    with explainer:
        analysis = explainer.analysis
        if cell is not None:
            why = explainer.of(cell)
            pieces = rendered("explanation", format, why, exact=exact, width=across, remarks=remarks)
            complete = cell not in analysis.unknown
        else:
            explained = ExplainedBoard(analysis, list(explainer.all()))
            pieces = rendered("explanations", format, explained, exact=exact, width=across, remarks=remarks)
            complete = analysis.complete
        answer = list(remarked(pieces, format, remarks))
    if complete:
        return RenderedAnswer(answer)
    return RenderedAnswer(answer, "the budget was exhausted: not every risk is known", INCOMPLETE)
