"""Command ``solve``: forced cells and risks, of boards and of named cells.

The format that holds such statements is called rules, and the messages of the command say rules, too.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.answers import (
    RenderedAnswer,
    certificate_json,
    explanations_of,
    remarked,
    rendered_conflict,
    why_no_chance,
    write_refutations,
)
from satsweep.cli.board_answers import SolvedBoard
from satsweep.cli.exits import INCOMPLETE, MISMATCH, NO, exiting_on_interrupt, fail, note
from satsweep.cli.option_groups import OptionGroup, with_groups
from satsweep.cli.output import check_outputs, check_readable, display_name, in_colour, is_terminal, width, write
from satsweep.cli.renderers import check_format, format_option, rendered

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.board import Board
    from satsweep.errors import Contradiction
    from satsweep.formats import StatementSet
    from satsweep.questions.recount import CrossCheck
    from satsweep.why.values import Explanation


@dataclass(frozen=True)
class MinePrior(OptionGroup):
    """Mine total or density, instead of that in the file."""

    mines: options.MineTotal = None
    density: Annotated[
        str | None,
        typer.Option(metavar="P", help="Mine probability of each covered cell, for example 0.2 or 1/5."),
    ] = None

    def of_board(self, board: Board) -> Board:
        """Board with this prior."""
        if not self.given:
            return board
        with options.naming_options(self.named):
            # The constructor makes a Fraction of the text.
            return replace(board, mines=self.mines, density=self.density)  # type: ignore[arg-type]

    def of_statements(self, statements: StatementSet) -> StatementSet:
        """Statements with this prior."""
        from satsweep.text import to_density

        if not self.given:
            return statements
        prior = None if self.density is None else to_density(self.density)
        return replace(statements, total_mines=self.mines, density=prior)


@dataclass(frozen=True)
class Evidence(OptionGroup):
    """Additions to the answer for a board; there are none for named cells."""

    explain: Annotated[bool, typer.Option("--explain", help="Explain each forced cell.")] = False
    certify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a proof for each forced cell, for `satsweep verify`."),
    ] = None
    drup: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Write the proofs for DRUP checkers: a formula and a refutation each."),
    ] = None
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Add the chances to win: exact near the end, with the tree of best play; else estimates."
        ),
    ] = False
    stages: Annotated[
        bool, typer.Option("--stages", help="Show what each stage has forced, and the components that were counted.")
    ] = False
    cross_check: Annotated[bool, typer.Option("--cross-check", help="Count everything once more by other methods.")] = (
        False
    )


@with_groups
def solve(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-",
            show_default=False,
            help="A board or rules, in any of `satsweep formats`. Default, and -: standard input.",
        ),
    ] = "-",
    engine: options.Engine = "auto",
    budget: options.Budget = None,
    format: Annotated[
        str | None,
        format_option(
            *("analysis", "solved pictures", "rules", "impossible boards"),
            help="Output format; for json see `satsweep schema analysis`; of a picture, svg and png paint over it. "
            "Default: text.",
        ),
    ] = None,
    json: options.Json = False,
    output: options.Output = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions and whole numbers in full.")] = False,
    prior: MinePrior,
    part: options.Part = None,
    flags: options.Flags = "ignore",
    evidence: Evidence,
) -> None:
    """Find the forced cells of a board, and the risk of every other cell.

    For a board that no world agrees with, name the numbers that cannot all be true, and numbers that would be possible
    instead. With --deep the guesses are ranked by their chances to win.

    Exit codes: 0 solved, 1 no world agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 5 the cross-check found two counts that differ, 130 interrupted.
    """
    unpictured = "--explain" if evidence.explain else "--stages" if evidence.stages else ""
    options.refuse(
        (None not in (prior.mines, prior.density), "--density", "expected --mines or --density, found both"),
        (
            format in ("svg", "png") and unpictured != "",
            "--format",
            f"expected text or json with {unpictured}, found {format}",
        ),
        (
            format == "png" and output is None and is_terminal(sys.stdout),
            "--format",
            "expected --output with png on a terminal, found none",
        ),
    )
    chosen = options.chosen_format(format, json)
    check_outputs({"--output": output, "--certify": evidence.certify, "--drup": evidence.drup}, {"FILE": file})
    check_readable(file, "a board")
    trust = flags == "trust"
    across = width() if output is None else None
    certificate: list[str] = []
    explanations: list[Explanation] = []
    with exiting_on_interrupt():
        from satsweep.analysis.analyse import analyse
        from satsweep.errors import Contradiction
        from satsweep.formats import FileContent, StatementSet

        with options.reading_part(part):
            source = FileContent.of(file)
            content, remarks = source.with_remarks()
        content = options.as_part(content, part)
        if isinstance(content, StatementSet):
            for option in (*evidence.named.values(), *(["--flags"] if trust else [])):
                raise options.wrong(option, f"expected a board with {option}, found rules")
            answer = _of_statements(file, content, prior, engine, budget, chosen, exact)
        else:
            board = prior.of_board(content)
            try:
                analysis = analyse(board.trusting_flags() if trust else board, engine=engine, budget=budget)
            except Contradiction as error:
                answer = rendered_conflict(board, error, chosen, across, remarks, trust=trust)
            else:
                if evidence.explain or evidence.certify or evidence.drup:
                    explanations = explanations_of(board, analysis, trust=trust)
                certificate = [certificate_json(board, explanations)] if evidence.certify else []
                recount = _recounted(file, analysis, budget) if evidence.cross_check else None
                if evidence.deep and (reason := why_no_chance(board, analysis.advice)):
                    note(f"{reason}: the chances to win are not known, so the least risk comes first")
                reasons = explanations if evidence.explain else None
                solved = SolvedBoard(analysis, reasons, recount, evidence.stages, evidence.deep, source)
                colour = output is None and sys.stdout is not None and in_colour()
                given = {"exact": exact, "width": across, "colour": colour, "remarks": remarks}
                if source.reading is not None:
                    pieces = rendered("solved pictures", chosen, solved, **given)
                else:
                    pieces = rendered("analysis", chosen, solved, **given)
                answer = RenderedAnswer(remarked(pieces, chosen, remarks), *_what_is_missing(analysis, recount))
    if evidence.certify and certificate:
        write(certificate, evidence.certify)
    if evidence.drup and answer.code != NO:
        write_refutations(evidence.drup, explanations)
    answer.write(file, output)


def _what_is_missing(analysis: Analysis, recount: CrossCheck | None) -> tuple[str, int]:
    """Error line and exit code where the budget was exhausted; "" and 0 else."""
    if recount is not None and not recount.complete:
        return "the budget was exhausted: not everything was counted again", INCOMPLETE
    if analysis.complete:
        return "", 0
    cells = f"{len(analysis.unknown):,} of {len(analysis.odds):,} covered cells"
    return f"the budget was exhausted: the risk of {cells} is not known", INCOMPLETE


# --- recounts


def _recounted(file: str, analysis: Analysis, budget: float | None) -> CrossCheck:
    """Recount of every count by another method; exits if any differs."""
    from satsweep.questions.recount import CountMismatch, cross_check

    try:
        return cross_check(analysis, budget=budget)
    except CountMismatch as error:
        fail(f"{display_name(file)}: the cross-check failed: {error}", MISMATCH)


# --- statements about named cells: the same answer, without a grid


def _of_statements(
    file: str,
    statements: StatementSet,
    prior: MinePrior,
    engine: str,
    budget: float | None,
    format: str,
    exact: bool,
) -> RenderedAnswer:
    """The cells that statements force, and the risk of every other cell."""
    from satsweep.errors import BoardError, Contradiction

    check_format("rules", format)
    try:
        analysis = prior.of_statements(statements).solve(engine=engine, budget=budget)
    except BoardError as error:
        raise options.wrong("--density" if prior.mines is None else "--mines", error.message) from None
    except Contradiction as error:
        fail(f"{display_name(file)}: {_statements_line(error)}", NO)
    pieces = rendered("rules", format, analysis, exact=exact)
    if analysis.complete:
        return RenderedAnswer(pieces)
    unknown = sum(risk is None for risk in analysis.risks.values())
    cells = f"{unknown:,} of {len(analysis.names):,} named cells"
    return RenderedAnswer(pieces, f"the budget was exhausted: the risk of {cells} is not known", INCOMPLETE)


def _statements_line(error: Contradiction) -> str:
    """Statements that cannot all be true, in one line."""
    from satsweep.questions.statements import Statement
    from satsweep.text import printable

    if error.total:
        return str(error)
    statements = (
        f"{clue.mines} among {' '.join(sorted(printable(str(name)) for name in clue.cells)) or 'no cells'}"
        for clue in error.clues
        if isinstance(clue, Statement)
    )
    return f"these rules cannot all be true: {'; '.join(statements)}"
