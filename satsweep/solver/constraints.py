"""Constraints read off the numbers of a board, on groups of covered cells.

Covered cells that touch exactly the same numbers are interchangeable, so together they are one integer variable, a
*group*; a group of size s holds k mines in C(s, k) ways. A *constraint* maps the true count of mines among its groups
to a likelihood: an ordinary number is 1 at its value and 0 elsewhere. Covered cells that touch no number are the *sea*.
Most exact solvers since Studholme (2000) group cells in this way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board, BoardLike


@lru_cache(maxsize=1024)
def exactly(count: int) -> tuple[int, ...]:
    """The likelihood of an ordinary number: 1 at its value, 0 elsewhere.

    >>> exactly(2)
    (0, 0, 1)
    """
    return (0,) * count + (1,) if count >= 0 else ()


@lru_cache(maxsize=4096)
def support(likelihood: tuple[int, ...]) -> tuple[int, int]:
    """The least and the greatest count that is possible; (1, 0) where none is.

    >>> support((0, 2, 0, 1, 0)), support((0,))
    ((1, 3), (1, 0))
    """
    possible = [count for count, weight in enumerate(likelihood) if weight]
    return (possible[0], possible[-1]) if possible else (1, 0)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint on the number of mines in some groups together.

    ``likelihood[k]`` is the weight of k mines, a non-negative integer, 0 past the end. ``low`` and ``high`` are the
    least and the greatest count that is possible at all; where no count is, low exceeds high.
    """

    groups: tuple[int, ...]
    likelihood: tuple[int, ...]
    low: int = field(init=False, repr=False, compare=False)
    high: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high = support(self.likelihood)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)


class CellConstraint(NamedTuple):
    """A constraint on single cells; ``clue`` is the cell that shows the number."""

    clue: int
    cells: tuple[int, ...]
    likelihood: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Frontier:
    """Groups of cells, constraints on them, and the sea.

    The sea holds the cells that no constraint mentions. Cells are integers, row-major on a board. ``weight`` is a
    factor of every world, left behind by constraints whose count has become certain; it is 1 as long as every clue is
    exact.
    """

    groups: tuple[tuple[int, ...], ...]
    constraints: tuple[Constraint, ...]
    sea: tuple[int, ...]
    weight: int = 1

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells of each group."""
        return tuple(map(len, self.groups))


def covered_cells(board: Board) -> list[int]:
    """The covered cells of a board, then the unseen ones around a part."""
    covered = [index for index, symbol in enumerate(board.symbols) if symbol in (COVERED, FLAG)]
    return [*covered, *map(board.index, board.unseen)]


class ConstraintReader:
    """The constraint of each number of a board on covered cells, less known mines."""

    def __init__(self, board: Board) -> None:
        self.symbols = board.symbols + COVERED * len(board.unseen)
        self.neighbours = board.table
        self._clues = board.clues
        self._covered = set(covered_cells(board))
        self._known = _mines_around(self.symbols, self.neighbours)

    def all(self) -> list[CellConstraint]:
        """The constraints of all numbers that have covered cells around, or are wrong."""
        numbers = [index for index, symbol in enumerate(self.symbols) if symbol in NUMBER_OF]
        if self._clues.is_true:
            apart, known = self._covered.isdisjoint, self._known
            numbers = [
                index
                for index in numbers
                if not apart(self.neighbours[index]) or NUMBER_OF[self.symbols[index]] != known[index]
            ]
        return [self.of(index) for index in numbers]

    def need(self, number: int) -> int | None:
        """The mines that the number in this cell still needs; None if it may be wrong."""
        return NUMBER_OF[self.symbols[number]] - self._known[number] if self._clues.is_true else None

    def of(self, number: int) -> CellConstraint:
        """The constraint of the number in this cell."""
        touched, covered = self.neighbours[number], self._covered
        cells = tuple([cell for cell in touched if cell in covered])
        need = self.need(number)
        if need is not None:
            return CellConstraint(number, cells, exactly(need))
        likelihood = self._clues.likelihood(NUMBER_OF[self.symbols[number]], len(touched))
        return CellConstraint(number, cells, likelihood[self._known[number] :])


def cell_constraints(board: Board) -> list[CellConstraint]:
    """The constraint of each number of a board on covered cells, less known mines.

    A number that is right and has no covered cell around it is left out.
    """
    return ConstraintReader(board).all()


def _mines_around(symbols: str, table: Sequence[Sequence[int]]) -> Counter[int]:
    around: Counter[int] = Counter()
    mine = symbols.find(MINE)
    while mine >= 0:
        around.update(table[mine])
        mine = symbols.find(MINE, mine + 1)
    return around


def gather(constraints: Sequence[CellConstraint], cells: Iterable[int]) -> Frontier:
    """The frontier of some constraints; cells that none mentions are the sea.

    >>> gather([CellConstraint(0, (1, 2), exactly(1)), CellConstraint(5, (2, 3, 4), exactly(2))], range(1, 7)).groups
    ((1,), (2,), (3, 4))
    """
    constraints_on: dict[int, list[int]] = {}
    for number, constraint in enumerate(constraints):
        for cell in constraint.cells:
            constraints_on.setdefault(cell, []).append(number)
    members: dict[tuple[int, ...], list[int]] = {}
    for cell in filter(constraints_on.__contains__, cells):
        members.setdefault(tuple(constraints_on[cell]), []).append(cell)
    sea = [cell for cell in cells if cell not in constraints_on]
    scopes: list[list[int]] = [[] for _ in constraints]
    for group, signature in enumerate(members):
        for number in signature:
            scopes[number].append(group)
    grouped = (
        Constraint(tuple(scope), constraint.likelihood) for scope, constraint in zip(scopes, constraints, strict=True)
    )
    return Frontier(tuple(map(tuple, members.values())), tuple(grouped), tuple(sea))


def frontier(board: BoardLike) -> Frontier:
    """The frontier of a board: its numbers as constraints on groups of covered cells.

    >>> frontier(Board(("1#", "##")))
    Frontier(groups=((1, 2, 3),), constraints=(Constraint(groups=(0,), likelihood=(0, 1)),), sea=(), weight=1)
    """
    board = Board.of(board)
    return gather(cell_constraints(board), covered_cells(board))
