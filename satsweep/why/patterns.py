"""Patterns: the rule of a conclusion, by its arithmetic and its places.

Mines that are known by then are subtracted from the numbers, so a pattern is recognised wherever and however it occurs.
Numbers that stand beside each other, or in a line, are cells that touch, on every grid or graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from satsweep.board import MINE, Board, Cell
from satsweep.why.steps import Conclusion


@dataclass(frozen=True, slots=True)
class Pattern:
    """A conclusion and its rule; ``length`` conclusions are taken together.

    Of a pattern in a line, ``line`` holds its cells with what is left of their numbers, and ``settled`` the mine that
    is found on the way.
    """

    rule: str
    conclusion: Conclusion
    length: int = 1
    settled: tuple[Cell, ...] = ()
    line: tuple[tuple[Cell, int], ...] = ()


def pattern_of(board: Board, conclusions: Sequence[Conclusion], at: int, assignment: Mapping[Cell, bool]) -> Pattern:
    """Return the pattern of one conclusion, or of it and the next one together."""
    conclusion = conclusions[at]
    if conclusion.kind == "total":
        return Pattern(_rule_of_total(conclusion), conclusion)
    if conclusion.kind != "pair":
        rules = {"flag": "flag", "number": "single point", "group": "subsets", "case": "supposition"}
        return Pattern(rules[conclusion.kind], conclusion)
    rule = _rule_of_pair(board, conclusion, assignment)
    if rule == "1-2" and at + 1 < len(conclusions):
        later = conclusions[at + 2 :]
        return _in_line(board, conclusion, conclusions[at + 1], later, assignment) or Pattern(rule, conclusion)
    return Pattern(rule, conclusion)


def _rule_of_total(conclusion: Conclusion) -> str:
    if len(conclusion.premises) > 1 or not conclusion.cells:
        return "mine count"
    return "only mines left" if conclusion.mine else "all mines found"


def _rule_of_pair(board: Board, conclusion: Conclusion, assignment: Mapping[Cell, bool]) -> str:
    less, more = conclusion.premises
    (_, less_cells, _, a), (_, more_cells, b, _) = less.remaining(assignment), more.remaining(assignment)
    if less.clue is not None and more.clue is not None and _adjacent(board, less.clue, more.clue):
        if a == b == 1 and more_cells < less_cells:
            return "1-1"
        if (a, b) == (1, 2) and len(more_cells - less_cells) == 1:
            return "1-2"
    return "subset" if more_cells <= less_cells or less_cells <= more_cells else "overlap"


def _in_line(
    board: Board,
    pair: Conclusion,
    single: Conclusion,
    later: Sequence[Conclusion],
    assignment: Mapping[Cell, bool],
) -> Pattern | None:
    """Return a 1-2-1 or 1-2-2-1, if a 1-2 and the next conclusion are one.

    The mine of the 1-2 satisfies a 1 on the other side of the 2, or of a second 2.
    """
    (less, more), settled = pair.premises, pair.cells
    if single.kind != "number" or single.mine or not single.cells or not pair.mine:
        return None
    (last,) = single.premises
    if single.needs - assignment.keys() != {*settled} or any(settled[0] in other.needs for other in later):
        return None
    if last.remaining(assignment).most != 1 or not (less.clue and more.clue and last.clue):
        return None
    down, right = more.clue.row - less.clue.row, more.clue.col - less.clue.col
    line = [Cell(less.clue.row + step * down, less.clue.col + step * right) for step in range(4)]
    line = line[: line.index(last.clue) + 1] if last.clue in line[2:] else []
    if not line or not all(_adjacent(board, one, other) for one, other in pairwise(line)):
        return None
    conclusion = replace(single, premises=(*pair.premises, last), needs=(pair.needs | single.needs) - {*settled})
    if len(line) == 3:
        return Pattern("1-2-1", conclusion, 2, settled, tuple(zip(line, (1, 2, 1), strict=True)))
    number = board.number(line[2])
    around = board.neighbours(line[2])
    if number is None or number - sum(board[cell] == MINE or assignment.get(cell, False) for cell in around) != 2:
        return None
    return Pattern("1-2-2-1", conclusion, 2, settled, tuple(zip(line, (1, 2, 2, 1), strict=True)))


def _adjacent(board: Board, one: Cell, other: Cell) -> bool:
    """Return whether two cells touch and stand side by side, or one above the other."""
    return abs(one.row - other.row) + abs(one.col - other.col) == 1 and other in board.neighbours(one)
