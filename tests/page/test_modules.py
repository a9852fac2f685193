"""Modules of the page that need no elements, in Node: positions, games, their numbers, the archive, drawing."""

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from satsweep.games.deal import random_layout
from satsweep.generator.walkthrough import board_numbers
from satsweep.layout import Layout
from tests.page.node import node
from tests.page.pages import ask

STORAGE = """
    globalThis.localStorage = {
        getItem: (name) => storage[name] ?? null, setItem: (name, text) => { storage[name] = text; },
    };
"""
"""What a browser keeps, in an object ``storage``."""


def layouts() -> list[Layout]:
    rng = Random(7)
    return [random_layout(rows, cols, mines, rng) for rows, cols, mines in product((1, 4, 9), (3, 8), (0, 1, 3))]


def shown(layout: Layout) -> str:
    return "".join("*" if (n := layout.number(layout.cell(i))) is None else str(n or ".")
                   for i in range(layout.rows * layout.cols))  # fmt: skip


# Positions


@pytest.mark.parametrize(
    ("part", "turned"),
    [("none", "none"), ("all", "all"), ("top", "left"), ("bottom", "right"), ("top,right", "left,bottom")],
)
def test_a_turned_position_has_its_rows_as_columns_and_its_sides_with_them(part: str, turned: str) -> None:
    text = "mines 2\n#12\nF*?" if part == "none" else f"mines 2\npart {part}\n#12\nF*?"
    code = f"""import {{ Position }} from "./basics/position.js";
        const own = Position.read({json.dumps(text)}); const other = own.turned();
        console.log(JSON.stringify([own.toString(), other.cells.join(""), other.rows, other.part,
            other.turned().toString()]));"""
    assert node(code) == [text, "#F1*2?", 3, turned, text]


def test_what_shows_nothing_has_a_sign_of_one_meaning() -> None:
    texts = node("""
        import { Position } from "./basics/position.js";
        const read = (text) => { const own = Position.read(text); return own && [own.cells.join(""), own.toString()]; };
        console.log(JSON.stringify(["1?\\n#1", "1~\\n11", "1?\\n11", "x1\\n11", "1\\n11"].map(read)));
    """)
    assert texts == [["1?#1", "1?\n#1"], ["1?11", "1~\n11"], None, None, None]


def test_a_position_of_another_size_keeps_its_cells_where_they_are() -> None:
    cells = node("""
        import { Position } from "./basics/position.js";
        const own = Position.of("123\\n456");
        console.log(JSON.stringify([own.resized(3, 2), own.resized(1, 4)].map(({ cells }) => cells.join(""))));
    """)
    assert cells == ["1245##", "123#"]


# Numbers of games


def test_3bv_is_that_of_python_and_grows_as_cells_open() -> None:
    told = [{"shown": shown(one), "rows": one.rows, "cols": one.cols} for one in layouts()]
    found = node(f"""
        import {{ neighboursOf }} from "./basics/square-grid.js"; import {{ solved }} from "./shared/counts.js";
        const counted = ({{ shown, rows, cols }}) => {{
            const near = neighboursOf(rows, cols);
            const ended = [...shown].map((one) => one === "*" ? "F" : one);
            return [Array(shown.length).fill("#"), ended].map((symbols) => solved(shown, symbols, near));
        }};
        console.log(JSON.stringify({json.dumps(told)}.map(counted)));
    """)
    for layout, (before, after) in zip(layouts(), found, strict=True):
        bv = board_numbers(layout)[0]
        assert before == {"bv": bv, "done": 0} and after == {"bv": bv, "done": bv}


def test_figures_of_a_game_as_players_define_them() -> None:
    whole, part, none, text = node("""
        import { figures, figuresText, partsText } from "./shared/counts.js";
        globalThis.document = { createElement: () => ({ append() {}, setAttribute() {}, addEventListener() {} }) };
        const won = figures({ bv: 20, done: 20, seconds: 10, clicks: 25, effective: 16 });
        console.log(JSON.stringify([won, figures({ bv: 20, done: 5, seconds: 10, clicks: null, effective: 4 }),
            figures({ bv: 20, done: 0, seconds: 0, clicks: 0, effective: 0 }),
            [figuresText(won, "").map(([, said]) => said), partsText({ left: 3, right: 0, chord: 2 }),
                partsText({ left: 3, right: 0, chord: 0 })]]));
    """)
    assert whole == {"bv": 20, "done": 20, "clicks": 25, "pace": 2, "rqp": 5, "efficiency": 0.8, "throughput": 1.25,
                     "correctness": 0.64}  # fmt: skip
    assert (part["rqp"], part["efficiency"], part["clicks"], part["throughput"]) == (None, None, 4, 1.25)
    assert {none["pace"], none["rqp"], none["efficiency"], none["throughput"], none["correctness"]} == {None}
    assert text == [["20", "2.00", "25", "80 %", "125 %", "64 %", "5.00"], "3 left, 2 on numbers", ""]


def test_clicks_come_back_from_their_address() -> None:
    rng, time, clicks = Random(3), 0, []
    for number in range(200):
        time += rng.choice((0, 1, 126, 127, 128, 40_000, 3_000_000))
        action = rng.choice(("open", "flag", "unflag", "chord"))
        clicks.append({"action": action, "index": rng.randrange(9999), "time": None if number % 7 == 0 else time})
    code = f"""import {{ clicksOf, packedClicks, toldClicks, unpackedClicks }} from "./shared/clicks.js";
        const clicks = {json.dumps(clicks)};
        const again = unpackedClicks(packedClicks(clicks), 9999);
        const refused = [];
        try {{ unpackedClicks(packedClicks(clicks), 100); }} catch (error) {{ refused.push(error.message); }}
        console.log(JSON.stringify([again, clicksOf(toldClicks(clicks, 33), 33), refused]));"""
    again, told, refused = node(code)
    assert again == clicks == told and refused == ["This link does not hold a game."]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0.00"), (7.259, "7.25"), (59.999, "59.99"), (67.25, "1:07.25"), (3667.25, "1:01:07.25")]
)
def test_times_are_cut_off_as_on_a_clock(seconds: float, text: str) -> None:
    code = f'import {{ timeText }} from "./play/stopwatch.js"; console.log(JSON.stringify(timeText({seconds})));'
    assert node(code) == text


# Games


def played(code: str) -> Any:
    """What code finds in a game on a 3x3 board with mines in a corner and at the right side."""
    layout = ["*..", "..*", "..."]
    dealt = json.loads(json.dumps(ask("deal", layout="mines 2\n" + "\n".join(layout), start=[2, 0], first="any")))
    return node(f"""
        import {{ squareGrid }} from "./basics/square-grid.js"; import {{ Game }} from "./play/game.js";
        const game = new Game({{
            rows: 3, cols: 3, geometry: squareGrid(3, 3), topology: "square", clues: "exact", total: 2, rule: "never",
            clock: () => 1.5,
        }});
        const told = () => [game.symbols.join(""), game.over, game.flags];
        const dealt = {json.dumps(dealt)}; const found = [];
        {code}
        console.log(JSON.stringify(found));
    """)


def test_a_game_is_won_by_opening_and_lost_by_a_mine() -> None:
    begun, flagged, won, lost, more = played("""
        game.deal(dealt, 6); found.push(told());
        game.open([1, 8]); game.flag([2, 0, 5]); found.push(told());
        game.flag([2]); game.open([2]); found.push(told());
        game.undo(); game.flag([5]); game.open([5]); found.push(told(), [game.help.has("undo"), game.lastOpened]);
    """)
    assert begun == ["###12#.1#", None, 0]
    assert flagged[1:] == [None, 3], "a wrong flag is no open cell"
    assert won[1] == "won" and lost[1] == "lost" and more == [True, 5]


def test_a_chord_opens_beside_as_many_flags_as_its_number() -> None:
    none, one, both, after = played("""
        game.deal(dealt, 6); game.open([4]);
        found.push(game.chord(4)); game.flag([1]); found.push(game.chord(4)); game.flag([2]);
        const cells = game.chord(4); found.push(cells); game.open(cells, 4);
        found.push([game.over, game.last.clicks.map(({ action }) => action), game.symbols.includes("#")]);
    """)
    assert none == one == [] and both == [0, 5, 8]
    assert after == ["lost", ["chord"], False], "both flags were wrong"


def test_of_cells_that_are_opened_together_a_mine_comes_last() -> None:
    ((clicks, over),) = played("""
        game.deal(dealt, 6); game.open([0, 1, 2]); found.push([game.last.clicks.map(({ index }) => index), game.over]);
    """)
    assert (clicks, over) == ([1, 2, 0], "lost")


def kept(games: list[dict[str, Any]], code: str) -> Any:
    board = {"rows": 9, "cols": 9, "mines": 10, "grid": "square", "clues": "exact", "needs": "any", "rule": "never"}
    whole = [{"board": board, "won": True, "when": "2026-01-01T00:00:00Z", **game} for game in games]
    return node(f"""
        const storage = {{ "satsweep-games": {json.dumps(json.dumps(whole))} }}; {STORAGE}
        const {{ Archive }} = await import("./play/archive.js");
        const archive = new Archive(); const board = {json.dumps(board)};
        console.log(JSON.stringify({code}));
    """)


def test_the_archive_ranks_wins_without_help_and_counts_rows_of_them() -> None:
    times = [(5, True), (3, True), (9, False), (4, True), (8, True), (7, True), (6, True)]
    games = [{"seconds": seconds, "won": won} for seconds, won in times]
    found = kept([*games, {"seconds": 1, "help": ["undo"]}], "archive.summary(board)")
    assert [game["seconds"] for game in found["best"]] == [3, 4, 5, 6, 7]
    assert (found["played"], found["won"], found["streak"], found["longest"]) == (7, 6, 4, 4)
    assert found["average"] == 5.5


def test_an_archive_that_is_full_forgets_the_oldest_but_no_best_time() -> None:
    code = """(() => {
        const [one] = archive.games;
        archive.games = [one, ...Array.from({ length: 1999 }, (_, at) => ({ ...one, seconds: 50 + at }))];
        archive.read = () => {};
        archive.add({ ...one, seconds: 999 });
        return [archive.games.length, archive.games.slice(0, 7).map(({ seconds }) => seconds)];
    })()"""
    assert kept([{"seconds": 1}], code) == [2000, [1, 50, 51, 52, 53, 55, 56]]


def test_games_as_csv_quote_what_has_a_comma() -> None:
    text = kept([{"seconds": 2.5, "bv": 3, "help": ["undo", "hint"]}], "archive.csv(() => 'nine, by \"nine\"')")
    assert text.splitlines()[1] == '2026-01-01T00:00:00Z,"nine, by ""nine""",true,2.5,3,,,undo hint'


def test_a_choice_that_is_kept_is_read_as_it_was_and_nonsense_is_as_nothing() -> None:
    found = node(f"""
        const storage = {{ "satsweep-settings-letters": "no", "satsweep-theme": "red", "satsweep-speed": "x" }};
        {STORAGE}
        const {{ kept }} = await import("./basics/kept.js");
        const names = ["settings-letters", "theme", "speed", "settings-upright"];
        console.log(JSON.stringify(names.map((one) => kept.get(one))));
    """)
    assert found == [False, "auto", 1, True]


def test_cells_of_the_square_grid_touch_those_around_them() -> None:
    found = node("""
        import { neighboursOf } from "./basics/square-grid.js"; console.log(JSON.stringify(neighboursOf(3, 4)));
    """)
    table = Layout(["....", "....", "...."]).topology.neighbours(3, 4)
    assert [sorted(own) for own in found] == [sorted(own) for own in table]


def test_an_estimate_is_told_from_an_exact_chance() -> None:
    found = node("""
        globalThis.document = { documentElement: {}, addEventListener() {} };
        const { fractionOf, winOf } = await import("./shared/advice.js");
        const wins = [{ win: 0.5, win_exact: "1/2" }, { win: 0.5, win_exact: null }, { win: null }];
        console.log(JSON.stringify([wins.map(winOf), fractionOf("7/16"), fractionOf("1")]));
    """)
    assert found == [["50 %", "about 50.0 %", None], 0.4375, 1]
