"""What is drawn is what was found: text, colour, JSON and SVG against the analysis they show."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from importlib.resources import files
from itertools import product
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satsweep import Analysis, Board, Budget, Cell, analyse
from satsweep.formats import FORMATS
from satsweep.layout import Layout
from satsweep.render import RENDERINGS, to_colour, to_json, to_svg, to_text
from satsweep.render.facts import count, digits, facts, fraction, percent
from satsweep.render.squares import Square, heat, shade, squares
from satsweep.topology import TOPOLOGIES
from tests.strategies import boards, layouts, malformed_texts

SVG = "{http://www.w3.org/2000/svg}"
SMALL = Board(("##1.", "##21", "####"), mines=3)


def schema(name: str) -> Any:
    read = json.loads(files("satsweep").joinpath("schemas", f"{name}.schema.json").read_text("utf-8"))
    return jsonschema.Draft202012Validator(read)


ANALYSIS, BOARD = schema("analysis"), schema("board")


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    """Answers of every kind, some of them incomplete."""
    board = draw(boards())
    return analyse(board, engine="sat", budget=draw(st.sampled_from((None, None, Budget(states=1)))))


def incomplete() -> Analysis:
    """A board with safe cells, with mines, with a component within the budget and one beyond it."""
    rows = ("#1.###2#3#3#3#2##", "#" * 17, "#" * 17, "#" * 17, "#" * 16 + "3")
    return analyse(Board(rows), engine="sat", budget=Budget(states=8))


def plain(analysis: Analysis, **options: Any) -> str:
    return "".join(to_text(analysis, **options))


def map_of(text: str, cols: int, across: int = 3) -> list[list[str]]:
    """The labels of a map that was not split."""
    lines = text.split("\n\n")[0].splitlines()[1:]
    margin = len(str(len(lines) - 1))
    return [[line[margin + across * col :][:across].strip(" >") for col in range(cols)] for line in lines]


def label(analysis: Analysis, cell: Cell) -> str:
    """What stands for a cell, written anew."""
    if not analysis.board.is_covered(cell):
        return analysis.board[cell]
    if cell in analysis.unknown:
        return "?"
    risk = analysis.risk(cell)
    if risk in (0, 1):
        return "XX" if risk else "ok"
    return "<1" if round(100 * float(risk)) == 0 else f"{min(round(100 * float(risk)), 99):02}"


# Text


@given(analyses())
def test_text_shows_every_cell(analysis: Analysis) -> None:
    board = analysis.board
    labels = map_of(plain(analysis), board.cols)
    assert labels == [[label(analysis, Cell(row, col)) for col in range(board.cols)] for row in range(board.rows)]


@given(analyses())
def test_text_marks_the_best_move_and_only_it(analysis: Analysis) -> None:
    lines = plain(analysis).split("\n\n")[0].splitlines()[1:]
    margin = len(str(len(lines) - 1))
    marked = [
        (row, (place - margin) // 3) for row, line in enumerate(lines) for place, c in enumerate(line) if c == ">"
    ]
    assert marked == ([] if analysis.best is None else [analysis.best])


@given(analyses())
def test_text_and_colour_differ_in_colour_only(analysis: Analysis) -> None:
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", "".join(to_colour(analysis)))
    assert [line.rstrip() for line in coloured.splitlines()] == plain(analysis).splitlines()


def test_no_number_of_an_open_cell_looks_like_a_risk() -> None:
    board = Board(("1#" + "#" * 40,), mines=3)
    labels = map_of(plain(analyse(board)), 42)[0]
    assert labels[:2] == ["1", "XX"] and set(labels[2:]) == {"05"}


@given(analyses(), st.integers(1, 60))
def test_no_line_of_the_map_exceeds_the_width(analysis: Analysis, width: int) -> None:
    board = analysis.board
    margin = len(str(board.rows - 1))
    text = plain(analysis, width=width)
    drawn = re.split(r"\n\n(?! *0? *[0-9 ]+\n)", text, maxsplit=1)[0]
    assert all(len(line) <= max(width, margin + 3) for line in drawn.splitlines())
    # All columns are there, each once.
    headers = [part.splitlines()[0] for part in drawn.split("\n\n")]
    assert [int(col) for header in headers for col in header.split()] == list(range(board.cols))


@pytest.mark.parametrize(("density", "shown"), [("0.9999", "99"), ("0.994", "99"), ("0.004", "<1"), ("0.006", "01")])
def test_what_is_nearly_certain_does_not_look_certain(density: str, shown: str) -> None:
    assert map_of(plain(analyse(Board(("##",), density=density))), 2) == [[shown, shown]]


def test_columns_of_three_digits_are_numbered_where_there_is_room() -> None:
    header = plain(analyse(Board(("#" * 120,), mines=1))).splitlines()[0]
    assert [int(col) for col in header.split()] == list(range(0, 120, 5))
    for col in range(0, 120, 5):
        assert header[: 1 + 3 * (col + 1)].endswith(str(col))


def test_where_it_is_narrow_colour_does_without_blanks() -> None:
    analysis = analyse(Board(("#" * 30,) * 2, mines=6))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", "".join(to_colour(analysis, width=70))).splitlines()
    assert lines[1] == "0" + "10" * 30
    assert len("".join(to_colour(analysis, width=30)).split("\n\n")) > 3


def test_long_lists_are_cut_in_text_and_never_in_json() -> None:
    analysis = analyse(Board(("0" + "#" * 99,) + ("#" * 100,) * 99, mines=9_000))
    text = plain(analyse(Board(("#" * 100,) * 100, mines=0)))
    assert "and 9,960 more" in text and "best move       0,0 is safe" in text
    assert max(map(len, text.splitlines()[102:])) <= 100
    assert len(json.loads("".join(to_json(analyse(Board(("#" * 100,) * 100, mines=0)))))["safe"]) == 10_000
    assert dict(facts(analysis))["safe"] == "0,1 1,0 1,1"


def test_a_number_longer_than_the_line_stays_in_one_piece() -> None:
    analysis = analyse(Board(("#" * 60,) * 60, mines=1000))
    lines = plain(analysis, exact=True, width=80).splitlines()
    assert digits(analysis.worlds or 0) in [line.split()[-1] for line in lines if line]


def test_unknown_risks_are_question_marks_everywhere() -> None:
    analysis = incomplete()
    assert analysis.unknown and analysis.safe and analysis.mines and not analysis.complete
    assert f"not counted     {analysis.unknown[0].row},{analysis.unknown[0].col}" in plain(analysis)
    answer = json.loads("".join(to_json(analysis)))
    assert [Cell(r, c) for r, row in enumerate(answer["risk_exact"]) for c, risk in enumerate(row) if risk == "?"] == [
        *analysis.unknown
    ]
    assert "? not counted" in "".join(to_svg(analysis))


@pytest.mark.parametrize(
    "board",
    [
        Board(("#",), mines=0),
        Board(("#",), mines=1),
        Board(("...", "...")),
        Board(("*1",)),
        Board(("##", "##"), mines=4),
        Board(("F#1",), density="1/3"),
        Board(("#" * 200,) * 200, mines=10_000),
    ],
    ids=["safe", "mine", "open", "revealed", "full", "flag", "fresh"],
)
def test_odd_boards_come_out_in_every_form(board: Board) -> None:
    analysis = analyse(board)
    ANALYSIS.validate(json.loads("".join(to_json(analysis))))
    ElementTree.fromstring("".join(to_svg(analysis)))
    for exact in (False, True):
        assert "worlds" in plain(analysis, exact=exact)
        assert "worlds" in "".join(to_colour(analysis, exact=exact, width=80))
    if analysis.best is None:
        assert "best move       none" in plain(analysis)


# Numbers


def test_digits_beyond_what_python_prints() -> None:
    long = 10**6000 + 7
    assert digits(long) == "1" + "0" * 5999 + "7"
    assert fraction(Fraction(long, long + 1)) == "1" + "0" * 5999 + "7/1" + "0" * 5999 + "8"
    assert count(long) == "1.000e+6000 (6,001 digits)"
    assert count(10**15 - 1) == "999,999,999,999,999" and count(10**15) == "1.000e+15 (16 digits)"
    assert count(10**15, exact=True) == "1000000000000000"


@given(st.integers(0, 10**30))
def test_digits_are_those_of_the_number(number: int) -> None:
    assert digits(number) == str(number)


@given(st.fractions(0, 1, max_denominator=10**12))
@example(Fraction(10**9 - 1, 10**9))
@example(Fraction(1, 10**9))
@example(Fraction(99994, 100000))
@example(Fraction(99996, 100000))
def test_only_what_is_certain_looks_certain(risk: Fraction) -> None:
    assert (percent(risk) == "0 %") == (risk == 0)
    assert (percent(risk) == "100 %") == (risk == 1)
    assert Fraction(percent(risk, exact=True)) == risk


def test_weights_too_small_for_a_float() -> None:
    board = Board(("#2#2#2#2#2#2#2#2#",) * 30, density="1/1000000000000")
    weight = dict(facts(analyse(board)))["weight"]
    assert not weight.startswith("0") and int(weight.split("e")[1]) < -400


# Colours


def luminance(colour: str) -> float:
    """Relative luminance, as the Web Content Accessibility Guidelines define it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_black_can_be_read_on_every_colour() -> None:
    colours = [heat(Fraction(part, 50)) for part in range(51)] + [Square("unknown", "?").fill]
    for colour in [*colours, *map(shade, colours)]:
        assert (luminance(colour) + 0.05) / 0.05 >= 4.5
    assert len(set(colours)) == len(colours)


# JSON


@given(analyses())
def test_json_is_valid_and_tells_the_analysis(analysis: Analysis) -> None:
    answer = json.loads("".join(to_json(analysis)))
    ANALYSIS.validate(answer)
    board = analysis.board
    assert (answer["rows"], answer["cols"], answer["mines"]) == (board.rows, board.cols, board.mines)
    assert answer["worlds"] == (None if analysis.worlds is None else str(analysis.worlds))
    assert answer["safe"] == [list(cell) for cell in analysis.safe]
    assert answer["forced_mines"] == [list(cell) for cell in analysis.mines]
    assert ("weight" in answer) == (analysis.weight is not None)
    assert answer["complete"] is analysis.complete
    for cell in board:
        rounded, exact = answer["risk"][cell.row][cell.col], answer["risk_exact"][cell.row][cell.col]
        if not board.is_covered(cell):
            assert rounded is None and exact is None
        elif cell in analysis.unknown:
            assert rounded is None and exact == "?"
        else:
            assert Fraction(exact) == analysis.risk(cell) and rounded == float(analysis.risk(cell))
            assert isinstance(rounded, int) == (cell in analysis.safe + analysis.mines)
    if analysis.best is None:
        assert answer["best"] is None
    else:
        assert answer["best"] == {"cell": list(analysis.best), "risk": float(analysis.risk(analysis.best))}


def test_json_has_one_row_a_line() -> None:
    lines = "".join(to_json(analyse(SMALL))).splitlines()
    assert '    ["1/3", "0", "1/2", "1/2"]' in lines and len(lines) == 21


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("worlds", 12),
        ("worlds", "0"),
        ("worlds", "1e9"),
        ("safe", [[0]]),
        ("safe", [[0, -1]]),
        ("risk", [[2]]),
        ("risk", [["1/2"]]),
        ("risk_exact", [["2/4x"]]),
        ("risk_exact", [[0.5]]),
        ("best", {"cell": [0, 0]}),
        ("complete", 1),
        ("extra", 1),
        ("engine", None),
    ],
)
def test_the_schema_refuses_other_answers(key: str, value: object) -> None:
    answer = json.loads("".join(to_json(analyse(SMALL))))
    assert ANALYSIS.is_valid(answer)
    assert not ANALYSIS.is_valid({**answer, key: value})
    if key in answer:
        del answer[key]
        assert not ANALYSIS.is_valid(answer)


@given(st.one_of(boards(), layouts()))
def test_boards_and_layouts_fit_their_schema(value: Board | Layout) -> None:
    BOARD.validate(json.loads(FORMATS["json"].write(value)))


@given(malformed_texts())
def test_what_the_reader_takes_fits_the_schema(text: str) -> None:
    if text.lstrip()[:1] not in ("{", "["):
        return
    for read in (FORMATS["json"].read_board, FORMATS["json"].read_layout):
        try:
            read(text)
        except Exception:
            continue
        fields = json.loads(text)
        BOARD.validate(fields)


def test_the_schema_knows_the_topologies_and_refuses_what_the_reader_refuses() -> None:
    named = BOARD.schema["$defs"]["topology"]["enum"]
    assert set(named) == {*TOPOLOGIES, None}
    good = {"board": ["##", "1#"]}
    assert BOARD.is_valid(good) and BOARD.is_valid({"board": [[-1, 9], [0, 8]]})
    wrong = ({"mines": -1}, {"mines": 1.5}, {"density": 2}, {"topology": "sphere"}, {"bombs": 1}, {"layout": ["*"]})
    for fields in (*wrong, {"mines": 1, "density": 0.5}, {"board": ["x"]}, {"board": []}, {"board": [[10]]}):
        assert not BOARD.is_valid({**good, **fields})
        with pytest.raises(Exception, match="expected"):
            FORMATS["json"].read_board(json.dumps({**good, **fields}))
    assert not BOARD.is_valid({}) and not BOARD.is_valid([])


# SVG


@given(analyses())
def test_svg_shows_every_cell(analysis: Analysis) -> None:
    root = ElementTree.fromstring("".join(to_svg(analysis)))
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    title, description = root[0], root[1]
    assert title.tag == f"{SVG}title" and description.tag == f"{SVG}desc"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert f"{len(analysis.safe)} are safe" in (description.text or "")
    shown = {}
    for group in root.iter(f"{SVG}g"):
        if (tip := group.find(f"{SVG}title")) is not None and tip.text:
            place, _, said = tip.text.partition(": ")
            text = group.find(f"{SVG}text")
            shown[place] = (said, "" if text is None else text.text)
    assert len(shown) == sum(map(str.__len__, analysis.board.cells)) - sum(
        analysis.board.number(cell) is not None for cell in analysis.board
    )
    for row, line in enumerate(squares(analysis)):
        for col, square in enumerate(line):
            if square.kind in ("safe", "mine"):
                assert shown[f"{row},{col}"] == (square.kind, square.kind)
            elif square.kind == "risk":
                risk = analysis.risk((row, col))
                assert shown[f"{row},{col}"] == (f"risk {percent(risk)}", f"{square.label.removeprefix('0')}%")
            elif square.kind == "unknown":
                assert shown[f"{row},{col}"] == ("not counted", "?")


def test_svg_outlines_the_best_move_and_nothing_else_on_the_board() -> None:
    root = ElementTree.fromstring("".join(to_svg(analyse(SMALL))))
    outlines = [(int(r.get("x", "")), int(r.get("y", ""))) for r in root.findall(f"{SVG}rect") if r.get("stroke")]
    cells = {
        (title.text or "").partition(":")[0]: group[1]
        for group in root.iter(f"{SVG}g")
        if (title := group.find(f"{SVG}title")) is not None
    }
    best = cells["2,1"]
    assert set(outlines) == {(int(best.get("x", "")), int(best.get("y", "")))}


def test_svg_needs_nothing_else_and_has_fractions_when_asked() -> None:
    drawn = "".join(to_svg(analyse(SMALL)))
    assert drawn.replace("http://www.w3.org/2000/svg", "").count("http") == 0
    assert not re.search(r"<(script|image|use|foreignObject|link)|@import|href", drawn)
    assert "0,0: risk 33.33 %" in drawn and "0,0: risk 1/3" in "".join(to_svg(analyse(SMALL), exact=True))


def test_svg_parts_lie_inside_the_picture() -> None:
    for rows, cols in product((1, 5, 40), (1, 5, 40)):
        root = ElementTree.fromstring("".join(to_svg(analyse(Board(("#" * cols,) * rows, mines=1)))))
        width, height = int(root.get("width", "")), int(root.get("height", ""))
        for element in root.iter():
            if element.get("x") is not None and element.get("y") is not None:
                right = int(element.get("x", "")) + int(element.get("width", "0"))
                assert 0 <= right <= width and 0 <= int(element.get("y", "")) <= height


def test_every_form_is_in_the_table() -> None:
    assert set(RENDERINGS) == {"text", "json", "svg"}
    for draw in RENDERINGS.values():
        assert "".join(draw(analyse(SMALL), exact=True))
