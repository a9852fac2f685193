"""Colours and looks of cells, in Node: what a board shows never says more, or other, than what is known."""

import json
import re
from itertools import product
from typing import Any

from tests.page.node import STATIC, node
from tests.render.test_render import luminance

KEYS = ("symbol", "heat", "text", "label", "extra")


def looks(*cells: tuple[str, str]) -> list[tuple[Any, ...]]:
    """The look of each cell, a symbol with what is known of it: symbol, heat, text, label, class."""
    calls = ", ".join(f"lookOf({symbol!r}, {known})" for symbol, known in cells)
    found = node(f'import {{ lookOf }} from "./board/look.js"; console.log(JSON.stringify([{calls}]));')
    return [tuple(look.get(key) for key in KEYS) for look in found]


def odds(risk: float | None, exact: str | None, label: str = "") -> str:
    return f"{{ odds: {json.dumps({'risk': risk, 'exact': exact, 'percent': f'{risk} %', 'label': label})} }}"


def test_colours_go_evenly_from_safe_over_even_to_a_mine() -> None:
    shades, classes = node("""
        import { classOf, colourOf, shadeOf } from "./board/heat.js";
        const heats = [0, 0.25, 0.5, 0.75, 1];
        console.log(JSON.stringify([heats.map((heat) => colourOf(shadeOf(heat))), heats.map(classOf)]));
    """)
    ends = ("safe", "even", "mined")
    for place, shade in enumerate(shades):
        to, share, start = re.findall(r"--(\w+)\) ([\d.]+)%, var\(--(\w+)\)", shade)[0]
        assert ends.index(to) - ends.index(start) == 1
        assert ends.index(start) + float(share) / 100 == place / 2
    assert classes == [f"heat-{12 * place}" for place in range(5)]


def test_the_best_chance_to_win_is_the_safest_colour() -> None:
    best, middle, worst, alone = node("""
        import { winHeat } from "./board/heat.js";
        const all = [0.2, 0.5, 0.8];
        console.log(JSON.stringify([winHeat(0.8, all), winHeat(0.5, all), winHeat(0.2, all), winHeat(0.3, [0.3])]));
    """)
    assert (best, round(middle, 9), round(worst, 9), alone) == (0.04, 0.5, 0.96, 0.2)


def test_only_what_is_certain_looks_certain() -> None:
    safe, mine, nearly, almost, flagged, unknown = looks(
        ("#", odds(0, "0")),
        ("#", odds(1, "1")),
        ("#", odds(1e-9, "1/1000000000", "<1")),
        ("#", odds(1 - 1e-9, "999999999/1000000000", "99")),
        ("F", odds(0, "0")),
        ("#", odds(None, None)),
    )
    assert safe == ("#", 0, "", "covered, safe", "") and mine == ("#", 1, "", "covered, a mine", "")
    assert 0 < nearly[1] < almost[1] < 1 and (nearly[2], almost[2]) == ("<1", "99")
    assert nearly[3] == "covered, risk 1e-09 %"
    assert flagged == ("#", 0, "", "covered, safe, flagged", "flagged")
    assert unknown == ("#", None, "?", "covered, risk not known", "unknown")


def test_the_end_marks_wrong_flags_and_mines_that_are_left() -> None:
    wrong, right, left, covered, open_cell = looks(
        ("F", "{ mine: false }"), ("F", "{ mine: true }"), ("#", "{ mine: true }"), ("#", "{ mine: false }"),
        ("3", "{ mine: false }"),
    )  # fmt: skip
    assert wrong[3:] == ("flagged, but safe", "wrong") and right[3:] == (None, None)
    assert left[3:] == ("covered, a mine", "left") and covered[3:] == (None, None)
    assert open_cell == ("3", None, None, None, None)


def test_numbers_and_risks_have_colours_of_their_own_that_can_be_read() -> None:
    """In both themes and skins: numbers on open cells, ink on the colours of risks, no two of one kind alike."""
    style = (STATIC / "app" / "style.css").read_text("utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", style)
    # The first colours are those of the page, the last ones those of its second skin.
    skins = [{name: pair for name, *pair in order} for order in (found[::-1], found)]
    assert skins[0] != skins[1]
    for themes, theme in product(skins, (0, 1)):
        numbers = [themes[f"n{number}"][theme] for number in range(1, 9)]
        risks = [themes[name][theme] for name in ("safe", "even", "mined")]
        assert len(set(numbers)) == 8 and len(set(risks)) == 3
        pairs = [*product(numbers, [themes["open"][theme]]), *product([themes["hot-ink"][theme]], risks)]
        for ink, ground in pairs:
            dark, light = sorted((luminance(ink), luminance(ground)))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


BOARD = """
    globalThis.document = { documentElement: { classList: {} }, addEventListener() {} };
    globalThis.window = new EventTarget();
    const { Board } = await import("./board/board.js");
    const cell = () => ({ setAttribute(name, value) { this[name] = value; } });
    const board = Object.assign(Object.create(Board.prototype), {
        rows: 2, cols: 3, cells: Array.from({ length: 6 }, cell), looks: [], texts: [], overview: null, tiny: false,
        marks: new Map(), lit: new Set(), sunk: new Set(), look: (index) => LOOKS[index],
    });
"""
"""A board of two rows and three columns, without a browser: ``LOOKS`` are how its cells look."""


def test_cells_beyond_a_part_have_no_place_on_its_board() -> None:
    """Cells around it are unseen, and none of them is marked elsewhere."""
    found = node(f"""{BOARD}
        console.log(JSON.stringify([
            board.indices([[-1, 2], [0, -1], [0, 0], [1, 2], [2, 0], [1, 3]]), board.indices(null), board.place(5),
        ]));
    """)
    assert found == [[0, 5], [], [1, 2]]


def test_a_cell_has_the_classes_of_its_look_and_the_words_of_its_marks() -> None:
    classes, labels, texts = node(f"""{BOARD}
        const LOOKS = [{{ symbol: "#", heat: 0 }}, {{ symbol: "#", heat: 1 }}, {{ symbol: "#", heat: 0.5, text: "50" }},
            {{ symbol: "3" }}, {{ symbol: "*" }}, {{ symbol: "F" }}];
        board.mark({{ best: [2, 0], last: [0] }});
        for (const index of board.cells.keys()) board.draw(index);
        console.log(JSON.stringify(["className", "aria-label", "textContent"].map((name) => board.cells.map((one) =>
            one[name] ?? ""))));
    """)
    assert classes == [
        "cell covered hot heat-0 safe best last", "cell covered hot heat-48 sure", "cell covered hot heat-24 best",
        "cell open n3", "cell open mine", "cell covered flag",
    ]  # fmt: skip
    assert labels[0].endswith("covered, best move, last move") and labels[3] == "row 2, column 1, 3"
    assert texts == ["", "", "50", "3", "", ""]
