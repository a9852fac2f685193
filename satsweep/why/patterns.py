"""Which rule a finding is: its shape on the board, recognised by arithmetic and by where the numbers stand.

Mines that are known by then are taken off the numbers, so a pattern is recognised wherever and however it occurs. That
numbers stand beside each other, or in a line, takes cells that touch, whatever grid or graph that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from satsweep.board import Board, Cell
from satsweep.why.steps import Finding


@dataclass(frozen=True, slots=True)
class Pattern:
    """A finding and the rule it is. ``length`` says how many findings were taken together.

    Of a pattern in a line, ``line`` has its cells with what is left of their numbers, and ``settled`` the mine that is
    found on the way.
    """

    rule: str
    finding: Finding
    length: int = 1
    settled: tuple[Cell, ...] = ()
    line: tuple[tuple[Cell, int], ...] = ()


def pattern_of(board: Board, findings: Sequence[Finding], at: int, known: Mapping[Cell, bool]) -> Pattern:
    """The shape of a finding, given what is known, or of that and the next one together."""
    finding = findings[at]
    if finding.kind == "total":
        return Pattern(_of_total(finding), finding)
    if finding.kind != "pair":
        rules = {"flag": "flag", "number": "single point", "group": "subsets", "case": "supposition"}
        return Pattern(rules[finding.kind], finding)
    rule = _of_pair(board, finding, known)
    if rule == "1-2" and at + 1 < len(findings):
        later = findings[at + 2 :]
        return _in_line(board, finding, findings[at + 1], later, known) or Pattern(rule, finding)
    return Pattern(rule, finding)


def _of_total(finding: Finding) -> str:
    if len(finding.by) > 1 or not finding.cells:
        return "mine count"
    return "only mines left" if finding.mine else "all mines found"


def _of_pair(board: Board, finding: Finding, known: Mapping[Cell, bool]) -> str:
    less, more = finding.by
    (_, its, _, a), (_, their, b, _) = less.left(known), more.left(known)
    if less.clue is not None and more.clue is not None and _adjacent(board, less.clue, more.clue):
        if a == b == 1 and their < its:
            return "1-1"
        if (a, b) == (1, 2) and len(their - its) == 1:
            return "1-2"
    return "subset" if their <= its or its <= their else "overlap"


def _in_line(
    board: Board, pair: Finding, single: Finding, later: Sequence[Finding], known: Mapping[Cell, bool]
) -> Pattern | None:
    """A 1-2-1 or 1-2-2-1: a 1-2, and a 1 on the other side of the 2, or of a second 2, that its mine satisfies."""
    (less, more), settled = pair.by, pair.cells
    if single.kind != "number" or single.mine or not single.cells or not pair.mine:
        return None
    (last,) = single.by
    if single.needs - known.keys() != {*settled} or any(settled[0] in finding.needs for finding in later):
        return None
    if last.left(known).most != 1 or not (less.clue and more.clue and last.clue):
        return None
    down, right = more.clue.row - less.clue.row, more.clue.col - less.clue.col
    line = [Cell(less.clue.row + step * down, less.clue.col + step * right) for step in range(4)]
    line = line[: line.index(last.clue) + 1] if last.clue in line[2:] else []
    if not line or not all(_adjacent(board, one, other) for one, other in pairwise(line)):
        return None
    finding = replace(single, by=(*pair.by, last), needs=(pair.needs | single.needs) - {*settled})
    if len(line) == 3:
        return Pattern("1-2-1", finding, 2, settled, tuple(zip(line, (1, 2, 1), strict=True)))
    number = board.number(line[2])
    around = board.neighbours(line[2])
    if number is None or number - sum(board[cell] == "*" or known.get(cell, False) for cell in around) != 2:
        return None
    return Pattern("1-2-2-1", finding, 2, settled, tuple(zip(line, (1, 2, 2, 1), strict=True)))


def _adjacent(board: Board, one: Cell, other: Cell) -> bool:
    """Whether two cells touch side by side, or one above the other."""
    return abs(one.row - other.row) + abs(one.col - other.col) == 1 and other in board.neighbours(one)
