"""Certificates: for each reason a refutation of the opposite, as short as it can be made by leaving things out.

Narrowing bounds refutes most opposites at once. Where it does not, bounds are supposed: one that leads nowhere is
false, which is a step, and where none does, the search splits into two. A search of that kind finds few steps, as the
clue sets of reasons are small; the steps, and the bounds in them, that are not needed are then left out one by one.
Where the search takes too long, as with sums that only counting sees through, the proof counts instead.

The verifier's own propagation is what this rests on, so that what is found here is what is accepted there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from satsweep.board import Board, Cell
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, ProofStep
from satsweep.proofs.verify import Literal, Problem, Rejected, assume, check, refuted
from satsweep.why.values import Explanation

FEW_PROBES, MANY_PROBES = 200, 5000
"""How many bounds may be supposed in search of steps before counting is tried, and after that has failed."""
MAX_STEPS = 8
"""A proof with more steps than these gives way to one that counts, if there is one."""

Clause = tuple[Literal, ...]
_Bounds = tuple[Sequence[int], Sequence[int]]


def certify(board: Board, reasons: Iterable[Explanation]) -> Certificate:
    """Prove what the reasons of a board claim.

    >>> from satsweep.proofs.verify import verify
    >>> board = Board(("##1.", "##21", "####"), mines=3)
    >>> reason = Explanation(board, Cell(2, 1), False, (Cell(0, 2), Cell(1, 2), Cell(1, 3)))
    >>> verify(board, certify(board, [reason]))
    Verified(safe=1, mines=0, uncertified=0)
    """
    covered = dict.fromkeys(board.covered)
    proofs: list[Proof] = []
    uncertified: list[Cell] = []
    for reason in reasons:
        found = prove(reason, covered)
        if found is None:
            uncertified.append(reason.cell)
        else:
            proofs.append(found)
    return Certificate(replace(board, density=None), tuple(proofs), tuple(uncertified))


def prove(reason: Explanation, covered: dict[Cell, None] | None = None) -> Proof | None:
    """A proof of what a reason claims; None where neither a search nor counting finds one within its limits.

    ``covered`` are the covered cells of the board, for who has them at hand.
    """
    claim = unproved(reason)
    covered = dict.fromkeys(reason.board.covered) if covered is None else covered
    problem = Problem.of(reason.board, covered, claim, trust_flags=True)
    found = _Search(problem, FEW_PROBES).steps()
    if found is None or len(found) > MAX_STEPS:
        if (counted := _counted(problem, claim)) is not None:
            return counted
        found = found or _Search(problem, MANY_PROBES).steps()
        if found is None:
            return None
    steps = tuple(_step(problem, clause) for clause in shortened(problem, found))
    return Proof(claim.cell, claim.mine, claim.clues, claim.total, steps)


def unproved(reason: Explanation) -> Proof:
    """What a reason claims and builds on, in the form of a proof, but without any steps."""
    clues = tuple(Clue(cell, reason.board.number(cell)) for cell in reason.clues)
    return Proof(reason.cell, reason.mine, clues, reason.board.mines if reason.total else None)


def _step(problem: Problem, clause: Clause) -> ProofStep:
    bounds = sorted((problem.groups[group], at_least, count) for group, at_least, count in clause)
    return tuple(Bound(cells, at_least, count if at_least else count - 1) for cells, at_least, count in bounds)


class _GivenUp(Exception):
    """More probes than are allowed."""


class _Search:
    """The search for steps: clauses that follow by narrowing bounds, one after the other, until nothing is left."""

    def __init__(self, problem: Problem, probes: int) -> None:
        self.problem = problem
        self.clauses: list[Clause] = []
        self.left = probes

    def steps(self) -> list[Clause] | None:
        """Clauses that end in a contradiction; None if they were not found within the limit."""
        try:
            self._close((), (self.problem.low, self.problem.high))
        except _GivenUp:
            return None
        return self.clauses

    def _close(self, path: Clause, bounds: _Bounds) -> None:
        """Find clauses until the bounds of a path are impossible."""
        while (narrow := self._narrowed(bounds)) is not None:
            false, beyond = self._best(narrow)
            if beyond is not None:
                self._close((*path, false), beyond)
            self.clauses.append(tuple(map(_opposite, (*path, false))))

    def _best(self, bounds: _Bounds) -> tuple[Literal, _Bounds | None]:
        """A bound that is false, or, if none is seen to be, one to suppose, and what it leads to."""
        best, chosen = -1, None
        for one, other in _pairs(bounds):
            beyond = self._narrowed(_with(bounds, one))
            if beyond is None:
                return one, None
            opposite = self._narrowed(_with(bounds, other))
            if opposite is None:
                return other, None
            worth = _room(bounds, beyond) * _room(bounds, opposite)
            if worth > best:
                best, chosen = worth, (one, beyond)
        if chosen is None:
            raise ValueError("the clues of the reason do not force its cell")
        return chosen

    def _narrowed(self, bounds: _Bounds) -> _Bounds | None:
        self.left -= 1
        if self.left < 0:
            raise _GivenUp
        low, high = map(list, bounds)
        return None if refuted(self.problem.sums, self.clauses, low, high) else (low, high)


def _pairs(bounds: _Bounds) -> Iterator[tuple[Literal, Literal]]:
    """Bounds that may be supposed, and the opposite of each: those that settle a group one way or nearly so."""
    for group, (low, high) in enumerate(zip(*bounds, strict=True)):
        for count in sorted({low + 1, high}) if low < high else ():
            yield (group, True, count), (group, False, count)


def _with(bounds: _Bounds, literal: Literal) -> _Bounds:
    low, high = map(list, bounds)
    assume(literal, low, high)
    return low, high


def _room(wide: _Bounds, narrow: _Bounds) -> int:
    """How much narrower some bounds are than others."""
    return sum(wide[1]) - sum(wide[0]) - sum(narrow[1]) + sum(narrow[0])


def _opposite(literal: Literal) -> Literal:
    group, at_least, count = literal
    return group, not at_least, count


def shortened(problem: Problem, steps: Sequence[Clause]) -> list[Clause]:
    """Leave out steps, and bounds in steps, until none can be left out any more."""
    left = list(steps)
    number = len(left) - 1
    while number >= 0:
        for shorter in _shorter(left, number):
            if problem.gap(shorter) is None:
                # Steps after this one may not be needed any more.
                left, number = shorter, len(shorter)
                break
        number -= 1
    return left


def _shorter(steps: Sequence[Clause], number: int) -> Iterator[list[Clause]]:
    """The steps without one of them, or without one of its bounds."""
    before, clause, after = steps[:number], steps[number], steps[number + 1 :]
    yield [*before, *after]
    for place in range(len(clause)) if len(clause) > 1 else ():
        yield [*before, clause[:place] + clause[place + 1 :], *after]


def _counted(problem: Problem, claim: Proof) -> Proof | None:
    """A proof that counts what parts can hold; None if that takes too many states."""
    try:
        parts = tuple(_part(problem, claim, clues) for clues in _apart(problem, len(claim.clues)))
        proof = Proof(claim.cell, claim.mine, claim.clues, claim.total, parts=parts)
        check(problem, proof)
    except Rejected:
        return None
    return proof


def _part(problem: Problem, claim: Proof, clues: Sequence[int]) -> CountedPart:
    """Clues in the order in which few are open at a time: along the longer side of where they stand."""
    cells = {claim.clues[clue].cell: clue for clue in clues}
    rows, cols = zip(*cells, strict=True)
    wide = max(cols) - min(cols) > max(rows) - min(rows)
    order = sorted(cells, key=lambda cell: (cell.col, cell.row) if wide else cell)
    return CountedPart(tuple(order), tuple(problem.held([cells[cell] for cell in order])))


def _apart(problem: Problem, clues: int) -> list[list[int]]:
    """The clues, by their indices, sorted into those that hang together by the groups they share."""
    parts: list[tuple[set[int], list[int]]] = []
    for clue in range(clues):
        groups = set(problem.sums[clue][0])
        touching = [part for part in parts if not groups.isdisjoint(part[0])]
        parts = [part for part in parts if groups.isdisjoint(part[0])]
        parts.append(
            (groups.union(*(part[0] for part in touching)), sorted(sum((part[1] for part in touching), [clue])))
        )
    return [sorted(members) for _, members in parts]
