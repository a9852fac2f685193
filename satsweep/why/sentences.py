"""Arguments and conflicts in sentences that a person can follow.

The conclusions of an argument are found first, then each is put into words by the first template that has its shape.
A template matches no fixed position, it checks the arithmetic: a 1-2-1 is three numbers in a line with one, two and
one mines left, of which the second needs a mine that the first does not touch, in any place on the board and with any
numbers shown. Every sentence is therefore true. Numbers beside each other, or in a line, are cells that touch.

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

An argument is one conclusion after another, and cases where none follows. A *case* supposes that a cell is a mine, or
safe, until a contradiction is found; then the cell is the opposite. The argument supposes the opposite of its goal
first; conclusions found before that need no case. Inside it, the next case is one that ends as soon as possible.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from satsweep.board import FLAG, MINE, Board, Cell
from satsweep.sentence import Sentence, capitalised, joined
from satsweep.techniques import ORDER, Technique
from satsweep.why.phrases import are, clues, kind_of, pattern_of, phrase, place, places
from satsweep.why.steps import TECHNIQUE_OF_KIND, Conclusion, Derivation, clue_bounds, needed_for
from satsweep.why.templates import said
from satsweep.why.values import Conflict, Correction, Explanation

MOST_SUPPOSITIONS = 250
"""Limit on the suppositions that are tried for one argument."""

SHORT_CASE = 3
"""Most conclusions of a case for which no shorter one is searched."""


class ArgumentTooLong(Exception):
    """No argument was found within the limit."""


@dataclass(slots=True)
class SuppositionLimit:
    left: int

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ArgumentTooLong


def derive(board: Board, clues: Collection[Cell], total: bool, cell: Cell, mine: bool) -> tuple[Conclusion, ...]:
    """Conclusions that end with the value of a cell, each needed, or ArgumentTooLong.

    Raises ValueError if the clues do not force that value.
    """
    derivation = _start(board, clues, total)
    contradiction = derivation.run(goal=cell)
    if contradiction is None and cell not in derivation.assignment:
        derivation.add(refute(derivation, SuppositionLimit(MOST_SUPPOSITIONS), cell, not mine))
    if contradiction is not None or derivation.assignment[cell] is not mine:
        raise ValueError(f"expected clues that force {cell} to be {'a mine' if mine else 'safe'}")
    return needed_for({cell}, derivation.conclusions)[0]


def derive_contradiction(board: Board, clues: Collection[Cell], total: bool) -> tuple[Conclusion, ...]:
    """Conclusions that end in a contradiction, or ArgumentTooLong.

    Raises ValueError if the clues can all be true.
    """
    derivation = _start(board, clues, total)
    contradiction = derivation.run() or refute_by_cases(derivation, SuppositionLimit(MOST_SUPPOSITIONS))
    return (*needed_for(contradiction.needs, derivation.conclusions)[0], contradiction)


def _start(board: Board, clues: Collection[Cell], total: bool) -> Derivation:
    derivation = Derivation(clue_bounds(board, sorted(clues), total=total))
    flags = tuple(sorted(cell for cell in clues if board[cell] == FLAG))
    if flags:
        derivation.add(Conclusion("flag", (), flags, True))
    return derivation


def refute(derivation: Derivation, limit: SuppositionLimit, cell: Cell, mine: bool) -> Conclusion:
    """The case that refutes a supposed value, or ArgumentTooLong.

    Raises ValueError if the supposition leads to no contradiction.
    """
    supposed, contradiction = _suppose(derivation, limit, cell, mine)
    return _case(supposed, cell, mine, contradiction or refute_by_cases(supposed, limit))


def refute_by_cases(derivation: Derivation, limit: SuppositionLimit) -> Conclusion:
    while True:
        derivation.add(_shortest_case(derivation, limit))
        contradiction = derivation.run()
        if contradiction is not None:
            return contradiction


def _suppose(
    derivation: Derivation, limit: SuppositionLimit, cell: Cell, mine: bool
) -> tuple[Derivation, Conclusion | None]:
    limit.spend()
    supposed = Derivation(derivation.bounds, {**derivation.assignment, cell: mine})
    return supposed, supposed.run()


def _case(supposed: Derivation, cell: Cell, mine: bool, contradiction: Conclusion) -> Conclusion:
    refutation, needs = needed_for(contradiction.needs, supposed.conclusions)
    return Conclusion("case", (), (cell,), not mine, needs - {cell}, (*refutation, contradiction))


def _shortest_case(derivation: Derivation, limit: SuppositionLimit) -> Conclusion:
    """A shortest case; if all need further cases, one whose cell decides most."""
    remaining = [bounds.remaining(derivation.assignment) for bounds in derivation.bounds if bounds.clue is not None]
    numbers = [number for number in remaining if number.excludes_something]
    representatives: dict[tuple[bool, ...], Cell] = {}
    for cell in sorted(set().union(*(number.cells for number in numbers))):
        # Cells that the same numbers touch are interchangeable, so one of them stands for all.
        representatives.setdefault(tuple(cell in number.cells for number in numbers), cell)
    if not representatives:
        raise ValueError("expected clues that leave no other possibility")
    shortest: Conclusion | None = None
    decided: list[tuple[int, Cell, bool]] = []
    for cell in representatives.values():
        for mine in (True, False):
            supposed, contradiction = _suppose(derivation, limit, cell, mine)
            if contradiction is None:
                decided.append((len(supposed.assignment), cell, mine))
                continue
            case = _case(supposed, cell, mine, contradiction)
            if case.size <= SHORT_CASE:
                return case
            if shortest is None or case.size < shortest.size:
                shortest = case
    if shortest is not None:
        return shortest
    _, cell, mine = max(decided, key=lambda one: (one[0], [-at for at in one[1]], one[2]))
    return refute(derivation, limit, cell, mine)


MOST_SENTENCES = 16
"""Most steps of an argument; of a longer one only the result is stated."""


@dataclass(frozen=True, slots=True)
class ArgumentStep:
    """One step in words: all ``cells`` are mines, or all are safe.

    Without cells it is a contradiction. It follows from the clues (and the mine total, if ``total``), from the
    suppositions ``supposing``, and from the earlier steps that suppose no more. ``text`` is one sentence, or two.
    ``technique`` is what the step alone takes.
    """

    text: Sentence
    rule: str
    clues: tuple[Cell, ...]
    total: bool
    supposing: tuple[tuple[Cell, bool], ...]
    cells: tuple[Cell, ...]
    mine: bool
    technique: Technique


@dataclass(frozen=True, slots=True)
class Argument:
    rule: str
    steps: tuple[ArgumentStep, ...]

    @property
    def technique(self) -> Technique:
        """The hardest technique of the steps."""
        return max((step.technique for step in self.steps), key=ORDER.__getitem__)

    @property
    def clues(self) -> tuple[Cell, ...]:
        """All clues of the steps, in row-major order."""
        return tuple(sorted({clue for step in self.steps for clue in step.clues}))

    @property
    def total(self) -> bool:
        """True if a step takes the mine total."""
        return any(step.total for step in self.steps)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(step.text for step in self.steps)

    @property
    def text(self) -> Sentence:
        """All sentences, one after the other."""
        return joined(self.sentences)

    def __str__(self) -> str:
        return str(self.text)


def argument_in_words(explanation: Explanation) -> Argument:
    """The argument of an explanation. Raises ValueError if its clues do not suffice.

    >>> board = Board(("####", "1221"))
    >>> argument = argument_in_words(Explanation(board, Cell(0, 2), True, (Cell(1, 0), Cell(1, 1))))
    >>> print(argument.rule, argument.sentences[0], sep=": ")  # doctest: +NORMALIZE_WHITESPACE
    1-2: The 1 at row 1, column 0 needs one mine among row 0, columns 0 and 1. The 2 at row 1, column 1 touches these
    cells too and needs two mines, so its other cell, row 0, column 2, is a mine.
    """
    board, cell, mine, total = explanation.board, explanation.cell, explanation.mine, explanation.total
    try:
        argument = _argument(board, derive(board, explanation.clues, total, cell, mine))
    except ArgumentTooLong:
        argument = None
    if argument is not None:
        return argument
    named = capitalised(clues(board, explanation.clues, total=total))
    text = said("clue set", clues=named, result=are([cell], mine))
    technique = Technique.TOTAL if total else Technique.SEARCH
    step = ArgumentStep(text, "clue set", explanation.clues, total, (), (cell,), mine, technique)
    return Argument("clue set", _with_unseen(board, (step,)))


def _argument(board: Board, conclusions: Sequence[Conclusion]) -> Argument | None:
    """The conclusions in words; None if they are too many."""
    steps = tuple(_steps(board, conclusions, {}, ()))
    if len(steps) > MOST_SENTENCES:
        steps = tuple(_merged(steps))
    if not steps or len(steps) > MOST_SENTENCES:
        return None
    return Argument(_rule(steps), _with_unseen(board, steps))


def argument_by(technique: Technique, board: Board, cell: Cell) -> Argument | None:
    """The argument about a forced cell by a technique, and easier ones.

    None if they do not settle the cell within ``MOST_SENTENCES``. Other techniques than single numbers and pairs have
    none.

    >>> board = Board(("####", "111#"))
    >>> print(argument_by(Technique.SINGLE, board, Cell(0, 2)), argument_by(Technique.PAIR, board, Cell(0, 2)).rule)
    None 1-1
    """
    if technique not in (Technique.SINGLE, Technique.PAIR):
        return None
    for numbers in _numbers_near(board, cell):
        derivation = Derivation(clue_bounds(board, sorted(numbers)))
        derivation.run(cell, technique)
        if cell in derivation.assignment:
            return _argument(board, needed_for({cell}, derivation.conclusions)[0])
    return None


def _numbers_near(board: Board, cell: Cell) -> Iterator[set[Cell]]:
    """Numbers within 2, 4, 8... steps of a cell."""
    near, edge, steps = {cell}, {cell}, 0
    while edge:
        edge = {other for reached in edge for other in board.neighbours(reached)} - near
        near |= edge
        steps += 1
        if steps > 1 and not steps & (steps - 1) or not edge:
            yield {other for other in near if board.number(other) is not None}


def conflict_in_words(conflict: Conflict) -> Argument:
    """The argument that some clues cannot all be true. Raises ValueError if they can.

    >>> print(conflict_in_words(Conflict(Board(("1#", "3#")), (Cell(0, 0), Cell(1, 0)))).sentences[0])
    The 1 at row 0, column 0 and the 3 at row 1, column 0 cannot both be true.
    """
    board = conflict.board
    number = len(conflict.clues) + conflict.total
    all_true = {1: "be true", 2: "both be true"}.get(number, "all be true")
    text = said("conflict", clues=capitalised(clues(board, conflict.clues, total=conflict.total)), be=all_true)
    technique = Technique.TOTAL if conflict.total else Technique.SEARCH
    first = ArgumentStep(text, "conflict", conflict.clues, conflict.total, (), (), False, technique)
    try:
        steps = tuple(_steps(board, derive_contradiction(board, conflict.clues, conflict.total), {}, ()))
    except ArgumentTooLong:
        steps = ()
    steps = (first, *steps) if len(steps) <= MOST_SENTENCES else (first,)
    return Argument("conflict", _with_unseen(board, steps))


def _with_unseen(board: Board, steps: tuple[ArgumentStep, ...]) -> tuple[ArgumentStep, ...]:
    """The steps, the first of which names the unseen cells that their clues touch."""
    unseen = {*board.unseen}.intersection(
        near for step in steps for clue in step.clues for near in board.neighbours(clue)
    )
    if not unseen:
        return steps
    text = Sentence("The larger board has cells around this part, at ", places(unseen), ". ", steps[0].text)
    return (replace(steps[0], text=text), *steps[1:])


def correction_in_words(board: Board, correction: Correction) -> Sentence:
    """The words for a correction.

    >>> correction_in_words(Board(("1#", "3#")), Correction(Cell(1, 0), 3, 1))
    'a 1 at row 1, column 0 instead of the 3'
    """
    if correction.cell is None:
        return said("other total", instead=str(correction.instead), shown=str(correction.shown))
    where = place(correction.cell)
    if correction.instead is None and board[correction.cell] in (FLAG, MINE):
        return said("no mine", mine="flag" if board[correction.cell] == FLAG else "mine", place=where)
    if correction.instead is None:
        number = "an open cell" if correction.shown is None else f"the {correction.shown}"
        return said("open mine", place=where, number=number)
    article = "an" if correction.instead in (8, 11, 18) else "a"
    return said("other number", number=f"{article} {correction.instead}", place=where, shown=str(correction.shown))


def _rule(steps: Sequence[ArgumentStep]) -> str:
    rules = [step.rule for step in steps]
    suppositions = rules.count("suppose")
    if suppositions:
        return "cases" if suppositions > 1 else "supposition"
    rules = [rule for rule in rules if rule != "flag"] or rules
    mine_count = rules[-1] in ("all mines found", "only mines left", "mine count")
    return rules[-1] if len(rules) == 1 or mine_count else "chain"


def _merged(steps: Sequence[ArgumentStep]) -> Iterator[ArgumentStep]:
    for key, group in groupby(steps, lambda step: (step.rule == "single point" and step.cells != (), step.supposing)):
        run = list(group)
        if not key[0] or len(run) < 3:
            yield from run
            continue
        sources = tuple(sorted({clue for step in run for clue in step.clues}))
        for mine in (True, False):
            cells = tuple(sorted(cell for step in run if step.mine is mine for cell in step.cells))
            if cells:
                text = said("single points", result=are(cells, mine))
                yield ArgumentStep(
                    text, "single points", sources, False, run[0].supposing, cells, mine, Technique.SINGLE
                )


def _steps(
    board: Board,
    conclusions: Sequence[Conclusion],
    before: Mapping[Cell, bool],
    supposing: tuple[tuple[Cell, bool], ...],
) -> Iterator[ArgumentStep]:
    assignment = dict(before)
    at = 0
    while at < len(conclusions):
        pattern = pattern_of(board, conclusions, at, assignment)
        conclusion = pattern.conclusion
        together = conclusions[at : at + pattern.length]
        technique = max((TECHNIQUE_OF_KIND[one.kind] for one in together), key=ORDER.__getitem__)
        at += pattern.length
        premises = conclusion.all_premises
        sources = tuple(sorted({bounds.clue for bounds in premises if bounds.clue is not None}))
        total = any(bounds.clue is None for bounds in premises)
        if conclusion.kind == "case":
            (cell,) = conclusion.cells
            supposed = not conclusion.mine
            deeper = (*supposing, (cell, supposed))
            suppose = "Nothing more follows at once, so suppose besides" if supposing else "Suppose"
            text = Sentence(f"{suppose} that ", place(cell), f" is {kind_of(supposed)}.")
            yield ArgumentStep(text, "suppose", (), False, deeper, (cell,), supposed, Technique.SEARCH)
            yield from _steps(board, conclusion.refutation, {**assignment, cell: supposed}, deeper)
        elif conclusion.kind == "flag":
            sources = conclusion.cells
        text = phrase(board, pattern, assignment, nested=bool(supposing))
        yield ArgumentStep(text, pattern.rule, sources, total, supposing, conclusion.cells, conclusion.mine, technique)
        assignment.update(dict.fromkeys(conclusion.cells, conclusion.mine))
