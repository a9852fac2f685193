"""The sweep: its terms, its orders, its limits, and the other engine on the same boards."""

import math
from collections import deque
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep import BudgetExceeded, Layout, fewest_clicks, random_layout
from satsweep.clicks import bounds, certify, certify_clicks, fewest, sweep
from satsweep.clicks.sweep_order import ChordTerms, find_order, predicted_states
from satsweep.kernels.clicks import layers
from satsweep.kernels.clicks.layers import LayerSweep
from satsweep.kernels.clicks.plan import NEAR, SLOTS, Terms, plan_steps
from satsweep.proofs.clicks import check_clicks
from satsweep.solver import compiled
from satsweep.topology import TOPOLOGIES
from tests.clicks.test_fewest import check_path, model_of
from tests.strategies import layouts


def by_cores(layout: Layout, seconds: float = 60.0) -> fewest.FewestClicks:
    """The fewest clicks without a sweep."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "MOST_PREDICTED", -math.inf)
        return fewest_clicks(layout, seconds=seconds)


def swept(terms: ChordTerms, order: list[int]) -> tuple[int, list[int]]:
    """Clicks of a best choice, and its chords, by a sweep in an order."""
    found = compiled.layer_sweep(order, terms.chords, terms.openings, terms.mines, terms.numbers)
    assert found is not None and found.advance(10**9)
    return found.cost + terms.others, [order[step] for step in found.chosen()]


@given(layouts(max_cells=30), st.data())
def test_terms_are_the_clicks_of_a_choice(layout: Layout, data: st.DataObject) -> None:
    model = model_of(layout)
    if not model.chords:
        return
    chosen = data.draw(st.sets(st.sampled_from(range(len(model.chords)))))
    terms = ChordTerms.of(model)
    touched = {place: chosen & terms.chords[place] for place in chosen}
    openings = {opening: {place for place in chosen if opening in terms.openings[place]}
                for opening in frozenset().union(*terms.openings)}  # fmt: skip
    blocks = [{("chord", place) for place in {one, *near}} for one, near in touched.items()]
    blocks += [{("opening", one), *(("chord", place) for place in near)} for one, near in openings.items()]
    merged: list[set[tuple[str, int]]] = []
    for block in blocks:
        apart = [other for other in merged if not other & block]
        merged = [*apart, block.union(*[other for other in merged if other & block])]
    everywhere = len(openings) - len(merged)  # blocks that chords saved, or added
    flags = set().union(*[terms.mines[place] for place in chosen])
    left = frozenset().union(*terms.numbers) - frozenset().union(*[terms.numbers[place] for place in chosen])
    clicks = len(chosen) + len(flags) - everywhere + len(left) + terms.others
    assert clicks == model.cost(model.completed(chosen))


@pytest.mark.parametrize("topology", ["square", *TOPOLOGIES])
def test_equal_in_any_order_and_to_cores(topology: str) -> None:
    rng = Random(topology)
    for seed in range(6):
        layout = random_layout(6, 6, rng.randint(4, 10), seed, topology=topology)
        model = model_of(layout)
        if not model.chords:
            continue
        terms, orders = ChordTerms.of(model), [list(range(len(model.chords))) for _ in range(3)]
        rng.shuffle(orders[1])
        orders[2].reverse()
        found = [swept(terms, order) for order in orders if plan_steps(Terms(*list_of(terms)), order)]
        assert len({clicks for clicks, _ in found}) == 1
        assert all(model.cost(model.completed(chosen)) == clicks for clicks, chosen in found)
        proved = by_cores(layout)
        assert proved.proved and proved.upper == found[0][0]


def list_of(terms: ChordTerms) -> list[tuple[frozenset[int], ...]]:
    return [terms.chords, terms.openings, terms.mines, terms.numbers]


def test_equal_to_cores_on_intermediate_boards() -> None:
    for seed in range(1):
        layout = random_layout("intermediate", seed=f"sweep {seed}")
        found, other = fewest_clicks(layout, ()), by_cores(layout, 5.0)
        assert found.proved and found.cores is None
        assert other.lower <= found.upper <= other.upper
        check_path(found)


@pytest.mark.slow
def test_equal_to_cores_on_50_intermediate_boards() -> None:
    for seed in range(50):
        layout = random_layout("intermediate", seed=f"sweep {seed}")
        found, other = fewest_clicks(layout, ()), by_cores(layout)
        assert found.proved and other.lower <= found.upper <= other.upper
        assert not other.proved or other.upper == found.upper


def test_an_expert_board_in_a_moment() -> None:
    """Its bounds were 114 and 117 after a minute of the search for cores."""
    found = fewest_clicks(random_layout("expert", seed="clicks 4"), (), seconds=30.0)
    assert (found.upper, found.proved, found.cores) == (117, True, None)
    check_path(found)


def test_an_order_of_few_states_is_found() -> None:
    layout = random_layout("expert", seed="clicks 4")
    model = model_of(layout)
    terms, cells = ChordTerms.of(model), [chord.cell for chord in model.chords]
    order, predicted = find_order(terms, cells, layout.cols)
    columns = sorted(range(len(cells)), key=lambda place: (cells[place] % layout.cols, cells[place]))
    scopes = list(terms.scopes())
    assert sorted(order) == list(range(len(cells)))
    assert predicted == predicted_states(scopes, order) < predicted_states(scopes, columns) - 0.5


def test_memory_grows_as_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = random_layout("intermediate", seed=3)
    best = fewest_clicks(layout)
    monkeypatch.setattr(layers, "FIRST_ROOM", 4)
    assert fewest_clicks(layout) == best


def test_a_sweep_beyond_its_memory_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for cores goes on alone."""
    layout = random_layout(10, 10, 20, seed=1)
    best = fewest_clicks(layout)
    assert best.cores is None
    for limit in ("MOST_ROOM", "MOST_TRACED"):
        with monkeypatch.context() as patch:
            patch.setattr(layers, "FIRST_ROOM", 4)
            patch.setattr(layers, limit, 16)
            found = fewest_clicks(layout)
        assert found.proved and found.cores is not None and found.upper == best.upper


@pytest.mark.parametrize("turns", [0, 3 * sweep.SLICE])
def test_both_searches_in_turns(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "SLICE", 100)
    monkeypatch.setattr(fewest, "SWEPT", turns)
    for seed in range(2):
        layout = random_layout(10, 10, 20, seed)
        found, best = list(bounds(layout, ())), by_cores(layout)
        assert found[-1].proved and best.proved and found[-1].upper == best.upper
        for one, other in zip(found, found[1:], strict=False):
            assert one.lower <= other.lower <= best.upper <= other.upper <= one.upper


def test_without_a_library_cores_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = random_layout(8, 8, 10, seed=1)
    best = fewest_clicks(layout)
    monkeypatch.setattr(compiled, "can_sweep", lambda: False)
    found = fewest_clicks(layout)
    assert best.cores is None and found.cores is not None and found.upper == best.upper


def test_a_plan_has_limits() -> None:
    """More openings at once than slots, more mines than bits, more later chords than places."""

    def is_planned(chords: int, **own: set[int]) -> bool:
        none: list[set[int]] = [set() for _ in range(chords)]
        terms = {"chords": none, "openings": none, "mines": none, "numbers": none}
        terms |= {name: [things] * chords for name, things in own.items()}
        return plan_steps(Terms(**terms), range(chords)) is not None

    assert is_planned(2, openings=set(range(SLOTS - 1))) and not is_planned(2, openings=set(range(SLOTS)))
    assert is_planned(2, mines=set(range(40)), numbers=set(range(24)))
    assert not is_planned(2, mines=set(range(40)), numbers=set(range(25)))
    for count in (NEAR, NEAR + 1):
        star = [set(range(1, count + 1)), *({0} for _ in range(count))]
        none = [set[int]() for _ in star]
        assert (plan_steps(Terms(star, none, none, none), range(count + 1)) is None) == (count > NEAR)


def test_blocks_beyond_their_labels() -> None:
    """Chords that a last one touches, all worth their click, and blocks of their own."""
    for count, is_done in ((15, True), (16, None)):
        star = [*({count} for _ in range(count)), set(range(count))]
        none = [set[int]() for _ in star]
        numbers = [set(range(3 * chord, 3 * chord + 3)) for chord in range(count + 1)]
        steps = plan_steps(Terms(star, none, none, numbers), range(count + 1))
        assert steps is not None
        assert LayerSweep(steps).advance(10**9) is is_done


def test_a_proof_for_a_board_that_was_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = random_layout("beginner", seed=1)
    found = fewest_clicks(layout, (0, 0) if not layout.is_mine((0, 0)) else ())
    assert found.cores is None
    proof = certify_clicks(found)
    assert proof.clicks == found.upper
    check_clicks(proof)
    monkeypatch.setattr(certify, "SECONDS", 0.0)
    with pytest.raises(BudgetExceeded, match=rf"expected cores of {found.lower} clicks within 0 seconds"):
        certify_clicks(found)


def test_bounds_of_cores_have_the_choice_of_the_sweep() -> None:
    layout = random_layout("intermediate", seed=3)
    first, *rest = bounds(layout, (), seconds=0.5, cores=True)
    last = deque(rest, maxlen=1)[0]
    assert first.cores is not None and last.cores is not None
    assert last.upper == fewest_clicks(layout, ()).upper and last.lower == len(last.cores.cores)


def test_a_sweep_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "SLICE", 500)
    found = list(bounds(random_layout("expert", seed="clicks 4"), (), seconds=60.0))
    swept = [one.swept for one in found if one.swept]
    assert swept == sorted(swept) and len(set(swept)) > 10 and 0 < swept[0] < swept[-1] < 1
    assert found[-1].proved and found[-1].swept == 0
    assert found[1] == found[0], "bounds that do not change are equal"
