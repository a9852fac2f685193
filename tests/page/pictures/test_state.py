"""The state of a picture in Node: doubts, corrections and conflicts, and what follows for the screen."""

import json
from typing import Any

import numpy as np

from satsweep.formats.pictures.decode import KEPT_PIXELS, reduced
from tests.page.node import node

READING: dict[str, Any] = {
    "board": "1#2\n1##\n.21",
    "grid": {"left": 36.0, "top": 18.0, "width": 18.0, "height": 9.0},
    "doubts": [
        {"cell": [2, 0], "symbols": [[".", 0.816], ["#", 0.1], ["?", 0.077]]},
        {"cell": [0, 2], "symbols": [["2", 0.9], ["3", 0.1]]},
    ],
    "conflict": [[0, 0], [1, 0]],
    "part": "top,left",
}
ODDS = [{"risk": 0, "percent": "0 %", "exact": "0"}, {"risk": 0.5, "percent": "50 %", "exact": "1/2", "label": "50"}]
ANSWER = {
    "cells": [-1, 1, -1, -1, 0, 1, -1, -1, -1], "odds": ODDS, "best": [1, 1],
    "advice": {"sentence": ["Open ", [1, 1], "."]},
}  # fmt: skip
IMPOSSIBLE = {"impossible": {"clues": [[2, 1]], "total": False, "message": ["no"]}}
TOLD = """
    const told = (state) => ({
        board: state.position.toString(), lead: state.lead, remarks: state.remarks, doubts: state.doubts,
        marks: state.marks, problem: state.problem, looks: state.position.cells.map((_, index) => state.look(index)),
        choices: state.position.rows ? state.choices(6) : [], tip: state.position.rows ? state.tip(6) : "",
        next: state.doubtAfter(2),
    });
"""


def told(code: str) -> list[dict[str, Any]]:
    """States that follow from a reading, as the screen shows them."""
    found: list[dict[str, Any]] = node(
        'import { PictureState } from "./pictures/state.js";'
        f"{TOLD} const empty = new PictureState(); const read = empty.begun().read({json.dumps(READING)});"
        f"const answer = {json.dumps(ANSWER)}; const impossible = {json.dumps(IMPOSSIBLE)};"
        f"console.log(JSON.stringify({code}.map(told)));"
    )
    return found


def test_doubts_stand_out_with_their_symbols() -> None:
    empty, begun, read, answered = told("[empty, empty.begun(), read, read.answered(answer)]")
    assert (empty["lead"], begun["lead"], empty["board"]) == ([], ["Reading the picture …"], "")
    assert read["board"] == READING["board"]
    assert (read["doubts"], read["next"]) == ([2, 6], 6)
    assert read["choices"][:3] == [
        {"symbol": ".", "share": 0.816}, {"symbol": "#", "share": 0.1}, {"symbol": "F", "share": None},
    ]  # fmt: skip
    assert sorted(choice["symbol"] for choice in read["choices"]) == sorted("#F.12345678*")
    assert read["tip"] == "in doubt: empty 82 %, covered 10 %, under something else 8 %"
    assert read["looks"][6] == {"symbol": ".", "label": f"empty, {read['tip']}", "extra": "doubtful"}
    (hidden,) = told('[empty.read({ ...read.reading, doubts: [{ cell: [2, 0], symbols: [["?", 1]] }] })]')
    assert hidden["choices"][0] == {"symbol": "#", "share": None}, "a board has such a cell as covered"
    assert hidden["tip"] == "in doubt: under something else 100 %"
    assert read["looks"][0] == {"symbol": "1"}
    assert read["remarks"] == [
        "Read 3 rows of 3 cells.",
        "The picture may cut the board at: top, left.",
        "The number of mines is not read. With it, risks are exact for the whole board.",
    ]
    assert answered["looks"][4]["heat"] == 0 and answered["looks"][5]["text"] == "50"
    assert answered["lead"][0].startswith("2 cells in doubt") and answered["marks"]["best"] == []
    (settled,) = told("[empty.read({ ...read.reading, doubts: [] }).answered(answer)]")
    assert settled["marks"]["best"] == [4]


def test_corrections_settle_doubts_and_change_the_board() -> None:
    code = """(() => {
        const same = read.answered(answer).choosing(6, ".");
        const other = same.choosing(2, "3");
        return [same, other, other.answered(answer), other.counting(3), other.counting(3).counting(null)];
    })()"""
    same, other, answered, counted, again = told(code)
    assert same["board"] == READING["board"] and same["looks"][4]["heat"] == 0, "the answer is still that of the board"
    assert same["doubts"] == [2] and same["next"] == 2
    assert other["board"] == "1#3\n1##\n.21" and other["doubts"] == [] and other["next"] is None
    assert other["looks"][4] == {"symbol": "#"}, "nothing is known of the new board"
    assert answered["lead"] == ["Open ", [1, 1], "."] and answered["marks"]["best"] == [4]
    assert counted["board"].startswith("mines 3\n") and len(counted["remarks"]) == 2
    assert again["board"] == other["board"]


def test_a_conflict_marks_the_numbers_that_it_comes_from() -> None:
    code = """(() => {
        const changed = read.choosing(2, "3");
        return [read, changed, changed.answered(impossible), read.answered(answer), read.failed("No grid.")];
    })()"""
    read, changed, impossible, possible, failed = told(code)
    assert read["marks"]["bad"] == [0, 3] and read["lead"][0].startswith("A number is wrong")
    assert changed["marks"]["bad"] == [], "what the reader found is about another board"
    assert impossible["marks"]["bad"] == [7]
    assert possible["marks"]["bad"] == []
    assert failed["problem"] == "No grid."


def test_the_picture_lies_under_the_cells() -> None:
    crop = node(
        'import { PictureState } from "./pictures/state.js";'
        f"console.log(JSON.stringify(new PictureState().read({json.dumps(READING)}).crop));"
    )
    # A margin as wide as that of a board, 26 of 36 units, around three cells.
    assert crop == {"left": 23.0, "top": 11.5, "width": 80.0, "height": 40.0}


def test_large_pictures_are_reduced_as_the_reader_does() -> None:
    rng = np.random.default_rng(5)
    for rows, cols, factor in ((7, 9, 2), (10, 13, 3), (4, 4, 1)):
        pixels = rng.integers(0, 256, (rows, cols, 4), dtype=np.uint8)
        found = node(
            'import { reduced } from "./pictures/pixels.js";'
            f"const data = new Uint8ClampedArray({pixels.ravel().tolist()});"
            f"const found = reduced({{ width: {cols}, height: {rows}, data }}, {factor});"
            "console.log(JSON.stringify({ ...found, data: [...found.data] }));"
        )
        expected = reduced(np.ascontiguousarray(pixels[:, :, :3]), factor)
        shown = np.array(found["data"], np.uint8).reshape(found["height"], found["width"], 4)[:, :, :3]
        assert np.array_equal(shown, expected)
    sizes = [(2000, 2000), (2001, 2000), (4000, 3000), (5000, 5000)]
    factors = node(
        'import { factorOf } from "./pictures/pixels.js";'
        f"console.log(JSON.stringify({json.dumps(sizes)}.map(([width, height]) => factorOf(width, height))));"
    )
    assert factors == [int(np.ceil((width * height / KEPT_PIXELS) ** 0.5)) for width, height in sizes]


def test_a_probability_is_certain_only_where_it_is() -> None:
    code = """
        import { shareText } from "./pictures/state.js";
        console.log(JSON.stringify([0.002, 0.5, 0.997, 1].map(shareText)));
    """
    assert node(code) == ["1 %", "50 %", "99 %", "100 %"]
