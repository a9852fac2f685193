"""Certificates of explanations: short refutations of the opposite of each claim.

Narrowing bounds refutes most opposites at once. Where it does not, the search supposes bounds: a bound that leads to a
contradiction is false, which is a step, and where none does, the search splits into two. Such a search finds few steps,
as the clue sets of explanations are small; then the steps, and the bounds in them, that are not needed are left out one
by one. Where the search takes too long, as with sums that only counting can refute, the proof counts instead.

The search uses the verifier's own propagation, so the verifier accepts every proof that is found here.

Outside checkers get a formula in DIMACS, and a DRUP proof for it (``drup``). Every covered cell of the clues is a
variable, true for a mine. A number becomes clauses on these variables alone, one for every smallest way to break it, so
that a reader can compare the formula with the board; only what would take too many of them, like the mine total over
hundreds of cells, becomes a totalizer (Bailleux and Boufkhad 2003) with auxiliary variables. The proof is CaDiCaL's.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, inf

from satsweep.board import Board, Cell
from satsweep.errors import BudgetExceeded
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, ProofStep, Rejected, WorkLimit
from satsweep.proofs.verify import Literal, Problem, check, narrow, premises, refuted
from satsweep.solver.sat_solver import sat_solver
from satsweep.why.phrases import shown
from satsweep.why.values import Explanation

FEW_PROBES, MANY_PROBES = 200, 5000
"""Limits on the probes of a search for steps, before counting is tried and after."""
MAX_STEPS = 8
"""A proof with more steps gives way to one that counts, if there is one."""
MAX_CONFLICTS = 200_000
MAX_READABLE_CLAUSES = 1000
"""Most clauses of a clue without a totalizer; a number among 8 cells takes 112.

The solvers' own limit (``sat_solver.MAX_DIRECT_CLAUSES``) is lower: it is chosen for speed, this one for readers.
"""

Clause = tuple[Literal, ...]
_Bounds = tuple[Sequence[int], Sequence[int]]
_NamedClauses = tuple[str, list[list[int]]]


def certify(board: Board, explanations: Iterable[Explanation]) -> Certificate:
    """Return a certificate with a proof of each explanation that has one.

    >>> from satsweep.proofs.verify import verify
    >>> board = Board(("##1.", "##21", "####"), mines=3)
    >>> explanation = Explanation(board, Cell(2, 1), False, (Cell(0, 2), Cell(1, 2), Cell(1, 3)))
    >>> verify(board, certify(board, [explanation]))
    Verified(safe=1, mines=0, uncertified=0)
    """
    covered = _covered(board)
    proofs: list[Proof] = []
    uncertified: list[Cell] = []
    for explanation in explanations:
        found = prove(explanation, covered)
        if found is None:
            uncertified.append(explanation.cell)
        else:
            proofs.append(found)
    return Certificate(replace(board, density=None), tuple(proofs), tuple(uncertified))


def _covered(board: Board) -> dict[Cell, None]:
    return dict.fromkeys((*board.covered, *board.unseen))


def prove(explanation: Explanation, covered: dict[Cell, None] | None = None) -> Proof | None:
    """A proof of an explanation; None if none is found within the limits."""
    claim = claim_of(explanation)
    covered = _covered(explanation.board) if covered is None else covered
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


def drup(explanation: Explanation, covered: dict[Cell, None] | None = None) -> tuple[str, str]:
    """Return the formula of clues and the opposite of a claim, and its refutation.

    Comments name cells and clues. ``covered`` are the covered cells of the board, if the caller has them at hand.
    Raises BudgetExceeded if the solver does not finish within ``MAX_CONFLICTS`` conflicts.

    >>> from satsweep.board import Board
    >>> formula, proof = drup(Explanation(Board(("#1",)), Cell(0, 0), True, (Cell(0, 1),)))
    >>> print(formula + proof, end="")
    c 1: the cell 0,0 is a mine
    p cnf 1 2
    c the 1 at 0,1
    1 0
    c the opposite of what is proved
    -1 0
    0
    """
    covered = _covered(explanation.board) if covered is None else covered
    variables, named = _formula(explanation, covered)
    with sat_solver(name="cadical195", with_proof=True) as solver:
        for clause in (clause for _, clauses in named for clause in clauses):
            solver.add_clause(clause)
        solver.conf_budget(MAX_CONFLICTS)
        satisfiable = solver.solve_limited()
        if satisfiable is None:
            raise BudgetExceeded(f"expected a refutation within {MAX_CONFLICTS:,} conflicts")
        if satisfiable:
            raise ValueError("the clues of the reason do not force its cell")
        proof = solver.get_proof()
    proof = proof[: proof.index("0") + 1]  # lines after the empty clause only delete clauses
    return "".join(_dimacs(variables, named)), "".join(f"{line}\n" for line in proof)


def _formula(explanation: Explanation, covered: dict[Cell, None]) -> tuple[dict[Cell, int], list[_NamedClauses]]:
    """A variable for each cell, and clauses by clue, the last against the claim."""
    claim = claim_of(explanation)
    sums = list(premises(explanation.board, covered, claim, trust_flags=True))
    names = [f"the {shown(explanation.board, clue.cell)} at {clue.cell}" for clue in claim.clues]
    names += [] if claim.total is None else [f"the mine total, {claim.total}"]
    variables: dict[Cell, int] = {}
    for cell in (cell for cells, _, _ in sums for cell in cells):
        variables.setdefault(cell, len(variables) + 1)
    named: list[_NamedClauses] = []
    top = len(variables)
    for name, (cells, least, most) in zip(names, sums, strict=True):
        bound = "" if least == most else ": at least" if least > 0 else ": at most"
        clauses = _between([variables[cell] for cell in cells], least, most, top)
        top = max([top, *(abs(literal) for clause in clauses for literal in clause)])
        named.append((f"{name}{bound}", clauses))
    opposite = -variables[claim.cell] if claim.mine else variables[claim.cell]
    return variables, [*named, ("the opposite of what is proved", [[opposite]])]


def _between(literals: list[int], least: int, most: int, top: int) -> list[list[int]]:
    """Return clauses: of ``most + 1`` one is safe, of ``n - least + 1`` one is a mine."""
    too_many, too_few = max(most + 1, 0), max(len(literals) - least + 1, 0)
    if comb(len(literals), too_many) + comb(len(literals), too_few) > max(MAX_READABLE_CLAUSES, len(literals)):
        # In the order in which the clues name them, so that the sums of the tree are sums of clues.
        return _totalizer(sorted(literals), least, most, top)
    at_most = combinations([-literal for literal in literals], too_many)
    return [list(clause) for clause in (*at_most, *combinations(literals, too_few))]


def _totalizer(literals: list[int], least: int, most: int, top: int) -> list[list[int]]:
    """The same with auxiliary variables: CardEnc raises on bounds that hold anyway."""
    from pysat.card import CardEnc, EncType

    if least == most:
        bounds = [(CardEnc.equals, most)]
    else:
        bounds = [(CardEnc.atmost, most)] * (most < len(literals)) + [(CardEnc.atleast, least)] * (least > 0)
    clauses: list[list[int]] = []
    for bounded, count in bounds:
        part = bounded(literals, count, top_id=top, encoding=EncType.totalizer)
        clauses += part.clauses
        top = max(top, part.nv)
    return clauses


def _dimacs(variables: dict[Cell, int], named: Sequence[_NamedClauses]) -> Iterator[str]:
    clauses = [clause for _, part in named for clause in part]
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    for cell, variable in variables.items():
        yield f"c {variable}: the cell {cell} is a mine\n"
    if top > len(variables):
        yield f"c {len(variables) + 1} to {top}: sums on the way to what is said of many cells\n"
    yield f"p cnf {top} {len(clauses)}\n"
    for name, part in named:
        yield f"c {name}\n"
        for clause in part:
            yield " ".join(map(str, (*clause, 0))) + "\n"
