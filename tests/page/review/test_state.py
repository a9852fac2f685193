"""The state of a review in Node: the walk through its choices, and what follows for the screen."""

import json
from typing import Any

import pytest

from satsweep import FORMATS, play
from tests.page.node import node
from tests.page.pages import ask


@pytest.fixture(scope="module")
def reviewed() -> Any:
    game = play("4x4/4", "random", seed=3)
    return json.loads(json.dumps(ask("review_game", text=FORMATS["json"].write(game)), default=str))


def walked(found: Any, code: str) -> Any:
    return node(
        'import { WalkState, ReviewState } from "./review/state.js";'
        f"const found = {json.dumps(found)}; const end = WalkState.of(found, true);"
        "const told = (state) => [state.step, state.place, state.shown?.said ?? null, state.symbols.join(''),"
        " state.isWalking, state.marks()];"
        f"console.log(JSON.stringify({code}));"
    )


def test_a_walk_goes_from_the_end_to_every_step_and_no_further(reviewed: Any) -> None:
    steps, states = walked(reviewed, "[end.last, [end, end.at(-3), end.at(0).at(1), end.at(99)].map(told)]")
    last, first, second, beyond = states
    assert last == beyond and last[0] == steps > 2 and last[1:3] == ["", None] and last[4:] == [False, {}]
    assert first[0] == 0 and first[1] == f"Move 1 of {steps}: " and set(first[3]) == {"#"} and first[4]
    assert second[0] == 1 and second[3] != first[3]
    assert first[5]["target"] == [reviewed["moves"][0]["cell"]]


def test_a_reason_and_spare_clicks_belong_to_their_step(reviewed: Any) -> None:
    reason = {"clues": [[0, 0]], "steps": []}
    own, pointed, next_step, spare, after = walked(
        reviewed,
        f"""(() => {{
            const known = end.at(1).with({{ reason: {json.dumps(reason)} }});
            const spare = end.with({{ marksSpare: true }});
            return [known.marks().clue, known.marks({{ clues: [[1, 1]] }}).clue, known.at(2).reason, spare.marks(),
                spare.at(spare.step).marks()];
        }})()""",
    )
    assert (own, pointed, next_step) == ([[0, 0]], [[1, 1]], None)
    assert list(spare) == ["target"] and after == {}


def test_faults_are_found_in_a_circle(reviewed: Any) -> None:
    faults, has = walked(
        reviewed,
        """[(() => { const seen = []; for (let one = end; seen.length <= end.last; one = one.at(one.nextFault))
            seen.push(one.step); return seen; })(), end.hasFaults]""",
    )
    wrong = {"inaccuracy", "mistake", "blunder"}
    expected = any(move.get("class") in wrong or move.get("wrong_flag") for move in reviewed["moves"])
    assert has is expected and faults[0] == max(faults)


def test_the_head_of_a_game(reviewed: Any) -> None:
    heads = walked(
        reviewed,
        """[new ReviewState({ found }), new ReviewState(),
            new ReviewState({ found: { ...found, won: false, outcome: "exploded", mines: 1 } }),
        ].map(({ head }) => head)""",
    )
    assert heads[1] == {"title": "", "outcome": ""} and heads[2]["title"] == "Lost"
    assert heads[2]["outcome"].endswith(", 1 mine") and heads[0]["title"] in ("Won", "Lost", "Not finished")


def test_a_loss_of_more_than_all_is_said_in_words(reviewed: Any) -> None:
    """Skill adds up over a game, and luck gives chances back in between."""
    more, usual = walked(
        reviewed,
        """["-116.67 %", "-100.00 %"].map((skill) => {
            const facts = [["start", "50 %"], ["skill", skill], ["luck", "about +66.7 %"], ["moves", "120"]];
            const state = WalkState.of({ ...found, facts }, true);
            return [state.facts(["start", "skill", "luck", "moves"]).map(([, value]) => value), state.remark];
        })""",
    )
    assert more[0] == ["50 %", "lost more than all", "about +66.7 %", "120"]
    assert "A game can lose more than one win" in more[1] and more[1].endswith("skill is -116.67 %.")
    assert usual[0][1] == "-100.00 %" and "more than one win" not in usual[1]


def move(cell: list[int], kind: str | None, **more: Any) -> dict[str, Any]:
    """A move of a review; a choice of its cell alone if it has a class."""
    choice = {"cells": [cell], "missed": [], "best": None, "reason": None, "risk": "1/3"}
    choice |= {name: more.pop(name) for name in ("missed", "best") if name in more}
    own = {"action": "open", "cell": cell, "opened": [], "class": kind, "wrong_flag": False, "not_needed": False}
    return own | {"choice": choice if kind else None, "said": [], "decided": None} | more


MISTAKEN: dict[str, Any] = {
    "rows": 2, "cols": 3, "mines": 1, "layout": ["*..", "..."], "known": "exact", "facts": [], "summary": "",
    "rules": {"clues": "exact", "redraw": "never", "tells_total": True},
    "moves": [
        move([1, 2], "best", opened=[[2, "."], [5, "."], [1, "1"], [4, "1"]]),
        move([0, 0], "mistake", missed=[{"cell": [1, 1]}, {"cell": [1, 0]}], best=[0, 1]),
        move([1, 0], None, action="flag", wrong_flag=True),
        move([0, 0], "blunder", best=[0, 1], opened=[[0, "*"]]),
    ],
}  # fmt: skip
"""A game with a fault of each kind."""


def test_faults_are_marked_with_what_was_better() -> None:
    kinds, faults, marks = walked(
        MISTAKEN,
        """[end.game.steps.map(({ kind }) => kind), end.game.steps.map(({ isFault }) => isFault),
            [0, 1, 2, 3].map((at) => end.at(at).marks())]""",
    )
    assert kinds == ["best", "mistake", "wrong flag", "blunder"] and faults == [False, True, True, True]
    none: dict[str, Any] = {"good": [], "best": [], "clue": []}
    assert marks == [
        none | {"target": [[1, 2]]},
        none | {"bad": [[0, 0]], "best": [[1, 1]], "good": [[1, 0]]},
        none | {"bad": [[1, 0]]},
        none | {"bad": [[0, 0]], "best": [[0, 1]]},
    ]


def test_the_next_fault_after_the_last_one_is_the_first() -> None:
    following = walked(MISTAKEN, "[0, 1, 2, 3, 4].map((at) => end.at(at).nextFault)")
    assert following == [1, 2, 3, 1, 1]


def test_mines_are_shown_at_the_end_alone() -> None:
    before, after = walked(
        MISTAKEN,
        """[3, 4].map((step) => {
            const symbols = end.game.symbols(step);
            return symbols.map((_, at) => end.game.known(step, Array(6).fill("#"), at));
        })""",
    )
    assert before == [None] * 6 and after == [True, *[False] * 5]
