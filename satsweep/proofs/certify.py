"""Certificates of explanations: short refutations of the opposite of each claim.

Narrowing bounds refutes most opposites at once. Where it does not, the search supposes bounds: a bound that leads to a
contradiction is false, which is a step, and where none does, the search splits into two. Such a search finds few steps,
as the clue sets of explanations are small; then the steps, and the bounds in them, that are not needed are left out one
by one. Where the search takes too long, as with sums that only counting can refute, the proof counts instead.

The search uses the verifier's own propagation, so the verifier accepts every proof that is found here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from satsweep.board import Board, Cell
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, ProofStep, Rejected, WorkLimit
from satsweep.proofs.verify import Literal, Problem, check, narrow, refuted
from satsweep.why.values import Explanation

FEW_PROBES, MANY_PROBES = 200, 5000
"""Limits on the probes of a search for steps, before counting is tried and after."""
MAX_STEPS = 8
"""A proof with more steps gives way to one that counts, if there is one."""

Clause = tuple[Literal, ...]
_Bounds = tuple[Sequence[int], Sequence[int]]


def certify(board: Board, explanations: Iterable[Explanation]) -> Certificate:
    """Return a certificate with a proof of each explanation that has one.

    >>> from satsweep.proofs.verify import verify
    >>> board = Board(("##1.", "##21", "####"), mines=3)
    >>> explanation = Explanation(board, Cell(2, 1), False, (Cell(0, 2), Cell(1, 2), Cell(1, 3)))
    >>> verify(board, certify(board, [explanation]))
    Verified(safe=1, mines=0, uncertified=0)
    """
    covered = dict.fromkeys(board.covered)
    proofs: list[Proof] = []
    uncertified: list[Cell] = []
    for explanation in explanations:
        found = prove(explanation, covered)
        if found is None:
            uncertified.append(explanation.cell)
        else:
            proofs.append(found)
    return Certificate(replace(board, density=None), tuple(proofs), tuple(uncertified))


def prove(explanation: Explanation, covered: dict[Cell, None] | None = None) -> Proof | None:
    """A proof of an explanation; None if none is found within the limits."""
    claim = claim_of(explanation)
    covered = dict.fromkeys(explanation.board.covered) if covered is None else covered
    problem = Problem.of(explanation.board, covered, claim, WorkLimit(inf), trust_flags=True)
    found = _StepSearch(problem, FEW_PROBES).steps()
    if found is None or len(found) > MAX_STEPS:
        if (counted := _counting_proof(problem, claim)) is not None:
            return counted
        found = found or _StepSearch(problem, MANY_PROBES).steps()
        if found is None:
            return None
    steps = tuple(_step(problem, clause) for clause in shortened(problem, found))
    return Proof(claim.cell, claim.mine, claim.clues, claim.total, steps)


def claim_of(explanation: Explanation) -> Proof:
    clues = tuple(Clue(cell, explanation.board.number(cell)) for cell in explanation.clues)
    return Proof(explanation.cell, explanation.mine, clues, explanation.board.mines if explanation.total else None)


def _step(problem: Problem, clause: Clause) -> ProofStep:
    bounds = sorted((problem.groups[group], at_least, count) for group, at_least, count in clause)
    return tuple(Bound(cells, at_least, count if at_least else count - 1) for cells, at_least, count in bounds)


class _OutOfProbes(Exception):
    """The search has made more probes than it may."""


class _StepSearch:
    """Search for steps: clauses by narrowing bounds that end in a contradiction."""

    def __init__(self, problem: Problem, probes: int) -> None:
        self.problem = problem
        self.clauses: list[Clause] = []
        self.left = probes

    def steps(self) -> list[Clause] | None:
        try:
            self._close((), (self.problem.low, self.problem.high))
        except _OutOfProbes:
            return None
        return self.clauses

    def _close(self, path: Clause, bounds: _Bounds) -> None:
        """Find clauses until the bounds of a path of supposed literals are impossible."""
        while (current := self._propagated(bounds)) is not None:
            false, supposed = self._next_literal(current)
            if supposed is not None:
                self._close((*path, false), supposed)
            self.clauses.append(tuple(map(_opposite, (*path, false))))

    def _next_literal(self, bounds: _Bounds) -> tuple[Literal, _Bounds | None]:
        """A false literal, or one to suppose with the bounds it leads to."""
        best, chosen = -1, None
        for one, other in _literal_pairs(bounds):
            narrowed = self._propagated(_supposing(bounds, one))
            if narrowed is None:
                return one, None
            opposite = self._propagated(_supposing(bounds, other))
            if opposite is None:
                return other, None
            worth = _reduction(bounds, narrowed) * _reduction(bounds, opposite)
            if worth > best:
                best, chosen = worth, (one, narrowed)
        if chosen is None:
            raise ValueError("the clues of the reason do not force its cell")
        return chosen

    def _propagated(self, bounds: _Bounds) -> _Bounds | None:
        """The bounds after narrowing (one probe); None for a contradiction."""
        self.left -= 1
        if self.left < 0:
            raise _OutOfProbes
        low, high = map(list, bounds)
        return None if refuted(self.problem.sums, self.clauses, low, high, self.problem.work) else (low, high)


def _literal_pairs(bounds: _Bounds) -> Iterator[tuple[Literal, Literal]]:
    for group, (low, high) in enumerate(zip(*bounds, strict=True)):
        for count in sorted({low + 1, high}) if low < high else ():
            yield (group, True, count), (group, False, count)


def _supposing(bounds: _Bounds, literal: Literal) -> _Bounds:
    low, high = map(list, bounds)
    narrow(literal, low, high)
    return low, high


def _reduction(before: _Bounds, after: _Bounds) -> int:
    return sum(before[1]) - sum(before[0]) - sum(after[1]) + sum(after[0])


def _opposite(literal: Literal) -> Literal:
    group, at_least, count = literal
    return group, not at_least, count


def shortened(problem: Problem, steps: Sequence[Clause]) -> list[Clause]:
    left = list(steps)
    number = len(left) - 1
    while number >= 0:
        for shorter in _shorter(left, number):
            if problem.first_gap(shorter) is None:
                # Later steps may have become superfluous.
                left, number = shorter, len(shorter)
                break
        number -= 1
    return left


def _shorter(steps: Sequence[Clause], number: int) -> Iterator[list[Clause]]:
    before, clause, after = steps[:number], steps[number], steps[number + 1 :]
    yield [*before, *after]
    for place in range(len(clause)) if len(clause) > 1 else ():
        yield [*before, clause[:place] + clause[place + 1 :], *after]


def _counting_proof(problem: Problem, claim: Proof) -> Proof | None:
    try:
        parts = tuple(_counted_part(problem, claim, clues) for clues in _connected_clues(problem, len(claim.clues)))
        proof = Proof(claim.cell, claim.mine, claim.clues, claim.total, parts=parts)
        check(problem, proof)
    except Rejected:
        return None
    return proof


def _counted_part(problem: Problem, claim: Proof, clues: Sequence[int]) -> CountedPart:
    """A part with its clues along its longer side, so few are open at a time."""
    cells = {claim.clues[clue].cell: clue for clue in clues}
    rows, cols = zip(*cells, strict=True)
    wide = max(cols) - min(cols) > max(rows) - min(rows)
    order = sorted(cells, key=lambda cell: (cell.col, cell.row) if wide else cell)
    return CountedPart(tuple(order), tuple(problem.possible_sums([cells[cell] for cell in order])))


def _connected_clues(problem: Problem, clues: int) -> list[list[int]]:
    parts: list[tuple[set[int], list[int]]] = []
    for clue in range(clues):
        groups = set(problem.sums[clue][0])
        touching = [part for part in parts if not groups.isdisjoint(part[0])]
        parts = [part for part in parts if groups.isdisjoint(part[0])]
        parts.append(
            (groups.union(*(part[0] for part in touching)), sorted(sum((part[1] for part in touching), [clue])))
        )
    return [sorted(members) for _, members in parts]
