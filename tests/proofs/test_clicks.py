"""Proofs of fewest clicks: accepted where they are right, and no planted error gets through."""

import shutil
import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st
from pysat.solvers import Solver

from satsweep import BudgetExceeded, Layout, fewest_clicks, random_layout
from satsweep.clicks.certify import certify_clicks
from satsweep.formats import certificates
from satsweep.proofs import clicks as checker
from satsweep.proofs.certificate import Rejected, WorkLimit
from satsweep.proofs.clicks import (
    ClicksProof,
    Counted,
    CountedKind,
    Counting,
    check_clicks,
    clicks_line,
    dimacs,
)
from satsweep.proofs.covered_cells import CoveredCells, Replaced
from tests.clicks import fewest_by_trying
from tests.proofs.certificates import is_refutation
from tests.strategies import layouts

DRAT_TRIM = shutil.which("drat-trim")
BOARD = random_layout("beginner", seed="clicks 2")


def is_accepted(proof: ClicksProof) -> bool:
    try:
        check_clicks(proof)
    except Rejected:
        return False
    return True


@pytest.fixture(scope="module")
def proof() -> ClicksProof:
    found = certify_clicks(fewest_clicks(BOARD))
    assert found.clicks == 12 and found.replaced and len(found.refutation) > 1_000
    return found


@given(layouts(max_cells=40), st.data())
def test_every_bound_has_a_proof(layout: Layout, data: st.DataObject) -> None:
    """Whole games of all topologies, also from first digs, and of bounds that are not best."""
    safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
    first = data.draw(st.lists(st.sampled_from(safe), max_size=1)) if safe else []
    found = fewest_clicks(layout, first, seconds=data.draw(st.sampled_from([60.0, 0.0])))
    proof = certify_clicks(found)
    assert proof.clicks == found.lower
    check_clicks(proof)
    assert certificates.from_json(certificates.to_json(proof)) == proof
    if proof.cores:
        assert is_refutation("".join(dimacs(proof)), proof.refutation)


def test_a_proof_of_a_larger_board() -> None:
    layout = random_layout("intermediate", seed="clicks 1")
    found = fewest_clicks(layout)
    proof = certify_clicks(found)
    assert proof.clicks == 36
    steps = check_clicks(proof)
    assert clicks_line(proof, steps) == f"accepted: no fewer than 36 clicks clear the layout, 36 cores, {steps:,} steps"
    with pytest.raises(BudgetExceeded, match="expected a proof of at most 0.01 MB"):
        certify_clicks(found, 10_000)


@pytest.mark.skipif(DRAT_TRIM is None, reason="drat-trim is not installed")
def test_drat_trim_verifies(proof: ClicksProof, tmp_path: Path) -> None:
    assert DRAT_TRIM is not None
    files = [tmp_path / "clicks.cnf", tmp_path / "clicks.drup"]
    files[0].write_text("".join(dimacs(proof)))
    files[1].write_text(proof.refutation)
    assert "s VERIFIED" in subprocess.run([DRAT_TRIM, *map(str, files)], capture_output=True, text=True).stdout


def test_clauses_that_are_needed(proof: ClicksProof) -> None:
    """Without a set whose clause is needed the proof is refused; so it is without a chord's flags."""
    needed = 0
    for place in range(len(proof.sets)):
        fewer = replace(proof, sets=(*proof.sets[:place], *proof.sets[place + 1 :]))
        clauses, _ = Counting.of(fewer).formula()
        with Solver(name="glucose4", bootstrap_with=clauses) as solver:
            if solver.solve():
                needed += 1
                assert not is_accepted(fewer)
    assert needed > 5


def test_sets_that_need_not_be_entered(proof: ClicksProof) -> None:
    """A set is refused unless an entry is needed: nothing spills into it, and it has nodes only."""
    covered = CoveredCells(BOARD)
    opening, border = next((opening, border) for opening, border in covered.spills.items() if border)
    inside = next(cell for cell, node in covered.node_of.items() if node == opening and cell != opening)
    mine = covered.mined.index(True)
    for nodes in [sorted(border), [min(border)], [inside], [mine], [10_000], []]:
        with pytest.raises(Rejected, match="expected a set"):
            check_clicks(replace(proof, sets=(*proof.sets, tuple(nodes))))


def test_chords_that_must_not_be_left_out(proof: ClicksProof) -> None:
    covered = CoveredCells(BOARD)
    for one in proof.replaced:
        covered.replace(one)
    shared = 0
    for chord, (opens, mines) in covered.chords.items():
        for few in [(), (covered.digs[0],), tuple(covered.digs), (chord,)]:
            with pytest.raises(Rejected, match=r"expected (digs that open|a chord)"):
                check_clicks(replace(proof, replaced=(*proof.replaced, Replaced(chord, few))))
        # as good but for flags that other chords need, too
        digs = {
            next(one for one in covered.digs if node == one or node in covered.spills.get(one, ())) for node in opens
        }
        shared += len(digs) <= 1 + len(mines)
        with pytest.raises(Rejected, match="expected digs that open"):
            check_clicks(replace(proof, replaced=(*proof.replaced, Replaced(chord, tuple(digs)))))
    assert shared
    with pytest.raises(Rejected, match="expected a chord that is there"):
        check_clicks(replace(proof, replaced=(*proof.replaced, proof.replaced[0])))


def test_bounds_and_cores(proof: ClicksProof) -> None:
    for clicks in (proof.clicks - 1, proof.clicks + 1, 0):
        with pytest.raises(Rejected, match="the cores show that 12 clicks are needed"):
            check_clicks(replace(proof, clicks=clicks))
    again = replace(proof, clicks=13, cores=(*proof.cores, proof.cores[0]))
    with pytest.raises(Rejected, match="step 13: expected what is left to be counted, found a"):
        check_clicks(again)
    later = (Counted(CountedKind.CORE, 20, 2),)
    with pytest.raises(Rejected, match="step 1: expected what is left to be counted, found at least 2 of core 20"):
        check_clicks(replace(proof, clicks=13, cores=(later, *proof.cores)))
    twice = (Counted(CountedKind.CORE, 0, len(proof.cores[0]) + 1),)
    with pytest.raises(Rejected, match="step 13"):
        check_clicks(replace(proof, clicks=13, cores=(*proof.cores, twice)))
    assert not is_accepted(replace(proof, clicks=13, cores=(*proof.cores, ())))
    assert not is_accepted(replace(proof, clicks=13, first=(BOARD.board(()).cell(0),)))


def counted_twice(layout: Layout) -> ClicksProof:
    """A core of all clicks, and one of all that is counted of it: clauses by the square of the certificate."""
    covered = CoveredCells(layout)
    flags = sorted({mine for _, mines in covered.chords.values() for mine in mines})
    kinds = (CountedKind.DIG, covered.digs), (CountedKind.CHORD, covered.chords), (CountedKind.FLAG, flags)
    core = tuple(Counted(kind, cell) for kind, cells in kinds for cell in cells)
    later = tuple(Counted(CountedKind.CORE, 0, least) for least in range(2, len(core) + 1))
    return ClicksProof(layout, 2, cores=(core, later), refutation="0\n")


CHECKS: list[Callable[[ClicksProof], object]] = [check_clicks, lambda proof: list(dimacs(proof))]
TOO_MUCH = "expected a certificate that takes less work to check"


def test_the_work_of_a_check_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = counted_twice(random_layout(12, 12, 25, seed=3))
    monkeypatch.setattr(checker, "WorkLimit", lambda: WorkLimit(10_000))
    for check in CHECKS:
        with pytest.raises(Rejected, match=TOO_MUCH):
            check(proof)


@pytest.mark.extended
def test_the_memory_of_a_check_is_limited() -> None:
    proof = counted_twice(random_layout(36, 36, 230, seed=3))
    tracemalloc.start()
    try:
        for check in CHECKS:
            with pytest.raises(Rejected, match=TOO_MUCH):
                check(proof)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_cut_proofs_and_other_layouts(proof: ClicksProof) -> None:
    lines = proof.refutation.splitlines()
    for end in range(0, len(lines) - 13, max(1, len(lines) // 20)):
        assert not is_accepted(replace(proof, refutation="\n".join(lines[:end])))
    assert not is_accepted(replace(proof, layout=random_layout("beginner", seed="another")))
    for first in ((-1, 0), (9, 9)):
        with pytest.raises(Rejected, match="expected a first dig on the board"):
            check_clicks(replace(proof, first=(BOARD.board(()).cell(0)._replace(row=first[0]),)))


def changed(proof: ClicksProof, rng: Random) -> Iterator[ClicksProof]:
    """A proof with an error, or two."""
    layout = proof.layout
    cells = len(layout.symbols)
    lines = proof.refutation.splitlines(keepends=True)
    covered = CoveredCells(layout)
    place = rng.randrange(len(proof.cores))
    core = proof.cores[place]
    kind = rng.choice(list(CountedKind))
    thing = Counted(kind, rng.randrange(cells), rng.randrange(4) if kind is CountedKind.CORE else 1)
    nodes = tuple(rng.sample(sorted(set(covered.node_of.values())), rng.randint(1, len(set(covered.node_of.values())))))
    one = Replaced(rng.randrange(cells), tuple(rng.sample(covered.digs, min(len(covered.digs), rng.randrange(3)))))
    more = replace(proof, clicks=proof.clicks + 1, cores=(*proof.cores, (thing,)))
    yield more
    yield replace(proof, sets=(*proof.sets, nodes))
    yield replace(more, sets=(*proof.sets, nodes))
    yield replace(more, replaced=(*proof.replaced, one))
    yield replace(proof, cores=(*proof.cores[:place], (*core, thing), *proof.cores[place + 1 :]))
    yield replace(proof, cores=(*proof.cores[:place], core[1:], *proof.cores[place + 1 :]))
    yield replace(more, cores=(*proof.cores[:place], core[1:], *proof.cores[place + 1 :], core[:1]))
    yield replace(more, cores=(*proof.cores, core))
    flipped = {rng.randrange(cells)} ^ {cell for cell, symbol in enumerate(layout.symbols) if symbol == "*"}
    yield replace(proof, layout=layout.with_mines(flipped))
    if lines:
        cut = rng.randrange(len(lines))
        yield replace(proof, refutation="".join(lines[:cut] + lines[cut + 1 :]))
        yield replace(more, refutation="".join(lines[:cut]) + f"{rng.randint(1, 9)} 0\n" + "".join(lines[cut:]))


@given(layouts(max_cells=12), st.randoms(use_true_random=False))
def test_what_is_accepted_is_true(layout: Layout, rng: Random) -> None:
    """Of proofs with errors, all that are accepted claim no more than breadth-first search finds."""
    proof = certify_clicks(fewest_clicks(layout, ()))
    for wrong in changed(proof, rng) if proof.cores else ():
        if is_accepted(wrong):
            mines = {cell for cell, symbol in enumerate(wrong.layout.symbols) if symbol == "*"}
            table = layout.topology.neighbours(layout.rows, layout.cols)
            assert fewest_by_trying(table, mines, most=wrong.clicks - 1) is None


def test_games_in_play_have_no_proof() -> None:
    layout = Layout(("....", ".*..", "...."))
    with pytest.raises(ValueError, match="a whole game"):
        certify_clicks(fewest_clicks(layout, board=layout.board([(0, 0)])))
