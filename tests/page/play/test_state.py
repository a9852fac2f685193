"""The state of Play in Node: what moves, help and answers change in it, and what follows for the screen."""

from typing import Any

from tests.page.node import node

DESK = """
    import { squareGrid } from "./basics/square-grid.js";
    import { Archive } from "./play/archive.js";
    import { Coach } from "./play/coach.js";
    import { Dealing } from "./play/dealing.js";
    import { Moves } from "./play/moves.js";
    import { PlayState } from "./play/state.js";
    const DEALT = {
        layout: [".*..", "....", "....", "...."], shown: "1*1.111.........", start: [3, 3], topology: "square",
        mines: 1, opened: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], cascades: true, exact: true,
    };
    const asked = { clues: "exact", seed: "1", rows: 4, cols: 4, mines: 1, topology: "square" };
    const setup = { ...asked, asked, first: "zero", opened: false, start: null, query: {} };
    // Answers come when they are let go, unless the question was cancelled.
    const waiting = [];
    const connection = {
        ask: (kind, fields, { signal } = {}) => new Promise((resolve, reject) => {
            const settle = (answer) => (signal?.aborted ? reject(signal.reason) : resolve(answer));
            waiting.push({ kind, fields, settle });
        }),
    };
    const answer = async (kind, value) => {
        waiting.splice(waiting.findIndex((one) => one.kind === kind), 1)[0].settle(value);
        for (let turn = 0; turn < 20; turn++) await null;
    };
    const desk = {
        connection, state: new PlayState({ setup }), said: [],
        draw(change) { this.state = this.state.with(change); },
        tell(...message) { this.draw({ message }); },
        announce(text) { this.said.push(text); },
        keepSoon() {},
    };
    const coach = new Coach(desk);
    const dealing = new Dealing(connection, () => {});
    const moves = new Moves(desk, { archive: new Archive(), coach, dealing });
    const begin = () => moves.begin(squareGrid(4, 4));
    const play = async () => { begin(); moves.act("open", 15); await null; await answer("deal", DEALT); };
    const symbols = () => desk.state.game.symbols.join("");
    const odds = (risk) => ({ risk, exact: String(risk), percent: `${100 * risk} %`, label: "" });
    const ANALYSIS = { cells: [1, 0, ...Array(14).fill(-1)], odds: [odds(1), odds(0)], safe: 1, best: [0, 0] };
    const out = (value) => console.log(JSON.stringify(value));
"""


def played(code: str) -> Any:
    """What some code finds that plays on a board of 4x4, whose one mine is in the first row."""
    return node(DESK + code)


def test_a_board_that_comes_late_replaces_no_game() -> None:
    """The first game is left while its mines are placed; what comes then is for nobody."""
    states = played("""
        begin();
        moves.act("open", 15);
        await null;
        moves.leave();
        begin();
        await answer("deal", DEALT);
        const before = [symbols(), desk.state.asked, desk.state.game.dealt];
        moves.act("open", 0);
        await null;
        await answer("deal", { ...DEALT, start: [0, 0], opened: [0] });
        out([before, symbols(), desk.state.game.path.length]);
    """)
    assert states == [["#" * 16, None, None], "1" + "#" * 15, 1]


def test_help_that_comes_late_is_not_shown() -> None:
    states = played("""
        await play();
        coach.toggle("risks");
        moves.act("flag", 1);
        await answer("solve", ANALYSIS);
        const late = desk.state.risks;
        await answer("solve", ANALYSIS);
        const risks = desk.state.risks === ANALYSIS;
        coach.hint();
        moves.undo();
        await answer("hint", { steps: [{ text: ["Look here."] }], cell: [0, 0], safe: true });
        out([late, risks, desk.state.help, [...desk.state.game.help].sort()]);
    """)
    assert states == [None, True, None, ["hint", "risks", "undo"]]


def test_a_hint_is_told_step_by_step() -> None:
    shown = played("""
        await play();
        const found = {
            cell: [0, 0], safe: true, steps: [
                { text: ["Look here."], cells: [[0, 0], [0, 1]] }, { text: ["1 number will do."], cells: [[1, 0]] },
                { text: ["It ", [0, 0], " is safe."] }, { text: ["Open ", [0, 0], "."], action: "open" },
            ],
        };
        moves.hint();
        await answer("solve", ANALYSIS);
        await answer("hint", found);
        const seen = [];
        for (let step = 0; step < 4; step++) {
            seen.push([desk.state.help.told, desk.state.marks, desk.said.at(-1)]);
            moves.hint();
        }
        await moves.turn;
        out([...seen, [desk.state.game.over, desk.state.ended.help, desk.state.marks, desk.state.message]]);
    """)
    look, number, conclusion, move, end = shown
    assert look == [1, {"region": [0, 1]}, "Hint: Look here."]
    assert number[:2] == [2, {"clue": [4]}]
    assert conclusion[1] == move[1] == {"clue": [4], "best": [0], "good": [0]}
    assert end[:3] == ["won", ["hint"], {}] and end[3][0].startswith("Cleared in ")


def test_a_warning_stands_before_a_mine_and_is_overruled() -> None:
    warned, after = played("""
        await play();
        moves.act("open", 1);
        await null;
        await answer("solve", ANALYSIS);
        const { kind, risky, safe } = desk.state.help;
        const warned = [kind, risky, safe, desk.state.marks, symbols()[1]];
        await moves.open(desk.state.help.cells, { sure: true });
        out([warned, [desk.state.game.over, desk.state.help, desk.state.ended.won]]);
    """)
    assert warned == ["warning", [1], 1, {"bad": [1]}, "#"]
    assert after == ["lost", None, False]


def test_what_cells_look_like_follows_from_the_state() -> None:
    plain, risks, lost, gone = played("""
        await play();
        const looks = () => [0, 1, 2].map((index) => desk.state.look(index));
        const seen = [looks()];
        desk.draw({ risks: ANALYSIS });
        seen.push([...looks(), desk.state.tip(1), desk.state.tip(2)]);
        await moves.open([1], { sure: true });
        seen.push(looks());
        moves.leave();
        seen.push(looks());
        out(seen);
    """)
    assert plain == [{"symbol": "#"}, {"symbol": "#"}, {"symbol": "1"}]
    assert [look.get("heat") for look in risks[:3]] == [0, 1, None]
    assert risks[3:] == ["risk 100 %", ""]
    assert lost == [{"symbol": "#"}, {"symbol": "*"}, {"symbol": "1"}]
    assert gone == [{"symbol": "#"}] * 3


def test_one_menu_has_what_becomes_of_guesses() -> None:
    found = played("""
        const { GUESSING, guessingOf, guessesNamed } = await import("./play/guessing.js");
        const own = Object.entries(GUESSING).map(([name, { needs, rule }]) => guessingOf(needs, rule) === name);
        const layout = new PlayState({ setup: { ...setup, opened: true }, guessing: "pairs" });
        const wrong = new PlayState({ setup: { ...setup, asked: { ...asked, clues: "random" } }, guessing: "cruel" });
        const free = new PlayState({ setup, guessing: "cruel" });
        out([
            own, [layout, wrong, free].map(({ guessed, board }) => [guessed, board.needs, board.rule]),
            [guessingOf("single", "fair"), guessingOf("odd", "odd"), guessingOf(null, null)],
            [guessesNamed("any", "never"), guessesNamed("pairs", "cruel-all")],
        ]);
    """)
    own, effective, read, named = found
    assert all(own)
    assert effective == [["any", "any", "never"], ["any", "any", "never"], ["cruel", "any", "cruel"]]
    assert read == ["fair", "any", "any"]
    assert named == [[], ["guesses never needed: two numbers at a time", "cruel to all"]]


def test_undo_goes_on_with_a_lost_game() -> None:
    before, after, again = played("""
        await play();
        await moves.open([1], { sure: true });
        const before = [desk.state.began, desk.state.ended.won, desk.state.mayHelp];
        moves.undo();
        const after = [desk.state.began !== null, desk.state.ended, desk.state.mayHelp, desk.state.message];
        await moves.open([0], { sure: true });
        out([before, after, [desk.state.ended.won, desk.state.ended.isBest, desk.state.ended.help]]);
    """)
    assert before == [None, False, False]
    assert after == [True, None, True, ["Move undone."]]
    assert again == [True, False, ["undo"]]


def test_a_game_goes_on_after_a_reload_as_it_was_left() -> None:
    """Help, clicks that changed nothing, seconds, and that it is kept already; a link of somebody else is help."""
    own, other = played("""
        const { packedClicks } = await import("./shared/clicks.js");
        const { leftOf, toldCounts } = await import("./play/counts.js");
        await play();
        moves.act("chord", 15);
        moves.act("flag", 1);
        desk.state.game.help.add("hint");
        const { game } = desk.state;
        const left = leftOf(game, "here", 7.5);
        const link = { code: packedClicks(game.path), counts: toldCounts(game), mined: null };
        const seen = [];
        for (const one of [left, null]) {
            moves.leave();
            begin();
            const resumed = moves.resume({ ...link, left: one });
            await answer("deal", DEALT);
            await resumed;
            const { clicks, help, kept } = desk.state.game;
            seen.push([symbols(), clicks, [...help], kept, desk.state.spent >= 7.5, desk.state.began !== null]);
        }
        out(seen);
    """)
    assert own[0] == other[0] and own[0][1] == "F"
    assert own[1:] == [{"left": 1, "right": 1, "chord": 1}, ["board seen before", "hint"], False, True, True]
    assert other[2:] == [["board seen before", "link"], False, False, True]


def test_nothing_is_told_of_the_layout_before_the_end() -> None:
    """What is shown of two boards is the same while the same cells are open, but on request, which is help."""
    shown = played("""
        const seen = [];
        const other = { ...DEALT, layout: ["..*.", "....", "....", "...."], shown: "..1*1.111......." };
        for (const needs of ["any", "all"]) {
            desk.draw({ guessing: needs });
            for (const dealt of [DEALT, other]) {
                begin();
                moves.act("open", 15);
                await null;
                await answer(needs === "any" ? "deal" : "deal_no_guess", { ...dealt, opened: [15] });
                const { ended, message, minesLeft, rated, says } = desk.state;
                const looks = [...Array(16).keys()].map((index) => desk.state.look(index));
                seen.push([ended, message, minesLeft, rated, says, looks, desk.state.marks]);
            }
        }
        out([seen, waiting.some(({ kind }) => kind === "rate")]);
    """)
    (first, second, third, fourth), asked = shown
    assert first == second and third == fourth and not asked
    assert first[3] == "" and third[3] == ""
