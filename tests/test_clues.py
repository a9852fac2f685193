"""Models of what numbers tell: their names, their likelihoods, and what is none."""

import re
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, Rules
from satsweep.board import Cell
from satsweep.clues import CLUE_KINDS, EXACT, Clues, clues_named
from satsweep.proofs.certificate import Clue
from tests import ROOT
from tests.brute_force import NUMBERS, chance
from tests.proofs.certificates import bounds_of
from tests.strategies import CLUE_MODELS, clue_models


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
        if number is None and clues.kind != "random":
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


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="expected a kind among exact, random, .*, found 'vague'"):
        Clues("vague")


# Whatever a new kind still lacks has its own line here; the schemas are compared with the table in ``test_schemas``.


def test_every_kind_is_known_everywhere(subtests: pytest.Subtests) -> None:
    documents = {name: (ROOT / "docs" / name).read_text() for name in ("guides/variants.md", "umi.md")}
    (in_glossary,) = re.findall(r"^\| clue model \|.*$", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    strategies = {name.split()[0] for name in ("exact", *CLUE_MODELS)}
    for name, kind in CLUE_KINDS.items():
        with subtests.test("examples are read, and the first has no needless parameters", kind=name):
            assert [str(clues_named(example)) for example in kind.examples] == [*kind.examples]
            assert kind.hides or next(iter(kind.examples)) == name
        with subtests.test("tests.brute_force.chance", kind=name):
            for clues in map(clues_named, kind.examples):
                shown = {number: Fraction(weight, clues.scale(5)) for number, weight in clues.shown(2, 5)}
                assert all(shown.get(number, 0) == chance(str(clues), str(number), 2, 5) for number in range(6))
        with subtests.test("tests.proofs.certificates.bounds_of", kind=name):
            assert bounds_of(Board(("1#",), clues=[*kind.examples][-1]), Clue(Cell(0, 0), 1))
        with subtests.test("tests.strategies.CLUE_MODELS", kind=name):
            assert name in strategies
        for document, text in documents.items():
            with subtests.test(f"docs/{document}", kind=name):
                assert f"`{name}" in text
        with subtests.test("docs/glossary.md: clue model", kind=name):
            assert name in in_glossary


def test_bounds_are_those_of_the_definition(subtests: pytest.Subtests) -> None:
    """A kind without bounds has no proofs: verify.py, which reads the bounds alone, refuses them."""
    for name, kind in CLUE_KINDS.items():
        with subtests.test("satsweep.clues.CLUE_KINDS: bounds", kind=name):
            assert kind.bounds is not None
            for example in kind.examples:
                for around in range(12):
                    for shown in range(around + 1):
                        possible = [n for n in range(around + 1) if chance(example, NUMBERS[shown], n, around)]
                        least, most = kind.bounds(shown, around)
                        assert not possible or (max(least, 0), min(most, around)) == (possible[0], possible[-1])
