"""All numbers at once, then one assignment at a time: failed-literal probing.

Haridas and Nair, *Intro to AI: Project 2 - Minesweeper* (2021), propose this as the next step after G.E.M.: "propose an
assignment for a variable and see if that would violate any conditions", a proof by contradiction. Where ``gem-full``
claims nothing, each unknown cell beside a number is assumed to be safe, then to be a mine, and the bounds of all
equations, numbers and reduced rows, are propagated. An equation that cannot hold any more refutes the assignment, so
the cell has the other value. SAT solvers call that failed-literal probing, constraint solvers singleton consistency
(Debruyne and Bessiere 1997). It is sound and takes polynomial time, but it is not complete: ``sat`` follows cases
within cases, and knows the mine total.

An assignment that is among the consequences of a consistent one is consistent, too, so it is not tried. Components of
numbers that share no unknown cell do not influence each other; those on which every assignment was consistent are
remembered for the rest of the game.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from satsweep.agents.gem import Row, reduced_rows
from satsweep.agents.gem_full import claim_all_rows
from satsweep.agents.knowledge import Knowledge
from satsweep.agents.random_agent import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction

REFUTATION = "refutation"
"""Name of the rule of an assignment that contradicts the numbers."""

Sentences = frozenset[tuple[tuple[int, ...], int]]
"""The numbers of a component: the unknown cells and the mines left of each."""


def agent() -> Agent:
    return Agent(partial(deduce, set()), guess)


def deduce(consistent: set[Sentences], board: Board) -> Deduction:
    """Claim what ``gem-full`` claims, or else the opposite of each refuted assignment.

    ``consistent`` are the components known to refute nothing, to which others are added.

    >>> from satsweep.agents import gem_full
    >>> board = Board(("###", "1#2", "#1#"))
    >>> gem_full.deduce(board).safe, deduce(set(), board).safe
    ((), (Cell(row=2, col=0),))
    """
    knowledge = Knowledge(board)
    if not knowledge.single_point() and not claim_all_rows(knowledge):
        while _claim_refuted(knowledge, consistent):
            knowledge.single_point()
    return knowledge.deduction()


def _claim_refuted(knowledge: Knowledge, consistent: set[Sentences]) -> bool:
    claimed = False
    for sentences, rows in _components(knowledge).items():
        if sentences not in consistent:
            refuted = list(System(rows).refuted())
            for cell, mine, clues in refuted:
                knowledge.claim((cell,), mine=not mine, rule=REFUTATION, clues=clues)
            claimed |= bool(refuted)
            if not refuted:
                consistent.add(sentences)
    return claimed


def _components(knowledge: Knowledge) -> dict[Sentences, list[Row]]:
    """Return the equations of each component: its numbers, then the reduced rows."""
    component_of: dict[int, int] = {}
    clues_of: list[list[int]] = []
    for first in knowledge.unknown:
        if first not in component_of:
            component_of[first] = len(clues_of)
            reached = [first]
            for clue in reached:
                near = {other for cell in knowledge.unknown[clue] for other in knowledge.table[cell]}
                new = sorted(near & knowledge.unknown.keys() - component_of.keys())
                component_of.update(dict.fromkeys(new, len(clues_of)))
                reached += new
            clues_of.append(reached)
    rows = [
        [Row(dict.fromkeys(knowledge.unknown[clue], 1), knowledge.remaining[clue], (clue,)) for clue in clues]
        for clues in clues_of
    ]
    keys = [frozenset((tuple(row.entries), row.right) for row in equations) for equations in rows]
    for row in reduced_rows(knowledge):
        rows[component_of[row.clues[0]]].append(row)
    return dict(zip(keys, rows, strict=True))


class Refuted(NamedTuple):
    """An assignment that contradicts the numbers of some clues."""

    cell: int
    mine: bool
    clues: tuple[int, ...]


class System:
    """Equations of cells that hold 0 or 1 mines, with bounds propagation.

    ``below[row]`` is the distance of the right side from the least value of the row, ``above[row]`` from the greatest.
    """

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.below = [row.right - sum(entry for entry in row.entries.values() if entry < 0) for row in rows]
        self.above = [sum(entry for entry in row.entries.values() if entry > 0) - row.right for row in rows]
        self.greatest = [max(map(abs, row.entries.values())) for row in rows]
        self.holders: dict[int, list[tuple[int, int]]] = {}
        for number, row in enumerate(rows):
            for cell, entry in row.entries.items():
                self.holders.setdefault(cell, []).append((number, entry))

    def refuted(self) -> Iterator[Refuted]:
        """Yield refuted assignments, at most one for each cell."""
        consistent: set[tuple[int, bool]] = set()
        for cell in sorted(self.holders):
            for mine in (False, True):
                if (cell, mine) not in consistent:
                    values, clues = self.propagate(cell, mine)
                    if clues:
                        yield Refuted(cell, mine, clues)
                        break
                    consistent.update(values.items())

    def propagate(self, cell: int, mine: bool) -> tuple[dict[int, bool], tuple[int, ...]]:
        """Return the consequences of an assignment, and the clues that refute it."""
        below, above = self.below.copy(), self.above.copy()
        values, reasons = {cell: mine}, {cell: -1}
        order = [cell]
        for known in order:
            for number, entry in self.holders[known]:
                (below if (entry > 0) is values[known] else above)[number] -= abs(entry)
                least = min(below[number], above[number])
                if least < 0:
                    return values, self._clues(number, order, reasons)
                if self.greatest[number] > least:
                    for other, factor in self.rows[number].entries.items():
                        if other not in values and abs(factor) > least:
                            # At the least value of the row negative entries are mines, at the greatest positive ones.
                            values[other] = (factor < 0) is (abs(factor) > below[number])
                            reasons[other] = number
                            order.append(other)
        return values, ()

    def _clues(self, number: int, order: list[int], reasons: dict[int, int]) -> tuple[int, ...]:
        """Return the clues of the row that cannot hold, and of those that led to it."""
        used, cells = {number}, set(self.rows[number].entries)
        for cell in order[:0:-1]:
            if cell in cells:
                used.add(reasons[cell])
                cells.update(self.rows[reasons[cell]].entries)
        return tuple(sorted({clue for row in used for clue in self.rows[row].clues}))
