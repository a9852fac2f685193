"""Arguments: one conclusion after another, and cases where none follows.

A *case* supposes that a cell is a mine, or safe, until a contradiction is found; then the cell is the opposite. The
argument supposes the opposite of its goal first; conclusions found before that need no case. Inside it, the next case
is one that ends as soon as possible.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from satsweep.board import FLAG, Board, Cell
from satsweep.why.steps import Conclusion, Derivation, clue_bounds, needed_for

MOST_SUPPOSITIONS = 250
"""Limit on the suppositions that are tried for one argument."""

SHORT_CASE = 3
"""Most conclusions of a case for which no shorter one is searched."""


class ArgumentTooLong(Exception):
    """No argument was found within the limit."""


@dataclass(slots=True)
class SuppositionLimit:
    """Number of suppositions that may still be made."""

    left: int

    def spend(self) -> None:
        """Count one supposition. Raises ArgumentTooLong if none is left."""
        self.left -= 1
        if self.left < 0:
            raise ArgumentTooLong


def derive(board: Board, clues: Collection[Cell], total: bool, cell: Cell, mine: bool) -> tuple[Conclusion, ...]:
    """Return conclusions that end with the value of a cell, each of them needed.

    Raises ValueError if the clues do not force that value, ArgumentTooLong if no argument was found.
    """
    derivation = _start(board, clues, total)
    contradiction = derivation.run(goal=cell)
    if contradiction is None and cell not in derivation.assignment:
        derivation.add(refute(derivation, SuppositionLimit(MOST_SUPPOSITIONS), cell, not mine))
    if contradiction is not None or derivation.assignment[cell] is not mine:
        raise ValueError(f"expected clues that force {cell} to be {'a mine' if mine else 'safe'}")
    return needed_for({cell}, derivation.conclusions)[0]


def derive_contradiction(board: Board, clues: Collection[Cell], total: bool) -> tuple[Conclusion, ...]:
    """Return conclusions that end in a contradiction.

    Raises ValueError if the clues can all be true, ArgumentTooLong if no argument was found.
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
    """Return the case that refutes a supposed value of a cell.

    Raises ValueError if the supposition leads to no contradiction, ArgumentTooLong past the limit.
    """
    supposed, contradiction = _suppose(derivation, limit, cell, mine)
    return _case(supposed, cell, mine, contradiction or refute_by_cases(supposed, limit))


def refute_by_cases(derivation: Derivation, limit: SuppositionLimit) -> Conclusion:
    """Return the contradiction that one case after another leads to."""
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
    """Return the opposite of a supposed value, with the conclusions that refute it."""
    refutation, needs = needed_for(contradiction.needs, supposed.conclusions)
    return Conclusion("case", (), (cell,), not mine, needs - {cell}, (*refutation, contradiction))


def _shortest_case(derivation: Derivation, limit: SuppositionLimit) -> Conclusion:
    """Return a shortest case, or one about a cell that decides most.

    The latter only if all cases need further cases.
    """
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
