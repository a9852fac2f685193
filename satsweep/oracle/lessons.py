"""Lessons of an audit: missed cells with arguments, rules that claims break."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import dropwhile
from typing import NamedTuple

from satsweep.board import FLAG, MINE, Board, Cell
from satsweep.oracle.report import Audit, Claim, Missed
from satsweep.techniques import TECHNIQUES, Technique
from satsweep.why.explainer import explain_forced
from satsweep.why.sentences import Argument, argument_by, argument_in_words
from satsweep.why.values import Explanation

_MOST_TRIED = 30
"""Most missed cells of a technique whose arguments are compared."""
_DEEDS = {
    Technique.SINGLE: ("reads a single number", "read a single number"),
    Technique.PAIR: ("combines two numbers", "combine two numbers"),
    Technique.SEARCH: ("combines three numbers or more", "combine three numbers or more"),
    Technique.TOTAL: ("counts the mines of the whole board", "count the mines of the whole board"),
}


class MissedCell(NamedTuple):
    """A missed cell with the argument for it."""

    missed: Missed
    argument: Argument

    @property
    def explanation(self) -> Explanation:
        board, cell, mine, _ = self.missed
        return Explanation(board, cell, mine, self.argument.clues, self.argument.total)


class Lesson(NamedTuple):
    """Missed cells of a technique: how many of how many forced ones, and examples."""

    technique: Technique
    missed: int
    forced: int
    examples: tuple[MissedCell, ...]

    def __str__(self) -> str:
        """The lesson in words.

        >>> print(Lesson(Technique.PAIR, 214, 236, ()))
        it hardly ever combines two numbers: 214 of 236 missed
        """
        does, do = _DEEDS[self.technique]
        often = 10 * self.missed >= 9 * self.forced
        if self.missed == self.forced:
            said = f"never {does}"
        else:
            said = f"hardly ever {does}" if often else f"does not always {do}"
        return f"it {said}: {self.missed:,} of {self.forced:,} missed"


def lessons_of(audit: Audit, each: int = 1) -> tuple[Lesson, ...]:
    """Return the missed cells of an audit by technique, the easiest first.

    Each technique has up to ``each`` examples, those with the fewest numbers first.

    >>> from satsweep.oracle.audit import audit
    >>> found = lessons_of(audit("basic", [Board(("###", "11#"), mines=1)]))
    >>> print(found[0], found[0].examples[0].argument.rule, sep="; ")
    it never combines two numbers: 2 of 2 missed; 1-1
    """
    found = []
    for place, technique in enumerate(TECHNIQUES):
        missed = [one for one in audit.missed if one.technique is technique]
        if missed:
            forced = len(missed) + audit.found_by_technique[place]
            found.append(Lesson(technique, len(missed), forced, tuple(_examples(missed, technique, each))))
    return tuple(found)


def _examples(missed: list[Missed], technique: Technique, each: int) -> list[MissedCell]:
    """The examples with the fewest numbers among the first missed cells."""
    if not each:
        return []
    tried = [reasoned(one) for one in missed[: _MOST_TRIED + each]]
    own = [one for one in tried if one.argument.technique is technique] or tried
    different = {one.argument.clues: one for one in reversed(own)}
    return sorted(reversed(different.values()), key=lambda one: len(one.argument.clues))[:each]


def reasoned(missed: Missed) -> MissedCell:
    """Return a missed cell with its easiest argument, or that of fewest numbers."""
    board, cell, mine, technique = missed
    easy = (argument_by(one, board, cell) for one in dropwhile(lambda one: one is not technique, TECHNIQUES))
    argument = next(filter(None, easy), None) or argument_in_words(explain_forced(board, cell, mine=mine))
    return MissedCell(missed, argument)


def broken_rule(board: Board, claim: Claim, marked: Collection[Cell] = ()) -> str:
    """Return the rule of one number that a false claim breaks; else nothing.

    ``marked`` are mines that the agent has claimed, beside its flags.

    >>> print(broken_rule(Board(("1#", "*#")), (Cell(0, 1), True)))
    the 1 at 0,0 is satisfied by 1,0
    >>> print(broken_rule(Board(("2#", "##")), (Cell(0, 1), True), [Cell(1, 0), Cell(1, 1)]))
    the 2 at 0,0 is satisfied by 1,0 and 1,1
    """
    cell, mine = claim
    if not board.is_covered(cell):
        return f"it is open and shows {board.number(cell)}" if mine else "it is a mine that was opened"
    return next(_broken(board, cell, mine, marked), "") if board.clues.is_exact and not board.part else ""


def _broken(board: Board, cell: Cell, mine: bool, marked: Collection[Cell]) -> Iterator[str]:
    for clue in board.neighbours(cell):
        number = board.number(clue)
        if number is None:
            continue
        around = [other for other in board.neighbours(clue) if other != cell]
        mines = [other for other in around if board[other] in (MINE, FLAG) or other in marked]
        open_mines = sum(board[other] == MINE for other in around)
        covered = [other for other in around if board.is_covered(other)]
        if mine and len(mines) >= number:
            by = " and ".join(map(str, mines[:3])) if mines else "none"
            yield f"the {number} at {clue} is satisfied by {by}" if number else f"the number at {clue} is 0"
        if not mine and open_mines + len(covered) < number:
            yield f"the {number} at {clue} needs all of its covered cells"
