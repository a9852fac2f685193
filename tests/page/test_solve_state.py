"""The state of Solve in Node: what edits and answers change, and what follows for the screen."""

import json
from typing import Any

from satsweep.board import Board
from tests.page.pages import ask
from tests.page.test_puzzles import node

SMALL = "mines 3\n##1.\n##21\n####"
IMPOSSIBLE = "mines 3\n####\n#131\n####"
HEAD = """
    import { Position } from "./basics/position.js";
    import { squareGrid } from "./basics/square-grid.js";
    import { SolveState } from "./solve/state.js";
    const shown = (text, change) => {
        const position = Position.of(text);
        return new SolveState(change).showing(position, squareGrid(position.rows, position.cols));
    };
    const print = (value) => console.log(JSON.stringify(value));
"""


def run(code: str, **values: Any) -> Any:
    """What code prints that may use the module's names, and these values by their names."""
    given = "".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())
    return node(HEAD + given + code)


def test_an_edit_makes_another_position_of_which_nothing_is_known() -> None:
    before, after, known, history = run(
        """
        const first = shown(text).knowing({ phase: "answered", answer });
        const next = first.edited([[0, "1"], [1, "#"]]);
        print([`${first.position}`, `${next.position}`, next.known, next.history.map(String)]);
        """,
        text=SMALL,
        answer=ask("solve", board=SMALL),
    )
    assert (before, after, history) == (SMALL, SMALL.replace("##1.", "1#1."), [SMALL])
    assert (known["phase"], known["answer"], known["advice"]) == ("asked", None, None)


def test_a_stroke_is_one_step_of_undo_and_goes_on_as_it_began() -> None:
    steps = run(
        """
        const states = [shown("mines 2\\n####\\n####", { tool: "pen" })];
        const paint = (...cells) => cells.forEach((cell, at) => states.push(states.at(-1).painted(cell, at === 0)));
        paint(0, 1, 1, 2);
        paint(1, 2, 3);
        states.push(states.at(-1).flagged(4), states.at(-1).flagged(4).painted(0, true));
        print(states.map(({ position, history }) => [position.cells.join(""), history.length]));
        """
    )
    assert steps == [
        ["########", 0], [".#######", 1], ["..######", 1], ["..######", 1], ["...#####", 1],
        [".#.#####", 2], [".#######", 2], [".#######", 2],
        ["1###*###", 3], ["####*###", 4],
    ]  # fmt: skip


def test_keys_and_the_wheel_draw() -> None:
    drawn = run(
        """
        const first = shown("mines 2\\n####\\n####");
        const keys = ["3", "0", "?", "*", "F", "f", "9", "Shift", "x"].map((key) => first.typed(0, key));
        const turned = [1, 1, -1, -1].reduce((states, by) => [...states, states.at(-1).wheeled(0, by)], [first]);
        print([keys, turned].map((all) => all.map((one) => one && one.position.cells[0])));
        """
    )
    assert drawn == [["3", ".", "?", "*", "F", "F", None, None, None], ["#", ".", "1", ".", "#"]]


def test_fields_make_a_position_or_say_what_is_wrong() -> None:
    made, faults, late = run(
        """
        import { applied } from "./solve/form.js";
        const { form, geometry, position } = shown("mines 4\\n####\\n#2#1\\n####\\n####");
        const settled = (change) => applied({ ...form, ...change }, position, geometry.neighbours, 10_000);
        const changes = [{ cols: "3" }, { cols: "2" }, { mines: "0.2" }, { mines: "" }, { part: "top" }];
        const wrong = [{ rows: "0" }, { rows: "x", cols: "" }, { cols: "9999" }];
        const late = new SolveState().with({ faults: { topology: "no" } }).showing(position, geometry);
        print([changes.map((one) => `${settled(one).made}`), wrong.map((one) => settled(one).faults), late.faults]);
        """
    )
    assert made == [
        "mines 3\n###\n#2#\n###\n###", "mines 2\n##\n#?\n##\n##", "density 0.2\n####\n#2#1\n####\n####",
        "####\n#2#1\n####\n####", "mines 4\npart top\n####\n#2#1\n####\n####",
    ]  # fmt: skip
    assert faults == [
        {"rows": "Expected a number from 1 on."},
        dict.fromkeys(("rows", "cols"), "Expected a number from 1 on."),
        {"rows": "A board has at most 10,000 cells."},
    ]
    assert late == {}


def test_what_is_said_and_marked_follows_from_what_is_known() -> None:
    answer, reason = ask("solve", board=SMALL), ask("explain", board=SMALL, cell=[2, 1])
    said = run(
        """
        const first = shown(text);
        const counting = first.knowing({ phase: "counting" });
        const solved = first.knowing({ phase: "answered", answer });
        const advised = solved.knowing({ advice: answer.advice });
        const chosen = advised.chose(9);
        const explained = chosen.knowing({ why: reason });
        const other = explained.chose(0);
        const states = [first, counting, solved, advised, chosen, explained, other];
        print(states.map((one) => [one.lead, one.marks(), one.noWins, one.look(9).label ?? "", one.tip(0)]));
        """,
        text=SMALL,
        answer=answer,
        reason=reason,
    )
    lead, marks, wins, looks, tips = zip(*said, strict=True)
    assert lead[:3] == ([], ["Counting…"], []) and lead[3] == ["Open ", [2, 1], ": it is safe."]
    assert wins[2:4] == ("", "Win chances follow when no cell is safe.")
    assert looks[1:3] == ("", "covered, safe") and tips[1:3] == ("", " risk 33.33 % = 1/3")
    clues = [4 * row + col for row, col in reason["reason"]["clues"]]
    assert [(one["target"], one["clue"]) for one in marks[3:]] == [([], []), ([9], []), ([9], clues), ([0], [])]
    assert all(one["best"] == [9] for one in marks[3:])


def test_a_contradiction_is_marked_and_its_total_is_a_fault() -> None:
    impossible, conflict = ask("solve", board=IMPOSSIBLE)["impossible"], ask("conflict", board=IMPOSSIBLE)["conflict"]
    states = run(
        """
        const first = shown(text).knowing({ phase: "answered", impossible });
        const found = first.knowing({ why: { conflict: { ...conflict, total: true }, corrections: [] } });
        print([first, found].map((one) => [one.lead, one.marks().bad, one.wrong, one.noWins]));
        """,
        text=IMPOSSIBLE,
        impossible=impossible,
        conflict=conflict,
    )
    assert [state[0] for state in states] == [["This board has no solution"]] * 2
    assert states[1][1] == [4 * row + col for row, col in conflict["clues"]]
    assert (states[0][2], states[1][2]) == ({}, {"mines": "This total does not fit the numbers."})
    assert states[0][3] == "Win chances need a board that is possible."


def test_a_refusal_stands_at_its_field_or_cell() -> None:
    states = run(
        """
        const first = shown(text);
        const at = (line, column) => first.refused({ said: "no", message: `no (line ${line})`, line, column });
        print([at(1, 1), at(2, 3), at()].map((one) => [one.wrong, one.known.bad, one.problem, one.lead]));
        """,
        text=SMALL,
    )
    assert [state[:3] for state in states] == [
        [{"mines": "no"}, [], []], [{}, [2], [[0, 2], ": no"]], [{}, [], ["no (line undefined)"]],
    ]  # fmt: skip
    assert all(state[3] == ["This position cannot be solved."] for state in states)


def test_a_walk_shows_its_numbers_and_the_best_cell() -> None:
    text = "mines 2\n.1#1.1#\n.1#1.1#"
    nodes = [ask("endgame", board=text, path=[], cell=[0, 2]), ask("endgame", board=text, path=[[0, 2, 1]])]
    assert all(node["cells"] for node in nodes)
    first, second = run(
        """
        const state = shown(text);
        const walks = [{ path: [], node: nodes[0] }, { path: [[0, 2, 1]], node: nodes[1] }];
        print(walks.map((walk) => state.knowing({ walk })).map((one) => [one.look(2), one.marks()]));
        """,
        text=text,
        nodes=nodes,
    )
    assert first[0]["text"] == "25" and first[1]["target"] == [2]
    assert second[0] == {"symbol": "1", "extra": "walked"}
    assert Board.from_text(text).covered and second[1]["best"]
