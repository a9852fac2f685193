"""Difficulty: clicks, openings, claims beyond agents, chains."""

from dataclasses import replace
from random import Random

import pytest
import scipy
from hypothesis import given

from satsweep.agents import agent_named
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction
from satsweep.games.deal import random_layout
from satsweep.games.game import play
from satsweep.generator.no_guess import drawn, suits, unsolved
from satsweep.generator.spec import WEAKER_AGENTS, BoardSpec
from satsweep.generator.walkthrough import (
    GIVEN_START_RULES,
    MOST_NEIGHBOURS_FOR_CHAINS,
    Difficulty,
    analyse_forced,
    board_numbers,
    claims_beyond,
    difficulty,
    no_guess,
    walkthrough,
)
from satsweep.layout import Layout
from satsweep.solver.pipeline import ComponentCache
from satsweep.topology import SQUARE, topology_named
from satsweep.why.influence import chains
from tests.brute_force import touching
from tests.strategies import layouts


@given(layouts())
def test_clicks_clear_the_board(layout: Layout) -> None:
    """Open all openings first, each by a click, then the covered cells one by one."""
    board = layout.board(())
    safe = [(r, c) for r in range(layout.rows) for c in range(layout.cols) if not layout.is_mine((r, c))]
    opened: set[tuple[int, int]] = set()
    used = openings = 0
    for cell in sorted(safe, key=lambda cell: layout.number(cell) != 0):
        if cell not in opened:
            used += 1
            openings += layout.number(cell) == 0
            waiting = [cell]
            while waiting:
                here = waiting.pop()
                if here not in opened:
                    opened.add(here)
                    waiting += touching(board, here) if layout.number(here) == 0 else ()
    assert board_numbers(layout)[:2] == (used, openings)


def test_openings_and_islands_of_expert_boards() -> None:
    """On a square grid they are what image processing calls connected components."""
    for game in range(20):
        layout, _ = drawn(BoardSpec(16, 30, 99, start=None, no_guess=False), "openings", game)
        zeros = [[layout.number((row, col)) == 0 for col in range(30)] for row in range(16)]
        assert board_numbers(layout).openings == scipy.ndimage.label(zeros, structure=[[1] * 3] * 3)[1]
        edge = scipy.ndimage.binary_dilation(zeros, structure=[[1] * 3] * 3)
        alone = [[not layout.is_mine((row, col)) and not edge[row, col] for col in range(30)] for row in range(16)]
        assert board_numbers(layout).islands == scipy.ndimage.label(alone, structure=[[1] * 3] * 3)[1]
        assert board_numbers(layout).bv == board_numbers(layout).openings + sum(map(sum, alone))


def no_guess_boards(count: int) -> list[Layout]:
    spec = BoardSpec(9, 9, 14)
    found = (drawn(spec, "difficulty", number)[0] for number in range(1_000))
    return [next(layout for layout in found if suits(spec, layout)) for _ in range(count)]


def test_beyond() -> None:
    """Nothing is beyond an agent exactly if it clears the board by itself."""
    counts = []
    for layout in no_guess_boards(25):
        for name, claims in claims_beyond(layout).items():
            assert (claims == 0) is (unsolved(layout, name) is None)
            counts.append(claims)
    assert 0 < sum(count > 0 for count in counts) < len(counts)


@pytest.mark.parametrize("topology", ["square", "torus", "hexagonal", "orthogonal", "square in 2 planes"])
def test_claims_beyond_are_those_of_a_game(topology: str) -> None:
    """An agent plays as ever, and receives all that is forced where it is silent; boards need guesses, too."""
    rng, some = Random(3), 0
    for _ in range(16):
        layout = random_layout(8, 8, rng.choice((4, 6, 9, 12)), rng=rng, topology=topology)
        zeros = [cell for cell in layout.board(()) if layout.number(cell) == 0]
        if not zeros:
            continue
        layout = replace(layout, start=rng.choice(zeros))
        expected = {}
        for name in WEAKER_AGENTS:
            player = Receiver(name)
            play(layout, Agent(player.deduce, no_guess), GIVEN_START_RULES)
            expected[name] = player.missed
        assert claims_beyond(layout) == expected
        some += sum(expected.values()) > 0
    assert some


class Receiver:
    """An agent that counts the forced cells that it receives."""

    def __init__(self, name: str) -> None:
        self.agent, self.cache, self.missed = agent_named(name), ComponentCache(), 0

    def deduce(self, board: Board) -> Deduction:
        claims = Deduction.of(self.agent.deduce(board), board)
        if claims:
            return claims
        found = analyse_forced(board, self.cache)
        self.missed += len(found.safe) + len(found.mines)
        return Deduction(found.safe, found.mines)


def test_all_together() -> None:
    for layout in no_guess_boards(5):
        record = walkthrough(layout).record
        hard = difficulty(layout, record)
        beyond = claims_beyond(layout)
        assert list(beyond) == ["basic", "tank", "subset", "gem", "gem-full"]
        assert hard == Difficulty(*board_numbers(layout)[:2], beyond, chains(record).length)
        assert difficulty(layout) == Difficulty(*board_numbers(layout)[:2])


def test_no_chain_where_it_would_take_hours() -> None:
    wide = topology_named("offsets " + " ".join(f"{row},{col}" for row in range(3) for col in range(-2, 4)
                                                if (row, col) > (0, 0)))  # fmt: skip
    assert wide.most > MOST_NEIGHBOURS_FOR_CHAINS
    record = walkthrough(Layout(("......", "......", "....*."), start=(0, 0), topology=wide)).record
    assert record.won and difficulty(record.layout, record).chain is None
    square = walkthrough(Layout(("......", "......", "....*."), start=(0, 0))).record
    assert difficulty(square.layout, square).chain is not None


def test_the_chain_of_boards_that_single_numbers_clear() -> None:
    """It is as long as that of the agent that uses nothing else."""
    layout = next(layout for layout in no_guess_boards(25) if claims_beyond(layout)["basic"] == 0)
    played = play(layout, agent_named("basic"), GIVEN_START_RULES)
    assert difficulty(layout, walkthrough(layout).record).chain == chains(played).length
    assert layout.topology == SQUARE
