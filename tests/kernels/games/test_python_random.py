"""The generator of the kernels against ``random``, number for number."""

from random import Random

import numpy as np
import pytest

from satsweep.games.deal import game_rng
from satsweep.kernels.games.python_random import WORDS, below, bits, keys, sample, seed

pytestmark = pytest.mark.extended

SEEDS = ["", "0", "0/0", "abc/123456789", "Mühle/7", "\0", "\0a", "x" * 2000, *(f"{i}/{i * i}" for i in range(200))]


def started(text: str) -> np.ndarray:
    state = np.zeros(WORDS + 1, np.uint32)
    table, lengths = keys([text])
    seed(state, table[0], int(lengths[0]))
    return state


def check_numbers_that_follow(state: np.ndarray, rng: Random) -> None:
    """States have words renewed at other times, so the numbers that follow are compared, two rounds of them."""
    assert [bits(state, 32) for _ in range(2 * WORDS)] == [rng.getrandbits(32) for _ in range(2 * WORDS)]


@pytest.mark.parametrize("text", SEEDS)
def test_states_are_equal(text: str) -> None:
    """Also where a key is among keys of other lengths, and the state was used before."""
    table, lengths = keys(["longer" * 9, text])
    state = started("another")
    seed(state, table[1], int(lengths[1]))
    assert tuple(map(int, state)) == Random(text).getstate()[1]


@pytest.mark.parametrize("text", SEEDS[:12])
def test_numbers_are_equal(text: str) -> None:
    state, rng = started(text), Random(text)
    for round_ in range(2000):
        count = round_ % 32 + 1
        assert bits(state, count) == rng.getrandbits(count)
    for limit in (*range(1, 300), 480, 2**16, 2**16 + 1, 2**31, 2**32 - 1):
        assert below(state, limit) == rng.randrange(limit)
    check_numbers_that_follow(state, rng)


@pytest.mark.parametrize("text", SEEDS[:6])
def test_samples_are_equal(text: str) -> None:
    """By both ways of ``sample``: from a pool, and by drawing again after a repeat."""
    state, rng = started(text), Random(text)
    chosen, pool = np.zeros(10_000, np.int32), np.zeros(10_000, np.int32)
    for size in (1, 2, 9, 20, 21, 22, 40, 81, 82, 85, 86, 256, 277, 278, 480, 1045, 1046, 1500, 9999):
        for count in {0, 1, 2, 5, 6, 7, 10, 21, 22, 40, 85, 86, 99, 341, 342, size // 2, size - 1, size}:
            if count <= size:
                sample(state, size, count, chosen, pool)
                assert list(map(int, chosen[:count])) == rng.sample(range(size), count)
                population = [3 * place for place in range(size)]
                sample(state, size, count, chosen, pool)
                assert [population[place] for place in chosen[:count]] == rng.sample(population, count)
    check_numbers_that_follow(state, rng)


def test_games_of_a_run() -> None:
    table, lengths = keys([f"run/{game}" for game in range(50)])
    state = np.zeros(WORDS + 1, np.uint32)
    for game in range(50):
        seed(state, table[game], int(lengths[game]))
        assert tuple(map(int, state)) == game_rng("run", game).getstate()[1]
