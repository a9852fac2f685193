"""The order of an elimination: the beam search against all orders, and what it predicts."""

from itertools import permutations
from math import inf, prod
from random import Random

import pytest
from hypothesis import example, given, strategies as st

from satsweep import Layout
from satsweep.solver import compiled
from satsweep.solver.budget import Budget
from satsweep.solver.components import Component, components as split
from satsweep.solver.constraints import Constraint, exactly, frontier
from satsweep.solver.engines import order
from satsweep.solver.engines.circuit import Structure
from satsweep.solver.engines.order import elimination_order
from satsweep.solver.pipeline import ComponentCache, prove_forced
from satsweep.solver.propagate import propagate
from satsweep.solver.sums import set_bits
from tests.strategies import components, examples

kernels = pytest.mark.skipif(not compiled.is_there(), reason="needs the compiled library")


def states_of(structure: Structure, constraints: tuple[int, ...]) -> float | None:
    """States of an order of constraints by the definition; None if it leaves open constraints for far ones."""
    scopes = [set(constraint.groups) for constraint in structure.component.constraints]
    near = [{other for other in range(len(scopes)) if scopes[other] & scope} for scope in scopes]
    ranges = order._ranges(structure)
    closed: set[int] = set()
    opened: set[int] = set()
    paid = 0.0
    for constraint in constraints:
        if opened and constraint not in opened:
            return None
        if closed and not opened and constraint != min(set(range(len(scopes))) - closed):
            return None
        opened |= (near[constraint] | {constraint}) - closed
        paid += prod(ranges[other] for other in opened)
        closed.add(constraint)
        opened.discard(constraint)
    return paid


@examples(60, least=30)
@given(component=components())
def test_a_wide_beam_finds_the_best_order(component: Component) -> None:
    structure = Structure.of(component)
    neighbours, ranges = order._neighbours(structure), order._ranges(structure)
    if not 0 < len(neighbours) <= 6:
        return
    for start in range(len(neighbours)):
        states, found = order._beam(neighbours, ranges, start, 1 << len(neighbours))
        rest = [other for other in range(len(neighbours)) if other != start]
        every = (states_of(structure, (start, *after)) for after in permutations(rest))
        best = min(each for each in every if each is not None)
        assert states == pytest.approx(best, rel=1e-9) and found[0] == start
        assert states_of(structure, tuple(found)) == pytest.approx(best, rel=1e-9)
        narrow, other = order._beam(neighbours, ranges, start, 1)
        assert narrow >= best * (1 - 1e-9) and states_of(structure, tuple(other)) == pytest.approx(narrow, rel=1e-9)


def chain(length: int) -> Structure:
    """Constraints in a row, each of three groups, of which it shares one with the next."""
    scopes = [(2 * number, 2 * number + 1, 2 * number + 2) for number in range(length)]
    return Structure.of(Component((2,) * (2 * length + 1), tuple(Constraint(scope, exactly(3)) for scope in scopes)))


def test_more_starts_of_a_width_are_others() -> None:
    """They are tried only where the sweep is long, and never twice."""
    tried: list[tuple[int, int]] = []
    structure = chain(40)
    search = order._search(order._neighbours(structure), order._ranges(structure))

    def beam(start: int, width: int) -> tuple[float, list[int]]:
        tried.append((width, start))
        _, found = search(start, width)
        return 1e30 / 1.2 ** len(tried), found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_search", lambda neighbours, ranges: beam)
        elimination_order(structure, Budget().meter())
    widest = [start for width, start in tried if width == 300]
    assert len(widest) > 1 and len(set(widest)) == len(widest)
    found = elimination_order(chain(40), Budget().meter(), ((1, 1), (4, 5)))
    assert found.width <= 3 and sorted(found.groups) == list(range(81))


def dense() -> list[Structure]:
    """The components of a dense checkerboard of 16x16 cells."""
    covered = {divmod(cell, 16) for cell in Random(3).sample(range(256), 128)}
    shown = [(row, col) for row in range(16) for col in range(16) if (row + col) % 2 == 0 and (row, col) not in covered]
    rows = ["".join("*" if (row, col) in covered else "." for col in range(16)) for row in range(16)]
    settled = propagate(frontier(Layout(tuple(rows)).board(shown)))
    parts = prove_forced(settled, split(settled.frontier), ComponentCache()).parts
    return [Structure.of(part.component) for part in parts]


@kernels
@examples(60, least=30)
@given(component=components(), width=st.sampled_from((1, 2, 5, 40)))
@example(component=max((structure.component for structure in dense()), key=lambda one: len(one.sizes)), width=30)
def test_the_compiled_search_finds_the_same_orders(component: Component, width: int) -> None:
    structure = Structure.of(component)
    neighbours, ranges = order._neighbours(structure), order._ranges(structure)
    search = compiled.beam_search([list(set_bits(mask)) for mask in neighbours], ranges)
    assert search is not None
    for start in range(len(neighbours)):
        assert search(start, width) == order._beam(neighbours, ranges, start, width)


@kernels
@pytest.mark.parametrize("numbers", [65, 66])
def test_beyond_its_room_the_compiled_search_leaves_it_to_python(numbers: int) -> None:
    """All numbers share a cell, so all are open as soon as one has closed."""
    shared = tuple(Constraint((0, group), exactly(2)) for group in range(1, numbers + 1))
    structure = Structure.of(Component((1, *range(3, 3 + numbers)), shared))
    neighbours, ranges = order._neighbours(structure), order._ranges(structure)
    search = compiled.beam_search([list(set_bits(mask)) for mask in neighbours], ranges)
    assert search is not None and (search(0, 3) is None) == (numbers > 65)
    assert order._search(neighbours, ranges)(0, 3) == order._beam(neighbours, ranges, 0, 3)


def test_a_cell_that_a_hundred_numbers_share() -> None:
    """The states predicted pass the range of floats: the first order is taken, without a longer search."""
    shared = (Constraint((0, group, group + 1), exactly(500)) for group in range(1, 241, 2))
    structure = Structure.of(Component((1, *(1000,) * 240), tuple(shared)))
    found = elimination_order(structure, Budget().meter())
    assert found.states == inf and found.width == 120 and sorted(found.groups) == list(range(241))
