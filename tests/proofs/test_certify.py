"""Certification: proofs of every kind, none too long, and DRUP refutations."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import islice
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Board, Cell
from satsweep.errors import BudgetExceeded
from satsweep.proofs import certify as proofs
from satsweep.proofs.certificate import Certificate, Proof, Rejected, WorkLimit
from satsweep.proofs.certify import certify, claim_of, drup, prove, shortened
from satsweep.proofs.verify import Problem, check, verify
from satsweep.why.explainer import Explainer
from satsweep.why.values import Explanation
from tests.proofs import certificates
from tests.solver.test_corpora import corpus
from tests.strategies import boards, unreliable_boards

EXPERT = list(corpus("positions_expert"))
WITH_TOTAL = ["checker6-20", "checker8-22", "checker10-24"]
WITH_STEPS = ["expert-3", "expert-55", "checker8-22", "checker14-28"]
DRAT_TRIM = shutil.which("drat-trim")


def explanations_of(name: str) -> Iterator[Explanation]:
    board = corpus("positions_expert" if name in EXPERT else "positions_hard")[name]
    with Explainer(board) as explainer:
        yield from explainer.all()


def explanation_with_steps() -> Explanation:
    """Return an explanation whose proof has steps."""
    found = ((explanation, prove(explanation)) for explanation in explanations_of("checker8-22"))
    return next(explanation for explanation, proof in found if proof is not None and proof.steps)


def problem(explanation: Explanation) -> Problem:
    return Problem.of(
        explanation.board, explanation.board.covered, claim_of(explanation), WorkLimit(inf), trust_flags=True
    )


@pytest.mark.extended
@pytest.mark.parametrize("name", WITH_STEPS)
def test_no_step_can_be_left_out(name: str) -> None:
    found = [prove(explanation) for explanation in explanations_of(name)]
    assert any(proof is not None and proof.steps for proof in found)
    board = corpus("positions_expert" if name in EXPERT else "positions_hard")[name]
    for proof in found:
        assert proof is not None and len(proof.steps) <= proofs.MAX_STEPS
        for fewer in (*certificates.without_a_step(proof), *certificates.without_a_bound(proof)):
            with pytest.raises(Rejected):
                verify(board, Certificate(board, (fewer,)))


def test_superfluous_steps_are_left_out() -> None:
    """Other steps and bounds that follow are left out, in any order."""
    explanation = explanation_with_steps()
    asked = problem(explanation)
    search = proofs._StepSearch(asked, proofs.FEW_PROBES)
    found = search.steps()
    assert found is not None
    short = shortened(asked, found)
    idle = [((group, True, 0),) for group in range(len(asked.groups))]
    for longer in ([*idle, *found, *idle], [*found, *found]):
        assert asked.first_gap(longer) is None and len(shortened(asked, longer)) == len(short)
    impossible = (0, True, 2)  # two mines in the one cell that is claimed
    wider = [(*clause, impossible) for clause in short]
    assert asked.first_gap(wider) is None and shortened(asked, wider) == short


@given(st.one_of(boards(max_covered=9), unreliable_boards(max_covered=7)), st.integers(0, 3))
def test_every_kind_of_proof_is_accepted(board: Board, probes: int) -> None:
    """With few probes proofs must count, with more the search finds steps."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(proofs, "FEW_PROBES", probes)
        for explanation in certificates.explanations_by_force(board):
            proof = prove(explanation)
            assert proof is not None
            assert verify(board, Certificate(board, (proof,)))
            assert probes or proof.parts or not proof.clues


@pytest.mark.parametrize("name", WITH_STEPS)
def test_search_and_counting_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A longer search finds steps where counting was chosen, and the other way round."""
    monkeypatch.setattr("satsweep.proofs.verify.MAX_STATES", 10**6)
    for explanation in islice(explanations_of(name), 40):
        asked = problem(explanation)
        counted = proofs._counting_proof(asked, claim_of(explanation))
        assert counted is not None and counted.parts
        steps = proofs._StepSearch(asked, proofs.MANY_PROBES).steps()
        assert steps is not None and asked.first_gap(steps) is None


def test_cells_without_a_proof_within_limits_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    explanations = list(explanations_of("checker8-22"))
    board = explanations[0].board
    monkeypatch.setattr(proofs, "FEW_PROBES", 0)
    monkeypatch.setattr(proofs, "MANY_PROBES", 1)
    monkeypatch.setattr("satsweep.proofs.verify.MAX_STATES", 0)
    made = certify(board, explanations)
    proved = {proof.cell for proof in made.proofs}
    assert proved and made.uncertified
    assert proved.isdisjoint(made.uncertified) and len(proved) + len(made.uncertified) == len(explanations)
    assert verify(board, made).uncertified == len(made.uncertified)


@pytest.mark.parametrize("limit", [{"FEW_PROBES": 1}, {"MAX_STEPS": 0}], ids=str)
def test_counting_and_steps_give_way_to_each_other(limit: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting to a longer search, and many steps to counting."""
    explanation = explanation_with_steps()
    for name, value in limit.items():
        monkeypatch.setattr(proofs, name, value)
    counted = prove(explanation)
    assert counted is not None and counted.parts
    monkeypatch.setattr("satsweep.proofs.verify.MAX_STATES", 0)
    searched = prove(explanation)
    assert searched is not None and searched.steps


def test_a_wrong_explanation_has_no_proof() -> None:
    """An explanation whose clues do not force its cell is an error of the caller."""
    board = Board(("##1.", "##21", "####"), mines=3)
    wrong = Explanation(board, Cell(2, 1), False, (Cell(0, 2), Cell(1, 2)))
    for mine in (False, True):
        with pytest.raises(ValueError, match="do not force"):
            prove(replace(wrong, mine=mine))
        with pytest.raises(ValueError, match="do not force"):
            drup(replace(wrong, mine=mine))


def test_flags_that_are_trusted_take_part() -> None:
    board = Board(("F1#",))
    with Explainer(board, trust_flags=True) as explainer:
        made = certify(board, explainer.all())
    assert [proof.cell for proof in made.proofs] == [Cell(0, 2)]
    assert made.proofs[0].clues[0].number is None
    assert verify(board, made, trust_flags=True).safe == 1
    with pytest.raises(Rejected, match="not trusted"):
        verify(board, made)


def test_a_density_is_no_part_of_a_certificate() -> None:
    """The density forces nothing, so a certificate holds for any."""
    board = Board(("#1",), density="1/3")
    made = certify(board, [Explanation(board, Cell(0, 0), True, (Cell(0, 1),))])
    assert made.board.density is None and verify(board, made).mines == 1
    assert verify(Board(("#1",), density="1/5"), made).mines == 1


def test_counting_checks_its_sums() -> None:
    board = Board(("1#1",), mines=1)
    explanation = Explanation(board, Cell(0, 1), True, (Cell(0, 0),))
    counted = proofs._counting_proof(problem(explanation), claim_of(explanation))
    assert counted is not None and counted.parts[0].sums == ()
    check(problem(explanation), counted)
    with pytest.raises(Rejected):
        check(
            problem(explanation), Proof(Cell(0, 1), True, counted.clues, parts=(replace(counted.parts[0], sums=(0,)),))
        )


# For outside checkers


def test_formulas_can_be_read_beside_the_board() -> None:
    board = Board(("##1.", "##21", "####"), mines=3)
    formula, proof = drup(Explanation(board, Cell(2, 1), False, (Cell(0, 2), Cell(1, 2), Cell(1, 3))))
    lines = formula.splitlines()
    assert lines[:5] == [
        f"c {number}: the cell {cell} is a mine" for number, cell in enumerate(("0,1", "1,1", "2,1", "2,2", "2,3"), 1)
    ]
    assert lines[5] == f"p cnf 5 {sum(line[0] not in 'cp' for line in lines)}"
    assert lines[6:9] == ["c the 1 at 0,2", "-1 -2 0", "1 2 0"]
    assert lines[-2:] == ["c the opposite of what is proved", "3 0"]
    assert certificates.is_refutation(formula, proof) and proof.endswith("0\n")


@given(st.one_of(boards(max_covered=8), unreliable_boards(max_covered=7)))
def test_refutations_of_small_boards(board: Board) -> None:
    for explanation in certificates.explanations_by_force(board):
        formula, proof = drup(explanation)
        assert certificates.is_refutation(formula, proof)


@pytest.mark.parametrize("name", ["expert-3", "checker6-20"])
def test_refutations_of_positions(name: str) -> None:
    for explanation in explanations_of(name):
        formula, proof = drup(explanation)
        assert certificates.is_refutation(formula, proof)
        without, _, last = formula.rstrip().rpartition("\n")
        opposite = last.removesuffix(" 0")
        other = f"{without}\n{opposite.removeprefix('-') if '-' in opposite else f'-{opposite}'} 0\n"
        assert not certificates.is_refutation(other, proof), "the claim itself is not refuted"


@pytest.mark.skipif(DRAT_TRIM is None, reason="drat-trim is not installed")
@pytest.mark.parametrize("name", [*WITH_TOTAL, "expert-3", "expert-55"])
def test_drat_trim_verifies(name: str, tmp_path: Path) -> None:
    assert DRAT_TRIM is not None
    for explanation in explanations_of(name):
        paths = [tmp_path / "formula.cnf", tmp_path / "proof.drup"]
        for path, text in zip(paths, drup(explanation), strict=True):
            path.write_text(text)
        found = subprocess.run([DRAT_TRIM, *map(str, paths)], capture_output=True, text=True)
        assert "s VERIFIED" in found.stdout or "trivial UNSAT" in found.stdout


def test_a_total_is_a_totalizer() -> None:
    explanations = [explanation for name in WITH_TOTAL for explanation in explanations_of(name) if explanation.total]
    assert len(explanations) >= 5
    for explanation in explanations:
        formula, proof = drup(explanation)
        assert f"c the mine total, {explanation.board.mines}\n" in formula
        assert "sums on the way to what is said of many cells" in formula
        assert proof.endswith("0\n")
    assert certificates.is_refutation(*drup(min(explanations, key=lambda explanation: len(explanation.board.covered))))


def test_a_total_of_none_or_all_needs_no_sums() -> None:
    for board, mine in ((Board(("##",), mines=2), True), (Board(("##",), mines=0), False)):
        formula, proof = drup(Explanation(board, Cell(0, 0), mine, (), total=True))
        assert "p cnf 2 3" in formula and certificates.is_refutation(formula, proof)


def test_numbers_that_are_not_exact_say_so_in_formulas() -> None:
    for clues, row, mine, said in (
        ("underestimate", "##2?", True, ["c the 2 at 0,2: at least", "1 0", "2 0"]),
        ("overestimate", "*1##", False, ["c the 1 at 0,1: at most", "-1 0", "-2 0"]),
    ):
        board = Board((row,), topology="edges 0-1 0-2 1-2 1-3 2-3", clues=clues)
        clue = Cell(0, 2 if mine else 1)
        formula, proof = drup(Explanation(board, Cell(0, 1 if mine else 2), mine, (clue,)))
        assert certificates.is_refutation(formula, proof)
        assert formula.splitlines()[-5:-2] == said


def test_numbers_of_many_cells_are_totalizers() -> None:
    """A 7 and an 8 touch the same fourteen cells, and the 8 one more."""
    edges = [f"0-{cell}" for cell in range(2, 16)] + [f"1-{cell}" for cell in range(2, 17)]
    board = Board(("78" + "#" * 15,), topology="edges " + " ".join(edges))
    formula, proof = drup(Explanation(board, Cell(0, 16), True, (Cell(0, 0), Cell(0, 1))))
    assert "c 16 to " in formula and "sums on the way to what is said of many cells" in formula
    assert len(formula.splitlines()) < 1000 and certificates.is_refutation(formula, proof)
    for mine in (True, False):
        with pytest.raises(ValueError, match="do not force"):
            drup(Explanation(board, Cell(0, 2), mine, (Cell(0, 0), Cell(0, 1))))


def test_the_solver_may_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("satsweep.proofs.certify"), "MAX_CONFLICTS", 1)
    explanations = [explanation for explanation in explanations_of("checker8-22") if explanation.total]
    with pytest.raises(BudgetExceeded):
        for explanation in explanations:
            drup(explanation)


def test_the_checker_of_refutations_sees_gaps() -> None:
    formula = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
    assert certificates.is_refutation(formula, "2 0\n0\n")
    assert not certificates.is_refutation(formula, "0\n")
    assert not certificates.is_refutation(formula, "2 0\n")
    assert not certificates.is_refutation(formula, "2 0\nd 1 -2 0\nd -1 -2 0\n0\n")
    assert not certificates.is_refutation("p cnf 2 1\n1 2 0\n", "1 0\n0\n")
