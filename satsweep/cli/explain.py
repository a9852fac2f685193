"""Command ``explain``; explanations, conflicts and proofs, also for ``solve``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, INCOMPLETE, NO, exiting_on_interrupt, fail
from satsweep.cli.output import check_outputs, check_readable, display_name, make_directory, width, write

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.analysis.candidates import Candidate, MoveAdvice
    from satsweep.board import Board, Cell
    from satsweep.errors import Contradiction
    from satsweep.why.values import Conflict, Explanation, Undecided

MAX_GUESSES = 10
"""Number of guesses that are ranked."""
MAX_CLUES = 12
"""Number of clues that the error line of an impossible board lists at most."""


class RenderedAnswer(NamedTuple):
    """Output of a command, and the error line and exit code after it, if any."""

    pieces: Iterable[str]
    error: str = ""
    code: int = 0

    def write(self, file: str, output: Path | None) -> None:
        """Write the output, and exit with the error."""
        write(self.pieces, output)
        if self.code:
            fail(f"{display_name(file)}: {self.error}", self.code)


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


# --- what is not known


def total_missing(board: Board) -> Iterator[str]:
    """A line on a board without mine total and density, with the usual total."""
    from satsweep.games.deal import LEVELS
    from satsweep.topology import SQUARE

    if board.mines is None and board.density is None and board.covered:
        sizes = {(rows, cols): f"; --mines {mines} for {level}" for level, (rows, cols, mines) in LEVELS.items()}
        usual = sizes.get((board.rows, board.cols), "") if board.topology == SQUARE else ""
        yield f"no mine total given: every world counts alike{usual or '; --mines N for a total'}\n\n"


def why_no_chance(board: Board, advice: MoveAdvice) -> str | None:
    """Why the chances to win with the guesses are not known; None if they are."""
    from satsweep.board import HIDDEN
    from satsweep.solver import compiled

    if advice.kind != "risk" or not advice.candidates:
        return None
    if not compiled.is_there():
        return "the deep player needs the compiled library, which is not installed"
    if board.mines is None:
        return "the deep player needs a mine total"
    if not board.clues.is_exact or HIDDEN in board.symbols:
        return "the deep player needs exact numbers in all open cells"
    if not compiled.supports(board):
        return "the board is too large for the deep player"
    return "the deep player has no answer here"


# --- impossible boards


def rendered_conflict(
    board: Board, error: Contradiction, format: str, across: int | None, *, trust: bool
) -> RenderedAnswer:
    """A minimal set of numbers that cannot all be true, of an impossible board."""
    from satsweep.render import explanation_svg, explanation_text
    from satsweep.why.explainer import conflict

    found = conflict(board, trust_flags=trust)
    assert found is not None
    if format == "json":
        pieces = explanation_text.to_json(found)
    elif format == "svg":
        pieces = explanation_svg.to_svg(found)
    else:
        pieces = explanation_text.to_text(found, width=across)
    return RenderedAnswer(list(pieces), _conflict_line(found, error), NO)


def _conflict_line(found: Conflict, error: Contradiction) -> str:
    """Clues of a conflict in one line, after the error's own words on the mine total."""
    from satsweep.why.phrases import shown

    named = [f"{shown(found.board, cell)} at {cell}" for cell in found.clues[:MAX_CLUES]]
    more = f" and {len(found.clues) - MAX_CLUES:,} more" if len(found.clues) > MAX_CLUES else ""
    clues = f": {', '.join(named)}{more}" if named else ""
    if found.total:
        return f"{error if error.total else f'the mine total of {found.board.mines} cannot be true'}{clues}"
    return f"{'these numbers cannot all' if len(found.clues) > 1 else 'this number cannot'} be true{clues}"


# --- proofs


def explanations_of(board: Board, analysis: Analysis, *, trust: bool) -> list[Explanation]:
    """Explanation of every forced cell."""
    from satsweep.why.explainer import Explainer

    with Explainer(board, trust_flags=trust, analysis=analysis) as explainer:
        return list(explainer.all())


def certificate_json(board: Board, explanations: list[Explanation]) -> str:
    """Certificate of the forced cells, as JSON for ``satsweep verify``."""
    from satsweep.formats.certificates import to_json
    from satsweep.proofs.certify import certify

    return to_json(certify(board, explanations))


def write_refutations(directory: Path, explanations: list[Explanation]) -> None:
    """Write a formula and a DRUP proof that it has no model for every forced cell."""
    from satsweep.errors import BudgetExceeded
    from satsweep.proofs.certify import drup

    make_directory(directory)
    for explanation in explanations:
        cell = explanation.cell
        try:
            formula, proof = drup(explanation)
        except BudgetExceeded as error:
            fail(f"{directory}: no refutation for {cell}: {error}", BAD_INPUT)
        write([formula], directory / f"{cell.row}_{cell.col}.cnf")
        write([proof], directory / f"{cell.row}_{cell.col}.drup")
