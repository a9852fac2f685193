"""One conformance suite for every engine: ``count(component, budget) -> Counts``.

An engine added to ``ENGINES`` is in it by that alone; ``GOLDENS`` makes sure that it has been run on purpose.
"""

import random
from functools import cache
from itertools import pairwise
from math import comb

import pytest
from hypothesis import example, given, strategies as st

from satsweep.board import Board, Cell
from satsweep.errors import BudgetExceeded
from satsweep.layout import Layout
from satsweep.solver import is_installed
from satsweep.solver.budget import Budget
from satsweep.solver.components import Component, Counts, components
from satsweep.solver.constraints import Constraint, exactly, frontier
from satsweep.solver.engines import ENGINES, auto, engine_named, sat
from satsweep.solver.propagate import propagate
from tests import strategies
from tests.placements import counted

ENUMERATING = ("sat", "cpsat")
UNLIMITED = Budget()

# What the work of an engine may say did it: an engine that is not here is not covered.
GOLDENS = {
    "auto": ("elimination", "sat"),
    "elimination": ("elimination",),
    "sat": ("sat",),
    "cpsat": ("cpsat",),
    "compiled": ("compiled", "elimination", "sat"),
}

if not is_installed("ortools"):
    del GOLDENS["cpsat"]

every_engine = pytest.mark.parametrize("name", sorted(GOLDENS))


def chain(length: int, size: int = 1) -> Component:
    """Groups in a row, each two of which hold ``size`` mines.

    There are as many placements as one group has.
    """
    links = (Constraint(pair, exactly(size)) for pair in pairwise(range(length)))
    return Component((size,) * length, tuple(links))


def stars(legs: int) -> Component:
    """Pairs of cells with one mine each, whose first cells hang together.

    There are 2**legs placements.
    """
    pairs = [Constraint((2 * leg, 2 * leg + 1), exactly(1)) for leg in range(legs)]
    together = Constraint(tuple(2 * leg for leg in range(legs)), (1,) * (legs + 1))
    return Component((1,) * (2 * legs), (*pairs, together))


def test_every_engine_is_covered() -> None:
    assert set(ENGINES) == set(GOLDENS), "add the new engine to GOLDENS, and run it here"


@every_engine
def test_the_work_names_the_engine(name: str) -> None:
    work = ENGINES[name](chain(3), UNLIMITED).work
    assert work.engine in GOLDENS[name]
    assert work.states + work.placements > 0


def test_an_unknown_engine() -> None:
    with pytest.raises(ValueError, match=r"expected an engine among auto, .*, found 'magic'"):
        engine_named("magic")


@every_engine
@given(component=st.one_of(strategies.components(), strategies.components(exact=True)))
@example(component=Component((2, 1), (Constraint((0, 1), (0, 3, 0, 1)),)))  # likelihoods with a gap
@example(component=Component((1, 1), (Constraint((0, 1), exactly(3)),)))  # impossible: more than its cells
@example(component=Component((2,), (Constraint((0,), exactly(-1)),)))
@example(component=Component((2, 1), (Constraint((0, 1), (0, 0, 0, 0)),)))
@example(component=Component((2,), (Constraint((0,), exactly(1)), Constraint((0,), exactly(2)))))
@example(component=Component((2, 2), (Constraint((0, 1), (1, 0, 3)), Constraint((0, 1), (0, 2, 0, 1)))))
@example(component=Component((1, 1, 1), tuple(Constraint(pair, exactly(1)) for pair in ((0, 1), (1, 2), (0, 2)))))
def test_counts_are_those_of_brute_force(name: str, component: Component) -> None:
    counts = ENGINES[name](component, UNLIMITED)
    assert (counts.total, counts.mined) == counted(component)


@given(component=st.one_of(strategies.components(), strategies.components(exact=True)))
def test_placements_are_the_same_with_a_solver_and_without(component: Component) -> None:
    found = [*auto.placements(component)]
    assert sorted(found) == sorted(sat.placements(component))
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(auto, "FILLINGS", 10**6)
        assert sorted(auto.placements(component)) == sorted(found)


@every_engine
def test_likelihoods_multiply(name: str) -> None:
    component = Component((1,), (Constraint((0,), (2, 3)), Constraint((0,), (5, 7, 11)), Constraint((0,), (1, 10**30))))
    assert ENGINES[name](component, UNLIMITED) == Counts((10, 21 * 10**30), ((0, 21 * 10**30),))


@every_engine
@pytest.mark.parametrize("size", (1, 2, 7, 60))
def test_one_number_is_a_binomial(name: str, size: int) -> None:
    """The number of placements of one group is a binomial coefficient.

    PySAT's own tests compare its encodings with the binomials, too.
    """
    for mines in {0, 1, size // 2, size}:
        counts = ENGINES[name](Component((size,), (Constraint((0,), exactly(mines)),)), UNLIMITED)
        assert counts.total == (0,) * mines + (comb(size, mines),)
        assert counts.mined == ((0,) * mines + (comb(size, mines) * mines // size,),)


@every_engine
@pytest.mark.parametrize("legs", (1, 4, 8))
def test_independent_choices_are_binomial(name: str, legs: int) -> None:
    """Every leg has its mine in one of two places: 2**legs placements.

    All have as many mines as legs.
    """
    counts = ENGINES[name](stars(legs), UNLIMITED)
    assert counts.total == (0,) * legs + (2**legs,)
    assert all(mined == (0,) * legs + (2 ** (legs - 1),) for mined in counts.mined)


@every_engine
@pytest.mark.parametrize("length", (2, 5, 24))
def test_a_chain_alternates(name: str, length: int) -> None:
    counts = ENGINES[name](chain(length), UNLIMITED)
    even, odd = -(-length // 2), length // 2
    expected = [0] * (even + 1)
    expected[even] += 1
    expected[odd] += 1
    assert counts.total == tuple(expected)


@every_engine
@pytest.mark.parametrize("states", (0, 1, 3))
def test_a_budget_of_states_ends_the_count(name: str, states: int) -> None:
    with pytest.raises(BudgetExceeded):
        ENGINES[name](stars(7), Budget(states=states))


@every_engine
def test_a_budget_of_seconds_ends_the_count(name: str) -> None:
    with pytest.raises(BudgetExceeded):
        ENGINES[name](stars(10), Budget(seconds=0))


@every_engine
def test_a_budget_that_suffices_changes_nothing(name: str) -> None:
    counts = ENGINES[name](stars(5), UNLIMITED)
    spent = max(counts.work.states, counts.work.placements)
    assert ENGINES[name](stars(5), Budget(seconds=3600, states=spent)) == counts


@cache
def bigger_components() -> list[Component]:
    """Components of 12 to 40 groups from random boards, exactly seeded.

    Their numbers are exact, or made unreliable.
    """
    rng = random.Random("components")
    found: list[Component] = []
    while len(found) < 12:
        grid = ["".join(rng.choice("*....") for _ in range(14)) for _ in range(9)]
        layout = Layout(grid)
        cells = [Cell(row, col) for row in range(9) for col in range(14)]
        safe = [cell for cell in cells if not layout.is_mine(cell)]
        board: Board = layout.board(rng.sample(safe, rng.randrange(20, 45)))
        for part in components(propagate(frontier(board)).frontier):
            component = part.component
            if 12 <= len(component.sizes) <= 40:
                found.append(unreliable(component, rng) if len(found) % 3 == 2 else component)
    return found[:12]


def dense_component(rng: random.Random) -> Component:
    """Constraints that overlap as on no grid, exact or weighted.

    Some placement satisfies them.
    """
    sizes = [rng.choice((1, 1, 1, 2, 3)) for _ in range(16)]
    held = [rng.randrange(size + 1) for size in sizes]
    constraints = [Constraint(tuple(range(16)), (1,) * (sum(sizes) + 1))]
    for _ in range(9):
        scope = sorted(rng.sample(range(16), rng.randrange(3, 8)))
        mines = sum(held[group] for group in scope)
        likelihood = exactly(mines) if rng.random() < 0.8 else (*[rng.choice((0, 0, 3))] * mines, 2, 0, 7)
        constraints.append(Constraint(tuple(scope), likelihood))
    return Component(tuple(sizes), tuple(constraints))


def unreliable(component: Component, rng: random.Random) -> Component:
    """The same with some numbers that may be one too low."""
    constraints = (
        Constraint(c.groups, (*(0,) * (c.low - 1), 1, 4)) if c.low and rng.random() < 0.15 else c
        for c in component.constraints
    )
    return Component(component.sizes, tuple(constraints))


@pytest.mark.parametrize("number", range(12))
def test_engines_agree_beyond_brute_force(number: int) -> None:
    check_agreement(bigger_components()[number])


@pytest.mark.parametrize("seed", range(6))
def test_engines_agree_on_dense_components(seed: int) -> None:
    check_agreement(dense_component(random.Random(f"dense {seed}")))


def check_agreement(component: Component) -> None:
    """Enumeration is left out where it would take more than 2,000 placements."""
    reference = ENGINES["elimination"](component, UNLIMITED)
    assert reference.total
    for name in GOLDENS:
        try:
            counts = ENGINES[name](component, Budget(states=2000) if name in ENUMERATING else UNLIMITED)
        except BudgetExceeded:
            assert name in ENUMERATING
        else:
            assert counts == reference


def test_auto_enumerates_what_is_wide_and_has_few_placements() -> None:
    """Forty cells under thirty random constraints, with almost no placement.

    Elimination would have all constraints open at once.
    """
    rng = random.Random("wide")
    held = [rng.randrange(2) for _ in range(40)]
    scopes = [sorted(rng.sample(range(40), 12)) for _ in range(30)]
    constraints = [Constraint(tuple(scope), exactly(sum(held[group] for group in scope))) for scope in scopes]
    component = Component((1,) * 40, tuple(constraints))
    counts = ENGINES["auto"](component, UNLIMITED)
    assert counts.work.engine == "sat"
    assert counts == ENGINES["sat"](component, UNLIMITED)
    assert counts.total[sum(held)] >= 1
