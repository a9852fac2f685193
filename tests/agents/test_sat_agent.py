"""Tests of the exact agent: deductions, guesses, and a cache without side effects."""

from collections.abc import Iterable
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, example, given, strategies as st

from satsweep.agents import agent_named, basic
from satsweep.agents.sat import SatPlayer
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.games.agent import Deduction, Guess
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import Game, play, play_moves
from satsweep.games.record import MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache
from tests.analysis.test_outlook import seen
from tests.strategies import boards, unreliable_boards


def played(agent: str, game: int, rows: int = 9, cols: int = 9, mines: int = 14) -> Record:
    rng = game_rng("sat", game)
    return play(random_layout(rows, cols, mines, rng), agent_named(agent), Rules(start=Cell(0, 0)), rng)


@pytest.mark.parametrize(
    ("level", "games"),
    [
        ("beginner", range(8)),
        pytest.param("beginner", range(8, 600), marks=pytest.mark.slow),
        pytest.param("intermediate", range(300), marks=pytest.mark.slow),
        pytest.param("expert", range(100), marks=pytest.mark.slow),
    ],
)
def test_every_engine_plays_the_same_games(level: str, games: range) -> None:
    """PySAT, CP-SAT, elimination, compiled kernels."""
    for game in games:
        moves = []
        for engine in ("compiled", "sat", "cpsat", "elimination", "auto"):
            rng = game_rng("engines", game)
            layout = random_layout(*LEVELS[level], rng)
            moves.append(play(layout, agent_named(f"sat:{engine}"), rng=rng).moves)
        assert all(others == moves[0] for others in moves[1:]), (level, game)


def test_unknown_engine() -> None:
    with pytest.raises(ValueError, match="expected an engine among auto"):
        agent_named("sat:nonsense")


@given(board=boards())
def test_stages_divide_what_is_forced(board: Board) -> None:
    """The cells that single numbers settle are those that the basic agent finds."""
    bare = board.without_flags()
    analysis = analyse(bare)
    stages = analysis.stages
    assert sorted(cell for cells in stages.values() for cell in cells) == sorted((*analysis.safe, *analysis.mines))
    safe, mines = basic.deduce(bare)
    assert stages["single point"] == tuple(sorted((*safe, *mines)))


def test_a_stage_of_each_kind() -> None:
    def stage(board: Board, cell: Cell) -> str:
        agent = agent_named("sat")
        return agent.deduce(board).why[cell].rule  # type: ignore[union-attr]

    assert stage(Board(("1#",), mines=1), Cell(0, 1)) == "single point"
    assert stage(Board(("###", "121")), Cell(0, 1)) == "subset"
    assert stage(Board(("1##",), mines=1), Cell(0, 2)) == "mine total"


def test_flags_that_are_not_its_own_are_opinions() -> None:
    """A trusted flag would make the other cell safe; the numbers leave both possible."""
    board = Board(("1#", "1F"), mines=1)
    player = SatPlayer("auto")
    assert not player.deduce(board)
    assert not player.mines


def test_flags_of_its_own_are_known_mines() -> None:
    player = SatPlayer("auto")
    assert player.deduce(Board(("1###",), mines=2)).mines == (Cell(0, 1),)
    again = Board(("1F##",), mines=2)
    assert player.deduce(again).mines == ()
    assert player.analysis(again).board == Board(("1*##",), mines=2)


def test_it_guesses_a_cell_of_least_risk_in_games() -> None:
    for game in range(12):
        rng = game_rng("least", game)
        going = Game(random_layout(8, 8, 14, rng), Rules(start=Cell(0, 0)), rng)
        seen = going.board
        for move in play_moves(going, agent_named("sat"), rng):
            if move.reason is MoveReason.GUESSED:
                analysis = analyse(seen)
                assert move.risk == analysis.risk(move.cell) == min(analysis.risk(cell) for cell in seen.covered)
                assert not analysis.safe
            seen = going.board


def test_it_starts_in_a_corner() -> None:
    """All cells have equal risk; a corner is likeliest to have no mine around."""
    player = SatPlayer("auto")
    blank = Board(("#" * 9,) * 9, mines=10)
    assert not player.deduce(blank)
    guesses = {player.guess(blank, Random(seed)).cell for seed in range(40)}  # type: ignore[union-attr]
    assert guesses == {Cell(0, 0), Cell(0, 8), Cell(8, 0), Cell(8, 8)}


@example(board=Board(("2##", "###", "###"), mines=3), seed=0)  # likelier one safe cell, or more of them less likely
@given(board=st.one_of(boards(max_covered=9), unreliable_boards(max_covered=8)), seed=st.integers(0, 3))
def test_a_tie_goes_to_the_cell_that_tells_more(board: Board, seed: int) -> None:
    """By every world: the chance of a safe cell, then the expected number of them."""
    bare = board.without_flags()
    analysis = analyse(bare)
    assume(not analysis.safe and len(analysis.mines) < len(bare.covered))
    guess = agent_named("sat").guess(bare, Random(seed))
    assert isinstance(guess, Guess)
    least = analysis.least_risk
    assert guess.risk == least == min(analysis.risk(cell) for cell in bare.covered)

    def worth(cell: Cell) -> tuple[Fraction, Fraction]:
        numbers = seen(bare, cell).values()
        return sum_of(p for p, safe in numbers if safe), sum_of(p * safe for p, safe in numbers)

    assert analysis.safest == tuple(cell for cell in bare.covered if analysis.risk(cell) == least)
    assert worth(guess.cell) == max(map(worth, analysis.safest))


def test_open_mines_make_a_number_that_is_too_low_tell_less() -> None:
    """By hand: one of three cells is a mine, equally likely; numbers may be too low.

    The last cell shows 1 with probability 1/2 * 1/2, and then the first of the three is safe. The first shows 2, and
    then the last is safe, only with probability 1/2 * 1/3, since it touches the open mine, too. The one between them
    touches both others, so nothing follows.
    """
    board = Board(("1*###",), mines=2, clues="underestimate")
    guesses = {agent_named("sat").guess(board, Random(seed)) for seed in range(20)}
    why = "least risk of 3 cells, and a safe cell follows with 25.0%"
    assert guesses == {Guess(Cell(0, 4), why, Fraction(1, 3))}


@given(board=st.one_of(boards(), unreliable_boards(max_covered=8)))
def test_it_claims_all_that_is_forced_whatever_others_flag(board: Board) -> None:
    """Right or wrong, flags do not change its claims."""
    flagged, bare = agent_named("sat"), board.without_flags()
    found = flagged.deduce(board)
    expected = analyse(bare)
    assert isinstance(found, Deduction) and found.safe == expected.safe
    assert found.mines == tuple(cell for cell in expected.mines if board[cell] != "F")
    assert flagged.guess(board, Random(5)) == agent_named("sat").guess(bare, Random(5))


def sum_of(values: Iterable[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


@pytest.mark.parametrize(("row", "mines"), [("#.#.##.#.##.##.##.#", 0), ("#.#.##.##.##.##.##", None)])
def test_asked_to_guess_where_cells_are_safe(row: str, mines: int | None) -> None:
    """This does not occur in a game; it once divided by zero."""
    guess = agent_named("sat").guess(Board((row,), mines=mines), Random(0))
    assert isinstance(guess, Guess) and guess.risk == 0 and guess.why == "safe in every world"


def test_nothing_to_open() -> None:
    assert agent_named("sat").guess(Board(("1#",), mines=1), Random(0)) is None
    record = play(Layout(("**",)), agent_named("sat"), Rules(first=FirstClick.ANY))
    assert record.outcome is Outcome.CLEARED and not record.moves


def test_memory_changes_nothing() -> None:
    """The positions of a game in order, with the cache of earlier ones and without."""
    memory = ComponentCache()
    rng = game_rng("memory", 1)
    going = Game(random_layout(16, 16, 40, rng), Rules(first=FirstClick.ZERO, start=Cell(5, 5)), rng)
    for _ in play_moves(going, agent_named("sat"), rng):
        fresh, kept = analyse(going.board), analyse(going.board, cache=memory)
        assert (fresh.worlds, fresh.risks) == (kept.worlds, kept.risks)
    assert 0 < memory.lookups // 2 < memory.hits < memory.lookups


def test_memory_keeps_nothing_that_was_given_up() -> None:
    board = Board(("#####", "1#2#1", "#####"))
    memory = ComponentCache()
    assert not analyse(board, budget=Budget(states=0), cache=memory).complete
    assert not memory.counts
    assert analyse(board, cache=memory).risks == analyse(board).risks
    assert memory.counts
