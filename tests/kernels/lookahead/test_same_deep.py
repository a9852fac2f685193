"""The agent ``deep`` move by move and the compiled player: the same games."""

import re
from itertools import product
from random import Random

import pytest

from satsweep.agents import agent_named, deep
from satsweep.board import Cell
from satsweep.games.agent import Agent
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import Game, play, play_moves
from satsweep.games.record import Move, MoveReason
from satsweep.games.rules import FirstClick, Rules
from satsweep.kernels.api import DEEP
from satsweep.kernels.shared.memory import LEVEL
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS
from tests.kernels.games import test_player
from tests.kernels.games.test_player import OTHERS, STANDARD

pytestmark = pytest.mark.extended

SMALL = [(3, 4, 3), (4, 4, 4), (4, 4, 6), (5, 5, 4), (3, 8, 4), (2, 7, 4), (4, 5, 10), (1, 9, 2), (2, 3, 0), (3, 4, 11)]
"""Boards that are searched from the first cell on."""
MIDDLE = [(6, 6, 7), (5, 8, 9), (7, 7, 12), (8, 8, 10), (6, 9, 13)]


def check(
    size: tuple[int, int, int], rules: Rules, topology: Topology, seed: str, games: range, level: int = LEVEL
) -> None:
    for game in games:
        test_player.check(size, rules, topology, seed, game, f"deep:{level}")


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("rules", STANDARD, ids=str)
@pytest.mark.parametrize("size", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("games", [10, pytest.param(700, marks=pytest.mark.slow)])
def test_levels(size: tuple[int, int, int], rules: Rules, topology: Topology, games: int) -> None:
    check(size, rules, topology, "same", range(3 * games if topology == SQUARE else games))


@pytest.mark.parametrize("level", DEEP)
def test_levels_of_deep(level: int) -> None:
    for size in MIDDLE:
        check(size, STANDARD[0], SQUARE, "levels", range(6), level)
    check((16, 30, 99), STANDARD[0], SQUARE, "levels", range(4), level)


@pytest.mark.parametrize("topology", [SQUARE, TORUS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("size", SMALL, ids=str)
def test_boards_searched_from_the_first_cell(size: tuple[int, int, int], topology: Topology) -> None:
    for rules in (Rules(), Rules(FirstClick.ANY), Rules(start=Cell(0, 1)), Rules(FirstClick.ZERO)):
        check(size, rules, topology, "small", range(8))


@pytest.mark.parametrize("rules", OTHERS, ids=str)
def test_all_rules(rules: Rules) -> None:
    for size in [(4, 4, 5), (6, 6, 7), (7, 7, 16)]:
        check(size, rules, SQUARE, "rules", range(3))


@pytest.mark.slow
@pytest.mark.parametrize("size", MIDDLE + SMALL, ids=str)
def test_many_games_on_other_boards(size: tuple[int, int, int]) -> None:
    for rules, topology in product((Rules(), STANDARD[1], Rules(FirstClick.ANY)), (SQUARE, TORUS)):
        if rules.start is None or min(size[:2]) > 3:
            check(size, rules, topology, "many", range(300))


def test_games_in_turns() -> None:
    """Agents that play in turns play as if each were alone, and keep their results."""

    def game(number: int) -> Game:
        rng = game_rng("turns", number)
        return Game(random_layout(6, 6, 9, rng), Rules(), rng)

    def moves(number: int) -> list[tuple[Cell, str]]:
        return [(move.cell, move.why) for move in play_out(game(number), agent_named("deep:4"))]

    alone = [moves(number) for number in range(40)]
    pairs = [(game(number), agent_named("deep:4")) for number in range(40)]
    going = [play_moves(game, agent, Random(0)) for game, agent in pairs]
    while going:
        going = [each for each in going if next(each, None) is not None]
    together = [[(move.cell, move.why) for move in game.moves] for game, _ in pairs]
    assert together == alone
    assert sum("exact" in why for made in alone for _, why in made) > 10


def play_out(game: Game, agent: Agent) -> list[Move]:
    return list(play_moves(game, agent, Random(0)))


def test_it_says_what_it_expects() -> None:
    said: list[str] = []
    for game in range(20):
        record = play(random_layout(16, 30, 99, game_rng("said", game)), agent_named("deep"), Rules(start=Cell(0, 0)))
        guesses = [move for move in record.moves if move.reason is MoveReason.GUESSED]
        assert all(guess.risk for guess in guesses)
        said += [guess.why for guess in guesses]
    assert all(re.fullmatch(r"wins with probability (about [01]\.\d\d|[01]\.\d\d \(exact\))", why) for why in said)
    assert {"about" in why for why in said} == {True, False}


def test_levels_are_those_of_the_kernels() -> None:
    assert tuple(map(int, deep.LEVELS)) == tuple(DEEP) and int(deep.LEVEL) == LEVEL
