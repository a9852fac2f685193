"""Output of ``solve`` and ``explain`` for a board that no layout agrees with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from satsweep.cli.output import CONTRADICTION, display_name, fail, write

if TYPE_CHECKING:
    from satsweep.board import Board, Cell
    from satsweep.errors import Contradiction
    from satsweep.why.values import Conflict

MAX_CLUES = 12
"""Number of clues that the error line lists at most."""


class ContradictionReport(NamedTuple):
    """Rendered conflict of an impossible board, and the error line of the command."""

    pieces: list[str]
    line: str


def contradiction_report(
    board: Board, error: Contradiction, format: str, across: int | None, *, trust: bool
) -> ContradictionReport:
    """Render a minimal set of numbers that cannot all be true."""
    from satsweep.render import explanation_svg, explanation_text
    from satsweep.why.conflicts import conflict

    found = conflict(board, trust_flags=trust)
    assert found is not None
    if format == "json":
        pieces = explanation_text.to_json(found)
    elif format == "svg":
        pieces = explanation_svg.to_svg(found)
    else:
        pieces = explanation_text.to_text(found, width=across)
    return ContradictionReport(list(pieces), _error_line(found, error))


def fail_with_report(file: str, report: ContradictionReport, output: Path | None) -> NoReturn:
    """Write the conflict and exit with the error line."""
    write(report.pieces, output)
    fail(f"{display_name(file)}: {report.line}", CONTRADICTION)


def _error_line(found: Conflict, error: Contradiction) -> str:
    """Clues of a conflict in one line, after the error's own words on the mine total."""
    shown = [f"{_clue_name(found.board, cell)} at {cell}" for cell in found.clues[:MAX_CLUES]]
    more = f" and {len(found.clues) - MAX_CLUES:,} more" if len(found.clues) > MAX_CLUES else ""
    clues = f": {', '.join(shown)}{more}" if shown else ""
    if found.total:
        return f"{error if error.total else f'the mine total of {found.board.mines} cannot be true'}{clues}"
    return f"{'these numbers cannot all' if len(found.clues) > 1 else 'this number cannot'} be true{clues}"


def _clue_name(board: Board, cell: Cell) -> str:
    number = board.number(cell)
    return "flag" if number is None else str(number)
