"""The suite that every format passes: what it keeps, reads, names as wrong and refuses to write.

The samples and broken texts are those of ``conformance.py``.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from satsweep import FORMATS, Board, BoardError, Contradiction, Layout, Record, Statement
from satsweep.formats import Format, StatementSet, Value, all_formats, certificates, load, read_games, read_layouts
from satsweep.formats.format import CONTENT_KINDS
from tests.formats.conformance import BROKEN, SAMPLES, Broken, Sample
from tests.strategies import arbitrary_boards, boards, layouts, malformed_texts, parts, unreliable_boards, written


def recognised(text: str) -> str:
    """Name of the format that recognises a text."""
    return next(name for name, format in FORMATS.items() if format.recognises(text))


BY_NAME = {"georgia-tech-old", "minesweepr"}
"""Formats that nothing tells from others but their names: the newer one, and text."""
SEEN_ONLY = "expected a layout, with all its mines, found a board as a player sees it"
NO_BOARD = "expected a board as a player sees it, found "
SEARCH = "georgia-tech georgia-tech-old"
PLAIN = "ptta-link rawvf mbf-hex mbf"
STARTED = "tatham tatham-masked"
SQUARE = "expected a square grid, found torus: this format cannot hold it"
PART = "expected no part, found all: this format cannot hold it"
TOTAL = "expected a mine total that counts the known mines and fits the cells, found one that does not"
REFUSED: list[tuple[str, Value, str]] = [
    (f"{PLAIN} {STARTED} {SEARCH}", Board(("#1",)), SEEN_ONLY),
    (PLAIN, Layout(("*.",), start=(0, 0)), "expected no start, found 0,0"),
    (STARTED, Layout(("*.",), start=(0, 0)), "expected a start on a safe cell"),
    (f"{PLAIN} {STARTED}", Layout(("*.",), topology="torus"), SQUARE),
    (SEARCH, Layout(("*.",)), "expected a layout with a safe cell to start"),
    (SEARCH, Layout(("*.",), start=(0, 0)), "expected a layout with a safe cell to start"),
    (SEARCH, Layout(("*.",), start=(0, 1), topology="torus"), SQUARE),
    ("mbf", Layout(("." * 256,)), "expected at most 255 rows and columns, found"),
    ("mbf", Layout((".",) * 256), "expected at most 255 rows and columns, found"),
    ("jsm jsm-link board", Board(("#1",), mines=1, topology="torus"), SQUARE),
    ("minesweepr", Board(("#1",), topology="torus"), SQUARE),
    (
        "jsm jsm-link board minesweepr",
        Board(("#1",), density="0.2"),
        "expected no density, found 1/5: this format cannot hold it",
    ),
    ("jsm jsm-link board", Board(("#1",)), "expected a mine total, found none: this format needs one"),
    ("minesweepr", Board(("#1",), mines=1), "expected no mine total, found 1: this format cannot hold it"),
    ("minesweepr", Board(("#F",)), "expected no flag, found one at 0,1: this format has no sign for it"),
    ("jsm jsm-link minesweepr", Layout(("*.",)), f"{NO_BOARD}a layout, with all its mines"),
    # Each known mine lowers the numbers around it, so every number has to count it.
    ("jsm-link", Board(("*.",), mines=1), "expected numbers that count the known mine at 0,0, found one that does not"),
    ("jsm-link", Board(("#" * 3844,), mines=0), "expected fewer than 3,844 columns, found 3,844"),
    ("rules", StatementSet((Statement(1, [(0, 1)]),)), "expected cells named by text or integers, found (0, 1)"),
    ("rules", StatementSet((Statement(1, [True]),)), "expected cells named by text or integers, found True"),
    ("rules", StatementSet((), density=Fraction(1, 3)), "expected a density with few decimals, found 1/3"),
    (
        "rules",
        StatementSet((Statement(1, ["a", "b"]),), total_cells=4, total_mines=2, cells=("b", "c")),
        "expected every name in some rule, found 'c' in none",
    ),
    ("cnf", Layout(("*.",)), f"{NO_BOARD}a layout, with all its mines: this format cannot hold that"),
    ("rules", Layout(("*.",)), "expected rules about named cells, found a layout, with all its mines"),
    (
        "rules cnf",
        Board(("*.#",)),
        "expected a number that counts exactly and counts the known mines, found one at 0,1",
    ),
    ("rules cnf", Board(("*#",), mines=0), TOTAL),
    ("rules cnf", Board((".1#",), mines=2), TOTAL),
    ("rules cnf", Board(("#1",), mines=2, part="all"), "expected no mine total for a part of a larger board"),
    ("jsm jsm-link board", Board(("#1",), mines=1, part="all"), PART),
    ("minesweepr", Board(("#1",), part="all"), PART),
    ("json", StatementSet((Statement(1, ["a"]),)), f"{NO_BOARD}rules about named cells"),
]
"""Names of formats, a value that none of them can hold, and why."""

# --- values that each format keeps -----------------------------------------------------------------------------------


@st.composite
def plain_layouts(draw: st.DrawFn, max_side: int = 20) -> Layout:
    """Layouts on the square grid without a start, with sides of one or two digits."""
    rows, cols = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    bits = draw(st.integers(0, 2 ** (rows * cols) - 1))
    signs = f"{bits:0{rows * cols}b}".translate({48: ".", 49: "*"})
    return Layout(signs[first : first + cols] for first in range(0, rows * cols, cols))


@st.composite
def layouts_with_a_safe_start(draw: st.DrawFn) -> Layout:
    layout = draw(plain_layouts())
    safe = [(row, col) for row, line in enumerate(layout.cells) for col, sign in enumerate(line) if sign == "."]
    start = draw(st.none() | st.sampled_from(safe)) if safe else None
    return Layout(layout.cells, start=start)


@st.composite
def game_positions(draw: st.DrawFn, flags: bool = True, total: bool = True) -> Board:
    """Positions of games on the square grid, with right and wrong flags."""
    layout = draw(plain_layouts(8))
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    board = layout.board(draw(st.sets(st.sampled_from(cells))), tells_total=total)
    if flags:
        board = board.with_flags(filter(board.is_covered, draw(st.sets(st.sampled_from(cells), max_size=9))))
    return board


@st.composite
def arbitrary_positions(draw: st.DrawFn) -> Board:
    """Boards of any symbols, most of them impossible."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    grid = []
    for row in range(rows):
        line = ""
        for col in range(cols):
            near = (min(row + 1, rows - 1) - max(row - 1, 0) + 1) * (min(col + 1, cols - 1) - max(col - 1, 0) + 1) - 1
            line += draw(st.sampled_from("##F" + ".12345678"[: near + 1]))
        grid.append(line)
    return Board(grid, mines=draw(st.integers(0, rows * cols)))


names = st.one_of(st.text(max_size=3), st.integers(0, 99))
statement_sets = st.builds(
    StatementSet,
    st.lists(st.builds(Statement, st.integers(0, 5), st.sets(names, max_size=5)), max_size=5).map(tuple),
    total_cells=st.none() | st.integers(25, 100),
    total_mines=st.none() | st.just(0),
) | st.builds(StatementSet, st.just(()), density=st.integers(1, 99).map(lambda percent: Fraction(percent, 100)))
positions = game_positions() | arbitrary_positions()
started = layouts_with_a_safe_start()
any_board = boards(max_covered=30) | arbitrary_boards(max_cells=30) | parts()

KEPT: dict[str, st.SearchStrategy[Any]] = {
    "json": any_board | layouts(),
    "text": any_board | layouts(),
    "georgia-tech": started.filter(lambda layout: layout.start is not None),
    "georgia-tech-old": started.filter(lambda layout: layout.start is not None),
    "tatham": started,
    "tatham-masked": started,
    **dict.fromkeys(("ptta-link", "rawvf", "mbf-hex"), plain_layouts()),
    "jsm": positions,
    "jsm-link": positions,
    "board": positions | plain_layouts(8),
    "minesweepr": game_positions(flags=False, total=False),
    "rules": statement_sets,
}


WRITTEN: dict[str, st.SearchStrategy[Any]] = {"cnf": any_board | statement_sets}
"""Values of the formats that are only written; tests of their own say what is in the texts."""

# --- the suite -------------------------------------------------------------------------------------------------------


def test_every_format_is_in_the_tables() -> None:
    """Some formats are read by name alone; a formula is not read."""
    read = {name for name, format in FORMATS.items() if format.is_read}
    told = read - BY_NAME
    cases = "tests/formats/samples/cases.txt"
    assert {sample.form for sample in SAMPLES} == told, f"texts of each format in {cases}"
    assert told <= {broken.form for broken in BROKEN}, f"broken texts of each format in {cases}"
    assert KEPT.keys() == {name for name in read if FORMATS[name].writer is not None}, f"KEPT in {__name__}"
    assert WRITTEN.keys() == FORMATS.keys() - read, f"WRITTEN in {__name__}"


def test_every_kind_of_content_is_known_everywhere() -> None:
    """Its reader is a field of formats, some format reads it and some writes it, and its words are its own."""
    kinds = {kind.__name__ for kind in (Board, Layout, StatementSet, Record)}
    assert set(CONTENT_KINDS) == kinds and {kind.reader for kind in CONTENT_KINDS.values()} <= set(Format.__slots__)
    for name in kinds:
        assert [form for form in all_formats().values() if name in form.reads], f"{name}: no format reads it"
        assert [form for form in all_formats().values() if name in form.writes], f"{name}: no format writes it"
    for field in ("reader", "words", "listed"):
        assert len({getattr(kind, field) for kind in CONTENT_KINDS.values()}) == len(CONTENT_KINDS)


@pytest.mark.parametrize("name", KEPT)
@given(data=st.data())
def test_values_read_back(name: str, data: st.DataObject) -> None:
    format, value = FORMATS[name], data.draw(KEPT[name])
    text = format.write(value)
    assert format.read_as(type(value), text) == value
    assert text.endswith("\n") and not text.endswith("\n\n")
    if name == "minesweepr":
        assert recognised(text) == "text" and FORMATS["text"].read_board(text) == value
    elif name not in BY_NAME:
        assert recognised(text) == name
        assert name in ("json", "text") or format.read(text) == value


@pytest.mark.parametrize("name", WRITTEN)
@given(data=st.data())
def test_what_is_only_written_is_refused(name: str, data: st.DataObject) -> None:
    """Its text is that of no format; readers of boards refuse it like any text."""
    format = FORMATS[name]
    text = ""
    with suppress(BoardError):
        text = format.write(data.draw(WRITTEN[name]))
    assert not text or text.endswith("\n") and recognised(text) == "text"
    for reader in (format.read, format.read_board, format.read_layout, format.read_statements, Board.from_text):
        with pytest.raises(BoardError) as caught:
            reader(text)
        only = "expected a format that can be read: files of this one are only written"
        assert (caught.value.message == only) == (reader != Board.from_text)


@given(board=boards() | unreliable_boards() | arbitrary_boards() | parts())
def test_a_format_keeps_all_of_a_board_or_refuses_it(board: Board) -> None:
    """For any topology, numbers and clue model."""
    texts = written(board)
    assert texts.keys() >= {"text", "json"}
    for name, text in texts.items():
        assert not FORMATS[name].boards or FORMATS[name].read_board(text) == board


@given(layout=layouts())
def test_a_format_keeps_all_of_a_layout_or_refuses_it(layout: Layout) -> None:
    texts = written(layout)
    assert texts.keys() >= {"text", "json"}
    for name, text in texts.items():
        assert FORMATS[name].read_layout(text) == layout
        assert recognised(text) == name or name == "georgia-tech-old"


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["", "CRLF"])
def test_samples_are_read(sample: Sample, newline: str, tmp_path: Path) -> None:
    path = tmp_path / "sample"
    path.write_text(sample.text, newline=newline)
    kind = type(sample.value)
    assert recognised(sample.text) == sample.form
    assert FORMATS[sample.form].read_as(kind, sample.text) == sample.value == load(kind, path)


READERS: dict[str, tuple[Callable[[Path], object], ...]] = {
    **{kind.__name__: (partial(load, kind),) for kind in (Board, Layout, StatementSet)},
    "Record": (Record.load, read_games),
    "list": (read_layouts,),
    "Certificate": (lambda path: certificates.from_json(path.read_text()),),
    "Trace": (lambda path: certificates.from_json(path.read_text()),),
}


@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_what_is_wrong_is_named(broken: Broken, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_text(broken.text, encoding="utf-8")
    for read in READERS[broken.kind]:
        with pytest.raises(BoardError) as caught:
            read(path)
        said = str(caught.value)
        assert said.removeprefix(f"{path}:").lstrip().startswith(broken.error) and "\n" not in said
        assert caught.value.file == (None if broken.kind in ("Certificate", "Trace") else str(path))
    assert broken.form not in FORMATS or recognised(broken.text) == broken.form


@pytest.mark.parametrize(
    ("name", "value", "message"), [(name, *case) for names, *case in REFUSED for name in names.split()]
)
def test_what_a_format_cannot_hold(name: str, value: Value, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        all_formats()[name].write(value)
    assert message in caught.value.message


# --- anything at all -------------------------------------------------------------------------------------------------


def is_read_or_refused(text: str) -> None:
    for format in FORMATS.values():
        format.recognises(text)
        for reader in (format.read_board, format.read_layout, format.read_statements, format.read):
            try:
                value = reader(text)
            except BoardError as error:
                assert error.message and (error.line or 0) >= 1 and (error.column or 0) >= 1
                assert "\n" not in str(error), "one line"
            else:
                assert isinstance(value, Board | Layout | StatementSet)


@given(malformed_texts())
@example('{"board": ["\\ud800"]}')
@example('{"\\ud800": 1}')
@example('{"comment": "mines", "mines": 1, "mines": 2}')
@example('{"board": [["#"]], "topology": 1e5}')
@example("\ufeff{}")
@example("\x0b{")
@example("mines\u20281\n##")
@example('{"density": 1e999999999999, "board": ["#"]}')
@example('{"density": -0, "board": ["#"]}')
@example("density 1e-99\n##")
@example('{"dim": "1,1", "bombs": "0", "safe": "0,0", "board": "\u0663"}')
@example('{"dim": "0,9", "bombs": "0", "safe": "0,0", "board": ""}')
@example('{"dim": 1e5, "bombs": [], "safe": null, "board": "9"}')
@example("density 00000/00000\n##")
def test_malformed_texts(text: str) -> None:
    is_read_or_refused(text)


SNIPPETS = ["0", "9", "H", "a", "m", "\n", ",", ":", "=", "*", "#", "&b=", "x99999", "99999999", "[real]\n"]


@pytest.mark.parametrize("name", KEPT)
@given(
    data=st.data(),
    changes=st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 4), st.text(max_size=3) | st.sampled_from(SNIPPETS)),
        min_size=1,
        max_size=3,
    ),
)
def test_mangled_texts(name: str, data: st.DataObject, changes: list[tuple[int, int, str]]) -> None:
    text = FORMATS[name].write(data.draw(KEPT[name]))
    for place, cut, extra in changes:
        place %= len(text) + 1
        text = text[:place] + extra + text[place + cut :]
    is_read_or_refused(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4), st.lists), st.data())
def test_any_json_value_in_any_field(value: object, data: st.DataObject) -> None:
    rule: dict[str, object] = {"num_mines": 1, "cells": ["a", "b"]}
    fields: dict[str, object] = data.draw(
        st.sampled_from(
            [
                {"board": ["#1"], "mines": 1},
                {"layout": ["*."], "mines": 1, "start": [0, 1]},
                {"dim": "1,2", "bombs": "1", "safe": "0,0", "board": "19"},
                {"rules": [rule], "total_cells": 5, "total_mines": 2},
                {"edges": [["a", "b"]], "open": {"a": 1}, "known_mines": [], "total_mines": 1},
            ]
        )
    )
    place = rule if "rules" in fields and data.draw(st.booleans()) else fields
    others = ["density", "topology", "rows", "cols", "start", "id", "comment", "mine_prob", "layout", "board"]
    place[data.draw(st.sampled_from([*place, *others]))] = value
    is_read_or_refused(text := json.dumps(fields))
    with suppress(BoardError):
        statements = FORMATS["rules"].read_statements(text)
        try:
            statements.solve()
        except Contradiction:
            assert statements.statements, "what is read can be solved"
