"""Command ``solve``: forced cells and risks, of boards and of named cells.

The format that holds such statements is called rules, and the messages of the command say rules, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.answers import (
    MAX_GUESSES,
    RenderedAnswer,
    certificate_json,
    explanations_of,
    rendered_conflict,
    total_missing,
    why_no_chance,
    write_refutations,
)
from satsweep.cli.exits import INCOMPLETE, MISMATCH, NO, exiting_on_interrupt, fail, note
from satsweep.cli.option_groups import OptionGroup, with_groups
from satsweep.cli.output import check_outputs, check_readable, display_name, in_colour, width, write

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.board import Board
    from satsweep.errors import Contradiction
    from satsweep.formats import StatementSet
    from satsweep.questions.recount import Check, CrossCheck
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
    prior: MinePrior,
    flags: options.Flags = "ignore",
    evidence: Evidence,
) -> None:
    """Find the forced cells of a board, and the risk of every other cell.

    For a board that no layout agrees with, name the numbers that cannot all be true, and numbers that would be possible
    instead. With --deep the guesses are ranked by their chances to win.

    Exit codes: 0 solved, 1 no layout agrees with the board, 2 usage, 3 bad input, 4 the budget was exhausted
    before every risk was known, 5 the cross-check found two counts that differ, 130 interrupted.
    """
    unpictured = "--explain" if evidence.explain else "--stages" if evidence.stages else ""
    options.refuse(
        (None not in (prior.mines, prior.density), "--density", "expected --mines or --density, found both"),
        (format == "svg" and unpictured != "", "--format", f"expected text or json with {unpictured}, found svg"),
    )
    chosen = options.chosen_format(format, json)
    check_outputs({"--output": output, "--certify": evidence.certify, "--drup": evidence.drup}, {"FILE": file})
    check_readable(file, "a board")
    trust = flags == "trust"
    certificate: list[str] = []
    explanations: list[Explanation] = []
    with exiting_on_interrupt():
        from satsweep.analysis.analyse import analyse
        from satsweep.errors import Contradiction
        from satsweep.formats import StatementSet, read_board_or_statements

        content = read_board_or_statements(file)
        if isinstance(content, StatementSet):
            for option in evidence.named.values():
                raise options.wrong(option, f"expected a board with {option}, found rules")
            rendered = _of_statements(file, content, prior, engine, budget, chosen, exact)
        else:
            board = prior.of_board(content)
            try:
                analysis = analyse(board.trusting_flags() if trust else board, engine=engine, budget=budget)
            except Contradiction as error:
                rendered = rendered_conflict(board, error, chosen, width() if output is None else None, trust=trust)
            else:
                if evidence.explain or evidence.certify or evidence.drup:
                    explanations = explanations_of(board, analysis, trust=trust)
                certificate = [certificate_json(board, explanations)] if evidence.certify else []
                recount = _recounted(file, analysis, budget) if evidence.cross_check else None
                if evidence.deep and (reason := why_no_chance(board, analysis.advice)):
                    note(f"{reason}: the chances to win are not known, so the least risk comes first")
                pieces = _rendered(analysis, chosen, exact, evidence, explanations, recount, to_stdout=output is None)
                rendered = RenderedAnswer(pieces, *_what_is_missing(analysis, recount))
    if evidence.certify and certificate:
        write(certificate, evidence.certify)
    if evidence.drup and rendered.code != NO:
        write_refutations(evidence.drup, explanations)
    rendered.write(file, output)


def _what_is_missing(analysis: Analysis, recount: CrossCheck | None) -> tuple[str, int]:
    """Error line and exit code where the budget was exhausted; "" and 0 else."""
    if recount is not None and not recount.complete:
        return "the budget was exhausted: not everything was counted again", INCOMPLETE
    if analysis.complete:
        return "", 0
    cells = f"{len(analysis.unknown):,} of {len(analysis.odds):,} covered cells"
    return f"the budget was exhausted: the risk of {cells} is not known", INCOMPLETE


def _rendered(
    analysis: Analysis,
    format: str,
    exact: bool,
    evidence: Evidence,
    explanations: list[Explanation],
    recount: CrossCheck | None,
    *,
    to_stdout: bool,
) -> Iterator[str]:
    from satsweep.render import RENDERINGS, to_colour, to_text
    from satsweep.render.stage_text import stage_values

    across = width() if to_stdout else None
    if format == "json":
        more: dict[str, object] = {"stages": stage_values(analysis)} if evidence.stages else {}
        if evidence.explain:
            from satsweep.render.explanation_text import explanation_values

            more["reasons"] = [explanation_values(explanation) for explanation in explanations]
        if recount is not None:
            more["cross_check"] = _recount_values(recount)
        if evidence.deep:
            from satsweep.analysis.endgame import best_play
            from satsweep.render.advice_text import best_play_values

            tree = best_play(analysis, analysis.best)
            more["best_play"] = None if tree is None else best_play_values(tree)
        yield from RENDERINGS["json"](analysis, more=more)
    elif format == "svg":
        yield from RENDERINGS["svg"](analysis, exact=exact)
    else:
        yield from total_missing(analysis.board)
        draw = to_colour if to_stdout and sys.stdout is not None and in_colour() else to_text
        yield from draw(analysis, exact=exact, width=across, stages=evidence.stages)
        yield from _win_lines(analysis, exact=exact) if evidence.deep else ()
        yield from _recount_lines(recount) if recount is not None else ()
        if evidence.explain and explanations:
            from satsweep.render.explanation_text import explanation_paragraphs

            yield "\n"
            yield from explanation_paragraphs(explanations, across)


# --- chances to win: exact in endgames, else estimates of the compiled deep player


def _win_lines(analysis: Analysis, *, exact: bool) -> Iterator[str]:
    """Guesses with their chances to win, and the tree of best play, if known."""
    from satsweep.analysis.endgame import best_play
    from satsweep.render.advice_text import best_play_lines
    from satsweep.render.explanation_text import ranking_table

    if ranked := analysis.advice.guesses[:MAX_GUESSES]:
        yield "\n"
        yield from ranking_table(ranked, exact=exact)
        if analysis.advice.kind == "estimate":
            yield "chances to win are estimates of the deep player, which searches ahead and plays on in drawn worlds\n"
    if (tree := best_play(analysis, analysis.best)) is not None:
        yield "\n"
        yield from best_play_lines(tree)


# --- recounts


def _recounted(file: str, analysis: Analysis, budget: float | None) -> CrossCheck:
    """Recount of every count by another method; exits if any differs."""
    from satsweep.questions.recount import CountMismatch, cross_check

    try:
        return cross_check(analysis, budget=budget)
    except CountMismatch as error:
        fail(f"{display_name(file)}: the cross-check failed: {error}", MISMATCH)


def _recount_values(recount: CrossCheck) -> dict[str, object]:
    from satsweep.render.number_text import digits

    def values(check: Check) -> dict[str, object]:
        ways = None if check.ways is None else digits(check.ways)
        return {"cells": check.cells, "how": [how.value for how in check.how], "ways": ways}

    return {
        "complete": recount.complete,
        "components": [values(check) for check in recount.components],
        "board": [values(check) for check in recount.board],
    }


def _recount_lines(recount: CrossCheck) -> Iterator[str]:
    for checks, name in ((recount.components, "components"), (recount.board, "board")):
        methods = [" and ".join(how.value for how in check.how) or "not checked" for check in checks]
        counts = ", ".join(f"{methods.count(method):,} {method}" for method in dict.fromkeys(methods))
        yield f"{'cross-check':<16}{name}: {counts or 'nothing to count'}\n"


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
    from satsweep.render.analysis_text import named_to_json, named_to_text

    if format == "svg":
        raise options.wrong("--format", "expected text or json for rules, which have no grid, found svg")
    try:
        analysis = prior.of_statements(statements).solve(engine=engine, budget=budget)
    except BoardError as error:
        raise options.wrong("--density" if prior.mines is None else "--mines", error.message) from None
    except Contradiction as error:
        fail(f"{display_name(file)}: {_statements_line(error)}", NO)
    pieces = named_to_json(analysis) if format == "json" else named_to_text(analysis, exact=exact)
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
