"""Positions: forced cells exactly as in the exact path, risks but for rounding."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.errors import Contradiction
from satsweep.games.deal import LEVELS
from satsweep.games.record import MoveReason
from satsweep.games.rules import FirstClick
from satsweep.kernels.api import OUTCOMES, advise, neighbour_table, play_games
from satsweep.kernels.counting import count_components
from satsweep.kernels.position.listing import LISTED
from satsweep.kernels.shared.memory import COVERED, FINE, IMPOSSIBLE, NARROW, WIDE
from satsweep.kernels.toolchain.calls import Buffer
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, KNIGHTS, WIDE as WIDE_RINGS, position, symbols_of, table, table_of, turns
from tests.solver.test_corpora import corpus
from tests.strategies import boards

pytestmark = pytest.mark.extended


def check(board: Board) -> int:
    """Compare the kernel with the exact analysis of a board. Returns the status.

    The mine total of the board is known.
    """
    assert board.mines is not None
    found = position(symbols_of(board), table_of(board), board.mines)
    try:
        analysis = analyse(board)
    except Contradiction:
        assert found.status in (IMPOSSIBLE, WIDE)
        return found.status
    assert found.status in (FINE, WIDE)
    if found.status == WIDE:
        return found.status
    odds = analysis.odds
    for cell, symbol in enumerate(board.symbols):
        if symbol not in "#F":
            assert np.isnan(found.risks[cell])
            continue
        exact = odds[cell].risk
        if exact in (0, 1):
            assert found.risks[cell] == exact
        else:
            assert 0 < found.risks[cell] < 1
            assert found.risks[cell] == pytest.approx(float(exact), rel=1e-12, abs=0)
    return found.status


def positions(rows: int, cols: int, mines: int, topology: Topology, game: int) -> list[Board]:
    """Positions before each guess of a game, and some others, without flags and with flags trusted."""
    first = FirstClick.ZERO if game % 2 else FirstClick.SAFE
    found = [
        seen
        for seen, move, at in turns(rows, cols, mines, topology, game, first)
        if move.reason is MoveReason.GUESSED or at % 17 == 0
    ]
    return [board for seen in found for board in (seen.without_flags(), seen.trusting_flags())]


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS, KNIGHTS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("level", [*LEVELS.values(), (8, 8, 20), (6, 5, 9), (16, 16, 70), (1, 30, 9)], ids=str)
@pytest.mark.parametrize("games", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_positions_of_games(level: tuple[int, int, int], topology: Topology, games: int) -> None:
    """All are answered but for a few of knights, whose components have more placements."""
    statuses = [check(board) for game in range(games) for board in positions(*level, topology, game)]
    assert set(statuses) <= {FINE, WIDE}
    assert statuses.count(WIDE) <= (len(statuses) // 1_000 if topology == KNIGHTS else 0), len(statuses)


@given(boards())
def test_boards(board: Board) -> None:
    """Boards of every kind, with their own total, and others that may be impossible."""
    assume(board.density is None)
    known = sum(row.count("*") for row in board.cells)
    bare = board.without_flags()
    totals = [bare.mines] if bare.mines is not None else [known, known + 1, known + len(bare.covered) // 2]
    for mines in totals:
        if mines <= bare.rows * bare.cols:
            check(Board(bare.cells, mines=mines, topology=bare.topology))


@pytest.mark.parametrize("name", ["positions_expert", "positions_hard"])
def test_corpora(name: str) -> None:
    """All expert positions are answered; of the hard ones a third is handed over."""
    statuses = [check(board) for board in corpus(name).values()]
    assert set(statuses) <= {FINE, WIDE}
    assert statuses.count(WIDE) <= (0 if name == "positions_expert" else 10)


@given(st.integers(0, 10**9))
def test_many_neighbours(number: int) -> None:
    """Two rings of neighbours on a cylinder, numbers up to 24: by trying every world."""
    rng = Random(number)
    rows, cols = rng.randint(2, 5), rng.randint(4, 7)
    around = WIDE_RINGS.neighbours(rows, cols)
    cells = range(rows * cols)
    mines = set(rng.sample(cells, rng.randint(0, rows * cols)))
    covered = sorted(mines | set(rng.sample(cells, rng.randint(0, min(10, rows * cols)))))
    symbols = np.array([COVERED if cell in covered else len(mines & set(around[cell])) for cell in cells], np.int8)
    assume(len(covered) <= 18)
    worlds = [
        set(world)
        for world in combinations(covered, len(mines))
        if all(len(set(world) & set(around[cell])) == symbols[cell] for cell in cells if cell not in covered)
    ]
    found = position(symbols, table(WIDE_RINGS, rows, cols), len(mines))
    assert found.status == FINE
    for cell in covered:
        share = sum(cell in world for world in worlds) / len(worlds)
        assert found.risks[cell] == pytest.approx(share, rel=1e-12, abs=0)
        assert (found.risks[cell] in (0, 1)) == (share in (0, 1))


def test_impossible() -> None:
    """By one number, two, a component, the total; the record is fit for use later."""
    for rows, mines in [
        (("#1", "11"), 0),
        (("2#", "##"), 1),
        (("1#1", "###", "###"), 9),
        (("3#", "1#", "3#"), 3),
        (("1#3##", ".####"), 5),
        (("##", "##"), 5),
    ]:
        found = position(symbols_of(Board(rows)), table_of(Board(rows)), mines)
        assert found.status == IMPOSSIBLE
    assert check(Board(("##1.", "##21", "####"), mines=3)) == FINE


@pytest.mark.parametrize(("ones", "status"), [(NARROW - 1, FINE), (NARROW, WIDE)])
def test_too_many_groups(ones: int, status: int) -> None:
    """A line of ones: two placements, and one group more than ones."""
    assert check(Board(("#1" * ones + "#",), mines=(ones + 1) // 2)) == status


def test_too_many_placements() -> None:
    """A strip that grows by one number at a time, till its placements are too many."""
    statuses = []
    for fours in range(2, 12):
        sea = "#" * (2 * fours + 1)
        board = Board((sea, "#4" * fours + "#", sea), mines=2 * fours + 3)
        (work,) = analyse(board, engine="sat").work
        statuses.append(check(board))
        assert statuses[-1] == (WIDE if work.placements > LISTED else FINE)
    assert set(statuses) == {FINE, WIDE}


def test_too_large() -> None:
    board = Board(("#" * 200,) * 200, mines=100)
    assert position(symbols_of(board), table_of(board), 100).status == WIDE


def test_a_wide_sea() -> None:
    """Binomials of ten thousand cells, whose range floats do not hold unscaled."""
    for mines in (3, 2000, 5000, 9990):
        assert check(Board(("1" + "#" * 99, *("#" * 100,) * 99), mines=mines)) in (FINE, WIDE)


ODD_TABLES = {
    "one way": [[1], [-1], [-1]],
    "one way of three": [[1, 2], [0, 2], [0, -1]],
    "itself": [[0], [-1], [-1]],
    "twice": [[1, 1], [0, 0], [-1, -1]],
    "twice there, once back": [[1, 1], [0, -1], [-1, -1]],
}


@pytest.mark.parametrize("name", ODD_TABLES)
def test_neighbours_that_do_not_lead_back_are_beyond_the_kernels(name: str) -> None:
    """They were looked for behind the list, and bits stayed that nothing cleared."""
    odd, fine = np.array(ODD_TABLES[name], np.int32), neighbour_table([[1], [0, 2], [1]])
    symbols = np.array([-1, 1, -1], np.int8)
    for _ in range(2):
        assert position(symbols, odd, 1).status == advise(symbols, odd, 1).status == WIDE
        assert count_components(symbols.tobytes(), Buffer(odd)).status == WIDE
        assert OUTCOMES[play_games(odd, 1, "odd", range(1))["outcome"][0]] == "beyond"
        assert position(symbols, fine, 1).risks.tolist()[::2] == [0.5, 0.5]
    lone = np.full((3, 2), -1, np.int32)
    assert position(symbols, odd, 1).status == WIDE and position(np.full(3, -1, np.int8), lone, 1).status == 0
