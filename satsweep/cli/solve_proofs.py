"""Evidence for an answer of ``solve``: reasons, certificates, recounts.

One option of ``solve`` stands behind each: ``--explain``, ``--certify``, ``--drup``, ``--cross-check``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from satsweep.cli.output import BAD_INPUT, MISMATCH, display_name, fail, fail_to_write, write

if TYPE_CHECKING:
    from satsweep.board import Board
    from satsweep.solver.analysis import Analysis
    from satsweep.solver.recount import Check, CrossCheck
    from satsweep.why.values import Explanation


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
    from satsweep.proofs.drup import drup

    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        fail_to_write(directory, error)
    for explanation in explanations:
        cell = explanation.cell
        try:
            formula, proof = drup(explanation)
        except BudgetExceeded as error:
            fail(f"{directory}: no refutation for {cell}: {error}", BAD_INPUT)
        write([formula], directory / f"{cell.row}_{cell.col}.cnf")
        write([proof], directory / f"{cell.row}_{cell.col}.drup")


def recounted(file: str, analysis: Analysis, budget: float | None) -> CrossCheck:
    """Recount of every count by another method; exits if any differs."""
    from satsweep.solver.recount import CountMismatch, cross_check

    try:
        return cross_check(analysis, budget=budget)
    except CountMismatch as error:
        fail(f"{display_name(file)}: the cross-check failed: {error}", MISMATCH)


def recount_values(recount: CrossCheck) -> dict[str, object]:
    """Recount as plain values for JSON."""
    return {
        "complete": recount.complete,
        "components": [_check_values(check) for check in recount.components],
        "board": [_check_values(check) for check in recount.board],
    }


def _check_values(check: Check) -> dict[str, object]:
    from satsweep.render.number_text import digits

    return {
        "cells": check.cells,
        "how": [how.value for how in check.how],
        "ways": None if check.ways is None else digits(check.ways),
    }


def recount_lines(recount: CrossCheck) -> Iterator[str]:
    """Recount as lines of text."""
    for checks, name in ((recount.components, "components"), (recount.board, "board")):
        methods = [" and ".join(how.value for how in check.how) or "not checked" for check in checks]
        counts = ", ".join(f"{methods.count(method):,} {method}" for method in dict.fromkeys(methods))
        yield f"{'cross-check':<16}{name}: {counts or 'nothing to count'}\n"
