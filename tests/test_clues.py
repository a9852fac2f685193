"""Models of what numbers tell: their names, their likelihoods, and what is none."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, Rules
from satsweep.clues import EXACT, ClueKind, Clues, clues_named
from tests.brute_force import NUMBERS, chance
from tests.strategies import clue_models


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("exact", "exact"),
        (" random  0.25 ", "random 1/4"),
        ("underestimate", "underestimate"),
        ("underestimate 5e-2", "underestimate 1/20"),
        ("overestimate cap 8", "overestimate cap 8"),
        ("overestimate 1/3 cap 35", "overestimate 1/3 cap 35"),
    ],
)
def test_names(written: str, name: str) -> None:
    clues = clues_named(written)
    assert str(clues) == name and clues_named(name) == clues == clues_named(clues)
    assert f"{name} clues" in str(Rules(clues=clues)) or clues == EXACT


@given(st.one_of(st.just("exact"), clue_models), st.integers(0, 9), st.data())
def test_likelihoods_are_probabilities(name: str, around: int, data: st.DataObject) -> None:
    """Probabilities add up to one, number by number, and are as defined."""
    clues, mines = clues_named(name), data.draw(st.integers(0, around))
    scale, shown = clues.scale(around), dict(clues.shown(mines, around))
    assert sum(shown.values()) == scale and len(shown) == len(clues.shown(mines, around))
    for number in (None, *range(clues.most(around) + 2)):
        if number is None and clues.kind is not ClueKind.RANDOM:
            assert None not in shown
            continue
        symbol = "?" if number is None else NUMBERS[number]
        expected = chance(name, symbol, mines, around)
        assert Fraction(shown.get(number, 0), scale) == expected
        likelihood = clues.likelihood(number, around)
        assert Fraction(likelihood[mines] if mines < len(likelihood) else 0, scale) == expected
        assert not likelihood or likelihood[-1]
    assert clues.draw(mines, around, Random(data.draw(st.integers(0, 99)))) in shown


@given(clue_models, st.integers(0, 9), st.integers(1, 9))
def test_what_proves_that_no_mine_is_around(name: str, shown: int, around: int) -> None:
    clues = clues_named(name)
    possible = any(chance(name, NUMBERS[shown], mines, around) for mines in range(1, around + 1))
    feasible = bool(chance(name, NUMBERS[shown], 0, around))
    if clues.proves_zero(shown):
        assert not possible
    elif feasible:
        assert possible
    assert not clues.proves_zero(None)


def test_numbers_up_to_the_cap_can_be_shown() -> None:
    assert Board(("5#",), clues="overestimate cap 5").number((0, 0)) == 5
    assert Clues() == EXACT and EXACT.is_true and not clues_named("overestimate").is_true
