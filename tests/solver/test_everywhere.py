"""Every engine against brute force, with ==, for every clue model and topology.

The boards are those of seeded games that are stopped anywhere.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from satsweep import Board, Cell, Game, Rules, analyse
from satsweep.clues import clues_named
from satsweep.games.deal import random_layout
from satsweep.games.rules import FirstClick
from satsweep.solver.engines import ENGINES
from tests.brute_force import cells_showing, truth

TOPOLOGIES = (
    *("square", "torus", "square wrapping rows", "square wrapping cols"),
    *("hexagonal", "hexagonal wrapping both", "orthogonal", "knight", "knight wrapping cols"),
    *("offsets 0,1 1,1 2,0", "square in 2 planes", "edges 0-1 1-2 2-3 3-0 4-5 5-6 6-0 7-8 8-9 9-10 10-7 1-7 11-4"),
)
MODELS = (
    "exact",
    "random 1/3",
    "underestimate",
    "underestimate 1/10",
    "overestimate",
    "overestimate 1/10",
    "overestimate cap 9",
)
MOST = 11


def board_of(topology: str, clues: str, seed: int) -> Board:
    """The board after a few cells of a random game, with few cells covered."""
    rng = Random(f"{topology}/{clues}/{seed}")
    rows, cols = rng.choice(((4, 5), (4, 4), (2, 9), (6, 3)))
    layout = random_layout(rows, cols, rng.randint(1, rows * cols // 2), rng, topology=topology)
    rules = Rules(FirstClick.ANY, clues=clues_named(clues), fatal=False, cascade=rng.random() < 0.5)
    game = Game(layout, rules, rng)
    cells = rng.sample(range(rows * cols), rows * cols)
    for index in cells:
        if game.outcome is None and game.is_covered(cell := Cell(*divmod(index, cols))):
            covered = cells_showing(game.board, "#F")
            if len(covered) <= MOST and rng.random() < 0.3:
                break
            game.open(cell)
    board = game.board
    prior = rng.randrange(3)
    return (
        board
        if prior == 0
        else replace(board, mines=None, density=Fraction(rng.randint(1, 9), 10) if prior == 1 else None)
    )


def check(topology: str, clues: str, seed: int) -> int:
    """Compare every engine with the truth; return the number of covered cells.

    It is 0 for a board without any, which has nothing to say.
    """
    board = board_of(topology, clues, seed)
    answer = truth(board)
    assert answer is not None, "the layout of the game is a world"
    for engine in ENGINES:
        found = analyse(board, engine=engine)
        known = {cell: found.risk(cell) for cell in board.covered}
        assert (known, found.worlds, found.weight) == (answer.risk, answer.worlds, answer.weight)
        assert (found.safe, found.mines) == (answer.safe, answer.mines)
        # The truth names the first cell of least risk; the best one is the first of the advice.
        assert (found.safest[0] if found.least_risk not in (None, 1) else None) == answer.best
        assert (found.best is None) == (answer.best is None) and (not found.safe or found.best in found.safe)
        assert found.frontier_mines == answer.frontier_mines
        assert sum(known.values()) == found.expected_mines == answer.expected_mines
    return len(board.covered)


@pytest.mark.extended
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_every_clue_model(topology: str) -> None:
    assert sum(check(topology, clues, seed) > 0 for clues, seed in product(MODELS, range(2))) > len(MODELS)


@pytest.mark.slow
@pytest.mark.parametrize("clues", MODELS)
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_thousands_of_boards(topology: str, clues: str) -> None:
    assert sum(check(topology, clues, seed) > 0 for seed in range(40)) > 20
