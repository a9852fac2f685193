"""Tests of the agent ``deep``: its calls of ``sat``, its reasons, lazy loading.

``tests/kernels/lookahead/test_same_deep.py`` checks that it plays the games of the compiled player.
"""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep.agents import agent_named
from satsweep.agents.deep import DeepPlayer
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import Board, Cell
from satsweep.clues import clues_named
from satsweep.errors import KernelError
from satsweep.games.agent import Deduction, Guess
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.kernels import api as kernels
from satsweep.kernels.shared.memory import DEGREE, WIDE
from satsweep.solver import compiled
from satsweep.topology import topology_named
from tests.cli import modules_after, running
from tests.strategies import boards, unreliable_boards

pytestmark = pytest.mark.extended

CORNER = Cell(0, 0)


@given(board=st.one_of(boards(), unreliable_boards()))
def test_deep_claims_what_sat_claims(board: Board) -> None:
    bare = board.without_flags()
    claimed = agent_named("sat").deduce(bare)
    assert isinstance(claimed, Deduction)
    assert agent_named("deep").deduce(bare) == replace(claimed, evaluations=None)


@given(board=boards(max_covered=16))
def test_deep_guesses_a_cell_that_may_be_safe(board: Board) -> None:
    """The guess is safe if any cell is, and its risk is exact."""
    analysis = analyse(board)
    guess = agent_named("deep").guess(board, Random(0))
    risks = [analysis.risk(cell) for cell in board.covered]
    if guess is None:
        assert all(risk == 1 for risk in risks)
        return
    assert isinstance(guess, Guess)
    assert guess.risk == analysis.risk(guess.cell) < 1
    assert guess.risk == 0 or min(risks) > 0


def test_no_stated_chance_is_above_that_to_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    """``umi-test`` refuses other engines for it."""
    own = DeepPlayer.advice

    def confident(player: DeepPlayer, analysis: Analysis) -> compiled.DeepGuess | None:
        found = own(player, analysis)
        return found and found._replace(value=0.999)

    monkeypatch.setattr(DeepPlayer, "advice", confident)
    guess = agent_named("deep").guess(Board(("#1#", "1##", "###"), mines=2), Random(0))
    assert isinstance(guess, Guess) and guess.risk and guess.wins == 1 - guess.risk


@pytest.mark.parametrize(
    "rules",
    [
        Rules(start=CORNER, tells_total=False),
        Rules(start=CORNER, clues=clues_named("underestimate 1/5")),
        Rules(FirstClick.ZERO, clues=clues_named("random 4/5")),
        Rules(start=CORNER, clues=clues_named("overestimate 1/5"), fatal=False),
    ],
    ids=str,
)
def test_what_the_kernels_do_not_know_sat_plays(rules: Rules) -> None:
    for game in range(5):
        plays_as_sat(rules, game)


def test_what_the_kernels_have_no_room_for_sat_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "consult", lambda *_: WIDE)
    for game in range(5):
        plays_as_sat(Rules(start=CORNER), game)


def test_a_number_that_is_not_shown_is_for_sat() -> None:
    board = Board(("##2?", "####", "1###"), mines=4)
    assert agent_named("deep").guess(board, Random(3)) == agent_named("sat").guess(board, Random(3))


def plays_as_sat(rules: Rules, game: int, topology: str = "square") -> None:
    layout = random_layout(7, 7, 10, game_rng("as sat", game), topology=topology_named(topology))
    deep, sat = (play(layout, agent_named(name), rules, Random(game)) for name in ("deep:3", "sat"))
    assert (deep.moves, deep.outcome) == (sat.moves, sat.outcome)


def test_cells_that_touch_more_than_the_kernels_have_room_for() -> None:
    rays = "offsets " + " ".join(f"{r},{c}" for r in range(-2, 3) for c in range(4) if (r, c) > (0, 0) or r < 0 < c)
    assert topology_named(rays).most > DEGREE
    for game in range(3):
        plays_as_sat(Rules(start=CORNER), game, rays)


def test_a_level_that_nobody_knows() -> None:
    for level in ("0", "6", "", "two", "02"):
        with pytest.raises(ValueError, match="expected a level among 1, 2, 3, 4, 5, found"):
            agent_named(f"deep:{level}")


def test_what_it_expects() -> None:
    """Two of three cells in a row, either of which may be the mine: a coin flip."""
    guess = agent_named("deep").guess(Board(("##", "##"), mines=2), Random(0))
    assert isinstance(guess, Guess) and guess.risk == Fraction(1, 2)
    assert guess.why == "wins with probability 0.17 (exact)"


def test_deep_may_be_asked_about_boards_that_have_nothing_to_do_with_each_other() -> None:
    agent = agent_named("deep:4")
    asked = [Board(rows, mines=3) for rows in (("###", "###", "##1"), ("###", "###", "1##"), ("####", "##2#"))]
    fresh = [agent_named("deep:4").guess(board, Random(0)) for board in asked]
    for _ in range(2):
        assert [agent.guess(board, Random(0)) for board in asked] == fresh


@pytest.mark.parametrize(
    "words",
    [
        ["agents"],
        ["solve", "examples/small.txt"],
        ["play", "--agent", "sat", "--seed", "3"],
        ["audit", "--agent", "sat", "--games", "2"],
    ],
    ids=" ".join,
)
def test_nothing_else_loads_what_is_compiled(words: list[str]) -> None:
    loaded = modules_after(running(*words))
    assert "satsweep.cli" in loaded and not loaded & {"numba", "llvmlite", "satsweep.kernels.api"}


def test_making_one_and_asking_what_is_forced_loads_nothing() -> None:
    code = "from satsweep import Board, agent_named\nassert agent_named('deep').deduce(Board(('1#',), mines=1)).mines"
    loaded = modules_after(code)
    assert "satsweep.agents.deep" in loaded and not loaded & {"numba", "llvmlite", "satsweep.kernels.api"}


def test_without_the_library_it_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise KernelError("no library")

    monkeypatch.setattr(compiled, "load", fail)
    with pytest.raises(ValueError, match="the agent deep cannot play: no library"):
        agent_named("deep")
