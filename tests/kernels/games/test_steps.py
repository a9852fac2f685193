"""Games of a batch: each the same whether it is dealt alone or with others."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from satsweep.kernels.api import change_worlds, deal_games, neighbour_table, new_batch, step_games
from satsweep.topology import SQUARE

TABLE = neighbour_table(SQUARE.neighbours(9, 9))


@pytest.mark.parametrize("length", [4, 2_400, 2_433, 10_000])
def test_games_dealt_together_are_those_dealt_alone(length: int) -> None:
    """Also from seeds longer than a state of the generator, 2,496 bytes with the hash."""
    seeds = ["x" * length + str(game) for game in range(9)]
    together, alone = new_batch(9, 81), new_batch(9, 81)
    deal_games(together, TABLE, 10, range(9), seeds, start=40)
    for game, seed in enumerate(seeds):
        deal_games(alone, TABLE, 10, [game], [seed], start=40)
    arrays: Any = zip(together, alone, strict=True)
    assert all(np.array_equal(one, other) for one, other in arrays)


def test_a_row_is_dealt_once() -> None:
    with pytest.raises(ValueError, match="each row of the batch once"):
        deal_games(new_batch(2, 81), TABLE, 10, [0, 0, 1, 0], list("abcd"))


def test_games_need_neighbours_that_lead_back() -> None:
    table = TABLE.copy()
    table[0, 2] = 80
    batch = new_batch(1, 81)
    calls: tuple[Callable[[], None], ...] = (
        lambda: deal_games(batch, table, 10, [0], ["seed"]),
        lambda: step_games(batch, table, np.array([3])),
        lambda: change_worlds(batch, table, [0], np.zeros((1, 81), np.int8)),
    )
    for call in calls:
        with pytest.raises(ValueError, match="neighbours that lead back"):
            call()
