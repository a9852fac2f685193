"""Traces: exactly the boards that need no guess have one. JSON. No solver loaded."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from satsweep.board import Board, Cell
from satsweep.errors import BoardError
from satsweep.formats import certificates, records
from satsweep.games.record import MoveReason, Outcome
from satsweep.games.rules import FirstClick
from satsweep.generator import walkthrough as walkthroughs
from satsweep.generator.no_guess import first_mended, first_suiting
from satsweep.generator.spec import BoardSpec
from satsweep.generator.walkthrough import NAME, Walkthrough, easiest_first, walkthrough
from satsweep.layout import Layout
from satsweep.proofs import certify as proofs
from satsweep.proofs.certificate import Rejected
from satsweep.proofs.trace import Checked, Trace, check
from satsweep.solver.budget import Budget
from satsweep.topology import HEXAGONAL, TORUS
from satsweep.why.influence import chains
from satsweep.why.values import Explanation
from tests.cli import invoke, schema_of
from tests.no_guess import every_layout, needs_no_guess
from tests.proofs.certificates import modules_of_verify
from tests.strategies import layouts

METER = Budget().meter()
HARD = {
    "pairs": BoardSpec(9, 9, 12, beyond="basic"),
    "rows of the matrix": BoardSpec(9, 9, 12, beyond="tank"),
    "several": BoardSpec(9, 9, 15, beyond="gem"),
    "torus": BoardSpec(7, 8, 9, first=FirstClick.SAFE, topology=TORUS, beyond="basic"),
    "hexagonal": BoardSpec(8, 8, 12, topology=HEXAGONAL, beyond="basic"),
}
every_kind = pytest.mark.parametrize("kind", HARD)


@cache
def hard(kind: str) -> Walkthrough:
    """Return the walkthrough of a board for which single numbers do not suffice."""
    found = first_suiting(HARD[kind], "hard", range(10_000), METER, compiled=True)
    assert found is not None
    return walkthrough(found.layout)


# --- accepted traces -------------------------------------------------------------------------------------------------


@given(layouts(max_cells=12), st.data())
def test_exactly_what_needs_no_guess_has_a_trace(layout: Layout, data: st.DataObject) -> None:
    free = [(r, c) for r in range(layout.rows) for c in range(layout.cols) if not layout.is_mine((r, c))]
    if not free:
        return
    start = data.draw(st.sampled_from(free))
    layout = Layout(layout.cells, start=start, topology=layout.topology)
    every = every_layout(layout.rows, layout.cols, layout.mines, start, layout.topology)
    found = walkthrough(layout)
    assert found.record.won is needs_no_guess(layout, every)
    if found.record.won:
        check(found.trace)
    else:
        assert found.record.outcome is Outcome.STUCK
        with pytest.raises(Rejected, match="another certificate"):
            check(found.trace)


@pytest.mark.extended
@every_kind
def test_walkthroughs_of_hard_boards(kind: str) -> None:
    record, trace = hard(kind)
    assert record.won and record.agent == NAME
    checked = check(trace)
    assert checked == (len(trace.certificates), sum(len(one.proofs) for one in trace.certificates))
    assert checked.positions > 0
    inferences = [move.inference for move in record.moves if move.reason is MoveReason.DEDUCED]
    harder = [found for found in inferences if found is None or found.rule != "single point"]
    assert 0 < len(harder) <= checked.proofs
    assert all(found is not None and found.clues for found in harder)


@pytest.mark.extended
@every_kind
def test_walkthroughs_are_games_on_record(kind: str) -> None:
    """They survive JSON, and their chains can be followed."""
    record = hard(kind).record
    assert records.from_json(records.to_json(record)) == record
    assert chains(record).length > 1


def easiest(board: Board) -> tuple[str, list[Explanation]]:
    return next(easiest_first(board), ("", []))


def test_the_easiest_comes_first() -> None:
    stage, explanations = easiest(Board(("###", "12*"), mines=2))
    assert (stage, [explanation.cell for explanation in explanations]) == ("subset", [Cell(0, 2)])
    stage, explanations = easiest(Board((".1##",), mines=1))
    assert stage == "single point" and {explanation.cell: explanation.mine for explanation in explanations} == {
        Cell(0, 2): True
    }
    stage, explanations = easiest(Board((".1*#",), mines=1))
    assert (stage, [(explanation.cell, explanation.mine, explanation.total) for explanation in explanations]) == (
        "mine total", [(Cell(0, 3), False, True)],
    )  # fmt: skip
    assert easiest(Board(("##", "1#"), mines=1)) == ("", [])


@pytest.mark.extended
def test_cells_whose_proof_is_too_long_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other cells come first, also of a later stage; without any the solution ends."""
    layout = hard("several").trace.layout
    genuine = proofs.prove
    given_up: list[Cell] = []

    def prove(explanation: Explanation, covered: dict[Cell, None] | None = None) -> object:
        if not given_up or hopeless:
            given_up.append(explanation.cell)
            return None
        return genuine(explanation, covered)

    monkeypatch.setattr(proofs, "prove", prove)
    hopeless = False
    found = walkthrough(layout)
    assert found.record.won and len(given_up) == 1 and check(found.trace).proofs > 0
    assert not any(certificate.uncertified for certificate in found.trace.certificates)
    first = found.trace.certificates[0]
    assert given_up[0] not in {proof.cell for proof in first.proofs}
    told = [move for move in found.record.moves if move.inference and move.inference.rule != "single point"]
    assert {move.cell for move in told if move.turn == told[0].turn} <= {proof.cell for proof in first.proofs}
    hopeless = True
    assert not walkthrough(layout).record.won


@pytest.mark.extended
def test_forced_cells_are_found_without_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the same if no state is allowed, also with the mine total."""
    for kind in HARD:
        layout = hard(kind).trace.layout
        with monkeypatch.context() as patch:
            patch.setattr(walkthroughs, "FORCED_BUDGET", Budget(states=0))
            assert walkthrough(layout) == hard(kind)


def test_the_total_takes_part() -> None:
    layout = Layout(("...*.",), start=(0, 0))
    found = walkthrough(layout)
    assert found.record.won and check(found.trace) == Checked(1, 1)
    assert found.trace.certificates[0].proofs[0].total == 1
    inference = found.record.moves[-1].inference
    assert inference is not None and inference.rule == "mine total"
    assert inference.clues == (Cell(0, 0), Cell(0, 1), Cell(0, 2))


# --- rejected traces -------------------------------------------------------------------------------------------------


def without(trace: Trace, number: int) -> Trace:
    return replace(trace, certificates=trace.certificates[:number] + trace.certificates[number + 1 :])


@pytest.mark.extended
@every_kind
def test_every_certificate_is_needed(kind: str) -> None:
    trace = hard(kind).trace
    for number in range(len(trace.certificates)):
        with pytest.raises(Rejected):
            check(without(trace, number))
    again = replace(trace, certificates=(*trace.certificates, trace.certificates[-1]))
    with pytest.raises(Rejected, match=f"certificate {len(again.certificates)}: the board is cleared before"):
        check(again)


@pytest.mark.extended
@every_kind
def test_tampered_certificates(kind: str) -> None:
    trace = hard(kind).trace
    first = trace.certificates[0]
    proof, *rest = first.proofs
    for said, certificate in (
        ("", replace(first, proofs=(replace(proof, mine=not proof.mine), *rest))),
        ("", replace(first, proofs=(replace(proof, clues=(), total=None), *rest))),
        ("expected proofs", replace(first, proofs=())),
        ("expected proofs, and of every cell", replace(first, proofs=tuple(rest), uncertified=(proof.cell,))),
        ("the certificate is for another board", replace(first, board=first.board.with_exploded([proof.cell]))),
        ("the certificate is for", replace(first, board=replace(first.board, mines=trace.layout.mines + 1))),
    ):
        with pytest.raises(Rejected, match=f"certificate 1: {said}"):
            check(replace(trace, certificates=(certificate, *trace.certificates[1:])))


@pytest.mark.extended
@every_kind
def test_other_layouts(kind: str) -> None:
    """With a mine moved a trace is rejected, unless single numbers find it at last."""
    trace = hard(kind).trace
    layout = trace.layout
    mines = {index for index, symbol in enumerate("".join(layout.cells)) if symbol == "*"}
    assert layout.start is not None
    safe = sorted(set(range(layout.rows * layout.cols)) - mines - {layout.index(layout.start)})
    rejected = 0
    for mine in sorted(mines):
        other = replace(trace, layout=layout.with_mines(mines - {mine} | {safe[mine % len(safe)]}))
        try:
            check(other)
        except Rejected:
            rejected += 1
        else:
            assert walkthrough(other.layout).trace == other
    assert rejected


def test_starts() -> None:
    with pytest.raises(BoardError, match="expected a layout with a start"):
        check(Trace(Layout((".*",))))
    with pytest.raises(Rejected, match="cell 0,1: the start is a mine"):
        check(Trace(Layout((".*",), start=(0, 1))))
    with pytest.raises(Rejected, match="expected another certificate: 2 safe cells are still covered"):
        check(Trace(Layout(("..*.",), start=(0, 3))))
    assert check(Trace(Layout(("...", "..."), start=(1, 1)))) == Checked(0, 0)


# --- files -----------------------------------------------------------------------------------------------------------


REGISTRY = Registry().with_resource(
    "urn:satsweep:schema:certificate", Resource.from_contents(schema_of("certificate").schema)
)
VALIDATOR = Draft202012Validator(schema_of("trace").schema, registry=REGISTRY)


@pytest.mark.extended
@every_kind
def test_json(kind: str) -> None:
    trace = hard(kind).trace
    text = certificates.to_json(trace)
    assert certificates.from_json(text) == trace
    VALIDATOR.validate(json.loads(text))


def test_json_without_certificates() -> None:
    trace = walkthrough(Layout(("..*", "..."), start=(1, 0))).trace
    text = certificates.to_json(trace)
    assert not trace.certificates and certificates.from_json(text) == trace
    VALIDATOR.validate(json.loads(text))


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, Path]:
    trace = hard("pairs").trace
    layout, proofs = tmp_path / "board.txt", tmp_path / "trace.json"
    layout.write_text(str(trace.layout))
    proofs.write_text(certificates.to_json(trace))
    return layout, proofs


@pytest.mark.extended
def test_verify(written: tuple[Path, Path]) -> None:
    checked = check(hard("pairs").trace)
    result = invoke("verify", *written)
    assert (result.exit_code, result.stderr) == (0, "")
    positions = f"{checked.positions} position{'s' * (checked.positions != 1)}"
    assert result.stdout == f"accepted: needs no guess from 0,0, {checked.proofs} cells proved in {positions}\n"


@pytest.mark.extended
def test_verify_rejects(written: tuple[Path, Path]) -> None:
    layout, proofs = written
    trace = hard("pairs").trace
    proofs.write_text(certificates.to_json(without(trace, 0)))
    result = invoke("verify", layout, proofs)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{proofs}: rejected: ") and result.stderr.count("\n") == 1
    proofs.write_text(certificates.to_json(trace))
    layout.write_text(str(Layout(trace.layout.cells, start=(0, 1))))
    assert (
        invoke("verify", layout, proofs).stderr == f"{proofs}: rejected: the trace starts at 0,0, the layout at 0,1\n"
    )
    layout.write_text(str(Layout(trace.layout.cells)))
    assert invoke("verify", layout, proofs).exit_code == 0
    layout.write_text(str(hard("several").trace.layout))
    assert invoke("verify", layout, proofs).stderr == f"{proofs}: rejected: the trace is for another layout\n"
    proofs.write_text('{"certificates": 1}')
    assert invoke("verify", layout, proofs).exit_code == 3
    layout.write_text("...\n..")
    proofs.write_text(certificates.to_json(trace))
    assert invoke("verify", layout, proofs).exit_code == 3


@pytest.mark.extended
def test_no_solver_is_loaded(written: tuple[Path, Path]) -> None:
    assert "satsweep.proofs.trace" in modules_of_verify(*written)


@pytest.mark.extended
def test_repaired_boards_have_traces() -> None:
    for run in range(3):
        found = first_mended(BoardSpec(12, 12, 36), f"repaired/{run}", range(20), 500, METER, compiled=True)
        assert found is not None
        check(walkthrough(found.layout).trace)
