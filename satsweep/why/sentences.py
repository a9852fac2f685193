"""Why a cell is forced, in sentences that a person can follow.

``steps`` finds the argument, and this tells it: each finding by the first template that has its shape. A template knows
no position by heart, it checks the arithmetic: a 1-2-1 is three numbers in a line with one, two and one mines left of
which the second needs a mine that the first does not touch, wherever on the board that is and whatever else they show.
So a sentence says nothing that does not hold. Numbers beside each other, or in a line, are cells that touch.

==================  ===============================================================================================
single point        one number that has all its mines, or needs all cells it has left
single points       several of these, where an argument would be too long otherwise
1-1                 beside each other, one mine each; all cells of one belong to the other, whose rest is safe
1-2                 beside each other; the 2 has one cell that the 1 does not touch, and a mine there
1-2-1, 1-2-2-1      a 1-2 at one end, which settles what the 1 at the other end touches
subset              all cells of one number belong to another one, and differ by as many cells as mines, or by none
overlap             two numbers that share some cells
subsets             numbers that share no cell and whose cells all belong to another one
all mines found     nothing is left of the mine total
only mines left     as many covered cells as mines
mine count          what some numbers need, or hold at most, against the mine total
chain               several of these, one after the other
supposition, cases  the opposite is supposed, and something cannot be; in cases something more is supposed on the way
clue set            the numbers, where an argument would be too long to be of use
==================  ===============================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from satsweep.board import Board, Cell
from satsweep.why.arguments import TooLong, argument, contradiction
from satsweep.why.patterns import pattern_of
from satsweep.why.phrases import are, capitalised, kind_of, phrase
from satsweep.why.steps import Finding
from satsweep.why.values import Conflict, Correction, Explanation
from satsweep.why.words import clues, place

MOST_SENTENCES = 16
"""Of a longer argument only the result is told."""


@dataclass(frozen=True, slots=True)
class ArgumentStep:
    """One sentence, or two, and what it says: all ``cells`` are mines, or all are safe; without cells: this cannot be.

    It follows from the clues (and the mine total, if ``total``), from what is supposed, and from the steps before it
    that suppose no more.
    """

    said: str
    rule: str
    clues: tuple[Cell, ...]
    total: bool
    supposing: tuple[tuple[Cell, bool], ...]
    cells: tuple[Cell, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class Told:
    """An argument in words: the rule it takes, and its steps."""

    rule: str
    steps: tuple[ArgumentStep, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What each step says."""
        return tuple(step.said for step in self.steps)

    def __str__(self) -> str:
        return " ".join(self.sentences)


def tell(reason: Explanation) -> Told:
    """A reason in words. Raises ValueError if its clues do not force the cell.

    >>> board = Board(("####", "1221"))
    >>> told = tell(Explanation(board, Cell(0, 2), True, (Cell(1, 0), Cell(1, 1))))
    >>> print(told.rule, told.sentences[0], sep=": ")  # doctest: +NORMALIZE_WHITESPACE
    1-2: The 1 at row 1, column 0 needs one mine among row 0, columns 0 and 1. The 2 at row 1, column 1 touches these
    cells too and needs two mines, so its other cell, row 0, column 2, is a mine.
    """
    board, cell, mine = reason.board, reason.cell, reason.mine
    try:
        steps = _told(board, argument(board, reason.clues, reason.total, cell, mine))
    except TooLong:
        steps = ()
    if len(steps) > MOST_SENTENCES:
        steps = tuple(_merged(steps))
    if not steps or len(steps) > MOST_SENTENCES:
        named = capitalised(clues(board, reason.clues, total=reason.total))
        said = f"{named} leave no other possibility: {are([cell], mine)}."
        return Told("clue set", (ArgumentStep(said, "clue set", reason.clues, reason.total, (), (cell,), mine),))
    return Told(_rule(steps), steps)


def tell_conflict(conflict: Conflict) -> Told:
    """Why some clues cannot all be true, in words. Raises ValueError if they can.

    >>> print(tell_conflict(Conflict(Board(("1#", "3#")), (Cell(0, 0), Cell(1, 0)))).sentences[0])
    The 1 at row 0, column 0 and the 3 at row 1, column 0 cannot both be true.
    """
    board = conflict.board
    number = len(conflict.clues) + conflict.total
    all_true = {1: "be true", 2: "both be true"}.get(number, "all be true")
    said = f"{capitalised(clues(board, conflict.clues, total=conflict.total))} cannot {all_true}."
    first = ArgumentStep(said, "conflict", conflict.clues, conflict.total, (), (), False)
    try:
        steps = _told(board, contradiction(board, conflict.clues, conflict.total))
    except TooLong:
        steps = ()
    return Told("conflict", (first, *steps) if len(steps) <= MOST_SENTENCES else (first,))


def tell_correction(board: Board, correction: Correction) -> str:
    """What would have to be there instead.

    >>> tell_correction(Board(("1#", "3#")), Correction(Cell(1, 0), 3, 1))
    'a 1 at row 1, column 0 instead of the 3'
    """
    if correction.cell is None:
        return f"a mine total of {correction.instead} instead of {correction.shown}"
    if correction.instead is None:
        return f"no flag at {place(correction.cell)}"
    article = "an" if correction.instead in (8, 11, 18) else "a"
    return f"{article} {correction.instead} at {place(correction.cell)} instead of the {correction.shown}"


def _rule(steps: Sequence[ArgumentStep]) -> str:
    """The rule of an argument: that of its only step, or what kind of argument it is."""
    rules = [step.rule for step in steps]
    supposed = rules.count("suppose")
    if supposed:
        return "cases" if supposed > 1 else "supposition"
    rules = [rule for rule in rules if rule != "flag"] or rules
    mine_count = rules[-1] in ("all mines found", "only mines left", "mine count")
    return rules[-1] if len(rules) == 1 or mine_count else "chain"


def _told(board: Board, findings: Sequence[Finding]) -> tuple[ArgumentStep, ...]:
    return tuple(_steps(board, findings, {}, ()))


def _merged(steps: Sequence[ArgumentStep]) -> Iterator[ArgumentStep]:
    """Single points that follow each other, as one step for their mines and one for their safe cells."""
    for alike, group in groupby(steps, lambda step: (step.rule == "single point" and step.cells != (), step.supposing)):
        run = list(group)
        if not alike[0] or len(run) < 3:
            yield from run
            continue
        sources = tuple(sorted({clue for step in run for clue in step.clues}))
        for mine in (True, False):
            cells = tuple(sorted(cell for step in run if step.mine is mine for cell in step.cells))
            if cells:
                said = f"One after the other, single numbers say that {are(cells, mine)}."
                yield ArgumentStep(said, "single points", sources, False, run[0].supposing, cells, mine)


def _steps(
    board: Board, findings: Sequence[Finding], known: Mapping[Cell, bool], supposing: tuple[tuple[Cell, bool], ...]
) -> Iterator[ArgumentStep]:
    """Tell one finding after the other, each with what is known by then."""
    known = dict(known)
    at = 0
    while at < len(findings):
        found = pattern_of(board, findings, at, known)
        finding = found.finding
        at += found.length
        sources = tuple(sorted({says.clue for says in finding.sources if says.clue is not None}))
        total = any(says.clue is None for says in finding.sources)
        if finding.kind == "case":
            (cell,) = finding.cells
            deeper = (*supposing, (cell, not finding.mine))
            suppose = "Nothing more follows at once, so suppose besides" if supposing else "Suppose"
            supposed = f"{suppose} that {place(cell)} is {kind_of(not finding.mine)}."
            yield ArgumentStep(supposed, "suppose", (), False, deeper, (cell,), not finding.mine)
            yield from _steps(board, finding.inner, {**known, cell: not finding.mine}, deeper)
        elif finding.kind == "flag":
            sources = finding.cells
        said = phrase(board, found, known, nested=bool(supposing))
        yield ArgumentStep(said, found.rule, sources, total, supposing, finding.cells, finding.mine)
        known.update(dict.fromkeys(finding.cells, finding.mine))
