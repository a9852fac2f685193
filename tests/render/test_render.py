"""Analyses as text, JSON and SVG on every topology."""

import json
import re
from fractions import Fraction
from itertools import combinations, product
from math import dist
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, strategies as st

from satsweep import Board, Budget, Cell, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.formats import FORMATS
from satsweep.layout import Layout
from satsweep.questions.statements import solve_statements
from satsweep.render import to_colour, to_json, to_svg, to_text
from satsweep.render.analysis_text import ShownCell, analysis_facts, named_to_text, shade, shown_cells
from satsweep.render.board_geometry import CIRCLES, MOST, MOST_BY_STRESS, TOP, BoardGeometry, place_nodes
from satsweep.render.board_svg import LINE
from satsweep.render.board_text import styled_lines
from satsweep.render.colours import heat, percent_label
from satsweep.render.number_text import about_percent, count, digits, fraction, percent, signed, tenths
from satsweep.topology import TOPOLOGIES, topology_named
from tests.cli import schema_of
from tests.page.node import node
from tests.strategies import boards, graphs, layouts, malformed_texts, unreliable_boards

SVG = "{http://www.w3.org/2000/svg}"
SMALL = Board(("##1.", "##21", "####"), mines=3)


ANALYSIS, BOARD = schema_of("analysis"), schema_of("board")


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    """Analyses of all kinds, some of them incomplete."""
    board = draw(st.one_of(boards(), unreliable_boards()))
    return analyse(board, engine="sat", budget=draw(st.sampled_from((None, None, Budget(states=1)))))


def incomplete() -> Analysis:
    """A board with safe cells, mines, a component within the budget and one beyond."""
    rows = ("#1.###2#3#3#3#2##", "#" * 17, "#" * 17, "#" * 17, "#" * 16 + "3")
    return analyse(Board(rows), engine="sat", budget=Budget(states=8))


def plain(analysis: Analysis, **options: Any) -> str:
    return "".join(to_text(analysis, **options))


def below_prior(text: str, board: Board) -> list[str]:
    """Lines below that of the mine total or density, which is as in the text form of the board."""
    prior = re.findall(r"^(?:mines|density) .*$", str(board), re.MULTILINE)
    lines = text.splitlines()
    assert lines[: len(prior)] == prior
    return lines[len(prior) :]


def rows_of(text: str, board: Board, across: int | None = None) -> list[list[str]]:
    """Cells of a map that was not split, each with its blanks.

    Odd rows of hexagons begin half a cell further to the right.
    """
    topology, height = board.topology, board.rows // board.topology.planes
    wide = across or (4 if topology.is_hexagonal else 3)
    lines = below_prior(text, board)[1 : board.rows + topology.planes]
    assert [number for number, line in enumerate(lines) if not line] == [
        (height + 1) * plane - 1 for plane in range(1, topology.planes)
    ]
    margin = len(str(board.rows - 1))
    rows = []
    for row, line in enumerate(filter(None, lines)):
        first = margin + (wide // 2 if topology.is_hexagonal and row % height % 2 else 0)
        assert int(line[:margin]) == row and not line[margin:first].strip()
        rows.append([line[first + wide * col :][:wide] for col in range(board.cols)])
    return rows


def map_of(text: str, board: Board) -> list[list[str]]:
    """Labels of such a map."""
    return [[cell.strip(" >") for cell in row] for row in rows_of(text, board)]


def label(analysis: Analysis, cell: Cell) -> str:
    """Label of a cell, by an independent rule."""
    if not analysis.board.is_covered(cell):
        return "~" if analysis.board[cell] == "?" and "#" not in analysis.board.symbols else analysis.board[cell]
    if cell in analysis.unknown:
        return "??"
    risk = analysis.risk(cell)
    if risk in (0, 1):
        return "XX" if risk else "ok"
    return "<1" if round(100 * float(risk)) == 0 else f"{min(round(100 * float(risk)), 99)}%"[:2]


# Text


@given(analyses())
def test_text_shows_every_cell(analysis: Analysis) -> None:
    board = analysis.board
    labels = map_of(plain(analysis), board)
    assert labels == [[label(analysis, Cell(row, col)) for col in range(board.cols)] for row in range(board.rows)]


@given(analyses())
def test_text_marks_the_best_move_and_only_it(analysis: Analysis) -> None:
    rows = rows_of(plain(analysis), analysis.board)
    marked = [(row, col) for row, line in enumerate(rows) for col, shown in enumerate(line) if ">" in shown]
    assert marked == ([] if analysis.best is None else [analysis.best])


@given(analyses())
def test_text_and_colour_differ_in_colour_only(analysis: Analysis) -> None:
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", "".join(to_colour(analysis)))
    assert [line.rstrip() for line in coloured.splitlines()] == plain(analysis).splitlines()


@given(analyses(), st.integers(1, 60))
def test_no_line_of_the_map_exceeds_the_width(analysis: Analysis, width: int) -> None:
    board = analysis.board
    margin = len(str(board.rows - 1))
    text = plain(analysis, width=width)
    # Words are in the legend and below it.
    lines = "\n".join(below_prior(text, board))
    drawn = re.split(r"^.*[a-z]{4}", lines, maxsplit=1, flags=re.MULTILINE)[0].splitlines()
    assert all(len(line) <= max(width, margin + (6 if board.topology.is_hexagonal else 3)) for line in drawn)
    # All columns are there, each once.
    headers = [line for line in drawn if line and line[margin - 1] == " "]
    assert [int(col) for header in headers for col in header.split()] == list(range(board.cols))


@pytest.mark.parametrize(("density", "shown"), [("0.9999", "99"), ("0.994", "99"), ("0.004", "<1"), ("0.006", "1%")])
def test_what_is_nearly_certain_does_not_look_certain(density: str, shown: str) -> None:
    board = Board(("##",), density=density)
    assert map_of(plain(analyse(board)), board) == [[shown, shown]]


def test_columns_of_three_digits_are_numbered_where_there_is_room() -> None:
    header = plain(analyse(Board(("#" * 120,), mines=1))).splitlines()[1]
    assert [int(col) for col in header.split()] == list(range(0, 120, 5))
    for col in range(0, 120, 5):
        assert header[: 1 + 3 * (col + 1)].endswith(str(col))


def test_where_it_is_narrow_colour_does_without_blanks() -> None:
    analysis = analyse(Board(("#" * 30,) * 2, mines=6))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", "".join(to_colour(analysis, width=70))).splitlines()
    assert lines[0] == "mines 6" and lines[2] == "0" + "10" * 30
    assert len("".join(to_colour(analysis, width=30)).split("\n\n")) > 3


def test_a_weight_beyond_floats_is_not_zero() -> None:
    found = solve_statements([(2, ("a", "b"))], density=Fraction(1, 10**200))
    assert found.weight == Fraction(1, 10**400)
    (told,) = (line.split() for line in named_to_text(found) if line.startswith("weight"))
    assert told == ["weight", "1e-400"]


@pytest.mark.extended
def test_long_lists_are_cut_in_text_and_never_in_json() -> None:
    analysis = analyse(Board(("0" + "#" * 99,) + ("#" * 100,) * 99, mines=9_000))
    text = plain(analyse(Board(("#" * 100,) * 100, mines=0)))
    assert "and 9,960 more" in text and "best move       0,0 is safe" in text
    assert max(map(len, text.splitlines()[103:])) <= 100
    assert len(json.loads("".join(to_json(analyse(Board(("#" * 100,) * 100, mines=0)))))["safe"]) == 10_000
    assert dict(analysis_facts(analysis))["safe"] == "0,1 1,0 1,1"


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
    assert "?? not counted" in "".join(to_svg(analysis))


@pytest.mark.extended
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
    said = "worlds" if board.covered else "no cell is covered"
    for exact in (False, True):
        for text in (plain(analysis, exact=exact), "".join(to_colour(analysis, exact=exact, width=80))):
            assert said in text and ("worlds" in text) == bool(board.covered)
    if board.covered and analysis.best is None:
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
@example(Fraction(1, 10**400))
def test_only_what_is_certain_looks_certain(risk: Fraction) -> None:
    assert (percent(risk) == "0 %") == (risk == 0)
    assert (percent(risk) == "100 %") == (risk == 1)
    assert Fraction(percent(risk, exact=True)) == risk


def test_no_chance_is_rounded_across_a_border() -> None:
    """The border itself is written in digits, and what lies beyond it is not."""
    tiny, border = Fraction(1, 10**9), Fraction(1, 10**4)
    assert [percent(risk) for risk in (tiny, border - tiny, border)] == ["<0.01 %", "<0.01 %", "0.01 %"]
    assert [percent(1 - risk) for risk in (border, border - tiny, tiny)] == ["99.99 %", ">99.99 %", ">99.99 %"]
    for chance in (Fraction(1, 5000), Fraction(4, 10**4)):
        assert tenths(chance) == "<0.1" and tenths(1 - chance) == ">99.9"
    assert [tenths(Fraction(share)) for share in (0, 1)] == ["0", "100"]
    assert tenths(Fraction(2999, 3000)) == ">99.9" and tenths(Fraction(1, 1000)) == "0.1"
    assert signed(Fraction(0)) == "0" and signed(-tiny) == ">-0.1" and signed(tiny) == "<0.1"


@given(st.fractions(0, 1))
def test_an_estimate_is_not_said_to_be_more_than_it_is(chance: Fraction) -> None:
    told = about_percent(chance)
    assert (told == "under 0.1 %") == (1000 * chance < 1 - Fraction(1, 10**9))
    if told != "under 0.1 %":
        assert Fraction(told.split()[1]) <= 100 * chance + Fraction(1, 10**6)
        assert (told == "about 100.0 %") == (1000 * chance >= 1000 - Fraction(1, 10**9))


def test_the_page_writes_chances_as_python_does() -> None:
    """The borders of both functions of numbers.js, in Node."""
    chances = [0, 1, 1e-9, 9.99e-5, 1e-4, 1.01e-4, 0.0004, 0.001, 0.29, 0.57, 1 / 3, 0.9635, 0.9996, 0.9999, 0.99991]
    found = node(
        f"""import {{ aboutPercent, percent }} from "./basics/numbers.js";
        console.log(JSON.stringify({json.dumps(chances)}.map((one) => [percent(one), aboutPercent(one)])));"""
    )
    told = [[percent(Fraction(str(chance))), about_percent(chance)] for chance in chances]
    assert found == told


def test_the_page_writes_numbers_as_python_does() -> None:
    """Labels of risks, counts of solutions and numbers with four digits: of ties the even neighbour, in Node."""
    risks = [0.004, 0.005, 0.015, 0.025, 0.125, 0.5, 0.985, 0.995, 0.999]
    counts = [0, 999, 1234567, 10**15 - 1, 10**15, 12345 * 10**14, 12355 * 10**14, 123451 * 10**14, 99996 * 10**20]
    numbers = [0, 1.5, 0.12345, 1234.5, 1235.5, 12345, 99995, 0.0001, 0.00001234, 1e9]
    script = f"""import {{ countText, general, percentLabel }} from "./basics/numbers.js";
        const counts = {json.dumps(list(map(str, counts)))}.map((one) => countText(BigInt(one)));
        const [labels, said] = [{json.dumps(risks)}.map(percentLabel), {json.dumps(numbers)}.map(general)];
        console.log(JSON.stringify([labels, counts, said]));"""
    labels, texts, said = node(script)
    assert labels == [percent_label(risk) for risk in risks]
    assert texts == [count(number) for number in counts]
    assert said == [f"{number:.4g}" for number in numbers]


@pytest.mark.extended
def test_weights_too_small_for_a_float() -> None:
    board = Board(("#2#2#2#2#2#2#2#2#",) * 30, density="1/1000000000000")
    weight = dict(analysis_facts(analyse(board)))["weight"]
    assert not weight.startswith("0") and int(weight.split("e")[1]) < -400


# Colours


def luminance(colour: str) -> float:
    """Relative luminance, as the Web Content Accessibility Guidelines define it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_black_can_be_read_on_every_colour() -> None:
    colours = [heat(Fraction(part, 50)) for part in range(51)] + [ShownCell("unknown", "?").fill]
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
    assert answer.get("topology", "square") == board.topology.name
    assert answer.get("clues", "exact") == str(board.clues)
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
    assert '    ["1/3", "0", "1/2", "1/2"]' in lines and len(lines) == 22


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("worlds", 12),
        ("worlds", "1e9"),
        ("safe", [[0]]),
        ("risk", [[2]]),
        ("risk_exact", [["2/4x"]]),
        ("best", {"cell": [0, 0]}),
        ("complete", 1),
        ("extra", 1),
        ("topology", "sphere"),
        ("clues", "exact"),
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
    good = {"board": ["##", "1#"]}
    for name in (*TOPOLOGIES, "offsets 0,1 2,-1 in 2 planes", "torus in 2 planes", "edges 0-1", "knight wrapping rows"):
        assert BOARD.is_valid({**good, "topology": name}) and topology_named(name)
    assert BOARD.is_valid(good) and BOARD.is_valid({"board": [[-1, 9], [0, 8]]})
    wrong: list[dict[str, object]] = [{"mines": -1}, {"mines": 1.5}, {"density": 2}, {"mines": 1, "density": 0.5}]
    wrong += [{"topology": "sphere"}, {"bombs": 1}, {"layout": ["*"]}]
    wrong += [{"board": ["X"]}, {"board": []}, {"board": [[10]]}]
    for fields in wrong:
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
            place, _, meaning = tip.text.partition(": ")
            text = group.find(f"{SVG}text")
            known = re.sub(", (tells nothing|a guess that cannot be avoided)", "", meaning)
            shown[place] = (known, "" if text is None else text.text)
    assert len(shown) == sum(map(str.__len__, analysis.board.cells)) - sum(
        analysis.board.number(cell) is not None for cell in analysis.board
    )
    for row, line in enumerate(shown_cells(analysis.board, analysis.risks)):
        for col, expected in enumerate(line):
            if expected.kind in ("safe", "mine"):
                assert shown[f"{row},{col}"] == (expected.kind, expected.kind)
            elif expected.kind == "risk":
                risk = analysis.risk((row, col))
                assert shown[f"{row},{col}"] == (f"risk {percent(risk)}", f"{expected.label.removesuffix('%')}%")
            elif expected.kind == "unknown":
                assert shown[f"{row},{col}"] == ("not counted", "??")
            elif expected.kind == "hidden":
                assert shown[f"{row},{col}"] == ("open, but it shows nothing", "?")


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


def boxes(root: ElementTree.Element) -> list[tuple[str, float, float, float, float]]:
    """Parts of a picture: tag, left, top, right, bottom (of a text, at least these)."""
    sizes = {"axis": 10.0, "names": 8.0, "said": 13.0}
    found = []

    def collect(element: ElementTree.Element, group: str) -> None:
        tag, of = element.tag.removeprefix(SVG), element.get
        group = of("class", group) if tag == "g" else group
        middle = group.startswith(("cells", "axis", "names"))
        if tag == "rect":
            x, y = float(of("x", "0")), float(of("y", "0"))
            found.append((tag, x, y, x + float(of("width", "")), y + float(of("height", ""))))
        elif tag == "circle":
            x, y, r = (float(of(name, "")) for name in ("cx", "cy", "r"))
            found.append((tag, x - r, y - r, x + r, y + r))
        elif tag == "text":
            x, y, size = float(of("x", "")), float(of("y", "")), float(of("font-size") or sizes.get(group, 12.0))
            width = 0.45 * size * len(element.text or "")
            left = x - width / 2 if middle else x
            found.append((tag, left, y - size / 2, left + width, y + size / 4))
        elif tag in ("polygon", "path") and (group, tag) != ("cells chain", "path"):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", of("points", "") + of("d", ""))]
            found.append((tag, min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])))
        for child in element:
            collect(child, group)

    collect(root, "")
    return found


def check_inside(root: ElementTree.Element) -> None:
    """Nothing is cut off at the edge of a picture."""
    width, height = int(root.get("width", "")), int(root.get("height", ""))
    for tag, left, top, right, bottom in boxes(root):
        assert 0 <= left <= right <= width and 0 <= top <= bottom <= height, (tag, left, top, right, bottom)


@given(analyses())
def test_nothing_is_cut_off_on_any_topology(analysis: Analysis) -> None:
    check_inside(ElementTree.fromstring("".join(to_svg(analysis))))


def outlines(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The outlines of all cells, in no order; the hatches of dead ones are left out."""
    groups = [group for group in root.iter(f"{SVG}g") if (group.get("class") or "").startswith("cells")]
    parts = [part for group in groups for part in group.iter() if part.tag in (f"{SVG}rect", f"{SVG}polygon")]
    return [part for part in parts if not (part.get("fill") or "").startswith("url")]


def geometry_of(board: Board, root: ElementTree.Element) -> BoardGeometry:
    """Where cells are drawn, below all headings of a picture."""
    return BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * len(root.findall(f"{SVG}text")[1:]))


def middle_of(part: ElementTree.Element) -> tuple[float, float]:
    if part.tag == f"{SVG}polygon":
        corners = [tuple(map(float, point.split(","))) for point in part.get("points", "").split()]
        return sum(x for x, _ in corners) / 6, sum(y for _, y in corners) / 6
    x, y, width, height = (float(part.get(name, "")) for name in ("x", "y", "width", "height"))
    return x + width / 2, y + height / 2


@given(analyses())
def test_every_cell_has_its_outline_and_its_label_in_the_middle_of_it(analysis: Analysis) -> None:
    board = analysis.board
    root = ElementTree.fromstring("".join(to_svg(analysis)))
    remarked = (board.topology.name != "square") + (not board.clues.is_exact)
    assert len(root.findall(f"{SVG}text")[1:]) >= remarked
    places = geometry_of(board, root)
    drawn = [middle_of(part) for part in outlines(root)]
    assert sorted(drawn) == sorted(places.middle(cell) for cell in board)
    labels = {}
    for group in root.iter(f"{SVG}g"):
        if (group.get("class") or "").startswith("cells"):
            for text in group.iter(f"{SVG}text"):
                labels[int(text.get("x", "")), int(text.get("y", ""))] = text.text
    for cell in board:
        number = board.number(cell)
        if number is not None:
            silent = number == 0 and board.clues.proves_zero(0)
            assert labels.get(places.middle(cell)) == (None if silent else str(number))


def corners(part: ElementTree.Element) -> set[tuple[float, float]]:
    if part.tag == f"{SVG}polygon":
        return {(float(x), float(y)) for x, y in (point.split(",") for point in part.get("points", "").split())}
    x, y, width, height = (float(part.get(name, "")) for name in ("x", "y", "width", "height"))
    return set(product((x, x + width), (y, y + height)))


@pytest.mark.parametrize(("name", "shared"), [("hexagonal", 2), ("square", 1), ("orthogonal", 2)])
@pytest.mark.parametrize(("rows", "cols"), [(1, 4), (4, 1), (5, 6)])
def test_cells_that_touch_are_drawn_so(name: str, shared: int, rows: int, cols: int) -> None:
    """Hexagons share an edge with those that they touch, and with no others."""
    board = Board(("#" * cols,) * rows, topology=name, mines=1)
    root = ElementTree.fromstring("".join(to_svg(analyse(board))))
    parts = {middle_of(part): corners(part) for part in outlines(root)}
    places = geometry_of(board, root)
    for one, other in combinations(board, 2):
        common = parts[places.middle(one)] & parts[places.middle(other)]
        assert (len(common) >= shared) == (other in board.neighbours(one))


@given(st.data())
def test_graphs_are_laid_out_apart_and_always_alike(data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 5))
    topology = topology_named(data.draw(graphs(rows * cols)))
    apart = data.draw(st.sampled_from((40, 54)))
    place_nodes.cache_clear()
    found = place_nodes(topology.edges, rows, cols, apart)
    assert len(found) == rows * cols
    assert all(dist(one, other) >= apart for one, other in combinations(found, 2))
    assert min(map(min, found)) >= apart // 2
    place_nodes.cache_clear()
    assert place_nodes(topology.edges, rows, cols, apart) == found


@pytest.mark.parametrize("cells", [MOST_BY_STRESS + 1, MOST + 1])
def test_large_graphs(cells: int) -> None:
    """A circle, by springs; and one that is too large for that, in rows."""
    edges = tuple((cell, (cell + 1) % cells) for cell in range(cells))
    found = place_nodes(edges, 1, cells, 54)
    assert len(found) == cells == len(set(found))
    assert min(dist(one, other) for one, other in combinations(found[:200], 2)) >= 54
    assert ({y for _, y in found} == {27}) == (cells > MOST)


def test_a_graph_is_circles_joined_by_lines() -> None:
    edges = [(0, 1), (0, 2), (1, 2), (2, 5), (3, 4), (4, 7)]
    named = "edges " + " ".join(f"{one}-{other}" for one, other in edges)
    board = Board(("1##?", "####"), mines=2, topology=named)
    root = ElementTree.fromstring("".join(to_svg(analyse(board))))
    places = geometry_of(board, root)
    (path,) = root.findall(f"{SVG}path")
    lines = re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", path.get("d") or "")
    assert [tuple(map(int, line)) for line in lines] == [
        (*places.middle(divmod(one, 4)), *places.middle(divmod(other, 4))) for one, other in edges
    ]
    assert all(2 * int(part.get("rx", "")) == int(part.get("width", "")) == 42 for part in outlines(root))
    (names,) = [group for group in root.iter(f"{SVG}g") if group.get("class") == "names"]
    assert [text.text for text in names] == [str(cell) for cell in board]
    assert not [group for group in root.iter(f"{SVG}g") if group.get("class") == "axis"]
    frames = [part for part in root.findall(f"{SVG}rect") if part.get("stroke")]
    best = analyse(board).best
    assert best is not None
    assert {middle_of(part) for part in frames} == {places.middle(best)}
    assert {part.get("rx") for part in frames} == {str(CIRCLES.radius)}
    assert "Graph of 6 edges: cells joined by a line touch." in (root[1].text or "")


def test_a_line_does_not_run_through_a_cell_that_it_does_not_join() -> None:
    """A star, a path and a square with one diagonal have room enough for that."""
    for edges in (((0, 1), (1, 2), (0, 2)), ((0, 1), (0, 2), (0, 3), (0, 4)), ((0, 1), (1, 2), (2, 3), (0, 3), (0, 2))):
        found = place_nodes(edges, 1, 5, 54)
        for one, other in edges:
            for cell in {0, 1, 2, 3, 4} - {one, other}:
                (ax, ay), (bx, by), (x, y) = found[one], found[other], found[cell]
                along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / dist((ax, ay), (bx, by)) ** 2
                along = min(max(along, 0), 1)
                assert dist((x, y), (ax + along * (bx - ax), ay + along * (by - ay))) > CIRCLES.radius


def test_hexagons_are_framed_as_hexagons() -> None:
    board = Board(("##1", "#2#"), mines=2, topology="hexagonal")
    analysis = analyse(board)
    root = ElementTree.fromstring("".join(to_svg(analysis)))
    frames = [part for part in root.findall(f"{SVG}polygon") if part.get("stroke")]
    assert analysis.best is not None and len(frames) == 2
    assert {middle_of(part) for part in frames} == {
        BoardGeometry(2, 3, board.topology, top=TOP + LINE).middle(analysis.best)
    }
    assert ".cells polygon {" in (root[2].text or "")


@pytest.mark.parametrize("name", ["square in 3 planes", "hexagonal in 3 planes", "knight in 3 planes wrapping both"])
def test_planes_are_drawn_apart(name: str) -> None:
    board = Board(("####",) * 6, mines=2, topology=name)
    root = ElementTree.fromstring("".join(to_svg(analyse(board))))
    captions = [text for text in root.iter(f"{SVG}text") if re.match(r"plane \d", text.text or "")]
    assert [text.text for text in captions] == [f"plane {number} of 3" for number in (1, 2, 3)]
    parts = [corners(part) for part in outlines(root)]
    tops, bottoms = (sorted(edge(y for _, y in part) for part in parts) for edge in (min, max))
    for plane, caption in enumerate(captions):
        above = tops[8 * plane]
        assert above - 30 < int(caption.get("y", "")) < above - 12
        if plane:
            assert bottoms[8 * plane - 1] < int(caption.get("y", "")) - 12
    columns = [text.text for text in root.iter(f"{SVG}text") if text.get("y") == str(int(tops[0]) - 12)]
    assert columns == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("square", ""),
        ("hexagonal", ""),
        ("torus", "TBLR"),
        ("square wrapping rows", "TB"),
        ("knight wrapping cols", "LR"),
        ("hexagonal wrapping both", "TBLR"),
    ],
)
def test_edges_that_touch_the_opposite_one_are_dashed(name: str, sides: str) -> None:
    board = Board(("####",) * 4, mines=2, topology=name)
    root = ElementTree.fromstring("".join(to_svg(analyse(board))))
    paths = [path.get("d") or "" for path in root.findall(f"{SVG}path") if path.get("class") == "wraps"]
    assert len(paths) == bool(sides) and all(path.get("stroke-dasharray") for path in root.findall(f"{SVG}path"))
    headings = " ".join(text.text or "" for text in root.findall(f"{SVG}text"))
    for text in (headings, root[1].text or ""):
        assert ("dashed edges touch those on the opposite edge" in text) == bool(sides)
    middles = [middle_of(part) for part in outlines(root)]
    lines = [
        [tuple(map(int, point.split())) for point in re.split("[ML]", line) if point]
        for line in re.findall(r"M[^M]*", "".join(paths))
    ]
    found = ""
    for line in lines:
        xs, ys = [x for x, _ in line], [y for _, y in line]
        found += "T" if max(ys) < min(y for _, y in middles) else ""
        found += "B" if min(ys) > max(y for _, y in middles) else ""
        found += "L" if max(xs) < min(x for x, _ in middles) + 19 and len(line) == 8 else ""
        found += "R" if min(xs) > max(x for x, _ in middles) - 19 and len(line) == 8 else ""
    assert found == sides


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("torus", "torus: cells on the dashed edges touch those on the opposite edge"),
        ("knight", "knight: cells a knight's move apart touch"),
        ("orthogonal", "orthogonal: cells that share an edge touch"),
        ("offsets 0,1 2,-1", "offsets 0,1 2,-1: cells at these distances in rows and columns touch"),
        ("square in 2 planes", "square in 2 planes: each plane touches the next"),
    ],
)
def test_a_picture_says_what_touches_and_what_numbers_tell(name: str, remark: str) -> None:
    board = Board(("####", "#1##"), mines=2, topology=name, clues="random 1/2")
    root = ElementTree.fromstring("".join(to_svg(analyse(board))))
    lines = [text.text for text in root.findall(f"{SVG}text")][1:]
    assert lines == [remark, "random 1/2 clues: a number is shown with this probability, else ?"]
    assert f"{remark[0].upper()}{remark[1:]}. Random 1/2 clues: " in (root[1].text or "")
    for clues, meaning in (("underestimate", "too low"), ("overestimate 1/9 cap 8", "too high")):
        drawn = "".join(to_svg(analyse(Board(("##",), clues=clues))))
        assert f"{clues} clues: numbers may be {meaning}</text>" in drawn


MANY = Board(("#####", "#####", "#####", "#####", "##d##", "##?##", "#####", "#####"), topology="torus in 2 planes")


def test_numbers_above_nine_do_not_look_like_risks() -> None:
    analysis = analyse(MANY)
    text = plain(analysis)
    assert map_of(text, MANY)[4][2] == "d" and " d  numbers above 9: a is 10" in text
    assert "?  open, shows nothing" in text
    assert [text.text for text in ElementTree.fromstring("".join(to_svg(analysis))).iter(f"{SVG}text")].count("13") == 1
    lines = ["".join(piece for piece, _ in line) for line in styled_lines(MANY)]
    assert lines[5:7] == ["", "4 # # d # #"]
    assert "numbers above" not in plain(analyse(SMALL))


def test_the_game_shows_hexagons_shifted_and_planes_apart() -> None:
    board = Board(("##", "1?", "##", ".*"), topology="hexagonal in 2 planes")
    lines = ["".join(piece for piece, _ in line) for line in styled_lines(board)]
    assert lines == ["  0 1", "0 # #", "1  1 ?", "", "2 # #", "3  . *"]
    window = styled_lines(board, rows=range(2, 4), opened=[(3, 0)])
    assert ["".join(piece for piece, _ in line) for line in window] == ["  0 1", "2 # #", "3  . *"]


def test_facts_name_topology_and_clues_where_they_are_special() -> None:
    board = Board(("##", "?#"), mines=1, topology="knight wrapping both", clues="overestimate 1/9 cap 8")
    assert list(analysis_facts(analyse(board)))[:2] == [
        ("topology", "knight wrapping both"),
        ("clues", "overestimate 1/9 cap 8"),
    ]
    assert not {"topology", "clues"} & dict(analysis_facts(analyse(SMALL))).keys()
    assert not {"topology", "clues"} & json.loads("".join(to_json(analyse(SMALL)))).keys()


def picture_of(text: str) -> ElementTree.Element:
    return ElementTree.fromstring("".join(to_svg(analyse(text))))


def words_of(root: ElementTree.Element, kind: str) -> str:
    return " ".join("".join(part.itertext()) for part in root.iter(f"{{http://www.w3.org/2000/svg}}{kind}"))


def test_the_picture_marks_dead_cells_and_guesses_that_cannot_be_avoided() -> None:
    """Each mark has a tip and a place in the legend, and stands there only if it occurs."""
    svg = "{http://www.w3.org/2000/svg}"
    dead, tossed = picture_of("mines 2\n#1#\n1##\n###"), picture_of("mines 2\n#1.1#\n#1.1#")
    plain = picture_of("mines 3\n##1.\n##21\n####")
    assert [own.text for own in dead.iter(f"{svg}title") if "tells nothing" in str(own.text)] == [
        "1,1: risk 16.67 %, tells nothing"
    ]
    said = [own.text for own in tossed.iter(f"{svg}title") if "avoided" in str(own.text)]
    assert said == [f"{cell}: risk 50 %, a guess that cannot be avoided" for cell in ("0,0", "0,4", "1,0", "1,4")]
    # Four cells and the legend; a cell and the legend.
    assert sum(own.get("stroke-dasharray") is not None for own in tossed.iter(f"{svg}rect")) == 5
    assert sum(own.get("fill") == "url(#satsweep-dead)" for own in dead.iter(f"{svg}rect")) == 2
    legends = [words_of(root, "text") for root in (dead, tossed, plain)]
    assert ["tells nothing" in own for own in legends] == [True, False, False]
    assert ["cannot be avoided" in own for own in legends] == [False, True, False]
    assert "best play wins with 66.67 %" in legends[0] and "Best move: 0,0 with risk 16.67 %, 6 worlds" in legends[0]
    assert int(dead.attrib["height"]) == int(picture_of("mines 2\n#1#\n1##\n##*").attrib["height"]) + 24 + 18
