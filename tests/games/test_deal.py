"""Layouts by name, size and seed."""

from random import Random

import pytest

from satsweep.errors import BoardError
from satsweep.games.deal import dimensions_named, game_rng, random_layout, rng_of, with_start
from satsweep.layout import Layout


def test_a_name_is_a_size() -> None:
    assert random_layout("expert", seed=3) == random_layout(16, 30, 99, game_rng(3, 0))
    assert random_layout("4x5/0.5", seed="a").mines == 10
    assert dimensions_named("4x5/6") == (4, 5, 6)


@pytest.mark.parametrize("size", ["beginer", "4x5", "4x5/2/1", "4x5/1.5", ""])
def test_other_names_are_refused(size: str) -> None:
    with pytest.raises(BoardError, match="expected beginner, intermediate, expert, or rows x cols"):
        random_layout(size)


def test_generators_and_seeds() -> None:
    assert rng_of(3).random() == rng_of(seed=3).random() == game_rng(3, 0).random()
    given = Random(1)
    assert rng_of(given) is given
    assert rng_of().random() != rng_of().random()


def test_a_start_is_safe() -> None:
    layout = with_start(random_layout(3, 3, 8, Random(1)), Random(2))
    assert layout.start is not None and not layout.is_mine(layout.start)
    with pytest.raises(BoardError, match="expected a safe cell to start, found mines only"):
        with_start(Layout(("**",)), Random(1))
