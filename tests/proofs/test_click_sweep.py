"""Proofs by an order of the chords: true numbers pass, false claims are refused."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep import BudgetExceeded, Layout, fewest_clicks, random_layout
from satsweep.clicks.certify import certify_sweep
from satsweep.formats import certificates
from satsweep.proofs import click_sweep
from satsweep.proofs.certificate import Rejected, WorkLimit
from satsweep.proofs.click_sweep import SweepProof, check_sweep, least_clicks, sweep_line
from satsweep.proofs.covered_cells import CoveredCells, Replaced
from tests.clicks import fewest_by_trying
from tests.strategies import examples, layouts

BOARD = random_layout("beginner", seed="clicks 2")


def is_accepted(proof: SweepProof) -> bool:
    try:
        check_sweep(proof)
    except Rejected:
        return False
    return True


def truth(layout: Layout) -> int | None:
    mines = {cell for cell, symbol in enumerate(layout.symbols) if symbol == "*"}
    return fewest_by_trying(layout.topology.neighbours(layout.rows, layout.cols), mines)


@pytest.fixture(scope="module")
def proof() -> SweepProof:
    found = certify_sweep(fewest_clicks(BOARD))
    assert found.clicks == 12 and found.replaced and len(found.order) > 5
    return found


@given(layouts(max_cells=40), st.data())
def test_fewest_clicks_have_a_proof(layout: Layout, data: st.DataObject) -> None:
    """Whole games of all topologies, also from first digs."""
    safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
    first = data.draw(st.lists(st.sampled_from(safe), max_size=1)) if safe else []
    found = fewest_clicks(layout, first)
    proof = certify_sweep(found)
    assert proof.clicks == found.upper
    assert certificates.from_json(certificates.to_json(proof)) == proof
    for wrong in (proof.clicks - 1, proof.clicks + 1):
        assert not is_accepted(replace(proof, clicks=wrong))


@examples(150)
@given(layouts(max_cells=14), st.randoms(use_true_random=False))
def test_any_order_finds_what_trying_all_clicks_finds(layout: Layout, rng: Random) -> None:
    """No chord is left out beforehand."""
    covered = CoveredCells(layout)
    order = rng.sample(sorted(covered.chords), len(covered.chords))
    assert least_clicks(covered, order, WorkLimit(inf)).clicks == truth(layout)


@pytest.mark.parametrize(("side", "boards"), [(5, 12), pytest.param(6, 5, marks=pytest.mark.extended)])
@pytest.mark.parametrize("topology", ["square", "torus", "hexagonal", "knight"])
def test_any_order_of_larger_boards(topology: str, side: int, boards: int) -> None:
    """States dominate each other here; the number is that of the other engines."""
    rng = Random(topology)
    for seed in range(boards):
        layout = random_layout(side, side, rng.randint(4, 12), seed, topology=topology)
        covered, best = CoveredCells(layout), fewest_clicks(layout, ())
        order = rng.sample(sorted(covered.chords), len(covered.chords))
        assert best.proved
        assert least_clicks(covered, order, WorkLimit(inf)).clicks == best.upper, (layout, order)


@pytest.mark.extended
def test_an_expert_board() -> None:
    best = fewest_clicks(random_layout("expert", seed="clicks 4", start=(0, 0)))
    proof = certify_sweep(best)
    said = sweep_line(proof, check_sweep(proof))
    assert said.startswith(
        f"accepted: no fewer than {best.upper} clicks that begin with digs at 0,0 clear the layout, "
    )
    assert len(certificates.to_json(proof)) < 5_000


def test_orders_that_leave_a_chord_out(proof: SweepProof) -> None:
    """Without chords there are more clicks, so each has to be there, once."""
    mine = BOARD.symbols.index("*")
    for order in (
        (), proof.order[1:], proof.order[:-1], (*proof.order, proof.order[0]), (mine, *proof.order[1:]),
        (*proof.order, -1), (*proof.order, 10**6), (*proof.order, proof.replaced[0].chord),
    ):  # fmt: skip
        with pytest.raises(Rejected, match=rf"expected each of the {len(proof.order)} chords once in the order"):
            check_sweep(replace(proof, order=order))


def test_chords_that_must_not_be_left_out(proof: SweepProof) -> None:
    covered = CoveredCells(BOARD)
    for chord in proof.order:
        for digs in ((), (covered.digs[0],), tuple(covered.digs)):
            wrong = replace(proof, replaced=(*proof.replaced, Replaced(chord, digs)))
            with pytest.raises(Rejected, match="expected digs that open what the chord"):
                check_sweep(replace(wrong, order=tuple(one for one in proof.order if one != chord)))


def changed(proof: SweepProof, rng: Random) -> Iterator[SweepProof]:
    """A proof with an error, or two."""
    layout, cells = proof.layout, len(proof.layout.symbols)
    covered = CoveredCells(layout)
    flipped = {rng.randrange(cells)} ^ {cell for cell, symbol in enumerate(layout.symbols) if symbol == "*"}
    other = layout.with_mines(flipped)
    order = tuple(sorted(CoveredCells(other).chords))
    one = Replaced(rng.randrange(cells), tuple(rng.sample(covered.digs, min(len(covered.digs), rng.randrange(3)))))
    for clicks in range(max(0, proof.clicks - 2), proof.clicks + 3):
        yield SweepProof(other, clicks, order=order)
        yield replace(proof, clicks=clicks, order=tuple(rng.sample(proof.order, len(proof.order))))
        left = tuple(chord for chord in proof.order if chord != one.chord)
        yield replace(proof, clicks=clicks, replaced=(*proof.replaced, one), order=left)
        yield replace(proof, clicks=clicks, replaced=())
        yield replace(proof, clicks=clicks, replaced=(), order=tuple(covered.chords))


@given(layouts(max_cells=12), st.randoms(use_true_random=False))
def test_what_is_accepted_is_true(layout: Layout, rng: Random) -> None:
    """Of changed proofs, all that are accepted claim what breadth-first search finds."""
    accepted = [one for one in changed(certify_sweep(fewest_clicks(layout, ())), rng) if is_accepted(one)]
    assert accepted
    for one in accepted:
        assert truth(one.layout) == one.clicks


def test_other_layouts_and_first_digs(proof: SweepProof) -> None:
    assert not is_accepted(replace(proof, layout=random_layout("beginner", seed="another")))
    cell = BOARD.board(()).cell(0)
    for row in (-1, 9):
        with pytest.raises(Rejected, match="expected a first dig on the board"):
            check_sweep(replace(proof, first=(cell._replace(row=row),)))
    assert not is_accepted(replace(proof, first=(cell,)))


def test_the_work_of_a_check_is_limited(proof: SweepProof, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that is too wide, in a bad order, is refused after some states."""
    monkeypatch.setattr(click_sweep, "MOST_WORK", 100_000)
    check_sweep(proof)
    layout = random_layout(40, 40, 320, seed=3)
    order = Random(1).sample(sorted(CoveredCells(layout).chords), len(CoveredCells(layout).chords))
    with pytest.raises(Rejected, match="expected a certificate that takes less work to check"):
        check_sweep(SweepProof(layout, 100, order=tuple(order)))
    monkeypatch.setattr(click_sweep, "MOST_WORK", 1_000)
    with pytest.raises(BudgetExceeded, match="expected a certificate that takes less work to check"):
        certify_sweep(fewest_clicks(BOARD))


def test_what_has_no_proof() -> None:
    layout = Layout(("....", ".*..", "...."))
    with pytest.raises(ValueError, match="a whole game"):
        certify_sweep(fewest_clicks(layout, board=layout.board([(0, 0)])))
    with pytest.raises(ValueError, match="expected the fewest clicks, proved"):
        certify_sweep(fewest_clicks(BOARD, seconds=0))
