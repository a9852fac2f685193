"""Explanations as text, JSON and SVG on every topology."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, strategies as st

from satsweep.analysis.advice import advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.candidates import Candidate
from satsweep.board import Board, Cell
from satsweep.oracle.audit import audit
from satsweep.render import explanation_svg as pictures
from satsweep.render.audit import audit_to_text
from satsweep.render.board_geometry import LEFT, SIDE, TOP, BoardGeometry
from satsweep.render.board_svg import LINE, SCOPE_COLOUR
from satsweep.render.colours import BEST_COLOUR, CLUE_COLOUR, WRONG_COLOUR
from satsweep.render.explanation_text import (
    explanation_paragraphs,
    forced_to_json,
    marked_board,
    ranking_table,
    to_json,
    to_text,
)
from satsweep.solver.budget import Budget
from satsweep.why.explainer import Explainer, explain
from satsweep.why.sentences import argument_in_words
from satsweep.why.values import Conflict, Correction, Explanation, Undecided
from tests import brute_force as oracle, strategies
from tests.cli import schema_of
from tests.render.test_render import check_inside, middle_of
from tests.why.reasons import CONFLICTS, REASONS, GoldenCase

SVG = "{http://www.w3.org/2000/svg}"
SMALL = Board(("##1.", "##21", "####"), mines=3)
GUESS = Board(("#1#", "1##", "###"), mines=2)
every_golden = pytest.mark.parametrize("golden", REASONS, ids=lambda golden: f"{golden.rule}, {golden.board}")


def marks(text: str, board: Board = SMALL) -> dict[str, set[Cell]]:
    """Cells in brackets and in parentheses, read off the drawing.

    Odd rows of hexagons begin two columns further to the right.
    """
    header, *lines = text.splitlines()[2 : 2 + board.rows + board.topology.planes]
    columns = {found.end() - 1: int(found[0]) for found in re.finditer(r"\d+", header)}
    height = board.rows // board.topology.planes
    found: dict[str, set[Cell]] = {"[": set(), "(": set()}
    for line in filter(None, lines):
        row = int(re.split(r"[ \[(]", line.strip())[0])
        shifted = 2 if board.topology.is_hexagonal and row % height % 2 else 0
        for place, character in enumerate(line):
            if character in found:
                found[character].add(Cell(row, columns[place + 1 - shifted]))
    return found


# Text


@every_golden
def test_text_marks_the_cell_and_its_clues(golden: GoldenCase) -> None:
    text = "".join(to_text(golden.explanation, width=400))
    clues = {Cell(*clue) for clue in golden.clues} - {golden.cell}
    if len(golden.explanation.board.cells[0]) <= 10:
        assert marks(text, golden.explanation.board) == {"[": {golden.cell}, "(": clues}
    assert text.startswith(f"{Cell(*golden.cell)} is {'a mine' if golden.mine else 'safe'}: {golden.rule}\n")
    argument = " ".join(text.split("\n\n")[-1].split())
    assert argument == str(argument_in_words(golden.explanation))
    assert ("mine total" in text.split("\n\n")[2]) == golden.total


@every_golden
@pytest.mark.parametrize("width", [40, 60, 100])
def test_no_line_of_text_is_too_long(golden: GoldenCase, width: int) -> None:
    text = "".join(to_text(golden.explanation, width=width))
    picture = text.split("\n\n")[1]
    assert all(len(line) <= width for line in text.replace(picture, "").splitlines() if not line.startswith("[ ]"))


def test_a_wide_board_is_cut_to_what_matters() -> None:
    board = Board(("." * 98 + "1#", "." * 98 + "11"))
    lines = list(marked_board(board, [Cell(0, 99)], [Cell(0, 98)]))
    assert lines[1:] == ["0  .  . (1)[#]", "1  .  .  1  1"]
    assert len(list(marked_board(Board(("." * 200,) * 9), (), ()))) == 4


@given(strategies.boards(max_covered=8), st.data())
def test_undecided_cells_have_their_two_worlds(board: Board, data: st.DataObject) -> None:
    truth = oracle.truth(board)
    assert truth is not None
    open_to_both = [cell for cell, risk in truth.risk.items() if 0 < risk < 1]
    assume(open_to_both)
    cell = data.draw(st.sampled_from(open_to_both))
    undecided = explain(board, cell)
    assert isinstance(undecided, Undecided)
    text = "".join(to_text(undecided, exact=True, width=1))
    assert f"Its risk is {truth.risk[cell]}." in text and f"row {cell.row}, column {cell.col} " in text.lower()
    worlds = oracle.worlds(board)
    planes, hexagonal = board.topology.planes, board.topology.is_hexagonal
    picture_of = rf"is (a mine|safe)(?: \(.*\))?\n([\d ]*\n(?:.*\n){{{board.rows + planes - 1}}})"
    pictures_of = re.findall(picture_of, text)
    assert [kind for kind, _ in pictures_of] == ["a mine", "safe"]
    for kind, picture in pictures_of:
        margin = len(str(board.rows - 1))
        lines = [line for line in picture.splitlines()[1:] if line]
        odd = [hexagonal and row % (board.rows // planes) % 2 for row in range(board.rows)]
        rows = [line[margin + 1 + shift :: 2].ljust(board.cols) for line, shift in zip(lines, odd, strict=True)]
        shown = (other for other in oracle.cells_showing(board, "#F") if rows[other.row][other.col] == "*")
        world = frozenset(shown)
        assert world in worlds and (cell in world) == (kind == "a mine")
    values = json.loads("".join(to_json(undecided)))
    schema_of("reason").validate(values)
    assert Fraction(values["undecided"]["risk_exact"]) == truth.risk[cell]


def test_a_risk_that_is_not_known_is_not_shown() -> None:
    known = explain(SMALL, (0, 0))
    assert isinstance(known, Undecided)
    unknown = Undecided(known.board, known.cell, None, known.mined, known.safe)
    assert "risk" not in "".join(to_text(unknown))
    assert json.loads("".join(to_json(unknown)))["undecided"]["risk"] is None
    assert "risk" not in "".join(pictures.to_svg(unknown)).partition("</desc>")[0]


@pytest.mark.parametrize("conflict", CONFLICTS, ids=lambda conflict: str(conflict.board.cells))
def test_conflicts_are_drawn(conflict: Conflict) -> None:
    text = "".join(to_text(conflict))
    assert marks(text, conflict.board) == {"[": set(), "(": set(conflict.clues)}
    values = json.loads("".join(to_json(conflict)))
    schema_of("reason").validate(values)
    assert values["conflict"]["clues"] == [list(clue) for clue in conflict.clues]
    assert len(values["conflict"]["corrections"]) == len(conflict.corrections)
    assert text.count("\n  a") + text.count("\n  no ") == len(conflict.corrections)
    assert ("more than one thing is wrong" in text) == (not conflict.corrections)


def test_many_corrections_are_cut_in_text_only() -> None:
    many = tuple(Correction(Cell(0, 0), 1, instead) for instead in (0, 2, 3)) * 5
    conflict = Conflict(Board(("11", "11")), (Cell(0, 0),), corrections=many)
    assert "or one of 5 more corrections" in "".join(to_text(conflict))
    assert "or one more correction\n" in "".join(to_text(replace(conflict, corrections=many[:11])))
    assert "more" not in "".join(to_text(replace(conflict, corrections=many[:10])))
    assert len(json.loads("".join(to_json(conflict)))["conflict"]["corrections"]) == 15


def test_paragraphs() -> None:
    with Explainer(SMALL) as reasons:
        lines = "".join(explanation_paragraphs(reasons.all(), 60)).splitlines()
    assert lines[0].startswith("2,1 is safe (subsets): The 1 at row 0")
    assert all(line.startswith("    ") for line in lines[1:]) and max(map(len, lines)) <= 60


# Guesses


@given(strategies.boards(max_covered=8))
def test_candidates_are_scored_as_by_hand(board: Board) -> None:
    """Brute force solves the board again for every number that a cell can show."""
    truth = oracle.truth(board)
    assert truth is not None
    ranked = advise(analyse(board), deep=False, most=100).guesses
    if truth.safe or not truth.risk or all(risk == 1 for risk in truth.risk.values()):
        assert ranked == ()
        return
    cells = [own.cell for equals in ranked for own in equals]
    assert sorted(cells) == sorted(cell for cell, risk in truth.risk.items() if risk < 1)
    scores = []
    for equals in ranked:
        for own in equals:
            assert own.risk == truth.risk[own.cell]
            assert (own.progress, own.expected_safe) == promise(board, own.cell)
            scores.append((-(own.win or 0), own.dead, own.risk, -(own.progress or 0), -(own.expected_safe or 0)))
    # Without a chance to win less risk comes first, even if the cell tells nothing.
    assert board.mines is not None or {score[0] for score in scores} == {0}
    ordered = [score if score[0] else (score[2], *score[1:]) for score in scores]
    assert ordered == sorted(ordered)


def guesses(board: Board, most: int = 10) -> tuple[tuple[Candidate, ...], ...]:
    return advise(analyse(board), deep=False, most=most).guesses


def promise(board: Board, cell: Cell) -> tuple[Fraction, Fraction]:
    """Chance of a safe cell after this one, and expected number, if this one is safe."""
    p = Fraction(1, 2) if board.density is None else board.density
    near, covered = oracle.touching(board, cell), oracle.cells_showing(board, "#F")
    known = len(near & set(oracle.cells_showing(board, "*")))
    weights: dict[int, Fraction] = {}
    after: dict[int, set[Cell]] = {}
    for world in oracle.worlds(board):
        if cell not in world:
            shown = len(near & world) + known
            weight = p ** len(world) * (1 - p) ** (len(covered) - len(world))
            weights[shown] = weights.get(shown, Fraction(0)) + weight
            after.setdefault(shown, set()).update(world)
    whole = sum(weights.values(), Fraction(0))
    safe = {shown: len(covered) - 1 - len(mined) for shown, mined in after.items()}
    progress = sum((weight for shown, weight in weights.items() if safe[shown]), Fraction(0))
    expected = sum((weight * safe[shown] for shown, weight in weights.items()), Fraction(0))
    return progress / whole, expected / whole


def test_only_the_best_guesses_are_asked_for() -> None:
    ranked = guesses(Board(GUESS.cells), most=1)
    assert [(equals[0].cell, len(equals)) for equals in ranked] == [(Cell(0, 0), 1), (Cell(1, 1), 1)]
    lines = "".join(ranking_table(guesses(GUESS), exact=True)).splitlines()
    assert [line.split() for line in lines[:6]] == [
        ["rank", "cell", "wins", "risk", "safe", "cell", "follows", "expected", "tied"],
        ["1", "0,0", "2/3", "1/6", "1", "12/5", "1"],
        ["2", "0,2", "2/3", "1/3", "1", "7/4", "2"],
        ["3", "2,2", "1/2", "1/3", "1", "3", "1"],
        ["4", "1,2", "1/2", "1/3", "1", "2", "2"],
        ["5", "1,1", "1/2", "1/6", "0", "0", "1"],
    ]


def test_without_counts_there_is_no_promise() -> None:
    # What could be counted within the budget has a risk; what follows from it depends on the rest.
    board = Board(("#1#.#1#1#1#1#", "###.#########"), density="1/5")
    analysis = analyse(board, engine="sat", budget=Budget(states=3))
    ranked = advise(analysis, deep=False).guesses
    assert not analysis.complete
    assert all(own.progress is None and own.expected_safe is None for equals in ranked for own in equals)
    schema_of("reason").validate(json.loads("".join(forced_to_json([], ranked))))
    if ranked:
        assert "not known" in "".join(ranking_table(ranked))


# JSON


@pytest.mark.extended
@every_golden
def test_json_of_reasons_fits_the_schema(golden: GoldenCase) -> None:
    values = json.loads("".join(to_json(golden.explanation)))
    schema_of("reason").validate(values)
    argument = argument_in_words(golden.explanation)
    assert values["reason"]["rule"] == golden.rule and values["reason"]["text"] == str(argument)
    assert [step["said"] for step in values["reason"]["steps"]] == list(argument.sentences)
    assert values["reason"]["steps"][-1]["mine"] == golden.mine
    assert values["reason"]["clues"] == list(map(list, golden.clues))


def test_json_of_all_forced_cells_and_of_guesses() -> None:
    with Explainer(SMALL) as reasons:
        found = list(reasons.all())
    values = json.loads("".join(forced_to_json(found, ())))
    schema_of("reason").validate(values)
    assert [reason["cell"] for reason in values["reasons"]] == [[2, 1]] and values["candidates"] == []
    values = json.loads("".join(forced_to_json([], guesses(GUESS))))
    schema_of("reason").validate(values)
    assert values["candidates"][3] == {
        "cells": [[1, 2], [2, 1]],
        "tied": 2,
        "win": 0.5,
        "win_exact": "1/2",
        "dead": False,
        "risk": 1 / 3,
        "risk_exact": "1/3",
        "progress": 1.0,
        "progress_exact": "1",
        "expected_safe": 2.0,
        "expected_safe_exact": "2",
    }


def test_both_schemas_say_the_same_about_reasons() -> None:
    one, other = schema_of("reason").schema["$defs"], schema_of("analysis").schema["$defs"]
    shared = {"reason", "clues", "total", "smallest", "steps", "cell", "fraction"}
    assert shared <= one.keys() & other.keys()
    assert {name: one[name] for name in shared} == {name: other[name] for name in shared}


# Pictures


def picture(pieces: Any) -> ElementTree.Element:
    """Parse a picture, of which nothing may be cut off."""
    root = ElementTree.fromstring("".join(pieces))
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    check_inside(root)
    return root


def framed(root: ElementTree.Element, colour: str) -> set[Cell]:
    """The cells of a square grid with a frame of a colour, under any number of lines."""
    lines = len(root.findall(f"{SVG}text")) - 1
    return {
        Cell(int(y - TOP - LINE * lines) // SIDE, int(x - LEFT) // SIDE)
        for x, y in (middle_of(rect) for rect in root.findall(f"{SVG}rect") if rect.get("stroke") == colour)
    }


def tips(root: ElementTree.Element) -> dict[str, str]:
    """Tips of all covered cells, by cell."""
    titles = (group.find(f"{SVG}title") for group in root.iter(f"{SVG}g"))
    return dict((title.text or "").split(": ", 1) for title in titles if title is not None)


@every_golden
def test_pictures_of_reasons(golden: GoldenCase) -> None:
    reason = golden.explanation
    root = picture(pictures.to_svg(reason))
    assert framed(root, BEST_COLOUR) == {golden.cell}
    assert framed(root, CLUE_COLOUR) == {Cell(*clue) for clue in golden.clues} - {golden.cell}
    argument = " ".join(text.text or "" for group in root.findall(f"{SVG}g[@class='said']") for text in group)
    assert argument == str(argument_in_words(reason)) and (root[1].text or "").endswith(argument)
    assert tips(root)[str(Cell(*golden.cell))] == ("mine" if golden.mine else "safe")
    covered = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == SCOPE_COLOUR]
    around = {near for clue in golden.clues for near in reason.board.neighbours(clue) if reason.board.is_covered(near)}
    around |= {Cell(*clue) for clue in golden.clues if reason.board.is_covered(clue)}
    assert len(covered) == len(around - {golden.cell}) + bool(around)


@pytest.mark.parametrize("conflict", CONFLICTS, ids=lambda conflict: str(conflict.board.cells))
def test_pictures_of_conflicts(conflict: Conflict) -> None:
    root = picture(pictures.to_svg(conflict))
    assert framed(root, WRONG_COLOUR) == set(conflict.clues)
    argument = " ".join(text.text or "" for group in root.findall(f"{SVG}g[@class='said']") for text in group)
    assert argument.startswith("The ") and ("instead of" in argument or "no flag" in argument) == bool(
        conflict.corrections
    )


def test_one_of_a_thing_is_singular() -> None:
    board = Board(("1#",))
    with Explainer(board) as explainer:
        picture_of_one = "".join(pictures.forced_to_svg(explainer.analysis, list(explainer.all())))
    assert "1 forced cell:" in picture_of_one
    report = audit(lambda board: (board.covered, ()), [Board(("##", "##"), mines=1)])
    assert "\nand 1 more unsound claim\n" in "".join(audit_to_text(report))


@pytest.mark.parametrize("cols", [4, 30])
def test_pictures_of_two_worlds(cols: int) -> None:
    board = Board(("##1." + "." * (cols - 4), "##21" + "1" * (cols - 4), "####" + "#" * (cols - 4)))
    undecided = explain(board, (0, 0))
    assert isinstance(undecided, Undecided)
    root = picture(pictures.to_svg(undecided))
    discs = len(list(root.iter(f"{SVG}circle")))
    assert discs == undecided.mined.mines + undecided.safe.mines
    frames = [rect for rect in root.findall(f"{SVG}rect") if rect.get("stroke") == BEST_COLOUR]
    assert len(frames) == 2 and (frames[0].get("y") == frames[1].get("y")) == (cols == 4)


def test_pictures_of_guesses_and_of_everything_forced() -> None:
    analysis = analyse(GUESS)
    ranked = advise(analysis, deep=False).guesses
    root = picture(pictures.ranking_to_svg(analysis, ranked, exact=True))
    assert framed(root, BEST_COLOUR) == {Cell(0, 0)}
    assert tips(root) == {
        str(own.cell): f"rank {number}, risk {own.risk}" for number, equals in enumerate(ranked, 1) for own in equals
    }
    (tied,) = advise(analyse(Board(("####",), mines=2)), deep=False).guesses
    lines = "".join(pictures.ranking_to_svg(analyse(Board(("####",), mines=2)), [tied]))
    assert len(tied) == 4 and f"1. {tied[0].cell} and 3 as good as it: risk 50 %" in lines
    with Explainer(SMALL) as reasons:
        found = list(reasons.all())
        root = picture(pictures.forced_to_svg(reasons.analysis, found))
    assert tips(root)["2,1"] == f"safe. {argument_in_words(found[0])}" and tips(root)["0,0"] == "not forced"


def test_revealed_mines_and_zeros_are_drawn() -> None:
    reason = Explanation(Board(("*1#", ".##")), Cell(0, 2), False, (Cell(0, 1),))
    root = picture(pictures.to_svg(reason))
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    zero = Explanation(Board((".#",)), Cell(0, 1), False, (Cell(0, 0),))
    assert [text.text for text in picture(pictures.to_svg(zero)).iter(f"{SVG}text") if text.get("class") == "clue"] == [
        "0"
    ]


def frames(root: ElementTree.Element, colour: str) -> set[tuple[float, float]]:
    """The middles of all frames of a colour."""
    parts = [*root.findall(f"{SVG}rect"), *root.findall(f"{SVG}polygon")]
    return {middle_of(part) for part in parts if part.get("stroke") == colour}


def near(places: set[tuple[float, float]]) -> set[tuple[int, int]]:
    """Places rounded to pixels, because corners of hexagons are."""
    return {(round(x), round(y)) for x, y in places}


@given(st.one_of(strategies.boards(max_covered=8), strategies.unreliable_boards(max_covered=8)))
def test_every_picture_of_every_board(board: Board) -> None:
    """Nothing is cut off, frames are where they belong, every covered cell has a tip."""
    lines = (board.topology.name != "square") + (not board.clues.is_exact)
    with Explainer(board) as reasons:
        analysis, found = reasons.analysis, list(reasons.all())
        whys = [reasons.of(cell) for cell in board.covered[:4]]
    for why in whys:
        root = picture(pictures.to_svg(why))
        headings = [text.text or "" for text in root.findall(f"{SVG}text")][1:]
        extra = len(headings) - 2 * isinstance(why, Undecided)
        assert extra >= lines and bool(extra) == bool(lines)
        places = BoardGeometry(board.rows, board.cols, board.topology, top=TOP + LINE * extra)
        if isinstance(why, Explanation):
            assert near(frames(root, BEST_COLOUR)) == {places.middle(why.cell)}
            clues = {places.middle(clue) for clue in why.clues if clue != why.cell}
            assert near(frames(root, CLUE_COLOUR)) == clues
            assert tips(root).keys() >= set(map(str, board.covered))
        else:
            assert isinstance(why, Undecided) and len(frames(root, BEST_COLOUR)) == 2
            x, y = places.middle(why.cell)
            assert (x, y + 19) in near(frames(root, BEST_COLOUR))
            assert len(list(root.iter(f"{SVG}circle"))) == why.mined.mines + why.safe.mines
    assert tips(picture(pictures.forced_to_svg(analysis, found))).keys() >= set(map(str, board.covered))
    picture(pictures.ranking_to_svg(analysis, advise(analysis, deep=False).guesses))


@given(strategies.boards(max_covered=8))
def test_marks_are_where_they_belong_on_every_topology(board: Board) -> None:
    with Explainer(board) as reasons:
        for reason in reasons.all():
            text = "".join(to_text(reason))
            assert marks(text, board) == {"[": {reason.cell}, "(": set(reason.clues) - {reason.cell}}


def test_a_zero_is_written_where_it_does_not_say_that_all_are_safe() -> None:
    for clues, zeros in (("exact", 0), ("underestimate", 2)):
        undecided = explain(Board((".1#", "###"), clues=clues), (1, 2))
        assert isinstance(undecided, Undecided)
        groups = [
            group for group in picture(pictures.to_svg(undecided)).iter(f"{SVG}g") if group.get("class") == "cells open"
        ]
        assert [text.text for group in groups for text in group.iter(f"{SVG}text")].count("0") == zeros
