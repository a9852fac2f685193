"""What ``solve`` and ``explain`` share: reasons, certificates, a second count, and why a board cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from satsweep.cli.output import BAD_INPUT, CONTRADICTION, MISMATCH, fail, named, write

if TYPE_CHECKING:
    from satsweep.board import Board, Cell
    from satsweep.errors import Contradiction
    from satsweep.solver.analysis import Analysis
    from satsweep.solver.recount import Check, CrossCheck
    from satsweep.why.values import Conflict, Explanation

MOST_NAMED = 12
"""So many numbers are named in a line."""


def reasons_of(board: Board, analysis: Analysis, *, trust: bool) -> list[Explanation]:
    """The reason of every forced cell."""
    from satsweep.why.explainer import Explainer

    with Explainer(board, trust_flags=trust, analysis=analysis) as reasons:
        return list(reasons.all())


def certificate(board: Board, reasons: list[Explanation]) -> str:
    """What `satsweep verify` checks, as JSON."""
    from satsweep.formats.certificates import to_json
    from satsweep.proofs.certify import certify

    return to_json(certify(board, reasons))


def write_refutations(directory: Path, reasons: list[Explanation]) -> None:
    """Two files for every forced cell, for checkers of other people: a formula, and a proof that it has no model."""
    from satsweep.errors import BudgetExceeded
    from satsweep.proofs.drup import drup

    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        fail(f"{directory}: cannot write: {error.strerror or error}", BAD_INPUT)
    for reason in reasons:
        try:
            formula, proof = drup(reason)
        except BudgetExceeded as error:
            fail(f"{directory}: no refutation for {reason.cell}: {error}", BAD_INPUT)
        name = f"{reason.cell.row}_{reason.cell.col}"
        write([formula], directory / f"{name}.cnf")
        write([proof], directory / f"{name}.drup")


def counted_again(file: str, analysis: Analysis, budget: float | None) -> CrossCheck:
    """Every count once more in another way; if any differs, the end of the command."""
    from satsweep.solver.recount import CountMismatch, cross_check

    try:
        return cross_check(analysis, budget=budget)
    except CountMismatch as error:
        fail(f"{named(file)}: the cross-check failed: {error}", MISMATCH)


def cross_check_values(checked: CrossCheck) -> dict[str, object]:
    """What was counted again, as plain values."""
    return {
        "complete": checked.complete,
        "components": [_check_values(check) for check in checked.components],
        "board": [_check_values(check) for check in checked.board],
    }


def _check_values(check: Check) -> dict[str, object]:
    from satsweep.render.number_text import digits

    return {"cells": check.cells, "how": check.how.value, "ways": None if check.ways is None else digits(check.ways)}


def cross_check_lines(checked: CrossCheck) -> Iterator[str]:
    """The same in words."""
    for checks, of_each in ((checked.components, "component"), (checked.board, "board")):
        ways = [check.how.value for check in checks]
        said = ", ".join(f"{ways.count(how):,} {how}" for how in dict.fromkeys(ways)) or "nothing to count"
        yield f"{'cross-check':<16}{of_each}{'s' if of_each == 'component' else ''}: {said}\n"


class Impossible(NamedTuple):
    """What is printed where no layout agrees with the board, and the line that the command ends with."""

    pieces: list[str]
    line: str


def impossible(board: Board, error: Contradiction, format: str, across: int | None, *, trust: bool) -> Impossible:
    """Draw which numbers cannot all be true."""
    from satsweep.render import explanation_svg as pictures, explanation_text as reasons
    from satsweep.why.conflicts import conflict

    found = conflict(board, trust_flags=trust)
    assert found is not None
    if format == "json":
        pieces = reasons.to_json(found)
    elif format == "svg":
        pieces = pictures.to_svg(found)
    else:
        pieces = reasons.to_text(found, width=across)
    return Impossible(list(pieces), _cannot_be(found, error))


def end(file: str, found: Impossible, output: Path | None) -> NoReturn:
    """Print that no layout agrees with the board, and end with one line that names the numbers."""
    write(found.pieces, output)
    fail(f"{named(file)}: {found.line}", CONTRADICTION)


def _cannot_be(found: Conflict, error: Contradiction) -> str:
    """What cannot all be true, in one line; what the error says about the mine total is kept."""
    shown = [f"{_shown(found.board, cell)} at {cell}" for cell in found.clues[:MOST_NAMED]]
    more = f" and {len(found.clues) - MOST_NAMED:,} more" if len(found.clues) > MOST_NAMED else ""
    clues = f": {', '.join(shown)}{more}" if shown else ""
    if found.total:
        return f"{error if error.total else f'the mine total of {found.board.mines} cannot be true'}{clues}"
    return f"{'these numbers cannot all' if len(found.clues) > 1 else 'this number cannot'} be true{clues}"


def _shown(board: Board, cell: Cell) -> str:
    number = board.number(cell)
    return "flag" if number is None else str(number)
