"""The state of Watch in Node: a game forwards and backwards, and what is due of games that still come."""

import json
from typing import Any

import pytest

from tests.page.node import node
from tests.page.pages import pieces

ASKED = {"rows": 6, "cols": 6, "mines": 8, "seed": "3", "start": [2, 2], "first": "zero"}
BEGIN = """
    import { WatchedGame, WatchState } from "./watch/state.js";
    const [parts, end] = PLAYED;
    const begun = () => {
        const game = new WatchedGame("basic");
        game.prepare(parts[0]);
        for (const { moves = [] } of parts) game.moves.push(...moves);
        return game;
    };
    const told = (game) => [game.at, game.symbols.join(""), { ...game.counts }, game.standing, game.over];
"""


@pytest.fixture(scope="module")
def played() -> Any:
    """The parts of a game and its end, as they come to the page."""
    parts, end = pieces("watch", agent="basic", **ASKED)
    return json.loads(json.dumps([parts, end], default=str))


def states(played: Any, code: str) -> Any:
    return node(f"{BEGIN.replace('PLAYED', json.dumps(played))} console.log(JSON.stringify({code}));")


def test_a_game_goes_forwards_and_back_to_the_same_positions(played: Any) -> None:
    forwards, backwards, jumped = states(
        played,
        """(() => {
            const game = begun();
            const there = Array.from(game.moves, (_, at) => { game.go(at + 1); return told(game); });
            const back = Array.from(game.moves, () => { const now = told(game); game.go(game.at - 1); return now; });
            game.go(Infinity);
            return [there, back.reverse(), [told(game), [...game.go(0)].length, told(game)]];
        })()""",
    )
    count = len(forwards)
    assert count > 3 and forwards == backwards and jumped[0] == forwards[-1]
    assert jumped[2] == [0, "#" * 36, {"flags": 0, "mines": 0, "open": 0, "guesses": 0},
                         f"plays: {count} moves so far", False]  # fmt: skip
    assert 0 < jumped[1] <= 36 and forwards[0][2]["open"] > 1


def test_the_end_shows_the_mines_and_how_it_went(played: Any) -> None:
    _, end = played
    standing, over, facts, mined, before = states(
        played,
        """(() => {
            const game = begun();
            game.layout = end.layout;
            game.ended = end;
            const early = [game.standing, game.over];
            game.go(Infinity);
            const looks = game.symbols.map((_, at) => game.look(at));
            return [game.standing, game.over, game.facts, looks.filter(({ extra }) => extra === "left").length, early];
        })()""",
    )
    assert (standing, over, before) == (end["outcome"], True, ["", False])
    assert facts["mines"].endswith(" of 8") and 0 < facts["share"] <= 1
    covered = sum(row.count("*") for row in end["layout"])
    assert covered == 8 and 0 <= mined <= 8


def test_the_position_before_a_move_is_that_after_the_one_before(played: Any) -> None:
    pairs = states(
        played,
        """(() => {
            const game = begun();
            return Array.from(game.moves, (_, at) => {
                game.go(at);
                const after = game.position().toString();
                game.go(at + 1);
                return [after, game.before().toString()];
            });
        })()""",
    )
    assert all(after == before for after, before in pairs) and len({after for after, _ in pairs}) > 3


def test_what_was_asked_for_is_due_once_it_has_come(played: Any) -> None:
    assert states(
        played,
        """(() => {
            const [whole, coming] = [begun(), new WatchedGame("sat")];
            const state = new WatchState({ games: [whole, coming], wanted: 3 });
            const due = [state.due];
            coming.prepare(parts[0]);
            due.push(state.due);
            state.at = 3;
            whole.go(3);
            const late = [state.late.length];
            coming.moves.push(...whole.moves.slice(0, 2));
            late.push(state.late.indexOf(coming));
            return [due, late, state.complete, state.length === whole.moves.length, state.ending];
        })()""",
    ) == [[None, 3], [0, 0], False, True, None]  # fmt: skip


def test_guesses_flags_and_mines_are_counted_forwards_and_taken_back() -> None:
    """A guess, a flag, a note, a mine that a guess opens, on a board of two rows."""
    counts, facts = node("""
        import { WatchedGame } from "./watch/state.js";
        const game = new WatchedGame("someone");
        game.prepare({ rows: 2, cols: 2, mines: 2, topology: "square" });
        game.moves.push(
            { action: "guess", cell: [0, 0], opened: [[0, "2"]] }, { action: "flag", cell: [0, 1] },
            { action: "note", cell: [1, 0] }, { action: "guess", cell: [1, 1], opened: [[3, "*"]] },
        );
        const told = () => [game.counts.open, game.counts.flags, game.counts.mines, game.counts.guesses];
        const counts = [];
        for (const at of [1, 2, 3, 4, 3, 2, 1, 0]) { game.go(at); counts.push(told()); }
        game.go(4);
        console.log(JSON.stringify([counts, game.facts]));
    """)
    there = [[1, 0, 0, 1], [1, 1, 0, 1], [1, 1, 0, 1], [2, 1, 1, 2]]
    assert counts == [*there, there[2], there[1], there[0], [0, 0, 0, 0]]
    assert facts == {"mines": "2 of 2", "opened": "50 %", "guesses": "2", "share": 0.75}


def test_a_move_beyond_the_end_is_due_once_no_more_will_come(played: Any) -> None:
    due = states(
        played,
        """(() => {
            const game = begun(); const state = new WatchState({ games: [game], wanted: 9999 });
            const due = [state.due]; game.ended = end; due.push(state.due); return due;
        })()""",
    )
    assert due == [None, 9999]
