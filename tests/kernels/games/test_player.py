"""Games: the compiled player and the agent ``sat`` make the same moves.

Their games are measured the same, too.
"""

from itertools import product

import numpy as np
import pytest

from satsweep.agents import agent_named
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import Plan
from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.deal import LEVELS
from satsweep.games.game import play
from satsweep.games.record import Action, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from satsweep.kernels.api import OUTCOMES, play_games
from satsweep.kernels.shared.memory import LEVEL
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, KNIGHTS, WIDE, table

pytestmark = pytest.mark.extended

ACTIONS = {Action.OPEN: 0, Action.FLAG: 1}
REASONS = {MoveReason.START: 0, MoveReason.DEDUCED: 1, MoveReason.GUESSED: 2}
STANDARD = [Rules(start=Cell(0, 0)), Rules(first=FirstClick.ZERO, start=Cell(3, 3))]
OTHERS = [
    Rules(first=first, start=start, cascade=cascade, fatal=fatal)
    for first, start, cascade, fatal in product(FirstClick, (None, Cell(0, 2)), (True, False), (True, False))
]


def moves_of(record: Record) -> list[tuple[int, int, int, int]]:
    cols = record.layout.cols
    return [
        (move.turn, ACTIONS[move.action], move.cell.row * cols + move.cell.col, REASONS[move.reason])
        for move in record.moves
    ]


def measures_of(record: Record) -> tuple[object, ...]:
    m = record.measures
    right = m.flagged - m.wrong_flags
    return (
        record.outcome.value, int(record.won), m.turns, m.opened, right, m.wrong_flags, m.mines_hit, m.guesses,
        m.guesses_lost, m.claims, m.beyond_basic,
    )  # fmt: skip


def check(
    size: tuple[int, int, int], rules: Rules, topology: Topology, seed: str, game: int, agent: str = "sat"
) -> None:
    rows, cols, mines = size
    policy, _, level = agent.partition(":")
    start = None if rules.start is None else rules.start.row * cols + rules.start.col
    moves = np.zeros((2 * rows * cols, 4), np.int32)
    results = play_games(
        table(topology, rows, cols), mines, seed, range(game, game + 1), first=rules.first.value, start=start,
        cascade=rules.cascade, fatal=rules.fatal, moves=moves, policy=policy, level=int(level or LEVEL),
    )  # fmt: skip
    outcome, *measures = map(int, results[0])
    try:
        layout, rng = Setting(rows, cols, mines, rules, topology).layout(seed, game)
        record = play(layout, agent_named(agent), rules, rng)
    except BoardError:
        assert OUTCOMES[outcome] == "no room"
        return
    made = [tuple(map(int, move)) for move in moves if move[0] >= 0]
    assert made == moves_of(record), (game, layout)
    assert (OUTCOMES[outcome], *measures) == measures_of(record)


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS, KNIGHTS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("rules", STANDARD, ids=str)
@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("games", [10, pytest.param(500, marks=pytest.mark.slow)])
def test_same_games(level: tuple[int, int, int], rules: Rules, topology: Topology, games: int) -> None:
    for game in range(4 * games if topology == SQUARE else games):
        check(level, rules, topology, "same", game)


def test_games_at_the_limits() -> None:
    """Two rings of neighbours: games whose components are too wide are handed over."""
    results = play_games(table(WIDE, 9, 9), 10, "wide", range(40))
    beyond = {game for game, row in enumerate(results) if OUTCOMES[row["outcome"]] == "beyond"}
    assert 0 < len(beyond) < 10
    for game in set(range(40)) - beyond:
        check((9, 9, 10), Rules(), WIDE, "wide", game)


@pytest.mark.parametrize("rules", OTHERS, ids=str)
def test_same_games_under_all_rules(rules: Rules) -> None:
    for level in [(9, 9, 10), (5, 5, 6), (8, 8, 20), (3, 7, 2), (4, 4, 12), (1, 9, 2), (2, 3, 0), (3, 4, 11)]:
        for game in range(4):
            check(level, rules, SQUARE, "rules", game)
    check((16, 30, 99), rules, SQUARE, "rules", 5)


@pytest.mark.slow
@pytest.mark.parametrize("rules", OTHERS, ids=str)
def test_many_same_games_under_all_rules(rules: Rules) -> None:
    for game in range(100):
        for topology in (SQUARE, TORUS, HEXAGONS, KNIGHTS):
            check((9, 9, 10), rules, topology, "many rules", game)
            check((7, 8, 16), rules, topology, "many rules", game)
        check((16, 30, 99), rules, SQUARE, "many rules", game)


def test_games_of_a_run_are_rows() -> None:
    """As ``compare`` has them, one after the other, wherever the run is cut."""
    setting = Setting(16, 30, 99, Rules(start=Cell(0, 0)))
    block = Block.of(Plan(("sat",), (setting,), seed="run"), 0, range(7, 32))
    rows = table(SQUARE, 16, 30)
    results = play_games(rows, 99, "run", range(7, 32), start=0)
    assert results.dtype.names is not None
    names = [name for name in results.dtype.names if name != "outcome"]
    for result, row in zip(play_block(block).results, results, strict=True):
        assert OUTCOMES[row["outcome"]] == result.outcome
        assert [int(row[name]) for name in names] == [getattr(result, name) for name in names]
    again = np.concatenate([play_games(rows, 99, "run", range(first, first + 5), start=0) for first in range(7, 32, 5)])
    assert (again == results).all()


def test_outcomes_have_the_names_of_the_package() -> None:
    assert {outcome.value for outcome in Outcome} - set(OUTCOMES) == {"found", "mistaken", "stopped"}


def test_too_large() -> None:
    results = play_games(np.zeros((20_000, 8), np.int32), 100, "0", range(3))
    assert [OUTCOMES[outcome] for outcome in results["outcome"]] == ["beyond"] * 3


def test_strength() -> None:
    """39.6 % of 20,000 expert boards from a safe corner, within 4 standard errors."""
    results = play_games(table(SQUARE, 16, 30), 99, "strength", range(20_000), start=0)
    assert abs(results["won"].mean() - 0.396) < 4 * (0.24 / 20_000) ** 0.5
    assert set(results["outcome"].tolist()) == {OUTCOMES.index("cleared"), OUTCOMES.index("exploded")}
