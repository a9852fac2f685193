"""Refutations for outside checkers: a formula in DIMACS, and a DRUP proof for it.

Every covered cell of the clues is a variable, true for a mine. A number becomes clauses on these variables alone, one
for every smallest way to break it, so that a reader can compare the formula with the board; only what would take too
many of them, like the mine total over hundreds of cells, becomes a totalizer (Bailleux and Boufkhad 2003) with
auxiliary variables. The proof is CaDiCaL's.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from satsweep.board import Cell
from satsweep.errors import BudgetExceeded
from satsweep.proofs.certify import claim_of
from satsweep.proofs.verify import premises
from satsweep.solver.sat_solver import sat_solver
from satsweep.why.phrases import shown
from satsweep.why.values import Explanation

MAX_CONFLICTS = 200_000
MAX_READABLE_CLAUSES = 1000
"""Most clauses of a clue without a totalizer; a number among 8 cells takes 112.

The solvers' own limit (``sat_solver.MAX_DIRECT_CLAUSES``) is lower: it is chosen for speed, this one for readers.
"""

_NamedClauses = tuple[str, list[list[int]]]


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
    covered = dict.fromkeys(explanation.board.covered) if covered is None else covered
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
