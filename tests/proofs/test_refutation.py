"""The check of DRUP proofs: against brute force, a plain checker and a solver's own proofs."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st
from pysat.solvers import Solver

from satsweep.proofs.certificate import Rejected
from satsweep.proofs.refutation import check_refutation
from tests.proofs.certificates import is_refutation

TOP = 5
LITERALS = st.integers(-TOP, TOP).filter(bool)
CLAUSES = st.lists(st.lists(LITERALS, max_size=3), max_size=14)


def text(lines: list[list[int]]) -> str:
    return "".join(" ".join(map(str, (*line, 0))) + "\n" for line in lines)


def is_accepted(clauses: list[list[int]], top: int, proof: str) -> bool:
    try:
        check_refutation(clauses, top, proof)
    except Rejected:
        return False
    return True


def contradict(clauses: list[list[int]]) -> bool:
    """True if no values of the variables satisfy all clauses."""
    return not any(
        all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
        for values in product((False, True), repeat=TOP)
    )


@given(CLAUSES, st.lists(st.tuples(st.booleans(), st.lists(LITERALS, max_size=2)), max_size=6), st.data())
def test_what_is_accepted_contradicts_itself(
    clauses: list[list[int]], steps: list[tuple[bool, list[int]]], data: st.DataObject
) -> None:
    proof = ""
    for is_left_out, clause in steps:
        given = data.draw(st.sampled_from(clauses)) if is_left_out and clauses else clause
        proof += ("d " if is_left_out else "") + text([given])
    if is_accepted(clauses, TOP, proof + "0\n"):
        assert contradict(clauses)


@given(CLAUSES, st.lists(st.lists(LITERALS, max_size=2), max_size=6))
def test_it_accepts_what_a_plain_checker_accepts(clauses: list[list[int]], steps: list[list[int]]) -> None:
    proof = text([*steps, []])
    follow = is_refutation(text(clauses), proof)
    assert is_accepted(clauses, TOP, proof) or not follow
    if not is_refutation(text(clauses), "0\n"):  # else it ends before the first step
        assert is_accepted(clauses, TOP, proof) is follow


def test_proofs_of_solvers() -> None:
    """Random clauses on 20 variables, with clauses that are left out, and cut proofs."""
    rng = Random("refutation")
    proofs = 0
    while proofs < 60:
        clauses = [
            [rng.choice((-1, 1)) * variable for variable in rng.sample(range(1, 21), 3)]
            for _ in range(rng.randint(85, 110))
        ]
        with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
            if solver.solve():
                continue
            lines = solver.get_proof()
        proofs += 1
        steps = check_refutation(clauses, 20, "\n".join(lines))
        assert 0 < steps <= len(lines)
        if steps > 3:
            assert not is_accepted(clauses, 20, "\n".join(lines[:2]))
            assert not is_accepted(clauses, 20, "0\n")


@pytest.mark.parametrize(
    ("proof", "message"),
    [
        ("1 0\n-2 0\n", "step 2: this clause does not follow from those before"),
        ("1 0\n", "expected a proof that ends in a contradiction"),
        ("", "expected a proof that ends in a contradiction"),
        ("1\n", "step 1: expected literals of variables up to 3, and a 0"),
        ("1 0\n4 0\n", "step 2: expected literals of variables up to 3, and a 0"),
        ("0 0\n", "step 1: expected literals of variables up to 3, and a 0"),
        ("1 x 0\n", "step 1: expected literals and a 0"),
        ("\n", "step 1: expected literals and a 0"),
    ],
)
def test_what_is_refused(proof: str, message: str) -> None:
    with pytest.raises(Rejected) as found:
        check_refutation([[1, 2], [1, -2], [-1, 3]], 3, proof)
    assert str(found.value) == message


def test_what_is_left_out_is_not_used() -> None:
    clauses = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    assert is_accepted(clauses, 2, "1 0\n")
    assert not is_accepted(clauses, 2, "d 2 1 0\n1 0\n")
    assert is_accepted([*clauses, [2, 1]], 2, "d 2 1 0\n1 0\n"), "one of two copies"
    assert is_accepted(clauses, 2, "d 1 3 2 0\n1 0\n".replace("3 ", "")) is False
    assert is_accepted(clauses, 2, "1 0\nd 1 2 0\n0\n")
