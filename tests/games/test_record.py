"""Tests of measures, and of replay: true records replay, false ones do not."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.games.agent import Deduction, Inference
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import Game, play, record, replay
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.topology import topology_named
from tests.strategies import clue_models, topologies

LAYOUT = Layout(("**.", "..."))
PLAY_ON = Rules(first=FirstClick.ANY, cascade=False, fatal=False)

every_rule = st.builds(
    Rules,
    first=st.sampled_from(FirstClick),
    start=st.none() | st.just(Cell(1, 1)),
    cascade=st.booleans(),
    fatal=st.booleans(),
    goal=st.sampled_from(Goal),
    clues=st.one_of(st.just("exact"), clue_models).map(clues_named),
    tells_total=st.booleans(),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw games of all agents under all rules, on all topologies.

    Each has room for the promised first cell.
    """
    name = draw(st.sampled_from(sorted(AGENTS)))
    rules = draw(every_rule)
    rows = draw(st.integers(4, 6))
    topology = draw(topologies(rows, 4))
    most = max(map(len, topology.neighbours(rows, 4)))
    rng = game_rng(draw(st.integers(0, 10_000)), 0)
    layout = random_layout(rows, 4, draw(st.integers(0, min(7, rows * 4 - 1 - most))), rng, topology=topology)
    return play(with_start(layout, rng), agent_named(name), rules, rng, name=name)


def by_hand() -> Record:
    """Return a game in which every measured event happens."""
    game = Game(LAYOUT, PLAY_ON)
    game.turn = 1
    game.open((1, 0), MoveReason.GUESSED, why="why not", risk=Fraction(1, 3))
    game.open((0, 0), MoveReason.GUESSED)
    game.turn = 2
    game.flag((1, 1), MoveReason.DEDUCED, Inference("wishful thinking", (Cell(1, 0),)))
    game.flag((0, 1), MoveReason.DEDUCED, Inference("single point", (Cell(1, 0),)))
    game.flag((0, 2), MoveReason.DEDUCED)
    game.unflag((0, 2))
    game.turn = 5
    game.note((1, 2), MoveReason.DEDUCED, Inference("single point"))
    game.open((0, 2), MoveReason.DEDUCED, Inference("wishful thinking"))
    game.open((1, 2))
    return record(game, "nobody", 1.5)


def test_measures() -> None:
    played = by_hand()
    assert (played.outcome, played.won, played.seconds) == (Outcome.PLAYED_OUT, False, 1.5)
    measures = played.measures
    assert measures.turns == 5
    assert (measures.opened, measures.share_opened) == (4, Fraction(2, 3))
    assert played.flags == {Cell(1, 1), Cell(0, 1)}
    assert (measures.flagged, measures.wrong_flags, measures.mines_hit) == (2, 1, 1)
    assert measures.score == Fraction(1, 2)
    assert (measures.guesses, measures.guesses_lost) == (2, 1)
    assert measures.by_rule == {"wishful thinking": 2, "single point": 2, "unnamed": 1}
    assert (measures.claims, measures.beyond_basic) == (5, 3), "no number implies the unnamed one"


@pytest.mark.parametrize("name", ["basic", "subset", "gem", "sat"])
@pytest.mark.parametrize("topology", ["square", "hexagonal"])
def test_claims_without_a_reason_are_beyond_single_numbers_where_named_ones_are(name: str, topology: str) -> None:
    """An agent of one's own that plays as a named one has the same measures."""
    named = agent_named(name)
    deduces = replace(agent_named(name), deduce=lambda board: Deduction(*named.deduce(board)))
    seen = 0
    for number in range(12):
        layout = random_layout(9, 9, 13, game_rng("beyond", number), topology=topology_named(topology))
        rules = Rules(start=Cell(4, 4), fatal=number % 2 == 0)
        named = agent_named(name)
        found, expected = (play(layout, agent, rules, game_rng(0, number)) for agent in (deduces, agent_named(name)))
        assert set(found.measures.by_rule) <= {"unnamed"}
        assert replace(found.measures, by_rule={}, evaluations=None) == replace(
            expected.measures, by_rule={}, evaluations=None
        )
        seen += found.measures.beyond_basic
    assert (seen > 0) is (name != "basic")


def test_a_flag_that_is_taken_away_or_opened_is_no_flag() -> None:
    game = Game(LAYOUT, PLAY_ON)
    game.flag((0, 0))
    game.open((0, 0))
    game.flag((0, 1))
    game.unflag((0, 1))
    game.stop(Outcome.STOPPED)
    assert record(game, "nobody").flags == frozenset() and record(game, "nobody").measures.flagged == 0
    assert record(game, "nobody").measures.mines_hit == 1


def test_measures_of_nothing() -> None:
    empty = play(Layout(("**",)), agent_named("basic"), Rules(first=FirstClick.ANY))
    assert (empty.measures.turns, empty.measures.opened, empty.measures.score) == (0, 0, 0)
    assert play(Layout(("..",)), agent_named("random")).measures.score == 1


def test_time_takes_no_part_in_comparisons() -> None:
    assert by_hand() == replace(by_hand(), seconds=9.0)


def test_explosions() -> None:
    mine, safe = ((Cell(0, 0), None),), ((Cell(0, 0), 0), (Cell(0, 1), 1))
    assert Move(1, Action.OPEN, Cell(0, 0), MoveReason.GUESSED, revealed=mine).exploded
    assert not Move(1, Action.OPEN, Cell(0, 0), MoveReason.GUESSED, revealed=safe).exploded
    assert not Move(1, Action.FLAG, Cell(0, 0), MoveReason.GUESSED).exploded


@given(records())
def test_flags_and_measures_agree_with_the_last_board(played: Record) -> None:
    boards = [game.board for _, game in replay(played)] or [Game(played.layout, played.rules).board]
    measures = played.measures
    assert measures.opened == sum(symbol not in "#F" for row in boards[-1].cells for symbol in row)
    assert played.flags == {cell for cell in boards[-1] if boards[-1][cell] == "F"}
    assert measures.flagged == len(played.flags)
    assert measures.mines_hit == sum(row.count("*") for row in boards[-1].cells)
    assert measures.guesses == sum(move.reason is MoveReason.GUESSED for move in played.moves)
    assert measures.claims == sum(measures.by_rule.values())


def changed(played: Record, number: int, **fields: Any) -> Record:
    moves = list(played.moves)
    moves[number] = moves[number]._replace(**fields)
    return replace(played, moves=tuple(moves))


@pytest.mark.parametrize(
    ("number", "fields", "message"),
    [
        (0, {"revealed": ((Cell(1, 0), 1),)}, "expected the move to reveal 1,0=2, found 1,0=1"),
        (0, {"revealed": ()}, "expected the move to reveal 1,0=2, found nothing"),
        (1, {"revealed": ((Cell(0, 0), 0),)}, r"expected the move to reveal 0,0=\*, found 0,0=0"),
        (1, {"cell": Cell(1, 0)}, "expected a covered cell, found 1,0"),
        (1, {"cell": Cell(7, 0)}, "expected a covered cell, found 7,0"),
        (2, {"turn": 0}, "expected turn 1 or a later one, found 0"),
        (4, {"action": Action.OPEN}, "expected the move to reveal 0,2=1, found nothing"),
        (7, {"action": Action.FLAG}, "expected the move to reveal nothing, found 0,2=1"),
    ],
)
def test_false_records_are_found_out(number: int, fields: dict[str, object], message: str) -> None:
    false = changed(by_hand(), number, **fields)
    made = 0
    with pytest.raises(BoardError, match=message):
        for _ in replay(false):
            made += 1
    assert made == number


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.PLAYED_OUT])
def test_false_outcomes_are_found_out(outcome: Outcome) -> None:
    with pytest.raises(BoardError, match=f"expected the outcome played out, found {outcome.value}"):
        list(replay(replace(by_hand(), outcome=outcome)))


def test_a_game_that_goes_on_can_only_have_been_given_up() -> None:
    cut = replace(by_hand(), moves=by_hand().moves[:3])
    for outcome in Outcome:
        if outcome in (Outcome.STUCK, Outcome.STOPPED):
            assert len(list(replay(replace(cut, outcome=outcome)))) == 3
        else:
            with pytest.raises(BoardError, match="expected the outcome stuck or stopped"):
                list(replay(replace(cut, outcome=outcome)))


def test_a_broken_promise_is_found_out() -> None:
    played = play(Layout(("*..",)), agent_named("random"), Rules(first=FirstClick.ANY, start=Cell(0, 0)))
    with pytest.raises(BoardError, match="expected the first cell to be safe, found a mine"):
        list(replay(replace(played, rules=Rules(start=Cell(0, 0)))))


def test_a_start_that_was_not_opened_is_found_out() -> None:
    played = play(Layout(("..*",)), agent_named("random"), Rules(first=FirstClick.ANY, start=Cell(0, 0)))
    with pytest.raises(BoardError, match="expected the first move to open 0,1, found 0,0"):
        list(replay(replace(played, rules=Rules(first=FirstClick.ANY, start=Cell(0, 1)))))
