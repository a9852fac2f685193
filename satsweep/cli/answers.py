"""Answers of ``solve`` and ``explain``: output, exit code, conflicts, proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satsweep.cli.exits import BAD_INPUT, NO, fail, note
from satsweep.cli.output import display_name, make_directory, write
from satsweep.cli.renderers import rendered

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.analysis.candidates import MoveAdvice
    from satsweep.board import Board
    from satsweep.errors import Contradiction
    from satsweep.why.values import Conflict, Explanation

MAX_CLUES = 12
"""Number of clues that the error line of an impossible board lists at most."""


class RenderedAnswer(NamedTuple):
    """Output of a command, and the error line and exit code after it, if any."""

    pieces: Iterable[str | bytes]
    error: str = ""
    code: int = 0

    def write(self, file: str, output: Path | None) -> None:
        """Write the output, and exit with the error."""
        write(self.pieces, output)
        if self.code:
            fail(f"{display_name(file)}: {self.error}", self.code)


def remarked(pieces: Iterable[str | bytes], format: str, remarks: Sequence[str]) -> Iterable[str | bytes]:
    """Output after remarks on how its board was read.

    JSON has them inside, and of a picture they are notes.
    """
    if format in ("svg", "png"):
        for remark in remarks:
            note(remark)
    lines = [*(f"{remark}\n" for remark in remarks), "\n"] if remarks and format == "text" else []
    return chain(lines, pieces)


def why_no_chance(board: Board, advice: MoveAdvice) -> str | None:
    """Why the chances to win with the guesses are not known; None if they are."""
    from satsweep.board import HIDDEN
    from satsweep.solver import compiled

    if advice.kind != "risk" or not advice.candidates:
        return None
    if not compiled.is_there():
        return "the deep player needs the compiled library, which is not installed"
    if board.part:
        return "the deep player needs a whole board"
    if board.mines is None:
        return "the deep player needs a mine total"
    if not board.clues.is_exact or HIDDEN in board.symbols:
        return "the deep player needs exact numbers in all open cells"
    if not compiled.supports(board):
        return "the board is too large for the deep player"
    return "the deep player has no answer here"


# --- impossible boards


def rendered_conflict(
    board: Board, error: Contradiction, format: str, across: int | None, remarks: Sequence[str], *, trust: bool
) -> RenderedAnswer:
    """A minimal set of numbers that cannot all be true, of an impossible board."""
    from satsweep.render.board_text import nothing_covered
    from satsweep.why.explainer import conflict

    found = conflict(board, trust_flags=trust)
    assert found is not None
    sentence = nothing_covered(board)
    remarks = [*remarks, *filter(None, [sentence])]
    pieces = rendered("impossible boards", format, found, width=across, remarks=remarks)
    line = _conflict_line(found, error)
    return RenderedAnswer(list(remarked(pieces, format, remarks)), f"{sentence}; {line}" if sentence else line, NO)


def _conflict_line(found: Conflict, error: Contradiction) -> str:
    """Clues of a conflict in one line, after the error's own words on the mine total."""
    from satsweep.why.phrases import shown

    named = [f"{shown(found.board, cell)} at {cell}" for cell in found.clues[:MAX_CLUES]]
    more = f" and {len(found.clues) - MAX_CLUES:,} more" if len(found.clues) > MAX_CLUES else ""
    clues = f": {', '.join(named)}{more}" if named else ""
    asked = f"; is this a part of a larger board (--part {found.as_part})?" if found.as_part else ""
    if found.total:
        return f"{error if error.total else f'the mine total of {found.board.mines} cannot be true'}{clues}{asked}"
    return f"{'these numbers cannot all' if len(found.clues) > 1 else 'this number cannot'} be true{clues}{asked}"


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
