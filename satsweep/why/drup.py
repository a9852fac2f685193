"""The same refutations for outside checkers: a formula in DIMACS and a DRUP proof that it cannot be satisfied.

Every covered cell of the clues is a variable, true for a mine. A number becomes clauses on these variables alone, one
for every smallest way to break it, so that the formula can be read beside the board; only the mine total, over
hundreds of cells, becomes a totalizer (Bailleux and Boufkhad 2003) with variables of its own. The proof is CaDiCaL's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from satsweep.board import Cell
from satsweep.errors import BudgetExceeded
from satsweep.verify import premises
from satsweep.why.proofs import unproved
from satsweep.why.values import Reason

MAX_CONFLICTS = 200_000

_Said = tuple[str, list[list[int]]]


def drup(reason: Reason, covered: dict[Cell, None] | None = None) -> tuple[str, str]:
    """The formula of clues and the opposite of a claim, and its refutation; comments name cells and clues.

    ``covered`` are the covered cells of the board, for who has them at hand. Raises BudgetExceeded when the solver
    does not come to an end within ``MAX_CONFLICTS``.

    >>> from satsweep.board import Board
    >>> formula, proof = drup(Reason(Board(("#1",)), Cell(0, 0), True, (Cell(0, 1),)))
    >>> print(formula + proof, end="")
    c 1: the cell 0,0 is a mine
    p cnf 1 2
    c the 1 at 0,1
    1 0
    c the opposite of what is proved
    -1 0
    0
    """
    from pysat.solvers import Solver

    covered = dict.fromkeys(reason.board.covered) if covered is None else covered
    variables, said = _formula(reason, covered)
    with Solver(name="cadical195", with_proof=True) as solver:
        for clause in (clause for _, clauses in said for clause in clauses):
            solver.add_clause(clause)
        solver.conf_budget(MAX_CONFLICTS)
        satisfiable = solver.solve_limited()
        if satisfiable is None:
            raise BudgetExceeded(f"expected a refutation within {MAX_CONFLICTS:,} conflicts")
        if satisfiable:
            raise ValueError("the clues of the reason do not force its cell")
        proof = solver.get_proof()
    proof = proof[: proof.index("0") + 1]  # what comes after the empty clause is tidying up
    return "".join(_dimacs(variables, said)), "".join(f"{line}\n" for line in proof)


def _formula(reason: Reason, covered: dict[Cell, None]) -> tuple[dict[Cell, int], list[_Said]]:
    """A variable for each cell, and for each clue, and the opposite of the claim, its name and clauses."""
    claim = unproved(reason)
    names = [f"the {reason.board[clue.cell]} at {clue.cell}" for clue in claim.clues]
    names += [] if claim.total is None else [f"the mine total, {claim.total}"]
    variables: dict[Cell, int] = {}
    said: list[_Said] = []
    for name, (cells, count) in zip(names, premises(reason.board, covered, claim, trust_flags=True), strict=True):
        for cell in cells:
            variables.setdefault(cell, len(variables) + 1)
        literals = [variables[cell] for cell in cells]
        if name is names[-1] and reason.total:
            # In the order in which the clues name them, so that the sums of the tree are sums of clues.
            said.append((name, _totalizer(sorted(literals), count)))
        else:
            said.append((name, _exactly(literals, count)))
    opposite = -variables[claim.cell] if claim.mine else variables[claim.cell]
    return variables, [*said, ("the opposite of what is proved", [[opposite]])]


def _exactly(literals: Sequence[int], count: int) -> list[list[int]]:
    """Among any ``count + 1`` one is safe, among any ``n - count + 1`` one is a mine."""
    most = combinations([-literal for literal in literals], max(count + 1, 0))
    least = combinations(literals, max(len(literals) - count + 1, 0))
    return [list(clause) for clause in (*most, *least)]


def _totalizer(literals: list[int], count: int) -> list[list[int]]:
    from pysat.card import CardEnc, EncType

    if not 0 < count < len(literals):  # CardEnc does not know what can be said without it
        return _exactly(literals, count)
    found: list[list[int]] = CardEnc.equals(literals, count, top_id=max(literals), encoding=EncType.totalizer).clauses
    return found


def _dimacs(variables: dict[Cell, int], said: Sequence[_Said]) -> Iterator[str]:
    """The formula, each clue under its name."""
    clauses = [clause for _, part in said for clause in part]
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    for cell, variable in variables.items():
        yield f"c {variable}: the cell {cell} is a mine\n"
    if top > len(variables):
        yield f"c {len(variables) + 1} to {top}: sums on the way to the mine total\n"
    yield f"p cnf {top} {len(clauses)}\n"
    for name, part in said:
        yield f"c {name}\n"
        for clause in part:
            yield " ".join(map(str, (*clause, 0))) + "\n"
