"""What the record keeps of each cell from move to move, against the symbols of the board."""

from itertools import product

import numpy as np
import pytest

from satsweep.kernels.api import _workspace, neighbour_table, play_games
from satsweep.kernels.shared.memory import COVERED, MINE
from satsweep.topology import TOPOLOGIES

pytestmark = pytest.mark.extended
MINES = 14
TABLES = [topology.neighbours(*shape) for topology, shape in product(TOPOLOGIES.values(), [(8, 10), (10, 8)])]


def bits(neighbours: tuple[int, ...], wanted: np.ndarray) -> int:
    return sum(1 << place for place, other in enumerate(neighbours) if wanted[other])


@pytest.mark.parametrize("policy", ["sat", "deep"])
def test_neighbours_of_every_cell_after_games_on_tables_in_turn(policy: str) -> None:
    """Undecided cells and numbers around a cell, and the mines that a number still needs."""
    for game, around in product(range(6), TABLES):
        play_games(neighbour_table(around), MINES, "board", range(game, game + 1), policy=policy)
        record = _workspace().fields
        symbols, numbers = record["sym"][: len(around)], record["numbers"][: len(around)]
        for cell, neighbours in enumerate(around):
            assert record["covered"][cell] == bits(neighbours, symbols == COVERED)
            assert numbers[cell] == bits(neighbours, symbols >= 0)
            if symbols[cell] >= 0:
                assert record["need"][cell] == symbols[cell] - sum(symbols[list(neighbours)] == MINE)
        assert record["sea"] == sum((symbols == COVERED) & (numbers == 0))
