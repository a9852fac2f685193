"""Arguments: findings one after the other, and where nothing more follows, cases.

A *case* supposes that a cell is a mine, or safe, until something cannot be; then it is the opposite. The opposite of
what is to be shown is supposed first, and what is found before that is needed no case. Within it a case is chosen that
ends as soon as possible.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from satsweep.board import FLAG, Board, Cell
from satsweep.why.steps import Finding, Trail, said_by, useful

MOST_TRIALS = 250
"""So many times something is supposed before an argument is given up."""

SHORT = 3
"""A case of so many findings is taken as it comes."""


class TooLong(Exception):
    """No argument was found that is short enough."""


@dataclass(slots=True)
class Trials:
    """How many suppositions may still be made."""

    left: int

    def spend(self) -> None:
        """Make one. Raises TooLong if there are no more."""
        self.left -= 1
        if self.left < 0:
            raise TooLong


def argument(board: Board, clues: Collection[Cell], total: bool, cell: Cell, mine: bool) -> tuple[Finding, ...]:
    """Findings that end with the cell being as it is, each of them of use.

    Raises ValueError if the clues do not force that, TooLong if no argument was found.
    """
    trail = _start(board, clues, total)
    impossible = trail.work(goal=cell)
    if impossible is None and cell not in trail.known:
        trail.take(refute(trail, Trials(MOST_TRIALS), cell, not mine))
    if impossible is not None or trail.known[cell] is not mine:
        raise ValueError(f"expected clues that force {cell} to be {'a mine' if mine else 'safe'}")
    return useful(trail.found, {cell})[0]


def contradiction(board: Board, clues: Collection[Cell], total: bool) -> tuple[Finding, ...]:
    """Findings that end with something that cannot be. Raises ValueError if the clues can all be true, or TooLong."""
    trail = _start(board, clues, total)
    impossible = trail.work() or exhausted(trail, Trials(MOST_TRIALS))
    return (*useful(trail.found, impossible.needs)[0], impossible)


def _start(board: Board, clues: Collection[Cell], total: bool) -> Trail:
    trail = Trail(said_by(board, sorted(clues), total=total))
    flags = tuple(sorted(cell for cell in clues if board[cell] == FLAG))
    if flags:
        trail.take(Finding("flag", (), flags, True))
    return trail


def refute(trail: Trail, trials: Trials, cell: Cell, mine: bool) -> Finding:
    """The opposite of what is supposed, from what that leads to.

    Raises ValueError if it leads to nothing that cannot be, TooLong if that takes too many suppositions.
    """
    supposed, impossible = _supposed(trail, trials, cell, mine)
    return _case(supposed, cell, mine, impossible or exhausted(supposed, trials))


def exhausted(trail: Trail, trials: Trials) -> Finding:
    """What cannot be, where no finding says anything more: one case after the other."""
    while True:
        trail.take(_shortest_case(trail, trials))
        impossible = trail.work()
        if impossible is not None:
            return impossible


def _supposed(trail: Trail, trials: Trials, cell: Cell, mine: bool) -> tuple[Trail, Finding | None]:
    trials.spend()
    supposed = Trail(trail.said, {**trail.known, cell: mine})
    return supposed, supposed.work()


def _case(supposed: Trail, cell: Cell, mine: bool, impossible: Finding) -> Finding:
    """What was supposed cannot be."""
    inner, needs = useful(supposed.found, impossible.needs)
    return Finding("case", (), (cell,), not mine, needs - {cell}, (*inner, impossible))


def _shortest_case(trail: Trail, trials: Trials) -> Finding:
    """A case that ends soonest; if all need cases of their own, one of a cell that decides most."""
    numbers = [left for says in trail.said if says.clue is not None and (left := says.left(trail.known)).matters]
    seats: dict[tuple[bool, ...], Cell] = {}
    for cell in sorted(set().union(*(left.cells for left in numbers))):
        # Cells that the same numbers touch are alike.
        seats.setdefault(tuple(cell in left.cells for left in numbers), cell)
    if not seats:
        raise ValueError("expected clues that leave no other possibility")
    best: Finding | None = None
    decided: list[tuple[int, Cell, bool]] = []
    for cell in seats.values():
        for mine in (True, False):
            supposed, impossible = _supposed(trail, trials, cell, mine)
            if impossible is None:
                decided.append((len(supposed.known), cell, mine))
                continue
            case = _case(supposed, cell, mine, impossible)
            if case.size <= SHORT:
                return case
            if best is None or case.size < best.size:
                best = case
    if best is not None:
        return best
    _, cell, mine = max(decided, key=lambda one: (one[0], [-at for at in one[1]], one[2]))
    return refute(trail, trials, cell, mine)
