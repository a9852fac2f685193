"""The lower bound raised by the question about all clicks, without the search for cores."""

from collections.abc import Iterator
from itertools import product
from math import inf
from random import Random

import pytest
from hypothesis import given

from satsweep import Layout, fewest_clicks, random_layout
from satsweep.clicks import certify_clicks, fewest, sweep
from satsweep.clicks.closing import TOGETHER, Closing, regions
from satsweep.clicks.search import CoreSearch
from satsweep.proofs.clicks import check_clicks
from tests.clicks.test_fewest import check_small, model_of, random_small, table_of
from tests.strategies import layouts


@pytest.fixture
def without_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only ``Closing`` raises the lower bound of a whole board."""

    def nothing(search: CoreSearch) -> Iterator[int]:
        return iter(())

    monkeypatch.setattr(sweep, "MOST_PREDICTED", -inf)
    monkeypatch.setattr(CoreSearch, "steps", nothing)
    monkeypatch.setattr(fewest, "ALONE", 0)
    monkeypatch.setattr(fewest, "CLOSE", 1_000)


@pytest.mark.usefixtures("without_cores")
def test_equal_to_breadth_first_search() -> None:
    rng = Random("closing")
    for _ in range(60):
        check_small(random_small(rng, 12))


@pytest.mark.usefixtures("without_cores")
def test_its_bound_is_certified() -> None:
    """All that was assumed away is a core, and at least 2 of it, and so on."""
    rng = Random("certified")
    for _ in range(20):
        layout = random_small(rng, 20)
        found = fewest_clicks(layout, ())
        assert found.proved
        check_clicks(certify_clicks(found))


@pytest.mark.parametrize("raised", [1, 2])
def test_a_bound_after_some_cores_is_certified(raised: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for cores stops where so many clicks are left to prove."""
    monkeypatch.setattr(sweep, "MOST_PREDICTED", -inf)
    monkeypatch.setattr(fewest, "ALONE", 0)
    monkeypatch.setattr(fewest, "CLOSE", 2)
    steps = CoreSearch.steps
    for seed in range(2):
        layout = random_layout(8, 8, 12, seed)
        best = fewest_clicks(layout).upper

        def some(search: CoreSearch, enough: int = best - raised) -> Iterator[int]:
            for effort in steps(search):
                if search.lower >= enough:
                    return
                yield effort

        with monkeypatch.context() as patch:
            patch.setattr(CoreSearch, "steps", some)
            found = fewest_clicks(layout)
        assert found.proved and found.upper == best
        assert found.cores is not None and len(found.cores.cores) == best
        check_clicks(certify_clicks(found))


def test_totals_follow_from_clicks() -> None:
    """Each total is true when so many clicks are made, and may be false when fewer are."""
    layout = random_layout(4, 5, 6, 1)
    search = CoreSearch(model_of(layout))
    search.sets.clear()
    closing = Closing(search)
    numbers = list(search.variables.cells)
    rng = Random(0)
    for _, most in product(range(10), range(search.upper)):
        made = set(rng.sample(numbers, most))
        digs = [number if number in made else -number for number in numbers]
        for place, total in enumerate(closing._at_least[: search.upper]):
            assert closing._solver.propagate([*digs, -total])[0] is (place >= most) or _breaks(search, made)
    closing.close()
    search.close()


def _breaks(search: CoreSearch, made: set[int]) -> bool:
    """True if a chord has no flags."""
    return any(-one in made and other not in made for one, other in map(sorted, search.variables.flag_clauses()))


@given(layouts(max_cells=40))
def test_regions_hold_all_cells_once(layout: Layout) -> None:
    found = list(regions(table_of(layout)))
    assert found[-1] == frozenset(range(len(layout.symbols)))
    for region in found:
        halves = [other for other in found if other < region]
        assert len(region) <= TOGETHER or region == frozenset().union(*halves)
