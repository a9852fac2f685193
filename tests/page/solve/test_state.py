"""The state of Solve in Node: what edits and answers change, and what follows for the screen."""

import json
import random
from itertools import product
from typing import Any

from satsweep import Layout
from satsweep.board import Board
from tests.page.node import node
from tests.page.pages import ask

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
        const keys = ["3", "0", "?", "*", "F", "f", "9", "Shift", "x"].map((key) => first.typed(0, key)?.state);
        const turned = [1, 1, -1, -1].reduce((states, by) => [...states, states.at(-1).wheeled(0, by)], [first]);
        print([keys, turned].map((all) => all.map((one) => one?.position.cells[0] ?? null)));
        """
    )
    assert drawn == [["3", ".", "?", "*", "F", "F", None, None, None], ["#", ".", "1", ".", "#"]]


TYPE = """
    const type = (state, keys, at = 0) => keys.reduce(
        (found, key) => found.state.typed(found.next, key) ?? found, { state, next: at },
    );
    const empty = (text) => shown(text, { tool: "pen" });
    const told = ({ state, next }) => [state.position.cells.join(""), next, state.toType, state.history.length];
"""
EXPERT = "\n".join(["mines 99", *["#" * 30] * 16])


def expert() -> str:
    """A position of an expert game: what a few cells of a random board have opened."""
    rng = random.Random(7)
    layout = Layout.from_mines(16, 30, set(rng.sample(range(480), 99)))
    cells, neighbours = list(product(range(16), range(30))), layout.topology.neighbours(16, 30)
    opened = [cell for cell in rng.sample(cells, 60) if not layout.is_mine(cell)]
    for cell in opened:  # an empty cell opens those around it
        if not layout.number(cell):
            around = [cells[near] for near in neighbours[30 * cell[0] + cell[1]]]
            opened += [near for near in around if near not in opened]
    return str(layout.board(opened))


def test_an_expert_board_is_typed_in_a_key_a_cell() -> None:
    """The numbers beside an opening stand open before they are typed, and all are typed in the end."""
    cells = "".join(expert().splitlines()[1:])
    keys = [" " if symbol == "." else symbol for symbol in cells.rstrip("#")]
    assert cells.count(".") > 40 and cells.count("#") > 100 and len(keys) <= 480
    (made, _, left, steps), waiting = run(
        TYPE
        + """
        const whole = type(empty(text), keys);
        const half = type(empty(text), keys.slice(0, keys.lastIndexOf(" ") + 1)).state;
        print([told(whole), half.toType]);
        """,
        text=EXPERT,
        keys=keys,
    )
    assert (made, left) == (cells, 0) and waiting > 0
    assert steps <= len(keys)


def test_typing_moves_on_and_goes_back() -> None:
    """At the end of a row to the next one; an opening spreads, and goes when it is taken back or typed over."""
    found = run(
        TYPE
        + """
        const board = "###\\n###\\n###";
        const words = [["1", "2", "3", "#"], ["0"], [" ", "1"], [" ", "Backspace"], [" ", "1", "Backspace"],
            ["x", "Shift", "Backspace"], ["Delete"]];
        const first = words.map((keys) => told(type(empty(board), keys)));
        const over = told(type(type(empty(board), [" "]).state, ["2"]));
        const two = told(type(type(empty(board), [" ", " "]).state, ["2"], 1));
        const last = told(type(empty(board), ["4", "5"], 8));
        print([first, over, two, last]);
        """
    )
    assert found[0] == [
        ["123######", 4, 0, 3], [".?#??####", 1, 3, 1], [".1#??####", 2, 2, 2], ["#########", 0, 0, 2],
        [".?#??####", 1, 3, 3], ["#########", 0, 0, 0], ["#########", 0, 0, 0],
    ]  # fmt: skip
    assert found[1:] == [["2########", 1, 0, 2], [".2#??####", 2, 2, 3], ["########5", 8, 0, 2]]


def test_keys_without_a_tool_draw_where_they_are() -> None:
    """A blank explains the cell, so it draws nothing; nothing spreads."""
    found = run(
        TYPE
        + """
        const typed = ["1", "0", " ", "Backspace"].map((key) => shown("1##\\n###").typed(1, key));
        print(typed.map((one) => one && told(one)));
        """
    )
    assert found == [["11####", 1, 0, 1], ["1.####", 1, 0, 1], None, ["1#####", 1, 0, 0]]


def test_numbers_that_may_be_wrong_open_nothing() -> None:
    (found,) = run(TYPE + r'print([told(type(empty("clues undercount 0.1\n###\n###"), [" "]))]);')
    assert found == [".#####", 1, 0, 1]


def test_a_row_is_pasted_where_one_types() -> None:
    """As one step of undo; other texts are no symbols."""
    found = run(
        TYPE
        + """
        const board = empty("####\\n####");
        const texts = ["12#\\n", "1 1", "11\\n11", "https://a.b/c", "", "123456781"];
        const without = shown("####\\n####").pasted(0, "11");
        print([...texts.map((text) => board.pasted(1, text)), without].map((one) => one && told(one)));
        """
    )
    assert found == [["#12#####", 4, 0, 1], ["#1.1#???", 4, 3, 1], *[None] * 5]


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
        import { refused } from "./solve/wrong.js";
        const at = (line, column) => refused(first, { said: "no", message: `no (line ${line})`, line, column });
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
        import { Walk } from "./solve/walk.js";
        const walks = [new Walk({ node: nodes[0] }), new Walk({ path: [[0, 2, 1]], node: nodes[1] })];
        print(walks.map((walk) => state.knowing({ walk })).map((one) => [one.look(2), one.marks()]));
        """,
        text=text,
        nodes=nodes,
    )
    assert first[0]["text"] == "25" and first[1]["target"] == [2]
    assert second[0] == {"symbol": "1", "extra": "walked"}
    assert Board.from_text(text).covered and second[1]["best"]


def test_numbers_follow_mines_in_both_directions_if_the_user_wants_that() -> None:
    follows, drawn, undrawn, alone = run(
        """
        const { drawn, opened } = await import("./solve/drawing.js");
        const on = (text, follow) => {
            const position = Position.of(text);
            return { position, neighbours: squareGrid(position.rows, position.cols).neighbours, follow };
        };
        const board = "*2#\\n###";
        print([
            [true, false].map((follow) => opened(on(board, follow), 3)),
            drawn(on(board, true), 2, "*"), drawn(on(board, true), 0, "#"), drawn(on(board, false), 2, "*"),
        ]);
        """
    )
    assert follows == ["1", "."]
    assert drawn == [[2, "*"], [1, "3"]]
    assert undrawn == [[0, "#"], [1, "1"]]
    assert alone == [[2, "*"]]


def test_the_wheel_stops_at_the_ends() -> None:
    code = 'const { turned } = await import("./solve/drawing.js");'
    turns = [("#", 1), ("#", -1), (".", -1), (".", 1), ("2", 1), ("3", 1), ("3", -1)]
    found = run(f"{code} print(turns.map(([symbol, by]) => turned(symbol, by, 3)));", turns=turns)
    assert found == [".", "#", "#", "1", "3", "3", "2"]


def test_the_best_cell_of_a_walk_is_the_one_that_is_looked_at_if_none_wins_more() -> None:
    cells = [{"cell": [0, 0], "win": 0.5}, {"cell": [0, 1], "win": 0.75}, {"cell": [0, 2], "win": 0.75}]
    code = """
        const { Walk } = await import("./solve/walk.js");
        print(cells.map(({ cell }) => new Walk({ node: { best: [0, 1], cell, cells } }).best));
    """
    assert run(code, cells=cells) == [[0, 1], [0, 1], [0, 2]]
