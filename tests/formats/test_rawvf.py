"""RAWVF: lines that are read or refused, and what a written game keeps, seen by its review."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from satsweep import FORMATS, BoardError, Layout, Record, agent_named, play, random_layout
from satsweep.assessment.review import review
from satsweep.board import Cell
from satsweep.formats import read_game_content
from satsweep.formats.clicks import ClickedGame
from satsweep.games.record import Action, Outcome
from satsweep.games.rules import FirstClick, Rules
from satsweep.render.review_json import review_values
from tests.formats.replay_files import clicks, rawvf
from tests.strategies import layouts

LAYOUT = Layout(("..*.", "....", ".*..", "...."))
PLAYED = rawvf(LAYOUT, clicks(("left", 0, 0), ("right", 0, 2), ("left", 3, 3)))


def moves(text: str) -> list[str]:
    return [f"{move.action.value} {move.cell}" for move in read_game_content(text.encode()).moves]


def test_the_line_before_the_events_may_be_missing() -> None:
    for gone in ("", "\n", "events :\n", "\nEvents:\n\n"):
        assert moves(PLAYED.replace("Events:\n", gone)) == ["open 0,0", "flag 0,2", "open 3,3"]
    assert FORMATS["rawvf"].read_layout(PLAYED.replace("Events:\n", "")) == LAYOUT


TOLD = (
    "12.3 won", "nonstandard", "boom", "flag 3 1", "Flag removed 3 1", "Cell opened (it is a Mine) 3 1", "closed 1 1",
    "Cell opened (Number 1) 1 2", "number3 4 4", "pressedqm 1 1", "0.010 Solved 3BV: 1 of 5", "RAW_3BV/s: 1.5", "",
    "RAW_Time: 12.3", "1.500 reduced -3 4", "0.1 mv 0 0 (-3 -3)",
)  # fmt: skip


@pytest.mark.parametrize("line", TOLD)
def test_lines_about_events_are_passed_over(line: str) -> None:
    assert moves(f"{PLAYED}{line}\n") == ["open 0,0", "flag 0,2", "open 3,3"]


@pytest.mark.parametrize("line", ["left click 3 4", "1.5 xx 3 4", "Player: me", "Board:", "lc 1 1", "1.5", "?", "RAW"])
def test_other_lines_are_errors_with_their_place(line: str) -> None:
    with pytest.raises(BoardError, match="expected a time, the name of an event and a place") as caught:
        read_game_content(f"{PLAYED}{line}\n1.0 lc 1 1\n".encode())
    assert (caught.value.line, caught.value.column) == (PLAYED.count("\n") + 1, 1)


# --- what is written -------------------------------------------------------------------------------------------------

starts = st.tuples(st.integers(0, 5), st.integers(0, 5))
times = st.none() | st.floats(0, 5) | st.integers(0, 5000).map(lambda thousandths: thousandths / 1000)


@st.composite
def games(draw: st.DrawFn) -> Record:
    """Games of a person, by rules that RAWVF has and others; most have times, which may be of any length."""
    layout = draw(layouts(max_cells=20))
    place = Cell(*(side % most for side, most in zip(draw(starts), (layout.rows, layout.cols), strict=True)))
    layout = replace(layout, start=draw(st.sampled_from([None, place])))
    first = draw(st.sampled_from(FirstClick))
    rules = Rules(first, start=draw(st.sampled_from([None, None, place])), cascade=draw(st.integers(0, 9)) > 0)
    try:
        game = ClickedGame(layout, rules)
    except BoardError:
        game = ClickedGame(layout)
    time, timed = 0.0, draw(st.booleans())
    try:
        for _ in range(draw(st.integers(1, 12))):
            cell = Cell(draw(st.integers(0, layout.rows - 1)), draw(st.integers(0, layout.cols - 1)))
            step = draw(times) if timed else None
            time += step or 0.0
            click = draw(st.sampled_from([game.open, game.open, game.toggle, game.chord]))
            click(cell, time if step is not None else None)
        record = game.record(draw(st.sampled_from(["me", "", "A: b", " x", "x\ny", "\u0161"])))
    except BoardError:
        game = ClickedGame(Layout(("*..",)))
        game.open(Cell(0, 1))
        record = game.record()
    return replace(
        record, evaluations=draw(st.none() | st.integers(0, 9)), seconds=draw(st.just(record.seconds) | st.floats(0, 9))
    )


def values(record: Record) -> dict[str, Any]:
    return review_values(review(record, rolled=2))


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if "Record" in form.writes])
@given(record=games())
def test_a_game_is_kept_with_its_review_or_refused(name: str, record: Record) -> None:
    """Of every format that holds games: written, read and reviewed it is the same."""
    try:
        text = FORMATS[name].write(record)
    except BoardError as error:
        assert name == "rawvf" and error.line is None and "\n" not in str(error)
        return
    again = read_game_content(text.encode())
    assert (again.rules, again.layout, again.agent) == (record.rules, record.layout, record.agent)
    assert (again.evaluations, again.seconds) == (record.evaluations, record.seconds)
    assert values(again) == values(record)


@pytest.mark.parametrize("first", FirstClick)
@pytest.mark.parametrize("agent", ["sat", "ai0", "random"])
def test_games_of_agents_are_reviewed_alike(agent: str, first: FirstClick) -> None:
    """Reasons and notes are left out; promise, start, evaluations and seconds stay."""
    layout = Layout(("......", ".*..*.", "......", "..*...", "......"), start=(4, 5))
    record = play(layout, agent_named(agent), Rules(first), Random(3), name=agent)
    again = read_game_content(FORMATS["rawvf"].write(record).encode())
    assert (again.rules, again.layout, again.seconds) == (record.rules, record.layout, record.seconds)
    assert again.evaluations == record.evaluations
    one, other = review(again, rolled=2), review(record, rolled=2)
    assert (one.start, one.skill, one.luck, one.end, one.classes) == (
        other.start, other.skill, other.luck, other.end, other.classes,
    )  # fmt: skip


def test_a_game_keeps_its_promise() -> None:
    """Without it the review began with other chances."""
    record = play(random_layout(4, 4, 3, seed=1), "sat", Rules(FirstClick.ZERO, Cell(0, 0)))
    again = read_game_content(FORMATS["rawvf"].write(record).encode())
    assert again.rules == record.rules != Rules() and review(again, rolled=2).start == review(record, rolled=2).start


@pytest.mark.parametrize(
    ("size", "level"), [((9, 9, 10), "Beginner"), ((16, 30, 99), "Expert"), ((20, 20, 99), "Custom")]
)
def test_other_programs_are_told_the_level_and_the_end(size: tuple[int, int, int], level: str) -> None:
    rows, cols, mines = size
    game = ClickedGame(Layout.from_mines(rows, cols, range(mines)), Rules(first=FirstClick.ANY))
    game.open(Cell(0, 0))
    text = FORMATS["rawvf"].write(game.record())
    assert f"\nLevel: {level}\n" in text and text.endswith(" boom\n")


def test_times_shorter_than_a_millisecond_are_kept() -> None:
    game = ClickedGame(Layout(("*..",)))
    game.open(Cell(0, 1), 0.1 + 0.2)
    game.open(Cell(0, 2), 1e-7 + 1)
    text = FORMATS["rawvf"].write(game.record("me"))
    assert "\n0.30000000000000004 lc 2 1" in text and "\n1.0000001 lr 3 1" in text
    assert [move.time for move in read_game_content(text.encode()).moves] == [0.1 + 0.2, 1e-7 + 1]


def test_what_rawvf_cannot_hold_is_refused() -> None:
    game = ClickedGame(Layout(("*..",)))
    game.open(Cell(0, 1), 1.0)
    record = game.record("me")
    open_it = record.moves[0]
    refused = {
        "expected names .*, found 'a.nb'": replace(record, agent="a\nb"),
        "expected outcome .*, found 'stuck'": replace(record, outcome=Outcome.STUCK),
        "expected a game that this format can hold": replace(record, moves=()),
        "expected moves": replace(record, moves=(open_it._replace(why="a guess"),)),
        "is not read: .*expected a number": replace(record, seconds=1e-40),
    }
    for message, one in refused.items():
        with pytest.raises(BoardError, match=message):
            FORMATS["rawvf"].write(one)
    assert open_it.action is Action.OPEN


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("Satsweep_First: none", "6:17", "expected one of any, safe, zero, given, found 'none'"),
        ("Satsweep_First: given", "6:17", "expected a line Satsweep_Start: with it, found none"),
        ("Satsweep_Start: 0 1", "6:17", "expected a column and a row from 1, found '0 1'"),
        ("Satsweep_Start: 5 1", "6:17", "expected a cell of the 4x4 grid, found 5 1"),
        ("Satsweep_Evaluations: x", "6:23", "expected a number, found 'x'"),
        ("Satsweep_Seconds: -1", "6:19", "expected a number, found '-1'"),
    ],
)
def test_our_own_lines_are_checked(line: str, place: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        read_game_content(rawvf(LAYOUT, clicks(("left", 0, 0)), line).encode())
    assert str(caught.value) == f"{place}: {message}"


@given(text=st.text("Satweprnuh_Fi:0 zero\n.lc1", max_size=60))
@example(text="lc")
def test_any_lines_after_the_board_are_read_or_refused(text: str) -> None:
    try:
        read_game_content(f"{PLAYED}{text}".encode())
    except BoardError as error:
        assert "\n" not in str(error)
