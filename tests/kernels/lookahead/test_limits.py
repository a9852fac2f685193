"""Positions that the deep player would search for hours, or for ever, without its limits."""

import time
from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from satsweep.board import Board
from satsweep.kernels.api import (
    DEEP,
    FINE,
    _inner,
    _workspace,
    advise,
    neighbour_table,
    play_games,
    positions,
    roll_out,
)
from satsweep.kernels.board_engine import MINE, BoardEngine, PosedEndgame
from satsweep.kernels.lookahead.rollouts import HARDLY_SAFE, MOST_STEPS, open_as_safe
from satsweep.kernels.position.solver import rate_afresh, take_position
from satsweep.kernels.position.weights import risk_of
from satsweep.kernels.record import WORK
from satsweep.kernels.shared.memory import COVERED
from satsweep.topology import topology_named
from tests.kernels.boards import symbols_of, table_of

PATH = topology_named("edges " + " ".join(f"{cell}-{cell + 1}" for cell in range(16)))
"""A path of 17 cells; the other cells touch nothing."""
BLANK = Board(("#" * 9,) * 3, mines=4, topology=PATH)


@pytest.mark.extended
def test_a_board_whose_search_would_not_end_is_played_by_estimates() -> None:
    begun = time.process_time()
    found = advise(symbols_of(BLANK), table_of(BLANK), 4)
    assert time.process_time() - begun < 60
    assert (found.status, found.exact, _workspace().fields["root"]) == (FINE, False, 0)


@pytest.mark.extended
def test_games_on_it_are_the_same_whatever_was_asked_before() -> None:
    """From a start on, so that the blank board is never asked about."""
    table, other = table_of(BLANK), table_of(Board(("##",), mines=1))

    def results() -> np.ndarray:
        return play_games(table, 4, "limit", range(20), policy="deep", level=1, start=5)

    alone = results()
    advise(np.full(2, COVERED, np.int8), other, 1)
    advise(symbols_of(BLANK), table, 4, 1)
    assert (results() == alone).all()


@pytest.mark.extended
def test_the_search_of_listed_worlds_is_given_up() -> None:
    near = PATH.neighbours(3, 9)
    worlds = [set(mined) for mined in combinations(range(27), 4)]
    rows = [bytes(MINE if c in world else sum(o in world for o in near[c]) for c in range(27)) for world in worlds]
    begun = time.process_time()
    with pytest.raises(MemoryError, match="spent"):
        PosedEndgame(BoardEngine(near, 4), rows).value(range(len(rows)))
    assert time.process_time() - begun < 60


def around_a_cell(numbers: int, others: int, sea: int, mines: int) -> Board:
    """Cell 0 between numbers 1, each of which touches ``others`` covered cells of its own; and a sea."""
    edges = [f"0-{number}" for number in range(1, numbers + 1)]
    for number in range(1, numbers + 1):
        first = 1 + numbers + (number - 1) * others
        edges += [f"{number}-{own}" for own in range(first, first + others)]
    row = "#" + "1" * numbers + "#" * (numbers * others + sea)
    return Board((row,), mines=mines, topology=topology_named("edges " + " ".join(edges)))


def test_a_cell_that_is_hardly_ever_safe_is_rolled_out() -> None:
    """Its risk is 1 - 1.5e-8; where it is safe all mines are known."""
    board = around_a_cell(5, 1, 200, 5)
    values = roll_out(symbols_of(board), table_of(board), 5, [0], 8)
    assert values == pytest.approx(1 / (1 + comb(200, 4)), rel=1e-6)


def test_worlds_are_drawn_evenly_among_those_in_which_a_cell_is_safe() -> None:
    board = around_a_cell(3, 2, 230, 4)
    table, symbols = neighbour_table(board.topology.neighbours(1, board.cols)), symbols_of(board)
    w = np.zeros(1, WORK).view(np.recarray)[0]
    drawn: Counter[int] = Counter()
    for dice in range(30):
        take_position(w, table, symbols, 4)
        rate_afresh(w)
        risk = risk_of(w, 0)
        assert risk > HARDLY_SAFE
        w.dice = dice
        w.world[0] = 1
        with np.errstate(over="ignore"):  # random numbers, as of C
            open_as_safe(w, w, 0, risk)
        mined = [cell for cell in range(4, board.cols) if w.world[cell]]
        assert len(mined) == 4 and w.sym[0] == 0
        assert [sum(cell in mined for cell in (own, own + 1)) for own in (4, 6, 8)] == [1, 1, 1]
        drawn.update(mined)
    assert all(7 < drawn[cell] < 23 for cell in range(4, 10))
    assert len(drawn) > 25


def hard_position(cells: int, degree: int, opened: int, mines: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Symbols and neighbours of a graph in which cells of near numbers touch, some cells open."""
    rng, edges = Random(seed), set[tuple[int, int]]()
    while len(edges) < cells * degree // 2:
        one = rng.randrange(cells)
        other = min(cells - 1, max(0, one + rng.randint(-30, 30)))
        if one != other:
            edges.add((min(one, other), max(one, other)))
    near = topology_named("edges " + " ".join(f"{one}-{two}" for one, two in sorted(edges))).neighbours(1, cells)
    rng = Random(seed)
    mined = set(rng.sample(range(cells), mines))
    symbols = np.full(cells, COVERED, np.int8)
    for cell in rng.sample([cell for cell in range(cells) if cell not in mined], opened):
        symbols[cell] = sum(other in mined for other in near[cell])
    return symbols, neighbour_table(near)


@pytest.mark.extended
def test_roll_outs_of_a_hard_position_are_given_up() -> None:
    """Then the choice is that of two plies."""
    symbols, table = hard_position(400, 4, 22, 40, seed=17)
    level = DEEP[5]._replace(late=1)
    begun = time.process_time()
    found = advise(symbols, table, 40, level._replace(rollouts=256))
    assert time.process_time() - begun < 15
    two_plies = advise(symbols, table, 40, level._replace(rollouts=0))
    assert (found.cell, found.value) == (two_plies.cell, two_plies.value)


def test_the_work_of_a_roll_out_is_limited() -> None:
    """An endgame of many sets of worlds ends within the steps of a roll-out."""
    symbols, table = hard_position(300, 4, 18, 30, seed=17)
    risks = positions(symbols[None], table, [30])[1][0]
    undecided = np.flatnonzero((risks > 0) & (risks < 1))
    roll_out(symbols, table, 30, [int(undecided[0])], 1, DEEP[2])
    assert MOST_STEPS // 2 < _inner().fields["steps"] < 2 * MOST_STEPS


@pytest.mark.parametrize("number", [0, 1])
def test_a_forced_cell_is_refused_after_anything(number: int) -> None:
    """Its mark in the world is what another position has left there."""
    before = around_a_cell(5, 1, 200, 5)
    board = Board((f"#{number}" + "#" * 70,), mines=5, topology=topology_named("edges 0-1"))
    roll_out(symbols_of(before), table_of(before), 5, [0], 2)
    with pytest.raises(ValueError, match="found one that is forced"):
        roll_out(symbols_of(board), table_of(board), 5, [0], 2)
